#ifndef CMDS_INSTRUCTION_LIST_H
#define CMDS_INSTRUCTION_LIST_H

#include "cmds/doc/table.h"
#include "dump/model/module.h"

/*
 * Tables about a compiled program (dump/model/module.h). Rows are computations or instructions, n
 * of them from `first` on.
 */
struct module_list {
	const struct graph *graph;
	const struct module *module;     /* the graph's */
	uint32_t first, n;
};

struct shell;
/* The graph of the compiled program that is open; NULL: none is. */
const struct graph *module_graph_of(const struct shell *shell);

void instruction_list_put(struct call *call, struct module_list *list);
void cell_text_or_null(struct cell *cell, const char *text);     /* NULL: not known */
/* The names of what an instruction calls, as a list. */
void module_put_called(const struct module *module, uint32_t instruction, struct data *data);

#endif
