#ifndef TESTS_MADE_SUMMARY_H
#define TESTS_MADE_SUMMARY_H

#include "dump/summary/rows.h"

/* Summaries that tests make row by row, in any order. Start with {0}. */
struct made_row {
	struct str key, value;
};
struct made_summary {
	VEC(struct made_row) rows;
	uint32_t position;       /* of the next tensor */
};

/* Shard k of n of a dump of the worker is there. */
void made_row_source(struct made_summary *made, const char *worker, uint32_t k, uint32_t n);
void made_row_run(struct made_summary *made, const char *worker, const char *run);
/* graph: the hash of one; NULL: none. */
void made_row_device(struct made_summary *made, const char *worker, const char *run,
                 const char *device, const char *graph);
void made_row_graph(struct made_summary *made, const char *hash, const struct str *graph_def);
/* A float32 vector, the magnitudes of which grow; what is told of it lacks moments. */
void made_row_tensor(struct made_summary *made, const struct summary_key *key, int64_t time_us,
                 const float *elems, size_t n);
/* Any row of a tensor. */
void made_row_value(struct made_summary *made, const struct summary_key *key,
                const struct summary_value *value);

/* Sorts the rows, writes them and forgets them. */
void made_summary_write(struct made_summary *made, const char *path);

#endif
