/*
 * Names of all steps are numbered together, and filters and groups are applied once to each name.
 */
#include "cmds/profile/kernel_parts.h"

#include <string.h>

#include "cmds/profile/frame_text.h"
#include "dump/profile/label.h"
#include "dump/profile/trace.h"

static uint32_t noted(struct kernel_work *w, uint32_t id)
{
	while (w->info.len < w->names.len)
		vec_push(&w->info, ((struct name_info){ .scope = MAP_NONE, .parent = MAP_NONE,
		                                        .source_line = MAP_NONE }));
	return id;
}

uint32_t kernel_intern(struct kernel_work *w, const char *text, size_t len)
{
	return noted(w, map_add(&w->names, &w->mem, text, len));
}

/* Activities stay as long as the table: their names are not copied. */
static uint32_t name_of(struct kernel_work *w, const struct table_step *step, uint32_t id)
{
	const char *name = step->acts->names.key[id];

	if (step->names[id] == MAP_NONE)
		step->names[id] = noted(w, map_add_lasting(&w->names, name, strlen(name)));
	return step->names[id];
}

static uint32_t device_of(struct kernel_work *w, const struct table_step *step,
                          const struct activity *a)
{
	const char *name = step->acts->devices.key[a->device];

	if (step->devices[a->device] == MAP_NONE)
		step->devices[a->device] = kernel_intern(w, name, strlen(name));
	return step->devices[a->device];
}

/* Filters. */

static bool matches(struct kernel_work *w, struct pattern *pattern, const char *text)
{
	return pattern_fits(pattern, text, strlen(text), w->err);
}

static bool passes(struct kernel_work *w, struct pattern *pattern, uint32_t id, uint8_t *answer)
{
	if (!pattern)
		return true;
	if (*answer == UNASKED)
		*answer = matches(w, pattern, w->names.key[id]) ? YES : NO;
	return *answer == YES;
}

/* The text about the frame around an activity, made once; MAP_NONE: it has none. */
static uint32_t frame_text(struct kernel_work *w, const struct table_step *step,
                           const struct activity *a, uint32_t *known,
                           void (*put)(struct str *out, const struct trace *trace, uint32_t frame))
{
	uint32_t frame = trace_frame_around(step->acts->trace, a->record);

	if (frame == MAP_NONE)
		return MAP_NONE;
	if (known[frame] == MAP_NONE) {
		str_reset(&w->scratch);
		put(&w->scratch, step->acts->trace, frame);
		known[frame] = kernel_intern(w, str_text(&w->scratch), w->scratch.len);
	}
	return *w->names.key[known[frame]] ? known[frame] : MAP_NONE;
}

static uint32_t line_of_node(struct kernel_work *w, uint32_t node)
{
	if (w->info.at[node].source_line == MAP_NONE) {
		const char *line = w->query.source_of ?
		                   w->query.source_of(w->query.context, w->names.key[node]) : "";
		uint32_t id = kernel_intern(w, line, strlen(line));

		w->info.at[node].source_line = id;
	}
	return *w->names.key[w->info.at[node].source_line] ? w->info.at[node].source_line
	                                                   : MAP_NONE;
}

uint32_t kernel_source_line(struct kernel_work *w, const struct table_step *step,
                            const struct activity *a)
{
	uint32_t line = frame_text(w, step, a, step->line, put_frame_line);

	return line != MAP_NONE ? line : line_of_node(w, name_of(w, step, a->node));
}

static uint32_t source_key(struct kernel_work *w, const struct table_step *step,
                           const struct activity *a)
{
	uint32_t line = kernel_source_line(w, step, a);

	return line != MAP_NONE ? line : kernel_intern(w, "(no source)", 11);
}

bool kernel_device_passes(struct kernel_work *w, const struct table_step *step,
                          const struct activity *a)
{
	uint32_t id = device_of(w, step, a);

	return passes(w, w->query.device, id, &w->info.at[id].device);
}

bool kernel_name_passes(struct kernel_work *w, const struct table_step *step,
                        const struct activity *a)
{
	uint32_t id = a->kernel == MAP_NONE ? MAP_NONE : name_of(w, step, a->kernel);

	return id != MAP_NONE && passes(w, w->query.kernel, id, &w->info.at[id].kernel);
}

static bool stream_passes(struct kernel_work *w, const struct table_step *step,
                          const struct activity *a)
{
	return !w->query.stream || (a->stream != MAP_NONE &&
	                            matches(w, w->query.stream,
	                                    step->acts->streams.key[a->stream]));
}

bool kernel_all_pass(struct kernel_work *w, const struct table_step *step, const struct activity *a)
{
	const struct kernel_query *q = &w->query;
	uint32_t node = name_of(w, step, a->node), op = name_of(w, step, a->op), line;

	if (!passes(w, q->node, node, &w->info.at[node].node) ||
	    !passes(w, q->op, op, &w->info.at[op].op) || !stream_passes(w, step, a))
		return false;
	if (q->kernel &&
	    !(a->kind == ACTIVITY_HOST ? step->launched[a->node] : kernel_name_passes(w, step, a)))
		return false;
	if (!q->source)
		return true;
	line = source_key(w, step, a);
	return passes(w, q->source, line, &w->info.at[line].source);
}

/* Which row an activity is in. */

static void find_scope(struct kernel_work *w, uint32_t node, bool unattributed)
{
	const char *name = w->names.key[node], *slash = name;
	uint32_t above = MAP_NONE, id = MAP_NONE, levels = 0;

	while (!unattributed && (slash = strchr(slash, '/')) && levels < w->query.depth) {
		id = kernel_intern(w, name, (size_t)(slash - name));
		w->info.at[id].parent = above;
		above = id;
		slash++;
		levels++;
	}
	if (unattributed)
		id = node;
	else if (!levels)
		id = kernel_intern(w, "(top)", 5);
	w->info.at[node].scope = id;
	w->info.at[node].is_own = unattributed || !slash;
}

uint32_t kernel_scoped_node(struct kernel_work *w, const struct table_step *step,
                            const struct activity *a)
{
	uint32_t modules = a->node == step->acts->unattributed
	                   ? MAP_NONE : frame_text(w, step, a, step->modules, put_frame_modules);

	if (modules == MAP_NONE)
		return name_of(w, step, a->node);
	str_reset(&w->scratch);
	str_fmt(&w->scratch, "%s/%s", w->names.key[modules], step->acts->names.key[a->node]);
	return kernel_intern(w, w->scratch.text, w->scratch.len);
}

static uint32_t stream_key(struct kernel_work *w, const struct table_step *step,
                           const struct activity *a)
{
	const char *device = step->acts->devices.key[a->device];

	str_reset(&w->scratch);
	if (a->kind == ACTIVITY_HOST)
		str_fmt(&w->scratch, "%s host", device);
	else
		str_fmt(&w->scratch, "%s stream %s", device,
		        a->stream == MAP_NONE ? "?" : step->acts->streams.key[a->stream]);
	return kernel_intern(w, w->scratch.text, w->scratch.len);
}

static uint32_t shape_key(struct kernel_work *w, const struct table_step *step,
                          const struct activity *a)
{
	const char *launch = a->launch == MAP_NONE ? NULL : step->acts->names.key[a->launch];
	const char *grid = launch_value(launch, "grid:").at;

	str_reset(&w->scratch);
	str_puts(&w->scratch, step->acts->names.key[a->kernel]);
	if (grid)
		str_fmt(&w->scratch, " grid:%s", grid);
	return kernel_intern(w, w->scratch.text, w->scratch.len);
}

/* "aten::mm [[2,64],[64,10]]" */
static uint32_t input_shape_key(struct kernel_work *w, const struct table_step *step,
                                const struct activity *a)
{
	const struct trace *trace = step->acts->trace;
	uint32_t shape = trace && a->record < trace->more.shape.len
	                 ? trace->more.shape.at[a->record] : MAP_NONE;

	str_reset(&w->scratch);
	str_fmt(&w->scratch, "%s %s", step->acts->names.key[a->node],
	        shape == MAP_NONE ? "(no shape)" : step->acts->names.key[shape]);
	return kernel_intern(w, w->scratch.text, w->scratch.len);
}

/* The whole of a trace holds several steps, and records outside of them. */
static const char *step_label(const struct table_step *step, const struct activity *a)
{
	const struct trace *trace = step->acts->trace;
	uint32_t at = trace ? trace->records.at[a->record].step : TRACE_OUTSIDE;

	if (!trace || !trace->steps.len)
		return step->label;
	return at == TRACE_OUTSIDE ? "(no step)" : trace->steps.at[at].label;
}

uint32_t kernel_key(struct kernel_work *w, enum kernel_group group, const struct table_step *step,
                        const struct activity *a)
{
	uint32_t node = name_of(w, step, a->node);
	bool unattributed = a->node == step->acts->unattributed;
	const char *label;
	uint32_t id;

	switch (group) {
	case GROUP_KERNEL:
		return name_of(w, step, a->kernel);
	case GROUP_SHAPE:
		return shape_key(w, step, a);
	case GROUP_TYPE:
		if (step->acts->names.key[a->op][0])
			return name_of(w, step, a->op);
		return unattributed ? node : kernel_intern(w, "(no op)", 7);
	case GROUP_SCOPE:
		node = kernel_scoped_node(w, step, a);
		if (w->info.at[node].scope == MAP_NONE)
			find_scope(w, node, unattributed);
		return w->info.at[node].scope;
	case GROUP_STACK:
		id = frame_text(w, step, a, step->stack, put_frame_stack);
		return id != MAP_NONE ? id : kernel_intern(w, "(no stack)", 10);
	case GROUP_SOURCE:
		return source_key(w, step, a);
	case GROUP_DEVICE:
		return device_of(w, step, a);
	case GROUP_STREAM:
		return stream_key(w, step, a);
	case GROUP_INPUT_SHAPE:
		return input_shape_key(w, step, a);
	case GROUP_STEP:
		label = step_label(step, a);
		return kernel_intern(w, label, strlen(label));
	default:
		return node;
	}
}
