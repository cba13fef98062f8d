/* Text is gathered and written in large pieces; a failed write is told in the end. */
#include "cmds/lang/python_json.h"

#include <string.h>

#include "dump/base/utf8.h"

#define WRITE_AT (1 << 16)       /* bytes */

static void drain(struct python_json *j)
{
	j->failed |= fwrite(str_text(&j->text), 1, j->text.len, j->out) != j->text.len;
	str_reset(&j->text);
}

static void new_line(struct python_json *j)
{
	if (j->compact)
		return;
	str_putc(&j->text, '\n');
	str_fill(&j->text, ' ', (size_t)j->depth * 4);
}

void pj_open(struct python_json *j, char bracket)
{
	str_putc(&j->text, bracket);
	j->depth++;
	j->first = true;
}

void pj_close(struct python_json *j, char bracket)
{
	j->depth--;
	new_line(j);
	str_putc(&j->text, bracket);
	j->first = false;
}

static void next_item(struct python_json *j)
{
	if (!j->first)
		str_putc(&j->text, ',');
	j->first = false;
	new_line(j);
}

static void put_string(struct python_json *j, const char *text, size_t len)
{
	static const char short_ones[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
	struct str *out = &j->text;

	str_putc(out, '"');
	for (size_t at = 0; at < len; ) {
		size_t plain = at;
		const char *hit;
		uint32_t cp;

		while (plain < len && text[plain] >= ' ' && text[plain] <= '~' &&
		       text[plain] != '"' &&
		       text[plain] != '\\')
			plain++;
		str_put(out, text + at, plain - at);
		at = plain;
		if (at == len)
			break;
		hit = text[at] ? strchr(short_ones, text[at]) : NULL;
		if (hit) {
			str_putc(out, '\\');
			str_putc(out, letters[hit - short_ones]);
			at++;
			continue;
		}
		plain = utf8_next(text + at, len - at, &cp);
		if (cp == UTF8_BAD)
			cp = 0xdc00 + (unsigned char)text[at];
		if (cp >= 0x10000)
			str_fmt(out, "\\u%04x\\u%04x", 0xd800 + ((cp - 0x10000) >> 10),
			        0xdc00 + ((cp - 0x10000) & 0x3ff));
		else
			str_fmt(out, "\\u%04x", cp);
		at += plain;
	}
	str_putc(out, '"');
}

void pj_key(struct python_json *j, const char *key, size_t len)
{
	next_item(j);
	put_string(j, key, len);
	str_puts(&j->text, j->compact ? ":" : ": ");
}

void pj_text(struct python_json *j, const char *key, const char *text, size_t len)
{
	pj_key(j, key, strlen(key));
	put_string(j, text, len);
}

void pj_word(struct python_json *j, const char *key, const char *word)
{
	pj_text(j, key, word, strlen(word));
}

void pj_int(struct python_json *j, const char *key, int64_t value)
{
	char digits[24];
	int at = sizeof digits;
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	pj_key(j, key, strlen(key));
	do
		digits[--at] = (char)('0' + size % 10);
	while (size /= 10);
	if (value < 0)
		digits[--at] = '-';
	str_put(&j->text, digits + at, sizeof digits - (size_t)at);
}

void pj_us(struct python_json *j, const char *key, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	pj_key(j, key, strlen(key));
	str_fmt(&j->text, "%s%llu.%03u", ns < 0 ? "-" : "", (unsigned long long)(size / 1000),
	        (unsigned)(size % 1000));
}

void pj_inside(struct python_json *j, const char *key)
{
	pj_key(j, key, strlen(key));
	pj_open(j, '{');
}

void pj_event(struct python_json *j)
{
	if (j->text.len >= WRITE_AT)
		drain(j);
	next_item(j);
	pj_open(j, '{');
}

bool pj_finish(struct python_json *j)
{
	drain(j);
	return !j->failed;
}

void pj_release(struct python_json *j)
{
	str_release(&j->text);
}
