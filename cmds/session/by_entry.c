#include "cmds/session/by_entry.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

/* The place of what has this key, or the free one where it would go. */
static uint32_t *place_of(const struct by_entry *all, const struct run_entry *entry, uint64_t id)
{
	uint64_t h = ((uintptr_t)entry ^ id << 32 ^ id >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	size_t mask = all->n_places - 1, i = (size_t)(h ^ h >> 32) & mask;

	for (;; i = (i + 1) & mask) {
		uint32_t number = all->places[i];

		if (number == MAP_NONE ||
		    (all->keys.at[number].entry == entry && all->keys.at[number].id == id))
			return &all->places[i];
	}
}

static void grow(struct by_entry *all)
{
	all->n_places = all->n_places ? all->n_places * 2 : 64;
	all->places = mem_realloc(all->places, all->n_places * sizeof *all->places);
	memset(all->places, 0xff, all->n_places * sizeof *all->places);
	for (uint32_t i = 0; i < all->keys.len; i++)
		*place_of(all, all->keys.at[i].entry, all->keys.at[i].id) = i;
}

uint32_t by_entry_find(const struct by_entry *all, const struct run_entry *entry, uint64_t id)
{
	return all->n_places ? *place_of(all, entry, id) : MAP_NONE;
}

uint32_t by_entry_add(struct by_entry *all, const struct run_entry *entry, uint64_t id)
{
	uint32_t *place;

	if ((all->keys.len + 1) * 2 > all->n_places)
		grow(all);
	place = place_of(all, entry, id);
	if (*place == MAP_NONE) {
		*place = (uint32_t)all->keys.len;
		vec_push(&all->keys, ((struct by_entry_key){ entry, id }));
	}
	return *place;
}

void by_entry_release(struct by_entry *all)
{
	vec_release(&all->keys);
	free(all->places);
	*all = (struct by_entry){0};
}
