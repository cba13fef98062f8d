/*
 * tree[1] is the root, tree[i] holds the smaller of tree[2i] and tree[2i + 1]; a row that is not
 * there yet ends at INT64_MAX, so it is never taken.
 */
#include "dump/profile/packing.h"

#define FIRST_LEAVES 16

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void grow(struct packing *packing)
{
	uint32_t leaves = packing->leaves ? packing->leaves * 2 : FIRST_LEAVES;
	int64_t *old = packing->tree.at;

	packing->tree.at = mem_alloc(2 * (size_t)leaves * sizeof *packing->tree.at);
	packing->tree.len = packing->tree.cap = 2 * (size_t)leaves;
	for (uint32_t i = 0; i < leaves; i++)
		packing->tree.at[leaves + i] = i < packing->rows ? old[packing->leaves + i]
		                                                 : INT64_MAX;
	for (uint32_t i = leaves - 1; i; i--)
		packing->tree.at[i] = smaller(packing->tree.at[2 * i], packing->tree.at[2 * i + 1]);
	free(old);
	packing->leaves = leaves;
}

static void set(struct packing *packing, uint32_t row, int64_t end)
{
	int64_t *tree = packing->tree.at;
	size_t i = packing->leaves + row;

	tree[i] = end;
	for (i /= 2; i; i /= 2)
		tree[i] = smaller(tree[2 * i], tree[2 * i + 1]);
}

uint32_t packing_put(struct packing *packing, int64_t start, int64_t end)
{
	size_t i = 1;
	uint32_t row;

	if (!packing->leaves) {
		grow(packing);
		packing->rows = 1;
		set(packing, 0, 0);
	}
	if (packing->tree.at[1] < start) {
		while (i < packing->leaves)
			i = packing->tree.at[2 * i] < start ? 2 * i : 2 * i + 1;
		row = (uint32_t)(i - packing->leaves);
	} else {
		if (packing->rows == packing->leaves)
			grow(packing);
		row = packing->rows++;
	}
	set(packing, row, end);
	return row;
}

void packing_release(struct packing *packing)
{
	vec_release(&packing->tree);
	*packing = (struct packing){0};
}
