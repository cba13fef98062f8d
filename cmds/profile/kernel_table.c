/*
 * A row's number is its name's number. The activities of the rows lie row by row in one array, so
 * that details of a row beyond its sums can be computed when it is shown.
 */
#include "cmds/profile/kernel_table.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/profile/kernel_parts.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/profile/profile_time.h"
#include "dump/base/mem.h"
#include "dump/base/wide.h"
#include "dump/model/device.h"
#include "dump/profile/trace.h"

#define STEP_EVERY 4096
#define P95_LEAST 20

#define X(id, name) name,
const char *const universe_names[] = { UNIVERSES(X) };
const char *const kernel_group_names[] = { KERNEL_GROUPS(X) };
#undef X

bool universe_has(enum universe universe, enum activity_kind kind)
{
	switch (universe) {
	case UNIVERSE_KERNEL: return kind == ACTIVITY_KERNEL;
	case UNIVERSE_COPY: return kind == ACTIVITY_COPY;
	case UNIVERSE_DEVICE: return kind != ACTIVITY_HOST;
	default: return kind == ACTIVITY_HOST;
	}
}

/* Passes over the activities. */

static bool go_on(struct kernel_work *w, size_t at)
{
	if (!(at % STEP_EVERY) && !progress_step(w->progress, at, w->n_activities))
		err_fill(w->err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu records",
		         at, w->n_activities);
	return !w->err->code;
}

typedef void visit(struct kernel_table *table, const struct table_step *step,
                   const struct activity *a, size_t at);

static bool each(struct kernel_table *table, visit *take)
{
	struct kernel_work *w = table->work;

	for (size_t s = 0; s < w->n_steps; s++) {
		const struct table_step *step = &w->steps[s];

		for (size_t i = 0; i < step->acts->at.len; i++) {
			if (!go_on(w, step->base + i))
				return false;
			take(table, step, &step->acts->at.at[i], step->base + i);
		}
	}
	return true;
}

/* Counts what is on the requested devices, in any universe. */
static void count(struct kernel_table *table, const struct table_step *step,
                  const struct activity *a, size_t at)
{
	struct kernel_work *w = table->work;

	(void)at;
	if (!kernel_device_passes(w, step, a))
		return;
	table->n_kernels += a->kind == ACTIVITY_KERNEL;
	if (w->query.kernel && a->kind != ACTIVITY_HOST && kernel_name_passes(w, step, a))
		step->launched[a->node] = true;
}

/* How often a thing was done that a record tells of. */
static uint64_t calls_of(const struct table_step *step, const struct activity *a)
{
	const struct trace_sum *sum = trace_sum_of(step->acts->trace, a->record);

	return sum ? sum->calls : 1;
}

static void group(struct kernel_table *table, const struct table_step *step,
                  const struct activity *a, size_t at)
{
	struct kernel_work *w = table->work;
	bool counted = universe_has(table->universe, a->kind);
	int64_t own_ns = activity_own_ns(a);
	uint32_t key;

	w->key_of[at] = MAP_NONE;
	if (!kernel_device_passes(w, step, a))
		return;
	if (counted) {
		table->whole_ns += own_ns;
		table->n_zero += a->kind == ACTIVITY_KERNEL && !own_ns;
		table->lost_ns += a->node == step->acts->unattributed ? own_ns : 0;
		table->host_has_gpu |= a->kind == ACTIVITY_HOST &&
		                       device_is_gpu(step->acts->devices.key[a->device]);
	}
	if ((by_kernel(table->group) && !counted) || !kernel_all_pass(w, step, a))
		return;
	key = kernel_key(w, table->group, step, a);
	w->key_of[at] = key;
	if (counted) {
		table->shown_ns += own_ns;
		table->calls += calls_of(step, a);
	}
	for (; counted && key != MAP_NONE; key = w->info.at[key].parent)
		if (!w->info.at[key].row) {
			vec_add(&table->rows)->name = w->names.key[key];
			w->info.at[key].row = (uint32_t)table->rows.len;
		}
}

/* Is the row an activity's innermost one? */
static bool is_own(struct kernel_work *w, const struct kernel_table *table,
                   const struct table_step *step, const struct activity *a)
{
	return table->group != GROUP_SCOPE || w->info.at[kernel_scoped_node(w, step, a)].is_own;
}

/* The least and the longest call; what is not said of one is known of none. */
static void take_ends(struct kernel_row *row, const struct table_step *step,
                      const struct activity *a)
{
	int64_t own_ns = activity_own_ns(a);
	const struct trace_sum *sum = trace_sum_of(step->acts->trace, a->record);
	int64_t min_ns = sum ? sum->min_ns : own_ns, max_ns = sum ? sum->max_ns : own_ns;

	if (!row->calls || min_ns < row->min_ns)         /* -1, not known, is the least */
		row->min_ns = min_ns;
	if (!row->calls || max_ns < 0 || (row->max_ns >= 0 && max_ns > row->max_ns))
		row->max_ns = max_ns;
}

static void add(struct kernel_table *table, const struct table_step *step, const struct activity *a,
                size_t at)
{
	struct kernel_work *w = table->work;
	bool counted = universe_has(table->universe, a->kind), own = is_own(w, table, step, a);
	bool copies = table->universe == UNIVERSE_COPY || table->universe == UNIVERSE_DEVICE;
	int64_t own_ns = activity_own_ns(a);

	for (uint32_t key = w->key_of[at]; key != MAP_NONE;
	     key = w->info.at[key].parent, own = false) {
		struct kernel_row *row;

		if (!w->info.at[key].row)
			continue;
		row = &table->rows.at[w->info.at[key].row - 1];
		row->sum_ns[a->kind] += own_ns;
		row->execs += a->kind == ACTIVITY_HOST ? calls_of(step, a) : 0;
		if (a->kind == (copies ? ACTIVITY_COPY : ACTIVITY_HOST))
			row->bytes = saturated_sum(row->bytes, a->bytes);
		if (!counted)
			continue;
		take_ends(row, step, a);
		row->calls += calls_of(step, a);
		row->n_members++;
		row->total_ns += own_ns;
		row->self_ns += own ? own_ns : 0;
	}
}

/* The second half of a counting sort: finds where each row's part begins, and fills it. */
static void place(struct kernel_table *table, const struct table_step *step,
                  const struct activity *a, size_t at)
{
	struct kernel_work *w = table->work;

	(void)step;
	if (!universe_has(table->universe, a->kind))
		return;
	for (uint32_t key = w->key_of[at]; key != MAP_NONE; key = w->info.at[key].parent)
		w->member[table->rows.at[w->info.at[key].row - 1].first++] = (uint32_t)at;
}

static bool place_all(struct kernel_table *table)
{
	size_t n = 0;

	for (size_t i = 0; i < table->rows.len; i++) {
		table->rows.at[i].first = n;
		n += table->rows.at[i].n_members;
	}
	table->work->member = mem_try((n + 1) * sizeof *table->work->member);
	if (!table->work->member)
		return err_at(table->work->err, ERR_LIMIT, "command", 0,
		              "no memory for %zu records", n);
	if (!each(table, place))
		return false;
	for (size_t i = 0; i < table->rows.len; i++)
		table->rows.at[i].first -= table->rows.at[i].n_members;
	return true;
}

const struct activity *kernel_activity(const struct kernel_work *w, size_t at,
                                       const struct table_step **step)
{
	size_t s = 0;

	while (s + 1 < w->n_steps && w->steps[s + 1].base <= at)
		s++;
	*step = &w->steps[s];
	return &w->steps[s].acts->at.at[at - w->steps[s].base];
}

static int by_number(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

/* sorted[ceil(0.95 n) - 1]; -1 if n is small. */
int64_t kernel_row_p95(const struct kernel_table *table, const struct kernel_row *row)
{
	struct kernel_work *w = table->work;
	const struct table_step *step;
	int64_t *len, p95;

	if (table->only_totals || row->n_members < P95_LEAST
	    || !(len = mem_try(row->n_members * sizeof *len)))
		return -1;
	for (size_t i = 0; i < row->n_members; i++)
		len[i] = activity_own_ns(kernel_activity(w, w->member[row->first + i], &step));
	qsort(len, row->n_members, sizeof *len, by_number);
	p95 = len[(row->n_members * 95 + 99) / 100 - 1];
	free(len);
	return p95;
}

/* Rows. */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct kernel_row *)a)->name, ((const struct kernel_row *)b)->name);
}

/* The short name of a row; what a shape is stands behind its kernel's. */
static void put_short(struct str *out, enum kernel_group group, const char *name)
{
	const char *shape = group == GROUP_SHAPE ? strstr(name, " grid:") : NULL;

	put_kernel_short(out, name, shape ? (size_t)(shape - name) : strlen(name));
	if (shape)
		str_puts(out, shape);
}

/* Short forms; kernels that have the same one are numbered in the order of their full names. */
static void name_rows(struct kernel_table *table)
{
	struct kernel_work *w = table->work;
	size_t n = table->rows.len;
	struct kernel_row *rows = table->rows.at;
	uint32_t *id = mem_alloc((n + 1) * sizeof *id), *many = mem_alloc((n + 1) * sizeof *many);
	struct map shorts = {0};

	for (size_t i = 0; i < n; i++) {
		str_reset(&w->scratch);
		put_short(&w->scratch, table->group, rows[i].name);
		id[i] = map_add(&shorts, &w->mem, str_text(&w->scratch), w->scratch.len);
		many[id[i]]++;
	}
	for (size_t i = 0; i < n; i++)
		many[id[i]] = many[id[i]] > 1 ? 1 : 0;
	for (size_t i = 0; i < n; i++) {
		str_reset(&w->scratch);
		str_puts(&w->scratch, shorts.key[id[i]]);
		if (many[id[i]])
			str_fmt(&w->scratch, "#%u", many[id[i]]++);
		rows[i].short_name = arena_copy(&w->mem, str_text(&w->scratch), w->scratch.len);
	}
	map_release(&shorts);
	free(id);
	free(many);
}

static void keep_totals(struct kernel_table *table)
{
	const struct interval *total = table->work->query.total;
	size_t kept = 0;

	if (!total)
		return;
	table->shown_ns = 0;
	table->calls = 0;
	for (size_t i = 0; i < table->rows.len; i++) {
		struct kernel_row *row = &table->rows.at[i];

		if (!interval_holds(total, row->total_ns / 1000))
			continue;
		table->shown_ns += row->self_ns;
		table->calls += row->calls;
		table->rows.at[kept++] = *row;
	}
	table->rows.len = kept;
}

static void count_nans(struct kernel_table *table)
{
	struct kernel_work *w = table->work;
	const struct kernel_query *q = &w->query;

	if (!q->nan_of)
		return;
	for (size_t i = 0; i < table->rows.len; i++) {
		struct kernel_row *row = &table->rows.at[i];

		for (size_t k = 0; k < row->n_members; k++) {
			const struct table_step *step;
			const struct activity *a = kernel_activity(w, w->member[row->first + k],
			                                           &step);

			row->nan += q->nan_of(q->nan_context, i, step->acts->devices.key[a->device],
			                      step->acts->names.key[a->node]);
		}
	}
}

static void add_idle(struct kernel_table *table)
{
	struct kernel_row *row = vec_add(&table->rows);

	row->name = "IDLE";
	row->min_ns = row->max_ns = -1;
	for (size_t i = 0; i < table->devices.len; i++)
		row->total_ns += table->devices.at[i].span_ns - table->devices.at[i].busy_ns;
	row->self_ns = row->total_ns;
	table->whole_ns += row->total_ns;
	table->shown_ns += row->total_ns;
}

static bool make_rows(struct kernel_table *table)
{
	struct kernel_work *w = table->work;

	if (!each(table, group) || !each(table, add) || !place_all(table))
		return false;
	kernel_take_totals(table);
	for (size_t s = 0; s < w->n_steps; s++)
		kernel_find_facts(table, &w->steps[s]);
	w->node_total = mem_alloc((w->names.len + 1) * sizeof *w->node_total);
	w->node_seen = mem_alloc((w->names.len + 1) * sizeof *w->node_seen);
	count_nans(table);
	if (w->query.idle && !table->only_totals)
		add_idle(table);
	keep_totals(table);
	if (table->rows.len)
		qsort(table->rows.at, table->rows.len, sizeof *table->rows.at, by_name);
	for (size_t i = 0; i < table->rows.len; i++)
		table->rows.at[i].short_name = table->rows.at[i].name;
	if (by_kernel(table->group))
		name_rows(table);
	return !w->err->code;
}

static uint32_t *new_numbers(size_t n)
{
	uint32_t *numbers = mem_alloc((n + 1) * sizeof *numbers);

	memset(numbers, 0xff, (n + 1) * sizeof *numbers);
	return numbers;
}

static void start_step(struct kernel_work *w, struct table_step *step,
                       const struct activities *acts, const char *label)
{
	step->acts = acts;
	step->label = label;
	step->base = w->n_activities;
	step->names = new_numbers(acts->names.len);
	step->devices = new_numbers(acts->devices.len);
	if (acts->trace && acts->trace->frames.len) {
		step->line = new_numbers(acts->trace->frames.len);
		step->stack = new_numbers(acts->trace->frames.len);
		step->modules = new_numbers(acts->trace->frames.len);
	}
	step->launched = w->query.kernel ? mem_alloc(acts->names.len + 1) : NULL;
	w->n_activities += acts->at.len;
}

/* Some profilers put copies into a file of their own. */
static bool has_only_copies(const struct kernel_table *table)
{
	const struct kernel_work *w = table->work;
	size_t n_copies = 0, n_others = 0;

	for (size_t i = 0; i < w->n_steps; i++) {
		n_copies += w->steps[i].acts->n_of[ACTIVITY_COPY];
		n_others += w->steps[i].acts->n_of[ACTIVITY_HOST];
	}
	return n_copies && !n_others;
}

/* Of a summary: what each node did in a step is known only together. */
static bool has_sums(const struct kernel_table *table)
{
	const struct kernel_work *w = table->work;

	for (size_t i = 0; i < w->n_steps; i++)
		if (w->steps[i].acts->trace && w->steps[i].acts->trace->more.sums.len)
			return true;
	return false;
}

static bool choose(struct kernel_table *table, struct err *err)
{
	const struct kernel_query *q = &table->work->query;

	if (kernel_has_totals(table))
		return kernel_choose_totals(table, err);
	table->only_totals = has_sums(table);
	table->universe = q->has_universe         ? q->universe
	                  : table->n_kernels      ? UNIVERSE_KERNEL
	                  : has_only_copies(table) ? UNIVERSE_COPY
	                                          : UNIVERSE_HOST;
	table->group = q->has_group                       ? q->group
	               : table->universe == UNIVERSE_HOST ? GROUP_OP
	                                                  : GROUP_KERNEL;
	if (!by_kernel(table->group) || table->universe != UNIVERSE_HOST)
		return true;
	return err_at(err, ERR_MISSING, "command", 0,
	              "Kernels have no host time: group by op, type, scope, source, device or "
	              "stream.");
}

static struct kernel_table *table_new(const struct activities *const *steps,
                                      const char *const *labels, size_t n_steps,
                                      const struct kernel_query *query,
                                      struct progress *progress, struct err *err)
{
	struct kernel_table *table = mem_alloc(sizeof *table);
	struct kernel_work *w = mem_alloc(sizeof *w);

	table->work = w;
	w->query = *query;
	w->progress = progress;
	w->err = err;
	w->steps = mem_alloc((n_steps + 1) * sizeof *w->steps);
	w->n_steps = n_steps;
	for (size_t i = 0; i < n_steps; i++) {
		start_step(w, &w->steps[i], steps[i], labels[i]);
		table->sync_ns += steps[i]->sync_ns;
		table->n_impossible += steps[i]->impossible.len;
		table->n_bookkeeping += steps[i]->n_bookkeeping;
		table->has_gpu_executor |= steps[i]->has_gpu_executor;
		table->has_kernels |= steps[i]->n_of[ACTIVITY_KERNEL] > 0;
	}
	if (w->n_activities >= UINT32_MAX)
		err_fill(err, ERR_LIMIT, "command", 0, "more than %u records", UINT32_MAX);
	return table;
}

bool kernel_table_of(const struct activities *const *steps, const char *const *labels,
                     size_t n_steps, const struct kernel_query *query, struct progress *progress,
                     struct kernel_table **out, struct err *err)
{
	struct kernel_table *table = table_new(steps, labels, n_steps, query, progress, err);
	bool ok;

	*out = table;
	if (err->code)
		return false;
	table->work->key_of =
		mem_alloc((table->work->n_activities + 1) * sizeof *table->work->key_of);
	ok = each(table, count) && choose(table, err) && make_rows(table);
	table->work->progress = NULL;
	table->work->err = NULL;
	return ok;
}

void kernel_table_free(struct kernel_table *table)
{
	struct kernel_work *w;

	if (!table)
		return;
	w = table->work;
	for (size_t i = 0; i < w->n_steps; i++) {
		free(w->steps[i].names);
		free(w->steps[i].devices);
		free(w->steps[i].launched);
		free(w->steps[i].line);
		free(w->steps[i].stack);
		free(w->steps[i].modules);
	}
	free(w->steps);
	free(w->key_of);
	free(w->member);
	free(w->node_total);
	free(w->node_seen);
	vec_release(&w->info);
	map_release(&w->names);
	str_release(&w->scratch);
	arena_release(&w->mem);
	free(w);
	vec_release(&table->rows);
	vec_release(&table->devices);
	free(table);
}

/* What is behind a row. */

static bool is_wanted(struct kernel_table *table, uint32_t key)
{
	struct kernel_work *w = table->work;
	uint8_t *wanted = &w->info.at[key].wanted;

	if (*wanted == UNASKED)
		*wanted = strcmp(w->names.key[key], w->wanted) ? NO : YES;
	if (*wanted == NO && by_kernel(table->group)) {
		str_reset(&w->scratch);
		put_short(&w->scratch, table->group, w->names.key[key]);
		if (!strcmp(str_text(&w->scratch), w->wanted))
			*wanted = YES;
	}
	return *wanted == YES;
}

static void take_member(struct kernel_work *w, const struct table_step *step, size_t at)
{
	vec_push(&w->members->at, ((struct kernel_member){ (uint32_t)(step - w->steps),
	                                                   (uint32_t)(at - step->base) }));
}

static void find(struct kernel_table *table, const struct table_step *step,
                 const struct activity *a, size_t at)
{
	struct kernel_work *w = table->work;
	bool kernels = by_kernel(table->group);
	uint32_t key;

	if ((kernels && a->kind == ACTIVITY_HOST) || !kernel_device_passes(w, step, a) ||
	    !kernel_all_pass(w, step, a))
		return;
	if (!w->wanted) {
		take_member(w, step, at);
		return;
	}
	key = kernel_key(w, table->group, step, a);
	for (; key != MAP_NONE; key = w->info.at[key].parent)
		if (is_wanted(table, key)) {
			take_member(w, step, at);
			break;
		}
}

bool kernel_members_of(const struct activities *const *steps, const char *const *labels,
                       size_t n_steps, const struct kernel_query *query,
                       enum kernel_group group_by, const char *name, struct progress *progress,
                       struct kernel_members *out, struct err *err)
{
	struct kernel_table *table = table_new(steps, labels, n_steps, query, progress, err);
	bool ok;

	table->group = group_by;
	table->work->query.depth = MAX_SCOPE_DEPTH;
	table->work->wanted = name;
	table->work->members = out;
	ok = !err->code && each(table, count) && each(table, find) && !err->code;
	kernel_table_free(table);
	return ok;
}

void kernel_members_release(struct kernel_members *members)
{
	vec_release(&members->at);
}

/* More of a row. */

/* A few in a row are alike: so the lists stay short. */
#define note(list, text) \
	((list)->len && !strcmp(*vec_last(list), (text)) ? (void)0 : (void)vec_push((list), (text)))

static const char *top_node(struct kernel_work *w, const struct kernel_row *row)
{
	const struct table_step *step;
	uint32_t top = MAP_NONE;

	for (size_t i = 0; i < row->n_members; i++) {
		const struct activity *a = kernel_activity(w, w->member[row->first + i], &step);
		uint32_t node = step->names[a->node];

		if (top == MAP_NONE || w->node_total[node] > w->node_total[top] ||
		    (w->node_total[node] == w->node_total[top] &&
		     strcmp(w->names.key[node], w->names.key[top]) < 0))
			top = node;
	}
	return top == MAP_NONE ? "" : w->names.key[top];
}

/* Of the first time that the top node ran. */
static const char *line_of_top(struct kernel_work *w, const struct kernel_row *row,
                               const char *top)
{
	for (size_t i = 0; i < row->n_members; i++) {
		const struct table_step *step;
		const struct activity *a = kernel_activity(w, w->member[row->first + i], &step);
		uint32_t line;

		if (strcmp(step->acts->names.key[a->node], top) != 0)
			continue;
		line = kernel_source_line(w, step, a);
		return line == MAP_NONE ? "" : w->names.key[line];
	}
	return "";
}

void kernel_row_more(struct kernel_table *table, const struct kernel_row *row,
                     struct kernel_row_more *more)
{
	struct kernel_work *w = table->work;
	struct busy busy = {0};
	wide_int delays = 0;
	int64_t n_delays = 0;

	*more = (struct kernel_row_more){ .p95_ns = kernel_row_p95(table, row) };
	w->seen++;
	for (size_t i = 0; i < row->n_members; i++) {
		const struct table_step *step;
		const struct activity *a = kernel_activity(w, w->member[row->first + i], &step);
		uint32_t node = step->names[a->node];

		if (w->node_seen[node] != w->seen) {
			w->node_seen[node] = w->seen;
			w->node_total[node] = 0;
			more->nodes++;
			if (w->query.flops_of)
				more->flops += w->query.flops_of(w->query.flops_context,
				                                 step->acts->names.key[a->node]);
		}
		w->node_total[node] += activity_own_ns(a);
		busy_add(&busy, a->start_ns, a->len_ns);
		if (a->kind != ACTIVITY_HOST && a->launch_delay_ns >= 0) {
			delays += a->launch_delay_ns;
			n_delays++;
		}
		note(&more->ops, step->acts->names.key[a->op]);
		if (by_kernel(table->group))
			note(&more->raws, a->raw == MAP_NONE ? "" : step->acts->names.key[a->raw]);
	}
	kernel_totals_more(table, row, more);
	busy_unite(&busy);
	more->busy_ns = busy_ns(&busy);
	more->launch_delay_ns = n_delays ? (int64_t)((delays + n_delays / 2) / n_delays) : -1;
	busy_release(&busy);
	more->ops.len = texts_sort_once(more->ops.at, more->ops.len);
	more->raws.len = texts_sort_once(more->raws.at, more->raws.len);
	more->top_node = top_node(w, row);
	more->source = line_of_top(w, row, more->top_node);
}

const char *kernel_row_launch(const struct kernel_table *table, const struct kernel_row *row)
{
	const char *launch = NULL;

	for (size_t i = 0; i < row->n_members; i++) {
		const struct table_step *step;
		const struct activity *a = kernel_activity(
			table->work, table->work->member[row->first + i], &step);
		const char *here = a->launch == MAP_NONE ? NULL : step->acts->names.key[a->launch];

		if (!here || (launch && strcmp(launch, here)))
			return NULL;
		launch = here;
	}
	return launch;
}

const char *kernel_row_op(const struct kernel_table *table, const struct kernel_row *row)
{
	const struct table_step *step;
	const struct activity *a;

	if (!row->n_members)
		return "";
	a = kernel_activity(table->work, table->work->member[row->first], &step);
	return step->acts->names.key[a->op];
}

void kernel_row_more_release(struct kernel_row_more *more)
{
	vec_release(&more->ops);
	vec_release(&more->raws);
}
