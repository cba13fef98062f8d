#ifndef CMDS_TFPROF_PPROF_H
#define CMDS_TFPROF_PPROF_H

#include "cmds/profile/tfprof/tfprof_view.h"

/* Can a pprof file express these options? False: *complaint says why not. */
bool tfprof_pprof_allowed(const struct tfprof_options *options, struct str *complaint);
/* A code view as pprof: a sample for each node below a shown leaf. Sets ERR_IO on failure. */
bool tfprof_pprof(const struct tfprof_view *view, const char *path, struct err *err);

#endif
