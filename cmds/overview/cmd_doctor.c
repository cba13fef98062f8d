/*
 * Is the dump whole, and if not, what is lost? Every finding of every run is a row, the worst
 * first; below them, what can be done about each kind.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/table.h"
#include "cmds/overview/findings.h"
#include "cmds/overview/overview.h"
#include "cmds/overview/stopped.h"
#include "cmds/session/position.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/programs.h"

enum { LEAST_NAME = 16 };

enum { EXIT_CODE };
static const struct opt options[] = {
	[EXIT_CODE] = { OPT_FLAG, NULL, "exit-code",
	                "in batch mode exit with 1 if something is damaged or lost, with 3 if "
	                "that can't be said" },
	TABLE_OPTS
};

struct doctor {
	struct findings findings;
	struct table *table;
	bool short_names;        /* on a screen: without the directories, */
	size_t name_columns;     /* and at most so long */
	bool several;            /* runs */
	struct str text;         /* scratch */
};

static void doctor_free(void *what)
{
	struct doctor *doctor = what;

	findings_release(&doctor->findings);
	str_release(&doctor->text);
	free(doctor);
}

/* Rows. */

static void put_place(struct cell *cell, const struct doctor *d, const struct finding *f)
{
	const char *shown = d->short_names && f->subject ? f->subject : f->file;

	if (!shown)
		return;
	if (d->short_names) {
		put_shortened(&cell->text, shown, d->name_columns, true);
		return;
	}
	cell_str(cell, shown);
	if (f->has_off)
		str_fmt(&cell->text, ", offset %" PRIu64, f->off);
}

#define DOCTOR_COLUMNS(COL) \
	COL(level, "Level", TEXT, 0, 1, cell_str(cell, finding_level_words[f->level])) \
	COL(what, "What", TEXT, 0, 2, cell_str(cell, finding_words[f->what])) \
	COL(run, "Run", COUNT, 1, 7, cell_known(cell, f->run, (int64_t)f->run)) \
	COL(place, "Where", TEXT, 2, 0, put_place(cell, d, f)) \
	COL(text, "What was found", TEXT, 0, 5, cell_str(cell, f->text)) \
	COL(file, NULL, TEXT, 0, 3, cell_or_none(cell, f->file)) \
	COL(offset, NULL, COUNT, 0, 4, cell_known(cell, f->has_off, (int64_t)f->off)) \
	COL(cure, NULL, TEXT, 0, 6, cell_str(cell, f->cure)) \
	COL(cause, NULL, TEXT, 0, 8, cell_or_none(cell, f->cause))

enum { DOCTOR_COLUMNS(COL_ID) };
static const struct col doctor_cols[] = { DOCTOR_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct doctor *d = context;
	const struct finding *f = &d->findings.list.at[row];

	switch (id) {
	DOCTOR_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct doctor *d = context;
	const char *link = d->findings.list.at[row].link;

	str_puts(out, link ? link : "");
}

static enum role role_of(void *context, uint64_t row, int id)
{
	static const enum role roles[N_FINDING_LEVELS] = {
		[LEVEL_DAMAGE] = ROLE_BAD, [LEVEL_LOSS] = ROLE_DAMAGED,
	};
	const struct doctor *d = context;

	return id == COL_level ? roles[d->findings.list.at[row].level] : ROLE_PLAIN;
}

static void say_row(void *context, uint64_t row, bool fine, struct str *out)
{
	const struct doctor *d = context;
	const struct finding *f = &d->findings.list.at[table_source_row(d->table, row)];

	(void)fine;
	str_fmt(out, "%s: %s", f->text, f->cure);
}

static const struct doc_signs signs = { .say = say_row };

/* The answer. */

enum { MOST_CURES = 2 * N_FINDINGS };

/* Each once; cures are static texts. */
static void put_cures(struct call *call, const struct findings *f)
{
	const char *told[MOST_CURES];
	size_t n = 0;

	for (size_t i = 0; i < f->list.len; i++) {
		const struct finding *one = &f->list.at[i];
		size_t k = 0;

		while (k < n && told[k] != one->cure)
			k++;
		if (k < n || n == MOST_CURES)
			continue;
		told[n++] = one->cure;
		doc_line_put(call->out, ROLE_PLAIN, "%s%s%s: %s", finding_words[one->what],
		             one->cause ? ", " : "", one->cause ? one->cause : "", one->cure);
	}
	if (n)
		doc_newline(call->out);
}

static void put_total(const struct findings *f, struct str *out)
{
	str_fmt(out, "%" PRIu64 " damaged, %" PRIu64 " lost, %" PRIu64 " doubtful of ",
	        f->count[LEVEL_DAMAGE], f->count[LEVEL_LOSS], f->count[LEVEL_DOUBT]);
	if (!f->files_unknown)
		str_fmt(out, "%" PRIu64 " file%s, ", f->files, plural(f->files));
	str_fmt(out, "%" PRIu64 " tensor%s, %" PRIu64 " run%s", f->tensors, plural(f->tensors),
	        f->runs, plural(f->runs));
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct doctor *d = table_context(context);
	const struct findings *f = &d->findings;

	if (!table_put_rows(context, data, progress, err))
		return false;
	if (data->format != DATA_JSON)
		return true;
	data_key(data, "summary");
	data_object(data);
	key_int(data, "damaged", (int64_t)f->count[LEVEL_DAMAGE]);
	key_int(data, "lost", (int64_t)f->count[LEVEL_LOSS]);
	key_int(data, "doubtful", (int64_t)f->count[LEVEL_DOUBT]);
	key_int(data, "notes", (int64_t)f->count[LEVEL_NOTE]);
	data_key(data, "files");
	data_int_or_null(data, f->files_unknown ? -1 : (int64_t)f->files);
	key_int(data, "tensors", (int64_t)f->tensors);
	key_int(data, "runs", (int64_t)f->runs);
	data_end(data);
	return true;
}

static struct table *table_of(struct doc *doc, struct doctor *d)
{
	struct table *table = d->table = TABLE_OF(doc, doctor_cols, get_cell, d);

	table_list(table, COL_place);
	table->n_rows = d->findings.list.len;
	table->link = put_link;
	table->role = role_of;
	if (!d->several)
		table_hide(table, COL_run);
	return table;
}

static void doctor_exec(struct call *call)
{
	struct doctor *d = mem_alloc(sizeof *d);
	struct findings *f = &d->findings;
	struct table *table;

	doc_keep(call->out, doctor_free, d);
	if (findings_of_all(f, call->shell, call->progress, &call->err))
		overview_note_dump(call->shell, f);
	if (!call->shell->runs && !call->shell->programs && !f->list.len) {
		call_error(call, "ERROR: There is no dump here.");
		return;
	}
	call_put_stopped(call);
	d->short_names = call->on_screen;
	d->name_columns = call->cols > 3 * LEAST_NAME ? (size_t)call->cols / 3 : LEAST_NAME;
	d->several = call->shell->runs && position_counts(call->shell);
	table = table_of(call->out, d);
	if (!table_arrange(call, table))
		return;
	doc_line_put(call->out, ROLE_PLAIN, f->list.len ? "%zu finding%s:" : "Nothing is wrong.",
	             f->list.len, plural(f->list.len));
	doc_newline(call->out);
	if (f->list.len)
		table_show(call, table);
	else
		table_type(call, table);
	doc_typed(call->out, DATA_ROWS, put_data, table);
	if (f->list.len)
		doc_newline(call->out);
	put_cures(call, f);
	put_total(f, &d->text);
	doc_line_put(call->out, ROLE_STRONG, "%s", d->text.text);
	doc_bring_signs(call->out, &signs, d);
	call_found(call, f->count[LEVEL_DAMAGE] || f->count[LEVEL_LOSS], false);
}

const struct cmd cmd_doctor = {
	.name = "doctor", .summary = "What is damaged, lost or in doubt",
	OPTS(options), .runless = true, .exec = doctor_exec,
};
const struct cmd cmd_doctor_program = {
	.name = "doctor", .summary = "Is the record whole? What is damaged, lost or in doubt",
	OPTS(options), .of_program = true, .exec = doctor_exec,
};
