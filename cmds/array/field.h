#ifndef CMDS_FIELD_H
#define CMDS_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "dump/format/dtype.h"

/*
 * How the elements of one array are written: numpy decides widths, digits and exponents once, over
 * all elements that are displayed. Source: numpy 1.21, core/arrayprint.py, with precision 8 and
 * floatmode maxprec.
 */

/* What a pass over the floats has found so far. */
struct float_scan {
	int bits;                /* 16, 32, 64 */
	bool any, any_nonzero, any_negative;     /* of the finite ones */
	bool any_odd, any_neg_inf;               /* odd: nan or infinite */
	double max, min;         /* of absolute values that are not 0 */
	double max_neg;          /* largest absolute value of a negative number */
	int decimals;            /* at most 8, as a decimal fraction */
	int mantissa_decimals;   /* at most 8, in scientific notation */
};

/* A column of floats. */
struct float_column {
	int bits;
	bool scientific, plus;   /* plus: positive numbers have a sign, too */
	int left;                /* columns before the point */
	int right;               /* digits after it; in scientific notation those of the mantissa */
	int exponent_digits;
	int width;               /* of every element */
};

struct field_scan {
	const struct dtype_info *type;
	struct float_scan real, imag;
	int whole_width;         /* of integers */
};

struct field {
	const struct dtype_info *type;
	struct float_column real, imag;
	int width;               /* columns of every element; 0: they differ */
};

void field_scan_start(struct field_scan *scan, const struct dtype_info *type);
void field_scan_add(struct field_scan *scan, const void *elems, size_t n); /* not for strings */
void field_settle(struct field *field, const struct field_scan *scan, uint32_t rank);

/* Appends an element, padded to the width. Not for strings. */
void field_put(const struct field *field, const void *elem, struct str *out);

#endif
