/*
 * One pass over the events. A slice is a kernel, copy or host op by its category, else by the name
 * of its process, which may come later: then it waits for the end, undecided. What begins and ends
 * in two events waits as the text of the first.
 */
#include "dump/profile/trace_chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/format/decimal.h"
#include "dump/format/json_pull.h"
#include "dump/profile/label.h"
#include "dump/profile/trace_event.h"
#include "dump/profile/trace_kinds.h"

enum {
	PROGRESS_EVENTS = 4096,  /* between two looks at progress */
	OPEN_MOST = 1 << 20,     /* slices that wait for their end */
	SHAPE_MOST = 64,         /* bytes of a grid */
	DIMS_MOST = 1024,        /* of the shapes of an op's inputs */
};
#define TS_MOST_NS INT64_C(9000000000000000000)

struct waiting {                 /* a beginning */
	struct waiting *below;
	int64_t start_ns;
	uint32_t len;
	char text[];
};

struct thread {
	uint32_t process;
	bool is_stream;          /* named "Stream #..." */
	uint32_t stream;         /* named "stream 14": 14; else TRACE_NO_NAME */
	struct waiting *open;    /* the innermost */
};

struct chrome {
	struct trace *trace;
	struct pull pull;
	struct progress *progress;
	struct arena mem;
	struct map categories;
	VEC(uint8_t) class_of;   /* enum trace_class, by category */
	struct map processes;    /* by pid */
	VEC(uint8_t) place_of;   /* enum trace_place, by process */
	/* Of TensorFlow's timeline, by process; others are all zero. */
	VEC(struct timeline_process) timeline;
	struct map thread_names; /* "LENGTH-OF-PID:PIDTID" */
	VEC(struct thread) threads;
	uint32_t first_thread;   /* the number of threads.at[0] in the trace */
	uint64_t first_event;    /* how many there were before this file */
	bool has_base;
	int64_t base_ns;
	/* The thread of the event before, to be found without looking. */
	struct str last_key;
	uint32_t last_thread;
	VEC(uint32_t) undecided; /* by order: enum unsure bits */
	size_t n_decided;
	size_t n_open;
	struct str key, text, shape;
};

/* What an undecided slice's arguments say. */
enum unsure { UNSURE_COPY = 1, UNSURE_HLO = 2 };

/* Texts of events. */

/* A value with its escapes resolved, "" of none or a list; good until the next call. */
static struct text text_of(const struct event_value *value, struct str *out)
{
	if (!value || value->kind == PULL_OBJECT || value->kind == PULL_ARRAY)
		return (struct text){ "", 0 };
	if (!value->coded)
		return (struct text){ value->at, value->len };
	str_reset(out);
	pull_decode(value->at, value->len, true, out);
	return (struct text){ str_text(out), out->len };
}

static uint32_t name_of(struct chrome *c, const struct event_value *value)
{
	struct text text = text_of(value, &c->text);

	return trace_name(c->trace, text.at, text.len);
}

static bool ns_of(const struct event_value *value, int64_t *out)
{
	return value && (value->kind == PULL_NUMBER || value->kind == PULL_TEXT)
	       && decimal_scaled(value->at, value->len, 3, out)
	       && *out <= TS_MOST_NS && *out >= -TS_MOST_NS;
}

static bool whole_of(const struct event_value *value, int64_t *out)
{
	return value && (value->kind == PULL_NUMBER || value->kind == PULL_TEXT)
	       && decimal_is_whole(value->at, value->len, out);
}

static int64_t id_of(struct chrome *c, const struct event_value *value)
{
	struct text text = text_of(value, &c->text);

	return text.len ? trace_id(c->trace, text.at, text.len) : TRACE_NO_ID;
}

static bool is_text(const struct event_value *value, const char *text)
{
	return value && value->kind == PULL_TEXT && value->len == strlen(text)
	       && !memcmp(value->at, text, value->len);
}

/* Categories. */

static uint8_t category(struct chrome *c, const struct event_value *value)
{
	struct text text = text_of(value, &c->text);
	uint32_t id = map_find(&c->categories, text.at, text.len);

	if (id != MAP_NONE)
		return c->class_of.at[id];
	str_reset(&c->key);
	pull_decode(text.at, text.len, false, &c->key);
	id = map_add(&c->categories, &c->mem, str_text(&c->key), c->key.len);
	if (id == c->class_of.len)
		vec_push(&c->class_of, (uint8_t)trace_class_of(&text));
	return c->class_of.at[id];
}

/* Processes and threads. */

static uint32_t process_of(struct chrome *c, const struct event_value *pid)
{
	struct text text = text_of(pid, &c->text);
	uint32_t id;

	str_reset(&c->key);
	pull_decode(text.at, text.len, false, &c->key);
	id = map_add(&c->processes, &c->mem, str_text(&c->key), c->key.len);
	if (id == c->place_of.len)
		vec_push(&c->place_of, PLACE_UNKNOWN);
	return id;
}

static uint32_t new_thread(struct chrome *c, const struct trace_event *event)
{
	struct str name = {0};
	uint32_t id;

	pull_decode(str_text(&c->last_key), c->last_key.len, false, &name);
	id = map_add(&c->thread_names, &c->mem, str_text(&name), name.len);
	if (id == c->threads.len)
		vec_push(&c->threads, ((struct thread){
			.process = process_of(c, trace_event_get(event, EVENT_PID)) }));
	str_release(&name);
	return id;
}

static uint32_t thread_of(struct chrome *c, const struct trace_event *event)
{
	struct text pid = text_of(trace_event_get(event, EVENT_PID), &c->text);
	struct text tid = text_of(trace_event_get(event, EVENT_TID), &c->shape);
	uint32_t id;

	str_reset(&c->key);
	str_int(&c->key, (int64_t)pid.len);
	str_putc(&c->key, ':');
	str_put(&c->key, pid.at, pid.len);
	str_put(&c->key, tid.at, tid.len);
	if (c->last_key.len == c->key.len && !memcmp(c->last_key.text, c->key.text, c->key.len))
		return c->last_thread;
	str_reset(&c->last_key);
	str_put(&c->last_key, c->key.text, c->key.len);
	id = map_find(&c->thread_names, c->key.text, c->key.len);
	return c->last_thread = id != MAP_NONE ? id : new_thread(c, event);
}

static void note_timeline(struct chrome *c, uint32_t process, const struct text *name)
{
	struct timeline_process timeline;

	if (process > 4096 || !timeline_process_of(name, &timeline))
		return;
	while (c->timeline.len <= process)
		vec_add(&c->timeline);
	c->timeline.at[process] = timeline;
	c->place_of.at[process] = PLACE_TIMELINE;
}

/* "process_name" and "thread_name": who is called how. */
static void take_metadata(struct chrome *c, const struct trace_event *event)
{
	const struct event_value *what = trace_event_get(event, EVENT_NAME);
	struct text name;

	if (!event->has_args || (!is_text(what, "process_name") && !is_text(what, "thread_name")))
		return;
	if (is_text(what, "process_name")) {
		uint32_t process = process_of(c, trace_event_get(event, EVENT_PID));

		name = text_of(trace_event_get(event, EVENT_ARG_NAME), &c->text);
		c->place_of.at[process] = (uint8_t)trace_place_of(&name);
		note_timeline(c, process, &name);
	} else {
		uint32_t thread = thread_of(c, event);

		name = text_of(trace_event_get(event, EVENT_ARG_NAME), &c->text);
		c->threads.at[thread].is_stream = text_begins(&name, "Stream #");
		if (text_begins(&name, "stream "))
			c->threads.at[thread].stream =
				trace_name(c->trace, name.at + 7, name.len - 7);
	}
}

/* Kinds. */

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

/* Of several hosts "HOST/GPU:0" and "HOST/CPU". */
static struct text of_host(struct chrome *c, const char *type, const char *text, size_t len)
{
	str_reset(&c->key);
	str_fmt(&c->key, "%s/%s", c->trace->host, type);
	str_put(&c->key, text, len);
	return (struct text){ c->key.text, c->key.len };
}

static uint32_t host_device(struct chrome *c, const char *text, size_t len)
{
	struct text name = c->trace->host ? of_host(c, "", text, len) : (struct text){ text, len };

	return trace_host_device(c->trace, name.at, name.len);
}

static uint32_t gpu_device(struct chrome *c, const char *text, size_t len)
{
	struct text name = { text, len };
	size_t digits = 0;

	while (digits < len && is_digit(text[digits]))
		digits++;
	if (c->trace->host)
		name = of_host(c, len && digits == len ? "GPU:" : "", text, len);
	return trace_device(c->trace, name.at, name.len);
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

/* The kind of a slice; -1: it is no record. */
static int kind_of(struct chrome *c, const struct trace_event *event, uint8_t class,
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

static void decide_late(void *context, struct activity *a)
{
	struct chrome *c = context;
	const struct trace_record *record = &c->trace->records.at[a->record];
	const struct thread *thread = &c->threads.at[record->thread - c->first_thread];

	decide(a, c->place_of.at[thread->process], thread->is_stream,
	       c->undecided.at[c->n_decided++]);
	if (a->kind == ACTIVITY_HOST) {
		a->device = host_device(c, "CPU", 3) & 0x3fffffff;
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

	if (!whole_of(value, &number))
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
	text = text_of(device ? device : trace_event_get(event, EVENT_PID), &c->text);
	a->device = gpu_device(c, text.at, text.len) & 0x3fffffff;
	text = text_of(stream ? stream : trace_event_get(event, EVENT_TID), &c->text);
	a->stream = trace_stream(c->trace, text.at, text.len);
	a->launch_delay_ns = -1;
	record->has_bytes = a->kind != ACTIVITY_KERNEL && whole_of(bytes, &a->bytes);
	a->launch = launch_of(c, event);
	op = op_of(event, true);
	a->node = op ? name_of(c, op) : MAP_NONE;
	a->op = TRACE_NO_NAME;
}

static void fill_host(struct chrome *c, const struct trace_event *event, uint8_t class,
                      struct activity *a, struct trace_record *record)
{
	const struct event_value *op = op_of(event, false);
	const struct event_value *provider = trace_event_get(event, EVENT_PROVIDER);
	struct text device = { "CPU", 3 };

	if (class == CLASS_NODE && provider)
		device = text_of(provider, &c->text);
	a->device = host_device(c, device.at, device.len) & 0x3fffffff;
	a->stream = a->launch = MAP_NONE;
	a->op = TRACE_NO_NAME;
	a->node = a->raw;
	record->op = op ? TRACE_OP_NODE : TRACE_OP_NONE;
	if (class == CLASS_NODE) {
		const char *name = c->trace->all.names.key[a->raw];

		record->op = op ? TRACE_OP_TYPE : TRACE_OP_NONE;
		a->op = op ? name_of(c, op) : a->op;
		a->node = trace_name(c->trace, name, strlen(name) - strlen("_kernel_time"));
	} else if (op) {
		a->node = name_of(c, op);
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

static void add_record(struct chrome *c, const struct trace_event *event, uint8_t class, int kind,
                       const struct activity *times, uint32_t thread)
{
	struct trace_record record = {
		.correlation = id_of(c, trace_event_get(event, EVENT_CORRELATION)),
		.external = id_of(c, trace_event_get(event, EVENT_EXTERNAL_ID)),
		.thread = c->first_thread + thread, .step = TRACE_OUTSIDE,
	};
	struct activity a = { .start_ns = times->start_ns, .len_ns = times->len_ns };
	uint32_t number;

	a.kind = (uint32_t)kind & 3;
	a.raw = name_of(c, trace_event_get(event, EVENT_NAME));
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

/* TensorFlow's timeline. */

/* Streams tell more than the lane of all of them, which repeats what they did. */
static bool is_told_twice(struct chrome *c, const struct timeline_process *process)
{
	enum lane_kind better = process->kind == LANE_GPU_ALL ? LANE_GPU_STREAM
	                                                      : LANE_GPU_STREAM_COPY;

	if (process->kind != LANE_GPU_ALL && process->kind != LANE_GPU_COPY_ALL)
		return false;
	for (size_t i = 0; i < c->timeline.len; i++)
		if (c->place_of.at[i] == PLACE_TIMELINE && c->timeline.at[i].kind == better
		    && !strcmp(c->timeline.at[i].device, process->device))
			return true;
	return false;
}

/* What ran on a stream, from the label that RunMetadata had; the classic form has none. */
static void fill_gpu(struct chrome *c, const struct trace_event *event,
                     const struct timeline_process *process, struct activity *a,
                     struct trace_record *record)
{
	struct text label = text_of(trace_event_get(event, EVENT_ARG_KERNEL), &c->text);
	bool copies = process->kind == LANE_GPU_COPY_ALL || process->kind == LANE_GPU_STREAM_COPY;
	struct gpu_label gpu;

	label_gpu(label.at, label.len, &gpu);
	if (text_begins(&gpu.name, "Memcpy") || text_begins(&gpu.name, "[CUDA memcpy"))
		copies = true;
	a->kind = copies ? ACTIVITY_COPY : ACTIVITY_KERNEL;
	a->launch = gpu.launch.len ? trace_name(c->trace, gpu.launch.at, gpu.launch.len) : MAP_NONE;
	a->bytes = copies ? label_copy_bytes(gpu.activity) : 0;
	record->has_bytes = a->bytes > 0;
	if (gpu.name.len)
		a->raw = trace_name(c->trace, gpu.name.at, gpu.name.len);
	else if (*process->copies)
		a->raw = trace_name(c->trace, process->copies, strlen(process->copies));
}

static void add_timeline(struct chrome *c, const struct trace_event *event,
                         const struct activity *times, uint32_t thread)
{
	const struct timeline_process *p = &c->timeline.at[c->threads.at[thread].process];
	const struct event_value *node = trace_event_get(event, EVENT_ARG_NAME);
	struct trace_record record = { .correlation = TRACE_NO_ID, .external = TRACE_NO_ID,
	                               .thread = c->first_thread + thread,
	                               .step = TRACE_OUTSIDE };
	struct activity a = { .start_ns = times->start_ns, .len_ns = times->len_ns,
	                      .launch = MAP_NONE };
	const char *stream = p->stream;

	if (p->kind == LANE_HOST || p->kind == LANE_GPU_OTHER || p->kind == LANE_GPU_SYNC
	    || (!node && lane_is_executor(p->kind)) || is_text(node, "_SOURCE")
	    || is_text(node, "_SINK") || is_told_twice(c, p))
		return;
	a.raw = name_of(c, trace_event_get(event, EVENT_NAME));
	a.node = node ? name_of(c, node) : MAP_NONE;
	a.op = name_of(c, trace_event_get(event, EVENT_ARG_OP));
	record.op = TRACE_OP_NODE;
	if (lane_is_executor(p->kind)) {
		a.kind = ACTIVITY_HOST;
		a.device = host_device(c, p->device, strlen(p->device)) & 0x3fffffff;
		a.stream = MAP_NONE;
	} else {
		fill_gpu(c, event, p, &a, &record);
		if (!*stream)
			stream = c->trace->all.names.key[c->threads.at[thread].stream];
		a.device = gpu_device(c, p->number, strlen(p->number)) & 0x3fffffff;
		a.stream = trace_stream(c->trace, stream, strlen(stream));
		a.launch_delay_ns = -1;
	}
	trace_add(c->trace, &a, &record);
}

/* A range that the program has named: "ProfilerStep#17", or one that says what it waits for. */
static void take_range(struct chrome *c, const struct trace_event *event,
                       const struct activity *times)
{
	static const char sign[] = "ProfilerStep#";
	const struct event_value *name = trace_event_get(event, EVENT_NAME);
	size_t n = sizeof sign - 1;
	int64_t number;
	enum time_part part;
	struct text text;

	if (name && name->len > n && !memcmp(name->at, sign, n)
	    && decimal_is_whole(name->at + n, name->len - n, &number) && number >= 0) {
		trace_add_step(c->trace, number, times->start_ns, times->len_ns);
		return;
	}
	text = text_of(name, &c->text);
	part = part_of_host_name(text.at, text.len);
	if (part != PART_OTHER)
		trace_add_host_time(c->trace, part, times->start_ns, times->len_ns);
}

static void take_launch(struct chrome *c, const struct trace_event *event,
                        const struct activity *times, uint32_t thread)
{
	int64_t id = id_of(c, trace_event_get(event, EVENT_CORRELATION));
	struct launch launch = { .start_ns = times->start_ns, .len_ns = times->len_ns,
	                         .thread = c->first_thread + thread };

	if (id == TRACE_NO_ID)
		return;
	if (!whole_of(trace_event_first(event, EVENT_BYTES, EVENT_SIZE), &launch.bytes))
		launch.bytes = -1;
	trace_add_launch(c->trace, id, &launch);
}

/* "train.py(12): step", "nn.Module: Net_0"; built-in functions, "<...>", are no line. */
static void take_frame(struct chrome *c, const struct trace_event *event,
                       const struct activity *times, uint32_t thread)
{
	const struct event_value *name = trace_event_get(event, EVENT_NAME);

	if (name && name->len && *name->at != '<')
		trace_add_frame(c->trace, c->first_thread + thread, times->start_ns, times->len_ns,
		                name_of(c, name));
}

/* Complete slices. rocprof's exact times stand in its args. */
static void take_slice(struct chrome *c, const struct trace_event *event, int64_t start_ns,
                       int64_t len_ns)
{
	struct activity times = { .start_ns = start_ns, .len_ns = len_ns };
	uint8_t class = category(c, trace_event_get(event, EVENT_CAT));
	int64_t begin, end;
	uint32_t thread;
	int kind;

	if (whole_of(trace_event_get(event, EVENT_BEGIN_NS), &begin)
	    && whole_of(trace_event_get(event, EVENT_END_NS), &end) && end >= begin && begin >= 0) {
		times.start_ns = begin;
		times.len_ns = end - begin;
	}
	if (class == CLASS_NONE)
		return;
	if (class == CLASS_STEP) {
		take_range(c, event, &times);
		return;
	}
	thread = thread_of(c, event);
	if (c->place_of.at[c->threads.at[thread].process] == PLACE_TIMELINE) {
		add_timeline(c, event, &times, thread);
		return;
	}
	if (class == CLASS_LAUNCH) {
		take_launch(c, event, &times, thread);
		return;
	}
	if (class == CLASS_FRAME) {
		take_frame(c, event, &times, thread);
		return;
	}
	kind = kind_of(c, event, class, thread);
	if (kind >= 0)
		add_record(c, event, class, kind, &times, thread);
}

static void take_complete(struct chrome *c, const struct trace_event *event)
{
	int64_t start_ns, len_ns = 0;

	if (!ns_of(trace_event_get(event, EVENT_TS), &start_ns)
	    || (event->has >> EVENT_DUR & 1 && !ns_of(trace_event_get(event, EVENT_DUR), &len_ns))
	    || len_ns < 0)
		c->trace->n_left_out++;
	else
		take_slice(c, event, start_ns, len_ns);
}

/* Beginnings and ends. */

static void take_begin(struct chrome *c, const struct trace_event *event)
{
	uint32_t number = thread_of(c, event);
	struct thread *thread = &c->threads.at[number];
	struct waiting *waiting;
	int64_t start_ns;

	if (!ns_of(trace_event_get(event, EVENT_TS), &start_ns) || c->n_open == OPEN_MOST) {
		c->trace->n_left_out++;
		return;
	}
	waiting = mem_alloc(sizeof *waiting + event->len);
	waiting->below = thread->open;
	waiting->start_ns = start_ns;
	waiting->len = event->len;
	memcpy(waiting->text, event->begin, event->len);
	thread->open = waiting;
	c->n_open++;
}

/* Its arguments win over those of the beginning. */
static void join(struct trace_event *begin, const struct trace_event *end)
{
	for (int i = EVENT_FIRST_ARG; i < N_EVENT_FIELDS; i++)
		if (end->has >> i & 1) {
			begin->field[i] = end->field[i];
			begin->has |= UINT64_C(1) << i;
		}
}

static void take_end(struct chrome *c, const struct trace_event *event)
{
	uint32_t number = thread_of(c, event);
	struct thread *thread = &c->threads.at[number];
	struct waiting *waiting = thread->open;
	struct pull_value value;
	struct trace_event begin;
	struct pull pull;
	int64_t end_ns, len_ns;

	if (!waiting || !ns_of(trace_event_get(event, EVENT_TS), &end_ns)) {
		c->trace->n_left_out++;
		return;
	}
	thread->open = waiting->below;
	c->n_open--;
	pull_start_bytes(&pull, waiting->text, waiting->len);
	pull_keep(&pull);
	if (__builtin_sub_overflow(end_ns, waiting->start_ns, &len_ns) || len_ns < 0) {
		c->trace->n_left_out++;
	} else if (pull_value(&pull, &value) && trace_event_read(&pull, &value, &begin)) {
		join(&begin, event);
		take_slice(c, &begin, waiting->start_ns, len_ns);
	}
	pull_release(&pull);
	free(waiting);
}

static void free_waiting(struct chrome *c)
{
	for (size_t i = 0; i < c->threads.len; i++)
		for (struct waiting *w = c->threads.at[i].open, *below; w; w = below) {
			below = w->below;
			free(w);
		}
}

/* Memory. */

static void take_memory(struct chrome *c, const struct trace_event *event)
{
	const struct event_value *id = trace_event_get(event, EVENT_DEVICE_ID);
	struct trace_memory_event memory = TRACE_MEMORY_UNSAID;
	int64_t type = 0, device = 0;
	char name[32] = "CPU";

	whole_of(trace_event_get(event, EVENT_BYTES), &memory.bytes);
	whole_of(trace_event_get(event, EVENT_TOTAL), &memory.allocated);
	whole_of(trace_event_get(event, EVENT_RESERVED), &memory.reserved);
	whole_of(trace_event_get(event, EVENT_ADDRESS), &memory.address);
	whole_of(trace_event_get(event, EVENT_DEVICE_TYPE), &type);
	ns_of(trace_event_get(event, EVENT_TS), &memory.at_ns);
	memory.thread = c->first_thread + thread_of(c, event);
	if (type) {
		whole_of(id, &device);
		snprintf(name, sizeof name, type == 1 ? "CUDA:%d" : "device %d", (int)device);
	}
	str_reset(&c->text);
	str_fmt(&c->text, "%s%s%s", c->trace->host ? c->trace->host : "",
	        c->trace->host ? "/" : "", name);
	trace_add_memory(c->trace, c->text.text, &memory);
}

/* Events. */

static void take_event(struct chrome *c, const struct trace_event *event)
{
	const struct event_value *ph = trace_event_get(event, EVENT_PH);

	if (event->has_args && is_text(trace_event_get(event, EVENT_NAME), "[memory]"))
		take_memory(c, event);
	if (!ph || ph->len != 1 || ph->kind != PULL_TEXT)
		return;
	switch (*ph->at) {
	case 'X': take_complete(c, event); break;
	case 'B': take_begin(c, event); break;
	case 'E': take_end(c, event); break;
	case 'M': take_metadata(c, event); break;
	}
}

static bool go_on(struct chrome *c, struct err *err)
{
	if (c->trace->n_events % PROGRESS_EVENTS
	    || progress_step(c->progress, pull_file_off(&c->pull), c->pull.file->size))
		return true;
	return err_at(err, ERR_CANCELLED, c->pull.file->path, 0, "stopped");
}

/* The list of events, behind its bracket. False after a cancel. */
static bool read_events(struct chrome *c, struct err *err)
{
	struct pull_value value;
	struct trace_event event;

	while (pull_keep(&c->pull), pull_more(&c->pull, ']')) {
		pull_keep(&c->pull);
		if (!pull_value(&c->pull, &value))
			break;
		if (value.kind != PULL_OBJECT) {
			if (!pull_skip(&c->pull, &value))
				break;
		} else if (!trace_event_read(&c->pull, &value, &event)) {
			break;
		} else {
			take_event(c, &event);
		}
		c->trace->n_events++;
		if (!go_on(c, err))
			return false;
	}
	pull_drop(&c->pull);
	return true;
}

/* What stood before an end that is none; the list begins anew with a second key of this name. */
static bool read_member(struct chrome *c, bool *is_trace, struct err *err)
{
	struct pull_value key, value;
	struct text name;
	bool is_events, is_base;

	pull_keep(&c->pull);
	if (!pull_key(&c->pull, &key))
		return true;
	name = pull_bytes(&c->pull, &key);
	is_events = name.len == 11 && !memcmp(name.at, "traceEvents", 11);
	is_base = name.len == 19 && !memcmp(name.at, "baseTimeNanoseconds", 19);
	if (is_base)
		pull_keep(&c->pull);
	else
		pull_drop(&c->pull);
	if (!pull_value(&c->pull, &value))
		return true;
	if (is_base && (value.kind == PULL_NUMBER || value.kind == PULL_TEXT)) {
		name = pull_bytes(&c->pull, &value);
		c->has_base = decimal_is_whole(name.at, name.len, &c->base_ns);
	}
	*is_trace |= is_events && (value.kind == PULL_ARRAY || value.kind == PULL_NULL);
	if (is_events && value.kind == PULL_ARRAY)
		return read_events(c, err);
	pull_drop(&c->pull);
	pull_skip(&c->pull, &value);
	return true;
}

/* False after a cancel. */
static bool read_object(struct chrome *c, bool *is_trace, struct err *err)
{
	bool any = false, on = true;

	while (on && pull_more(&c->pull, '}')) {
		any = true;
		on = read_member(c, is_trace, err);
	}
	*is_trace |= !any && !c->pull.broken;
	return on;
}

static bool not_a_trace(struct chrome *c, const char *why, struct err *err)
{
	return err_at(err, ERR_UNSUPPORTED, c->pull.file->path, 0, "not a trace (%s)", why);
}

static bool read_all(struct chrome *c, struct err *err)
{
	struct pull_value value;
	bool is_trace = false;
	int first = pull_peek(&c->pull);

	if (first != '{' && first != '[')
		return not_a_trace(c, first < 0 ? "an empty file" : "not JSON", err);
	if (!pull_value(&c->pull, &value))
		return false;
	if (value.kind == PULL_ARRAY)
		return read_events(c, err);
	return read_object(c, &is_trace, err)
	       && (is_trace || not_a_trace(c, "no list traceEvents at the top", err));
}

static void note_damage(struct chrome *c)
{
	const struct err *err = &c->pull.err;

	if (c->pull.broken)
		trace_warn(c->trace, "This file stops in the middle: %llu events read (byte %llu: "
		           "%s).", (unsigned long long)(c->trace->n_events - c->first_event),
		           (unsigned long long)err->off, err->msg);
	else if (c->pull.packed.code)
		trace_warn(c->trace, "The compressed file is damaged at byte %llu: %s.",
		           (unsigned long long)c->pull.packed.off, c->pull.packed.msg);
}

/* All files of a trace have to count from the same time, as those of PyTorch do for months. */
static void take_base(struct chrome *c, const char *path)
{
	struct trace *trace = c->trace;

	if (!c->first_event) {
		trace->has_base = c->has_base;
		trace->base_ns = c->base_ns;
	} else if (c->has_base != trace->has_base || c->base_ns != trace->base_ns) {
		trace_warn(trace, "%s counts from another time than the files before it.",
		           path_name(path));
	}
}

static void chrome_release(struct chrome *c)
{
	free_waiting(c);
	pull_release(&c->pull);
	map_release(&c->categories);
	map_release(&c->processes);
	map_release(&c->thread_names);
	vec_release(&c->class_of);
	vec_release(&c->place_of);
	vec_release(&c->timeline);
	vec_release(&c->threads);
	vec_release(&c->undecided);
	str_release(&c->last_key);
	str_release(&c->key);
	str_release(&c->text);
	str_release(&c->shape);
	arena_release(&c->mem);
}

static bool load(struct trace *trace, struct file *file, struct progress *progress,
                 struct err *err)
{
	struct chrome c = { .trace = trace, .progress = progress,
	                    .first_thread = trace->n_threads, .first_event = trace->n_events };
	bool ok;

	pull_start(&c.pull, file);
	ok = read_all(&c, err);
	if (ok) {
		pull_at_end(&c.pull);    /* the checksum of a packed file stands behind it */
		trace->n_unclosed += c.n_open;
		trace->n_threads += (uint32_t)c.threads.len;
		take_base(&c, file->path);
		trace_decide(trace, decide_late, &c);
		note_damage(&c);
	}
	chrome_release(&c);
	return ok;
}

const struct trace_source chrome_source = {
	.name = "chrome", .what = "a Chrome trace", .load = load, .counts_events = true,
};
