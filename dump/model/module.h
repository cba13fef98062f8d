#ifndef DUMP_MODULE_H
#define DUMP_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/vec.h"
#include "dump/model/graph.h"
#include "dump/model/stacks.h"

/*
 * A program that a compiler (XLA) made of graphs: computations, which are lists of instructions.
 * The instructions of all of them are the nodes of one graph (dump/model/graph.h), instruction i
 * node i, so whatever asks for nodes, inputs and recipients needs to know nothing of this. Edges
 * stay within a computation; an instruction calls others: the loop of a while, the ops in a fusion.
 *
 * An instruction with the name of one in another computation is called COMPUTATION/NAME. What the
 * graph says is its op is what is worth knowing: "fusion kLoop", the target of a custom call.
 */
#define MODULE_NONE UINT32_MAX

struct instruction {
	const char *opcode;
	const char *shape;               /* as printed, with the layout: "f32[2,8]{1,0}" */
	const char *op_type, *op_name;   /* of the op it was made from; NULL: not known */
	const char *file;                /* where that was written; NULL: not known */
	uint32_t line;
	uint32_t frame;                  /* the innermost of the stack, from 1; 0: not known */
	uint32_t computation;
	size_t first_called;             /* in called; its end is where the next one's begin */
	uint64_t off, len;               /* where the file has it */
};

struct computation {
	const char *name;
	uint32_t first, n;               /* its instructions */
	uint32_t root;                   /* the one that is its result; MODULE_NONE: it has none */
	uint32_t n_parameters;
	uint32_t n_callers;              /* instructions that call it */
	bool is_entry;
};

struct called {
	const char *name;
	uint32_t computation;            /* MODULE_NONE: the module has none of this name */
};

/* A place in the program; the one it was called from is its parent, from 1, 0: none. */
struct module_frame {
	const char *file, *function;     /* NULL: not known */
	uint32_t line, parent;
};

/* As graph_attrs, which calls it. */
typedef bool module_attrs(struct graph *graph, uint32_t node, struct arena *mem,
                          struct attr **attrs, size_t *n, struct err *err);

struct module {
	const char *name;
	VEC(struct computation) computations;    /* in file order, as are the instructions */
	VEC(struct instruction) instructions;
	VEC(struct called) called;
	VEC(struct module_frame) frames;
	module_attrs *attrs;
};

/* NULL: the graph is no module's. */
const struct module *graph_module(const struct graph *graph);

/* What an instruction calls, in the order of the file. */
const struct called *module_called(const struct module *module, uint32_t instruction, size_t *n);
/* MODULE_NONE: there is none of this name. */
uint32_t module_find(const struct module *module, const char *name);

/* Where the program made its instructions, as creation stacks; NULL: it does not say. */
struct stacks *module_stacks(const struct graph *graph);

#endif
