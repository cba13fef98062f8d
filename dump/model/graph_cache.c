#include "dump/model/graph_cache.h"

#include <stdlib.h>

#include "dump/model/cached.h"
#include "dump/model/graph_parts.h"

#define KIND "graph"
enum { LEAST_NODE = 32 /* bytes of a NodeDef, or nearly all */ };

_Static_assert(sizeof(struct place) == 16, "another struct place is another FORMAT of the cache");

/* ---- keeping */

bool graph_is_worth_keeping(const struct graph *graph)
{
	return !graph->from_cache && !graph->damaged && !graph->module &&
	       cache_least != UINT64_MAX && graph->places.len >= cache_least;
}

#define PUT_LIST(out, list) \
	(cached_put_number((out), (list)->len), \
	 cache_put((out), (list)->at, (list)->len * sizeof *(list)->at))

static struct cache_writer *create(const struct graph *graph, struct err *err)
{
	struct cache_writer *out = NULL;
	struct cache_of of;

	if (cache_of(&of, KIND, graph->path) && of.size == graph->stamp.size &&
	    of.changed_ns == graph->stamp.changed_ns && cache_is_at_rest(&of))
		out = cache_create(&of, err);
	cache_of_release(&of);
	return out;
}

bool graph_put_in_cache(const struct graph *graph, struct progress *progress, struct err *err)
{
	struct cache_writer *out = create(graph, err);

	if (!out)
		return false;
	cached_put_number(out, graph->off);
	cached_put_number(out, graph->len);
	cached_put_map(out, &graph->ops);
	cached_put_map(out, &graph->devices);
	PUT_LIST(out, &graph->places);
	PUT_LIST(out, &graph->device_of);
	PUT_LIST(out, &graph->copies);
	PUT_LIST(out, &graph->watches);
	if (!progress_cancelled(progress))
		cached_put_map(out, &graph->names);
	return cache_close(out, !progress_cancelled(progress), err);
}

/* ---- taking */

#define GET_LIST(in, list) \
	(cached_number((in), &n) && \
	 ((list)->at = cached_list((in), n, sizeof *(list)->at)) != NULL && \
	 ((list)->len = (list)->cap = (size_t)n, true))

/* Does each node have an op and, if one is set, a device? */
static bool is_joined(const struct graph *graph)
{
	if (graph->places.len != graph->names.len || graph->device_of.len != graph->names.len)
		return false;
	for (size_t i = 0; i < graph->places.len; i++)
		if (graph->places.at[i].op >= graph->ops.len ||
		    graph->device_of.at[i] > graph->devices.len)
			return false;
	return true;
}

static bool get_all(struct cache_reader *in, struct graph *graph, struct progress *progress)
{
	uint64_t n, off, len;

	return cached_number(in, &off) && off == graph->off && cached_number(in, &len) &&
	       len == graph->len && cached_map(in, &graph->mem, &graph->ops) &&
	       cached_map(in, &graph->mem, &graph->devices) && GET_LIST(in, &graph->places) &&
	       GET_LIST(in, &graph->device_of) && GET_LIST(in, &graph->copies) &&
	       GET_LIST(in, &graph->watches) && !progress_cancelled(progress) &&
	       cached_map(in, &graph->mem, &graph->names) && is_joined(graph);
}

struct graph *graph_open_kept(const char *path, uint64_t off, uint64_t len,
                              struct progress *progress)
{
	struct graph *graph = NULL;
	struct cache_reader *in = NULL;
	struct cache_of of = {0};
	bool ok = false;

	if (cache_least != UINT64_MAX && cache_of(&of, KIND, path) &&
	    of.size / LEAST_NODE >= cache_least)
		in = cache_open(&of, NULL);
	if (in) {
		graph = graph_new(path);
		map_release(&graph->ops);        /* it has an op already */
		graph->stamp = (struct file_stamp){ of.size, of.changed_ns };
		graph->off = off;
		graph->len = len;
		graph->from_cache = true;
		ok = get_all(in, graph, progress);
		ok = cache_end(in, NULL) && ok;
	}
	cache_of_release(&of);
	if (ok)
		return graph;
	graph_close(graph);
	return NULL;
}
