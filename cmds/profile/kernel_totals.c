/* Files that say what all runs of a kernel took together, and nothing of each. */
#include "cmds/profile/kernel_parts.h"

#include "dump/profile/trace.h"

static const struct trace *trace_of(const struct kernel_table *table)
{
	const struct kernel_work *w = table->work;

	return w->n_steps == 1 ? w->steps[0].acts->trace : NULL;
}

bool kernel_has_totals(const struct kernel_table *table)
{
	const struct trace *trace = trace_of(table);

	return trace && trace->totals.len;
}

static bool has_kernels(const struct trace *trace)
{
	for (size_t i = 0; i < trace->totals.len; i++)
		if (trace->totals.at[i].kind == ACTIVITY_KERNEL)
			return true;
	return false;
}

bool kernel_choose_totals(struct kernel_table *table, struct err *err)
{
	const struct kernel_query *q = &table->work->query;

	table->only_totals = true;
	table->group = GROUP_KERNEL;
	table->universe = q->has_universe ? q->universe
	                  : has_kernels(trace_of(table)) ? UNIVERSE_KERNEL : UNIVERSE_COPY;
	if ((!q->has_group || q->group == GROUP_KERNEL) && table->universe != UNIVERSE_HOST)
		return true;
	return err_at(err, ERR_MISSING, "command", 0,
	              "Only totals are recorded, of kernels and copies: group by kernel.");
}

/* Totals say nothing of devices, nodes and streams, so no such filter can pass. */
static bool passes(struct kernel_work *w, const struct activity *a)
{
	const struct kernel_query *q = &w->query;

	return !q->device && !q->node && !q->op && !q->stream && !q->source
	       && (!q->kernel || kernel_name_passes(w, &w->steps[0], a));
}

/* Several kernels of a file may have one full name. */
static void join(struct kernel_row *row, const struct trace_total *total)
{
	bool first = !row->calls, wide = total->max_ns > row->max_ns;

	row->mean_ns = first ? total->mean_ns : 0;
	if (first || total->min_ns < row->min_ns)       /* -1, not known, is the least */
		row->min_ns = total->min_ns;
	if (first || total->max_ns < 0 || (wide && row->max_ns >= 0))
		row->max_ns = total->max_ns;
	row->calls += (uint64_t)total->calls;
	row->total_ns += total->total_ns;
	row->self_ns += total->total_ns;
	row->sum_ns[total->kind] += total->total_ns;
}

void kernel_take_totals(struct kernel_table *table)
{
	const struct trace *trace = trace_of(table);
	struct kernel_work *w = table->work;

	for (size_t i = 0; trace && i < trace->totals.len; i++) {
		const struct trace_total *total = &trace->totals.at[i];
		struct activity a = { .kernel = total->kernel };
		uint32_t key;

		if (!universe_has(table->universe, total->kind))
			continue;
		table->whole_ns += total->total_ns;
		if (!passes(w, &a))
			continue;
		key = kernel_key(w, GROUP_KERNEL, &w->steps[0], &a);
		if (!w->info.at[key].row) {
			struct kernel_row *row = vec_add(&table->rows);

			row->name = w->names.key[key];
			row->first = i;
			w->info.at[key].row = (uint32_t)table->rows.len;
		}
		table->shown_ns += total->total_ns;
		table->calls += (uint64_t)total->calls;
		join(&table->rows.at[w->info.at[key].row - 1], total);
	}
}

void kernel_totals_more(const struct kernel_table *table, const struct kernel_row *row,
                        struct kernel_row_more *more)
{
	const struct trace *trace = trace_of(table);
	size_t i = row->first;

	if (!kernel_has_totals(table))
		return;
	for (uint32_t kernel = trace->totals.at[i].kernel;
	     i < trace->totals.len && trace->totals.at[i].kernel == kernel; i++)
		vec_push(&more->raws, trace->all.names.key[trace->totals.at[i].raw]);
}
