#ifndef DUMP_GRAPH_H
#define DUMP_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"

/*
 * The partition graph of one device, as the program built it: the debugger's own nodes (__dbg_*,
 * __copy_*) are taken out and the edges through them joined again. Names, ops and the place of each
 * NodeDef are kept from one pass over the file; edges come with a second pass when they are first
 * asked for; attributes are read again from the file each time.
 * Source: GraphDef, tensorflow/core/framework/graph.proto; rules: tfdbg's debug_graphs.py.
 */
struct graph;

#define GRAPH_NONE UINT32_MAX

/*
 * The GraphDef at [off, off + len) of a file; len UINT64_MAX: up to the file's end.
 * What is whole before a damage is kept: then *damage says where it ends and the graph is returned.
 * NULL with *err only if nothing could be read, or after a cancel. Node numbers are in file order.
 */
struct graph *graph_open(const char *path, uint64_t off, uint64_t len, struct progress *progress,
                         struct err *damage, struct err *err);
/* Whoever keeps it closes it, once more than it was opened. NULL: nothing. Any thread. */
struct graph *graph_keep(struct graph *graph);
void graph_close(struct graph *graph);

const char *graph_path(const struct graph *graph);                      /* as it was opened */
bool graph_is_whole(const struct graph *graph); /* nothing of it was damaged */
uint32_t graph_len(const struct graph *graph);                          /* nodes */
uint32_t graph_find(const struct graph *graph, const char *name, size_t len);
const char *graph_name(const struct graph *graph, uint32_t node);
const char *graph_op(const struct graph *graph, uint32_t node);
/* NodeDef.device, "" if unset */
const char *graph_device(const struct graph *graph, uint32_t node);
/* Where its NodeDef is: [*off, *off + *len) of the file; nothing, if it is none. */
const char *graph_place(const struct graph *graph, uint32_t node, uint64_t *off, uint64_t *len);
const char *graph_first_device(const struct graph *graph); /* the first that is set, or "" */
/*
 * Returns how many distinct devices are set, debug nodes' too, and points *names at them, in file
 * order. They belong to the graph.
 */
size_t graph_devices(const struct graph *graph, const char *const **names);

/* One end of an edge, seen from the other. */
struct edge {
	uint32_t node;           /* in this graph, or GRAPH_NONE: a name the graph does not have */
	int32_t slot;            /* output slot as written, -1 if the name carries none */
	uint32_t name;           /* private: of a node the graph does not have */
};

struct edges {
	const struct edge *at;
	size_t len;
};

/*
 * Edges of a kind, in graph order. Controls and recipients have slot -1. The first call reads them
 * all (safe from any thread); graph_read_edges does no more than that, and can be cancelled.
 * ERR_FORMAT if the file has changed since the graph was opened; so too for what follows.
 */
bool graph_read_edges(struct graph *graph, struct progress *progress, struct err *err);
enum edge_kind { EDGE_INPUT, EDGE_CONTROL, EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT };
bool graph_edges(struct graph *graph, uint32_t node, enum edge_kind kind, struct edges *out,
                 struct err *err);
/*
 * The same for a look that is over soon: graph_drop_edges frees what was read, unless graph_edges
 * was called meanwhile. Nobody else may look until then.
 */
bool graph_look(struct graph *graph, uint32_t node, enum edge_kind kind, struct edges *out,
                struct err *err);
void graph_drop_edges(struct graph *graph);

/* The node's name at the other end; with its slot as written: "split:1". */
const char *edge_node_name(const struct graph *graph, const struct edge *edge);
void edge_text(const struct graph *graph, const struct edge *edge, struct str *out);

/*
 * The slots that were watched: the debugger put a node __dbg_NODE:SLOT_NUMBER_OP behind each. In
 * file order, a slot once for each debug op; nodes that the graph does not have are left out. Reads
 * their names again. False with *err if it can't.
 */
typedef void graph_watch_sink(void *owner, uint32_t node, uint32_t slot);
bool graph_watched(const struct graph *graph, graph_watch_sink *take, void *owner, struct err *err);

/* Attributes sorted by key; text is protobuf text format with its newlines. All in mem. */
struct attr {
	const char *key;
	const char *text;
};
bool graph_attrs(struct graph *graph, uint32_t node, struct arena *mem, struct attr **attrs,
                 size_t *n, struct err *err);

#endif
