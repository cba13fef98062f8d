#ifndef CMDS_INSTRUCTION_TEXT_H
#define CMDS_INSTRUCTION_TEXT_H

#include "cmds/doc/doc.h"
#include "dump/model/module.h"

/* What ni tells of a node that is an instruction of a compiled program (dump/model/module.h). */
void instruction_put(struct doc *doc, const struct graph *graph, uint32_t node);
/* The same as keys of an open object. */
void instruction_put_data(const struct graph *graph, uint32_t node, struct data *data);

/*
 * What a fusion is made of, from a name that a trace has for it:
 * "fusion.3 = f32[2,8] from 5 instructions: add, reduce; ops a/b". False: it is no fusion of a
 * program that is open.
 */
struct profile;
bool fusion_put(const struct profile *profile, const char *name, struct str *out);
/* The same in short: "add, reduce". */
bool fusion_put_opcodes(const struct profile *profile, const char *name, struct str *out);

/*
 * What a computation does: "5 instructions: add, broadcast, reduce; ops jit(f)/reduce_sum", each
 * once. Parameters and constants are only counted.
 */
void computation_put_inside(const struct module *module, uint32_t computation, struct str *out);

#endif
