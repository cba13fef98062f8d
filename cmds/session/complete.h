#ifndef CMDS_COMPLETE_H
#define CMDS_COMPLETE_H

#include "cmds/lang/registry.h"
#include "cmds/session/aliases.h"
#include "cmds/session/filters.h"
#include "cmds/session/shell.h"
#include "dump/model/program.h"
#include "dump/runs.h"

/*
 * What Tab offers: command words and aliases; dumped tensors after pt, grid and picture; nodes
 * after ni, li and lo; filters after lt -f and filter show or remove; settings, their words and
 * themes after config; what a row has for its positionals. Sorted once, then searched.
 * Of a recorded program: tensors of the current step, nodes and steps, the words of its filters,
 * graphs.
 */
struct candidates;

/* What there is to offer, and whose commands. It must outlive the candidates. */
struct offered {
	const struct run *run;           /* NULL: none is open */
	const struct filters *filters;
	const struct aliases *aliases;
	const struct runs *runs;
	const struct program *program;   /* NULL: none is open */
	uint32_t step;                   /* of it the current one */
	enum registry_of what;
};
struct candidates *candidates_new(const struct offered *offered);
void candidates_free(struct candidates *candidates);
void candidates_complete(struct candidates *candidates, const char *line, size_t cursor, size_t max,
                         struct completion *out);

#endif
