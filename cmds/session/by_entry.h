#ifndef CMDS_BY_ENTRY_H
#define CMDS_BY_ENTRY_H

#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/runs.h"

/*
 * Numbers for runs, in order of arrival, from 0: a place in a list is found as fast among a million
 * runs as among two. id tells apart several things about one run, such as the filters that it was
 * asked with; 0 if there is only one. Start with {0}. Not thread-safe.
 */
struct by_entry {
	/* Private: what has each number; open addressing, at most half full; MAP_NONE is free. */
	VEC(struct by_entry_key { const struct run_entry *entry; uint64_t id; }) keys;
	uint32_t *places;
	size_t n_places;
};

/* The number; MAP_NONE: the run has none yet. */
uint32_t by_entry_find(const struct by_entry *all, const struct run_entry *entry, uint64_t id);
/* The number, or the next one. */
uint32_t by_entry_add(struct by_entry *all, const struct run_entry *entry, uint64_t id);
void by_entry_release(struct by_entry *all);

#endif
