#ifndef TESTS_TRACES_H
#define TESTS_TRACES_H

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/profile/trace.h"

/* The trace that a test has open, of bytes it wrote; NULL: reading failed, as trace_err says. */
extern struct trace *trace;
extern struct err trace_err;

/* In the place of the one before. */
void trace_open_bytes(const struct trace_source *source, const void *bytes, size_t len);
/* The test fails if there is no trace in it. */
void trace_open_text(const struct trace_source *source, const char *text);
void trace_let_go(void);          /* for a fixture */

/* The test fails unless reading these bytes ends when a key asks for it. */
void trace_is_cancelled(const struct trace_source *source, const struct str *bytes);

#endif
