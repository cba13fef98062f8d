#include "cmds/doc/cut.h"

#include <string.h>

#include "dump/base/utf8.h"

void put_cut(struct str *out, const char *text, size_t len, size_t most, bool end)
{
	size_t at = 0, left = utf8_columns(text, len);

	if (!end)
		left = 0;
	while (at < len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text + at, len - at, &cp);
		size_t size = utf8_columns(text + at, n);

		if (end ? left <= most : left + size > most)
			break;
		left = end ? left - size : left + size;
		at += n;
	}
	str_put(out, end ? text + at : text, end ? len - at : at);
}

void put_shortened(struct str *out, const char *text, size_t most, bool end)
{
	static const char dots[] = "...";
	size_t len = strlen(text), gap = most > 2 * strlen(dots) ? strlen(dots) : 0;

	if (utf8_columns(text, len) <= most) {
		str_put(out, text, len);
		return;
	}
	if (end)
		str_put(out, dots, gap);
	put_cut(out, text, len, most - gap, end);
	if (!end)
		str_put(out, dots, gap);
}

void put_padded(struct str *out, const char *text, size_t columns)
{
	size_t before = out->len, size;

	put_shortened(out, text, columns, false);
	size = utf8_columns(str_text(out) + before, out->len - before);
	str_fill(out, ' ', size < columns ? columns - size : 0);
}

#define STATUS_SIDES 6           /* columns of the status line besides the text */
#define LEAST_NAME 12

void put_parts(struct str *out, const char *name, const char *const *parts, size_t n, int width)
{
	size_t room = width > STATUS_SIDES ? (size_t)width - STATUS_SIDES : 1, first = 0, rest = 0;
	size_t least = utf8_columns(name, strlen(name));

	least = least < LEAST_NAME ? least : LEAST_NAME;
	for (size_t i = 0; i < n; i++)
		rest += *parts[i] ? 1 + utf8_columns(parts[i], strlen(parts[i])) : 0;
	for (; first < n && least + rest > room; first++)
		rest -= *parts[first] ? 1 + utf8_columns(parts[first], strlen(parts[first])) : 0;
	put_shortened(out, name, room > rest ? room - rest : 1, true);
	for (; first < n; first++)
		str_fmt(out, "%s%s", *parts[first] ? " " : "", parts[first]);
}
