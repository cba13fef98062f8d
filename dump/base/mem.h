#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>

#ifndef __SIZEOF_INT128__
#error "tensordbg is for 64-bit targets: sums that could overflow are taken in integers of 128 bits"
#endif

/*
 * The heap, and the one way out when it is empty.
 * mem_alloc, mem_alloc_full and mem_realloc never return NULL: they call the hook, which must not
 * return. mem_try may return NULL; it is for sizes that a file decides.
 */
typedef void mem_hook(size_t wanted_bytes);

void mem_on_empty(mem_hook *hook);
void *mem_alloc(size_t size);           /* zeroed */
void *mem_alloc_full(size_t size);      /* the same; most of it will be written to */
void *mem_realloc(void *old, size_t size);      /* for lists, which are filled */
void *mem_try(size_t size);             /* not zeroed */
char *mem_copy(const char *text, size_t len); /* NUL-terminated copy */

/*
 * Tests: let the nth mem_try from now fail (0 = the next); a negative n ends it. Returns how far
 * off the failure that was asked for before still was; negative: it has happened, or none was asked
 * for.
 */
long mem_fail_try(long nth);

#endif
