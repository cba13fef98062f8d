/*
 * A Chrome trace, packed or not: records, steps, ids, and a table, whose kind the size of the input
 * picks.
 */
#include "dump/profile/trace_chrome.h"

#include <string.h>

#include "cmds/profile/frame_text.h"
#include "cmds/profile/kernel_table.h"
#include "dump/profile/breakdown.h"
#include "dump/profile/gaps.h"
#include "dump/profile/overlap.h"
#include "dump/profile/pipeline.h"
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

static void tabulate(const struct activities *acts, size_t which)
{
	struct kernel_query query = { .has_group = true, .group = which % N_GROUPS,
	                              .depth = MAX_SCOPE_DEPTH };
	const char *label = "0";
	struct kernel_table *table;
	struct err err = {0};

	if (kernel_table_of(&acts, &label, 1, &query, NULL, &table, &err))
		for (size_t i = 0; i < table->rows.len; i++) {
			struct kernel_row_more more = {0};
			struct kernel_row_extra extra;

			kernel_row_extra(table, &table->rows.at[i], &extra);
			kernel_row_more(table, &table->rows.at[i], &more);
			kernel_row_more_release(&more);
		}
	kernel_table_free(table);
}

/* Questions about waiting. */
static void ask(const struct activities *acts)
{
	gap_list gaps = {0};
	overlap_list overlaps = {0};
	struct stages stages = {0};
	struct err err = {0};

	MUST(gaps_find(acts, &gaps, NULL, &err));
	for (size_t i = 0; i < gaps.len; i++)
		MUST(gaps.at[i].len_ns > 0 && gaps.at[i].after < acts->at.len);
	overlap_of(acts, &overlaps);
	for (size_t i = 0; i < overlaps.len; i++)
		MUST(overlaps.at[i].hidden_ns >= 0
		     && overlaps.at[i].hidden_ns <= overlaps.at[i].collective_ns);
	stages_add(&stages, acts);
	stages_release(&stages);
	vec_release(&gaps);
	vec_release(&overlaps);
}

static void break_down(const struct trace *trace)
{
	struct stretch steps[STEPS_TRIED];
	struct breakdown of[STEPS_TRIED];
	struct err err = {0};
	size_t n = 0;

	for (; n < trace->steps.len && n < STEPS_TRIED; n++)
		steps[n] = (struct stretch){ trace->steps.at[n].start_ns,
		                             trace->steps.at[n].end_ns };
	MUST(breakdown_of(&trace->all, steps, n, of, NULL, &err));
	for (size_t i = 0; i < n; i++)
		for (int part = 0; part < N_TIME_PARTS; part++)
			MUST(of[i].part_ns[part] >= 0);
}

static void try_frames(const struct trace *trace)
{
	struct str text = {0};

	for (size_t i = 0; i < trace->frames.len; i++) {
		MUST(trace->frames.at[i].above == MAP_NONE || trace->frames.at[i].above < i);
		str_reset(&text);
		put_frame_line(&text, trace, (uint32_t)i);
		put_frame_stack(&text, trace, (uint32_t)i);
		put_frame_modules(&text, trace, (uint32_t)i);
	}
	str_release(&text);
}

static void try_step(const struct trace *trace, uint32_t step, size_t table)
{
	struct activities acts;

	trace_activities(trace, step, &acts);
	examine(trace, &acts);
	tabulate(&acts, table);
	ask(&acts);
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
	try_step(trace, TRACE_WHOLE, size);
	break_down(trace);
	try_frames(trace);
	for (uint32_t i = 0; i < trace->steps.len && i < STEPS_TRIED; i++)
		try_step(trace, i, size);
	trace_free(trace);
	return 0;
}
