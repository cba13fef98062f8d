/*
 * The list of runs as a table. What a run holds is read when its row is shown, by a thread that
 * belongs to the table. An answer that is written as a whole, or a filter, reads all rows.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmds/doc/table.h"
#include "cmds/runs/hits_line.h"
#include "cmds/runs/run_data.h"
#include "cmds/runs/run_search.h"
#include "cmds/session/position.h"
#include "cmds/session/roots.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"
#include "dump/base/thread.h"

enum { FILTER, SPLIT, ROOTS };
enum { STANDARD_COLS = 80 };
static const struct opt options[] = {
	[FILTER] = { OPT_WORD, "f", "tensor_filter",
	             "count the tensors that pass this filter in every run" },
	[SPLIT] = { OPT_FLAG, NULL, "split",
	            "separate runs that lie mixed in one directory, by their times: a guess" },
	[ROOTS] = { OPT_FLAG, NULL, "roots",
	            "list several roots of runs even if one of them is open" },
};
static const struct pos positionals[] = {
	{ "root", "which of several roots of runs to open, by number or name", true },
};

struct runs_body {
	struct table *table;
	struct shell *shell;
	VEC(struct run_entry *) rows;
	char filter_name[FILTER_NAME_MAX];
	uint64_t filter;                 /* whose hits show; 0: none yet, then the built-in one's */
	/* The thread that reads rows, once there is one; guarded by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, ends;
	unsigned char *asked;            /* for each row: it was wanted before */
	VEC(size_t) wanted;              /* rows, the next one last */
	size_t working;                  /* rows wanted or being read */
	size_t read, told;               /* rows that were read, and that work has reported */
	/* By the same thread, for signs: whether a run has NaN or Inf. */
	struct named_filter built_in;
	struct progress testing;         /* to cancel it */
};
/* asked[row] */
enum { ASKED_INFO = 1, ASKED_TEST = 2 };

static struct runs_body *of_body(struct body *body)
{
	return table_context(body);
}

/* Reading of rows. */

static uint64_t bytes_of(const struct run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->tensors.len; i++)
		bytes += run->tensors.at[i].size_bytes > 0 ? (uint64_t)run->tensors.at[i].size_bytes
		                                           : 0;
	return bytes;
}

/* Asks the built-in filter about all tensors of a run, unless that would be too much to read. */
static void test_run(struct runs_body *b, const struct run_entry *entry)
{
	struct err err = {0};
	struct run *run = runs_open_run(entry->runs, entry, &err);
	struct arena mem = {0};
	unsigned char *verdicts;
	struct hit hit;

	if (run)
		run->depth = RUN_NAMES;
	if (run && run_load(run, &b->testing, &err) &&
	    health_scan_afford(visits_scan(b->shell->visits), bytes_of(run))) {
		verdicts = mem_alloc(run->tensors.len + 1);
		for (uint32_t at = 0; at < run->tensors.len && !err.code; at++)
			filter_verdict(&b->built_in, verdicts, run, NULL, at, &b->testing, &err);
		hit = hit_of(entry, &b->built_in, run, verdicts, &mem);
		if (!err.code)
			hits_put(b->shell->hits, &hit);
		arena_release(&mem);
		free(verdicts);
	}
	run_close(run);
}

static void *read_rows(void *arg)
{
	struct runs_body *b = arg;

	pthread_mutex_lock(&b->lock);
	for (;;) {
		struct err err = {0};
		struct run_entry *entry;
		size_t row;
		bool tests;

		while (!b->ends && !b->wanted.len)
			pthread_cond_wait(&b->changed, &b->lock);
		if (b->ends)
			break;
		row = b->wanted.at[--b->wanted.len];
		entry = b->rows.at[row];
		tests = b->asked[row] & ASKED_TEST;
		pthread_mutex_unlock(&b->lock);
		runs_info(entry->runs, entry, RUN_WHOLE, NULL, &err);
		if (tests)
			test_run(b, entry);
		pthread_mutex_lock(&b->lock);
		b->working--;
		b->read++;
		pthread_cond_broadcast(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static void want(struct runs_body *b, size_t row, unsigned char what)
{
	pthread_mutex_lock(&b->lock);
	if (!b->has_thread)
		b->has_thread = thread_start(&b->thread, read_rows, b);
	if (b->has_thread && !(b->asked[row] & what)) {
		b->asked[row] |= what;
		vec_push(&b->wanted, row);
		b->working++;
		pthread_cond_broadcast(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
}

/*
 * Waits only a little for the thread, as the caller has other things to do. Says BODY_WORKING once
 * more after the last row, so that the row is drawn.
 */
static enum body_state body_work(struct body *body, struct progress *progress)
{
	struct runs_body *b = of_body(body);
	struct timespec until;
	bool works;

	(void)progress;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 2000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&b->lock);
	if (b->working)
		pthread_cond_timedwait(&b->changed, &b->lock, &until);
	works = b->working || b->read != b->told;
	b->told = b->read;
	pthread_mutex_unlock(&b->lock);
	return works ? BODY_WORKING : BODY_DONE;
}

static const struct run_info *info_of_row(struct runs_body *b, uint64_t row)
{
	const struct run_info *info = run_entry_info(b->rows.at[row], RUN_WHOLE);

	if (!info)
		want(b, row, ASKED_INFO);
	return info;
}

/* Cells. */

static void put_names(struct str *out, const struct names *names)
{
	for (size_t i = 0; i < names->list.len; i++)
		str_fmt(out, "%s%s", i ? ", " : "", names->list.at[i]);
}

static void put_clock(struct str *out, int64_t time_us)
{
	time_t seconds = (time_t)(time_us / 1000000);
	struct tm parts;

	if (localtime_r(&seconds, &parts))
		str_fmt(out, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec,
		        (int)(time_us / 1000 % 1000));
}

static uint64_t filter_shown(const struct runs_body *b)
{
	return b->filter ? b->filter : b->built_in.id;
}

static void get_hits(struct cell *cell, const struct runs_body *b, struct run_entry *entry)
{
	const struct run_info *info = run_entry_info(entry, RUN_WHOLE);
	bool unread = info && run_info_is_unread(info);
	uint64_t filter = filter_shown(b);
	struct hit hit;

	cell->missing = unread || !filter || !hits_get(b->shell->hits, entry, filter, &hit);
	cell->whole = cell->missing ? 0 : (int64_t)hit.tensors;
}

static void get_time(struct cell *cell, const struct run_entry *entry)
{
	if (!cell_has(cell, entry->time_us >= 0))
		return;
	cell->whole = entry->time_us;
	put_clock(&cell->text, entry->time_us);
}

static void get_delta(struct cell *cell, const struct run_entry *entry)
{
	const struct run_entry *before = runs_at(entry->runs, entry->position - 1);

	if (!cell_has(cell, before && entry->time_us >= 0 && before->time_us >= 0))
		return;
	cell->whole = entry->time_us - before->time_us;
	str_fmt(&cell->text, "%.1f", (double)cell->whole / 1e3);
}

static void get_writer(struct cell *cell, const struct run_entry *entry)
{
	if (entry->writer)
		str_fmt(&cell->text, "%" PRIu32, entry->writer);
	else
		str_puts(&cell->text, "?");
}

/* "rank3"; of several how many. */
static void get_worker(struct cell *cell, const struct run_info *info)
{
	if (!cell_has(cell, info && info->n_workers))
		return;
	if (info->n_workers == 1)
		str_puts(&cell->text, info->workers[0]);
	else
		str_fmt(&cell->text, "%zu workers", info->n_workers);
}

static void get_fetches(struct cell *cell, struct run_entry *entry, const struct run_info *info)
{
	const struct run_info *head = info ? info : run_entry_info(entry, RUN_HEAD);

	if (!cell_has(cell, head))
		return;
	if (head->n_unread && !head->names.fetches.list.len)
		str_puts(&cell->text, "(unreadable)");
	else if (head->names.callable)
		str_puts(&cell->text, "make_callable()");
	else
		put_names(&cell->text, &head->names.fetches);
}

static const char *status_of(const struct run_entry *entry, const struct run_info *info)
{
	return info ? run_status_names[runs_status(entry->runs, entry, info)] : "";
}

/* COL with the width of struct col; typed data is written by run_put_data. */
#define RUN_COLUMNS(COL) \
	COL(run, "#", 2, COUNT, cell->whole = (int64_t)entry->position) \
	COL(step, "step", 6, COUNT, \
	    cell->whole = cell_has(cell, entry->step >= 0) ? entry->step : 0) \
	COL(time_us, "time", -12, COUNT, get_time(cell, entry)) \
	COL(delta_us, "dt (ms)", 7, COUNT, get_delta(cell, entry)) \
	COL(writer, "writer", 6, TEXT, get_writer(cell, entry)) \
	COL(worker, "worker", -10, TEXT, get_worker(cell, info_of_row(b, row))) \
	COL(tensors, "tensors", 7, COUNT, info = info_of_row(b, row); \
	    cell->whole = cell_has(cell, info) ? (int64_t)info->tensors : 0) \
	COL(bytes, "bytes", 6, SIZE, info = info_of_row(b, row); \
	    cell->whole = cell_has(cell, info) ? (int64_t)info->bytes : 0) \
	COL(status, "status", -8, TEXT, info = info_of_row(b, row); \
	    cell_has(cell, info); cell_str(cell, status_of(entry, info))) \
	COL(hits, "nan/inf", 7, COUNT, get_hits(cell, b, entry)) \
	COL(fetches, "fetches", 0, TEXT, get_fetches(cell, entry, info_of_row(b, row)))

#define RUN_ROW(key, heading, width, kind, value) \
	{ #key, heading, NULL, COL_##kind, 0, 0, COL_##key, width, false, false, NULL },
#define RUN_CASE(key, heading, width, kind, value) case COL_##key: value; break;
enum { RUN_COLUMNS(COL_ID) };
static const struct col run_cols[] = { RUN_COLUMNS(RUN_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct runs_body *b = context;
	struct run_entry *entry = b->rows.at[row];
	const struct run_info *info;

	switch (id) {
	RUN_COLUMNS(RUN_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct runs_body *b = context;

	str_fmt(out, "run --to %zu", b->rows.at[row]->position);
}

static enum role role_of(void *context, uint64_t row, int id)
{
	struct runs_body *b = context;
	const struct run_info *info = id == COL_status ? info_of_row(b, row) : NULL;

	return strcmp(status_of(b->rows.at[row], info), "partial") ? ROLE_PLAIN : ROLE_BAD;
}

static bool body_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct runs_body *b = of_body(body);

	str_putc(&line->text, b->rows.at[row] == position_at(b->shell) ? '>' : ' ');
	return table_line(body, row, width, line, err);
}

static void body_free(struct body *body)
{
	struct runs_body *b = of_body(body);

	if (b->has_thread) {
		pthread_mutex_lock(&b->lock);
		b->ends = true;
		atomic_store(&b->testing.cancel, true);
		pthread_cond_broadcast(&b->changed);
		pthread_mutex_unlock(&b->lock);
		pthread_join(b->thread, NULL);
	}
	pthread_mutex_destroy(&b->lock);
	pthread_cond_destroy(&b->changed);
	vec_release(&b->wanted);
	vec_release(&b->rows);
	free(b->asked);
	free(b);
}

static void body_brief(struct body *body, int cols, bool fine, struct str *out)
{
	struct runs_body *b = of_body(body);

	hits_put_line(b->shell->hits, b->rows.at, b->rows.len, cols, fine, out);
}

/* What is partial shows that, unless it is bad too. */
static enum row_sign sign_of(void *context, uint64_t row, bool look)
{
	struct runs_body *b = context;
	struct run_entry *entry = b->rows.at[row];
	const struct run_info *info = run_entry_info(entry, RUN_WHOLE);
	bool partial = !strcmp(status_of(entry, info), "partial");
	enum row_sign sign = partial ? SIGN_DAMAGED : SIGN_NONE;
	struct hit hit;

	if (!hits_get(b->shell->hits, entry, b->built_in.id, &hit)) {
		if (look)
			want(b, row, ASKED_TEST);
		return sign_of_both(sign, SIGN_UNKNOWN);
	}
	if (hit.unreadable)
		sign = SIGN_DAMAGED;
	return hit.tensors ? SIGN_BAD : sign;
}

/* The body's own work goes on, and tells. */
static const struct doc_signs signs = { .of = sign_of };

static const struct body_kind runs_kind = {
	.name = "table", .rows = table_rows, .line = body_line, .work = body_work,
	.free = body_free, .brief = body_brief, .columns_of = table_columns,
	.cell_of = table_cell_of,
};

static bool has_several_writers(const struct runs *runs)
{
	for (size_t i = 0; i < runs->list.len; i++)
		if (runs->list.at[i]->writer != runs->list.at[0]->writer)
			return true;
	return false;
}

static struct table *table_of(struct doc *doc, struct runs_body *b)
{
	struct table *table = b->table = TABLE_OF(doc, run_cols, get_cell, b);

	table->body.kind = &runs_kind;
	table->n_rows = b->rows.len;
	table->list = true;
	table->gap = 1;
	table->name = COL_run;
	table->link = put_link;
	table->role = role_of;
	for (size_t n = b->rows.len; n >= 100; n /= 10)
		table_col(table, COL_run)->width++;
	if (!has_several_writers(b->shell->runs))
		table_hide(table, COL_writer);
	if (b->shell->runs->workers.len < 2)
		table_hide(table, COL_worker);
	if (!b->shell->runs->of_arrays) {
		table_hide(table, COL_step);
	} else {
		table_hide(table, COL_time_us);
		table_hide(table, COL_delta_us);
		table_hide(table, COL_fetches);
	}
	if (b->filter && strcmp(b->filter_name, FILTER_BUILT_IN))
		table_col(table, COL_hits)->heading = b->filter_name;
	return table;
}

static struct runs_body *body_new(struct shell *shell)
{
	struct runs_body *b = mem_alloc(sizeof *b);

	b->shell = shell;
	for (size_t i = 0; i < shell->runs->list.len; i++)
		vec_push(&b->rows, shell->runs->list.at[i]);
	b->asked = mem_alloc(b->rows.len + 1);
	b->filter = hits_last_filter(shell->hits, b->filter_name);
	b->built_in = filter_copy(filters_find(&shell->filters, FILTER_BUILT_IN));
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	return b;
}

/*
 * The line of hits below the rows. A screen has it on the rule below the pane instead, where it is
 * kept up to date while runs are tested.
 */
static void put_foot(struct call *call, struct runs_body *b)
{
	struct str line = {0};

	if (!call->on_screen)
		body_brief(&b->table->body, call->cols > 0 ? call->cols : STANDARD_COLS,
		           call->canvas.blocks, &line);
	if (line.len)
		doc_line_put(call->out, ROLE_PLAIN, "%s", line.text);
	str_release(&line);
}

/* Typed data: every row is read. */
static bool rows_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct runs_body *b = context;
	const struct shell *shell = b->shell;

	data_list(data);
	for (size_t i = 0; i < b->rows.len; i++) {
		struct err own = {0};
		const struct run_info *info;

		if (!progress_step(progress, i, b->rows.len))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		info = runs_info(b->rows.at[i]->runs, b->rows.at[i], RUN_WHOLE, NULL, &own);
		data_object(data);
		run_put_data(shell, b->rows.at[i], info, data);
		data_end(data);
	}
	data_end(data);
	return true;
}

/* Says which runs could not be tested at all, and why. */
static void put_broken(struct call *call, const struct search_result *result)
{
	struct str text = {0};

	for (size_t i = 0; i < result->troubles.len; i++) {
		if (!result->troubles.at[i].broken)
			continue;
		str_reset(&text);
		search_put_trouble(&text, &result->troubles.at[i]);
		call_fault(call, text.text);
		call->status = 1;
	}
	str_release(&text);
}

/* -f: tests every run. False: the answer says why not. */
static bool test_all(struct call *call)
{
	const char *name = call->args.opt[FILTER].word;
	struct shell *shell = call->shell;
	const struct named_filter *filter = filters_find(&shell->filters, name);
	struct run_search search = { .filter = filter, .through_partial = true,
	                             .through_hits = true, .from = 1, .to = shell->runs->list.len };
	struct search_result result;
	bool ok;

	if (!filter) {
		call_error(call, "ERROR: There is no tensor filter named \"%s\".", name);
		suggest_filter(call, name);
		return false;
	}
	ok = run_search(shell, &search, call->progress, &result, &call->err);
	if (ok && result.cancelled)
		ok = err_at(&call->err, ERR_CANCELLED, "command", 0,
		            "stopped after %" PRIu64 " of %zu runs", result.runs,
		            shell->runs->list.len);
	put_broken(call, &result);
	search_result_release(&result);
	hits_note_filter(shell->hits, filter->name, filter->id);
	return ok;
}

/* Without a screen, which reads rows as they are shown: reads them all now. */
static bool read_all(struct call *call)
{
	struct shell *shell = call->shell;

	for (size_t i = 0; i < shell->runs->list.len; i++) {
		struct err err = {0};

		if (!progress_step(call->progress, i, shell->runs->list.len))
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu runs", i, shell->runs->list.len);
		if (!runs_info(shell->runs, runs_at(shell->runs, i + 1), RUN_WHOLE, NULL, &err))
			call_broken_run(call, runs_at(shell->runs, i + 1), &err);
	}
	return true;
}

/* Says what is missing from the rows that were read, and what a filter could not test. */
static void tell_unread(struct call *call)
{
	struct shell *shell = call->shell;
	char name[FILTER_NAME_MAX];
	uint64_t filter = hits_last_filter(shell->hits, name);

	for (size_t i = 1; i <= shell->runs->list.len; i++) {
		struct run_entry *entry = runs_at(shell->runs, i);
		struct str text = {0};
		struct hit hit;

		call_unread(call, entry, run_entry_info(entry, RUN_WHOLE));
		if (!filter || !hits_get(shell->hits, entry, filter, &hit) || !hit.unreadable)
			continue;
		str_fmt(&text, "Run #%zu has %" PRIu64 " tensor%s that \"%s\" could not read", i,
		        hit.unreadable, plural(hit.unreadable), name);
		call_fault(call, text.text);
		str_release(&text);
	}
}

static void runs_exec(struct call *call)
{
	struct shell *shell = call->shell;
	struct runs_body *b;

	if (call->args.pos[0]) {
		roots_open(call, call->args.pos[0]);
		return;
	}
	doc_set_of_runs(call->out);
	if (roots_are_several(shell) && (call->args.opt[ROOTS].given || !shell->root)) {
		roots_list(call);
		return;
	}
	if (call->args.opt[ROOTS].given) {
		call_error(call, "ERROR: There is only one root of runs here.");
		return;
	}
	if (!shell->runs) {
		call_error(call, "ERROR: There are no runs.");
		return;
	}
	if (call->args.opt[SPLIT].given && !shell->runs->has_parts) {
		if (!runs_split(shell->runs)) {
			call_error(call, "ERROR: No runs are mixed in one directory here.");
			return;
		}
		position_leave(shell);
		call->moved = true;
	}
	if (call->args.opt[FILTER].given ? !test_all(call) : !call->on_screen && !read_all(call))
		return;
	tell_unread(call);
	b = body_new(shell);
	doc_put(call->out, ROLE_PLAIN, " ");
	table_put_list(call, table_of(call->out, b));
	doc_bring_signs(call->out, &signs, b);
	put_foot(call, b);
	doc_typed(call->out, DATA_ROWS, rows_put_data, b);
}

const struct cmd cmd_runs = {
	.name = "runs", .summary = "The runs: time, size, status",
	OPTS(options), POSITIONALS(positionals), .runless = true, .opens = true,
	.lists_runs = true, .exec = runs_exec,
};
