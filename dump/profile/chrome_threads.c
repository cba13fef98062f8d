#include <string.h>

#include "dump/format/decimal.h"
#include "dump/profile/chrome_parts.h"

#define TS_MOST_NS INT64_C(9000000000000000000)

struct text chrome_text(const struct event_value *value, struct str *out)
{
	if (!value || value->kind == PULL_OBJECT || value->kind == PULL_ARRAY)
		return (struct text){ "", 0 };
	if (!value->coded)
		return (struct text){ value->at, value->len };
	str_reset(out);
	pull_decode(value->at, value->len, true, out);
	return (struct text){ str_text(out), out->len };
}

uint32_t chrome_name(struct chrome *c, const struct event_value *value)
{
	struct text text = chrome_text(value, &c->text);

	return trace_name(c->trace, text.at, text.len);
}

bool chrome_ns(const struct event_value *value, int64_t *out)
{
	return value && (value->kind == PULL_NUMBER || value->kind == PULL_TEXT)
	       && decimal_scaled(value->at, value->len, 3, out)
	       && *out <= TS_MOST_NS && *out >= -TS_MOST_NS;
}

bool chrome_whole(const struct event_value *value, int64_t *out)
{
	return value && (value->kind == PULL_NUMBER || value->kind == PULL_TEXT)
	       && decimal_is_whole(value->at, value->len, out);
}

int64_t chrome_id(struct chrome *c, const struct event_value *value)
{
	struct text text = chrome_text(value, &c->text);

	return text.len ? trace_id(c->trace, text.at, text.len) : TRACE_NO_ID;
}

bool chrome_is_text(const struct event_value *value, const char *text)
{
	return value && value->kind == PULL_TEXT && value->len == strlen(text)
	       && !memcmp(value->at, text, value->len);
}

/* Categories. */

uint8_t chrome_category(struct chrome *c, const struct event_value *value)
{
	struct text text = chrome_text(value, &c->text);
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
	struct text text = chrome_text(pid, &c->text);
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

uint32_t chrome_thread(struct chrome *c, const struct trace_event *event)
{
	struct text pid = chrome_text(trace_event_get(event, EVENT_PID), &c->text);
	struct text tid = chrome_text(trace_event_get(event, EVENT_TID), &c->shape);
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

void chrome_take_metadata(struct chrome *c, const struct trace_event *event)
{
	const struct event_value *what = trace_event_get(event, EVENT_NAME);
	bool is_process = chrome_is_text(what, "process_name");
	struct text name;

	if (!event->has_args || (!is_process && !chrome_is_text(what, "thread_name")))
		return;
	if (is_process) {
		uint32_t process = process_of(c, trace_event_get(event, EVENT_PID));

		name = chrome_text(trace_event_get(event, EVENT_ARG_NAME), &c->text);
		c->place_of.at[process] = (uint8_t)trace_place_of(&name);
		note_timeline(c, process, &name);
	} else {
		uint32_t thread = chrome_thread(c, event);

		name = chrome_text(trace_event_get(event, EVENT_ARG_NAME), &c->text);
		c->threads.at[thread].is_stream = text_begins(&name, "Stream #");
		if (text_begins(&name, "stream "))
			c->threads.at[thread].stream =
				trace_name(c->trace, name.at + 7, name.len - 7);
	}
}

/* Devices. */

/* Of several hosts "HOST/GPU:0" and "HOST/CPU". */
static struct text of_host(struct chrome *c, const char *type, const char *text, size_t len)
{
	str_reset(&c->key);
	str_fmt(&c->key, "%s/%s", c->trace->host, type);
	str_put(&c->key, text, len);
	return (struct text){ c->key.text, c->key.len };
}

uint32_t chrome_host_device(struct chrome *c, const char *text, size_t len)
{
	struct text name = c->trace->host ? of_host(c, "", text, len) : (struct text){ text, len };

	return trace_host_device(c->trace, name.at, name.len);
}

uint32_t chrome_gpu_device(struct chrome *c, const char *text, size_t len)
{
	struct text name = { text, len };
	size_t digits = 0;

	while (digits < len && is_digit(text[digits]))
		digits++;
	if (c->trace->host)
		name = of_host(c, len && digits == len ? "GPU:" : "", text, len);
	return trace_device(c->trace, name.at, name.len);
}
