/*
 * What takes how much of the dump's files. A scope is gone into, and so is any other row: what it
 * stands for becomes an option of the line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/table.h"
#include "cmds/lang/format.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/overview/usage_rows.h"
#include "cmds/session/position.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/programs.h"

enum { GROUP, DEPTH, SORT, RUN, OP, DEVICE, DTYPE, SKIP };
static const struct opt options[] = {
	[GROUP] = { OPT_WORD, "g", "group_by", "scope (default), op, device, dtype or run" },
	[DEPTH] = { OPT_INT, NULL, "depth", "by scope: how many levels of scopes (1)" },
	[SORT] = SORT_OPT("size (default), count, name, or a column's key", false),
	[RUN] = { OPT_WORD, NULL, "run",
	          "only this run; without it the current one, or all if none is open" },
	[OP] = { OPT_WORD, NULL, "op", "only tensors of this op type" },
	[DEVICE] = { OPT_WORD, NULL, "device", "only tensors on this device" },
	[DTYPE] = { OPT_WORD, NULL, "dtype", "only tensors of this type: float32" },
	[SKIP] = SKIP_OPT(true),
	LIMIT_OPT(true), REVERSE_OPT(true), COLUMNS_OPT
};
static const struct pos positionals[] = {
	{ "node_scope", "only this scope and its contents, or this node", true },
};

static const char *const group_words[N_USAGE_GROUPS] = {
#define X(id, word) [USAGE_BY_##id] = word,
	USAGE_GROUPS(X)
#undef X
};

struct du {
	struct usage_query query;
	VEC(const struct usage_part *) parts;    /* only while the command runs */
	struct usage_rows rows;
	struct table *table;
	uint64_t most;                   /* bytes of the largest row */
	bool of_program, is_foreign;
	bool of_current;                 /* all of it is in the current run */
	struct args args;                /* as asked, in the document's memory */
	struct str text;                 /* scratch */
};

extern const struct cmd cmd_du;

static void du_free(void *what)
{
	struct du *du = what;

	usage_rows_release(&du->rows);
	vec_release(&du->parts);
	str_release(&du->text);
	free(du);
}

static unsigned what_of(const struct usage_query *q)
{
	return (q->group == USAGE_BY_OP || q->op ? USAGE_OPS : 0) |
	       (q->group == USAGE_BY_DTYPE || q->dtype ? USAGE_DTYPES : 0);
}

/* Parts: runs or programs. */

/* Of several it matters more how many are done. */
static bool stopped(struct call *call, size_t done, size_t of)
{
	if (of > 1)
		call->err = (struct err){0};
	return of > 1 ? err_at(&call->err, ERR_CANCELLED, "command", 0,
	                       "stopped after %zu of %zu runs", done, of)
	              : false;
}

/* False: it was cancelled. One that can't be read is told, and left out. */
static bool take_run(struct call *call, struct du *du, struct run_entry *entry)
{
	struct err err = {0};
	const struct usage_part *part = usage_of_run(call->shell, entry, NULL, what_of(&du->query),
	                                             call->progress, &err);

	if (part)
		vec_push(&du->parts, part);
	else if (err.code == ERR_CANCELLED)
		call->err = err;
	else
		call_broken_run(call, entry, &err);
	return !call->err.code && !progress_cancelled(call->progress);
}

/* The run of --run, else the current one; by run, or before the first, all of them. */
static bool take_runs(struct call *call, struct du *du)
{
	struct shell *shell = call->shell;
	const char *word = call->args.opt[RUN].word;
	struct run_entry *only = du->query.group == USAGE_BY_RUN ? NULL : position_at(shell);
	size_t n = shell->runs->list.len;
	struct err err = {0};

	if (word && !position_find(shell, word, &only, &err)) {
		call_error(call, "%s", err.msg);
		return false;
	}
	du->of_current = only && only == position_at(shell);
	if (only)
		return take_run(call, du, only);
	for (size_t i = 0; i < n; i++)
		if (!take_run(call, du, runs_at(shell->runs, i + 1)))
			return stopped(call, i, n);
	return true;
}

static void tell(struct call *call, const char *what, uint64_t n, const char *first)
{
	struct str text = {0};

	if (!n)
		return;
	str_fmt(&text, "%" PRIu64 " %s%s could not be read; the first: %s", n, what, plural(n),
	        first);
	call_fault(call, text.text);
	str_release(&text);
}

/* Tensors without a type count all the same. */
static void tell_unread(struct call *call, const struct du *du)
{
	struct str first = {0};

	for (size_t i = 0; i < du->parts.len; i++) {
		const struct usage_part *part = du->parts.at[i];

		str_reset(&first);
		if (part->lost.len)
			put_unread(&first, part->entry, &part->lost.at[0]);
		tell(call, "file", part->lost.len, str_text(&first));
		str_reset(&first);
		err_put(&first, part->first_unread.src, &part->first_unread);
		if (what_of(&du->query) & USAGE_DTYPES)
			tell(call, "tensor", part->n_unread, str_text(&first));
	}
	str_release(&first);
}

static bool take_program(struct call *call, struct du *du, size_t i)
{
	const struct usage_part *part = usage_of_program(call->shell, i, what_of(&du->query),
	                                                 call->progress, &call->err);

	if (part)
		vec_push(&du->parts, part);
	return part;
}

static bool take_programs(struct call *call, struct du *du)
{
	struct shell *shell = call->shell;
	const char *word = call->args.opt[RUN].word;
	size_t n = programs_len(shell->programs);
	int64_t number = (int64_t)shell->program_at + 1;

	du->of_program = true;
	if (word && (!python_digits(word, strlen(word), &number) || number < 1 ||
	             number > (int64_t)n)) {
		call_error(call, "ERROR: There is no run \"%s\": \"runs\" lists them.", word);
		return false;
	}
	du->of_current = number == (int64_t)shell->program_at + 1;
	if (word || du->query.group != USAGE_BY_RUN)
		return take_program(call, du, (size_t)number - 1);
	for (size_t i = 0; i < n; i++)
		if (!take_program(call, du, i))
			return stopped(call, i, n);
	return true;
}

/* Rows. */

/* In the list of its scope the last part is enough. */
static void put_label(struct str *out, const struct du *du, const struct usage_row *row)
{
	if (row->run && !du->of_program)
		str_fmt(out, "#%zu %s", row->run, row->name);
	else if (row->run)
		str_fmt(out, "#%zu", row->run);
	else if (du->query.group != USAGE_BY_SCOPE)
		str_puts(out, row->name);
	else
		str_fmt(out, "%*s%s%s", (int)(2 * (row->level - 1)), "", path_name(row->name),
		        row->children ? "/" : "");
}

static bool put_filter(struct str *out, const struct du *du, const struct usage_row *row)
{
	return !du->is_foreign && usage_filter_for(du->query.group, du->of_program) &&
	       usage_put_filter(row, &du->query, out);
}

static void get_filter(struct cell *cell, const struct du *du, const struct usage_row *row)
{
	cell->missing = !put_filter(&cell->text, du, row);
}

static void get_filter_for(struct cell *cell, const struct du *du, const struct usage_row *row)
{
	struct str filter = {0};

	cell->missing = !put_filter(&filter, du, row);
	if (!cell->missing)
		cell_str(cell, usage_filter_for(du->query.group, du->of_program));
	str_release(&filter);
}

#define DU_COLUMNS(COL) \
	COL(share, "%", PERCENT, 3, 3, \
	    cell->missing = du->rows.all_bytes == USAGE_TOO_LARGE; \
	    cell->number = percent_of((int64_t)r->bytes, (int64_t)du->rows.all_bytes)) \
	COL(bytes, "Size", SIZE, 0, 2, \
	    cell_known(cell, r->bytes != USAGE_TOO_LARGE, (int64_t)r->bytes)) \
	COL(tensors, "Tensors", COUNT, 1, 4, cell->whole = (int64_t)r->tensors) \
	COL(bar, "", BAR, 2, 0, \
	    cell->number = du->most ? (double)r->bytes / (double)du->most : 0) \
	COL(label, "Name", TEXT, 0, 0, put_label(&cell->text, du, r)) \
	COL(name, NULL, TEXT, 0, 1, cell_str(cell, r->name)) \
	COL(children, NULL, COUNT, 0, 5, cell->whole = r->children) \
	COL(filter, NULL, TEXT, 0, 6, get_filter(cell, du, r)) \
	COL(filter_for, NULL, TEXT, 0, 7, get_filter_for(cell, du, r)) \
	COL(level, NULL, COUNT, 0, 8, cell->whole = r->level) \
	COL(run, NULL, COUNT, 0, 9, cell_known(cell, r->run, (int64_t)r->run))

enum { DU_COLUMNS(COL_ID) N_DU_COLS };
static const struct col du_cols[] = { DU_COLUMNS(COL_ROW) };

/* Where a size is too large to be told, the bar has it. */
static const struct sort_word du_words[] = {
	{ "size", { FALLS(bar), RISES(run), RISES(name) } },
	{ "count", { FALLS(tensors), RISES(run), RISES(name) } },
	{ "name", { RISES(run), RISES(name) } },
	{ 0 },
};
static const struct table_sorts du_sorts = {
	du_words, .refusal = "ERROR: \"%s\" is not one of size, count or name.",
};

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct du *du = context;
	const struct usage_row *r = du->rows.shown.at[row];

	switch (id) {
	DU_COLUMNS(COL_CASE)
	}
}

static uint64_t level_of(void *context, uint64_t row)
{
	return ((const struct du *)context)->rows.shown.at[row]->level;
}

static void set_word(struct args *args, int option, const char *word)
{
	args->opt[option] = (struct opt_value){ .given = word, .word = word };
}

/* A node's tensors: in lt where that is about the same run, else run by run. */
static void put_node_link(const struct du *du, const struct usage_row *row, struct str *out)
{
	struct args args = du->args;
	struct str regex = {0};

	if (du->of_current && !du->of_program) {
		pattern_put_literal(&regex, row->name);
		str_puts(&regex, "\\Z");
		words_put_with(out, "lt -s dump_size -n", regex.text);
		str_release(&regex);
	} else if (!du->of_program && !du->args.opt[RUN].given) {
		set_word(&args, GROUP, group_words[USAGE_BY_RUN]);
		args.pos[0] = row->name;
		again_put(&cmd_du, &args, out);
	} else if (!du->of_program) {
		words_put_with(out, "run --to", du->args.opt[RUN].word);
	}
}

/* Inside, what was grouped by is the same for all: so they are grouped by scope. */
static void put_link(void *context, uint64_t at, struct str *out)
{
	static const int narrows[N_USAGE_GROUPS] = {
		[USAGE_BY_OP] = OP, [USAGE_BY_DEVICE] = DEVICE, [USAGE_BY_DTYPE] = DTYPE,
	};
	const struct du *du = context;
	const struct usage_row *row = du->rows.shown.at[at];
	struct args args = du->args;
	char number[24];

	if (row->name[0] == '-')
		return;
	if (du->query.group == USAGE_BY_SCOPE && row->is_node) {
		put_node_link(du, row, out);
		return;
	}
	snprintf(number, sizeof number, "%zu", row->run);
	args.opt[GROUP].given = args.opt[SKIP].given = false;
	if (du->query.group == USAGE_BY_SCOPE)
		args.pos[0] = row->name;
	else if (row->run)
		set_word(&args, RUN, number);
	else
		set_word(&args, narrows[du->query.group], row->name);
	again_put(&cmd_du, &args, out);
}

/* "without it a run takes 3.1M in place of 44.0M", and what leaves it out of the next dump. */
static bool put_without(const struct du *du, const struct usage_row *row, struct str *out)
{
	uint64_t n = du->rows.n_parts ? du->rows.n_parts : 1;
	struct str filter = {0};

	if (row->run || !row->bytes || row->bytes == du->rows.all_bytes ||
	    du->rows.all_bytes == USAGE_TOO_LARGE)
		return false;
	str_fmt(out, "%s: without it a run takes ", row->name);
	put_size(out, (int64_t)((du->rows.all_bytes - row->bytes) / n));
	str_puts(out, " in place of ");
	put_size(out, (int64_t)(du->rows.all_bytes / n));
	if (put_filter(&filter, du, row))
		str_fmt(out, "; %s=r\"%s\"",
		        usage_filter_for(du->query.group, du->of_program), filter.text);
	str_release(&filter);
	return true;
}

static const struct usage_row *row_at(const struct du *du, uint64_t at)
{
	return du->rows.shown.at[table_source_row(du->table, at)];
}

static void say_row(void *context, uint64_t at, bool fine, struct str *out)
{
	const struct du *du = context;

	(void)fine;
	put_without(du, row_at(du, at), out);
}

static const struct doc_signs signs = { .say = say_row };

static const struct doc_key own_keys[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "go in" },
	{ 'B', "group by the next of scope, op, device, dtype, run", "B", "group",
	  .way = KEY_REWRITES },
};
const struct doc_keys du_keys = { "In tables of what takes space", DOC_KEYS(own_keys) };

static bool put_key(void *context, const struct doc_at *at, struct str *out)
{
	const struct du *du = context;
	struct args args = du->args;

	(void)at;
	set_word(&args, GROUP, group_words[(du->query.group + 1) % N_USAGE_GROUPS]);
	again_put(&cmd_du, &args, out);
	return true;
}

/* What is asked. */

static bool read_query(struct call *call, struct du *du)
{
	const struct args *args = &du->args;
	struct usage_query *q = &du->query;
	int64_t depth = args->opt[DEPTH].given ? args->opt[DEPTH].number : 1;
	int group = 0;

	while (args->opt[GROUP].given && group < N_USAGE_GROUPS &&
	       strcmp(args->opt[GROUP].word, group_words[group]))
		group++;
	if (group == N_USAGE_GROUPS)
		call_error(call, "ERROR: \"%s\" is not one of scope, op, device, dtype or run.",
		           args->opt[GROUP].word);
	if (group == N_USAGE_GROUPS || !table_can_sort(call, &du_sorts, du_cols, N_DU_COLS))
		return false;
	*q = (struct usage_query){
		.group = (enum usage_group)group,
		.depth = depth < 1                 ? 1
		         : depth > MAX_USAGE_DEPTH ? MAX_USAGE_DEPTH
		                                   : (uint32_t)depth,
		.scope = args->pos[0], .op = args->opt[OP].word,
		.device = args->opt[DEVICE].word, .dtype = args->opt[DTYPE].word,
	};
	return true;
}

/* The answer. */

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct du *du = table_context(context);

	if (!table_put_rows(context, data, progress, err))
		return false;
	if (data->format != DATA_JSON)
		return true;
	data_key(data, "summary");
	data_object(data);
	key_str(data, "group", group_words[du->query.group]);
	data_key(data, "bytes");
	if (du->rows.bytes == USAGE_TOO_LARGE)
		data_null(data);
	else
		data_uint(data, du->rows.bytes);
	key_int(data, "tensors", (int64_t)du->rows.tensors);
	key_int(data, "runs", (int64_t)du->rows.n_parts);
	data_end(data);
	return true;
}

static void put_heading(struct call *call, struct du *du)
{
	static const struct { int option; const char *before; } narrowed[] = {
		{ OP, "of op " }, { DEVICE, "on " }, { DTYPE, "of type " }, { RUN, "in run " },
	};
	const struct usage_query *q = &du->query;
	size_t n = du->rows.n_parts;

	str_reset(&du->text);
	if (du->rows.bytes == USAGE_TOO_LARGE)
		str_puts(&du->text, "2^63 bytes or more");
	else
		put_size(&du->text, (int64_t)du->rows.bytes);
	doc_put(call->out, ROLE_PLAIN, "%s in %" PRIu64 " tensor%s", du->text.text,
	        du->rows.tensors, plural(du->rows.tensors));
	if (n > 1)
		doc_put(call->out, ROLE_PLAIN, " of %zu runs", n);
	if (q->scope)
		doc_put(call->out, ROLE_PLAIN, ", %s", q->scope);
	for (size_t i = 0; i < sizeof narrowed / sizeof *narrowed; i++)
		if (du->args.opt[narrowed[i].option].given)
			doc_put(call->out, ROLE_PLAIN, ", %s%s", narrowed[i].before,
			        du->args.opt[narrowed[i].option].word);
	doc_line_put(call->out, ROLE_PLAIN, ", by %s:", group_words[q->group]);
	doc_newline(call->out);
}

/* About the scope that is shown, else about the first row. Our screen says it of each row. */
static void put_foot(struct call *call, struct du *du)
{
	struct usage_row whole = { .name = du->query.scope, .bytes = du->rows.bytes };
	bool in_scope = du->query.scope && du->query.group == USAGE_BY_SCOPE;

	str_reset(&du->text);
	if (!du->table->n_rows || (call->on_screen && call->canvas.modern) ||
	    !put_without(du, in_scope ? &whole : row_at(du, 0), &du->text))
		return;
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "%s", du->text.text);
}

static void put_view(struct call *call, struct du *du)
{
	struct table *table = du->table = TABLE_OF(call->out, du_cols, get_cell, du);

	table->n_rows = du->rows.shown.len;
	table->sorts = &du_sorts;
	table->level = level_of;
	table->link = put_link;
	table->heads_nothing = true;
	for (size_t i = 0; i < du->rows.shown.len; i++)
		if (du->rows.shown.at[i]->bytes > du->most)
			du->most = du->rows.shown.at[i]->bytes;
	table->name = COL_label;
	table->fine = call->on_screen && canvas_is_fine(&call->canvas);
	table->bars_grow = call->on_screen && call->canvas.modern;
	if (!table_arrange(call, table))
		return;
	put_heading(call, du);
	table_show(call, table);
	doc_typed(call->out, DATA_ROWS, put_data, table);
	put_foot(call, du);
	doc_bring_keys(call->out, &du_keys, put_key, du);
	doc_bring_signs(call->out, &signs, du);
}

static void du_exec(struct call *call)
{
	struct du *du = mem_alloc(sizeof *du);

	doc_keep(call->out, du_free, du);
	du->args = again_keep(call, doc_mem(call->out));
	if (!call->shell->runs && !call->shell->programs) {
		call_error(call, "ERROR: There is no dump here.");
		return;
	}
	if (!read_query(call, du) ||
	    !(call->shell->programs ? take_programs(call, du) : take_runs(call, du)))
		return;
	tell_unread(call, du);
	call_note_unread(call);
	du->is_foreign = du->parts.len && du->parts.at[0]->is_foreign;
	usage_rows_init(&du->rows, usage_of(call->shell), du->parts.at, du->parts.len, &du->query);
	if (du->query.scope && !du->rows.tensors) {
		call_error(call, "ERROR: There is no dumped tensor of \"%s\".", du->query.scope);
		return;
	}
	put_view(call, du);
}

const struct cmd cmd_du = {
	.name = "du", .summary = "What takes the space: by scope, op, device, type or run",
	OPTS(options), POSITIONALS(positionals), .runless = true, .exec = du_exec,
};
const struct cmd cmd_du_program = {
	.name = "du", .summary = "What takes the space: by scope, op, device, type or run",
	OPTS(options), POSITIONALS(positionals), .of_program = true, .exec = du_exec,
};
