#ifndef DUMP_UNPACK_H
#define DUMP_UNPACK_H

#include "dump/base/progress.h"
#include "dump/format/file.h"

/* Does it begin as gzip does? */
bool file_is_packed(struct file *file);

/*
 * Unpacks a gzip file into a new one without a name (file_nameless), for what has to be found again
 * and again; that one's descriptor, which the caller closes. Where the packed one is cut or damaged
 * *damage says why, and what came before is there. -1: *err, of the system, or after a cancel.
 */
int unpack(struct file *packed, struct progress *progress, struct err *damage, struct err *err);

#endif
