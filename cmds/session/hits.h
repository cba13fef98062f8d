#ifndef CMDS_HITS_H
#define CMDS_HITS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/session/filters.h"
#include "dump/runs.h"

/*
 * How many tensors of a run passed each filter. Kept until the session ends. Tensors are ordered by
 * device, in the order of the directory, and by time within a device. Thread-safe.
 */
struct hit {
	const struct run_entry *entry;
	uint64_t filter;         /* named_filter.id */
	uint64_t tensors;        /* that passed */
	uint64_t unreadable;     /* that could not be asked */
	const char *first;       /* of those that passed: "node:0"; NULL: none did */
	const char *debug_op;
};

struct hits;

struct hits *hits_new(void);
void hits_free(struct hits *hits);

void hits_put(struct hits *hits, const struct hit *hit);         /* copies the texts */
bool hits_get(struct hits *hits, const struct run_entry *entry, uint64_t filter, struct hit *out);

void hits_forget(struct hits *hits, const struct run_entry *entry);

uint64_t hits_version(struct hits *hits);        /* changes whenever a hit is put or forgotten */

/* Sums up the verdicts on all tensors of a run. Texts are in mem. */
struct hit hit_of(const struct run_entry *entry, const struct named_filter *filter,
                  const struct run *run, const unsigned char *verdicts, struct arena *mem);

/*
 * Name and id of the last filter used; "" and 0: none yet. name has room for FILTER_NAME_MAX bytes.
 */
#define FILTER_NAME_MAX 256
void hits_note_filter(struct hits *hits, const char *name, uint64_t id);
uint64_t hits_last_filter(struct hits *hits, char *name);

#endif
