/*
 * What a reader adds. Texts are kept once, in a map. Graphs, nodes, keys and frames are added when
 * they are first named, so a record may refer to a later one.
 */
#include "dump/model/program_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_triple(struct triple t)
{
	uint64_t h = ((uint64_t)t.a << 32 | t.b) * 0x9e3779b97f4a7c15u;

	h = (h ^ h >> 29 ^ t.c) * 0xd6e8feb86659fd93u;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t *triple_slot(const struct triples *table, struct triple t)
{
	size_t mask = table->n_slots - 1;

	for (size_t i = hash_triple(t) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &table->slot[i];
		const struct triple *at;

		if (!*slot)
			return slot;
		at = &table->at[*slot - 1];
		if (at->a == t.a && at->b == t.b && at->c == t.c)
			return slot;
	}
}

static void triples_grow(struct triples *table)
{
	table->n_slots = table->n_slots ? table->n_slots * 2 : 64;
	free(table->slot);
	table->slot = mem_alloc(table->n_slots * sizeof *table->slot);
	for (size_t i = 0; i < table->len; i++)
		*triple_slot(table, table->at[i]) = (uint32_t)i + 1;
}

uint32_t triples_find(const struct triples *table, struct triple triple)
{
	return table->n_slots ? *triple_slot(table, triple) - 1 : PROGRAM_NONE;
}

uint32_t triples_add(struct triples *table, struct triple triple)
{
	uint32_t *slot;

	if ((table->len + 1) * 2 > table->n_slots)
		triples_grow(table);
	slot = triple_slot(table, triple);
	if (!*slot) {
		vec_push(table, triple);
		*slot = (uint32_t)table->len;
	}
	return *slot - 1;
}

void triples_release(struct triples *table)
{
	free(table->slot);
	vec_release(table);
	*table = (struct triples){0};
}

/* ---- what records add */

struct program *program_new(const struct program_reader *reader, const char *path)
{
	struct program *program = mem_alloc(sizeof *program);

	program->reader = reader;
	program->join = mem_alloc(sizeof *program->join);
	program->path = arena_copy(&program->mem, path, strlen(path));
	return program;
}

uint32_t program_add_text(struct program *program, const char *text, size_t len)
{
	struct map *texts = &program->join->texts;
	char *clean;
	uint32_t id;

	if (!memchr(text, '\0', len))
		return map_add(texts, &program->mem, text, len);
	clean = mem_alloc(len + 1);
	for (size_t i = 0; i < len; i++)
		clean[i] = text[i] ? text[i] : '?';
	id = map_add(texts, &program->mem, clean, len);
	free(clean);
	return id;
}

const char *program_text(const struct program *program, uint32_t text)
{
	return program->join->texts.key[text];
}

/* The number of a name that was seen for the first time has no element yet. */
static uint32_t add_name(struct program *program, struct map *map, const char *name, size_t len)
{
	uint32_t text = program_add_text(program, name, len);
	const char *lasting = program_text(program, text);

	return map_add_lasting(map, lasting, len);
}

uint32_t program_add_graph(struct program *program, const char *id, size_t len)
{
	uint32_t graph = add_name(program, &program->join->graph_ids, id, len);

	if (graph == program->graphs.len)
		vec_push(&program->graphs, ((struct program_graph){
			.id = program->join->graph_ids.key[graph], .name = "",
			.outer = PROGRAM_NONE,
		}));
	return graph;
}

uint32_t program_add_frame(struct program *program, const char *id, size_t len)
{
	struct program_join *join = program->join;
	size_t known = join->frame_ids.len;
	uint32_t named = add_name(program, &join->frame_ids, id, len);

	if (named < known)
		return join->frame_of.at[named];
	vec_push(&join->frame_of, (uint32_t)program->frames.len);
	vec_push(&program->frames, ((struct program_frame){
		.id = join->frame_ids.key[named], .source = PROGRAM_NONE,
	}));
	return vec_last(&join->frame_of)[0];
}

uint32_t program_add_node(struct program *program, uint32_t graph, uint32_t text)
{
	uint32_t node = triples_add(&program->join->nodes, (struct triple){ graph, text, 0 });

	if (node == program->nodes.len)
		vec_push(&program->nodes, ((struct program_node){
			.graph = graph, .op = PROGRAM_NONE, .name = program_text(program, text),
		}));
	return node;
}

uint32_t program_add_key(struct program *program, uint32_t node, int32_t slot, uint32_t device)
{
	struct triple triple = { node, (uint32_t)slot, device };
	uint32_t key = triples_add(&program->join->keys, triple);

	if (key == program->keys.len)
		vec_push(&program->keys, ((struct program_key){
			.node = node, .slot = slot, .device = program_text(program, device),
		}));
	return key;
}

uint32_t program_add_op_node(struct program *program, uint32_t graph, uint32_t text)
{
	uint32_t first = program_add_node(program, graph, text), node = first;
	uint32_t next = (uint32_t)program->ops.len;
	struct str name = {0};

	while (program->nodes.at[node].op != PROGRAM_NONE) {
		str_reset(&name);
		str_fmt(&name, "%s@%" PRIu32, program->nodes.at[first].name,
		        ++program->nodes.at[first].n_same + 1);
		node = program_add_node(program, graph,
		                        program_add_text(program, name.text, name.len));
	}
	str_release(&name);
	program->n_duplicate_ops += node != first;
	program->nodes.at[node].op = next;
	return node;
}

uint8_t program_add_mode(struct program *program, int64_t mode)
{
	enum { MODES_MAX = 64 };         /* a trace has 6 bits for it */
	size_t i = 0;

	while (i < program->modes.len && program->modes.at[i] != mode)
		i++;
	if (i == program->modes.len && i < MODES_MAX)
		vec_push(&program->modes, mode);
	return (uint8_t)(i < MODES_MAX ? i : MODES_MAX - 1);
}

uint32_t program_add_source(struct program *program, uint32_t host, uint32_t path,
                            struct program_place at)
{
	size_t known = program->join->sources.len;
	struct triple triple = { at.set, host, path };

	if (triples_add(&program->join->sources, triple) < known)
		return PROGRAM_NONE;
	vec_push(&program->sources, ((struct program_source){
		.host = program_text(program, host), .path = program_text(program, path), .at = at,
	}));
	return (uint32_t)program->sources.len - 1;
}
