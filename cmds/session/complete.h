#ifndef CMDS_COMPLETE_H
#define CMDS_COMPLETE_H

#include "cmds/lang/registry.h"
#include "cmds/session/filters.h"
#include "cmds/session/shell.h"
#include "dump/runs.h"

/*
 * What Tab offers: command words; dumped tensors after pt, grid and picture; nodes after ni, li and
 * lo; filters after lt -f and filter show or remove. Sorted once, then searched.
 */
struct candidates;

/* Run, filters and runs must outlive the candidates. run NULL: none is open.
 * what: whose commands are offered. */
struct candidates *candidates_new(const struct run *run, const struct filters *filters,
                                  const struct runs *runs, enum registry_of what);
void candidates_free(struct candidates *candidates);
void candidates_complete(struct candidates *candidates, const char *line, size_t cursor, size_t max,
                         struct completion *out);

#endif
