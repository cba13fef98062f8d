/*
 * One loop for each function and type of cell, written by macros from a list of expressions. Whole
 * numbers wrap around, which C promises only for unsigned ones. Results of comparisons and of
 * isnan and its kin are INT cells.
 * Source: numpy/core/src/umath/loops.c.src and npy_math for what happens at zeros, infinities and
 * signs.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "cmds/ufunc.h"

#define WRAP(operation) ((int64_t)((uint64_t)x operation (uint64_t)y))

/* Whole numbers. Dividing by zero gives 0, as numpy on x86. */

static int64_t floor_divide_int(int64_t x, int64_t y)
{
	if (y == 0 || (x == INT64_MIN && y == -1))
		return y ? INT64_MIN : 0;
	return x / y - (x % y && (x < 0) != (y < 0));
}

static int64_t remainder_int(int64_t x, int64_t y)
{
	int64_t rest;

	if (y == 0 || y == -1)
		return 0;
	rest = x % y;
	return rest && (rest < 0) != (y < 0) ? rest + y : rest;
}

static uint64_t power_uint(uint64_t x, uint64_t y)
{
	uint64_t result = 1;

	for (; y; y >>= 1, x *= x)
		if (y & 1)
			result *= x;
	return result;
}

/* Floats. The quotient is rounded down such that quotient * y + remainder is close to x. */
#define DIVISIONS(real, suffix) \
	static real modulo##suffix(real x, real y) \
	{ \
		real rest = fmod##suffix(x, y); \
		\
		if (!y) \
			return rest; \
		if (!rest) \
			return copysign##suffix(0, y); \
		return (y < 0) != (rest < 0) ? rest + y : rest; \
	} \
	\
	static real floor_divide##suffix(real x, real y) \
	{ \
		real rest = fmod##suffix(x, y), quotient, down; \
		\
		if (!y) \
			return x / y; \
		quotient = (x - rest) / y; \
		if (rest && (y < 0) != (rest < 0)) \
			quotient -= 1; \
		if (!quotient) \
			return copysign##suffix(0, x / y); \
		down = floor##suffix(quotient); \
		return quotient - down > (real)0.5 ? down + 1 : down; \
	}

#define fmod_ fmod
#define copysign_ copysign
#define floor_ floor
#define hypot_ hypot
DIVISIONS(float, f)
DIVISIONS(double, _)

/* Complex numbers; a quotient is scaled by the larger part of the divisor. */
#define COMPLEX_FUNCTIONS(type, real, suffix, c_real, c_suffix) \
	static type multiply##suffix(type x, type y) \
	{ \
		return (type){ x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re }; \
	} \
	\
	static type divide##suffix(type x, type y) \
	{ \
		real re = (real)fabs(y.re), im = (real)fabs(y.im), ratio, scale; \
		\
		if (re == 0 && im == 0) \
			return (type){ x.re / re, x.im / re }; \
		if (re >= im) { \
			ratio = y.im / y.re; \
			scale = 1 / (y.re + y.im * ratio); \
			return (type){ (x.re + x.im * ratio) * scale, \
			               (x.im - x.re * ratio) * scale }; \
		} \
		ratio = y.re / y.im; \
		scale = 1 / (y.im + y.re * ratio); \
		return (type){ (x.re * ratio + x.im) * scale, (x.im * ratio - x.re) * scale }; \
	} \
	\
	static type from_c##suffix(c_real _Complex z) \
	{ \
		return (type){ creal##c_suffix(z), cimag##c_suffix(z) }; \
	} \
	\
	static c_real _Complex to_c##suffix(type x) \
	{ \
		union { c_real parts[2]; c_real _Complex z; } both = { .parts = { x.re, x.im } }; \
		\
		return both.z; \
	} \
	\
	static type power##suffix(type x, type y) \
	{ \
		return from_c##suffix(cpow##c_suffix(to_c##suffix(x), to_c##suffix(y))); \
	}

#define cpow_ cpow
#define creal_ creal
#define cimag_ cimag
COMPLEX_FUNCTIONS(struct complex32, float, 32, float, f)
COMPLEX_FUNCTIONS(struct complex64, double, 64, double, _)

#define SIGN_OF(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x) == 0 ? 0 : (x))
#define LARGER(x, y) ((x) >= (y) || (x) != (x) ? (x) : (y))
#define SMALLER(x, y) ((x) <= (y) || (x) != (x) ? (x) : (y))
#define IS_NAN(x) ((x) != (x))
#define PARTS(operation) { x.re operation y.re, x.im operation y.im }

/* X(ufunc, cell, type, result type, expression of x) */
#define FLOAT_UNARIES(X, cell, type, suffix) \
	X(NEGATIVE, cell, type, type, -x) X(POSITIVE, cell, type, type, x) \
	X(ABSOLUTE, cell, type, type, fabs##suffix(x)) \
	X(ISNAN, cell, type, int64_t, IS_NAN(x)) X(ISINF, cell, type, int64_t, isinf(x) != 0) \
	X(ISFINITE, cell, type, int64_t, isfinite(x) != 0) \
	X(SQRT, cell, type, type, sqrt##suffix(x)) \
	X(SQUARE, cell, type, type, x * x) X(EXP, cell, type, type, exp##suffix(x)) \
	X(LOG, cell, type, type, log##suffix(x)) X(SIGN, cell, type, type, SIGN_OF(x))
#define COMPLEX_UNARIES(X, cell, type, real, suffix, c_suffix) \
	X(NEGATIVE, cell, type, type, ((type){ -x.re, -x.im })) X(POSITIVE, cell, type, type, x) \
	X(ABSOLUTE, cell, type, real, hypot##c_suffix(x.re, x.im)) \
	X(ISNAN, cell, type, int64_t, IS_NAN(x.re) || IS_NAN(x.im)) \
	X(ISINF, cell, type, int64_t, isinf(x.re) || isinf(x.im)) \
	X(ISFINITE, cell, type, int64_t, isfinite(x.re) && isfinite(x.im)) \
	X(SQUARE, cell, type, type, multiply##suffix(x, x)) \
	X(SQRT, cell, type, type, from_c##suffix(csqrt##c_suffix(to_c##suffix(x)))) \
	X(EXP, cell, type, type, from_c##suffix(cexp##c_suffix(to_c##suffix(x)))) \
	X(LOG, cell, type, type, from_c##suffix(clog##c_suffix(to_c##suffix(x))))
#define UNARIES(X) \
	X(NEGATIVE, INT, int64_t, int64_t, (int64_t)-(uint64_t)x) \
	X(POSITIVE, INT, int64_t, int64_t, x) \
	X(INVERT, INT, int64_t, int64_t, ~x) \
	X(ABSOLUTE, INT, int64_t, int64_t, x < 0 ? (int64_t)-(uint64_t)x : x) \
	X(ISNAN, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISINF, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISFINITE, INT, int64_t, int64_t, ((void)x, 1)) \
	X(SQUARE, INT, int64_t, int64_t, (int64_t)((uint64_t)x * (uint64_t)x)) \
	X(SIGN, INT, int64_t, int64_t, SIGN_OF(x)) \
	X(NEGATIVE, UINT, uint64_t, uint64_t, -x) X(POSITIVE, UINT, uint64_t, uint64_t, x) \
	X(INVERT, UINT, uint64_t, uint64_t, ~x) X(ABSOLUTE, UINT, uint64_t, uint64_t, x) \
	X(ISNAN, UINT, uint64_t, int64_t, ((void)x, 0)) \
	X(ISINF, UINT, uint64_t, int64_t, ((void)x, 0)) \
	X(ISFINITE, UINT, uint64_t, int64_t, ((void)x, 1)) \
	X(SQUARE, UINT, uint64_t, uint64_t, x * x) X(SIGN, UINT, uint64_t, uint64_t, x > 0) \
	FLOAT_UNARIES(X, FLOAT, float, f) FLOAT_UNARIES(X, DOUBLE, double, _) \
	COMPLEX_UNARIES(X, COMPLEX32, struct complex32, float, 32, f) \
	COMPLEX_UNARIES(X, COMPLEX64, struct complex64, double, 64, _)

/* X(ufunc, cell, type, result type, expression of x and y) */
#define COMPARISONS(X, cell, type) \
	X(LESS, cell, type, int64_t, x < y) X(LESS_EQUAL, cell, type, int64_t, x <= y) \
	X(GREATER, cell, type, int64_t, x > y) X(GREATER_EQUAL, cell, type, int64_t, x >= y) \
	X(EQUAL, cell, type, int64_t, x == y) X(NOT_EQUAL, cell, type, int64_t, x != y) \
	X(MAXIMUM, cell, type, type, LARGER(x, y)) X(MINIMUM, cell, type, type, SMALLER(x, y))
#define BITS(X, cell, type) \
	X(AND, cell, type, type, x & y) X(OR, cell, type, type, x | y) \
	X(XOR, cell, type, type, x ^ y)
#define FLOAT_BINARIES(X, cell, type, suffix) \
	X(ADD, cell, type, type, x + y) X(SUBTRACT, cell, type, type, x - y) \
	X(MULTIPLY, cell, type, type, x * y) \
	X(DIVIDE, cell, type, type, x / y) \
	X(FLOOR_DIVIDE, cell, type, type, floor_divide##suffix(x, y)) \
	X(REMAINDER, cell, type, type, modulo##suffix(x, y)) \
	X(POWER, cell, type, type, pow##suffix(x, y))
#define COMPLEX_BINARIES(X, cell, type, suffix) \
	X(ADD, cell, type, type, ((type)PARTS(+))) \
	X(SUBTRACT, cell, type, type, ((type)PARTS(-))) \
	X(MULTIPLY, cell, type, type, multiply##suffix(x, y)) \
	X(DIVIDE, cell, type, type, divide##suffix(x, y)) \
	X(POWER, cell, type, type, power##suffix(x, y)) \
	X(EQUAL, cell, type, int64_t, x.re == y.re && x.im == y.im) \
	X(NOT_EQUAL, cell, type, int64_t, x.re != y.re || x.im != y.im)
#define BINARIES(X) \
	X(ADD, INT, int64_t, int64_t, WRAP(+)) X(SUBTRACT, INT, int64_t, int64_t, WRAP(-)) \
	X(MULTIPLY, INT, int64_t, int64_t, WRAP(*)) \
	X(FLOOR_DIVIDE, INT, int64_t, int64_t, floor_divide_int(x, y)) \
	X(REMAINDER, INT, int64_t, int64_t, remainder_int(x, y)) \
	X(POWER, INT, int64_t, int64_t, (int64_t)power_uint((uint64_t)x, (uint64_t)y)) \
	X(ADD, UINT, uint64_t, uint64_t, x + y) X(SUBTRACT, UINT, uint64_t, uint64_t, x - y) \
	X(MULTIPLY, UINT, uint64_t, uint64_t, x * y) \
	X(FLOOR_DIVIDE, UINT, uint64_t, uint64_t, y ? x / y : 0) \
	X(REMAINDER, UINT, uint64_t, uint64_t, y ? x % y : 0) \
	X(POWER, UINT, uint64_t, uint64_t, power_uint(x, y)) \
	BITS(X, INT, int64_t) BITS(X, UINT, uint64_t) \
	COMPARISONS(X, INT, int64_t) COMPARISONS(X, UINT, uint64_t) \
	COMPARISONS(X, FLOAT, float) COMPARISONS(X, DOUBLE, double) \
	FLOAT_BINARIES(X, FLOAT, float, f) FLOAT_BINARIES(X, DOUBLE, double, _) \
	COMPLEX_BINARIES(X, COMPLEX32, struct complex32, 32) \
	COMPLEX_BINARIES(X, COMPLEX64, struct complex64, 64)

/* What the lists above call with the suffix _ is the function for double. */
#define fabs_ fabs
#define sqrt_ sqrt
#define exp_ exp
#define log_ log
#define pow_ pow
#define csqrt_ csqrt
#define cexp_ cexp
#define clog_ clog

#define UNARY_LOOP(ufunc, cell, type, result, expression) \
	static void ufunc##_##cell(const void *a, size_t n, void *out) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			type x = ((const type *)a)[i]; \
			\
			((result *)out)[i] = expression; \
		} \
	}
UNARIES(UNARY_LOOP)

#define BINARY_LOOP(ufunc, cell, type, result, expression) \
	static void ufunc##_##cell(const void *a, const void *b, size_t n, void *out) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			type x = ((const type *)a)[i], y = ((const type *)b)[i]; \
			\
			((result *)out)[i] = expression; \
		} \
	}
BINARIES(BINARY_LOOP)

#define ROW(ufunc, cell, type, result, expression) [UFUNC_##ufunc][CELL_##cell] = ufunc##_##cell,

unary_loop *ufunc_unary_loop(enum ufunc ufunc, enum cell cell)
{
	static unary_loop *const table[N_UFUNCS][N_CELLS] = { UNARIES(ROW) };

	return table[ufunc][cell];
}

binary_loop *ufunc_binary_loop(enum ufunc ufunc, enum cell cell)
{
	static binary_loop *const table[N_UFUNCS][N_CELLS] = { BINARIES(ROW) };

	return table[ufunc][cell];
}
