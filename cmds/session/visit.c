/* A list of all visits, under a lock: the last answer about one may be freed on another thread. */
#include "cmds/session/visit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

struct visits {
	pthread_mutex_t lock;
	VEC(struct visit *) list;
	struct health_scan *scan;
	struct facts *facts;
	/* Of the session's thread. What visits point to stays until the session ends. */
	VEC(struct tensor_note) notes;
	struct arena notes_mem;
};

struct visits *visits_new(void)
{
	struct visits *all = mem_alloc(sizeof *all);

	pthread_mutex_init(&all->lock, NULL);
	all->scan = health_scan_new();
	all->facts = facts_new();
	return all;
}

void visits_free(struct visits *all)
{
	health_scan_free(all->scan);
	facts_free(all->facts);
	vec_release(&all->list);
	vec_release(&all->notes);
	arena_release(&all->notes_mem);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

struct health_scan *visits_scan(struct visits *all)
{
	return all->scan;
}

struct facts *visits_facts(const struct visits *all)
{
	return all->facts;
}

struct run_facts *facts_of_run(const struct visits *all, const struct run_entry *entry,
                               const struct run *run)
{
	return facts_open(all->facts, entry, run->tensors.len);
}

/* Notes about tensors. */

static bool is_about(const struct tensor_note *note, const struct run *run,
                     const struct tensor *tensor)
{
	return tensor->slot == note->slot && tensor->number == note->number &&
	       (!note->device || !strcmp(run->devices.at[tensor->device].name, note->device));
}

/*
 * As many dumps of the tensor come before as its number says, so it is looked for from there on;
 * each debug op may have one.
 */
static void take_note(const struct run *run, const struct tensor_note *note, unsigned char *signs)
{
	size_t left = run->debug_ops.len ? run->debug_ops.len : 1;
	uint32_t node = map_find(&run->nodes, note->node, strlen(note->node));
	const uint32_t *at;
	size_t n = 0;

	at = node == MAP_NONE ? NULL : run_node_tensors(run, node, &n);
	for (size_t i = note->number; i < n && left; i++)
		if (is_about(note, run, &run->tensors.at[at[i]])) {
			signs[at[i]] = (unsigned char)note->sign;
			left--;
		}
}

static void take_notes(struct visits *all, struct visit *visit)
{
	unsigned char *signs = NULL;

	for (size_t i = 0; i < all->notes.len; i++) {
		if (all->notes.at[i].entry != visit->entry)
			continue;
		if (!signs) {
			signs = arena_alloc(&all->notes_mem, visit->run->tensors.len + 1);
			memset(signs, SIGN_UNKNOWN, visit->run->tensors.len + 1);
		}
		take_note(visit->run, &all->notes.at[i], signs);
	}
	atomic_store(&visit->signs, signs);
}

void visits_note(struct visits *all, const struct tensor_note *notes, size_t n)
{
	all->notes.len = 0;
	for (size_t i = 0; i < n; i++) {
		struct tensor_note note = notes[i];

		note.node = arena_copy(&all->notes_mem, note.node, strlen(note.node));
		if (note.device)
			note.device = arena_copy(&all->notes_mem, note.device,
			                         strlen(note.device));
		vec_push(&all->notes, note);
	}
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < all->list.len; i++)
		take_notes(all, all->list.at[i]);
	pthread_mutex_unlock(&all->lock);
}

struct visit *visit_new(struct visits *all, struct run_entry *entry, struct run *run)
{
	struct visit *visit = mem_alloc(sizeof *visit);

	*visit = (struct visit){ .all = all, .users = 1, .entry = entry, .run = run,
	                         .facts = facts_of_run(all, entry, run) };
	visit->healths = healths_new(run, visit->facts);
	take_notes(all, visit);
	pthread_mutex_lock(&all->lock);
	vec_push(&all->list, visit);
	pthread_mutex_unlock(&all->lock);
	return visit;
}

struct visit *visit_keep(struct visit *visit)
{
	pthread_mutex_lock(&visit->all->lock);
	visit->users++;
	pthread_mutex_unlock(&visit->all->lock);
	return visit;
}

void visit_outdate(struct visits *all, const struct run_entry *entry)
{
	facts_forget(all->facts, entry);
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < all->list.len; i++)
		if (all->list.at[i]->entry == entry)
			all->list.at[i]->outdated = true;
	pthread_mutex_unlock(&all->lock);
}

/* If a run was opened twice, the later one. */
struct visit *visit_find(struct visits *all, const struct run_entry *entry)
{
	struct visit *found = NULL;

	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < all->list.len; i++)
		if (all->list.at[i]->entry == entry && !all->list.at[i]->outdated)
			found = all->list.at[i];
	if (found)
		found->users++;
	pthread_mutex_unlock(&all->lock);
	return found;
}

/* True if that was the last user. */
static bool leave(struct visit *visit)
{
	struct visits *all = visit->all;
	bool last;

	pthread_mutex_lock(&all->lock);
	last = --visit->users == 0;
	for (size_t i = 0; last && i < all->list.len; i++)
		if (all->list.at[i] == visit) {
			all->list.at[i] = all->list.at[--all->list.len];
			break;
		}
	pthread_mutex_unlock(&all->lock);
	return last;
}

void visit_release(void *what)
{
	struct visit *visit = what;

	if (!visit || !leave(visit))
		return;
	candidates_free(visit->candidates);
	for (size_t i = 0; i < visit->verdicts.len; i++)
		free(visit->verdicts.at[i].of);
	vec_release(&visit->verdicts);
	for (int i = 0; i < N_TENSOR_RANKS; i++)
		free(visit->tensor_ranks[i]);
	free(visit->tensor_op);
	free(visit->unreadable);
	free(visit->hidden);
	arena_release(&visit->findings_mem);
	healths_free(visit->healths);
	facts_close(visit->facts);
	run_close(visit->run);
	free(visit);
}

const char **run_ops(const struct run *run)
{
	const char **ops = mem_alloc(run->tensors.len * sizeof *ops);

	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		size_t len = strlen(t->node);
		struct array_facts facts;
		struct node_ref ref;

		ops[i] = run_array_facts(run, t, &facts) ? facts.op : NULL;
		if (run_find_node(run, t->node, len, t->device, &ref, 1) ||
		    run_find_node(run, t->node, len, -1, &ref, 1))
			ops[i] = graph_op(run->devices.at[ref.device].graph, ref.node);
	}
	return ops;
}

const char *const *visit_ops(struct visit *visit)
{
	if (!visit->tensor_op)
		visit->tensor_op = run_ops(visit->run);
	return visit->tensor_op;
}

unsigned char *visit_verdicts(struct visit *visit, const struct named_filter *filter)
{
	struct verdicts *added;

	for (size_t i = 0; i < visit->verdicts.len; i++)
		if (visit->verdicts.at[i].filter == filter->id)
			return visit->verdicts.at[i].of;
	added = vec_add(&visit->verdicts);
	*added = (struct verdicts){ filter->id, mem_alloc(visit->run->tensors.len + 1) };
	return added->of;
}

/*
 * As the built-in filter answers; of types that numpy lacks that depends on the run. Of recorded
 * numbers the type may be unknown.
 */
unsigned char verdict_of_fact(const struct named_filter *filter, const struct tensor_fact *fact)
{
	enum dtype_kind kind;

	if (filter->filter || !fact_is_told(fact) || !fact->type
	    || fact->type->kind == KIND_SMALL_FLOAT)
		return 0;
	kind = fact->type->kind;
	if (fact->state == FACT_BAD && (kind == KIND_FLOAT || kind == KIND_COMPLEX))
		return VERDICT_KNOWN | VERDICT_PASSES;
	return VERDICT_KNOWN | VERDICT_CLEAN;
}

void verdicts_lend(const struct named_filter *filter, const struct run_facts *facts,
                   unsigned char *verdicts, size_t n)
{
	for (uint32_t at = 0; !filter->filter && at < n; at++) {
		struct tensor_fact fact = fact_of(facts, at);

		if (!verdicts[at])
			verdicts[at] = verdict_of_fact(filter, &fact);
	}
}

void visit_lend_health(struct visit *visit, const struct named_filter *filter)
{
	verdicts_lend(filter, visit->facts, visit_verdicts(visit, filter),
	              visit->run->tensors.len);
}

void visit_learn_health(struct visit *visit, const struct named_filter *filter)
{
	const unsigned char *verdicts = visit_verdicts(visit, filter);

	for (uint32_t at = 0; !filter->text && at < visit->run->tensors.len; at++)
		if (verdicts[at] & VERDICT_PASSES)
			healths_note(visit->healths, at, SIGN_BAD);
		else if (verdicts[at] & VERDICT_UNREADABLE)
			healths_note(visit->healths, at, SIGN_DAMAGED);
		else if (verdicts[at] & VERDICT_CLEAN)
			healths_note(visit->healths, at, SIGN_NONE);
}

enum row_sign visit_sign(struct visit *visit, uint32_t at, bool look)
{
	const unsigned char *noted = atomic_load(&visit->signs);
	enum row_sign sign = healths_sign(visit->healths, at);

	if (noted && noted[at] != SIGN_UNKNOWN)
		return (enum row_sign)noted[at];
	if (sign == SIGN_UNKNOWN && look)
		health_scan_ask(visit->all->scan, visit, at);
	return sign;
}

const struct vitals *visit_vitals(struct visit *visit, uint32_t at)
{
	const struct vitals *known = healths_of(visit->healths, at);

	if (!known)
		health_scan_ask(visit->all->scan, visit, at);
	return known;
}

enum row_sign visit_node_sign(struct visit *visit, const char *node, bool look)
{
	uint32_t id = map_find(&visit->run->nodes, node, strlen(node));
	enum row_sign sign = SIGN_NONE;
	const uint32_t *at;
	size_t n;

	if (id == MAP_NONE)
		return SIGN_NONE;
	at = run_node_tensors(visit->run, id, &n);
	for (size_t i = 0; i < n; i++)
		sign = sign_of_both(sign, visit_sign(visit, at[i], look));
	return sign;
}

const struct vitals *visit_node_vitals(struct visit *visit, const char *node)
{
	uint32_t id = map_find(&visit->run->nodes, node, strlen(node));
	const struct vitals *first = NULL;
	const uint32_t *at;
	size_t n;

	if (id == MAP_NONE)
		return NULL;
	at = run_node_tensors(visit->run, id, &n);
	for (size_t i = 0; i < n; i++) {
		const struct vitals *v = visit_vitals(visit, at[i]);

		if (v && v->state == VITALS_BAD)
			return v;
		first = first ? first : v;
	}
	return first;
}
