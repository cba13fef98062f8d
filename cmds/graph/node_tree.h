#ifndef CMDS_NODE_TREE_H
#define CMDS_NODE_TREE_H

#include "cmds/doc/menu.h"
#include "cmds/graph/tree.h"
#include "cmds/session/nodes.h"

/* The tree of a node of the current run's graphs: li and lo of a dump. */

#define NODE_TREE_OPTS TREE_OPTS(DEVICE_OPT)

/* call->args are those of TREE_OPTS and TREE_ROOT. The menu's entry `off` is what shows. */
void node_tree_exec(struct call *call, const struct tree_way *way, enum menu_entry off);

#endif
