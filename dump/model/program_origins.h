#ifndef DUMP_PROGRAM_ORIGINS_H
#define DUMP_PROGRAM_ORIGINS_H

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/origins.h"
#include "dump/model/program.h"

/*
 * Where NaN and Inf begin in a recorded program. Fills in all of an empty report that is about
 * programs, but for names of runs; rows are in the order of time, not yet ranked.
 *
 * What a tensor was made of: of an output of an op step, the tensors with the ids it took; of a
 * trace, the latest traces of its op's inputs in the same call, through ops that were not traced.
 * Tensors that program_scan has not read yet count as clean; those that can't be read again have no
 * counts. Refused is a program none of whose modes tells NaN and Inf.
 * Errors  ERR_CANCELLED; the report is then only good to be freed.
 * Work    without a bad tensor none; else three passes over the traces, and 12 bytes for each; then
 *         a few look-ups and 30 bytes for each bad tensor, and for each origin one visit of all
 *         that grew from it.
 */
bool program_origins(const struct program *program, struct origins_report *report,
                     struct progress *progress, struct err *err);

#endif
