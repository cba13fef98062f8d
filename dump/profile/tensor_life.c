#include "dump/profile/tensor_life.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/label.h"

uint32_t life_begin(struct tensor_lives *lives, const char *name, size_t len, bool name_stays,
                    const struct tensor_life *life, const char *allocator)
{
	uint64_t object = lives->names.len;
	uint32_t id = name_stays ? map_add_lasting(&lives->names, name, len) :
	              map_add(&lives->names, &lives->mem, name, len);
	struct tensor_life *at;

	if (id == lives->at.len)
		vec_add(&lives->at);
	at = &lives->at.at[id];
	*at = *life;
	at->object = object;
	at->allocator = map_add(&lives->allocators, &lives->mem, allocator, strlen(allocator));
	return id;
}

uint32_t life_use(struct tensor_lives *lives, const char *input, size_t len, int64_t end_us)
{
	uint32_t id = map_find(&lives->names, input, len);

	for (size_t i = len; id == MAP_NONE && i-- > 1; )
		if (input[i] == '/' && i + 1 < len && input[i + 1] == '_') {
			id = map_find(&lives->names, input, i);
			break;
		}
	if (id != MAP_NONE && end_us > lives->at.at[id].to_us)
		lives->at.at[id].to_us = end_us - 1;
	return id;
}

uint32_t life_made(struct tensor_lives *lives, const char *node, bool node_stays, size_t i,
                   const struct node_output *output, const struct tensor_life *life)
{
	const struct allocation *from = &output->allocation;
	const char *allocator = output->has_allocation && from->allocator ? from->allocator : "";
	struct tensor_life made = *life;

	made.bytes = output->has_allocation ? from->requested : 0;
	if (!i)
		return life_begin(lives, node, strlen(node), node_stays, &made, allocator);
	str_reset(&lives->scratch);
	str_fmt(&lives->scratch, "%s:%zu", node, i);
	return life_begin(lives, lives->scratch.text, lives->scratch.len, false, &made, allocator);
}

bool life_taken(struct tensor_lives *lives, struct text *inputs, int64_t end_us, uint32_t *tensor)
{
	struct text input;

	*tensor = MAP_NONE;
	while (*tensor == MAP_NONE && label_input(inputs, &input))
		*tensor = life_use(lives, input.at, input.len, end_us);
	return *tensor != MAP_NONE;
}

void lives_release(struct tensor_lives *lives)
{
	str_release(&lives->scratch);
	map_release(&lives->names);
	map_release(&lives->allocators);
	vec_release(&lives->at);
	arena_release(&lives->mem);
}

static int event_order(const void *a, const void *b, void *lives)
{
	const struct life_event *p = a, *q = b;
	const struct tensor_lives *l = lives;

	if (p->us != q->us)
		return p->us < q->us ? -1 : 1;
	if (p->bytes != q->bytes)
		return p->bytes < q->bytes ? -1 : 1;
	return p->tensor == q->tensor ? 0
	                              : strcmp(l->names.key[p->tensor], l->names.key[q->tensor]);
}

/* Sorted allocator by allocator, which needs less extra memory than all at once. */
void life_events_of(const struct tensor_lives *lives, struct life_events *out, size_t **first)
{
	size_t n = lives->allocators.len, *next = mem_alloc((n + 1) * sizeof *next);

	*first = mem_alloc((n + 2) * sizeof **first);
	for (size_t i = 0; i < lives->at.len; i++)
		(*first)[lives->at.at[i].allocator + 1] += 2;
	for (size_t i = 0; i < n; i++) {
		(*first)[i + 1] += (*first)[i];
		next[i] = (*first)[i];
	}
	vec_reserve(&out->at, 2 * lives->at.len + 1);
	out->at.len = 2 * lives->at.len;
	for (uint32_t i = 0; i < lives->at.len; i++) {
		const struct tensor_life *life = &lives->at.at[i];
		int64_t back = life->bytes > INT64_MIN ? -life->bytes : INT64_MAX;

		out->at.at[next[life->allocator]++] = (struct life_event){
			life->from_us, life->bytes, i,
		};
		out->at.at[next[life->allocator]++] = (struct life_event){ life->to_us, back, i };
	}
	for (size_t i = 0; i < n; i++)
		if ((*first)[i + 1] > (*first)[i])
			qsort_r(out->at.at + (*first)[i], (*first)[i + 1] - (*first)[i],
			        sizeof *out->at.at, event_order, (void *)lives);
	free(next);
}
