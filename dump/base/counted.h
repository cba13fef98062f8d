#ifndef BASE_COUNTED_H
#define BASE_COUNTED_H

#include <stdatomic.h>

/*
 * Something large with several users, any of whom may be the last: whoever gets it lets go of it.
 * Stands first in what it counts the users of. Starts with users 1. Any thread.
 */
struct counted {
	atomic_uint users;
	void (*free)(struct counted *counted);
};

/* NULL: nothing. */
static inline struct counted *counted_keep(struct counted *counted)
{
	if (counted)
		atomic_fetch_add(&counted->users, 1);
	return counted;
}

static inline void counted_let_go(struct counted *counted)
{
	if (counted && atomic_fetch_sub(&counted->users, 1) == 1)
		counted->free(counted);
}

#endif
