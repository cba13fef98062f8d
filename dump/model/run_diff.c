/*
 * The old run's tensors go into a table by the new run's numbers for device, node and debug op; a
 * name that the new run lacks has none, and its tensors are gone. Each tensor of the new run then
 * looks up its own. Of most pairs nothing is kept but two positions and a status.
 */
#include "dump/model/run_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/known.h"

enum { PROBLEMS_MAX = 100 };

const char *const diff_status_names[N_DIFF_STATUSES] = {
#define X(id, name) [DIFF_##id] = name,
	DIFF_STATUSES(X)
#undef X
};

/* Pairs. */

/* The numbers of the new run for what the old one names. */
struct names {
	uint32_t *node;          /* MAP_NONE: it doesn't have it */
	uint32_t *debug_op;
	uint32_t *device;        /* DIFF_NONE: it doesn't have it */
};

/* What both runs have in common about a tensor, in the new run's numbers. */
struct key {
	uint32_t node, slot, number, debug_op, device;
};

struct table {
	uint32_t *slot;          /* position in the old run + 1; 0 is free */
	size_t n_slots;          /* a power of two */
};

static uint32_t *translate(const struct map *from, const struct map *to)
{
	uint32_t *ids = mem_alloc(from->len * sizeof *ids);

	for (size_t i = 0; i < from->len; i++)
		ids[i] = map_find(to, from->key[i], strlen(from->key[i]));
	return ids;
}

static uint32_t find_device(const struct run *run, const char *name)
{
	for (size_t i = 0; i < run->devices.len; i++)
		if (!strcmp(run->devices.at[i].name, name))
			return (uint32_t)i;
	return DIFF_NONE;
}

static void names_make(struct names *names, const struct run *now, const struct run *before)
{
	names->node = translate(&before->nodes, &now->nodes);
	names->debug_op = translate(&before->debug_ops, &now->debug_ops);
	names->device = mem_alloc(before->devices.len * sizeof *names->device);
	for (size_t i = 0; i < before->devices.len; i++)
		names->device[i] = find_device(now, before->devices.at[i].name);
}

static void names_release(struct names *names)
{
	free(names->node);
	free(names->debug_op);
	free(names->device);
}

static struct key key_now(const struct tensor *t)
{
	return (struct key){ t->node_id, t->slot, t->number, t->debug_op, t->device };
}

static struct key key_before(const struct names *names, const struct tensor *t)
{
	return (struct key){ names->node[t->node_id], t->slot, t->number,
		             names->debug_op[t->debug_op], names->device[t->device] };
}

static bool key_known(const struct key *key)
{
	return key->node != MAP_NONE && key->debug_op != MAP_NONE && key->device != DIFF_NONE;
}

static bool same_key(const struct key *a, const struct key *b)
{
	return a->node == b->node && a->slot == b->slot && a->number == b->number &&
	       a->debug_op == b->debug_op && a->device == b->device;
}

static size_t hash_of(const struct key *key)
{
	uint64_t h = ((uint64_t)key->node << 32 | key->slot) * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)key->number << 32 | key->debug_op << 16 | key->device) ^ h >> 29;
	h *= 0xd6e8feb86659fd93u;
	return (size_t)(h ^ h >> 32);
}

/* Where a key is in the table, or where it would go. */
static uint32_t *place_of(const struct table *table, const struct run *before,
                          const struct names *names, const struct key *key)
{
	size_t at = hash_of(key) & (table->n_slots - 1);

	while (table->slot[at]) {
		struct key other = key_before(names, &before->tensors.at[table->slot[at] - 1]);

		if (same_key(&other, key))
			break;
		at = (at + 1) & (table->n_slots - 1);
	}
	return &table->slot[at];
}

static void table_fill(struct table *table, const struct run *before, const struct names *names)
{
	table->n_slots = 64;
	while (table->n_slots < before->tensors.len * 2)
		table->n_slots *= 2;
	table->slot = mem_alloc(table->n_slots * sizeof *table->slot);
	for (uint32_t i = 0; i < before->tensors.len; i++) {
		struct key key = key_before(names, &before->tensors.at[i]);

		if (key_known(&key))
			*place_of(table, before, names, &key) = i + 1;
	}
}

static void find_pairs(struct run_diff *diff)
{
	const struct run *now = diff->now, *before = diff->before;
	unsigned char *taken = mem_alloc(before->tensors.len + 1);
	struct names names;
	struct table table;

	names_make(&names, now, before);
	table_fill(&table, before, &names);
	vec_reserve(&diff->pairs, now->tensors.len);
	for (uint32_t i = 0; i < now->tensors.len; i++) {
		struct key key = key_now(&now->tensors.at[i]);
		uint32_t found = *place_of(&table, before, &names, &key);
		struct diff_pair pair = { i, found ? found - 1 : DIFF_NONE, .form = NULL };

		if (found)
			taken[found - 1] = true;
		vec_push(&diff->pairs, pair);
	}
	for (uint32_t i = 0; i < before->tensors.len; i++)
		if (!taken[i])
			vec_push(&diff->pairs, ((struct diff_pair){ DIFF_NONE, i, .form = NULL }));
	names_release(&names);
	free(table.slot);
	free(taken);
}

/* Arrays of files, by their names. */
static void find_arrays(struct run_diff *diff, const struct pairing *pairing)
{
	const struct run *now = diff->now, *before = diff->before;
	uint32_t *partner = mem_alloc((now->tensors.len + 1) * sizeof *partner);
	bool *taken = mem_alloc(before->tensors.len + 1);

	pairing_find(pairing, now, before, partner, taken);
	diff->n_left_out = now->tensors.len + before->tensors.len;
	for (uint32_t i = 0; i < now->tensors.len; i++) {
		if (partner[i] == PAIRING_LEFT_OUT)
			continue;
		vec_push(&diff->pairs, ((struct diff_pair){ i, partner[i], .form = NULL }));
		diff->n_left_out -= partner[i] == PAIRING_NONE ? 1 : 2;
	}
	for (uint32_t i = 0; i < before->tensors.len; i++) {
		if (taken[i])
			continue;
		vec_push(&diff->pairs, ((struct diff_pair){ DIFF_NONE, i, .form = NULL }));
		diff->n_left_out--;
	}
	free(partner);
	free(taken);
}

static bool are_arrays(const struct run *now, const struct run *before)
{
	return now->op_type || before->op_type;
}

static uint32_t array_partner(const struct run *now, uint32_t at, const struct run *before,
                              const struct pairing *pairing)
{
	uint32_t *partner = mem_alloc((now->tensors.len + 1) * sizeof *partner), found;
	bool *taken = mem_alloc(before->tensors.len + 1);

	pairing_find(pairing, now, before, partner, taken);
	found = partner[at];
	free(partner);
	free(taken);
	return found == PAIRING_LEFT_OUT ? DIFF_NONE : found;
}

uint32_t run_diff_partner(const struct run *now, uint32_t at, const struct run *before,
                          const struct pairing *pairing)
{
	const struct tensor *t = &now->tensors.at[at];
	uint32_t node = map_find(&before->nodes, t->node, strlen(t->node));
	const uint32_t *positions;
	size_t n = 0;

	if (pairing && are_arrays(now, before))
		return array_partner(now, at, before, pairing);
	if (node == MAP_NONE)
		return DIFF_NONE;
	positions = run_node_tensors(before, node, &n);
	for (size_t i = 0; i < n; i++) {
		const struct tensor *u = &before->tensors.at[positions[i]];

		if (u->slot == t->slot && u->number == t->number &&
		    !strcmp(before->debug_ops.key[u->debug_op], now->debug_ops.key[t->debug_op]) &&
		    !strcmp(before->devices.at[u->device].name, now->devices.at[t->device].name))
			return positions[i];
	}
	return DIFF_NONE;
}

/* Values. */

static const struct tensor_form *form_of(const struct value *value, struct arena *mem)
{
	struct tensor_form *form;

	if (!value)
		return NULL;
	form = arena_alloc(mem, sizeof *form + value->shape.rank * sizeof *form->dim);
	form->type = value->type;
	form->rank = value->shape.rank;
	memcpy(form->dim, value->shape.dim, form->rank * sizeof *form->dim);
	return form;
}

/* Two that are no arrays: resources, or not initialised. */
static bool compare_texts(struct value *now, struct value *before, bool *differ, struct err *err)
{
	struct str a = {0}, b = {0};
	bool ok = value_proto_text(now, &a, err) && value_proto_text(before, &b, err);

	*differ = ok && (a.len != b.len || memcmp(a.text, b.text, a.len));
	str_release(&a);
	str_release(&b);
	return ok;
}

/* The numbers that summaries have of them: that these agree is all there is to say. */
static bool compare_numbers(struct value *now, struct value *before, struct diff_pair *out,
                            struct progress *progress, struct err *err)
{
	static const struct compared nothing;
	bool agree;

	if (!known_agree(now, before, &agree, progress, err))
		return false;
	out->by_numbers = true;
	out->status = agree ? DIFF_SAME : DIFF_CHANGED;
	out->compared = agree ? &nothing : NULL;
	return true;
}

static bool compare_arrays(struct value *now, struct value *before,
                           const struct tolerance *tolerance, struct arena *mem,
                           struct diff_pair *out, struct progress *progress, struct err *err)
{
	static const struct compared nothing;
	struct tolerance own = tolerance_of(tolerance, now->type);
	struct compared found, *kept;
	struct view a, b;

	if (now->known || before->known)
		return compare_numbers(now, before, out, progress, err);
	view_all(&a, now);
	if (!out->turned || !view_turned(&b, before, &now->shape))
		view_all(&b, before);
	if (!compare_views(&a, &b, &own, &found, progress, err))
		return false;
	out->status = found.n_diff ? DIFF_CHANGED : DIFF_SAME;
	out->compared = &nothing;
	if (found.n_diff) {
		kept = arena_alloc(mem, sizeof *kept);
		*kept = found;
		out->compared = kept;
	}
	return true;
}

/* Are the shapes of two arrays turned? */
static bool are_turned(struct value *now, struct value *before)
{
	struct view view;

	return now->state == VALUE_ARRAY && before->state == VALUE_ARRAY
	       && view_turned(&view, before, &now->shape);
}

bool diff_values(struct value *now, struct value *before, const struct tolerance *tolerance,
                 bool transpose, struct arena *mem, struct diff_pair *out,
                 struct progress *progress, struct err *err)
{
	bool differ;

	out->compared = NULL;
	out->turned = out->by_numbers = false;
	out->status = !before ? DIFF_ADDED : !now ? DIFF_GONE : DIFF_SAME;
	if (now && before) {
		if (now->type != before->type)
			out->status = DIFF_DTYPE;
		else if (!shape_equal(&now->shape, &before->shape)) {
			out->status = DIFF_SHAPE;
			out->turned = are_turned(now, before);
			if (out->turned && transpose
			    && !compare_arrays(now, before, tolerance, mem, out, progress, err))
				return false;
		} else if (now->state != before->state)
			out->status = DIFF_CHANGED;
		else if (now->state == VALUE_OPAQUE && (now->known || before->known)) {
			out->by_numbers = true;
		} else if (now->state == VALUE_OPAQUE) {
			if (!compare_texts(now, before, &differ, err))
				return false;
			out->status = differ ? DIFF_CHANGED : DIFF_SAME;
		} else if (now->state == VALUE_ARRAY &&
		           !compare_arrays(now, before, tolerance, mem, out, progress, err)) {
			return false;
		}
	}
	out->form = form_of(now, mem);
	out->old_form = out->status == DIFF_SAME && !out->turned ? out->form : form_of(before, mem);
	return true;
}

/* Runs. */

void run_diff_problem(struct run_diff *diff, const struct err *err)
{
	if (diff->problems.len < PROBLEMS_MAX)
		vec_push(&diff->problems, *err);
}

/* The value at a position; NULL: there is none, or it can't be read (*readable is false then). */
static struct value *open_at(struct run_diff *diff, struct run *run, uint32_t at, bool *readable)
{
	struct err err = {0};
	struct value *value;

	if (at == DIFF_NONE)
		return NULL;
	value = run_value(run, &run->tensors.at[at], &err);
	if (!value) {
		*readable = false;
		run_diff_problem(diff, &err);
	}
	return value;
}

bool run_diff_is_hidden(const struct run *lacks, const struct run *has, const struct tensor *t)
{
	return run_may_hold(lacks, find_device(lacks, has->devices.at[t->device].name), t->node);
}

/*
 * One that only a single run has keeps that as its status, readable or not; run_diff_settle looks
 * whether the other run may have it.
 */
static void settle_unreadable(struct run_diff *diff, struct diff_pair *pair,
                              const struct value *now, const struct value *before)
{
	pair->status = pair->before == DIFF_NONE ? DIFF_ADDED
	               : pair->now == DIFF_NONE  ? DIFF_GONE
	                                         : DIFF_UNREADABLE;
	pair->form = form_of(now, &diff->mem);
	pair->old_form = form_of(before, &diff->mem);
}

bool run_diff_settle(struct run_diff *diff, struct diff_pair *pair, struct value *now,
                     struct value *before, bool readable, const struct tolerance *tolerance,
                     bool transpose, struct progress *progress)
{
	struct progress part = progress_of_part(progress);
	struct err err = {0};
	bool ok = true;

	if (readable
	    && !diff_values(now, before, tolerance, transpose, &diff->mem, pair, &part, &err)) {
		ok = err.code != ERR_CANCELLED;
		readable = false;
		if (ok)
			run_diff_problem(diff, &err);
	}
	if (!readable)
		settle_unreadable(diff, pair, now, before);
	if (diff->now && pair->status == DIFF_ADDED
	    && run_diff_is_hidden(diff->before, diff->now, &diff->now->tensors.at[pair->now]))
		pair->status = DIFF_UNREADABLE;
	if (diff->now && pair->status == DIFF_GONE
	    && run_diff_is_hidden(diff->now, diff->before, &diff->before->tensors.at[pair->before]))
		pair->status = DIFF_UNREADABLE;
	diff->count[pair->status]++;
	diff->n_turned += pair->turned;
	diff->n_by_numbers += pair->by_numbers;
	return ok;
}

/* False after a cancel. */
static bool compare_pair(struct run_diff *diff, struct diff_pair *pair,
                         const struct tolerance *tolerance, bool transpose,
                         struct progress *progress)
{
	bool readable = true, ok;
	struct value *now = open_at(diff, diff->now, pair->now, &readable);
	struct value *before = open_at(diff, diff->before, pair->before, &readable);

	ok = run_diff_settle(diff, pair, now, before, readable, tolerance, transpose, progress);
	value_close(now);
	value_close(before);
	return ok;
}

struct run_diff *run_diff_new(struct run *now, struct run *before,
                              const struct tolerance *tolerance, const struct pairing *pairing,
                              struct progress *progress, struct err *err)
{
	bool transpose = pairing && pairing->transpose;
	struct run_diff *diff = mem_alloc(sizeof *diff);

	diff->now = now;
	diff->before = before;
	diff->of_arrays = pairing && are_arrays(now, before);
	if (diff->of_arrays)
		find_arrays(diff, pairing);
	else
		find_pairs(diff);
	for (size_t i = 0; i < diff->pairs.len; i++) {
		if (progress_step(progress, i, diff->pairs.len) &&
		    compare_pair(diff, &diff->pairs.at[i], tolerance, transpose, progress))
			continue;
		err_fill(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu tensors", i,
		         diff->pairs.len);
		run_diff_free(diff);
		return NULL;
	}
	return diff;
}

void run_diff_free(struct run_diff *diff)
{
	if (!diff)
		return;
	vec_release(&diff->pairs);
	vec_release(&diff->problems);
	arena_release(&diff->mem);
	free(diff);
}
