/*
 * Runs are handed out in order. A thread that finds a run to stop at lowers the limit: no run after
 * it is begun, and one that is being tested is given up. In the end all runs up to the first stop
 * have been tested, and only they count.
 */
#include "cmds/runs/run_search.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/pattern.h"
#include "cmds/session/position.h"
#include "dump/base/mem.h"
#include "dump/base/thread.h"

#define STEP_TENSORS 64

/* The result of one run. */
struct outcome {
	bool tested, stop, partial;
	const char *broken;      /* NULL; or why it could not be loaded */
	struct hit hit;
	uint64_t tensors, bytes;
	struct run *run;         /* loaded, if the search is to stop here */
	unsigned char *verdicts;
};

struct looking {
	struct shell *shell;
	const struct run_search *search;
	struct progress *progress;
	size_t n;                /* runs to look at */
	struct outcome *outcomes;        /* by their order in the search */
	pthread_mutex_t lock;
	size_t next;             /* guarded by the lock, like err and mem */
	struct err err;
	struct arena mem;
	atomic_size_t limit;     /* runs from here on need not be tested */
	atomic_uint_least64_t runs, tensors, bytes;
};

/* One thread's own. */
struct tester {
	struct looking *l;
	struct named_filter filter;
	struct pattern *exclude;
	struct visible *visible;
	bool ticks;              /* this one reports progress */
};

static struct run_entry *entry_of(const struct looking *l, size_t i)
{
	const struct run_search *s = l->search;

	return runs_at(l->shell->runs, s->to >= s->from ? s->from + i : s->from - i);
}

static void fail(struct looking *l, const struct err *err)
{
	pthread_mutex_lock(&l->lock);
	if (!l->err.code)
		l->err = *err;
	pthread_mutex_unlock(&l->lock);
	atomic_store(&l->limit, 0);
}

static bool tester_init(struct tester *t, struct looking *l, bool ticks, struct err *err)
{
	const struct run_search *s = l->search;

	*t = (struct tester){ .l = l, .ticks = ticks };
	if (s->filter)
		t->filter = filter_copy(s->filter);
	if (s->exclude && *s->exclude) {
		t->exclude = pattern_new(s->exclude, PATTERN_MATCH, false, err);
		if (!t->exclude)
			return false;
	}
	return visible_new(&s->visible, &t->visible, err);
}

static void tester_release(struct tester *t)
{
	filter_free(t->filter.filter);
	pattern_free(t->exclude);
	visible_free(t->visible);
}

/* False: testing run i is to be given up. */
static bool goes_on(struct tester *t, size_t i)
{
	struct looking *l = t->l;
	struct progress *p = l->progress;

	if (i >= atomic_load(&l->limit))
		return false;
	if (!p || !t->ticks)
		return !progress_cancelled(p);
	atomic_store(&p->runs, atomic_load(&l->runs));
	atomic_store(&p->bytes, atomic_load(&l->bytes));
	return progress_step(p, atomic_load(&l->tensors), 0);
}

static bool is_left_out(const struct tester *t, const struct run *run, size_t at,
                        const bool *hidden)
{
	const char *node = run->tensors.at[at].node;

	return (hidden && hidden[at]) ||
	       (t->exclude && pattern_hits(t->exclude, node, strlen(node), 0, NULL, NULL));
}

/* The built-in filter asks for no more than all want to know. False after a cancel. */
static bool read_fact(struct tester *t, const struct run *run, struct run_facts *facts,
                      uint32_t at, struct outcome *out, struct err *err)
{
	struct tensor_fact fact;
	struct err own = {0};

	if (t->filter.filter)
		return true;
	if (!fact_read(facts, run, at, &fact, t->l->progress, &own)) {
		*err = own;
		return false;
	}
	out->verdicts[at] = verdict_of_fact(&t->filter, &fact);
	return true;
}

static bool test_tensors(struct tester *t, size_t i, const struct run *run,
                         struct run_facts *facts, const char *const *ops, const bool *hidden,
                         struct outcome *out, struct err *err)
{
	for (size_t at = 0; at < run->tensors.len; at++) {
		if (at % STEP_TENSORS == 0 && !goes_on(t, i))
			return false;
		if (is_left_out(t, run, at, hidden))
			continue;
		if (read_fact(t, run, facts, (uint32_t)at, out, err))
			filter_verdict(&t->filter, out->verdicts, run, ops, (uint32_t)at,
			               t->l->progress, err);
		if (err->code)
			return false;
		out->tensors++;
		atomic_fetch_add(&t->l->tensors, 1);
		if (run->tensors.at[at].size_bytes > 0) {
			out->bytes += (uint64_t)run->tensors.at[at].size_bytes;
			atomic_fetch_add(&t->l->bytes, (uint64_t)run->tensors.at[at].size_bytes);
		}
	}
	if (t->exclude && pattern_gave_up(t->exclude))
		return pattern_too_long(NULL, err);
	return true;
}

/* Notes the outcome of run i. */
static void settle(struct tester *t, size_t i, const struct run *run, struct outcome *out)
{
	struct looking *l = t->l;
	struct run_entry *entry = entry_of(l, i);
	const struct run_info *info = run_entry_info(entry, RUN_WHOLE);

	if (!info)
		info = runs_keep_info(l->shell->runs, entry, RUN_WHOLE, run_info_of(run, true));
	out->partial = info->n_suspects && runs_status(l->shell->runs, entry, info) == RUN_PARTIAL;
	if (l->search->filter) {
		pthread_mutex_lock(&l->lock);
		out->hit = hit_of(entry, &t->filter, run, out->verdicts, &l->mem);
		pthread_mutex_unlock(&l->lock);
	}
	out->stop = (out->hit.tensors && !l->search->through_hits) ||
	            (out->partial && !l->search->through_partial);
	out->tested = true;
	atomic_fetch_add(&l->runs, 1);
}

static bool test_loaded(struct tester *t, size_t i, struct run *run, struct outcome *out,
                        struct err *err)
{
	struct run_facts *facts = facts_of_run(t->l->shell->visits, entry_of(t->l, i), run);
	const char **ops = run_ops(run);
	bool *hidden = NULL;
	size_t n_hidden;
	bool ok = true;

	out->verdicts = mem_alloc(run->tensors.len + 1);
	if (t->visible) {
		hidden = visible_hide(t->visible, run, ops, &n_hidden, err);
		ok = hidden;
	}
	ok = ok && (!t->l->search->filter ||
	            test_tensors(t, i, run, facts, ops, hidden, out, err));
	if (ok)
		settle(t, i, run, out);
	free(hidden);
	free(ops);
	facts_close(facts);
	return ok;
}

/* The run could not be loaded: nothing of it is known, and the search goes on. */
static void note_broken(struct looking *l, const struct run_entry *entry, const struct err *err,
                        struct outcome *out)
{
	struct str why = {0};

	put_broken_run(&why, entry, err);
	pthread_mutex_lock(&l->lock);
	out->broken = arena_copy(&l->mem, why.text, why.len);
	pthread_mutex_unlock(&l->lock);
	out->tested = true;
	str_release(&why);
}

static void test_run(struct tester *t, size_t i)
{
	struct looking *l = t->l;
	struct run_entry *entry = entry_of(l, i);
	struct outcome *out = &l->outcomes[i];
	struct err err = {0};
	struct run *run = runs_open_run(l->shell->runs, entry, &err);

	if (run && run_load(run, NULL, &err)) {
		test_loaded(t, i, run, out, &err);
	} else {
		note_broken(l, entry, &err, out);
		err.code = ERR_NONE;
	}
	if (err.code)
		fail(l, &err);
	if (out->stop) {
		size_t limit = atomic_load(&l->limit);

		out->run = run;
		while (i + 1 < limit && !atomic_compare_exchange_weak(&l->limit, &limit, i + 1))
			;
		return;
	}
	run_close(run);
	free(out->verdicts);
	out->verdicts = NULL;
}

static void test_runs(struct tester *t)
{
	struct looking *l = t->l;

	for (;;) {
		size_t i;

		pthread_mutex_lock(&l->lock);
		i = l->next++;
		pthread_mutex_unlock(&l->lock);
		if (i >= l->n || !goes_on(t, i))
			return;
		test_run(t, i);
	}
}

static void *help(void *arg)
{
	test_runs(arg);
	return NULL;
}

static void note_trouble(const struct looking *l, size_t i, struct search_result *out)
{
	const struct outcome *o = &l->outcomes[i];
	const struct run_info *info = run_entry_info(entry_of(l, i), RUN_WHOLE);
	size_t files = info ? info->n_unread : 0;

	if (o->broken || o->partial || o->hit.unreadable || files)
		*vec_add(&out->troubles) = (struct run_trouble){
			.entry = entry_of(l, i), .unreadable = o->hit.unreadable,
			.files = files, .partial = o->partial, .broken = o->broken,
		};
}

void search_put_trouble(struct str *out, const struct run_trouble *trouble)
{
	bool has_more = trouble->partial;

	if (trouble->broken) {
		str_puts(out, trouble->broken);
		return;
	}
	str_puts(out, "Run #");
	put_run_number(out, trouble->entry);
	str_putc(out, ' ');
	if (trouble->partial)
		str_puts(out, "looks unfinished");
	if (trouble->files || trouble->unreadable)
		str_puts(out, has_more ? " and has " : "has ");
	if (trouble->files)
		str_fmt(out, "%zu unreadable file%s", trouble->files, plural(trouble->files));
	if (trouble->files && trouble->unreadable)
		str_puts(out, " and ");
	if (trouble->unreadable)
		str_fmt(out, "%" PRIu64 " unreadable tensor%s", trouble->unreadable,
		        plural(trouble->unreadable));
}

/* Does the search test all tensors of a run? */
static bool asks_all(const struct run_search *s)
{
	return s->filter && !(s->exclude && *s->exclude) && !s->visible.node_name &&
	       !s->visible.op_type && !s->visible.dtype;
}

/* Adds up the runs tested without a gap, up to the first stop. */
static void sum_up(struct looking *l, struct search_result *out)
{
	for (size_t i = 0; i < l->n && l->outcomes[i].tested && !out->stop; i++) {
		struct outcome *o = &l->outcomes[i];

		out->last = entry_of(l, i);
		out->runs++;
		out->tensors += o->tensors;
		out->bytes += o->bytes;
		out->unreadable += o->hit.unreadable;
		if (asks_all(l->search) && !o->broken)
			hits_put(l->shell->hits, &o->hit);
		note_trouble(l, i, out);
		if (!o->stop)
			continue;
		out->stop = out->last;
		out->hit = o->hit.tensors;
		out->first = o->hit;
		out->run = o->run;
		out->verdicts = o->verdicts;
		o->run = NULL;
		o->verdicts = NULL;
	}
	for (size_t i = 0; i < l->n; i++) {
		run_close(l->outcomes[i].run);
		free(l->outcomes[i].verdicts);
	}
	out->cancelled = !out->stop && out->runs < l->n;
	out->mem = l->mem;
}

bool run_search(struct shell *shell, const struct run_search *search, struct progress *progress,
                struct search_result *out, struct err *err)
{
	size_t n = search->to >= search->from ? search->to - search->from + 1
	                                      : search->from - search->to + 1;
	struct looking l = { .shell = shell, .search = search, .progress = progress, .n = n,
	                     .limit = n };
	struct tester mine = {0}, other = {0};
	pthread_t helper;
	bool ok, helped;

	*out = (struct search_result){0};
	l.outcomes = mem_alloc(n * sizeof *l.outcomes);
	pthread_mutex_init(&l.lock, NULL);
	if (progress)
		atomic_store(&progress->what, "tensors");
	ok = tester_init(&mine, &l, true, err) && tester_init(&other, &l, false, err);
	if (ok) {
		helped = n > 1 && goes_on(&mine, 0) && thread_start(&helper, help, &other);
		test_runs(&mine);
		if (helped)
			pthread_join(helper, NULL);
		if (l.err.code)
			*err = l.err;
		ok = !l.err.code;
	}
	if (progress)
		atomic_store(&progress->runs, 0);
	tester_release(&mine);
	tester_release(&other);
	sum_up(&l, out);
	pthread_mutex_destroy(&l.lock);
	free(l.outcomes);
	return ok;
}

void search_result_release(struct search_result *result)
{
	vec_release(&result->troubles);
	run_close(result->run);
	free(result->verdicts);
	arena_release(&result->mem);
}
