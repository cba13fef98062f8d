/*
 * Every question about pieces is a walk from the line's start: only lines near the view are asked
 * about.
 */
#include "tui/wrap.h"

#include "dump/base/str.h"
#include "dump/base/utf8.h"

static int width_of(const char *text, size_t n, uint32_t cp, struct str *scratch)
{
	if (cp >= 0x20 && cp < 0x7f)
		return 1;
	str_reset(scratch);
	return utf8_cell(scratch, text, n, cp);
}

static size_t end_with(const char *text, size_t len, size_t from, int cols, struct str *scratch)
{
	size_t at = from;
	int used = 0;

	while (at < len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text + at, len - at, &cp);

		used += width_of(text + at, n, cp, scratch);
		if (used > cols && at > from)
			break;
		at += n;
	}
	return at;
}

size_t wrap_end(const char *text, size_t len, size_t from, int cols)
{
	struct str scratch = {0};
	size_t end = end_with(text, len, from, cols, &scratch);

	str_release(&scratch);
	return end;
}

/*
 * Walks to the end, to piece `piece` or to the piece that holds byte off, whichever is first;
 * returns its number.
 */
static uint32_t walk(const char *text, size_t len, int cols, uint32_t piece, size_t off,
                     size_t *begin)
{
	struct str scratch = {0};
	uint32_t k = 0;
	size_t at = 0;

	while (k < piece) {
		size_t end = end_with(text, len, at, cols, &scratch);

		if (end >= len || off < end)
			break;
		at = end;
		k++;
	}
	str_release(&scratch);
	*begin = at;
	return k;
}

uint32_t wrap_pieces(const char *text, size_t len, int cols)
{
	size_t begin;

	return len <= (size_t)cols / 4 ? 1
	                               : walk(text, len, cols, UINT32_MAX, SIZE_MAX, &begin) + 1;
}

size_t wrap_begin(const char *text, size_t len, int cols, uint32_t piece)
{
	size_t begin;

	walk(text, len, cols, piece, SIZE_MAX, &begin);
	return begin;
}

uint32_t wrap_piece_at(const char *text, size_t len, int cols, size_t off)
{
	size_t begin;

	return walk(text, len, cols, UINT32_MAX, off, &begin);
}
