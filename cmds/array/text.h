#ifndef CMDS_TEXT_H
#define CMDS_TEXT_H

#include "cmds/array/ufunc.h"

/*
 * Compares byte by byte if at least one operand is a string (str, bytes, or an array of them). A
 * string never equals anything but a string.
 */
struct ndarray *text_compare(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                             const struct ndarray *b);

/* The same; if there is no string, or ufunc is no comparison, ufunc_binary. */
struct ndarray *text_or_ufunc(struct workspace *ws, enum ufunc ufunc, const struct ndarray *a,
                              const struct ndarray *b);

/* The string of a single element. */
struct value_text text_of(const struct ndarray *a);
bool text_is(const struct ndarray *a, const char *text);         /* is it this str? */

/* -1, 0, 1 */
int text_order(const struct value_text *a, const struct value_text *b);

#endif
