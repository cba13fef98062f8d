/*
 * What was found, as rows. First each origin is followed to see whether it does harm, then
 * gradients are folded into the ops whose gradients they are; rows are written of what is left.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/program_origins_parts.h"

struct writing {
	struct hunt *hunt;
	struct origins_report *report;
	uint32_t *order;         /* what was found, by time */
	uint32_t *row;           /* of each found: its row + 1 */
	uint32_t *nth;           /* by step: how many before it are of its op */
};

static const struct bad_tensor *first_of(const struct hunt *h, const struct found *found)
{
	return &h->bad.at[found->first];
}

static bool is_of_trace(const struct hunt *h, const struct found *found)
{
	return first_of(h, found)->at != PROGRAM_NONE;
}

static uint32_t node_of(const struct hunt *h, const struct found *found)
{
	return hunt_node_at(h, first_of(h, found)->at);
}

static const char *name_of(const struct hunt *h, uint32_t node)
{
	return h->program->nodes.at[node].name;
}

static int by_time(const void *a, const void *b, void *hunt)
{
	const struct hunt *h = hunt;

	return hunt_order(h, h->found.at[*(const uint32_t *)a].first,
	                  h->found.at[*(const uint32_t *)b].first);
}

/* ---- gradients */

/*
 * Calls `is_it` for what a node may be the gradient of, until it says so: nodes that it takes, and
 * those that take what it takes.
 */
typedef bool forward_test(const struct hunt *h, uint32_t node, void *context);

static bool find_forward(const struct hunt *h, uint32_t gradient, forward_test *is_it,
                         void *context)
{
	const struct program *program = h->program;
	uint32_t op = program->nodes.at[gradient].op;
	const struct program_input *in;
	const struct program_use *use;
	size_t n;

	if (op == PROGRAM_NONE)
		return false;
	in = program_op_inputs(program, op);
	for (uint32_t i = 0; i < program->ops.at[op].n_inputs; i++) {
		int32_t slot = in[i].slot == PROGRAM_BARE ? 0 : in[i].slot;

		if (slot == PROGRAM_CONTROL)
			continue;
		if (!slot && is_it(h, in[i].node, context))
			return true;
		use = program_uses(program, in[i].node, &n);
		for (size_t k = 0; k < n; k++) {
			uint32_t node = program->ops.at[use[k].op].node;

			if (use[k].slot == slot && node != gradient && is_it(h, node, context))
				return true;
		}
	}
	return false;
}

/* Was an output of the node bad in the call? */
static bool node_is_bad(const struct hunt *h, uint32_t node, uint32_t call)
{
	uint32_t from, to;

	for (uint32_t key = h->node_key[node]; key; key = h->next_key[key - 1]) {
		hunt_key_between(h, key - 1, h->call_first[call], h->call_first[call + 1],
		                 &from, &to);
		for (; from < to; from++)
			if (h->bad_at[h->by_key[from]])
				return true;
	}
	return false;
}

/* Is the node one of whose elements a Select took only good ones, in the call at *context? */
static bool is_left_out(const struct hunt *h, uint32_t node, void *context)
{
	const struct program *program = h->program;
	const uint32_t *call = context;
	const struct program_use *use;
	size_t n;

	use = program_uses(program, node, &n);
	for (size_t i = 0; i < n; i++) {
		const struct program_op *op = &program->ops.at[use[i].op];

		if (use[i].input >= 1 && use[i].slot != PROGRAM_CONTROL &&
		    (op_traits(op->type) & OP_SELECTS) &&
		    !name_is_of_gradient(name_of(h, op->node)) &&
		    !node_is_bad(h, op->node, *call))
			return true;
	}
	return false;
}

struct host_search {
	uint32_t call;
	uint32_t found;          /* the earliest so far; PROGRAM_NONE: none */
};

/* Never says so, as the earliest is wanted. */
static bool is_host(const struct hunt *h, uint32_t node, void *context)
{
	uint32_t number = h->found_of_node[node];
	struct host_search *search = context;
	const struct found *found;

	if (!number || name_is_of_gradient(name_of(h, node)))
		return false;
	found = &h->found.at[number - 1];
	if (!found->benign && first_of(h, found)->call == search->call &&
	    (search->found == PROGRAM_NONE ||
	     hunt_order(h, found->first, h->found.at[search->found].first) < 0))
		search->found = number - 1;
	return false;
}

/* If it does not get out by itself, then by the way of its gradient. */
static void get_out_by(struct spread *spread, const struct spread *gradient)
{
	for (size_t i = 0; !spread->gets_out && i < gradient->walk.len; i++)
		vec_push(&spread->walk, gradient->walk.at[i]);
	spread->gets_out |= gradient->gets_out;
}

/* A gradient that fails where its op failed is no origin of its own. */
static void fold_gradients(struct hunt *h)
{
	for (size_t i = 0; i < h->found.len; i++) {
		struct found *found = &h->found.at[i];
		struct host_search search = { first_of(h, found)->call, PROGRAM_NONE };

		if (!is_of_trace(h, found) || !name_is_of_gradient(name_of(h, node_of(h, found))))
			continue;
		find_forward(h, node_of(h, found), is_host, &search);
		found->host = search.found;
		if (search.found != PROGRAM_NONE)
			get_out_by(&h->found.at[search.found].spread, &found->spread);
	}
}

/* ---- does it do harm? */

static const char *op_of(const struct hunt *h, const struct found *found)
{
	return is_of_trace(h, found) ? hunt_op_type(h, node_of(h, found))
	                             : h->program->steps.at[first_of(h, found)->call].op;
}

static enum benign benign_of(const struct hunt *h, const struct found *found)
{
	const struct spread *spread = &found->spread;

	if (spread->gets_out)
		return BENIGN_NO;
	if (!spread->is_taken)
		return BENIGN_UNUSED;
	if (spread->may_have_nan)
		return BENIGN_NO;
	if (op_traits(op_of(h, found)) & OP_CONST)
		return BENIGN_CONSTANT;
	return spread->has_mask && !spread->may_have_pos_inf ? BENIGN_MASK : BENIGN_ABSORBED;
}

static bool follow_all(struct hunt *h, struct err *err)
{
	struct spreading *spreading = spreading_new(h);
	bool ok = true;

	for (uint32_t i = 0; ok && i < h->found.len; i++) {
		ok = spreading_of(spreading, i);
		h->found.at[i].benign = benign_of(h, &h->found.at[i]);
	}
	spreading_free(spreading);
	return ok || err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}

/* ---- one row */

static const char *keep(struct writing *w, const char *text)
{
	return arena_copy(&w->report->mem, text, strlen(text));
}

static uint32_t *count_by_op(const struct program *program)
{
	uint32_t *nth = mem_alloc(program->steps.len * sizeof *nth);
	VEC(uint32_t) n_of = {0};
	struct map ops = {0};

	for (size_t i = 0; i < program->steps.len; i++) {
		const char *op = program->steps.at[i].op;
		uint32_t id = map_add_lasting(&ops, op, strlen(op));

		if (id == n_of.len)
			vec_push(&n_of, 0);
		nth[i] = n_of.at[id]++;
	}
	vec_release(&n_of);
	map_release(&ops);
	return nth;
}

/* How many times its key came before in its call. */
static uint32_t occurrence(const struct hunt *h, const struct bad_tensor *bad)
{
	uint32_t from, to;

	hunt_key_between(h, h->program->traces.at[h->traces[bad->at]].key,
	                 h->call_first[bad->call], bad->at, &from, &to);
	return to - from;
}

static void put_place(struct writing *w, const struct found *found, struct origin_row *row)
{
	const struct hunt *h = w->hunt;
	const struct program *program = h->program;
	const struct bad_tensor *bad = first_of(h, found);
	const struct program_graph *graph;
	const struct program_key *key;

	if (bad->call != hunt_no_call(h)) {
		row->execution = bad->call;
		row->call = w->nth[bad->call];
	}
	row->op = keep(w, op_of(h, found));
	row->times = found->times;
	if (!is_of_trace(h, found)) {
		row->where = ORIGIN_OF_EXECUTION;
		row->node = row->op;
		row->slot = bad->row;
		row->record = bad->call;
		return;
	}
	key = &program->keys.at[program->traces.at[h->traces[bad->at]].key];
	row->where = ORIGIN_OF_TRACE;
	row->node = keep(w, name_of(h, key->node));
	graph = &program->graphs.at[program->nodes.at[key->node].graph];
	row->graph = *graph->name ? keep(w, graph->name) : NULL;
	row->slot = (uint32_t)key->slot;
	row->record = h->traces[bad->at];
	row->exec = occurrence(h, bad);
}

static void put_gap(struct writing *w, const struct found *found, struct origin_row *row)
{
	const struct feeds *feeds = &found->feeds;
	struct str text = {0};

	if (feeds->is_read) {
		vec_push(&row->gap, row->op);
		return;
	}
	if (feeds->has_no_traces)
		vec_push(&row->gap, "traces of this call");
	for (size_t i = 0; i < feeds->unmade.len; i++) {
		str_reset(&text);
		str_fmt(&text, "input %" PRIu32 " of %s", feeds->unmade.at[i], row->op);
		vec_push(&row->gap, keep(w, text.text));
	}
	for (size_t i = 0; i < feeds->gap.len; i++)
		vec_push(&row->gap, keep(w, name_of(w->hunt, feeds->gap.at[i])));
	origin_names_sort(&row->gap);
	str_release(&text);
}

/* Is an output of the node in the gap, that was traced another time? */
static bool was_traced(const struct hunt *h, const struct feeds *feeds, uint32_t node,
                       int32_t slot)
{
	for (uint32_t key = h->node_key[node]; key; key = h->next_key[key - 1])
		if (h->program->keys.at[key - 1].slot == slot)
			for (size_t i = 0; i < feeds->gap.len; i++)
				if (feeds->gap.at[i] == node)
					return true;
	return false;
}

/* Did it begin before what the dump holds? */
static bool is_before_window(const struct hunt *h, const struct found *found)
{
	const struct program_input *in;
	uint32_t op;

	if (found->feeds.is_read)
		return !found->feeds.is_seen_clean;
	if (!is_of_trace(h, found))
		return found->feeds.had_traces;
	op = h->program->nodes.at[node_of(h, found)].op;
	if (op == PROGRAM_NONE)
		return false;
	in = program_op_inputs(h->program, op);
	for (uint32_t i = 0; i < h->program->ops.at[op].n_inputs; i++)
		if (in[i].slot != PROGRAM_CONTROL &&
		    was_traced(h, &found->feeds, in[i].node,
		               in[i].slot == PROGRAM_BARE ? 0 : in[i].slot))
			return true;
	return false;
}

/* Arguments and eager constants are made by no op: that they are missing proves nothing. */
static bool is_exact(const struct hunt *h, const struct found *found, bool knows_an_input,
                     const struct origin_row *row)
{
	const struct feeds *feeds = &found->feeds;

	if (row->before_window || feeds->is_read || feeds->has_no_traces ||
	    feeds->is_of_unknown_op)
		return false;
	if (!row->gap.len)
		return row->reason != REASON_VARIABLE;
	if (feeds->unmade.len)
		return knows_an_input;
	for (size_t i = 0; i < feeds->gap.len; i++)
		if (strcmp(hunt_op_type(h, feeds->gap.at[i]), "Placeholder"))
			return false;
	return true;
}

static struct bad_counts counts_of(struct hunt *h, uint32_t bad)
{
	struct program_tensor tensor = hunt_tensor(h, bad);
	struct bad_counts counts = { .size = -1 };
	struct health health;

	if (!hunt_health(h, &tensor, &health))
		return counts;
	if (health.known & HEALTH_SIZE)
		counts.size = (int64_t)health.size;
	counts.nan = health.nan;
	counts.pos_inf = health.pos_inf;
	counts.neg_inf = health.neg_inf;
	return counts;
}

/* Where it is not known whether NaN or Inf came out: the reason, if it is one for all. */
static enum origin_reason reason_of_any(const struct origin_row *row, const struct origin_input *in,
                                        size_t n)
{
	const struct bad_counts any[] = { { .nan = 1 }, { .pos_inf = 1 }, { .neg_inf = 1 } };
	enum origin_reason reason = origin_reason(row->op, row->node, in, n, &any[0]);

	for (size_t i = 1; i < sizeof any / sizeof *any; i++)
		if (origin_reason(row->op, row->node, in, n, &any[i]) != reason)
			return REASON_UNKNOWN;
	return reason;
}

/* Returns whether anything is known of an input. */
static bool put_reason(struct hunt *h, const struct found *found, struct origin_row *row)
{
	const struct feeds *feeds = &found->feeds;
	size_t n = feeds->in.len;
	struct origin_input *in = mem_alloc((n + 1) * sizeof *in);
	uint32_t call = first_of(h, found)->call;
	bool knows_one = false;

	for (size_t i = 0; i < n; i++) {
		struct health health;

		if (feeds->in.at[i].step == PROGRAM_NONE ||
		    !hunt_health(h, &feeds->in.at[i], &health))
			continue;
		knows_one = true;
		in[i].known = health.known & HEALTH_SIGNS;
		in[i].has_zero = health.zero;
		in[i].has_negative = health.negative || health.neg_inf;
	}
	row->reason = feeds->has_no_traces        ? REASON_UNKNOWN
	              : counts_are_bad(&row->counts)
	                      ? origin_reason(row->op, row->node, in, n, &row->counts)
	                      : reason_of_any(row, in, n);
	if (is_of_trace(h, found) && name_is_of_gradient(row->node) &&
	    find_forward(h, node_of(h, found), is_left_out, &call))
		row->reason = REASON_WHERE_GRADIENT;
	free(in);
	return knows_one;
}

/* A bad tensor as others name it. */
static struct origin_tensor tensor_of(struct writing *w, uint32_t bad)
{
	const struct hunt *h = w->hunt;
	const struct bad_tensor *b = &h->bad.at[bad];
	const struct program_key *key;

	if (b->at == PROGRAM_NONE)
		return (struct origin_tensor){
			.node = keep(w, h->program->steps.at[b->call].op), .slot = b->row,
			.where = ORIGIN_OF_EXECUTION, .record = b->call };
	key = &h->program->keys.at[h->program->traces.at[h->traces[b->at]].key];
	return (struct origin_tensor){
		.node = keep(w, name_of(h, key->node)), .slot = (uint32_t)key->slot,
		.exec = occurrence(h, b), .where = ORIGIN_OF_TRACE, .record = h->traces[b->at] };
}

static void put_walk(struct writing *w, const struct spread *spread, struct origin_row *row)
{
	const struct hunt *h = w->hunt;

	for (size_t i = 0; i < spread->walk.len; i++) {
		uint32_t bad = spread->walk.at[i];
		const struct bad_tensor *b = &h->bad.at[bad];
		const char *op = b->at == PROGRAM_NONE ? h->program->steps.at[b->call].op
		                                       : hunt_op_type(h, hunt_node_at(h, b->at));

		vec_push(&row->walk, ((struct walk_step){
			.tensor = tensor_of(w, bad), .op = keep(w, op),
			.counts = counts_of(w->hunt, bad),
			.execution = b->call == hunt_no_call(h) ? -1 : (int64_t)b->call }));
	}
}

static void put_spread(struct writing *w, const struct found *found, struct origin_row *row)
{
	const struct spread *spread = &found->spread;

	row->spread = spread->n;
	row->benign = found->benign;
	row->reach = spread->gets_out ? REACH_OUTPUT : 0;
	if (!row->counts.nan && spread->first_nan != PROGRAM_NONE)
		row->first_nan = tensor_of(w, spread->first_nan);
	put_walk(w, spread, row);
	if (spread->gets_out)
		return;
	for (size_t i = 0; i < spread->absorbers.len; i++)
		vec_push(&row->absorbed_by, keep(w, name_of(w->hunt, spread->absorbers.at[i])));
	origin_names_sort(&row->absorbed_by);
}

static void write_row(struct writing *w, uint32_t number)
{
	struct hunt *h = w->hunt;
	const struct found *found = &h->found.at[number];
	struct origin_row *row = origins_add(w->report);

	w->row[number] = (uint32_t)w->report->rows.len;
	put_place(w, found, row);
	row->counts = counts_of(h, found->first);
	put_gap(w, found, row);
	row->before_window = is_before_window(h, found);
	row->exact = is_exact(h, found, put_reason(h, found, row), row);
	put_spread(w, found, row);
}

bool hunt_write(struct hunt *h, struct origins_report *report, struct err *err)
{
	struct writing w = { .hunt = h, .report = report };
	size_t n = h->found.len;

	if (!follow_all(h, err))
		return false;
	fold_gradients(h);
	w.order = mem_alloc((n + 1) * sizeof *w.order);
	w.row = mem_alloc((n + 1) * sizeof *w.row);
	w.nth = count_by_op(h->program);
	for (uint32_t i = 0; i < n; i++)
		w.order[i] = i;
	if (n)
		qsort_r(w.order, n, sizeof *w.order, by_time, h);
	for (size_t i = 0; i < n; i++)
		if (h->found.at[w.order[i]].host == PROGRAM_NONE)
			write_row(&w, w.order[i]);
	for (size_t i = 0; i < n; i++) {
		const struct found *found = &h->found.at[w.order[i]];

		if (found->host != PROGRAM_NONE)
			vec_push(&report->rows.at[w.row[found->host] - 1].also,
			         tensor_of(&w, found->first));
	}
	free(w.order);
	free(w.row);
	free(w.nth);
	return !progress_cancelled(h->progress) ||
	       err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}
