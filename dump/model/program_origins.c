/*
 * The search in a recorded program. First traces are sorted by call and by key, so that what a
 * tensor was made of can be looked up; then the bad tensors are gone through, call by call. One
 * that has a bad tensor among its feeds inherits; the others begin a row, or belong to one. At the
 * end each row is followed to where it got.
 */
#include "dump/model/program_origins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/format/dtype.h"
#include "dump/model/program_origins_parts.h"

/* ---- what the parts ask */

void hunt_add_up(uint32_t *first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		first[i + 1] += first[i];
}

uint32_t hunt_no_call(const struct hunt *h)
{
	return (uint32_t)h->program->steps.len;
}

struct program_tensor hunt_tensor(const struct hunt *h, uint32_t bad)
{
	const struct bad_tensor *b = &h->bad.at[bad];

	return b->at == PROGRAM_NONE
		? (struct program_tensor){ PROGRAM_NONE, b->call, b->row }
		: (struct program_tensor){ .trace = h->traces[b->at], .step = b->call };
}

uint32_t hunt_node_at(const struct hunt *h, uint32_t at)
{
	return h->program->keys.at[h->program->traces.at[h->traces[at]].key].node;
}

const char *hunt_op_type(const struct hunt *h, uint32_t node)
{
	uint32_t op = h->program->nodes.at[node].op;

	return op == PROGRAM_NONE ? "" : h->program->ops.at[op].type;
}

uint32_t hunt_bad_output(const struct hunt *h, const struct program_tensor *output)
{
	uint32_t low = h->bad_first[output->step], end = h->bad_first[output->step + 1];
	uint32_t high = end;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (h->bad.at[mid].at != PROGRAM_NONE || h->bad.at[mid].row < output->row)
			low = mid + 1;
		else
			high = mid;
	}
	return low < end && h->bad.at[low].row == output->row ? low : PROGRAM_NONE;
}

void hunt_note_unread(struct hunt *h, const struct err *err)
{
	if (!err->code || err->code == ERR_CANCELLED || err->code == ERR_MISSING)
		return;
	if (!h->n_unread++)
		h->first_unread = *err;
}

bool hunt_health(struct hunt *h, const struct program_tensor *tensor, struct health *health)
{
	struct err err = {0};
	bool ok = program_health(&h->reads, tensor, health, h->progress, &err);

	if (!ok)
		hunt_note_unread(h, &err);
	return ok && (health->known & HEALTH_BAD) &&
	       (!(health->known & HEALTH_DTYPE) || dtype_may_be_bad(health->dtype));
}

/* The first place in at[low .. high) that is not below `least`. */
static uint32_t first_from(const uint32_t *at, uint32_t low, uint32_t high, uint32_t least)
{
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (at[mid] < least)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

enum { NEAR = 4 };

void hunt_key_between(const struct hunt *h, uint32_t key, uint32_t low, uint32_t high,
                      uint32_t *from, uint32_t *to)
{
	uint32_t end = h->key_first[key + 1], near;

	*from = first_from(h->by_key, h->key_first[key], end, low);
	/* Mostly there are few in a call. */
	near = end - *from > NEAR ? *from + NEAR : end;
	*to = first_from(h->by_key, *from, near < end && h->by_key[near] < high ? end : near, high);
}

bool hunt_holder(const struct hunt *h, uint32_t node, uint32_t *i, size_t *n)
{
	const struct program_join *join = h->program->join;
	const struct program_node *at = &h->program->nodes.at[node];
	uint32_t first = join->holders_first[at->graph], end = join->holders_first[at->graph + 1];
	uint32_t place = first_from(join->holders, first, end, at->op);

	*i = place - first;
	*n = end - first;
	return at->op != PROGRAM_NONE && place < end && join->holders[place] == at->op;
}

/* ---- calls */

/* For each step, in the order of time, the next one of its set. */
struct by_set {
	uint32_t *next;
	uint32_t *at;            /* by set: the one that is not over yet */
};

static struct by_set steps_by_set(const struct program *program)
{
	size_t n = program->steps.len, n_sets = program->sets.len + 1;
	struct by_set steps = { mem_alloc(n * sizeof *steps.next),
	                        mem_alloc(n_sets * sizeof *steps.at) };

	memset(steps.at, 0xff, n_sets * sizeof *steps.at);
	for (size_t i = n; i-- > 0;) {
		uint32_t step = program->join->step_order[i];
		uint32_t *at = &steps.at[program->steps.at[step].at.set];

		steps.next[step] = *at;
		*at = step;
	}
	return steps;
}

/*
 * A trace belongs to the first step that ends after it, if that is a call. Of a set without steps
 * the clock is another one: there the call is what the program takes it for.
 */
static uint32_t call_of(const struct program *program, struct by_set *steps, const bool *has_steps,
                        uint32_t trace)
{
	const struct program_trace *t = &program->traces.at[trace];
	uint32_t none = (uint32_t)program->steps.len, *at = &steps->at[t->set];

	if (!has_steps[t->set])
		return t->attribution == PROGRAM_UNATTRIBUTED ? none : t->owner;
	while (*at != PROGRAM_NONE && program_order_time(program->steps.at[*at].time) <
	       program_order_time(t->time))
		*at = steps->next[*at];
	return *at == PROGRAM_NONE || !program->steps.at[*at].is_function ? none : *at;
}

static void sort_by_call(struct hunt *h)
{
	const struct program *program = h->program;
	size_t n = program->traces.len, n_calls = program->steps.len + 1;
	struct by_set steps = steps_by_set(program);
	bool *has_steps = mem_alloc(program->sets.len + 1);
	uint32_t *call = mem_alloc(n * sizeof *call), *next;

	for (size_t i = 0; i < program->sets.len; i++)
		has_steps[i] = steps.at[i] != PROGRAM_NONE;
	h->call_first = mem_alloc((n_calls + 2) * sizeof *h->call_first);
	next = h->call_first + 1;
	for (size_t i = 0; i < n; i++) {
		call[i] = call_of(program, &steps, has_steps, program->join->order[i]);
		next[call[i] + 1]++;
	}
	hunt_add_up(next, n_calls);
	h->traces = mem_alloc(n * sizeof *h->traces);
	for (size_t i = 0; i < n; i++)
		h->traces[next[call[i]]++] = program->join->order[i];
	free(call);
	free(has_steps);
	free(steps.next);
	free(steps.at);
}

static void sort_by_key(struct hunt *h)
{
	const struct program *program = h->program;
	size_t n = program->traces.len, n_keys = program->keys.len;
	uint32_t *next;

	h->key_first = mem_alloc((n_keys + 2) * sizeof *h->key_first);
	next = h->key_first + 1;
	for (size_t i = 0; i < n; i++)
		next[program->traces.at[i].key + 1]++;
	hunt_add_up(next, n_keys);
	h->by_key = mem_alloc(n * sizeof *h->by_key);
	for (uint32_t i = 0; i < n; i++)
		h->by_key[next[program->traces.at[h->traces[i]].key]++] = i;
}

/* A key without traces would be no trace of its node. */
static void list_keys(struct hunt *h)
{
	const struct program *program = h->program;

	h->node_key = mem_alloc(program->nodes.len * sizeof *h->node_key);
	h->next_key = mem_alloc(program->keys.len * sizeof *h->next_key);
	h->graph_is_traced = mem_alloc(program->graphs.len);
	for (size_t i = program->keys.len; i-- > 0;) {
		uint32_t node = program->keys.at[i].node;

		if (h->key_first[i] == h->key_first[i + 1])
			continue;
		h->next_key[i] = h->node_key[node];
		h->node_key[node] = (uint32_t)i + 1;
		h->graph_is_traced[program->nodes.at[node].graph] = true;
	}
}

/* ---- bad tensors */

static void add_bad(struct hunt *h, uint32_t at, uint32_t call, uint32_t row)
{
	vec_push(&h->bad, ((struct bad_tensor){ at, call, row, PROGRAM_NONE }));
}

static void list_bad(struct hunt *h)
{
	const struct program *program = h->program;
	uint32_t n_calls = hunt_no_call(h) + 1;

	h->bad_at = mem_alloc(program->traces.len * sizeof *h->bad_at);
	h->bad_first = mem_alloc((n_calls + 1) * sizeof *h->bad_first);
	for (uint32_t call = 0; call < n_calls; call++) {
		const struct program_step *step;

		h->bad_first[call] = (uint32_t)h->bad.len;
		for (uint32_t at = h->call_first[call]; at < h->call_first[call + 1]; at++)
			if (program->traces.at[h->traces[at]].bad == PROGRAM_BAD) {
				add_bad(h, at, call, 0);
				h->bad_at[at] = (uint32_t)h->bad.len;
			}
		if (call == hunt_no_call(h))
			break;
		step = &program->steps.at[call];
		for (uint32_t row = 0; row < step->n_entries; row++)
			if (program->entries.at[step->first_entry + row].bad == PROGRAM_BAD)
				add_bad(h, PROGRAM_NONE, call, row);
	}
	h->bad_first[n_calls] = (uint32_t)h->bad.len;
}

int hunt_order(const struct hunt *h, uint32_t a, uint32_t b)
{
	struct program_tensor x = hunt_tensor(h, a), y = hunt_tensor(h, b);
	double s = program_order_time(program_tensor_time(h->program, &x));
	double t = program_order_time(program_tensor_time(h->program, &y));

	if (s != t)
		return s < t ? -1 : 1;
	if ((x.trace == PROGRAM_NONE) != (y.trace == PROGRAM_NONE))
		return x.trace == PROGRAM_NONE ? 1 : -1;
	if (x.trace != y.trace)
		return x.trace < y.trace ? -1 : 1;
	return (a > b) - (a < b);
}

/* ---- rows */

/* The row of a bad tensor; a new one if it is the first of its node, or of steps of its op. */
static uint32_t find_row(struct hunt *h, uint32_t bad)
{
	const struct bad_tensor *b = &h->bad.at[bad];
	const struct program_step *step;
	struct str name = {0};
	uint32_t *number, id;

	if (b->at != PROGRAM_NONE) {
		number = &h->found_of_node[hunt_node_at(h, b->at)];
	} else {
		step = &h->program->steps.at[b->call];
		str_fmt(&name, "%" PRIu32 " %s", step->graph, step->op);
		id = map_add(&h->found_of_op, &h->mem, name.text, name.len);
		str_release(&name);
		if (id == h->found_at.len)
			vec_push(&h->found_at, 0);
		number = &h->found_at.at[id];
	}
	if (!*number) {
		vec_push(&h->found, ((struct found){ .first = PROGRAM_NONE,
		                                    .host = PROGRAM_NONE }));
		*number = (uint32_t)h->found.len;
	}
	return *number - 1;
}

static void take_origin(struct hunt *h, uint32_t bad, const struct feeds *feeds)
{
	uint32_t row = find_row(h, bad);
	struct found *found = &h->found.at[row];

	h->bad.at[bad].origin = row;
	found->times++;
	if (found->first != PROGRAM_NONE && hunt_order(h, found->first, bad) < 0)
		return;
	found->first = bad;
	feeds_copy(&found->feeds, feeds);
}

static bool is_read_of_variable(const struct hunt *h, uint32_t bad)
{
	const struct bad_tensor *b = &h->bad.at[bad];
	const char *op = b->at == PROGRAM_NONE ? h->program->steps.at[b->call].op
	                                       : hunt_op_type(h, hunt_node_at(h, b->at));

	return op_traits(op) & OP_READS;
}

/* An output has it from all traces of its call, and is what the output before it is. */
static bool is_settled(struct hunt *h, uint32_t bad)
{
	struct bad_tensor *b = &h->bad.at[bad];

	if (b->at != PROGRAM_NONE || h->bad_first[b->call] == bad)
		return false;
	b->origin = b[-1].at == PROGRAM_NONE ? b[-1].origin : PROGRAM_NONE;
	if (b->origin != PROGRAM_NONE)
		h->found.at[b->origin].times++;
	return true;
}

static void settle(struct hunt *h, uint32_t bad, struct feeds *feeds)
{
	bool from_before = false;

	hunt_feeds(h, bad, feeds);
	for (size_t i = 0; i < feeds->bad.len; i++)
		vec_push(&h->inherited, ((struct inheritance){ feeds->bad.at[i], bad }));
	if (feeds->bad.len)
		return;
	if (is_read_of_variable(h, bad))
		hunt_variable(h, bad, feeds, &from_before);
	if (!from_before)
		take_origin(h, bad, feeds);
}

static bool go_through(struct hunt *h, struct err *err)
{
	struct feeds feeds = {0};
	uint32_t bad;

	for (bad = 0; bad < h->bad.len && !progress_cancelled(h->progress); bad++) {
		if (!(bad % 256))
			progress_step(h->progress, bad, h->bad.len);
		if (!is_settled(h, bad))
			settle(h, bad, &feeds);
	}
	feeds_release(&feeds);
	return bad == h->bad.len || err_at(err, ERR_CANCELLED, "command", 0,
	               "stopped after %" PRIu32 " of %zu tensors with NaN or Inf", bad,
	               h->bad.len);
}

/* ---- all of it */

static void hunt_start(struct hunt *h)
{
	const struct program *program = h->program;
	size_t n_calls = program->steps.len + 1;

	sort_by_call(h);
	sort_by_key(h);
	list_keys(h);
	list_bad(h);
	h->call_graph = mem_alloc(n_calls * sizeof *h->call_graph);
	h->found_of_node = mem_alloc(program->nodes.len * sizeof *h->found_of_node);
	h->seen_node = mem_alloc(program->nodes.len * sizeof *h->seen_node);
	h->latest.of_graph = mem_alloc(program->graphs.len * sizeof *h->latest.of_graph);
	h->latest.call = PROGRAM_NONE;
}

static void hunt_release(struct hunt *h)
{
	void *made[] = {
		h->traces, h->call_first, h->by_key, h->key_first, h->node_key, h->next_key,
		h->graph_is_traced, h->bad_at, h->bad_first, h->call_graph, h->latest.of_graph,
		h->found_of_node, h->seen_node, h->uses,
	};

	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		free(made[i]);
	for (size_t i = 0; i < h->found.len; i++) {
		feeds_release(&h->found.at[i].feeds);
		spread_release(&h->found.at[i].spread);
	}
	vec_release(&h->bad);
	vec_release(&h->latest.graphs);
	vec_release(&h->inherited);
	vec_release(&h->found);
	vec_release(&h->found_at);
	vec_release(&h->todo);
	map_release(&h->found_of_op);
	program_reads_release(&h->reads);
	arena_release(&h->mem);
}

static bool tells_bad(int64_t mode)
{
	static const char *const modes[] = {
		"CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "FULL_TENSOR",
	};
	const char *name = program_mode_name(mode);

	for (size_t i = 0; name && i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(name, modes[i]))
			return true;
	return false;
}

/* Is there no mode that tells NaN and Inf? Then the report says so. */
static bool is_refused(const struct program *program, struct origins_report *report)
{
	struct str text = {0};

	for (size_t i = 0; i < program->modes.len; i++)
		if (tells_bad(program->modes.at[i]))
			return false;
	if (!program->n_tensors || !program->modes.len)
		return false;
	str_puts(&text, "this dump holds no health data (mode ");
	for (size_t i = 0; i < program->modes.len; i++) {
		const char *name = program_mode_name(program->modes.at[i]);

		str_puts(&text, i ? ", " : "");
		if (name)
			str_puts(&text, name);
		else
			str_fmt(&text, "%" PRId64, program->modes.at[i]);
	}
	str_puts(&text, ")");
	report->refused = arena_copy(&report->mem, text.text, text.len);
	str_release(&text);
	return true;
}

/* Are there tensors that no record says NaN or Inf of, or records that are lost? */
static bool leaves_some(const struct program *program)
{
	bool leaves = program->n_unscanned || program->unread.tensors;

	for (size_t i = 0; i < program->modes.len; i++)
		leaves |= !tells_bad(program->modes.at[i]);
	for (size_t i = 0; i < program->damage.len; i++)
		leaves |= program->damage.at[i].at.file >= PROGRAM_FILE_EXECUTION;
	return leaves;
}

static void put_totals(const struct hunt *h, struct origins_report *report)
{
	report->bad_tensors = h->bad.len;
	for (size_t i = 0; i < h->bad.len; i++)
		if (h->bad.at[i].call != hunt_no_call(h)) {
			report->first_bad_execution = h->bad.at[i].call;
			return;
		}
}

bool program_origins(const struct program *program, struct origins_report *report,
                     struct progress *progress, struct err *err)
{
	struct hunt h = {
		.program = program, .progress = progress, .reads = { .program = program },
	};
	const char *name = strrchr(program->path, '/');
	bool ok;

	report->of_program = true;
	report->dump = arena_copy(&report->mem, name ? name + 1 : program->path,
	                          strlen(name ? name + 1 : program->path));
	report->tensors = program->n_tensors;
	report->unjudged = leaves_some(program);
	if (is_refused(program, report) || !program->n_flagged)
		return true;
	if (progress)
		atomic_store(&progress->what, "tensors with NaN or Inf");
	hunt_start(&h);
	put_totals(&h, report);
	ok = go_through(&h, err) && hunt_write(&h, report, err);
	if (ok && h.n_unread) {
		const struct err *why = &h.first_unread;
		struct str text = {0};

		report->unjudged = true;
		str_fmt(&text, "%" PRIu64 " record%s could not be read again; the first: ",
		        h.n_unread, plural(h.n_unread));
		err_put(&text, path_name(why->src), why);
		vec_push(&report->warnings, arena_copy(&report->mem, text.text, text.len));
		str_release(&text);
	}
	hunt_release(&h);
	return ok;
}
