/* What traces tell of their records, over those behind a row. */
#include "cmds/profile/kernel_parts.h"

#include <stdlib.h>

#include "dump/profile/label.h"
#include "dump/profile/trace.h"

/* Sums and counts over a row. */
struct sums {
	double queue, occupancy, flops, bytes;
	size_t n_queue, n_occupancy, n_flops, n_bytes;
	struct trace_peak peak;          /* of the first device that has done such work */
};

static int64_t add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

static void add_launch(struct sums *s, const struct activities *acts, const struct activity *a)
{
	struct text percent = launch_value(a->launch == MAP_NONE ? NULL
	                                   : acts->names.key[a->launch], "occ_pct:");
	const struct trace_more *more = acts->trace ? &acts->trace->more : NULL;

	if (percent.at) {
		s->occupancy += strtod(percent.at, NULL);
		s->n_occupancy++;
	}
	if (more && a->record < more->queue.len && more->queue.at[a->record]) {
		s->queue += more->queue.at[a->record];
		s->n_queue++;
	}
}

static void add_work(struct sums *s, const struct trace *trace, const struct activity *a)
{
	const struct trace_more *more = &trace->more;
	double flops = a->record < more->flops.len ? more->flops.at[a->record] : -1;
	double bytes = a->record < more->bytes.len ? more->bytes.at[a->record] : -1;

	if (flops >= 0) {
		s->flops += flops;
		s->n_flops++;
	}
	if (bytes >= 0) {
		s->bytes += bytes;
		s->n_bytes++;
	}
	if ((flops >= 0 || bytes >= 0) && s->peak.flops <= 0 && a->device < trace->peaks.len)
		s->peak = trace->peaks.at[a->device];
}

/* Of an op. Of a step its dispatch is all there is, and its kernels are the node's. */
static void add_op(struct kernel_row_extra *extra, const struct activities *acts,
                   const struct activity *a)
{
	const struct trace_more *more = acts->trace ? &acts->trace->more : NULL;

	extra->host_total_ns = add(extra->host_total_ns < 0 ? 0 : extra->host_total_ns, a->len_ns);
	if (!more)
		return;
	if (more->device_ns.len) {
		int64_t ns = a->record < more->device_ns.len ? more->device_ns.at[a->record] : 0;

		extra->device_total_ns = add(extra->device_total_ns < 0
		                             ? 0 : extra->device_total_ns, ns);
	}
	if (more->memory.len) {
		extra->has_memory = true;
		if (a->record < more->memory.len)
			extra->memory = add(extra->memory, more->memory.at[a->record]);
	}
}

/* A row needs more of what it has less of: operations for a byte than the device can do, or not. */
static enum kernel_bound bound_of(const struct sums *s)
{
	if (!s->n_flops || !s->n_bytes || s->bytes <= 0 || s->peak.flops <= 0 || s->peak.bytes <= 0)
		return BOUND_UNKNOWN;
	return s->flops / s->bytes >= s->peak.flops / s->peak.bytes ? BOUND_COMPUTE : BOUND_MEMORY;
}

void kernel_row_extra(struct kernel_table *table, const struct kernel_row *row,
                      struct kernel_row_extra *extra)
{
	const struct kernel_work *w = table->work;
	struct sums s = {0};

	*extra = (struct kernel_row_extra){ .host_total_ns = -1, .device_total_ns = -1 };
	for (size_t i = 0; i < row->n_members; i++) {
		const struct table_step *step;
		const struct activity *a = kernel_activity(w, w->member[row->first + i], &step);

		if (a->kind == ACTIVITY_HOST)
			add_op(extra, step->acts, a);
		else
			add_launch(&s, step->acts, a);
		if (step->acts->trace)
			add_work(&s, step->acts->trace, a);
	}
	extra->queue = s.n_queue ? s.queue / (double)s.n_queue : -1;
	extra->occupancy = s.n_occupancy ? s.occupancy / (double)s.n_occupancy : -1;
	extra->flops = s.n_flops ? s.flops : -1;
	extra->bytes = s.n_bytes ? s.bytes : -1;
	extra->bound = bound_of(&s);
}
