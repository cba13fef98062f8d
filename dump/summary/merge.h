#ifndef DUMP_SUMMARY_MERGE_H
#define DUMP_SUMMARY_MERGE_H

#include <stdio.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"

/*
 * The rows of several summaries as one: each key once, nothing is added up, so neither the order of
 * the files nor merging some of them before the others changes a byte. Where all shards of a dump
 * are there, it is as if one process had read it.
 * Errors  those of reading; ERR_KEY where two files have other values for one key, both named.
 *         What was written by then is of no use.
 */
struct merged {
	uint64_t rows, sources;
	uint64_t incomplete;     /* sources of which shards are missing */
};
bool summary_merge(const char *const *paths, size_t n, FILE *out, struct merged *done,
                   struct progress *progress, struct err *err);

#endif
