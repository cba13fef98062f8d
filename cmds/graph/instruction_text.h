#ifndef CMDS_INSTRUCTION_TEXT_H
#define CMDS_INSTRUCTION_TEXT_H

#include "cmds/doc/doc.h"
#include "dump/model/module.h"

/* What ni tells of a node that is an instruction of a compiled program (dump/model/module.h). */
void instruction_put(struct doc *doc, const struct graph *graph, uint32_t node);
/* The same as keys of an open object. */
void instruction_put_data(const struct graph *graph, uint32_t node, struct data *data);

/*
 * What a computation does: "5 instructions: add, broadcast, reduce; ops jit(f)/reduce_sum". Of
 * parameters and of what is there several times nothing is told twice.
 */
void computation_put_inside(const struct module *module, uint32_t computation, struct str *out);

#endif
