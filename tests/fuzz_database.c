/* A database of a GPU profiler, packed or not: its records, and the tables over them. */
#include "dump/profile/trace_database.h"

#include "cmds/profile/kernel_table.h"
#include "tests/input.h"

static void examine(const struct trace *trace)
{
	const struct activities *all = &trace->all;

	MUST(all->at.len + all->impossible.len == trace->records.len);
	for (size_t i = 0; i < all->at.len; i++) {
		const struct activity *a = &all->at.at[i];
		const struct trace_record *record = &trace->records.at[a->record];

		MUST(a->record < trace->records.len && a->kind != ACTIVITY_HOST);
		MUST(a->device < all->devices.len && a->stream < trace->streams.len);
		MUST(a->raw < all->names.len && a->node < all->names.len && a->len_ns >= 0);
		MUST(record->op != TRACE_OP_TOLD || record->told < all->names.len);
		MUST(record->step == TRACE_OUTSIDE || record->step < trace->steps.len);
	}
}

static void tabulate(const struct activities *acts)
{
	const char *label = "0";

	for (int group = 0; group < N_GROUPS; group++) {
		struct kernel_query query = { .has_group = true, .group = (enum kernel_group)group,
		                              .depth = MAX_SCOPE_DEPTH };
		struct kernel_table *table;
		struct err err = {0};

		kernel_table_of(&acts, &label, 1, &query, NULL, &table, &err);
		kernel_table_free(table);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct trace *trace = trace_load(input_file(data, size), &database_source, NULL, NULL,
	                                 &err);
	struct activities acts;

	MUST(trace || err.code);
	if (!trace)
		return 0;
	examine(trace);
	trace_activities(trace, TRACE_WHOLE, &acts);
	tabulate(&acts);
	activities_release(&acts);
	trace_free(trace);
	return 0;
}
