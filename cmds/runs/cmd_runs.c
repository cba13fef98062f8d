/*
 * The list of runs as a table. What a run holds is read when its row shows, by a thread of the table's own, a row as it was
 * asked for; an answer that is written whole, or a filter, reads all of it.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmds/lang/format.h"
#include "cmds/runs/hits_line.h"
#include "cmds/runs/run_data.h"
#include "cmds/runs/run_search.h"
#include "cmds/session/position.h"
#include "cmds/session/roots.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"

enum { FILTER, SPLIT, ROOTS };
enum { STANDARD_COLS = 80 };
static const struct opt options[] = {
	[FILTER] = { OPT_WORD, "f", "tensor_filter",
	             "count the tensors that pass this filter in every run" },
	[SPLIT] = { OPT_FLAG, NULL, "split",
	            "tell runs apart that lie mixed in one directory, by their times: a guess" },
	[ROOTS] = { OPT_FLAG, NULL, "roots",
	            "the list of several roots of runs, though one of them is open" },
};
static const struct pos positionals[] = {
	{ "root", "which of several roots of runs to open, by number or name", true },
};

enum { COLUMN_RUN, COLUMN_TIME, COLUMN_DELTA, COLUMN_WRITER, COLUMN_TENSORS, COLUMN_BYTES, COLUMN_STATUS, COLUMN_HITS,
       COLUMN_FETCHES, N_COLUMNS };
static const struct column all_columns[N_COLUMNS] = {
	[COLUMN_RUN] = { "run", "#", COLUMN_NUMBER },
	[COLUMN_TIME] = { "time_us", "time", COLUMN_NUMBER },
	[COLUMN_DELTA] = { "delta_us", "dt (ms)", COLUMN_NUMBER },
	[COLUMN_WRITER] = { "writer", "writer", COLUMN_TEXT },
	[COLUMN_TENSORS] = { "tensors", "tensors", COLUMN_NUMBER },
	[COLUMN_BYTES] = { "bytes", "bytes", COLUMN_NUMBER },
	[COLUMN_STATUS] = { "status", "status", COLUMN_TEXT },
	[COLUMN_HITS] = { "hits", "nan/inf", COLUMN_NUMBER },
	[COLUMN_FETCHES] = { "fetches", "fetches", COLUMN_TEXT },
};
/* Columns of the text, and on which side it stands; 0: what is left. */
static const struct { int width; bool left; } shapes[N_COLUMNS] = {
	[COLUMN_RUN] = { 2, false }, [COLUMN_TIME] = { 12, true }, [COLUMN_DELTA] = { 7, false },
	[COLUMN_WRITER] = { 6, false }, [COLUMN_TENSORS] = { 7, false }, [COLUMN_BYTES] = { 6, false },
	[COLUMN_STATUS] = { 8, true }, [COLUMN_HITS] = { 7, false }, [COLUMN_FETCHES] = { 0, true },
};

struct runs_body {
	struct body body;
	struct shell *shell;
	VEC(struct run_entry *) rows;
	struct column columns[N_COLUMNS];
	int shown[N_COLUMNS];            /* columns that show, by their place */
	size_t n_shown;
	int number_width;                /* of the largest number, at least that of the column */
	char filter_name[FILTER_NAME_MAX];
	uint64_t filter;                 /* whose hits show; 0: none yet, the built-in one's as soon as there are some */
	/* The thread that reads rows, once there is one; guarded by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool has_thread, ends;
	unsigned char *asked;            /* of each row: it was wanted once */
	VEC(size_t) wanted;              /* rows, the next one last */
	size_t working;                  /* rows wanted or being read */
	size_t read, told;               /* rows that were, and of which work has told */
};

static uint64_t body_rows(struct body *body)
{
	return ((struct runs_body *)body)->rows.len;
}

/* Reading of rows. */

static void *read_rows(void *arg)
{
	struct runs_body *b = arg;

	pthread_mutex_lock(&b->lock);
	for (;;) {
		struct err err = {0};
		struct run_entry *entry;

		while (!b->ends && !b->wanted.len)
			pthread_cond_wait(&b->changed, &b->lock);
		if (b->ends)
			break;
		entry = b->rows.at[b->wanted.at[--b->wanted.len]];
		pthread_mutex_unlock(&b->lock);
		runs_info(entry->runs, entry, RUN_WHOLE, NULL, &err);
		pthread_mutex_lock(&b->lock);
		b->working--;
		b->read++;
		pthread_cond_broadcast(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static void want(struct runs_body *b, size_t row)
{
	pthread_mutex_lock(&b->lock);
	if (!b->has_thread)
		b->has_thread = pthread_create(&b->thread, NULL, read_rows, b) == 0;
	if (b->has_thread && !b->asked[row]) {
		b->asked[row] = 1;
		vec_push(&b->wanted, row);
		b->working++;
		pthread_cond_broadcast(&b->changed);
	}
	pthread_mutex_unlock(&b->lock);
}

/* Waits a little for the thread: who asks has other things to do. Says once more than needed that it works: what came shows. */
static enum body_state body_work(struct body *body, struct progress *progress)
{
	struct runs_body *b = (struct runs_body *)body;
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
		want(b, row);
	return info;
}

/* Cells. */

static void put_names(struct str *out, const struct names *names)
{
	for (size_t i = 0; i < names->list.len; i++)
		str_fmt(out, "%s%s", i ? ", " : "", names->list.at[i]);
}

static void put_time(struct str *out, int64_t time_us)
{
	time_t seconds = (time_t)(time_us / 1000000);
	struct tm parts;

	if (localtime_r(&seconds, &parts))
		str_fmt(out, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec,
		        (int)(time_us / 1000 % 1000));
}

/* What names alone tell. False: the column is of another kind. */
static bool put_place_cell(const struct run_entry *entry, int column, struct table_cell *out)
{
	const struct run_entry *before = runs_at(entry->runs, entry->position - 1);

	switch (column) {
	case COLUMN_RUN:
		out->number = (double)entry->position;
		str_fmt(&out->text, "%zu", entry->position);
		return true;
	case COLUMN_TIME:
		out->missing = entry->time_us < 0;
		out->number = (double)entry->time_us;
		if (!out->missing)
			put_time(&out->text, entry->time_us);
		return true;
	case COLUMN_DELTA:
		out->missing = !before || entry->time_us < 0 || before->time_us < 0;
		if (!out->missing) {
			out->number = (double)(entry->time_us - before->time_us);
			str_fmt(&out->text, "%.1f", out->number / 1e3);
		}
		return true;
	case COLUMN_WRITER:
		if (entry->writer)
			str_fmt(&out->text, "%" PRIu32, entry->writer);
		else
			str_puts(&out->text, "?");
		return true;
	default:
		return false;
	}
}

static uint64_t filter_shown(const struct runs_body *b)
{
	char name[FILTER_NAME_MAX];
	uint64_t last = b->filter ? 0 : hits_last_filter(b->shell->hits, name);

	return last && !strcmp(name, FILTER_BUILT_IN) ? last : b->filter;
}

static void put_hits_cell(const struct runs_body *b, const struct run_entry *entry, struct table_cell *out)
{
	uint64_t filter = filter_shown(b);
	struct hit hit;

	out->missing = !filter || !hits_get(b->shell->hits, entry, filter, &hit);
	if (out->missing) {
		str_puts(&out->text, "-");
		return;
	}
	out->number = (double)hit.tensors;
	str_fmt(&out->text, "%" PRIu64, hit.tensors);
}

/* What has to be read for; missing until it is. */
static void put_info_cell(struct run_entry *entry, const struct run_info *info, int column,
                          struct table_cell *out)
{
	const struct run_info *head = info ? info : run_entry_info(entry, RUN_HEAD);

	out->missing = !info && !(column == COLUMN_FETCHES && head);
	if (out->missing)
		return;
	if (column == COLUMN_TENSORS) {
		out->number = (double)info->tensors;
		str_fmt(&out->text, "%" PRIu64, info->tensors);
	} else if (column == COLUMN_BYTES) {
		out->number = (double)info->bytes;
		put_size(&out->text, (int64_t)info->bytes);
	} else if (column == COLUMN_STATUS) {
		str_puts(&out->text, run_status_names[runs_status(entry->runs, entry, info)]);
	} else if (head->n_unread && !head->names.fetches.list.len) {
		str_puts(&out->text, "(unreadable)");
	} else if (head->names.callable) {
		str_puts(&out->text, "make_callable()");
	} else {
		put_names(&out->text, &head->names.fetches);
	}
}

/* Its text as it shows, and its value. */
static void put_cell(struct runs_body *b, uint64_t row, int column, struct table_cell *out)
{
	struct run_entry *entry = b->rows.at[row];

	str_reset(&out->text);
	out->missing = false;
	out->number = 0;
	if (column == COLUMN_HITS)
		put_hits_cell(b, entry, out);
	else if (!put_place_cell(entry, column, out))
		put_info_cell(entry, info_of_row(b, row), column, out);
}

static int width_of(const struct runs_body *b, int column)
{
	return column == COLUMN_RUN ? b->number_width : shapes[column].width;
}

static bool body_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	struct runs_body *b = (struct runs_body *)body;
	const struct run_entry *entry = b->rows.at[row];
	struct table_cell cell = {0};
	struct str command = {0};

	(void)width, (void)err;
	str_putc(&line->text, entry == position_at(b->shell) ? '>' : ' ');
	str_fmt(&command, "run --to %zu", entry->position);
	for (size_t i = 0; i < b->n_shown; i++) {
		int column = b->shown[i], wanted = width_of(b, column), len;

		put_cell(b, row, column, &cell);
		len = (int)cell.text.len;
		if (!shapes[column].left && len < wanted)
			str_fill(&line->text, ' ', (size_t)(wanted - len));
		if (column == COLUMN_RUN)
			line_link(line, ROLE_PLAIN, str_text(&cell.text), "%s", command.text);
		else
			line_put(line, column == COLUMN_STATUS && !strcmp(str_text(&cell.text), "partial") ? ROLE_BAD
			         : ROLE_PLAIN, str_text(&cell.text), cell.text.len);
		if (shapes[column].left && len < wanted)
			str_fill(&line->text, ' ', (size_t)(wanted - len));
		if (i + 1 < b->n_shown)
			str_putc(&line->text, ' ');
	}
	str_release(&cell.text);
	str_release(&command);
	return true;
}

static const struct column *body_columns(struct body *body, size_t *n)
{
	struct runs_body *b = (struct runs_body *)body;

	*n = b->n_shown;
	return b->columns;
}

static bool body_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out, struct err *err)
{
	struct runs_body *b = (struct runs_body *)body;

	(void)err;
	put_cell(b, row, b->shown[column], out);
	return true;
}

static void body_free(struct body *body)
{
	struct runs_body *b = (struct runs_body *)body;

	if (b->has_thread) {
		pthread_mutex_lock(&b->lock);
		b->ends = true;
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
	struct runs_body *b = (struct runs_body *)body;

	hits_put_line(b->shell->hits, b->rows.at, b->rows.len, cols, fine, out);
}

static const struct body_kind runs_kind = {
	.name = "table", .rows = body_rows, .line = body_line, .work = body_work, .free = body_free,
	.columns_of = body_columns, .cell_of = body_cell, .brief = body_brief,
};

static bool has_several_writers(const struct runs *runs)
{
	for (size_t i = 0; i < runs->list.len; i++)
		if (runs->list.at[i]->writer != runs->list.at[0]->writer)
			return true;
	return false;
}

static struct runs_body *body_new(struct shell *shell)
{
	struct runs_body *b = mem_alloc(sizeof *b);
	bool writers = has_several_writers(shell->runs);

	*b = (struct runs_body){ .body.kind = &runs_kind, .shell = shell };
	for (size_t i = 0; i < shell->runs->list.len; i++)
		vec_push(&b->rows, shell->runs->list.at[i]);
	b->asked = mem_alloc(b->rows.len + 1);
	b->number_width = shapes[COLUMN_RUN].width;
	for (size_t n = b->rows.len; n >= 100; n /= 10)
		b->number_width++;
	b->filter = hits_last_filter(shell->hits, b->filter_name);
	for (int c = 0; c < N_COLUMNS; c++) {
		if (c == COLUMN_WRITER && !writers)
			continue;
		b->columns[b->n_shown] = all_columns[c];
		if (c == COLUMN_HITS && b->filter && strcmp(b->filter_name, FILTER_BUILT_IN))
			b->columns[b->n_shown].heading = b->filter_name;
		b->shown[b->n_shown++] = c;
	}
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
	return b;
}

static void put_headings(struct doc *doc, const struct runs_body *b)
{
	doc_put(doc, ROLE_PLAIN, " ");
	for (size_t i = 0; i < b->n_shown; i++) {
		const char *heading = b->columns[i].heading;
		int wanted = width_of(b, b->shown[i]), blank = wanted - (int)strlen(heading);

		if (blank > 0 && !shapes[b->shown[i]].left)
			doc_put(doc, ROLE_PLAIN, "%*s", blank, "");
		doc_put(doc, ROLE_STRONG, "%s", heading);
		if (blank > 0 && shapes[b->shown[i]].left)
			doc_put(doc, ROLE_PLAIN, "%*s", blank, "");
		if (i + 1 < b->n_shown)
			doc_put(doc, ROLE_PLAIN, " ");
	}
	doc_newline(doc);
}

/* Below the rows; the screen has it on the rule below the pane, where it goes on while runs are tested. */
static void put_foot(struct call *call, struct runs_body *b)
{
	struct str line = {0};

	if (!call->on_screen)
		body_brief(&b->body, call->cols > 0 ? call->cols : STANDARD_COLS, call->canvas.blocks, &line);
	if (line.len)
		doc_line_put(call->out, ROLE_PLAIN, "%s", line.text);
	str_release(&line);
}

/* Typed: every row is read. */
static bool rows_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
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

/* -f: asks every run. False: the answer says why not. */
static bool test_all(struct call *call)
{
	const char *name = call->args.opt[FILTER].word;
	struct shell *shell = call->shell;
	const struct named_filter *filter = filters_find(&shell->filters, name);
	struct run_search search = { .filter = filter, .through_partial = true, .through_hits = true, .from = 1,
	                             .to = shell->runs->list.len };
	struct search_result result;
	bool ok;

	if (!filter) {
		call_error(call, "ERROR: There is no tensor filter named \"%s\".", name);
		suggest_filter(call, name);
		return false;
	}
	ok = run_search(shell, &search, call->progress, &result, &call->err);
	if (ok && result.cancelled)
		ok = err_at(&call->err, ERR_CANCELLED, "command", 0, "stopped after %" PRIu64 " of %zu runs", result.runs,
		            shell->runs->list.len);
	search_result_release(&result);
	hits_note_filter(shell->hits, filter->name, filter->id);
	return ok;
}

/* A screen that isn't shown has no rows that are looked at: all are read now. */
static bool read_all(struct call *call)
{
	struct shell *shell = call->shell;

	for (size_t i = 0; i < shell->runs->list.len; i++) {
		struct err err = {0};

		if (!progress_step(call->progress, i, shell->runs->list.len))
			return err_at(&call->err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu runs", i,
			              shell->runs->list.len);
		if (!runs_info(shell->runs, runs_at(shell->runs, i + 1), RUN_WHOLE, NULL, &err))
			call_damage(call, runs_at(shell->runs, i + 1)->name, &err);
	}
	return true;
}

/* Of the rows that were read: what is missing from them, and what a filter could not ask. */
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
		call_warn(call, text.text);
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
	put_headings(call->out, b);
	doc_body(call->out, &b->body);
	put_foot(call, b);
	doc_typed(call->out, DATA_ROWS, rows_put_data, b);
}

const struct cmd cmd_runs = {
	.name = "runs", .summary = "The runs: when, how much, how they stand",
	OPTS(options), POSITIONALS(positionals), .runless = true, .opens = true,
	.exec = runs_exec,
};
