#ifndef CMDS_UFUNC_H
#define CMDS_UFUNC_H

#include "cmds/array/expr.h"
#include "cmds/array/ndarray.h"

/*
 * Elementwise functions, with numpy's types, broadcasting and errors. A result of rank 0 is a
 * scalar. The memory order of results is that of the operands.
 * X(id, name): name is numpy's name of the function.
 */
#define UNARY_UFUNCS(X) \
	X(NEGATIVE, "negative") X(POSITIVE, "positive") X(INVERT, "invert") \
	X(ABSOLUTE, "absolute") X(ISNAN, "isnan") X(ISINF, "isinf") X(ISFINITE, "isfinite") \
	X(SQRT, "sqrt") X(SQUARE, "square") X(EXP, "exp") X(LOG, "log") X(SIGN, "sign") \
	X(EXP2, "exp2") X(EXPM1, "expm1") X(LOG2, "log2") X(LOG10, "log10") X(LOG1P, "log1p") \
	X(CBRT, "cbrt") X(SIN, "sin") X(COS, "cos") X(TAN, "tan") X(ARCSIN, "arcsin") \
	X(ARCCOS, "arccos") X(ARCTAN, "arctan") X(SINH, "sinh") X(COSH, "cosh") X(TANH, "tanh") \
	X(ARCSINH, "arcsinh") X(ARCCOSH, "arccosh") X(ARCTANH, "arctanh") X(FLOOR, "floor") \
	X(CEIL, "ceil") X(RINT, "rint") X(TRUNC, "trunc") X(FABS, "fabs") \
	X(RECIPROCAL, "reciprocal") X(CONJUGATE, "conjugate") X(DEGREES, "degrees") \
	X(RADIANS, "radians") X(SIGNBIT, "signbit") X(ISPOSINF, "isposinf") \
	X(ISNEGINF, "isneginf")
#define BINARY_UFUNCS(X) \
	X(ADD, "add") X(SUBTRACT, "subtract") X(MULTIPLY, "multiply") X(DIVIDE, "divide") \
	X(FLOOR_DIVIDE, "floor_divide") X(REMAINDER, "remainder") X(POWER, "power") \
	X(AND, "bitwise_and") X(OR, "bitwise_or") X(XOR, "bitwise_xor") \
	X(LESS, "less") X(LESS_EQUAL, "less_equal") X(GREATER, "greater") \
	X(GREATER_EQUAL, "greater_equal") X(EQUAL, "equal") X(NOT_EQUAL, "not_equal") \
	X(MAXIMUM, "maximum") X(MINIMUM, "minimum") X(FMAX, "fmax") X(FMIN, "fmin") \
	X(FMOD, "fmod") X(LEFT_SHIFT, "left_shift") X(RIGHT_SHIFT, "right_shift") \
	X(ARCTAN2, "arctan2") X(HYPOT, "hypot") X(COPYSIGN, "copysign") \
	X(LOGADDEXP, "logaddexp") X(LOGICAL_AND, "logical_and") X(LOGICAL_OR, "logical_or") \
	X(LOGICAL_XOR, "logical_xor")

enum ufunc {
#define X(id, name) UFUNC_##id,
	UNARY_UFUNCS(X) BINARY_UFUNCS(X)
#undef X
	N_UFUNCS
};

struct ndarray *ufunc_unary(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a);
struct ndarray *ufunc_binary(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                             const struct ndarray *b);
struct ndarray *ufunc_where(struct workspace *ws, const struct ndarray *condition,
                            const struct ndarray *a, const struct ndarray *b);

/* The function of an operator; not for @, which has none. */
enum ufunc ufunc_of(enum expr_op op);
const char *ufunc_name(enum ufunc ufunc);
bool ufunc_is_comparison(enum ufunc ufunc);      /* two numbers, one truth */

/* a ** b as the operator computes it: small powers of an array keep its type. */
struct ndarray *ufunc_power_of(struct workspace *ws, const struct ndarray *a,
                               const struct ndarray *b);

/* The loops; NULL: not for this kind of cell. out may be a or b. */
typedef void unary_loop(const void *a, size_t n, void *out);
typedef void binary_loop(const void *a, const void *b, size_t n, void *out);
unary_loop *ufunc_unary_loop(enum ufunc ufunc, enum cell cell);
binary_loop *ufunc_binary_loop(enum ufunc ufunc, enum cell cell);
/* Compares UINT with INT cells; unsigned_first: a is UINT, else b. */
binary_loop *ufunc_mixed_loop(enum ufunc ufunc, bool unsigned_first);

#endif
