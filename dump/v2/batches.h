#ifndef DUMP_V2_BATCHES_H
#define DUMP_V2_BATCHES_H

#include "dump/model/program.h"

/*
 * Which batch of a training each step is. The recorder for Keras says so in steps.json beside the
 * files of a dump:
 *
 *     {"format": "tensordbg-steps", "version": 1, "run_id": "ef4435b5", "ended": true, "most": 0,
 *      "steps": [{"model": "net", "fit": 1, "epoch": 0, "batch": 4, "first": 12, "last": 14}]}
 *
 * `first` and `last` are steps; `ended` says that the recording ended in order, `most` that only so
 * many executions and tensors were kept (0: all). What is of another run is passed over. Fills in
 * batches, ended and keeps_all of the program. *err: it can't be read to its end.
 */
void batches_read(struct program *program, struct err *err);

#endif
