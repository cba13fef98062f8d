#ifndef DUMP_SUMMARY_WHOLE_H
#define DUMP_SUMMARY_WHOLE_H

#include <pthread.h>

#include "dump/base/counted.h"
#include "dump/base/progress.h"
#include "dump/model/graph.h"
#include "dump/summary/rows.h"

/*
 * A summary in memory: what workers told of their runs. Once it is read it does not change, but
 * for graphs, which are opened when they are asked for; any thread may read it. All is in mem.
 */

/* One shard of the dump of one worker. */
struct whole_source {
	const char *worker, *dump;
	uint32_t n, k;           /* shard k of n, from 1 */
	bool is_root;
};

struct whole_device {
	const char *name, *graph;        /* graph: its hash; NULL: none */
	uint32_t position;
};

/* A tensor, and what is known of it: its message is read again when it is wanted. */
struct whole_value {
	const char *node, *device, *debug_op;
	int64_t time_us, size_bytes;     /* -1: unknown */
	const struct array_facts *facts; /* NULL: it is no array of a file */
	const char *message;
	uint32_t message_len, slot, position;
};

/* What one worker told of one run. */
struct whole_part {
	uint32_t worker;         /* whole->workers.at[] */
	const char *run;         /* "": of a dump that is no run of a root */
	bool is_told;            /* its row is there; else only rows of others are */
	struct summary_run told;
	VEC(struct whole_device) devices;
	VEC(struct problem) problems;
	VEC(struct whole_value) values;
};

struct whole_graph {
	const char *hash;
	uint64_t off, len;
	struct graph *graph;     /* NULL: not opened yet; guarded by the lock */
	struct err damage;       /* of it: some nodes could not be read */
};

/* How many rows there are of what opens by itself; of runs those of tensors too. */
struct whole_content {
	size_t runs, events, kernels;
};

struct whole {
	struct counted kept;
	struct whole_content content;
	const char *path;
	VEC(struct whole_source) sources;
	VEC(const char *) workers;       /* sorted, each once */
	VEC(struct whole_part) parts;    /* by run, then by worker */
	VEC(struct whole_graph) graphs;  /* sorted by hash */
	bool names_repeat;               /* two workers have devices of one name */
	pthread_mutex_t lock;
	struct arena mem;
};

/* NULL with *err: as of dump/summary/reader.h, and ERR_CANCELLED. */
struct whole *whole_read(const char *path, struct progress *progress, struct err *err);

/* The parts of a run, *n of them. */
const struct whole_part *whole_parts_of(const struct whole *whole, const char *run, size_t *n);

/* "shards 1, 3 of 8", of each worker that lacks some. False: there is nothing missing. */
bool whole_put_missing(const struct whole *whole, struct str *out);

/* What is known of a tensor, as in the row; it was read before, so it is not damaged. */
void whole_value_read(const struct whole_value *value, struct arena *mem,
                      struct summary_value *out);

/*
 * The graph of a hash, kept for the caller; of a damaged one *err is set too. NULL: there is none,
 * or with *err.
 */
struct graph *whole_graph_open(struct whole *whole, const char *hash, struct progress *progress,
                               struct err *err);

#endif
