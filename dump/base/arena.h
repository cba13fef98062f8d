#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/*
 * Memory that is given back all at once. Start with {0}.
 * Blocks never move, so what points into an arena stays good until arena_release.
 */
struct arena {
	struct arena_block *head;
	size_t total_bytes;     /* asked of the heap so far */
};

void *arena_alloc(struct arena *mem, size_t size); /* zeroed, aligned for any type; never NULL */
void *arena_try(struct arena *mem, size_t size); /* the same, but NULL when there is no room */
char *arena_copy(struct arena *mem, const char *text, size_t len); /* NUL-terminated */
char *arena_fmt(struct arena *mem, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* From now on `mem` has what was in `from`, which is {0} then; nothing moves. */
void arena_join(struct arena *mem, struct arena *from);
void arena_release(struct arena *mem);                 /* back to {0} */

#endif
