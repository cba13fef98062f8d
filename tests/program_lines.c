#include "tests/program_lines.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "dump/v2/event.h"

#define CHAIN_MAX 64

static struct str line;
static struct program_reads reads;

/* Free text: what would end a field or a line is escaped. */
static void put_text(const char *text)
{
	for (; *text; text++) {
		static const char plain[] = "\\\t\n\r", escaped[] = "\\tnr";
		const char *at = strchr(plain, *text);

		if (at)
			str_putc(&line, '\\');
		str_putc(&line, at ? escaped[at - plain] : *text);
	}
}

static void tab_text(const char *text)
{
	str_putc(&line, '\t');
	put_text(text);
}

static void tab_known(bool known, int64_t number)
{
	str_putc(&line, '\t');
	if (known)
		str_int(&line, number);
	else
		str_putc(&line, '-');
}

static void tab_ids(const struct program *p, size_t first, uint32_t n)
{
	str_putc(&line, '\t');
	if (!n)
		str_putc(&line, '-');
	for (uint32_t i = 0; i < n; i++)
		str_fmt(&line, "%s%" PRId64, i ? "," : "", p->ids.at[first + i]);
}

static uint32_t crc_text(uint32_t crc, const char *text, size_t len)
{
	return (uint32_t)crc32(crc, (const unsigned char *)text, (unsigned)len);
}

static void tab_stack(const struct program *p, uint32_t number)
{
	const struct program_stack *stack = &p->stacks.at[number];
	uint32_t crc = 0;

	for (uint32_t i = 0; i < stack->n_frames; i++) {
		const char *id = p->frames.at[p->stack_frames.at[stack->first + i]].id;

		crc = crc_text(crc, ",", i > 0);
		crc = crc_text(crc, id, strlen(id));
	}
	tab_text(stack->host);
	str_fmt(&line, "\t%" PRIu32 "\t%08" PRIx32, stack->n_frames, crc);
}

static uint32_t crc_value(struct value *value)
{
	unsigned char elem[16];
	struct err err = {0};
	uint32_t crc = 0;
	const char *text;
	size_t len;

	for (uint64_t i = 0; i < value->count; i++) {
		if (value->type->kind != KIND_STRING) {
			ck_assert_msg(value_read(value, i, 1, elem, &err), "%s", err.msg);
			crc = crc_text(crc, (char *)elem, value->type->elem_bytes);
			continue;
		}
		ck_assert_msg(value_string(value, i, &text, &len, &err), "%s", err.msg);
		for (int k = 0; k < 4; k++)
			elem[k] = (unsigned char)(len >> 8 * k);
		crc = crc_text(crc, (char *)elem, 4);
		crc = crc_text(crc, text, len);
	}
	return crc;
}

static void put_value(const struct program_tensor *tensor)
{
	struct err err = {0};
	struct value *value = program_value(&reads, tensor, &err);

	ck_assert_msg(value, "%s", err.msg);
	str_fmt(&line, "%s[", value->type->name);
	for (uint32_t i = 0; i < value->shape.rank; i++)
		str_fmt(&line, "%s%" PRId64, i ? "," : "", value->shape.dim[i]);
	str_fmt(&line, "]%08" PRIx32, crc_value(value));
	value_close(value);
}

/* The numbers of a summary, which the model only tells the meaning of. */
static void put_numbers(const struct program *p, const struct program_tensor *tensor)
{
	struct program_place at = program_where(p, tensor);
	const struct program_entry *entry = NULL;
	struct event_trace trace;
	struct str path = {0};
	struct err err = {0};
	struct event event;
	double number[16];
	struct file file;
	struct span span;
	size_t n;

	str_fmt(&path, "%s/%s.%s", p->path, p->sets.at[at.set].prefix,
	        program_file_suffix[at.file]);
	ck_assert(file_open(&file, path.text, &err));
	if (tensor->trace == PROGRAM_NONE) {
		entry = program_entry(p, tensor);
		span = (struct span){ entry->off, entry->size_bytes };
	} else {
		span = (struct span){ at.off + 12, p->traces.at[tensor->trace].len };
		ck_assert(event_read(&file, span, &event, &err) &&
		          event_trace(&file, event.body, &trace, &err));
		span = trace.tensor;
	}
	ck_assert(event_summary(&file, span, number, 16, &n, &err));
	for (size_t i = 0; i < n; i++)
		str_fmt(&line, "%s%.17g", i ? "," : "", number[i]);
	if (!n)
		str_puts(&line, "empty");
	file_close(&file);
	str_release(&path);
}

static void put_stored(const struct program *p, const struct program_tensor *tensor)
{
	if (!program_size_bytes(p, tensor))
		str_puts(&line, "null");
	else if (program_mode(p, tensor) == 7)
		put_value(tensor);
	else
		put_numbers(p, tensor);
}

static bool add_line(void *owner, uint32_t number, const char *text, size_t len)
{
	uint32_t *crc = owner;

	(void)number;
	*crc = crc_text(crc_text(*crc, text, len), "\n", 1);
	return true;
}

static void line_source(const struct program *p, uint32_t i)
{
	const struct program_source *source = &p->sources.at[i];
	struct err err = {0};
	uint32_t crc = 0;

	ck_assert_msg(program_source_lines(&reads, i, 0, add_line, &crc, &err), "%s", err.msg);
	str_fmt(&line, "%" PRIu32, i);
	tab_text(source->host);
	tab_text(source->path);
	str_fmt(&line, "\t%" PRIu32 "\t%08" PRIx32, source->n_lines, crc);
}

static void line_frame(const struct program *p, uint32_t i)
{
	const struct program_frame *frame = &p->frames.at[p->frame_order.at[i]];

	if (frame->source == PROGRAM_NONE)
		return;
	str_puts(&line, frame->id);
	tab_text(p->sources.at[frame->source].host);
	tab_text(p->sources.at[frame->source].path);
	tab_known(true, frame->line);
	tab_text(frame->function);
}

static void line_device(const struct program *p, uint32_t i)
{
	str_fmt(&line, "%" PRId32 "\t%s", p->devices.at[i].id, p->devices.at[i].name);
}

static const char *graph_id(const struct program *p, uint32_t graph)
{
	return graph == PROGRAM_NONE ? "-" : p->graphs.at[graph].id;
}

static void line_graph(const struct program *p, uint32_t i)
{
	const struct program_graph *graph = &p->graphs.at[p->graph_order.at[i]];

	if (!graph->recorded)
		return;
	str_fmt(&line, "%" PRIu32 "\t%s", i, graph->id);
	tab_text(*graph->name ? graph->name : "-");
	str_fmt(&line, "\t%s\t%" PRIu32 "\t%" PRIu32, graph_id(p, graph->outer), graph->n_ops,
	        graph->n_inner);
}

static void line_op(const struct program *p, uint32_t i)
{
	const struct program_op *op = &p->ops.at[i];
	const struct program_node *node = &p->nodes.at[op->node];
	const struct program_input *input = program_op_inputs(p, i);
	struct str inputs = {0};

	for (uint32_t k = 0; k < op->n_inputs; k++) {
		if (k)
			str_putc(&inputs, ',');
		program_put_input(p, &input[k], &inputs);
	}
	str_fmt(&line, "%" PRIu32 "\t%.6f\t%s\t%s", i, op->time, graph_id(p, node->graph),
	        op->type);
	tab_text(node->name);
	tab_ids(p, op->first_id, op->n_ids);
	tab_text(op->n_inputs ? inputs.text : "-");
	tab_stack(p, op->stack);
	str_release(&inputs);
}

static void line_execution(const struct program *p, uint32_t i)
{
	const struct program_step *step = &p->steps.at[i];

	str_fmt(&line, "%" PRIu32 "\t%.6f\t%" PRIu64 "\t%s\t%s", i, step->time, step->at.off,
	        step->op, graph_id(p, step->graph));
	tab_ids(p, step->first_id, step->n_input_ids);
	tab_ids(p, step->first_id + step->n_input_ids, step->n_output_ids);
	tab_ids(p, step->first_id + step->n_input_ids + step->n_output_ids, step->n_device_ids);
	tab_known(true, p->modes.at[step->mode]);
	tab_stack(p, step->stack);
	str_puts(&line, step->n_entries ? "\t" : "\t-");
	for (uint32_t k = 0; k < step->n_entries; k++) {
		struct program_tensor tensor = { PROGRAM_NONE, i, k };

		if (k)
			str_putc(&line, ';');
		put_stored(p, &tensor);
	}
}

static void line_trace(const struct program *p, uint32_t i)
{
	const struct program_trace *trace = &p->traces.at[i];
	const struct program_key *key = &p->keys.at[trace->key];
	const struct program_node *node = &p->nodes.at[key->node];
	struct program_tensor tensor = { .trace = i };
	uint32_t chain[CHAIN_MAX];
	size_t n = program_chain(p, node->graph, chain, CHAIN_MAX);

	str_fmt(&line, "%" PRIu32 "\t%.6f\t%d:%" PRIu64 "\t%s", i, trace->time, trace->set,
	        trace->off, node->op == PROGRAM_NONE ? "-" : p->ops.at[node->op].type);
	tab_text(node->name);
	tab_known(true, key->slot);
	for (size_t k = 0; k < n; k++)
		str_fmt(&line, "%c%s", k ? '/' : '\t', p->graphs.at[chain[k]].id);
	str_fmt(&line, "\t%" PRId64 "\t%s\t", p->modes.at[trace->mode],
	        *key->device ? key->device : "-");
	put_stored(p, &tensor);
}

static void line_step(const struct program *p, uint32_t i)
{
	const struct program_step *step = &p->steps.at[i];
	uint64_t n = program_n_tensors(p, i);

	for (uint64_t k = 0; k < n; k++)
		ck_assert_uint_eq(program_tensor(p, i, k).step, i);
	str_fmt(&line, "%" PRIu32 "\t%s\t%d\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu64
	        "\t%" PRIu32 "\t%" PRIu32, i, step->is_function ? "function" : "op", step->at.set,
	        step->n_sure, step->n_probable, step->n_background, n, step->n_flagged,
	        step->n_unknown);
}

static void line_tensor(const struct program *p, uint32_t i)
{
	static const char *const how[] = { "sure", "probable", "background", "none" };
	struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, i);
	const struct program_trace *trace =
		tensor.trace == PROGRAM_NONE ? NULL : &p->traces.at[tensor.trace];
	struct str name = {0};

	program_put_name(p, &tensor, &name);
	str_fmt(&line, "%" PRIu32, i);
	tab_text(name.text);
	tab_known(tensor.step != PROGRAM_NONE, tensor.step);
	tab_known(trace, tensor.trace);
	str_fmt(&line, "\t%s", trace ? how[trace->attribution] : "output");
	tab_known(trace && trace->attribution == PROGRAM_UNATTRIBUTED, trace ? trace->owner : 0);
	str_fmt(&line, "\t%" PRIu32 "\t%" PRIu32, trace ? trace->dump : 0,
	        program_size_bytes(p, &tensor));
	str_release(&name);
}

static bool is_known(const struct health *health, unsigned what)
{
	return health->known & what;
}

static struct health health_of(const struct program *p, const struct program_tensor *tensor)
{
	enum program_bad bad = program_bad(p, tensor);
	struct health health;
	struct err err = {0};

	ck_assert_msg(program_health(&reads, tensor, &health, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(bad == PROGRAM_CANT_TELL, !is_known(&health, HEALTH_BAD));
	ck_assert_int_eq(bad == PROGRAM_BAD, is_known(&health, HEALTH_BAD) && health.bad);
	ck_assert_uint_eq(program_kinds(p, tensor), !is_known(&health, HEALTH_COUNTS) ? 0 :
	                  (health.nan ? PROGRAM_WITH_NAN : 0) |
	                  (health.pos_inf ? PROGRAM_WITH_POS_INF : 0) |
	                  (health.neg_inf ? PROGRAM_WITH_NEG_INF : 0));
	return health;
}

static void tab_counts(const struct health *health)
{
	tab_known(is_known(health, HEALTH_SIZE), (int64_t)health->size);
	tab_known(is_known(health, HEALTH_COUNTS), (int64_t)health->neg_inf);
	tab_known(is_known(health, HEALTH_COUNTS), (int64_t)health->pos_inf);
	tab_known(is_known(health, HEALTH_COUNTS), (int64_t)health->nan);
}

static void tab_shape(const struct health *health)
{
	str_puts(&line, is_known(health, HEALTH_SHAPE) ? "\t[" : "\t-");
	if (!is_known(health, HEALTH_SHAPE))
		return;
	for (uint32_t i = 0; i < health->shape.rank; i++) {
		if (i)
			str_putc(&line, ',');
		if (health->shape.dim[i] < 0)
			str_putc(&line, '?');
		else
			str_int(&line, health->shape.dim[i]);
	}
	str_putc(&line, ']');
}

static void line_health(const struct program *p, uint32_t i)
{
	struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, i);
	struct health health = health_of(p, &tensor);
	const struct dtype_info *type =
		is_known(&health, HEALTH_DTYPE) ? dtype_on_wire(health.dtype) : NULL;
	bool signs = is_known(&health, HEALTH_SIGNS);

	str_fmt(&line, "%" PRIu32 "\t%s\t%s", i, !is_known(&health, HEALTH_BAD) ? "-" :
	        health.bad ? "True" : "False", type ? type->name : "-");
	tab_known(is_known(&health, HEALTH_RANK), (int64_t)health.rank);
	tab_shape(&health);
	tab_counts(&health);
	tab_known(signs, (int64_t)health.negative);
	tab_known(signs, (int64_t)health.zero);
	tab_known(signs, (int64_t)health.positive);
}

static void line_flagged(const struct program *p, uint32_t i)
{
	struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, i);
	bool is_trace = tensor.trace != PROGRAM_NONE;
	struct health health;
	struct str name = {0};
	int64_t us;

	if (program_bad(p, &tensor) != PROGRAM_BAD)
		return;
	health = health_of(p, &tensor);
	us = 0;
	program_time_us(p, program_tensor_time(p, &tensor), &us);
	program_put_name(p, &tensor, &name);
	str_int(&line, us);
	tab_text(name.text);
	tab_known(tensor.step != PROGRAM_NONE, tensor.step);
	tab_known(is_trace, tensor.trace);
	tab_known(!is_trace, tensor.row);
	tab_counts(&health);
	str_release(&name);
}

/* Is this input among the uses of what made it? */
static bool is_used(const struct program *p, const struct program_producer *from, uint32_t step,
                    uint32_t input)
{
	struct program_step_use *uses;
	size_t n = program_step_uses(p, from->step, &uses), i = 0;

	while (i < n && (uses[i].slot != from->slot || uses[i].step != step ||
	                 uses[i].input != input))
		i++;
	free(uses);
	return i < n;
}

static void line_feed(const struct program *p, uint32_t step, uint32_t input)
{
	uint32_t holder = program_placeholder(p, step, input);
	struct program_producer from;

	str_fmt(&line, "%" PRIu32 "\t%" PRIu32 "\t%" PRId64, step, input,
	        p->ids.at[p->steps.at[step].first_id + input]);
	tab_text(holder == PROGRAM_NONE ? "-" : p->nodes.at[p->ops.at[holder].node].name);
	if (!program_producer(p, step, input, &from)) {
		str_puts(&line, "\t-");
		return;
	}
	ck_assert(is_used(p, &from, step, input));
	str_fmt(&line, "\t%s#%" PRIu32 ":%" PRIu32, p->steps.at[from.step].op, from.step,
	        from.slot);
}

static void tell(program_lines_sink *sink, void *owner, const char *kind)
{
	if (line.len)
		sink(owner, kind, &line);
	str_reset(&line);
}

void program_lines(const struct program *p, program_lines_sink *sink, void *owner)
{
	const struct {
		const char *kind;
		void (*one)(const struct program *p, uint32_t i);
		uint64_t n;
	} kinds[] = {
		{ "source", line_source, p->sources.len },
		{ "frame", line_frame, p->frame_order.len },
		{ "device", line_device, p->devices.len },
		{ "graph", line_graph, p->graph_order.len },
		{ "op", line_op, p->ops.len },
		{ "execution", line_execution, p->steps.len },
		{ "trace", line_trace, p->traces.len },
		{ "step", line_step, p->steps.len },
		{ "tensor", line_tensor, p->n_tensors },
		{ "health", line_health, p->n_tensors },
		{ "flagged", line_flagged, p->n_tensors },
	};
	struct program_frame_use *uses = mem_alloc(p->frames.len * sizeof *uses);

	reads = (struct program_reads){ .program = p };
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (uint32_t i = 0; i < kinds[k].n; i++) {
			kinds[k].one(p, i);
			tell(sink, owner, kinds[k].kind);
		}
	for (uint32_t step = 0; step < p->steps.len; step++)
		for (uint32_t i = 0; i < p->steps.at[step].n_input_ids; i++) {
			line_feed(p, step, i);
			tell(sink, owner, "feed");
		}
	program_frame_uses(p, uses);
	for (size_t i = 0; i < p->frame_order.len; i++) {
		uint32_t frame = p->frame_order.at[i];

		str_fmt(&line, "%s\t%" PRIu32 "\t%" PRIu32, p->frames.at[frame].id,
		        uses[frame].n_ops, uses[frame].n_steps);
		tell(sink, owner, "use");
	}
	free(uses);
	program_reads_release(&reads);
	str_release(&line);
}

struct program_kind *program_kind(struct program_kinds *kinds, const char *name)
{
	size_t i = 0;

	while (i < kinds->len && strcmp(kinds->at[i].name, name))
		i++;
	if (i == kinds->len) {
		ck_assert_uint_lt(kinds->len, 16);
		snprintf(kinds->at[kinds->len++].name, sizeof kinds->at[i].name, "%s", name);
	}
	return &kinds->at[i];
}

static void count_line(void *owner, const char *kind, const struct str *told)
{
	struct program_kind *k = program_kind(owner, kind);

	k->count++;
	k->crc = (uint32_t)crc32(k->crc, (const unsigned char *)told->text, (unsigned)told->len);
	k->crc = (uint32_t)crc32(k->crc, (const unsigned char *)"\n", 1);
}

void program_kinds_of(const struct program *program, struct program_kinds *out)
{
	*out = (struct program_kinds){0};
	program_lines(program, count_line, out);
}
