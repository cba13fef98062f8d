#ifndef CMDS_TEXT_H
#define CMDS_TEXT_H

#include "cmds/array/ufunc.h"

/*
 * Comparisons where at least one operand is strings (arrays of them, bytes or str), byte by byte.
 * What is no string equals none.
 */
struct ndarray *text_compare(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                             const struct ndarray *b);

/* The same, or what ufunc_binary gives where there is no string or no comparison. */
struct ndarray *text_or_ufunc(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                              const struct ndarray *b);

/* The string of a single element. */
struct value_text text_of(const struct ndarray *a);
bool text_is(const struct ndarray *a, const char *text);         /* is it this str? */

/* -1, 0, 1 */
int text_order(const struct value_text *a, const struct value_text *b);

#endif
