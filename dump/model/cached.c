#include "dump/model/cached.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

void cached_put_number(struct cache_writer *out, uint64_t number)
{
	cache_put(out, &number, sizeof number);
}

void cached_put_text(struct cache_writer *out, const char *text)
{
	uint64_t len = text ? strlen(text) + 1 : 0;

	cached_put_number(out, len);
	cache_put(out, text, len);
}

/* Names in their order, then the table, so that none is looked up again. */
void cached_put_map(struct cache_writer *out, const struct map *map)
{
	uint64_t bytes = 0;

	for (size_t id = 0; id < map->len; id++)
		bytes += strlen(map->key[id]) + 1;
	cached_put_number(out, map->len);
	cached_put_number(out, map->n_slots);
	cached_put_number(out, bytes);
	cache_put(out, map->hash, map->len * sizeof *map->hash);
	cache_put(out, map->slot, map->n_slots * sizeof *map->slot);
	for (size_t id = 0; id < map->len; id++)
		cache_put(out, map->key[id], strlen(map->key[id]) + 1);
}

bool cached_number(struct cache_reader *in, uint64_t *number)
{
	return cache_get(in, number, sizeof *number);
}

const char *cached_texts(struct cache_reader *in, struct arena *mem, uint64_t len)
{
	char *texts = len <= cache_left(in) ? arena_try(mem, (size_t)len + 1) : NULL;

	if (!texts || !cache_get(in, texts, len) || (len && texts[len - 1]))
		return NULL;
	return texts;
}

bool cached_text(struct cache_reader *in, struct arena *mem, const char **text)
{
	uint64_t len;

	*text = NULL;
	if (!cached_number(in, &len))
		return false;
	if (len)
		*text = cached_texts(in, mem, len);
	return !len || *text;
}

void *cached_list(struct cache_reader *in, uint64_t n, size_t size)
{
	void *list = n <= cache_left(in) / size ? mem_try((size_t)n * size) : NULL;

	if (!list || cache_get(in, list, n * size))
		return list;
	free(list);
	return NULL;
}

/* Where each name begins; false if there are not so many. */
static bool find_names(struct map *map, const char *names, uint64_t bytes)
{
	const char *at = names, *end = names + bytes;

	for (size_t id = 0; id < map->len; id++) {
		if (at >= end)
			return false;
		map->key[id] = at;
		at += strlen(at) + 1;
	}
	return at == end;
}

/* Does each slot lead to a name, and is there a free one for a search to end at? */
static bool slots_are_good(const struct map *map)
{
	uint32_t mask = (uint32_t)(map->n_slots - 1);
	size_t used = 0;

	for (size_t i = 0; i < map->n_slots; i++) {
		if ((map->slot[i] & mask) > map->len)
			return false;
		used += map->slot[i] != 0;
	}
	return used == map->len;
}

bool cached_map(struct cache_reader *in, struct arena *mem, struct map *map)
{
	uint64_t len, n_slots, bytes;
	const char *names;

	if (!cached_number(in, &len) || !cached_number(in, &n_slots) || !cached_number(in, &bytes)
	    || len > n_slots / 2 || n_slots > UINT32_MAX || (n_slots & (n_slots - 1)))
		return false;
	map->hash = cached_list(in, len, sizeof *map->hash);
	map->slot = cached_list(in, n_slots, sizeof *map->slot);
	names = cached_texts(in, mem, bytes);
	if (!map->hash || !map->slot || !names)
		return false;
	map->len = map->cap = (size_t)len;
	map->n_slots = (size_t)n_slots;
	map->key = mem_try(map->len * sizeof *map->key);
	return map->key && find_names(map, names, bytes) && slots_are_good(map);
}
