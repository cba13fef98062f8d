#include "cmds/graph/node_tree.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "dump/base/mem.h"

struct nodes {
	struct tree_source source;
	struct visit *visit;     /* whose run it is; the answer keeps it */
	struct run *run;
	struct node_ref root;
	enum edge_kind data, control;
};

struct node_child {
	struct tree_child child;
	struct neighbour neighbour;
};

static const struct nodes *of_source(const struct tree_source *source)
{
	return (const struct nodes *)source;
}

static const struct neighbour *of_child(const void *child)
{
	return &((const struct node_child *)child)->neighbour;
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct neighbour *x = a, *y = b;
	const struct run *run = context;

	return strcmp(edge_node_name(run->devices.at[x->edge_device].graph, &x->edge),
	              edge_node_name(run->devices.at[y->edge_device].graph, &y->edge));
}

static bool list_children(struct tree_source *source, const void *child, bool control,
                          struct tree_children *out, struct err *err)
{
	const struct nodes *nodes = of_source(source);
	struct node_ref node = child ? of_child(child)->ref : nodes->root;
	struct neighbours found = {0};
	size_t data;
	bool ok;

	if (node.node == GRAPH_NONE)
		return true;
	ok = neighbours_add(nodes->run, node, nodes->data, &found, err);
	data = found.list.len;
	if (ok && control)
		ok = neighbours_add(nodes->run, node, nodes->control, &found, err);
	if (found.list.len > data)
		qsort_r(found.list.at + data, found.list.len - data, sizeof *found.list.at, by_name,
		        nodes->run);
	for (size_t i = 0; ok && i < found.list.len; i++) {
		struct node_child *c = tree_children_add(out);

		c->neighbour = found.list.at[i];
		c->child.control = c->neighbour.control;
	}
	vec_release(&found.list);
	return ok;
}

static void put_name(const struct tree_source *source, const void *child, struct str *out)
{
	neighbour_text(of_source(source)->run, of_child(child), out);
}

static const char *op_of(const struct tree_source *source, const void *child)
{
	return neighbour_op(of_source(source)->run, of_child(child));
}

static void put_keys(const struct tree_source *source, const void *child, struct data *data)
{
	neighbour_put_data(of_source(source)->run, of_child(child), data);
}

static void put_link(const struct tree_source *source, const void *child, struct str *out)
{
	struct str name = {0};

	put_name(source, child, &name);
	words_put(out, str_text(&name));
	str_release(&name);
}

static enum row_sign sign_of(const struct tree_source *source, const void *child, bool look)
{
	const struct nodes *nodes = of_source(source);
	const struct neighbour *n = of_child(child);

	return visit_node_sign(nodes->visit,
	                       edge_node_name(nodes->run->devices.at[n->edge_device].graph,
	                                      &n->edge), look);
}

static enum role put_held(const struct tree_source *source, const void *child, bool fine,
                          struct str *out)
{
	const struct nodes *nodes = of_source(source);
	const struct neighbour *n = of_child(child);
	const struct graph *graph = nodes->run->devices.at[n->edge_device].graph;
	const struct vitals *v = visit_node_vitals(nodes->visit, edge_node_name(graph, &n->edge));

	if (!v)
		return ROLE_PLAIN;
	vitals_put_bad(out, v);
	if (v->state != VITALS_CLEAN)
		return v->state == VITALS_BAD ? ROLE_BAD : ROLE_PLAIN;
	if (v->has_ends) {
		str_puts(out, "  ");
		vitals_put_end(out, v, false);
		str_puts(out, fine ? " … " : " .. ");
		vitals_put_end(out, v, true);
	}
	return ROLE_LIBRARY;
}

static bool signs_go_on(const struct tree_source *source, uint64_t *told)
{
	return health_scan_goes_on(visits_scan(of_source(source)->visit->all), told);
}

static void nodes_free(struct tree_source *source)
{
	free(source);
}

static const struct tree_kind nodes_kind = {
	.child_size = sizeof(struct node_child), .keys = NEIGHBOUR_KEYS, .children = list_children,
	.put_name = put_name, .op = op_of, .put_keys = put_keys, .put_link = put_link,
	.put_held = put_held, .sign = sign_of, .signs_go_on = signs_go_on, .free = nodes_free,
};

static struct tree_source *nodes_new(struct visit *visit, struct node_ref root,
                                     const struct tree_way *way)
{
	struct nodes *nodes = mem_alloc(sizeof *nodes);

	*nodes = (struct nodes){
		{ &nodes_kind }, visit, visit->run, root,
		way->to_recipients ? EDGE_RECIPIENT : EDGE_INPUT,
		way->to_recipients ? EDGE_CONTROL_RECIPIENT : EDGE_CONTROL,
	};
	return &nodes->source;
}

void node_tree_exec(struct call *call, const struct tree_way *way, enum menu_entry off)
{
	struct run *run = call->shell->run;
	struct node_pick pick;

	if (!pick_read(call, call->args.pos[0], call->args.opt[TREE_WHERE].word, &pick) ||
	    !need_graph(call))
		return;
	switch (pick_node(call, &pick)) {
	case PICK_SEVERAL:
		return;
	case PICK_NONE:
		call_no_node(call, pick.node);
		break;
	case PICK_ONE:
		if (!graph_read_edges(run->devices.at[pick.ref.device].graph, call->progress,
		                      &call->err))
			return;
		tree_put(call, pick.node, nodes_new(call->shell->visit, pick.ref, way), way);
		break;
	}
	menu_put(call->out, pick.node, off);
}
