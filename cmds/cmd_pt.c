#include <inttypes.h>
#include <string.h>

#include "cmds/array.h"
#include "cmds/dumps.h"
#include "cmds/format.h"
#include "cmds/menu.h"
#include "cmds/nodes.h"
#include "cmds/npy.h"
#include "cmds/number.h"
#include "cmds/ranges.h"
#include "cmds/slice.h"
#include "cmds/summary.h"
#include "cmds/tensor_list.h"
#include "cmds/value_data.h"

enum { NUMBER, RANGES, ALL, SUMMARY, WRITE_PATH, DEVICE };

static const struct opt options[] = {
	[NUMBER] = { OPT_INT, "n", "number", "which dump, from 0, when the tensor was dumped several times" },
	[RANGES] = { OPT_WORD, "r", "ranges", "highlight elements in these ranges: [0,1] or [[-inf,-1],[1,inf]]" },
	[ALL] = { OPT_FLAG, "a", "all", "leave no elements out" },
	[SUMMARY] = { OPT_FLAG, "s", "numeric_summary", "counts, min, max, mean and std" },
	[WRITE_PATH] = { OPT_WORD, "w", "write_path", "save the value as this .npy file too" },
	[DEVICE] = DEVICE_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[0, :]", false },
};

/* What is asked for, found step by step. */
struct request {
	const char *word;        /* as typed */
	const char *tensor, *slice;      /* its parts; slice NULL: all */
	struct node_pick pick;
	struct dumps dumps;      /* of the node, then of the slot */
	int64_t number;          /* -1: none given */
	bool chosen;             /* one of several dumps */
	const struct tensor *shown;
};

/* The label's part after its last colon, if it is more than digits, is set off. */
static void put_label(struct doc *doc, const char *label)
{
	const char *colon = strrchr(label, ':');

	if (!colon || !colon[1 + strspn(colon + 1, "0123456789")]) {
		doc_put(doc, ROLE_STRONG, "%s", label);
		return;
	}
	doc_put_text(doc, ROLE_STRONG, label, (size_t)(colon - label));
	doc_put(doc, ROLE_PLAIN, ":");
	doc_put(doc, ROLE_SLOT, "%s", colon + 1);
}

static void put_hits(struct str *out, const char *typed, uint64_t hits, uint64_t total)
{
	str_fmt(out, " Highlighted(%s): %" PRIu64 " of %" PRIu64 " element(s) (%.2f%%)", typed, hits, total,
	        total ? 100.0 * (double)hits / (double)total : 0.0);
}

static bool is_marked(const void *context, const struct dtype_info *type, const void *elem)
{
	return ranges_hold(context, type, elem);
}

static bool put_ranges(struct call *call, struct view *view, struct ranges **ranges)
{
	const char *typed = call->args.opt[RANGES].word;
	struct str text = {0};
	uint64_t hits;

	*ranges = NULL;
	if (!typed || !*typed)
		return true;
	*ranges = arena_alloc(doc_mem(call->out), sizeof **ranges);
	if (!ranges_parse(typed, doc_mem(call->out), *ranges, &call->err) ||
	    !ranges_count(*ranges, view, &hits, call->progress, &call->err))
		return false;
	put_hits(&text, typed, hits, view->count);
	doc_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
	return true;
}

static bool put_saved(struct call *call, struct view *view, bool shown)
{
	const char *path = call->args.opt[WRITE_PATH].word;
	struct str size = {0};
	uint64_t bytes;

	if (!path || !*path)
		return true;
	if (!npy_write(path, view, &bytes, call->progress, &call->err))
		return false;
	if (!shown)
		return true;
	put_size(&size, (int64_t)bytes);
	doc_put(call->out, ROLE_PLAIN, "Saved value to: ");
	doc_put(call->out, ROLE_STRONG, "%s", path);
	doc_line_put(call->out, ROLE_PLAIN, " (%sB)", size.text);
	doc_newline(call->out);
	str_release(&size);
	return true;
}

static bool put_summary(struct call *call, struct view *view)
{
	doc_line_put(call->out, ROLE_PLAIN, "Numeric summary:");
	if (!summary_put(call->out, view, call->progress, &call->err))
		return false;
	doc_newline(call->out);
	return true;
}

static void close_value(void *value)
{
	value_close(value);
}

/* The typed answer. */
static void type_value(struct call *call, const struct request *req, const struct view *view)
{
	const struct run *run = call->shell->run;
	const struct tensor *t = req->shown;
	struct value_data *d = arena_alloc(doc_mem(call->out), sizeof *d);
	struct str name = {0};

	str_fmt(&name, "%s:%" PRIu32, t->node, t->slot);
	d->view = *view;
	d->slice = req->slice ? arena_copy(doc_mem(call->out), req->slice, strlen(req->slice)) : NULL;
	d->dump = t->number;
	d->time_us = t->time_us - run->t0_us;
	d->from[0] = (struct value_source_text){ "tensor", arena_copy(doc_mem(call->out), name.text, name.len) };
	d->from[1] = (struct value_source_text){ "debug_op", run->debug_ops.key[t->debug_op] };
	d->with_summary = call->args.opt[SUMMARY].given;
	doc_typed(call->out, DATA_VALUE, value_put_data, d);
	str_release(&name);
}

/* Takes value over. -s is ignored for one of several dumps, as tfdbg does. */
static bool put_array(struct call *call, const struct request *req, const char *label, struct value *value,
                      struct view *view)
{
	struct array_style style = { .width = call->cols, .all = call->args.opt[ALL].given };
	struct str shape = {0};
	bool summary = call->args.opt[SUMMARY].given && !req->chosen;
	struct ranges *ranges;
	struct body *body;

	doc_put(call->out, ROLE_PLAIN, "Tensor \"");
	put_label(call->out, label);
	doc_put(call->out, ROLE_PLAIN, "\":");
	if (!put_ranges(call, view, &ranges))
		goto fail;
	doc_newline(call->out);
	put_shape(&shape, &view->shape);
	doc_line_put(call->out, ROLE_PLAIN, "  dtype: %s", value->type->prints);
	doc_line_put(call->out, ROLE_PLAIN, "  shape: %s", shape.text);
	str_release(&shape);
	doc_newline(call->out);
	if (!put_saved(call, view, true) || (summary && !put_summary(call, view)))
		goto fail;
	doc_tensor(call->out, value->type->prints, view->shape.rank, view->shape.dim);
	if (ranges) {
		style.marked = is_marked;
		style.ctx = ranges;
	}
	body = array_body(value, view, &style, call->progress, &call->err);
	if (body) {
		doc_body(call->out, body);
		type_value(call, req, view);
	}
	return body;
fail:
	value_close(value);
	return false;
}

static bool put_scalar_line(struct call *call, struct view *view)
{
	struct str text = {0};
	unsigned char elem[16];
	const char *bytes;
	size_t len;
	bool ok;

	if (view->value->type->kind == KIND_STRING) {
		ok = view_string(view, 0, &bytes, &len, &call->err);
		if (ok)
			put_bytes_literal(&text, bytes, len);
	} else {
		ok = view_read(view, 0, 1, elem, &call->err);
		if (ok)
			put_scalar(&text, view->value->type, elem);
	}
	if (ok)
		doc_line_put(call->out, ROLE_PLAIN, "%s", str_text(&text));
	str_release(&text);
	return ok;
}

/* One element, picked by a slice. Takes value over. */
static bool put_element(struct call *call, const struct request *req, const char *label, struct value *value,
                        struct view *view)
{
	doc_keep(call->out, close_value, value);
	type_value(call, req, view);
	doc_line_put(call->out, ROLE_PLAIN, "Tensor \"%s\":", label);
	doc_newline(call->out);
	return put_scalar_line(call, view) && put_saved(call, view, false);
}

/* A value that is no array: the text of what was recorded. Takes value over. */
static bool put_proto(struct call *call, const struct request *req, const char *label, struct value *value,
                      const struct view *view)
{
	struct str text = {0};
	bool ok = value_proto_text(value, &text, &call->err);

	doc_keep(call->out, close_value, value);
	type_value(call, req, view);
	if (ok) {
		doc_line_put(call->out, ROLE_PLAIN, "Tensor \"%s\":", label);
		doc_newline(call->out);
		if (value->state == VALUE_UNINITIALISED)
			doc_line_put(call->out, ROLE_PLAIN, "Uninitialized tensor:");
		for (const char *at = str_text(&text), *end; *at; at = end + 1) {
			end = strchrnul(at, '\n');
			doc_put_text(call->out, ROLE_PLAIN, at, (size_t)(end - at));
			doc_newline(call->out);
			if (!*end)
				break;
		}
		doc_newline(call->out);
	}
	str_release(&text);
	return ok;
}

static bool put_value(struct call *call, const struct request *req, const char *label, struct value *value)
{
	struct view view;
	bool scalar = false;

	view_all(&view, value);
	if (req->slice && !(value->state == VALUE_ARRAY ? slice_apply(req->slice, &view, &scalar, &call->err) :
	                                                  slice_check(req->slice, &call->err))) {
		value_close(value);
		return false;
	}
	if (value->state != VALUE_ARRAY)
		return put_proto(call, req, label, value, &view);
	if (scalar)
		return put_element(call, req, label, value, &view);
	return put_array(call, req, label, value, &view);
}

static void show_dump(struct call *call, struct request *req, uint32_t at)
{
	const struct run *run = call->shell->run;
	const struct tensor *t = &run->tensors.at[at];
	struct value *value = run_value(run, t, &call->err);
	struct str label = {0};

	req->shown = t;
	if (!value) {
		put_file_error(call->out, &call->err);
		call->err.code = ERR_NONE;
		call->failed = true;
		menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
		return;
	}
	str_fmt(&label, "%s:%" PRIu32 ":%s", t->node, t->slot, run->debug_ops.key[t->debug_op]);
	if (req->chosen)
		str_fmt(&label, " (dump #%" PRId64 ")", req->number);
	if (req->slice)
		str_puts(&label, req->slice);
	if (put_value(call, req, label.text, value))
		menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
	str_release(&label);
}

/* The dumps to choose from, typed. */
struct choices {
	const struct run *run;
	size_t n;
	uint32_t at[];
};

static bool choices_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct choices *choices = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < choices->n; i++) {
		data_object(data);
		tensor_put_data(choices->run, &choices->run->tensors.at[choices->at[i]], data);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void type_choices(struct call *call, const struct request *req)
{
	size_t n = req->dumps.at.len;
	struct choices *choices = arena_alloc(doc_mem(call->out), sizeof *choices + n * sizeof *choices->at);

	choices->run = call->shell->run;
	choices->n = n;
	memcpy(choices->at, req->dumps.at.at, n * sizeof *choices->at);
	doc_typed(call->out, DATA_ROWS, choices_put_data, choices);
}

static void show_choices(struct call *call, const struct request *req)
{
	const struct run *run = call->shell->run;
	struct doc *doc = call->out;
	struct str text = {0};

	doc_line_put(doc, ROLE_PLAIN, "Tensor \"%s\" generated %zu dumps:", req->word, req->dumps.at.len);
	for (size_t i = 0; i < req->dumps.at.len; i++) {
		const struct tensor *t = &run->tensors.at[req->dumps.at.at[i]];

		str_reset(&text);
		put_rel_ms(&text, t->time_us, run->t0_us);
		doc_put(doc, ROLE_PLAIN, "#%zu [%s ms] ", i, text.text);
		str_reset(&text);
		str_fmt(&text, "%s:%" PRIu32 ":%s", t->node, t->slot, run->debug_ops.key[t->debug_op]);
		doc_link(doc, ROLE_PLAIN, text.text, "print_tensor %s -n %zu", req->word, i);
		doc_newline(doc);
	}
	str_release(&text);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "You can use the -n (--number) flag to specify which dump to print.");
	doc_line_put(doc, ROLE_PLAIN, "For example:");
	doc_line_put(doc, ROLE_PLAIN, "  print_tensor %s -n 0", req->word);
	type_choices(call, req);
	menu_put(doc, req->pick.node, MENU_PRINT_TENSOR);
}

/* How many slots of the node have dumps; *slot is one of them. */
static size_t count_slots(const struct run *run, const struct dumps *dumps, uint32_t *slot)
{
	size_t n = 0;

	for (size_t i = 0; i < dumps->at.len; i++) {
		uint32_t s = run->tensors.at[dumps->at.at[i]].slot;

		n += !i || s != *slot;
		*slot = s;
	}
	return n;
}

static void keep_slot(const struct run *run, struct dumps *dumps, int64_t slot)
{
	size_t kept = 0;

	for (size_t i = 0; i < dumps->at.len; i++)
		if (run->tensors.at[dumps->at.at[i]].slot == slot)
			dumps->at.at[kept++] = dumps->at.at[i];
	dumps->at.len = kept;
}

/* Has the node dumps on several devices? */
static bool on_several_devices(const struct run *run, const struct dumps *dumps)
{
	for (size_t i = 1; i < dumps->at.len; i++)
		if (run->tensors.at[dumps->at.at[i]].device != run->tensors.at[dumps->at.at[0]].device)
			return true;
	return false;
}

static bool in_a_graph(const struct run *run, const char *node)
{
	struct node_ref ref;

	return run_find_node(run, node, strlen(node), -1, &ref, 1) > 0;
}

/* The slot that was typed, or the only one there is. */
static bool find_slot(struct call *call, struct request *req)
{
	uint32_t slot = 0;
	size_t slots;

	if (req->pick.has_slot)
		return true;
	slots = count_slots(call->shell->run, &req->dumps, &slot);
	req->pick.slot = slot;
	if (slots == 1)
		return true;
	doc_line_put(call->out, ROLE_PLAIN, "Node \"%s\" generated debug dumps from %zu output slots:",
	             req->pick.node, slots);
	doc_line_put(call->out, ROLE_PLAIN, "Please specify the output slot: %s:x.", req->pick.node);
	menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
	return false;
}

/*
 * The dumps of the node and slot that were typed. False: the answer is there already. As in tfdbg a tensor whose
 * node no graph has, or several devices have, can't be named; with a device it can.
 */
static bool find_dumps(struct call *call, struct request *req)
{
	const struct run *run = call->shell->run;

	if (run_has_graph(run) && req->pick.device < 0 && !in_a_graph(run, req->pick.node)) {
		call_error(call, "ERROR: Node \"%s\" does not exist in partition graphs", req->pick.node);
		menu_put(call->out, NULL, MENU_NONE);
		return false;
	}
	if (run_has_graph(run) || req->pick.device >= 0)
		dumps_of_node(run, req->pick.node, req->pick.device, &req->dumps);
	if (on_several_devices(run, &req->dumps))
		req->dumps.at.len = 0;
	if (!find_slot(call, req))
		return false;
	keep_slot(run, &req->dumps, req->pick.slot);
	if (!req->dumps.at.len)
		call_error(call, "ERROR: Tensor \"%s\" did not generate any dumps.", req->word);
	return req->dumps.at.len;
}

static void bad_number(struct call *call, const struct request *req)
{
	if (req->dumps.at.len == 1)
		call_error(call, "ERROR: Invalid number (%" PRId64 ") for tensor %s, which generated one dump.",
		           req->number, req->word);
	else
		call_error(call, "ERROR: Specified number (%" PRId64 ") exceeds the number of available dumps (%zu) for "
		           "tensor %s", req->number, req->dumps.at.len, req->word);
	menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
}

static void pt_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct request req = { .word = call->args.pos[0], .number = opt[NUMBER].given ? opt[NUMBER].number : -1 };

	slice_cut(req.word, call->mem, &req.tensor, &req.slice);
	if (pick_read(call, req.tensor, opt[DEVICE].word, &req.pick) && find_dumps(call, &req)) {
		bool several = req.dumps.at.len > 1;

		req.chosen = several;
		if (several && req.number < 0)
			show_choices(call, &req);
		else if (several ? req.number >= (int64_t)req.dumps.at.len : req.number > 0)
			bad_number(call, &req);
		else
			show_dump(call, &req, req.dumps.at.at[several ? req.number : 0]);
	}
	vec_release(&req.dumps.at);
}

const struct cmd cmd_pt = {
	.name = "print_tensor", .alias = "pt", .summary = "Value of a dumped tensor, or of a slice of it",
	OPTS(options), POSITIONALS(positionals), .exec = pt_exec,
};
