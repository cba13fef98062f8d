#ifndef CMDS_UFUNC_H
#define CMDS_UFUNC_H

#include "cmds/ndarray.h"

/*
 * Functions of elements, with numpy's types, broadcasting and errors. A result of rank 0 is a
 * scalar. Results lie in memory as their operands do.
 * X(id, name)  name: numpy's
 */
#define UNARY_UFUNCS(X) \
	X(NEGATIVE, "negative") X(POSITIVE, "positive") X(INVERT, "invert") \
	X(ABSOLUTE, "absolute") X(ISNAN, "isnan") X(ISINF, "isinf") X(ISFINITE, "isfinite") \
	X(SQRT, "sqrt") X(SQUARE, "square") X(EXP, "exp") X(LOG, "log") X(SIGN, "sign")
#define BINARY_UFUNCS(X) \
	X(ADD, "add") X(SUBTRACT, "subtract") X(MULTIPLY, "multiply") X(DIVIDE, "true_divide") \
	X(FLOOR_DIVIDE, "floor_divide") X(REMAINDER, "remainder") X(POWER, "power") \
	X(AND, "bitwise_and") X(OR, "bitwise_or") X(XOR, "bitwise_xor") \
	X(LESS, "less") X(LESS_EQUAL, "less_equal") X(GREATER, "greater") \
	X(GREATER_EQUAL, "greater_equal") X(EQUAL, "equal") X(NOT_EQUAL, "not_equal") \
	X(MAXIMUM, "maximum") X(MINIMUM, "minimum")

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

/* a ** b as the operator computes it: small powers of an array keep its type. */
struct ndarray *ufunc_power_of(struct workspace *ws, const struct ndarray *a,
                               const struct ndarray *b);

/* The loops themselves; NULL: not for numbers of this kind. out may be a or b. */
typedef void unary_loop(const void *a, size_t n, void *out);
typedef void binary_loop(const void *a, const void *b, size_t n, void *out);
unary_loop *ufunc_unary_loop(enum ufunc ufunc, enum cell cell);
binary_loop *ufunc_binary_loop(enum ufunc ufunc, enum cell cell);

#endif
