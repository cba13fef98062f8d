#include "cmds/program/op_list.h"

#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/program/graph_names.h"

static void put_inputs(struct cell *cell, const struct program *program, uint32_t op)
{
	const struct program_input *inputs = program_op_inputs(program, op);
	struct str text = {0};

	if (!cell->data)
		return;
	data_list(cell->data);
	for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++) {
		str_reset(&text);
		program_put_input(program, &inputs[i], &text);
		data_text(cell->data, str_text(&text), text.len);
	}
	data_end(cell->data);
	str_release(&text);
}

static void put_graph(struct cell *cell, const struct program *program, uint32_t graph)
{
	if (cell->look)
		put_graph_short(&cell->text, program, graph);
	else
		cell_or_null(cell, name_of_graph(program, graph));
}

#define OP_COLUMNS(COL) \
	COL(index, "#", COUNT, 0, 1, cell->whole = number) \
	COL(op, "Op type", TEXT, 0, 6, cell_str(cell, op->type)) \
	COL(node, "Node", TEXT, 0, 5, cell_str(cell, program->nodes.at[op->node].name)) \
	COL(graph_name, "Graph", TEXT, 0, 4, put_graph(cell, program, graph)) \
	COL(time_us, NULL, COUNT, 0, 2, cell_time(cell, program, op->time)) \
	COL(graph, NULL, TEXT, 0, 3, cell_str(cell, program->graphs.at[graph].id)) \
	COL(inputs, NULL, OWN, 0, 7, put_inputs(cell, program, number)) \
	COL(output_ids, NULL, OWN, 0, 8, cell_ids(cell, program, op->first_id, op->n_ids)) \
	COL(outputs, NULL, COUNT, 0, 9, cell->whole = op->n_outputs) \
	COL(set, NULL, COUNT, 0, 10, cell->whole = op->at.set) \
	COL(host, NULL, TEXT, 0, TYPED_IF_ASKED, cell_stack_host(cell, program, op->stack)) \
	COL(stack, NULL, OWN, 0, TYPED_IF_ASKED, cell_stack_frames(cell, program, op->stack))

enum { OP_COLUMNS(COL_ID) };
static const struct col op_cols[] = { OP_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct listed *l = context;
	const struct program *program = l->program;
	uint32_t number = l->rows.at[row];
	const struct program_op *op = &program->ops.at[number];
	uint32_t graph = program->nodes.at[op->node].graph;

	switch (id) {
	OP_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct listed *l = context;
	const struct program_node *node =
		&l->program->nodes.at[l->program->ops.at[l->rows.at[row]].node];

	words_put_with(out, "ni -d", node->name);
	str_fmt(out, " -g %s", l->program->graphs.at[node->graph].id);
}

void op_list_put(struct call *call, struct listed *l, bool stacks)
{
	struct table *table = TABLE_OF(call->out, op_cols, get_cell, l);

	stacks |= table_wants(call, table_col(table, COL_host)) ||
	          table_wants(call, table_col(table, COL_stack));
	table->link = put_link;
	table_col(table, COL_host)->typed = stacks ? 11 : 0;
	table_col(table, COL_stack)->typed = stacks ? 12 : 0;
	table->n_rows = l->rows.len;
	table_put_counted(call, table, COL_node, "op(s)");
}
