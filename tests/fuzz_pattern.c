/* A line with a regular expression, then a text that it is tried on. */
#include "cmds/lang/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"

static void search(struct pattern *pattern, const char *text, size_t len)
{
	size_t from = 0, begin, end;

	while (from <= len && pattern_hits(pattern, text, len, from, &begin, &end)) {
		MUST(begin >= from && end >= begin && end <= len);
		from = end > from ? end : from + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *regex = input_line(&data, &size);
	char *text = input_text(data, size);

	for (enum pattern_use use = PATTERN_MATCH; use <= PATTERN_SEARCH; use++) {
		struct err err = {0};
		struct pattern *pattern = pattern_new(regex, use, use == PATTERN_SEARCH, &err);

		MUST(pattern || (err.code == ERR_REGEX && *err.msg && err.off <= strlen(regex)));
		if (!pattern)
			continue;
		if (use == PATTERN_SEARCH)
			search(pattern, text, strlen(text));
		else
			pattern_hits(pattern, text, strlen(text), 0, NULL, NULL);
		pattern_free(pattern);
	}
	free(text);
	free(regex);
	return 0;
}
