#ifndef CMDS_PROMOTE_H
#define CMDS_PROMOTE_H

#include "cmds/array/ndarray.h"

/*
 * Which type a result has: numpy 1's rules. Types are those numpy has itself: bool, whole numbers
 * of 8 to 64 bits, floats of 16 to 64, complex64 and complex128; and bfloat16, which holds bool,
 * int8 and uint8 and meets all others as if it were float32.
 */
bool promote_knows(const struct dtype_info *type);

/* The smallest type that holds both. */
enum dtype promote_types(enum dtype a, enum dtype b);

/*
 * The same for two operands. Beside an array of rank 1 or more a single number counts as the
 * smallest type that holds its value, unless it is of a higher kind (bool, whole, float).
 */
enum dtype promote_operands(const struct ndarray *a, const struct ndarray *b);
/* The type in which real functions of two numbers (arctan2, hypot) take them. */
enum dtype promote_floats(const struct ndarray *a, const struct ndarray *b);
/*
 * The same as promote_operands for functions whose loops numpy tries one after the other: those of
 * numbers with a sign come first, where the array has none and the number fits.
 */
enum dtype promote_by_loops(const struct ndarray *a, const struct ndarray *b);
bool promote_is_whole(const struct dtype_info *type);    /* bool too */

/* The float type in which functions such as sqrt take numbers of this type. */
enum dtype promote_to_float(enum dtype dtype);

#endif
