#ifndef DUMP_ORIGIN_GRAPH_H
#define DUMP_ORIGIN_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/model/graph_attr.h"
#include "dump/model/origin_rules.h"

/*
 * Traits of each node, and hidden edges (through variables, arrays, send and receive). Nothing is
 * known about the nodes of a graph whose file can't be read again. Serves one thread.
 */

/* A node that writes to a variable, and by which of its inputs it gets at it. */
struct origin_writer {
	uint32_t variable, node, input;
};

/* A node that puts into an array or a stack (store), or sends or receives a tensor, by a number. */
struct origin_user {
	uint32_t key, node;
};

struct origin_const {
	uint32_t node;
	struct bad_counts counts;
	struct origin_input input;
};

struct origin_graph {
	struct graph *graph;
	struct attr_reader attrs;
	uint32_t *traits;                /* of each node */
	unsigned char *may_be_bad;       /* of each node: 0 not asked yet, 1 yes, 2 no */
	bool has_flow;                   /* there are TensorArrays */
	VEC(struct origin_writer) writers;       /* sorted by variable */
	struct map stores;               /* which array or stack; key of `puts` */
	VEC(struct origin_user) puts;    /* sorted by key */
	struct map tensors;              /* names of what is sent; key of the next two */
	VEC(struct origin_user) sends, receives;         /* sorted by key */
	VEC(struct origin_const) consts; /* those that were asked for */
	uint32_t *const_of;              /* of each node: in consts, from 1 */
	struct err fault;                /* why edges that were asked for could not be read */
	uint32_t *mark, marked;          /* private: for walks */
	VEC(uint32_t) stack;
	struct arena mem;
};

/* Keeps the graph. NULL with *err: its edges can't be read. */
struct origin_graph *origin_graph_new(struct graph *graph, struct err *err);
void origin_graph_free(struct origin_graph *g);

/* Data inputs and recipients; none of a graph that can't be read any more. */
struct edges origin_inputs(const struct origin_graph *g, uint32_t node);
struct edges origin_recipients(const struct origin_graph *g, uint32_t node);
static inline uint32_t edge_slot(const struct edge *edge)
{
	return edge->slot < 0 ? 0 : (uint32_t)edge->slot;
}
/* Has the node this output as its i-th input? */
static inline bool edge_is(const struct edge *edge, uint32_t node, uint32_t slot)
{
	return edge->node == node && edge_slot(edge) == slot;
}

/* By its operation and its type. */
bool origin_may_be_bad(struct origin_graph *g, uint32_t node);
/* Is it the flow of a TensorArray, or a copy of one? */
bool origin_is_flow(struct origin_graph *g, uint32_t node, uint32_t slot);
/* The variable that leads to a node, or the node itself; GRAPH_NONE: none. */
uint32_t origin_variable(struct origin_graph *g, uint32_t node);
/* The first writer of a variable; *n of them lie together. */
const struct origin_writer *origin_writers(const struct origin_graph *g, uint32_t variable,
                                           size_t *n);
/* The same for nodes that put into the array or stack that this node takes from. */
const struct origin_user *origin_puts(struct origin_graph *g, uint32_t node, size_t *n);
/* For a node that sends or receives: its number in g->tensors; MAP_NONE: it has none. */
uint32_t origin_tensor_key(struct origin_graph *g, uint32_t node);
const struct origin_user *origin_users(const struct origin_user *users, size_t len, uint32_t key,
                                       size_t *n);
/* The value of a Const, as the graph has it. */
const struct origin_const *origin_const(struct origin_graph *g, uint32_t node);

#endif
