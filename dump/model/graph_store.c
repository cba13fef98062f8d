/* The last few graphs are kept. Which one it is, if any, is found by comparing bytes. */
#include "dump/model/graph_store.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/graph_parts.h"

enum { STORED = 16 };
#define PIECE ((size_t)1 << 16)

struct stored {
	struct graph *graph;             /* NULL: none */
	uint64_t off, len;
};

struct graph_store {
	pthread_mutex_t lock;
	struct stored at[STORED];
	size_t next;                     /* the place of the next one */
};

struct graph_store *graph_store_new(void)
{
	struct graph_store *store = mem_alloc(sizeof *store);

	pthread_mutex_init(&store->lock, NULL);
	return store;
}

void graph_store_free(struct graph_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < STORED; i++)
		graph_close(store->at[i].graph);
	pthread_mutex_destroy(&store->lock);
	free(store);
}

/* Are the bytes of two files the same? False too if they can't be read. */
static bool same_bytes(struct file *a, uint64_t a_off, struct file *b, uint64_t b_off,
                       uint64_t len)
{
	struct err unread;

	for (uint64_t at = 0; at < len; at += PIECE) {
		size_t n = len - at < PIECE ? (size_t)(len - at) : PIECE;
		const void *x = file_bytes(a, a_off + at, n, &unread);
		const void *y = file_bytes(b, b_off + at, n, &unread);

		if (!x || !y || memcmp(x, y, n) != 0)
			return false;
	}
	return true;
}

static bool is_same(const struct stored *stored, const char *path, uint64_t off, uint64_t len)
{
	const struct graph *graph = stored->graph;
	struct file a, b;
	struct err unread;
	bool same = false;

	if (!graph || stored->len != len ||
	    !file_open_again(&a, graph->path, &graph->stamp, &unread))
		return false;
	if (file_open(&b, path, &unread)) {
		same = same_bytes(&a, stored->off, &b, off, len);
		file_close(&b);
	}
	file_close(&a);
	return same;
}

/* The stored graph of these bytes, kept for the caller; NULL: there is none. */
static struct graph *find(struct graph_store *store, const char *path, uint64_t off, uint64_t len)
{
	struct stored candidates[STORED];
	struct graph *found = NULL;

	pthread_mutex_lock(&store->lock);
	for (size_t i = 0; i < STORED; i++) {
		candidates[i] = store->at[i];
		graph_keep(candidates[i].graph);
	}
	pthread_mutex_unlock(&store->lock);
	for (size_t i = 0; i < STORED; i++) {
		if (!found && is_same(&candidates[i], path, off, len))
			found = candidates[i].graph;
		else
			graph_close(candidates[i].graph);
	}
	return found;
}

static void keep(struct graph_store *store, struct graph *graph, uint64_t off, uint64_t len)
{
	struct graph *old;

	pthread_mutex_lock(&store->lock);
	old = store->at[store->next].graph;
	store->at[store->next] = (struct stored){ graph_keep(graph), off, len };
	store->next = (store->next + 1) % STORED;
	pthread_mutex_unlock(&store->lock);
	graph_close(old);
}

struct graph *graph_store_open(struct graph_store *store, const char *path, uint64_t off,
                               uint64_t len, struct progress *progress, struct err *damage,
                               struct err *err)
{
	struct graph *graph = store ? find(store, path, off, len) : NULL;

	if (graph)
		return graph;
	graph = graph_open(path, off, len, progress, damage, err);
	if (store && graph && graph_is_whole(graph))
		keep(store, graph, off, len);
	return graph;
}
