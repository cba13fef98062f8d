/* The change of each row between two tables of one grouping, matched by name. */
#include "cmds/profile/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/doc/table.h"
#include "dump/base/mem.h"
#include "dump/profile/trace_source.h"

struct row_change {
	const char *name, *shown;
	const char *word;        /* "slower" */
	int64_t a_ns, b_ns, delta_ns;
	uint64_t a_calls, b_calls;
	bool has_a;
};

struct diff_view {
	struct kernels *k;
	struct profile *other;           /* NULL: a step of the open profile */
	struct step_activities acts;
	struct kernel_table *table;
	VEC(struct row_change) at;
	int64_t a_ns, b_ns, busy_ns, span_ns, moved_ns;
	size_t n_paired;                 /* rows that both have */
};

/* Means per step, rounded half up. */
static int64_t per_step(int64_t sum, size_t n)
{
	return n > 1 ? (2 * sum + (int64_t)n) / (2 * (int64_t)n) : sum;
}

static const char *word_of(const struct row_change *c, bool has_b)
{
	if (!c->has_a)
		return "new";
	if (!has_b)
		return "gone";
	if (llabs(c->delta_ns) <= c->a_ns / 50)
		return "same";
	return c->delta_ns > 0 ? "slower" : "faster";
}

static void put_change(struct diff_view *v, const struct kernel_row *a, const struct kernel_row *b,
                       size_t n_a, size_t n_b)
{
	struct row_change *c = vec_add(&v->at);

	c->name = (a ? a : b)->name;
	c->shown = (a ? a : b)->short_name;
	c->has_a = a;
	c->a_ns = a ? per_step(a->total_ns, n_a) : 0;
	c->b_ns = b ? per_step(b->total_ns, n_b) : 0;
	c->a_calls = a ? a->calls : 0;
	c->b_calls = b ? b->calls : 0;
	c->delta_ns = c->b_ns - c->a_ns;
	c->word = word_of(c, b);
	v->moved_ns += llabs(c->delta_ns);
}

/* Rows of two tables that stand for the same; NOBODY: there is none. */
#define NOBODY SIZE_MAX
struct partners {
	size_t *of_a, *of_b;             /* by row */
};

static const char *full_name(const struct kernel_row *row)
{
	return row->name;
}

static const char *short_name(const struct kernel_row *row)
{
	return row->short_name;
}

/* Rows without a partner that have the same name of some kind. */
static void pair_up(const struct kernel_table *a, const struct kernel_table *b,
                    const char *(*name_of)(const struct kernel_row *row), struct partners *p)
{
	struct map names = {0};
	struct arena mem = {0};
	size_t *at = mem_alloc((b->rows.len + 1) * sizeof *at);

	for (size_t i = 0; i < b->rows.len; i++) {
		const char *name = name_of(&b->rows.at[i]);

		if (p->of_b[i] == NOBODY)
			at[map_add(&names, &mem, name, strlen(name))] = i;
	}
	for (size_t i = 0; i < a->rows.len; i++) {
		const char *name = name_of(&a->rows.at[i]);
		uint32_t id = p->of_a[i] == NOBODY ? map_find(&names, name, strlen(name))
		                                   : MAP_NONE;

		if (id == MAP_NONE || p->of_b[at[id]] != NOBODY)
			continue;
		p->of_a[i] = at[id];
		p->of_b[at[id]] = i;
	}
	map_release(&names);
	arena_release(&mem);
	free(at);
}

static size_t *nobodies(size_t n)
{
	size_t *at = mem_alloc((n + 1) * sizeof *at);

	for (size_t i = 0; i < n; i++)
		at[i] = NOBODY;
	return at;
}

/* By full name; kernels that another profiler calls otherwise by the short one. */
static void match(struct diff_view *v, const struct kernel_table *a, const struct kernel_table *b)
{
	struct partners p = { nobodies(a->rows.len), nobodies(b->rows.len) };
	size_t n_a = v->k->acts.n, n_b = v->acts.n;

	pair_up(a, b, full_name, &p);
	if (a->group == GROUP_KERNEL || a->group == GROUP_SHAPE)
		pair_up(a, b, short_name, &p);
	for (size_t i = 0; i < a->rows.len; i++) {
		bool paired = p.of_a[i] != NOBODY;

		v->n_paired += paired;
		put_change(v, &a->rows.at[i], paired ? &b->rows.at[p.of_a[i]] : NULL, n_a, n_b);
	}
	for (size_t i = 0; i < b->rows.len; i++)
		if (p.of_b[i] == NOBODY)
			put_change(v, NULL, &b->rows.at[i], n_a, n_b);
	free(p.of_a);
	free(p.of_b);
}

/* What can't be compared. */

static const char *format_of(const struct profile *profile)
{
	return profile->trace ? profile->trace->source->what
	                      : "step statistics of TensorFlow";
}

static bool tells_all(const struct kernel_table *table)
{
	for (size_t i = 0; i < table->rows.len; i++)
		if (table->rows.at[i].name[0] != '(')
			return true;
	return !table->rows.len;
}

static bool is_all_of_a_trace(const struct profile *profile, const struct step_activities *acts)
{
	return profile->trace && acts->n == 1 && step_is_trace(&profile->steps.at[0]);
}

static void warn_side(struct doc *doc, const struct kernel_table *table, const char *side,
                      const char *format)
{
	if (!table->rows.len && !table->calls)
		doc_warn(doc, "%s, %s, has no %s: nothing of them can be compared.", side, format,
		         kernels_what(table->universe));
	else if (!tells_all(table))
		doc_warn(doc, "%s, %s, does not record the %s of its rows, so they can't be "
		              "compared.", side, format, kernel_group_names[table->group]);
}

/* Two formats tell different things, and call kernels by different names. */
static void warn_of_formats(struct doc *doc, const struct diff_view *v,
                            const struct profile *a, const struct profile *b)
{
	const struct kernel_table *t = v->k->table;

	warn_side(doc, t, "A", format_of(a));
	warn_side(doc, v->table, "B", format_of(b));
	if (is_all_of_a_trace(a, &v->k->acts) != is_all_of_a_trace(b, &v->acts))
		doc_warn(doc, "%s is all of a trace in which no steps are marked, the other a "
		         "step.", is_all_of_a_trace(a, &v->k->acts) ? "A" : "B");
	if (!strcmp(format_of(a), format_of(b)))
		return;
	doc_warn(doc, "A is %s, B %s: %zu of %zu rows of A have a name that B has, too.",
	         format_of(a), format_of(b), v->n_paired, t->rows.len);
	if (t->universe == UNIVERSE_HOST && !a->trace != !b->trace)
		doc_warn(doc, "Host times of a trace are without the ops within an op; step "
		         "statistics have no such ops.");
	if (v->table->only_totals != t->only_totals)
		doc_warn(doc, "%s has only totals: busy times and spans can't be compared.",
		         t->only_totals ? "A" : "B");
}

static void sum_devices(const struct kernel_table *table, size_t n, int sign, struct diff_view *v)
{
	for (size_t i = 0; i < table->devices.len; i++) {
		v->busy_ns += sign * per_step(table->devices.at[i].busy_ns, n);
		v->span_ns += sign * per_step(table->devices.at[i].span_ns, n);
	}
}

#define CHANGE_COLUMNS(COL) \
	COL(name, NULL, TEXT, 0, 1, cell_str(cell, c->name)) \
	COL(short, NULL, TEXT, 0, 2, cell_str(cell, c->shown)) \
	COL(change, "Change", TEXT, 0, 3, cell_str(cell, c->word)) \
	COL(a_us, "A", TIME, 0, 4, cell->whole = c->a_ns) \
	COL(b_us, "B", TIME, 0, 5, cell->whole = c->b_ns) \
	COL(delta_us, "Delta", CHANGE, 0, 6, cell->whole = c->delta_ns) \
	COL(delta, "Delta%", PERCENT, 4, 7, put_percent_change(cell, c)) \
	COL(share, "Share", SHARE, 3, 8, \
	    cell->number = percent_of(llabs(c->delta_ns), v->moved_ns)) \
	COL(a_calls, "A calls", COUNT, 1, 9, cell->whole = (int64_t)c->a_calls) \
	COL(b_calls, "B calls", COUNT, 2, 10, cell->whole = (int64_t)c->b_calls) \
	COL(moved, NULL, TIME, 0, 0, cell->whole = llabs(c->delta_ns)) \
	COL(shown, "Name", TEXT, 0, 0, \
	    cell_str(cell, v->k->names == NAMES_SHORT ? c->shown : c->name))

enum { CHANGE_COLUMNS(COL_ID) };
static const struct col change_cols[] = { CHANGE_COLUMNS(COL_ROW) };
const struct kernels_columns columns_of_diff = KERNELS_COLUMNS(change_cols);

static const struct sort_word change_words[] = { { "", { FALLS(moved), RISES(name) } }, { 0 } };
static const struct table_sorts change_sorts = { .words = change_words };

static void put_percent_change(struct cell *cell, const struct row_change *c)
{
	cell->missing = !c->a_ns;
	cell->number = percent_of(c->delta_ns, c->a_ns);
	if (c->a_ns)
		str_fmt(&cell->text, "%+.1f%%", cell->number);
}

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct diff_view *v = context;
	const struct row_change *c = &v->at.at[row];

	switch (id) {
	CHANGE_COLUMNS(COL_CASE)
	}
}

/* Totals alone say nothing of busy times and spans. */
static bool knows_when(const struct diff_view *v)
{
	return !v->table->only_totals && !v->k->table->only_totals;
}

static void put_known(struct data *data, const char *key, const struct diff_view *v, int64_t ns)
{
	if (knows_when(v)) {
		key_us(data, key, ns);
	} else {
		data_key(data, key);
		data_null(data);
	}
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct diff_view *v = table_context(context);

	(void)progress, (void)err;
	key_str(data, "universe", universe_names[v->k->table->universe]);
	key_str(data, "group", kernel_group_names[v->k->table->group]);
	key_us(data, "a_us", v->a_ns);
	key_us(data, "b_us", v->b_ns);
	key_us(data, "delta_us", v->b_ns - v->a_ns);
	put_known(data, "delta_busy_us", v, v->busy_ns);
	put_known(data, "delta_span_us", v, v->span_ns);
	return true;
}

/* The side to compare with. */

static void view_free(void *context)
{
	struct diff_view *v = context;

	kernel_table_free(v->table);
	step_activities_release(&v->acts);
	profile_close(v->other);
	vec_release(&v->at);
	free(v);
}

/*
 * A directory stands for its current step. Both sides use the open profile's graphs, matched by
 * node name.
 */
static bool open_other(struct call *call, struct diff_view *v, const char *other)
{
	struct step_choice choice = {0};
	struct graph *const *graphs;
	size_t n;
	bool ok;

	if (!strncmp(other, "step:", 5)) {
		ok = steps_choose_for_mean(call, v->k->profile, other + 5, &choice)
		     && kernels_read_activities(call, v->k, &choice, &v->acts);
	} else {
		v->other = profile_new();
		ok = profile_look(v->other, other, &call->err)
		     && profile_load(v->other, call->progress, &call->err)
		     && steps_choose(call, v->other, NULL, &choice);
		graphs = ok ? graphs_of(call, &n) : NULL;
		ok = ok && step_activities_with(call, &choice, graphs, n, &v->acts);
	}
	steps_say_left_out(call, &choice);
	step_choice_release(&choice);
	return ok;
}

static void put_head(struct call *call, const struct diff_view *v)
{
	const struct kernel_table *t = v->k->table;
	struct str out = {0};

	kernels_put_what(&out, t, call->on_screen);
	str_puts(&out, ", A ");
	put_time(&out, v->a_ns, v->k->unit);
	str_puts(&out, ", B ");
	put_time(&out, v->b_ns, v->k->unit);
	str_puts(&out, ", change ");
	put_signed_time(&out, v->b_ns - v->a_ns);
	if (knows_when(v)) {
		str_puts(&out, "; busy ");
		put_signed_time(&out, v->busy_ns);
		str_puts(&out, ", span ");
		put_signed_time(&out, v->span_ns);
	}
	doc_line_put(call->out, ROLE_PLAIN, "%s", out.text);
	doc_newline(call->out);
	str_release(&out);
}

void kernels_put_diff(struct call *call, struct kernels *k, const char *other)
{
	struct diff_view *v = mem_alloc(sizeof *v);
	struct kernel_query query = k->query;
	struct table *table;

	doc_keep(call->out, view_free, v);
	v->k = k;
	if (!open_other(call, v, other))
		return;
	query.has_universe = query.has_group = true;
	query.nan_of = NULL;
	query.flops_of = NULL;
	query.universe = k->table->universe;
	query.group = k->table->group;
	if (!kernel_table_of(v->acts.refs, v->acts.labels, v->acts.n, &query, call->progress,
	                     &v->table, &call->err))
		return;
	v->a_ns = per_step(k->table->whole_ns, k->acts.n);
	v->b_ns = per_step(v->table->whole_ns, v->acts.n);
	sum_devices(k->table, k->acts.n, -1, v);
	sum_devices(v->table, v->acts.n, 1, v);
	match(v, k->table, v->table);
	table = TABLE_OF(call->out, change_cols, get_cell, v);
	table->n_rows = v->at.len;
	table->unit = k->unit;
	table->sorts = &change_sorts;
	if (!table_arrange(call, table))
		return;
	put_head(call, v);
	table_show(call, table);
	if (v->other) {
		size_t before = doc_warnings(call->out);

		warn_of_formats(call->out, v, v->k->profile, v->other);
		kernels_put_notes(call->out, before);
	}
	doc_typed_as(call->out, "kernels", put_beside);
}
