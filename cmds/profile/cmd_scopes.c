/*
 * The scopes of a step as an icicle chart turned on its side: each scope is inside its parent,
 * larger ones first. On a screen the bars take the whole width, with names inside, or beside them
 * if too long.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/spark.h"
#include "cmds/doc/table.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/words.h"
#include "cmds/profile/kernel_table.h"
#include "cmds/profile/kernels.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/base/wide.h"

#define BAR 32

#define BEFORE_ICICLE 16         /* columns: a share and a time, as wide as they get */
#define LEAST_ICICLE 20

enum { DEPTH, UNIVERSE, NODE, STEP, UNDER };
static const struct opt options[] = {
	[DEPTH] = { OPT_INT, NULL, "depth", "scopes of at most this many parts (2)" },
	[UNIVERSE] = { OPT_WORD, "u", "count",
	               "what is counted: kernel, copy, device (both) or host",
	               .former = "universe" },
	[NODE] = { OPT_WORD, "n", "node_name_filter", "nodes whose name has a match" },
	[STEP] = { OPT_WORD, NULL, "step", "a step, a list (0,2-4), or all" },
	[UNDER] = { OPT_WORD, NULL, "under",
	            "only this scope and its contents; --depth counts from it" },
	TABLE_OPTS
};

struct scope {
	const struct kernel_row *row;
	uint32_t level;                  /* from 1 */
	int64_t at_ns;                   /* start, a parent's scopes laid end to end */
	uint32_t inner, next;            /* while they are ordered: the first in it; after it */
};

struct scopes_view {
	struct step_choice steps;
	struct step_activities acts;
	struct kernel_table *table;
	struct pattern *node;
	VEC(struct scope) at;
	const char *under;               /* "": all */
	int64_t begin_ns, whole_ns;      /* what the bars are parts of */
	size_t icicle;                   /* columns of it, on the screen */
	bool fine;                       /* it is drawn in blocks */
	struct args args;                /* as asked, in the document's memory */
};

extern const struct cmd cmd_scopes;

static uint32_t level_of(const char *name)
{
	uint32_t level = 1;

	for (; *name; name++)
		level += *name == '/';
	return level;
}

/*
 * The bar's columns [*from, *to), at least one, in a chart of this width; in blocks the last one
 * may be part of it.
 */
static void find_bar(const struct scopes_view *v, const struct scope *s, size_t width, size_t *from,
                     size_t *to)
{
	wide_int at = s->at_ns - v->begin_ns;

	wide_int end = (at + s->row->total_ns) * (int64_t)width;

	*from = v->whole_ns ? (size_t)(at * (int64_t)width / v->whole_ns) : 0;
	*to = v->whole_ns ? (size_t)((end + (v->fine ? v->whole_ns - 1 : 0)) / v->whole_ns) : 0;
	if (*to <= *from)
		*to = *from + 1;
}

static void put_bar(struct str *out, const struct scopes_view *v, const struct scope *s)
{
	size_t from, to;

	find_bar(v, s, BAR, &from, &to);
	str_fill(out, ' ', from);
	str_fill(out, '#', to - from);
	str_fill(out, ' ', to < BAR ? BAR - to : 0);
}

/* A bar of so many columns; in blocks its end is an eighth of a column. */
static void put_icicle_bar(struct str *out, const struct scopes_view *v, const struct scope *s,
                           size_t from, size_t columns)
{
	wide_int end = s->at_ns - v->begin_ns + s->row->total_ns;
	size_t eighths;

	if (!v->fine) {
		str_fill(out, '#', columns);
		return;
	}
	eighths = v->whole_ns ? (size_t)(end * (int64_t)v->icicle * 8 / v->whole_ns) : 0;
	eighths = eighths > 8 * from ? eighths - 8 * from : 1;
	eighths = eighths < 8 * columns ? eighths : 8 * columns;
	columns -= put_block_bar(out, eighths);
	str_fill(out, ' ', columns);
}

static void put_ascii_box(struct str *out, const char *name, size_t rest)
{
	str_fmt(out, "[%s", name);
	str_fill(out, '=', rest);
	str_putc(out, ']');
}

/* The bar with the name in it; if the bar is too short, after it, else before it. */
static void put_icicle(struct str *out, const struct scopes_view *v, const struct scope *s)
{
	const char *name = path_name(s->row->name);
	size_t size = utf8_columns(name, strlen(name)), from, to, room;

	find_bar(v, s, v->icicle, &from, &to);
	if (to > v->icicle)
		to = v->icicle;
	if (from >= to)
		from = to - 1;
	room = to - from;
	if (size + 2 <= room) {
		str_fill(out, ' ', from);
		if (v->fine)
			put_block_box(out, name, room, true, true);
		else
			put_ascii_box(out, name, room - size - 2);
	} else if (to + 1 + size <= v->icicle || from < size + 1) {
		str_fill(out, ' ', from);
		put_icicle_bar(out, v, s, from, room);
		str_putc(out, ' ');
		put_shortened(out, name, v->icicle > to + 1 ? v->icicle - to - 1 : 0, false);
	} else {
		str_fill(out, ' ', from - size - 1);
		str_fmt(out, "%s ", name);
		put_icicle_bar(out, v, s, from, room);
	}
}

/* The last part of the name, indented by its depth. */
static void put_indented(struct str *out, const struct scopes_view *v, const struct scope *s)
{
	str_fill(out, ' ', 2 * (s->level - v->at.at[0].level));
	str_puts(out, path_name(s->row->name));
}

/* On a screen bar and name are one column. */
#define SCOPE_COLUMNS(COL) \
	COL(share, "%", PERCENT, 0, 5, \
	    cell->number = percent_of(s->row->total_ns, v->table->whole_ns)) \
	COL(total_us, "Total", TIME, 0, 3, cell->whole = s->row->total_ns) \
	COL(self_us, "Self", TIME, 0, 4, cell->whole = s->row->self_ns) \
	COL(bar, "                                ", TEXT, 0, 0, put_bar(&cell->text, v, s)) \
	COL(indented, "Name", TEXT, 0, 0, put_indented(&cell->text, v, s)) \
	COL(icicle, "Scope", TEXT, 0, 0, put_icicle(&cell->text, v, s)) \
	COL(name, NULL, TEXT, 0, 1, cell_str(cell, s->row->name)) \
	COL(level, NULL, COUNT, 0, 2, cell->whole = s->level) \
	COL(at_us, NULL, TIME, 0, 6, cell->whole = s->at_ns)

enum { SCOPE_COLUMNS(COL_ID) };
static const struct col scope_cols[] = { SCOPE_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct scopes_view *v = context;
	const struct scope *s = &v->at.at[row];

	switch (id) {
	SCOPE_COLUMNS(COL_CASE)
	}
}

static uint64_t get_level(void *context, uint64_t row)
{
	return ((const struct scopes_view *)context)->at.at[row].level;
}

/* Takes the scopes in one of all, each with those in it. */
static void take(struct scopes_view *v, const struct scope *all, uint32_t in, int64_t at_ns)
{
	for (uint32_t i = all[in].inner; i != MAP_NONE; i = all[i].next) {
		vec_push(&v->at, ((struct scope){ .row = all[i].row, .at_ns = at_ns,
		                                  .level = level_of(all[i].row->name) }));
		take(v, all, i, at_ns);
		at_ns += all[i].row->total_ns;
	}
}

/* Larger ones first, ties by name. The last one of all stands for what is in no other. */
static bool order_scopes(struct call *call, struct scopes_view *v)
{
	uint32_t n = (uint32_t)v->table->rows.len;
	struct scopes_view all = { .table = v->table };
	struct table *table = TABLE_OF(call->out, scope_cols, get_cell, &all);
	struct map names = {0};
	bool ok;

	for (uint32_t i = 0; i <= n; i++) {
		const struct kernel_row *row = i < n ? &v->table->rows.at[i] : NULL;

		vec_push(&all.at, ((struct scope){ row, 0, 0, MAP_NONE, MAP_NONE }));
		if (row)
			map_add(&names, doc_mem(call->out), row->name, strlen(row->name));
	}
	table->n_rows = n;
	ok = table_sort(table, COL_name, false, call->progress, &call->err) &&
	     table_sort(table, COL_total_us, true, call->progress, &call->err);
	for (uint32_t i = n; ok && i-- > 0;) {
		uint32_t at = (uint32_t)table_source_row(table, i), in = n;
		const char *name = all.at.at[at].row->name, *slash = strrchr(name, '/');

		if (slash)
			in = slash > name ? map_find(&names, name, (size_t)(slash - name))
			                  : MAP_NONE;
		if (in == MAP_NONE)
			continue;
		all.at.at[at].next = all.at.at[in].inner;
		all.at.at[in].inner = at;
	}
	take(v, all.at.at, n, 0);
	map_release(&names);
	vec_release(&all.at);
	return ok;
}

/* Puts a regular expression for the names in a scope. */
static void put_regex_of(const char *scope, struct str *out)
{
	str_putc(out, '^');
	pattern_put_literal(out, scope);
	str_putc(out, '/');
}

/* A link into the scope; from the scope that is the whole view, to its nodes. */
static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct scopes_view *v = context;
	const char *name = v->at.at[row].row->name;
	struct args args = v->args;
	struct str regex = {0};

	if (name[0] == '(' || name[0] == '-')
		return;
	if (strcmp(name, v->under) != 0) {
		args.opt[UNDER] = (struct opt_value){ .given = true, .word = name };
		again_put(&cmd_scopes, &args, out);
		return;
	}
	put_regex_of(name, &regex);
	words_put_with(out, "kernels --group op --node_name_filter", regex.text);
	str_release(&regex);
	again_put_options(&cmd_scopes, &args, UNIVERSE, UNIVERSE, out);
	again_put_options(&cmd_scopes, &args, STEP, STEP, out);
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct scopes_view *v = table_context(context);

	(void)progress, (void)err;
	key_str(data, "universe", universe_names[v->table->universe]);
	key_us(data, "total_us", v->table->whole_ns);
	return true;
}

static void view_free(void *context)
{
	struct scopes_view *v = context;

	kernel_table_free(v->table);
	step_activities_release(&v->acts);
	step_choice_release(&v->steps);
	if (v->node)
		pattern_free(v->node);
	vec_release(&v->at);
	free(v);
}

static bool read_query(struct call *call, struct scopes_view *v, struct kernel_query *q)
{
	const struct opt_value *opt = call->args.opt;

	*q = (struct kernel_query){ .has_group = true, .group = GROUP_SCOPE };
	q->depth = !opt[DEPTH].given ? 2
	           : opt[DEPTH].number < 1 ? 1
	           : opt[DEPTH].number > MAX_SCOPE_DEPTH ? MAX_SCOPE_DEPTH
	           : (uint32_t)opt[DEPTH].number;
	v->under = "";
	if (opt[UNDER].word)
		v->under = arena_copy(doc_mem(call->out), opt[UNDER].word,
		                      strlen(opt[UNDER].word));
	if (*v->under)
		q->depth += level_of(v->under);
	if (q->depth > MAX_SCOPE_DEPTH)
		q->depth = MAX_SCOPE_DEPTH;
	for (size_t i = 0; opt[UNIVERSE].given && !q->has_universe && i < N_UNIVERSES; i++) {
		q->has_universe = !strcmp(opt[UNIVERSE].word, universe_names[i]);
		q->universe = (enum universe)i;
	}
	if (opt[UNIVERSE].given && !q->has_universe) {
		call_error(call, "ERROR: \"%s\" is not one of kernel, copy, device or host.",
		           opt[UNIVERSE].word);
		return false;
	}
	if (opt[NODE].word && *opt[NODE].word)
		v->node = pattern_new(opt[NODE].word, PATTERN_SEARCH, false, &call->err);
	q->node = v->node;
	return !call->err.code;
}

/* Keeps only the requested scope and its content; false: there is none. */
static bool keep_under(struct call *call, struct scopes_view *v)
{
	size_t len = strlen(v->under), kept = 0;

	v->whole_ns = v->table->whole_ns;
	for (size_t i = 0; len && i < v->at.len; i++) {
		const struct scope s = v->at.at[i];

		if (strncmp(s.row->name, v->under, len) ||
		    (s.row->name[len] && s.row->name[len] != '/'))
			continue;
		if (!s.row->name[len]) {
			v->begin_ns = s.at_ns;
			v->whole_ns = s.row->total_ns;
		}
		v->at.at[kept++] = s;
	}
	if (!len)
		return true;
	v->at.len = kept;
	if (!kept)
		call_error(call, "ERROR: There is no scope \"%s\" in this step.", v->under);
	return kept > 0;
}

static void scopes_exec(struct call *call)
{
	struct scopes_view *v = mem_alloc(sizeof *v);
	struct table *table;
	struct kernel_query query;

	doc_keep(call->out, view_free, v);
	v->args = again_keep(call, doc_mem(call->out));
	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	if (!read_query(call, v, &query) ||
	    !steps_choose_for_mean(call, call->shell->profile, call->args.opt[STEP].word,
	                           &v->steps) ||
	    !step_activities_of(call, &v->steps, &v->acts) ||
	    !kernel_table_of(v->acts.refs, v->acts.labels, v->acts.n, &query, call->progress,
	                     &v->table, &call->err))
		return;
	steps_say_left_out(call, &v->steps);
	if (!order_scopes(call, v) || !keep_under(call, v))
		return;
	table = TABLE_OF(call->out, scope_cols, get_cell, v);
	table->n_rows = v->at.len;
	table->level = get_level;
	table->link = put_link;
	if (!table_arrange(call, table))
		return;
	if (call->on_screen) {
		v->fine = canvas_is_fine(&call->canvas);
		if (call->canvas.modern)
			doc_set_fitted(call->out);
		v->icicle = LEAST_ICICLE;
		if (call->cols > BEFORE_ICICLE + LEAST_ICICLE)
			v->icicle = (size_t)call->cols - BEFORE_ICICLE;
		table_hide(table, COL_self_us);
		table_hide(table, COL_bar);
	}
	table_hide(table, call->on_screen ? COL_indented : COL_icicle);
	table_show(call, table);
	doc_typed_as(call->out, "scopes", put_beside);
}

const struct cmd cmd_scopes = {
	.name = "scopes", .summary = "Time by name scope, scope within scope",
	OPTS(options), .runless = true, .whole_words = true, .exec = scopes_exec,
};
