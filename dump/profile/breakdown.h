#ifndef DUMP_BREAKDOWN_H
#define DUMP_BREAKDOWN_H

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/profile/activity.h"
#include "dump/profile/busy.h"
#include "dump/profile/time_parts.h"

/*
 * Where the time of a step went (struct breakdown): each of its instants counts once, for the first
 * part in the order of TIME_PARTS that went on anywhere. So the parts add up to the total.
 *   device   kernels and copies; collectives by their names
 *   host     ops of a GPU's executor are launches, ops of a CPU computing, unless their names say
 *            that they compile, wait for input, or hand out results; of a trace also what its
 *            source has noted (trace->host_time). Stages of an input pipeline run beside the
 *            program and count for nothing; where the program waits for them, that wait is an op.
 *
 * Of n stretches, which may overlap. False with *err: a cancel.
 */
bool breakdown_of(const struct activities *acts, const struct stretch *steps, size_t n,
                  struct breakdown *out, struct progress *progress, struct err *err);

#endif
