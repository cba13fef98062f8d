#include "dump/base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

void *mem_alloc(size_t size)
{
	return checked(calloc(1, size ? size : 1), size);
}

void *mem_realloc(void *old, size_t size)
{
	return checked(realloc(old, size ? size : 1), size);
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
