/*
 * The table of functions, and how the arguments of a call become the parameters of its row.
 *
 * Parameters are listed in numpy's order, with marks: "@a" is converted to an array of numbers,
 * "$a" to an array of any elements; "a?" may be left out or None, "a=" may be left out, "a!" may
 * only be None or False; "*a" takes all remaining arguments as a tuple. As in Python, parameters
 * before "/" are only positional, those after "*" only keywords.
 */
#include "cmds/array/function.h"

#include <string.h>

#include "cmds/array/np.h"
#include "cmds/array/promote.h"
#include "cmds/array/sequence.h"

struct function {
	const char *name;
	unsigned places;
	np_kernel *run;
	int which;
	const char *parameters;
};

#define NP IN_NUMPY
#define METHOD IN_ARRAY
#define BOTH (IN_NUMPY | IN_ARRAY)

#define ONE "@x / out! where!"
#define TWO "@x1 @x2 / out! where!"
#define SUMS "@a axis? dtype? out! keepdims? initial! where!"
#define MEANS "@a axis? dtype? out! keepdims? where!"
#define SPREADS "@a axis? dtype? out! ddof? keepdims? where!"
#define EXTREMES "@a axis? out! keepdims? initial! where!"
#define TRUTHS "@a axis? out! keepdims? where!"
#define PLACES "@a axis? out! * keepdims?"
#define QUANTILES "@a @q axis? out! overwrite_input! method? keepdims? interpolation!"
#define MEDIANS "@a axis? out! overwrite_input! keepdims?"
#define UNARY(name, ufunc) { name, NP, np_unary, UFUNC_##ufunc, ONE }
#define BINARY(name, ufunc) { name, NP, np_binary, UFUNC_##ufunc, TWO }

static const struct function table[] = {
	{ "T", IN_ATTRIBUTE, np_transpose, 0, "$a axes?" },
	{ "abs", IN_PYTHON, np_abs_of, 0, "x /" },
	UNARY("abs", ABSOLUTE),
	UNARY("absolute", ABSOLUTE),
	BINARY("add", ADD),
	{ "all", IN_PYTHON, np_truths_of, false, "iterable /" },
	{ "all", BOTH, np_reduction, REDUCE_ALL, TRUTHS },
	{ "allclose", NP, np_allclose, 0, "@a @b rtol? atol? equal_nan?" },
	{ "alltrue", NP, np_reduction, REDUCE_ALL, TRUTHS },
	{ "amax", NP, np_reduction, REDUCE_MAX, EXTREMES },
	{ "amin", NP, np_reduction, REDUCE_MIN, EXTREMES },
	{ "angle", NP, np_angle, 0, "@z deg?" },
	{ "any", IN_PYTHON, np_truths_of, true, "iterable /" },
	{ "any", BOTH, np_reduction, REDUCE_ANY, TRUTHS },
	{ "arange", NP, np_arange, 0, "start stop? step? dtype?" },
	UNARY("arccos", ARCCOS),
	UNARY("arccosh", ARCCOSH),
	UNARY("arcsin", ARCSIN),
	UNARY("arcsinh", ARCSINH),
	UNARY("arctan", ARCTAN),
	BINARY("arctan2", ARCTAN2),
	UNARY("arctanh", ARCTANH),
	{ "argmax", BOTH, np_reduction, REDUCE_ARGMAX, PLACES },
	{ "argmin", BOTH, np_reduction, REDUCE_ARGMIN, PLACES },
	{ "argsort", BOTH, np_argsort, 1, "$a axis= kind= order!" },
	{ "argwhere", NP, np_argwhere, 0, "@a" },
	{ "around", NP, np_round, 0, "@a decimals? out!" },
	{ "array", NP, np_array, 0, "$object dtype? * copy= order! subok! ndmin?" },
	{ "array_equal", NP, np_array_equal, 0, "$a1 $a2 equal_nan?" },
	{ "asarray", NP, np_array, 0, "$a dtype? order!" },
	{ "astype", METHOD, np_astype, 0, "$a dtype order! casting! subok! copy=" },
	{ "atleast_1d", NP, np_atleast, 1, "$a /" },
	{ "atleast_2d", NP, np_atleast, 2, "$a /" },
	{ "atleast_3d", NP, np_atleast, 3, "$a /" },
	{ "average", NP, np_average, 0, "@a axis? @weights? returned! * keepdims?" },
	{ "bincount", NP, np_bincount, 0, "@x @weights? minlength?" },
	BINARY("bitwise_and", AND),
	UNARY("bitwise_not", INVERT),
	BINARY("bitwise_or", OR),
	BINARY("bitwise_xor", XOR),
	{ "bool", IN_PYTHON, np_truth_of, 0, "x /" },
	{ "broadcast_to", NP, np_broadcast_to, 0, "$array shape subok!" },
	UNARY("cbrt", CBRT),
	UNARY("ceil", CEIL),
	{ "clip", BOTH, np_clip, 0, "@a @min? @max? out!" },
	{ "concatenate", NP, np_concatenate, 0, "arrays axis= out! * dtype?" },
	UNARY("conj", CONJUGATE),
	{ "conj", METHOD, np_unary, UFUNC_CONJUGATE, "@x" },
	UNARY("conjugate", CONJUGATE),
	{ "conjugate", METHOD, np_unary, UFUNC_CONJUGATE, "@x" },
	{ "copy", BOTH, np_copy, 0, "$a order! subok!" },
	BINARY("copysign", COPYSIGN),
	UNARY("cos", COS),
	UNARY("cosh", COSH),
	{ "count_nonzero", NP, np_reduction, REDUCE_COUNT_NONZERO, "@a axis? * keepdims?" },
	{ "cumprod", BOTH, np_cumulate, UFUNC_MULTIPLY, "@a axis? dtype? out!" },
	{ "cumsum", BOTH, np_cumulate, UFUNC_ADD, "@a axis? dtype? out!" },
	UNARY("deg2rad", RADIANS),
	UNARY("degrees", DEGREES),
	{ "diag", NP, np_diag, 0, "@v k?" },
	{ "diagonal", BOTH, np_diagonal, 0, "$a offset? axis1? axis2?" },
	{ "diff", NP, np_diff, 0, "@a n? axis? prepend! append!" },
	{ "digitize", NP, np_digitize, 0, "@x @bins right?" },
	BINARY("divide", DIVIDE),
	{ "dot", BOTH, np_dot, 0, "@a @b out!" },
	{ "dstack", NP, np_join_rows, 2, "tup" },
	{ "dtype", NP, np_dtype, 0, "dtype" },
	{ "dtype", IN_ATTRIBUTE, np_dtype_of, 0, "$a" },
	BINARY("equal", EQUAL),
	UNARY("exp", EXP),
	UNARY("exp2", EXP2),
	{ "expand_dims", NP, np_expand_dims, 0, "$a axis" },
	UNARY("expm1", EXPM1),
	{ "eye", NP, np_eye, 0, "N M? k? dtype? order!" },
	UNARY("fabs", FABS),
	{ "flatnonzero", NP, np_flatnonzero, 0, "@a" },
	{ "flatten", METHOD, np_ravel, 0, "$a order?" },
	{ "flip", NP, np_flip, -1, "$m axis?" },
	{ "fliplr", NP, np_flip, 1, "$m" },
	{ "flipud", NP, np_flip, 0, "$m" },
	{ "float", IN_PYTHON, np_number_of, DTYPE_FLOAT64, "x /" },
	UNARY("floor", FLOOR),
	BINARY("floor_divide", FLOOR_DIVIDE),
	BINARY("fmax", FMAX),
	BINARY("fmin", FMIN),
	BINARY("fmod", FMOD),
	{ "full", NP, np_filled, 2, "shape @fill_value dtype? order!" },
	{ "full_like", NP, np_filled_like, 2, "@a @fill_value dtype? order! subok! shape!" },
	BINARY("greater", GREATER),
	BINARY("greater_equal", GREATER_EQUAL),
	{ "histogram", NP, np_histogram, 0, "@a bins? range? density? weights!" },
	{ "hstack", NP, np_join_rows, 1, "tup" },
	BINARY("hypot", HYPOT),
	{ "identity", NP, np_eye, 0, "n M! k! dtype?" },
	{ "imag", NP | IN_ATTRIBUTE, np_imag, 0, "@val" },
	{ "in1d", NP, np_in1d, 0, "@ar1 @ar2 assume_unique! invert?" },
	{ "inner", NP, np_inner, 0, "@a @b /" },
	{ "int", IN_PYTHON, np_number_of, DTYPE_INT64, "x /" },
	UNARY("invert", INVERT),
	{ "isclose", NP, np_isclose, 0, "@a @b rtol? atol? equal_nan?" },
	UNARY("isfinite", ISFINITE),
	{ "isin", NP, np_isin, 0, "@element @test_elements assume_unique! invert?" },
	UNARY("isinf", ISINF),
	UNARY("isnan", ISNAN),
	UNARY("isneginf", ISNEGINF),
	UNARY("isposinf", ISPOSINF),
	{ "item", METHOD, np_item, 0, "$a *args" },
	BINARY("left_shift", LEFT_SHIFT),
	{ "len", IN_PYTHON, np_len, 0, "obj /" },
	BINARY("less", LESS),
	BINARY("less_equal", LESS_EQUAL),
	{ "linspace", NP, np_linspace, 0, "start stop num? endpoint? retstep? dtype? axis!" },
	{ "list", IN_PYTHON, np_list_of, ORIGIN_LIST, "iterable? /" },
	UNARY("log", LOG),
	UNARY("log10", LOG10),
	UNARY("log1p", LOG1P),
	UNARY("log2", LOG2),
	BINARY("logaddexp", LOGADDEXP),
	BINARY("logical_and", LOGICAL_AND),
	{ "logical_not", NP, np_not, 0, ONE },
	BINARY("logical_or", LOGICAL_OR),
	BINARY("logical_xor", LOGICAL_XOR),
	{ "matmul", NP, np_matmul, 0, TWO },
	{ "max", IN_PYTHON, np_extreme_of, 1, "*args" },
	{ "max", BOTH, np_reduction, REDUCE_MAX, EXTREMES },
	BINARY("maximum", MAXIMUM),
	{ "mean", BOTH, np_reduction, REDUCE_MEAN, MEANS },
	{ "median", NP, np_median, 0, MEDIANS },
	{ "min", IN_PYTHON, np_extreme_of, 0, "*args" },
	{ "min", BOTH, np_reduction, REDUCE_MIN, EXTREMES },
	BINARY("minimum", MINIMUM),
	BINARY("mod", REMAINDER),
	{ "moveaxis", NP, np_moveaxis, 0, "$a source destination" },
	BINARY("multiply", MULTIPLY),
	{ "nan_to_num", NP, np_nan_to_num, 0, "@x copy= @nan? @posinf? @neginf?" },
	{ "nanargmax", NP, np_nan_reduction, REDUCE_ARGMAX, PLACES },
	{ "nanargmin", NP, np_nan_reduction, REDUCE_ARGMIN, PLACES },
	{ "nanmax", NP, np_nan_reduction, REDUCE_MAX, EXTREMES },
	{ "nanmean", NP, np_nan_reduction, REDUCE_MEAN, MEANS },
	{ "nanmedian", NP, np_median, 1, MEDIANS },
	{ "nanmin", NP, np_nan_reduction, REDUCE_MIN, EXTREMES },
	{ "nanpercentile", NP, np_percentile, 3, QUANTILES },
	{ "nanprod", NP, np_nan_reduction, REDUCE_PROD, SUMS },
	{ "nanquantile", NP, np_percentile, 2, QUANTILES },
	{ "nanstd", NP, np_nan_reduction, REDUCE_STD, SPREADS },
	{ "nansum", NP, np_nan_reduction, REDUCE_SUM, SUMS },
	{ "nanvar", NP, np_nan_reduction, REDUCE_VAR, SPREADS },
	{ "nbytes", IN_ATTRIBUTE, np_bytes, 1, "$a" },
	{ "itemsize", IN_ATTRIBUTE, np_bytes, 0, "$a" },
	{ "ndim", NP | IN_ATTRIBUTE, np_ndim, 0, "$a" },
	UNARY("negative", NEGATIVE),
	{ "nonzero", BOTH, np_nonzero, 0, "@a" },
	{ "norm", IN_LINALG, np_norm, 0, "@x ord? axis? keepdims?" },
	BINARY("not_equal", NOT_EQUAL),
	{ "ones", NP, np_filled, 1, "shape dtype? order!" },
	{ "ones_like", NP, np_filled_like, 1, "@a dtype? order! subok! shape!" },
	{ "outer", NP, np_outer, 0, "@a @b out!" },
	{ "percentile", NP, np_percentile, 1, QUANTILES },
	UNARY("positive", POSITIVE),
	BINARY("power", POWER),
	{ "prod", BOTH, np_reduction, REDUCE_PROD, SUMS },
	{ "product", NP, np_reduction, REDUCE_PROD, SUMS },
	{ "ptp", BOTH, np_ptp, 0, "@a axis? out! keepdims?" },
	{ "quantile", NP, np_percentile, 0, QUANTILES },
	UNARY("rad2deg", DEGREES),
	UNARY("radians", RADIANS),
	{ "ravel", BOTH, np_ravel, 0, "$a order?" },
	{ "ravel_multi_index", NP, np_ravel_multi_index, 0, "multi_index dims mode! order!" },
	{ "real", NP | IN_ATTRIBUTE, np_real, 0, "@val" },
	UNARY("reciprocal", RECIPROCAL),
	BINARY("remainder", REMAINDER),
	{ "repeat", BOTH, np_repeat, 0, "$a @repeats axis?" },
	{ "reshape", NP, np_reshape, 0, "$a newshape order?" },
	{ "reshape", METHOD, np_reshape, 0, "$a *shape order?" },
	BINARY("right_shift", RIGHT_SHIFT),
	UNARY("rint", RINT),
	{ "roll", NP, np_roll, 0, "$a shift axis?" },
	{ "round", IN_PYTHON, np_round_of, 0, "@number ndigits?" },
	{ "round", BOTH, np_round, 0, "@a decimals? out!" },
	{ "round_", NP, np_round, 0, "@a decimals? out!" },
	{ "searchsorted", BOTH, np_searchsorted, 0, "$a $v side? sorter!" },
	{ "shape", NP | IN_ATTRIBUTE, np_shape, 0, "$a" },
	UNARY("sign", SIGN),
	UNARY("signbit", SIGNBIT),
	UNARY("sin", SIN),
	UNARY("sinh", SINH),
	{ "size", NP, np_size, 0, "$a axis?" },
	{ "size", IN_ATTRIBUTE, np_size, 0, "$a" },
	{ "sometrue", NP, np_reduction, REDUCE_ANY, TRUTHS },
	{ "sort", NP, np_sort, 0, "$a axis= kind= order!" },
	{ "sorted", IN_PYTHON, np_sorted_of, 0, "iterable / * key! reverse?" },
	UNARY("sqrt", SQRT),
	UNARY("square", SQUARE),
	{ "squeeze", BOTH, np_squeeze, 0, "$a axis?" },
	{ "stack", NP, np_stack, 0, "arrays axis? out!" },
	{ "std", BOTH, np_reduction, REDUCE_STD, SPREADS },
	BINARY("subtract", SUBTRACT),
	{ "sum", IN_PYTHON, np_sum_of, 0, "iterable / start?" },
	{ "sum", BOTH, np_reduction, REDUCE_SUM, SUMS },
	{ "swapaxes", BOTH, np_swapaxes, 0, "$a axis1 axis2" },
	{ "take", BOTH, np_take, 0, "$a @indices axis? out! mode!" },
	UNARY("tan", TAN),
	UNARY("tanh", TANH),
	{ "tile", NP, np_tile, 0, "$A reps" },
	{ "tolist", METHOD, np_tolist, 0, "$a" },
	{ "trace", BOTH, np_trace, 0, "@a offset? axis1? axis2? dtype! out!" },
	{ "transpose", NP, np_transpose, 0, "$a axes?" },
	{ "transpose", METHOD, np_transpose, 0, "$a *axes" },
	{ "tril", NP, np_triangle, 0, "@m k?" },
	{ "triu", NP, np_triangle, 1, "@m k?" },
	BINARY("true_divide", DIVIDE),
	UNARY("trunc", TRUNC),
	{ "tuple", IN_PYTHON, np_list_of, ORIGIN_TUPLE, "iterable? /" },
	{ "unique", NP, np_unique, 0,
	  "$ar return_index? return_inverse? return_counts? axis! * equal_nan=" },
	{ "unravel_index", NP, np_unravel_index, 0, "@indices shape order!" },
	{ "var", BOTH, np_reduction, REDUCE_VAR, SPREADS },
	{ "vstack", NP, np_join_rows, 0, "tup" },
	{ "where", NP, np_where, 0, "@condition @x? @y? /" },
	{ "zeros", NP, np_filled, 0, "shape dtype? order!" },
	{ "zeros_like", NP, np_filled_like, 0, "@a dtype? order! subok! shape!" },
};

#define N_ROWS (sizeof table / sizeof *table)

const struct function *function_find(const char *name, enum function_place place)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (table[i].places & place && !strcmp(table[i].name, name))
			return &table[i];
	return NULL;
}

bool function_row(size_t i, const char **name, unsigned *places)
{
	if (i >= N_ROWS)
		return false;
	*name = table[i].name;
	*places = table[i].places;
	return true;
}

/* Parameters. */

struct parameter {
	const char *name;        /* up to len */
	size_t len;
	bool to_array, texts;    /* @ or $; $ alone */
	bool optional, unused, as_is, rest;
	bool by_name_only, by_place_only;
};

/* The parameters of a row, in order; returns how many. */
static uint32_t read_parameters(const char *text, struct parameter *out)
{
	bool by_name_only = false;
	uint32_t n = 0;

	while (*text) {
		size_t len = strcspn(text, " ");
		struct parameter *p = &out[n];
		const char *end = text + len;

		if (len == 1 && *text == '/') {
			for (uint32_t i = 0; i < n; i++)
				out[i].by_place_only = true;
		} else if (len == 1 && *text == '*') {
			by_name_only = true;
		} else {
			*p = (struct parameter){ .by_name_only = by_name_only };
			p->texts = *text == '$';
			p->to_array = *text == '@' || *text == '$';
			p->rest = *text == '*';
			by_name_only |= p->rest;
			p->name = text + (p->to_array || p->rest);
			p->unused = end[-1] == '!';
			p->as_is = end[-1] == '=';
			p->optional = end[-1] == '?' || p->unused || p->as_is || p->rest;
			p->len = (size_t)(end - p->name) - (p->optional && !p->rest);
			n++;
		}
		text = end + (*end == ' ');
	}
	return n;
}

static bool too_many(struct np_call *c, uint32_t most, uint32_t given)
{
	return ws_fail(c->ws, ERR_TYPE, "%s() takes at most %u argument(s), %u given", c->name,
	               most, given);
}

static bool bind_by_place(struct np_call *c, const struct parameter *p, uint32_t n,
                          const struct arguments *args)
{
	struct ndarray *left[FUNCTION_MAX_ARGS];
	uint32_t next = 0;

	for (uint32_t i = 0; i < n && !p[i].by_name_only; i++) {
		if (p[i].rest) {
			uint32_t k = 0;

			while (next < args->n)
				left[k++] = ndarray_view(args->at[next++]);
			c->at[i] = ws_keep(c->ws, ndarray_of_items(c->ws, left, k, ORIGIN_TUPLE));
			return c->at[i];
		}
		if (next == args->n)
			return true;
		c->at[i] = args->at[next++];
	}
	return next == args->n || too_many(c, next, args->n);
}

static bool bind_by_name(struct np_call *c, const struct parameter *p, uint32_t n,
                         const struct arguments *args)
{
	for (uint32_t k = 0; k < args->n_keywords; k++) {
		const char *name = args->keyword[k].name;
		uint32_t i = 0;

		while (i < n && (p[i].by_place_only || p[i].rest || strlen(name) != p[i].len ||
		                 memcmp(name, p[i].name, p[i].len)))
			i++;
		/* numpy's function may have parameters that the table lacks. */
		if (i == n)
			return ws_refuse(c->ws, "the keyword %s of %s", name, c->name);
		if (c->at[i])
			return ws_fail(c->ws, ERR_TYPE,
			               "%s() got multiple values for argument '%s'", c->name,
			               name);
		c->at[i] = args->keyword[k].value;
	}
	return true;
}

static bool check_one(struct np_call *c, const struct parameter *p, struct ndarray **at)
{
	bool none = *at && (*at)->origin == ORIGIN_NONE, truth = false;

	if (!*at && !p->optional)
		return ws_fail(c->ws, ERR_TYPE, "%s() is missing the argument '%.*s'", c->name,
		               (int)p->len, p->name);
	if (none && p->optional && !p->as_is)
		*at = NULL;
	if (!*at)
		return true;
	if (p->unused)
		return np_truth(c->ws, *at, &truth) &&
		       (!truth || ws_refuse(c->ws, "the argument %.*s of %s", (int)p->len, p->name,
		                            c->name));
	if (!p->to_array)
		return true;
	*at = ws_keep(c->ws, sequence_to_array(c->ws, *at));
	if (!*at)
		return false;
	if (p->texts || promote_knows((*at)->type))
		return true;
	return ws_refuse(c->ws, "%s of elements of type %s", c->name, (*at)->type->name);
}

static bool bind(struct np_call *c, const char *text, const struct arguments *args)
{
	struct parameter p[NP_ARGS];
	uint32_t n = read_parameters(text, p);

	if (!bind_by_place(c, p, n, args) || !bind_by_name(c, p, n, args))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		c->parameter[i] = p[i].name;
		if (!check_one(c, &p[i], &c->at[i]))
			return false;
	}
	return true;
}

struct ndarray *function_call(struct workspace *ws, const struct function *f,
                              const struct arguments *args)
{
	struct np_call c = { .ws = ws, .which = f->which };
	size_t mark = ws_mark(ws);
	struct ndarray *made = NULL;
	struct str name = {0};

	str_fmt(&name, "%s%s",
	        f->places & IN_NUMPY ? "np." : f->places & IN_LINALG ? "np.linalg." :
	        f->places & (IN_ARRAY | IN_ATTRIBUTE) ? "." : "",
	        f->name);
	c.name = name.text;
	if (bind(&c, f->parameters, args))
		made = f->run(&c);
	made = made ? ndarray_view(made) : NULL;
	ws_release(ws, mark);
	str_release(&name);
	return made;
}
