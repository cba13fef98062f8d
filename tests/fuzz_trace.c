/* A Chrome trace, packed or not: records, steps, ids, and tables of all kinds. */
#include "dump/profile/trace_chrome.h"

#include <string.h>

#include "cmds/profile/kernel_table.h"
#include "tests/input.h"

enum { STEPS_TRIED = 4 };

static void examine(const struct trace *trace, const struct activities *acts)
{
	struct str text = {0};

	MUST(acts->at.len <= trace->records.len);
	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		const struct trace_record *record;

		MUST(a->record < trace->records.len && a->kind <= ACTIVITY_COPY);
		MUST(a->device < acts->devices.len && a->node < acts->names.len);
		MUST(a->raw < acts->names.len && a->op < acts->names.len);
		MUST((a->kind == ACTIVITY_HOST) == (a->kernel == MAP_NONE));
		MUST(a->len_ns >= 0 && (!a->device || trace->devices));
		MUST(a->kind == ACTIVITY_HOST || a->stream < acts->streams.len);
		record = &trace->records.at[a->record];
		MUST(record->step == TRACE_OUTSIDE || record->step < trace->steps.len);
		str_reset(&text);
		if (record->correlation != TRACE_NO_ID)
			trace_put_id(trace, record->correlation, &text);
		if (record->external != TRACE_NO_ID)
			trace_put_id(trace, record->external, &text);
	}
	str_release(&text);
}

static void tabulate(const struct activities *acts)
{
	const char *label = "0";

	for (int group = 0; group < N_GROUPS; group++) {
		struct kernel_query query = { .has_group = true, .group = (enum kernel_group)group,
		                              .depth = MAX_SCOPE_DEPTH };
		struct kernel_table *table;
		struct err err = {0};

		if (kernel_table_of(&acts, &label, 1, &query, NULL, &table, &err))
			for (size_t i = 0; i < table->rows.len; i++) {
				struct kernel_row_more more = {0};

				kernel_row_more(table, &table->rows.at[i], &more);
				kernel_row_more_release(&more);
			}
		kernel_table_free(table);
	}
}

static void try_step(const struct trace *trace, uint32_t step)
{
	struct activities acts;

	trace_activities(trace, step, &acts);
	examine(trace, &acts);
	tabulate(&acts);
	activities_release(&acts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct trace *trace = trace_load(input_file(data, size), &chrome_source, NULL, NULL, &err);

	MUST(trace || err.code);
	if (!trace)
		return 0;
	MUST(trace->all.at.len + trace->all.impossible.len <= trace->records.len);
	try_step(trace, TRACE_WHOLE);
	for (uint32_t i = 0; i < trace->steps.len && i < STEPS_TRIED; i++)
		try_step(trace, i);
	trace_free(trace);
	return 0;
}
