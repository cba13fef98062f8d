/* The computations of a compiled program, or with --ops their instructions. */
#include "cmds/doc/table.h"
#include "cmds/graph/instruction_list.h"
#include "cmds/lang/words.h"
#include "cmds/session/session.h"

enum { OPS, COMPUTATION };

static const struct opt options[] = {
	[OPS] = { OPT_FLAG, NULL, "ops", "the instructions in them" },
	[COMPUTATION] = { OPT_WORD, "g", "graph", "only this computation" },
	PAGE_OPTS
};

static void put_root(struct cell *cell, const struct graph *graph, const struct computation *c)
{
	cell_text_or_null(cell, c->root == MODULE_NONE ? NULL : graph_name(graph, c->root));
}

#define COMPUTATION_COLUMNS(COL) \
	COL(index, "#", COUNT, 0, 1, cell->whole = number) \
	COL(name, "Name", TEXT, 0, 3, cell_str(cell, c->name)) \
	COL(entry, "Entry", FLAG, 0, 4, cell->whole = c->is_entry) \
	COL(ops, "Ops", COUNT, 0, 6, cell->whole = c->n) \
	COL(parameters, "Parameters", COUNT, 0, 7, cell->whole = c->n_parameters) \
	COL(callers, "Callers", COUNT, 0, 8, cell->whole = c->n_callers) \
	COL(root, "Root", TEXT, 0, 5, put_root(cell, l->graph, c)) \
	COL(graph, NULL, TEXT, 0, 2, cell_str(cell, c->name))

enum { COMPUTATION_COLUMNS(COL_ID) };
static const struct col computation_cols[] = { COMPUTATION_COLUMNS(COL_ROW) };

static void get_computation(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct module_list *l = context;
	uint32_t number = l->first + (uint32_t)row;
	const struct computation *c = &l->module->computations.at[number];

	switch (id) {
	COMPUTATION_COLUMNS(COL_CASE)
	}
}

static void link_computation(void *context, uint64_t row, struct str *out)
{
	const struct module_list *l = context;

	words_put_with(out, "lg --ops -g", l->module->computations.at[l->first + row].name);
}

static void list_computations(struct call *call, struct module_list *l)
{
	struct table *table = TABLE_OF(call->out, computation_cols, get_computation, l);
	struct str title = {0};

	str_fmt(&title, "computation(s) of %s", l->module->name);
	table->link = link_computation;
	table->n_rows = l->n;
	table_put_counted(call, table, COL_name, title.text);
	str_release(&title);
}

static void list_instructions(struct call *call, struct module_list *l, uint32_t only)
{
	const struct computation *c;

	if (only == MODULE_NONE) {
		l->first = 0;
		l->n = (uint32_t)l->module->instructions.len;
	} else {
		c = &l->module->computations.at[only];
		l->first = c->first;
		l->n = c->n;
	}
	instruction_list_put(call, l);
}

/* False: there is none of this name. */
static bool choose(struct call *call, const struct module *module, uint32_t *only)
{
	const char *name = call->args.opt[COMPUTATION].word;

	*only = MODULE_NONE;
	if (!name)
		return true;
	*only = module_find(module, *name == '%' ? name + 1 : name);
	if (*only == MODULE_NONE)
		call_error(call, "ERROR: There is no computation named \"%s\".", name);
	return *only != MODULE_NONE;
}

static void lg_exec(struct call *call)
{
	const struct graph *graph = module_graph_of(call->shell);
	struct module_list *l;
	uint32_t only;

	if (!graph) {
		call_error(call, "ERROR: There are no computations: no compiled program (XLA HLO) "
		           "is open.");
		return;
	}
	if (!choose(call, graph_module(graph), &only))
		return;
	l = arena_alloc(doc_mem(call->out), sizeof *l);
	*l = (struct module_list){ graph, graph_module(graph), only == MODULE_NONE ? 0 : only, 1 };
	if (only == MODULE_NONE)
		l->n = (uint32_t)l->module->computations.len;
	if (call->args.opt[OPS].given)
		list_instructions(call, l, only);
	else
		list_computations(call, l);
}

const struct cmd cmd_lg_module = {
	.name = "list_graphs", .alias = "lg",
	.summary = "Computations of a compiled program, or their instructions",
	OPTS(options), .runless = true, .exec = lg_exec,
};
