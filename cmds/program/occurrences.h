#ifndef CMDS_PROGRAM_OCCURRENCES_H
#define CMDS_PROGRAM_OCCURRENCES_H

#include "dump/base/str.h"
#include "dump/model/program.h"

/*
 * The times that a tensor occurs in a step: bodies of loops run again and again. Numbers of traces,
 * in the order of their occurrence. Outputs of a step occur once.
 */
struct occurrences;

/* NULL: no tensor of the step occurs twice. The caller frees it. */
struct occurrences *occurrences_new(const struct program *program, uint32_t step);
void occurrences_free(struct occurrences *occurrences);
/* Those of the tensor of a trace of the step: at least itself. */
const uint32_t *occurrences_of(const struct occurrences *occurrences, uint32_t trace, size_t *n);

/*
 * A sign for each of n traces; where there are more than cols some share one: "!" NaN or Inf in one
 * of them, "?" one can't tell, "~" one was not looked at, "." fine. The one at `at` stands in
 * brackets: "..[.]!!".
 */
void put_strip(struct str *out, const struct program *program, const uint32_t *traces, size_t n,
               size_t at, size_t cols);

#endif
