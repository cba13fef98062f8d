/*
 * A DebugEvent, and its bytes as each of its messages: ranges lie within them, lists have an end,
 * and what is read depends on nothing else.
 */
#include <string.h>

#include "dump/v2/event.h"
#include "dump/v2/parts.h"
#include "tests/input.h"

static struct span all;

static void within(struct span span)
{
	MUST(span.off + span.len >= span.off);
	MUST(!span.len || (span.off >= all.off && span.off + span.len <= all.off + all.len));
}

static void each_within(const event_spans *spans)
{
	MUST(spans->len <= EVENT_LIST_MAX);
	for (size_t i = 0; i < spans->len; i++)
		within(spans->at[i]);
}

static void read_lists(struct file *file)
{
	struct event_execution execution = {0};
	struct event_location location = {0};
	struct event_op op = {0};

	if (event_op(file, all, &op, &(struct err){0})) {
		each_within(&op.inputs);
		within(op.location);
		MUST(op.ids.len <= EVENT_LIST_MAX);
	}
	if (event_execution(file, all, &execution, &(struct err){0})) {
		each_within(&execution.tensors);
		within(execution.location);
		MUST(execution.inputs.len <= EVENT_LIST_MAX);
	}
	if (event_location(file, all, &location, &(struct err){0}))
		each_within(&location.frames);
	vec_release(&execution.inputs);
	vec_release(&execution.outputs);
	vec_release(&execution.devices);
	vec_release(&execution.tensors);
	vec_release(&location.frames);
	vec_release(&op.inputs);
	vec_release(&op.ids);
}

static void read_singles(struct file *file)
{
	struct event_metadata metadata;
	struct event_device device;
	struct event_graph graph;
	struct event_frame frame;
	struct event_trace trace;

	if (event_metadata(file, all, &metadata, &(struct err){0}))
		within(metadata.run_id);
	if (event_device(file, all, &device, &(struct err){0}))
		within(device.name);
	if (event_graph(file, all, &graph, &(struct err){0}))
		within(graph.outer);
	if (event_frame(file, all, &frame, &(struct err){0}))
		within(frame.function);
	if (event_trace(file, all, &trace, &(struct err){0}))
		within(trace.tensor);
}

static void read_source(struct file *file)
{
	struct event_source source;
	struct err err = {0};
	struct span line;
	struct wire wire;
	uint32_t n = 0;

	if (!event_source(file, all, &source, &err))
		return;
	wire_start(&wire, file, all);
	for (; event_next_line(&wire, &line, &err); n++)
		within(line);
	MUST(!err.code && n == source.n_lines);
}

static void read_summary(struct file *file)
{
	double number[V2_SUMMARY_MAX];
	size_t n;

	if (!event_summary(file, all, number, V2_SUMMARY_MAX, &n, &(struct err){0}))
		return;
	MUST(n <= V2_SUMMARY_MAX);
	for (int64_t mode = 0; mode < 9; mode++) {
		struct health health = {0};
		uint8_t kinds;
		enum program_bad bad = v2_summary_bad(mode, number, n, &kinds);

		v2_summary_health(mode, number, n, &health);
		MUST((bad == PROGRAM_CANT_TELL) == !(health.known & HEALTH_BAD));
		MUST(!kinds == !(health.known & HEALTH_COUNTS && health.bad));
		MUST(health.shape.rank <= SHAPE_MAX_RANK);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event event;
	struct file file;

	MUST(file_open(&file, input_file(data, size), NULL));
	all = (struct span){ 0, size };
	if (event_read(&file, all, &event, &(struct err){0})) {
		within(event.body);
		if (event.what != EVENT_NOTHING)
			all = event.body;
	}
	read_lists(&file);
	read_singles(&file);
	read_source(&file);
	read_summary(&file);
	file_close(&file);
	return 0;
}
