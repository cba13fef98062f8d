/*
 * One loop for each function and type of cell, written by macros from a list of expressions.
 * Integers wrap around, which C promises only for unsigned ones. Results of comparisons and of
 * isnan and its kin are INT cells.
 * Source: numpy/core/src/umath/loops.c.src and npy_math for what happens at zeros, infinities and
 * signs.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "cmds/array/ufunc.h"

#define WRAP(operation) ((int64_t)((uint64_t)x operation (uint64_t)y))

/* Integers. Division by zero gives 0, as in numpy on x86. */

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

static int64_t fmod_int(int64_t x, int64_t y)
{
	return y == 0 || y == -1 ? 0 : x % y;
}

/* Beyond the width nothing is left but the sign; so it is for a negative number of places. */
static int64_t left_shift_int(int64_t x, int64_t y)
{
	return (uint64_t)y < 64 ? (int64_t)((uint64_t)x << y) : 0;
}

static int64_t right_shift_int(int64_t x, int64_t y)
{
	return (uint64_t)y < 64 ? x >> y : x < 0 ? -1 : 0;
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
	} \
	\
	static real logaddexp##suffix(real x, real y) \
	{ \
		real off = x - y; \
		\
		if (x == y) \
			return x + (real)M_LN2; \
		if (off > 0) \
			return x + log1p##suffix(exp##suffix(-off)); \
		return off <= 0 ? y + log1p##suffix(exp##suffix(off)) : off; \
	}

/* With the suffix _ the lists call the functions for double. */
#define fmod_ fmod
#define copysign_ copysign
#define floor_ floor
#define hypot_ hypot
#define fabs_ fabs
#define sqrt_ sqrt
#define exp_ exp
#define exp2_ exp2
#define expm1_ expm1
#define log_ log
#define log2_ log2
#define log10_ log10
#define log1p_ log1p
#define cbrt_ cbrt
#define sin_ sin
#define cos_ cos
#define tan_ tan
#define asin_ asin
#define acos_ acos
#define atan_ atan
#define sinh_ sinh
#define cosh_ cosh
#define tanh_ tanh
#define asinh_ asinh
#define acosh_ acosh
#define atanh_ atanh
#define ceil_ ceil
#define rint_ rint
#define trunc_ trunc
#define atan2_ atan2
#define pow_ pow
#define csqrt_ csqrt
#define cexp_ cexp
#define clog_ clog
#define csin_ csin
#define ccos_ ccos
#define ctan_ ctan
#define casin_ casin
#define cacos_ cacos
#define catan_ catan
#define csinh_ csinh
#define ccosh_ ccosh
#define ctanh_ ctanh
#define casinh_ casinh
#define cacosh_ cacosh
#define catanh_ catanh
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
	/* Small integer powers by multiplying; 0 to any other power is nan. */ \
	static type power##suffix(type x, type y) \
	{ \
		type made = { 1, 0 }; \
		int n = y.im == 0 && fabs(y.re) < 100 ? (int)y.re : 100; \
		\
		if (y.re == 0 && y.im == 0) \
			return made; \
		if (x.re == 0 && x.im == 0) \
			return y.re > 0 ? (type){ 0, 0 } : (type){ NAN, NAN }; \
		if (n == 3 && y.re == 3) \
			return multiply##suffix(x, multiply##suffix(x, x)); \
		if (n < 100 && (real)n == y.re) { \
			for (n = abs(n); n; n >>= 1) { \
				made = n & 1 ? multiply##suffix(made, x) : made; \
				x = multiply##suffix(x, x); \
			} \
			return y.re < 0 ? divide##suffix((type){ 1, 0 }, made) : made; \
		} \
		return from_c##suffix(cpow##c_suffix(to_c##suffix(x), to_c##suffix(y))); \
	}

#define cpow_ cpow
#define creal_ creal
#define cimag_ cimag
COMPLEX_FUNCTIONS(struct complex32, float, 32, float, f)
COMPLEX_FUNCTIONS(struct complex64, double, 64, double, _)

#define COMPLEX_LOGS(type, real, suffix, c_suffix) \
	static type scaled##suffix(type x, real factor) \
	{ \
		return (type){ x.re * factor, x.im * factor }; \
	} \
	\
	static type log##suffix(type x) \
	{ \
		return from_c##suffix(clog##c_suffix(to_c##suffix(x))); \
	} \
	\
	static type log1p##suffix(type x) \
	{ \
		real size = hypot##c_suffix(x.re + 1, x.im); \
		\
		return (type){ log##c_suffix(size), atan2##c_suffix(x.im, x.re + 1) }; \
	} \
	\
	static type expm1##suffix(type x) \
	{ \
		real half = sin##c_suffix(x.im / 2); \
		\
		return (type){ expm1##c_suffix(x.re) * cos##c_suffix(x.im) - 2 * half * half, \
		               sin##c_suffix(x.im) * exp##c_suffix(x.re) }; \
	} \
	\
	static type exp2##suffix(type x) \
	{ \
		type power = scaled##suffix(x, (real)M_LN2); \
		\
		return from_c##suffix(cexp##c_suffix(to_c##suffix(power))); \
	}
COMPLEX_LOGS(struct complex32, float, 32, f)
COMPLEX_LOGS(struct complex64, double, 64, _)

#define SIGN_OF(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x) == 0 ? 0 : (x))
#define LARGER(x, y) ((x) >= (y) || (x) != (x) ? (x) : (y))
#define SMALLER(x, y) ((x) <= (y) || (x) != (x) ? (x) : (y))
#define LARGER_NUMBER(x, y) ((x) > (y) || (y) != (y) ? (x) : (y))
#define SMALLER_NUMBER(x, y) ((x) < (y) || (y) != (y) ? (x) : (y))
/* Of complex numbers the real part decides, then the imaginary one; a nan in it decides nothing. */
#define HAS_NAN(x) ((x).re != (x).re || (x).im != (x).im)
#define ORDERED(x, y, strict, last) \
	(((x).re strict (y).re && (x).im == (x).im && (y).im == (y).im) || \
	 ((x).re == (y).re && (x).im last (y).im))
#define COMPLEX_SIGN(x, type, zero) \
	((type){ ORDERED(x, zero, >, >) ? 1 : ORDERED(x, zero, <, <) ? -1 : \
	         HAS_NAN(x) ? NAN : 0, 0 })
#define IS_NAN(x) ((x) != (x))
#define PARTS(operation) { x.re operation y.re, x.im operation y.im }

/* X(ufunc, cell, type, result type, expression of x) */
#define FLOAT_UNARIES(X, cell, type, suffix) \
	X(NEGATIVE, cell, type, type, -x) X(POSITIVE, cell, type, type, x) \
	X(ABSOLUTE, cell, type, type, fabs##suffix(x)) \
	X(ISNAN, cell, type, int64_t, IS_NAN(x)) X(ISINF, cell, type, int64_t, isinf(x) != 0) \
	X(ISFINITE, cell, type, int64_t, isfinite(x) != 0) \
	X(SQRT, cell, type, type, sqrt##suffix(x)) \
	X(SQUARE, cell, type, type, x * x) X(SIGN, cell, type, type, SIGN_OF(x)) \
	X(FABS, cell, type, type, fabs##suffix(x)) X(RECIPROCAL, cell, type, type, 1 / x) \
	X(CONJUGATE, cell, type, type, x) \
	X(DEGREES, cell, type, type, x * ((type)180 / (type)M_PI)) \
	X(RADIANS, cell, type, type, x * ((type)M_PI / (type)180)) \
	X(SIGNBIT, cell, type, int64_t, signbit(x) != 0) \
	X(ISPOSINF, cell, type, int64_t, isinf(x) && x > 0) \
	X(ISNEGINF, cell, type, int64_t, isinf(x) && x < 0) \
	CALLS(X, cell, type, suffix)
/* X(...): functions of the C library */
#define CALL(X, ufunc, cell, type, function) X(ufunc, cell, type, type, function(x))
#define CALLS(X, cell, type, suffix) \
	CALL(X, EXP, cell, type, exp##suffix) CALL(X, LOG, cell, type, log##suffix) \
	CALL(X, EXP2, cell, type, exp2##suffix) CALL(X, EXPM1, cell, type, expm1##suffix) \
	CALL(X, LOG2, cell, type, log2##suffix) CALL(X, LOG10, cell, type, log10##suffix) \
	CALL(X, LOG1P, cell, type, log1p##suffix) CALL(X, CBRT, cell, type, cbrt##suffix) \
	CALL(X, SIN, cell, type, sin##suffix) CALL(X, COS, cell, type, cos##suffix) \
	CALL(X, TAN, cell, type, tan##suffix) CALL(X, ARCSIN, cell, type, asin##suffix) \
	CALL(X, ARCCOS, cell, type, acos##suffix) CALL(X, ARCTAN, cell, type, atan##suffix) \
	CALL(X, SINH, cell, type, sinh##suffix) CALL(X, COSH, cell, type, cosh##suffix) \
	CALL(X, TANH, cell, type, tanh##suffix) CALL(X, ARCSINH, cell, type, asinh##suffix) \
	CALL(X, ARCCOSH, cell, type, acosh##suffix) CALL(X, ARCTANH, cell, type, atanh##suffix) \
	CALL(X, FLOOR, cell, type, floor##suffix) CALL(X, CEIL, cell, type, ceil##suffix) \
	CALL(X, RINT, cell, type, rint##suffix) CALL(X, TRUNC, cell, type, trunc##suffix)
#define COMPLEX_CALL(X, ufunc, cell, type, suffix, function) \
	X(ufunc, cell, type, type, from_c##suffix(function(to_c##suffix(x))))
#define COMPLEX_CALLS(X, cell, type, s, c) \
	COMPLEX_CALL(X, SQRT, cell, type, s, csqrt##c) \
	COMPLEX_CALL(X, EXP, cell, type, s, cexp##c) COMPLEX_CALL(X, LOG, cell, type, s, clog##c) \
	COMPLEX_CALL(X, SIN, cell, type, s, csin##c) \
	COMPLEX_CALL(X, COS, cell, type, s, ccos##c) COMPLEX_CALL(X, TAN, cell, type, s, ctan##c) \
	COMPLEX_CALL(X, ARCSIN, cell, type, s, casin##c) \
	COMPLEX_CALL(X, ARCCOS, cell, type, s, cacos##c) \
	COMPLEX_CALL(X, ARCTAN, cell, type, s, catan##c) \
	COMPLEX_CALL(X, SINH, cell, type, s, csinh##c) \
	COMPLEX_CALL(X, COSH, cell, type, s, ccosh##c) \
	COMPLEX_CALL(X, TANH, cell, type, s, ctanh##c) \
	COMPLEX_CALL(X, ARCSINH, cell, type, s, casinh##c) \
	COMPLEX_CALL(X, ARCCOSH, cell, type, s, cacosh##c) \
	COMPLEX_CALL(X, ARCTANH, cell, type, s, catanh##c)
#define COMPLEX_UNARIES(X, cell, type, real, suffix, c_suffix) \
	X(NEGATIVE, cell, type, type, ((type){ -x.re, -x.im })) X(POSITIVE, cell, type, type, x) \
	X(ABSOLUTE, cell, type, real, hypot##c_suffix(x.re, x.im)) \
	X(ISNAN, cell, type, int64_t, IS_NAN(x.re) || IS_NAN(x.im)) \
	X(ISINF, cell, type, int64_t, isinf(x.re) || isinf(x.im)) \
	X(ISFINITE, cell, type, int64_t, isfinite(x.re) && isfinite(x.im)) \
	X(SQUARE, cell, type, type, multiply##suffix(x, x)) \
	X(CONJUGATE, cell, type, type, ((type){ x.re, -x.im })) \
	X(RINT, cell, type, type, ((type){ rint##c_suffix(x.re), rint##c_suffix(x.im) })) \
	X(RECIPROCAL, cell, type, type, divide##suffix((type){ 1, 0 }, x)) \
	X(SIGN, cell, type, type, COMPLEX_SIGN(x, type, ((type){ 0, 0 }))) \
	X(LOG1P, cell, type, type, log1p##suffix(x)) \
	X(EXPM1, cell, type, type, expm1##suffix(x)) X(EXP2, cell, type, type, exp2##suffix(x)) \
	X(LOG2, cell, type, type, scaled##suffix(log##suffix(x), (real)M_LOG2E)) \
	X(LOG10, cell, type, type, scaled##suffix(log##suffix(x), (real)M_LOG10E)) \
	COMPLEX_CALLS(X, cell, type, suffix, c_suffix)
#define UNARIES(X) \
	X(NEGATIVE, INT, int64_t, int64_t, (int64_t)-(uint64_t)x) \
	X(POSITIVE, INT, int64_t, int64_t, x) \
	X(INVERT, INT, int64_t, int64_t, ~x) \
	X(ABSOLUTE, INT, int64_t, int64_t, x < 0 ? (int64_t)-(uint64_t)x : x) \
	X(ISNAN, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISINF, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISFINITE, INT, int64_t, int64_t, ((void)x, 1)) \
	X(SQUARE, INT, int64_t, int64_t, (int64_t)((uint64_t)x * (uint64_t)x)) \
	X(SIGN, INT, int64_t, int64_t, SIGN_OF(x)) X(CONJUGATE, INT, int64_t, int64_t, x) \
	X(RECIPROCAL, INT, int64_t, int64_t, x == 1 || x == -1 ? x : x ? 0 : INT64_MIN) \
	X(ISPOSINF, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISNEGINF, INT, int64_t, int64_t, ((void)x, 0)) \
	X(ISPOSINF, UINT, uint64_t, int64_t, ((void)x, 0)) \
	X(ISNEGINF, UINT, uint64_t, int64_t, ((void)x, 0)) \
	X(CONJUGATE, UINT, uint64_t, uint64_t, x) \
	X(RECIPROCAL, UINT, uint64_t, uint64_t, x == 1 ? 1 : x ? 0 : (uint64_t)INT64_MIN) \
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
	X(MAXIMUM, cell, type, type, LARGER(x, y)) X(MINIMUM, cell, type, type, SMALLER(x, y)) \
	X(FMAX, cell, type, type, LARGER_NUMBER(x, y)) \
	X(FMIN, cell, type, type, SMALLER_NUMBER(x, y))
#define BITS(X, cell, type) \
	X(AND, cell, type, type, x & y) X(OR, cell, type, type, x | y) \
	X(XOR, cell, type, type, x ^ y)
#define FLOAT_BINARIES(X, cell, type, suffix) \
	X(ADD, cell, type, type, x + y) X(SUBTRACT, cell, type, type, x - y) \
	X(MULTIPLY, cell, type, type, x * y) \
	X(DIVIDE, cell, type, type, x / y) \
	X(FLOOR_DIVIDE, cell, type, type, floor_divide##suffix(x, y)) \
	X(REMAINDER, cell, type, type, modulo##suffix(x, y)) \
	X(POWER, cell, type, type, pow##suffix(x, y)) \
	X(FMOD, cell, type, type, fmod##suffix(x, y)) \
	X(ARCTAN2, cell, type, type, atan2##suffix(x, y)) \
	X(HYPOT, cell, type, type, hypot##suffix(x, y)) \
	X(COPYSIGN, cell, type, type, copysign##suffix(x, y)) \
	X(LOGADDEXP, cell, type, type, logaddexp##suffix(x, y))
#define COMPLEX_BINARIES(X, cell, type, suffix) \
	X(ADD, cell, type, type, ((type)PARTS(+))) \
	X(SUBTRACT, cell, type, type, ((type)PARTS(-))) \
	X(MULTIPLY, cell, type, type, multiply##suffix(x, y)) \
	X(DIVIDE, cell, type, type, divide##suffix(x, y)) \
	X(POWER, cell, type, type, power##suffix(x, y)) \
	X(EQUAL, cell, type, int64_t, x.re == y.re && x.im == y.im) \
	X(NOT_EQUAL, cell, type, int64_t, x.re != y.re || x.im != y.im) \
	X(LESS, cell, type, int64_t, ORDERED(x, y, <, <)) \
	X(LESS_EQUAL, cell, type, int64_t, ORDERED(x, y, <, <=)) \
	X(GREATER, cell, type, int64_t, ORDERED(x, y, >, >)) \
	X(GREATER_EQUAL, cell, type, int64_t, ORDERED(x, y, >, >=)) \
	X(MAXIMUM, cell, type, type, HAS_NAN(x) || ORDERED(x, y, >, >=) ? x : y) \
	X(MINIMUM, cell, type, type, HAS_NAN(x) || ORDERED(x, y, <, <=) ? x : y) \
	X(FMAX, cell, type, type, HAS_NAN(y) || ORDERED(x, y, >, >=) ? x : y) \
	X(FMIN, cell, type, type, HAS_NAN(y) || ORDERED(x, y, <, <=) ? x : y)
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
	X(FMOD, INT, int64_t, int64_t, fmod_int(x, y)) \
	X(FMOD, UINT, uint64_t, uint64_t, y ? x % y : 0) \
	X(LEFT_SHIFT, INT, int64_t, int64_t, left_shift_int(x, y)) \
	X(LEFT_SHIFT, UINT, uint64_t, uint64_t, y < 64 ? x << y : 0) \
	X(RIGHT_SHIFT, INT, int64_t, int64_t, right_shift_int(x, y)) \
	X(RIGHT_SHIFT, UINT, uint64_t, uint64_t, y < 64 ? x >> y : 0) \
	BITS(X, INT, int64_t) BITS(X, UINT, uint64_t) \
	COMPARISONS(X, INT, int64_t) COMPARISONS(X, UINT, uint64_t) \
	COMPARISONS(X, FLOAT, float) COMPARISONS(X, DOUBLE, double) \
	FLOAT_BINARIES(X, FLOAT, float, f) FLOAT_BINARIES(X, DOUBLE, double, _) \
	COMPLEX_BINARIES(X, COMPLEX32, struct complex32, 32) \
	COMPLEX_BINARIES(X, COMPLEX64, struct complex64, 64)

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

#define MIXED_LOOPS(ufunc, operation) \
	static void ufunc##_INT_UINT(const void *a, const void *b, size_t n, void *out) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			int64_t x = ((const int64_t *)a)[i]; \
			uint64_t y = ((const uint64_t *)b)[i]; \
			\
			((int64_t *)out)[i] = x < 0 ? -1 operation 0 : (uint64_t)x operation y; \
		} \
	} \
	\
	static void ufunc##_UINT_INT(const void *a, const void *b, size_t n, void *out) \
	{ \
		for (size_t i = 0; i < n; i++) { \
			uint64_t x = ((const uint64_t *)a)[i]; \
			int64_t y = ((const int64_t *)b)[i]; \
			\
			((int64_t *)out)[i] = y < 0 ? 0 operation -1 : x operation (uint64_t)y; \
		} \
	}
#define MIXED(X) \
	X(LESS, <) X(LESS_EQUAL, <=) X(GREATER, >) X(GREATER_EQUAL, >=) X(EQUAL, ==) \
	X(NOT_EQUAL, !=)
MIXED(MIXED_LOOPS)

binary_loop *ufunc_mixed_loop(enum ufunc ufunc, bool unsigned_first)
{
#define X(ufunc, operation) [UFUNC_##ufunc] = { ufunc##_INT_UINT, ufunc##_UINT_INT },
	static binary_loop *const table[N_UFUNCS][2] = { MIXED(X) };
#undef X

	return table[ufunc][unsigned_first];
}
