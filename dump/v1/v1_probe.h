#ifndef DUMP_V1_PROBE_H
#define DUMP_V1_PROBE_H

#include "dump/model/reader.h"

/*
 * Finds tfdbg v1 dumps and roots of them, for dump/model/reader.h. A device's directory stands for
 * its run.
 */
size_t v1_count(const struct listing *list, struct times *times);
/* Only if no directory is named run_TIME_NAME, others count as runs, by what is in them. */
bool v1_look(const char *path, struct arena *mem, struct place *out, struct err *err);
const char *v1_around(const char *file, enum file_kind kind, struct arena *mem,
                      const char **below, struct err *err);

#endif
