#include "cmds/runs/retraced.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/text.h"
#include "dump/base/vec.h"

/* "while_body" of "while_body_70" */
static struct text name_of(const struct program *program, uint32_t graph)
{
	const char *name = program->graphs.at[graph].name, *last = strrchr(name, '_');

	if (last && last[1] && !last[1 + strspn(last + 1, "0123456789")])
		return (struct text){ name, (size_t)(last - name) };
	return (struct text){ name, strlen(name) };
}

static int order_names(const struct program *program, uint32_t a, uint32_t b)
{
	struct text x = name_of(program, a), y = name_of(program, b);
	int order = memcmp(x.at, y.at, x.len < y.len ? x.len : y.len);

	return order ? order : (x.len > y.len) - (x.len < y.len);
}

/* By name, those of a name in the order of their records, which is that of the list. */
struct inner {
	uint32_t graph, place;
};

static int by_name(const void *a, const void *b, void *program)
{
	const struct inner *x = a, *y = b;
	int order = order_names(program, x->graph, y->graph);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static struct inner *inner_by_name(const struct program *program, uint32_t graph, size_t *n)
{
	const uint32_t *list = program_inner(program, graph, n);
	struct inner *inner = mem_alloc((*n + 1) * sizeof *inner);

	for (size_t i = 0; i < *n; i++)
		inner[i] = (struct inner){ list[i], (uint32_t)i };
	if (*n)
		qsort_r(inner, *n, sizeof *inner, by_name, (void *)program);
	return inner;
}

struct pair {
	uint32_t now, before;
};
struct pairs {
	VEC(struct pair) list;   /* whose inner graphs are to be paired */
	uint32_t *of;            /* what is returned */
};

static void add_pair(struct pairs *pairs, uint32_t now, uint32_t before)
{
	if (pairs->of[before] != PROGRAM_NONE)
		return;
	pairs->of[before] = now;
	vec_push(&pairs->list, ((struct pair){ now, before }));
}

static void pair_inner(const struct program *program, struct pairs *pairs, struct pair around)
{
	size_t n_now, n_before, i = 0, k = 0;
	struct inner *now = inner_by_name(program, around.now, &n_now);
	struct inner *before = inner_by_name(program, around.before, &n_before);

	while (i < n_now && k < n_before) {
		int order = order_names(program, now[i].graph, before[k].graph);

		if (!order)
			add_pair(pairs, now[i].graph, before[k].graph);
		i += order <= 0;
		k += order >= 0;
	}
	free(now);
	free(before);
}

uint32_t *retraced_graphs(const struct program *program, uint32_t now, uint32_t before)
{
	struct pairs pairs = { .of = mem_alloc(program->graphs.len * sizeof *pairs.of) };

	for (size_t i = 0; i < program->graphs.len; i++)
		pairs.of[i] = PROGRAM_NONE;
	add_pair(&pairs, now, before);
	while (pairs.list.len)
		pair_inner(program, &pairs, pairs.list.at[--pairs.list.len]);
	vec_release(&pairs.list);
	return pairs.of;
}
