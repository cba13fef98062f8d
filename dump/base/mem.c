#include "dump/base/mem.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef MADV_HUGEPAGE
#include <malloc.h>
#endif

/*
 * From here on a block that is filled is asked for in large pages: with 4 KiB each, a list of a
 * million is a thousand faults to fill, and misses the processor's table of pages wherever it is
 * looked into.
 */
enum { LARGE_BLOCK = 16 << 20, PAGE = 4096 };

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

/*
 * A wish: where it can't be had, the pages are small. It is made for all of the block's pages: of
 * two parts with different wishes the system would not move one with the other.
 */
static void *in_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
	if (block && size >= LARGE_BLOCK) {
		size_t before = (uintptr_t)block % PAGE;
		size_t all = before + malloc_usable_size(block);

		madvise((char *)block - before, (all + PAGE - 1) / PAGE * PAGE, MADV_HUGEPAGE);
	}
#else
	(void)size;
#endif
	return block;
}

void *mem_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1), size);
}

void *mem_alloc_full(size_t size)
{
	return in_large_pages(mem_alloc(size), size);
}

void *mem_realloc(void *old, size_t size)
{
	return in_large_pages(checked(realloc(old, size ? size : 1), size), size);
}

void *mem_try(size_t size)
{
	if (fail_in >= 0 && atomic_fetch_sub(&fail_in, 1) == 0)
		return NULL;
	return malloc(size ? size : 1);
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
