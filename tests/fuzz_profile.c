/*
 * A RunMetadata; if it has no records, and of the others one of four by its size, the same bytes as
 * a bare StepStats: records, times, details, a table of kernels, which the size of the input picks
 * too, and the kind of file that is recognised.
 */
#include "dump/profile/run_metadata.h"

#include <string.h>

#include "cmds/profile/kernel_table.h"
#include "dump/files/recognise.h"
#include "tests/input.h"

static void examine(const struct step *step)
{
	struct detail_reader reader;
	struct extent extent;
	struct err err = {0};

	if (step_extent(step, &extent))
		MUST(extent.start_us > 0 && extent.end_us >= extent.start_us);
	MUST(detail_open(&reader, step, &err));
	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *record = &step->records.at[i];
		const struct record_detail *d = &reader.detail;
		struct record_times times = step_times(step, record);
		size_t len;

		MUST(record->lane < step->lanes.len && record_name(step, record));
		MUST(times.has_ns || !times.all_start_ns);
		detail_read(&reader, record, DETAIL_ALL, NULL);
		MUST(strlen(d->label) == d->label_len);
		for (size_t k = 0; k < d->n_outputs; k++)
			MUST(d->outputs[k].allocation.allocator &&
			     (d->outputs[k].dims || !d->outputs[k].rank));
		for (size_t k = 0; k < d->n_memory; k++)
			MUST(d->memory[k].allocator &&
			     (d->memory[k].records || !d->memory[k].n_records));
		detail_label(&reader, record, &len, NULL);
	}
	detail_close(&reader);
}

static void tabulate(const struct step *step, size_t which)
{
	struct kernel_query query = { .has_group = true, .group = which % N_GROUPS,
	                              .depth = MAX_SCOPE_DEPTH };
	const struct activities *steps;
	struct activities acts;
	const char *label = "0";
	struct kernel_table *table;
	struct err err = {0};

	MUST(activities_of(step, NULL, NULL, 0, true, NULL, &acts, &err));
	MUST(acts.at.len + acts.impossible.len <= step->records.len);
	steps = &acts;
	if (kernel_table_of(&steps, &label, 1, &query, NULL, &table, &err))
		for (size_t i = 0; i < table->rows.len; i++) {
			struct kernel_row_more more = {0};

			kernel_row_more(table, &table->rows.at[i], &more);
			MUST(table->rows.at[i].self_ns <= table->rows.at[i].total_ns);
			kernel_row_more_release(&more);
		}
	kernel_table_free(table);
	activities_release(&acts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	enum file_kind kind;
	bool any = false;

	MUST(recognise(path, &kind, NULL));
	for (int bare = 0; bare < 2 && (!any || size % 4 == 0); bare++) {
		struct step step = { .path = path, .file = path,
		                     .source = bare ? &step_stats_source : &run_metadata_source };
		struct err err = {0};

		if (step_load(&step, NULL, &err)) {
			examine(&step);
			tabulate(&step, size);
			any = step.records.len > 0;
		} else {
			MUST(err.code);
		}
		step_release(&step);
	}
	return 0;
}
