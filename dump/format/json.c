/*
 * Bytes come from the file's window through peek(); open arrays and objects are an array of flags,
 * so nesting costs no stack. After a failure peek() sees the end of the file, and the first error
 * stays.
 */
#include "dump/format/json.h"
#include "dump/base/str.h"
#include "dump/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { END = -1 };
enum { DIGITS_SURE = 18 };        /* a number of so many fits in 64 bits */

void json_start(struct json *json, struct file *file, struct err *err)
{
	*json = (struct json){ .file = file, .err = err };
}

void json_start_text(struct json *json, const char *text, size_t len, struct err *err)
{
	*json = (struct json){ .err = err, .at = (const unsigned char *)text, .end_off = len };
	json->end = json->at + len;
}

void json_release(struct json *json)
{
	str_release(&json->key);
	str_release(&json->text);
}

static bool fail(struct json *json, uint64_t off, const char *msg)
{
	if (!json->failed)
		err_fill(json->err, ERR_FORMAT, json->file ? json->file->path : "JSON", off, "%s",
		         msg);
	json->failed = true;
	json->at = json->end;
	return false;
}

static uint64_t off_of(const struct json *json)
{
	return json->end_off - (uint64_t)(json->end - json->at);
}

bool json_refuse(struct json *json, const char *fmt, ...)
{
	char msg[sizeof json->err->msg];
	va_list args;

	va_start(args, fmt);
	vsnprintf(msg, sizeof msg, fmt, args);
	va_end(args);
	return fail(json, json->value_off, msg);
}

static bool expected(struct json *json, const char *what)
{
	char msg[sizeof json->err->msg];

	snprintf(msg, sizeof msg, "%s expected", what);
	return fail(json, off_of(json), msg);
}

static bool next_window(struct json *json)
{
	struct err why = {0};
	size_t len;
	const void *window;

	if (json->failed || !json->file)
		return false;
	window = file_some(json->file, json->end_off, &len, &why);
	if (why.code) {
		*json->err = why;
		json->failed = true;
	}
	if (!window)
		return false;
	json->at = window;
	json->end = json->at + len;
	json->end_off += len;
	return true;
}

static inline int peek(struct json *json)
{
	return json->at < json->end || next_window(json) ? *json->at : END;
}

static int next(struct json *json)
{
	int c;

	while ((c = peek(json)) == ' ' || c == '\n' || c == '\r' || c == '\t')
		json->at++;
	json->value_off = off_of(json);
	return c;
}

/* Texts. */

static bool read_hex4(struct json *json, uint32_t *code)
{
	*code = 0;
	for (int i = 0; i < 4; i++) {
		int c = peek(json);
		const char *digits = "0123456789abcdef", *digit = NULL;

		if (c > 0)
			digit = strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
		if (!digit)
			return expected(json, "four hexadecimal digits");
		*code = *code * 16 + (uint32_t)(digit - digits);
		json->at++;
	}
	return true;
}

static bool take(struct json *json, char c)
{
	if (peek(json) != c)
		return false;
	json->at++;
	return true;
}

/* Behind "\u". */
static bool read_unicode(struct json *json, struct str *out)
{
	uint64_t off = off_of(json);
	uint32_t code, low;

	if (!read_hex4(json, &code))
		return false;
	if (code >= 0xdc80 && code <= 0xdcff) {
		str_putc(out, (char)(code & 0xff));
		return true;
	}
	if (code >= 0xd800 && code <= 0xdfff) {
		if (code >= 0xdc00 || !take(json, '\\') || !take(json, 'u'))
			return fail(json, off, "half of a surrogate pair");
		if (!read_hex4(json, &low))
			return false;
		if (low < 0xdc00 || low > 0xdfff)
			return fail(json, off, "half of a surrogate pair");
		code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
	}
	utf8_put(out, code);
	return true;
}

/* At the backslash. */
static bool read_escape(struct json *json, struct str *out)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter;
	int c;

	json->at++;
	c = peek(json);
	if (c == 'u') {
		json->at++;
		return read_unicode(json, out);
	}
	letter = c > 0 ? strchr(letters, c) : NULL;
	if (!letter)
		return expected(json, "one of \"\\/bfnrtu");
	str_putc(out, bytes[letter - letters]);
	json->at++;
	return true;
}

#define EACH_BYTE(b) (UINT64_C(0x0101010101010101) * (b))

/* Eight bytes at once: may one of them need a second look? Of bytes from 0x80 on it is not told. */
static bool may_be_special(const unsigned char *at)
{
	uint64_t word, quote, backslash;

	memcpy(&word, at, sizeof word);
	quote = word ^ EACH_BYTE('"');
	backslash = word ^ EACH_BYTE('\\');
	return ((word | (word - EACH_BYTE(0x20)) | (quote - EACH_BYTE(1))
	         | (backslash - EACH_BYTE(1))) & EACH_BYTE(0x80)) != 0;
}

/* What needs no second look, up to the end of the window. */
static void read_run(struct json *json, struct str *out)
{
	const unsigned char *begin = json->at;

	while (json->end - json->at >= 8 && !may_be_special(json->at))
		json->at += 8;
	while (json->at < json->end && *json->at >= 0x20 && *json->at != '"' && *json->at != '\\')
		json->at++;
	str_put(out, (const char *)begin, (size_t)(json->at - begin));
}

static bool read_text(struct json *json, struct str *out)
{
	str_reset(out);
	if (next(json) != '"')
		return expected(json, "a text in double quotes");
	json->at++;
	for (;;) {
		int c = peek(json);

		if (c == '"')
			break;
		if (c < 0x20)
			return expected(json, c == END ? "the end of a text"
			                               : "an escape for a control character");
		if (out->len > JSON_MAX_TEXT)
			return json_refuse(json, "a text of more than %u bytes", JSON_MAX_TEXT);
		if (c != '\\')
			read_run(json, out);
		else if (!read_escape(json, out))
			return false;
	}
	json->at++;
	return true;
}

bool json_string(struct json *json)
{
	return read_text(json, &json->text);
}

/* Numbers and words. */

/* May it be part of a number or a word? */
static bool is_plain(int c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '+' || c == '.' ||
	       c == 'E';
}

/* Collects what looks like one into json->text. */
static bool read_plain(struct json *json)
{
	str_reset(&json->text);
	while (is_plain(peek(json))) {
		const unsigned char *begin = json->at;

		while (json->at < json->end && is_plain(*json->at))
			json->at++;
		str_put(&json->text, (const char *)begin, (size_t)(json->at - begin));
		if (json->text.len > JSON_MAX_TEXT)
			return json_refuse(json, "a value of more than %u bytes", JSON_MAX_TEXT);
	}
	return true;
}

static const char *behind_digits(const char *c)
{
	while (is_digit(*c))
		c++;
	return c;
}

/* *whole: it has neither fraction nor exponent. */
static bool is_number(const char *c, bool *whole)
{
	c += *c == '-';
	if (!is_digit(*c))
		return false;
	c = *c == '0' ? c + 1 : behind_digits(c);
	*whole = !*c;
	if (*c == '.') {
		if (!is_digit(*++c))
			return false;
		c = behind_digits(c);
	}
	if (*c == 'e' || *c == 'E') {
		c++;
		c += *c == '+' || *c == '-';
		if (!is_digit(*c))
			return false;
		c = behind_digits(c);
	}
	return !*c;
}

static bool read_number(struct json *json, bool *whole)
{
	return read_plain(json) &&
	       (is_number(str_text(&json->text), whole) || json_refuse(json, "a number expected"));
}

/* What most are: up to 18 digits, and all of them in the window. */
static bool take_digits(struct json *json, int64_t *value)
{
	const unsigned char *at = json->at, *begin = at;
	int64_t n = 0;

	while (at < json->end && is_digit(*at) && at - begin < DIGITS_SURE)
		n = n * 10 + (*at++ - '0');
	if (at == begin || at == json->end || is_plain(*at) || (*begin == '0' && at > begin + 1))
		return false;
	json->at = at;
	*value = n;
	return true;
}

bool json_whole(struct json *json, int64_t *value)
{
	const char *c;
	bool whole, negative;
	int64_t n = 0;

	next(json);
	if (take_digits(json, value))
		return true;
	if (!read_number(json, &whole))
		return false;
	if (!whole)
		return json_refuse(json, "a whole number expected");
	c = str_text(&json->text);
	negative = *c == '-';
	for (c += negative; *c; c++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_sub_overflow(n, *c - '0', &n))
			return json_refuse(json, "a number of at most 64 bits expected");
	if (!negative && __builtin_sub_overflow(0, n, &n))
		return json_refuse(json, "a number of at most 64 bits expected");
	*value = n;
	return true;
}

static bool read_word(struct json *json, const char *word)
{
	return read_plain(json) &&
	       (!strcmp(str_text(&json->text), word) || json_refuse(json, "%s expected", word));
}

bool json_null(struct json *json)
{
	return next(json) == 'n' && read_word(json, "null");
}

bool json_true(struct json *json)
{
	return next(json) == 't' && read_word(json, "true");
}

bool json_false(struct json *json)
{
	return next(json) == 'f' && read_word(json, "false");
}

/* Objects and arrays. */

static bool enter(struct json *json, char bracket)
{
	if (next(json) != bracket)
		return expected(json, bracket == '{' ? "an object" : "a list");
	if (json->depth == JSON_MAX_DEPTH)
		return json_refuse(json, "nested more than %d deep", JSON_MAX_DEPTH);
	json->at++;
	json->level[json->depth].object = bracket == '{';
	json->level[json->depth++].begun = false;
	return true;
}

bool json_object(struct json *json)
{
	return enter(json, '{');
}

bool json_array(struct json *json)
{
	return enter(json, '[');
}

bool json_more(struct json *json)
{
	bool object = json->level[json->depth - 1].object;
	bool begun = json->level[json->depth - 1].begun;
	uint64_t key_off;
	int c = next(json);

	if (c == (object ? '}' : ']')) {
		json->at++;
		json->depth--;
		return false;
	}
	if (begun && !take(json, ','))
		return expected(json, object ? "',' or '}'" : "',' or ']'");
	json->level[json->depth - 1].begun = true;
	if (!object) {
		next(json);
		return !json->failed;
	}
	if (!read_text(json, &json->key))
		return false;
	key_off = json->value_off;
	if (next(json) != ':')
		return expected(json, "':'");
	json->at++;
	json->value_off = key_off;
	return true;
}

/* A value without what is in it. */
static bool skip_head(struct json *json)
{
	bool whole;

	switch (next(json)) {
	case '{': return json_object(json);
	case '[': return json_array(json);
	case '"': return json_string(json);
	case 't': return read_word(json, "true");
	case 'f': return read_word(json, "false");
	case 'n': return read_word(json, "null");
	case '-':
	case '0': case '1': case '2': case '3': case '4':
	case '5': case '6': case '7': case '8': case '9': return read_number(json, &whole);
	default:
		return expected(json, "a value");
	}
}

bool json_skip(struct json *json)
{
	int outside = json->depth;

	do {
		if (json->depth > outside && !json_more(json))
			continue;
		if (!skip_head(json))
			return false;
	} while (json->depth > outside && !json->failed);
	return !json->failed;
}

bool json_end(struct json *json)
{
	return (next(json) == END && !json->failed) || expected(json, "the end of the file");
}
