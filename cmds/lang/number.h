#ifndef CMDS_NUMBER_H
#define CMDS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "dump/format/dtype.h"

/* Numbers as numpy and Python print them. */

/*
 * The shortest decimal digits that read back to the same value of their type: 0.d1d2d3... *
 * 10^point. bits 16, 32 or 64 says the type; x is finite and not zero; its sign is ignored.
 */
struct digits {
	char digit[20];          /* '0'..'9', not terminated, no trailing zeros */
	int n;
	int point;
};
void shortest_digits(double x, int bits, struct digits *out);

/*
 * The exact value of x (finite, not zero) rounded to n significant digits, 1 to 17, half to even;
 * may give fewer.
 */
void rounded_digits(double x, int n, struct digits *out);

/* A single float (numpy's repr of a scalar): "3.0", "1e-05", "nan". */
void put_float(struct str *out, double x, int bits);

/* A whole number of kind INT, UINT, BOOL or QUANT, in digits only. */
void put_whole(struct str *out, const struct dtype_info *type, const void *elem);

/*
 * The parts of an element of kind FLOAT or COMPLEX; imag is 0 for a float. Returns bits of one
 * part: 16, 32, 64.
 */
int float_parts(const struct dtype_info *type, const void *elem, double *real, double *imag);

/*
 * A single element of any array type as a slice shows it: "-2.0", "True", "(1+2j)", "(5,)". Not
 * for strings.
 */
void put_scalar(struct str *out, const struct dtype_info *type, const void *elem);

/* A Python bytes literal: b'abc'. */
void put_bytes_literal(struct str *out, const char *text, size_t len);

#endif
