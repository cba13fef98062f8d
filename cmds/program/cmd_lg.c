/* The graphs of a program, or with --ops the ops created in them. */
#include "cmds/program/graph_names.h"
#include "cmds/program/op_list.h"

enum { OPS, GRAPH, STACKS };

static const struct opt options[] = {
	[OPS] = { OPT_FLAG, NULL, "ops",
	          "the ops created in them, in the order of their creation" },
	[GRAPH] = GRAPH_OPT,
	[STACKS] = { OPT_FLAG, NULL, "stacks",
	             "add the ids of the stack's frames to JSON and CSV of ops" },
	PAGE_OPTS
};

/* Recorded graphs come first, in file order; the others have no number. */
static void put_index(struct cell *cell, const struct program *program, uint32_t row)
{
	cell_known(cell, program->graphs.at[program->graph_order.at[row]].recorded, row);
}

static void put_name(struct cell *cell, const struct program_graph *g)
{
	cell_or_null(cell, !g->recorded || (cell->look && !*g->name) ? NULL : g->name);
}

/* Eight characters of it are enough to name it. */
static void put_id(struct cell *cell, const struct program_graph *g)
{
	str_fmt(&cell->text, cell->look ? "%.8s" : "%s", g->id);
}

#define GRAPH_COLUMNS(COL) \
	COL(index, "#", COUNT, 0, 1, put_index(cell, program, place)) \
	COL(name, "Name", TEXT, 0, 3, put_name(cell, g)) \
	COL(depth, "Depth", COUNT, 0, 5, cell->whole = g->depth) \
	COL(ops, "Ops", COUNT, 0, 6, cell->whole = g->n_ops) \
	COL(inner, "Inner", COUNT, 0, 7, cell->whole = g->n_inner) \
	COL(graph, "Id", TEXT, 0, 2, put_id(cell, g)) \
	COL(outer, NULL, TEXT, 0, 4, cell_or_null(cell, id_of_graph(program, g->outer))) \
	COL(set, NULL, COUNT, 0, 8, cell_known(cell, g->recorded, g->at.set)) \
	COL(recorded, NULL, FLAG, 0, 9, cell->whole = g->recorded)

enum { GRAPH_COLUMNS(COL_ID) };
static const struct col graph_cols[] = { GRAPH_COLUMNS(COL_ROW) };

/* A row is a position in program->graph_order. */
static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct listed *l = context;
	const struct program *program = l->program;
	uint32_t place = l->rows.at[row];
	const struct program_graph *g = &program->graphs.at[program->graph_order.at[place]];

	switch (id) {
	GRAPH_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct listed *l = context;
	const struct program *program = l->program;

	str_fmt(out, "lg --ops -g %s",
	        program->graphs.at[program->graph_order.at[l->rows.at[row]]].id);
}

static void list_graphs(struct call *call, struct listed *l, uint32_t only)
{
	const struct program *program = l->program;
	struct table *table = TABLE_OF(call->out, graph_cols, get_cell, l);

	for (uint32_t i = 0; i < program->graph_order.len; i++)
		if (only == PROGRAM_NONE || program->graph_order.at[i] == only)
			vec_push(&l->rows, i);
	table->link = put_link;
	table->n_rows = l->rows.len;
	table_put_counted(call, table, COL_name, "graph(s)");
}

static void list_ops(struct call *call, struct listed *l, uint32_t only)
{
	const struct program *program = l->program;

	for (uint32_t i = 0; i < program->ops.len; i++)
		if (only == PROGRAM_NONE ||
		    program->nodes.at[program->ops.at[i].node].graph == only)
			vec_push(&l->rows, i);
	op_list_put(call, l, call->args.opt[STACKS].given);
}

static void lg_exec(struct call *call)
{
	uint32_t only;

	if (!choose_graph(call, call->args.opt[GRAPH].word, &only))
		return;
	if (call->args.opt[OPS].given)
		list_ops(call, listed_new(call), only);
	else
		list_graphs(call, listed_new(call), only);
}

const struct cmd cmd_lg = {
	.name = "list_graphs", .alias = "lg",
	.summary = "Graphs of a recorded program, or their ops",
	OPTS(options), .of_program = true, .exec = lg_exec,
};
