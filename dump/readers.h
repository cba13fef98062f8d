#ifndef DUMP_READERS_H
#define DUMP_READERS_H

#include "dump/model/reader.h"

/*
 * The table of all readers, in the order they are asked; a NULL ends it. To read a new kind of
 * dump: its reader, in files of its own, and a row here.
 */
extern const struct reader *const readers[];

/*
 * The first reader that finds a run or runs in a directory; *out starts as {0}, all it holds is in
 * mem, place_release either way. NULL with ERR_IO (can't be read), ERR_UNSUPPORTED (it looks like
 * a dump, and is none that can be read) or ERR_MISSING (no dump there, at most roots of some; msg
 * says what was looked for).
 */
const struct reader *readers_look(const char *path, struct arena *mem, struct place *out,
                                  struct err *err);

void readers_put_signs(struct str *out);         /* what they look for, in a list */

/* The run in a directory, to be loaded. NULL as readers_look, and for a directory of several. */
struct run *run_open(const char *path, struct err *err);
/* The same; of a directory of steps (dump/model/reader.h) the one of this number. */
struct run *run_open_step(const char *path, int64_t step, struct err *err);

#endif
