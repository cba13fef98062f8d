#ifndef CMDS_TFPROF_TIMELINE_H
#define CMDS_TFPROF_TIMELINE_H

#include "cmds/profile/tfprof/tfprof_view.h"

/*
 * A view as a Chrome trace, written to OUTFILE_<step>: scopes and code as an icicle of total times,
 * a graph as what ran when on which device, with arrows between devices and the memory of
 * accelerators. said: tfprof's own words for standard output; complaint: for standard error. False:
 * the file can't be written, the steps can't be read again (*err), or it was cancelled.
 */
bool tfprof_timeline(struct tfprof_view *view, struct progress *progress, struct str *said,
                     struct str *complaint, struct err *err);

#endif
