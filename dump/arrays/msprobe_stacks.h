#ifndef DUMP_MSPROBE_STACKS_H
#define DUMP_MSPROBE_STACKS_H

#include "dump/base/map.h"
#include "dump/model/stacks.h"

/*
 * The stack.json of a dump of msprobe: which calls came from which line of the program.
 *   {"0": [["Functional.relu.0.forward", ...], ["File F, line N, in FUNCTION, \n TEXT", ...]], ...}
 * The innermost frame comes first.
 */
struct call_stacks {
	struct stacks *stacks;           /* where frames go; borrowed */
	struct map calls, files, words;
	VEC(struct stack_node) of;       /* by the number of a call: its frames, nothing else */
	struct arena mem;                /* of the calls' names */
};

/* Adds the frames to `stacks`, which may have some. call_stacks_release either way. */
bool call_stacks_read(struct call_stacks *all, const char *path, struct stacks *stacks,
                      struct progress *progress, struct err *err);
void call_stacks_release(struct call_stacks *all);

#endif
