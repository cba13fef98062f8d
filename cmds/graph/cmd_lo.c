#include "cmds/graph/tree.h"

static void lo_exec(struct call *call)
{
	static const struct tree_way recipients = {
		EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT, "Recipients of", "recipients", "lo -c -r",
		MENU_LIST_OUTPUTS,
	};

	tree_exec(call, &recipients);
}

const struct cmd cmd_lo = {
	.name = "list_outputs", .alias = "lo", .summary = "Nodes that a node feeds, as a tree",
	OPTS(tree_opts), .added = 1u << TREE_DEVICE, POSITIONALS(tree_positionals),
	.names = LINK_NODE, .exec = lo_exec,
};
