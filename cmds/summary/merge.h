#ifndef CMDS_MERGE_H
#define CMDS_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"

struct merge_done {
	uint64_t rows, sources, incomplete, bytes;
};

/*
 * Joins summaries (dump/summary/merge.h) in a file, or "-", standard output; it may be one of them.
 * False with *err, and the file is as it was.
 */
bool merge_files(const char *const *paths, size_t n, const char *out, struct merge_done *done,
                 struct progress *progress, struct err *err);

#endif
