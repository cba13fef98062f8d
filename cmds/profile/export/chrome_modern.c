/*
 * Slices are gathered first: executor records, waits and overhead lane by lane; kernels and copies
 * once each with their stream. Each lane or stream is a group, in which overlapping slices get rows
 * of their own; a row becomes a thread. Then all events are sorted by time and written. Labels are
 * read twice, for arrows and for arguments. Memory: 40 bytes a slice, 16 an arrow, 16 an event.
 */
#include "cmds/profile/export/chrome.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/profile/export/chrome_parts.h"
#include "dump/base/mem.h"
#include "dump/profile/activity.h"
#include "dump/profile/packing.h"
#include "dump/profile/tensor_life.h"

#define DAY_NS (24 * 3600 * INT64_C(1000000000))
#define STEP_EVERY 512

struct slice {
	int64_t start_ns, len_ns;
	uint32_t record, group, row;
	bool on_gpu;
};

/* A device's ops, or a stream. */
struct group {
	uint32_t process;
	const char *stream;              /* NULL: rows of ops */
	int64_t number;                  /* of the stream; -1: it has none */
	struct packing packing;
	size_t first_tid;                /* tids.at[first_tid + row] */
};

struct arrow {
	uint32_t tensor;                 /* lives.names.key[] */
	uint32_t from, to;               /* slices */
};

enum event_kind { EVENT_SLICE, EVENT_START, EVENT_FINISH, EVENT_COUNTER };

struct event {
	int64_t ns;
	uint32_t at;                     /* slice, arrow, counter */
	uint8_t kind;                    /* enum event_kind */
};

struct counter {
	uint32_t allocator;
	int64_t bytes;
};

struct modern {
	const struct step *step;
	const struct chrome_style *style;
	struct python_json json;
	struct activities acts;
	int64_t median_us, begin_ns;
	struct map processes, group_names;
	VEC(struct group) groups;
	VEC(struct slice) slices;
	VEC(int64_t) tids;
	uint32_t *slice_of;              /* by record; MAP_NONE: none */
	struct tensor_lives lives;
	VEC(uint32_t) maker;             /* of a tensor: its slice */
	VEC(struct arrow) arrows;
	VEC(struct counter) counters;
	VEC(struct event) events;
	struct arena mem;
	struct str name;
	struct progress *progress;
	struct err *damage, *err;
};

/* Slices. */

/* Adds to m->groups; the process is "DEVICE KIND". */
static uint32_t group_of(struct modern *m, const char *device, const char *kind, const char *stream)
{
	uint32_t process, id;

	str_reset(&m->name);
	str_fmt(&m->name, "%s%s", device, kind);
	process = map_add(&m->processes, &m->mem, m->name.text, m->name.len);
	str_fmt(&m->name, "\n%s", stream ? stream : "");
	id = map_add(&m->group_names, &m->mem, m->name.text, m->name.len);
	if (id == m->groups.len)
		vec_push(&m->groups,
		         ((struct group){ .process = process, .stream = stream, .number = -1 }));
	return id;
}

/* From its start to its end, as the classic style draws it. False: the times are impossible. */
static bool extent_of(const struct modern *m, const struct record *record, int64_t *start_ns,
                      int64_t *len_ns)
{
	struct record_times t = step_times(m->step, record);
	int64_t median_ns, away;

	if (record_is_impossible(&t, m->median_us))
		return false;
	*start_ns = t.all_start_ns;
	*len_ns = t.all_end_ns;
	if (!t.has_ns && (__builtin_mul_overflow(t.all_start_us, 1000, start_ns) ||
	                  __builtin_mul_overflow(t.all_end_us, 1000, len_ns)))
		return false;
	if (__builtin_mul_overflow(m->median_us, 1000, &median_ns) ||
	    __builtin_sub_overflow(*start_ns, median_ns, &away))
		return false;
	return *len_ns >= 0 && *len_ns <= DAY_NS && away <= DAY_NS && away >= -DAY_NS;
}

/* A viewer doesn't show a slice of length 0. */
static void add_slice(struct modern *m, uint32_t record, uint32_t group, bool on_gpu)
{
	struct slice slice = { .record = record, .group = group, .on_gpu = on_gpu };

	if (!extent_of(m, &m->step->records.at[record], &slice.start_ns, &slice.len_ns))
		return;
	slice.len_ns += slice.len_ns == 0;
	m->slice_of[record] = (uint32_t)m->slices.len;
	vec_push(&m->slices, slice);
}

static void take_lanes(struct modern *m)
{
	for (size_t i = 0; i < m->step->lanes.len; i++) {
		const struct lane *lane = &m->step->lanes.at[i];
		uint32_t group;
		bool executor = lane_is_executor(lane->kind);

		if (!executor && lane->kind != LANE_GPU_SYNC && lane->kind != LANE_GPU_OTHER)
			continue;
		group = group_of(m, lane->device, executor ? " host" : "", NULL);
		for (size_t r = lane->first; r < lane->first + lane->n; r++)
			add_slice(m, (uint32_t)r, group, false);
	}
}

static int64_t number_of(const char *stream)
{
	int64_t number = 0;
	size_t i = 0;

	while (i < 9 && isdigit((unsigned char)stream[i]))
		number = 10 * number + (stream[i++] - '0');
	return i && !stream[i] ? number : -1;
}

static void take_activities(struct modern *m)
{
	for (size_t i = 0; i < m->acts.at.len; i++) {
		const struct activity *a = &m->acts.at.at[i];
		const char *stream = a->stream == MAP_NONE ? "?" : m->acts.streams.key[a->stream];
		uint32_t group;

		if (a->kind == ACTIVITY_HOST)
			continue;
		group = group_of(m, m->acts.devices.key[a->device], " streams", stream);
		m->groups.at[group].number = number_of(stream);
		add_slice(m, a->record, group, true);
	}
}

/* Ops of a GPU with their kernels. */

struct stretch_of {
	int64_t start_ns, end_ns;
};

struct kernel_times {
	struct map ops;
	VEC(struct stretch_of) at;
	struct arena mem;
};

static bool find_kernels(struct modern *m, struct detail_reader *reader, struct kernel_times *times)
{
	for (size_t i = 0; i < m->slices.len; i++) {
		const struct slice *slice = &m->slices.at[i];
		const struct record *record = &m->step->records.at[slice->record];
		int64_t end_ns = slice->start_ns + slice->len_ns;
		struct stretch_of *of;
		struct text node, op;
		const char *label;
		size_t len = 0;
		uint32_t id;

		if (!slice->on_gpu || m->step->lanes.at[record->lane].kind == LANE_GPU_COPY_ALL ||
		    m->step->lanes.at[record->lane].kind == LANE_GPU_STREAM_COPY)
			continue;
		label = detail_label(reader, record, &len, m->err);
		if (!label && !chrome_only_damaged(m->err, m->damage))
			return false;
		label_kernel(label, len, record_name(m->step, record), &node, &op);
		id = map_add(&times->ops, &times->mem, node.at, node.len);
		if (id == times->at.len)
			vec_push(&times->at, ((struct stretch_of){ slice->start_ns, end_ns }));
		of = &times->at.at[id];
		of->start_ns = slice->start_ns < of->start_ns ? slice->start_ns : of->start_ns;
		of->end_ns = end_ns > of->end_ns ? end_ns : of->end_ns;
	}
	return true;
}

static void move_slice(struct modern *m, struct slice *slice, const struct kernel_times *times)
{
	const char *name = record_name(m->step, &m->step->records.at[slice->record]);
	uint32_t id = slice->on_gpu ? MAP_NONE : map_find(&times->ops, name, strlen(name));
	int64_t end_ns = slice->start_ns + slice->len_ns;

	if (id == MAP_NONE)
		return;
	if (times->at.at[id].end_ns > end_ns)
		end_ns = times->at.at[id].end_ns;
	if (m->style->op_time == OP_TIME_GPU)
		slice->start_ns = times->at.at[id].start_ns;
	slice->len_ns = end_ns > slice->start_ns ? end_ns - slice->start_ns : 1;
}

static bool move_ops(struct modern *m, struct detail_reader *reader)
{
	struct kernel_times times = {0};
	bool ok;

	if (m->style->op_time == OP_TIME_SCHEDULE)
		return true;
	ok = find_kernels(m, reader, &times);
	for (size_t i = 0; ok && i < m->slices.len; i++)
		move_slice(m, &m->slices.at[i], &times);
	map_release(&times.ops);
	vec_release(&times.at);
	arena_release(&times.mem);
	return ok;
}

/* Threads. */

static void add_event(struct modern *m, int64_t ns, enum event_kind kind, size_t at)
{
	vec_push(&m->events, ((struct event){ ns, (uint32_t)at, (uint8_t)kind }));
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* Slices that touch may share a row: the end given is the last ns in the slice. */
static void pack(struct modern *m)
{
	for (size_t i = 0; i < m->slices.len; i++)
		add_event(m, m->slices.at[i].start_ns, EVENT_SLICE, i);
	if (m->events.len)
		qsort(m->events.at, m->events.len, sizeof *m->events.at, by_time);
	m->begin_ns = m->events.len ? m->events.at[0].ns : 0;
	for (size_t i = 0; i < m->events.len; i++) {
		struct slice *slice = &m->slices.at[m->events.at[i].at];

		slice->row = packing_put(&m->groups.at[slice->group].packing, slice->start_ns,
		                         slice->start_ns + slice->len_ns - 1);
	}
}

/*
 * Rows of ops are numbered. A stream's first row keeps its number; its further rows come after all
 * streams.
 */
static void number_threads(struct modern *m)
{
	int64_t *next = mem_alloc((m->processes.len + 1) * sizeof *next);

	for (size_t i = 0; i < m->groups.len; i++)
		if (m->groups.at[i].number >= next[m->groups.at[i].process])
			next[m->groups.at[i].process] = m->groups.at[i].number + 1;
	for (size_t i = 0; i < m->groups.len; i++) {
		struct group *group = &m->groups.at[i];

		group->first_tid = m->tids.len;
		for (uint32_t row = 0; row < group->packing.rows; row++)
			vec_push(&m->tids, !row && group->number >= 0 ? group->number
			                                              : next[group->process]++);
	}
	free(next);
}

static int64_t tid_of(const struct modern *m, const struct slice *slice)
{
	return m->tids.at[m->groups.at[slice->group].first_tid + slice->row];
}

static int64_t pid_of(const struct modern *m, const struct slice *slice)
{
	return (int64_t)m->groups.at[slice->group].process + 1;
}

/* Tensors. */

static bool go_on(struct modern *m, size_t at, size_t n)
{
	if (m->json.failed)
		return false;
	if (!(at % STEP_EVERY) && !progress_step(m->progress, at, n))
		return err_at(m->err, ERR_CANCELLED, "command", 0,
		              "stopped after %zu of %zu records", at, n);
	return true;
}

static void make_tensors(struct modern *m, const struct record *record,
                         const struct record_detail *detail, uint32_t slice)
{
	struct record_times t = step_times(m->step, record);
	struct tensor_life life = {
		.from_us = t.all_start_us, .to_us = t.all_start_us + t.all_end_us,
	};

	for (size_t i = 0; i < detail->n_outputs; i++) {
		uint32_t id = life_made(&m->lives, record_name(m->step, record), false, i,
		                        &detail->outputs[i], &life);

		if (id == m->maker.len)
			vec_push(&m->maker, slice);
		m->maker.at[id] = slice;
	}
}

static void add_arrow(struct modern *m, uint32_t tensor, uint32_t to)
{
	struct arrow arrow = { .tensor = tensor, .from = m->maker.at[tensor], .to = to };
	const struct slice *a = &m->slices.at[arrow.from], *b = &m->slices.at[to];

	if (m->style->no_flow || (a->group == b->group && a->row == b->row))
		return;
	add_event(m, a->start_ns + a->len_ns - 1, EVENT_START, m->arrows.len);
	add_event(m, b->start_ns, EVENT_FINISH, m->arrows.len);
	vec_push(&m->arrows, arrow);
}

static void use_tensors(struct modern *m, size_t at, const char *label, size_t len)
{
	const struct record *record = &m->step->records.at[at];
	struct record_times t = step_times(m->step, record);
	struct text node, op, inputs;
	uint32_t tensor;

	label_node(label, len, record_name(m->step, record), &node, &op, &inputs);
	while (life_taken(&m->lives, &inputs, t.all_start_us + t.all_end_us, &tensor))
		add_arrow(m, tensor, m->slice_of[at]);
}

/* The slice of an executor record; MAP_NONE: it has none, or is another's. */
static uint32_t op_slice(const struct modern *m, size_t record)
{
	uint32_t slice = m->slice_of[record];

	return slice == MAP_NONE || m->slices.at[slice].on_gpu ? MAP_NONE : slice;
}

static bool follow_tensors(struct modern *m, struct detail_reader *reader)
{
	size_t n = m->step->records.len, len;

	for (size_t i = 0; i < n; i++) {
		const struct record *record = &m->step->records.at[i];

		if (op_slice(m, i) == MAP_NONE)
			continue;
		if (!go_on(m, i, n) || !(detail_read(reader, record, DETAIL_ALL, m->err) ||
		                         chrome_only_damaged(m->err, m->damage)))
			return false;
		make_tensors(m, record, &reader->detail, m->slice_of[i]);
	}
	for (size_t i = 0; i < n; i++) {
		const char *label;

		if (op_slice(m, i) == MAP_NONE)
			continue;
		label = detail_label(reader, &m->step->records.at[i], &len, m->err);
		if (!label && !chrome_only_damaged(m->err, m->damage))
			return false;
		use_tensors(m, i, label ? label : "", len);
	}
	return true;
}

/* Times of tensors are whole us, which may begin before the first ns. */
static void count_memory(struct modern *m)
{
	struct life_events events = {0};
	size_t *first;

	life_events_of(&m->lives, &events, &first);
	for (uint32_t i = 0; i < m->lives.allocators.len; i++) {
		int64_t total = 0;

		for (size_t k = first[i]; k < first[i + 1]; k++) {
			int64_t ns = events.at.at[k].us * 1000;

			total = (int64_t)((uint64_t)total + (uint64_t)events.at.at[k].bytes);
			add_event(m, ns > m->begin_ns ? ns : m->begin_ns, EVENT_COUNTER,
			          m->counters.len);
			vec_push(&m->counters, ((struct counter){ i, total }));
		}
	}
	vec_release(&events.at);
	free(first);
}

/* Writing. */

static void put_name(struct modern *m, const char *what, int64_t pid, const int64_t *tid,
                     const char *name)
{
	pj_event(&m->json);
	pj_word(&m->json, "name", what);
	pj_word(&m->json, "ph", "M");
	pj_int(&m->json, "pid", pid);
	if (tid)
		pj_int(&m->json, "tid", *tid);
	pj_inside(&m->json, "args");
	pj_word(&m->json, "name", name);
	pj_close(&m->json, '}');
	pj_close(&m->json, '}');
}

static void put_order(struct modern *m, const char *what, int64_t pid, const int64_t *tid,
                      int64_t place)
{
	pj_event(&m->json);
	pj_word(&m->json, "name", what);
	pj_word(&m->json, "ph", "M");
	pj_int(&m->json, "pid", pid);
	if (tid)
		pj_int(&m->json, "tid", *tid);
	pj_inside(&m->json, "args");
	pj_int(&m->json, "sort_index", place);
	pj_close(&m->json, '}');
	pj_close(&m->json, '}');
}

static void put_process(struct modern *m, int64_t pid, const char *name)
{
	put_name(m, "process_name", pid, NULL, name);
	put_order(m, "process_sort_index", pid, NULL, pid);
}

/* By process, then number; streams without one last. */
static int by_number(const void *a, const void *b, void *groups)
{
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct group *x = (const struct group *)groups + i;
	const struct group *y = (const struct group *)groups + k;

	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->number != y->number)
		return (uint64_t)x->number < (uint64_t)y->number ? -1 : 1;
	return (i > k) - (i < k);
}

static void put_threads(struct modern *m)
{
	uint32_t *order = mem_alloc((m->groups.len + 1) * sizeof *order);
	int64_t place = 0;

	for (uint32_t i = 0; i < m->groups.len; i++)
		order[i] = i;
	if (m->groups.len)
		qsort_r(order, m->groups.len, sizeof *order, by_number, m->groups.at);
	for (size_t i = 0; i < m->groups.len; i++) {
		const struct group *group = &m->groups.at[order[i]];
		int64_t pid = (int64_t)group->process + 1;

		for (uint32_t row = 0; row < group->packing.rows; row++) {
			const int64_t *tid = &m->tids.at[group->first_tid + row];

			str_reset(&m->name);
			if (group->stream)
				str_fmt(&m->name, "stream %s", group->stream);
			if (row || !group->stream)
				str_fmt(&m->name, "%srow %u", group->stream ? ", " : "", row);
			put_name(m, "thread_name", pid, tid, m->name.text);
			put_order(m, "thread_sort_index", pid, tid, place++);
		}
	}
	free(order);
}

static void begin_event(struct modern *m, const char *ph, const char *category, struct text name,
                        int64_t pid, int64_t tid, int64_t ns)
{
	pj_event(&m->json);
	pj_word(&m->json, "ph", ph);
	pj_word(&m->json, "cat", category);
	pj_text(&m->json, "name", name.at, name.len);
	pj_int(&m->json, "pid", pid);
	pj_int(&m->json, "tid", tid);
	pj_us(&m->json, "ts", ns - m->begin_ns);
}

static bool put_slice(struct modern *m, const struct slice *slice, struct detail_reader *reader)
{
	const struct record *record = &m->step->records.at[slice->record];
	struct text node, op, inputs = {0};
	struct gpu_label gpu = {0};
	size_t len = 0;
	const char *label = detail_label(reader, record, &len, m->err);

	if (!label && !chrome_only_damaged(m->err, m->damage))
		return false;
	label = label ? label : "";
	if (slice->on_gpu) {
		label_kernel(label, len, record_name(m->step, record), &node, &op);
		label_gpu(label, len, &gpu);
	} else {
		label_node(label, len, record_name(m->step, record), &node, &op, &inputs);
	}
	begin_event(m, "X", "Op", op, pid_of(m, slice), tid_of(m, slice), slice->start_ns);
	pj_us(&m->json, "dur", slice->len_ns);
	pj_inside(&m->json, "args");
	chrome_put_args(&m->json, node, op, inputs);
	if (gpu.activity.len)
		pj_text(&m->json, "kernel", gpu.activity.at, gpu.activity.len);
	pj_close(&m->json, '}');
	pj_close(&m->json, '}');
	return true;
}

/* The end of an arrow belongs to the slice around it, not to the next one. */
static void put_arrow(struct modern *m, const struct event *event)
{
	const struct arrow *arrow = &m->arrows.at[event->at];
	bool start = event->kind == EVENT_START;
	const struct slice *slice = &m->slices.at[start ? arrow->from : arrow->to];
	const char *name = m->lives.names.key[arrow->tensor];

	begin_event(m, start ? "s" : "f", "DataFlow", (struct text){ name, strlen(name) },
	            pid_of(m, slice), tid_of(m, slice), event->ns);
	pj_int(&m->json, "id", event->at);
	if (!start)
		pj_word(&m->json, "bp", "e");
	pj_close(&m->json, '}');
}

static void put_counter(struct modern *m, const struct event *event)
{
	const struct counter *counter = &m->counters.at[event->at];
	const char *name = m->lives.allocators.key[counter->allocator];

	begin_event(m, "C", "Memory", (struct text){ name, strlen(name) }, 0, 0, event->ns);
	pj_inside(&m->json, "args");
	pj_int(&m->json, name, counter->bytes);
	pj_close(&m->json, '}');
	pj_close(&m->json, '}');
}

static bool put_events(struct modern *m, struct detail_reader *reader)
{
	for (size_t i = 0; i < m->events.len; i++) {
		const struct event *event = &m->events.at[i];

		if (!go_on(m, i, m->events.len))
			return false;
		if (event->kind == EVENT_COUNTER)
			put_counter(m, event);
		else if (event->kind != EVENT_SLICE)
			put_arrow(m, event);
		else if (!put_slice(m, &m->slices.at[event->at], reader))
			return false;
	}
	return true;
}

static bool write_all(struct modern *m, struct detail_reader *reader)
{
	pj_open(&m->json, '{');
	pj_word(&m->json, "displayTimeUnit", "ns");
	pj_int(&m->json, "baseTimeNanoseconds", m->begin_ns);
	pj_key(&m->json, "traceEvents", strlen("traceEvents"));
	pj_open(&m->json, '[');
	if (m->style->memory)
		put_process(m, 0, "Allocators");
	for (uint32_t i = 0; i < m->processes.len; i++)
		put_process(m, (int64_t)i + 1, m->processes.key[i]);
	put_threads(m);
	if (!put_events(m, reader))
		return false;
	pj_close(&m->json, ']');
	pj_close(&m->json, '}');
	return pj_finish(&m->json);
}

static bool gather(struct modern *m, struct detail_reader *reader)
{
	struct extent extent = {0};

	step_extent(m->step, &extent);
	m->median_us = extent.median_start_us;
	m->slice_of = mem_alloc((m->step->records.len + 1) * sizeof *m->slice_of);
	memset(m->slice_of, 0xff, m->step->records.len * sizeof *m->slice_of);
	take_lanes(m);
	take_activities(m);
	if (!move_ops(m, reader))
		return false;
	pack(m);
	number_threads(m);
	if (!follow_tensors(m, reader))
		return false;
	if (m->style->memory)
		count_memory(m);
	if (m->events.len)
		qsort(m->events.at, m->events.len, sizeof *m->events.at, by_time);
	return true;
}

static void release(struct modern *m)
{
	for (size_t i = 0; i < m->groups.len; i++)
		packing_release(&m->groups.at[i].packing);
	activities_release(&m->acts);
	map_release(&m->processes);
	map_release(&m->group_names);
	vec_release(&m->groups);
	vec_release(&m->slices);
	vec_release(&m->tids);
	vec_release(&m->maker);
	vec_release(&m->arrows);
	vec_release(&m->counters);
	vec_release(&m->events);
	lives_release(&m->lives);
	pj_release(&m->json);
	arena_release(&m->mem);
	str_release(&m->name);
	free(m->slice_of);
}

bool chrome_write_modern(const struct step *step, const struct chrome_style *style, FILE *out,
                         struct progress *progress, struct err *damage, struct err *err)
{
	struct modern m = { .step = step, .style = style,
	                    .json = { .out = out, .compact = style->compact }, .progress = progress,
	                    .damage = damage, .err = err };
	struct detail_reader reader;
	bool ok = activities_of(step, NULL, NULL, 0, true, progress, &m.acts, err)
	          && detail_open(&reader, step, err);

	if (ok) {
		ok = gather(&m, &reader) && write_all(&m, &reader);
		detail_close(&reader);
	}
	release(&m);
	return ok;
}
