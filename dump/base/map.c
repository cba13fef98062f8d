/* Open addressing with linear probing over ids; the table is at most half full. */
#include "dump/base/map.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#ifndef MAP_SLOTS
#define MAP_SLOTS 64
#endif

/* FNV-1a over 8 bytes at a time, with a final mix: names share long prefixes. */
static uint32_t hash_of(const char *name, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u ^ len;

	while (len >= 8) {
		uint64_t word;

		memcpy(&word, name, 8);
		h = (h ^ word) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
		name += 8;
		len -= 8;
	}
	while (len--)
		h = (h ^ (unsigned char)*name++) * 0x100000001b3u;
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	return (uint32_t)(h ^ h >> 32);
}

static uint32_t *place_of(const struct map *map, const char *name, size_t len, uint32_t hash)
{
	size_t i = hash & (map->n_slots - 1);

	for (;;) {
		uint32_t id = map->slot[i];

		if (!id || (map->hash[id - 1] == hash && strlen(map->key[id - 1]) == len &&
		            !memcmp(map->key[id - 1], name, len)))
			return &map->slot[i];
		i = (i + 1) & (map->n_slots - 1);
	}
}

static void grow(struct map *map)
{
	size_t n = map->n_slots ? map->n_slots * 2 : MAP_SLOTS;

	free(map->slot);
	map->slot = mem_alloc(n * sizeof *map->slot);
	map->n_slots = n;
	for (size_t id = 0; id < map->len; id++) {
		size_t i = map->hash[id] & (n - 1);

		while (map->slot[i])
			i = (i + 1) & (n - 1);
		map->slot[i] = (uint32_t)id + 1;
	}
}

uint32_t map_find(const struct map *map, const char *name, size_t len)
{
	return map->n_slots ? *place_of(map, name, len, hash_of(name, len)) - 1 : MAP_NONE;
}

/* The id of a name; a new one's key is left to the caller. */
static uint32_t find_or_add(struct map *map, const char *name, size_t len, bool *is_new)
{
	uint32_t hash = hash_of(name, len), *place;

	assert(!memchr(name, '\0', len));
	assert(map->hash || !map->len);
	if ((map->len + 1) * 2 > map->n_slots)
		grow(map);
	place = place_of(map, name, len, hash);
	*is_new = !*place;
	if (*place)
		return *place - 1;
	if (map->len == map->cap) {
		map->cap = map->cap ? map->cap * 2 : MAP_SLOTS / 2;
		map->key = mem_realloc(map->key, map->cap * sizeof *map->key);
		map->hash = mem_realloc(map->hash, map->cap * sizeof *map->hash);
	}
	map->hash[map->len++] = hash;
	*place = (uint32_t)map->len;
	return *place - 1;
}

uint32_t map_add(struct map *map, struct arena *mem, const char *name, size_t len)
{
	bool is_new;
	uint32_t id = find_or_add(map, name, len, &is_new);

	if (is_new)
		map->key[id] = arena_copy(mem, name, len);
	return id;
}

uint32_t map_add_lasting(struct map *map, const char *name, size_t len)
{
	bool is_new;
	uint32_t id = find_or_add(map, name, len, &is_new);

	if (is_new)
		map->key[id] = name;
	return id;
}

void map_seal(struct map *map)
{
	free(map->hash);
	free(map->slot);
	map->hash = map->slot = NULL;
	map->n_slots = 0;
}

void map_release(struct map *map)
{
	free(map->key);
	free(map->hash);
	free(map->slot);
	*map = (struct map){0};
}
