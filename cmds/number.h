#ifndef CMDS_NUMBER_H
#define CMDS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"
#include "dump/dtype.h"

/* Numbers as numpy and Python print them. */

/*
 * The shortest decimal digits that read back to the same value of their type: 0.d1d2d3... * 10^point.
 * bits 16, 32 or 64 says the type; x is finite and not zero; its sign is ignored.
 */
struct digits {
	char digit[20];          /* '0'..'9', not terminated, no trailing zeros */
	int n;
	int point;
};
void shortest_digits(double x, int bits, struct digits *out);

/* A single float (numpy's repr of a scalar): "3.0", "1e-05", "nan". */
void put_float(struct str *out, double x, int bits);

/* A single element of any array type as a slice shows it: "-2.0", "True", "(1+2j)", "(5,)". Not for strings. */
void put_scalar(struct str *out, const struct dtype_info *type, const void *elem);

/* A Python bytes literal: b'abc'. */
void put_bytes(struct str *out, const char *text, size_t len);

#endif
