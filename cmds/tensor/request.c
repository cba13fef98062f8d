#include "cmds/tensor/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/lang/format.h"
#include "cmds/session/dumps.h"
#include "cmds/session/nodes.h"
#include "cmds/session/suggest.h"
#include "cmds/tensor/recorded.h"
#include "cmds/tensor/tensor_list.h"
#include "cmds/tensor/traced.h"
#include "dump/base/mem.h"

/* The dumps to choose from, typed. */
struct choices {
	const struct run *run;
	size_t n;
	uint32_t at[];
};

static bool choices_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct choices *choices = context;

	(void)progress, (void)err;
	data_rows(data, TENSOR_KEYS);
	for (size_t i = 0; i < choices->n; i++) {
		data_object(data);
		tensor_put_data(choices->run, &choices->run->tensors.at[choices->at[i]], data);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void type_choices(struct call *call, const struct dumps *dumps)
{
	size_t n = dumps->at.len;
	struct choices *choices;

	choices = arena_alloc(doc_mem(call->out), sizeof *choices + n * sizeof *choices->at);
	choices->run = call->shell->run;
	choices->n = n;
	memcpy(choices->at, dumps->at.at, n * sizeof *choices->at);
	doc_typed(call->out, DATA_ROWS, choices_put_data, choices);
}

/* Without -n: lists the dumps, one a line. */
static void show_choices(struct call *call, const struct request *req, const struct dumps *dumps)
{
	const struct run *run = call->shell->run;
	const char *command = call->cmd->name;
	struct doc *doc = call->out;
	struct str text = {0};

	doc_line_put(doc, ROLE_PLAIN, "Tensor \"%s\" generated %zu dumps:", req->word,
	             dumps->at.len);
	for (size_t i = 0; i < dumps->at.len; i++) {
		const struct tensor *t = &run->tensors.at[dumps->at.at[i]];

		str_reset(&text);
		put_rel_ms(&text, t->time_us, run->t0_us);
		if (run_has_times(run))
			doc_put(doc, ROLE_PLAIN, "#%zu [%s ms] ", i, text.text);
		else
			doc_put(doc, ROLE_PLAIN, "#%zu ", i);
		str_reset(&text);
		run_put_name(run, t, &text);
		str_fmt(&text, ":%s", run->debug_ops.key[t->debug_op]);
		doc_link(doc, ROLE_PLAIN, text.text, "%s %s -n %zu", command, req->word, i);
		doc_newline(doc);
	}
	str_release(&text);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN,
	             "You can use the -n (--number) flag to specify which dump to print.");
	doc_line_put(doc, ROLE_PLAIN, "For example:");
	doc_line_put(doc, ROLE_PLAIN, "  %s %s -n 0", command, req->word);
	type_choices(call, dumps);
	menu_put(doc, req->pick.node, MENU_PRINT_TENSOR);
}

/* The number of slots of the node that have dumps; *slot is one of them. */
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

/* Does the node have dumps on several devices? */
static bool on_several_devices(const struct run *run, const struct dumps *dumps)
{
	for (size_t i = 1; i < dumps->at.len; i++)
		if (run->tensors.at[dumps->at.at[i]].device !=
		    run->tensors.at[dumps->at.at[0]].device)
			return true;
	return false;
}

/* Offers the devices, each once, in the order of the dumps. */
static void choose_device(struct call *call, const char *node, const struct dumps *dumps)
{
	const struct run *run = call->shell->run;
	bool *listed = mem_alloc(run->devices.len * sizeof *listed);
	VEC(uint16_t) devices = {0};

	for (size_t i = 0; i < dumps->at.len; i++) {
		uint16_t device = run->tensors.at[dumps->at.at[i]].device;

		if (!listed[device])
			vec_push(&devices, device);
		listed[device] = true;
	}
	put_device_choice(call, node, devices.at, devices.len);
	vec_release(&devices);
	free(listed);
}

static bool in_a_graph(const struct run *run, const char *node)
{
	struct node_ref ref;

	return run_find_node(run, node, strlen(node), -1, &ref, 1) > 0;
}

/* The typed slot, or the only one. */
static bool find_slot(struct call *call, struct request *req, const struct dumps *dumps)
{
	uint32_t slot = 0;
	size_t slots;

	if (req->pick.has_slot)
		return true;
	slots = count_slots(call->shell->run, dumps, &slot);
	req->pick.slot = slot;
	if (slots == 1)
		return true;
	doc_line_put(call->out, ROLE_PLAIN,
	             "Node \"%s\" generated debug dumps from %zu output slots:", req->pick.node,
	             slots);
	doc_line_put(call->out, ROLE_PLAIN, "Please specify the output slot: %s:x.",
	             req->pick.node);
	menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
	return false;
}

/*
 * The dumps of the typed node and slot. False: the answer says why there are none. As in tfdbg, a
 * tensor needs its device in the name if its node is in no graph, or in those of several devices;
 * of arrays the answer offers the devices.
 */
static bool find_dumps(struct call *call, struct request *req, struct dumps *dumps)
{
	const struct run *run = call->shell->run;

	if (run_has_graph(run) && req->pick.device < 0 && !in_a_graph(run, req->pick.node)) {
		call_error(call, "ERROR: Node \"%s\" does not exist in partition graphs",
		           req->pick.node);
		suggest_tensor(call, req->pick.node);
		menu_put(call->out, NULL, MENU_NONE);
		return false;
	}
	if (run_has_graph(run) || run->op_type || req->pick.device >= 0)
		dumps_of_node(run, req->pick.node, req->pick.device, dumps);
	if (on_several_devices(run, dumps)) {
		if (shell_has_arrays(call->shell)) {
			choose_device(call, req->pick.node, dumps);
			return false;
		}
		dumps->at.len = 0;
	}
	if (!find_slot(call, req, dumps))
		return false;
	keep_slot(run, dumps, req->pick.slot);
	if (!dumps->at.len)
		call_error(call, "ERROR: Tensor \"%s\" did not generate any dumps.", req->word);
	return dumps->at.len;
}

static void bad_number(struct call *call, const struct request *req, size_t n_dumps)
{
	if (n_dumps == 1)
		call_error(call,
		           "ERROR: Invalid number (%" PRId64
		           ") for tensor %s, which generated one dump.",
		           req->number, req->word);
	else
		call_error(call,
		           "ERROR: Specified number (%" PRId64
		           ") exceeds the number of available dumps (%zu) for "
		           "tensor %s",
		           req->number, n_dumps, req->word);
	menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
}

/* Chooses one of the dumps, by the typed number. */
static void choose(struct call *call, struct request *req, const struct dumps *dumps)
{
	size_t n = dumps->at.len;

	req->chosen = n > 1;
	if (req->chosen && req->number < 0)
		show_choices(call, req, dumps);
	else if (req->chosen ? req->number >= (int64_t)n : req->number > 0)
		bad_number(call, req, n);
	else
		req->tensor =
			&call->shell->run->tensors.at[dumps->at.at[req->chosen ? req->number : 0]];
}

static bool find_in_run(struct call *call, const char *tensor, const struct opt_value *device,
                        struct request *req)
{
	struct dumps dumps = {0};

	if (pick_read(call, tensor, device->word, &req->pick) && find_dumps(call, req, &dumps))
		choose(call, req, &dumps);
	vec_release(&dumps.at);
	return req->tensor;
}

/* An array whose name may look as if it had a slice. */
static bool is_array(const struct run *run, const char *word)
{
	return run && run->op_type && run_node_id(run, word, strlen(word)) != MAP_NONE;
}

bool request_find(struct call *call, const struct tensor_words *words, struct request *out)
{
	const struct opt_value *number = words->number;
	const char *tensor;

	*out = (struct request){ .word = words->word ? words->word : "", .number = -1 };
	if (number->given)
		out->number = number->number;
	if (is_array(call->shell->run, out->word))
		tensor = out->word;
	else
		slice_cut(out->word, call->mem, &tensor, &out->slice);
	if (call->shell->program)
		return traced_find(call, tensor, words, out);
	return find_in_run(call, tensor, words->device, out);
}

bool request_is_same(const struct request *a, const struct request *b)
{
	return a->tensor == b->tensor &&
	       (a->tensor || (a->traced.trace == b->traced.trace &&
	                      a->traced.step == b->traced.step && a->traced.row == b->traced.row));
}

struct value *request_value(struct call *call, const struct request *req, struct err *err)
{
	return req->tensor ? run_value(call->shell->run, req->tensor, err)
	                   : traced_value(call, req, err);
}

/* Of a value without elements. */
static void show_what_is_known(struct call *call, const struct request *req, struct value *value)
{
	struct str label = {0};
	struct show show;

	if (req->slice) {
		call_error(call, "ERROR: Only a summary was kept, no elements.");
		value_close(value);
		return;
	}
	request_label(call, req, &label);
	show = (struct show){ .label = label.text, .origin = request_origin(call, req),
	                      .data = request_data(call, req) };
	if (show_summed_up(call, &show, value))
		request_menu(call, req, MENU_PRINT_TENSOR);
	str_release(&label);
}

struct value *request_open(struct call *call, const struct request *req)
{
	struct value *value = request_value(call, req, &call->err);
	struct err err = call->err;

	if (value && value->known) {
		show_what_is_known(call, req, value);
		return NULL;
	}
	if (value)
		return value;
	call->err.code = ERR_NONE;
	if (err.code == ERR_MISSING && !req->tensor) {
		traced_show_known(call, req, err.msg);
		return NULL;
	}
	if (err.code == ERR_MISSING && call->shell->run->op_type) {
		recorded_show(call, req, err.msg);
		return NULL;
	}
	put_file_error(call->out, &err);
	call->failed = true;
	request_menu(call, req, MENU_PRINT_TENSOR);
	return NULL;
}

void request_menu(struct call *call, const struct request *req, enum menu_entry off)
{
	if (req->tensor)
		menu_put(call->out, req->pick.node, off);
}

const char *request_origin(struct call *call, const struct request *req)
{
	return req->tensor ? NULL : traced_origin(call, req);
}

void request_label(const struct call *call, const struct request *req, struct str *out)
{
	const struct tensor *t = req->tensor;
	struct array_facts facts;

	if (t) {
		run_put_name(call->shell->run, t, out);
		if (!call->shell->run->op_type)
			str_fmt(out, ":%s", call->shell->run->debug_ops.key[t->debug_op]);
	} else {
		program_put_name(call->shell->program, &req->traced, out);
	}
	if (req->chosen)
		str_fmt(out, " (dump #%" PRId64 ")", req->number);
	if (req->slice)
		str_puts(out, req->slice);
	if (t && run_array_facts(call->shell->run, t, &facts) && facts.full_name)
		str_fmt(out, " (%s)", facts.full_name);
}

struct value_data *request_data(struct call *call, const struct request *req)
{
	const struct run *run = call->shell->run;
	const struct tensor *t = req->tensor;
	struct arena *mem = doc_mem(call->out);
	struct value_data *data = arena_alloc(mem, sizeof *data);
	struct array_facts facts;
	struct str name = {0};

	data->slice = req->slice ? arena_copy(mem, req->slice, strlen(req->slice)) : NULL;
	if (!t) {
		traced_type(call, req, data);
		return data;
	}
	run_put_name(run, t, &name);
	data->dump = t->number;
	data->time_us = run_rel_us(run, t);
	data->from[0] = (struct value_source_text){ "tensor",
		                                    arena_copy(mem, name.text, name.len) };
	data->from[1] = (struct value_source_text){ "debug_op", run->debug_ops.key[t->debug_op] };
	data->is_array = run_array_facts(run, t, &facts);
	if (data->is_array) {
		data->from[1].text = NULL;
		data->op = facts.op;
		data->device = run->devices.at[t->device].name;
		data->size_bytes = t->size_bytes;
		data->full_name = facts.full_name;
	}
	str_release(&name);
	return data;
}

static void show_text(struct call *call, const struct request *req, struct value *value)
{
	struct str label = {0};
	struct show show;
	struct view view;

	view_all(&view, value);
	request_label(call, req, &label);
	show = (struct show){ .label = label.text, .origin = request_origin(call, req),
	                      .data = request_data(call, req) };
	if (show_proto(call, &show, value, &view))
		request_menu(call, req, MENU_NONE);
	str_release(&label);
}

struct value *request_open_array(struct call *call, const struct request *req, struct view *view)
{
	struct value *value = request_open(call, req);
	bool scalar;

	if (!value)
		return NULL;
	if (value->state != VALUE_ARRAY) {
		if (!req->slice || slice_check(req->slice, &call->err))
			show_text(call, req, value);
		else
			value_close(value);
		return NULL;
	}
	view_all(view, value);
	if (!req->slice || slice_apply(req->slice, view, &scalar, &call->err))
		return value;
	value_close(value);
	return NULL;
}
