#include "cmds/lang/python.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dump/base/str.h"
#include "dump/base/utf8.h"

bool python_space(uint32_t cp)
{
	return (cp >= 0x09 && cp <= 0x0d) || (cp >= 0x1c && cp <= 0x20) || cp == 0x85 ||
	       cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
	       cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

const char *python_strip(const char *text, size_t *len)
{
	const char *end = text + *len, *last = text;
	const char *at = text;
	bool started = false;

	while (at < end) {
		uint32_t cp;
		size_t n = utf8_next(at, (size_t)(end - at), &cp);

		at += n;
		if (python_space(cp)) {
			if (!started)
				text = last = at;
			continue;
		}
		started = true;
		last = at;
	}
	*len = (size_t)(last - text);
	return text;
}

/*
 * Digits with single _ between them, from *at on, put into out without the _. False if there is
 * none.
 */
static bool take_digits(const char *text, size_t len, size_t *at, struct str *out)
{
	size_t begin = *at;

	while (*at < len) {
		if (is_digit(text[*at]))
			str_putc(out, text[*at]);
		else if (text[*at] != '_' || *at == begin || text[*at - 1] == '_' ||
		         *at + 1 == len || !is_digit(text[*at + 1]))
			break;
		++*at;
	}
	return *at > begin;
}

bool python_int(const char *text, size_t len, int64_t *out)
{
	struct str digits = {0};
	size_t at = 0;
	bool minus, ok;
	int64_t value = 0;

	text = python_strip(text, &len);
	minus = len && text[0] == '-';
	if (len && (text[0] == '-' || text[0] == '+'))
		at = 1;
	ok = take_digits(text, len, &at, &digits) && at == len;
	for (size_t i = 0; i < digits.len; i++) {
		int64_t d = digits.text[i] - '0';

		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, minus ? -d : d, &value)) {
			value = minus ? INT64_MIN : INT64_MAX;
			break;
		}
	}
	str_release(&digits);
	if (ok)
		*out = value;
	return ok;
}

/* err with "WHAT: 'repr of text'". */
static bool refuse(const char *what, const char *text, size_t len, uint64_t off, struct err *err)
{
	struct str repr = {0};

	python_repr(&repr, text, len);
	err_fill(err, ERR_VALUE, "command", off, "%s: %s", what, str_text(&repr));
	str_release(&repr);
	return false;
}

bool python_digits(const char *text, size_t len, int64_t *out)
{
	return len && strspn(text, "0123456789") >= len && python_int(text, len, out);
}

bool python_int_read(const char *text, size_t len, uint64_t off, int64_t *out, struct err *err)
{
	return python_int(text, len, out) ||
	       refuse("invalid literal for int() with base 10", text, len, off, err);
}

/* [digits][.digits][e[sign]digits] as a whole, put into out for strtod. */
static bool take_decimal(const char *text, size_t len, size_t at, struct str *out)
{
	bool any = take_digits(text, len, &at, out);

	if (at < len && text[at] == '.') {
		str_putc(out, text[at++]);
		any |= take_digits(text, len, &at, out);
	}
	if (any && at < len && (text[at] == 'e' || text[at] == 'E')) {
		str_putc(out, text[at++]);
		if (at < len && (text[at] == '-' || text[at] == '+'))
			str_putc(out, text[at++]);
		any = take_digits(text, len, &at, out);
	}
	return any && at == len;
}

static bool is_named(const char *text, size_t len, const char *name)
{
	return len == strlen(name) && !strncasecmp(text, name, len);
}

bool python_float_read(const char *text, size_t len, uint64_t off, double *out, struct err *err)
{
	size_t bare_len = len, at;
	const char *bare = python_strip(text, &bare_len);
	struct str number = {0};
	bool ok;

	at = bare_len && (bare[0] == '-' || bare[0] == '+');
	str_put(&number, bare, at);
	if (is_named(bare + at, bare_len - at, "inf") ||
	    is_named(bare + at, bare_len - at, "infinity") ||
	    is_named(bare + at, bare_len - at, "nan")) {
		str_put(&number, bare + at, bare_len - at);
		ok = true;
	} else {
		ok = take_decimal(bare, bare_len, at, &number);
	}
	if (ok)
		*out = strtod(number.text, NULL);
	str_release(&number);
	return ok || refuse("could not convert string to float", text, len, off, err);
}

/*
 * Not str.isprintable(): the parts of it that a person may meet. What is left is escaped when it is
 * shown.
 */
static bool is_printable(uint32_t cp)
{
	return cp >= 0x20 && !(cp >= 0x7f && cp <= 0xa0) && cp != 0xad &&
	       !(cp != ' ' && python_space(cp)) && !(cp >= 0x200b && cp <= 0x200f) &&
	       !(cp >= 0x202a && cp <= 0x202e) && !(cp >= 0x2060 && cp <= 0x206f) &&
	       !(cp >= 0xe000 && cp <= 0xf8ff) && cp != 0xfeff;
}

static void put_escape(struct str *out, uint32_t cp)
{
	static const char letters[] = "\tt\nn\rr";
	const char *named = cp < 0x20 && cp ? strchr(letters, (int)cp) : NULL;

	if (named)
		str_fmt(out, "\\%c", named[1]);
	else if (cp <= 0xff)
		str_fmt(out, "\\x%02x", (unsigned)cp);
	else
		str_fmt(out, cp <= 0xffff ? "\\u%04x" : "\\U%08x", (unsigned)cp);
}

void python_repr(struct str *out, const char *text, size_t len)
{
	char quote = memchr(text, '\'', len) && !memchr(text, '"', len) ? '"' : '\'';

	str_putc(out, quote);
	for (size_t at = 0, n; at < len; at += n) {
		uint32_t cp;

		n = utf8_next(text + at, len - at, &cp);
		if (cp == UTF8_BAD)
			str_fmt(out, "\\udc%02x", (unsigned char)text[at]);
		else if (cp == (uint32_t)quote || cp == '\\')
			str_fmt(out, "\\%c", (char)cp);
		else if (is_printable(cp))
			str_put(out, text + at, n);
		else
			put_escape(out, cp);
	}
	str_putc(out, quote);
}
