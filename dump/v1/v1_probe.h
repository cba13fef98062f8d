#ifndef DUMP_V1_PROBE_H
#define DUMP_V1_PROBE_H

#include "dump/model/reader.h"

/*
 * Which directories are tfdbg v1 dumps, or roots of them: what dump/model/reader.h asks. The
 * directory of a device is the run it is of.
 */
size_t v1_count(const struct listing *list, struct times *times);
/*
 * Other directories than run_TIME_NAME count only where there is none of that name, and the files
 * of a run tell.
 */
bool v1_look(const char *path, struct arena *mem, struct place *out, struct err *err);
const char *v1_around(const char *file, enum file_kind kind, struct arena *mem,
                      const char **below, struct err *err);

#endif
