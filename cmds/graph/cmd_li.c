#include "cmds/graph/tree.h"

static void li_exec(struct call *call)
{
	static const struct tree_way inputs = {
		EDGE_INPUT, EDGE_CONTROL, "Inputs to", "inputs", "li -c -r", MENU_LIST_INPUTS,
	};

	tree_exec(call, &inputs);
}

const struct cmd cmd_li = {
	.name = "list_inputs", .alias = "li", .summary = "Nodes that feed a node, as a tree",
	OPTS(tree_opts), .added = 1u << TREE_DEVICE, POSITIONALS(tree_positionals),
	.names = LINK_NODE, .exec = li_exec,
};
