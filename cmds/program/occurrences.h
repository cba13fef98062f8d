#ifndef CMDS_PROGRAM_OCCURRENCES_H
#define CMDS_PROGRAM_OCCURRENCES_H

#include "dump/base/str.h"
#include "dump/model/program.h"

/*
 * The occurrences of tensors in a step, as bodies of loops run again and again: numbers of traces,
 * in order. Outputs of a step occur only once.
 */
struct occurrences;

/* NULL: no tensor of the step occurs twice. The caller frees it. */
struct occurrences *occurrences_new(const struct program *program, uint32_t step);
void occurrences_free(struct occurrences *occurrences);
/* Those of the tensor that the trace is of; at least the trace itself. */
const uint32_t *occurrences_of(const struct occurrences *occurrences, uint32_t trace, size_t *n);

/*
 * A sign for each of n traces, or for several if there are more than cols: "!" NaN or Inf in one of
 * them, "?" one is not known, "~" one was not scanned, "." fine. The one at `at` is in brackets:
 * "..[.]!!".
 */
void put_strip(struct str *out, const struct program *program, const uint32_t *traces, size_t n,
               size_t at, size_t cols);

#endif
