#include "cmds/graph/instruction_list.h"

#include "cmds/lang/words.h"
#include "cmds/session/session.h"

const struct graph *module_graph_of(const struct shell *shell)
{
	return shell->profile ? shell->profile->module : NULL;
}

void cell_text_or_null(struct cell *cell, const char *text)
{
	cell->missing = !text;
	cell_str(cell, text ? text : "-");
}

void module_put_called(const struct module *module, uint32_t instruction, struct data *data)
{
	size_t n;
	const struct called *called = module_called(module, instruction, &n);

	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_str(data, called[i].name);
	data_end(data);
}

static void put_names(struct cell *cell, const struct graph *graph, uint32_t node,
                      enum edge_kind kind)
{
	struct edges edges;

	if (!cell->data || !graph_edges((struct graph *)graph, node, kind, &edges, NULL))
		return;
	data_list(cell->data);
	for (size_t i = 0; i < edges.len; i++)
		data_str(cell->data, edge_node_name(graph, &edges.at[i]));
	data_end(cell->data);
}

static void put_called(struct cell *cell, const struct module *module, uint32_t number)
{
	if (cell->data)
		module_put_called(module, number, cell->data);
}

static void put_line(struct cell *cell, const struct instruction *at)
{
	cell_known(cell, at->file, at->line);
}

#define OP_COLUMNS(COL) \
	COL(index, "#", COUNT, 0, 1, cell->whole = number) \
	COL(op, "Op", TEXT, 0, 4, \
	    cell_str(cell, cell->look ? graph_op(l->graph, number) : at->opcode)) \
	COL(node, "Node", TEXT, 0, 3, cell_str(cell, graph_name(l->graph, number))) \
	COL(shape, "Shape", TEXT, 0, 5, cell_str(cell, at->shape)) \
	COL(op_name, "Op name", TEXT, 0, 10, cell_text_or_null(cell, at->op_name)) \
	COL(graph, NULL, TEXT, 0, 2, cell_str(cell, c->name)) \
	COL(inputs, NULL, OWN, 0, 6, put_names(cell, l->graph, number, EDGE_INPUT)) \
	COL(control_inputs, NULL, OWN, 0, 7, put_names(cell, l->graph, number, EDGE_CONTROL)) \
	COL(called, NULL, OWN, 0, 8, put_called(cell, l->module, number)) \
	COL(op_type, NULL, TEXT, 0, 9, cell_text_or_null(cell, at->op_type)) \
	COL(file, NULL, TEXT, 0, 11, cell_text_or_null(cell, at->file)) \
	COL(line, NULL, COUNT, 0, 12, put_line(cell, at)) \
	COL(root, NULL, FLAG, 0, 13, cell->whole = c->root == number)

enum { OP_COLUMNS(COL_ID) };
static const struct col op_cols[] = { OP_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct module_list *l = context;
	uint32_t number = l->first + (uint32_t)row;
	const struct instruction *at = &l->module->instructions.at[number];
	const struct computation *c = &l->module->computations.at[at->computation];

	switch (id) {
	OP_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct module_list *l = context;

	words_put_with(out, "ni -a -t", graph_name(l->graph, l->first + (uint32_t)row));
}

void instruction_list_put(struct call *call, struct module_list *l)
{
	struct table *table = TABLE_OF(call->out, op_cols, get_cell, l);

	table->link = put_link;
	table->n_rows = l->n;
	table_put_counted(call, table, COL_node, "instruction(s)");
}
