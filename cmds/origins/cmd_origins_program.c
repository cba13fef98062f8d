/* Where NaN and Inf begin in a recorded program. */
#include <inttypes.h>

#include "cmds/origins/ignored.h"
#include "cmds/origins/origins_answer.h"
#include "cmds/origins/origins_store.h"
#include "cmds/program/choose.h"
#include "cmds/program/tensor_rows.h"
#include "cmds/session/program.h"
#include "dump/model/program_origins.h"

/* The command that shows what a record holds: slot is of an output. */
static const char *link_to(struct origins_report *report, const struct program *program,
                           enum origin_where where, uint64_t record, uint32_t slot)
{
	struct program_tensor tensor = { .trace = PROGRAM_NONE, .step = (uint32_t)record,
	                                 .row = slot };
	struct str line = {0};
	const char *kept;

	if (where == ORIGIN_OF_TRACE)
		tensor = (struct program_tensor){ .trace = (uint32_t)record };
	tensor_put_link(program, &tensor, &line);
	kept = arena_copy(&report->mem, line.text, line.len);
	str_release(&line);
	return kept;
}

static void link_tensor(struct origins_report *report, const struct program *program,
                        struct origin_tensor *tensor)
{
	if (tensor->node)
		tensor->link = link_to(report, program, tensor->where, tensor->record,
		                       tensor->slot);
}

/* Nodes of the same graph, in the same step. */
static const char *beside(struct origins_report *report, const struct program *program,
                          const struct origin_row *row)
{
	struct program_tensor tensor = { .trace = (uint32_t)row->record };
	const struct program_graph *graph;
	struct str options = {0};
	const char *kept;

	if (row->where != ORIGIN_OF_TRACE)
		return NULL;
	graph = &program->graphs.at[tensor_graph(program, &tensor)];
	str_fmt(&options, graph->is_like ? " -g %s" : " -g %.8s", graph->id);
	if (row->execution >= 0)
		str_fmt(&options, " --step %" PRId64, row->execution);
	kept = arena_copy(&report->mem, options.text, options.len);
	str_release(&options);
	return kept;
}

static const char *step_text(struct origins_report *report, const struct program *program,
                             int64_t step)
{
	struct str text = {0};
	const char *kept;

	if (step < 0)
		return NULL;
	program_put_step(program, (uint32_t)step, &text);
	kept = arena_copy(&report->mem, text.text, text.len);
	str_release(&text);
	return kept;
}

/* The report may live longer than what is known of the program. */
static const struct program_batch *batch_of(struct origins_report *report,
                                            const struct program *program, int64_t step)
{
	const struct program_batch *batch =
		step < 0 ? NULL : program_batch_of(program, (uint32_t)step);
	struct program_batch *kept;

	if (!batch)
		return NULL;
	kept = arena_alloc(&report->mem, sizeof *kept);
	*kept = *batch;
	kept->model = batch->model ? arena_copy(&report->mem, batch->model, strlen(batch->model))
	                           : NULL;
	return kept;
}

static void put_links(struct origins_report *report, const struct program *program)
{
	report->first_step_text = step_text(report, program, report->first_bad_execution);
	report->first_batch = batch_of(report, program, report->first_bad_execution);
	report->has_batches = program->batches.len;
	for (size_t i = 0; i < report->rows.len; i++) {
		struct origin_row *row = &report->rows.at[i];

		row->step_text = step_text(report, program, row->execution);
		row->batch = batch_of(report, program, row->execution);
		row->link = link_to(report, program, row->where, row->record, row->slot);
		row->beside = beside(report, program, row);
		link_tensor(report, program, &row->first_nan);
		for (size_t k = 0; k < row->also.len; k++)
			link_tensor(report, program, &row->also.at[k]);
		for (size_t k = 0; k < row->walk.len; k++)
			link_tensor(report, program, &row->walk.at[k].tensor);
	}
}

static void rank(struct call *call, struct origins_report *report)
{
	struct ignored ignored;

	ignored_read(call, call->shell->program->path, NULL, &ignored);
	origins_rank(report, ignored_has, &ignored);
	report->ignored_by = arena_copy(&report->mem, str_text(&ignored.by), ignored.by.len);
	ignored_release(&ignored);
}

/* What need_scan has to read, at most. */
static uint64_t bytes_to_scan(const struct program *program)
{
	uint64_t bytes = 0;

	for (size_t i = 0; program->n_unscanned && i < program->sets.len; i++)
		for (int k = 0; k < PROGRAM_FILE_KINDS; k++)
			bytes += program->sets.at[i].file[k].bytes;
	return bytes;
}

struct origins_report *origins_of_program(struct call *call, const struct opt_value *most)
{
	const struct program *program = call->shell->program;
	struct origins_report *report = origins_found_in(call->shell).report;

	if (report)
		return origins_report_keep(report);
	if (program->lacks)
		return origins_refused(program->lacks);
	if (!origins_may_read(call, most, bytes_to_scan(program)) || !need_scan(call))
		return NULL;
	report = origins_report_new();
	if (!program_origins(program, report, call->progress, &call->err)) {
		origins_report_free(report);
		return NULL;
	}
	put_links(report, program);
	rank(call, report);
	origins_note(call->shell, report);
	return report;
}

static void origins_exec(struct call *call)
{
	struct origins_report *report =
		origins_of_program(call, &call->args.opt[ORIGINS_MAX_BYTES]);

	if (!report)
		return;
	origins_answer(call, report);
	if (!report->refused)
		put_unscanned(call);
}

const struct cmd cmd_origins_program = {
	.name = "origins", .summary = "Where NaN and Inf begin in a recorded program",
	OPTS(origins_options), POSITIONALS(origins_positionals),
	.of_program = true, .exec = origins_exec,
};
