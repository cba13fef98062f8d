#ifndef TESTS_LOADED_XSPACE_H
#define TESTS_LOADED_XSPACE_H

#include "dump/profile/trace.h"
#include "tests/made_xspace.h"

/* XSpace files as they are loaded; the test fails if one can't be. trace_free what comes back. */
struct trace *xspace_load(const char *path);
/* And *m is released. */
struct trace *xspace_load_made(struct made_xspace *m);

/* A name of the trace; "": none. */
const char *name_of(const struct trace *trace, uint32_t id);

#endif
