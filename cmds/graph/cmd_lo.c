#include "cmds/graph/node_tree.h"

static const struct opt options[] = { NODE_TREE_OPTS };
static const struct pos positionals[] = { TREE_ROOT };

static void lo_exec(struct call *call)
{
	node_tree_exec(call, &tree_recipients, MENU_LIST_OUTPUTS);
}

const struct cmd cmd_lo = {
	.name = "list_outputs", .alias = "lo", .summary = "Nodes that a node feeds, as a tree",
	OPTS(options), .added = 1u << TREE_WHERE, POSITIONALS(positionals),
	.names = LINK_NODE, .exec = lo_exec,
};
