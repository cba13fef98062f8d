#ifndef CMDS_TFPROF_TREE_H
#define CMDS_TFPROF_TREE_H

#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/tfprof/tfprof.h"

/*
 * The rows of a tfprof view before anything is left out, as a tree in preorder: row 0 is the root,
 * every row comes after its parent and before its next sibling; siblings are in the view's order
 * for equal rows.
 *
 *   scope   names cut at their slashes; parents that are no node of the graph are made up
 *   graph   a node's inputs are below it; an input of several nodes is below the first one found
 *   code    program lines that made nodes, outermost first; gradients are below the lines of
 *           the nodes that they belong to
 */
enum tfprof_kind { TFPROF_SCOPE, TFPROF_GRAPH, TFPROF_CODE, TFPROF_OP };

/* A program line below others; nodes[first_node .. + n_nodes) were made there, sorted by name. */
struct tfprof_line {
	uint32_t text;                   /* tree->texts.key[] */
	uint32_t frame;                  /* of the first node found */
	bool gradient;
	uint32_t first_node, n_nodes;
};

struct tfprof_tree {
	enum tfprof_kind kind;
	const struct tfprof *tfprof;
	size_t n;
	uint32_t *parent;                /* by row */
	/* By row. scope: a node, or nodes.len + a made-up name; graph: a node; code: a line. */
	uint32_t *thing;
	struct arena mem;
	struct map texts;                /* made-up names; texts of lines */
	VEC(struct tfprof_line) lines;
	VEC(uint32_t) nodes;             /* of lines */
	uint64_t n_orphans;              /* gradients of nodes whose line is not known */
};

#define TFPROF_ROOT_NAME "_TFProfRoot"

struct tfprof_tree *tfprof_tree_new(const struct tfprof *tfprof, enum tfprof_kind kind);
void tfprof_tree_free(struct tfprof_tree *tree);
const char *tfprof_row_name(const struct tfprof_tree *tree, uint32_t row);
/* TFPROF_NONE: no node of the graph. */
uint32_t tfprof_row_node(const struct tfprof_tree *tree, uint32_t row);
/* NULL: no line. */
const struct tfprof_line *tfprof_row_line(const struct tfprof_tree *tree, uint32_t row);

#endif
