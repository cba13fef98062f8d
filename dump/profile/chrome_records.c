/*
 * A slice is a kernel, copy or host op by its category, else by the name of its process, which may
 * come later: then it waits for the end, undecided.
 */
#include <string.h>

#include "dump/profile/chrome_parts.h"

enum {
	SHAPE_MOST = 64,         /* bytes of a grid */
	DIMS_MOST = 1024,        /* of the shapes of an op's inputs */
};

/* What an undecided slice's arguments say. */
enum unsure { UNSURE_COPY = 1, UNSURE_HLO = 2 };

static void decide(struct activity *a, enum trace_place place, bool is_stream, uint32_t unsure)
{
	if (place == PLACE_KERNELS)
		a->kind = ACTIVITY_KERNEL;
	else if (place == PLACE_COPIES)
		a->kind = ACTIVITY_COPY;
	else if (place == PLACE_GPU && is_stream)
		a->kind = unsure & UNSURE_COPY ? ACTIVITY_COPY : ACTIVITY_KERNEL;
	else if (place == PLACE_HOST && unsure & UNSURE_HLO)
		a->kind = ACTIVITY_HOST;
}

static uint32_t unsure_of(const struct trace_event *event)
{
	const struct event_value *name = trace_event_get(event, EVENT_NAME);
	struct text text = { name ? name->at : "", name ? name->len : 0 };
	bool copy = trace_event_get(event, EVENT_MEMCPY) || trace_event_get(event, EVENT_MEMSET)
	            || text_begins(&text, "Memcpy") || text_begins(&text, "Memset");

	return (copy ? UNSURE_COPY : 0) | (trace_event_get(event, EVENT_HLO_OP) ? UNSURE_HLO : 0);
}

static bool is_kernel_time(const struct event_value *name)
{
	static const char end[] = "_kernel_time";
	size_t n = sizeof end - 1;

	return name && name->kind == PULL_TEXT && name->len >= n
	       && !memcmp(name->at + name->len - n, end, n);
}

int chrome_kind(struct chrome *c, const struct trace_event *event, uint8_t class,
                uint32_t thread)
{
	struct activity a = { .kind = TRACE_UNDECIDED };
	enum trace_place place;

	switch (class) {
	case CLASS_KERNEL: return ACTIVITY_KERNEL;
	case CLASS_COPY: return ACTIVITY_COPY;
	case CLASS_HOST:
	case CLASS_OP: return ACTIVITY_HOST;
	case CLASS_NODE:
		return is_kernel_time(trace_event_get(event, EVENT_NAME)) ? ACTIVITY_HOST : -1;
	case CLASS_OTHER: break;
	default: return -1;
	}
	place = c->place_of.at[c->threads.at[thread].process];
	if (place == PLACE_UNKNOWN || (place == PLACE_GPU && !c->threads.at[thread].is_stream))
		return TRACE_UNDECIDED;
	decide(&a, place, c->threads.at[thread].is_stream, unsure_of(event));
	return a.kind == TRACE_UNDECIDED ? -1 : a.kind;
}

void chrome_decide_late(void *context, struct activity *a)
{
	struct chrome *c = context;
	const struct trace_record *record = &c->trace->records.at[a->record];
	const struct thread *thread = &c->threads.at[record->thread - c->first_thread];

	decide(a, c->place_of.at[thread->process], thread->is_stream,
	       c->undecided.at[c->n_decided++]);
	if (a->kind == ACTIVITY_HOST) {
		a->device = chrome_host_device(c, "CPU", 3) & 0x3fffffff;
		a->stream = a->launch = MAP_NONE;
		a->nested_ns = a->bytes = 0;
		if (a->node == MAP_NONE)
			a->node = a->raw;
	}
}

/* Records. */

static bool is_of_shape(char c)
{
	switch (c) {
	case '[': case ']': case '(': case ')': case '{': case '}': case '"': case '\\': case ':':
		return false;
	default:
		return c > ' ';
	}
}

static void put_key(struct str *out, const char *key)
{
	if (out->len)
		str_putc(out, ' ');
	str_puts(out, key);
}

/* "[8, 4, 1]", a list or a text, to "8,4,1". */
static void put_shape(struct chrome *c, const char *key, const struct event_value *value)
{
	size_t before = c->shape.len, begin;

	if (!value || (value->kind != PULL_ARRAY && value->kind != PULL_TEXT)
	    || value->len > SHAPE_MOST)
		return;
	put_key(&c->shape, key);
	begin = c->shape.len;
	for (uint32_t i = 0; i < value->len; i++)
		if (is_of_shape(value->at[i]))
			str_putc(&c->shape, value->at[i]);
	if (c->shape.len == begin)
		str_cut(&c->shape, before);
}

static void put_number(struct chrome *c, const char *key, const struct event_value *value)
{
	int64_t number;

	if (!chrome_whole(value, &number))
		return;
	put_key(&c->shape, key);
	str_int(&c->shape, number);
}

/* "regs:64 shm:2048 grid:8,4,1 block:128,1,1 occ_pct:50" */
static uint32_t launch_of(struct chrome *c, const struct trace_event *event)
{
	str_reset(&c->shape);
	put_number(c, "regs:", trace_event_get(event, EVENT_REGS));
	put_number(c, "shm:", trace_event_get(event, EVENT_SMEM));
	put_shape(c, "grid:", trace_event_get(event, EVENT_GRID));
	put_shape(c, "block:", trace_event_get(event, EVENT_BLOCK));
	put_number(c, "occ_pct:", trace_event_get(event, EVENT_OCCUPANCY));
	return c->shape.len ? trace_name(c->trace, c->shape.text, c->shape.len) : MAP_NONE;
}

static const struct event_value *op_of(const struct trace_event *event, bool with_parent)
{
	static const enum trace_event_field fields[] = {
		EVENT_PARENT_NAME, EVENT_OP_NAME, EVENT_TF_OP, EVENT_HLO_OP,
	};

	for (size_t i = !with_parent; i < sizeof fields / sizeof *fields; i++)
		if (event->has >> fields[i] & 1)
			return trace_event_get(event, fields[i]);
	return NULL;
}

static void fill_device(struct chrome *c, const struct trace_event *event, struct activity *a,
                        struct trace_record *record)
{
	const struct event_value *device, *stream, *bytes, *op;
	struct text text;

	device = trace_event_first(event, EVENT_DEVICE, EVENT_DEV_ID);
	stream = trace_event_first(event, EVENT_STREAM, EVENT_STREAM_ID);
	bytes = trace_event_first(event, EVENT_BYTES, EVENT_SIZE);
	text = chrome_text(device ? device : trace_event_get(event, EVENT_PID), &c->text);
	a->device = chrome_gpu_device(c, text.at, text.len) & 0x3fffffff;
	text = chrome_text(stream ? stream : trace_event_get(event, EVENT_TID), &c->text);
	a->stream = trace_stream(c->trace, text.at, text.len);
	a->launch_delay_ns = -1;
	record->has_bytes = a->kind != ACTIVITY_KERNEL && chrome_whole(bytes, &a->bytes);
	a->launch = launch_of(c, event);
	op = op_of(event, true);
	a->node = op ? chrome_name(c, op) : MAP_NONE;
	a->op = TRACE_NO_NAME;
}

static void fill_host(struct chrome *c, const struct trace_event *event, uint8_t class,
                      struct activity *a, struct trace_record *record)
{
	const struct event_value *op = op_of(event, false);
	const struct event_value *provider = trace_event_get(event, EVENT_PROVIDER);
	struct text device = { "CPU", 3 };

	if (class == CLASS_NODE && provider)
		device = chrome_text(provider, &c->text);
	a->device = chrome_host_device(c, device.at, device.len) & 0x3fffffff;
	a->stream = a->launch = MAP_NONE;
	a->op = TRACE_NO_NAME;
	a->node = a->raw;
	record->op = op ? TRACE_OP_NODE : TRACE_OP_NONE;
	if (class == CLASS_NODE) {
		const char *name = c->trace->all.names.key[a->raw];

		record->op = op ? TRACE_OP_TYPE : TRACE_OP_NONE;
		a->op = op ? chrome_name(c, op) : a->op;
		a->node = trace_name(c->trace, name, strlen(name) - strlen("_kernel_time"));
	} else if (op) {
		a->node = chrome_name(c, op);
	}
}

/* "[[2, 64], [64]]" without its blanks */
static void take_dims(struct chrome *c, const struct event_value *dims, uint32_t record)
{
	if (!dims || dims->kind != PULL_ARRAY || dims->len > DIMS_MOST)
		return;
	str_reset(&c->shape);
	for (uint32_t i = 0; i < dims->len; i++)
		if (dims->at[i] > ' ')
			str_putc(&c->shape, dims->at[i]);
	trace_set_shape(c->trace, record,
	                trace_name(c->trace, str_text(&c->shape), c->shape.len));
}

void chrome_add_record(struct chrome *c, const struct trace_event *event, uint8_t class, int kind,
                       const struct activity *times, uint32_t thread)
{
	struct trace_record record = {
		.correlation = chrome_id(c, trace_event_get(event, EVENT_CORRELATION)),
		.external = chrome_id(c, trace_event_get(event, EVENT_EXTERNAL_ID)),
		.thread = c->first_thread + thread, .step = TRACE_OUTSIDE,
	};
	struct activity a = { .start_ns = times->start_ns, .len_ns = times->len_ns };
	uint32_t number;

	a.kind = (uint32_t)kind & 3;
	a.raw = chrome_name(c, trace_event_get(event, EVENT_NAME));
	if (kind == ACTIVITY_HOST)
		fill_host(c, event, class, &a, &record);
	else
		fill_device(c, event, &a, &record);
	if (kind == TRACE_UNDECIDED) {
		record.op = op_of(event, false) ? TRACE_OP_NODE : TRACE_OP_NONE;
		vec_push(&c->undecided, unsure_of(event));
	}
	number = trace_add(c->trace, &a, &record);
	if (class == CLASS_OP)
		trace_add_op(c->trace, number);
	take_dims(c, trace_event_get(event, EVENT_INPUT_DIMS), number);
}
