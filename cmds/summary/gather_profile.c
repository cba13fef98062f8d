/*
 * The steps of a profile: what each node did in each, all times of it together, in whole
 * nanoseconds. Activities are sorted by what they are of; those that are alike are one row.
 */
#include "cmds/summary/gather.h"

#include <stdlib.h>
#include <string.h>

#include "dump/profile/activity.h"
#include "dump/profile/breakdown.h"
#include "dump/profile/trace.h"

/* What counts of an activity. */
struct piece {
	uint32_t step, kind, device, node, kernel, op;   /* from here up to kernel: what it is of */
	int64_t own_ns;
	uint64_t bytes;
};

typedef VEC(struct piece) pieces;

static int order(const struct piece *x, const struct piece *y)
{
	const uint32_t a[] = { x->step, x->kind, x->device, x->node, x->kernel };
	const uint32_t b[] = { y->step, y->kind, y->device, y->node, y->kernel };

	for (size_t i = 0; i < sizeof a / sizeof *a; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int by_kind(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int cmp = order(x, y);

	return cmp ? cmp : (x->op > y->op) - (x->op < y->op);
}

static void take(pieces *out, const struct activity *a, uint32_t step)
{
	vec_push(out, ((struct piece){
		.step = step, .kind = a->kind, .device = a->device, .node = a->node, .op = a->op,
		.kernel = a->kernel, .own_ns = activity_own_ns(a),
		.bytes = a->bytes > 0 ? (uint64_t)a->bytes : 0,
	}));
}

/* ---- rows */

/* Of several steps with one label: which of them it is. */
static uint64_t same_before(const char *const *labels, size_t at)
{
	uint64_t n = 0;

	for (size_t i = 0; i < at; i++)
		n += !strcmp(labels[i], labels[at]);
	return n;
}

static void put_kernel(struct gather *g, const char *label, uint64_t same,
                       const struct activities *acts, const struct piece *of,
                       const struct summary_kernel *row)
{
	str_reset(&g->value);
	summary_put_kernel(&g->value, row);
	gather_put(g, &(struct summary_key){
		.kind = SUMMARY_KERNEL, .worker = g->worker, .run = label,
		.device = acts->devices.key[of->device], .node = acts->names.key[of->node],
		.slot = of->kind, .number = same,
		.debug_op = of->kernel == MAP_NONE ? "" : acts->names.key[of->kernel],
	});
}

/* labels: by piece.step. */
static void put_kernels(struct gather *g, const char *const *labels, const struct activities *acts,
                        pieces *of)
{
	size_t end;

	if (of->len)
		qsort(of->at, of->len, sizeof *of->at, by_kind);
	for (size_t i = 0; i < of->len; i = end) {
		const struct piece *first = &of->at[i];
		struct summary_kernel row = { .op = acts->names.key[first->op],
		                              .min_ns = first->own_ns, .max_ns = first->own_ns };

		for (end = i; end < of->len && !order(first, &of->at[end]); end++) {
			const struct piece *p = &of->at[end];

			row.calls++;
			row.total_ns += p->own_ns;
			row.bytes += p->bytes;
			row.min_ns = p->own_ns < row.min_ns ? p->own_ns : row.min_ns;
			row.max_ns = p->own_ns > row.max_ns ? p->own_ns : row.max_ns;
		}
		put_kernel(g, labels[first->step], same_before(labels, first->step), acts, first,
		           &row);
	}
}

static void put_step(struct gather *g, const char *label, uint64_t same,
                     const struct summary_step *row)
{
	str_reset(&g->value);
	summary_put_step(&g->value, row);
	gather_put(g, &(struct summary_key){ .kind = SUMMARY_STEP, .worker = g->worker,
	                                     .run = label, .device = "", .node = "",
	                                     .debug_op = "", .number = same });
}

static void note_damage(struct gather *g, const char *label, const char *path,
                        const struct err *damage)
{
	struct problem problem = { .file = "", .text = damage->msg, .off = damage->off,
	                           .kind = problem_of_err(damage), .unread = true };

	if (damage->code)
		gather_problem(g, label, path, &problem);
}

/* ---- steps of TensorFlow's */

static bool put_one(struct gather *g, struct profile *profile, const char *const *labels, size_t i,
                    struct err *err)
{
	size_t n_graphs;
	struct graph *const *graphs = profile_graphs(profile, &n_graphs);
	struct summary_step row = { .position = i };
	struct step *step = profile_step(profile, i, g->progress, err);
	struct str file = {0};
	struct activities acts;
	struct extent extent;
	pieces of = {0};
	struct stretch all = {0};
	bool ok;

	if (!step)
		return false;
	ok = activities_of(step, profile->proto, graphs, n_graphs, true, g->progress, &acts, err);
	for (size_t k = 0; ok && k < acts.at.len; k++)
		take(&of, &acts.at.at[k], (uint32_t)i);
	if (ok && step_extent(step, &extent)) {
		row.start_ns = extent.start_us * 1000;
		row.span_ns = extent.span_ns;
		all = (struct stretch){ row.start_ns, row.start_ns + row.span_ns };
	}
	ok = ok && breakdown_of(&acts, &all, 1, &row.parts, g->progress, err);
	if (ok) {
		gather_put_path(g, step->path, "", &file);
		row.file = str_text(&file);
		row.number = step->number;
		row.sync_ns = acts.sync_ns;
		row.unread = step->damage.code != ERR_NONE;
		row.has_parts = true;
		put_step(g, labels[i], same_before(labels, i), &row);
		put_kernels(g, labels, &acts, &of);
		note_damage(g, labels[i], step->path, &step->damage);
	}
	activities_release(&acts);
	vec_release(&of);
	str_release(&file);
	profile_forget(profile);
	return ok;
}

static bool put_steps(struct gather *g, struct profile *profile, struct err *err)
{
	const char **labels = mem_alloc((profile->steps.len + 1) * sizeof *labels);
	bool ok = true;

	for (size_t i = 0; i < profile->steps.len; i++)
		labels[i] = profile->steps.at[i].label;
	for (size_t i = 0; ok && i < profile->steps.len; i++) {
		struct err why = {0};

		ok = put_one(g, profile, labels, i, &why) || why.code != ERR_CANCELLED;
		if (!ok)
			*err = why;
		else
			note_damage(g, labels[i], profile->steps.at[i].path, &why);
	}
	free(labels);
	return ok;
}

/* ---- the trace of another program */

static void put_total(struct gather *g, const struct trace *trace, const char *label, size_t i)
{
	const struct trace_total *total = &trace->totals.at[i];
	struct summary_kernel row = { .op = "", .calls = (uint64_t)total->calls,
	                              .total_ns = total->total_ns, .min_ns = total->min_ns,
	                              .max_ns = total->max_ns };

	str_reset(&g->value);
	summary_put_kernel(&g->value, &row);
	gather_put(g, &(struct summary_key){
		.kind = SUMMARY_KERNEL, .worker = g->worker, .run = label, .device = "",
		.node = "", .slot = total->kind,
		.debug_op = trace->all.names.key[total->kernel],
	});
}

/* From the first record to the last. */
static struct stretch all_of(const struct activities *acts)
{
	int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;

	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];

		start_ns = a->start_ns < start_ns ? a->start_ns : start_ns;
		end_ns = a->start_ns + a->len_ns > end_ns ? a->start_ns + a->len_ns : end_ns;
	}
	return acts->at.len ? (struct stretch){ start_ns, end_ns } : (struct stretch){0};
}

/* Where the time of each step went, or that of all; on the heap. NULL with *err: a cancel. */
static struct breakdown *parts_of(struct gather *g, const struct trace *trace, struct err *err)
{
	size_t n = trace->steps.len;
	struct stretch *steps = mem_alloc((n + 1) * sizeof *steps);
	struct breakdown *out = mem_alloc((n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		steps[i] = (struct stretch){ trace->steps.at[i].start_ns,
		                             trace->steps.at[i].end_ns };
	if (!n)
		steps[0] = all_of(&trace->all);
	if (!breakdown_of(&trace->all, steps, n ? n : 1, out, g->progress, err)) {
		free(out);
		out = NULL;
	}
	free(steps);
	return out;
}

/* Records outside of all steps are of a step without a label, the last one. */
static bool put_trace(struct gather *g, const struct profile *profile, struct err *err)
{
	const struct trace *trace = profile->trace;
	size_t n = trace->steps.len;
	const char **labels = mem_alloc((n + 1) * sizeof *labels);
	struct summary_step whole = { .position = n, .sync_ns = n ? 0 : trace->all.sync_ns,
	                              .file = "", .only_totals = trace->totals.len > 0 };
	struct breakdown *parts = parts_of(g, trace, err);
	struct stretch all = n ? (struct stretch){0} : all_of(&trace->all);
	pieces of = {0};

	if (!parts) {
		free(labels);
		return false;
	}
	whole.span_ns = all.end_ns - all.start_ns;
	whole.has_parts = !n && !whole.only_totals;
	whole.parts = parts[0];
	for (size_t i = 0; i < n; i++) {
		const struct trace_step *step = &trace->steps.at[i];
		struct summary_step row = { .number = step->number, .position = i, .file = "",
		                            .start_ns = step->start_ns,
		                            .span_ns = step->end_ns - step->start_ns,
		                            .has_parts = true, .parts = parts[i] };

		labels[i] = step->label;
		put_step(g, labels[i], same_before(labels, i), &row);
	}
	labels[n] = "";
	put_step(g, "", same_before(labels, n), &whole);
	for (size_t i = 0; i < trace->all.at.len; i++) {
		const struct activity *a = &trace->all.at.at[i];
		uint32_t step = trace->records.at[a->record].step;

		take(&of, a, step < n ? step : (uint32_t)n);
	}
	put_kernels(g, labels, &trace->all, &of);
	for (size_t i = 0; i < trace->totals.len; i++)
		put_total(g, trace, "", i);
	vec_release(&of);
	free(parts);
	free(labels);
	return true;
}

/* ---- all of it */

void gather_profile_devices(const struct profile *profile, struct worker_names *names)
{
	const struct step *step = profile->current < profile->steps.len
	                          ? &profile->steps.at[profile->current] : NULL;

	for (size_t i = 0; step && i < step->lanes.len; i++)
		worker_see_device(names, step->lanes.at[i].device);
}

/* A graph that stands alone: as that of a device of a run without tensors. */
static bool put_graph(struct gather *g, struct graph *graph, struct err *err)
{
	struct summary_device row = { gather_graph(g, graph, err), 0 };

	if (!row.graph)
		return !err->code;
	str_reset(&g->value);
	summary_put_device(&g->value, &row);
	gather_put(g, &(struct summary_key){ .kind = SUMMARY_DEVICE, .worker = g->worker,
	                                     .run = "", .node = "", .debug_op = "",
	                                     .device = graph_first_device(graph) });
	return true;
}

bool gather_profile(struct gather *g, struct profile *profile, bool alone, struct err *err)
{
	if (alone && profile->graph && !put_graph(g, profile->graph, err))
		return false;
	for (size_t i = 0; i < profile->problems.len; i++) {
		struct problem problem = { .file = "", .text = profile->problems.at[i],
		                           .kind = PROBLEM_DAMAGED };

		gather_problem(g, "", g->base, &problem);
	}
	if (!profile->trace)
		return put_steps(g, profile, err);
	for (size_t i = 0; i < profile->trace->damage.len; i++) {
		struct problem problem = { .file = "", .text = profile->trace->damage.at[i],
		                           .kind = PROBLEM_DAMAGED };

		gather_problem(g, "", g->base, &problem);
	}
	return put_trace(g, profile, err);
}
