/* Slices of an array whose elements are their own numbers, against numpy. */
#include <string.h>

#include "cmds/array/slice.h"
#include "tests/suite.h"

static const struct { const char *word, *tensor, *slice; } words[] = {
	{ "m:0", "m:0", NULL }, { "m:0[1, :]", "m:0", "[1, :]" }, { "m[]", "m", "[]" },
	{ "m:0[0][1]", "m:0[0][1]", NULL },
	{ "m:0[0, :]x", "m:0[0, :]x", NULL }, { "m:0]", "m:0]", NULL }, { "", "", NULL },
};

START_TEST(slice_is_cut_off)
{
	struct arena mem = {0};
	const char *tensor, *slice;

	slice_cut(words[_i].word, &mem, &tensor, &slice);
	ck_assert_str_eq(tensor, words[_i].tensor);
	ck_assert_pstr_eq(slice, words[_i].slice);
	arena_release(&mem);
}
END_TEST

static const struct shape shape_2x3 = { 2, { 2, 3 } };
static const struct shape shape_4 = { 1, { 4 } };
static const struct shape scalar = { 0, { 0 } };
static const struct shape empty = { 2, { 0, 3 } };
static int64_t elems[6] = { 0, 1, 2, 3, 4, 5 };

/* is: dimensions, then the elements. */
static const struct { const struct shape *shape; const char *slice, *is; bool scalar; } good[] = {
	{ &shape_2x3, "[1, :]", "3: 3 4 5", false },
	{ &shape_2x3, "[:, 1]", "2: 1 4", false },
	{ &shape_2x3, "[1]", "3: 3 4 5", false },
	{ &shape_2x3, "[0:1]", "1 3: 0 1 2", false },
	{ &shape_2x3, "[ 1 ,2 ]", ": 5", true },
	{ &shape_2x3, "[:, ::2]", "2 2: 0 2 3 5", false },
	{ &shape_2x3, "[5:, :]", "0 3:", false },
	{ &shape_2x3, "[::99999999999999999999]", "1 3: 0 1 2", false },
	{ &shape_4, "[1:3]", "2: 1 2", false },
	{ &shape_4, "[3:1]", "0:", false },
	{ &shape_4, "[1::2]", "2: 1 3", false },
	{ &shape_4, "[: 99 :3]", "2: 0 3", false },
	{ &empty, "[:, 1]", "0:", false },
};

static void describe(struct view *view, struct str *out)
{
	for (uint32_t i = 0; i < view->shape.rank; i++)
		str_fmt(out, "%s%lld", i ? " " : "", (long long)view->shape.dim[i]);
	str_putc(out, ':');
	for (uint64_t i = 0; i < view->count; i++) {
		int64_t x;

		ck_assert(view_read(view, i, 1, &x, NULL));
		str_fmt(out, " %lld", (long long)x);
	}
}

static struct value *open_value(const struct shape *shape, struct view *view)
{
	uint64_t count = 0;
	struct value *value;

	ck_assert(shape_count(shape, &count));
	value = value_of_memory(DTYPE_INT64, shape, elems, count * sizeof *elems);
	ck_assert_ptr_nonnull(value);
	view_all(view, value);
	return value;
}

START_TEST(slice_selects)
{
	struct view view;
	struct value *value = open_value(good[_i].shape, &view);
	struct str is = {0};
	struct err err = {0};
	bool is_scalar;

	ck_assert_msg(slice_apply(good[_i].slice, &view, &is_scalar, &err), "%s", err.msg);
	describe(&view, &is);
	ck_assert_str_eq(str_text(&is), good[_i].is);
	ck_assert_int_eq(is_scalar, good[_i].scalar);
	str_release(&is);
	value_close(value);
}
END_TEST

static const char invalid[] = "Invalid tensor-slicing string.";
static const struct {
	const struct shape *shape;
	const char *slice;
	enum err_code code;
	const char *msg;
} bad[] = {
	{ &shape_2x3, "[]", ERR_VALUE, invalid },
	{ &shape_2x3, "", ERR_VALUE, invalid },
	{ &shape_2x3, "[-1]", ERR_VALUE, invalid },
	{ &shape_2x3, "[...]", ERR_VALUE, invalid },
	{ &shape_2x3, "[a]", ERR_VALUE, invalid },
	{ &shape_2x3, "[1", ERR_VALUE, invalid },
	{ &shape_2x3, "[1:2:3:4]", ERR_VALUE, invalid },
	{ &shape_2x3, "[1,]", ERR_VALUE, "invalid literal for int() with base 10: ''" },
	{ &shape_2x3, "[ ]", ERR_VALUE, "invalid literal for int() with base 10: ''" },
	{ &shape_2x3, "[1 2]", ERR_VALUE, "invalid literal for int() with base 10: '1 2'" },
	{ &shape_2x3, "[1,2,3]", ERR_INDEX,
	  "too many indices for array: array is 2-dimensional, but 3 were indexed" },
	{ &scalar, "[0]", ERR_INDEX,
	  "too many indices for array: array is 0-dimensional, but 1 were indexed" },
	{ &shape_2x3, "[5]", ERR_INDEX, "index 5 is out of bounds for axis 0 with size 2" },
	{ &shape_2x3, "[0, 3]", ERR_INDEX, "index 3 is out of bounds for axis 1 with size 3" },
	{ &empty, "[0]", ERR_INDEX, "index 0 is out of bounds for axis 0 with size 0" },
	{ &shape_2x3, "[::0]", ERR_VALUE, "slice step cannot be zero" },
	{ &shape_2x3, "[9, ::0]", ERR_INDEX, "index 9 is out of bounds for axis 0 with size 2" },
};

START_TEST(bad_slice_is_refused)
{
	struct view view, before;
	struct value *value = open_value(bad[_i].shape, &view);
	struct err err = {0};
	bool is_scalar;

	before = view;
	ck_assert(!slice_apply(bad[_i].slice, &view, &is_scalar, &err));
	ck_assert_int_eq(err.code, bad[_i].code);
	ck_assert_str_eq(err.msg, bad[_i].msg);
	ck_assert_mem_eq(&view, &before, sizeof view);
	value_close(value);
}
END_TEST

/* Each axis of a 4x3 array: first and step, "-" before a dropped one. */
static const struct { const char *slice, *is; } axes[] = {
	{ NULL, "0+1 0+1 " }, { "[1, :]", "-1+1 0+1 " }, { "[1]", "-1+1 0+1 " },
	{ "[:, 2]", "0+1 -2+1 " }, { "[1::2, 1:]", "1+2 1+1 " }, { "[9:, :]", "4+1 0+1 " },
	{ "[3, 2]", "-3+1 -2+1 " },
};

START_TEST(axes_are_told)
{
	static const struct shape shape = { 2, { 4, 3 } };
	struct slice_axis axis[2];
	struct str is = {0};

	slice_axes(axes[_i].slice, &shape, axis);
	for (int i = 0; i < 2; i++)
		str_fmt(&is, "%s%lld+%lld ", axis[i].dropped ? "-" : "", (long long)axis[i].first,
		        (long long)axis[i].step);
	ck_assert_str_eq(is.text, axes[_i].is);
	str_release(&is);
}
END_TEST

SUITE_MAIN("slice",
	tcase_add_loop_test(t, axes_are_told, 0, ROWS(axes));
	tcase_add_loop_test(t, slice_is_cut_off, 0, ROWS(words));
	tcase_add_loop_test(t, slice_selects, 0, ROWS(good));
	tcase_add_loop_test(t, bad_slice_is_refused, 0, ROWS(bad));
)
