/*
 * A cell is read in three ways, depending on its column's kind: as text, as the number to sort by,
 * and as typed data.
 */
#include "cmds/doc/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/cut.h"
#include "cmds/doc/cut_names.h"
#include "cmds/doc/spark.h"
#include "cmds/lang/format.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

enum { FIGURES_GAP = 2, BAR_COLUMNS = 10, BAR_LEAST = 6 };
#define STEP_EVERY 256           /* typed rows between two progress_steps */

static void table_free(void *table)
{
	struct table *t = table;

	cut_names_free(t->names);
	str_release(&t->cell.text);
	free(t->typed);
	free(t->order);
	str_release(&t->shown_name);
	free(t->cols);
	free(t);
}

struct table *table_new(struct doc *doc, const struct col *cols, size_t n, table_get *get,
                        void *context)
{
	struct table *t = mem_alloc(sizeof *t);

	doc_keep(doc, table_free, t);
	t->context = context;
	t->get = get;
	t->cols = mem_alloc((n + 1) * sizeof *t->cols);
	memcpy(t->cols, cols, n * sizeof *cols);
	t->n_cols = n;
	return t;
}

struct col *table_col(struct table *t, int id)
{
	struct col *col = t->cols;

	while (col->id != id)
		col++;
	return col;
}

void table_hide(struct table *t, int id)
{
	table_col(t, id)->heading = NULL;
}

void table_move_first(struct table *t, int id)
{
	struct col *at = table_col(t, id), moved = *at;

	memmove(t->cols + 1, t->cols, (size_t)(at - t->cols) * sizeof *at);
	*t->cols = moved;
}

void table_list(struct table *t, int name)
{
	t->list = t->heads_nothing = t->trim = true;
	t->gap = FIGURES_GAP;
	t->name = name;
}

/* Cells. */

bool col_is_number(const struct col *col)
{
	static const bool numbers[] = {
#define X(kind, is_number) is_number,
		COL_KINDS(X)
#undef X
	};

	return numbers[col->kind];
}

uint64_t table_source_row(const struct table *t, uint64_t row)
{
	row += row < t->n_rows ? t->n_skipped : t->n_left_out;
	return t->order && row < t->n_rows + t->n_left_out ? t->order[row] : row;
}

struct cell *table_fill_cell(struct table *t, uint64_t row, const struct col *col,
                             struct data *data, bool look)
{
	struct cell *cell = &t->cell;

	str_reset(&cell->text);
	*cell = (struct cell){ .text = cell->text, .data = data, .look = look };
	t->get(t->context, table_source_row(t, row), col->id, cell);
	return cell;
}

/* What is not 0 shows at least a little, in blocks; blanks fill the column. */
static void put_bar(const struct table *t, const struct col *col, double part, struct str *out)
{
	int steps = col->width * (t->fine ? 8 : 1), n = (int)lround(part * steps);

	if (t->fine)
		n = (int)put_block_bar(out, n || part <= 0 ? (uint64_t)n : 1);
	else
		str_fill(out, '#', (size_t)n);
	str_fill(out, ' ', (size_t)(col->width - n));
}

static void put_kind(const struct table *t, const struct col *col, const struct cell *cell,
                     struct str *out)
{
	switch (col->kind) {
	case COL_WORD:
	case COL_NUMBER: str_putc(out, '-'); break;
	case COL_FLAG: str_puts(out, cell->whole ? "yes" : "-"); break;
	case COL_COUNT: str_int(out, cell->whole); break;
	case COL_SIZE: put_size(out, cell->whole); break;
	case COL_TIME: put_time(out, cell->whole, t->unit); break;
	case COL_CHANGE: put_signed_time(out, cell->whole); break;
	case COL_AFTER:
		if (cell->whole < 0)
			put_signed_time(out, cell->whole);
		else
			put_after(out, cell->whole);
		break;
	case COL_AFTER_US: put_after_us(out, cell->whole); break;
	case COL_PERCENT: put_percent(out, cell->number); break;
	case COL_SHARE: put_share(out, cell->number); break;
	case COL_BAR: put_bar(t, col, cell->number, out); break;
	default: break;
	}
}

static void put_as_typed(struct table *t, uint64_t row, const struct col *col)
{
	struct data data;
	bool null;

	data_open(&data, DATA_JSON, NULL);
	table_put_value(t, row, col, &data);
	null = !data.text.len || !strcmp(data.text.text, "null");
	str_reset(&t->cell.text);
	str_puts(&t->cell.text, null ? "-" : data.text.text);
	t->cell.missing = null;
	data_finish(&data);
}

const struct str *table_text(struct table *t, uint64_t row, const struct col *col, bool look)
{
	struct cell *cell = table_fill_cell(t, row, col, NULL, look);

	if (cell->text.len || cell->empty)
		return &cell->text;
	if (col->as_typed && !cell->missing) {
		put_as_typed(t, row, col);
		return &t->cell.text;
	}
	if (cell->missing || cell->none)
		str_putc(&cell->text, '-');
	else
		put_kind(t, col, cell, &cell->text);
	return &cell->text;
}

static double number_of(const struct col *col, const struct cell *cell)
{
	switch (col->kind) {
	case COL_TIME:
	case COL_CHANGE:
	case COL_AFTER: return (double)cell->whole / 1000;
	case COL_COUNT:
	case COL_SIZE:
	case COL_AFTER_US: return (double)cell->whole;
	default: return cell->number;
	}
}

void table_put_value(struct table *t, uint64_t row, const struct col *col, struct data *data)
{
	const struct cell *cell = table_fill_cell(t, row, col, data, false);

	if (cell->missing) {
		data_null(data);
		return;
	}
	switch (col->kind) {
	case COL_OWN:
	case COL_OWN_NUMBER:
	case COL_BAR: break;
	case COL_TEXT:
	case COL_WORD: data_text(data, str_text(&cell->text), cell->text.len); break;
	case COL_FLAG: data_bool(data, cell->whole); break;
	case COL_TIME:
	case COL_CHANGE:
	case COL_AFTER: data_us(data, cell->whole); break;
	case COL_PERCENT:
	case COL_SHARE: data_rounded(data, cell->number); break;
	case COL_NUMBER: data_float(data, cell->number, 64); break;
	default: data_int(data, cell->whole); break;
	}
}

/* Typed rows. */

static void put_typed(struct table *t, uint64_t row, const struct col *col, struct data *data)
{
	data_key(data, col->key);
	table_put_value(t, row, col, data);
}

void table_put_typed(const struct col *cols, size_t n, table_get *get_cell, void *context,
                     uint64_t row, struct data *data)
{
	struct table t = { .get = get_cell, .context = context };

	for (size_t i = 0; i < n; i++)
		put_typed(&t, row, &cols[i], data);
	str_release(&t.cell.text);
}

bool table_put_rows(void *table, struct data *data, struct progress *progress, struct err *err)
{
	struct table *t = table;
	struct str keys = {0};

	for (size_t i = 0; i < t->n_typed; i++)
		str_fmt(&keys, "%s%s", i ? "," : "", t->cols[t->typed[i]].key);
	if (t->n_rows || t->heads_nothing)
		data_rows(data, str_text(&keys));
	else
		data_list(data);
	str_release(&keys);
	for (uint64_t row = 0; row < t->n_rows; row++) {
		if (!(row % STEP_EVERY) && !progress_step(progress, row, t->n_rows))
			return err_at(err, ERR_CANCELLED, "command", 0,
			              "stopped after %" PRIu64 " of %" PRIu64 " rows", row,
			              t->n_rows);
		data_object(data);
		for (size_t i = 0; i < t->n_typed; i++)
			put_typed(t, row, &t->cols[t->typed[i]], data);
		data_end(data);
	}
	data_end(data);
	if (!t->fault || !t->fault(t->context))
		return true;
	*err = *t->fault(t->context);
	return false;
}

/* Moves shown columns to the front, in order, and lists the typed ones. Done once. */
static void order_cols(struct table *t)
{
	struct col *cols;
	size_t n = 0;

	if (t->typed)
		return;
	cols = mem_alloc((t->n_cols + 1) * sizeof *cols);
	for (int shown = 1; shown >= 0; shown--) {
		for (size_t i = 0; i < t->n_cols; i++)
			if ((t->cols[i].heading != NULL) == shown)
				cols[n++] = t->cols[i];
		t->n_shown = shown ? n : t->n_shown;
	}
	free(t->cols);
	t->cols = cols;
	t->typed = mem_alloc((n + 1) * sizeof *t->typed);
	for (size_t i = 0; i < n; i++) {
		size_t at = t->n_typed;

		if (!cols[i].typed)
			continue;
		for (; at && cols[t->typed[at - 1]].typed > cols[i].typed; at--)
			t->typed[at] = t->typed[at - 1];
		t->typed[at] = i;
		t->n_typed++;
	}
}

void table_type(struct call *call, struct table *t)
{
	order_cols(t);
	doc_typed(call->out, DATA_ROWS, table_put_rows, t);
}

/* Widths. */

static bool says_nothing(const struct str *text)
{
	return !text->len || !strcmp(text->text, "-");
}

static size_t columns_in(const char *text)
{
	return utf8_columns(text, strlen(text));
}

/* The column that is cut and has the link; in a table of figures the last one. */
static const struct col *name_of(const struct table *t)
{
	const struct col *col = &t->cols[t->n_shown - 1];

	while (t->list && col > t->cols && col->id != t->name)
		col--;
	return col;
}

/* Row by row, so that what get works out for a row is worked out once. */
void table_measure(struct table *t, size_t first, bool with_last)
{
	size_t end;

	order_cols(t);
	end = t->n_shown - !with_last;
	for (size_t i = first; i < end; i++) {
		bool bar = t->cols[i].kind == COL_BAR;

		t->cols[i].width = bar ? t->bars_grow ? BAR_LEAST : BAR_COLUMNS
		                       : (int)columns_in(t->cols[i].heading);
		t->cols[i].dropped = !t->list && !bar && !t->chosen;
	}
	for (uint64_t row = 0; row < t->n_rows + t->n_foot; row++)
		for (size_t i = first; i < end; i++) {
			const struct str *text = table_text(t, row, &t->cols[i], true);
			int width = (int)utf8_columns(str_text(text), text->len);

			t->cols[i].dropped &= says_nothing(text);
			if (width > t->cols[i].width)
				t->cols[i].width = width;
		}
}

void table_measure_all(struct table *t)
{
	if (t->list)
		table_measure(t, 0, true);
	for (size_t i = 0; i < t->n_shown; i++)
		if (!col_is_number(&t->cols[i]))
			t->cols[i].width = -abs(t->cols[i].width);
}

static size_t width_before_name(const struct table *t)
{
	size_t sum = 0;

	for (size_t i = 0; i + 1 < t->n_shown; i++)
		sum += t->cols[i].dropped ? 0 : (size_t)t->cols[i].width + FIGURES_GAP;
	return sum;
}

static void drop(struct table *t, size_t width)
{
	bool more = true;

	for (int turn = 1; more && width_before_name(t) + TABLE_NAME_LEAST > width; turn++) {
		more = false;
		for (size_t i = 0; i + 1 < t->n_shown; i++) {
			more |= t->cols[i].drop > turn;
			t->cols[i].dropped |= t->cols[i].drop == turn;
		}
	}
}

static size_t longest_name(struct table *t)
{
	size_t most = columns_in(name_of(t)->heading);

	for (uint64_t row = 0; row < t->n_rows + t->n_foot; row++) {
		const struct str *text = table_text(t, row, name_of(t), true);
		size_t size = utf8_columns(str_text(text), text->len);

		most = size > most ? size : most;
	}
	return most;
}

/* Bars take what the names leave; long names leave them a quarter of what both have. */
static void grow_bars(struct table *t, size_t width)
{
	size_t before = width_before_name(t), names = longest_name(t);

	for (size_t i = 0; i + 1 < t->n_shown; i++) {
		struct col *col = &t->cols[i];
		size_t room, bar;

		if (col->kind != COL_BAR || col->dropped || before >= width)
			continue;
		room = width - before + (size_t)col->width;
		bar = room > names ? room - names : 0;
		bar = bar < room / 4 ? room / 4 : bar;
		col->width = bar > BAR_LEAST ? (int)bar : BAR_LEAST;
	}
}

/* The width that the other columns leave to the names. */
static size_t room_for_name(const struct table *t, size_t width)
{
	size_t before = width_before_name(t), left = width > before ? width - before : 0;

	return left < CUT_LEAST ? CUT_LEAST : left;
}

void table_cut_names(struct table *t, size_t width)
{
	order_cols(t);
	t->names = cut_names_new(width, t->cut_start ? CUT_START : CUT_END, false);
	for (uint64_t row = 0; row < t->n_rows + t->n_foot; row++)
		cut_names_add(t->names, str_text(table_text(t, row, name_of(t), true)));
}

/* Lines. */

/* As it is shown; good until the next call. */
static const struct str *shown_text(struct table *t, uint64_t row, const struct col *col,
                                    bool is_name)
{
	const struct str *text = table_text(t, row, col, true);

	if (!is_name || (!t->names && !t->name_width))
		return text;
	str_reset(&t->shown_name);
	if (t->names)
		cut_names_put(t->names, str_text(text), &t->shown_name);
	else
		put_shortened(&t->shown_name, str_text(text), t->name_width, t->cut_start);
	return &t->shown_name;
}

/* The last column shown: no gap follows it. */
static const struct col *last_of(const struct table *t)
{
	const struct col *col = &t->cols[t->n_shown - 1];

	while (col > t->cols && col->dropped)
		col--;
	return col;
}

/* Pads the text on one side, and adds the gap. */
static void put_room(const struct table *t, const struct col *col, size_t size, bool before,
                     const struct col *last, struct str *out)
{
	size_t width = (size_t)abs(col->width);
	size_t room = before == (col->width > 0) && size < width ? width - size : 0;

	room += before || col == last ? 0 : t->gap;
	if (room)
		str_fill(out, ' ', room);
}

static void cut_blanks(const struct table *t, struct str *text)
{
	size_t len = text->len;

	while (t->trim && len && text->text[len - 1] == ' ')
		len--;
	str_cut(text, len);
}

static void mark(struct table *t, uint64_t row, const struct col *col, bool is_name, size_t begin,
                 struct line *line)
{
	struct str *command = &t->cell.text;
	enum role role;

	if (line->text_only)
		return;
	role = t->role ? t->role(t->context, table_source_row(t, row), col->id) : ROLE_PLAIN;
	str_reset(command);
	if (is_name && t->link && row < t->n_rows)
		t->link(t->context, table_source_row(t, row), command);
	if (command->len && (line->text.len > begin || !t->trim))
		line_mark_link(line, role, begin, line->text.len, command->text);
	else if (role != ROLE_PLAIN)
		line_mark(line, role, begin, line->text.len);
}

void table_put_row(struct table *t, uint64_t row, struct line *line)
{
	const struct col *name = name_of(t), *last = last_of(t);
	struct str *out = &line->text;

	for (const struct col *col = t->cols; col <= last; col++) {
		const struct str *text;
		size_t size, begin;

		if (col->dropped)
			continue;
		text = shown_text(t, row, col, col == name);
		size = utf8_columns(str_text(text), text->len);
		put_room(t, col, size, true, last, out);
		begin = out->len;
		str_put(out, str_text(text), text->len);
		if (col == last)
			cut_blanks(t, out);
		mark(t, row, col, col == name, begin, line);
		put_room(t, col, size, false, last, out);
	}
	cut_blanks(t, out);
}

/* Does its heading reverse the order? */
static bool is_turned(const struct table *t, const struct col *col)
{
	return t->sorted && !strcmp(t->sorted, col->word) && !t->reverse;
}

void table_put_heading(const struct table *t, struct line *line)
{
	enum role role = t->list ? ROLE_STRONG : ROLE_PLAIN;

	for (const struct col *col = t->cols, *last = last_of(t); col <= last; col++) {
		size_t size = columns_in(col->heading);

		if (col->dropped)
			continue;
		put_room(t, col, size, true, last, &line->text);
		if (t->sort_line && col->word)
			line_link(line, role, col->heading, "%s -s %s%s", t->sort_line, col->word,
			          is_turned(t, col) ? " -r" : "");
		else
			line_put(line, role, col->heading, strlen(col->heading));
		put_room(t, col, size, false, last, &line->text);
	}
	cut_blanks(t, &line->text);
}

/* As a body. */

uint64_t table_rows(struct body *body)
{
	return ((struct table *)body)->n_rows;
}

bool table_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err)
{
	(void)width, (void)err;
	table_put_row((struct table *)body, row, line);
	return true;
}

const struct col *table_columns(struct body *body, size_t *n)
{
	*n = ((struct table *)body)->n_shown;
	return ((struct table *)body)->cols;
}

bool table_cell_of(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                   struct err *err)
{
	struct table *t = (struct table *)body;
	const struct col *col = &t->cols[column];
	const struct cell *cell;

	(void)err;
	str_reset(&out->text);
	if (!col_is_number(col)) {
		const struct str *text = table_text(t, row, col, false);

		str_put(&out->text, str_text(text), text->len);
		out->missing = t->cell.missing;
		return true;
	}
	cell = table_fill_cell(t, row, col, NULL, false);
	out->missing = cell->missing || cell->none;
	out->number = number_of(col, cell);
	return true;
}

void table_keep(struct body *body)
{
	(void)body;
}

static bool is_bad(struct body *body, uint64_t row)
{
	struct table *t = (struct table *)body;

	return t->bad(t->context, table_source_row(t, row));
}

#define TABLE_KIND .name = "table", .rows = table_rows, .line = table_line, .free = table_keep, \
	.columns_of = table_columns, .cell_of = table_cell_of
static const struct body_kind table_kind = { TABLE_KIND };
static const struct body_kind telling_kind = { TABLE_KIND, .is_bad = is_bad };

void table_put_list(struct call *call, struct table *t)
{
	table_type(call, t);
	if (t->chosen)
		table_measure_all(t);
	if (!t->body.kind)
		t->body.kind = t->bad ? &telling_kind : &table_kind;
	table_put_heading(t, doc_open_line(call->out));
	doc_newline(call->out);
	doc_body(call->out, &t->body);
}

/* Texts to the left. */
static void fit_list(struct table *t)
{
	table_measure(t, 0, false);
	for (size_t i = 0; i < t->n_cols; i++)
		if (t->cols[i].kind == COL_TEXT || t->cols[i].kind == COL_OWN)
			t->cols[i].width *= -1;
}

static void fit_figures(struct call *call, struct table *t)
{
	size_t width = call->cols > 0 ? (size_t)call->cols : SIZE_MAX;

	order_cols(t);
	t->gap = FIGURES_GAP;
	t->trim = true;
	table_measure(t, 0, t->chosen && col_is_number(name_of(t)));
	drop(t, width);
	if (t->bars_grow && call->cols > 0)
		grow_bars(t, width);
	if (call->cols > 0)
		t->name_width = room_for_name(t, width);
	if (call->cols > 0 && call->on_screen)
		table_cut_names(t, t->name_width);
}

void table_show(struct call *call, struct table *t)
{
	if (t->list)
		fit_list(t);
	else
		fit_figures(call, t);
	table_put_list(call, t);
	for (uint64_t row = t->n_rows; row < t->n_rows + t->n_foot; row++) {
		table_put_row(t, row, doc_open_line(call->out));
		doc_newline(call->out);
	}
}

void table_put_counted(struct call *call, struct table *t, int name, const char *what)
{
	uint64_t n = t->n_rows;

	table_list(t, name);
	if (!table_arrange(call, t))
		return;
	doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " %s:", n, what);
	doc_newline(call->out);
	table_show(call, t);
}
