/*
 * Rows come by kind, then by worker and run, so a part's rows lie together: each is looked for
 * beside the last one. A row that says something of a run whose own row is in another shard makes
 * its part. There are as many names and messages as tensors: they lie one behind the other, and a
 * name is looked for at the last row alone.
 */
#include "dump/summary/whole.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"

enum { ROWS_BETWEEN = 1024 };    /* two looks at progress */
enum { BLOCK = 64 * 1024 };      /* of what lies one behind the other */

struct reading {
	struct whole *whole;
	struct summary_reader *reader;
	const char *path;
	struct map texts;        /* each is there once; none of a node of a tensor */
	const char *node;        /* of the last tensor; NULL: none */
	struct text room;        /* what is left of the last block */
	struct map workers;      /* in the order in which they came */
	struct map parts;        /* the length of the worker's name, it, the run's */
	uint32_t last;           /* the part of the last row */
	struct str scratch;
	struct err *err;
};

static const char *text(struct reading *r, const char *of)
{
	uint32_t id = map_add(&r->texts, &r->whole->mem, of, strlen(of));

	return r->texts.key[id];
}

/* A copy with a NUL behind it, at any address. */
static const char *keep(struct reading *r, const char *of, size_t len)
{
	char *copy;

	if (len >= BLOCK / 8)
		return arena_copy(&r->whole->mem, of, len);
	if (len >= r->room.len)
		r->room = (struct text){ arena_alloc(&r->whole->mem, BLOCK), BLOCK };
	copy = memcpy((char *)r->room.at, of, len);
	r->room.at += len + 1;
	r->room.len -= len + 1;
	return copy;
}

static const char *node_text(struct reading *r, const char *node)
{
	if (!r->node || strcmp(r->node, node) != 0)
		r->node = keep(r, node, strlen(node));
	return r->node;
}

/* ---- parts */

static bool is_of(const struct reading *r, const struct whole_part *part,
                  const struct summary_key *key)
{
	return !strcmp(part->run, key->run)
	       && !strcmp(r->workers.key[part->worker], key->worker);
}

/* The part that a row is about. */
static struct whole_part *part_of(struct reading *r, const struct summary_key *key)
{
	struct whole *whole = r->whole;

	if (whole->parts.len && is_of(r, &whole->parts.at[r->last], key))
		return &whole->parts.at[r->last];
	str_reset(&r->scratch);
	str_fmt(&r->scratch, "%zu %s%s", strlen(key->worker), key->worker, key->run);
	r->last = map_add(&r->parts, &whole->mem, r->scratch.text, r->scratch.len);
	if (r->last == whole->parts.len) {
		struct whole_part *part = vec_add(&whole->parts);

		part->worker = map_add(&r->workers, &whole->mem, key->worker,
		                       strlen(key->worker));
		part->run = text(r, key->run);
		part->told = (struct summary_run){ .time_us = -1, .counter = -1, .step = -1 };
	}
	return &whole->parts.at[r->last];
}

static bool take_source(struct reading *r, const struct summary_row *row)
{
	const struct summary_key *key = &row->key;
	struct summary_source source;

	if (!summary_read_source(r->path, row, &r->whole->mem, &source, r->err))
		return false;
	map_add(&r->workers, &r->whole->mem, key->worker, strlen(key->worker));
	vec_push(&r->whole->sources, ((struct whole_source){
		.worker = text(r, key->worker), .dump = text(r, key->node), .n = key->slot,
		.k = (uint32_t)key->number, .is_root = source.is_root }));
	return true;
}

static bool take_run(struct reading *r, const struct summary_row *row)
{
	struct whole_part *part = part_of(r, &row->key);

	part->is_told = true;
	return summary_read_run(r->path, row, &r->whole->mem, &part->told, r->err);
}

static bool take_device(struct reading *r, const struct summary_row *row)
{
	struct whole_part *part = part_of(r, &row->key);
	struct summary_device device;

	if (!summary_read_device(r->path, row, &r->whole->mem, &device, r->err))
		return false;
	vec_push(&part->devices, ((struct whole_device){
		text(r, row->key.device), device.graph ? text(r, device.graph) : NULL,
		device.position }));
	return true;
}

static bool take_problem(struct reading *r, const struct summary_row *row)
{
	struct whole_part *part = part_of(r, &row->key);
	struct summary_problem problem;

	if (!summary_read_problem(r->path, row, &r->whole->mem, &problem, r->err))
		return false;
	vec_push(&part->problems, ((struct problem){
		.file = text(r, row->key.node), .text = text(r, row->key.debug_op),
		.off = row->key.number, .kind = problem.kind, .unread = problem.unread,
		.whole = problem.whole, .nodes = problem.is_dir ? problem.nodes : NULL }));
	return true;
}

/* What is known of an array of a file without its numbers. */
static const struct array_facts *facts_of(struct reading *r, const struct summary_value *value)
{
	struct arena *mem = &r->whole->mem;
	struct array_facts *facts = arena_alloc(mem, sizeof *facts);
	int64_t *dim = arena_alloc(mem, value->shape.rank * sizeof *dim + 1);

	memcpy(dim, value->shape.dim, value->shape.rank * sizeof *dim);
	*facts = (struct array_facts){ .op = text(r, value->op ? value->op : "array"),
	                               .dtype = value->type ? value->type->name : NULL,
	                               .rank = value->shape.rank, .dim = dim,
	                               .doubt = value->doubt ? text(r, value->doubt) : NULL };
	if (value->has_stats) {
		struct array_stats *stats = arena_alloc(mem, sizeof *stats);

		*stats = value->stats;
		facts->stats = stats;
	}
	return facts;
}

static bool take_value(struct reading *r, const struct summary_row *row)
{
	struct whole_part *part = part_of(r, &row->key);
	struct summary_value value;
	struct arena mem = {0};
	bool ok = summary_read_value(r->path, row, &mem, &value, r->err);

	if (ok)
		vec_push(&part->values, ((struct whole_value){
			.node = node_text(r, row->key.node), .device = text(r, row->key.device),
			.debug_op = text(r, row->key.debug_op), .slot = row->key.slot,
			.position = value.position,
			.time_us = value.time_us, .size_bytes = value.size_bytes,
			.facts = part->told.op_type ? facts_of(r, &value) : NULL,
			.message = keep(r, row->value.at, row->value.len),
			.message_len = (uint32_t)row->value.len }));
	summary_value_release(&value);
	arena_release(&mem);
	return ok;
}

static void count(struct whole_content *content, enum summary_kind kind)
{
	content->runs += kind == SUMMARY_RUN || kind == SUMMARY_VALUE;
	content->events += kind == SUMMARY_EVENT;
	content->kernels += kind == SUMMARY_KERNEL;
}

static bool take_row(struct reading *r, const struct summary_row *row)
{
	count(&r->whole->content, row->key.kind);
	switch (row->key.kind) {
	case SUMMARY_SOURCE: return take_source(r, row);
	case SUMMARY_RUN: return take_run(r, row);
	case SUMMARY_DEVICE: return take_device(r, row);
	case SUMMARY_PROBLEM: return take_problem(r, row);
	case SUMMARY_VALUE: return take_value(r, row);
	case SUMMARY_GRAPH:
		vec_push(&r->whole->graphs, ((struct whole_graph){
			.hash = text(r, row->key.node), .off = row->off, .len = row->len }));
		return true;
	default:                 /* of recorded programs and of profiles */
		return true;
	}
}

static bool read_rows(struct reading *r, struct progress *progress)
{
	struct summary_row row;
	uint64_t done, total;
	bool ok = true;

	for (uint64_t n = 0; ok && summary_next(r->reader, &row, r->err); n++) {
		ok = take_row(r, &row);
		done = n % ROWS_BETWEEN ? 0 : summary_read_bytes(r->reader, &total);
		if (ok && done && !progress_step(progress, done, total))
			ok = err_at(r->err, ERR_CANCELLED, r->path, 0, "stopped");
	}
	return ok && !r->err->code;
}

/* ---- what comes of all rows */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_run_and_worker(const void *a, const void *b)
{
	const struct whole_part *x = a, *y = b;
	int order = strcmp(x->run, y->run);

	return order ? order : (x->worker > y->worker) - (x->worker < y->worker);
}

static uint32_t place_of(const struct whole *whole, const char *worker)
{
	const char **at = bsearch(&worker, whole->workers.at, whole->workers.len, sizeof *at,
	                          by_text);

	return (uint32_t)(at - whole->workers.at);
}

static void sort_workers(struct reading *r)
{
	struct whole *whole = r->whole;

	for (size_t i = 0; i < r->workers.len; i++)
		vec_push(&whole->workers, r->workers.key[i]);
	if (whole->workers.len)
		qsort(whole->workers.at, whole->workers.len, sizeof *whole->workers.at, by_text);
	for (size_t i = 0; i < whole->parts.len; i++) {
		struct whole_part *part = &whole->parts.at[i];

		part->worker = place_of(whole, r->workers.key[part->worker]);
	}
	if (whole->parts.len)
		qsort(whole->parts.at, whole->parts.len, sizeof *whole->parts.at,
		      by_run_and_worker);
}

static void find_names_that_repeat(struct reading *r)
{
	struct whole *whole = r->whole;
	VEC(uint32_t) worker_of = {0};           /* by name, the first */
	struct map names = {0};

	for (size_t i = 0; i < whole->parts.len; i++) {
		const struct whole_part *part = &whole->parts.at[i];

		for (size_t k = 0; k < part->devices.len; k++) {
			const char *name = part->devices.at[k].name;
			uint32_t id = map_add_lasting(&names, name, strlen(name));

			if (id == worker_of.len)
				vec_push(&worker_of, part->worker);
			whole->names_repeat |= worker_of.at[id] != part->worker;
		}
	}
	vec_release(&worker_of);
	map_release(&names);
}

static void whole_free(struct counted *kept)
{
	struct whole *whole = (struct whole *)kept;

	for (size_t i = 0; i < whole->parts.len; i++) {
		struct whole_part *part = &whole->parts.at[i];

		summary_run_release(&part->told);
		vec_release(&part->devices);
		vec_release(&part->problems);
		vec_release(&part->values);
	}
	for (size_t i = 0; i < whole->graphs.len; i++)
		graph_close(whole->graphs.at[i].graph);
	vec_release(&whole->sources);
	vec_release(&whole->workers);
	vec_release(&whole->parts);
	vec_release(&whole->graphs);
	pthread_mutex_destroy(&whole->lock);
	arena_release(&whole->mem);
	free(whole);
}

struct whole *whole_read(const char *path, struct progress *progress, struct err *err)
{
	struct whole *whole = mem_alloc(sizeof *whole);
	struct reading r = { .whole = whole, .err = err };
	bool ok;

	whole->kept = (struct counted){ .users = 1, .free = whole_free };
	whole->path = r.path = arena_copy(&whole->mem, path, strlen(path));
	pthread_mutex_init(&whole->lock, NULL);
	r.reader = summary_open(path, err);
	ok = r.reader && read_rows(&r, progress);
	if (ok) {
		sort_workers(&r);
		find_names_that_repeat(&r);
	}
	summary_close(r.reader);
	map_release(&r.texts);
	map_release(&r.workers);
	map_release(&r.parts);
	str_release(&r.scratch);
	if (ok)
		return whole;
	counted_let_go(&whole->kept);
	return NULL;
}

/* ---- asked for later */

const struct whole_part *whole_parts_of(const struct whole *whole, const char *run, size_t *n)
{
	size_t low = 0, high = whole->parts.len, end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(whole->parts.at[middle].run, run) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < whole->parts.len && !strcmp(whole->parts.at[end].run, run); end++)
		;
	*n = end - low;
	return vec_from(&whole->parts, low);
}

/* Those of one dump lie together, by k. */
static size_t put_shards(const struct whole *whole, size_t first, struct str *out)
{
	const struct whole_source *of = &whole->sources.at[first];
	size_t i = first;
	struct str shards = {0};

	for (; i < whole->sources.len && whole->sources.at[i].n == of->n
	       && !strcmp(whole->sources.at[i].dump, of->dump)
	       && !strcmp(whole->sources.at[i].worker, of->worker); i++)
		str_fmt(&shards, "%s%" PRIu32, i > first ? ", " : "", whole->sources.at[i].k);
	if (i - first < of->n) {
		str_fmt(out, "%sshard%s %s of %" PRIu32, out->len ? "; " : "",
		        i - first == 1 ? "" : "s", shards.text, of->n);
		if (whole->workers.len > 1)
			str_fmt(out, " of %s", of->worker);
	}
	str_release(&shards);
	return i;
}

bool whole_put_missing(const struct whole *whole, struct str *out)
{
	size_t begin = out->len;

	for (size_t i = 0; i < whole->sources.len; )
		i = put_shards(whole, i, out);
	return out->len > begin;
}

void whole_value_read(const struct whole_value *value, struct arena *mem,
                      struct summary_value *out)
{
	struct summary_row row = { .value = { value->message, value->message_len } };
	struct err err = {0};

	summary_read_value("", &row, mem, out, &err);
}

static int by_hash(const void *a, const void *b)
{
	return strcmp(((const struct whole_graph *)a)->hash, ((const struct whole_graph *)b)->hash);
}

struct graph *whole_graph_open(struct whole *whole, const char *hash, struct progress *progress,
                               struct err *err)
{
	struct whole_graph *found = bsearch(&(struct whole_graph){ .hash = hash },
	                                    whole->graphs.at, whole->graphs.len,
	                                    sizeof *whole->graphs.at, by_hash);
	struct graph *graph;

	if (!found)
		return NULL;
	pthread_mutex_lock(&whole->lock);
	if (!found->graph)
		found->graph = graph_open(whole->path, found->off, found->len, progress,
		                          &found->damage, err);
	graph = found->graph ? graph_keep(found->graph) : NULL;
	if (graph && found->damage.code)
		*err = found->damage;
	pthread_mutex_unlock(&whole->lock);
	return graph;
}
