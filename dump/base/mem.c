#include "dump/base/mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * From here on a block is asked for in large pages: with 4 KiB each, a list of a million is a
 * thousand faults to fill, and misses the processor's table of pages wherever it is looked into.
 */
enum { LARGE_BLOCK = 1 << 20, PAGE = 4096 };

static mem_hook *on_empty;
static atomic_long fail_in = -1; /* threads count together */

void mem_on_empty(mem_hook *hook)
{
	on_empty = hook;
}

static void *checked(void *block, size_t size)
{
	if (!block && size) {
		if (on_empty)
			on_empty(size);
		abort();
	}
	return block;
}

/* A wish: where it can't be had, the pages are small. */
static void *in_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	if (block && size >= LARGE_BLOCK) {
		char *from = (char *)block + -(uintptr_t)block % PAGE;

		madvise(from, (size - (size_t)(from - (char *)block)) / PAGE * PAGE, MADV_HUGEPAGE);
	}
#endif
	return block;
}

void *mem_alloc(size_t size)
{
	return in_large_pages(checked(calloc(1, size ? size : 1), size), size);
}

void *mem_realloc(void *old, size_t size)
{
	return in_large_pages(checked(realloc(old, size ? size : 1), size), size);
}

void *mem_try(size_t size)
{
	if (fail_in >= 0 && atomic_fetch_sub(&fail_in, 1) == 0)
		return NULL;
	return in_large_pages(malloc(size ? size : 1), size);
}

char *mem_copy(const char *text, size_t len)
{
	char *copy = mem_alloc(len + 1);

	if (len)
		memcpy(copy, text, len);
	return copy;
}

long mem_fail_try(long nth)
{
	return atomic_exchange(&fail_in, nth);
}
