#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"

/*
 * Names to small numbers, in order of arrival: the first name is 0, the next 1, ...
 * Start with {0}. Names are copied into the caller's arena, once; the map itself costs 12 bytes a
 * name for key[] and hash[], and at most 16 for the table. A name may hold any byte but NUL.
 */
struct map {
	const char **key;       /* key[id] is the name */
	size_t len;             /* names held */
	size_t cap;
	uint32_t *hash;         /* of key[id]: the table is made larger by it */
	uint32_t *slot;         /* id + 1 with bits of the hash above it; 0 is free */
	size_t n_slots;         /* a power of two */
};

#define MAP_NONE UINT32_MAX

uint32_t map_find(const struct map *map, const char *name, size_t len);
/* It will be looked for or added soon: meanwhile its place comes from memory. */
void map_expect(const struct map *map, const char *name, size_t len);
/* The hash of a name, as in map->hash. */
uint32_t map_hash(const char *name, size_t len);
/* Is id's name this one, which has this hash? */
bool map_is(const struct map *map, uint32_t id, uint32_t hash, const char *name, size_t len);
uint32_t map_add(struct map *map, struct arena *mem, const char *name, size_t len);
/* The same for a name that lives as long as the map: it is not copied. */
uint32_t map_add_lasting(struct map *map, const char *name, size_t len);
/* Frees what finding needs: from now on key[] is all there is; nothing can be found or added. */
void map_seal(struct map *map);
void map_release(struct map *map);

#endif
