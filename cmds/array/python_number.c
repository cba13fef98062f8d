#include "cmds/array/python_number.h"

#include <math.h>

#include "cmds/array/ufunc.h"

struct ndarray *python_refuse(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                               const struct ndarray *b)
{
	if (!b)
		return ws_fail(ws, ERR_TYPE, "bad operand type for unary %s: '%s'",
		               expr_op_text(op), python_type_of(a).name);
	return ws_fail(ws, ERR_TYPE, "unsupported operand type(s) for %s: '%s' and '%s'",
	               expr_op_text(op), python_type_of(a).name, python_type_of(b).name);
}

static struct ndarray *too_large(struct workspace *ws)
{
	return ws_refuse(ws, "a whole number beyond 64 bits");
}

static bool is_float(const struct ndarray *a)
{
	return a->type->kind == KIND_FLOAT;
}

static double real_of(const struct ndarray *a)
{
	double real;

	cells_load(a->type, a->first, 0, 1, CELL_DOUBLE, &real);
	return real;
}

static bool is_complex(const struct ndarray *a)
{
	return a->type->kind == KIND_COMPLEX;
}

static struct complex64 complex_of(const struct ndarray *a)
{
	struct complex64 value;

	cells_load(a->type, a->first, 0, 1, CELL_COMPLEX64, &value);
	return value;
}

struct ndarray *python_unary(struct workspace *ws, enum expr_op op, const struct ndarray *a)
{
	struct complex64 parts;
	int64_t whole;

	if (is_complex(a)) {
		parts = complex_of(a);
		if (op == OP_INVERT)
			return python_refuse(ws, op, a, NULL);
		return op == OP_NEG ? ndarray_complex(ws, -parts.re, -parts.im) :
		                      ndarray_complex(ws, parts.re, parts.im);
	}
	if (is_float(a)) {
		if (op == OP_INVERT)
			return python_refuse(ws, op, a, NULL);
		return ndarray_float(ws, op == OP_NEG ? -real_of(a) : real_of(a));
	}
	whole = ndarray_item(a, 0);
	if (op == OP_INVERT)
		return ndarray_int(ws, ~whole);
	if (op == OP_NEG && __builtin_sub_overflow(0, whole, &whole))
		return too_large(ws);
	return ndarray_int(ws, whole);
}

static bool is_comparison(enum expr_op op)
{
	return op <= OP_NE;
}

static bool is_bitwise(enum expr_op op)
{
	return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_LEFT_SHIFT ||
	       op == OP_RIGHT_SHIFT;
}

static struct ndarray *binary_complexes(struct workspace *ws, enum expr_op op,
                                        const struct ndarray *a, const struct ndarray *b)
{
	struct complex64 x = complex_of(a), y = complex_of(b), result;
	int64_t truth;

	switch (op) {
	case OP_EQ:
	case OP_NE:
		ufunc_binary_loop(ufunc_of(op), CELL_COMPLEX64)(&x, &y, 1, &truth);
		return ndarray_bool(ws, truth);
	case OP_DIV:
		if (!y.re && !y.im)
			return ws_fail(ws, ERR_ZERO_DIVISION, "complex division by zero");
		break;
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
		break;
	case OP_POW:
		return ws_refuse(ws, "a power of complex numbers");
	default:
		return python_refuse(ws, op, a, b);
	}
	ufunc_binary_loop(ufunc_of(op), CELL_COMPLEX64)(&x, &y, 1, &result);
	return ndarray_complex(ws, result.re, result.im);
}

static struct ndarray *power_of_floats(struct workspace *ws, double x, double y)
{
	double result = pow(x, y);

	if (x == 0 && y < 0)
		return ws_fail(ws, ERR_ZERO_DIVISION, "0.0 cannot be raised to a negative power");
	if (isnan(result) && !isnan(x) && !isnan(y)) {  /* of a negative number: complex */
		result = pow(-x, y);
		return ndarray_complex(ws, result * cos(M_PI * y), result * sin(M_PI * y));
	}
	if (isinf(result) && isfinite(x) && isfinite(y))
		return ws_refuse(ws, "a number beyond the range of floats");
	return ndarray_float(ws, result);
}

static struct ndarray *power_of_ints(struct workspace *ws, int64_t x, int64_t y)
{
	int64_t result = 1;

	if (y < 0)
		return power_of_floats(ws, (double)x, (double)y);
	for (; y; y >>= 1) {
		if (y & 1 && __builtin_mul_overflow(result, x, &result))
			return too_large(ws);
		if (y > 1 && __builtin_mul_overflow(x, x, &x))
			return too_large(ws);
	}
	return ndarray_int(ws, result);
}

static bool check_zero(struct workspace *ws, enum expr_op op, double divisor, bool floats)
{
	const char *what;

	if (divisor != 0 || (op != OP_DIV && op != OP_FLOOR_DIV && op != OP_MOD))
		return true;
	if (floats)
		what = op == OP_DIV ? "float division by zero" :
		       op == OP_MOD ? "float modulo" :
		                      "float divmod()";
	else
		what = op == OP_DIV ? "division by zero" : "integer division or modulo by zero";
	return ws_fail(ws, ERR_ZERO_DIVISION, "%s", what);
}

static struct ndarray *binary_floats(struct workspace *ws, enum expr_op op, double x, double y)
{
	binary_loop *loop = ufunc_binary_loop(ufunc_of(op), CELL_DOUBLE);
	int64_t truth;
	double result;

	if (is_comparison(op)) {
		loop(&x, &y, 1, &truth);
		return ndarray_bool(ws, truth);
	}
	loop(&x, &y, 1, &result);
	return ndarray_float(ws, result);
}

static struct ndarray *binary_ints(struct workspace *ws, enum expr_op op, int64_t x, int64_t y,
                                   bool bools)
{
	int64_t result = 0;
	bool over = false;

	if (op == OP_ADD)
		over = __builtin_add_overflow(x, y, &result);
	else if (op == OP_SUB)
		over = __builtin_sub_overflow(x, y, &result);
	else if (op == OP_MUL)
		over = __builtin_mul_overflow(x, y, &result);
	else if (op == OP_FLOOR_DIV && x == INT64_MIN && y == -1)
		over = true;
	else if (op == OP_LEFT_SHIFT && y >= 0)
		over = x && (y > 62 || __builtin_mul_overflow(x, (int64_t)1 << y, &result));
	else if ((op == OP_LEFT_SHIFT || op == OP_RIGHT_SHIFT) && y < 0)
		return ws_fail(ws, ERR_VALUE, "negative shift count");
	else
		ufunc_binary_loop(ufunc_of(op), CELL_INT)(&x, &y, 1, &result);
	if (over)
		return too_large(ws);
	if (is_comparison(op) || (bools && is_bitwise(op) && op != OP_LEFT_SHIFT &&
	                          op != OP_RIGHT_SHIFT))
		return ndarray_bool(ws, result);
	return ndarray_int(ws, result);
}

struct ndarray *python_binary(struct workspace *ws, enum expr_op op, const struct ndarray *a,
                              const struct ndarray *b)
{
	bool floats = is_float(a) || is_float(b);

	if (is_complex(a) || is_complex(b))
		return binary_complexes(ws, op, a, b);
	if (op == OP_MATMUL || (floats && is_bitwise(op)))
		return python_refuse(ws, op, a, b);
	if (!check_zero(ws, op, real_of(b), floats))
		return NULL;
	if (op == OP_POW && floats)
		return power_of_floats(ws, real_of(a), real_of(b));
	if (op == OP_POW)
		return power_of_ints(ws, ndarray_item(a, 0), ndarray_item(b, 0));
	if (floats || op == OP_DIV)
		return binary_floats(ws, op, real_of(a), real_of(b));
	return binary_ints(ws, op, ndarray_item(a, 0), ndarray_item(b, 0),
	                   a->type->kind == KIND_BOOL && b->type->kind == KIND_BOOL);
}
