#ifndef DUMP_PACKING_H
#define DUMP_PACKING_H

#include <stdint.h>

#include "dump/base/vec.h"

/*
 * Puts records of a device into drawing rows, in the order given: each into the first row whose
 * last record ended strictly before it starts, else into a new row. Start with {0}. A row costs 16
 * bytes; finding one takes time logarithmic in their number.
 * Source: tensorflow/python/client/timeline.py, _assign_lanes, whose search is linear.
 */
struct packing {
	VEC(int64_t) tree;       /* smallest end below a place; rows are the leaves */
	uint32_t leaves;         /* a power of two */
	uint32_t rows;
};

uint32_t packing_put(struct packing *packing, int64_t start, int64_t end);      /* the row */
void packing_release(struct packing *packing);

#endif
