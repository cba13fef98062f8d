/*
 * How far an origin gets. What grew from it is collected along inheritance; then each op that takes
 * one of these and has none of its own among them either came out clean, and has absorbed it, or
 * was not traced, and then it may have carried it on.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/program_origins_parts.h"

enum { WALK_MOST = 1000 };       /* longer ones are told so far */

struct spreading {
	struct hunt *h;
	uint32_t *heir, *heir_first;     /* bad tensors that have it from each */
	uint32_t *member, *member_first; /* bad tensors of each found */
	uint32_t *seen;                  /* by bad tensor: in which search */
	uint32_t *from;                  /* the same: which one led to it; PROGRAM_NONE: none */
	uint32_t *seen_call;             /* by call: in which its outputs were taken */
	uint32_t *seen_node;             /* by node: in which it was taken for an absorber */
	uint32_t *seen_carrier;          /* by node: in which call of which search */
	uint32_t search, carrying;
	VEC(uint32_t) reached;
	VEC(uint32_t) carriers;          /* nodes that carry it on, not followed yet */
};

static void sort_heirs(struct spreading *s)
{
	const struct hunt *h = s->h;
	uint32_t *next;

	s->heir_first = mem_alloc((h->bad.len + 2) * sizeof *s->heir_first);
	s->heir = mem_alloc((h->inherited.len + 1) * sizeof *s->heir);
	next = s->heir_first + 1;
	for (size_t i = 0; i < h->inherited.len; i++)
		next[h->inherited.at[i].from + 1]++;
	hunt_add_up(next, h->bad.len);
	for (size_t i = 0; i < h->inherited.len; i++)
		s->heir[next[h->inherited.at[i].from]++] = h->inherited.at[i].to;
}

static void sort_members(struct spreading *s)
{
	const struct hunt *h = s->h;
	uint32_t *next;

	s->member_first = mem_alloc((h->found.len + 2) * sizeof *s->member_first);
	s->member = mem_alloc((h->bad.len + 1) * sizeof *s->member);
	next = s->member_first + 1;
	for (size_t i = 0; i < h->bad.len; i++)
		if (h->bad.at[i].origin != PROGRAM_NONE)
			next[h->bad.at[i].origin + 1]++;
	hunt_add_up(next, h->found.len);
	for (uint32_t i = 0; i < h->bad.len; i++)
		if (h->bad.at[i].origin != PROGRAM_NONE)
			s->member[next[h->bad.at[i].origin]++] = i;
}

struct spreading *spreading_new(struct hunt *h)
{
	struct spreading *s = mem_alloc(sizeof *s);

	s->h = h;
	sort_heirs(s);
	sort_members(s);
	s->seen = mem_alloc((h->bad.len + 1) * sizeof *s->seen);
	s->from = mem_alloc((h->bad.len + 1) * sizeof *s->from);
	s->seen_call = mem_alloc((hunt_no_call(h) + 1) * sizeof *s->seen_call);
	s->seen_node = mem_alloc((h->program->nodes.len + 1) * sizeof *s->seen_node);
	s->seen_carrier = mem_alloc((h->program->nodes.len + 1) * sizeof *s->seen_carrier);
	return s;
}

void spreading_free(struct spreading *s)
{
	free(s->heir);
	free(s->heir_first);
	free(s->member);
	free(s->member_first);
	free(s->seen);
	free(s->from);
	free(s->seen_call);
	free(s->seen_node);
	free(s->seen_carrier);
	vec_release(&s->carriers);
	vec_release(&s->reached);
	free(s);
}

void spread_release(struct spread *spread)
{
	vec_release(&spread->absorbers);
	vec_release(&spread->walk);
}

/* ---- what grew from it */

static void reach(struct spreading *s, uint32_t bad, uint32_t from)
{
	if (s->seen[bad] == s->search)
		return;
	s->seen[bad] = s->search;
	s->from[bad] = from;
	vec_push(&s->reached, bad);
}

/* The outputs of a call have it from any of its traces; those of a step have it together. */
static void reach_outputs(struct spreading *s, uint32_t from)
{
	const struct hunt *h = s->h;
	uint32_t call = h->bad.at[from].call;

	if (call == hunt_no_call(h) || s->seen_call[call] == s->search)
		return;
	s->seen_call[call] = s->search;
	for (uint32_t i = h->bad_first[call + 1]; i-- > h->bad_first[call];) {
		if (h->bad.at[i].at != PROGRAM_NONE)
			break;
		reach(s, i, from);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* False after a cancel. */
static bool collect(struct spreading *s, uint32_t found)
{
	const struct hunt *h = s->h;

	s->search++;
	s->reached.len = 0;
	for (uint32_t i = s->member_first[found]; i < s->member_first[found + 1]; i++)
		reach(s, s->member[i], PROGRAM_NONE);
	for (size_t i = 0; i < s->reached.len; i++) {
		uint32_t bad = s->reached.at[i];

		if (!(i % 4096) && progress_cancelled(h->progress))
			return false;
		for (uint32_t k = s->heir_first[bad]; k < s->heir_first[bad + 1]; k++)
			reach(s, s->heir[k], bad);
		reach_outputs(s, bad);
	}
	qsort(s->reached.at, s->reached.len, sizeof *s->reached.at, by_number);
	return true;
}

/* ---- what takes it */

enum taking { CARRIED_ON, CAME_OUT_CLEAN, NOT_TRACED };

/* What became of it in a node that takes it: of all the node's traces in the call. */
static enum taking taking_of(const struct spreading *s, uint32_t node, uint32_t call)
{
	const struct hunt *h = s->h;
	enum taking taking = NOT_TRACED;
	uint32_t from, to;

	for (uint32_t key = h->node_key[node]; key; key = h->next_key[key - 1]) {
		hunt_key_between(h, key - 1, h->call_first[call], h->call_first[call + 1],
		                 &from, &to);
		for (; from < to; from++) {
			uint32_t bad = h->bad_at[h->by_key[from]];

			if (bad && s->seen[bad - 1] == s->search)
				return CARRIED_ON;
			taking = CAME_OUT_CLEAN;
		}
	}
	return taking;
}

/* Are all outputs of the call known? Then it shows in them whether it got out. */
static bool tells_outputs(const struct hunt *h, uint32_t call)
{
	const struct program_step *step;

	if (call == hunt_no_call(h))
		return false;
	step = &h->program->steps.at[call];
	return step->n_entries == step->n_outputs;
}

static void absorb(struct spreading *s, struct spread *spread, uint32_t node)
{
	spread->is_taken = true;
	spread->has_mask |= !!(op_traits(hunt_op_type(s->h, node)) & OP_MASKS);
	if (s->seen_node[node] == s->search)
		return;
	s->seen_node[node] = s->search;
	vec_push(&spread->absorbers, node);
}

/* A node takes it that was not traced in the call: what it puts out is looked at later. */
static void take_untraced(struct spreading *s, struct spread *spread, uint32_t node)
{
	const char *op = hunt_op_type(s->h, node);
	uint32_t traits = op_traits(op);

	if ((traits & OP_ASSIGNS) || op_is_writer(op))
		spread->gets_out = true;
	else if (traits & OP_NO_FLOAT)
		absorb(s, spread, node);
	else if (traits & OP_CALLS)
		spread->is_taken = true;
	else if (traits & OP_CARRIES)
		vec_push(&s->carriers, node);
	else
		spread->gets_out = true;
}

/* Nodes that take an output, or any output if the slot is PROGRAM_NONE. False: there are none. */
static bool follow_output(struct spreading *s, struct spread *spread, uint32_t node, uint32_t slot,
                          uint32_t call)
{
	const struct program *program = s->h->program;
	const struct program_use *use;
	bool is_used = false;
	size_t n;

	use = program_uses(program, node, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t taker = program->ops.at[use[i].op].node;
		enum taking taking;

		if (use[i].slot == PROGRAM_CONTROL ||
		    (slot != PROGRAM_NONE && use[i].slot != (int32_t)slot))
			continue;
		is_used = true;
		taking = taking_of(s, taker, call);
		if (taking == CAME_OUT_CLEAN)
			absorb(s, spread, taker);
		else if (taking == NOT_TRACED && s->seen_carrier[taker] != s->carrying) {
			s->seen_carrier[taker] = s->carrying;
			take_untraced(s, spread, taker);
		}
	}
	return is_used;
}

/*
 * It is at the end of a graph: what is returned from a call shows in the outputs of that, if these
 * are known; from another graph it goes to the op that called it. What is fetched from a graph that
 * no step called is not recorded.
 */
static void leave_graph(struct spreading *s, struct spread *spread, uint32_t node, uint32_t call)
{
	const struct hunt *h = s->h;

	if (!tells_outputs(h, call))
		spread->gets_out = true;
	else if (h->program->nodes.at[node].graph != h->program->steps.at[call].graph)
		spread->is_taken = true;
}

/* All that take a bad trace, itself or through ops that were not traced and carry it on. */
static void follow_trace(struct spreading *s, struct spread *spread, const struct bad_tensor *bad)
{
	const struct hunt *h = s->h;
	const struct program_key *key =
		&h->program->keys.at[h->program->traces.at[h->traces[bad->at]].key];

	s->carriers.len = 0;
	if (!follow_output(s, spread, key->node, (uint32_t)key->slot, bad->call) &&
	    bad->call == hunt_no_call(h))
		spread->gets_out = true;
	while (s->carriers.len && !spread->gets_out) {
		uint32_t node = s->carriers.at[--s->carriers.len];

		if (!follow_output(s, spread, node, PROGRAM_NONE, bad->call))
			leave_graph(s, spread, node, bad->call);
	}
}

/* ---- the way there */

/*
 * What led to a bad tensor. Which trace became the output of a call is not recorded: the last one
 * that it reached stands for it, of the gradients' only if there is no other.
 */
static uint32_t before(const struct spreading *s, uint32_t bad)
{
	const struct hunt *h = s->h;
	uint32_t call = h->bad.at[bad].call, from = s->from[bad];
	bool is_gradient = true;

	if (from == PROGRAM_NONE || h->bad.at[bad].at != PROGRAM_NONE ||
	    h->bad.at[from].at == PROGRAM_NONE || h->bad.at[from].call != call)
		return from;
	for (uint32_t i = h->bad_first[call + 1]; is_gradient && i-- > h->bad_first[call];) {
		uint32_t node;

		if (s->seen[i] != s->search || h->bad.at[i].at == PROGRAM_NONE)
			continue;
		node = hunt_node_at(h, h->bad.at[i].at);
		is_gradient = name_is_of_gradient(h->program->nodes.at[node].name);
		if (!is_gradient || from == s->from[bad])
			from = i;
	}
	return from;
}

/* From where it gets out back to the origin, then reverses the list. */
static void tell_walk(const struct spreading *s, struct spread *spread, uint32_t end)
{
	size_t n;

	for (uint32_t bad = end; bad != PROGRAM_NONE && spread->walk.len < s->reached.len;
	     bad = before(s, bad))
		vec_push(&spread->walk, bad);
	n = spread->walk.len;
	for (size_t i = 0; i < n / 2; i++) {
		uint32_t bad = spread->walk.at[i];

		spread->walk.at[i] = spread->walk.at[n - 1 - i];
		spread->walk.at[n - 1 - i] = bad;
	}
	if (n > WALK_MOST)
		spread->walk.len = WALK_MOST;
}

/* ---- of which kinds it is */

static void tell_kinds(const struct spreading *s, struct spread *spread)
{
	const struct hunt *h = s->h;

	spread->first_nan = PROGRAM_NONE;
	for (size_t i = 0; i < s->reached.len && spread->first_nan == PROGRAM_NONE; i++) {
		struct program_tensor tensor = hunt_tensor(h, s->reached.at[i]);
		unsigned kinds = program_kinds(h->program, &tensor);

		spread->may_have_nan |= !kinds || kinds & PROGRAM_WITH_NAN;
		spread->may_have_pos_inf |= !kinds || kinds & PROGRAM_WITH_POS_INF;
		if (kinds & PROGRAM_WITH_NAN)
			spread->first_nan = s->reached.at[i];
	}
}

bool spreading_of(struct spreading *s, uint32_t found)
{
	const struct hunt *h = s->h;
	struct spread *spread = &s->h->found.at[found].spread;
	uint32_t call = PROGRAM_NONE;

	if (!collect(s, found))
		return false;
	spread->n = s->reached.len - (s->member_first[found + 1] - s->member_first[found]);
	for (size_t i = 0; i < s->reached.len; i++) {
		const struct bad_tensor *bad = &h->bad.at[s->reached.at[i]];

		if (!(i % 256) && progress_cancelled(h->progress))
			return false;
		s->carrying += bad->call != call;
		call = bad->call;
		if (bad->at == PROGRAM_NONE)
			spread->gets_out = true;
		else
			follow_trace(s, spread, bad);
		if (spread->gets_out) {
			tell_walk(s, spread, s->reached.at[i]);
			break;
		}
	}
	tell_kinds(s, spread);
	return true;
}
