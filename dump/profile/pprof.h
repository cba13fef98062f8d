#ifndef DUMP_PPROF_H
#define DUMP_PPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"

/*
 * A profile for pprof, put together piece by piece: stacks of locations with values.
 * Source: github.com/google/pprof, proto/profile.proto (a gzip file of one Profile message).
 */
struct pprof;

struct pprof *pprof_new(void);
void pprof_free(struct pprof *pprof);

/* A value that every sample has, in this order: "cpu", "nanoseconds". */
void pprof_value_type(struct pprof *pprof, const char *type, const char *unit);
void pprof_default_type(struct pprof *pprof, const char *type);
void pprof_comment(struct pprof *pprof, const char *text);
void pprof_times(struct pprof *pprof, int64_t start_ns, int64_t duration_ns);

/* Numbers from 1; the same pieces have the same number. */
uint64_t pprof_function(struct pprof *pprof, const char *name, const char *file,
                        int64_t start_line);
/* key: identifies a location; the first call with a key defines it. */
uint64_t pprof_location(struct pprof *pprof, const char *key, uint64_t function, int64_t line);

/* Locations leaf first; as many values as there are types; label_key NULL: no label. */
void pprof_sample(struct pprof *pprof, const uint64_t *locations, size_t n, const int64_t *values,
                  const char *label_key, const char *label);

bool pprof_write(const struct pprof *pprof, const char *path, struct err *err);

#endif
