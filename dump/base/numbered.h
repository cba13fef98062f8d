#ifndef BASE_NUMBERED_H
#define BASE_NUMBERED_H

#include <stddef.h>
#include <stdint.h>

/* Rows, and the whole number of each that they are sorted by. */
struct numbered {
	uint64_t key;
	uint32_t row;
};

/* The key of a number that may be negative: it keeps the order. */
static inline uint64_t numbered_key(int64_t number)
{
	return (uint64_t)number ^ UINT64_C(1) << 63;
}

/*
 * By key; rows of equal keys keep their order. Takes time in proportion to n, and none but a look
 * where they are in order. other: room for n too, with anything in it afterwards.
 */
void numbered_sort(struct numbered *rows, struct numbered *other, size_t n);

#endif
