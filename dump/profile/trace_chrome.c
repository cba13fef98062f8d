/*
 * One pass over the events. What begins and ends in two events waits as the text of the first.
 */
#include "dump/profile/trace_chrome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/format/decimal.h"
#include "dump/profile/chrome_parts.h"

enum {
	PROGRESS_EVENTS = 4096,  /* between two looks at progress */
	OPEN_MOST = 1 << 20,     /* slices that wait for their end */
};

/* Slices. */

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
	text = chrome_text(name, &c->text);
	part = part_of_host_name(text.at, text.len);
	if (part != PART_OTHER)
		trace_add_host_time(c->trace, part, times->start_ns, times->len_ns);
}

static void take_launch(struct chrome *c, const struct trace_event *event,
                        const struct activity *times, uint32_t thread)
{
	int64_t id = chrome_id(c, trace_event_get(event, EVENT_CORRELATION));
	struct launch launch = { .start_ns = times->start_ns, .len_ns = times->len_ns,
	                         .thread = c->first_thread + thread };

	if (id == TRACE_NO_ID)
		return;
	if (!chrome_whole(trace_event_first(event, EVENT_BYTES, EVENT_SIZE), &launch.bytes))
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
		                chrome_name(c, name));
}

/* Complete slices. rocprof's exact times stand in its args. */
static void take_slice(struct chrome *c, const struct trace_event *event, int64_t start_ns,
                       int64_t len_ns)
{
	struct activity times = { .start_ns = start_ns, .len_ns = len_ns };
	uint8_t class = chrome_category(c, trace_event_get(event, EVENT_CAT));
	int64_t begin, end;
	uint32_t thread;
	int kind;

	if (chrome_whole(trace_event_get(event, EVENT_BEGIN_NS), &begin)
	    && chrome_whole(trace_event_get(event, EVENT_END_NS), &end)
	    && end >= begin && begin >= 0) {
		times.start_ns = begin;
		times.len_ns = end - begin;
	}
	if (class == CLASS_NONE)
		return;
	if (class == CLASS_STEP) {
		take_range(c, event, &times);
		return;
	}
	thread = chrome_thread(c, event);
	if (c->place_of.at[c->threads.at[thread].process] == PLACE_TIMELINE) {
		chrome_add_timeline(c, event, &times, thread);
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
	kind = chrome_kind(c, event, class, thread);
	if (kind >= 0)
		chrome_add_record(c, event, class, kind, &times, thread);
}

static void take_complete(struct chrome *c, const struct trace_event *event)
{
	int64_t start_ns, len_ns = 0;

	if (!chrome_ns(trace_event_get(event, EVENT_TS), &start_ns)
	    || (event->has >> EVENT_DUR & 1
	        && !chrome_ns(trace_event_get(event, EVENT_DUR), &len_ns))
	    || len_ns < 0)
		c->trace->n_left_out++;
	else
		take_slice(c, event, start_ns, len_ns);
}

/* Beginnings and ends. */

static void take_begin(struct chrome *c, const struct trace_event *event)
{
	uint32_t number = chrome_thread(c, event);
	struct thread *thread = &c->threads.at[number];
	struct waiting *waiting;
	int64_t start_ns;

	if (!chrome_ns(trace_event_get(event, EVENT_TS), &start_ns) || c->n_open == OPEN_MOST) {
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
	uint32_t number = chrome_thread(c, event);
	struct thread *thread = &c->threads.at[number];
	struct waiting *waiting = thread->open;
	struct pull_value value;
	struct trace_event begin;
	struct pull pull;
	int64_t end_ns, len_ns;

	if (!waiting || !chrome_ns(trace_event_get(event, EVENT_TS), &end_ns)) {
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

	chrome_whole(trace_event_get(event, EVENT_BYTES), &memory.bytes);
	chrome_whole(trace_event_get(event, EVENT_TOTAL), &memory.allocated);
	chrome_whole(trace_event_get(event, EVENT_RESERVED), &memory.reserved);
	chrome_whole(trace_event_get(event, EVENT_ADDRESS), &memory.address);
	chrome_whole(trace_event_get(event, EVENT_DEVICE_TYPE), &type);
	chrome_ns(trace_event_get(event, EVENT_TS), &memory.at_ns);
	memory.thread = c->first_thread + chrome_thread(c, event);
	if (type) {
		chrome_whole(id, &device);
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

	if (event->has_args && chrome_is_text(trace_event_get(event, EVENT_NAME), "[memory]"))
		take_memory(c, event);
	if (!ph || ph->len != 1 || ph->kind != PULL_TEXT)
		return;
	switch (*ph->at) {
	case 'X': take_complete(c, event); break;
	case 'B': take_begin(c, event); break;
	case 'E': take_end(c, event); break;
	case 'M': chrome_take_metadata(c, event); break;
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
		trace_warn_damage(c->trace,
		                  "This file stops in the middle: %llu events read (byte %llu: "
		                  "%s).", (unsigned long long)(c->trace->n_events - c->first_event),
		                  (unsigned long long)err->off, err->msg);
	else if (c->pull.packed.code)
		trace_warn_damage(c->trace, "The compressed file is damaged at byte %llu: %s.",
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
		trace_decide(trace, chrome_decide_late, &c);
		note_damage(&c);
	}
	chrome_release(&c);
	return ok;
}

const struct trace_source chrome_source = {
	.name = "chrome", .what = "a Chrome trace", .load = load, .counts_events = true,
};
