#ifndef DUMP_V1_PROBE_H
#define DUMP_V1_PROBE_H

#include "dump/run.h"

/*
 * Is run->path a tfdbg v1 dump, the directory of one of its devices, or a directory of such dumps?
 * Then run->path becomes the dump itself: of several the last, and a problem says so.
 */
bool v1_probe(struct run *run, struct err *err);

#endif
