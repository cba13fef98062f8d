/*
 * What a bad tensor was made of. Ops that were not traced are walked through to those before them;
 * what comes into a graph from outside is looked for where the call took it from, or among the bad
 * tensors of the graphs around and inside.
 */
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/program_origins_parts.h"

void feeds_reset(struct feeds *feeds)
{
	feeds->bad.len = feeds->in.len = feeds->gap.len = feeds->unmade.len = 0;
	feeds->has_no_traces = feeds->had_traces = feeds->is_read = feeds->is_seen_clean = false;
	feeds->is_of_unknown_op = false;
}

void feeds_release(struct feeds *feeds)
{
	vec_release(&feeds->bad);
	vec_release(&feeds->in);
	vec_release(&feeds->gap);
	vec_release(&feeds->unmade);
}

void feeds_copy(struct feeds *to, const struct feeds *from)
{
	feeds_reset(to);
	for (size_t i = 0; i < from->in.len; i++)
		vec_push(&to->in, from->in.at[i]);
	for (size_t i = 0; i < from->gap.len; i++)
		vec_push(&to->gap, from->gap.at[i]);
	for (size_t i = 0; i < from->unmade.len; i++)
		vec_push(&to->unmade, from->unmade.at[i]);
	to->has_no_traces = from->has_no_traces;
	to->had_traces = from->had_traces;
	to->is_read = from->is_read;
	to->is_seen_clean = from->is_seen_clean;
	to->is_of_unknown_op = from->is_of_unknown_op;
}

/* One input, as far as it is known. */
struct feed {
	uint32_t bad;            /* number of the bad tensor; PROGRAM_NONE: it is not one */
	struct program_tensor tensor;    /* step PROGRAM_NONE: nothing is known */
};

static const struct feed nothing = { PROGRAM_NONE, { PROGRAM_NONE, PROGRAM_NONE, 0 } };

static struct feed bad_feed(const struct hunt *h, uint32_t bad)
{
	return (struct feed){ bad, hunt_tensor(h, bad) };
}

static bool is_nothing(const struct feed *feed)
{
	return feed->bad == PROGRAM_NONE && feed->tensor.step == PROGRAM_NONE;
}

/* ---- the call at hand */

static uint32_t graph_of(const struct hunt *h, uint32_t at)
{
	return h->program->nodes.at[hunt_node_at(h, at)].graph;
}

/* The graph of a call; for one that none is recorded of, a guess. */
static uint32_t graph_of_call(struct hunt *h, uint32_t call)
{
	enum { NOT_ASKED = 0 };
	uint32_t *kept = &h->call_graph[call];

	if (call == hunt_no_call(h))
		return PROGRAM_NONE;
	if (*kept == NOT_ASKED)
		*kept = program_probable_graph(h->program, call) + 2;
	return *kept - 2;
}

/* All bad traces of the call before this bad tensor become known. */
static void catch_up(struct hunt *h, uint32_t bad)
{
	struct latest_bad *l = &h->latest;
	uint32_t call = h->bad.at[bad].call;

	if (l->call != call) {
		l->call = call;
		l->bad = l->other = PROGRAM_NONE;
		l->graphs.len = 0;
		l->next = h->bad_first[call];
	}
	for (; l->next < bad; l->next++) {
		uint32_t graph, at = h->bad.at[l->next].at;

		if (at == PROGRAM_NONE)
			continue;
		graph = graph_of(h, at);
		if (l->bad != PROGRAM_NONE && graph_of(h, h->bad.at[l->bad].at) != graph)
			l->other = l->bad;
		l->bad = l->next;
		if (!l->of_graph[graph] || l->of_graph[graph] <= h->bad_first[call])
			vec_push(&l->graphs, graph);
		l->of_graph[graph] = l->next + 1;
	}
}

/* The latest bad trace of another graph in the call. */
static struct feed from_other_graph(const struct hunt *h, uint32_t graph)
{
	const struct latest_bad *l = &h->latest;
	uint32_t bad = l->bad;

	if (bad != PROGRAM_NONE && graph_of(h, h->bad.at[bad].at) == graph)
		bad = l->other;
	return bad == PROGRAM_NONE ? nothing : bad_feed(h, bad);
}

/*
 * May an op of `graph` that calls another have run this one? What an op calls is not recorded. It
 * is inside, or was first traced in another function: then it is not in the call's graph at all.
 */
static bool may_be_called(const struct hunt *h, uint32_t inner, uint32_t graph, uint32_t own)
{
	if (inner == graph)
		return false;
	return program_is_within(h->program, inner, graph) ||
	       (own != PROGRAM_NONE && program_is_within(h->program, graph, own) &&
	        !program_is_within(h->program, inner, own));
}

/* The latest bad trace of a graph that an op of this graph called. */
static struct feed from_called_graph(struct hunt *h, uint32_t graph)
{
	const struct latest_bad *l = &h->latest;
	uint32_t own = graph_of_call(h, l->call), best = 0;

	for (size_t i = 0; i < l->graphs.len; i++) {
		uint32_t latest = l->of_graph[l->graphs.at[i]];

		if (latest > best && may_be_called(h, l->graphs.at[i], graph, own))
			best = latest;
	}
	return best ? bad_feed(h, best - 1) : nothing;
}

/* ---- outputs of steps */

/* An output that does not tell, such as a variant, holds what any trace of its call did. */
static struct feed from_untold(const struct hunt *h, uint32_t step)
{
	uint32_t first = h->bad_first[step];

	return first < h->bad_first[step + 1] && h->bad.at[first].at != PROGRAM_NONE
	       ? bad_feed(h, first) : nothing;
}

/* An output of a step; which entry it is, is not known if some outputs have none. */
static struct feed from_output(const struct hunt *h, struct program_producer from)
{
	const struct program_step *step = &h->program->steps.at[from.step];
	struct feed feed = { PROGRAM_NONE, { PROGRAM_NONE, from.step, from.slot } };
	uint8_t bad;

	if (step->n_entries != step->n_outputs || from.slot >= step->n_entries)
		return from_untold(h, from.step);
	bad = h->program->entries.at[step->first_entry + from.slot].bad;
	if (bad == PROGRAM_BAD)
		feed.bad = hunt_bad_output(h, &feed.tensor);
	return bad == PROGRAM_CANT_TELL ? from_untold(h, from.step) : feed;
}

/* False: no step made it. */
static bool from_input(const struct hunt *h, uint32_t step, uint32_t input, struct feed *feed)
{
	struct program_producer from;

	if (!program_producer(h->program, step, input, &from))
		return false;
	*feed = from_output(h, from);
	return true;
}

/*
 * What the call gave to a Placeholder of its graph. False: that is not recorded, or no step made
 * it.
 */
static bool from_call(const struct hunt *h, uint32_t node, uint32_t call, struct feed *feed)
{
	uint32_t input;
	size_t n;

	return hunt_holder(h, node, &input, &n) &&
	       n == h->program->steps.at[call].n_input_ids && from_input(h, call, input, feed);
}

/* ---- traces */

/* The latest trace of an output before a position, in that call; rather on the same device. */
static uint32_t latest_trace(const struct hunt *h, uint32_t node, int32_t slot, uint32_t call,
                             uint32_t before, const char *device)
{
	uint32_t found = PROGRAM_NONE, from, to;

	for (uint32_t number = h->node_key[node]; number; number = h->next_key[number - 1]) {
		const struct program_key *key = &h->program->keys.at[number - 1];

		if (key->slot != slot)
			continue;
		hunt_key_between(h, number - 1, h->call_first[call], before, &from, &to);
		if (from == to)
			continue;
		if (key->device == device)
			return h->by_key[to - 1];
		if (found == PROGRAM_NONE || h->by_key[to - 1] > found)
			found = h->by_key[to - 1];
	}
	return found;
}

/* A trace, as far as it tells. */
static struct feed feed_at(const struct hunt *h, uint32_t at)
{
	if (h->bad_at[at])
		return bad_feed(h, h->bad_at[at] - 1);
	if (h->program->traces.at[h->traces[at]].bad != PROGRAM_GOOD)
		return nothing;
	return (struct feed){ PROGRAM_NONE, { .trace = h->traces[at], .step = 0 } };
}

/* A gap of more nodes than these would be of no use. */
#define WALK_MAX 4096

/* Where the search for the inputs of a trace stands. */
struct walk {
	struct hunt *h;
	const struct bad_tensor *of;
	const char *device;
	struct feeds *feeds;
	uint32_t n_left;         /* untraced nodes that may still be looked at */
};

/* What an untraced Placeholder received; a bad tensor or nothing. */
static struct feed through_holder(struct walk *w, uint32_t node)
{
	struct hunt *h = w->h;
	uint32_t graph = h->program->nodes.at[node].graph;
	struct feed feed = nothing;

	if (graph_of_call(h, w->of->call) != graph)
		return from_other_graph(h, graph);
	if (!from_call(h, node, w->of->call, &feed))
		vec_push(&w->feeds->gap, node);
	return feed;
}

/*
 * What an untraced node received: something, or its inputs are yet to be looked at, and lie on the
 * stack then.
 */
static struct feed through(struct walk *w, uint32_t node)
{
	struct hunt *h = w->h;
	uint32_t op = h->program->nodes.at[node].op, n;
	const struct program_input *in;
	struct feed feed;
	uint32_t traits;

	traits = op_traits(hunt_op_type(h, node));
	if (traits & OP_NO_FLOAT)
		return nothing;
	if (!strcmp(hunt_op_type(h, node), "Placeholder"))
		return through_holder(w, node);
	/* An op whose creation is not recorded is a call of a function: of others it is. */
	if ((traits & OP_CALLS) || op == PROGRAM_NONE) {
		feed = from_called_graph(h, h->program->nodes.at[node].graph);
		if (!is_nothing(&feed))
			return feed;
	}
	n = op == PROGRAM_NONE || !w->n_left ? 0 : h->program->ops.at[op].n_inputs;
	w->n_left -= w->n_left > 0;
	if (!(traits & OP_CARRIES) || !n)
		vec_push(&w->feeds->gap, node);
	if (!n)
		return nothing;
	in = program_op_inputs(h->program, op);
	while (n-- > 0)
		vec_push(&h->todo, in[n]);
	return nothing;
}

/* One input of a trace's op: the first bad tensor on the way, else the first known one. */
static struct feed walk_back(struct walk *w, struct program_input input)
{
	struct hunt *h = w->h;
	struct feed first = nothing, feed;

	h->todo.len = 0;
	h->stamp++;
	vec_push(&h->todo, input);
	while (h->todo.len && !progress_cancelled(h->progress)) {
		struct program_input in = h->todo.at[--h->todo.len];
		uint32_t at;

		if (in.slot == PROGRAM_CONTROL)
			continue;
		at = latest_trace(h, in.node, in.slot == PROGRAM_BARE ? 0 : in.slot, w->of->call,
		                  w->of->at, w->device);
		if (at != PROGRAM_NONE) {
			feed = feed_at(h, at);
		} else if (h->seen_node[in.node] == h->stamp) {
			continue;
		} else {
			h->seen_node[in.node] = h->stamp;
			feed = through(w, in.node);
		}
		if (feed.bad != PROGRAM_NONE)
			return feed;
		if (is_nothing(&first))
			first = feed;
	}
	return first;
}

static void add_feed(struct feeds *feeds, struct feed feed)
{
	vec_push(&feeds->in, feed.tensor);
	if (feed.bad != PROGRAM_NONE)
		vec_push(&feeds->bad, feed.bad);
}

/* Placeholders take no inputs: what is traced of them came from outside. */
static void feed_holder(struct hunt *h, uint32_t node, uint32_t call, struct feeds *feeds)
{
	struct feed feed = nothing;

	if (graph_of_call(h, call) == h->program->nodes.at[node].graph)
		from_call(h, node, call, &feed);
	else if (h->latest.bad != PROGRAM_NONE)
		feed = bad_feed(h, h->latest.bad);
	add_feed(feeds, feed);
}

static void feed_trace(struct hunt *h, const struct bad_tensor *bad, struct feeds *feeds)
{
	const struct program *program = h->program;
	const struct program_trace *trace = &program->traces.at[h->traces[bad->at]];
	const struct program_key *key = &program->keys.at[trace->key];
	struct walk walk = { h, bad, key->device, feeds, WALK_MAX };
	uint32_t op = program->nodes.at[key->node].op;
	const struct program_input *in;

	/* What it took is not known: if something is bad before it, it may have it from there. */
	feeds->is_of_unknown_op = op == PROGRAM_NONE;
	if (op == PROGRAM_NONE && h->latest.bad != PROGRAM_NONE)
		add_feed(feeds, bad_feed(h, h->latest.bad));
	if (op == PROGRAM_NONE)
		return;
	if (!strcmp(program->ops.at[op].type, "Placeholder")) {
		feed_holder(h, key->node, bad->call, feeds);
		return;
	}
	in = program_op_inputs(program, op);
	for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++)
		if (in[i].slot != PROGRAM_CONTROL)
			add_feed(feeds, walk_back(&walk, in[i]));
}

/* A call whose traces were all clean, or that has none: only what it took can be seen. */
static void feed_call(struct hunt *h, uint32_t call, struct feeds *feeds)
{
	uint32_t graph = graph_of_call(h, call);

	feeds->has_no_traces = h->call_first[call] == h->call_first[call + 1];
	feeds->had_traces = feeds->has_no_traces && graph != PROGRAM_NONE &&
	                    h->graph_is_traced[graph];
	for (uint32_t i = 0; i < h->program->steps.at[call].n_input_ids; i++) {
		struct feed feed;

		if (from_input(h, call, i, &feed) && feed.bad != PROGRAM_NONE)
			vec_push(&feeds->bad, feed.bad);
	}
}

static void feed_op(struct hunt *h, uint32_t step, struct feeds *feeds)
{
	for (uint32_t i = 0; i < h->program->steps.at[step].n_input_ids; i++) {
		struct feed feed = nothing;

		if (!from_input(h, step, i, &feed))
			vec_push(&feeds->unmade, i);
		add_feed(feeds, feed);
	}
}

void hunt_feeds(struct hunt *h, uint32_t bad, struct feeds *feeds)
{
	const struct bad_tensor *b = &h->bad.at[bad];

	feeds_reset(feeds);
	catch_up(h, bad);
	if (b->at != PROGRAM_NONE)
		feed_trace(h, b, feeds);
	else if (h->program->steps.at[b->call].is_function)
		feed_call(h, b->call, feeds);
	else
		feed_op(h, b->call, feeds);
}

/* ---- variables */

/* The first steps that take a resource and have a bad tensor, and that have none; + 1. */
struct variable_use {
	uint32_t bad, clean;
	bool is_known;
};

static bool has_bad(const struct hunt *h, uint32_t step)
{
	struct feed feed;

	if (h->bad_first[step] < h->bad_first[step + 1])
		return true;
	for (uint32_t i = 0; i < h->program->steps.at[step].n_input_ids; i++)
		if (from_input(h, step, i, &feed) && feed.bad != PROGRAM_NONE)
			return true;
	return false;
}

/* Would it show if the variable was bad? */
static bool tells(const struct program *program, uint32_t step)
{
	const struct program_step *s = &program->steps.at[step];

	for (uint32_t i = 0; i < s->n_entries; i++)
		if (program->entries.at[s->first_entry + i].bad == PROGRAM_GOOD)
			return true;
	return s->is_function;
}

/* The first place of an id among the sorted ones that steps took. */
static size_t first_taken(const struct program_join *join, int64_t id)
{
	size_t low = 0, high = join->n_taken;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (join->taken[mid].id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct variable_use *use_of(struct hunt *h, int64_t id)
{
	const struct program_join *join = h->program->join;
	size_t at = first_taken(join, id);
	struct variable_use *use;

	if (!h->uses)
		h->uses = mem_alloc((join->n_taken + 1) * sizeof *h->uses);
	use = &h->uses[at];
	for (; !use->is_known && at < join->n_taken && join->taken[at].id == id; at++) {
		uint32_t step = join->taken[at].step;

		if (has_bad(h, step))
			use->bad = use->bad ? use->bad : step + 1;
		else if (!use->clean && tells(h->program, step))
			use->clean = step + 1;
		if (use->bad && use->clean)
			break;
	}
	use->is_known = true;
	return use;
}

/* The id of the resource that is read. False: it is not known. */
static bool resource_of(struct hunt *h, const struct bad_tensor *bad, int64_t *id)
{
	const struct program *program = h->program;
	const struct program_step *step;
	const struct program_input *in;
	uint32_t i = 0, op;
	size_t n;

	if (bad->call == hunt_no_call(h))
		return false;
	step = &program->steps.at[bad->call];
	if (bad->at != PROGRAM_NONE) {
		op = program->nodes.at[hunt_node_at(h, bad->at)].op;
		in = program_op_inputs(program, op);
		if (!program->ops.at[op].n_inputs ||
		    graph_of_call(h, bad->call) != program->nodes.at[in->node].graph ||
		    !hunt_holder(h, in->node, &i, &n) || n != step->n_input_ids)
			return false;
	}
	if (i >= step->n_input_ids)
		return false;
	*id = program->ids.at[step->first_id + i];
	return true;
}

/* Of the steps that took a resource before: was one bad, was one clean? */
static void ask_before(struct hunt *h, int64_t id, uint32_t call, struct feeds *feeds,
                       bool *from_before)
{
	const struct variable_use *use = use_of(h, id);

	*from_before |= use->bad && use->bad - 1 < call;
	feeds->is_seen_clean |= use->clean && use->clean - 1 < call;
}

void hunt_variable(struct hunt *h, uint32_t bad, struct feeds *feeds, bool *from_before)
{
	const struct bad_tensor *b = &h->bad.at[bad];
	const struct program_step *step;
	int64_t id;

	*from_before = false;
	feeds->gap.len = feeds->unmade.len = 0;
	feeds->is_read = true;
	if (resource_of(h, b, &id)) {
		ask_before(h, id, b->call, feeds, from_before);
		return;
	}
	/* In a graph inside it is one of the call's resources, and may be written there. */
	*from_before = b->at != PROGRAM_NONE && b->call != hunt_no_call(h) &&
	               h->latest.bad != PROGRAM_NONE;
	if (b->call == hunt_no_call(h))
		return;
	step = &h->program->steps.at[b->call];
	for (uint32_t i = 0; i < step->n_input_ids; i++)
		ask_before(h, h->program->ids.at[step->first_id + i], b->call, feeds, from_before);
}
