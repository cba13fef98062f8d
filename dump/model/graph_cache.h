#ifndef DUMP_GRAPH_CACHE_H
#define DUMP_GRAPH_CACHE_H

#include "dump/model/graph.h"

/*
 * The index of a large graph in the cache (dump/files/cache.h). It is good as long as the file has
 * the size and times it had: nothing else of it is looked at.
 */

/* As graph_open; NULL: nothing is kept, or it can't be used. */
struct graph *graph_open_kept(const char *path, uint64_t off, uint64_t len,
                              struct progress *progress);
/* Is it worth keeping, and not kept yet? */
bool graph_is_worth_keeping(const struct graph *graph);
/* False: cancelled, or *err says why not. */
bool graph_put_in_cache(const struct graph *graph, struct progress *progress, struct err *err);

#endif
