/*
 * Names are resolved where they are met, which is nearly always: operands come before what uses
 * them. What is not there yet is looked for once more when its computation ends, computations that
 * are called when all of them are there.
 */
#include "dump/model/module_build.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/format/json_pull.h"
#include "dump/model/graph_parts.h"

enum { TABLE_GAP = 4096 /* numbers of a table that may be missing in a row */ };

/* A row of the tables of a stack: each number is of another table, from 1. */
struct location {
	uint64_t file, function, line;
};
struct frame {
	uint64_t location, parent;
};

struct module_build {
	struct graph *graph;
	struct module *module;           /* the graph's */
	struct map words;                /* shapes, files, names of ops: many have the same */
	struct map names;                /* of computations, also of those only called */
	VEC(uint32_t) computation_of;    /* by such a name; MODULE_NONE: none yet */
	struct map own;                  /* of the computation: names that others have, too */
	struct arena own_mem;
	VEC(uint32_t) own_node;
	VEC(const char *) texts[2];      /* by enum module_table */
	VEC(struct location) locations;
	VEC(struct frame) frames;
	VEC(struct edge) edges[2];       /* EDGE_INPUT, EDGE_CONTROL */
	VEC(uint32_t) starts[2];         /* by instruction; the last: of the one that comes next */
	size_t first_called;             /* the same of module->called */
	size_t first_edge[2];            /* of the computation */
	struct str scratch, decoded;
};

struct module_build *module_build_new(const struct file *file, module_attrs *attrs)
{
	struct module_build *b = mem_alloc(sizeof *b);

	b->graph = graph_new(file->path);
	b->graph->stamp = file_stamp(file);
	b->module = b->graph->module = mem_alloc(sizeof *b->module);
	b->module->name = "";
	b->module->attrs = attrs;
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++)
		vec_push(&b->starts[kind], 0);
	return b;
}

static void release(struct module_build *b)
{
	map_release(&b->words);
	map_release(&b->names);
	map_release(&b->own);
	arena_release(&b->own_mem);
	vec_release(&b->own_node);
	vec_release(&b->computation_of);
	vec_release(&b->texts[MODULE_FILES]);
	vec_release(&b->texts[MODULE_FUNCTIONS]);
	vec_release(&b->locations);
	vec_release(&b->frames);
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++) {
		vec_release(&b->edges[kind]);
		vec_release(&b->starts[kind]);
	}
	str_release(&b->scratch);
	str_release(&b->decoded);
	free(b);
}

void module_build_drop(struct module_build *b)
{
	graph_close(b->graph);
	release(b);
}

/* As UTF-8 without faults, as names are kept and compared; good until the next call. */
static struct text sound(struct module_build *b, struct text text)
{
	if (utf8_is_plain(text.at, text.len))
		return text;
	str_reset(&b->decoded);
	pull_decode(text.at, text.len, false, &b->decoded);
	return (struct text){ str_text(&b->decoded), b->decoded.len };
}

/* NULL: an empty text. */
static const char *keep(struct module_build *b, struct text text)
{
	uint32_t id;

	if (!text.len)
		return NULL;
	text = sound(b, text);
	id = map_add(&b->words, &b->graph->mem, text.at, text.len);
	return b->words.key[id];
}

void module_build_name(struct module_build *b, struct text name)
{
	const char *kept = keep(b, name);

	b->module->name = kept ? kept : "";
}

void module_build_damaged(struct module_build *b)
{
	b->graph->damaged = true;
}

uint32_t module_build_len(const struct module_build *b)
{
	return (uint32_t)b->module->instructions.len;
}

/* Computations. */

static uint32_t number_of_name(struct module_build *b, struct text name)
{
	uint32_t id;

	name = sound(b, name);
	id = map_add(&b->names, &b->graph->mem, name.at, name.len);
	if (id == b->computation_of.len)
		vec_push(&b->computation_of, MODULE_NONE);
	return id;
}

/* The instruction of the last computation with this name; GRAPH_NONE: it has none. */
static uint32_t find_own(const struct module_build *b, struct text name)
{
	uint32_t node = map_find(&b->graph->names, name.at, name.len);

	if (node != GRAPH_NONE &&
	    b->module->instructions.at[node].computation + 1 == b->module->computations.len)
		return node;
	node = map_find(&b->own, name.at, name.len);
	return node == MAP_NONE ? GRAPH_NONE : b->own_node.at[node];
}

/* Operands that come after what uses them. */
static void find_later_ones(struct module_build *b, int kind)
{
	for (size_t i = b->first_edge[kind]; i < b->edges[kind].len; i++) {
		struct edge *edge = &b->edges[kind].at[i];
		const char *name;

		if (edge->node != GRAPH_NONE)
			continue;
		name = b->graph->others.at[edge->name].name;
		edge->node = find_own(b, (struct text){ name, strlen(name) });
		if (edge->node != GRAPH_NONE)
			edge->name = NO_OTHER;
	}
	b->first_edge[kind] = b->edges[kind].len;
}

/* Without a root that is marked the last instruction is it. */
static void end_computation(struct module_build *b)
{
	struct module *module = b->module;
	struct computation *c;

	if (!module->computations.len)
		return;
	c = vec_last(&module->computations);
	c->n = (uint32_t)module->instructions.len - c->first;
	if (c->root == MODULE_NONE && c->n)
		c->root = c->first + c->n - 1;
	find_later_ones(b, EDGE_INPUT);
	find_later_ones(b, EDGE_CONTROL);
	map_release(&b->own);
	arena_release(&b->own_mem);
	b->own_node.len = 0;
}

void module_build_computation(struct module_build *b, struct text name, bool is_entry)
{
	struct module *module = b->module;
	uint32_t id;

	end_computation(b);
	id = number_of_name(b, name);
	if (b->computation_of.at[id] == MODULE_NONE)
		b->computation_of.at[id] = (uint32_t)module->computations.len;
	vec_push(&module->computations, ((struct computation){
		.name = b->names.key[id], .first = (uint32_t)module->instructions.len,
		.root = MODULE_NONE, .is_entry = is_entry,
	}));
}

/* Instructions. */

/* Gives it the number of the next node. False: the computation has one of this name. */
static bool add_name(struct module_build *b, struct text name)
{
	struct graph *graph = b->graph;
	uint32_t next = module_build_len(b);

	name = sound(b, name);
	if (find_own(b, name) != GRAPH_NONE)
		return false;
	if (map_add(&graph->names, &graph->mem, name.at, name.len) == next)
		return true;
	str_reset(&b->scratch);
	str_fmt(&b->scratch, "%s/", vec_last(&b->module->computations)->name);
	str_put(&b->scratch, name.at, name.len);
	if (map_add(&graph->names, &graph->mem, b->scratch.text, b->scratch.len) != next)
		return false;
	map_add(&b->own, &b->own_mem, name.at, name.len);
	vec_push(&b->own_node, next);
	return true;
}

static bool is(struct text text, const char *with)
{
	return text.len == strlen(with) && !memcmp(text.at, with, text.len);
}

/* What shows as its type. */
static uint32_t op_of(struct module_build *b, const struct new_instruction *new)
{
	struct graph *graph = b->graph;
	struct text op = new->kind.len && is(new->opcode, "custom-call") ? new->kind : new->opcode;

	if (new->kind.len && op.at != new->kind.at) {
		str_reset(&b->scratch);
		str_put(&b->scratch, new->opcode.at, new->opcode.len);
		str_putc(&b->scratch, ' ');
		str_put(&b->scratch, new->kind.at, new->kind.len);
		op = (struct text){ b->scratch.text, b->scratch.len };
	}
	op = sound(b, op);
	return map_add(&graph->ops, &graph->mem, op.at, op.len);
}

bool module_build_instruction(struct module_build *b, const struct new_instruction *new)
{
	struct module *module = b->module;
	struct computation *c;
	const char *opcode = keep(b, new->opcode), *shape = keep(b, new->shape);

	if (!module->computations.len || !new->name.len || !add_name(b, new->name)) {
		module_build_forget(b);
		return false;
	}
	c = vec_last(&module->computations);
	if (new->is_root)
		c->root = module_build_len(b);
	c->n_parameters += is(new->opcode, "parameter");
	vec_push(&b->graph->places, ((struct place){ .op = op_of(b, new) }));
	vec_push(&b->graph->device_of, 0);
	vec_push(&module->instructions, ((struct instruction){
		.opcode = opcode ? opcode : "", .shape = shape ? shape : "",
		.op_type = keep(b, new->op_type), .op_name = keep(b, new->op_name),
		.file = keep(b, new->file), .line = new->line, .frame = new->frame,
		.computation = (uint32_t)module->computations.len - 1,
		.first_called = b->first_called, .off = new->off, .len = new->len,
	}));
	b->first_called = module->called.len;
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++)
		vec_push(&b->starts[kind], (uint32_t)b->edges[kind].len);
	return true;
}

void module_build_forget(struct module_build *b)
{
	b->module->called.len = b->first_called;
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++)
		b->edges[kind].len = *vec_last(&b->starts[kind]);
}

static void add_edge(struct module_build *b, int kind, struct text name)
{
	struct edge edge = { GRAPH_NONE, -1, NO_OTHER };

	name = sound(b, name);
	edge.node = find_own(b, name);
	if (b->edges[kind].len == UINT32_MAX)
		return;
	if (edge.node == GRAPH_NONE)
		edge.name = graph_other(b->graph, name.at, name.len, name.len);
	vec_push(&b->edges[kind], edge);
}

void module_build_operand(struct module_build *b, struct text name)
{
	add_edge(b, EDGE_INPUT, name);
}

void module_build_control(struct module_build *b, struct text name)
{
	add_edge(b, EDGE_CONTROL, name);
}

void module_build_called(struct module_build *b, struct text name)
{
	uint32_t id = number_of_name(b, name);

	vec_push(&b->module->called, ((struct called){ b->names.key[id], id }));
}

/* Stacks. */

void module_build_text(struct module_build *b, enum module_table table, uint64_t number,
                       struct text text)
{
	if (!number || number > b->texts[table].len + TABLE_GAP)
		return;
	while (b->texts[table].len < number)
		vec_push(&b->texts[table], NULL);
	b->texts[table].at[number - 1] = keep(b, text);
}

void module_build_location(struct module_build *b, uint64_t number, uint64_t file,
                           uint64_t function, uint64_t line)
{
	if (!number || number > b->locations.len + TABLE_GAP)
		return;
	while (b->locations.len < number)
		vec_push(&b->locations, (struct location){0});
	b->locations.at[number - 1] = (struct location){ file, function, line };
}

void module_build_frame(struct module_build *b, uint64_t number, uint64_t location,
                        uint64_t parent)
{
	if (!number || number > b->frames.len + TABLE_GAP)
		return;
	while (b->frames.len < number)
		vec_push(&b->frames, (struct frame){0});
	b->frames.at[number - 1] = (struct frame){ location, parent };
}

static const char *text_at(const struct module_build *b, enum module_table table, uint64_t number)
{
	return number && number <= b->texts[table].len ? b->texts[table].at[number - 1] : NULL;
}

/*
 * Newer files count parents from 1 with 1 for none, so that the first frame, which has none, seems
 * to be its own.
 */
static void join_frames(struct module_build *b)
{
	bool shifted = b->frames.len && b->frames.at[0].parent == 1;

	for (size_t i = 0; i < b->frames.len; i++) {
		struct frame frame = b->frames.at[i];
		struct location at = {0};

		if (frame.location && frame.location <= b->locations.len)
			at = b->locations.at[frame.location - 1];
		if (shifted && frame.parent)
			frame.parent--;
		vec_push(&b->module->frames, ((struct module_frame){
			.file = text_at(b, MODULE_FILES, at.file),
			.function = text_at(b, MODULE_FUNCTIONS, at.function),
			.line = at.line <= UINT32_MAX ? (uint32_t)at.line : 0,
			.parent = frame.parent <= b->frames.len ? (uint32_t)frame.parent : 0,
		}));
	}
}

/* The end. */

static void take_frames(struct module *module)
{
	for (size_t i = 0; i < module->instructions.len; i++) {
		struct instruction *at = &module->instructions.at[i];

		if (at->frame > module->frames.len)
			at->frame = 0;
		if (at->file || !at->frame)
			continue;
		at->file = module->frames.at[at->frame - 1].file;
		at->line = module->frames.at[at->frame - 1].line;
	}
}

/* An instruction that calls a computation twice is one caller. */
static void count_callers(struct module *module)
{
	uint32_t *latest = mem_alloc((module->computations.len + 1) * sizeof *latest);

	for (uint32_t i = 0; i < module->instructions.len; i++) {
		size_t n;
		const struct called *called = module_called(module, i, &n);

		for (size_t k = 0; k < n; k++) {
			uint32_t callee = called[k].computation;

			if (callee == MODULE_NONE || latest[callee] == i + 1)
				continue;
			latest[callee] = i + 1;
			module->computations.at[callee].n_callers++;
		}
	}
	free(latest);
}

struct graph *module_build_end(struct module_build *b)
{
	struct graph *graph = b->graph;
	struct module *module = b->module;
	struct edge_list lists[2];

	module_build_forget(b);
	end_computation(b);
	join_frames(b);
	take_frames(module);
	for (size_t i = 0; i < module->called.len; i++) {
		struct called *called = &module->called.at[i];

		called->computation = b->computation_of.at[called->computation];
	}
	count_callers(module);
	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL; kind++) {
		vec_reserve(&b->edges[kind], 1);
		lists[kind] = (struct edge_list){ b->edges[kind].at, b->starts[kind].at };
		b->edges[kind].at = NULL;
		b->starts[kind].at = NULL;
	}
	graph_set_edges(graph, &lists[EDGE_INPUT], &lists[EDGE_CONTROL]);
	release(b);
	return graph;
}
