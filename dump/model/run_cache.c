/*
 * What the first screen shows comes first. Then the lists as they lie in memory, but for pointers:
 * of a tensor the place of its text is written, its node is known by number. So taking them is one
 * read and one pass over the tensors.
 */
#include "dump/model/run_cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/cached.h"
#include "dump/model/graph.h"
#include "dump/model/reader.h"
#include "dump/model/run_parts.h"

#define KIND "run"
enum { PIECE = 4096 /* tensors */ };

_Static_assert(sizeof(struct tensor) == 48, "another struct tensor is another FORMAT of the cache");

/* ---- keeping */

/* Of what lies at its path. */
static bool is_part(const struct run *run)
{
	return run->to_us || run->name || run->worker;
}

/* Of several graph files of a device one was chosen by what was dumped: that is not kept. */
bool run_is_kept(const struct run *run)
{
	if (run->from_cache || !run->reader->open_graphs ||
	    run->depth != RUN_WHOLE || is_part(run) ||
	    run->problems.len || run->tensors.len < cache_least || cache_least == UINT64_MAX ||
	    run->n_graph_files != run->devices.len)
		return false;
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct device *device = &run->devices.at[i];

		if (!device->graph_file || !device->graph || device->worker)
			return false;
	}
	return true;
}

static void put_small(struct cache_writer *out, const struct run *run)
{
	cached_put_text(out, run->fetches);
	cached_put_text(out, run->feeds);
	cached_put_number(out, run->metadata.len);
	for (size_t i = 0; i < run->metadata.len; i++)
		cached_put_text(out, run->metadata.at[i]);
	cached_put_number(out, run->devices.len);
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct device *device = &run->devices.at[i];

		cached_put_text(out, device->name);
		cached_put_text(out, device->dir);
		cached_put_text(out, device->graph_file);
		cached_put_number(out, (uint64_t)device->first_us);
	}
	cached_put_number(out, (uint64_t)run->t0_us);
}

/* What is told of a tensor while the rest is still to come. */
struct first {
	int64_t time_us, size_bytes;
	uint64_t slot;
};

static void put_first(struct cache_writer *out, const struct run *run)
{
	size_t n = run->tensors.len < RUN_FIRST ? run->tensors.len : RUN_FIRST;

	cached_put_number(out, run->tensors.len);
	cached_put_number(out, n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct first first = { t->time_us, t->size_bytes, t->slot };

		cache_put(out, &first, sizeof first);
		cached_put_text(out, t->node);
	}
	cache_seal(out);
}

static bool put_tensors(struct cache_writer *out, const struct run *run, struct progress *progress)
{
	struct tensor *piece = mem_alloc(PIECE * sizeof *piece);
	uint64_t bytes = 0;
	bool go_on = true;

	for (size_t i = 0; i < run->tensors.len && go_on; ) {
		size_t n = 0;

		for (; n < PIECE && i < run->tensors.len; n++, i++) {
			piece[n] = run->tensors.at[i];
			piece[n].node = NULL;
			piece[n].where = (const char *)(uintptr_t)bytes;
			bytes += strlen(run->tensors.at[i].where) + 1;
		}
		cache_put(out, piece, n * sizeof *piece);
		go_on = !progress_cancelled(progress);
	}
	free(piece);
	cached_put_number(out, bytes);
	for (size_t i = 0; i < run->tensors.len; i++)
		cache_put(out, run->tensors.at[i].where, strlen(run->tensors.at[i].where) + 1);
	return go_on && !progress_cancelled(progress);
}

bool run_keep(const struct run *run, struct progress *progress, struct err *err)
{
	struct cache_writer *out = NULL;
	struct cache_of of;
	bool ok;

	if (cache_of(&of, KIND, run->path))
		out = cache_create(&of, err);
	cache_of_release(&of);
	if (!out)
		return false;
	put_first(out, run);
	put_small(out, run);
	cached_put_map(out, &run->debug_ops);
	cached_put_number(out, run->tensors.len);
	cached_put_number(out, run->nodes.len);
	ok = put_tensors(out, run, progress);
	cache_put(out, run->index->rank, run->tensors.len * sizeof *run->index->rank);
	cache_put(out, run->index->positions, run->tensors.len * sizeof *run->index->positions);
	cache_put(out, run->index->start, (run->nodes.len + 2) * sizeof *run->index->start);
	cached_put_map(out, &run->nodes);
	return cache_close(out, ok && !progress_cancelled(progress), err) && ok;
}

/* ---- taking */

static bool get_device(struct cache_reader *in, struct run *run)
{
	struct device *device = vec_add(&run->devices);
	uint64_t first_us;

	if (!cached_text(in, &run->mem, &device->name) ||
	    !cached_text(in, &run->mem, &device->dir) ||
	    !cached_text(in, &run->mem, &device->graph_file) || !cached_number(in, &first_us))
		return false;
	device->first_us = (int64_t)first_us;
	return device->name && device->dir && device->graph_file;
}

static bool get_small(struct cache_reader *in, struct run *run)
{
	uint64_t n, t0_us;
	bool ok = cached_text(in, &run->mem, &run->fetches) &&
	          cached_text(in, &run->mem, &run->feeds) && cached_number(in, &n);

	for (uint64_t i = 0; ok && i < n; i++) {
		const char *text;

		ok = cached_text(in, &run->mem, &text) && text;
		if (ok)
			vec_push(&run->metadata, text);
	}
	ok = ok && cached_number(in, &n) && n <= UINT16_MAX + 1;
	for (uint64_t i = 0; ok && i < n; i++)
		ok = get_device(in, run);
	if (!ok || !cached_number(in, &t0_us))
		return false;
	run->t0_us = (int64_t)t0_us;
	run->n_graph_files = (uint32_t)run->devices.len;
	return true;
}

static bool all_below(const uint32_t *numbers, size_t n, size_t most)
{
	for (size_t i = 0; i < n; i++)
		if (numbers[i] >= most)
			return false;
	return true;
}

static bool starts_are_good(const uint32_t *start, size_t n_nodes, size_t n)
{
	for (size_t node = 0; node < n_nodes; node++)
		if (start[node] > start[node + 1])
			return false;
	return !start[0] && start[n_nodes] == n;
}

static bool get_index(struct cache_reader *in, struct run *run, size_t n, size_t n_nodes)
{
	struct run_index *index = run->index;

	index->rank = cached_list(in, n, sizeof *index->rank);
	index->positions = cached_list(in, n, sizeof *index->positions);
	index->start = cached_list(in, (uint64_t)n_nodes + 2, sizeof *index->start);
	return index->rank && index->positions && index->start &&
	       all_below(index->rank, n, n) && all_below(index->positions, n, n) &&
	       starts_are_good(index->start, n_nodes, n);
}

/* Gives each tensor its texts. False if a number leads nowhere. */
static bool join(struct run *run, const char *texts, uint64_t bytes)
{
	for (size_t i = 0; i < run->tensors.len; i++) {
		struct tensor *t = &run->tensors.at[i];
		uint64_t off = (uintptr_t)t->where;

		if (t->node_id >= run->nodes.len || t->debug_op >= run->debug_ops.len ||
		    t->device >= run->devices.len || off >= bytes)
			return false;
		t->node = run->nodes.key[t->node_id];
		t->where = texts + off;
	}
	return true;
}

/* Shows the first tensors; false after a cancel, or if they are not what was put. */
static bool get_first(struct cache_reader *in, struct run *run, struct progress *progress)
{
	uint64_t all, n;
	bool ok = cached_number(in, &all) && cached_number(in, &n) && n <= RUN_FIRST;

	for (uint64_t i = 0; ok && i < n; i++) {
		struct tensor *t = vec_add(&run->tensors);
		struct first first;

		ok = cache_get(in, &first, sizeof first) &&
		     cached_text(in, &run->mem, &t->node) && t->node;
		t->time_us = first.time_us;
		t->size_bytes = first.size_bytes;
		t->slot = (uint32_t)first.slot;
	}
	if (!ok || !cache_sealed(in))
		return false;
	run->from_cache = true;
	run->n_cached = (size_t)all;
	ok = progress_step(progress, all, 0);
	run->n_cached = 0;
	vec_release(&run->tensors);
	return ok;
}

static bool get_all(struct cache_reader *in, struct run *run)
{
	uint64_t n, n_nodes, bytes;
	const char *texts;

	if (!get_small(in, run) || !cached_map(in, &run->mem, &run->debug_ops) ||
	    !cached_number(in, &n) || !cached_number(in, &n_nodes) || n_nodes >= UINT32_MAX)
		return false;
	run->tensors.at = cached_list(in, n, sizeof *run->tensors.at);
	if (!run->tensors.at || !cached_number(in, &bytes))
		return false;
	texts = cached_texts(in, &run->mem, bytes);
	if (!texts || !get_index(in, run, (size_t)n, (size_t)n_nodes) ||
	    !cached_map(in, &run->mem, &run->nodes) || run->nodes.len != n_nodes)
		return false;
	run->tensors.len = run->tensors.cap = (size_t)n;
	if (join(run, texts, bytes))
		return true;
	run->tensors.len = 0;
	return false;
}

static bool take(struct run *run, struct progress *progress, struct err *unusable)
{
	struct cache_reader *in = NULL;
	struct cache_of of;
	bool ok = false;

	if (cache_of(&of, KIND, run->path))
		in = cache_open(&of, unusable);
	cache_of_release(&of);
	if (in) {
		ok = get_first(in, run, progress) && get_all(in, run);
		ok = cache_end(in, unusable) && ok;
	}
	return ok;
}

bool run_load_kept(struct run *run, struct progress *progress, struct err *unusable,
                   struct err *err)
{
	if (!run->reader->open_graphs || is_part(run))
		return false;
	if (!take(run, progress, unusable))
		return !progress_cancelled(progress)
		       ? false : err_at(err, ERR_CANCELLED, run->path, 0, "stopped");
	return run->reader->open_graphs(run, progress, err) && !run->problems.len;
}

/* ---- comparing */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_small(const struct run *a, const struct run *b)
{
	if (!same_text(a->fetches, b->fetches) || !same_text(a->feeds, b->feeds) ||
	    a->metadata.len != b->metadata.len || a->devices.len != b->devices.len ||
	    a->n_graph_files != b->n_graph_files)
		return false;
	for (size_t i = 0; i < a->metadata.len; i++)
		if (strcmp(a->metadata.at[i], b->metadata.at[i]))
			return false;
	for (size_t i = 0; i < a->devices.len; i++)
		if (strcmp(a->devices.at[i].dir, b->devices.at[i].dir))
			return false;
	return true;
}

/* By time, as they are, and among those of one time by what they are. */
static int by_place(const struct tensor *a, const struct tensor *b)
{
	int order;

	if (a->time_us != b->time_us)
		return a->time_us < b->time_us ? -1 : 1;
	order = (a->device > b->device) - (a->device < b->device);
	order = order ? order : strcmp(a->where, b->where);
	return order ? order : strcmp(a->node, b->node);
}

static int by_place_of(const void *a, const void *b, void *run)
{
	const struct tensor *tensors = ((const struct run *)run)->tensors.at;

	return by_place(&tensors[*(const uint32_t *)a], &tensors[*(const uint32_t *)b]);
}

static uint32_t *sorted(const struct run *run)
{
	uint32_t *order = mem_alloc(run->tensors.len * sizeof *order);

	for (size_t i = 0; i < run->tensors.len; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, run->tensors.len, sizeof *order, by_place_of, (struct run *)run);
	return order;
}

static bool same_tensors(const struct run *a, const struct run *b)
{
	if (a->tensors.len != b->tensors.len)
		return false;
	for (size_t i = 0; i < a->tensors.len; i++)
		if (a->tensors.at[i].size_bytes != b->tensors.at[i].size_bytes ||
		    by_place(&a->tensors.at[i], &b->tensors.at[i]) ||
		    a->index->rank[i] != b->index->rank[i])
			return false;
	return true;
}

static void put_count(struct str *out, uint64_t n, const char *one, const char *several)
{
	if (n)
		str_fmt(out, "%s%" PRIu64 " %s", out->len ? ", " : "", n, n == 1 ? one : several);
}

static void put_tensors_that_differ(const struct run *kept, const struct run *now, struct str *out)
{
	uint32_t *before = sorted(kept), *after = sorted(now);
	uint64_t came = 0, gone = 0, changed = 0;
	size_t i = 0, k = 0;

	while (i < kept->tensors.len || k < now->tensors.len) {
		const struct tensor *a, *b;
		int order = i == kept->tensors.len ? 1 : -1;

		if (i < kept->tensors.len && k < now->tensors.len) {
			a = &kept->tensors.at[before[i]];
			b = &now->tensors.at[after[k]];
			order = by_place(a, b);
			changed += !order && a->size_bytes != b->size_bytes;
		}
		gone += order < 0;
		came += order > 0;
		i += order <= 0;
		k += order >= 0;
	}
	free(before);
	free(after);
	put_count(out, came, "tensor came", "tensors came");
	put_count(out, gone, "tensor is gone", "tensors are gone");
	put_count(out, changed, "tensor has another size", "tensors have another size");
}

bool run_is_as_kept(const struct run *kept, const struct run *now, struct str *out)
{
	if (!same_tensors(kept, now))
		put_tensors_that_differ(kept, now, out);
	else if (now->problems.len)
		str_puts(out, "something that does not belong there came");
	else if (same_small(kept, now))
		return true;
	if (!out->len)
		str_puts(out, "the facts about the run differ");
	return false;
}
