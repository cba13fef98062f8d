/*
 * Host records of a thread, sorted by start and the longer first, nest like brackets: one pass with
 * a stack of those that have not ended finds what lies directly within what, and the innermost op
 * around each launch. Steps become stretches without overlaps, so that a record's is found by
 * bisection.
 */
#include "dump/profile/trace_parts.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#define STEP_EVERY 65536

struct linking {
	struct trace *trace;
	struct trace_making *making;
	uint32_t *place;                 /* by record: where all.at has it; MAP_NONE: nowhere */
	uint32_t *host;                  /* places of host records, sorted */
	size_t n_host;
	uint32_t *parent;                /* by place: what a host record lies directly within */
};

static const struct trace_record *record_of(const struct linking *l, const struct activity *a)
{
	return &l->trace->records.at[a->record];
}

static struct file_ids *ids_of(const struct linking *l, const struct activity *a)
{
	return file_of_thread(l->making, record_of(l, a)->thread);
}

static int64_t end_of(const struct activity *a)
{
	int64_t end;

	return __builtin_add_overflow(a->start_ns, a->len_ns, &end) ? INT64_MAX : end;
}

/* By thread, start, the longer first; of equal ones the first in the file is around the others. */
static int by_nesting(const void *a, const void *b, void *context)
{
	const struct linking *l = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct activity *p = &l->trace->all.at.at[i], *q = &l->trace->all.at.at[k];
	uint32_t p_thread = record_of(l, p)->thread, q_thread = record_of(l, q)->thread;

	if (p_thread != q_thread)
		return p_thread < q_thread ? -1 : 1;
	if (p->start_ns != q->start_ns)
		return p->start_ns < q->start_ns ? -1 : 1;
	if (p->len_ns != q->len_ns)
		return p->len_ns > q->len_ns ? -1 : 1;
	return (i > k) - (i < k);
}

static void sort_host(struct linking *l)
{
	const struct activities *all = &l->trace->all;
	size_t n = 0;

	for (size_t i = 0; i < all->at.len; i++)
		n += all->at.at[i].kind == ACTIVITY_HOST;
	l->host = mem_alloc((n + 1) * sizeof *l->host);
	for (size_t i = 0; i < all->at.len; i++)
		if (all->at.at[i].kind == ACTIVITY_HOST)
			l->host[l->n_host++] = (uint32_t)i;
	qsort_r(l->host, n, sizeof *l->host, by_nesting, l);
}

/* A child that ends after its parent counts up to the parent's end. */
static void find_nested(struct linking *l)
{
	struct activity *at = l->trace->all.at.at;
	VEC(uint32_t) open = {0};
	uint32_t thread = MAP_NONE;

	for (size_t i = 0; i < l->n_host; i++) {
		struct activity *a = &at[l->host[i]];

		l->parent[l->host[i]] = MAP_NONE;
		if (record_of(l, a)->thread != thread)
			open.len = 0;
		thread = record_of(l, a)->thread;
		while (open.len && end_of(&at[*vec_last(&open)]) <= a->start_ns)
			open.len--;
		if (open.len) {
			struct activity *parent = &at[*vec_last(&open)];
			int64_t left = end_of(parent) - a->start_ns;

			parent->nested_ns += a->len_ns < left ? a->len_ns : left;
			l->parent[l->host[i]] = *vec_last(&open);
		}
		vec_push(&open, l->host[i]);
	}
	vec_release(&open);
}

/* Ops around moments of threads: launches, and allocations of memory. */

struct moment {
	int64_t at_ns;
	uint32_t thread;
	uint32_t *op;                    /* becomes the place of the innermost op; or MAP_NONE */
};

static int by_thread_and_time(const void *a, const void *b)
{
	const struct moment *p = a, *q = b;

	if (p->thread != q->thread)
		return p->thread < q->thread ? -1 : 1;
	return (p->at_ns > q->at_ns) - (p->at_ns < q->at_ns);
}

static void find_around(struct linking *l, const bool *is_op, struct moment *moments, size_t n)
{
	const struct activity *at = l->trace->all.at.at;
	size_t host = 0;
	uint32_t thread = MAP_NONE;
	VEC(uint32_t) open = {0};

	qsort(moments, n, sizeof *moments, by_thread_and_time);
	for (size_t i = 0; i < n; i++) {
		const struct moment *moment = &moments[i];

		*moment->op = MAP_NONE;
		if (moment->thread != thread)
			open.len = 0;
		thread = moment->thread;
		for (; host < l->n_host; host++) {
			const struct activity *a = &at[l->host[host]];
			uint32_t of = record_of(l, a)->thread;

			if (of > thread || (of == thread && a->start_ns > moment->at_ns))
				break;
			if (of != thread || !is_op[a->record])
				continue;
			while (open.len && end_of(&at[*vec_last(&open)]) <= a->start_ns)
				open.len--;
			vec_push(&open, l->host[host]);
		}
		while (open.len && end_of(&at[*vec_last(&open)]) <= moment->at_ns)
			open.len--;
		if (open.len)
			*moment->op = *vec_last(&open);
	}
	vec_release(&open);
}

static void find_around_launches(struct linking *l, const bool *is_op)
{
	size_t n = l->making->launches.len;
	struct moment *moments = mem_alloc((n + 1) * sizeof *moments);

	for (size_t i = 0; i < n; i++) {
		struct launch *launch = &l->making->launches.at[i];

		moments[i] = (struct moment){ launch->start_ns, launch->thread, &launch->op };
	}
	find_around(l, is_op, moments, n);
	free(moments);
}

/* Memory that an op took itself; what is not freed within it stays as long as it will. */
static void find_around_memory(struct linking *l, const bool *is_op)
{
	struct trace *trace = l->trace;
	size_t n = trace->memory_events.len;
	uint32_t *op = mem_alloc((n + 1) * sizeof *op);
	struct moment *moments = mem_alloc((n + 1) * sizeof *moments);

	for (size_t i = 0; i < n; i++) {
		const struct trace_memory_event *event = &trace->memory_events.at[i];

		moments[i] = (struct moment){ event->at_ns, event->thread, &op[i] };
	}
	find_around(l, is_op, moments, n);
	for (size_t i = 0; i < n; i++) {
		struct trace_memory_event *event = &trace->memory_events.at[i];

		if (op[i] == MAP_NONE)
			continue;
		if (event->op == MAP_NONE)
			event->op = trace->all.at.at[op[i]].raw;
		trace_add_op_memory(trace, trace->all.at.at[op[i]].record, event->bytes);
	}
	free(op);
	free(moments);
}

static void find_ops(struct linking *l)
{
	bool *is_op = mem_alloc(l->trace->records.len + 1);

	for (size_t i = 0; i < l->making->ops.len; i++) {
		uint32_t record = l->making->ops.at[i], at = l->place[record];
		int64_t id = l->trace->records.at[record].external;
		uint32_t *place;

		if (at == MAP_NONE)
			continue;
		is_op[record] = true;
		if (id == TRACE_NO_ID)
			continue;
		place = id_map_place(&ids_of(l, &l->trace->all.at.at[at])->by_external, id);
		if (*place == MAP_NONE)
			*place = at;
	}
	if (l->making->launches.len)
		find_around_launches(l, is_op);
	if (l->trace->memory_events.len)
		find_around_memory(l, is_op);
	free(is_op);
}

/* Of the records of a launch the first by start has the delay. */
static void note_first(struct linking *l, struct launch *launch, uint32_t at)
{
	const struct activity *all = l->trace->all.at.at;

	if (launch->first == MAP_NONE || all[at].start_ns < all[launch->first].start_ns)
		launch->first = at;
}

static struct launch *launch_of(struct linking *l, const struct activity *a)
{
	int64_t id = record_of(l, a)->correlation;
	uint32_t at = id == TRACE_NO_ID
	              ? MAP_NONE : id_map_find(&ids_of(l, a)->by_correlation, id);

	return at == MAP_NONE ? NULL : &l->making->launches.at[at];
}

static bool is_empty(const struct linking *l, uint32_t name)
{
	return name == MAP_NONE || !*l->trace->all.names.key[name];
}

/* The op at a place has launched a record: its shapes and frames are the record's, too. */
static void note_owner(struct linking *l, const struct activity *a, uint32_t place)
{
	struct trace *trace = l->trace;
	uint32_t owner = trace->all.at.at[place].record;

	if (owner < trace->more.shape.len && trace->more.shape.at[owner] != MAP_NONE)
		trace_set_shape(trace, a->record, trace->more.shape.at[owner]);
	if (trace_frame_around(trace, owner) != MAP_NONE)
		trace_set_frame(trace, a->record, trace->more.frame.at[owner]);
	trace_add_device_time(trace, owner, a->len_ns);
}

/* The name of the op that launched it; MAP_NONE. */
static uint32_t owner_of(struct linking *l, const struct activity *a, const struct launch *launch)
{
	int64_t id = record_of(l, a)->external;
	const struct activity *at = l->trace->all.at.at;
	uint32_t place = MAP_NONE;

	if (id != TRACE_NO_ID && id != 0)
		place = id_map_find(&ids_of(l, a)->by_external, id);
	if ((place == MAP_NONE || is_empty(l, at[place].raw)) && launch)
		place = launch->op;
	if (place == MAP_NONE)
		return MAP_NONE;
	note_owner(l, a, place);
	return at[place].raw;
}

static void attribute(struct linking *l, struct activity *a)
{
	struct trace_record *record = &l->trace->records.at[a->record];
	struct launch *launch = launch_of(l, a);
	uint32_t op = owner_of(l, a, launch);

	if (is_empty(l, op))
		op = a->node;
	if (record->op != TRACE_OP_TOLD)
		record->op = is_empty(l, op) ? TRACE_OP_NONE : TRACE_OP_NODE;
	a->node = is_empty(l, op) ? l->trace->all.unattributed : op;
	if (launch && a->kind == ACTIVITY_COPY && !record->has_bytes && launch->bytes >= 0) {
		a->bytes = launch->bytes;
		record->has_bytes = 1;
	}
	if (launch && l->place[a->record] == launch->first
	    && __builtin_sub_overflow(a->start_ns, launch->start_ns, &a->launch_delay_ns))
		a->launch_delay_ns = -1;
}

static bool attribute_all(struct linking *l, struct progress *progress, struct err *err)
{
	struct activities *all = &l->trace->all;

	for (size_t i = 0; l->making->launches.len && i < all->at.len; i++) {
		struct launch *launch = all->at.at[i].kind == ACTIVITY_HOST
		                        ? NULL : launch_of(l, &all->at.at[i]);

		if (launch)
			note_first(l, launch, (uint32_t)i);
	}
	for (size_t i = 0; i < all->at.len; i++) {
		if (i % STEP_EVERY == 0 && progress_cancelled(progress))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		if (all->at.at[i].kind != ACTIVITY_HOST)
			attribute(l, &all->at.at[i]);
	}
	return true;
}

/* Ops within an op come after it. */
static void hand_up_device_time(struct linking *l)
{
	struct trace *trace = l->trace;
	const struct activity *at = trace->all.at.at;

	for (size_t i = l->n_host; i-- > 0; ) {
		uint32_t place = l->host[i], record = at[place].record;

		if (l->parent[place] != MAP_NONE && record < trace->more.device_ns.len)
			trace_add_device_time(trace, at[l->parent[place]].record,
			                      trace->more.device_ns.at[record]);
	}
}

/* Steps. */

struct step_edge {
	int64_t at_ns;
	uint32_t interval;
	bool ends;
};

struct stretch_of_step {
	int64_t start_ns;
	uint32_t step;                   /* TRACE_OUTSIDE: none */
};

typedef VEC(struct stretch_of_step) stretch_list;

static int by_time(const void *a, const void *b)
{
	const struct step_edge *p = a, *q = b;

	return (p->at_ns > q->at_ns) - (p->at_ns < q->at_ns);
}

/* A tree over the intervals in file order that knows the first one open. */
struct open_tree {
	uint32_t *count;                 /* by node: how many are open below it */
	size_t n_leaves;
};

static void tree_change(struct open_tree *tree, size_t leaf, int by)
{
	for (size_t i = leaf + tree->n_leaves; i; i /= 2)
		tree->count[i] += (uint32_t)by;
}

static size_t tree_first(const struct open_tree *tree)
{
	size_t i = 1;

	while (i < tree->n_leaves)
		i = tree->count[2 * i] ? 2 * i : 2 * i + 1;
	return i - tree->n_leaves;
}

/* Of several steps at once the first in file order has the time. */
static void find_stretches(const struct trace_making *m, stretch_list *out)
{
	size_t n = m->intervals.len;
	struct step_edge *edges = mem_alloc(2 * n * sizeof *edges);
	struct open_tree tree = { .n_leaves = 1 };

	while (tree.n_leaves < n)
		tree.n_leaves *= 2;
	tree.count = mem_alloc(2 * tree.n_leaves * sizeof *tree.count);
	for (size_t i = 0; i < n; i++) {
		const struct interval *at = &m->intervals.at[i];

		edges[2 * i] = (struct step_edge){ at->start_ns, (uint32_t)i, false };
		edges[2 * i + 1] = (struct step_edge){ at->end_ns, (uint32_t)i, true };
	}
	qsort(edges, 2 * n, sizeof *edges, by_time);
	for (size_t i = 0; i < 2 * n; i++) {
		uint32_t step;

		tree_change(&tree, edges[i].interval, edges[i].ends ? -1 : 1);
		if (i + 1 < 2 * n && edges[i + 1].at_ns == edges[i].at_ns)
			continue;
		step = tree.count[1] ? m->intervals.at[tree_first(&tree)].step : TRACE_OUTSIDE;
		vec_push(out, ((struct stretch_of_step){ edges[i].at_ns, step }));
	}
	free(edges);
	free(tree.count);
}

static uint32_t step_at(const stretch_list *stretches, int64_t at_ns)
{
	size_t low = 0, high = stretches->len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (stretches->at[mid].start_ns <= at_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? stretches->at[low - 1].step : TRACE_OUTSIDE;
}

static int by_start(const void *a, const void *b)
{
	const struct trace_step *p = a, *q = b;

	if (p->start_ns != q->start_ns)
		return p->start_ns < q->start_ns ? -1 : 1;
	return (p->number > q->number) - (p->number < q->number);
}

static void sort_steps(struct trace *trace)
{
	struct id_map *step_of = &trace->making->step_of;
	int64_t *number = mem_alloc(trace->steps.len * sizeof *number);

	for (size_t i = 0; i < trace->steps.len; i++)
		number[i] = trace->steps.at[i].number;
	qsort(trace->steps.at, trace->steps.len, sizeof *trace->steps.at, by_start);
	for (size_t i = 0; i < trace->steps.len; i++)
		*id_map_place(step_of, trace->steps.at[i].number) = (uint32_t)i;
	for (size_t i = 0; i < trace->making->intervals.len; i++) {
		struct interval *interval = &trace->making->intervals.at[i];

		interval->step = id_map_find(step_of, number[interval->step]);
	}
	free(number);
}

/* When it was launched, as far as its source knows; else its start. */
static int64_t launched_ns(const struct activity *a)
{
	int64_t at_ns = a->start_ns;

	if (a->kind == ACTIVITY_HOST || a->launch_delay_ns == -1
	    || __builtin_sub_overflow(a->start_ns, a->launch_delay_ns, &at_ns))
		return a->start_ns;
	return at_ns;
}

/* A record belongs to the step of its launch, else of its start. */
static void find_steps(struct linking *l)
{
	struct activities *all = &l->trace->all;
	stretch_list stretches = {0};

	if (l->trace->steps.len) {
		sort_steps(l->trace);
		find_stretches(l->making, &stretches);
	}
	for (size_t i = 0; i < all->at.len; i++) {
		struct activity *a = &all->at.at[i];
		const struct launch *launch = a->kind == ACTIVITY_HOST ? NULL : launch_of(l, a);
		int64_t at_ns = launch ? launch->start_ns : launched_ns(a);

		uint32_t step = step_at(&stretches, at_ns);

		l->trace->records.at[a->record].step = step & TRACE_OUTSIDE;
		if (step != TRACE_OUTSIDE)
			l->trace->steps.at[step].n++;
	}
	vec_release(&stretches);
}

/* What launched nothing may as well have waited. */
static void note_launches(struct linking *l)
{
	for (size_t i = 0; i < l->making->launches.len; i++) {
		const struct launch *launch = &l->making->launches.at[i];

		if (launch->first != MAP_NONE)
			trace_add_host_time(l->trace, PART_LAUNCH, launch->start_ns,
			                    launch->len_ns);
	}
}

bool trace_link(struct trace *trace, struct progress *progress, struct err *err)
{
	struct linking l = { .trace = trace, .making = trace->making };
	bool ok;

	l.place = mem_alloc((trace->records.len + 1) * sizeof *l.place);
	memset(l.place, 0xff, (trace->records.len + 1) * sizeof *l.place);
	for (size_t i = 0; i < trace->all.at.len; i++)
		l.place[trace->all.at.at[i].record] = (uint32_t)i;
	l.parent = mem_alloc((trace->all.at.len + 1) * sizeof *l.parent);
	sort_host(&l);
	find_nested(&l);
	trace_find_frames(trace, l.host, l.n_host);
	find_ops(&l);
	ok = attribute_all(&l, progress, err);
	if (ok) {
		hand_up_device_time(&l);
		find_steps(&l);
		note_launches(&l);
		trace_find_queues(trace);
	}
	free(l.place);
	free(l.host);
	free(l.parent);
	return ok;
}
