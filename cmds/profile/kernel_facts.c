/* Facts about a device: how long it was busy, its gaps, its streams. */
#include "cmds/profile/kernel_parts.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/trace.h"

static struct device_facts *facts_of(struct kernel_table *table, const char *device)
{
	struct kernel_work *w = table->work;
	uint32_t id = kernel_intern(w, device, strlen(device));

	if (!w->info.at[id].facts) {
		vec_add(&table->devices)->device = w->names.key[id];
		w->info.at[id].facts = (uint32_t)table->devices.len;
	}
	return &table->devices.at[w->info.at[id].facts - 1];
}

/* The five longest, earlier ones first where they are equal. */
static void add_gap(struct device_facts *facts, int64_t at_ns, int64_t len_ns)
{
	const size_t most = sizeof facts->gap / sizeof *facts->gap;
	size_t i = facts->n_gaps;

	while (i && facts->gap[i - 1].len_ns < len_ns)
		i--;
	if (i == most)
		return;
	if (facts->n_gaps < most)
		facts->n_gaps++;
	memmove(&facts->gap[i + 1], &facts->gap[i], (facts->n_gaps - i - 1) * sizeof *facts->gap);
	facts->gap[i] = (struct device_gap){ at_ns, len_ns };
}

/* One device in one step. */
struct device_work {
	struct busy kernels, copies, all;
	int64_t first_ns, end_ns, sum_ns, kernel_ns, copy_ns;
	uint64_t n, n_kernels, n_copies;
	struct map streams;
};

static void work_add(struct device_work *d, const struct table_step *step, const struct activity *a,
                     struct arena *mem)
{
	if (!d->n++ || a->start_ns < d->first_ns)
		d->first_ns = a->start_ns;
	if (d->n == 1 || a->start_ns + a->len_ns > d->end_ns)
		d->end_ns = a->start_ns + a->len_ns;
	d->sum_ns += activity_own_ns(a);
	busy_add(&d->all, a->start_ns, a->len_ns);
	if (a->kind == ACTIVITY_KERNEL) {
		busy_add(&d->kernels, a->start_ns, a->len_ns);
		d->kernel_ns += a->len_ns;
		d->n_kernels++;
	} else if (a->kind == ACTIVITY_COPY) {
		busy_add(&d->copies, a->start_ns, a->len_ns);
		d->copy_ns += a->len_ns;
		d->n_copies++;
	}
	if (a->kind != ACTIVITY_HOST && a->stream != MAP_NONE) {
		const char *stream = step->acts->streams.key[a->stream];

		map_add(&d->streams, mem, stream, strlen(stream));
	}
}

static void work_finish(struct device_work *d, struct kernel_table *table,
                        const struct table_step *step, size_t at)
{
	const char *device = step->acts->devices.key[at];
	struct device_facts *facts = facts_of(table, device);
	int64_t busy;

	busy_unite(&d->kernels);
	busy_unite(&d->copies);
	busy_unite(&d->all);
	busy = busy_ns(&d->all);
	facts->text = device_in_file(step->acts, (uint32_t)at);
	facts->is_host = !d->n_kernels && !d->n_copies;
	facts->span_ns += d->end_ns - d->first_ns;
	facts->busy_ns += busy;
	facts->sum_ns += d->sum_ns;
	facts->kernels += d->n_kernels;
	facts->kernel_ns += d->kernel_ns;
	facts->copies += d->n_copies;
	facts->copy_ns += d->copy_ns;
	facts->hidden_ns += facts->is_host ? 0 : busy_ns(&d->kernels) + busy_ns(&d->copies) - busy;
	if (d->streams.len > facts->streams)
		facts->streams = d->streams.len;
	for (size_t i = 1; i < d->all.at.len; i++)
		add_gap(facts, d->all.at.at[i - 1].end_ns - step->acts->begin_us * 1000,
		        d->all.at.at[i].start_ns - d->all.at.at[i - 1].end_ns);
}

static void work_release(struct device_work *d)
{
	busy_release(&d->kernels);
	busy_release(&d->copies);
	busy_release(&d->all);
	map_release(&d->streams);
}

void kernel_find_facts(struct kernel_table *table, const struct table_step *step)
{
	struct kernel_work *w = table->work;
	size_t n = step->acts->devices.len;
	struct device_work *devices = mem_alloc((n + 1) * sizeof *devices);

	for (size_t i = 0; i < step->acts->at.len; i++) {
		const struct activity *a = &step->acts->at.at[i];
		bool is_host = a->kind == ACTIVITY_HOST;

		if (is_host == (table->universe == UNIVERSE_HOST) &&
		    trace_has_place(step->acts->trace, a) && kernel_device_passes(w, step, a))
			work_add(&devices[a->device], step, a, &w->mem);
	}
	for (size_t i = 0; i < n; i++) {
		if (devices[i].n)
			work_finish(&devices[i], table, step, i);
		work_release(&devices[i]);
	}
	free(devices);
}
