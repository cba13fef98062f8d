#ifndef CMDS_PROGRAM_LISTED_H
#define CMDS_PROGRAM_LISTED_H

#include "cmds/program/choose.h"
#include "cmds/doc/table.h"

/* A table whose rows are numbers of graphs, ops, sources or frames of a program. */
struct listed {
	const struct program *program;
	VEC(uint32_t) rows;
	const void *owner;       /* the lister's; lives as long as the document */
};

struct listed *listed_new(struct call *call);            /* the document owns it */

/* ---- cells of several tables */

void cell_time(struct cell *cell, const struct program *program, double time);
void cell_ids(struct cell *cell, const struct program *program, size_t first, uint32_t n);
/* The host of a stack, and the ids of its frames; PROGRAM_NONE: none was recorded. */
void cell_stack_host(struct cell *cell, const struct program *program, uint32_t stack);
void cell_stack_frames(struct cell *cell, const struct program *program, uint32_t stack);
/* NULL: not known */
void cell_or_null(struct cell *cell, const char *text);
const char *id_of_graph(const struct program *program, uint32_t graph);  /* NULL of PROGRAM_NONE */

#endif
