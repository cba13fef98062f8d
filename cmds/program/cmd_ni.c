/* An op of a recorded program's graphs, or one of its steps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/menu.h"
#include "cmds/graph/node_text.h"
#include "cmds/graph/traceback.h"
#include "cmds/program/feeds.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/node_dumps.h"
#include "cmds/program/stack_text.h"
#include "cmds/program/step_row.h"
#include "cmds/program/trees.h"

enum { ATTRIBUTES, DUMPS, TRACEBACK, FRAMES, GRAPH, STEP };

static const struct opt options[] = {
	[ATTRIBUTES] = { OPT_FLAG, "a", "attributes", "say that attributes are not recorded" },
	[DUMPS] = { OPT_FLAG, "d", "dumps", "list the tensors recorded of it, those of the step" },
	[TRACEBACK] = { OPT_FLAG, "t", "traceback", "show where the program made or called it" },
	[FRAMES] = { OPT_FLAG, NULL, "frames",
	             "with -t on the screen: frames of libraries too, one by one" },
	[GRAPH] = GRAPH_OPT,
	[STEP] = STEP_OPT,
};
static const struct pos positionals[] = { SUBJECT_POS };

/* What the text is made from; the typed answer asks the program again. */
struct node_info {
	const struct program *program;
	struct subject subject;
	uint32_t near;           /* the named step, or the current one; PROGRAM_NONE: none */
	bool dumps, traceback;
	const char *unfold;      /* the command that has all frames; NULL: this has them */
	struct program_reads reads;
	struct err fault;        /* of the first record that could not be read for the text */
};

/* Text. */

static void put_ids(struct str *out, const struct program *program, size_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		str_fmt(out, "%s%" PRId64, i ? ", " : "", program->ids.at[first + i]);
}

static void put_outputs(struct doc *doc, const struct program *program, int64_t n, size_t first,
                        uint32_t n_ids)
{
	struct str ids = {0};

	put_ids(&ids, program, first, n_ids);
	doc_put(doc, ROLE_PLAIN, "  Outputs: %" PRId64, n);
	if (n_ids)
		doc_put(doc, ROLE_PLAIN, ", tensor id%s %s", plural(n_ids), ids.text);
	doc_newline(doc);
	str_release(&ids);
}

/* The beginning of its id, with the link if there is no name. */
static void put_graph_id(struct doc *doc, const struct program_graph *graph, bool named)
{
	struct str id = {0};

	str_fmt(&id, "%.8s", graph->id);
	if (named)
		doc_put(doc, ROLE_PLAIN, " (%s)", id.text);
	else
		doc_link(doc, ROLE_PLAIN, str_text(&id), "lg --ops -g %s", graph->id);
	str_release(&id);
}

/* "cross_entropy < train_step (5209667a)": a link to each of them. */
static void put_graph(struct doc *doc, const struct program *program, uint32_t graph,
                      const char *note)
{
	uint32_t path[NAMED_PATH_MAX];
	size_t more, n = named_path(program, graph, path, &more);

	doc_put(doc, ROLE_PLAIN, "  Graph: ");
	for (size_t i = 0; i < n; i++) {
		const struct program_graph *g = &program->graphs.at[path[i]];

		doc_put(doc, ROLE_PLAIN, "%s", i ? " < " : "");
		doc_link(doc, ROLE_PLAIN, g->name, "lg --ops -g %s", g->id);
	}
	if (more)
		doc_put(doc, ROLE_PLAIN, " < ... and %zu more", more);
	put_graph_id(doc, &program->graphs.at[graph], n);
	doc_line_put(doc, ROLE_PLAIN, "%s", note);
}

/* Device names, each once, for "  Device: NAME" lines. */
struct devices {
	struct doc *doc;
	VEC(const char *) names;
};

static void put_device(struct devices *devices, const char *name)
{
	for (size_t i = 0; i < devices->names.len; i++)
		if (!strcmp(devices->names.at[i], name))
			return;
	vec_push(&devices->names, name);
	doc_line_put(devices->doc, ROLE_PLAIN, "  Device: %s", name);
}

static void put_node_devices(struct doc *doc, const struct program *program, uint32_t node)
{
	struct devices devices = { .doc = doc };

	for (size_t i = 0; i < program->keys.len; i++)
		if (program->keys.at[i].node == node && *program->keys.at[i].device)
			put_device(&devices, program->keys.at[i].device);
	vec_release(&devices.names);
}

static void put_step_devices(struct doc *doc, const struct program *program, uint32_t step)
{
	const struct program_step *s = &program->steps.at[step];
	size_t first = s->first_id + s->n_input_ids + s->n_output_ids;
	struct devices devices = { .doc = doc };

	for (uint32_t i = 0; i < s->n_device_ids; i++) {
		const char *name = program_device_name(program, s->at.set,
		                                       program->ids.at[first + i]);

		if (name)
			put_device(&devices, name);
	}
	vec_release(&devices.names);
}

/* "4 dumps in step #7, 12 in all" */
static void put_dump_counts(struct doc *doc, const struct node_info *info,
                            const struct node_dumps *dumps)
{
	doc_put(doc, ROLE_PLAIN, "  Dumps: ");
	if (info->subject.step == PROGRAM_NONE && info->near != PROGRAM_NONE)
		doc_put(doc, ROLE_PLAIN, "%zu in step #%" PRIu32 ", %" PRIu64 " in all",
		        dumps->list.len, info->near, dumps->n_all);
	else
		doc_put(doc, ROLE_PLAIN, "%" PRIu64, dumps->n_all);
	doc_newline(doc);
}

static void put_card(struct doc *doc, const struct node_info *info, const struct node_dumps *dumps)
{
	const struct program *program = info->program;
	const struct program_node *node = &program->nodes.at[info->subject.node];
	const struct program_op *op =
		node->op == PROGRAM_NONE ? NULL : &program->ops.at[node->op];
	const char *note = node_note(program, info->subject.node);
	struct str type = {0};

	str_puts(&type, op ? op->type : "?");
	if (note)
		str_fmt(&type, " (%s)", note);
	node_text_begin(doc, node->name, type.text);
	put_graph(doc, program, node->graph, "");
	put_node_devices(doc, program, info->subject.node);
	if (op)
		put_outputs(doc, program, op->n_outputs, op->first_id, op->n_ids);
	put_dump_counts(doc, info, dumps);
	str_release(&type);
}

static void put_step_card(struct doc *doc, const struct node_info *info)
{
	const struct program *program = info->program;
	const struct program_step *step = &program->steps.at[info->subject.step];
	uint32_t graph = program_probable_graph(program, info->subject.step);
	struct str name = {0};

	put_step_name(&name, program, info->subject.step);
	node_text_begin(doc, name.text, step->op);
	if (graph != PROGRAM_NONE)
		put_graph(doc, program, graph,
		          step->graph == PROGRAM_NONE ? ", probably" : "");
	put_step_devices(doc, program, info->subject.step);
	put_outputs(doc, program, step->n_outputs, step->first_id + step->n_input_ids,
	            step->n_output_ids);
	str_release(&name);
}

static struct tree_source *neighbours_of(const struct node_info *info, const struct tree_way *way)
{
	return info->subject.step == PROGRAM_NONE
	               ? op_tree(info->program, info->subject.node, PROGRAM_NONE, way)
	               : step_tree(info->program, info->subject.step, way);
}

/* The name of an input inside the function, "as x"; nothing if the function is not known. */
static void put_placeholder(struct str *out, const struct node_info *info, uint32_t input)
{
	uint32_t op = PROGRAM_NONE;

	if (info->subject.step != PROGRAM_NONE)
		op = program_placeholder(info->program, info->subject.step, input);
	if (op != PROGRAM_NONE)
		str_fmt(out, "%sas %s", out->len ? ", " : "",
		        info->program->nodes.at[info->program->ops.at[op].node].name);
}

static void put_neighbours(struct doc *doc, const struct node_info *info,
                           const struct tree_way *way, const char *noun)
{
	struct tree_source *source = neighbours_of(info, way);
	const struct tree_kind *kind = source->kind;
	struct tree_children all = { .child_size = kind->child_size };
	struct str name = {0}, link = {0}, text = {0};
	struct err never = {0};

	kind->children(source, NULL, true, &all, &never);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "  %zu %s(s):", all.len, noun);
	for (size_t i = 0; i < all.len; i++) {
		const void *child = all.at + i * all.child_size;

		str_reset(&name);
		str_reset(&link);
		str_reset(&text);
		kind->put_note(source, child, &text);
		if (!way->to_recipients)
			put_placeholder(&text, info, (uint32_t)i);
		kind->put_name(source, child, &name);
		kind->put_link(source, child, &link);
		node_text_neighbour(doc, kind->op(source, child), str_text(&name), str_text(&link),
		                    str_text(&text));
	}
	free(all.at);
	kind->free(source);
	str_release(&name);
	str_release(&link);
	str_release(&text);
}

/* The step that called the graph of the op: the step that is near, if the graph is its own. */
static uint32_t caller_of(const struct node_info *info)
{
	const struct program *program = info->program;
	uint32_t graph = info->near == PROGRAM_NONE
	                         ? PROGRAM_NONE
	                         : program_probable_graph(program, info->near);

	if (info->subject.step != PROGRAM_NONE || graph == PROGRAM_NONE ||
	    !program_is_within(program, program->nodes.at[info->subject.node].graph, graph))
		return PROGRAM_NONE;
	return info->near;
}

static uint32_t stack_of(const struct node_info *info)
{
	const struct program *program = info->program;
	uint32_t op;

	if (info->subject.step != PROGRAM_NONE)
		return program->steps.at[info->subject.step].stack;
	op = program->nodes.at[info->subject.node].op;
	return op == PROGRAM_NONE ? PROGRAM_NONE : program->ops.at[op].stack;
}

static void put_stacks(struct doc *doc, struct node_info *info)
{
	uint32_t caller = caller_of(info);
	struct str name = {0};

	doc_newline(doc);
	doc_line_put(doc, ROLE_STRONG, info->subject.step == PROGRAM_NONE
	                                       ? TRACEBACK_HEADING
	                                       : "Traceback of the call:");
	stack_put(doc, &info->reads, stack_of(info), info->unfold, &info->fault);
	if (caller == PROGRAM_NONE)
		return;
	put_step_name(&name, info->program, caller);
	doc_line_put(doc, ROLE_STRONG, "Called from (%s):", name.text);
	stack_put(doc, &info->reads, info->program->steps.at[caller].stack, info->unfold,
	          &info->fault);
	str_release(&name);
}

static void put_text(struct call *call, struct node_info *info)
{
	struct doc *doc = call->out;
	bool is_step = info->subject.step != PROGRAM_NONE;
	struct node_dumps dumps;

	node_dumps_find(info->program, &info->subject, info->near, &dumps);
	if (is_step)
		put_step_card(doc, info);
	else
		put_card(doc, info, &dumps);
	put_neighbours(doc, info, &tree_inputs, "input");
	put_neighbours(doc, info, &tree_recipients, "recipient");
	if (call->args.opt[ATTRIBUTES].given) {
		doc_newline(doc);
		doc_line_put(doc, ROLE_PLAIN, "Attributes are not recorded in v2 dumps.");
	}
	if (info->dumps)
		node_dumps_put(doc, &info->reads, &dumps,
		               is_step ? info->subject.step : info->near, &info->fault);
	if (info->traceback)
		put_stacks(doc, info);
	if (info->fault.code)
		call_damage(call, info->fault.src, &info->fault);
	node_dumps_release(&dumps);
}

/* Typed. */

static void put_input_data(const struct program *program, uint32_t node, struct data *data)
{
	uint32_t op = program->nodes.at[node].op;

	data_list(data);
	for (uint32_t i = 0; op != PROGRAM_NONE && i < program->ops.at[op].n_inputs; i++) {
		const struct program_input *input = &program_op_inputs(program, op)[i];

		data_object(data);
		key_str(data, "node", program->nodes.at[input->node].name);
		data_key(data, "slot");
		data_int_or_null(data, input->slot == PROGRAM_BARE ? 0 : input->slot);
		key_str(data, "op", node_op(program, input->node));
		data_end(data);
	}
	data_end(data);
}

static void put_recipient_data(const struct node_info *info, struct data *data)
{
	struct tree_source *source = neighbours_of(info, &tree_recipients);
	struct tree_children all = { .child_size = source->kind->child_size };
	struct err never = {0};

	source->kind->children(source, NULL, true, &all, &never);
	data_list(data);
	for (size_t i = 0; i < all.len; i++) {
		data_object(data);
		source->kind->put_keys(source, all.at + i * all.child_size, data);
		data_end(data);
	}
	data_end(data);
	free(all.at);
	source->kind->free(source);
}

static void put_subject_data(const struct node_info *info, struct data *data)
{
	const struct program *program = info->program;
	const struct program_node *node;
	struct str name = {0};

	if (info->subject.step != PROGRAM_NONE) {
		put_step_name(&name, program, info->subject.step);
		key_str(data, "node", name.text);
		key_str(data, "op", program->steps.at[info->subject.step].op);
		data_key(data, "inputs");
		feeds_put_data(program, info->subject.step, data);
	} else {
		node = &program->nodes.at[info->subject.node];
		key_str(data, "node", node->name);
		key_str(data, "op", node_op(program, info->subject.node));
		key_str(data, "graph", program->graphs.at[node->graph].id);
		data_key(data, "chain");
		graph_put_chain(program, node->graph, data);
		data_key(data, "inputs");
		put_input_data(program, info->subject.node, data);
	}
	str_release(&name);
}

/* Errors of the text were reported; only new ones are returned. */
static bool put_value(void *context, struct data *data, struct progress *progress, struct err *err)
{
	struct node_info *info = context;
	struct err fault = info->fault;
	struct node_dumps dumps;

	(void)progress;
	data_object(data);
	put_subject_data(info, data);
	data_key(data, "recipients");
	put_recipient_data(info, data);
	if (info->dumps) {
		node_dumps_find(info->program, &info->subject, info->near, &dumps);
		data_key(data, "dumps");
		node_dumps_put_data(&info->reads, &dumps, data, &fault);
		node_dumps_release(&dumps);
	}
	if (info->traceback) {
		data_key(data, "traceback");
		stack_put_data(&info->reads, stack_of(info), data, &fault);
	}
	data_end(data);
	if (!fault.code || info->fault.code)
		return true;
	*err = fault;
	return false;
}

static void release_reads(void *reads)
{
	program_reads_release(reads);
}

/* The same line with all frames. */
static const char *unfolding(struct call *call)
{
	struct args args = call->args;
	struct str line = {0};
	const char *out;

	if (!call->on_screen || args.opt[FRAMES].given)
		return NULL;
	args.opt[FRAMES].given = true;
	again_put(call->cmd, &args, &line);
	out = arena_copy(doc_mem(call->out), line.text, line.len);
	str_release(&line);
	return out;
}

static void ni_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	const struct program *program = call->shell->program;
	struct node_info *info = arena_alloc(doc_mem(call->out), sizeof *info);
	struct str words = {0};

	*info = (struct node_info){
		.program = program, .near = call->shell->program_step,
		.dumps = opt[DUMPS].given, .traceback = opt[TRACEBACK].given,
		.unfold = unfolding(call), .reads = { .program = program },
	};
	if ((opt[STEP].given && !choose_step(call, &opt[STEP], &info->near)) ||
	    !choose_subject(call, call->args.pos[0], opt[GRAPH].word, info->near, &info->subject))
		return;
	doc_keep(call->out, release_reads, &info->reads);
	put_text(call, info);
	doc_typed(call->out, DATA_VALUE, put_value, info);
	subject_put_words(program, &info->subject, &words);
	menu_put_words(call->out, words.text, MENU_NODE_INFO);
	str_release(&words);
}

const struct cmd cmd_ni_program = {
	.name = "node_info", .alias = "ni",
	.summary = "An op or a step: graph, neighbors, dumps, traceback", OPTS(options),
	POSITIONALS(positionals), .of_program = true, .names = LINK_NODE, .for_detail = true,
	.exec = ni_exec,
};
