#ifndef DUMP_RUN_INFO_H
#define DUMP_RUN_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/run.h"
#include "dump/model/run_missing.h"
#include "dump/model/run_names.h"

/*
 * What a list of runs says about a run: only what its names, sizes, info files and graphs say. Its
 * size depends on nothing but the fetches and feeds. Once made it does not change.
 */
struct run_info {
	bool gone;               /* the directory is gone */
	bool empty;              /* the directory is empty */
	bool counted;            /* the counts from devices to bytes are known */
	bool checked;            /* the suspects are known */
	const char *fetches, *feeds;     /* as in struct run */
	struct run_names names;
	struct core_metadata *metadata;  /* only those that can be parsed */
	size_t n_metadata;
	const char **devices;
	size_t n_devices;
	const char **workers;    /* whose they are, each once; of most dumps there are none */
	size_t n_workers;
	uint32_t graph_files;
	struct run_fact *facts;          /* of a dump of arrays */
	size_t n_facts;
	uint64_t tensors, bytes;         /* bytes: of the tensor files */
	int64_t t0_us;
	struct suspect *suspects;
	size_t n_suspects;
	struct problem *unread;          /* files that could not be read in full */
	size_t n_unread;
	bool lacks_tensors;              /* tensors may be in them */
	struct arena mem;
};

/* Could no tensor be listed, although there may be some? */
static inline bool run_info_is_unread(const struct run_info *info)
{
	return info->lacks_tensors && !info->tensors;
}

/*
 * Of a loaded run, as far as it was read. check: look for suspects if the run is whole. Never NULL.
 */
struct run_info *run_info_of(const struct run *run, bool check);

/*
 * Loads a run, which it closes, as far as its depth says, and checks it if that is RUN_WHOLE. NULL
 * with ERR_CANCELLED or ERR_IO.
 */
struct run_info *run_info_read(struct run *run, struct progress *progress, struct err *err);

void run_info_free(struct run_info *info);

#endif
