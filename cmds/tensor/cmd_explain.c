/*
 * Where something shown comes from: the file of a dumped tensor, the message in that file, the
 * elements in the message, one element; the NodeDef of a node; the line of the program that made
 * the node. Each is a row that says what it is, where it is and how many bytes it has.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/array/slice.h"
#include "cmds/graph/node_source.h"
#include "cmds/graph/source.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "cmds/tensor/explain.h"

enum { ELEMENT, NUMBER, DEVICE, N_OF_RUN,
       GRAPH = N_OF_RUN, TRACE, AT_STEP };      /* these only for recorded programs */

static const struct opt options[] = {
	[ELEMENT] = { OPT_WORD, "e", "element",
	              "one element, by its index in what the slice leaves: 3,0" },
	[NUMBER] = NUMBER_OPT,
	[DEVICE] = DEVICE_OPT,
	[GRAPH] = GRAPH_OPT,
	[TRACE] = TRACE_OPT,
	[AT_STEP] = AT_STEP_OPT,
};

static const struct pos positionals[] = {
	{ "name", "a tensor, node:slot, and a slice; or a node", false },
};

static const struct pos traced_positionals[] = {
	{ "name", "a tensor, node:slot or op#step:slot, and a slice; a node; a step, op#step",
	  true },
};

static void release_spots(void *spots)
{
	vec_release(&((struct spots *)spots)->at);
}

const char *spot_keep(struct call *call, const char *text)
{
	return arena_copy(doc_mem(call->out), text, strlen(text));
}

void spots_add(struct spots *spots, const char *what, const char *name, const char *file,
               uint64_t off, uint64_t bytes)
{
	vec_push(&spots->at, ((struct spot){ what, name, file, off, bytes, false, NULL }));
}

void spots_add_line(struct spots *spots, const char *name, const char *file, uint64_t line,
                    const char *link)
{
	vec_push(&spots->at,
	         ((struct spot){ "made", name, file, line, SPOT_UNKNOWN, true, link }));
}

/* A file of the run, relative to the run's path. */
static const char *in_run(const struct run *run, const char *path)
{
	size_t len = strlen(run->path);

	return !strncmp(path, run->path, len) && path[len] == '/' ? path + len + 1 : path;
}

/* Nodes. */

static void add_line(struct call *call, const char *node, const struct node_source *source,
                     struct spots *spots)
{
	struct str link = {0};

	source_put_command(call->shell, source->file, source->line, &link);
	spots_add_line(spots, spot_keep(call, node), spot_keep(call, source->file),
	               (uint64_t)source->line, spot_keep(call, link.text));
	str_release(&link);
}

static void add_made(struct call *call, const char *node, struct spots *spots)
{
	struct source_finder finder = { .shell = call->shell };
	struct node_source source;

	if (node_source_find(&finder, node, &source))
		add_line(call, node, &source, spots);
	if (finder.fault.code)
		call_damage(call, finder.fault.src, &finder.fault);
	source_finder_release(&finder);
}

static void add_node(struct call *call, const struct node_pick *pick, struct spots *spots)
{
	const struct run *run = call->shell->run;
	struct node_ref ref;
	const char *path;
	uint64_t off, len;

	if (run_find_node(run, pick->node, strlen(pick->node), pick->device, &ref, 1)) {
		const struct graph *graph = run->devices.at[ref.device].graph;

		path = graph_place(graph, ref.node, &off, &len);
		spots_add(spots, "node", graph_name(graph, ref.node),
		          spot_keep(call, in_run(run, path)), off, len);
	}
	add_made(call, pick->node, spots);
}

static void add_dump(struct call *call, const char *what, const struct tensor *t,
                     struct spots *spots)
{
	const struct run *run = call->shell->run;
	struct str file = {0}, name = {0};
	bool is_size_of_file = t->size_bytes >= 0 && !run->op_type;

	run_tensor_file(run, t, &file);
	run_put_name(run, t, &name);
	if (!run->op_type)
		str_fmt(&name, ":%s", run->debug_ops.key[t->debug_op]);
	if (file.len)
		spots_add(spots, what, spot_keep(call, name.text), spot_keep(call, file.text), 0,
		          is_size_of_file ? (uint64_t)t->size_bytes : SPOT_UNKNOWN);
	str_release(&file);
	str_release(&name);
}

/* Tensors. */

static bool bad_element(struct call *call, const char *text, const struct shape *shape)
{
	struct str all = {0};

	put_shape(&all, shape);
	call_error(call, "ERROR: \"%s\" is no element of %s", text, all.text);
	str_release(&all);
	return false;
}

/* "3,0" as the number of an element of the value. */
static bool read_element(struct call *call, const char *text, const struct view *view,
                         uint64_t *out)
{
	const char *at = text;

	*out = view->start;
	for (uint32_t i = 0; i < view->shape.rank; i++) {
		char *end;
		long long index;

		errno = 0;
		index = strtoll(at, &end, 10);
		if (errno || end == at || index < 0 || index >= view->shape.dim[i] ||
		    *end != (i + 1 < view->shape.rank ? ',' : '\0'))
			return bad_element(call, text, &view->shape);
		*out += (uint64_t)index * (uint64_t)view->stride[i];
		at = end + 1;
	}
	return (!view->shape.rank && view->count) || *text || bad_element(call, text, &view->shape);
}

static void add_whole(const struct value *value, struct spots *spots)
{
	const struct spot dump = spots->at.at[0];
	uint64_t off, len, last;

	if (value_message(value, &off, &len))
		spots_add(spots, "message", dump.name, dump.file, off, len);
	if (value_place(value, 0, &off, &len) && value_place(value, value->count - 1, &last, &len))
		spots_add(spots, "elements", dump.name, dump.file, off, last + len - off);
}

bool spots_add_value(struct call *call, const struct request *req, struct value *value,
                     const struct opt_value *element, struct spots *spots)
{
	struct spot dump;
	struct view view;
	uint64_t i, off, len;
	bool scalar;

	if (value->known)        /* no element lies anywhere */
		return true;
	dump = spots->at.at[0];
	add_whole(value, spots);
	if (!element->given)
		return true;
	view_all(&view, value);
	if (value->state != VALUE_ARRAY)
		return bad_element(call, element->word, &value->shape);
	if (req->slice && !slice_apply(req->slice, &view, &scalar, &call->err))
		return false;
	if (!read_element(call, element->word, &view, &i))
		return false;
	if (value_place(value, i, &off, &len))
		spots_add(spots, "element", dump.name, dump.file, off, len);
	return true;
}

static bool explain_tensor(struct call *call, const struct tensor_words *words,
                           struct spots *spots)
{
	struct request req;
	struct value *value;
	bool ok;

	if (!request_find(call, words, &req))
		return false;
	add_dump(call, "file", req.tensor, spots);
	value = run_value(call->shell->run, req.tensor, &call->err);
	if (!value)
		return false;
	ok = spots_add_value(call, &req, value, &call->args.opt[ELEMENT], spots);
	value_close(value);
	if (ok)
		add_node(call, &req.pick, spots);
	return ok;
}

static bool explain_node(struct call *call, const struct node_pick *pick, struct spots *spots)
{
	struct dumps dumps = {0};

	add_node(call, pick, spots);
	dumps_of_node(call->shell->run, pick->node, pick->device, &dumps);
	for (size_t i = 0; i < dumps.at.len; i++)
		add_dump(call, "file", &call->shell->run->tensors.at[dumps.at.at[i]], spots);
	vec_release(&dumps.at);
	if (!spots->at.len)
		call_no_node(call, pick->node);
	return spots->at.len;
}

/* The answer. */

/* One line with the most exact place known: "a:0 element: FILE, offset 12, 4 bytes" */
static void put_first_line(struct call *call, const struct spots *spots)
{
	static const char *const finest[] = { "element", "elements", "message", "record", "node",
	                                      "file", "made" };
	const struct spot *o = NULL;

	for (size_t k = 0; !o && k < sizeof finest / sizeof *finest; k++)
		for (size_t i = 0; !o && i < spots->at.len; i++)
			if (!strcmp(spots->at.at[i].what, finest[k]))
				o = &spots->at.at[i];
	doc_put(call->out, ROLE_STRONG, "%s: ", o->what);
	doc_put(call->out, ROLE_PLAIN, o->source ? "line %" PRIu64 : "offset %" PRIu64, o->off);
	if (o->bytes != SPOT_UNKNOWN)
		doc_put(call->out, ROLE_PLAIN, ", %" PRIu64 " byte%s", o->bytes, plural(o->bytes));
	doc_line_put(call->out, ROLE_PLAIN, " of %s", o->file);
	doc_newline(call->out);
}

/* A tensor's rows are one below the other, and in one file. */
static void put_spot(struct call *call, const struct spot *o, const struct spot *before)
{
	bool same_file = before && !strcmp(before->file, o->file);
	struct str where = {0};
	struct doc *doc = call->out;

	doc_put(doc, ROLE_STRONG, "%s", o->what);
	doc_put(doc, ROLE_PLAIN, "%*s %s", (int)(strlen(o->what) < 8 ? 8 - strlen(o->what) : 0), "",
	        o->name);
	doc_newline(doc);
	str_fmt(&where, o->source ? "line %" PRIu64 : "offset %" PRIu64, o->off);
	doc_put(doc, ROLE_PLAIN, "         ");
	if (o->source)
		doc_link(doc, ROLE_PLAIN, where.text, "%s", o->link);
	else
		doc_put(doc, ROLE_PLAIN, "%s", where.text);
	if (o->bytes != SPOT_UNKNOWN)
		doc_put(doc, ROLE_PLAIN, ", %" PRIu64 " byte%s", o->bytes, plural(o->bytes));
	if (same_file)
		doc_line_put(doc, ROLE_PLAIN, " of the same file");
	else
		doc_line_put(doc, ROLE_PLAIN, " of %s", o->file);
	str_release(&where);
}

static void put_number(struct data *data, const char *key, bool known, uint64_t number)
{
	data_key(data, key);
	if (known)
		data_uint(data, number);
	else
		data_null(data);
}

static bool spots_put_data(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct spots *spots = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < spots->at.len; i++) {
		const struct spot *o = &spots->at.at[i];

		data_object(data);
		data_key(data, "what");
		data_str(data, o->what);
		data_key(data, "name");
		data_str(data, o->name);
		data_key(data, "file");
		data_str(data, o->file);
		put_number(data, "offset", !o->source, o->off);
		put_number(data, "bytes", o->bytes != SPOT_UNKNOWN, o->bytes);
		put_number(data, "line", o->source, o->off);
		data_end(data);
	}
	data_end(data);
	return true;
}

/* In a run. *node: what the menu is about. */
static bool explain(struct call *call, const struct tensor_words *words, struct spots *spots,
                    const char **node)
{
	const char *bare, *slice;
	struct node_pick pick;

	slice_cut(words->word, call->mem, &bare, &slice);
	if (!pick_read(call, bare, call->args.opt[DEVICE].word, &pick))
		return false;
	*node = pick.node;
	return pick.has_slot || slice ? explain_tensor(call, words, spots)
	                              : explain_node(call, &pick, spots);
}

static void explain_exec(struct call *call)
{
	struct spots *spots = arena_alloc(doc_mem(call->out), sizeof *spots);
	const struct opt_value *opt = call->args.opt;
	struct tensor_words words = { call->args.pos[0], &opt[NUMBER], &opt[DEVICE], &opt[GRAPH],
	                              &opt[TRACE], &opt[AT_STEP] };
	const char *node = NULL;

	*spots = (struct spots){0};
	doc_keep(call->out, release_spots, spots);
	if (call->shell->program ? !traced_explain(call, &words, &opt[ELEMENT], spots)
	                         : !explain(call, &words, spots, &node))
		return;
	if (!spots->at.len) {            /* of a value in a summary */
		call_error(call, "ERROR: No place in a file is known of \"%s\".",
		           call->args.pos[0]);
		return;
	}
	put_first_line(call, spots);
	for (size_t i = 0; i < spots->at.len; i++)
		put_spot(call, &spots->at.at[i], i ? &spots->at.at[i - 1] : NULL);
	doc_typed(call->out, DATA_ROWS, spots_put_data, spots);
	if (node)
		menu_put(call->out, node, MENU_NONE);
}

const struct cmd cmd_explain = {
	.name = "explain", .summary = "Where a tensor or node is from: file, offset, line",
	.opts = options, .n_opts = N_OF_RUN, POSITIONALS(positionals), .names = LINK_TENSOR_OR_NODE,
	.exec = explain_exec,
};

const struct cmd cmd_explain_program = {
	.name = "explain",
	.summary = "Where it comes from: file, offset, inputs, line of the program",
	OPTS(options), POSITIONALS(traced_positionals), .names = LINK_TENSOR_OR_NODE,
	.of_program = true, .exec = explain_exec,
};
