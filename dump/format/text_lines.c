#include "dump/format/text_lines.h"

#include <string.h>

#include "dump/format/unpack.h"

enum { CHUNK = 64 * 1024 };

void text_lines_start(struct text_lines *lines, struct file *file)
{
	*lines = (struct text_lines){ .file = file };
	if (file_is_packed(file))
		lines->gunzip = gunzip_new(file);
}

void text_lines_release(struct text_lines *lines)
{
	gunzip_free(lines->gunzip);
	str_release(&lines->held);
}

static bool read_packed(struct text_lines *lines)
{
	char chunk[CHUNK];
	size_t n = gunzip_read(lines->gunzip, chunk, sizeof chunk, &lines->why);

	str_put(&lines->held, chunk, n);
	lines->off = gunzip_packed(lines->gunzip);
	return n;
}

static bool read_plain(struct text_lines *lines)
{
	size_t len = 0;
	const char *bytes = file_some(lines->file, lines->off, &len, &lines->why);

	if (!bytes)
		return false;
	str_put(&lines->held, bytes, len);
	lines->off += len;
	return true;
}

/* More bytes behind those that are held, which move to the front. False: there are none. */
static bool read_more(struct text_lines *lines)
{
	struct str *held = &lines->held;
	size_t left = held->len - lines->from;

	if (lines->ended)
		return false;
	if (lines->from) {
		memmove(held->text, held->text + lines->from, left);
		str_cut(held, left);
		lines->from = 0;
	}
	lines->ended = !(lines->gunzip ? read_packed(lines) : read_plain(lines));
	return !lines->ended;
}

/* Of a line that is too long only its beginning is kept. */
static void drop_beyond(struct text_lines *lines)
{
	size_t len = lines->held.len - lines->from;

	if (len > LINE_MOST)
		str_cut(&lines->held, lines->from + LINE_MOST);
}

static void skip_mark(struct text_lines *lines)
{
	while (lines->held.len < 3 && read_more(lines))
		;
	if (lines->held.len >= 3 && !memcmp(lines->held.text, "\xef\xbb\xbf", 3))
		lines->from = 3;
	lines->started = true;
}

bool text_lines_next(struct text_lines *lines, struct text *line)
{
	struct str *held = &lines->held;
	const char *end = NULL;
	size_t seen = 0;                 /* of this line, without an end in it */

	if (!lines->started)
		skip_mark(lines);
	for (;;) {
		size_t left = held->len - lines->from;

		if (left > seen)
			end = memchr(held->text + lines->from + seen, '\n', left - seen);
		if (end)
			break;
		drop_beyond(lines);
		seen = held->len - lines->from;
		if (!read_more(lines))
			break;
	}
	if (!end && held->len == lines->from)
		return false;
	line->at = held->text + lines->from;
	line->len = end ? (size_t)(end - line->at) : held->len - lines->from;
	lines->from += line->len + (end != NULL);
	if (line->len > LINE_MOST)
		line->len = LINE_MOST;
	if (line->len && line->at[line->len - 1] == '\r')
		line->len--;
	return true;
}
