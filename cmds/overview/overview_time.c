/* Where the time of the current step went, and what its allocators held. */
#include "cmds/overview/overview.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/profile/kernels.h"
#include "cmds/profile/memory_peaks.h"
#include "cmds/session/steps.h"
#include "dump/model/device.h"
#include "dump/profile/trace.h"

/* A device that has to wait half of the time, a row that takes half of it: that stands out. */
#define MUCH 50.0

static const char *keep(struct call *call, const char *text)
{
	return arena_copy(doc_mem(call->out), text, strlen(text));
}

/* Of GPUs the busiest, else of all devices. */
static const struct device_facts *busiest(const struct kernel_table *table)
{
	const struct device_facts *most = NULL;

	for (size_t i = 0; i < table->devices.len; i++) {
		const struct device_facts *d = &table->devices.at[i];

		if (!most || (most->is_host && !d->is_host) ||
		    (most->is_host == d->is_host && d->busy_ns > most->busy_ns))
			most = d;
	}
	return most;
}

static void take_device(struct call *call, const struct kernel_table *table,
                        struct overview_time *out)
{
	const struct device_facts *device = busiest(table);
	struct str name = {0};

	if (!device)
		return;
	put_short_device(&name, device->device, &device->device, 1);
	out->device = keep(call, str_text(&name));
	out->span_ns = device->span_ns;
	out->busy_ns = device->busy_ns;
	for (; out->n_gaps < OVERVIEW_TOP && out->n_gaps < device->n_gaps; out->n_gaps++)
		out->gap[out->n_gaps] = device->gap[out->n_gaps];
	str_release(&name);
}

/* The rows with the largest times of their own, then by name. Returns how many there are. */
static size_t take_rows(struct call *call, const struct kernel_table *table,
                        struct overview_cost *out)
{
	const struct kernel_row *top[OVERVIEW_TOP + 1];
	size_t n = 0;

	for (size_t i = 0; i < table->rows.len; i++) {
		const struct kernel_row *row = &table->rows.at[i];
		size_t at = n;

		for (; at && top[at - 1]->self_ns < row->self_ns; at--)
			top[at] = top[at - 1];
		top[at] = row;
		n += n < OVERVIEW_TOP && row->self_ns > 0;
	}
	for (size_t i = 0; i < n; i++)
		out[i] = (struct overview_cost){
			keep(call, top[i]->short_name), top[i]->self_ns,
			percent_of(top[i]->self_ns, table->whole_ns),
		};
	return n;
}

/* A table of one kind of work; NULL with call->err. */
static struct kernel_table *table_of(struct call *call, const struct step_activities *acts,
                                     enum universe universe, enum kernel_group group)
{
	struct kernel_query query = { .has_universe = true, .universe = universe,
	                              .has_group = true, .group = group };
	struct kernel_table *table = NULL;

	if (kernel_table_of(acts->refs, acts->labels, acts->n, &query, call->progress, &table,
	                    &call->err))
		return table;
	kernel_table_free(table);
	return NULL;
}

/* Files that say what all runs of a kernel took, and nothing of each. */
static bool has_only_totals(const struct step_activities *acts)
{
	const struct trace *trace = acts->refs[0]->trace;

	return trace && trace->totals.len;
}

static bool take_ops(struct call *call, const struct step_activities *acts,
                     struct overview_time *out)
{
	struct kernel_table *table;

	if (has_only_totals(acts))
		return true;
	table = table_of(call, acts, UNIVERSE_HOST, GROUP_OP);
	if (!table)
		return false;
	take_device(call, table, out);
	out->n_ops = take_rows(call, table, out->op);
	kernel_table_free(table);
	return true;
}

static bool take_kernels(struct call *call, const struct step_activities *acts,
                         struct overview_time *out)
{
	struct kernel_table *table;

	if (!acts->refs[0]->n_of[ACTIVITY_KERNEL] && !has_only_totals(acts))
		return true;
	table = table_of(call, acts, UNIVERSE_KERNEL, GROUP_KERNEL);
	if (!table)
		return false;
	out->n_gaps = 0;
	take_device(call, table, out);
	out->n_kernels = take_rows(call, table, out->kernel);
	kernel_table_free(table);
	return true;
}

static void judge(struct call *call, struct overview_time *out)
{
	const struct overview_cost *top = out->n_kernels ? out->kernel : out->op;
	double idle = percent_of(out->span_ns - out->busy_ns, out->span_ns);
	struct str text = {0};

	if (out->span_ns > 0 && idle >= MUCH) {
		str_fmt(&text, "%s does nothing for ", out->device);
		put_percent(&text, idle);
		str_fmt(&text, "%% of the %s", out->whole ? "trace" : "step");
	} else if ((out->n_kernels || out->n_ops) && top->share >= MUCH) {
		str_fmt(&text, "%s takes ", top->name);
		put_percent(&text, top->share);
		str_fmt(&text, "%% of the %s time", out->n_kernels ? "kernels'" : "host's");
	}
	if (text.len)
		out->verdict = keep(call, text.text);
	str_release(&text);
}

bool overview_read_time(struct call *call, struct overview_time *out)
{
	struct profile *profile = call->shell->profile;
	struct step_choice choice = {0};
	struct step_activities acts = {0};
	bool ok;

	if (!profile || !profile->steps.len)
		return true;
	kernels_warn_of_trace(call);
	ok = steps_choose_one(call, profile, NULL, &choice) &&
	     step_activities_of(call, &choice, &acts);
	if (ok) {
		out->step = keep(call, acts.labels[0]);
		out->whole = step_is_trace(&profile->steps.at[choice.at.at[0]]);
		ok = take_ops(call, &acts, out) && take_kernels(call, &acts, out);
	}
	if (ok)
		judge(call, out);
	step_activities_release(&acts);
	step_choice_release(&choice);
	return ok;
}

static void take_peak(struct call *call, const struct memory_peaks *peaks, size_t i,
                      struct overview_memory *out)
{
	const struct peak *peak = &peaks->at.at[i];

	out->allocator = keep(call, peaks->lives.allocators.key[i]);
	out->peak_bytes = peak->most;
	out->at_us = (int64_t)((uint64_t)peak->at_us - (uint64_t)peaks->begin_us);
	for (; out->n_top < OVERVIEW_TOP && out->n_top < peak->live.len; out->n_top++)
		out->top[out->n_top] =
			keep(call, peaks->lives.names.key[peak->live.at[out->n_top]]);
}

bool overview_read_memory(struct call *call, overview_memories *out)
{
	struct profile *profile = call->shell->profile;
	struct memory_peaks peaks = {0};
	struct step *step;
	bool ok;

	if (!profile || profile->trace || profile->current >= profile->steps.len)
		return true;             /* traces of other programs have no lifetimes */
	step = step_of(call, profile, profile->current);
	ok = step && memory_peaks_read(call, step, &peaks);
	for (size_t i = 0; ok && i < peaks.at.len; i++) {
		if (!memory_peaks_recorded(&peaks, i) || peaks.at.at[i].most <= 0)
			continue;
		*vec_add(out) = (struct overview_memory){0};
		take_peak(call, &peaks, i, vec_last(out));
	}
	memory_peaks_release(&peaks);
	return ok;
}
