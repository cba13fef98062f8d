/*
 * As in tfdbg, the tensors that an expression names are looked up before it is parsed, the last one
 * first, which decides what error is reported first. Their values are read when the computation
 * needs them. An expression that is only a tensor needs no memory for the value: it is shown as by
 * pt.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "cmds/array/array.h"
#include "cmds/array/evaluate.h"
#include "cmds/array/python_number.h"
#include "cmds/array/repr.h"
#include "cmds/array/sequence.h"
#include "cmds/array/text.h"
#include "cmds/lang/python.h"
#include "cmds/tensor/request.h"
#include "dump/model/device.h"

#define MEMORY_LIMIT ((uint64_t)1 << 30)
#define READ_AT_ONCE ((size_t)1 << 18)

enum { ALL, WRITE_PATH, N_OF_RUN,
       GRAPH = N_OF_RUN, DEVICE, STEP };      /* these only for recorded programs */

static const struct opt options[] = {
	[ALL] = { OPT_FLAG, "a", "all", "show all elements" },
	[WRITE_PATH] = { OPT_WORD, "w", "write_path",
	                 "also save the value: as .csv or .bin if the path ends so, else as .npy" },
	[GRAPH] = GRAPH_OPT,
	[DEVICE] = DEVICE_OPT,
	[STEP] = STEP_OPT,
};

static const struct pos positionals[] = {
	{ "expression", "Python with numpy; tensors in backticks: \"np.mean(`net/w:0`)\"", false },
};

/* Which dump a name means: [DEVICE:]NODE:SLOT[:DEBUG_OP][NUMBER] */
struct wanted {
	const char *device;      /* with the colon after it; NULL: not given */
	size_t device_len;
	const char *node, *debug_op;
	int64_t slot, number;
};

/* Names. */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Moves *at past `key` and what follows it: letters and digits, or digits only. */
static bool skip(const char **at, const char *key, bool digits)
{
	const char *end = *at + strlen(key);
	size_t len = 0;

	if (strncmp(*at, key, strlen(key)) != 0)
		return false;
	while (digits ? isdigit((unsigned char)end[len]) != 0 : is_word(end[len]))
		len++;
	*at = end + len;
	return len;
}

/*
 * Length of the device that a name begins with, and of the colon after it: .../cpu:0: or
 * .../device:CPU:0:; 0: none
 */
static size_t device_prefix(const char *name)
{
	const char *at = name;

	if (!skip(&at, "/job:", false) || !skip(&at, "/replica:", true) ||
	    !skip(&at, "/task:", true) ||
	    !(skip(&at, "/device:", false) || skip(&at, "/", false)) || !skip(&at, ":", true) ||
	    *at != ':')
		return 0;
	return (size_t)(at - name) + 1;
}

/* As device_is_same, except that the task has to be typed. */
static bool same_device(const char *name, const char *typed, size_t typed_len)
{
	struct device_name a = device_parse(name, strlen(name)), b = device_parse(typed, typed_len);

	return a.task.at && b.task.at && a.task.len == b.task.len
	       && !memcmp(a.task.at, b.task.at, a.task.len) && a.name.len == b.name.len
	       && !strncasecmp(a.name.at, b.name.at, a.name.len);
}

static size_t count_colons(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == ':';
	return n;
}

/* Takes "[digits]" off the end of text. */
static bool cut_number(char *text, int64_t *number, struct err *err)
{
	char *open = strrchr(text, '[');
	size_t digits = open ? strspn(open + 1, "0123456789") : 0;

	*number = 0;
	if (!open || strcmp(open + 1 + digits, "]") != 0)
		return true;
	if (!python_int_read(open + 1, digits, 0, number, err))
		return false;
	*open = '\0';
	return true;
}

static bool is_array(const struct run *run, const char *name)
{
	return run->op_type && run_node_id(run, name, strlen(name)) != MAP_NONE;
}

static bool read_name(struct call *call, const char *name, size_t len, struct wanted *out)
{
	char *text = arena_copy(call->mem, name, len), *slot, *debug_op;

	*out = (struct wanted){ .device = text, .debug_op = "DebugIdentity" };
	out->device_len = device_prefix(text);
	text += out->device_len;
	if (is_array(call->shell->run, text)) {
		out->node = text;
		return true;
	}
	if (is_of_several(call->shell->run, text)) {
		say_of_several(call, text);
		return false;
	}
	if (count_colons(text) < 1 || count_colons(text) > 2)
		return err_at(&call->err, ERR_VALUE, "command", 0,
		              "The debug tensor name in the to-be-evaluated expression "
		              "is malformed: '%s'",
		              text);
	if (!cut_number(text, &out->number, &call->err))
		return false;
	slot = strchr(text, ':');
	*slot++ = '\0';
	out->node = text;
	debug_op = strchr(slot, ':');
	if (debug_op) {
		*debug_op = '\0';
		out->debug_op = debug_op + 1;
	}
	return python_int_read(slot, strlen(slot), 0, &out->slot, &call->err);
}

/* That of an array that only one has; -1: several. */
static int only_device(const struct run *run, const char *node)
{
	uint32_t id = run_node_id(run, node, strlen(node));
	const uint32_t *at;
	size_t n = 0;

	if (id == MAP_NONE)
		return -1;
	at = run_node_tensors(run, id, &n);
	for (size_t i = 1; i < n; i++)
		if (run->tensors.at[at[i]].device != run->tensors.at[at[0]].device)
			return -1;
	return run->tensors.at[at[0]].device;
}

/*
 * The device that was asked for, or the only one whose graph has the node. -1: none, or several.
 */
static int find_device(const struct run *run, const struct wanted *wanted)
{
	struct node_ref refs[2];

	if (!wanted->device_len && run->op_type)
		return only_device(run, wanted->node);
	if (!wanted->device_len)
		return run_find_node(run, wanted->node, strlen(wanted->node), -1, refs, 2) == 1 ?
		               refs[0].device :
		               -1;
	for (size_t i = 0; i < run->devices.len; i++)
		if (same_device(run->devices.at[i].name, wanted->device, wanted->device_len - 1))
			return (int)i;
	return -1;
}

static bool find_tensor(struct call *call, const struct wanted *wanted, const struct tensor **out)
{
	const struct run *run = call->shell->run;
	uint32_t id = run_node_id(run, wanted->node, strlen(wanted->node));
	int device = find_device(run, wanted);
	const uint32_t *dumps = NULL;
	bool any = false;
	size_t n = 0;

	if (id != MAP_NONE && device >= 0)
		dumps = run_node_tensors(run, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &run->tensors.at[dumps[i]];

		if (t->device != device || t->slot != wanted->slot ||
		    strcmp(run->debug_ops.key[t->debug_op], wanted->debug_op) != 0)
			continue;
		any = true;
		if (t->number == wanted->number) {
			*out = t;
			return true;
		}
	}
	if (any)
		return err_at(&call->err, ERR_INDEX, "command", 0, "list index out of range");
	return err_at(&call->err, ERR_VALUE, "command", 0,
	              "Eval failed due to the value of %s:%" PRId64
	              ":DebugIdentity being unavailable",
	              wanted->node, wanted->slot);
}

/* The tensors of one expression. */

struct named {
	const char *name;
	size_t len;
	struct request req;
	struct ndarray *array;   /* NULL until it is read */
};

struct tensors {
	struct call *call;
	VEC(struct named) list;
};

/* In a program: a tensor as pt takes it, perhaps with "[NUMBER]". */
static bool find_traced(struct call *call, struct named *named)
{
	const struct opt_value *opt = call->args.opt;
	struct opt_value number = { .given = true };
	char *text = arena_copy(call->mem, named->name, named->len);
	struct tensor_words words = { text, &number, &opt[DEVICE], &opt[GRAPH], NULL, &opt[STEP] };

	return cut_number(text, &number.number, &call->err) &&
	       request_find(call, &words, &named->req);
}

static bool find_dumped(struct call *call, struct named *named)
{
	struct wanted wanted;

	return read_name(call, named->name, named->len, &wanted) &&
	       find_tensor(call, &wanted, &named->req.tensor);
}

static bool find_tensors(struct call *call, const char *text, struct tensors *out)
{
	struct named named = {0};

	while (expr_tensor_name(text, out->list.len, &named.name, &named.len))
		vec_push(&out->list, named);
	for (size_t i = out->list.len; i-- > 0;)
		if (!(call->shell->program ? find_traced : find_dumped)(call, &out->list.at[i]))
			return false;
	return true;
}

static bool read_elements(struct workspace *ws, struct value *value, struct ndarray *array)
{
	for (uint64_t done = 0; done < value->count; done += READ_AT_ONCE) {
		uint64_t left = value->count - done;
		size_t n = left < READ_AT_ONCE ? (size_t)left : READ_AT_ONCE;

		if (!value_read(value, done, n, array->first + done * value->type->elem_bytes,
		                ws->err) ||
		    !ws_step(ws, done + n, value->count))
			return false;
	}
	return true;
}

static bool read_texts(struct workspace *ws, struct value *value, struct ndarray *array)
{
	struct value_text *elems = (struct value_text *)(void *)array->first;

	for (uint64_t i = 0; i < value->count; i++) {
		const char *text;

		if (!value_string(value, i, &text, &elems[i].len, ws->err))
			return false;
		elems[i].text = ws_text(ws, text, elems[i].len);
		if (!elems[i].text || !ws_step(ws, i, value->count))
			return false;
	}
	return true;
}

static struct ndarray *read_array(struct workspace *ws, struct value *value,
                                  const struct named *named)
{
	bool texts = value->type->kind == KIND_STRING;
	struct ndarray *array;

	if (value->state != VALUE_ARRAY)
		return ws_refuse(ws, "`%.*s` is no array", (int)named->len, named->name);
	if (!value->type->elem_bytes && !texts)
		return ws_refuse(ws, "`%.*s` has elements of type %s", (int)named->len,
		                 named->name, value->type->name);
	array = ndarray_new(ws, value->type->dtype, &value->shape, ORIGIN_ARRAY);
	if (array && !(texts ? read_texts : read_elements)(ws, value, array)) {
		ndarray_free(ws, array);
		return NULL;
	}
	return array;
}

/* A tensor_load. */
static struct ndarray *load(void *context, struct workspace *ws, size_t i)
{
	struct tensors *tensors = context;
	struct named *named = &tensors->list.at[i];
	struct value *value;

	for (size_t k = 0; !named->array && k < tensors->list.len; k++)
		if (tensors->list.at[k].array &&
		    request_is_same(&tensors->list.at[k].req, &named->req))
			named = &tensors->list.at[k];
	if (!named->array) {
		value = request_value(tensors->call, &named->req, ws->err);
		named->array = value ? read_array(ws, value, named) : NULL;
		value_close(value);
	}
	return named->array ? ndarray_view(named->array) : NULL;
}

/* Results. */

/* What all answers have in common, whatever the result is. */
static struct show show_of(struct call *call, const char *label)
{
	const struct opt_value *opt = call->args.opt;
	struct value_data *data = arena_alloc(doc_mem(call->out), sizeof *data);
	const char *text = call->args.pos[0];

	data->dump = data->time_us = -1;
	data->from[0].key = "expression";
	data->from[0].text = arena_copy(doc_mem(call->out), text, strlen(text));
	return (struct show){ .label = label, .is_expression = true,
	                      .write_path = opt[WRITE_PATH].word,
	                      .all = opt[ALL].given, .summary = true, .data = data };
}

static void show_tensor(struct call *call, const struct request *req, const char *label)
{
	struct value *value = request_value(call, req, &call->err);
	struct show show;
	struct view view;

	if (!value)
		return;
	show = show_of(call, label);
	view_all(&view, value);
	show.data->with_summary = value->state == VALUE_ARRAY;
	if (value->state == VALUE_ARRAY)
		show_array(call, &show, value, &view);
	else
		show_proto(call, &show, value, &view);
}

static void free_array(void *array)
{
	ndarray_free(NULL, array);
}

/* -a asks for a size, which only numpy's objects have. */
static bool check_all(struct call *call, const struct ndarray *result)
{
	return !call->args.opt[ALL].given || ndarray_is_numpy(result) ||
	       err_at(&call->err, ERR_ATTRIBUTE, "command", 0,
	              "'%s' object has no attribute 'size'", python_type_of(result).name);
}

/* Typed data of a result that is neither array nor number: nested lists. */
struct listed {
	struct workspace ws;     /* for taking items out of lists */
	const struct ndarray *result;
	const char *expression;
};

static bool put_listed(struct workspace *ws, const struct ndarray *a, struct data *data)
{
	struct str text = {0};
	struct ndarray *list;
	bool ok = true;

	if (sequence_is(a)) {
		data_list(data);
		for (size_t i = 0; ok && i < sequence_len(a); i++) {
			struct ndarray *item = sequence_at(ws, a, i);

			ok = item && put_listed(ws, item, data);
			ndarray_free(ws, item);
		}
		data_end(data);
		return ok;
	}
	if (a->origin == ORIGIN_NONE) {
		data_null(data);
	} else if (a->origin == ORIGIN_ARRAY && a->shape.rank) {
		list = ndarray_view(a);
		list->origin = ORIGIN_LIST;
		ok = put_listed(ws, list, data);
		ndarray_free(ws, list);
	} else if (a->origin == ORIGIN_DTYPE) {
		ok = repr_put(ws, a, 0, &text);
		data_text(data, str_text(&text), text.len);
	} else if (ndarray_is_text(a)) {
		data_text(data, text_of(a).text, text_of(a).len);
	} else {
		data_elem(data, a->type, a->first);
	}
	str_release(&text);
	return ok;
}

/* A doc_put_data */
static bool put_listed_data(void *context, struct data *data, struct progress *progress,
                            struct err *err)
{
	struct listed *listed = context;

	listed->ws = (struct workspace){ .limit_bytes = MEMORY_LIMIT, .progress = progress,
		                         .err = err };
	if (data->format == DATA_CSV)
		return put_listed(&listed->ws, listed->result, data);
	data_object(data);
	data_key(data, "expression");
	data_str(data, listed->expression);
	data_key(data, "state");
	data_str(data, "python");
	data_key(data, "data");
	if (!put_listed(&listed->ws, listed->result, data))
		return false;
	data_end(data);
	return true;
}

static void show_listed(struct call *call, struct workspace *ws, const struct ndarray *result,
                        const struct show *show)
{
	struct listed *listed = arena_alloc(doc_mem(call->out), sizeof *listed);
	struct str text = {0};

	listed->result = result;
	listed->expression = show->data->from[0].text;
	if (repr_put(ws, result, call->cols, &text)) {
		show_repr(call, show, str_text(&text));
		doc_typed(call->out, DATA_VALUE, put_listed_data, listed);
	}
	str_release(&text);
}

/* The result's elements live as long as the answer. */
static void show_result(struct call *call, struct workspace *ws, struct ndarray *result,
                        const char *label)
{
	bool one = (result->origin == ORIGIN_SCALAR || result->origin == ORIGIN_PYTHON ||
	            result->origin == ORIGIN_BYTES);
	struct show show;
	struct value *value;
	struct view view;

	doc_keep(call->out, free_array, result);
	if (!check_all(call, result))
		return;
	show = show_of(call, label);
	if (result->origin != ORIGIN_ARRAY && !one) {
		show_listed(call, ws, result, &show);
		return;
	}
	value = ndarray_value(result);
	view_all(&view, value);
	if (result->origin == ORIGIN_ARRAY) {
		show.data->with_summary = true;
		show_array(call, &show, value, &view);
	} else {
		show_element(call, &show, value, &view);
	}
}

static void evaluate_and_show(struct call *call, const struct expr *expr, struct tensors *tensors,
                              const char *label)
{
	struct workspace ws = { .limit_bytes = MEMORY_LIMIT, .progress = call->progress,
	                        .err = &call->err, .texts = doc_mem(call->out) };
	struct ndarray *result, *whole;

	if (expr->kind == EXPR_TENSOR) {
		show_tensor(call, &tensors->list.at[expr->tensor].req, label);
		return;
	}
	result = evaluate(expr, &ws, load, tensors);
	for (size_t i = 0; i < tensors->list.len; i++)
		ndarray_free(&ws, tensors->list.at[i].array);
	whole = !result || sequence_is(result) ? result : ndarray_contiguous(&ws, result);
	if (whole != result)
		ndarray_free(&ws, result);
	if (whole)
		show_result(call, &ws, whole, label);
}

static void ev_exec(struct call *call)
{
	const char *text = call->args.pos[0];
	struct tensors tensors = { .call = call };
	struct expr *expr = NULL;
	struct str label = {0};

	if (find_tensors(call, text, &tensors))
		expr = expr_parse(text, call->mem, &call->err);
	if (expr) {
		str_fmt(&label, "from eval of expression '%s'", text);
		evaluate_and_show(call, expr, &tensors, label.text);
		str_release(&label);
	}
	vec_release(&tensors.list);
}

const struct cmd cmd_ev = {
	.name = "eval",
	.alias = "ev",
	.summary = "Value of an expression of tensors and numpy functions",
	.opts = options,
	.n_opts = N_OF_RUN,
	POSITIONALS(positionals),
	.exec = ev_exec,
};

const struct cmd cmd_ev_program = {
	.name = "eval",
	.alias = "ev",
	.summary = "Value of an expression of tensors and numpy functions",
	OPTS(options),
	POSITIONALS(positionals),
	.of_program = true,
	.exec = ev_exec,
};
