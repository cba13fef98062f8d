/*
 * Peaks of the allocators, computed from the lifetimes of tensors; they equal those of the
 * counters in `timeline --memory`. On a screen there is a chart above the tensors that were alive
 * at one time; keys move that time.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/profile/kernels.h"
#include "cmds/profile/memory_chart.h"
#include "cmds/profile/memory_events.h"
#include "cmds/profile/memory_trace.h"
#include "cmds/profile/memory_peaks.h"
#include "cmds/profile/profile_time.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/profile/tensor_life.h"

extern const struct cmd cmd_memory;

enum { STEP, AT_US, EVENTS };
static const struct opt options[] = {
	[STEP] = { OPT_WORD, NULL, "step", "a step other than the current one" },
	[AT_US] = { OPT_INT, NULL, "at",
	            "with an allocator: what lived this many microseconds after the step's start" },
	[EVENTS] = { OPT_FLAG, NULL, "events", "every time memory was taken or given back" },
	TABLE_OPTS
};
static const struct pos positionals[] = {
	{ "allocator", "what was in use at its peak, or at --at", true },
};

struct memory_view {
	struct memory_peaks m;
	struct peak *of;                 /* the one that was asked for; NULL: all */
	size_t columns;                  /* of the chart */
	struct args args;                /* as asked, in the document's memory */
};

/* All allocators. */

static bool is_recorded(const struct memory_view *v, uint64_t row)
{
	return memory_peaks_recorded(&v->m, row);
}

static const char *shown_allocator(const struct memory_view *v, uint64_t row)
{
	return is_recorded(v, row) ? v->m.lives.allocators.key[row] : "(not recorded)";
}

static int64_t after_begin(const struct memory_view *v, int64_t us)
{
	return (int64_t)((uint64_t)us - (uint64_t)v->m.begin_us);
}

#define PEAK_COLUMNS(COL) \
	COL(peak_bytes, "Peak", SIZE, 0, 2, put_peak(cell, is_recorded(v, row), p->bytes)) \
	COL(peak_at_us, "At", AFTER_US, 0, 3, \
	    cell_known(cell, is_recorded(v, row) && p->bytes, after_begin(v, p->at_us))) \
	COL(live, "Live", COUNT, 0, 4, cell->whole = (int64_t)p->live.len) \
	COL(tensors, "Tensors", COUNT, 0, 5, cell->whole = (int64_t)p->tensors) \
	COL(total_bytes, "Sum", SIZE, 0, 6, cell->whole = p->sum) \
	COL(in_use_bytes, "In use", SIZE, 0, 7, cell_known(cell, p->in_use, p->in_use)) \
	COL(allocator, "Name", TEXT, 0, 1, cell_str(cell, shown_allocator(v, row)))

enum { PEAK_COLUMNS(COL_ID) };
static const struct col peak_cols[] = { PEAK_COLUMNS(COL_ROW) };

static void put_peak(struct cell *cell, bool recorded, int64_t bytes)
{
	cell_known(cell, recorded, bytes);
	cell_str(cell, recorded ? "" : "not recorded");
}

static void get_peak(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct memory_view *v = context;
	const struct peak *p = &v->m.at.at[row];

	switch (id) {
	PEAK_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct memory_view *v = context;

	if (!is_recorded(v, row) || v->m.lives.allocators.key[row][0] == '-')
		return;
	words_put_with(out, "memory", v->m.lives.allocators.key[row]);
}

/* What was alive at a peak. */

#define LIFE_COLUMNS(COL) \
	COL(bytes, "Bytes", SIZE, 0, 2, cell->whole = life->bytes) \
	COL(share, "%", SHARE, 0, 3, cell->number = percent_of(life->bytes, v->of->bytes)) \
	COL(from_us, "From", AFTER_US, 0, 4, cell->whole = after_begin(v, life->from_us)) \
	COL(to_us, "To", AFTER_US, 0, 5, cell->whole = after_begin(v, life->to_us)) \
	COL(name, "Name", TEXT, 0, 1, cell_str(cell, v->m.lives.names.key[v->of->live.at[row]]))

enum { LIFE_COLUMNS(COL_ID) };
static const struct col life_cols[] = { LIFE_COLUMNS(COL_ROW) };

static void get_life(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct memory_view *v = context;
	const struct tensor_life *life = &v->m.lives.at.at[v->of->live.at[row]];

	switch (id) {
	LIFE_COLUMNS(COL_CASE)
	}
}

/* On the screen. */

enum { ROOMY = 18, HIGH = 6, LOW = 2 };  /* rows of a pane, and of the chart in it */
enum { FLAT = 3, AXIS = 1 };             /* rows of a chart that tells little; of times below */
enum { BELOW_CHART = 3, LEAST_LIVE = 3 };        /* mark, blank, heading; then tensors */

static struct memory_curve curve_of(const struct memory_view *v, size_t i)
{
	size_t n = v->m.first[i + 1] - v->m.first[i];
	const struct life_event *at = v->m.events.at.at + v->m.first[i];
	struct memory_curve curve = { at, n, v->m.begin_us, v->m.end_us, v->m.at.at[i].most };

	if (n && at[n - 1].us > curve.end_us)
		curve.end_us = at[n - 1].us;
	return curve;
}

static bool has_curve(const struct memory_view *v, size_t i)
{
	return is_recorded(v, i) && v->m.at.at[i].most > 0;
}

static int rows_left(const struct call *call)
{
	return call->canvas.rows - (int)doc_rows(call->out);
}

/* What it had at which time, and of how many tensors. */
static void put_state(const struct memory_view *v, const struct peak *peak, struct str *out)
{
	put_after_us(out, after_begin(v, peak->at_us));
	str_puts(out, "  ");
	put_size(out, peak->bytes);
	str_fmt(out, " in %zu tensor%s", peak->live.len, plural(peak->live.len));
}

/* The last time that anything changed. */
static int64_t last_event(const struct memory_view *v)
{
	int64_t last = v->m.begin_us;

	for (size_t i = 0; i < v->m.events.at.len; i++)
		if (v->m.events.at.at[i].us > last)
			last = v->m.events.at.at[i].us;
	return last;
}

/*
 * Rows that charts have between them, their marks and blanks left out. Those that only rise once
 * and fall once get FLAT, if any others are there to have the rest.
 */
struct chart_rows {
	int all, n, n_flat;
};

static struct chart_rows rows_of_charts(const struct call *call, const struct memory_view *v)
{
	struct chart_rows rows = {0};

	for (size_t i = 0; i < v->m.at.len; i++) {
		struct memory_curve curve;

		if (!has_curve(v, i))
			continue;
		curve = curve_of(v, i);
		rows.n++;
		rows.n_flat += chart_is_flat(&curve, call->cols);
	}
	rows.all = rows_left(call) - 2 * rows.n - AXIS;
	return rows;
}

/* Takes the rows of the next one. */
static int take_rows(struct chart_rows *rows, bool flat)
{
	int n_high = rows->n - rows->n_flat, high;

	if (!n_high || rows->all / rows->n <= FLAT)
		high = rows->all / rows->n;
	else
		high = flat ? FLAT : (rows->all - FLAT * rows->n_flat) / n_high;
	rows->all -= high;
	rows->n--;
	rows->n_flat -= flat;
	return high;
}

/*
 * A chart for each allocator, as high as the pane has room for. False: too little, and nothing was
 * put.
 */
static bool put_charts(struct call *call, const struct memory_view *v)
{
	struct chart_look look = { .fine = canvas_is_fine(&call->canvas) };
	struct chart_rows rows = rows_of_charts(call, v);
	struct str text = {0};

	if (!call->canvas.modern || !rows.n || rows.all / rows.n < LOW)
		return false;
	for (size_t i = 0; i < v->m.at.len; i++) {
		struct memory_curve curve;

		if (!has_curve(v, i))
			continue;
		curve = curve_of(v, i);
		look.rows = take_rows(&rows, chart_is_flat(&curve, call->cols));
		str_reset(&text);
		str_fmt(&text, "%s  ", shown_allocator(v, i));
		put_state(v, &v->m.at.at[i], &text);
		doc_newline(call->out);
		chart_put(&curve, call->cols, &look, v->m.at.at[i].at_us, text.text, call->out);
	}
	chart_put_axis(v->m.end_us - v->m.begin_us, call->cols, call->out);
	str_release(&text);
	return true;
}

/* The sum over time of each allocator, under the table. */
static void put_strips(struct call *call, const struct memory_view *v)
{
	size_t name = 0, wide;
	struct str out = {0};

	for (size_t i = 0; i < v->m.at.len; i++)
		if (strlen(shown_allocator(v, i)) > name)
			name = strlen(shown_allocator(v, i));
	wide = (size_t)call->cols > name + 12 ? (size_t)call->cols - name - 2 : 10;
	doc_newline(call->out);
	for (size_t i = 0; i < v->m.at.len; i++) {
		str_reset(&out);
		str_fmt(&out, "%-*s  ", (int)name, shown_allocator(v, i));
		if (has_curve(v, i)) {
			struct memory_curve curve = curve_of(v, i);

			chart_put_strip(&curve, wide, canvas_is_fine(&call->canvas), &out);
		} else {
			str_puts(&out, is_recorded(v, i) ? "0" : "not recorded");
		}
		doc_line_put(call->out, ROLE_PLAIN, "%s", out.text);
	}
	doc_line_put(call->out, ROLE_LIBRARY,
	             "What was in use over the step, each in parts of its own peak.");
	str_release(&out);
}

static const struct doc_key own_keys[] = {
	{ DOC_KEY_LEFT, .hint_keys = "Left Right", .hint = "time", .way = KEY_REWRITES, .n = -1 },
	{ DOC_KEY_RIGHT, .way = KEY_REWRITES, .n = 1 },
	{ 0, .hint_keys = "< > s", .hint = "sort" },
};
static const struct doc_keys keys = { NULL, DOC_KEYS(own_keys) };

static bool put_time_line(void *context, const struct doc_at *key, struct str *out)
{
	struct memory_view *v = context;
	struct memory_curve curve = curve_of(v, (size_t)(v->of - v->m.at.at));
	struct args args = v->args;
	int64_t column, at;

	column = (int64_t)chart_column(&curve, v->columns, v->of->at_us) + key->n;
	column = column < 0 ? 0 : column >= (int64_t)v->columns ? (int64_t)v->columns - 1 : column;
	at = chart_time(&curve, v->columns, (size_t)column);
	if (key->n > 0 ? at <= v->of->at_us : at >= v->of->at_us)
		/* A column may be shorter than a microsecond. */
		at = (int64_t)((uint64_t)v->of->at_us + (uint64_t)(key->n > 0 ? 1 : -1));
	if (at < curve.begin_us || at > curve.end_us) {
		str_puts(out, "The step ends here");
		return false;
	}
	args.opt[AT_US] = (struct opt_value){ .given = true, .number = after_begin(v, at) };
	again_put(&cmd_memory, &args, out);
	return true;
}

/* As high as the pane lets it be; a third of it is for what was alive, if that is so much. */
static int chart_rows(const struct call *call, size_t n_live)
{
	int rows = rows_left(call), live = rows / 3 > LEAST_LIVE ? rows / 3 : LEAST_LIVE;

	if (!call->canvas.modern)
		return call->canvas.rows >= ROOMY ? HIGH : LOW;
	if (n_live < (size_t)live)
		live = (int)n_live;
	rows -= live + BELOW_CHART;
	return rows > LOW ? rows : LOW;
}

static void put_chart(struct call *call, struct memory_view *v)
{
	struct memory_curve curve = curve_of(v, (size_t)(v->of - v->m.at.at));
	struct chart_look look = { chart_rows(call, v->of->live.len),
	                           canvas_is_fine(&call->canvas) };
	struct str text = {0};

	v->columns = chart_columns(call->cols);
	put_state(v, v->of, &text);
	chart_put(&curve, call->cols, &look, v->of->at_us, text.text, call->out);
	doc_newline(call->out);
	doc_bring_keys(call->out, &keys, put_time_line, v);
	str_release(&text);
}

static void view_free(void *context)
{
	struct memory_view *v = context;

	memory_peaks_release(&v->m);
	free(v);
}

static void put_view(struct call *call, struct memory_view *v)
{
	struct table *table = v->of ? TABLE_OF(call->out, life_cols, get_life, v)
	                            : TABLE_OF(call->out, peak_cols, get_peak, v);

	table->n_rows = v->of ? v->of->live.len : v->m.at.len;
	table->link = v->of ? NULL : put_link;
	if (!table_arrange(call, table))
		return;
	if (call->on_screen && call->canvas.modern) {
		doc_set_fitted(call->out);
		v->m.end_us = last_event(v);
	}
	if (call->on_screen && v->of && has_curve(v, (size_t)(v->of - v->m.at.at)))
		put_chart(call, v);
	if (v->m.at.len) {
		table_show(call, table);
	} else {
		table_type(call, table);
		doc_line_put(call->out, ROLE_PLAIN, "No tensor sizes are recorded in this step.");
	}
	if (call->on_screen && v->m.at.len && !v->of && !put_charts(call, v))
		put_strips(call, v);
	doc_typed_as(call->out, "memory", NULL);
}

static void memory_exec(struct call *call)
{
	const char *allocator = call->args.pos[0];
	struct step_choice choice;
	struct memory_view *v;
	struct step *step = NULL;
	uint32_t id;

	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	if (call->shell->profile && call->shell->profile->trace) {
		memory_put_trace(call, allocator, call->args.opt[EVENTS].given);
		return;
	}
	if (steps_choose_one(call, call->shell->profile, call->args.opt[STEP].word, &choice))
		step = step_of(call, choice.profile, choice.at.at[0]);
	step_choice_release(&choice);
	if (!step)
		return;
	v = mem_alloc(sizeof *v);
	doc_keep(call->out, view_free, v);
	v->args = again_keep(call, doc_mem(call->out));
	if (!memory_peaks_read(call, step, &v->m))
		return;
	if (call->args.opt[EVENTS].given) {
		memory_put_step_events(call, &v->m, allocator);
		return;
	}
	if (allocator) {
		id = map_find(&v->m.lives.allocators, allocator, strlen(allocator));
		if (id == MAP_NONE) {
			call_error(call,
			           "ERROR: No tensor of this step is from an allocator \"%s\".",
			           allocator);
			return;
		}
		v->of = &v->m.at.at[id];
		if (call->args.opt[AT_US].given)
			memory_peaks_go(&v->m, v->of, call->args.opt[AT_US].number);
	}
	put_view(call, v);
}

const struct cmd cmd_memory = {
	.name = "memory", .summary = "Peaks of the allocators, and what was in use then",
	OPTS(options), POSITIONALS(positionals), .runless = true, .whole_words = true,
	.exec = memory_exec,
};
