#include "dump/format/text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/unpack.h"

enum { CHUNK = 64 * 1024 };

/* What was left of the bytes before. */
struct utf16 {
	bool big_end;                    /* the first byte of a unit is the high one */
	bool has_byte;
	unsigned char byte;
	uint32_t high;                   /* the first half of a pair; 0: none */
};

void text_lines_start(struct text_lines *lines, struct file *file)
{
	*lines = (struct text_lines){ .file = file };
	if (file_is_packed(file))
		lines->gunzip = gunzip_new(file);
}

void text_lines_release(struct text_lines *lines)
{
	gunzip_free(lines->gunzip);
	free(lines->utf16);
	str_release(&lines->held);
}

/* UTF-16. */

static void put_utf8(struct str *out, uint32_t c)
{
	if (c < 0x80) {
		str_putc(out, (char)c);
		return;
	}
	if (c < 0x800) {
		str_putc(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			str_putc(out, (char)(0xe0 | c >> 12));
		} else {
			str_putc(out, (char)(0xf0 | c >> 18));
			str_putc(out, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		str_putc(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	str_putc(out, (char)(0x80 | (c & 0x3f)));
}

/* Half of a pair without the other is U+FFFD. */
static void put_unit(struct str *out, struct utf16 *u, uint32_t unit)
{
	bool is_high = unit >= 0xd800 && unit < 0xdc00, is_low = unit >= 0xdc00 && unit < 0xe000;

	if (u->high && is_low) {
		put_utf8(out, 0x10000 + ((u->high - 0xd800) << 10) + (unit - 0xdc00));
	} else {
		if (u->high)
			put_utf8(out, 0xfffd);
		if (!is_high)
			put_utf8(out, is_low ? 0xfffd : unit);
	}
	u->high = is_high ? unit : 0;
}

static void put_wide(struct str *out, struct utf16 *u, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)bytes[i];

		if (u->has_byte)
			put_unit(out, u, u->big_end ? (uint32_t)u->byte << 8 | byte
			                            : (uint32_t)byte << 8 | u->byte);
		u->byte = byte;
		u->has_byte = !u->has_byte;
	}
}

/* Bytes of the text. */

static void hold(struct text_lines *lines, const char *bytes, size_t len)
{
	if (lines->utf16)
		put_wide(&lines->held, lines->utf16, bytes, len);
	else
		str_put(&lines->held, bytes, len);
}

static bool read_packed(struct text_lines *lines)
{
	char chunk[CHUNK];
	size_t n = gunzip_read(lines->gunzip, chunk, sizeof chunk, &lines->why);

	hold(lines, chunk, n);
	lines->off = gunzip_packed(lines->gunzip);
	return n;
}

static bool read_plain(struct text_lines *lines)
{
	size_t len = 0;
	const char *bytes = file_some(lines->file, lines->off, &len, &lines->why);

	if (!bytes)
		return false;
	hold(lines, bytes, len);
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

/* What is held so far is taken again, behind its mark. */
static void start_utf16(struct text_lines *lines)
{
	struct str bytes = lines->held;

	lines->utf16 = mem_alloc(sizeof *lines->utf16);
	lines->utf16->big_end = *bytes.text == '\xfe';
	lines->held = (struct str){0};
	hold(lines, bytes.text + 2, bytes.len - 2);
	str_release(&bytes);
}

static void skip_mark(struct text_lines *lines)
{
	while (lines->held.len < 3 && read_more(lines))
		;
	if (lines->held.len >= 3 && !memcmp(lines->held.text, "\xef\xbb\xbf", 3))
		lines->from = 3;
	else if (lines->held.len >= 2 && (!memcmp(lines->held.text, "\xff\xfe", 2)
	                                  || !memcmp(lines->held.text, "\xfe\xff", 2)))
		start_utf16(lines);
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
	lines->is_cut = !end;
	lines->from += line->len + (end != NULL);
	if (line->len > LINE_MOST)
		line->len = LINE_MOST;
	if (line->len && line->at[line->len - 1] == '\r')
		line->len--;
	return true;
}
