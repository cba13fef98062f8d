/* Slices of values, and values that are only elements in a file. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/model/value.h"
#include "tests/message.h"

#define BYTES(s) s, sizeof s - 1

static struct value *open_tensor(const struct str *tensor, bool typed, struct err *err)
{
	return value_open_proto(file_of(str_text(tensor), tensor->len), 0, tensor->len, typed,
	                        err);
}

/* ---- views */

static const struct {
	const char *what;
	uint32_t rank;
	int64_t dim[3];
	uint64_t start;
	int64_t stride[3];
} views[] = {
	{ "one element", 0, { 0 }, 4321, { 0 } },
	{ "every second", 1, { 30000 }, 0, { 2 } },
	{ "backwards", 1, { 60000 }, 59999, { -1 } },
	{ "every 7th backwards", 1, { 8000 }, 59000, { -7 } },
	{ "a far column", 1, { 60 }, 3, { 1000 } },
	{ "rows", 2, { 20, 1000 }, 5000, { 1000, 1 } },
	{ "every other row", 2, { 10, 1000 }, 0, { 2000, 1 } },
	{ "a block", 2, { 30, 40 }, 5020, { 1000, 1 } },
	{ "transposed", 2, { 1000, 60 }, 0, { 1, 1000 } },
	{ "three dimensions", 3, { 5, 6, 7 }, 11, { 10000, 300, 3 } },
	{ "signs", 3, { 4, 5, 6 }, 30000, { -5000, 100, -2 } },
	{ "ones between", 3, { 1, 50, 1 }, 17, { 0, 20, 0 } },
	{ "a step of nothing", 2, { 3, 4 }, 5, { 0, 1 } },
};

static uint32_t expected_at(int row, uint64_t i)
{
	int64_t at = (int64_t)views[row].start;

	for (uint32_t d = views[row].rank; d-- > 0; i /= (uint64_t)views[row].dim[d])
		at += (int64_t)(i % (uint64_t)views[row].dim[d]) * views[row].stride[d];
	return (uint32_t)at * 3;
}

static void check_view(struct value *v, int row)
{
	struct err err = {0};
	struct view view = { .value = v, .start = views[row].start };
	uint32_t *out;

	view.shape.rank = views[row].rank;
	for (uint32_t d = 0; d < view.shape.rank; d++) {
		view.shape.dim[d] = views[row].dim[d];
		view.stride[d] = views[row].stride[d];
	}
	ck_assert(shape_count(&view.shape, &view.count));
	out = calloc(view.count, sizeof *out);
	for (uint64_t first = 0; first < view.count; first += view.count / 3 + 1) {
		size_t n = (size_t)(view.count - first);

		ck_assert_msg(view_read(&view, first, n, out, &err), "%s: %s", views[row].what,
		              err.msg);
		for (size_t i = 0; i < n; i++)
			ck_assert_msg(out[i] == expected_at(row, first + i), "%s at %zu",
			              views[row].what, i);
		ck_assert(view_read(&view, first, 1, out, &err));
		ck_assert_uint_eq(out[0], expected_at(row, first));
	}
	ck_assert(view_read(&view, view.count, 0, out, &err));
	free(out);
}

static uint32_t numbers[60000];

START_TEST(views_of_memory_and_file)
{
	struct err err = {0};
	struct shape shape = { 2, { 60, 1000 } };
	struct str tensor = {0}, content = {0};
	struct value *v;

	for (uint32_t i = 0; i < 60000; i++) {
		numbers[i] = i * 3;
		put_fixed(&content, i * 3, 4);
	}
	v = value_of_memory(DTYPE_UINT32, &shape, numbers, sizeof numbers);
	check_view(v, _i);
	value_close(v);

	put_tensor_head(&tensor, DTYPE_UINT32, 2, shape.dim);
	put_message(&tensor, 4, &content);
	v = open_tensor(&tensor, false, &err);
	check_view(v, _i);
	value_close(v);
	str_release(&tensor);
	str_release(&content);
}
END_TEST

START_TEST(view_of_all)
{
	struct err err = {0};
	struct shape shape = { 2, { 60, 1000 } }, empty = { 3, { 4, 0, INT64_MAX / 4 } };
	struct value *v = value_of_memory(DTYPE_UINT32, &shape, numbers, sizeof numbers);
	struct view view;
	uint32_t out[10];

	for (uint32_t i = 0; i < 60000; i++)
		numbers[i] = i;
	view_all(&view, v);
	ck_assert_uint_eq(view.count, 60000);
	ck_assert_int_eq(view.stride[0], 1000);
	ck_assert(view_read(&view, 59990, 10, out, &err));
	for (uint32_t i = 0; i < 10; i++)
		ck_assert_uint_eq(out[i], 59990 + i);
	value_close(v);
	v = value_of_memory(DTYPE_UINT32, &empty, NULL, 0);
	view_all(&view, v);
	ck_assert_uint_eq(view.count, 0);
	ck_assert(view_read(&view, 0, 0, out, &err));
	value_close(v);
}
END_TEST

/* ---- elements as they lie in a file */

static const struct {
	enum dtype dtype;
	bool big_endian;
	const char *bytes;
	size_t len;
	double elem[3];
} raws[] = {
	{ DTYPE_UINT8, true, BYTES("\1\2\3"), { 1, 2, 3 } },
	{ DTYPE_INT16, false, BYTES("\1\0\xff\xff\0\1"), { 1, -1, 256 } },
	{ DTYPE_INT16, true, BYTES("\0\1\xff\xff\1\0"), { 1, -1, 256 } },
	{ DTYPE_FLOAT32, false, BYTES("\0\0\x80\x3f\0\0\0\xc0\0\0\0\0"), { 1, -2, 0 } },
	{ DTYPE_FLOAT32, true, BYTES("\x3f\x80\0\0\xc0\0\0\0\0\0\0\0"), { 1, -2, 0 } },
	{ DTYPE_FLOAT64, true,
	  BYTES("\x3f\xf0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), { 1, -2, 0 } },
	{ DTYPE_BOOL, false, BYTES("\0\1\2"), { 0, 1, 1 } },
	{ DTYPE_BOOL, true, BYTES("\xff\0\x80"), { 1, 0, 1 } },
};

static double number_of(enum dtype dtype, const void *elem)
{
	double wide;
	float narrow;

	memcpy(&narrow, elem, sizeof narrow);
	if (dtype == DTYPE_FLOAT32)
		return (double)narrow;
	memcpy(&wide, elem, sizeof wide);
	return dtype == DTYPE_FLOAT64 ? wide : (double)int_value(dtype, elem);
}

START_TEST(raw_elements)
{
	const struct shape shape = { 1, { 3 } };
	struct str file = {0};
	struct err err = {0};
	uint64_t off, len;
	struct value *v;
	char elem[3][8];

	str_puts(&file, "head");
	str_put(&file, raws[_i].bytes, raws[_i].len);
	str_puts(&file, "tail");
	v = value_open_raw(file_of(file.text, file.len), 4, raws[_i].len, raws[_i].dtype,
	                   raws[_i].big_endian, &shape, &err);
	ck_assert_msg(v, "%s", err.msg);
	ck_assert_uint_eq(v->count, 3);
	for (size_t i = 3; i-- > 0; ) {
		ck_assert(value_read(v, i, 1, elem[i], &err));
		ck_assert_double_eq(number_of(raws[_i].dtype, elem[i]), raws[_i].elem[i]);
	}
	ck_assert(value_place(v, 1, &off, &len));
	ck_assert_uint_eq(off, 4 + raws[_i].len / 3);
	ck_assert_uint_eq(len, raws[_i].len / 3);
	ck_assert(!value_message(v, &off, &len));
	value_close(v);
	str_release(&file);
}
END_TEST

START_TEST(raw_complex_numbers_of_the_other_order)
{
	const struct shape shape = { 0, { 0 } };
	struct err err = {0};
	struct value *v = value_open_raw(file_of("\x3f\x80\0\0\xc0\0\0\0", 8), 0, 8,
	                                 DTYPE_COMPLEX64, true, &shape, &err);
	float elem[2];

	ck_assert(v && value_read(v, 0, 1, elem, &err));
	ck_assert_double_eq((double)elem[0], 1);
	ck_assert_double_eq((double)elem[1], -2);
	value_close(v);
}
END_TEST

/* Far more than a window holds, from anywhere in it. */
START_TEST(raw_elements_in_windows)
{
	const struct shape shape = { 2, { 60, 1000 } };
	struct str bytes = {0};
	struct err err = {0};
	struct value *v;
	uint32_t *out = calloc(60000, sizeof *out);

	for (uint32_t i = 0; i < 60000; i++)
		put_fixed(&bytes, __builtin_bswap32(i * 3), 4);
	v = value_open_raw(file_of(bytes.text, bytes.len), 0, bytes.len, DTYPE_UINT32, true, &shape,
	                   &err);
	check_view(v, _i);
	ck_assert(value_read(v, 0, 60000, out, &err));
	for (uint32_t i = 0; i < 60000; i++)
		ck_assert_uint_eq(out[i], i * 3);
	value_close(v);
	str_release(&bytes);
	free(out);
}
END_TEST

static const struct {
	uint64_t off, len;
	struct shape shape;
	const char *why;
} bad_raws[] = {
	{ 4, 24, { 2, { 2, 3 } }, "20 of 24 bytes of data are there" },
	{ 4, 21, { 2, { 2, 3 } }, "20 of 24 bytes of data are there" },
	{ 0, 8, { 2, { 2, 3 } }, "8 of 24 bytes of data are there" },
	{ 25, 24, { 2, { 2, 3 } }, "0 of 24 bytes of data are there" },
	{ UINT64_MAX, UINT64_MAX, { 1, { 1 } }, "0 of 4 bytes of data are there" },
	{ 0, UINT64_MAX, { 2, { INT64_C(1) << 32, INT64_C(1) << 32 } }, "impossible shape" },
	{ 0, UINT64_MAX, { 1, { INT64_MAX } }, "impossible shape" },
	{ 0, UINT64_MAX, { 2, { 3, -1 } }, "impossible shape" },
};

START_TEST(refuses_raw_elements)
{
	struct err err = {0};

	ck_assert_ptr_null(value_open_raw(file_of("012345678901234567890123", 24), bad_raws[_i].off,
	                                  bad_raws[_i].len, DTYPE_INT32, false,
	                                  &bad_raws[_i].shape, &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_str_eq(err.msg, bad_raws[_i].why);
}
END_TEST

static const struct {
	struct shape shape;
	bool ok;
	uint64_t count;
} shapes[] = {
	{ { 0, { 0 } }, true, 1 },
	{ { 1, { 0 } }, true, 0 },
	{ { 2, { 3, 4 } }, true, 12 },
	{ { 2, { INT64_MAX, 1 } }, true, INT64_MAX },
	{ { 2, { INT64_MAX, 2 } }, false, 0 },
	{ { 2, { (int64_t)1 << 32, (int64_t)1 << 32 } }, false, 0 },
	{ { 3, { 0, INT64_MAX, INT64_MAX } }, false, 0 },
	{ { 2, { 0, -1 } }, false, 0 },
	{ { 1, { INT64_MIN } }, false, 0 },
};

START_TEST(counts_shapes)
{
	uint64_t count = 0;

	ck_assert_int_eq(shape_count(&shapes[_i].shape, &count), shapes[_i].ok);
	ck_assert_uint_eq(count, shapes[_i].count);
}
END_TEST

SUITE_MAIN("value_view",
	tcase_add_loop_test(t, views_of_memory_and_file, 0, ROWS(views));
	tcase_add_test(t, view_of_all);
	tcase_add_loop_test(t, raw_elements, 0, ROWS(raws));
	tcase_add_test(t, raw_complex_numbers_of_the_other_order);
	tcase_add_loop_test(t, raw_elements_in_windows, 0, ROWS(views));
	tcase_add_loop_test(t, refuses_raw_elements, 0, ROWS(bad_raws));
	tcase_add_loop_test(t, counts_shapes, 0, ROWS(shapes));
)
