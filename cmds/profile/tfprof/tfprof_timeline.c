/*
 * The runs of the step are read again from the files, as a view has only their sums. They become
 * slices; of two on one device at one moment the first counts. Slices get lanes in order of time;
 * everything is written device by device, lane by lane.
 */
#include "cmds/profile/tfprof/tfprof_timeline.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/profile/tfprof/tfprof_memory.h"
#include "cmds/profile/tfprof/tfprof_trace.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"

#define LARGE_FILE (200u * 1024 * 1024)

struct slice {
	uint32_t node, device;
	int64_t start_us, us;
	uint32_t order;                  /* place of its node as shown, then of reading */
	uint32_t seq;
	uint32_t pid, tid;
};

/* What a node ran on its own device, whether it is shown or not. */
struct own_run {
	uint32_t node, device;
	int64_t start_us;
};

/* An arrow from a slice to a slice. */
struct flow {
	uint32_t from, to;
};

struct graph_trace {
	struct tfprof_watch watch;       /* first: callbacks get its address */
	struct tfprof_view *view;
	struct trace_writer trace;
	uint32_t *order;                 /* by node: place as shown, from 1; 0: no place */
	bool *accounted;                 /* of a node */
	VEC(struct slice) slices;
	VEC(struct own_run) runs;        /* of nodes that count, as they were read */
	VEC(uint32_t) pids;              /* devices by pid */
	VEC(struct flow) flows;
	struct tfprof_memory *memory;
};

/* Scopes and code. */

static void write_icicle(struct tfprof_view *view, struct trace_writer *trace)
{
	VEC(int64_t) next = {0};         /* by level: where the next row starts */
	uint32_t open = UINT32_MAX;      /* rows at deeper levels are skipped */
	size_t n_levels = 0;

	vec_push(&next, 0);
	for (size_t i = 0; i < view->shown.len; i++) {
		const struct tfprof_shown *shown = &view->shown.at[i];
		int64_t us = tfprof_view_total(view, shown->row, TFPROF_MICROS), start;
		const char *name = tfprof_view_name(view, shown->row);

		if (shown->level > open)
			continue;
		open = UINT32_MAX;
		if (us <= 0 && shown->level) {
			open = shown->level;
			continue;
		}
		start = next.at[shown->level];
		next.at[shown->level] = tfprof_add(start, us);
		if (next.len < shown->level + 2u)
			vec_push(&next, 0);
		next.at[shown->level + 1] = start;
		if (shown->level == n_levels) {
			char scope[32];

			snprintf(scope, sizeof scope, "Scope:%u", (unsigned)shown->level);
			trace_process(trace, shown->level, scope);
			n_levels++;
		}
		trace_slice(trace, shown->level, 0, start, us, name, true);
	}
	vec_release(&next);
}

/* Graphs. */

static void take_run(struct tfprof_watch *watch, uint32_t node, uint32_t device, int64_t start_us,
                     int64_t us)
{
	struct graph_trace *g = (struct graph_trace *)watch;
	struct slice slice = { .node = node, .device = device, .start_us = start_us, .us = us,
	                       .order = g->order[node], .seq = (uint32_t)g->slices.len };

	if (slice.order)
		vec_push(&g->slices, slice);
	if (g->accounted[node] && tfprof_is_canonical(tfprof_text(g->view->tfprof, device)))
		vec_push(&g->runs, ((struct own_run){ node, device, start_us }));
}

static void take_memory(struct tfprof_watch *watch, uint32_t node, int64_t us, int64_t bytes)
{
	struct graph_trace *g = (struct graph_trace *)watch;

	if (g->order[node])
		tfprof_memory_in_use(g->memory, node, g->order[node], us, bytes);
}

static void take_allocation(struct tfprof_watch *watch, uint32_t node, int64_t us, int64_t bytes)
{
	struct graph_trace *g = (struct graph_trace *)watch;

	if (g->order[node])
		tfprof_memory_allocation(g->memory, node, us, bytes);
}

/* Ran on a device: other nodes have nothing to show. */
static bool is_trackable(const struct graph_trace *g, uint32_t node)
{
	struct tfprof_exec exec;

	return tfprof_exec_of(g->view->tfprof, node, g->watch.step, &exec) && exec.start_us &&
	       g->view->tfprof->nodes.at[node].device != TFPROF_NONE;
}

static void order_nodes(struct graph_trace *g)
{
	struct tfprof_view *view = g->view;

	for (size_t i = 0; i < view->shown.len; i++) {
		uint32_t node = tfprof_row_node(view->tree, view->shown.at[i].row);

		if (node == TFPROF_NONE || !is_trackable(g, node))
			continue;
		g->order[node] = (uint32_t)i + 1;
		tfprof_memory_node(g->memory, node);
	}
	for (uint32_t row = 1; row < view->n; row++) {
		uint32_t node = tfprof_row_node(view->tree, row);

		g->accounted[node] = view->accounted[row] && is_trackable(g, node);
	}
}

static int by_device(const struct graph_trace *g, const struct slice *x, const struct slice *y)
{
	if (x->device == y->device)
		return 0;
	return strcmp(tfprof_text(g->view->tfprof, x->device),
	              tfprof_text(g->view->tfprof, y->device));
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

/* As nodes are visited. */
static int by_visit(const void *a, const void *b, void *context)
{
	const struct slice *x = a, *y = b;
	int order;

	COMPARE(x->order, y->order);
	order = by_device(context, x, y);
	if (order)
		return order;
	COMPARE(x->seq, y->seq);
	return 0;
}

static int by_device_and_time(const void *a, const void *b, void *context)
{
	const struct slice *x = a, *y = b;
	int order = by_device(context, x, y);

	if (order)
		return order;
	COMPARE(x->start_us, y->start_us);
	COMPARE(x->order, y->order);
	COMPARE(x->seq, y->seq);
	return 0;
}

/* Devices are numbered in the order they are found. */
static void number_devices(struct graph_trace *g)
{
	const struct tfprof *t = g->view->tfprof;
	uint32_t *pid = mem_alloc((t->texts.len + 1) * sizeof *pid);

	if (g->slices.len)
		qsort_r(g->slices.at, g->slices.len, sizeof *g->slices.at, by_visit, g);
	for (size_t i = 0; i < g->slices.len; i++) {
		struct slice *slice = &g->slices.at[i];

		if (!pid[slice->device]) {
			vec_push(&g->pids, slice->device);
			pid[slice->device] = (uint32_t)g->pids.len;
		}
		slice->pid = pid[slice->device] - 1;
	}
	free(pid);
}

/* One slice for a moment on a device; sorted by device and time. */
static void drop_doubles(struct graph_trace *g)
{
	size_t n = 0;

	if (g->slices.len)
		qsort_r(g->slices.at, g->slices.len, sizeof *g->slices.at, by_device_and_time, g);
	for (size_t i = 0; i < g->slices.len; i++)
		if (!n || g->slices.at[i].device != g->slices.at[n - 1].device
		    || g->slices.at[i].start_us != g->slices.at[n - 1].start_us)
			g->slices.at[n++] = g->slices.at[i];
	g->slices.len = n;
}

/* Lanes of one device: a tree of minimal ends, which leads to the first free lane. */
struct lanes {
	int64_t *end;                    /* node k: minimum of 2k and 2k + 1; lane l: size + l */
	size_t size, n;
};

static void lanes_grow(struct lanes *lanes)
{
	size_t size = lanes->size ? lanes->size * 2 : 4;
	int64_t *end = mem_alloc(2 * size * sizeof *end);

	for (size_t k = 0; k < 2 * size; k++)
		end[k] = INT64_MAX;
	for (size_t l = 0; l < lanes->n; l++)
		end[size + l] = lanes->end[lanes->size + l];
	for (size_t k = size; k-- > 1; )
		end[k] = end[2 * k] < end[2 * k + 1] ? end[2 * k] : end[2 * k + 1];
	free(lanes->end);
	lanes->end = end;
	lanes->size = size;
}

static uint32_t lanes_take(struct lanes *lanes, int64_t start, int64_t end)
{
	size_t k = 1;

	if (!lanes->n || lanes->end[1] > start) {
		if (lanes->n == lanes->size)
			lanes_grow(lanes);
		k = lanes->size + lanes->n++;
	} else {
		while (k < lanes->size)
			k = lanes->end[2 * k] <= start ? 2 * k : 2 * k + 1;
	}
	lanes->end[k] = end;
	for (size_t up = k / 2; up; up /= 2) {
		const int64_t *below = lanes->end + 2 * up;

		lanes->end[up] = below[0] < below[1] ? below[0] : below[1];
	}
	return (uint32_t)(k - lanes->size);
}

static void choose_lanes(struct graph_trace *g)
{
	struct lanes lanes = {0};

	for (size_t i = 0; i < g->slices.len; i++) {
		struct slice *slice = &g->slices.at[i];

		if (i && slice->device != g->slices.at[i - 1].device) {
			free(lanes.end);
			lanes = (struct lanes){0};
		}
		slice->tid = lanes_take(&lanes, slice->start_us,
		                        tfprof_add(slice->start_us, slice->us));
	}
	free(lanes.end);
}

/* Arrows from the runs of an input on another device to the node that took it. */

/* The slice of a device at a moment, whichever node's it is. UINT32_MAX: none. */
static uint32_t slice_at(const struct graph_trace *g, uint32_t device, int64_t start_us)
{
	struct slice wanted = { .device = device, .start_us = start_us };
	size_t low = 0, high = g->slices.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (by_device_and_time(&g->slices.at[mid], &wanted, (void *)g) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < g->slices.len && g->slices.at[low].device == device &&
	    g->slices.at[low].start_us == start_us)
		return (uint32_t)low;
	return UINT32_MAX;
}

#define FLOWS_MAX 4000000

/* runs: positions in g->runs by node; of node n: [start[n], start[n + 1]). */
static void add_flows(struct graph_trace *g, const uint32_t *runs, const size_t *start, uint32_t to)
{
	const struct tfprof *t = g->view->tfprof;
	const struct tfprof_node *node = &t->nodes.at[g->slices.at[to].node];

	for (uint32_t i = 0; i < node->n_inputs; i++) {
		uint32_t from = t->inputs.at[node->first_input + i].node;

		if (from == TFPROF_NONE || !g->accounted[from])
			continue;
		for (size_t k = start[from]; k < start[from + 1] && g->flows.len < FLOWS_MAX; k++) {
			const struct own_run *run = &g->runs.at[runs[k]];
			uint32_t source;

			if (run->device == g->slices.at[to].device)
				continue;
			source = slice_at(g, run->device, run->start_us);
			if (source != UINT32_MAX)
				vec_push(&g->flows, ((struct flow){ source, to }));
		}
	}
}

static void find_flows(struct graph_trace *g)
{
	const struct tfprof *t = g->view->tfprof;
	size_t n = t->nodes.len, *start = mem_alloc((n + 2) * sizeof *start);
	uint32_t *runs = mem_alloc((g->runs.len + 1) * sizeof *runs);

	for (size_t i = 0; i < g->runs.len; i++)
		start[g->runs.at[i].node + 1]++;
	for (size_t i = 0; i < n; i++)
		start[i + 1] += start[i];
	start[n + 1] = g->runs.len;
	for (size_t i = g->runs.len; i-- > 0; )
		runs[--start[g->runs.at[i].node + 1]] = (uint32_t)i;
	for (uint32_t i = 0; i < g->slices.len; i++)
		if (tfprof_is_canonical(tfprof_text(t, g->slices.at[i].device)))
			add_flows(g, runs, start + 1, i);
	free(start);
	free(runs);
}

static int by_lane(const void *a, const void *b, void *context)
{
	const struct graph_trace *g = context;
	const struct slice *x = &g->slices.at[*(const uint32_t *)a];
	const struct slice *y = &g->slices.at[*(const uint32_t *)b];

	COMPARE(x->pid, y->pid);
	COMPARE(x->tid, y->tid);
	COMPARE(x->start_us, y->start_us);
	return 0;
}

static void write_processes(struct graph_trace *g)
{
	struct str name = {0};

	for (size_t pid = 0; pid < g->pids.len; pid++) {
		const char *device = tfprof_text(g->view->tfprof, g->pids.at[pid]);
		bool is_stream = device_parse(device, strlen(device)).stream.len;

		str_reset(&name);
		str_fmt(&name, "Op %s threads: %s", is_stream ? "execution" : "scheduling", device);
		trace_process(&g->trace, (int64_t)pid, name.text);
	}
	str_release(&name);
}

static void write_flow(struct graph_trace *g, const struct flow *flow, int64_t id)
{
	const struct slice *from = &g->slices.at[flow->from], *to = &g->slices.at[flow->to];
	const char *name = tfprof_name(g->view->tfprof, from->node);

	trace_flow(&g->trace, 's', id, from->pid, from->tid, tfprof_add(from->start_us, from->us),
	           name);
	trace_flow(&g->trace, 't', id, to->pid, to->tid, to->start_us, name);
}

/* The arrows of a slice stand together, in the order in which they were found. */
static void write_flows(struct graph_trace *g, const uint32_t *order)
{
	size_t *start = mem_alloc((g->slices.len + 2) * sizeof *start);
	uint32_t *flow = mem_alloc((g->flows.len + 1) * sizeof *flow);
	int64_t id = 1;

	for (size_t i = 0; i < g->flows.len; i++)
		start[g->flows.at[i].from + 1]++;
	for (size_t i = 0; i < g->slices.len; i++)
		start[i + 1] += start[i];
	start[g->slices.len + 1] = g->flows.len;
	for (size_t i = g->flows.len; i-- > 0; )
		flow[--start[g->flows.at[i].from + 1]] = (uint32_t)i;
	for (size_t i = 0; i < g->slices.len; i++)
		for (size_t k = start[order[i] + 1]; k < start[order[i] + 2]; k++)
			write_flow(g, &g->flows.at[flow[k]], id++);
	free(start);
	free(flow);
}

static void write_graph(struct graph_trace *g, struct str *said)
{
	uint32_t *order = mem_alloc((g->slices.len + 1) * sizeof *order);

	number_devices(g);
	drop_doubles(g);
	choose_lanes(g);
	find_flows(g);
	str_puts(said, "generating trace file.\n");
	for (uint32_t i = 0; i < g->slices.len; i++)
		order[i] = i;
	qsort_r(order, g->slices.len, sizeof *order, by_lane, g);
	write_processes(g);
	for (size_t i = 0; i < g->slices.len; i++) {
		const struct slice *slice = &g->slices.at[order[i]];

		trace_slice(&g->trace, slice->pid, slice->tid, slice->start_us, slice->us,
		            tfprof_name(g->view->tfprof, slice->node), false);
	}
	tfprof_memory_processes(g->memory, &g->trace, (int64_t)g->pids.len);
	write_flows(g, order);
	tfprof_memory_counters(g->memory, &g->trace, (int64_t)g->pids.len, said);
	free(order);
}

/* Reads the step again and writes it. */
static bool write_graph_trace(struct tfprof_view *view, struct trace_writer *trace,
                              struct progress *progress, struct str *said, struct err *err)
{
	struct graph_trace g = { .view = view, .trace = *trace };
	size_t n = view->tfprof->nodes.len + 1;
	bool ok;

	g.watch = (struct tfprof_watch){ take_run, take_memory, take_allocation,
	                                 view->options.number[TFPROF_STEP] };
	g.order = mem_alloc(n * sizeof *g.order);
	g.accounted = mem_alloc(n);
	g.memory = tfprof_memory_new(view->tfprof);
	order_nodes(&g);
	ok = tfprof_watch_step(view->tfprof, &g.watch, progress, err);
	if (ok)
		write_graph(&g, said);
	*trace = g.trace;
	free(g.order);
	free(g.accounted);
	tfprof_memory_free(g.memory);
	vec_release(&g.slices);
	vec_release(&g.runs);
	vec_release(&g.pids);
	vec_release(&g.flows);
	return ok;
}

static void tell_file(const char *path, struct str *said)
{
	static const char stars[] = "******************************************************";

	str_fmt(said,
	        "\n%s\nTimeline file is written to %s.\n"
	        "Open a Chrome browser, enter URL chrome://tracing and load the timeline file.\n"
	        "%s\n",
	        stars, path, stars);
}

bool tfprof_timeline(struct tfprof_view *view, struct progress *progress, struct str *said,
                     struct str *complaint, struct err *err)
{
	struct trace_writer trace;
	struct str path = {0};
	struct err why = {0};
	bool ok = true, written = false;
	uint64_t size = 0;

	str_fmt(&path, "%s_%lld", view->options.outfile,
	        (long long)view->options.number[TFPROF_STEP]);
	if (trace_open(&trace, path.text, &why)) {
		if (view->kind == TFPROF_GRAPH)
			ok = write_graph_trace(view, &trace, progress, said, err);
		else
			write_icicle(view, &trace);
		written = trace_close(&trace, ok, &size, &why);
	}
	if (ok && !written)
		str_fmt(complaint, "Failed to write timeline file: %s\nError: %s\n", path.text,
		        why.msg);
	if (written && size > LARGE_FILE)
		str_puts(complaint, "The trace file is larger than 200 MiB; a browser may not be "
		         "able to show it.\n");
	if (ok && written)
		tell_file(path.text, said);
	str_release(&path);
	return ok && written;
}
