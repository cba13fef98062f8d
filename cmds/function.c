#include "cmds/function.h"

#include <string.h>

#include "cmds/matmul.h"
#include "cmds/promote.h"
#include "cmds/python_number.h"
#include "cmds/reduce.h"
#include "cmds/ufunc.h"

enum function_kind {
	REDUCTION, UNARY, BINARY, WHERE, MATMUL, DOT, TRANSPOSE, RESHAPE, SIZE, SHAPE,
};

struct function {
	const char *name;
	enum function_kind kind;
	int which;               /* enum reduction or enum ufunc */
	uint32_t min_args, max_args;
	bool is_method;          /* too */
};

static const struct function table[] = {
	{ "abs", UNARY, UFUNC_ABSOLUTE, 1, 1, false },
	{ "absolute", UNARY, UFUNC_ABSOLUTE, 1, 1, false },
	{ "all", REDUCTION, REDUCE_ALL, 1, 2, true },
	{ "amax", REDUCTION, REDUCE_MAX, 1, 2, false },
	{ "amin", REDUCTION, REDUCE_MIN, 1, 2, false },
	{ "any", REDUCTION, REDUCE_ANY, 1, 2, true },
	{ "argmax", REDUCTION, REDUCE_ARGMAX, 1, 2, true },
	{ "argmin", REDUCTION, REDUCE_ARGMIN, 1, 2, true },
	{ "count_nonzero", REDUCTION, REDUCE_COUNT_NONZERO, 1, 2, false },
	{ "dot", DOT, 0, 2, 2, true },
	{ "exp", UNARY, UFUNC_EXP, 1, 1, false },
	{ "isfinite", UNARY, UFUNC_ISFINITE, 1, 1, false },
	{ "isinf", UNARY, UFUNC_ISINF, 1, 1, false },
	{ "isnan", UNARY, UFUNC_ISNAN, 1, 1, false },
	{ "log", UNARY, UFUNC_LOG, 1, 1, false },
	{ "matmul", MATMUL, 0, 2, 2, false },
	{ "max", REDUCTION, REDUCE_MAX, 1, 2, true },
	{ "maximum", BINARY, UFUNC_MAXIMUM, 2, 2, false },
	{ "mean", REDUCTION, REDUCE_MEAN, 1, 2, true },
	{ "min", REDUCTION, REDUCE_MIN, 1, 2, true },
	{ "minimum", BINARY, UFUNC_MINIMUM, 2, 2, false },
	{ "prod", REDUCTION, REDUCE_PROD, 1, 2, true },
	{ "reshape", RESHAPE, 0, 2, FUNCTION_MAX_ARGS, true },
	{ "shape", SHAPE, 0, 1, 1, false },
	{ "sign", UNARY, UFUNC_SIGN, 1, 1, false },
	{ "size", SIZE, 0, 1, 1, false },
	{ "sqrt", UNARY, UFUNC_SQRT, 1, 1, false },
	{ "square", UNARY, UFUNC_SQUARE, 1, 1, false },
	{ "std", REDUCTION, REDUCE_STD, 1, 2, true },
	{ "sum", REDUCTION, REDUCE_SUM, 1, 2, true },
	{ "transpose", TRANSPOSE, 0, 1, FUNCTION_MAX_ARGS, true },
	{ "var", REDUCTION, REDUCE_VAR, 1, 2, true },
	{ "where", WHERE, 0, 3, 3, false },
};

const struct function *function_find(const char *name, bool is_method)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].name, name))
			return is_method && !table[i].is_method ? NULL : &table[i];
	return NULL;
}

/* Arguments. */

static void *refuse(struct workspace *ws, const struct function *f, const char *what)
{
	return ws_fail(ws, ERR_UNSUPPORTED, "Unsupported expression: %s of np.%s", what, f->name);
}

static bool check(struct workspace *ws, const struct function *f, const struct arguments *args)
{
	bool one_axis = f->kind == REDUCTION && args->n > 1 && args->axis;

	if (args->n < f->min_args)
		return ws_fail(ws, ERR_TYPE, "%s() takes %u argument(s), %u given", f->name,
		               f->min_args, args->n);
	if (args->n > f->max_args || one_axis)
		return refuse(ws, f, "further arguments");
	if ((args->axis || args->keepdims) && f->kind != REDUCTION)
		return refuse(ws, f, "the keyword axis or keepdims");
	if (args->axes && f->kind != TRANSPOSE)
		return refuse(ws, f, "the keyword axes");
	return args->at[0]->origin != ORIGIN_NONE || refuse(ws, f, "None as argument");
}

/* The ints of an int, a tuple, or several ints from the k-th argument on; at most `room`. */
static bool read_ints(struct workspace *ws, const struct arguments *args, uint32_t k,
                      int64_t *ints, uint32_t room, uint32_t *n)
{
	*n = 0;
	for (uint32_t i = k; i < args->n; i++) {
		const struct ndarray *from = args->at[i];
		bool is_tuple = from->origin == ORIGIN_TUPLE && args->n == k + 1;
		struct str type = {0};

		if (!is_tuple && !ndarray_is_int(from)) {
			put_python_type(&type, from);
			ws_fail(ws, ERR_TYPE, "'%s' object cannot be interpreted as an integer",
			        type.text);
			str_release(&type);
			return false;
		}
		if (from->count > room - *n)
			return ws_fail(ws, ERR_VALUE,
			               "maximum supported dimension for an ndarray is %d",
			               SHAPE_MAX_RANK);
		for (uint32_t j = 0; j < from->count; j++)
			ints[(*n)++] = ndarray_item(from, j);
	}
	return true;
}

static bool read_axes(struct workspace *ws, const struct arguments *args, struct axes *axes)
{
	struct ndarray *given = args->n > 1 ? args->at[1] : args->axis;
	struct arguments only = { .n = 1, .at = { given } };

	*axes = (struct axes){0};
	if (args->keepdims && args->keepdims->shape.rank == 0)
		axes->keepdims = ndarray_item(args->keepdims, 0) != 0;
	if (!given || given->origin == ORIGIN_NONE)
		return true;
	axes->listed = given->origin == ORIGIN_TUPLE;
	return read_ints(ws, &only, 0, axes->axis, SHAPE_MAX_RANK, &axes->n);
}

static struct ndarray *call_reduction(struct workspace *ws, const struct function *f,
                                      const struct arguments *args)
{
	struct axes axes;

	return read_axes(ws, args, &axes) ?
	               reduce(ws, (enum reduction)f->which, args->at[0], &axes) :
	               NULL;
}

static struct ndarray *call_transpose(struct workspace *ws, const struct arguments *args)
{
	int64_t axes[SHAPE_MAX_RANK];
	struct arguments by_name = { .n = 2, .at = { args->at[0], args->axes } };
	const struct arguments *from = args->axes ? &by_name : args;
	uint32_t n;

	if (from->n == 1 || from->at[1]->origin == ORIGIN_NONE)
		return ndarray_transpose(ws, args->at[0], NULL, 0);
	if (!read_ints(ws, from, 1, axes, SHAPE_MAX_RANK, &n))
		return NULL;
	return ndarray_transpose(ws, args->at[0], axes, n);
}

static struct ndarray *call_reshape(struct workspace *ws, const struct arguments *args)
{
	int64_t dims[SHAPE_MAX_RANK];
	uint32_t n;

	if (!read_ints(ws, args, 1, dims, SHAPE_MAX_RANK, &n))
		return NULL;
	return ndarray_reshape(ws, args->at[0], dims, n);
}

struct ndarray *function_call(struct workspace *ws, const struct function *f,
                              const struct arguments *args)
{
	struct ndarray *const *at = args->at;

	if (!check(ws, f, args))
		return NULL;
	switch (f->kind) {
	case REDUCTION:
		return call_reduction(ws, f, args);
	case UNARY:
		return ufunc_unary(ws, (enum ufunc)f->which, at[0]);
	case BINARY:
		return ufunc_binary(ws, (enum ufunc)f->which, at[0], at[1]);
	case WHERE:
		return ufunc_where(ws, at[0], at[1], at[2]);
	case MATMUL:
		return matmul(ws, at[0], at[1]);
	case DOT:
		return matmul_dot(ws, at[0], at[1]);
	case TRANSPOSE:
		return call_transpose(ws, args);
	case RESHAPE:
		return call_reshape(ws, args);
	case SIZE:
		return ndarray_int(ws, (int64_t)at[0]->count);
	case SHAPE:
		return ndarray_tuple(ws, at[0]->shape.dim, at[0]->shape.rank);
	}
	return NULL;
}

/* Names. */

/* Is name one of the words of a text with a blank around each? */
static bool is_word_of(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = strstr(text, name); at && len; at = strstr(at + 1, name))
		if (at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

bool function_exists_in_numpy(const char *name)
{
	static const char names[] =
		" add allclose angle append apply_along_axis apply_over_axes arange arccos "
		"arccosh arcsin arcsinh arctan arctan2 arctanh argpartition argsort argwhere "
		"around array array_equal array_split asarray atleast_1d atleast_2d atleast_3d "
		"average bincount bitwise_and bitwise_not bitwise_or bitwise_xor block bool_ "
		"broadcast_to byte cbrt cdouble ceil clip complex complex128 complex64 complex_ "
		"compress concatenate conj conjugate convolve copy copysign corrcoef correlate "
		"cos cosh cov cross cumprod cumsum deg2rad degrees delete diag diagonal diff "
		"digitize divide divmod double dstack e einsum empty equal euler_gamma exp2 "
		"expand_dims expm1 eye fabs fft fix flatnonzero flip fliplr flipud float "
		"float16 float32 float64 float_ float_power floor floor_divide fmax fmin fmod "
		"frexp full full_like gcd geomspace gradient greater greater_equal half "
		"heaviside histogram hstack hypot identity imag in1d inner insert int int16 "
		"int32 int64 int8 int_ intersect1d invert isclose isin isneginf isposinf isreal "
		"kron lcm ldexp less less_equal linalg linspace log10 log1p log2 logaddexp "
		"logaddexp2 logical_and logical_not logical_or logical_xor logspace median "
		"meshgrid mod modf moveaxis multiply nan_to_num nanargmax nanargmin nanmax "
		"nanmean nanmedian nanmin nanpercentile nanprod nanstd nansum nanvar ndarray "
		"ndim negative newaxis nextafter nonzero not_equal ones ones_like outer pad "
		"partition percentile piecewise polyfit polyval positive power ptp put quantile "
		"rad2deg radians random ravel real reciprocal remainder repeat resize "
		"right_shift left_shift rint roll rollaxis rot90 round row_stack searchsorted "
		"select setdiff1d signbit sin sinc single sinh sort spacing split squeeze stack "
		"str subtract swapaxes take tan tanh tensordot tile trace trapz tri tril "
		"trim_zeros triu true_divide trunc uint uint16 uint32 uint64 uint8 union1d "
		"unique unravel_index unwrap vander vdot vectorize vstack zeros zeros_like ";

	return is_word_of(names, name);
}

bool attribute_exists_in_numpy(const char *name)
{
	static const char names[] =
		" argpartition argsort base byteswap choose clip compress conj conjugate copy "
		"ctypes cumprod cumsum data diagonal dtype dump dumps fill flags flat flatten "
		"getfield imag item itemset itemsize nbytes newbyteorder nonzero partition ptp "
		"put ravel real repeat resize round searchsorted setfield setflags sort squeeze "
		"strides swapaxes take tobytes tofile tolist tostring trace view ";

	return is_word_of(names, name);
}

bool function_dtype(const char *name, enum dtype *dtype)
{
	static const struct { const char *name; enum dtype dtype; } aliases[] = {
		{ "bool_", DTYPE_BOOL }, { "int", DTYPE_INT64 }, { "float", DTYPE_FLOAT64 },
		{ "half", DTYPE_FLOAT16 },
		{ "single", DTYPE_FLOAT32 }, { "double", DTYPE_FLOAT64 },
	};

	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (!strcmp(aliases[i].name, name)) {
			*dtype = aliases[i].dtype;
			return true;
		}
	}
	for (uint64_t wire = 1; wire <= DTYPE_UINT2; wire++) {
		const struct dtype_info *type = dtype_info(wire);

		if (type && promote_knows(type) && !strcmp(type->name, name)) {
			*dtype = type->dtype;
			return true;
		}
	}
	return false;
}
