#include "dump/profile/overlap.h"

#include <stdlib.h>

#include "dump/base/mem.h"
#include "dump/profile/busy.h"
#include "dump/profile/time_parts.h"

struct work {
	struct busy compute, collective, both;
	size_t n_kernels, n_collectives;
};

/* By name: is it a collective? 0: not asked yet. */
enum { UNASKED, NO, YES };

static bool is_collective(const struct activities *acts, uint32_t kernel, uint8_t *known)
{
	if (known[kernel] == UNASKED)
		known[kernel] = name_is_collective(acts->names.key[kernel]) ? YES : NO;
	return known[kernel] == YES;
}

static void take_all(const struct activities *acts, struct work *works)
{
	uint8_t *known = mem_alloc(acts->names.len + 1);

	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		struct work *w = &works[a->device];
		bool collective;

		if (a->kind != ACTIVITY_KERNEL)
			continue;
		collective = is_collective(acts, a->kernel, known);
		w->n_kernels++;
		w->n_collectives += collective;
		busy_add(collective ? &w->collective : &w->compute, a->start_ns, a->len_ns);
		busy_add(&w->both, a->start_ns, a->len_ns);
	}
	free(known);
}

void overlap_of(const struct activities *acts, overlap_list *out)
{
	struct work *works = mem_alloc((acts->devices.len + 1) * sizeof *works);

	take_all(acts, works);
	for (size_t i = 0; i < acts->devices.len; i++) {
		struct work *w = &works[i];
		struct overlap *o;

		busy_unite(&w->compute);
		busy_unite(&w->collective);
		busy_unite(&w->both);
		if (w->n_kernels) {
			o = vec_add(out);
			o->device = (uint32_t)i;
			o->n_kernels = w->n_kernels;
			o->n_collectives = w->n_collectives;
			o->collective_ns = busy_ns(&w->collective);
			o->hidden_ns = busy_ns(&w->compute) + o->collective_ns - busy_ns(&w->both);
		}
		busy_release(&w->compute);
		busy_release(&w->collective);
		busy_release(&w->both);
	}
	free(works);
}
