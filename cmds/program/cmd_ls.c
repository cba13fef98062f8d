/*
 * The source files of a recorded program, with what their lines made, or with --frames the calls
 * that its stacks are made of. Ops and steps with the same calls share a stack: counts are added
 * up by stack, then by the files of each.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source_list.h"
#include "cmds/program/choose.h"
#include "cmds/program/frame_list.h"
#include "cmds/program/source_files.h"
#include "dump/base/mem.h"
#include "dump/base/vec.h"

enum { FRAMES = N_SOURCE_LIST_OPTS };

static const struct opt options[] = {
	SOURCE_LIST_OPTS,
	[FRAMES] = { OPT_FLAG, NULL, "frames", "the frames of all stacks: who calls from where" },
	PAGE_OPTS
};

enum { NODES, STEPS, TENSORS, FLAGGED };

#define FILE_COLUMNS(COL) \
	COL(nodes, "#(nodes)", COUNT, 0, 7, cell->whole = (int64_t)row->count[NODES]) \
	COL(executions, "#(steps)", COUNT, 0, 8, cell->whole = (int64_t)row->count[STEPS]) \
	COL(dumps, "#(tensors)", COUNT, 0, 9, cell->whole = (int64_t)row->count[TENSORS]) \
	COL(flagged, "#(nan/inf)", COUNT, 0, 10, cell->whole = (int64_t)row->count[FLAGGED]) \
	COL(host, "Host", TEXT, 0, 3, cell_str(cell, source->host)) \
	COL(path, "Source file path", TEXT, 0, 4, cell_str(cell, row->path)) \
	COL(index, NULL, COUNT, 0, 1, cell->whole = source->index) \
	COL(set, NULL, COUNT, 0, 2, cell->whole = source->at.set) \
	COL(library, NULL, FLAG, 0, 5, cell->whole = row->library) \
	COL(lines, NULL, COUNT, 0, 6, cell->whole = source->n_lines) \
	COL(line, NULL, COUNT, 0, 11, cell_known(cell, row->made, row->line))

enum { FILE_COLUMNS(COL_ID) };
static const struct col file_cols[] = { FILE_COLUMNS(COL_ROW) };

static const struct sort_word file_words[] = { { "", { RISES(library), RISES(path) } }, { 0 } };
static const struct table_sorts file_sorts = { .words = file_words };

static void get_file_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct source_list *list = context;
	const struct program *program = list->owner;
	const struct source_row *row = &list->rows.at[at];
	const struct program_source *source = &program->sources.at[row->file];

	switch (id) {
	FILE_COLUMNS(COL_CASE)
	}
}

static void put_file_link(const struct source_list *list, const struct source_row *row,
                          struct str *out)
{
	put_source_link(out, list->owner, row->file, row->line);
}

struct stack_counts {
	uint64_t count[SOURCE_COUNTS];
};

static void add_tensors(struct stack_counts *to, struct n_tensors n)
{
	to->count[TENSORS] += n.all;
	to->count[FLAGGED] += n.flagged;
}

static void count_ops(struct call *call, struct pattern *names, struct stack_counts *stacks)
{
	const struct program *program = call->shell->program;
	struct n_tensors *tensors = traces_of_nodes(program);

	for (size_t i = 0; i < program->ops.len && !call->err.code; i++) {
		const struct program_op *op = &program->ops.at[i];

		if (!source_fits(call, names, program->nodes.at[op->node].name))
			continue;
		stacks[op->stack].count[NODES]++;
		add_tensors(&stacks[op->stack], tensors[op->node]);
	}
	free(tensors);
}

static void count_steps(struct call *call, struct pattern *names, struct stack_counts *stacks)
{
	const struct program *program = call->shell->program;
	struct str name = {0};

	for (uint32_t i = 0; i < program->steps.len && !call->err.code; i++) {
		const struct program_step *step = &program->steps.at[i];

		str_reset(&name);
		str_fmt(&name, "%s#%" PRIu32, step->op, i);
		if (!source_fits(call, names, name.text))
			continue;
		stacks[step->stack].count[STEPS]++;
		add_tensors(&stacks[step->stack], outputs_of_step(program, i));
	}
	str_release(&name);
}

static void count_files(const struct program *program, const struct stack_counts *stacks,
                        struct source_list *list)
{
	uint32_t *file_of = mem_alloc((program->sources.len + 1) * sizeof *file_of);
	struct source_place *places;

	for (uint32_t i = 0; i < program->sources.len; i++)
		file_of[i] = i;
	places = frame_places(program, file_of);
	for (size_t i = 0; i < program->stacks.len; i++) {
		const struct program_stack *stack = &program->stacks.at[i];

		if (stacks[i].count[NODES] || stacks[i].count[STEPS])
			source_list_count(list, places,
			                  vec_from(&program->stack_frames, stack->first),
			                  stack->n_frames, stacks[i].count);
	}
	free(file_of);
	free(places);
}

static void put_unknown(struct call *call)
{
	uint32_t n = call->shell->program->unresolved.sources;

	if (!n)
		return;
	doc_line_put(call->out, ROLE_PLAIN,
	             "%" PRIu32 " stack frame%s of files that were not recorded here; "
	             "\"ls --frames\" lists them.", n, plural(n));
}

static void list_files(struct call *call)
{
	const struct program *program = call->shell->program;
	struct source_list *list = source_list_new(call->out, program);
	struct stack_counts *stacks = mem_alloc((program->stacks.len + 1) * sizeof *stacks);
	struct table *table = TABLE_OF(call->out, file_cols, get_file_cell, list);
	struct pattern *names = NULL;

	list->link = put_file_link;
	for (size_t i = 0; i < program->sources.len; i++)
		source_list_add(list, program->sources.at[i].path,
		                is_tensorflow_file(program->sources.at[i].path));
	if (need_scan(call) && source_list_filter(call, list, &names)) {
		count_ops(call, names, stacks);
		count_steps(call, names, stacks);
	}
	if (!call->err.code) {
		count_files(program, stacks, list);
		list->idle = !names;
		table->name = COL_path;
		if (!has_several_hosts(program))
			table_hide(table, COL_host);
		table->sorts = &file_sorts;
		if (source_list_put(call, list, table,
		                    "List of source files that created nodes or started steps")) {
			put_unknown(call);
			put_unscanned(call);
		}
	}
	pattern_free(names);
	free(stacks);
}

static void ls_exec(struct call *call)
{
	if (!call->args.opt[FRAMES].given)
		list_files(call);
	else if (call->args.opt[SOURCE_NODE].given)
		call_error(call, "ERROR: Frames have no nodes to choose by: -n does not go with "
		                 "--frames.");
	else
		frame_list_put(call, call->args.opt[SOURCE_PATH].word);
}

const struct cmd cmd_ls_program = {
	.name = "list_source", .alias = "ls",
	.summary = "Source files of a recorded program, with what their lines made",
	OPTS(options), .of_program = true, .exec = ls_exec,
};
