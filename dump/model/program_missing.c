/*
 * What records name and no record tells of. Whatever names something is looked at once; of all
 * that name one thing the first place is kept, in the order of sets, files and offsets.
 */
#include "dump/model/program.h"

#include <stdlib.h>

#include "dump/base/mem.h"
#include "dump/model/program_parts.h"

struct named {
	bool is;
	struct program_place at;
};

struct search {
	const struct program *program;
	struct named *graphs, *nodes, *stacks, *frames;
};

static void name(struct named *thing, struct program_place at)
{
	if (!thing->is || program_order_places(&at, &thing->at) < 0)
		*thing = (struct named){ true, at };
}

static void name_stack(struct search *s, uint32_t stack, struct program_place at)
{
	if (stack != PROGRAM_NONE)
		name(&s->stacks[stack], at);
}

static void look_at_graphs(struct search *s)
{
	const struct program *program = s->program;

	for (size_t i = 0; i < program->graphs.len; i++) {
		const struct program_graph *graph = &program->graphs.at[i];

		if (graph->recorded && graph->outer != PROGRAM_NONE)
			name(&s->graphs[graph->outer], graph->at);
	}
	for (size_t i = 0; i < program->ops.len; i++) {
		const struct program_op *op = &program->ops.at[i];

		name(&s->graphs[program->nodes.at[op->node].graph], op->at);
		name_stack(s, op->stack, op->at);
	}
}

static void look_at_runs(struct search *s)
{
	const struct program *program = s->program;

	for (size_t i = 0; i < program->steps.len; i++) {
		const struct program_step *step = &program->steps.at[i];

		if (step->graph != PROGRAM_NONE)
			name(&s->graphs[step->graph], step->at);
		name_stack(s, step->stack, step->at);
	}
	for (size_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *trace = &program->traces.at[i];
		uint32_t node = program->keys.at[trace->key].node;
		struct program_place at = { trace->off, trace->set, (uint8_t)trace->file };

		name(&s->nodes[node], at);
		name(&s->graphs[program->nodes.at[node].graph], at);
	}
}

static void look_at_stacks(struct search *s)
{
	const struct program *program = s->program;

	for (size_t i = 0; i < program->stacks.len; i++) {
		const struct program_stack *stack = &program->stacks.at[i];

		for (uint32_t k = 0; s->stacks[i].is && k < stack->n_frames; k++)
			name(&s->frames[program->stack_frames.at[stack->first + k]],
			     s->stacks[i].at);
	}
}

/* The list, as long as there is room. */
struct list {
	struct program_missing *at;
	size_t n, max;
};

static void add(struct list *list, enum program_missing_kind kind, size_t number,
                struct program_place at)
{
	if (list->n < list->max)
		list->at[list->n] = (struct program_missing){ kind, (uint32_t)number, at };
	list->n++;
}

static void list_all(const struct search *s, struct list *list)
{
	const struct program *program = s->program;

	for (size_t i = 0; i < program->graphs.len; i++)
		if (!program->graphs.at[i].recorded)
			add(list, PROGRAM_MISSING_GRAPH, i, s->graphs[i].at);
	for (size_t i = 0; i < program->nodes.len; i++)
		if (s->nodes[i].is && program->nodes.at[i].op == PROGRAM_NONE)
			add(list, PROGRAM_MISSING_OP, i, s->nodes[i].at);
	for (size_t i = 0; i < program->frames.len; i++)
		if (!program->frames.at[i].recorded)
			add(list, PROGRAM_MISSING_FRAME, i, s->frames[i].at);
	for (size_t i = 0; i < program->frames.len; i++) {
		const struct program_frame *frame = &program->frames.at[i];

		if (frame->recorded && frame->source == PROGRAM_NONE)
			add(list, PROGRAM_MISSING_SOURCE, i, frame->at);
	}
}

size_t program_list_missing(const struct program *program, struct program_missing *missing,
                            size_t max)
{
	const struct program_unresolved *u = &program->unresolved;
	struct list list = { missing, 0, max };
	struct search s = { .program = program };

	if (!u->graphs && !u->ops && !u->frames && !u->sources)
		return 0;
	s.graphs = mem_alloc((program->graphs.len + 1) * sizeof *s.graphs);
	s.nodes = mem_alloc((program->nodes.len + 1) * sizeof *s.nodes);
	s.stacks = mem_alloc((program->stacks.len + 1) * sizeof *s.stacks);
	s.frames = mem_alloc((program->frames.len + 1) * sizeof *s.frames);
	look_at_graphs(&s);
	look_at_runs(&s);
	look_at_stacks(&s);
	list_all(&s, &list);
	free(s.graphs);
	free(s.nodes);
	free(s.stacks);
	free(s.frames);
	return list.n;
}
