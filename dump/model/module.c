#include "dump/model/module.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/model/graph_parts.h"
#include "dump/model/module_build.h"

/* Of a stack: a damaged one may go round in a circle. Of all of them: the rest have one each. */
enum { FRAMES_MAX = 256, FRAMES_IN_ALL = 1 << 24 };

void module_free(struct module *module)
{
	if (!module)
		return;
	vec_release(&module->computations);
	vec_release(&module->instructions);
	vec_release(&module->called);
	vec_release(&module->frames);
	free(module);
}

const struct module *graph_module(const struct graph *graph)
{
	return graph->module;
}

const struct called *module_called(const struct module *module, uint32_t instruction, size_t *n)
{
	size_t first = module->instructions.at[instruction].first_called;
	size_t end = instruction + 1 < module->instructions.len
	             ? module->instructions.at[instruction + 1].first_called : module->called.len;

	*n = end - first;
	return vec_from(&module->called, first);
}

uint32_t module_find(const struct module *module, const char *name)
{
	for (uint32_t i = 0; i < module->computations.len; i++)
		if (!strcmp(module->computations.at[i].name, name))
			return i;
	return MODULE_NONE;
}

/* Stacks of a module, while they are made: files and frames have the numbers of the maps. */
struct stacking {
	const struct module *module;
	struct stacks *stacks;
	struct map files, frames;
	struct str key;
	struct { size_t first; uint32_t n; } *made;      /* by innermost frame; n 0: not yet */
};

static uint32_t file_number(struct stacking *s, const char *file)
{
	uint32_t id = map_add(&s->files, &s->stacks->mem, file, strlen(file));

	if (id == s->stacks->files.len)
		vec_push(&s->stacks->files, s->files.key[id]);
	return id;
}

static uint32_t frame_number(struct stacking *s, const char *file, uint32_t line,
                             const char *function)
{
	struct stack_frame frame = { .file = file_number(s, file), .line = line };
	uint32_t id;

	str_reset(&s->key);
	str_fmt(&s->key, "%u:%u:%s", frame.file, line, function ? function : "");
	id = map_add(&s->frames, &s->stacks->mem, s->key.text, s->key.len);
	frame.function = strchr(strchr(s->frames.key[id], ':') + 1, ':') + 1;
	if (id == s->stacks->frames.len)
		vec_push(&s->stacks->frames, frame);
	return id;
}

/* Outermost first. */
static void put_frames(struct stacking *s, uint32_t innermost)
{
	const struct module *module = s->module;
	uint32_t stack[FRAMES_MAX], n = 0;
	uint32_t max = s->stacks->stack.len < FRAMES_IN_ALL ? FRAMES_MAX : 1;

	for (uint32_t at = innermost; at && n < max; at = module->frames.at[at - 1].parent)
		stack[n++] = at;
	while (n) {
		const struct module_frame *frame = &module->frames.at[stack[--n] - 1];

		if (frame->file)
			vec_push(&s->stacks->stack,
			         frame_number(s, frame->file, frame->line, frame->function));
	}
}

/* Many instructions have the same one. */
static void put_stack(struct stacking *s, const struct instruction *at, struct stack_node *node)
{
	struct stacks *stacks = s->stacks;

	if (at->frame && s->made[at->frame].n) {
		node->first = s->made[at->frame].first;
		node->n_frames = s->made[at->frame].n;
		return;
	}
	node->first = stacks->stack.len;
	if (at->frame)
		put_frames(s, at->frame);
	else
		vec_push(&stacks->stack, frame_number(s, at->file, at->line, NULL));
	node->n_frames = (uint32_t)(stacks->stack.len - node->first);
	s->made[at->frame].first = node->first;
	s->made[at->frame].n = node->n_frames;
}

struct stacks *module_stacks(const struct graph *graph)
{
	struct stacking s = { .module = graph->module, .stacks = mem_alloc(sizeof *s.stacks) };
	struct stacks *stacks = s.stacks;

	stacks->cwd = "";
	s.made = mem_alloc((s.module->frames.len + 1) * sizeof *s.made);
	for (uint32_t i = 0; i < s.module->instructions.len; i++) {
		struct stack_node node = { .name = graph_name(graph, i), .outputs = 1 };

		if (!s.module->instructions.at[i].file)
			continue;
		node.name = arena_copy(&stacks->mem, node.name, strlen(node.name));
		node.op = arena_copy(&stacks->mem, graph_op(graph, i), strlen(graph_op(graph, i)));
		put_stack(&s, &s.module->instructions.at[i], &node);
		vec_push(&stacks->nodes, node);
	}
	free(s.made);
	map_release(&s.files);
	map_release(&s.frames);
	str_release(&s.key);
	stacks_sort(stacks);
	if (stacks->nodes.len)
		return stacks;
	stacks_close(stacks);
	return NULL;
}
