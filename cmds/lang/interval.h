#ifndef CMDS_INTERVAL_H
#define CMDS_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"

/*
 * "<=N", "<N", ">=N", ">N", "[a, b]", "(a, b)" and mixed: sizes ("1.5k", in bytes) or times ("3ms",
 * in microseconds).
 * Source: tfdbg's command_parser.py.
 */
enum interval_unit { INTERVAL_SIZE, INTERVAL_TIME };

struct interval {
	int64_t low, high;       /* bytes or microseconds; without an upper end high is INT64_MAX */
	bool low_in, high_in; /* the end itself belongs to it; "<N" leaves 0 out, as tfdbg does */
};

/* ERR_VALUE with tfdbg's text. Values beyond 64 bits are clamped. */
bool interval_parse(const char *text, enum interval_unit unit, struct interval *out,
                    struct err *err);
bool interval_holds(const struct interval *interval, int64_t value);

/* Has the text the form of an interval? Only the beginnings of its operands count. */
bool interval_is(const char *text);

#endif
