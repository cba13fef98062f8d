/*
 * The buffer ends with a NUL byte of our own, so loops over bytes need no second test: at a NUL
 * they look whether the buffer ends there, and fetch more. What is kept moves to the front then.
 */
#include "dump/format/json_pull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/format/gzip.h"
#include "dump/format/unpack.h"

#ifdef READ_CHUNK
#define CHUNK READ_CHUNK
#else
#define CHUNK ((size_t)256 * 1024)
#endif

#define MARK "\xef\xbb\xbf"      /* of byte order */
#define DEEP 64                  /* levels whose brackets have to match; below it they only count */
#define REPLACEMENT "\xef\xbf\xbd"

static bool fetch(struct pull *p);

static void skip_mark(struct pull *p)
{
	while (p->end - p->at < 3 && fetch(p))
		;
	if (p->end - p->at >= 3 && !memcmp(p->buffer + p->at, MARK, 3))
		p->at += 3;
}

void pull_start(struct pull *p, struct file *file)
{
	*p = (struct pull){ .file = file };
	if (file_is_packed(file))
		p->gunzip = gunzip_new(file);
	p->buffer = mem_alloc(1);
	skip_mark(p);
}

void pull_start_bytes(struct pull *p, const void *bytes, size_t len)
{
	*p = (struct pull){ .end = len, .end_off = len };
	p->buffer = (unsigned char *)mem_copy(bytes, len);
	skip_mark(p);
}

void pull_release(struct pull *p)
{
	gunzip_free(p->gunzip);
	free(p->buffer);
	p->gunzip = NULL;
	p->buffer = NULL;
}

uint64_t pull_off(const struct pull *p)
{
	return p->end_off - (p->end - p->at);
}

uint64_t pull_file_off(const struct pull *p)
{
	return p->gunzip ? gunzip_packed(p->gunzip) : pull_off(p);
}

static bool fail(struct pull *p, enum err_code code, const char *msg)
{
	if (!p->broken)
		err_fill(&p->err, code, p->file ? p->file->path : "JSON", pull_off(p), "%s", msg);
	p->broken = true;
	p->at = p->end;
	return false;
}

/* Filling the buffer. */

void pull_keep(struct pull *p)
{
	p->kept = p->at;
	p->keeps = true;
}

void pull_drop(struct pull *p)
{
	p->keeps = false;
}

/* Moves what is still needed to the front, and makes room behind it. */
static bool make_room(struct pull *p)
{
	size_t from = p->keeps ? p->kept : p->at, n = p->end - from;

	if (n > PULL_KEPT_MOST)
		return fail(p, ERR_LIMIT, "a value of more than 64 MiB");
	memmove(p->buffer, p->buffer + from, n);
	p->at -= from;
	p->end = n;
	p->kept = 0;
	if (p->cap - n < CHUNK || !p->cap) {
		p->cap = n * 2 + CHUNK;
		p->buffer = mem_realloc(p->buffer, p->cap + 1);
	}
	return true;
}

static size_t read_file(struct pull *p, void *out, size_t cap)
{
	uint64_t left = p->file->size > p->end_off ? p->file->size - p->end_off : 0;
	size_t n = cap < left ? cap : (size_t)left;

	if (!n || file_read(p->file, p->end_off, n, out, &p->err))
		return n;
	p->broken = true;
	return 0;
}

/* False at the end of the file. */
static bool fetch(struct pull *p)
{
	size_t n;

	if (p->broken || !p->file || !make_room(p))
		return false;
	n = p->gunzip ? gunzip_read(p->gunzip, p->buffer + p->end, p->cap - p->end, &p->packed)
	              : read_file(p, p->buffer + p->end, p->cap - p->end);
	p->end += n;
	p->end_off += n;
	p->buffer[p->end] = '\0';
	return n;
}

static int peek(struct pull *p)
{
	return p->at < p->end || fetch(p) ? p->buffer[p->at] : -1;
}

int pull_peek(struct pull *p)
{
	int c;

	if (p->buffer[p->at] > ' ')
		return p->buffer[p->at];
	while ((c = peek(p)) == ' ' || c == '\n' || c == '\r' || c == '\t')
		p->at++;
	return c;
}

bool pull_at_end(struct pull *p)
{
	return pull_peek(p) < 0;
}

static bool expected(struct pull *p, const char *what)
{
	if (p->broken)
		return false;
	if (peek(p) < 0)
		return fail(p, ERR_FORMAT, p->packed.code ? p->packed.msg : "the file ends here");
	fail(p, ERR_FORMAT, "");
	snprintf(p->err.msg, sizeof p->err.msg, "%s expected", what);
	return false;
}

/* Values. */

static const bool ends_run[256] = { ['"'] = true, ['\\'] = true, ['\0'] = true };

/* Behind the opening quote. */
static bool take_text(struct pull *p, struct pull_value *value)
{
	size_t begin = p->at - p->kept;

	value->kind = PULL_TEXT;
	value->coded = false;
	for (;;) {
		const unsigned char *at = p->buffer + p->at;

		while (!ends_run[*at])
			at++;
		p->at = (size_t)(at - p->buffer);
		if (*at == '"')
			break;
		if (*at == '\0' && p->at == p->end) {
			if (!fetch(p))
				return expected(p, "the end of a text");
			continue;
		}
		value->coded = true;
		p->at++;
		if (*at == '\\') {
			if (peek(p) < 0)
				return expected(p, "the end of a text");
			p->at++;
		}
	}
	value->at = (uint32_t)begin;
	value->len = (uint32_t)(p->at - p->kept - begin);
	p->at++;
	p->behind = true;
	return true;
}

/* 1: may stand in a number or a word; a letter, a digit, or one of "+-.". */
static const bool is_plain[256] = {
	['0'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	['+'] = 1, ['-'] = 1, ['.'] = 1,
};

/* A number or a word. */
static bool take_plain(struct pull *p, struct pull_value *value)
{
	size_t begin = p->at - p->kept;
	unsigned char first = p->buffer[p->at];

	value->coded = false;
	do {
		while (is_plain[p->buffer[p->at]])
			p->at++;
	} while (p->at == p->end && fetch(p));
	value->at = (uint32_t)begin;
	value->len = (uint32_t)(p->at - p->kept - begin);
	value->kind = first == 'n' ? PULL_NULL : first == 't' || first == 'f' ? PULL_BOOL
	                                                                       : PULL_NUMBER;
	p->behind = true;
	return value->len || expected(p, "a value");
}

bool pull_value(struct pull *p, struct pull_value *value)
{
	int c = pull_peek(p);

	if (!p->keeps)
		p->kept = p->at;
	if (c == '"') {
		p->at++;
		return take_text(p, value);
	}
	if (c != '{' && c != '[')
		return c >= 0 ? take_plain(p, value) : expected(p, "a value");
	*value = (struct pull_value){
		.at = (uint32_t)(p->at - p->kept), .len = 1,
		.kind = c == '{' ? PULL_OBJECT : PULL_ARRAY,
	};
	p->at++;
	p->behind = false;
	return true;
}

bool pull_more(struct pull *p, char bracket)
{
	int c = pull_peek(p);
	bool comma = c == ',';

	if (comma) {
		p->at++;
		c = pull_peek(p);
	}
	if (c == bracket) {
		p->at++;
		p->behind = true;
		return false;
	}
	if (c < 0 || (p->behind && !comma))
		return expected(p, bracket == '}' ? "',' or '}'" : "',' or ']'");
	return true;
}

bool pull_key(struct pull *p, struct pull_value *key)
{
	if (pull_peek(p) != '"')
		return expected(p, "a key in double quotes");
	p->at++;
	if (!p->keeps)
		p->kept = p->at;
	if (!take_text(p, key))
		return false;
	if (pull_peek(p) != ':')
		return expected(p, "':'");
	p->at++;
	p->behind = false;
	return true;
}

/*
 * Nothing but brackets and texts counts here; those of the first levels have to match.
 */
bool pull_skip(struct pull *p, struct pull_value *value)
{
	uint64_t objects = value->kind == PULL_OBJECT, depth = 1;
	struct pull_value inner;

	if (value->kind != PULL_OBJECT && value->kind != PULL_ARRAY)
		return true;
	while (depth) {
		int c = pull_peek(p);

		if (c < 0)
			return expected(p, "']'");
		if (!p->keeps)
			p->kept = p->at;
		p->at++;
		if (c == '"' && !take_text(p, &inner))
			return false;
		if (c == '{' || c == '[') {
			if (depth < DEEP)
				objects = objects << 1 | (c == '{');
			depth++;
		}
		if (c != '}' && c != ']')
			continue;
		if (depth <= DEEP && (objects & 1) != (c == '}')) {
			p->at--;
			return expected(p, c == '}' ? "']'" : "'}'");
		}
		if (depth <= DEEP)
			objects >>= 1;
		depth--;
	}
	value->len = (uint32_t)(p->at - p->kept - value->at);
	p->behind = true;
	return true;
}

/* Texts. */

static bool hex4(const char *at, const char *end, uint32_t *code)
{
	*code = 0;
	if (end - at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = at[i];
		uint32_t digit = is_digit(c) ? (uint32_t)(c - '0')
		                 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
		                 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10 : 16;

		if (digit > 15)
			return false;
		*code = *code * 16 + digit;
	}
	return true;
}

static void put_code(struct str *out, uint32_t code)
{
	char bytes[4];
	size_t n = 0;

	if (code >= 0x80 || !code) {
		if (code < 0x800) {
			bytes[n++] = (char)(0xc0 | code >> 6);
		} else {
			bytes[n++] = (char)(code < 0x10000 ? 0xe0 | code >> 12 : 0xf0 | code >> 18);
			if (code >= 0x10000)
				bytes[n++] = (char)(0x80 | (code >> 12 & 0x3f));
			bytes[n++] = (char)(0x80 | (code >> 6 & 0x3f));
		}
		bytes[n++] = (char)(0x80 | (code & 0x3f));
	} else {
		bytes[n++] = (char)code;
	}
	str_put(out, bytes, n);
}

/* Behind "\u". Returns where it goes on. */
static const char *put_unicode(const char *at, const char *end, struct str *out)
{
	uint32_t code, low;

	if (!hex4(at, end, &code)) {
		str_puts(out, REPLACEMENT);
		return at;
	}
	at += 4;
	if (code < 0xd800 || code > 0xdfff) {
		put_code(out, code);
	} else if (code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u'
	           && hex4(at + 2, end, &low) && low >= 0xdc00 && low <= 0xdfff) {
		put_code(out, 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff)));
		at += 6;
	} else {
		str_puts(out, REPLACEMENT);
	}
	return at;
}

static const char *put_escape(const char *at, const char *end, struct str *out)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;

	if (at == end)
		return at;
	if (*at == 'u')
		return put_unicode(at + 1, end, out);
	letter = *at ? strchr(letters, *at) : NULL;
	str_putc(out, letter ? bytes[letter - letters] : *at ? *at : '?');
	return at + 1;
}

void pull_decode(const char *at, size_t len, bool has_escapes, struct str *out)
{
	const char *end = at + len;

	while (at < end) {
		const char *begin = at;
		uint32_t code;
		size_t n;

		while (at < end && (unsigned char)*at < 0x80 && *at
		       && !(has_escapes && *at == '\\'))
			at++;
		str_put(out, begin, (size_t)(at - begin));
		if (at == end)
			break;
		if (*at == '\\') {
			at = put_escape(at + 1, end, out);
			continue;
		}
		n = utf8_next(at, (size_t)(end - at), &code);
		if (end - at >= 2 && !memcmp(at, UTF8_NUL, 2)) {
			code = 0;        /* decoded before */
			n = 2;
		}
		if (code == UTF8_BAD)
			str_puts(out, REPLACEMENT);
		else
			put_code(out, code);
		at += n;
	}
}
