/*
 * Text in through windows, binary out through a buffer. A message is written before its length is
 * known: the length takes five bytes (a varint may be longer than it needs), and they are put right
 * when the message ends, in the buffer or, if they have gone out, in the file. So nothing grows
 * with the message; what is nested counts against a limit.
 */
#include "dump/format/pbtxt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/format/dtype.h"
#include "dump/format/file.h"
#include "dump/format/pbtxt_schema.h"
#include "dump/format/wire.h"

enum { DEPTH_MAX = 64, WORD_MAX = 256, LENGTH_BYTES = 5, BUFFER = 1 << 20, STEP_BYTES = 1 << 20 };

struct text {
	struct file file;
	uint64_t off;            /* of the next character */
	const unsigned char *at;
	size_t left;             /* characters at `at` */
	uint64_t line;           /* from 1 */
	uint64_t told;           /* off at the last look at progress */
	struct progress *progress;
	int out;
	struct str buf;
	uint64_t gone;           /* bytes of the output that left the buffer */
	struct str word;         /* the word or string read last */
	int depth;
	struct err err;
};

static bool wrong(struct text *t, const char *expected)
{
	if (!t->err.code)
		err_fill(&t->err, ERR_FORMAT, t->file.path, t->off, "line %" PRIu64 ": %s", t->line,
		         expected);
	return false;
}

/* Characters. */

/* The next character; -1 at the end or after an error. */
static int peek(struct text *t)
{
	if (t->left)
		return *t->at;
	if (t->err.code || t->off >= t->file.size)
		return -1;
	if (t->off - t->told >= STEP_BYTES) {
		t->told = t->off;
		if (!progress_step(t->progress, t->off, t->file.size)) {
			err_fill(&t->err, ERR_CANCELLED, t->file.path, t->off, "stopped");
			return -1;
		}
	}
	t->at = file_some(&t->file, t->off, &t->left, &t->err);
	if (!t->at)
		t->left = 0;
	return t->left ? *t->at : -1;
}

static int take(struct text *t)
{
	int c = peek(t);

	if (c < 0)
		return c;
	t->line += c == '\n';
	t->at++;
	t->left--;
	t->off++;
	return c;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_word(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '+' || c == '-' || c == '/';
}

/* Past blanks and comments, to the next character. */
static int next(struct text *t)
{
	for (;;) {
		int c = peek(t);

		if (c == '#')
			while ((c = peek(t)) >= 0 && c != '\n')
				take(t);
		else if (!is_blank(c))
			return c;
		else
			take(t);
	}
}

static bool take_if(struct text *t, int c)
{
	if (next(t) != c)
		return false;
	take(t);
	return true;
}

/* A word of at most WORD_MAX characters into t->word. */
static bool read_word(struct text *t, const char *expected)
{
	str_reset(&t->word);
	if (!is_word(next(t)))
		return wrong(t, expected);
	while (is_word(peek(t))) {
		if (t->word.len >= WORD_MAX)
			return wrong(t, "a shorter word expected");
		str_putc(&t->word, (char)take(t));
	}
	return !t->err.code;
}

static int digit_of(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Up to `most` digits of a base. */
static uint32_t read_digits(struct text *t, int base, int most, int *n)
{
	uint32_t value = 0;

	for (*n = 0; *n < most && digit_of(peek(t)) < base; ++*n)
		value = value * (uint32_t)base + (uint32_t)digit_of(take(t));
	return value;
}

static void put_utf8(struct str *out, uint32_t c)
{
	if (c < 0x80) {
		str_putc(out, (char)c);
	} else if (c < 0x800) {
		str_putc(out, (char)(0xc0 | c >> 6));
	} else {
		if (c < 0x10000) {
			str_putc(out, (char)(0xe0 | c >> 12));
		} else {
			str_putc(out, (char)(0xf0 | (c >> 18 & 7)));
			str_putc(out, (char)(0x80 | (c >> 12 & 0x3f)));
		}
		str_putc(out, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	if (c >= 0x80)
		str_putc(out, (char)(0x80 | (c & 0x3f)));
}

static bool read_escape(struct text *t)
{
	static const char letters[] = "abfnrtv", codes[] = "\a\b\f\n\r\t\v";
	int n = 1, c = peek(t);
	uint32_t value;
	const char *letter;

	if (c >= '0' && c <= '7') {
		str_putc(&t->word, (char)read_digits(t, 8, 3, &n));
		return true;
	}
	take(t);
	if (c == 'x' || c == 'X') {
		str_putc(&t->word, (char)read_digits(t, 16, 2, &n));
	} else if (c == 'u' || c == 'U') {
		value = read_digits(t, 16, c == 'u' ? 4 : 8, &n);
		if (value > 0x10ffff)
			return wrong(t, "a character up to 10ffff expected");
		put_utf8(&t->word, value);
	} else {
		letter = c > 0 ? strchr(letters, c) : NULL;
		if (!letter && (c < 0 || !strchr("\\'\"?", c)))
			return wrong(t, "an escape expected");
		str_putc(&t->word, letter ? codes[letter - letters] : (char)c);
	}
	return n > 0 || wrong(t, "a digit expected");
}

/* A string, or several side by side, into t->word. */
static bool read_string(struct text *t)
{
	int quote;

	str_reset(&t->word);
	while ((quote = next(t)) == '"' || quote == '\'') {
		int c;

		take(t);
		while ((c = peek(t)) != quote) {
			if (c < 0 || c == '\n')
				return wrong(t, "the end of a string expected");
			if (t->word.len >= INT32_MAX)
				return wrong(t, "a shorter string expected");
			take(t);
			if (c != '\\')
				str_putc(&t->word, (char)c);
			else if (!read_escape(t))
				return false;
		}
		take(t);
	}
	return !t->err.code;
}

/* Output. */

static bool flush(struct text *t)
{
	size_t done = 0;

	while (done < t->buf.len) {
		ssize_t n = write(t->out, t->buf.text + done, t->buf.len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_at(&t->err, ERR_IO, t->file.path, t->off,
			              "its binary form can't be written: %s", strerror(errno));
		done += (size_t)n;
	}
	t->gone += t->buf.len;
	str_reset(&t->buf);
	return true;
}

static void put_varint(struct text *t, uint64_t value)
{
	while (value >= 0x80) {
		str_putc(&t->buf, (char)(value | 0x80));
		value >>= 7;
	}
	str_putc(&t->buf, (char)value);
}

static void put_key(struct text *t, uint32_t number, enum wire_type type)
{
	put_varint(t, (uint64_t)number << 3 | type);
}

static void put_fixed(struct text *t, const void *value, size_t size)
{
	/* little-endian machines only, as everything that reads floats here */
	str_put(&t->buf, value, size);
}

/* Where the length of the message that begins now will stand. */
static uint64_t begin_message(struct text *t, uint32_t number)
{
	uint64_t at;

	put_key(t, number, WIRE_BYTES);
	at = t->gone + t->buf.len;
	str_fill(&t->buf, '\0', LENGTH_BYTES);
	return at;
}

static bool end_message(struct text *t, uint64_t at)
{
	uint64_t len = t->gone + t->buf.len - at - LENGTH_BYTES;
	unsigned char bytes[LENGTH_BYTES];

	if (len >> (7 * LENGTH_BYTES))
		return wrong(t, "a smaller message expected");
	for (int i = 0; i < LENGTH_BYTES; i++)
		bytes[i] = (unsigned char)((len >> (7 * i) & 0x7f) |
		                           (i < LENGTH_BYTES - 1 ? 0x80 : 0));
	if (at >= t->gone)
		memcpy(t->buf.text + (at - t->gone), bytes, LENGTH_BYTES);
	else if (pwrite(t->out, bytes, LENGTH_BYTES, (off_t)at) != LENGTH_BYTES)
		return err_at(&t->err, ERR_IO, t->file.path, t->off,
		              "its binary form can't be written: %s", strerror(errno));
	return t->buf.len < BUFFER || flush(t);
}

/* Values. */

static bool put_number(struct text *t, uint32_t number, bool negative, uint64_t value)
{
	put_key(t, number, WIRE_VARINT);
	put_varint(t, negative ? -value : value);
	return true;
}

static bool put_int(struct text *t, uint32_t number)
{
	const char *word = t->word.text;
	bool negative = *word == '-';
	uint64_t value;
	char *end;

	word += negative;
	errno = 0;
	value = strtoull(word, &end, 0);
	if (*word < '0' || *word > '9' || *end || errno)
		return wrong(t, "a whole number expected");
	return put_number(t, number, negative, value);
}

static bool put_bool(struct text *t, uint32_t number)
{
	static const char *const yes[] = { "true", "True", "t", "1" };
	static const char *const no[] = { "false", "False", "f", "0" };

	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		if (!strcmp(t->word.text, yes[i]) || !strcmp(t->word.text, no[i]))
			return put_number(t, number, false, !strcmp(t->word.text, yes[i]));
	return wrong(t, "true or false expected");
}

/* DT_FLOAT, DT_INT32_REF, or its number. */
static bool put_dtype(struct text *t, uint32_t number)
{
	static const struct { const char *name; enum dtype dtype; } own[] = {
		{ "FLOAT", DTYPE_FLOAT32 }, { "DOUBLE", DTYPE_FLOAT64 }, { "HALF", DTYPE_FLOAT16 },
		{ "INVALID", DTYPE_INVALID },
#define X(id, wire, name, prints, kind, bytes, field) { #id, DTYPE_##id },
		DTYPES(X)
#undef X
	};
	const char *word = t->word.text;
	size_t len = t->word.len, ref = len > 4 && !strcmp(word + len - 4, "_REF") ? 4 : 0;

	if (strncmp(word, "DT_", 3))
		return put_int(t, number);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strlen(own[i].name) == len - 3 - ref &&
		    !memcmp(own[i].name, word + 3, len - 3 - ref))
			return put_number(t, number, false, own[i].dtype + (ref ? 100u : 0));
	return put_number(t, number, false, 0);          /* a newer type */
}

static bool put_real(struct text *t, const struct pb_field *field)
{
	size_t len = t->word.len;
	char *end;
	double value = strtod(t->word.text, &end);
	float narrow;

	if (end == t->word.text || (*end && !((*end == 'f' || *end == 'F') &&
	                                      end == t->word.text + len - 1)))
		return wrong(t, "a number expected");
	narrow = (float)value;
	put_key(t, field->number, field->type == PB_FLOAT ? WIRE_FIXED32 : WIRE_FIXED64);
	if (field->type == PB_FLOAT)
		put_fixed(t, &narrow, sizeof narrow);
	else
		put_fixed(t, &value, sizeof value);
	return true;
}

static bool read_text_value(struct text *t, const struct pb_field *field)
{
	int c = next(t);

	if (c != '"' && c != '\'')
		return wrong(t, "a string expected");
	if (!read_string(t))
		return false;
	if (!field)
		return true;
	put_key(t, field->number, WIRE_BYTES);
	put_varint(t, t->word.len);
	str_put(&t->buf, str_text(&t->word), t->word.len);
	return t->buf.len < BUFFER || flush(t);
}

/* A scalar; field NULL: it is passed over. */
static bool read_scalar(struct text *t, const struct pb_field *field)
{
	int c = next(t);

	if (field ? field->type == PB_TEXT : c == '"' || c == '\'')
		return read_text_value(t, field);
	if (!read_word(t, "a value expected"))
		return false;
	if (!strcmp(t->word.text, "-") && is_word(next(t))) {      /* "- 5" */
		read_word(t, "a value expected");
		str_putc(&t->word, '\0');
		memmove(t->word.text + 1, t->word.text, t->word.len - 1);
		*t->word.text = '-';
	}
	if (!field || t->err.code)
		return !t->err.code;
	switch (field->type) {
	case PB_INT: return put_int(t, field->number);
	case PB_BOOL: return put_bool(t, field->number);
	case PB_DTYPE: return put_dtype(t, field->number);
	default: return put_real(t, field);
	}
}

static const struct pb_field *find_field(const struct pb_message *message, const char *name)
{
	for (size_t i = 0; message && i < message->n; i++)
		if (!strcmp(message->fields[i].name, name))
			return &message->fields[i];
	return NULL;
}

static bool read_fields(struct text *t, const struct pb_message *message, int close);

/* { ... } or < ... >; depth is limited, so this may call itself. */
static bool read_message(struct text *t, const struct pb_field *field)
{
	const struct pb_message *message = field && field->type == PB_MESSAGE ? field->message
	                                                                      : NULL;
	int close = next(t) == '<' ? '>' : '}';
	uint64_t at = 0;

	if (field && !message)
		return wrong(t, "a value expected, not a message");
	if (t->depth >= DEPTH_MAX)
		return wrong(t, "messages nested less than 64 deep expected");
	take(t);
	if (message)
		at = begin_message(t, field->number);
	t->depth++;
	if (!read_fields(t, message, close) || !take_if(t, close))
		return wrong(t, close == '>' ? "a field or > expected" : "a field or } expected");
	t->depth--;
	return !message || end_message(t, at);
}

static bool read_value(struct text *t, const struct pb_field *field)
{
	int c = next(t);

	if (c == '{' || c == '<')
		return read_message(t, field);
	if (field && field->type == PB_MESSAGE)
		return wrong(t, "a message expected");
	return read_scalar(t, field);
}

static bool read_list(struct text *t, const struct pb_field *field)
{
	take(t);
	if (take_if(t, ']'))
		return true;
	do
		if (!read_value(t, field))
			return false;
	while (take_if(t, ','));
	return take_if(t, ']') || wrong(t, ", or ] expected");
}

/* [type.of/an.extension]: its value is passed over. */
static bool read_extension_name(struct text *t)
{
	take(t);
	return read_word(t, "a name expected") && (take_if(t, ']') || wrong(t, "] expected"));
}

static bool read_field(struct text *t, const struct pb_message *message)
{
	const struct pb_field *field = NULL;
	bool colon;
	int c;

	if (next(t) == '[') {
		if (!read_extension_name(t))
			return false;
	} else {
		if (!read_word(t, "a field expected"))
			return false;
		field = find_field(message, t->word.text);
	}
	colon = take_if(t, ':');
	c = next(t);
	if (!colon && c != '{' && c != '<')
		return wrong(t, ": or { expected");
	if (c == '[' ? !read_list(t, field) : !read_value(t, field))
		return false;
	if (!take_if(t, ','))
		take_if(t, ';');
	return !t->err.code;
}

/* Up to the closing character, or the end if close is -1. */
static bool read_fields(struct text *t, const struct pb_message *message, int close)
{
	for (;;) {
		int c = next(t);

		if (t->err.code)
			return false;
		if (c == close)
			return true;
		if (c < 0)
			return wrong(t, "the file ends within a message");
		if (!read_field(t, message))
			return false;
	}
}

int pbtxt_convert(const char *path, enum pbtxt_root root, struct progress *progress,
                  struct err *err)
{
	struct text t = { .line = 1, .progress = progress };
	bool ok;

	if (!file_open(&t.file, path, err))
		return -1;
	t.out = file_nameless();
	ok = t.out >= 0 || err_at(&t.err, ERR_IO, path, 0, "no file for its binary form: %s",
	                          strerror(errno));
	ok = ok && read_fields(&t, pb_root(root), -1) && flush(&t);
	if (!ok && t.out >= 0)
		close(t.out);
	if (!ok && err)
		*err = t.err;
	str_release(&t.buf);
	str_release(&t.word);
	file_close(&t.file);
	return ok ? t.out : -1;
}
