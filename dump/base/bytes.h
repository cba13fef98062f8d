#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The number in n bytes, at most 8, the lowest first. */
static inline uint64_t little_endian(const unsigned char *at, size_t n)
{
	uint64_t number = 0;

	if (n == sizeof number) {        /* at once, where compilers make a loop of it */
		memcpy(&number, at, sizeof number);
		return le64toh(number);
	}
	while (n-- > 0)
		number = number << 8 | at[n];
	return number;
}

#endif
