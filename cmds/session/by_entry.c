#include "cmds/session/by_entry.h"

#include <inttypes.h>
#include <stdio.h>

/* A map has names for keys: the address of the entry, as it is printed. Returns its length. */
static size_t put_key(char text[48], const struct run_entry *entry, uint64_t id)
{
	return (size_t)snprintf(text, 48, "%p %" PRIx64, (const void *)entry, id);
}

uint32_t by_entry_find(const struct by_entry *all, const struct run_entry *entry, uint64_t id)
{
	char text[48];

	return map_find(&all->numbers, text, put_key(text, entry, id));
}

uint32_t by_entry_add(struct by_entry *all, const struct run_entry *entry, uint64_t id)
{
	char text[48];

	return map_add(&all->numbers, &all->mem, text, put_key(text, entry, id));
}

void by_entry_release(struct by_entry *all)
{
	map_release(&all->numbers);
	arena_release(&all->mem);
}
