#ifndef DUMP_STACKS_H
#define DUMP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"

/*
 * Where the program made its nodes: a file that a recording program writes beside its dump. It
 * tells of all nodes of the program's graph, which may be more than the dump has. JSON, one object:
 *
 *   format, version   "tensordbg-stacks", 1
 *   cwd               directory that relative file names were meant in
 *   library_roots     directories of TensorFlow's own Python files; optional
 *   files             names as in the traceback
 *   frames            [position in files, line, function, text or null], ...
 *   nodes             name: {"op": type, "outputs": how many, "stack": [positions in frames,
 *                     outermost first]}, ...
 *   sources           file name: its text, ...; optional
 *
 * Other keys are passed over. Everything lives until stacks_close and does not change.
 */
struct stack_frame {
	const char *function;
	const char *text;                /* NULL: not known */
	uint32_t file;                   /* position in files */
	uint32_t line;                   /* from 1 */
};

struct stack_node {
	const char *name, *op;
	size_t first; /* its frames: stacks->stack.at[first .. first + n_frames) */
	uint32_t n_frames;
	uint32_t outputs;
};

struct source {
	const char *file;                /* as in files */
	const char *text;
	size_t len;
};

struct stacks {
	const char *cwd;
	VEC(const char *) library_roots;
	VEC(const char *) files;
	VEC(struct stack_frame) frames;
	VEC(uint32_t) stack;             /* positions in frames */
	VEC(struct stack_node) nodes;    /* sorted by name, each once */
	VEC(struct source) sources;
	bool of_step;            /* only of one of several steps: */
	int64_t step;
	struct arena mem;
};

/* Reads it whole. NULL with ERR_IO, ERR_FORMAT (and the offset) or ERR_CANCELLED. */
struct stacks *stacks_open(const char *path, struct progress *progress, struct err *err);
void stacks_close(struct stacks *stacks);
/* Those that were filled in elsewhere: of nodes with one name the last one stays. */
void stacks_sort(struct stacks *stacks);

/* Do both say the same? Of which steps they are, and the texts of sources, are no matter. */
bool stacks_same(const struct stacks *a, const struct stacks *b);

/* NULL: not there */
const struct stack_node *stacks_find(const struct stacks *stacks, const char *name);
const struct stack_frame *stacks_frame(const struct stacks *stacks, const struct stack_node *node,
                                       uint32_t i);

#endif
