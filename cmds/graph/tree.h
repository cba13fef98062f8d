#ifndef CMDS_TREE_H
#define CMDS_TREE_H

#include "cmds/doc/menu.h"
#include "cmds/session/nodes.h"

/*
 * The tree of a node's inputs or recipients, as li and lo show it. A subtree is repeated wherever
 * it is reached, so the tree may be exponential: its lines are made on demand, at most
 * TREE_MAX_ROWS of them with TREE_MAX_MB of text. Then a last line says that the tree was cut; for
 * typed answers a warning does.
 */
#ifndef TREE_MAX_ROWS
#define TREE_MAX_ROWS 1000000
#endif
#define TREE_MAX_MB 64

/* Loops in a graph make endless rows: below this depth the tree is cut as by a depth limit. */
#define TREE_MAX_DEPTH 1000

/* Which way the edges are followed, and what that is called. */
struct tree_way {
	enum edge_kind data, control;
	const char *heading;             /* "Inputs to" */
	const char *noun;                /* "inputs" */
	const char *command;             /* what a link runs, before the name: "li -c -r" */
	enum menu_entry menu;
};

/* The options and the argument of both commands; tree_exec reads them. */
enum { TREE_CONTROL, TREE_DEPTH, TREE_RECURSIVE, TREE_OP_TYPE, TREE_DEVICE, N_TREE_OPTS };
extern const struct opt tree_opts[N_TREE_OPTS];
extern const struct pos tree_positionals[1];

void tree_exec(struct call *call, const struct tree_way *way);

#endif
