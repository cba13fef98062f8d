#ifndef DUMP_V2_H
#define DUMP_V2_H

#include "dump/model/program.h"
#include "dump/v2/root.h"

/*
 * The reader of tfdbg v2 dumps (dump/v2/root.h says what lies where): six files of records a set,
 * each record a DebugEvent (dump/v2/event.h). All files are read once from end to end; names are
 * kept once, of a record where it lies and what it is of. What is long (tensors, source lines) is
 * read again when asked for.
 */

/*
 * Opens a run of a root, which may be closed then. Progress counts bytes of all its files. NULL
 * only after a cancel: files that are damaged, missing or can't be read are in program->damage.
 */
struct program *v2_open(const struct v2_root *root, size_t run, struct progress *progress,
                        struct err *err);
/* The same; while it is read, *reading is what there is of it, for the progress's tick. */
struct program *v2_open_seen(const struct v2_root *root, size_t run, struct program **reading,
                             struct progress *progress, struct err *err);

#endif
