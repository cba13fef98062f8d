#ifndef CMDS_TFPROF_TREE_H
#define CMDS_TFPROF_TREE_H

#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/tfprof/tfprof.h"

/*
 * The rows that a view of tfprof has before anything is left out, as a tree: row 0 is the root, every row comes behind its
 * parent and before its next sibling (preorder), siblings in the order that the view gives equals.
 *
 *   scope   names cut at their slashes; parents that are no node of the graph are made up
 *   graph   a node's inputs are below it; of a node that several have as input, below the first that is come by
 *   code    the lines of the program that made nodes, outermost first; gradients below the lines of what they are of
 */
enum tfprof_kind { TFPROF_SCOPE, TFPROF_GRAPH, TFPROF_CODE, TFPROF_OP };

/* A line of the program below others; nodes[first_node .. + n_nodes) were made there, sorted by name. */
struct tfprof_line {
	uint32_t text;                   /* tree->texts.key[] */
	uint32_t frame;                  /* of the first node that came by */
	bool gradient;
	uint32_t first_node, n_nodes;
};

struct tfprof_tree {
	enum tfprof_kind kind;
	const struct tfprof *tfprof;
	size_t n;
	uint32_t *parent;                /* of a row */
	uint32_t *thing;                 /* scope: a node, or tfprof->nodes.len + a made-up name; graph: a node; code: a line */
	struct arena mem;
	struct map texts;                /* made-up names; texts of lines */
	VEC(struct tfprof_line) lines;
	VEC(uint32_t) nodes;             /* of lines */
	uint64_t n_orphans;              /* gradients of nodes that nothing tells where they were made */
};

#define TFPROF_ROOT_NAME "_TFProfRoot"

struct tfprof_tree *tfprof_tree_new(const struct tfprof *tfprof, enum tfprof_kind kind);
void tfprof_tree_free(struct tfprof_tree *tree);
const char *tfprof_row_name(const struct tfprof_tree *tree, uint32_t row);
uint32_t tfprof_row_node(const struct tfprof_tree *tree, uint32_t row);          /* TFPROF_NONE: no node of the graph */
const struct tfprof_line *tfprof_row_line(const struct tfprof_tree *tree, uint32_t row);         /* NULL: no line */

#endif
