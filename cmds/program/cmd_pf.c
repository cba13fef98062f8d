/* The inputs of a step, which correspond to the feeds of a v1 dump. */
#include <inttypes.h>

#include "cmds/program/feeds.h"
#include "cmds/program/step_row.h"

enum { STEP };

static const struct opt options[] = {
	[STEP] = STEP_OPT,
};

static void put_placeholder(struct cell *cell, const struct program *program, uint32_t step,
                            uint32_t input)
{
	uint32_t op = program_placeholder(program, step, input);

	cell_or_null(cell, op == PROGRAM_NONE
	                           ? NULL
	                           : program->nodes.at[program->ops.at[op].node].name);
}

static void put_producer(struct cell *cell, const struct program *program, uint32_t step,
                         uint32_t input)
{
	struct program_producer from;

	cell->missing = !program_producer(program, step, input, &from);
	if (!cell->missing)
		put_output_name(&cell->text, program, from.step, from.slot);
	else
		cell_str(cell, "(no producer recorded)");
}

#define FEED_COLUMNS(COL) \
	COL(input, "#", COUNT, 0, 1, cell->whole = input) \
	COL(id, "Id", COUNT, 0, 2, cell->whole = program->ids.at[s->first_id + input]) \
	COL(placeholder, "Placeholder", TEXT, 0, 3, put_placeholder(cell, program, step, input)) \
	COL(producer, "Producer", TEXT, 0, 4, put_producer(cell, program, step, input))

enum { FEED_COLUMNS(COL_ID) };
static const struct col feed_cols[] = { FEED_COLUMNS(COL_ROW) };

/* The step of the table, before its inputs. */
static void get_feed(const struct program *program, uint32_t step, uint32_t input, int id,
                     struct cell *cell)
{
	const struct program_step *s = &program->steps.at[step];

	switch (id) {
	FEED_COLUMNS(COL_CASE)
	}
}

struct feeds {
	const struct program *program;
	uint32_t step;
};

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct feeds *feeds = context;

	get_feed(feeds->program, feeds->step, (uint32_t)row, id, cell);
}

void feeds_put_data(const struct program *program, uint32_t step, struct data *data)
{
	struct feeds feeds = { program, step };

	data_list(data);
	for (uint32_t i = 0; i < program->steps.at[step].n_input_ids; i++) {
		data_object(data);
		table_put_typed(feed_cols, sizeof feed_cols / sizeof *feed_cols, get_cell, &feeds,
		                i, data);
		data_end(data);
	}
	data_end(data);
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct feeds *feeds = context;
	struct program_producer from;

	if (program_producer(feeds->program, feeds->step, (uint32_t)row, &from)) {
		str_puts(out, "pt ");
		put_output_name(out, feeds->program, from.step, from.slot);
	}
}

static void pf_exec(struct call *call)
{
	struct program *program = call->shell->program;
	struct feeds *feeds = arena_alloc(doc_mem(call->out), sizeof *feeds);
	struct str title = {0};
	struct table *table;
	uint32_t step;

	if (!choose_step(call, &call->args.opt[STEP], &step))
		return;
	*feeds = (struct feeds){ program, step };
	table = TABLE_OF(call->out, feed_cols, get_cell, feeds);
	table->link = put_link;
	if (!program->steps.at[step].is_function)
		table_hide(table, COL_placeholder);
	table->n_rows = program->steps.at[step].n_input_ids;
	str_fmt(&title, "input(s) of step #%" PRIu32 " %s", step, program->steps.at[step].op);
	table_put_counted(call, table, COL_producer, title.text);
	str_release(&title);
}

const struct cmd cmd_pf_program = {
	.name = "print_feed", .alias = "pf", .summary = "Inputs of a step, and what produced them",
	OPTS(options), .of_program = true, .exec = pf_exec,
};
