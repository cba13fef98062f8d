#ifndef CMDS_NODES_H
#define CMDS_NODES_H

#include "cmds/session/session.h"

/* A node of the run, as typed and as found. */
struct node_pick {
	const char *node;        /* name, without device and slot */
	bool has_slot;           /* one was typed */
	int64_t slot;
	int device;              /* the one typed, by -D or as DEVICE:NODE; -1: any */
	struct node_ref ref;     /* where it is; only after pick_node said PICK_ONE */
};

/*
 * Reads "[DEVICE:]NODE[:SLOT]" and the -D option (device_word may be NULL). False: call->err or an
 * error line says why.
 */
bool pick_read(struct call *call, const char *word, const char *device_word,
               struct node_pick *pick);

/*
 * Is it the full name of several arrays, with or without ":0", and so of none? say_of_several puts
 * an error line that says of which.
 */
bool is_of_several(const struct run *run, const char *word);
void say_of_several(struct call *call, const char *word);

/*
 * Looks the node up in the graphs. PICK_NONE: no graph has it. PICK_SEVERAL: several devices have
 * it; call->out is now a list to choose from.
 */
enum pick_result { PICK_ONE, PICK_NONE, PICK_SEVERAL };
enum pick_result pick_node(struct call *call, struct node_pick *pick);
/* That it is on n devices, an error line, and a linked line for each: the call with -D. */
void put_device_choice(struct call *call, const char *node, const uint16_t *devices, size_t n);
/* That no graph has such a node, and which names are near. */
void call_no_node(struct call *call, const char *node);

/* Is there a graph? If not, the answer says so, for a dump in tfdbg's words. */
bool need_graph(struct call *call);
/* Files of arrays have none: the answer says it. Always false. */
bool no_graph_of_arrays(struct call *call);
/*
 * Can nodes be shown? With a dump always, as another run may have a graph. If not, links to nodes
 * lead nowhere.
 */
bool has_nodes(const struct shell *shell);
/* Without a graph the key o, the row's node, says so. Call it before the view adds its own keys. */
void bring_no_node_key(struct call *call);

/* The option row of -D for commands that take it. */
#define DEVICE_OPT { OPT_WORD, "D", "device", \
                     "the device, or a part of its name that fits no other, " \
                     "when several have the node" }

/* One neighbour, resolved: its graph may be another device's. */
struct neighbour {
	struct node_ref ref;     /* ref.node GRAPH_NONE: no graph has it */
	uint16_t edge_device;    /* whose graph the edge is in */
	struct edge edge;
	bool control;
};
struct neighbours {
	VEC(struct neighbour) list;
};

/* Adds the neighbours of a node, except hidden ones, to out: along data edges or control edges. */
bool neighbours_add(struct run *run, struct node_ref node, enum edge_kind kind,
                    struct neighbours *out, struct err *err);
/* Name as in the graph ("split:1"); op type, "?" if unknown. */
void neighbour_text(const struct run *run, const struct neighbour *n, struct str *out);
const char *neighbour_op(const struct run *run, const struct neighbour *n);
/* Its keys node, slot (null: none written) and op (null: unknown), into an open object. */
#define NEIGHBOUR_KEYS "node,slot,op"
void neighbour_put_data(const struct run *run, const struct neighbour *n, struct data *data);

#endif
