#ifndef CMDS_PROGRAM_HELD_H
#define CMDS_PROGRAM_HELD_H

#include "cmds/doc/doc.h"
#include "cmds/program/choose.h"

/*
 * What nodes and steps of a recorded program hold, for the signs and the words beside the rows of
 * trees: of several tensors the gravest, of those that are as grave the first recorded.
 */

/* The tensors of ops: those traced in a step, PROGRAM_NONE: in all. */
struct held;
struct held *held_new(const struct program *program, uint32_t step);
void held_free(struct held *held);
/* False: it has none. The first call after the program has grown or was scanned goes over all. */
bool held_by_node(struct held *held, uint32_t node, struct program_tensor *out);
/* slot -1: of all its outputs. */
bool held_by_step(const struct program *program, uint32_t step, int64_t slot,
                  struct program_tensor *out);

/* "ok", "nan x3": the record is read for it. The text's role. */
enum role held_put(const struct program *program, const struct program_tensor *tensor,
                   struct str *out);

#endif
