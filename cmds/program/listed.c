#include "cmds/program/listed.h"

#include <stdlib.h>

#include "dump/base/mem.h"
#include "dump/base/vec.h"

static void listed_free(void *what)
{
	struct listed *l = what;

	vec_release(&l->rows);
	free(l);
}

struct listed *listed_new(struct call *call)
{
	struct listed *l = mem_alloc(sizeof *l);

	l->program = call->shell->program;
	doc_keep(call->out, listed_free, l);
	return l;
}

void cell_time(struct cell *cell, const struct program *program, double time)
{
	int64_t us = 0;
	bool known = program_time_us(program, time, &us);

	cell_known(cell, known, us);
	if (known)
		str_fmt(&cell->text, "%.1f", (double)us / 1000);
}

void cell_ids(struct cell *cell, const struct program *program, size_t first, uint32_t n)
{
	if (cell->data)
		data_ints(cell->data, vec_from(&program->ids, first), n);
}

void cell_stack_host(struct cell *cell, const struct program *program, uint32_t stack)
{
	cell_or_null(cell, stack == PROGRAM_NONE ? NULL : program->stacks.at[stack].host);
}

void cell_stack_frames(struct cell *cell, const struct program *program, uint32_t stack)
{
	const struct program_stack *s = stack == PROGRAM_NONE ? NULL : &program->stacks.at[stack];

	if (!cell->data)
		return;
	data_list(cell->data);
	for (uint32_t i = 0; s && i < s->n_frames; i++)
		data_str(cell->data, program->frames.at[program->stack_frames.at[s->first + i]].id);
	data_end(cell->data);
}

void cell_or_null(struct cell *cell, const char *text)
{
	cell->missing = !text;
	cell_str(cell, text ? text : "-");
}

const char *id_of_graph(const struct program *program, uint32_t graph)
{
	return graph == PROGRAM_NONE ? NULL : program->graphs.at[graph].id;
}
