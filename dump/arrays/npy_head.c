/*
 * The head of a .npy file: a version and the text of a Python dict, of which only literals are
 * read; nothing is evaluated.
 * Source: numpy/lib/format.py (NEP 1).
 */
#include "dump/arrays/npy_head.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"

#define MAGIC "\x93NUMPY"

enum { HEADER_MAX = 64 * 1024, DESCR_MAX = 32, MAGIC_LEN = 6, VERSION_END = 8 };

/* What the dict says. */
struct dict {
	char descr[DESCR_MAX];
	bool by_column;          /* the first index is the fastest */
	struct shape shape;
};

/* The dict's text. */
struct text {
	const char *at, *end;
	const char *why;         /* it is none; NULL: no such thing yet */
};

static bool is_not(struct text *text, const char *why)
{
	if (!text->why)
		text->why = why;
	return false;
}

static char peek(struct text *text)
{
	while (text->at < text->end && memchr(" \t\n", *text->at, 3))
		text->at++;
	return text->at < text->end ? *text->at : '\0';
}

static bool take(struct text *text, char c)
{
	if (peek(text) != c)
		return false;
	text->at++;
	return true;
}

static bool take_word(struct text *text, const char *word)
{
	size_t len = strlen(word);

	peek(text);
	if ((size_t)(text->end - text->at) < len || memcmp(text->at, word, len) != 0)
		return false;
	text->at += len;
	return true;
}

/* Its value in a text of digits of a base; -1: it is none. */
static int digit_of(const struct text *text, int base)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = text->at < text->end && *text->at
	                    ? memchr(digits, tolower((unsigned char)*text->at), (size_t)base)
	                    : NULL;

	return found ? (int)(found - digits) : -1;
}

static unsigned read_code(struct text *text, int base, int most)
{
	unsigned code = 0;

	for (int digit; most-- && (digit = digit_of(text, base)) >= 0; text->at++)
		code = code * (unsigned)base + (unsigned)digit;
	return code;
}

/* What is behind a backslash, as far as a name or type may be written so; the sign itself else. */
static char read_escape(struct text *text)
{
	static const char hex[] = "xuU", n_digits[] = { 2, 4, 8 };
	const char *kind;
	unsigned code;

	if (text->at == text->end)
		return '\\';
	if (digit_of(text, 8) >= 0) {
		code = read_code(text, 8, 3);
	} else if ((kind = memchr(hex, *text->at, sizeof hex - 1))) {
		text->at++;
		code = read_code(text, 16, n_digits[kind - hex]);
	} else if (strchr("\\'\"", *text->at)) {
		return *text->at++;
	} else {
		return '\\';
	}
	return code && code < 0x80 ? (char)code : '?';   /* no name or type has others */
}

/* 'TEXT' or "TEXT", shorter than DESCR_MAX; r before it: a backslash is one. */
static bool read_string(struct text *text, char *out)
{
	bool raw = take(text, 'r') || take(text, 'R');
	bool marked = raw || take(text, 'u') || take(text, 'U');
	char quote = !marked ? peek(text) : text->at < text->end ? *text->at : '\0';
	size_t len = 0;

	if (quote != '\'' && quote != '"')
		return is_not(text, "a text was expected");
	for (text->at++; text->at < text->end && *text->at != quote; ) {
		char c = *text->at++;

		if (len + 1 == DESCR_MAX)
			return is_not(text, "a text without an end");
		out[len++] = c == '\\' && !raw ? read_escape(text) : c;
	}
	out[len] = '\0';
	return take(text, quote) || is_not(text, "a text without an end");
}

/* What is too large for 64 bits is as large as they can be: no shape has it. */
static bool read_number(struct text *text, int64_t *out)
{
	bool negative = take(text, '-');
	const char *first = text->at;

	*out = 0;
	for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++)
		if (__builtin_mul_overflow(*out, 10, out)
		    || __builtin_add_overflow(*out, *text->at - '0', out))
			*out = INT64_MAX / 10;
	if (text->at == first)
		return is_not(text, "a number was expected in the shape");
	*out = negative ? -*out : *out;
	take(text, 'L');
	return true;
}

static bool read_shape(struct text *text, struct shape *shape)
{
	bool comma = true;

	*shape = (struct shape){0};
	if (!take(text, '('))
		return is_not(text, "a shape was expected");
	while (peek(text) != ')') {
		if (!comma)
			return is_not(text, "a comma was expected in the shape");
		if (shape->rank == SHAPE_MAX_RANK)
			return is_not(text, "more than 32 dimensions");
		if (!read_number(text, &shape->dim[shape->rank++]))
			return false;
		comma = take(text, ',');
	}
	return take(text, ')') &&
	       (shape->rank != 1 || comma || is_not(text, "the shape is no tuple"));
}

static bool read_flag(struct text *text, bool *out)
{
	*out = take_word(text, "True");
	return *out || take_word(text, "False") || is_not(text, "True or False was expected");
}

/* An element type that is not one text is the list of those of a structure. */
static bool read_descr(struct text *text, char *descr)
{
	if (peek(text) == '[')
		return is_not(text, "");
	return read_string(text, descr);
}

/* False, with text->why: "" says that the elements are structures. */
static bool read_dict(struct text *text, struct dict *out)
{
	static const char *const keys[] = { "descr", "fortran_order", "shape" };
	unsigned seen = 0;

	if (!take(text, '{'))
		return is_not(text, "a dict was expected");
	while (!take(text, '}')) {
		char key[DESCR_MAX];
		unsigned i = 0;
		bool ok;

		if (!read_string(text, key))
			return false;
		while (i < 3 && strcmp(keys[i], key) != 0)
			i++;
		if (i == 3 || (seen & 1u << i) || !take(text, ':'))
			return is_not(text, "descr, fortran_order and shape were expected");
		seen |= 1u << i;
		ok = i == 0   ? read_descr(text, out->descr)
		     : i == 1 ? read_flag(text, &out->by_column)
		              : read_shape(text, &out->shape);
		if (!ok || (!take(text, ',') && peek(text) != '}'))
			return is_not(text, "a comma was expected");
	}
	return (seen == 7 || is_not(text, "descr, fortran_order and shape were expected"))
	       && ((!peek(text) && text->at == text->end) || is_not(text, "more than a dict"));
}

/* The type's letter and bytes behind its byte order. */
static enum dtype dtype_of(const char *code)
{
	static const struct { const char *code; enum dtype dtype; } codes[] = {
		{ "b1", DTYPE_BOOL },
		{ "i1", DTYPE_INT8 }, { "i2", DTYPE_INT16 },
		{ "i4", DTYPE_INT32 }, { "i8", DTYPE_INT64 },
		{ "u1", DTYPE_UINT8 }, { "u2", DTYPE_UINT16 },
		{ "u4", DTYPE_UINT32 }, { "u8", DTYPE_UINT64 },
		{ "f2", DTYPE_FLOAT16 }, { "f4", DTYPE_FLOAT32 }, { "f8", DTYPE_FLOAT64 },
		{ "c8", DTYPE_COMPLEX64 }, { "c16", DTYPE_COMPLEX128 },
		/* the letters of numpy's char codes, with the sizes that they have on Linux */
		{ "?", DTYPE_BOOL }, { "b", DTYPE_INT8 }, { "B", DTYPE_UINT8 },
		{ "h", DTYPE_INT16 }, { "H", DTYPE_UINT16 }, { "i", DTYPE_INT32 },
		{ "I", DTYPE_UINT32 }, { "l", DTYPE_INT64 }, { "L", DTYPE_UINT64 },
		{ "q", DTYPE_INT64 }, { "Q", DTYPE_UINT64 }, { "e", DTYPE_FLOAT16 },
		{ "f", DTYPE_FLOAT32 }, { "d", DTYPE_FLOAT64 }, { "F", DTYPE_COMPLEX64 },
		{ "D", DTYPE_COMPLEX128 },
	};

	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (!strcmp(codes[i].code, code))
			return codes[i].dtype;
	return DTYPE_INVALID;
}

/* "5" of "S5". False: it is no number that a text may be long. */
static bool length_of(const char *digits, uint32_t *out)
{
	uint64_t number = 0;

	for (const char *at = digits; *at; at++) {
		if (*at < '0' || *at > '9')
			return false;
		number = number * 10 + (uint64_t)(*at - '0');
		if (number > INT32_MAX / 4)
			return false;
	}
	*out = (uint32_t)number;
	return *digits;
}

/* What numpy makes of types that it doesn't know: bytes that only the user can name. */
static bool raw_type(const char *path, uint32_t size, struct npy_head *head, struct err *err)
{
	const struct dtype_info *as = dtype_info(array_raw_type);

	if (as && as->elem_bytes == size) {
		head->dtype = array_raw_type;
		return true;
	}
	return array_refuse(err, path, 0, "raw %u-byte elements; say --as %s.", (unsigned)size,
	                    size == 1 ? "float8_e4m3fn" : "bfloat16");
}

static bool find_type(const char *path, const char *descr, struct npy_head *head, struct err *err)
{
	/* Without an order of bytes it is that of most machines, as with "=". */
	const char *code = descr + (*descr && strchr("<>=|", *descr));
	uint32_t length = 0;

	head->big_endian = *descr == '>';
	head->dtype = dtype_of(code);
	if (head->dtype)
		return true;
	if (*code == 'O')
		return err_at(err, ERR_UNSUPPORTED, path, 0,
		              "holds Python objects (pickle); not read.");
	if (*code == 'V' && length_of(code + 1, &length) && (length == 1 || length == 2))
		return raw_type(path, length, head, err);
	if ((*code == 'U' || *code == 'S') && length_of(code + 1, &length)) {
		head->dtype = DTYPE_STRING;
		head->text = *code == 'S'       ? CODED_BYTES
		             : head->big_endian ? CODED_UCS4_BIG
		                                : CODED_UCS4;
		head->text_bytes = *code == 'S' ? length : 4 * length;
		return true;
	}
	if (*code && strchr("mMfcVgG", *code))
		return err_at(err, ERR_UNSUPPORTED, path, 0,
		              "elements of the type \"%s\" are not read.", descr);
	return array_refuse(err, path, 0, "not a .npy file (\"%s\" is no type of elements)",
	                    descr);
}

static bool is_none(const char *path, uint64_t off, const char *why, struct err *err)
{
	return array_refuse(err, path, off, "not a .npy file (%s)", why);
}

/* Where the dict is: behind the magic, the version and its own length of two bytes or four. */
static bool find_dict(struct input *input, uint64_t *off, uint64_t *len, struct err *err)
{
	unsigned char head[VERSION_END + 4];
	unsigned width;

	if (input->size < VERSION_END + 2)
		return is_none(input->path, input->size, "it ends within its head", err);
	if (!input_read(input, 0, VERSION_END + 2, head, err))
		return false;
	if (memcmp(head, MAGIC, MAGIC_LEN) != 0)
		return is_none(input->path, 0, "no sign of one", err);
	if (head[MAGIC_LEN] < 1 || head[MAGIC_LEN] > 3)
		return array_refuse(err, input->path, MAGIC_LEN,
		                    "not a .npy file (version %d is not known)",
		                    head[MAGIC_LEN]);
	width = head[MAGIC_LEN] == 1 ? 2 : 4;
	*off = VERSION_END + width;
	if (input->size < *off)
		return is_none(input->path, input->size, "it ends within its head", err);
	if (width == 4 && !input_read(input, VERSION_END + 2, 2, head + VERSION_END + 2, err))
		return false;
	*len = little_endian(head + VERSION_END, width);
	if (*len > HEADER_MAX)
		return array_refuse(err, input->path, VERSION_END,
		                    "not a .npy file (a head of %" PRIu64 " bytes)", *len);
	return *len <= input->size - *off
	       || is_none(input->path, input->size, "it ends within its head", err);
}

static bool read_text(struct input *input, uint64_t off, const char *at, uint64_t len,
                      struct dict *dict, struct err *err)
{
	struct text text = { .at = at, .end = at + len };

	if (read_dict(&text, dict))
		return true;
	if (!*text.why)
		return err_at(err, ERR_UNSUPPORTED, input->path, 0,
		              "structured arrays are not supported.");
	off += (uint64_t)(text.at - at);
	return array_refuse(err, input->path, off, "not a .npy file (offset %" PRIu64 ": %s)", off,
	                    text.why);
}

static bool check_size(struct input *input, const struct npy_head *head, struct err *err)
{
	uint64_t left = input->size - head->data;

	return left >= head->bytes
	       || array_refuse(err, input->path, head->data,
	                       "%" PRIu64 " of %" PRIu64 " bytes of data are there.", left,
	                       head->bytes);
}

bool npy_head_read(struct input *input, struct npy_head *head, struct err *err)
{
	struct dict dict = {0};
	uint64_t off = 0, len = 0;
	char *bytes;
	bool ok;

	*head = (struct npy_head){0};
	if (!find_dict(input, &off, &len, err))
		return false;
	bytes = mem_alloc((size_t)len + 1);
	ok = input_read(input, off, (size_t)len, bytes, err)
	     && read_text(input, off, bytes, len, &dict, err);
	free(bytes);
	if (!ok || !find_type(input->path, dict.descr, head, err))
		return false;
	head->data = off + len;
	head->by_column = dict.by_column;
	head->shape = dict.shape;
	if (!array_bytes(&dict.shape, head->text_bytes || head->dtype == DTYPE_STRING
	                              ? head->text_bytes : dtype_info(head->dtype)->elem_bytes,
	                 &head->bytes))
		return array_refuse(err, input->path, off, "impossible shape.");
	return check_size(input, head, err);
}

/* Steps along the axes, the first index fastest. */
static const int64_t *strides_by_column(const struct shape *shape, struct arena *mem)
{
	int64_t *stride = arena_alloc(mem, shape->rank * sizeof *stride);
	int64_t step = 1;

	for (uint32_t i = 0; i < shape->rank; i++) {
		stride[i] = step;
		step *= shape->dim[i] > 0 ? shape->dim[i] : 1;
	}
	return stride;
}

/* Does the order of the indices matter? */
static bool has_order(const struct shape *shape)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < shape->rank; i++) {
		if (shape->dim[i] == 0)
			return false;
		n += shape->dim[i] > 1;
	}
	return n > 1;
}

void npy_head_put(const struct npy_head *head, struct array *array, struct arena *mem)
{
	int64_t *dim = arena_alloc(mem, head->shape.rank * sizeof *dim);

	memcpy(dim, head->shape.dim, head->shape.rank * sizeof *dim);
	array->rank = head->shape.rank;
	array->dim = dim;
	array->dtype = head->dtype;
	array->size_bytes = head->bytes;
	array->skip = head->data;
	array->big_endian = head->big_endian;
	array->text = head->text;
	array->text_bytes = head->text_bytes;
	if (head->by_column && has_order(&head->shape))
		array->stride = strides_by_column(&head->shape, mem);
}
