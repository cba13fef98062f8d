#ifndef CMDS_TFPROF_ADVISE_H
#define CMDS_TFPROF_ADVISE_H

#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/tfprof/tfprof.h"

/*
 * tfprof's advisor. names: the wanted checkers, n of them. out: what it prints; missing: which data
 * it lacks, for standard error. False with *err after a cancel.
 */
bool tfprof_advise(struct tfprof *tfprof, char **names, size_t n, struct progress *progress,
                   struct str *out, struct str *missing, struct err *err);

#endif
