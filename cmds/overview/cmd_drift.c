/*
 * Which tensors grow, or shrink to nothing, over the runs? What was about to overflow shows before
 * there is an infinity.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/spark.h"
#include "cmds/doc/table.h"
#include "cmds/lang/format.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/overview/drift_rows.h"
#include "cmds/overview/stopped.h"
#include "cmds/session/position.h"
#include "dump/base/mem.h"

enum { WINDOW = 3 };             /* runs of which the growth is told */
enum { SPARK_LEAST = 12, SPARK_MOST = 40 };

enum { NODE, THRESHOLD_OPT, SORT, REVERSE, ALL };
static const struct opt options[] = {
	[NODE] = { OPT_WORD, "n", "node_name_filter",
	           "keep nodes whose name matches from its start" },
	[THRESHOLD_OPT] = { OPT_WORD, NULL, "threshold",
	                    "show what grew by this factor a run, or more (10)" },
	[SORT] = SORT_OPT("from_run (default), growth, name, or a column's key", false),
	[REVERSE] = REVERSE_OPT(false),
	[ALL] = { OPT_FLAG, NULL, "all", "everything that changed at all" },
	LIMIT_OPT(true), SKIP_OPT(true), COLUMNS_OPT
};

struct drift {
	struct series_list series;
	VEC(struct drift_row) rows;
	double threshold;
	int64_t first_bad;       /* the earliest of all, by number; DRIFT_NEVER: none */
	size_t spark;            /* columns */
	bool fine;
	bool of_program;
	size_t current;          /* the number of the current run; 0: none */
};

static void drift_free(void *what)
{
	struct drift *d = what;

	series_release(&d->series);
	vec_release(&d->rows);
	free(d);
}

/* False: call->err. */
static bool take_rows(struct call *call, struct drift *d)
{
	const char *regex = call->args.opt[NODE].word;
	struct pattern *pattern = NULL;

	if (regex && *regex && !(pattern = pattern_new(regex, PATTERN_MATCH, false, &call->err)))
		return false;
	for (size_t i = 0; i < d->series.list.len && !call->err.code; i++) {
		const struct series *s = &d->series.list.at[i];
		size_t node_len = (size_t)(strrchr(s->tensor, ':') - s->tensor);
		struct drift_row row;

		if (pattern && !pattern_fits(pattern, s->tensor, node_len, &call->err))
			continue;
		row = drift_row_of(&d->series, s);
		if (row.bad_number < d->first_bad)
			d->first_bad = row.bad_number;
		if (!drift_is_flat(&row) &&
		    (call->args.opt[ALL].given || row.growth >= d->threshold))
			vec_push(&d->rows, row);
	}
	pattern_free(pattern);
	return !call->err.code;
}

/* Cells. */

static void put_number(struct cell *cell, double x)
{
	cell->missing = isnan(x);
	cell->number = x;
	if (cell->missing)
		return;
	if (cell->data)
		data_float(cell->data, x, 64);
	else
		put_short(&cell->text, x);
}

/* The largest of some places on a logarithmic scale: "!" is bad, a blank is nothing. */
static const char *sign_of(const struct series *s, size_t begin, size_t end, double least,
                           double most, bool fine)
{
	double size = NAN, span = log(most) - log(least);

	for (size_t i = begin; i < end; i++) {
		if (s->at[i].bad)
			return "!";
		size = fmax(size, s->at[i].size);
	}
	if (isnan(size))
		return " ";
	if (!(size > 0) || !(span > 0))
		return spark_sign(0, fine);
	return spark_sign((size_t)((log(size) - log(least)) / span * (SPARK_SIGNS - 1) + 0.5),
	                  fine);
}

static void put_spark(struct str *out, const struct drift *d, const struct drift_row *row)
{
	const struct series *s = row->s;
	size_t cells = s->n < d->spark ? s->n : d->spark;
	double least = NAN;

	for (size_t i = 0; i < s->n; i++)
		if (s->at[i].size > 0)
			least = fmin(least, s->at[i].size);
	for (size_t i = 0; i < cells; i++)
		str_puts(out, sign_of(s, i * s->n / cells, (i + 1) * s->n / cells, least, row->max,
		                      d->fine));
	str_fill(out, ' ', d->spark - cells);
}

static void put_series(struct cell *cell, const struct drift *d, const struct drift_row *row)
{
	if (!cell->data) {
		put_spark(&cell->text, d, row);
		return;
	}
	data_list(cell->data);
	for (size_t i = 0; i < row->s->n; i++)
		if (isnan(row->s->at[i].size))
			data_null(cell->data);
		else
			data_float(cell->data, row->s->at[i].size, 64);
	data_end(cell->data);
}

static void put_steps(struct cell *cell, const struct drift_row *row)
{
	struct data *data = cell->data;

	if (!data)
		return;
	if (!row->s->steps) {
		data_null(data);
		return;
	}
	data_list(data);
	for (size_t i = 0; i < row->s->n; i++)
		data_uint(data, row->s->steps[i]);
	data_end(data);
}

#define DRIFT_COLUMNS(COL) \
	COL(growth, "Growth", OWN_NUMBER, 0, 8, put_number(cell, row->growth)) \
	COL(from_run, "From", COUNT, 0, 9, \
	    cell_known(cell, row->from != DRIFT_NOWHERE, row->from_number)) \
	COL(bad_run, "Bad", COUNT, 4, 10, \
	    cell_known(cell, row->bad != DRIFT_NOWHERE, row->bad_number)) \
	COL(first, "First", OWN_NUMBER, 2, 5, put_number(cell, row->first)) \
	COL(last, "Last", OWN_NUMBER, 3, 6, put_number(cell, row->last)) \
	COL(max, "Largest", OWN_NUMBER, 1, 7, put_number(cell, row->max)) \
	COL(series, "Sizes", OWN, 5, 11, put_series(cell, d, row)) \
	COL(worker, "Worker", TEXT, 0, 13, cell_or_none(cell, row->s->worker)) \
	COL(device, "Device", TEXT, 1, 3, cell_or_none(cell, row->s->device)) \
	COL(tensor, "Tensor", TEXT, 0, 1, cell_str(cell, row->s->tensor)) \
	COL(op, NULL, TEXT, 0, 2, cell_or_none(cell, row->s->op)) \
	COL(runs, NULL, COUNT, 0, 4, cell->whole = (int64_t)row->n) \
	COL(steps, NULL, OWN, 0, 12, put_steps(cell, row))

enum { DRIFT_COLUMNS(COL_ID) N_DRIFT_COLS };
static const struct col drift_cols[] = { DRIFT_COLUMNS(COL_ROW) };

/* The first order is that of drift_first, too. */
static const struct sort_word drift_words[] = {
	{ "from_run", { RISES(from_run), FALLS(growth), RISES(tensor) } },
	{ "growth", { FALLS(growth), RISES(tensor) } },
	{ "name", { RISES(tensor) } },
	{ 0 },
};
static const struct table_sorts drift_sorts = {
	drift_words, .refusal = "ERROR: \"%s\" is not one of from_run, growth or name.",
	.turns = true,
};

static void get_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct drift *d = context;
	const struct drift_row *row = &d->rows.at[at];

	switch (id) {
	DRIFT_COLUMNS(COL_CASE)
	}
}

/* Where the growth begins, or else what is bad; there, the tensor itself. */
static void put_link(void *context, uint64_t at, struct str *out)
{
	const struct drift *d = context;
	const struct drift_row *row = &d->rows.at[at];
	size_t place = row->from != DRIFT_NOWHERE  ? row->from
	               : row->bad != DRIFT_NOWHERE ? row->bad
	                                           : 0;
	int64_t number = drift_number(&d->series, row->s, place);

	if (d->series.by == SERIES_BY_EXECUTION ||
	    (!d->of_program && number == (int64_t)d->current)) {
		if (row->s->tensor[0] == '-')
			return;
		words_put_with(out, "pt", row->s->tensor);
		if (d->series.by == SERIES_BY_EXECUTION)
			str_fmt(out, " -n %" PRId64, number);
	} else {
		str_fmt(out, "run --to %" PRId64, number);
	}
}

static bool is_bad(void *context, uint64_t at)
{
	const struct drift *d = context;

	return d->rows.at[at].bad != DRIFT_NOWHERE;
}

static enum role role_of(void *context, uint64_t at, int id)
{
	return id == COL_bad_run && is_bad(context, at) ? ROLE_BAD : ROLE_PLAIN;
}

void drift_put_row(struct data *data, const struct series_list *list, const struct drift_row *row)
{
	struct drift d = { .series = { .by = list->by } };

	vec_push(&d.rows, *row);
	data_object(data);
	table_put_typed(drift_cols, N_DRIFT_COLS, get_cell, &d, 0, data);
	data_end(data);
	vec_release(&d.rows);
}

/* The answer. */

static const struct {
	const char *one, *a, *several;
} units[] = {
	[SERIES_BY_RUN] = { "run", "a run", "runs" },
	[SERIES_BY_EXECUTION] = { "execution", "an execution", "executions" },
	[SERIES_BY_CALL] = { "step", "a call", "calls" },
};

/* "hidden/weights:0 grew 14 times a run from run 9; first bad in run 13" */
static void put_heading(struct call *call, const struct drift *d, const struct drift_row *first)
{
	enum series_by by = d->series.by;
	struct str number = {0};

	if (first && first->from != DRIFT_NOWHERE) {
		drift_put_number(call->shell, by, first->from_number, &number);
		doc_put(call->out, ROLE_STRONG, "%s grew %.3g times %s from %s %s",
		        first->s->tensor, first->growth, units[by].a, units[by].one, number.text);
	} else if (by != SERIES_BY_EXECUTION && d->series.n_runs < WINDOW)
		doc_put(call->out, ROLE_PLAIN, "Growth takes %d %s: there %s %zu", WINDOW,
		        units[by].several, d->series.n_runs == 1 ? "is" : "are", d->series.n_runs);
	else
		doc_put(call->out, ROLE_PLAIN, "Nothing grew %g times %s", d->threshold,
		        units[by].a);
	str_reset(&number);
	if (d->first_bad != DRIFT_NEVER) {
		drift_put_number(call->shell, by, d->first_bad, &number);
		doc_put(call->out, ROLE_PLAIN, "; first bad in %s %s", units[by].one, number.text);
	}
	doc_newline(call->out);
	str_release(&number);
}

static bool has_devices(const struct drift *d)
{
	const char *first = d->series.list.len ? d->series.list.at[0].device : NULL;

	for (size_t i = 0; i < d->series.list.len; i++) {
		const char *device = d->series.list.at[i].device;

		if (first != device && (!first || !device || strcmp(first, device) != 0))
			return true;
	}
	return false;
}

/* Rows say it where there are several; the typed answer where there is one. */
static void leave_out_worker(const struct drift *d, struct table *table)
{
	const char *first = d->series.list.len ? d->series.list.at[0].worker : NULL;
	bool several = false;

	for (size_t i = 1; first && i < d->series.list.len; i++)
		several |= strcmp(first, d->series.list.at[i].worker) != 0;
	if (!several)
		table_hide(table, COL_worker);
	if (!first)
		table_col(table, COL_worker)->typed = 0;
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	static const char *const words[] = { "run", "execution", "call" };
	const struct drift *d = table_context(context);

	if (!table_put_rows(context, data, progress, err))
		return false;
	if (data->format != DATA_JSON)
		return true;
	data_key(data, "summary");
	data_object(data);
	key_str(data, "by", words[d->series.by]);
	key_int(data, "runs", (int64_t)d->series.n_runs);
	key_int(data, "tensors", (int64_t)d->series.list.len);
	data_key(data, "threshold");
	data_float(data, d->threshold, 64);
	data_key(data, "first_bad_run");
	if (d->first_bad == DRIFT_NEVER)
		data_null(data);
	else
		data_int(data, d->first_bad);
	data_end(data);
	return true;
}

/* A quarter of the screen, and no more than the longest series. */
static size_t spark_columns(const struct call *call, const struct drift *d)
{
	size_t most = call->cols > 0 ? (size_t)call->cols / 4 : SPARK_MOST, longest = 0;

	for (size_t i = 0; i < d->rows.len; i++)
		longest = d->rows.at[i].s->n > longest ? d->rows.at[i].s->n : longest;
	most = most < SPARK_LEAST ? SPARK_LEAST : most > SPARK_MOST ? SPARK_MOST : most;
	longest = longest > strlen("Sizes") ? longest : strlen("Sizes");
	return longest < most ? longest : most;
}

static void put_table(struct call *call, struct drift *d)
{
	struct table *table = TABLE_OF(call->out, drift_cols, get_cell, d);
	uint64_t first;

	d->spark = spark_columns(call, d);
	table->sorts = &drift_sorts;
	table->n_rows = d->rows.len;
	table->link = put_link;
	table->heads_nothing = true;
	table->role = role_of;
	table->bad = is_bad;
	if (!has_devices(d))
		table_hide(table, COL_device);
	leave_out_worker(d, table);
	if (!table_arrange(call, table))
		return;
	first = table->n_rows ? table_source_row(table, 0) : 0;
	put_heading(call, d, d->rows.len ? &d->rows.at[first] : NULL);
	if (d->rows.len) {
		doc_newline(call->out);
		table_show(call, table);
	} else {
		table_type(call, table);
	}
	doc_typed(call->out, DATA_ROWS, put_data, table);
}

static void tell_unread(struct call *call, const struct series_list *series)
{
	struct shell *shell = call->shell;
	struct str text = {0};

	if (!position_counts(shell))
		call_note_unread(call);
	for (size_t i = 1; position_counts(shell) && i <= shell->runs->list.len; i++)
		call_unread(call, runs_at(shell->runs, i),
		            run_entry_info(runs_at(shell->runs, i), RUN_WHOLE));
	if (!series->n_unread)
		return;
	str_fmt(&text, "%" PRIu64 " tensor%s could not be read; the first: ", series->n_unread,
	        plural(series->n_unread));
	err_put(&text, series->first_unread.src, &series->first_unread);
	call_fault(call, text.text);
	str_release(&text);
}

static bool read_options(struct call *call, struct drift *d)
{
	const struct opt_value *opt = call->args.opt;
	const char *threshold = opt[THRESHOLD_OPT].word;

	d->threshold = DRIFT_THRESHOLD;
	d->first_bad = DRIFT_NEVER;
	if (threshold && (!python_float_read(threshold, strlen(threshold), 0, &d->threshold,
	                                     &call->err) || isnan(d->threshold)))
		return call->err.code ? false : err_at(&call->err, ERR_VALUE, "command", 0,
		                                       "nan is no threshold");
	return table_can_sort(call, &drift_sorts, drift_cols, N_DRIFT_COLS);
}

static void drift_exec(struct call *call)
{
	struct drift *d = mem_alloc(sizeof *d);
	struct shell *shell = call->shell;

	doc_keep(call->out, drift_free, d);
	if (!shell->runs && !shell->programs) {
		call_error(call, "ERROR: There is no dump here.");
		return;
	}
	d->of_program = shell->programs;
	d->current = d->of_program ? 0 : position_number(shell);
	d->fine = canvas_is_fine(&call->canvas);
	if (!read_options(call, d))
		return;
	if (!(d->of_program ? series_of_program(&d->series, shell->program, call->progress,
	                                        &call->err)
	                    : series_of_runs(&d->series, shell, call->progress, &call->err)) &&
	    call->err.code == ERR_MISSING) {
		call_error(call, "ERROR: %c%s: record with tensor_debug_mode=\"FULL_TENSOR\".",
		           call->err.msg[0] - 'a' + 'A', call->err.msg + 1);
		call->err = (struct err){0};
		return;
	}
	call_put_stopped(call);
	if (call->err.code || !take_rows(call, d))
		return;
	tell_unread(call, &d->series);
	put_table(call, d);
}

const struct cmd cmd_drift = {
	.name = "drift", .summary = "Tensors that grow from run to run, and since when",
	OPTS(options), .runless = true, .exec = drift_exec,
};
const struct cmd cmd_drift_program = {
	.name = "drift", .summary = "Tensors that grow from call to call, and since when",
	OPTS(options), .of_program = true, .exec = drift_exec,
};
