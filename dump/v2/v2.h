#ifndef DUMP_V2_H
#define DUMP_V2_H

#include "dump/model/program.h"
#include "dump/v2/root.h"

/*
 * The reader of tfdbg v2 dumps (dump/v2/root.h has their layout): sets of six files of records,
 * where each record is a DebugEvent (dump/v2/event.h). All files are read once from end to end. Of
 * each record its place and what it is about are kept; names are shared. Long things (tensors,
 * source lines) are read again when asked for.
 */

/*
 * Opens a run of a root; the root may be closed afterwards. Progress counts bytes of all its files.
 * NULL only after a cancel: damaged, missing and unreadable files are in program->damage.
 */
struct program *v2_open(const struct v2_root *root, size_t run, struct progress *progress,
                        struct err *err);
/* The same; during the call *reading is what was read so far, for the tick of progress. */
struct program *v2_open_seen(const struct v2_root *root, size_t run, struct program **reading,
                             struct progress *progress, struct err *err);

#endif
