#include "cmds/session/nodes.h"

#include <string.h>

#include "cmds/lang/args.h"
#include "cmds/lang/words.h"
#include "cmds/session/suggest.h"
#include "dump/base/mount.h"
#include "dump/base/path.h"

/* Ops that are never shown as inputs or recipients. */
static bool op_is_hidden(const char *op)
{
	static const char *const hidden[] = { "_Send", "_Recv", "_HostSend", "_HostRecv",
	                                      "_Retval" };

	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (!strcmp(op, hidden[i]))
			return true;
	return false;
}

/* "DEVICE:NODE": the device's number and what follows; -1 if the word begins with no device. */
static int leading_device(const struct run *run, const char *word, const char **rest)
{
	for (size_t i = 0; i < run->devices.len; i++) {
		const char *name = run->devices.at[i].name;
		size_t len = strlen(name);

		if (len && !strncmp(word, name, len) && word[len] == ':') {
			*rest = word + len + 1;
			return (int)i;
		}
	}
	return -1;
}

/* The device whose name holds the word; the whole name wins over a part. */
static bool find_device(struct call *call, const char *word, int *device)
{
	const struct run *run = call->shell->run;
	size_t fits = 0;

	for (size_t i = 0; i < run->devices.len; i++) {
		const char *name = run->devices.at[i].name;

		if (!strcmp(name, word)) {
			*device = (int)i;
			return true;
		}
		if (strstr(name, word)) {
			*device = (int)i;
			fits++;
		}
	}
	if (fits == 1)
		return true;
	if (fits)
		call_error(call, "ERROR: \"%s\" is in the names of %zu devices.", word, fits);
	else
		call_error(call, "ERROR: There is no device named \"%s\".", word);
	return false;
}

enum { OWNERS_SHOWN = 3 };

static size_t owners_of(const struct run *run, const char *word, const char **nodes, size_t max)
{
	size_t len = strlen(word), n = run_nodes_of_full_name(run, word, len, nodes, max);

	if (!n && text_ends(word, ":0") && run_node_id(run, word, len) == MAP_NONE)
		n = run_nodes_of_full_name(run, word, len - 2, nodes, max);
	return n;
}

bool is_of_several(const struct run *run, const char *word)
{
	return run && run->op_type && owners_of(run, word, NULL, 0);
}

void say_of_several(struct call *call, const char *word)
{
	const char *node[OWNERS_SHOWN];
	size_t n = owners_of(call->shell->run, word, node, OWNERS_SHOWN);
	struct str names = {0};

	for (size_t i = 0; i < n && i < OWNERS_SHOWN; i++)
		str_fmt(&names, "%s%s", i ? ", " : "", node[i]);
	if (n > OWNERS_SHOWN)
		str_fmt(&names, " and %zu more", n - OWNERS_SHOWN);
	call_error(call, "ERROR: \"%s\" is the full name of %zu arrays: %s.", word, n,
	           str_text(&names));
	str_release(&names);
}

/* An array is called by its name, which may hold anything, or as a node's first slot. */
static bool pick_array(struct call *call, const char *word, struct node_pick *pick)
{
	const struct run *run = call->shell->run;
	size_t len = strlen(word);
	uint32_t id;

	if (!run->op_type)
		return false;
	id = run_node_id(run, word, len);
	if (id == MAP_NONE && text_ends(word, ":0"))
		id = run_node_id(run, word, len - 2);
	if (id == MAP_NONE)
		return false;
	pick->node = run->nodes.key[id];
	pick->has_slot = true;
	return true;
}

bool pick_read(struct call *call, const char *word, const char *device_word, struct node_pick *pick)
{
	struct node_word parsed;

	*pick = (struct node_pick){ .device = leading_device(call->shell->run, word, &word) };
	if (device_word && !find_device(call, device_word, &pick->device))
		return false;
	if (pick_array(call, word, pick))
		return true;
	if (is_of_several(call->shell->run, word)) {
		say_of_several(call, word);
		return false;
	}
	if (!node_word_parse(word, call->mem, &parsed, &call->err))
		return false;
	pick->node = parsed.node;
	pick->has_slot = parsed.has_slot;
	pick->slot = parsed.slot;
	return true;
}

bool no_graph_of_arrays(struct call *call)
{
	struct str path = {0};

	mount_put_shown(&path, call->shell->runs->path);
	call_error(call, "ERROR: There is no graph for this source (%s).", path.text);
	str_release(&path);
	return false;
}

bool need_graph(struct call *call)
{
	if (run_has_graph(call->shell->run))
		return true;
	if (shell_has_arrays(call->shell))
		return no_graph_of_arrays(call);
	if (call->shell->has_dump) {
		if (call->on_screen)
			call->advice = NO_GRAPH;
		return err_at(&call->err, ERR_LOOKUP, "command", 0,
		              "Nodes have not been loaded from partition graphs yet.");
	}
	call_error(call, "ERROR: " NO_GRAPH);
	return false;
}

void bring_no_node_key(struct call *call)
{
	static const struct doc_key key = { 'o', .way = KEY_OPENS, .refusal = "ERROR: " NO_GRAPH };
	static const struct doc_keys keys = { NULL, &key, 1 };

	if (!has_nodes(call->shell))
		doc_bring_keys(call->out, &keys, NULL, NULL);
}

bool has_nodes(const struct shell *shell)
{
	return shell->has_dump || (shell->run && run_has_graph(shell->run));
}

static void put_words(struct str *out, const struct call *call)
{
	str_puts(out, call->cmd->alias ? call->cmd->alias : call->cmd->name);
	for (size_t i = 0; i < call->n_words; i++)
		words_put_with(out, "", call->words[i]);
}

void put_device_choice(struct call *call, const char *node, const uint16_t *devices, size_t n)
{
	const struct run *run = call->shell->run;
	struct str words = {0};

	put_words(&words, call);
	call_error(call, "ERROR: Node \"%s\" is on %zu devices. Choose one:", node, n);
	for (size_t i = 0; i < n; i++) {
		const char *name = run->devices.at[devices[i]].name;
		struct str command = {0};

		str_puts(&command, words.text);
		words_put_with(&command, " -D", name);
		doc_put(call->out, ROLE_PLAIN, "  ");
		doc_link(call->out, ROLE_PLAIN, command.text, "%s", command.text);
		doc_newline(call->out);
		str_release(&command);
	}
	str_release(&words);
}

#define MAX_CHOICE 64

enum pick_result pick_node(struct call *call, struct node_pick *pick)
{
	struct node_ref refs[MAX_CHOICE];
	uint16_t devices[MAX_CHOICE];
	size_t n = run_find_node(call->shell->run, pick->node, strlen(pick->node), pick->device,
	                         refs, MAX_CHOICE);

	if (n == 0)
		return PICK_NONE;
	pick->ref = refs[0];
	if (n == 1)
		return PICK_ONE;
	for (size_t i = 0; i < n && i < MAX_CHOICE; i++)
		devices[i] = refs[i].device;
	put_device_choice(call, pick->node, devices, n < MAX_CHOICE ? n : MAX_CHOICE);
	return PICK_SEVERAL;
}

void call_no_node(struct call *call, const char *node)
{
	call_error(call, "ERROR: There is no node named \"%s\" in the partition graphs", node);
	suggest_node(call, node);
}

/* Looks on the same device first: of nodes with one name, that one is meant. */
static struct node_ref resolve(const struct run *run, uint16_t device, const struct edge *edge)
{
	struct node_ref ref = { device, edge->node };
	const char *name;

	if (edge->node != GRAPH_NONE)
		return ref;
	name = edge_node_name(run->devices.at[device].graph, edge);
	if (!run_find_node(run, name, strlen(name), -1, &ref, 1))
		ref = (struct node_ref){ device, GRAPH_NONE };
	return ref;
}

bool neighbours_add(struct run *run, struct node_ref node, enum edge_kind kind,
                    struct neighbours *out, struct err *err)
{
	struct edges edges;

	if (!graph_edges(run->devices.at[node.device].graph, node.node, kind, &edges, err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		struct neighbour n = { .ref = resolve(run, node.device, &edges.at[i]),
		                       .edge = edges.at[i], .edge_device = node.device };

		n.control = kind == EDGE_CONTROL || kind == EDGE_CONTROL_RECIPIENT;
		if (!op_is_hidden(neighbour_op(run, &n)))
			vec_push(&out->list, n);
	}
	return true;
}

void neighbour_text(const struct run *run, const struct neighbour *n, struct str *out)
{
	edge_text(run->devices.at[n->edge_device].graph, &n->edge, out);
}

const char *neighbour_op(const struct run *run, const struct neighbour *n)
{
	if (n->ref.node == GRAPH_NONE)
		return "?";
	return graph_op(run->devices.at[n->ref.device].graph, n->ref.node);
}

void neighbour_put_data(const struct run *run, const struct neighbour *n, struct data *data)
{
	data_key(data, "node");
	data_str(data, edge_node_name(run->devices.at[n->edge_device].graph, &n->edge));
	data_key(data, "slot");
	if (n->edge.slot < 0)
		data_null(data);
	else
		data_int(data, n->edge.slot);
	data_key(data, "op");
	data_str(data, n->ref.node == GRAPH_NONE ? NULL : neighbour_op(run, n));
}
