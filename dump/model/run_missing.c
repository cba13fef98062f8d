/*
 * Each device alone: the watched slots first, compared with the dumps. Only if one is missing,
 * deadness is followed from each Switch of which just one side was dumped: through whatever has no
 * dump of its own, as an op that ran is not dead. A circle of a graph leads through a NextIteration
 * that comes back to a Merge: what follows edges does not follow that one.
 */
#include "dump/model/run_missing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/run_names.h"

enum { ALL_DEAD = 0xff, SLOT_BITS = 8 };
enum { SLOT_FALSE = 0 }; /* of a Switch: what goes on if its choice is false */
enum { ANY_INPUT = -1, SWITCH_DATA = 0, SWITCH_CHOICE = 1 };

/* A slot of the node is missing; or it is not watched, and did not run for want of an input. */
enum { MISSING = 1, BEHIND = 2 };

/* A watched slot without a dump, or whose dump may lie where nothing could be read. */
struct missing {
	uint32_t node, slot;
	bool unread;
};

struct looking {
	const struct run *run;
	uint16_t device;
	struct graph *graph;
	const struct map *fetched;       /* "node:0" */
	uint32_t *node_id;               /* of each node of the graph: of the run's, or MAP_NONE */
	VEC(struct missing) missing;
	unsigned char *dead;             /* of each node a bit for each of the first slots */
	unsigned char *waits;            /* of each node: MISSING or BEHIND */
	VEC(uint32_t) spread;            /* nodes whose recipients are to be looked at */
};

/* What is looked for: suspects, or all that is missing; names are those of graphs. */
struct found {
	bool all;
	VEC(struct suspect) suspects;
	VEC(struct missing_slot) slots;
};

/* slot UINT32_MAX: any. */
static bool is_dumped(const struct looking *l, uint32_t node, uint32_t slot)
{
	const uint32_t *at;
	size_t n;

	if (l->node_id[node] == MAP_NONE)
		return false;
	at = run_node_tensors(l->run, l->node_id[node], &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *t = &l->run->tensors.at[at[i]];

		if (t->device == l->device && (slot == UINT32_MAX || t->slot == slot))
			return true;
	}
	return false;
}

static void take_watch(void *owner, uint32_t node, uint32_t slot)
{
	struct looking *l = owner;

	if (!is_dumped(l, node, slot))
		*vec_add(&l->missing) = (struct missing){
			node, slot, run_may_hold(l->run, l->device, graph_name(l->graph, node)),
		};
}

static bool is_op(const struct looking *l, uint32_t node, const char *op)
{
	const char *has = graph_op(l->graph, node);

	return !strcmp(has, op) || (!strncmp(has, "Ref", 3) && !strcmp(has + 3, op));
}

/* Is it what comes to a Merge from the turn before? The first turn has to do without it. */
static bool comes_round(const struct looking *l, uint32_t node, const struct edge *edge)
{
	return edge->node != GRAPH_NONE && is_op(l, edge->node, "NextIteration") &&
	       is_op(l, node, "Merge");
}

static bool slot_is_dead(const struct looking *l, uint32_t node, uint32_t slot)
{
	return slot < SLOT_BITS ? l->dead[node] >> slot & 1 : l->dead[node] == ALL_DEAD;
}

/* Does this input come from a node with this op? From which then. */
static bool is_fed_by(struct looking *l, uint32_t node, int number, const char *op, uint32_t *from,
                      bool *yes, struct err *err)
{
	struct edges inputs;

	*yes = false;
	if (!graph_edges(l->graph, node, EDGE_INPUT, &inputs, err))
		return false;
	for (size_t i = 0; i < inputs.len && !*yes; i++) {
		*from = inputs.at[i].node;
		*yes = (number == ANY_INPUT || (size_t)number == i) && *from != GRAPH_NONE &&
		       is_op(l, *from, op);
	}
	return true;
}

/*
 * A loop ends by the side SLOT_FALSE of its Switches: that side has no dump while it turns. Such a
 * Switch is told by LoopCond, or, where that is on another device, by a Merge to which
 * NextIteration comes back.
 */
static bool is_loop_exit(struct looking *l, const struct missing *m, bool *yes, struct err *err)
{
	uint32_t from;

	*yes = false;
	if (m->slot != SLOT_FALSE)
		return true;
	if (!is_fed_by(l, m->node, SWITCH_CHOICE, "LoopCond", &from, yes, err))
		return false;
	if (*yes)
		return true;
	if (!is_fed_by(l, m->node, SWITCH_DATA, "Merge", &from, yes, err))
		return false;
	return !*yes || is_fed_by(l, from, ANY_INPUT, "NextIteration", &from, yes, err);
}

/* The side of a Switch that was not taken. */
static bool find_dead_sides(struct looking *l, struct err *err)
{
	for (size_t i = 0; i < l->missing.len; i++) {
		const struct missing *m = &l->missing.at[i];
		bool leaves;

		if (m->unread || m->slot >= SLOT_BITS || !is_op(l, m->node, "Switch") ||
		    !is_dumped(l, m->node, UINT32_MAX))
			continue;
		if (!is_loop_exit(l, m, &leaves, err))
			return false;
		if (leaves)
			continue;
		l->dead[m->node] |= (unsigned char)(1u << m->slot);
		vec_push(&l->spread, m->node);
	}
	return true;
}

static bool end_is_dead(const struct looking *l, const struct edge *edge, bool control)
{
	if (edge->node == GRAPH_NONE)
		return false;
	if (control)
		return l->dead[edge->node] == ALL_DEAD;
	return slot_is_dead(l, edge->node, edge->slot < 0 ? 0 : (uint32_t)edge->slot);
}

/* One dead input is enough; of a Merge all are dead that come from outside its loop. */
static bool dies(struct looking *l, uint32_t node, bool *dead, struct err *err)
{
	static const enum edge_kind kinds[] = { EDGE_INPUT, EDGE_CONTROL };
	bool merge = is_op(l, node, "Merge");
	size_t n_dead = 0, n_all = 0;

	for (int k = 0; k < 2; k++) {
		struct edges edges;

		if (!graph_edges(l->graph, node, kinds[k], &edges, err))
			return false;
		for (size_t i = 0; i < edges.len; i++) {
			if (comes_round(l, node, &edges.at[i]))
				continue;
			n_all++;
			n_dead += end_is_dead(l, &edges.at[i], kinds[k] == EDGE_CONTROL);
		}
	}
	*dead = merge ? n_all && n_dead == n_all : n_dead > 0;
	return true;
}

static bool spread_to(struct looking *l, uint32_t node, struct err *err)
{
	bool dead;

	if (node == GRAPH_NONE || l->dead[node] == ALL_DEAD || is_dumped(l, node, UINT32_MAX))
		return true;
	if (!dies(l, node, &dead, err))
		return false;
	if (dead) {
		l->dead[node] = ALL_DEAD;
		vec_push(&l->spread, node);
	}
	return true;
}

/* Calls look for the recipients of all nodes of l->spread, which it may make longer. */
static bool each_recipient(struct looking *l,
                           bool (*look)(struct looking *l, uint32_t node, struct err *err),
                           struct err *err)
{
	static const enum edge_kind kinds[] = { EDGE_RECIPIENT, EDGE_CONTROL_RECIPIENT };

	while (l->spread.len) {
		uint32_t node = l->spread.at[--l->spread.len];

		for (int k = 0; k < 2; k++) {
			struct edges edges;

			if (!graph_edges(l->graph, node, kinds[k], &edges, err))
				return false;
			for (size_t i = 0; i < edges.len; i++)
				if (!look(l, edges.at[i].node, err))
					return false;
		}
	}
	return true;
}

static int by_slot(const void *a, const void *b)
{
	const struct missing *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/* What was fetched has to be there: a run that comes to an end where it is dead has failed. */
static bool is_fetched(const struct looking *l, const struct missing *m)
{
	struct str name = {0};
	bool yes;

	str_fmt(&name, "%s:%" PRIu32, graph_name(l->graph, m->node), m->slot);
	yes = map_find(l->fetched, name.text, name.len) != MAP_NONE;
	str_release(&name);
	return yes;
}

static bool is_dead(const struct looking *l, const struct missing *m)
{
	return slot_is_dead(l, m->node, m->slot) && !is_fetched(l, m);
}

/* Puts them in order, each once. */
static void order_missing(struct looking *l)
{
	size_t kept = 0;

	qsort(l->missing.at, l->missing.len, sizeof *l->missing.at, by_slot);
	for (size_t i = 0; i < l->missing.len; i++)
		if (!kept || by_slot(&l->missing.at[kept - 1], &l->missing.at[i]))
			l->missing.at[kept++] = l->missing.at[i];
	l->missing.len = kept;
}

/* Takes the dead ones out. */
static void drop_dead(struct looking *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->missing.len; i++)
		if (!is_dead(l, &l->missing.at[i]))
			l->missing.at[kept++] = l->missing.at[i];
	l->missing.len = kept;
	for (size_t i = 0; i < kept; i++)
		l->waits[l->missing.at[i].node] = MISSING;
}

static bool edge_is_missing(const struct looking *l, const struct edge *edge, bool control)
{
	struct missing key = { .node = edge->node,
	                       .slot = edge->slot < 0 ? 0 : (uint32_t)edge->slot };

	if (edge->node == GRAPH_NONE || !l->waits[edge->node])
		return false;
	return control || l->waits[edge->node] == BEHIND ||
	       bsearch(&key, l->missing.at, l->missing.len, sizeof key, by_slot);
}

static bool waits_for_missing(struct looking *l, uint32_t node, bool *waits, struct err *err)
{
	static const enum edge_kind kinds[] = { EDGE_INPUT, EDGE_CONTROL };

	*waits = false;
	for (int k = 0; k < 2; k++) {
		struct edges edges;

		if (!graph_edges(l->graph, node, kinds[k], &edges, err))
			return false;
		for (size_t i = 0; i < edges.len; i++)
			*waits |= !comes_round(l, node, &edges.at[i]) &&
			          edge_is_missing(l, &edges.at[i], kinds[k] == EDGE_CONTROL);
	}
	return true;
}

static bool wait_behind(struct looking *l, uint32_t node, struct err *err)
{
	bool waits;

	if (node == GRAPH_NONE || l->waits[node] || l->dead[node] || is_dumped(l, node, UINT32_MAX))
		return true;
	if (!waits_for_missing(l, node, &waits, err))
		return false;
	if (waits) {
		l->waits[node] = BEHIND;
		vec_push(&l->spread, node);
	}
	return true;
}

static bool spread_waiting(struct looking *l, struct err *err)
{
	for (size_t i = 0; i < l->missing.len; i++)
		vec_push(&l->spread, l->missing.at[i].node);
	return each_recipient(l, wait_behind, err);
}

static void suspect(const struct looking *l, const struct missing *m, struct found *found)
{
	*vec_add(&found->suspects) =
		(struct suspect){ graph_name(l->graph, m->node), m->slot, l->device };
}

/*
 * What waits for a dump that may be there and can't be read is none. In a circle that is no loop of
 * TensorFlow's each waits for another: none is above the rest.
 */
static bool find_suspects(struct looking *l, struct found *found, struct err *err)
{
	size_t before = found->suspects.len;
	bool any_unread = false;

	for (size_t i = 0; i < l->missing.len; i++) {
		bool waits;

		if (!waits_for_missing(l, l->missing.at[i].node, &waits, err))
			return false;
		if (!waits && !l->missing.at[i].unread)
			suspect(l, &l->missing.at[i], found);
		any_unread |= l->missing.at[i].unread;
	}
	if (found->suspects.len > before || any_unread)
		return true;
	for (size_t i = 0; i < l->missing.len; i++)
		suspect(l, &l->missing.at[i], found);
	return true;
}

/* A Merge says nothing: it takes whatever comes. */
static bool was_computed(struct looking *l, uint32_t node, bool *ran, struct err *err)
{
	struct edges to;

	*ran = is_dumped(l, node, UINT32_MAX);
	if (!graph_edges(l->graph, node, EDGE_RECIPIENT, &to, err))
		return false;
	for (size_t i = 0; i < to.len && !*ran; i++)
		*ran = to.at[i].node != GRAPH_NONE && !is_op(l, to.at[i].node, "Merge") &&
		       is_dumped(l, to.at[i].node, UINT32_MAX);
	return true;
}

static bool take_missing(struct looking *l, struct found *found, struct err *err)
{
	for (size_t i = 0; i < l->missing.len; i++) {
		const struct missing *m = &l->missing.at[i];
		struct missing_slot slot = {
			.node = graph_name(l->graph, m->node), .slot = m->slot,
			.device = l->device, .dead = is_dead(l, m),
		};

		if (m->unread)
			continue;
		if (!slot.dead && !was_computed(l, m->node, &slot.ran, err))
			return false;
		vec_push(&found->slots, slot);
	}
	return true;
}

static bool look_at_edges(struct looking *l, struct found *found, struct err *err)
{
	if (!find_dead_sides(l, err) || !each_recipient(l, spread_to, err))
		return false;
	order_missing(l);
	if (found->all)
		return take_missing(l, found, err);
	drop_dead(l);
	return spread_waiting(l, err) && find_suspects(l, found, err);
}

static bool look_at_device(const struct run *run, uint16_t device, const struct map *fetched,
                           struct found *found, struct err *err)
{
	struct graph *graph = run->devices.at[device].graph;
	uint32_t n = graph_len(graph);
	struct looking l = {
		.run = run, .device = device, .graph = graph, .fetched = fetched,
		.node_id = mem_alloc(n * sizeof *l.node_id), .dead = mem_alloc(n),
		.waits = mem_alloc(n),
	};
	bool ok;

	for (uint32_t i = 0; i < n; i++)
		l.node_id[i] = map_find(&run->nodes, graph_name(graph, i),
		                        strlen(graph_name(graph, i)));
	ok = graph_watched(graph, take_watch, &l, err);
	if (ok && l.missing.len)
		ok = look_at_edges(&l, found, err);
	free(l.node_id);
	free(l.dead);
	free(l.waits);
	vec_release(&l.missing);
	vec_release(&l.spread);
	return ok;
}

/* By the core metadata; all of them, where runs are mixed. */
static void take_fetched(const struct run *run, struct arena *mem, struct map *fetched)
{
	for (size_t i = 0; i < run->metadata.len; i++) {
		struct core_metadata metadata;

		core_metadata_read(run->metadata.at[i], mem, &metadata);
		for (size_t k = 0; k < metadata.outputs.list.len; k++)
			map_add(fetched, mem, metadata.outputs.list.at[k],
			        strlen(metadata.outputs.list.at[k]));
		core_metadata_release(&metadata);
	}
}

/* The caller releases what was found. */
static bool find(const struct run *run, struct found *found, struct err *err)
{
	struct arena scratch = {0};
	struct map fetched = {0};
	bool ok = true;

	take_fetched(run, &scratch, &fetched);
	for (size_t i = 0; ok && i < run->devices.len; i++)
		if (run->devices.at[i].graph)
			ok = look_at_device(run, (uint16_t)i, &fetched, found, err);
	map_release(&fetched);
	arena_release(&scratch);
	return ok;
}

bool run_suspects(const struct run *run, struct arena *mem, struct suspect **suspects, size_t *n,
                  struct err *err)
{
	struct found found = {0};
	bool ok = find(run, &found, err);

	*n = found.suspects.len;
	*suspects = arena_alloc(mem, (*n + 1) * sizeof **suspects);
	for (size_t i = 0; i < *n; i++) {
		(*suspects)[i] = found.suspects.at[i];
		(*suspects)[i].node = arena_copy(mem, (*suspects)[i].node,
		                                 strlen((*suspects)[i].node));
	}
	vec_release(&found.suspects);
	return ok;
}

bool run_missing(const struct run *run, struct arena *mem, struct missing_slot **slots, size_t *n,
                 struct err *err)
{
	struct found found = { .all = true };
	bool ok = find(run, &found, err);

	*n = found.slots.len;
	*slots = arena_alloc(mem, (*n + 1) * sizeof **slots);
	for (size_t i = 0; i < *n; i++) {
		(*slots)[i] = found.slots.at[i];
		(*slots)[i].node = arena_copy(mem, (*slots)[i].node, strlen((*slots)[i].node));
	}
	vec_release(&found.slots);
	return ok;
}
