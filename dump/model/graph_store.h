#ifndef DUMP_GRAPH_STORE_H
#define DUMP_GRAPH_STORE_H

#include "dump/base/progress.h"
#include "dump/model/graph.h"

/*
 * Graphs of several runs of one program, which are written anew for each of them: those whose bytes
 * are the same are read once. Any thread.
 */
struct graph_store;

struct graph_store *graph_store_new(void);
void graph_store_free(struct graph_store *store);        /* the graphs it gave out stay */

/*
 * As graph_open, with a length that is known; it may be a graph that was opened elsewhere, and its
 * path then is another file's. A damaged graph is not shared. store NULL: it is opened.
 */
struct graph *graph_store_open(struct graph_store *store, const char *path, uint64_t off,
                               uint64_t len, struct progress *progress, struct err *damage,
                               struct err *err);

#endif
