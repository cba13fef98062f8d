/*
 * A copy that more is added to while the program itself is in use. All lists are copied, texts are
 * not: they stay in the program's memory, which goes over to the copy when that takes its place.
 * What program_join makes is left out, as it is made again.
 */
#include "dump/model/program_parts.h"

#include <string.h>

static void *copy_of(const void *at, size_t size)
{
	void *copy = mem_alloc(size);

	if (size)
		memcpy(copy, at, size);
	return copy;
}

/* The elements of a list that was copied as it is. */
#define COPY(v) \
	((v)->at = copy_of((v)->at, (v)->len * sizeof *(v)->at), (v)->cap = (v)->len)

static void copy_map(struct map *map)
{
	map->cap = map->len;
	map->key = copy_of(map->key, map->len * sizeof *map->key);
	map->hash = copy_of(map->hash, map->len * sizeof *map->hash);
	map->slot = copy_of(map->slot, map->n_slots * sizeof *map->slot);
}

static void copy_triples(struct triples *table)
{
	COPY(table);
	table->slot = copy_of(table->slot, table->n_slots * sizeof *table->slot);
}

static struct program_join *copy_join(const struct program_join *from)
{
	struct program_join *join = mem_alloc(sizeof *join);

	join->texts = from->texts;
	join->graph_ids = from->graph_ids;
	join->frame_ids = from->frame_ids;
	join->nodes = from->nodes;
	join->keys = from->keys;
	join->sources = from->sources;
	join->stacks = from->stacks;
	memcpy(&join->frame_of, &from->frame_of, sizeof join->frame_of);
	memcpy(&join->inputs, &from->inputs, sizeof join->inputs);
	copy_map(&join->texts);
	copy_map(&join->graph_ids);
	copy_map(&join->frame_ids);
	copy_triples(&join->nodes);
	copy_triples(&join->keys);
	copy_triples(&join->sources);
	copy_triples(&join->stacks);
	COPY(&join->frame_of);
	COPY(&join->inputs);
	return join;
}

struct program *program_copy(const struct program *from)
{
	struct program *program = mem_alloc(sizeof *program);

	*program = *from;
	program->mem = (struct arena){0};
	program->is_copy = true;
	program->reading = NULL;
	program->join = copy_join(from->join);
	COPY(&program->sets);
	COPY(&program->damage);
	COPY(&program->devices);
	COPY(&program->graphs);
	COPY(&program->nodes);
	COPY(&program->ops);
	COPY(&program->steps);
	COPY(&program->entries);
	COPY(&program->traces);
	COPY(&program->keys);
	COPY(&program->sources);
	COPY(&program->batches);
	COPY(&program->frames);
	COPY(&program->stacks);
	COPY(&program->stack_frames);
	COPY(&program->ids);
	COPY(&program->modes);
	COPY(&program->graph_order);
	COPY(&program->frame_order);
	return program;
}

void program_take(struct program *program, struct program *now)
{
	struct program old = *program;

	if (now->is_copy)
		arena_join(&now->mem, &old.mem);
	now->generation = old.generation + !now->is_copy;
	now->is_copy = false;
	*program = *now;
	*now = old;
	program_close(now);
}
