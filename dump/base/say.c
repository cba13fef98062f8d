#include "dump/base/say.h"

#include <stdarg.h>
#include <string.h>

#include "dump/base/utf8.h"

void say_to(FILE *out, const char *text, size_t len)
{
	struct str safe = {0};

	utf8_escape(&safe, text, len);
	fwrite(str_text(&safe), 1, safe.len, out);
	str_release(&safe);
}

void say(const char *fmt, ...)
{
	struct str text = {0}, safe = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	utf8_escape(&safe, str_text(&text), text.len);
	fprintf(stderr, "tensordbg: %s\n", str_text(&safe));
	str_release(&text);
	str_release(&safe);
}

void say_lines(const char *text)
{
	struct str safe = {0};

	utf8_escape_lines(&safe, text, strlen(text));
	fprintf(stderr, "%s\n", str_text(&safe));
	str_release(&safe);
}
