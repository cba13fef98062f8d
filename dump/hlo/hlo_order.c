#include "dump/hlo/hlo_order.h"

#include <stdbool.h>
#include <stdlib.h>

struct visit {
	uint32_t computation;
	size_t next;             /* of its calls */
};

struct walk {
	const hlo_calls *calls;
	size_t *first;           /* by computation; its end is where the next one's begin */
	bool *seen;
	VEC(struct visit) open;
	uint32_t *order;
	uint32_t n;
};

static int by_place(const void *a, const void *b)
{
	const struct hlo_call *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->instruction != y->instruction)
		return x->instruction < y->instruction ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

static void enter(struct walk *w, uint32_t computation)
{
	if (w->seen[computation])
		return;
	w->seen[computation] = true;
	vec_push(&w->open, ((struct visit){ computation, w->first[computation] }));
}

/* What calls itself, by others or not, is sound in no module: each is entered once. */
static void walk_from(struct walk *w, uint32_t computation)
{
	enter(w, computation);
	while (w->open.len) {
		struct visit *at = vec_last(&w->open);

		if (at->next < w->first[at->computation + 1]) {
			enter(w, w->calls->at[at->next++].to);
		} else {
			w->order[w->n++] = at->computation;
			w->open.len--;
		}
	}
}

void hlo_order(hlo_calls *calls, uint32_t n, uint32_t entry, uint32_t *order)
{
	struct walk w = { .calls = calls, .order = order };
	bool *called = mem_alloc(n + 1);

	if (calls->len)
		qsort(calls->at, calls->len, sizeof *calls->at, by_place);
	w.first = mem_alloc(((size_t)n + 1) * sizeof *w.first);
	w.seen = mem_alloc(n + 1);
	for (size_t i = 0; i < calls->len; i++) {
		w.first[calls->at[i].from + 1]++;
		called[calls->at[i].to] = true;
	}
	for (uint32_t i = 0; i < n; i++)
		w.first[i + 1] += w.first[i];
	if (entry < n)
		walk_from(&w, entry);
	for (uint32_t i = 0; i < n; i++)
		if (!called[i])
			walk_from(&w, i);
	for (uint32_t i = 0; i < n; i++)
		walk_from(&w, i);
	vec_release(&w.open);
	free(w.first);
	free(w.seen);
	free(called);
}
