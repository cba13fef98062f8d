#include "cmds/overview/series.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/by_entry.h"
#include "dump/base/mem.h"

/*
 * What was read of a run is kept for the session, so that its tensors are not read again: names are
 * numbers of `names`, the parts of a name stand in its text with a newline between.
 */
struct measure {
	uint32_t name, op;       /* op NO_OP: not known */
	uint32_t dump;
	bool bad;
	double size;
};

#define NO_OP UINT32_MAX

struct measured {
	const struct run_info *info;     /* to see whether the run has changed */
	VEC(struct measure) at;
	uint64_t n_unread;
	struct err first_unread;
};

struct measures {
	struct map names, ops;
	struct by_entry numbers;
	VEC(struct measured *) runs;             /* by number; NULL: it could not be read */
	struct arena mem;
};

static void measured_free(struct measured *m)
{
	if (!m)
		return;
	vec_release(&m->at);
	free(m);
}

static void measures_free(void *what)
{
	struct measures *measures = what;

	for (size_t i = 0; i < measures->runs.len; i++)
		measured_free(measures->runs.at[i]);
	vec_release(&measures->runs);
	by_entry_release(&measures->numbers);
	map_release(&measures->names);
	map_release(&measures->ops);
	arena_release(&measures->mem);
	free(measures);
}

static struct measures *measures_of(struct shell *shell)
{
	static const char key[] = "measures";
	struct measures *measures = shell_kept(shell, key);

	if (!measures) {
		measures = mem_alloc(sizeof *measures);
		shell_keep(shell, key, KEEP_ON, measures, measures_free);
	}
	return measures;
}

/* Reading. */

/* Debug ops that sum tensors up have other numbers than the tensors. */
static bool has_values(const struct run *run, const struct tensor *t)
{
	const char *op = run->op_type ? "" : run->debug_ops.key[t->debug_op];

	return strncmp(op, "DebugNanCount", strlen("DebugNanCount")) != 0 &&
	       strncmp(op, "DebugNumericSummary", strlen("DebugNumericSummary")) != 0;
}

/* A run whose tensors are measured. */
struct measuring {
	struct run_entry *entry;
	struct visit *visit;     /* NULL: it is not open in the session */
	struct run *opened;      /* for this alone, and closed then; NULL: it was open */
	const struct run *run;
	struct run_facts *facts;
};

static void note_unread(struct measured *m, const struct measuring *of, uint32_t at)
{
	struct tensor_fact fact;
	struct err why = {0};

	if (m->n_unread++)
		return;
	fact_read(of->facts, of->run, at, &fact, NULL, &why);
	m->first_unread = why;
}

/* Behind a tensor's name: its device, and the worker, if there is one. */
static void put_place(struct str *name, const struct device *device)
{
	str_fmt(name, "\n%s", device->name);
	if (device->worker)
		str_fmt(name, "\n%s", device->worker);
}

static void measure(struct measures *all, struct measured *m, const struct measuring *of,
                    const char *const *ops)
{
	const struct run *run = of->run;
	struct str name = {0};

	for (uint32_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		struct tensor_fact fact = fact_of(of->facts, i);
		struct measure one = { .dump = t->number, .op = NO_OP, .size = fact.magnitude,
		                       .bad = fact.state == FACT_BAD };

		if (fact.state == FACT_UNREADABLE)
			note_unread(m, of, i);
		if (!fact_is_told(&fact) || !has_values(run, t) || (isnan(one.size) && !one.bad))
			continue;
		str_reset(&name);
		run_put_name(run, t, &name);
		put_place(&name, &run->devices.at[t->device]);
		one.name = map_add(&all->names, &all->mem, name.text, name.len);
		if (ops[i])
			one.op = map_add(&all->ops, &all->mem, ops[i], strlen(ops[i]));
		vec_push(&m->at, one);
	}
	str_release(&name);
}

/* What a filter would find: the list of runs may show it. */
static void note_hits(struct shell *shell, const struct measuring *of, const char *const *ops)
{
	struct named_filter *filter = filters_find(&shell->filters, FILTER_BUILT_IN);
	size_t n = of->run->tensors.len;
	unsigned char *verdicts = mem_alloc(n + 1);
	struct arena mem = {0};
	struct err err = {0};
	struct hit hit;

	verdicts_lend(filter, of->facts, verdicts, n);
	for (uint32_t i = 0; i < n && !err.code; i++)
		filter_verdict(filter, verdicts, of->run, ops, i, NULL, &err);
	hit = hit_of(of->entry, filter, of->run, verdicts, &mem);
	if (!err.code)
		hits_put(shell->hits, &hit);
	arena_release(&mem);
	free(verdicts);
}

static void close_run(struct measuring *of)
{
	facts_close(of->facts);
	run_close(of->opened);
	visit_release(of->visit);
}

/*
 * Reads the run, which it opens if of->run is NULL and the session has not opened it. The caller
 * closes it, even after false.
 */
static bool read_run(struct shell *shell, struct measuring *of, struct progress *progress,
                     struct err *err)
{
	size_t n, read;

	if (!of->run && (of->visit = visit_find(shell->visits, of->entry)))
		of->run = of->visit->run;
	if (!of->run) {
		of->run = of->opened = runs_open_run(shell->runs, of->entry, err);
		if (!of->opened || !run_load(of->opened, progress, err))
			return false;
	}
	if (!run_entry_info(of->entry, RUN_WHOLE))
		runs_keep_info(shell->runs, of->entry, RUN_WHOLE, run_info_of(of->run, true));
	of->facts = facts_of_run(shell->visits, of->entry, of->run);
	n = of->run->tensors.len;
	read = facts_read_all(of->facts, of->run, progress);
	return read == n || err_at(err, ERR_CANCELLED, "command", 0,
	                           "stopped after %zu of %zu tensors", read, n);
}

/* What is there of a run; read if it isn't known, or has changed. open: the run, or NULL. */
static const struct measured *measured_of(struct shell *shell, struct run_entry *entry,
                                          const struct run *open, struct progress *progress,
                                          struct err *err)
{
	struct measures *all = measures_of(shell);
	uint32_t number = by_entry_add(&all->numbers, entry, 0);
	struct measuring of = { .entry = entry, .run = open };
	struct measured *m;
	const char **ops;

	if (number == all->runs.len)
		vec_push(&all->runs, NULL);
	m = all->runs.at[number];
	if (m && m->info && m->info == run_entry_info(entry, RUN_WHOLE))
		return m;
	measured_free(m);
	all->runs.at[number] = m = NULL;
	if (read_run(shell, &of, progress, err)) {
		m = mem_alloc(sizeof *m);
		m->info = run_entry_info(entry, RUN_WHOLE);
		ops = run_ops(of.run);
		measure(all, m, &of, ops);
		note_hits(shell, &of, ops);
		all->runs.at[number] = m;
		free(ops);
	}
	close_run(&of);
	return m;
}

bool series_read_run(struct shell *shell, struct run_entry *entry, const struct run *run,
                     struct progress *progress, struct err *err)
{
	return measured_of(shell, entry, run, progress, err);
}

/* Series of runs. */

static const char *worker_in(struct series_list *list, const char *place)
{
	const char *end = strchr(place, '\n');

	return end ? arena_copy(&list->mem, end + 1, strlen(end + 1)) : NULL;
}

/* The series of this key; made, of n places, if there is none. */
static struct series *series_of_key(struct series_list *list, const char *key, const char *device,
                                    size_t n)
{
	uint32_t at = map_add(&list->names, &list->mem, key, strlen(key));
	struct series *s;

	if (at < list->list.len)
		return &list->list.at[at];
	s = vec_add(&list->list);
	s->tensor = arena_copy(&list->mem, key, strcspn(key, "\n"));
	s->device = device ? arena_copy(&list->mem, device, strcspn(device, "\n")) : NULL;
	s->worker = device ? worker_in(list, device) : NULL;
	s->n = n;
	s->at = arena_alloc(&list->mem, n * sizeof *s->at);
	for (size_t i = 0; i < n; i++)
		s->at[i].size = NAN;
	return s;
}

static void add(struct size_at *at, double size, bool bad)
{
	at->size = fmax(at->size, size);         /* the other one, if one is NAN */
	at->bad |= bad;
}

static void take_unread(struct series_list *list, uint64_t n, const struct err *first)
{
	if (!list->n_unread && n)
		list->first_unread = *first;
	list->n_unread += n;
}

static const char *op_of(struct series_list *list, const struct measures *all,
                         const struct measure *one)
{
	const char *op = one->op == NO_OP ? NULL : all->ops.key[one->op];

	return op ? arena_copy(&list->mem, op, strlen(op)) : NULL;
}

/* Of a run alone each dump has its place: so many places has each name. */
static size_t *count_dumps(const struct measures *all, const struct measured *m)
{
	size_t *n = mem_alloc((all->names.len + 1) * sizeof *n);

	for (size_t i = 0; i < m->at.len; i++) {
		const struct measure *one = &m->at.at[i];

		if (one->dump >= n[one->name])
			n[one->name] = one->dump + 1;
	}
	return n;
}

/* place: that of the run among n. */
static void take_run(struct series_list *list, const struct measures *all,
                     const struct measured *m, size_t place, size_t n)
{
	bool by_run = list->by == SERIES_BY_RUN;
	size_t *dumps = by_run ? NULL : count_dumps(all, m);

	for (size_t i = 0; i < m->at.len; i++) {
		const struct measure *one = &m->at.at[i];
		const char *key = all->names.key[one->name];
		struct series *s = series_of_key(list, key, strchr(key, '\n') + 1,
		                                 by_run ? n : dumps[one->name]);

		if (!s->op)
			s->op = op_of(list, all, one);
		add(&s->at[by_run ? place : one->dump], one->size, one->bad);
	}
	free(dumps);
	take_unread(list, m->n_unread, &m->first_unread);
	list->n_runs++;
}

bool series_of_runs(struct series_list *list, struct shell *shell, struct progress *progress,
                    struct err *err)
{
	size_t n = shell->runs->list.len;

	*list = (struct series_list){ .by = n > 1 ? SERIES_BY_RUN : SERIES_BY_EXECUTION };
	for (size_t i = 0; i < n; i++) {
		const struct measured *m = measured_of(shell, runs_at(shell->runs, i + 1), NULL,
		                                       progress, err);

		if (!m && n > 1 && err->code == ERR_CANCELLED)
			err_fill(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu runs",
			         i, n);
		if (!m)
			return false;
		take_run(list, measures_of(shell), m, i, n);
	}
	return true;
}

/* Calls of functions. */

/* A function is traced anew for other arguments: its names then differ in their number. */
static size_t len_without_number(const char *name)
{
	size_t len = strlen(name), end = len;

	while (end && is_digit((unsigned char)name[end - 1]))
		end--;
	return end && end < len && name[end - 1] == '_' ? end - 1 : len;
}

/* The calls of each function: where they are in its series. */
struct calls {
	struct map functions;
	VEC(uint32_t) steps;     /* function after function */
	size_t *first, *count;   /* by function, in steps */
	uint32_t *function, *place;      /* by step; PROGRAM_NONE: it is no call */
	struct arena mem;
};

static void calls_init(struct calls *c, const struct program *program)
{
	size_t n = program->steps.len, at = 0;

	*c = (struct calls){ .function = mem_alloc((n + 1) * sizeof *c->function),
	                     .place = mem_alloc((n + 1) * sizeof *c->place) };
	for (size_t i = 0; i < n; i++) {
		const struct program_step *step = &program->steps.at[i];

		c->function[i] = PROGRAM_NONE;
		if (step->is_function)
			c->function[i] = map_add(&c->functions, &c->mem, step->op,
			                         len_without_number(step->op));
	}
	c->count = mem_alloc((c->functions.len + 1) * sizeof *c->count);
	c->first = mem_alloc((c->functions.len + 1) * sizeof *c->first);
	for (size_t i = 0; i < n; i++)
		if (c->function[i] != PROGRAM_NONE)
			c->place[i] = (uint32_t)c->count[c->function[i]]++;
	for (size_t f = 0; f < c->functions.len; f++) {
		c->first[f] = at;
		at += c->count[f];
	}
	vec_reserve(&c->steps, at + 1);
	c->steps.len = at;
	for (size_t i = 0; i < n; i++)
		if (c->function[i] != PROGRAM_NONE)
			c->steps.at[c->first[c->function[i]] + c->place[i]] = (uint32_t)i;
}

static void calls_release(struct calls *c)
{
	map_release(&c->functions);
	vec_release(&c->steps);
	free(c->first);
	free(c->count);
	free(c->function);
	free(c->place);
	arena_release(&c->mem);
}

/* node:slot, function, graph, device */
static struct series *series_of_trace(struct series_list *list, const struct program *program,
                                      const struct calls *calls, uint32_t trace, uint32_t step)
{
	const struct program_key *key = &program->keys.at[program->traces.at[trace].key];
	const struct program_node *node = &program->nodes.at[key->node];
	const char *graph = program->graphs.at[node->graph].name;
	uint32_t function = calls->function[step];
	struct str name = {0};
	struct series *s;

	str_fmt(&name, "%s:%" PRId32 "\n%" PRIu32 "\n%.*s\n%s", node->name, key->slot, function,
	        (int)len_without_number(graph), graph, key->device);
	s = series_of_key(list, name.text, key->device, calls->count[function]);
	str_release(&name);
	if (!s->op && node->op != PROGRAM_NONE) {
		const char *op = program->ops.at[node->op].type;

		s->op = arena_copy(&list->mem, op, strlen(op));
	}
	if (!s->steps) {
		size_t bytes = s->n * sizeof *s->steps;
		uint32_t *steps = arena_alloc(&list->mem, bytes);

		memcpy(steps, &calls->steps.at[calls->first[function]], bytes);
		s->steps = steps;
	}
	return s;
}

/* False: cancelled. What has no value leaves no mark. */
static bool take_trace(struct series_list *list, struct program_reads *reads,
                       const struct calls *calls, uint32_t trace, uint32_t step, bool *any,
                       struct progress *progress, struct err *err)
{
	struct program_tensor tensor = { .trace = trace, .step = step };
	struct err own = {0};
	struct value *value = program_value(reads, &tensor, &own);
	struct vitals v;
	double size = NAN;

	if (value && vitals_of(value, &v, progress, &own) && vitals_is_told(&v) &&
	    (vitals_magnitude(&v, &size) || v.state == VITALS_BAD)) {
		struct series *s = series_of_trace(list, reads->program, calls, trace, step);

		add(&s->at[calls->place[step]], size, v.state == VITALS_BAD);
	}
	*any |= value != NULL;
	value_close(value);
	if (own.code == ERR_CANCELLED)
		*err = own;
	else if (own.code && own.code != ERR_MISSING)
		take_unread(list, 1, &own);
	return !err->code;
}

/* False: cancelled, before the step's traces were all taken. */
static bool take_step(struct series_list *list, struct program_reads *reads,
                      const struct calls *calls, uint32_t step, bool *any,
                      struct progress *progress, struct err *err)
{
	size_t n;
	const uint32_t *traces = program_step_traces(reads->program, step, &n);

	for (size_t i = 0; i < n; i++)
		if (!take_trace(list, reads, calls, traces[i], step, any, progress, err))
			return false;
	return true;
}

bool series_of_program(struct series_list *list, const struct program *program,
                       struct progress *progress, struct err *err)
{
	struct program_reads reads = { .program = program };
	uint32_t n = (uint32_t)program->steps.len;
	struct calls calls;
	bool ok = true, any = false;

	*list = (struct series_list){ .by = SERIES_BY_CALL };
	calls_init(&calls, program);
	if (progress)
		atomic_store(&progress->what, "steps");
	for (uint32_t i = 0; i < n && ok; i++) {
		ok = progress_step(progress, i, n) &&
		     (calls.function[i] == PROGRAM_NONE ||
		      take_step(list, &reads, &calls, i, &any, progress, err));
		if (!ok)
			err_fill(err, ERR_CANCELLED, "command", 0, "stopped after %" PRIu32 " of %"
			         PRIu32 " steps", i, n);
		list->n_runs += calls.function[i] != PROGRAM_NONE;
	}
	calls_release(&calls);
	program_reads_release(&reads);
	return ok && (any || err_at(err, ERR_MISSING, program->path, 0,
	                            "no values of functions were recorded"));
}

void series_release(struct series_list *list)
{
	vec_release(&list->list);
	map_release(&list->names);
	arena_release(&list->mem);
}
