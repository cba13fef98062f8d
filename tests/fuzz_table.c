/*
 * A log of HCC_PROFILE, else a table of kernels, packed or not: its records, its totals, and a
 * table over them, which the size of the input picks.
 */
#include "dump/profile/trace_table.h"

#include <string.h>

#include "cmds/profile/kernel_table.h"
#include "dump/profile/trace_hcc.h"
#include "tests/input.h"

static void examine(const struct trace *trace)
{
	const struct activities *all = &trace->all;

	MUST(all->at.len + all->impossible.len + all->waits.len == trace->records.len);
	MUST(!all->at.len || !trace->totals.len);
	for (size_t i = 0; i < all->at.len; i++) {
		const struct activity *a = &all->at.at[i];

		MUST(a->record < trace->records.len && a->kind != ACTIVITY_HOST);
		MUST(a->device < all->devices.len && a->stream < trace->streams.len);
		MUST(a->raw < all->names.len && a->kernel < all->names.len && a->len_ns >= 0);
	}
	for (size_t i = 0; i < trace->totals.len; i++) {
		const struct trace_total *total = &trace->totals.at[i];

		MUST(total->kernel < all->names.len && total->raw < all->names.len);
		MUST(total->calls > 0 && total->total_ns >= 0);
	}
}

static void tabulate(const struct activities *acts, size_t which)
{
	struct kernel_query query = {
		.has_group = true, .group = which % N_GROUPS,
		.has_universe = true, .universe = which / N_GROUPS % N_UNIVERSES,
		.depth = MAX_SCOPE_DEPTH,
	};
	const char *label = "0";
	struct kernel_table *table;
	struct err err = {0};

	if (kernel_table_of(&acts, &label, 1, &query, NULL, &table, &err))
		MUST(table->shown_ns <= table->whole_ns);
	for (size_t i = 0; !err.code && i < table->rows.len; i++) {
		struct kernel_row_more more = {0};

		kernel_row_more(table, &table->rows.at[i], &more);
		kernel_row_more_release(&more);
	}
	kernel_table_free(table);
}

/* Has it any record? */
static bool try_as(const struct trace_source *source, const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct trace *trace = trace_load(input_file(data, size), source, NULL, NULL, &err);
	struct activities acts;
	bool any;

	MUST(trace || err.code);
	if (!trace)
		return false;
	any = trace->records.len > 0;
	examine(trace);
	trace_activities(trace, TRACE_WHOLE, &acts);
	tabulate(&acts, size);
	activities_release(&acts);
	trace_free(trace);
	return any;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!try_as(&hcc_source, data, size))
		try_as(&table_source, data, size);
	return 0;
}
