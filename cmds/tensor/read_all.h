#ifndef CMDS_READ_ALL_H
#define CMDS_READ_ALL_H

#include "cmds/session/visit.h"

/*
 * Reads these tensors of a run (indexes in run->tensors), unless that was done: on several threads,
 * in order. What is known then is in visit->healths. Returns how many are; less than n: it was
 * cancelled.
 */
size_t read_all(struct visit *visit, const uint32_t *at, size_t n, struct progress *progress);

#endif
