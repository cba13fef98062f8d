/*
 * A list of blocks, filled from the front. What does not fit in the newest block gets a new one,
 * twice as large up to a limit, so that an arena of few things is small; the limit is an eighth of
 * what there is, between ARENA_BLOCK and as much as comes in large pages. What is larger than the
 * limit gets a block of its own, put behind the newest so that the room left there is not lost.
 */
#include "dump/base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#ifndef ARENA_BLOCK
#define ARENA_BLOCK (64 * 1024)
#endif
#define FIRST_BLOCK (ARENA_BLOCK < 1024 ? ARENA_BLOCK : 1024)
#define MOST_BLOCK (512 * (size_t)ARENA_BLOCK)

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	max_align_t bytes[];
};

static struct arena_block *block_of(struct arena *mem, size_t size, void *(*take)(size_t))
{
	struct arena_block *b;

	if (size > SIZE_MAX - sizeof *b)
		return NULL;
	b = take(sizeof *b + size);
	if (!b)
		return NULL;
	b->used = 0;
	b->size = size;
	mem->total_bytes += sizeof *b + size;
	return b;
}

/* The size of a block that is made for more than one thing, at most. */
static size_t most_room(const struct arena *mem)
{
	size_t part = mem->total_bytes / 8;

	return part < ARENA_BLOCK ? ARENA_BLOCK : part < MOST_BLOCK ? part : MOST_BLOCK;
}

static struct arena_block *block_for(struct arena *mem, size_t size, void *(*take)(size_t))
{
	struct arena_block *b = mem->head;
	size_t most = most_room(mem), room;

	if (b && size <= b->size - b->used)
		return b;
	room = b ? 2 * b->size : FIRST_BLOCK;
	room = room < most ? room : most;
	b = block_of(mem, size > room ? size : room, take);
	if (!b)
		return NULL;
	if (size > most && mem->head) {
		b->next = mem->head->next;
		mem->head->next = b;
	} else {
		b->next = mem->head;
		mem->head = b;
	}
	return b;
}

static void *take_from(struct arena *mem, size_t size, size_t align, void *(*take)(size_t))
{
	struct arena_block *b;
	char *at;

	if (size > SIZE_MAX - align)
		return NULL;
	if (align > 1)
		size = (size + align - 1) / align * align;
	if (align > 1 && mem->head) {
		size_t up = (mem->head->used + align - 1) / align * align;

		mem->head->used = up < mem->head->size ? up : mem->head->size;
	}
	b = block_for(mem, size, take);
	if (!b)
		return NULL;
	at = (char *)b->bytes + b->used;
	b->used += size;
	return at;
}

void *arena_alloc(struct arena *mem, size_t size)
{
	return memset(take_from(mem, size, sizeof(max_align_t), mem_alloc_full), 0, size);
}

void *arena_try(struct arena *mem, size_t size)
{
	void *at = take_from(mem, size, sizeof(max_align_t), mem_try);

	return at ? memset(at, 0, size) : NULL;
}

char *arena_copy(struct arena *mem, const char *text, size_t len)
{
	char *copy = take_from(mem, len + 1, 1, mem_alloc_full);

	if (len)
		memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *arena_fmt(struct arena *mem, const char *fmt, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	assert(len >= 0);
	text = take_from(mem, (size_t)len + 1, 1, mem_alloc_full);
	va_start(args, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, args);
	va_end(args);
	return text;
}

void arena_join(struct arena *mem, struct arena *from)
{
	struct arena_block **end = &mem->head;

	while (*end)
		end = &(*end)->next;
	*end = from->head;
	mem->total_bytes += from->total_bytes;
	*from = (struct arena){0};
}

void arena_release(struct arena *mem)
{
	struct arena_block *b = mem->head;

	while (b) {
		struct arena_block *next = b->next;

		free(b);
		b = next;
	}
	*mem = (struct arena){0};
}
