#ifndef CMDS_COMPLETE_H
#define CMDS_COMPLETE_H

#include "cmds/shell.h"
#include "dump/run.h"

/* What Tab offers: command words, dumped tensors after pt, nodes after ni, li and lo. Sorted once, then searched. */
struct candidates;

struct candidates *candidates_new(const struct run *run);
void candidates_free(struct candidates *candidates);
void candidates_complete(struct candidates *candidates, const char *line, size_t cursor, size_t max,
                         struct completion *out);

#endif
