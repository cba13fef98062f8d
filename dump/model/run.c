/*
 * What all dumps have in common. A reader leaves the tensors in the order it found them; here they
 * are put in time order and numbered, and each node gets the list of its tensors: positions behind
 * one another, with the start of each node's list, so a tensor costs four bytes here and its rank
 * in the walk four more.
 */
#include "dump/model/run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/reader.h"
#include "dump/model/run_parts.h"

#define PROBLEMS_MAX 1000        /* recorded one by one */

const char *run_text(struct run *run, const char *text)
{
	return arena_copy(&run->mem, text, strlen(text));
}

void run_add_problem(struct run *run, const struct problem *what)
{
	struct problem problem = *what;

	if (run->problems.len >= PROBLEMS_MAX) {
		run->index->problems_left++;
		run->index->dirs_left |= problem.nodes != NULL;
		return;
	}
	problem.file = run_text(run, problem.file);
	problem.text = run_text(run, problem.text);
	problem.nodes = problem.nodes ? run_text(run, problem.nodes) : NULL;
	vec_push(&run->problems, problem);
}

static void note_problem(struct run *run, const struct problem *what, const char *fmt, va_list args)
{
	struct problem problem = *what;
	struct str text = {0};

	str_vfmt(&text, fmt, args);
	problem.text = str_text(&text);
	run_add_problem(run, &problem);
	str_release(&text);
}

enum problem_kind problem_of_err(const struct err *err)
{
	if (err->code == ERR_UNSUPPORTED)
		return PROBLEM_UNSUPPORTED;
	if (err->code != ERR_FORMAT)
		return PROBLEM_UNREADABLE;
	return err->damage == DAMAGE_CUT     ? PROBLEM_CUT
	       : err->damage == DAMAGE_EMPTY ? PROBLEM_EMPTY
	                                     : PROBLEM_DAMAGED;
}

void problem_put(struct str *out, const struct problem *problem)
{
	str_puts(out, problem->file);
	if (out->len && problem_has_place(problem))
		str_fmt(out, ", offset %" PRIu64, problem->off);
	str_fmt(out, "%s%s", out->len ? ": " : "", problem->text);
}

void run_problem(struct run *run, enum problem_kind kind, const char *file, uint64_t off,
                 const char *fmt, ...)
{
	struct problem problem = { .file = file, .off = off, .kind = kind };
	va_list args;

	va_start(args, fmt);
	note_problem(run, &problem, fmt, args);
	va_end(args);
}

void run_unread(struct run *run, enum problem_kind kind, const char *file, uint64_t off,
                const char *fmt, ...)
{
	struct problem problem = { .file = file, .off = off, .kind = kind, .unread = true };
	va_list args;

	va_start(args, fmt);
	note_problem(run, &problem, fmt, args);
	va_end(args);
}

void run_unread_dir(struct run *run, const char *dir, const char *nodes, const char *why)
{
	size_t len = strlen(dir);

	len -= len && dir[len - 1] == '/';
	run_add_problem(run, &(struct problem){
		.file = arena_fmt(&run->mem, "%.*s", (int)len, dir), .text = why, .nodes = nodes,
		.kind = PROBLEM_UNREADABLE, .unread = true, .whole = true });
}

/* Is it the directory of a device, or below it? One of a summary has none. */
static bool is_of_device(const struct device *device, const char *file)
{
	size_t len = device->dir ? strlen(device->dir) : 0;

	return !len || (!strncmp(file, device->dir, len) && (!file[len] || file[len] == '/'));
}

bool run_may_hold(const struct run *run, uint32_t device, const char *node)
{
	for (size_t i = 0; i < run->problems.len; i++) {
		const struct problem *p = &run->problems.at[i];

		if (p->nodes && !strncmp(node, p->nodes, strlen(p->nodes))
		    && (device == UINT32_MAX || is_of_device(&run->devices.at[device], p->file)))
			return true;
	}
	return run->index->dirs_left;
}

struct run *run_new(const struct reader *reader, const char *path)
{
	struct run *run = mem_alloc(sizeof *run);

	run->index = mem_alloc(sizeof *run->index);
	run->reader = reader;
	run->path = run_text(run, path);
	run->step = -1;
	return run;
}

void place_release(struct place *place)
{
	vec_release(&place->runs);
	vec_release(&place->parts);
	vec_release(&place->steps);
	vec_release(&place->workers);
	vec_release(&place->problems);
	counted_let_go(place->kept);
	place->kept = NULL;
}

static bool load_nothing(struct run *run, struct progress *progress, struct err *err)
{
	(void)run, (void)progress, (void)err;
	return true;
}

static const struct reader graphs_only = { .name = "graphs", .load = load_nothing };

struct run *run_of_graphs(const char *path)
{
	return run_new(&graphs_only, path);
}

void run_add_graph(struct run *run, const char *device, struct graph *graph, bool lent)
{
	if (run->devices.len <= UINT16_MAX)
		vec_push(&run->devices, ((struct device){ .name = run_text(run, device),
		                                          .graph = graph, .lent = lent,
		                                          .first_us = INT64_MAX }));
	else if (!lent)
		graph_close(graph);
}

/* A tensor while sorting, kept small: here a large dump reaches its peak memory. */
struct order_key {
	int64_t time_us;
	uint32_t rank;
};

#define IN_PLACE UINT32_MAX

static int by_rank(const struct order_key *x, const struct order_key *y)
{
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static const char *stamp_of(const struct run *run, uint32_t rank)
{
	return run->reader->stamp ? run->reader->stamp(&run->tensors.at[rank]) : "";
}

static int by_stamp(const void *a, const void *b, void *run)
{
	const struct order_key *x = a, *y = b;
	int order = strcmp(stamp_of(run, x->rank), stamp_of(run, y->rank));

	return order ? order : by_rank(x, y);
}

/* The same if all times have the same number of digits: then text and number order agree. */
static int by_time(const void *a, const void *b, void *run)
{
	const struct order_key *x = a, *y = b;

	if (x->time_us != y->time_us)
		return x->time_us < y->time_us ? -1 : 1;
	return by_stamp(a, b, run);
}

static bool same_digits(const struct run *run)
{
	size_t digits = run->tensors.len ? strspn(stamp_of(run, 0), "0123456789") : 0;

	for (size_t i = 0; i < run->tensors.len; i++)
		if (strspn(stamp_of(run, (uint32_t)i), "0123456789") != digits)
			return false;
	return true;
}

/* Moves tensor keys[i].rank to index i, along each cycle of the permutation. */
static void permute(struct tensor *tensors, struct order_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tensor first = tensors[i];
		size_t to = i, from = keys[i].rank;

		if (from == IN_PLACE)
			continue;
		while (from != i) {
			tensors[to] = tensors[from];
			keys[to].rank = IN_PLACE;
			to = from;
			from = keys[to].rank;
		}
		tensors[to] = first;
		keys[to].rank = IN_PLACE;
	}
}

static void put_in_order(struct run *run)
{
	size_t n = run->tensors.len;
	struct order_key *keys = mem_alloc(n * sizeof *keys);

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct order_key){ run->tensors.at[i].time_us, (uint32_t)i };
	qsort_r(keys, n, sizeof *keys, same_digits(run) ? by_time : by_stamp, run);
	run->index->rank = mem_alloc(n * sizeof *run->index->rank);
	for (size_t i = 0; i < n; i++)
		run->index->rank[i] = keys[i].rank;
	permute(run->tensors.at, keys, n);
	free(keys);
	/* drops the spare room */
	run->tensors.at = mem_realloc(run->tensors.at, n * sizeof *run->tensors.at);
	run->tensors.cap = n;
}

static void list_by_node(struct run *run)
{
	size_t n = run->tensors.len, n_nodes = run->nodes.len;
	uint32_t *start = mem_alloc((n_nodes + 2) * sizeof *start);
	uint32_t *positions = mem_alloc(n * sizeof *positions);

	for (size_t i = 0; i < n; i++)
		start[run->tensors.at[i].node_id + 2]++;
	for (size_t node = 0; node < n_nodes; node++)
		start[node + 2] += start[node + 1];
	for (size_t i = 0; i < n; i++)
		positions[start[run->tensors.at[i].node_id + 1]++] = (uint32_t)i;
	run->index->start = start;
	run->index->positions = positions;
}

static bool same_source(const struct tensor *a, const struct tensor *b)
{
	return a->node_id == b->node_id && a->slot == b->slot && a->device == b->device
	       && a->debug_op == b->debug_op;
}

static size_t hash_of(const struct tensor *t)
{
	uint64_t h = (uint64_t)t->node_id << 32 | t->slot;

	h = (h ^ (uint64_t)t->device << 16 ^ t->debug_op) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return (size_t)(h ^ h >> 32);
}

/* A table of the latest tensor of each source: its number plus one is the next one's. */
static void number_tensors(struct run *run)
{
	size_t n_slots = 64;
	uint32_t *slot;

	while (n_slots < run->tensors.len * 2)
		n_slots *= 2;
	slot = mem_alloc(n_slots * sizeof *slot);        /* position + 1; 0 is free */
	for (size_t i = 0; i < run->tensors.len; i++) {
		struct tensor *t = &run->tensors.at[i];
		size_t at = hash_of(t) & (n_slots - 1);

		while (slot[at] && !same_source(&run->tensors.at[slot[at] - 1], t))
			at = (at + 1) & (n_slots - 1);
		if (slot[at])
			t->number = run->tensors.at[slot[at] - 1].number + 1;
		slot[at] = (uint32_t)i + 1;
	}
	free(slot);
}

static void find_first_times(struct run *run)
{
	for (size_t i = 0; i < run->devices.len; i++)
		run->devices.at[i].first_us = INT64_MAX;
	for (size_t i = run->tensors.len; i-- > 0; ) {
		const struct tensor *t = &run->tensors.at[i];

		if (t->time_us >= 0)
			run->devices.at[t->device].first_us = t->time_us;
	}
	run->t0_us = run->tensors.len ? INT64_MAX : 0;
	for (size_t i = 0; i < run->devices.len; i++)
		if (run->devices.at[i].first_us < run->t0_us)
			run->t0_us = run->devices.at[i].first_us;
	if (run->t0_us == INT64_MAX)
		run->t0_us = -1;
}

bool run_load(struct run *run, struct progress *progress, struct err *err)
{
	if (!run->reader->load(run, progress, err))
		return false;
	put_in_order(run);
	list_by_node(run);
	number_tensors(run);
	find_first_times(run);
	if (run->index->problems_left) {
		struct problem more = { .file = "", .unread = run->index->dirs_left,
		                        .whole = true,
		                        .nodes = run->index->dirs_left ? "" : NULL };
		struct str text = {0};

		str_fmt(&text, "%" PRIu64 " more problems of these kinds",
		        run->index->problems_left);
		more.text = run_text(run, text.text);
		vec_push(&run->problems, more);
		str_release(&text);
	}
	return true;
}

uint32_t run_node_id(const struct run *run, const char *name, size_t len)
{
	uint32_t id = map_find(&run->nodes, name, len), other;

	if (id != MAP_NONE || !run->full_names.len)
		return id;
	other = map_find(&run->full_names, name, len);
	return other == MAP_NONE ? MAP_NONE : run->full_name_of.at[other];
}

void run_add_full_name(struct run *run, const char *name, uint32_t node_id)
{
	uint32_t id = map_add_lasting(&run->full_names, name, strlen(name));

	if (id == run->full_name_of.len)
		vec_push(&run->full_name_of, node_id);
	else if (run->full_name_of.at[id] != node_id)
		run->full_name_of.at[id] = MAP_NONE;
}

size_t run_nodes_of_full_name(const struct run *run, const char *name, size_t len,
                              const char **nodes, size_t max)
{
	uint32_t id = run->full_names.len ? map_find(&run->full_names, name, len) : MAP_NONE;
	size_t n = 0;

	if (id == MAP_NONE || run->full_name_of.at[id] != MAP_NONE
	    || map_find(&run->nodes, name, len) != MAP_NONE)
		return 0;
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct array_facts facts;

		if (!run_array_facts(run, t, &facts) || !facts.full_name
		    || strlen(facts.full_name) != len || memcmp(facts.full_name, name, len) != 0)
			continue;
		if (n < max)
			nodes[n] = t->node;
		n++;
	}
	return n;
}

size_t run_so_far(const struct run *run)
{
	return run->n_cached ? run->n_cached : run->tensors.len;
}

void run_close(struct run *run)
{
	if (!run)
		return;
	counted_let_go(run->kept);
	for (size_t i = 0; i < run->devices.len; i++)
		if (!run->devices.at[i].lent)
			graph_close(run->devices.at[i].graph);
	free(run->index->start);
	free(run->index->positions);
	free(run->index->rank);
	free(run->index);
	vec_release(&run->devices);
	vec_release(&run->tensors);
	vec_release(&run->problems);
	vec_release(&run->metadata);
	vec_release(&run->facts);
	map_release(&run->nodes);
	map_release(&run->full_names);
	vec_release(&run->full_name_of);
	map_release(&run->debug_ops);
	arena_release(&run->mem);
	free(run);
}

const uint32_t *run_node_tensors(const struct run *run, uint32_t node_id, size_t *n)
{
	const uint32_t *start = run->index->start;

	*n = start[node_id + 1] - start[node_id];
	return run->index->positions + start[node_id];
}

bool tensor_walks_before(const struct run *run, uint32_t a, uint32_t b)
{
	return run->index->rank[a] < run->index->rank[b];
}

size_t run_find_node(const struct run *run, const char *name, size_t len, int device,
                     struct node_ref *refs, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < run->devices.len; i++) {
		const struct graph *graph = run->devices.at[i].graph;
		uint32_t node;

		if (!graph || (device >= 0 && (size_t)device != i))
			continue;
		node = graph_find(graph, name, len);
		if (node == GRAPH_NONE)
			continue;
		if (n < max)
			refs[n] = (struct node_ref){ (uint16_t)i, node };
		n++;
	}
	return n;
}

bool run_has_graph(const struct run *run)
{
	for (size_t i = 0; i < run->devices.len; i++)
		if (run->devices.at[i].graph)
			return true;
	return false;
}

bool run_has_workers(const struct run *run)
{
	for (size_t i = 1; i < run->devices.len; i++) {
		const char *first = run->devices.at[0].worker, *worker = run->devices.at[i].worker;

		if (first && worker && strcmp(first, worker) != 0)
			return true;
	}
	return false;
}

struct value *run_value(const struct run *run, const struct tensor *tensor, struct err *err)
{
	return run->reader->value(run, tensor, err);
}

bool run_array_facts(const struct run *run, const struct tensor *tensor, struct array_facts *out)
{
	if (!run->op_type || !run->reader->array_facts)
		return false;
	run->reader->array_facts(tensor, out);
	return true;
}

void run_put_name(const struct run *run, const struct tensor *tensor, struct str *out)
{
	str_puts(out, tensor->node);
	if (!run->op_type) {
		str_putc(out, ':');
		str_int(out, tensor->slot);
	}
}

void run_tensor_file(const struct run *run, const struct tensor *tensor, struct str *out)
{
	run->reader->tensor_file(run, tensor, out);
}
