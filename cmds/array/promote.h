#ifndef CMDS_PROMOTE_H
#define CMDS_PROMOTE_H

#include "cmds/array/ndarray.h"

/*
 * The dtype of a result, by numpy 1's rules. Knows numpy's own: bool, integers of 8 to 64 bits,
 * floats of 16 to 64, complex64 and complex128; and bfloat16, which can hold bool, int8 and uint8,
 * and counts as float32 beside all others.
 */
bool promote_knows(const struct dtype_info *type);

/* The smallest type that can hold both. */
enum dtype promote_types(enum dtype a, enum dtype b);

/*
 * The same for two operands. Beside an array of rank 1 or more, a single number counts as the
 * smallest type that can hold its value, unless it is of a higher kind (bool, integer, float).
 */
enum dtype promote_operands(const struct ndarray *a, const struct ndarray *b);
/* The type that real functions of two numbers (arctan2, hypot) convert them to. */
enum dtype promote_floats(const struct ndarray *a, const struct ndarray *b);
/*
 * As promote_operands, for functions whose loops numpy tries in order: if the array is unsigned and
 * the number fits, the signed loop comes first.
 */
enum dtype promote_by_loops(const struct ndarray *a, const struct ndarray *b);
bool promote_is_whole(const struct dtype_info *type);    /* or bool */

/* The float type that functions such as sqrt convert this type to. */
enum dtype promote_to_float(enum dtype dtype);

#endif
