/*
 * An XSpace: its records and their names, whole and by step, and a table over them, which the size
 * of the input picks.
 */
#include "dump/profile/xspace.h"

#include <string.h>

#include "cmds/profile/kernel_table.h"
#include "tests/input.h"

static void examine(const struct trace *trace, const struct activities *acts)
{
	MUST(acts->at.len + acts->impossible.len <= trace->records.len);
	MUST(acts->n_of[ACTIVITY_HOST] + acts->n_of[ACTIVITY_KERNEL] + acts->n_of[ACTIVITY_COPY]
	     == acts->at.len);
	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];

		MUST(a->record < trace->records.len && a->device < acts->devices.len);
		MUST(a->node < acts->names.len && a->op < acts->names.len
		     && a->raw < acts->names.len);
		MUST(a->len_ns >= 0 && activity_own_ns(a) >= 0 && activity_own_ns(a) <= a->len_ns);
		if (a->kind != ACTIVITY_HOST)
			MUST(a->kernel < acts->names.len && a->stream < acts->streams.len);
		MUST(a->launch == MAP_NONE || a->launch < acts->names.len);
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
	struct err err = {0};
	struct kernel_table *table;

	if (kernel_table_of(&acts, &label, 1, &query, NULL, &table, &err))
		MUST(table->shown_ns <= table->whole_ns);
	kernel_table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct trace *trace = trace_load(input_file(data, size), &xspace_source, NULL, NULL, &err);

	MUST(trace || err.code);
	if (!trace)
		return 0;
	for (uint32_t step = 0; step <= trace->steps.len && step < 4; step++) {
		struct activities acts;

		trace_activities(trace, step < trace->steps.len ? step : TRACE_WHOLE, &acts);
		examine(trace, &acts);
		tabulate(&acts, size);
		activities_release(&acts);
	}
	trace_free(trace);
	return 0;
}
