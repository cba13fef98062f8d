/*
 * Open addressing with linear probing; the table is at most half full. A slot holds id + 1 in as
 * many bits as the table's size takes, and above them what is left of the name's hash: names that
 * differ are rarely read.
 */
#include "dump/base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#ifndef MAP_SLOTS
#define MAP_SLOTS 64
#endif

/* FNV-1a over 8 bytes at a time, with a final mix: names share long prefixes. */
uint32_t map_hash(const char *name, size_t len)
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

static bool is_name(const char *key, const char *name, size_t len)
{
	return strlen(key) == len && !memcmp(key, name, len);
}

bool map_is(const struct map *map, uint32_t id, uint32_t hash, const char *name, size_t len)
{
	return map->hash[id] == hash && is_name(map->key[id], name, len);
}

static uint32_t mask_of(const struct map *map)
{
	return (uint32_t)(map->n_slots - 1);
}

static uint32_t *place_of(const struct map *map, const char *name, size_t len, uint32_t hash)
{
	uint32_t mask = mask_of(map);

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &map->slot[i];

		if (!*slot)
			return slot;
		if ((*slot ^ hash) & ~mask)
			continue;
		if (is_name(map->key[(*slot & mask) - 1], name, len))
			return slot;
	}
}

static void grow(struct map *map)
{
	size_t n = map->n_slots ? map->n_slots * 2 : MAP_SLOTS;

	free(map->slot);
	map->slot = mem_alloc_full(n * sizeof *map->slot);
	map->n_slots = n;
	for (size_t id = 0; id < map->len; id++) {
		uint32_t hash = map->hash[id], mask = mask_of(map), i = hash & mask;

		while (map->slot[i])
			i = (i + 1) & mask;
		map->slot[i] = (hash & ~mask) | ((uint32_t)id + 1);
	}
}

uint32_t map_find(const struct map *map, const char *name, size_t len)
{
	if (!map->n_slots)
		return MAP_NONE;
	return (*place_of(map, name, len, map_hash(name, len)) & mask_of(map)) - 1;
}

void map_expect(const struct map *map, const char *name, size_t len)
{
	if (map->n_slots)
		__builtin_prefetch(&map->slot[map_hash(name, len) & mask_of(map)]);
}

/* The id of a name; a new one's key is left to the caller. */
static uint32_t find_or_add(struct map *map, const char *name, size_t len, bool *is_new)
{
	uint32_t hash = map_hash(name, len), *place;

	assert(!memchr(name, '\0', len));
	assert(map->hash || !map->len);
	if ((map->len + 1) * 2 > map->n_slots)
		grow(map);
	place = place_of(map, name, len, hash);
	*is_new = !*place;
	if (*place)
		return (*place & mask_of(map)) - 1;
	if (map->len == map->cap) {
		map->cap = map->cap ? map->cap * 2 : MAP_SLOTS / 2;
		map->key = mem_realloc(map->key, map->cap * sizeof *map->key);
		map->hash = mem_realloc(map->hash, map->cap * sizeof *map->hash);
	}
	map->hash[map->len++] = hash;
	*place = (hash & ~mask_of(map)) | (uint32_t)map->len;
	return (uint32_t)map->len - 1;
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
