#ifndef TESTS_SHOWN_H
#define TESTS_SHOWN_H

#include <stdint.h>

#include "dump/base/str.h"

/* What was read, as a text that a test writes down. */
void put_ints(struct str *out, const int64_t *ints, uint32_t n);         /* "[2 3]" */

/* The test fails if it is not this text; *shown is released. */
void shown_is(struct str *shown, const char *wanted);

#endif
