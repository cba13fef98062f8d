#include "dump/base/utf8.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

/* Lead byte of an n-byte sequence: its payload bits and the smallest character it may carry. */
static const struct { unsigned char mask, lead; uint32_t least; } forms[] = {
	{ 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
};

size_t utf8_next(const char *text, size_t len, uint32_t *cp)
{
	unsigned char lead = (unsigned char)text[0];

	for (size_t n = 1; n <= 4; n++) {
		uint32_t c = lead & (unsigned char)~forms[n - 1].mask;

		if ((lead & forms[n - 1].mask) != forms[n - 1].lead)
			continue;
		if (n > len)
			break;
		for (size_t i = 1; i < n; i++) {
			if (((unsigned char)text[i] & 0xc0) != 0x80)
				goto bad;
			c = c << 6 | ((unsigned char)text[i] & 0x3f);
		}
		if (c < forms[n - 1].least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
			break;
		*cp = c;
		return n;
	}
bad:
	*cp = UTF8_BAD;
	return 1;
}

size_t utf8_next_cell(const char *text, size_t len, uint32_t *cp)
{
	if (len < 2 || memcmp(text, UTF8_NUL, 2) != 0)
		return utf8_next(text, len, cp);
	*cp = 0;
	return 2;
}

bool utf8_is_hidden(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0xad || cp == 0x61c ||
	       cp == 0x180e || (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	       (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff || (cp >= 0xfff9 && cp <= 0xfffb) ||
	       (cp >= 0xe0000 && cp <= 0xe0fff);
}

static int put_code(struct str *out, uint32_t cp)
{
	size_t before = out->len;

	str_fmt(out, cp > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)cp);
	return (int)(out->len - before);
}

int utf8_cell(struct str *out, const char *text, size_t n, uint32_t cp)
{
	int width;

	if (cp >= 0x20 && cp < 0x7f) {
		str_put(out, text, n);
		return 1;
	}
	if (cp == UTF8_BAD || (!cp && n == 2)) {
		str_fmt(out, "\\x%02x", cp ? (unsigned char)text[0] : 0u);
		return 4;
	}
	if (cp < 0x20 || cp == 0x7f) {
		str_putc(out, '^');
		str_putc(out, (char)(cp ^ 0x40));
		return 2;
	}
	if (utf8_is_hidden(cp))
		return put_code(out, cp);
	width = wcwidth((wchar_t)cp);
	if (width < 0)
		return put_code(out, cp);
	str_put(out, text, n);
	return width;
}

void utf8_escape(struct str *out, const char *text, size_t len)
{
	while (len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text, len, &cp);

		utf8_cell(out, text, n, cp);
		text += n;
		len -= n;
	}
}

void utf8_escape_lines(struct str *out, const char *text, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		size_t end = at;

		while (end < len && text[end] != '\n' && text[end] != '\t')
			end++;
		utf8_escape(out, text + at, end - at);
		if (end < len)
			str_putc(out, text[end]);
		at = end;
	}
}

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Eight bytes at once: is one of them above 0x7e or below 0x20? */
static bool has_unplain(uint64_t word)
{
	uint64_t is_delete = word ^ EACH_BYTE(0x7f);

	return ((word | (word - EACH_BYTE(0x20)) |
	         (is_delete - EACH_BYTE(1))) & EACH_BYTE(0x80)) != 0;
}

bool utf8_is_plain(const char *text, size_t len)
{
	uint64_t word;

	for (; len >= sizeof word; text += sizeof word, len -= sizeof word) {
		memcpy(&word, text, sizeof word);
		if (has_unplain(word))
			return false;
	}
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 0x20 || (unsigned char)text[i] >= 0x7f)
			return false;
	return true;
}

size_t utf8_columns(const char *text, size_t len)
{
	struct str scratch = {0};
	size_t columns = 0;

	if (utf8_is_plain(text, len))
		return len;
	while (len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text, len, &cp);

		str_reset(&scratch);
		columns += (size_t)utf8_cell(&scratch, text, n, cp);
		text += n;
		len -= n;
	}
	str_release(&scratch);
	return columns;
}

size_t utf8_count(const char *text, size_t len)
{
	size_t count = 0;

	if (utf8_is_plain(text, len))
		return len;
	for (uint32_t cp; len; count++) {
		size_t n = utf8_next(text, len, &cp);

		text += n;
		len -= n;
	}
	return count;
}

void utf8_put(struct str *out, uint32_t cp)
{
	if (cp < 0x80) {
		str_putc(out, (char)cp);
		return;
	}
	if (cp < 0x800) {
		str_putc(out, (char)(0xc0 | cp >> 6));
	} else {
		if (cp < 0x10000) {
			str_putc(out, (char)(0xe0 | cp >> 12));
		} else {
			str_putc(out, (char)(0xf0 | cp >> 18));
			str_putc(out, (char)(0x80 | (cp >> 12 & 0x3f)));
		}
		str_putc(out, (char)(0x80 | (cp >> 6 & 0x3f)));
	}
	str_putc(out, (char)(0x80 | (cp & 0x3f)));
}
