#include "cmds/tensor/tensor_list_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/survey.h"
#include "dump/base/mem.h"
#include "dump/base/numbered.h"

/* Compares name and slot as one text: "a:10" comes before "a:2". */
static int compare_names(const struct tensor *t, const struct tensor *u)
{
	char slot[2][16];
	size_t n;

	if (t->node == u->node) {
		snprintf(slot[0], sizeof slot[0], "%u", t->slot);
		snprintf(slot[1], sizeof slot[1], "%u", u->slot);
		return strcmp(slot[0], slot[1]);
	}
	for (n = 0; t->node[n] && t->node[n] == u->node[n]; n++)
		;
	return (int)(t->node[n] ? (unsigned char)t->node[n] : ':') -
	       (int)(u->node[n] ? (unsigned char)u->node[n] : ':');
}

/* -INFINITY: it isn't known, or there is none. */
static double bad_number(const struct vitals *v)
{
	return vitals_is_told(v) ? (double)vitals_n_bad(v) : -INFINITY;
}

static double end_number(const struct vitals *v, bool max)
{
	return v->has_ends ? number_of(v->type, max ? v->max : v->min) : -INFINITY;
}

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

/* What is not known comes before all that is. */
static int compare_vitals(const struct vitals *a, const struct vitals *b, enum sort_key key)
{
	bool max = key == BY_MAX;
	int order;

	if (!a || !b || !a->type || !b->type)
		return (a && a->type) - (b && b->type);
	switch (key) {
	case BY_DTYPE:
		return strcmp(a->type->name, b->type->name);
	case BY_SHAPE:
		order = (a->rank > b->rank) - (a->rank < b->rank);
		for (uint32_t i = 0; i < a->rank && !order; i++)
			order = (a->dim[i] > b->dim[i]) - (a->dim[i] < b->dim[i]);
		return order;
	case BY_BAD:
		return compare_numbers(bad_number(a), bad_number(b));
	default:
		return compare_numbers(end_number(a, max), end_number(b, max));
	}
}

struct sorting {
	const struct tensor_list *list;
	enum sort_key key;
};

static int compare_keys(const void *a, const void *b, void *context)
{
	const struct sorting *by = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct tensor *t = &by->list->run->tensors.at[i], *u = &by->list->run->tensors.at[k];

	switch (by->key) {
	case BY_OP_TYPE:
		return strcmp(tensor_list_op(by->list, i), tensor_list_op(by->list, k));
	case BY_TENSOR_NAME:
		return compare_names(t, u);
	default:
		return compare_vitals(tensor_list_vitals(by->list, i),
		                      tensor_list_vitals(by->list, k), by->key);
	}
}

/* All tensors, node by node as found, which is nearly the order of names. */
static void list_by_node(const struct run *run, uint32_t *order)
{
	for (uint32_t node = 0; node < run->nodes.len; node++) {
		size_t n;
		const uint32_t *at = run_node_tensors(run, node, &n);

		memcpy(order, at, n * sizeof *at);
		order += n;
	}
}

/* Another step has other times, a file may be whole by then: their ranks belong to the list. */
static uint32_t **ranks_by(struct tensor_list *list, enum sort_key key)
{
	return key < N_SORT_KEYS ? &list->ranks[key] : &list->own_ranks[key - N_SORT_KEYS];
}

static bool is_number(enum sort_key key)
{
	return key == BY_TIMESTAMP || key == BY_DUMP_SIZE || key == BY_HOST_TIME
	       || key == BY_KERNEL_TIME;
}

/* Of such a key. */
static int64_t number_of_tensor(const struct tensor_list *list, uint32_t at, enum sort_key key)
{
	const struct tensor *t = &list->run->tensors.at[at];

	return key == BY_TIMESTAMP   ? t->time_us
	       : key == BY_DUMP_SIZE ? t->size_bytes
	                             : tensor_list_time(list, at, key);
}

static void rank_by_number(const struct tensor_list *list, enum sort_key key, uint32_t *ranks)
{
	uint32_t n = (uint32_t)list->run->tensors.len, rank = 0;
	struct numbered *rows = mem_alloc(2 * (size_t)n * sizeof *rows);

	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct numbered){ numbered_key(number_of_tensor(list, i, key)), i };
	numbered_sort(rows, rows + n, n);
	for (uint32_t i = 0; i < n; i++) {
		rank += i && rows[i - 1].key != rows[i].key;
		ranks[rows[i].row] = rank;
	}
	free(rows);
}

static void rank_by_comparing(const struct tensor_list *list, enum sort_key key, uint32_t *ranks)
{
	struct sorting by = { list, key };
	uint32_t n = (uint32_t)list->run->tensors.len, rank = 0;
	uint32_t *order = mem_alloc(n * sizeof *order);

	list_by_node(list->run, order);
	qsort_r(order, n, sizeof *order, compare_keys, &by);
	for (uint32_t i = 0; i < n; i++) {
		rank += i && compare_keys(&order[i - 1], &order[i], &by);
		ranks[order[i]] = rank;
	}
	free(order);
}

/* Ranks the tensors of the run by a key, from 0; equal ones share a rank. Once for each key. */
static void find_ranks(struct tensor_list *list, enum sort_key key)
{
	uint32_t **ranks = ranks_by(list, key);

	if (*ranks)
		return;
	*ranks = mem_alloc(list->run->tensors.len * sizeof **ranks);
	(is_number(key) ? rank_by_number : rank_by_comparing)(list, key, *ranks);
}

static size_t rank_of(struct tensor_list *list, uint32_t at, enum sort_key key, bool reverse)
{
	uint32_t rank = (*ranks_by(list, key))[at];

	return reverse ? list->run->tensors.len - 1 - rank : rank;
}

/* A counting sort by rank: equal rows keep their order in either direction. */
void tensor_list_sort(struct tensor_list *list, enum sort_key key, bool reverse)
{
	size_t n = list->run->tensors.len, n_rows = list->rows.len;
	uint32_t *next = mem_alloc((n + 1) * sizeof *next);  /* by rank: where its next row goes */
	uint32_t *sorted = mem_alloc(n_rows * sizeof *sorted);

	find_ranks(list, key);
	for (size_t i = 0; i < n_rows; i++)
		next[rank_of(list, list->rows.at[i], key, reverse) + 1]++;
	for (size_t rank = 0; rank < n; rank++)
		next[rank + 1] += next[rank];
	for (size_t i = 0; i < n_rows; i++)
		sorted[next[rank_of(list, list->rows.at[i], key, reverse)]++] = list->rows.at[i];
	vec_release(&list->rows);
	list->rows.at = sorted;
	list->rows.len = list->rows.cap = n_rows;
	free(next);
}
