#ifndef CMDS_SUMMARY_OUTPUT_H
#define CMDS_SUMMARY_OUTPUT_H

#include "dump/base/err.h"
#include "dump/base/writer.h"

/* Where a summary goes: a file, or "-", standard output. NULL with *err, as writer_open. */
struct writer *summary_output(const char *path, struct err *err);

#endif
