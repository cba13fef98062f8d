#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

/*
 * A growing array of T: `VEC(struct tensor) hits = {0};`, hits.at[i], hits.len.
 * Elements move when it grows. vec_release gives the memory back.
 */
#define VEC(T) struct { T *at; size_t len, cap; }

/* The elements from i on; NULL while there never was one. */
#define vec_from(v, i) ((v)->at ? (v)->at + (i) : NULL)

#define vec_reserve(v, n) \
	((n) <= (v)->cap ? (void)0 : \
	 (void)((v)->cap = vec_room((v)->cap, (n)), \
	        (v)->at = mem_realloc((v)->at, (v)->cap * sizeof *(v)->at)))
#define vec_push(v, x) (vec_reserve((v), (v)->len + 1), (v)->at[(v)->len++] = (x))
/* A new zeroed element; its address. */
#define vec_add(v) \
	(vec_reserve((v), (v)->len + 1), \
	 memset(&(v)->at[(v)->len], 0, sizeof *(v)->at), &(v)->at[(v)->len++])
#define vec_last(v) (&(v)->at[(v)->len - 1])
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)

static inline size_t vec_room(size_t cap, size_t wanted)
{
	size_t room = cap + cap / 2 + 8;

	return room < wanted ? wanted : room;
}

#endif
