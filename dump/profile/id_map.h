#ifndef DUMP_ID_MAP_H
#define DUMP_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "dump/base/map.h"

/* Ids to small numbers; open addressing, at most half full. */
struct id_map {
	int64_t *key;
	uint32_t *value;                 /* MAP_NONE: the place is free */
	size_t len, n_places;
};
/* The value of an id; a new one is MAP_NONE, for the caller to set at once. */
uint32_t *id_map_place(struct id_map *map, int64_t id);
uint32_t id_map_find(const struct id_map *map, int64_t id);
void id_map_release(struct id_map *map);

#endif
