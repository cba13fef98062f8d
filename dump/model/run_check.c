/*
 * tfdbg replays a dump against the graph: an op may only have run after every dumped tensor that it
 * takes. For each consumer the inputs still awaited are kept as entries of one table (consumer,
 * producer, slot); a tensor's arrival strikes them out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/run.h"

#define STEP_TENSORS 1024        /* between two looks at progress */

/* A set of triples; struck ones stay as entries. */
struct triple {
	uint32_t consumer, producer, slot;
	uint32_t state;          /* 0 free, 1 awaited, 2 struck */
};

enum { AWAITED = 1, STRUCK = 2 };

struct triples {
	struct triple *at;
	size_t n_slots;          /* a power of two; at most half full */
	size_t len;
};

/* One device while it is checked. Nodes are numbers of its graph. */
struct check {
	const struct run *run;
	const struct device *device;
	struct graph *graph;
	uint32_t *node_of;       /* of run node id: node of the graph, or GRAPH_NONE */
	uint32_t *tensors;       /* of this device, in time order */
	size_t n_tensors;
	struct triples dumped;   /* (0, node, slot) */
	struct triples awaited;
	uint32_t *n_awaited;     /* of each node */
	bool all;                /* else the first finding is enough */
	struct findings *findings;
	struct str text;         /* scratch */
};

/* In the memory of the caller of run_check. */
struct findings {
	VEC(struct problem) list;
	struct arena *mem;
};

/* The first one of a device is about the device, as in tfdbg. */
static void put_finding(struct check *c, enum problem_kind kind, const struct tensor *t)
{
	struct findings *f = c->findings;
	struct str file = {0};

	if (c->all)
		run_tensor_file(c->run, t, &file);
	else
		str_puts(&file, c->device->dir);
	vec_push(&f->list, ((struct problem){
		.file = arena_copy(f->mem, str_text(&file), file.len), .kind = kind,
		.text = arena_copy(f->mem, c->text.text, c->text.len),
	}));
	str_release(&file);
}

static struct triple *place_of(const struct triples *set, uint32_t consumer, uint32_t producer,
                               uint32_t slot)
{
	uint64_t h = ((uint64_t)consumer << 32 | producer) * 0x9e3779b97f4a7c15u;
	size_t at;

	h = (h ^ h >> 29 ^ slot) * 0xd6e8feb86659fd93u;
	at = (size_t)(h ^ h >> 32) & (set->n_slots - 1);
	for (;;) {
		struct triple *t = &set->at[at];

		if (!t->state || (t->consumer == consumer && t->producer == producer &&
		                  t->slot == slot))
			return t;
		at = (at + 1) & (set->n_slots - 1);
	}
}

static void grow(struct triples *set)
{
	struct triples larger = {
		.n_slots = set->n_slots ? set->n_slots * 2 : 64, .len = set->len,
	};

	larger.at = mem_alloc(larger.n_slots * sizeof *larger.at);
	for (size_t i = 0; i < set->n_slots; i++) {
		const struct triple *t = &set->at[i];

		if (t->state)
			*place_of(&larger, t->consumer, t->producer, t->slot) = *t;
	}
	free(set->at);
	*set = larger;
}

/* True if it is new. */
static bool add(struct triples *set, uint32_t consumer, uint32_t producer, uint32_t slot)
{
	struct triple *place;

	if ((set->len + 1) * 2 > set->n_slots)
		grow(set);
	place = place_of(set, consumer, producer, slot);
	if (place->state)
		return false;
	*place = (struct triple){ consumer, producer, slot, AWAITED };
	set->len++;
	return true;
}

static bool has(const struct triples *set, uint32_t consumer, uint32_t producer, uint32_t slot)
{
	return set->n_slots && place_of(set, consumer, producer, slot)->state == AWAITED;
}

static void strike(struct check *c, uint32_t consumer, uint32_t producer, uint32_t slot)
{
	if (!c->n_awaited[consumer] || !has(&c->awaited, consumer, producer, slot))
		return;
	place_of(&c->awaited, consumer, producer, slot)->state = STRUCK;
	c->n_awaited[consumer]--;
}

static void report_unknown(struct check *c, const struct tensor *t)
{
	str_reset(&c->text);
	str_fmt(&c->text, "Node name '%s' is not found in partition graphs of device %s.", t->node,
	        c->device->name);
	put_finding(c, PROBLEM_NOT_IN_GRAPH, t);
}

/* Of a node that the graph lacks, what it has to be to be reported once. */
#define REPORTED (GRAPH_NONE - 1)

/* The device's tensors whose nodes are in the graph. False: the first that is not ends it. */
static bool take_tensors(struct check *c)
{
	size_t device = (size_t)(c->device - c->run->devices.at);

	for (size_t id = 0; id < c->run->nodes.len; id++) {
		const char *name = c->run->nodes.key[id];

		c->node_of[id] = graph_find(c->graph, name, strlen(name));
	}
	for (size_t i = 0; i < c->run->tensors.len; i++) {
		const struct tensor *t = &c->run->tensors.at[i];

		if (t->device != device || c->node_of[t->node_id] == REPORTED)
			continue;
		if (c->node_of[t->node_id] == GRAPH_NONE) {
			report_unknown(c, t);
			if (!c->all)
				return false;
			c->node_of[t->node_id] = REPORTED;
			continue;
		}
		add(&c->dumped, 0, c->node_of[t->node_id], t->slot);
		c->tensors[c->n_tensors++] = (uint32_t)i;
	}
	return true;
}

static uint32_t slot_of(const struct edge *edge)
{
	return edge->slot < 0 ? 0 : (uint32_t)edge->slot;
}

/*
 * Is it an input that is waited for? Loops close over Enter and NextIteration, if named without a
 * slot.
 */
static bool is_awaited(const struct check *c, const struct edge *edge)
{
	const char *op;

	if (edge->node == GRAPH_NONE || !has(&c->dumped, 0, edge->node, slot_of(edge)))
		return false;
	op = graph_op(c->graph, edge->node);
	return edge->slot >= 0 || (strcmp(op, "Enter") && strcmp(op, "NextIteration"));
}

static bool take_inputs(struct check *c, struct err *err)
{
	struct edges inputs;

	for (uint32_t node = 0; node < graph_len(c->graph); node++) {
		if (!graph_look(c->graph, node, EDGE_INPUT, &inputs, err))
			return false;
		for (size_t i = 0; i < inputs.len; i++)
			if (is_awaited(c, &inputs.at[i])
			    && add(&c->awaited, node, inputs.at[i].node, slot_of(&inputs.at[i])))
				c->n_awaited[node]++;
	}
	return true;
}

/* What is missing when tensor t was dumped, as Python prints it. */
static bool report_missing(struct check *c, const struct tensor *t, uint32_t node, struct err *err)
{
	struct edges inputs;
	const char *before = "";

	if (!graph_look(c->graph, node, EDGE_INPUT, &inputs, err))
		return false;
	str_reset(&c->text);
	str_fmt(&c->text, "Causality violated in timing relations of debug dumps: %s (%" PRId64
	                     "): "
	        "these input(s) are not satisfied: [", t->node, t->time_us);
	for (size_t i = 0; i < inputs.len; i++) {
		const struct edge *edge = &inputs.at[i];

		if (edge->node == GRAPH_NONE || !has(&c->awaited, node, edge->node, slot_of(edge)))
			continue;
		str_fmt(&c->text, "%s('%s', %" PRIu32 ")", before,
		        graph_name(c->graph, edge->node), slot_of(edge));
		before = ", ";
		strike(c, node, edge->node, slot_of(edge));
	}
	str_puts(&c->text, "]");
	put_finding(c, PROBLEM_TOO_EARLY, t);
	return true;
}

/* Tensors of the same time may stand in any order: the later ones count as there. */
static void strike_same_time(struct check *c, size_t at, uint32_t node)
{
	int64_t time_us = c->run->tensors.at[c->tensors[at]].time_us;

	for (size_t i = at + 1; i < c->n_tensors && c->n_awaited[node]; i++) {
		const struct tensor *later = &c->run->tensors.at[c->tensors[i]];

		if (later->time_us > time_us)
			break;
		if (later->time_us == time_us)
			strike(c, node, c->node_of[later->node_id], later->slot);
	}
}

/*
 * Tensor number `at` has come: its recipients wait for it no longer. A Merge takes whatever comes
 * first.
 */
static bool strike_recipients(struct check *c, size_t at, struct err *err)
{
	const struct tensor *t = &c->run->tensors.at[c->tensors[at]];
	uint32_t node = c->node_of[t->node_id];
	struct edges recipients;

	if (!graph_look(c->graph, node, EDGE_RECIPIENT, &recipients, err))
		return false;
	for (size_t i = 0; i < recipients.len; i++) {
		uint32_t to = recipients.at[i].node;

		if (!c->n_awaited[to] || !has(&c->awaited, to, node, t->slot))
			continue;
		if (!strcmp(graph_op(c->graph, to), "Merge"))
			c->n_awaited[to] = 0;
		else
			strike(c, to, node, t->slot);
	}
	return true;
}

/* False with *err set. Ends at the first finding, unless all are wanted. */
static bool replay(struct check *c, struct progress *progress, struct err *err)
{
	for (size_t i = 0; i < c->n_tensors; i++) {
		const struct tensor *t = &c->run->tensors.at[c->tensors[i]];
		uint32_t node = c->node_of[t->node_id];

		if (i % STEP_TENSORS == 0 && !progress_step(progress, i, c->n_tensors))
			return err_at(err, ERR_CANCELLED, c->run->path, 0, "stopped");
		if (c->n_awaited[node])
			strike_same_time(c, i, node);
		if (c->n_awaited[node] && !report_missing(c, t, node, err))
			return false;
		if (!c->all && c->findings->list.len)
			return true;
		if (!strike_recipients(c, i, err))
			return false;
	}
	return true;
}

/* False with *err set. */
static bool check_device(const struct run *run, const struct device *device, bool all,
                         struct progress *progress, struct findings *findings, struct err *err)
{
	struct err why = {0};
	struct check c = {
		.run = run, .device = device, .graph = device->graph, .all = all,
		.findings = findings,
		.node_of = mem_alloc(run->nodes.len * sizeof *c.node_of),
		.tensors = mem_alloc(run->tensors.len * sizeof *c.tensors),
		.n_awaited = mem_alloc(graph_len(device->graph) * sizeof *c.n_awaited),
	};

	if (take_tensors(&c) && graph_read_edges(device->graph, progress, &why) &&
	    take_inputs(&c, &why))
		replay(&c, progress, &why);
	graph_drop_edges(device->graph);
	free(c.node_of);
	free(c.tensors);
	free(c.n_awaited);
	free(c.dumped.at);
	free(c.awaited.at);
	str_release(&c.text);
	if (why.code && err)
		*err = why;
	return !why.code;
}

bool run_check(const struct run *run, bool all, struct progress *progress, struct arena *mem,
               struct problem **problems, size_t *n, struct err *err)
{
	struct findings all_found = { .mem = mem };
	bool ok = true;

	if (progress)
		atomic_store(&progress->what, "tensors");
	for (size_t i = 0; ok && i < run->devices.len; i++) {
		const struct device *device = &run->devices.at[i];
		struct findings found = { .mem = mem };

		if (!device->graph || !graph_len(device->graph) || !graph_is_whole(device->graph))
			continue;
		ok = check_device(run, device, all, progress, &found, err);
		for (size_t k = 0; ok && k < found.list.len; k++)
			vec_push(&all_found.list, found.list.at[k]);
		vec_release(&found.list);
	}
	*n = all_found.list.len;
	*problems = arena_alloc(mem, (*n + 1) * sizeof **problems);
	if (*n)
		memcpy(*problems, all_found.list.at, *n * sizeof **problems);
	vec_release(&all_found.list);
	return ok;
}
