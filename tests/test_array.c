/*
 * Array text is held against testdata/arrays.jsonl, what numpy 1.21.6 printed; the whole recording
 * is used when it lies beside the checkout. Notes and bold elements are from recorded answers.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/lang/number.h"
#include "dump/base/mem.h"
#include "dump/model/stats.h"
#include "tests/message.h"
#include "tests/suite.h"

#define SELECTION "testdata/arrays.jsonl"
#define RECORDING "../shared/corpus/v1/arrays.jsonl"

/* Recorded cases. */

struct sample {
	bool all;
	int width;
	const struct dtype_info *type;
	struct shape shape;
	unsigned char *elems;
	size_t bytes;
	struct str text, mean, std, scalars;    /* scalars: a line each */
};

/* What follows "key": in a line of JSON; NULL: not there. */
static const char *json_value(const char *json, const char *key)
{
	char wanted[32];
	const char *at;

	snprintf(wanted, sizeof wanted, "\"%s\": ", key);
	at = strstr(json, wanted);
	return at ? at + strlen(wanted) : NULL;
}

/* A string at its opening quote; returns what follows it. */
static const char *json_string(const char *at, struct str *out)
{
	str_puts(out, "");
	for (at++; *at != '"'; at++) {
		if (*at != '\\')
			str_putc(out, *at);
		else if (*++at == 'n')
			str_putc(out, '\n');
		else
			str_putc(out, *at);
	}
	return at + 1;
}

static const struct dtype_info *type_named(const char *name)
{
	for (enum dtype one = 1; one <= DTYPE_FLOAT8_E8M0FNU; one++) {
		const struct dtype_info *type = dtype_info(one);

		if (type && !strcmp(type->name, name))
			return type;
	}
	ck_abort_msg("no type %s", name);
	return NULL;
}

static void sample_read(const char *json, struct sample *s)
{
	struct str text = { 0 };
	const char *at;
	char pair[3] = { 0 };

	*s = (struct sample){ .all = *json_value(json, "all") == 't' };
	s->width = (int)strtol(json_value(json, "width"), NULL, 10);
	json_string(json_value(json, "dtype"), &text);
	s->type = type_named(text.text);
	str_reset(&text);
	json_string(json_value(json, "hex"), &text);
	s->bytes = text.len / 2;
	s->elems = mem_alloc(s->bytes + 1);
	for (size_t i = 0; i < s->bytes; i++) {
		memcpy(pair, text.text + 2 * i, 2);
		s->elems[i] = (unsigned char)strtoul(pair, NULL, 16);
	}
	for (at = json_value(json, "shape") + 1; *at != ']'; at += strspn(at, ", "))
		s->shape.dim[s->shape.rank++] = strtoll(at, (char **)&at, 10);
	json_string(json_value(json, "text"), &s->text);
	for (at = json_value(json, "scalars") + 1; *at != ']'; at += strspn(at, ", ")) {
		at = json_string(at, &s->scalars);
		str_putc(&s->scalars, '\n');
	}
	if (json_value(json, "mean")) {
		json_string(json_value(json, "mean"), &s->mean);
		json_string(json_value(json, "std"), &s->std);
	}
	str_release(&text);
}

static void sample_release(struct sample *s)
{
	free(s->elems);
	str_release(&s->text);
	str_release(&s->mean);
	str_release(&s->std);
	str_release(&s->scalars);
}

/* Calls check for every line of the recording; there must be many. */
static void each_sample(void (*check)(struct sample *sample))
{
	FILE *in = fopen(RECORDING, "r");
	char *json = NULL;
	size_t room = 0, n = 0;
	struct sample sample;

	if (!in)
		in = fopen(SELECTION, "r");
	ck_assert_ptr_nonnull(in);
	while (getline(&json, &room, in) > 0) {
		sample_read(json, &sample);
		check(&sample);
		sample_release(&sample);
		n++;
	}
	ck_assert_uint_gt(n, 100);
	free(json);
	fclose(in);
}

/* Bodies. */

static struct body *body_of(struct value *value, const struct view *view,
                            const struct array_style *style)
{
	struct err err = { 0 };
	struct body *body = array_body(value, view, style, NULL, &err);

	ck_assert_msg(body, "%s", err.msg);
	return body;
}

static void put_row(struct body *body, uint64_t row, struct line *line)
{
	struct err err = { 0 };

	ck_assert_msg(body->kind->line(body, row, 0, line, &err), "%s", err.msg);
}

static void put_body(struct body *body, struct str *out)
{
	struct line line = { 0 };

	str_reset(out);
	for (uint64_t row = 0; row < body->kind->rows(body); row++) {
		put_row(body, row, &line);
		if (row)
			str_putc(out, '\n');
		str_put(out, line.text.text, line.text.len);
	}
	line_release(&line);
}

static struct body *body_of_memory(enum dtype dtype, const struct shape *shape, const void *elems,
                                   size_t bytes, const struct array_style *style)
{
	struct value *value = value_of_memory(dtype, shape, elems, bytes);
	struct view view;

	view_all(&view, value);
	return body_of(value, &view, style);
}

static void check_text(struct sample *s)
{
	struct array_style style = { .width = s->width, .all = s->all };
	struct body *body = body_of_memory(s->type->dtype, &s->shape, s->elems, s->bytes, &style);
	struct str text = { 0 };

	put_body(body, &text);
	ck_assert_str_eq(text.text, s->text.text);
	str_release(&text);
	body->kind->free(body);
}

START_TEST(text_as_recorded)
{
	each_sample(check_text);
}
END_TEST

static void check_scalars(struct sample *s)
{
	size_t n = s->bytes / s->type->elem_bytes, lines = 0;
	struct str text = { 0 };

	for (size_t i = 0; i < s->scalars.len; i++)
		lines += s->scalars.text[i] == '\n';
	for (size_t i = 0; i < lines && i < n; i++) {
		put_scalar(&text, s->type, s->elems + i * s->type->elem_bytes);
		str_putc(&text, '\n');
	}
	ck_assert_str_eq(str_text(&text), str_text(&s->scalars));
	str_release(&text);
}

START_TEST(scalars_as_recorded)
{
	each_sample(check_scalars);
}
END_TEST

static void check_moments(struct sample *s)
{
	struct value *value = value_of_memory(s->type->dtype, &s->shape, s->elems, s->bytes);
	struct str mean = { 0 }, std = { 0 };
	struct stats stats;
	struct view view;
	int bits;

	view_all(&view, value);
	if (s->mean.len) {
		ck_assert(stats_of(&view, &stats, NULL, NULL));
		bits = (int)dtype_info(stats.mean_type)->elem_bytes * 8;
		put_float(&mean, stats.mean, bits);
		put_float(&std, stats.std, bits);
		ck_assert_str_eq(mean.text, s->mean.text);
		ck_assert_str_eq(std.text, s->std.text);
	}
	str_release(&mean);
	str_release(&std);
	value_close(value);
}

START_TEST(moments_as_recorded)
{
	each_sample(check_moments);
}
END_TEST

/* Notes and bold elements, as lines "ROW note INDEX" and "ROW bold BEGIN END". */

static bool in_range(const void *ctx, const struct dtype_info *type, const void *elem)
{
	const double *range = ctx;
	double x, none;

	if (type->kind == KIND_FLOAT)
		float_parts(type, elem, &x, &none);
	else if (type->kind == KIND_SMALL_FLOAT)
		x = small_float_value(type->dtype, elem);
	else
		x = (double)int_value(type->dtype, elem);
	return x >= range[0] && x <= range[1];
}

static void put_notes(struct body *body, struct str *out)
{
	struct line line = { 0 };

	for (uint64_t row = 0; row < body->kind->rows(body); row++) {
		put_row(body, row, &line);
		for (size_t i = 0; i < line.segs.len; i++) {
			ck_assert_int_eq(line.segs.at[i].role, ROLE_STRONG);
			str_fmt(out, "%d bold %u %u\n", (int)row, line.segs.at[i].begin,
			        line.segs.at[i].end);
		}
		if (!line.note)
			continue;
		str_fmt(out, "%d %s", (int)row, line.note == NOTE_INDEX ? "i0" : "omitted");
		for (uint32_t k = 0; k < line.rank; k++)
			str_fmt(out, "%c%d", k ? ',' : ' ', (int)line.index[k]);
		str_putc(out, '\n');
	}
	line_release(&line);
}

static void check_notes(enum dtype dtype, const struct shape *shape, const void *elems,
                        size_t bytes, double low, double high, const char *text, const char *notes)
{
	double range[2] = { low, high };
	struct array_style style = { .marked = in_range, .ctx = range };
	struct body *body = body_of_memory(dtype, shape, elems, bytes, &style);
	struct str out = { 0 };

	put_body(body, &out);
	ck_assert_str_eq(out.text, text);
	str_reset(&out);
	put_notes(body, &out);
	ck_assert_str_eq(out.text, notes);
	str_release(&out);
	body->kind->free(body);
}

START_TEST(notes_of_a_summary)
{
	static int64_t elems[300][8];
	struct shape shape = { 2, { 300, 8 } };

	for (int i = 0; i < 2400; i++)
		elems[i / 8][i % 8] = i % 120;
	check_notes(DTYPE_INT64, &shape, elems, sizeof elems, 100, 1e300,
	            "array([[  0,   1,   2, ...,   5,   6,   7],\n"
	            "       [  8,   9,  10, ...,  13,  14,  15],\n"
	            "       [ 16,  17,  18, ...,  21,  22,  23],\n"
	            "       ...,\n"
	            "       [ 96,  97,  98, ..., 101, 102, 103],\n"
	            "       [104, 105, 106, ..., 109, 110, 111],\n"
	            "       [112, 113, 114, ..., 117, 118, 119]])",
	            "0 i0 0,0\n1 i0 1,0\n2 i0 2,0\n3 omitted 3,0\n4 i0 297,0\n5 bold 8 11\n"
	            "5 bold 13 16\n5 bold 18 21\n"
	            "5 i0 298,0\n6 bold 8 11\n6 bold 13 16\n6 bold 18 21\n6 i0 299,0\n");
}
END_TEST

START_TEST(notes_of_floats)
{
	static const float elems[] = {
		-1, -0.6666667f, -0.33333334f, 0, 0.33333334f, 0.6666667f,
		1, 1.3333334f, 1.6666666f, 2, 2.3333333f, 2.6666667f,
	};
	struct shape shape = { 2, { 3, 4 } };

	check_notes(DTYPE_FLOAT32, &shape, elems, sizeof elems, 0, 1,
	            "array([[-1.        , -0.6666667 , -0.33333334,  0.        ],\n"
	            "       [ 0.33333334,  0.6666667 ,  1.        ,  1.3333334 ],\n"
	            "       [ 1.6666666 ,  2.        ,  2.3333333 ,  2.6666667 ]],\n"
	            "      dtype=float32)",
	            "0 bold 48 50\n0 i0 0,0\n1 bold 9 19\n1 bold 22 31\n1 bold 35 37\n1 i0 1,0\n"
	            "2 i0 2,0\n3 i0 2,0\n");
}
END_TEST

START_TEST(notes_of_small_floats)
{
	static const uint16_t elems[] = {
		0, 0x3f80, 0xc020, 0x3eab, 0x60ad, 0x7fc0, 0x7f80, 0x4049, 0x3f80, 0x4049,
		0x3eab, 0x3eab, 0x3eab,
	};
	struct shape shape = { 1, { 13 } };

	check_notes(DTYPE_BFLOAT16, &shape, elems, sizeof elems, 3, 10,
	            "array([0, 1, -2.5, 0.333984, 9.97277e+19, nan, inf, 3.14062, 1, 3.14062,\n"
	            "       0.333984, 0.333984, 0.333984], dtype=bfloat16)",
	            "0 bold 52 59\n0 bold 64 71\n0 i0 0\n1 i0 10\n");
}
END_TEST

START_TEST(notes_of_quantised)
{
	static const int32_t elems[] = { INT32_MIN, -1073741824, 0, 536870912, INT32_MIN };
	struct shape shape = { 1, { 5 } };

	check_notes(DTYPE_QINT32, &shape, elems, sizeof elems, 0, 0,
	            "array([(-2147483648,), (-1073741824,), (          0,), (  536870912,),\n"
	            "       (-2147483648,)], dtype=[('qint32', '<i4')])",
	            "0 i0 0\n1 i0 8\n");
}
END_TEST

START_TEST(notes_of_dots_in_a_line_of_their_own)
{
	static double elems[3000];
	struct shape shape = { 1, { 3000 } };
	struct array_style style = { .width = 20 };
	struct str out = { 0 };
	struct body *body;

	for (int i = 0; i < 3000; i++)
		elems[i] = 1.0 / (i + 1);
	body = body_of_memory(DTYPE_FLOAT64, &shape, elems, sizeof elems, &style);
	put_notes(body, &out);
	ck_assert_str_eq(out.text,
	                 "0 i0 0\n1 i0 1\n2 i0 2\n3 omitted 3\n4 i0 2997\n5 i0 2998\n6 i0 2999\n");
	str_release(&out);
	body->kind->free(body);
}
END_TEST

/* Small shapes that have every kind of line. */
static const struct { struct shape shape; const char *text; } shapes[] = {
	{ { 0 }, "array(0, dtype=int16)" },
	{ { 1, { 0 } }, "array([], dtype=int16)" },
	{ { 2, { 0, 3 } }, "array([], shape=(0, 3), dtype=int16)" },
	{ { 3, { 1, 1, 1 } }, "array([[[0]]], dtype=int16)" },
	{ { 4, { 2, 1, 2, 1 } },
	  "array([[[[0],\n         [1]]],\n\n\n       [[[2],\n         [3]]]], dtype=int16)" },
	{ { 3, { 2, 1001, 1 } },
	  "array([[[   0],\n        [   1],\n        [   2],\n        ...,\n"
	  "        [ 998],\n        [ 999],\n"
	  "        [1000]],\n\n       [[1001],\n        [1002],\n        [1003],\n        ...,\n"
	  "        [1999],\n"
	  "        [2000],\n        [2001]]], dtype=int16)" },
	{ { 3, { 1001, 1, 2 } },
	  "array([[[   0,    1]],\n\n       [[   2,    3]],\n\n       [[   4,    5]],\n\n"
	  "       ...,\n\n"
	  "       [[1996, 1997]],\n\n       [[1998, 1999]],\n\n"
	  "       [[2000, 2001]]], dtype=int16)" },
};

START_TEST(shapes_have_numpys_lines)
{
	int16_t elems[3000];
	struct array_style style = { 0 };
	struct str out = { 0 };
	struct body *body;

	for (int i = 0; i < 3000; i++)
		elems[i] = (int16_t)i;
	body = body_of_memory(DTYPE_INT16, &shapes[_i].shape, elems, sizeof elems, &style);
	put_body(body, &out);
	ck_assert_str_eq(out.text, shapes[_i].text);
	str_release(&out);
	body->kind->free(body);
}
END_TEST

/* Strings, in a tensor of a file. */

static struct value *strings_value(const struct shape *shape, const char *const *texts, size_t n)
{
	struct str proto = {0};
	struct value *value;
	struct err err = {0};

	put_tensor_head(&proto, DTYPE_STRING, shape->rank, shape->dim);
	for (size_t i = 0; i < n; i++)
		put_bytes(&proto, 8, texts[i], strlen(texts[i]));
	value = value_open_proto(file_of(proto.text, proto.len), 0, proto.len, false, &err);
	ck_assert_msg(value, "%s", err.msg);
	str_release(&proto);
	return value;
}

START_TEST(strings_are_bytes_literals)
{
	static const char *const texts[] = {
		"plain", "", "it's", "say \"hi\"", "both ' and \"", "line\nbreak\ttab\r",
		"\xff\xfe[raw", "h\xc3\xa9llo", "back\\slash",
	};
	struct shape shape = { 1, { 9 } };
	struct value *value = strings_value(&shape, texts, 9);
	struct array_style style = { 0 };
	struct str out = { 0 };
	struct body *body;
	struct view view;

	view_all(&view, value);
	body = body_of(value, &view, &style);
	put_body(body, &out);
	ck_assert_str_eq(out.text,
	                 "array([b'plain', b'', b\"it's\", b'say \"hi\"', b'both \\' and \"',\n"
	                 "       b'line\\nbreak\\ttab\\r', b'\\xff\\xfe[raw', b'h\\xc3\\xa9llo',\n"
	                 "       b'back\\\\slash'], dtype=object)");
	str_reset(&out);
	put_notes(body, &out);
	ck_assert_str_eq(out.text, "0 i0 0\n1 i0 5\n2 i0 8\n");
	str_release(&out);
	body->kind->free(body);
}
END_TEST

/* Lines asked for in any order, and the rows of elements. */

static const struct { enum dtype dtype; struct shape shape; int width; bool all; } layouts[] = {
	{ DTYPE_INT16, { 1, { 3000 } }, 75, true },
	{ DTYPE_INT16, { 1, { 3000 } }, 20, false },
	{ DTYPE_INT16, { 3, { 10, 20, 15 } }, 40, true },
	{ DTYPE_INT16, { 3, { 10, 20, 15 } }, 40, false },
	{ DTYPE_INT16, { 4, { 3, 10, 9, 11 } }, 30, false },
	{ DTYPE_BFLOAT16, { 1, { 3000 } }, 20, true },
	{ DTYPE_BFLOAT16, { 1, { 3000 } }, 75, false },
	{ DTYPE_BFLOAT16, { 3, { 10, 20, 15 } }, 40, true },
	{ DTYPE_BFLOAT16, { 4, { 3, 10, 9, 11 } }, 30, false },
	{ DTYPE_BFLOAT16, { 3, { 1500, 1, 2 } }, 30, true },
};

static struct body *layout_body(int i)
{
	static int16_t elems[3000];
	struct array_style style = { .width = layouts[i].width, .all = layouts[i].all };

	for (int k = 0; k < 3000; k++)
		elems[k] = (int16_t)(layouts[i].dtype == DTYPE_INT16 ? k : 0x3f80 + 7 * (k % 111));
	return body_of_memory(layouts[i].dtype, &layouts[i].shape, elems, sizeof elems, &style);
}

START_TEST(lines_in_any_order)
{
	struct body *body = layout_body(_i);
	uint64_t n = body->kind->rows(body), start = 0;
	struct line line = { 0 };
	struct str all = { 0 };
	uint64_t *begin = mem_alloc((n + 1) * sizeof *begin);

	put_body(body, &all);
	for (size_t i = 0, row = 0; i <= all.len; i++) {
		if (i < all.len && all.text[i] != '\n')
			continue;
		begin[row++] = start;
		start = i + 1;
		begin[row] = start;
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t row = (i * 7919 + 13) % n;

		put_row(body, row, &line);
		ck_assert_uint_eq(line.text.len, begin[row + 1] - begin[row] - 1);
		ck_assert(!line.text.len ||
		          !memcmp(line.text.text, all.text + begin[row], line.text.len));
	}
	free(begin);
	str_release(&all);
	line_release(&line);
	body->kind->free(body);
}
END_TEST

/* Compares the first k indices; notes of rows that hold dots count those as one element. */
static int compare_index(const int64_t *a, const int64_t *b, uint32_t k)
{
	for (uint32_t i = 0; i < k; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

START_TEST(finds_the_row_of_an_element)
{
	struct body *body = layout_body(_i);
	const struct shape *shape = &layouts[_i].shape;
	uint32_t rank = shape->rank;
	int64_t index[NOTE_MAX_RANK];
	struct line line = { 0 };
	uint64_t found;

	for (int64_t i = 0; i < 3000; i += 7) {
		int64_t rest = i % (layouts[_i].shape.rank == 4 ? 2970 : 3000);

		for (uint32_t k = rank; k-- > 0; rest /= shape->dim[k])
			index[k] = rest % shape->dim[k];
		ck_assert(body->kind->find(body, index, rank, &found));
		put_row(body, found, &line);
		ck_assert_int_ne(line.note, NOTE_NONE);
		if (line.note == NOTE_OMITTED || !layouts[_i].all) {
			ck_assert_int_le(compare_index(line.index, index, rank - 1), 0);
			continue;
		}
		ck_assert_int_eq(compare_index(line.index, index, rank - 1), 0);
		ck_assert_int_le(line.index[rank - 1], index[rank - 1]);
		if (found + 1 >= body->kind->rows(body))
			continue;
		put_row(body, found + 1, &line);
		if (line.note == NOTE_INDEX && !strchr(line.text.text, '=') &&
		    !compare_index(line.index, index, rank - 1))
			ck_assert_int_gt(line.index[rank - 1], index[rank - 1]);
	}
	index[0] = shape->dim[0];
	ck_assert(!body->kind->find(body, index, rank, &found));
	ck_assert(!body->kind->find(body, index, rank + 1, &found));
	line_release(&line);
	body->kind->free(body);
}
END_TEST

START_TEST(finds_dots_of_an_axis)
{
	struct body *body = layout_body(3);     /* cut on every axis, rows of two lines */
	static const struct { int64_t index[3]; uint64_t row; } cases[] = {
		{ { 0, 0, 14 }, 1 },  { { 0, 0, 7 }, 0 },  { { 0, 5, 0 }, 6 },
		{ { 2, 19, 0 }, 39 }, { { 5, 0, 0 }, 42 }, { { 7, 0, 0 }, 44 },
	};
	uint64_t found;

	for (size_t i = 0; i < ROWS(cases); i++) {
		ck_assert(body->kind->find(body, cases[i].index, 3, &found));
		ck_assert_uint_eq(found, cases[i].row);
	}
	body->kind->free(body);
}
END_TEST

START_TEST(slices_show_what_they_select)
{
	static const int16_t elems[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
	struct shape shape = { 2, { 3, 4 } };
	struct value *value = value_of_memory(DTYPE_INT16, &shape, elems, sizeof elems);
	struct array_style style = { 0 };
	struct str out = { 0 };
	struct body *body;
	struct view view;

	view_all(&view, value);
	view.start = 1;
	view.shape.dim[0] = 2;
	view.shape.dim[1] = 2;
	view.stride[0] = 8;
	view.stride[1] = 2;
	view.count = 4;
	body = body_of(value, &view, &style);
	put_body(body, &out);
	ck_assert_str_eq(out.text, "array([[ 1,  3],\n       [ 9, 11]], dtype=int16)");
	str_release(&out);
	body->kind->free(body);
}
END_TEST

START_TEST(a_cancelled_layout_gives_nothing)
{
	static const double elems[] = { 1, 2 };
	struct shape shape = { 1, { 2 } };
	struct value *value = value_of_memory(DTYPE_FLOAT64, &shape, elems, sizeof elems);
	struct array_style style = { 0 };
	struct progress progress = { .cancel = true };
	struct err err = { 0 };
	struct view view;

	view_all(&view, value);
	ck_assert_ptr_null(array_body(value, &view, &style, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST


SUITE_MAIN("array",
	tcase_add_test(t, text_as_recorded);
	tcase_add_test(t, scalars_as_recorded);
	tcase_add_test(t, moments_as_recorded);
	tcase_add_test(t, notes_of_a_summary);
	tcase_add_test(t, notes_of_floats);
	tcase_add_test(t, notes_of_small_floats);
	tcase_add_test(t, notes_of_quantised);
	tcase_add_test(t, notes_of_dots_in_a_line_of_their_own);
	tcase_add_loop_test(t, shapes_have_numpys_lines, 0, ROWS(shapes));
	tcase_add_test(t, strings_are_bytes_literals);
	tcase_add_loop_test(t, lines_in_any_order, 0, ROWS(layouts));
	tcase_add_loop_test(t, finds_the_row_of_an_element, 0, ROWS(layouts));
	tcase_add_test(t, finds_dots_of_an_axis);
	tcase_add_test(t, slices_show_what_they_select);
	tcase_add_test(t, a_cancelled_layout_gives_nothing);
)
