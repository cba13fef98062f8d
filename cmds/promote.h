#ifndef CMDS_PROMOTE_H
#define CMDS_PROMOTE_H

#include "cmds/ndarray.h"

/*
 * Which type a result has: numpy 1's rules. Types are those numpy has itself: bool, whole numbers
 * of 8 to 64 bits, floats of 16 to 64, complex64 and complex128.
 */
bool promote_knows(const struct dtype_info *type);

/* The smallest type that holds both. */
enum dtype promote_types(enum dtype a, enum dtype b);

/*
 * The same for two operands. Beside an array of rank 1 or more a single number counts as the
 * smallest type that holds its value, unless it is of a higher kind (bool, whole, float).
 */
enum dtype promote_operands(const struct ndarray *a, const struct ndarray *b);

/* The float type in which functions such as sqrt take numbers of this type. */
enum dtype promote_to_float(enum dtype dtype);

#endif
