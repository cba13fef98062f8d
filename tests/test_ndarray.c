/*
 * Expressions over a few small arrays. What they give was recorded from numpy, also where its
 * rules for types and for the order of additions are its own.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/evaluate.h"
#include "cmds/array/promote.h"
#include "cmds/array/python_number.h"
#include "cmds/array/reduce.h"
#include "cmds/lang/number.h"
#include "tests/expressions.h"
#include "tests/suite.h"

/* The arrays: each is called by the letter that stands in backticks. */

static const float f_elems[] = { 1, -2.5f, 0.1f, NAN, INFINITY, -0.0f };
static const double d_elems[] = { 0.1, 2, -3 };
static const uint16_t h_elems[] = { 0x2e66, 0x63d0, 0xc000 };   /* 0.1, 1000, -2 */
static const int32_t i_elems[] = { -3, -2, -1, 0, 1, 2 };
static const int8_t b_elems[] = { -128, 127, 5 };
static const uint8_t u_elems[] = { 0, 200, 255 };
static const int64_t l_elems[] = { 1, -2, (int64_t)1 << 62 };
static const uint64_t w_elems[] = { 0, 1, UINT64_MAX };
static const uint8_t t_elems[] = { 1, 0, 1 };
static const float c_elems[] = { 1, 2, 0, 0, -0.0f, -3 };
static const float s_elems[] = { 0.1f };
static const int32_t k_elems[] = { 7 };
static const uint8_t q_elems[] = { 0x80, 0x3f };        /* bfloat16 1 */
static const uint16_t Q_elems[] = { 0x3f80, 0x4020, 0x4040 };   /* bfloat16 1, 2.5, 3 */
static const struct value_text x_elems[] = { { "abc", 3 }, { "", 0 }, { "b\xff", 2 } };

static const struct named_array arrays[] = {
	{ 'f', DTYPE_FLOAT32, { 2, { 2, 3 } }, f_elems },
	{ 'd', DTYPE_FLOAT64, { 1, { 3 } }, d_elems },
	{ 'h', DTYPE_FLOAT16, { 1, { 3 } }, h_elems },
	{ 'i', DTYPE_INT32, { 2, { 2, 3 } }, i_elems },
	{ 'b', DTYPE_INT8, { 1, { 3 } }, b_elems },
	{ 'u', DTYPE_UINT8, { 1, { 3 } }, u_elems },
	{ 'l', DTYPE_INT64, { 1, { 3 } }, l_elems },
	{ 'w', DTYPE_UINT64, { 1, { 3 } }, w_elems },
	{ 't', DTYPE_BOOL, { 1, { 3 } }, t_elems },
	{ 'c', DTYPE_COMPLEX64, { 1, { 3 } }, c_elems },
	{ 's', DTYPE_FLOAT32, { 0, { 0 } }, s_elems },
	{ 'k', DTYPE_INT32, { 0, { 0 } }, k_elems },
	{ 'e', DTYPE_FLOAT32, { 2, { 0, 3 } }, NULL },
	{ 'q', DTYPE_BFLOAT16, { 0, { 0 } }, q_elems },
	{ 'Q', DTYPE_BFLOAT16, { 1, { 3 } }, Q_elems },
	{ 'x', DTYPE_STRING, { 1, { 3 } }, x_elems },
};

static struct ndarray *compute(const char *text, struct workspace *ws)
{
	static struct arena texts;       /* of strings; each test is a process of its own */
	struct named_arrays named = { arrays, ROWS(arrays), text };

	ws->texts = &texts;
	return expression_value(ws, &named);
}

/* "array float32 (2, 3): 1.0 2.0 ...", "scalar int64: 3", "int: 3", "tuple: 2 3" */
static void put_result(struct workspace *ws, struct str *out, const struct ndarray *a)
{
	unsigned char *elems = calloc((size_t)a->count + 1, a->type->elem_bytes);

	ck_assert(ndarray_copy_out(ws, a, elems));
	if (a->origin == ORIGIN_ARRAY || a->origin == ORIGIN_SCALAR)
		str_fmt(out, "%s %s", a->origin == ORIGIN_ARRAY ? "array" : "scalar",
		        a->type->name);
	else
		str_puts(out, python_type_of(a).name);
	if (a->origin == ORIGIN_ARRAY) {
		str_puts(out, " ");
		put_shape(out, &a->shape);
	}
	str_puts(out, ":");
	for (uint64_t i = 0; i < a->count; i++) {
		str_puts(out, " ");
		put_scalar(out, a->type, elems + i * a->type->elem_bytes);
	}
	free(elems);
}

static const struct { const char *text, *result; } good[] = {
	{ "`f` + 1", "array float32 (2, 3): 2.0 -1.5 1.1 nan inf 1.0" },
	{ "`f` * `i`", "array float64 (2, 3): -3.0 5.0 -0.10000000149011612 nan inf -0.0" },
	{ "`i` * 1.5", "array float64 (2, 3): -4.5 -3.0 -1.5 0.0 1.5 3.0" },
	{ "`i` + `d`", "array float64 (2, 3): -2.9 0.0 -4.0 0.1 3.0 -1.0" },
	{ "`b` + 1", "array int8 (3,): -127 -128 6" },
	{ "`b` * 100", "array int8 (3,): 0 -100 -12" },
	{ "`b` + 200", "array int16 (3,): 72 327 205" },
	{ "`b` + `u`", "array int16 (3,): -128 327 260" },
	{ "`u` - 1", "array uint8 (3,): 255 199 254" },
	{ "`u` + (-1)", "array int16 (3,): -1 199 254" },
	{ "`l` + `w`", "array float64 (3,): 1.0 -1.0 2.305843009213694e+19" },
	{ "`h` + `b`", "array float16 (3,): -127.9 1127.0 3.0" },
	{ "`h` + `i`[0]", "array float64 (3,): -2.9000244140625 998.0 -3.0" },
	{ "`h` + 0.1", "array float16 (3,): 0.2 1000.0 -1.9" },
	{ "`h` + 70000", "array float64 (3,): 70000.09997558594 71000.0 69998.0" },
	{ "`f`[0] + 1e300", "array float64 (3,): 1e+300 1e+300 1e+300" },
	{ "`t` + 1", "array int64 (3,): 2 1 2" },
	{ "`t` + `t`", "array bool (3,): True False True" },
	{ "`t` * 1.5", "array float64 (3,): 1.5 0.0 1.5" },
	{ "`s` * 2", "scalar float64: 0.20000000298023224" },
	{ "`s` + `h`", "array float16 (3,): 0.2 1000.0 -1.9" },
	{ "`s` ** 2", "scalar float32: 0.010000001" },
	{ "`s` ** 3", "scalar float64: 0.0010000000447034842" },
	{ "`f` ** 2", "array float32 (2, 3): 1.0 6.25 0.010000001 nan inf 0.0" },
	{ "`i` ** 2", "array int32 (2, 3): 9 4 1 0 1 4" },
	{ "`i` ** 2.0", "array float64 (2, 3): 9.0 4.0 1.0 0.0 1.0 4.0" },
	{ "`t` ** 2", "array int8 (3,): 1 0 1" },
	{ "2 ** `u`", "array uint8 (3,): 1 0 0" },
	{ "`d` ** -1", "array float64 (3,): 10.0 0.5 -0.3333333333333333" },
	{ "`d` ** 0.5", "array float64 (3,): 0.31622776601683794 1.4142135623730951 nan" },
	{ "`f` ** 0", "array float32 (2, 3): 1.0 1.0 1.0 1.0 1.0 1.0" },
	{ "`c` * 2", "array complex64 (3,): (2+4j) 0j -6j" },
	{ "`c` * `c`", "array complex64 (3,): (-3+4j) 0j (-9+0j)" },
	{ "`c` / (`c` + 1)", "array complex64 (3,): (0.75+0.25j) 0j (0.90000004-0.3j)" },
	{ "np.abs(`c`)", "array float32 (3,): 2.236068 0.0 3.0" },
	{ "`c` == `c`", "array bool (3,): True True True" },
	{ "`i` / 2", "array float64 (2, 3): -1.5 -1.0 -0.5 0.0 0.5 1.0" },
	{ "`i` // 2", "array int32 (2, 3): -2 -1 -1 0 0 1" },
	{ "`i` % 2", "array int32 (2, 3): 1 0 1 0 1 0" },
	{ "`i` // 0", "array int32 (2, 3): 0 0 0 0 0 0" },
	{ "`i` % 0", "array int32 (2, 3): 0 0 0 0 0 0" },
	{ "`f` // 0.3", "array float32 (2, 3): 3.0 -9.0 0.0 nan nan -0.0" },
	{ "`f` % -0.3",
	  "array float32 (2, 3): -0.20000005 -0.099999905 -0.20000002 nan nan -0.0" },
	{ "`d` // 0", "array float64 (3,): inf inf -inf" },
	{ "-`i`", "array int32 (2, 3): 3 2 1 0 -1 -2" },
	{ "-`u`", "array uint8 (3,): 0 56 1" },
	{ "~`i`", "array int32 (2, 3): 2 1 0 -1 -2 -3" },
	{ "~`t`", "array bool (3,): False True False" },
	{ "~`u`", "array uint8 (3,): 255 55 0" },
	{ "`i` & 6", "array int32 (2, 3): 4 6 6 0 0 2" },
	{ "`i` ^ `i`[::-1]", "array int32 (2, 3): -3 -1 -3 -3 -1 -3" },
	{ "`t` | False", "array bool (3,): True False True" },
	{ "`i` < 0.5", "array bool (2, 3): True True True True False False" },
	{ "`f` >= `f`.T[0, 0]", "array bool (2, 3): True False False False True False" },
	{ "`f` != `f`", "array bool (2, 3): False False False True False False" },
	{ "np.sqrt(`u`)", "array float16 (3,): 0.0 14.14 15.97" },
	{ "np.sqrt(`l`)", "array float64 (3,): 1.0 nan 2147483648.0" },
	{ "np.sqrt(`t`)", "array float16 (3,): 1.0 0.0 1.0" },
	{ "np.sign(`f`)", "array float32 (2, 3): 1.0 -1.0 1.0 nan 1.0 0.0" },
	{ "np.square(`b`)", "array int8 (3,): 0 1 25" },
	{ "np.isnan(`f`)", "array bool (2, 3): False False False True False False" },
	{ "np.isinf(`i`)", "array bool (2, 3): False False False False False False" },
	{ "np.isfinite(`f`)", "array bool (2, 3): True True True False False True" },
	{ "np.maximum(`f`, 0.5)", "array float32 (2, 3): 1.0 0.5 0.5 nan inf 0.5" },
	{ "np.minimum(`d`, `h`)", "array float64 (3,): 0.0999755859375 2.0 -3.0" },
	{ "np.where(`f` > 0, `f`, 0)", "array float32 (2, 3): 1.0 0.0 0.1 0.0 inf 0.0" },
	{ "np.where(`t`, `i`, `d`)", "array float64 (2, 3): -3.0 2.0 -1.0 0.0 2.0 2.0" },
	{ "np.where(`s`, 1, 2)", "array int64 (): 1" },
	{ "`f`.T", "array float32 (3, 2): 1.0 nan -2.5 inf 0.1 -0.0" },
	{ "`f`.shape", "tuple: 2 3" },
	{ "`f`.T.shape[0]", "int: 3" },
	{ "`f`.size", "int: 6" },
	{ "`f`.ndim", "int: 2" },
	{ "np.shape(`s`)", "tuple:" },
	{ "`f`[1]", "array float32 (3,): nan inf -0.0" },
	{ "`f`[0, 1]", "scalar float32: -2.5" },
	{ "`f`[..., 0]", "array float32 (2,): 1.0 nan" },
	{ "`f`[0, ..., 1]", "array float32 (): -2.5" },
	{ "`f`[::-1, ::-2]", "array float32 (2, 2): -0.0 nan 0.1 1.0" },
	{ "`f`[:, 5:]", "array float32 (2, 0):" },
	{ "`f`[-1, -5:2]", "array float32 (2,): nan inf" },
	{ "`d`[9:0:-1]", "array float64 (2,): -3.0 2.0" },
	{ "`f`.astype(np.int8)", "array int8 (2, 3): 1 -2 0 0 0 0" },
	{ "`d`.astype(np.float16)", "array float16 (3,): 0.1 2.0 -3.0" },
	{ "`l`.astype(np.int8)", "array int8 (3,): 1 -2 0" },
	{ "`f`.astype(np.bool_)", "array bool (2, 3): True True True True True False" },
	{ "`d`.astype(np.uint32)", "array uint32 (3,): 0 2 4294967293" },
	{ "`c`.astype(np.float64)", "array float64 (3,): 1.0 0.0 -0.0" },
	{ "np.reshape(`f`, -1)", "array float32 (6,): 1.0 -2.5 0.1 nan inf -0.0" },
	{ "np.reshape(`f`.T, (2, -1))", "array float32 (2, 3): 1.0 nan -2.5 inf 0.1 -0.0" },
	{ "np.reshape(`f`, [3, 2])", "array float32 (3, 2): 1.0 -2.5 0.1 nan inf -0.0" },
	{ "`f`.reshape(3, 2)", "array float32 (3, 2): 1.0 -2.5 0.1 nan inf -0.0" },
	{ "np.transpose(np.reshape(`i`, [1, 2, 3]), (2, 0, 1))",
	  "array int32 (3, 1, 2): -3 0 -2 1 -1 2" },
	{ "np.sum(`i`)", "scalar int64: -3" },
	{ "np.sum(`i`, axis=0)", "array int64 (3,): -3 -1 1" },
	{ "np.sum(`i`, axis=-1, keepdims=True)", "array int64 (2, 1): -6 3" },
	{ "np.sum(`i`, axis=(0, 1))", "scalar int64: -3" },
	{ "np.sum(`i`, axis=None)", "scalar int64: -3" },
	{ "np.sum(`u`)", "scalar uint64: 455" },
	{ "np.sum(`t`)", "scalar int64: 2" },
	{ "np.sum(`b`, axis=0)", "scalar int64: 4" },
	{ "np.sum(`h`)", "scalar float16: 998.0" },
	{ "np.sum(`c`)", "scalar complex64: (1-1j)" },
	{ "np.sum(`e`)", "scalar float32: 0.0" },
	{ "np.sum(`e`, axis=0)", "array float32 (3,): 0.0 0.0 0.0" },
	{ "np.prod(`b`)", "scalar int64: -81280" },
	{ "np.prod(`e`, axis=1)", "array float32 (0,):" },
	{ "np.mean(`i`)", "scalar float64: -0.5" },
	{ "np.mean(`h`)", "scalar float16: 332.8" },
	{ "np.mean(`f`, axis=0)", "array float32 (3,): nan inf 0.05" },
	{ "np.mean(`e`)", "scalar float32: nan" },
	{ "np.std(`d`)", "scalar float64: 2.0607442021431646" },
	{ "np.var(`i`, axis=1)", "array float64 (2,): 0.6666666666666666 0.6666666666666666" },
	{ "np.std(`h`)", "scalar float16: inf" },
	{ "np.max(`f`)", "scalar float32: nan" },
	{ "np.min(`f`, axis=1)", "array float32 (2,): -2.5 nan" },
	{ "np.max(`t`)", "scalar bool: True" },
	{ "np.amax(`u`)", "scalar uint8: 255" },
	{ "`d`.min()", "scalar float64: -3.0" },
	{ "np.argmax(`f`)", "scalar int64: 3" },
	{ "np.argmax(`f`, axis=0)", "array int64 (3,): 1 1 0" },
	{ "`d`.argmin()", "scalar int64: 2" },
	{ "np.any(`f`)", "scalar bool: True" },
	{ "np.all(`i`, axis=0)", "array bool (3,): False True True" },
	{ "np.any(`e`)", "scalar bool: False" },
	{ "np.all(`e`)", "scalar bool: True" },
	{ "np.count_nonzero(`i`)", "int: 5" },
	{ "np.count_nonzero(`i`, axis=1)", "array int64 (2,): 3 2" },
	{ "np.matmul(`i`, `i`.T)", "array int32 (2, 2): 14 -4 -4 5" },
	{ "`i` @ `d`", "array float64 (2,): -1.2999999999999998 -4.0" },
	{ "`d` @ `d`", "scalar float64: 13.01" },
	{ "np.dot(`i`, 2)", "array int64 (2, 3): -6 -4 -2 0 2 4" },
	{ "np.dot(np.reshape(`i`, [1, 2, 3]), np.reshape(`i`, [1, 3, 2]))",
	  "array int32 (1, 2, 1, 2): 10 4 1 4" },
	{ "np.matmul(np.reshape(`i`, [2, 1, 3]), np.reshape(`i`, [3, 2]))",
	  "array int32 (2, 1, 2): 10 4 1 4" },
	{ "`k`", "array int32 (): 7" },
	{ "`k` / 2", "scalar float64: 3.5" },
	{ "`k` * `k`", "scalar int32: 49" },
	{ "-`k`", "scalar int32: -7" },
	{ "`k`.T", "array int32 (): 7" },
	{ "1 + 2", "int: 3" },
	{ "7 // 2", "int: 3" },
	{ "-7 // 2", "int: -4" },
	{ "-7 % 3", "int: 2" },
	{ "7 % -3.5", "float: -0.0" },
	{ "2 ** 10", "int: 1024" },
	{ "2 ** -1", "float: 0.5" },
	{ "1 / 4", "float: 0.25" },
	{ "True + True", "int: 2" },
	{ "True & False", "bool: False" },
	{ "~5", "int: -6" },
	{ "1 < 2", "bool: True" },
	{ "np.pi", "float: 3.141592653589793" },
	{ "-np.inf", "float: -inf" },
	{ "np.sum(`f`.shape)", "scalar int64: 5" },
	{ "np.size(`e`)", "int: 0" },
	{ "np.abs(-3)", "scalar int64: 3" },
	{ "np.sqrt(4)", "scalar float64: 2.0" },
	{ "`q`.astype(np.float32)", "array float32 (): 1.0" },
	/* bfloat16: every result is rounded to it; beside other floats it counts as float32. */
	{ "`q` + `q`", "scalar bfloat16: 2" },
	{ "`Q` + 1", "array bfloat16 (3,): 2 3.5 4" },
	{ "`Q` * 1.5", "array float32 (3,): 1.5 3.75 4.5" },
	{ "`Q` + `b`", "array bfloat16 (3,): -127 130 8" },
	{ "`Q` + `h`", "array float32 (3,): 1.0999756 1002.5 1.0" },
	{ "`Q` + `l`", "array float64 (3,): 2.0 0.5 4.611686018427388e+18" },
	{ "`Q` / 3", "array bfloat16 (3,): 0.333984 0.832031 1" },
	{ "np.sqrt(`Q`)", "array bfloat16 (3,): 1 1.57812 1.73438" },
	{ "np.sum(`Q`)", "scalar bfloat16: 6.5" },
	{ "np.mean(`Q`)", "scalar bfloat16: 2.17188" },
	{ "np.std(`Q`)", "scalar bfloat16: 0.851562" },
	{ "`Q` < 2", "array bool (3,): True False False" },
	{ "np.max(`Q`)", "scalar bfloat16: 3" },
	{ "np.sort(`Q`)[::-1]", "array bfloat16 (3,): 3 2.5 1" },
	{ "np.median(`Q`)", "scalar bfloat16: 2.5" },
	{ "np.cumsum(`Q`)", "array bfloat16 (3,): 1 3.5 6.5" },
	{ "np.exp(`Q`)", "array bfloat16 (3,): 2.71875 12.1875 20.125" },
	{ "`Q` @ `Q`", "scalar bfloat16: 16.25" },
	{ "`Q`.astype(np.float64)", "array float64 (3,): 1.0 2.5 3.0" },
	{ "np.where(`Q` > 1, `Q`, 0)", "array bfloat16 (3,): 0 2.5 3" },
	{ "np.unique(`Q`)", "array bfloat16 (3,): 1 2.5 3" },
	{ "(-8) ** 0.5", "complex: (1.7319121124709868e-16+2.8284271247461903j)" },
	{ "2j * 2j", "complex: (-4+0j)" },
	{ "`x` == b'abc'", "array bool (3,): True False False" },
	{ "`x` != 'abc'", "array bool (3,): True True True" },
	{ "`x` < b'b'", "array bool (3,): True True False" },
	{ "np.sum(`x` == b'')", "scalar int64: 1" },
	{ "`x`[2] == b'b\\xff'", "bool: True" },
	{ "`x`[`x` != b''].shape[0]", "int: 2" },
	{ "len(`x`)", "int: 3" },
	{ "`x`.size", "int: 3" },
	{ "`x`.shape == (3,)", "bool: True" },
	{ "np.unique(`x`)[0] == b''", "bool: True" },
	{ "np.array_equal(`x`, `x`)", "bool: True" },
	{ "(`f`.shape[:1] + (7,))[1]", "int: 7" },
	{ "`f`.dtype == np.float32", "bool: True" },
	{ "`f`.dtype == 'float64'", "bool: False" },
	{ "`f`.dtype == 'f4'", "bool: True" },
	{ "'d' == `d`.dtype", "bool: True" },
	{ "`f`.dtype != '<i8'", "bool: True" },
	{ "np.dtype('|b1') == bool", "bool: True" },
	{ "`d`.reshape(np.array([3, 1])).shape == (3, 1)", "bool: True" },
	{ "`f` if `s` > 1 else 3", "int: 3" },
	{ "None or 5", "int: 5" },
};

START_TEST(expression_gives_what_numpy_gives)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err };
	struct ndarray *made = compute(good[_i].text, &ws);
	struct str text = {0};

	ck_assert_msg(made, "%s: %s", good[_i].text, err.msg);
	put_result(&ws, &text, made);
	ck_assert_msg(!strcmp(text.text, good[_i].result), "%s: %s, not %s", good[_i].text,
	              text.text, good[_i].result);
	str_release(&text);
	ndarray_free(&ws, made);
	ck_assert_uint_eq(ws.live_bytes, ws.text_bytes);
}
END_TEST

static const struct { const char *text; enum err_code code; const char *msg; } bad[] = {
	{ "`f` + `d`[:2]",
	  ERR_VALUE,
	  "operands could not be broadcast together with shapes (2,3) (2,) " },
	{ "np.max(`e`)",
	  ERR_VALUE,
	  "zero-size array to reduction operation maximum which has no identity" },
	{ "np.min(`e`, axis=0)",
	  ERR_VALUE,
	  "zero-size array to reduction operation minimum which has no identity" },
	{ "np.argmax(`e`)", ERR_VALUE, "attempt to get argmax of an empty sequence" },
	{ "np.sum(`f`, axis=2)", ERR_AXIS, "axis 2 is out of bounds for array of dimension 2" },
	{ "np.sum(`f`, axis=(0, 0))", ERR_VALUE, "duplicate value in 'axis'" },
	{ "np.mean(`s`, axis=0)", ERR_AXIS, "axis 0 is out of bounds for array of dimension 0" },
	{ "np.sum(`f`, axis=1.5)",
	  ERR_TYPE,
	  "'float' object cannot be interpreted as an integer" },
	{ "`f`[2]", ERR_INDEX, "index 2 is out of bounds for axis 0 with size 2" },
	{ "`f`[0, 0, 0]",
	  ERR_INDEX,
	  "too many indices for array: array is 2-dimensional, but 3 were indexed" },
	{ "`f`[..., ...]", ERR_INDEX, "an index can only have a single ellipsis ('...')" },
	{ "`f`[::0]", ERR_VALUE, "slice step cannot be zero" },
	{ "`f`[1.5]",
	  ERR_INDEX,
	  "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
	  "integer or boolean arrays are valid indices" },
	{ "`f`[0, 0][0]", ERR_INDEX, "invalid index to scalar variable." },
	{ "`f`.shape[2]", ERR_INDEX, "tuple index out of range" },
	{ "(3)[0]", ERR_TYPE, "'int' object is not subscriptable" },
	{ "np.reshape(`f`, [4, -1])",
	  ERR_VALUE,
	  "cannot reshape array of size 6 into shape (4,newaxis)" },
	{ "np.reshape(`f`, [-1, -1])", ERR_VALUE, "can only specify one unknown dimension" },
	{ "np.transpose(`f`, [0])", ERR_VALUE, "axes don't match array" },
	{ "np.transpose(`f`, 1)", ERR_VALUE, "axes don't match array" },
	{ "np.transpose(`f`, [0, 0])", ERR_VALUE, "repeated axis in transpose" },
	{ "np.transpose(`f`, [0, 2])",
	  ERR_AXIS,
	  "axis 2 is out of bounds for array of dimension 2" },
	{ "np.matmul(`i`, `i`)",
	  ERR_VALUE,
	  "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
	  "signature (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)" },
	{ "np.matmul(`i`, 2)",
	  ERR_VALUE,
	  "matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core "
	  "with signature (n?,k),(k,m?)->(n?,m?) requires 1)" },
	{ "np.dot(`i`, `i`)",
	  ERR_VALUE,
	  "shapes (2,3) and (2,3) not aligned: 3 (dim 1) != 2 (dim 0)" },
	{ "`i` ** -1", ERR_VALUE, "Integers to negative integer powers are not allowed." },
	{ "-`t`",
	  ERR_TYPE,
	  "The numpy boolean negative, the `-` operator, is not supported, use the `~` "
	  "operator or the logical_not function instead." },
	{ "`t` - `t`",
	  ERR_TYPE,
	  "numpy boolean subtract, the `-` operator, is not supported, use the "
	  "bitwise_xor, the `^` operator, or the logical_xor function instead." },
	{ "`f` & 1",
	  ERR_TYPE,
	  "ufunc 'bitwise_and' not supported for the input types, and the inputs could not "
	  "be safely coerced to any supported types according to the casting rule ''safe''" },
	{ "1 & 1.5", ERR_TYPE, "unsupported operand type(s) for &: 'int' and 'float'" },
	{ "1 / 0", ERR_ZERO_DIVISION, "division by zero" },
	{ "1 // 0", ERR_ZERO_DIVISION, "integer division or modulo by zero" },
	{ "1.0 % 0", ERR_ZERO_DIVISION, "float modulo" },
	{ "0 ** -1", ERR_ZERO_DIVISION, "0.0 cannot be raised to a negative power" },
	{ "~1.5", ERR_TYPE, "bad operand type for unary ~: 'float'" },
	{ "nosuch", ERR_NAME, "name 'nosuch' is not defined" },
	{ "np.nosuch", ERR_ATTRIBUTE, "module 'numpy' has no attribute 'nosuch'" },
	{ "`f`.nosuch", ERR_ATTRIBUTE, "'numpy.ndarray' object has no attribute 'nosuch'" },
	{ "(1).size", ERR_ATTRIBUTE, "'int' object has no attribute 'size'" },
	/* Names that numpy and Python have, although we don't. */
	{ "np.float128", ERR_UNSUPPORTED, "Unsupported expression: np.float128" },
	{ "np.finfo", ERR_UNSUPPORTED, "Unsupported expression: np.finfo" },
	{ "np.finfo(np.float32)", ERR_UNSUPPORTED, "Unsupported expression: np.finfo" },
	{ "np.einsum('i->', `d`)", ERR_UNSUPPORTED, "Unsupported expression: np.einsum" },
	{ "np.random", ERR_UNSUPPORTED, "Unsupported expression: np.random" },
	{ "np.linalg", ERR_UNSUPPORTED, "Unsupported expression: np.linalg" },
	{ "np.linalg.svd(`i`)", ERR_UNSUPPORTED, "Unsupported expression: np.linalg.svd" },
	{ "np.add", ERR_UNSUPPORTED, "Unsupported expression: np.add" },
	{ "np.add.reduce(`d`)", ERR_UNSUPPORTED, "Unsupported expression: np.add" },
	{ "np.int", ERR_UNSUPPORTED, "Unsupported expression: np.int" },
	{ "np.__version__", ERR_UNSUPPORTED, "Unsupported expression: np.__version__" },
	{ "`f`.astype", ERR_UNSUPPORTED, "Unsupported expression: .astype" },
	{ "`f`.strides", ERR_UNSUPPORTED, "Unsupported expression: .strides" },
	{ "`f`.sort()", ERR_UNSUPPORTED, "Unsupported expression: .sort" },
	{ "`f`.shape.index(2)", ERR_UNSUPPORTED, "Unsupported expression: .index" },
	{ "isinstance(`f`, int)", ERR_UNSUPPORTED, "Unsupported expression: isinstance" },
	{ "print", ERR_UNSUPPORTED, "Unsupported expression: print" },
	{ "np.linalg.nosuch(1)",
	  ERR_ATTRIBUTE, "module 'numpy.linalg' has no attribute 'nosuch'" },
	{ "(1).nosuch", ERR_ATTRIBUTE, "'int' object has no attribute 'nosuch'" },
	{ "`f`.shape.nosuch", ERR_ATTRIBUTE, "'tuple' object has no attribute 'nosuch'" },
	{ "np.sum(`f`, dtype=1)", ERR_UNSUPPORTED,
	  "Unsupported expression: such a dtype of np.sum" },
	{ "np.sum(`f`, where=`t`)",
	  ERR_VALUE,
	  "The truth value of an array with more than one element is ambiguous. Use a.any() or "
	  "a.all()" },
	{ "np.sum(`f`, initial=5)",
	  ERR_UNSUPPORTED, "Unsupported expression: the argument initial of np.sum" },
	{ "np.sum(`f`, nosuch=5)",
	  ERR_UNSUPPORTED, "Unsupported expression: the keyword nosuch of np.sum" },
	{ "np.clip()", ERR_TYPE, "np.clip() is missing the argument 'a'" },
	{ "np.isnan(1, 2, 3, 4)", ERR_TYPE, "np.isnan() takes at most 3 argument(s), 4 given" },
	{ "np.sum(`f`, a=1)", ERR_TYPE, "np.sum() got multiple values for argument 'a'" },
	{ "`f`[`t`]",
	  ERR_INDEX,
	  "boolean index did not match indexed array along dimension 0; dimension is 2 but "
	  "corresponding boolean dimension is 3" },
	{ "`d`[[5]]", ERR_INDEX, "index 5 is out of bounds for axis 0 with size 3" },
	{ "`d`['a']",
	  ERR_INDEX,
	  "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
	  "integer or boolean arrays are valid indices" },
	{ "not `f`",
	  ERR_VALUE,
	  "The truth value of an array with more than one element is ambiguous. Use a.any() or "
	  "a.all()" },
	{ "0 < `f` < 1",
	  ERR_VALUE,
	  "The truth value of an array with more than one element is ambiguous. Use a.any() or "
	  "a.all()" },
	{ "[[1, 2], [3]] + `d`",
	  ERR_VALUE,
	  "setting an array element with a sequence. The requested array has an inhomogeneous "
	  "shape." },
	{ "`d` + 'a'",
	  ERR_UNSUPPORTED, "Unsupported expression: computing with elements of type object" },
	{ "`d` + None", ERR_UNSUPPORTED, "Unsupported expression: computing with None" },
	/* Shapes that are claimed cost nothing. */
	{ "np.zeros((10**9, 10**9))",
	  ERR_LIMIT, "The expression needs far more memory than the 1.00MB it may have in all" },
	{ "np.zeros((10**9, 10**9, 10**9))",
	  ERR_VALUE, "Maximum allowed dimension exceeded; the array would be too large" },
	{ "np.zeros(-1)", ERR_VALUE, "negative dimensions are not allowed" },
	{ "np.arange(1e18)",
	  ERR_LIMIT, "The expression needs far more memory than the 1.00MB it may have in all" },
	{ "np.arange(0, 1, 0)", ERR_VALUE, "Maximum allowed size exceeded" },
	{ "np.arange(np.nan)", ERR_VALUE, "arange: cannot compute length" },
	{ "np.bincount([2**62])",
	  ERR_LIMIT, "The expression needs far more memory than the 1.00MB it may have in all" },
	{ "np.repeat(`d`, 2**62)", ERR_LIMIT, "The array would be too large" },
	{ "np.tile(`d`, 2**62)", ERR_LIMIT, "The array would be too large" },
	{ "np.linspace(0, 1, 2**62)",
	  ERR_LIMIT, "The expression needs far more memory than the 1.00MB it may have in all" },
	{ "np.broadcast_to(1, (10**9, 10**9)) + 1",
	  ERR_LIMIT, "The expression needs far more memory than the 1.00MB it may have in all" },
	{ "np.zeros((2,) * 40)", ERR_UNSUPPORTED,
	  "Unsupported expression: this with the operator *" },
	{ "2 ** 64", ERR_UNSUPPORTED, "Unsupported expression: a whole number beyond 64 bits" },
};

START_TEST(mistake_gives_the_error_of_python)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err };

	ck_assert_ptr_null(compute(bad[_i].text, &ws));
	ck_assert_msg(err.code == bad[_i].code, "%s: code %d, %s", bad[_i].text, (int)err.code,
	              err.msg);
	ck_assert_str_eq(err.msg, bad[_i].msg);
	ck_assert_uint_eq(ws.live_bytes, ws.text_bytes);
}
END_TEST

/* Types. */

static const struct { enum dtype a, b, both; } promotions[] = {
	{ DTYPE_FLOAT32, DTYPE_FLOAT32, DTYPE_FLOAT32 },
	{ DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT32 },
	{ DTYPE_INT8, DTYPE_FLOAT32, DTYPE_FLOAT32 },
	{ DTYPE_INT16, DTYPE_FLOAT32, DTYPE_FLOAT32 },
	{ DTYPE_INT32, DTYPE_FLOAT32, DTYPE_FLOAT64 },
	{ DTYPE_INT64, DTYPE_FLOAT32, DTYPE_FLOAT64 },
	{ DTYPE_FLOAT16, DTYPE_INT8, DTYPE_FLOAT16 },
	{ DTYPE_FLOAT16, DTYPE_UINT16, DTYPE_FLOAT32 },
	{ DTYPE_UINT64, DTYPE_INT64, DTYPE_FLOAT64 },
	{ DTYPE_UINT8, DTYPE_INT8, DTYPE_INT16 },
	{ DTYPE_UINT16, DTYPE_INT64, DTYPE_INT64 },
	{ DTYPE_UINT8, DTYPE_UINT32, DTYPE_UINT32 },
	{ DTYPE_BOOL, DTYPE_INT8, DTYPE_INT8 },
	{ DTYPE_BOOL, DTYPE_FLOAT16, DTYPE_FLOAT16 },
	{ DTYPE_COMPLEX64, DTYPE_FLOAT16, DTYPE_COMPLEX64 },
	{ DTYPE_COMPLEX64, DTYPE_FLOAT64, DTYPE_COMPLEX128 },
	{ DTYPE_COMPLEX64, DTYPE_INT32, DTYPE_COMPLEX128 },
};

START_TEST(types_meet)
{
	ck_assert_int_eq(promote_types(promotions[_i].a, promotions[_i].b), promotions[_i].both);
	ck_assert_int_eq(promote_types(promotions[_i].b, promotions[_i].a), promotions[_i].both);
}
END_TEST

/* Sums. */

/* More than two chunks, of numbers whose sum depends on the order. */
static struct ndarray *many(struct workspace *ws)
{
	struct shape shape = { 2, { 130, 150 } };
	struct ndarray *made = ndarray_new(ws, DTYPE_FLOAT32, &shape, ORIGIN_ARRAY);

	for (uint64_t i = 0; i < made->count; i++)
		((float *)(void *)made->first)[i] = (float)((double)(i * 7919 % 1007) / 7);
	return made;
}

static float sum_of(struct workspace *ws, const struct ndarray *a)
{
	struct reduce_axes all = {0};
	struct ndarray *sum = reduce(ws, REDUCE_SUM, a, &all);
	float value;

	ck_assert_int_eq(sum->type->dtype, DTYPE_FLOAT32);
	memcpy(&value, sum->first, sizeof value);
	ndarray_free(ws, sum);
	return value;
}

/* An array that is only turned is summed as it lies in memory. */
START_TEST(sum_follows_memory)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err };
	struct ndarray *a = many(&ws), *turned = ndarray_transpose(&ws, a, NULL, 0);
	static const struct index_item back[] = {
		{ INDEX_RANGE, INDEX_NONE, INDEX_NONE, -1, NULL },
		{ INDEX_RANGE, INDEX_NONE, INDEX_NONE, -1, NULL },
	};
	struct ndarray *backwards = ndarray_index(&ws, a, back, 2),
		       *copied = ndarray_contiguous(&ws, turned);

	ck_assert_float_eq(sum_of(&ws, a), 1401010.875f);
	ck_assert_float_eq(sum_of(&ws, turned), 1401010.875f);
	ck_assert_float_eq(sum_of(&ws, backwards), 1401010.75f);
	ck_assert_float_eq(sum_of(&ws, copied), 1401010.625f);
	ndarray_free(&ws, a);
	ndarray_free(&ws, turned);
	ndarray_free(&ws, backwards);
	ndarray_free(&ws, copied);
	ck_assert_uint_eq(ws.live_bytes, 0);
}
END_TEST

/* Numbers made by a rule, and their sum by numpy 1.26; imaginary parts run backwards. */
static const struct { int n; float f; double d; float re, im; } pairwise[] = {
	{ 9, 4413.973f, 4413972918757.169, 4413.9727f, 4413.973f },
	{ 100, 52757.133f, 52757126379147.414, 52757.125f, 52757.125f },
	{ 129, 67099.445f, 67099447342038.97, 67099.45f, 67099.445f },
	{ 300, 153187.61f, 153187610832527.5, 153187.62f, 153187.62f },
	{ 1000, 504474.38f, 504474377131494.25, 504474.38f, 504474.38f },
	{ 9000, 4519003.5f, 4519003379138312.0, 4519003.5f, 4519003.0f },
};

static double summand(int64_t k)
{
	return (double)(k * 2654435761 % 1000003) / 997.0;
}

static void sum_up(struct workspace *ws, enum dtype dtype, int n, void *out)
{
	struct reduce_axes all = {0};
	struct shape shape = { 1, { n } };
	struct ndarray *a = ndarray_new(ws, dtype, &shape, ORIGIN_ARRAY), *sum;

	for (int k = 0; k < n; k++) {
		float pair[2] = { (float)summand(k), (float)summand(n - 1 - k) };
		double wide = summand(k) * 1e9 + 0.1;

		memcpy((unsigned char *)a->first + (size_t)k * a->type->elem_bytes,
		       dtype == DTYPE_FLOAT64 ? (void *)&wide : (void *)pair, a->type->elem_bytes);
	}
	sum = reduce(ws, REDUCE_SUM, a, &all);
	memcpy(out, sum->first, sum->type->elem_bytes);
	ndarray_free(ws, sum);
	ndarray_free(ws, a);
}

START_TEST(sum_adds_in_the_order_of_numpy)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err };
	int n = pairwise[_i].n;
	float f, c[2];
	double d;

	sum_up(&ws, DTYPE_FLOAT32, n, &f);
	ck_assert_float_eq(f, pairwise[_i].f);
	sum_up(&ws, DTYPE_FLOAT64, n, &d);
	ck_assert_double_eq(d, pairwise[_i].d);
	sum_up(&ws, DTYPE_COMPLEX64, n, c);
	ck_assert_float_eq(c[0], pairwise[_i].re);
	ck_assert_float_eq(c[1], pairwise[_i].im);
}
END_TEST

/* Limits. */

START_TEST(memory_is_limited)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1000, .err = &err };
	struct shape too_large[] = { { 1, { 1001 } },
		                     { 2, { INT64_MAX, 2 } },
		                     { 1, { INT64_MAX } } };

	for (size_t i = 0; i < ROWS(too_large); i++) {
		err.code = ERR_NONE;
		ck_assert_ptr_null(ndarray_new(&ws, DTYPE_INT8, &too_large[i], ORIGIN_ARRAY));
		ck_assert(err.code == ERR_LIMIT || err.code == ERR_VALUE);
		ck_assert_uint_eq(ws.live_bytes, 0);
	}
	err.code = ERR_NONE;
	ws.limit_bytes = 24 * 3;
	ck_assert_ptr_null(
		compute("((`d` + `d`) + (`d` + `d`)) + ((`d` + `d`) + (`d` + `d`))", &ws));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_str_eq(err.src, "command");
	ck_assert_uint_eq(ws.live_bytes, 0);
}
END_TEST

START_TEST(cancel_ends_it)
{
	struct progress progress = { .cancel = true };
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err, .progress = &progress };
	static const char *const texts[] = {
		"`f` + 1", "np.sum(`f`)", "np.argmax(`f`)", "`i` @ `d`",
		"`f`.astype(np.int8)", "np.where(`t`, 1, `d`)",
	};

	for (size_t i = 0; i < ROWS(texts); i++) {
		err.code = ERR_NONE;
		ck_assert_ptr_null(compute(texts[i], &ws));
		ck_assert_int_eq(err.code, ERR_CANCELLED);
		ck_assert_uint_eq(ws.live_bytes, 0);
	}
}
END_TEST

/* Every loop over many elements looks at the user, so it ends wherever it is stopped. */
struct stop {
	uint64_t steps, at;
};

static void count_step(struct progress *progress)
{
	struct stop *stop = progress->owner;

	if (++stop->steps == stop->at)
		atomic_store(&progress->cancel, true);
}

static const char *const long_loops[] = {
	"np.zeros(200000)", "np.arange(200000)", "np.arange(2e5)", "np.linspace(0, 1, 200000)",
	"np.sort(%s)", "np.argsort(%s)", "np.unique(%s)", "np.cumsum(%s)", "np.nonzero(%s)",
	"%s[%s > 5]", "%s[np.argsort(%s)]", "np.histogram(%s, 10)", "np.histogram(%s, [1, 5, 9])",
	"np.bincount(%s)", "np.percentile(%s, 50)", "np.median(%s)", "np.nanmedian(%s / 1)",
	"np.linalg.norm(%s)", "np.isin(%s, [1, 2])", "np.concatenate([%s, %s])", "np.tile(%s, 2)",
	"np.repeat(%s, 2)", "np.roll(%s, 3)", "np.flip(%s) + 0", "np.searchsorted(%s, %s)",
	"np.unravel_index(%s, (20, 20))", "np.round(%s / 3, 1)", "np.clip(%s, 1, 5)",
	"np.array_equal(%s, %s)", "np.nan_to_num(%s / 1)", "max(%s)", "sum(%s)", "np.diff(%s)",
	"np.triu(%s.reshape(400, 500))", "np.std(%s)", "%s.tolist()", "np.argmax(%s)",
	"np.eye(2000)", "%s.reshape(400, 500) @ %s.reshape(500, 400)", "np.where(%s > 3, %s, 0)",
	"np.argmin(np.broadcast_to(%s, (40, 200000)))", "np.isclose(%s, %s)", "np.round(%s * 1j)",
	"np.digitize(%s, [1, 2])", "np.ptp(%s)",
};

START_TEST(long_loop_can_be_stopped)
{
	static const char many[] = "(np.arange(200000) % 19)";
	struct str text = {0};
	struct err err = {0};
	struct stop stop = {0};
	struct progress progress = { .tick = count_step, .owner = &stop };
	struct workspace ws = { .limit_bytes = 1 << 28, .err = &err, .progress = &progress };
	struct ndarray *made;
	uint64_t all;

	for (const char *at = long_loops[_i]; *at; at++) {
		if (at[0] == '%' && at[1] == 's')
			str_puts(&text, many), at++;
		else
			str_putc(&text, *at);
	}
	made = compute(text.text, &ws);
	ck_assert_msg(made, "%s: %s", text.text, err.msg);
	ndarray_free(&ws, made);
	all = stop.steps;
	ck_assert_msg(all >= 3, "%s: %d", text.text, (int)all);
	for (uint64_t at = 1; at <= all; at += all / 7 + 1) {
		stop = (struct stop){ .at = at };
		err.code = ERR_NONE;
		progress.cancel = false;
		ck_assert_ptr_null(compute(text.text, &ws));
		ck_assert_int_eq(err.code, ERR_CANCELLED);
		/* What else was asked for before anybody saw it ends at its first step. */
		ck_assert_uint_le(stop.steps, at + 8);
		ck_assert_uint_eq(ws.live_bytes, ws.text_bytes);
	}
	str_release(&text);
}
END_TEST

START_TEST(long_chain_is_refused)
{
	struct err err = {0};
	struct workspace ws = { .limit_bytes = 1 << 20, .err = &err };
	struct str text = {0};

	for (int i = 0; i < 600; i++)
		str_puts(&text, "1+");
	str_puts(&text, "1");
	ck_assert_ptr_null(compute(text.text, &ws));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_uint_eq(ws.live_bytes, 0);
	str_release(&text);
}
END_TEST

SUITE_MAIN("ndarray",
	tcase_add_loop_test(t, expression_gives_what_numpy_gives, 0, ROWS(good));
	tcase_add_loop_test(t, mistake_gives_the_error_of_python, 0, ROWS(bad));
	tcase_add_loop_test(t, types_meet, 0, ROWS(promotions));
	tcase_add_loop_test(t, sum_adds_in_the_order_of_numpy, 0, ROWS(pairwise));
	tcase_add_test(t, sum_follows_memory);
	tcase_add_test(t, memory_is_limited);
	tcase_add_test(t, cancel_ends_it);
	tcase_add_loop_test(t, long_loop_can_be_stopped, 0, ROWS(long_loops));
	tcase_add_test(t, long_chain_is_refused);
)
