/* \c and \C are ours, not the pattern's: they are taken out of the text before it is compiled. */
#include "tui/regex.h"

#include <stdbool.h>

#include "dump/base/str.h"

/* Letters of the regex itself: \S or \W say nothing about the text. */
static bool has_capital(const char *regex)
{
	for (size_t i = 0; regex[i]; i++) {
		if (regex[i] == '\\' && regex[i + 1])
			i++;
		else if (regex[i] >= 'A' && regex[i] <= 'Z')
			return true;
	}
	return false;
}

/* Copies the regex without \c and \C. True: case is to be ignored. */
static bool take_case(const char *regex, enum regex_case how, struct str *out)
{
	bool ignore = how == REGEX_SMART ? !has_capital(regex) : how == REGEX_IGNORE;

	for (size_t i = 0; regex[i]; i++) {
		if (regex[i] == '\\' && (regex[i + 1] == 'c' || regex[i + 1] == 'C')) {
			ignore = regex[++i] == 'c';
			continue;
		}
		str_putc(out, regex[i]);
		if (regex[i] == '\\' && regex[i + 1])
			str_putc(out, regex[++i]);
	}
	return ignore;
}

struct pattern *regex_new(const char *text, enum regex_case how, struct err *err)
{
	struct str bare = {0};
	bool ignore_case = take_case(text, how, &bare);
	struct pattern *pattern = pattern_new(str_text(&bare), PATTERN_SEARCH, ignore_case, err);

	str_release(&bare);
	return pattern;
}
