/*
 * Introspective sort: quicksort with the median of three as pivot down to runs of 16, heap sort
 * where that goes too deep, and an insertion sort over everything at the end.
 */
#include "cmds/lang/std_sort.h"

enum { RUN = 16 };

struct order {
	std_less *less;
	const void *context;
};

static bool before(const struct order *order, uint32_t a, uint32_t b)
{
	return order->less(order->context, a, b);
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t t = *a;

	*a = *b;
	*b = t;
}

/* Heaps, the largest on top. */
static void sift(uint32_t *at, size_t hole, size_t n, uint32_t value, const struct order *order)
{
	size_t top = hole, child = hole;

	while (child < (n - 1) / 2) {
		child = 2 * (child + 1);
		if (before(order, at[child], at[child - 1]))
			child--;
		at[hole] = at[child];
		hole = child;
	}
	if (n % 2 == 0 && child == (n - 2) / 2) {
		child = 2 * (child + 1);
		at[hole] = at[child - 1];
		hole = child - 1;
	}
	while (hole > top && before(order, at[(hole - 1) / 2], value)) {
		at[hole] = at[(hole - 1) / 2];
		hole = (hole - 1) / 2;
	}
	at[hole] = value;
}

static void heap_sort(uint32_t *at, size_t n, const struct order *order)
{
	for (size_t i = (n - 2) / 2 + 1; i-- > 0; )
		sift(at, i, n, at[i], order);
	for (size_t left = n; left > 1; left--) {
		uint32_t value = at[left - 1];

		at[left - 1] = at[0];
		sift(at, 0, left - 1, value, order);
	}
}

/* The median of at[1], at[n / 2] and at[n - 1] goes to at[0]. */
static void choose_pivot(uint32_t *at, size_t n, const struct order *order)
{
	uint32_t *a = &at[1], *b = &at[n / 2], *c = &at[n - 1], *median;

	if (before(order, *a, *b))
		median = before(order, *b, *c) ? b : before(order, *a, *c) ? c : a;
	else
		median = before(order, *a, *c) ? a : before(order, *b, *c) ? c : b;
	swap(at, median);
}

/* Where the right part begins. */
static size_t partition(uint32_t *at, size_t n, const struct order *order)
{
	size_t left = 1, right = n;

	choose_pivot(at, n, order);
	for (;;) {
		while (before(order, at[left], at[0]))
			left++;
		right--;
		while (before(order, at[0], at[right]))
			right--;
		if (left >= right)
			return left;
		swap(&at[left++], &at[right]);
	}
}

/* Recursion goes as deep as `depth` says. */
static void sort_roughly(uint32_t *at, size_t n, int depth, const struct order *order)
{
	while (n > RUN) {
		size_t cut;

		if (depth-- == 0) {
			heap_sort(at, n, order);
			return;
		}
		cut = partition(at, n, order);
		sort_roughly(at + cut, n - cut, depth, order);
		n = cut;
	}
}

static void insert(uint32_t *at, size_t i, const struct order *order)
{
	uint32_t value = at[i];

	while (i > 0 && before(order, value, at[i - 1])) {
		at[i] = at[i - 1];
		i--;
	}
	at[i] = value;
}

void std_sort(uint32_t *at, size_t n, std_less *less, const void *context)
{
	struct order order = { less, context };
	int depth = 0;

	for (size_t k = n; k > 1; k >>= 1)
		depth += 2;
	sort_roughly(at, n, depth, &order);
	for (size_t i = 1; i < n; i++)
		insert(at, i, &order);
}
