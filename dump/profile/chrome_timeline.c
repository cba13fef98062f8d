#include <string.h>

#include "dump/profile/chrome_parts.h"
#include "dump/profile/label.h"

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
	struct text label = chrome_text(trace_event_get(event, EVENT_ARG_KERNEL), &c->text);
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

void chrome_add_timeline(struct chrome *c, const struct trace_event *event,
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
	    || (!node && lane_is_executor(p->kind)) || chrome_is_text(node, "_SOURCE")
	    || chrome_is_text(node, "_SINK") || is_told_twice(c, p))
		return;
	a.raw = chrome_name(c, trace_event_get(event, EVENT_NAME));
	a.node = node ? chrome_name(c, node) : MAP_NONE;
	a.op = chrome_name(c, trace_event_get(event, EVENT_ARG_OP));
	record.op = TRACE_OP_NODE;
	if (lane_is_executor(p->kind)) {
		a.kind = ACTIVITY_HOST;
		a.device = chrome_host_device(c, p->device, strlen(p->device)) & 0x3fffffff;
		a.stream = MAP_NONE;
	} else {
		fill_gpu(c, event, p, &a, &record);
		if (!*stream)
			stream = c->trace->all.names.key[c->threads.at[thread].stream];
		a.device = chrome_gpu_device(c, p->number, strlen(p->number)) & 0x3fffffff;
		a.stream = trace_stream(c->trace, stream, strlen(stream));
		a.launch_delay_ns = -1;
	}
	trace_add(c->trace, &a, &record);
}
