#ifndef DUMP_GRAPH_PARTS_H
#define DUMP_GRAPH_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/model/graph.h"

/*
 * What graph*.c and module*.c share, and dump/tfprof, which reads NodeDefs by itself. Nobody else
 * includes it.
 */

/* Fields of GraphDef and NodeDef. */
enum { GRAPH_NODE = 1 };
enum { NODE_NAME = 1, NODE_OP = 2, NODE_INPUT = 3, NODE_DEVICE = 4, NODE_ATTR = 5 };

/* A NodeDef in the file. */
struct place {
	uint64_t off;
	uint32_t len;
	uint32_t op;             /* graph->ops.key[] */
};

struct edge_list {
	struct edge *at;
	uint32_t *start;         /* of node n: [start[n], start[n + 1]) */
};

/* An end of an edge that is no plain NAME or NAME:SLOT of a node of the graph. */
struct other {
	const char *text;        /* as written */
	const char *name;        /* without the slot */
};

struct graph {
	atomic_uint users;       /* who have yet to close it */
	const char *path;
	struct file_stamp stamp; /* of the file, as the places are in that */
	uint64_t off, len;       /* what of it was opened */
	bool from_cache;
	bool damaged;            /* some of the file was left out */
	struct arena mem;
	struct map names;        /* id = node number */
	struct map ops, devices;
	VEC(struct place) places;
	VEC(uint32_t) device_of; /* id + 1; 0: unset */
	VEC(struct place) copies;        /* __copy_* nodes: edges run through them */
	VEC(struct place) watches;       /* __dbg_* nodes */
	pthread_mutex_t lock;    /* guards the rest until has_edges */
	atomic_bool has_edges;
	atomic_bool edges_stay;  /* somebody may hold a list of them */
	struct edge_list edges[4];       /* by enum edge_kind */
	struct map other_texts;
	VEC(struct other) others;
	struct module *module;   /* its nodes are instructions of that; NULL: it is a GraphDef */
};

bool name_is_debug(const char *name, size_t len);        /* __dbg_* */
bool name_is_copy(const char *name, size_t len);         /* __copy_* */

struct graph *graph_new(const char *path);       /* without nodes */
void graph_edges_free(struct graph *graph);

#define NO_OTHER UINT32_MAX              /* of an edge's name: it ends at a node */
/* The number of such an end; name_len: what of the text is the name. */
uint32_t graph_other(struct graph *graph, const char *text, size_t len, size_t name_len);
/* Takes the lists of a graph that has them from elsewhere than its file; they stay. */
void graph_set_edges(struct graph *graph, const struct edge_list *data,
                     const struct edge_list *control);

#endif
