/* A list by the number of run and filter; entry NULL: it was forgotten. */
#include "cmds/session/hits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/by_entry.h"
#include "dump/base/mem.h"

struct hits {
	pthread_mutex_t lock;
	struct by_entry numbers;
	VEC(struct hit) list;
	struct arena mem;
	uint64_t version;
	uint64_t last_filter;
	char last_name[FILTER_NAME_MAX];
};

struct hits *hits_new(void)
{
	struct hits *hits = mem_alloc(sizeof *hits);

	pthread_mutex_init(&hits->lock, NULL);
	return hits;
}

void hits_free(struct hits *hits)
{
	vec_release(&hits->list);
	by_entry_release(&hits->numbers);
	pthread_mutex_destroy(&hits->lock);
	arena_release(&hits->mem);
	free(hits);
}

void hits_put(struct hits *hits, const struct hit *hit)
{
	struct hit *at;
	uint32_t number;

	pthread_mutex_lock(&hits->lock);
	number = by_entry_add(&hits->numbers, hit->entry, hit->filter);
	at = number == hits->list.len ? vec_add(&hits->list) : &hits->list.at[number];
	if (!at->entry) {
		*at = *hit;
		hits->version++;
		if (hit->first) {
			at->first = arena_copy(&hits->mem, hit->first, strlen(hit->first));
			at->debug_op = arena_copy(&hits->mem, hit->debug_op, strlen(hit->debug_op));
		}
	}
	pthread_mutex_unlock(&hits->lock);
}

bool hits_get(struct hits *hits, const struct run_entry *entry, uint64_t filter, struct hit *out)
{
	uint32_t number;
	bool found;

	pthread_mutex_lock(&hits->lock);
	number = by_entry_find(&hits->numbers, entry, filter);
	found = number != MAP_NONE && hits->list.at[number].entry;
	if (found)
		*out = hits->list.at[number];
	pthread_mutex_unlock(&hits->lock);
	return found;
}

void hits_forget(struct hits *hits, const struct run_entry *entry)
{
	pthread_mutex_lock(&hits->lock);
	for (size_t i = 0; i < hits->list.len; i++)
		if (hits->list.at[i].entry == entry)
			hits->list.at[i].entry = NULL;
	hits->version++;
	pthread_mutex_unlock(&hits->lock);
}

uint64_t hits_version(struct hits *hits)
{
	uint64_t version;

	pthread_mutex_lock(&hits->lock);
	version = hits->version;
	pthread_mutex_unlock(&hits->lock);
	return version;
}

static void take_first(struct hit *hit, const struct run *run, const struct tensor *t,
                       struct arena *mem)
{
	struct str name = {0};

	run_put_name(run, t, &name);
	hit->first = arena_copy(mem, name.text, name.len);
	hit->debug_op = arena_copy(mem, run->debug_ops.key[t->debug_op],
	                           strlen(run->debug_ops.key[t->debug_op]));
	str_release(&name);
}

struct hit hit_of(const struct run_entry *entry, const struct named_filter *filter,
                  const struct run *run, const unsigned char *verdicts, struct arena *mem)
{
	struct hit hit = { .entry = entry, .filter = filter->id };
	const struct tensor *first = NULL;

	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		hit.unreadable += (verdicts[i] & VERDICT_UNREADABLE) != 0;
		if (!(verdicts[i] & VERDICT_PASSES))
			continue;
		hit.tensors++;
		if (!first || t->device < first->device)
			first = t;
	}
	if (first)
		take_first(&hit, run, first, mem);
	return hit;
}

void hits_note_filter(struct hits *hits, const char *name, uint64_t id)
{
	pthread_mutex_lock(&hits->lock);
	snprintf(hits->last_name, sizeof hits->last_name, "%s", name);
	hits->version += hits->last_filter != id;
	hits->last_filter = id;
	pthread_mutex_unlock(&hits->lock);
}

uint64_t hits_last_filter(struct hits *hits, char *name)
{
	uint64_t id;

	pthread_mutex_lock(&hits->lock);
	id = hits->last_filter;
	memcpy(name, hits->last_name, FILTER_NAME_MAX);
	pthread_mutex_unlock(&hits->lock);
	return id;
}
