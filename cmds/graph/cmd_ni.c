#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/menu.h"
#include "cmds/graph/instruction_text.h"
#include "cmds/graph/node_text.h"
#include "cmds/graph/traceback.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "cmds/session/nodes.h"
#include "cmds/session/position.h"
#include "cmds/session/stacks.h"

enum { ATTRIBUTES, DUMPS, TRACEBACK, DEVICE };

static const struct opt options[] = {
	[ATTRIBUTES] = { OPT_FLAG, "a", "attributes", "show the node's attributes" },
	[DUMPS] = { OPT_FLAG, "d", "dumps", "list the node's dumped tensors" },
	[TRACEBACK] = { OPT_FLAG, "t", "traceback", "show where the program made the node" },
	[DEVICE] = DEVICE_OPT,
};

static const struct pos positionals[] = {
	{ "node_name", "the node, or one of its tensors: node:slot", false },
};

static void put_neighbour_items(struct doc *doc, const struct run *run,
                                const struct neighbours *items, const char *noun)
{
	struct str name = {0}, word = {0};

	doc_line_put(doc, ROLE_PLAIN, "    %zu %s(s):", items->list.len, noun);
	for (size_t i = 0; i < items->list.len; i++) {
		const struct neighbour *n = &items->list.at[i];

		str_reset(&name);
		neighbour_text(run, n, &name);
		str_reset(&word);
		words_put(&word, str_text(&name));
		node_text_neighbour(doc, neighbour_op(run, n), str_text(&name), word.text, NULL);
	}
	str_release(&name);
	str_release(&word);
}

static bool put_neighbours(struct call *call, struct node_ref node, enum edge_kind data_kind,
                           enum edge_kind control_kind, const char *noun)
{
	struct run *run = call->shell->run;
	struct neighbours data = {0}, control = {0};
	struct str control_noun = {0};
	bool ok = neighbours_add(run, node, data_kind, &data, &call->err) &&
	          neighbours_add(run, node, control_kind, &control, &call->err);

	if (ok) {
		str_fmt(&control_noun, "control %s", noun);
		doc_newline(call->out);
		doc_line_put(call->out, ROLE_PLAIN, "  %zu %s(s) + %zu %s(s):", data.list.len, noun,
		             control.list.len, control_noun.text);
		put_neighbour_items(call->out, run, &data, noun);
		if (control.list.len) {
			doc_newline(call->out);
			put_neighbour_items(call->out, run, &control, control_noun.text);
		}
	}
	str_release(&control_noun);
	vec_release(&data.list);
	vec_release(&control.list);
	return ok;
}

/* A newline in the text becomes a blank, so the indentation of nested messages stays visible. */
static void put_flat(struct doc *doc, const char *text)
{
	size_t len = strlen(text);
	char *flat;

	while (len && strchr(" \n", text[len - 1]))
		len--;
	doc_put(doc, ROLE_PLAIN, "    ");
	flat = mem_copy(text, len);
	for (char *c = flat; (c = strchr(c, '\n')); c++)
		*c = ' ';
	doc_put_text(doc, ROLE_PLAIN, flat, len);
	doc_newline(doc);
	free(flat);
}

static bool put_attributes(struct call *call, struct node_ref node)
{
	struct graph *graph = call->shell->run->devices.at[node.device].graph;
	struct attr *attrs;
	size_t n;

	if (!graph_attrs(graph, node.node, call->mem, &attrs, &n, &call->err))
		return false;
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "Node attributes:");
	for (size_t i = 0; i < n; i++) {
		doc_line_put(call->out, ROLE_PLAIN, "  %s:", attrs[i].key);
		put_flat(call->out, attrs[i].text);
		doc_newline(call->out);
	}
	return true;
}

static void put_dumps(struct call *call, const struct node_pick *pick)
{
	const struct run *run = call->shell->run;
	struct dumps dumps = {0};
	struct str ms = {0};
	uint32_t number = 0;

	dumps_of_node(run, pick->node, pick->ref.device, &dumps);
	node_text_dumps(call->out, dumps.at.len);
	for (size_t i = 0; i < dumps.at.len; i++) {
		const struct tensor *t = &run->tensors.at[dumps.at.at[i]];
		struct str text = {0}, name = {0}, word = {0};

		number = i && run->tensors.at[dumps.at.at[i - 1]].slot == t->slot ? number + 1 : 0;
		str_reset(&ms);
		put_rel_ms(&ms, t->time_us, run->t0_us);
		str_fmt(&text, "Slot %" PRIu32 " @ %s", t->slot, run->debug_ops.key[t->debug_op]);
		if (run_has_times(run))
			str_fmt(&text, " @ %s ms", ms.text);
		doc_put(call->out, ROLE_PLAIN, "  ");
		str_fmt(&name, "%s:%" PRIu32, t->node, t->slot);
		words_put(&word, name.text);
		doc_link(call->out, ROLE_PLAIN, text.text, "pt %s -n %" PRIu32, word.text, number);
		doc_newline(call->out);
		str_release(&text);
		str_release(&name);
		str_release(&word);
	}
	str_release(&ms);
	vec_release(&dumps.at);
}

/* Where the node runs; NULL: a graph that was not placed doesn't say. */
static const char *device_of(const struct device *device, uint32_t node)
{
	const char *own = graph_device(device->graph, node);

	return *own ? own : *device->name ? device->name : NULL;
}

static void put_node(struct call *call, const struct node_pick *pick)
{
	const struct opt_value *opt = call->args.opt;
	const struct device *device = &call->shell->run->devices.at[pick->ref.device];
	const char *where = device_of(device, pick->ref.node);

	node_text_begin(call->out, pick->node, graph_op(device->graph, pick->ref.node));
	if (where)
		doc_line_put(call->out, ROLE_PLAIN, "  Device: %s", where);
	if (graph_module(device->graph))
		instruction_put(call->out, device->graph, pick->ref.node);
	if (!put_neighbours(call, pick->ref, EDGE_INPUT, EDGE_CONTROL, "input") ||
	    !put_neighbours(call, pick->ref, EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT, "recipient"))
		return;
	if (opt[ATTRIBUTES].given && !put_attributes(call, pick->ref))
		return;
	if (opt[DUMPS].given)
		put_dumps(call, pick);
	if (opt[TRACEBACK].given
	    && stacks_of_position(call->shell, call->progress, &call->err))
		traceback_put(call, pick->node);
}

/* What a typed answer is made of; it asks the graph again. */
struct node_data {
	struct shell *shell;
	struct node_pick pick;
	bool attributes, dumps, traceback;
	struct arena mem;
};

static void release_node_data(void *context)
{
	arena_release(&((struct node_data *)context)->mem);
}

static bool put_neighbour_data(const struct node_data *d, const char *key, enum edge_kind kind,
                               struct data *data, struct err *err)
{
	struct neighbours items = {0};
	bool ok = neighbours_add(d->shell->run, d->pick.ref, kind, &items, err);

	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < items.list.len; i++) {
		data_object(data);
		neighbour_put_data(d->shell->run, &items.list.at[i], data);
		data_end(data);
	}
	data_end(data);
	vec_release(&items.list);
	return ok;
}

static bool put_attribute_data(struct node_data *d, struct data *data, struct err *err)
{
	struct graph *graph = d->shell->run->devices.at[d->pick.ref.device].graph;
	struct attr *attrs;
	size_t n;

	if (!graph_attrs(graph, d->pick.ref.node, &d->mem, &attrs, &n, err))
		return false;
	data_key(data, "attributes");
	data_object(data);
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(attrs[i].text);

		data_key(data, attrs[i].key);
		data_text(data, attrs[i].text,
		          len && attrs[i].text[len - 1] == '\n' ? len - 1 : len);
	}
	data_end(data);
	return true;
}

static void put_dump_data(const struct node_data *d, struct data *data)
{
	const struct run *run = d->shell->run;
	struct dumps dumps = {0};

	dumps_of_node(run, d->pick.node, d->pick.ref.device, &dumps);
	data_key(data, "dumps");
	data_list(data);
	for (size_t i = 0; i < dumps.at.len; i++) {
		data_object(data);
		tensor_put_data(run, &run->tensors.at[dumps.at.at[i]], data);
		data_end(data);
	}
	data_end(data);
	vec_release(&dumps.at);
}

static bool node_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	struct node_data *d = context;
	const struct device *device = &d->shell->run->devices.at[d->pick.ref.device];

	(void)progress;
	data_object(data);
	data_key(data, "node");
	data_str(data, d->pick.node);
	data_key(data, "op");
	data_str(data, graph_op(device->graph, d->pick.ref.node));
	if (graph_module(device->graph)) {
		instruction_put_data(device->graph, d->pick.ref.node, data);
	} else {
		data_key(data, "device");
		data_str(data, device_of(device, d->pick.ref.node));
	}
	if (!put_neighbour_data(d, "inputs", EDGE_INPUT, data, err) ||
	    !put_neighbour_data(d, "control_inputs", EDGE_CONTROL, data, err) ||
	    !put_neighbour_data(d, "recipients", EDGE_RECIPIENT, data, err) ||
	    !put_neighbour_data(d, "control_recipients", EDGE_CONTROL_RECIPIENT, data, err))
		return false;
	if (d->attributes && !put_attribute_data(d, data, err))
		return false;
	if (d->dumps)
		put_dump_data(d, data);
	if (d->traceback) {
		data_key(data, "traceback");
		traceback_put_data(d->shell->stacks, d->pick.node, data);
	}
	data_end(data);
	return true;
}

static void type_node(struct call *call, const struct node_pick *pick)
{
	struct node_data *d = arena_alloc(doc_mem(call->out), sizeof *d);

	d->shell = call->shell;
	d->pick = *pick;
	d->pick.node = arena_copy(&d->mem, pick->node, strlen(pick->node));
	d->attributes = call->args.opt[ATTRIBUTES].given;
	d->dumps = call->args.opt[DUMPS].given;
	d->traceback = call->args.opt[TRACEBACK].given;
	doc_keep(call->out, release_node_data, d);
	doc_typed(call->out, DATA_VALUE, node_put_data, d);
}

static void ni_exec(struct call *call)
{
	struct node_pick pick;

	if (!pick_read(call, call->args.pos[0], call->args.opt[DEVICE].word, &pick) ||
	    !need_graph(call))
		return;
	switch (pick_node(call, &pick)) {
	case PICK_SEVERAL:
		return;
	case PICK_NONE:
		call_no_node(call, pick.node);
		menu_put(call->out, NULL, MENU_NODE_INFO);
		return;
	case PICK_ONE:
		put_node(call, &pick);
		type_node(call, &pick);
		menu_put(call->out, pick.node, MENU_NODE_INFO);
		call_note_unread(call);
	}
}

const struct cmd cmd_ni = {
	.name = "node_info", .alias = "ni",
	.summary = "A node: op, device, neighbors, attributes, dumps", OPTS(options),
	.added = 1u << DEVICE, POSITIONALS(positionals), .names = LINK_NODE, .for_detail = true,
	.exec = ni_exec,
};
