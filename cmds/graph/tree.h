#ifndef CMDS_TREE_H
#define CMDS_TREE_H

#include "cmds/doc/call.h"

/*
 * The tree of a node's inputs or recipients, as li and lo show it, whatever the nodes are. A
 * subtree is repeated wherever it is reached, so the tree may be exponential: its lines are made on
 * demand, at most TREE_MAX_ROWS of them with TREE_MAX_MB of text. Then a last line says that the
 * tree was cut; for typed answers a warning does.
 */
#ifndef TREE_MAX_ROWS
#define TREE_MAX_ROWS 1000000
#endif
#define TREE_MAX_MB 64

/* Loops in a graph make endless rows: below this depth the tree is cut as by a depth limit. */
#define TREE_MAX_DEPTH 1000

/* Which way the edges are followed, and what that is called. */
struct tree_way {
	bool to_recipients;
	const char *heading;             /* "Inputs to" */
	const char *noun;                /* "inputs" */
	const char *command;             /* what a link runs, before the name: "li -c -r" */
};
extern const struct tree_way tree_inputs, tree_recipients;

/* A node as a child of another one: the first member of what a source keeps of it. */
struct tree_child {
	bool control;                    /* by a control edge */
};

/* Children of one node, child_size bytes each. */
struct tree_children {
	char *at;
	size_t len, cap;
	size_t child_size;
};
/* A new zeroed one. */
void *tree_children_add(struct tree_children *children);

/*
 * Where the nodes come from. A source is made for one tree, which frees it.
 * children     adds those of a child, or of the root if it is NULL: along data edges, then if
 *              asked for along control edges. False with *err
 * put_name     as the tree shows it
 * op           its op type, "?" if unknown
 * put_keys     the values of `keys` and more, into an open object
 * put_link     the words behind the command of a link to it; nothing: it has no link
 * put_note     what is shown behind its name, if anything; NULL: never is
 * put_held     what its tensors hold, as far as that is known; the text's role. NULL: never shown
 * sign         the sign beside its row (struct doc_signs), and whether signs go on; NULL: none
 */
struct tree_source {
	const struct tree_kind *kind;    /* first member of every source */
};
struct tree_kind {
	size_t child_size;
	const char *keys;                /* "node,slot,op" */
	const char *no_control;          /* why there are no control edges; NULL: there are */
	bool (*children)(struct tree_source *source, const void *child, bool control,
	                 struct tree_children *out, struct err *err);
	void (*put_name)(const struct tree_source *source, const void *child, struct str *out);
	const char *(*op)(const struct tree_source *source, const void *child);
	void (*put_keys)(const struct tree_source *source, const void *child, struct data *data);
	void (*put_link)(const struct tree_source *source, const void *child, struct str *out);
	void (*put_note)(const struct tree_source *source, const void *child, struct str *out);
	enum role (*put_held)(const struct tree_source *source, const void *child, bool fine,
	                      struct str *out);
	enum row_sign (*sign)(const struct tree_source *source, const void *child, bool look);
	bool (*signs_go_on)(const struct tree_source *source, uint64_t *told);
	void (*free)(struct tree_source *source);
};

/* The options and the argument of the commands; `where` tells nodes of one name apart. */
enum { TREE_CONTROL, TREE_DEPTH, TREE_RECURSIVE, TREE_OP_TYPE, TREE_WHERE, N_TREE_OPTS };
#define TREE_OPTS(where) \
	[TREE_CONTROL] = { OPT_FLAG, "c", "control", "follow control edges too" }, \
	[TREE_DEPTH] = { OPT_INT, "d", "depth", "how deep -r descends" }, \
	[TREE_RECURSIVE] = { OPT_FLAG, "r", "recursive", "go on from there, as a tree" }, \
	[TREE_OP_TYPE] = { OPT_FLAG, "t", "op_type", "show op types" }, \
	[TREE_WHERE] = where
#define TREE_ROOT { "node_name", "the node, or one of its tensors: node:slot", false }

/* The answer: the tree of the node that is called root, and its legend. */
void tree_put(struct call *call, const char *root, struct tree_source *source,
              const struct tree_way *way);

#endif
