#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* The number in n bytes, at most 8, the lowest first. */
static inline uint64_t little_endian(const unsigned char *at, size_t n)
{
	uint64_t number = 0;

	while (n-- > 0)
		number = number << 8 | at[n];
	return number;
}

#endif
