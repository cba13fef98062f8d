#include "cmds/graph/node_tree.h"

static const struct opt options[] = { NODE_TREE_OPTS };
static const struct pos positionals[] = { TREE_ROOT };

static void li_exec(struct call *call)
{
	node_tree_exec(call, &tree_inputs, MENU_LIST_INPUTS);
}

const struct cmd cmd_li = {
	.name = "list_inputs", .alias = "li", .summary = "Nodes that feed a node, as a tree",
	OPTS(options), .added = 1u << TREE_WHERE, POSITIONALS(positionals),
	.names = LINK_NODE, .exec = li_exec,
};
