#include "dump/profile/id_map.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

static size_t place_of(const struct id_map *map, int64_t id)
{
	uint64_t h = (uint64_t)id * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = map->n_places - 1, i = (size_t)(h ^ h >> 32) & mask;

	while (map->value[i] != MAP_NONE && map->key[i] != id)
		i = (i + 1) & mask;
	return i;
}

static void grow(struct id_map *map)
{
	struct id_map old = *map;

	map->n_places = old.n_places ? old.n_places * 2 : 64;
	map->key = mem_alloc(map->n_places * sizeof *map->key);
	map->value = mem_alloc(map->n_places * sizeof *map->value);
	memset(map->value, 0xff, map->n_places * sizeof *map->value);
	for (size_t i = 0; i < old.n_places; i++)
		if (old.value[i] != MAP_NONE) {
			size_t at = place_of(map, old.key[i]);

			map->key[at] = old.key[i];
			map->value[at] = old.value[i];
		}
	free(old.key);
	free(old.value);
}

uint32_t *id_map_place(struct id_map *map, int64_t id)
{
	size_t at;

	if ((map->len + 1) * 2 > map->n_places)
		grow(map);
	at = place_of(map, id);
	if (map->value[at] == MAP_NONE) {
		map->key[at] = id;
		map->len++;
	}
	return &map->value[at];
}

uint32_t id_map_find(const struct id_map *map, int64_t id)
{
	return map->n_places ? map->value[place_of(map, id)] : MAP_NONE;
}

void id_map_release(struct id_map *map)
{
	free(map->key);
	free(map->value);
	*map = (struct id_map){0};
}
