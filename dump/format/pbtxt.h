#ifndef DUMP_PBTXT_H
#define DUMP_PBTXT_H

#include "dump/base/err.h"
#include "dump/base/progress.h"

/*
 * Protobuf text format, turned into the binary form: one pass, whatever the size. Fields that are
 * not known are passed over, as are extensions and Any.
 * Source: protobuf.dev/reference/protobuf/textformat-spec.
 */
enum pbtxt_root { PBTXT_GRAPH_DEF, PBTXT_RUN_METADATA, PBTXT_STEP_STATS };

/*
 * An open file without a name that holds the message; the caller closes it. -1 with ERR_FORMAT (off
 * is the byte, msg begins with the line), ERR_IO or ERR_CANCELLED.
 */
int pbtxt_convert(const char *path, enum pbtxt_root root, struct progress *progress,
                  struct err *err);

#endif
