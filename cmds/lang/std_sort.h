#ifndef CMDS_STD_SORT_H
#define CMDS_STD_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Sorts as the C++ library of GCC does (std::sort), down to the order in which equal elements come
 * out: tools whose answers we repeat leave that order to it. less is a strict weak order.
 */
typedef bool std_less(const void *context, uint32_t a, uint32_t b);
void std_sort(uint32_t *at, size_t n, std_less *less, const void *context);

#endif
