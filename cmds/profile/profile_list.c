/*
 * Rows are positions in step->records, block after block; the table sorts those of a block among
 * themselves. Each block has its own column widths and totals. The head of the first block is above
 * the body and the foot of the last one below it, so with one device the body has only rows. The
 * lines between blocks are lines of the body without cells.
 */
#include "cmds/profile/profile_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "cmds/lang/words.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

#define STEP_ROWS 4096           /* between two looks at progress */
#define DASHES_DEFAULT 80
#define SO_FAR_ROWS 200
#define FAR_ROWS 16              /* so many rows ahead are prefetched */

enum { N_COLUMNS = 6, GAP = 2, FOOT_LINES = 2, HEAD_LINES = 4 };

struct block {
	const struct lane *lane;         /* NULL: of all devices */
	size_t first, n;                 /* in rows; once the table is arranged, in those shown */
	uint64_t line;                   /* of its first row in the body */
	size_t width[N_COLUMNS];         /* with two blanks */
	int64_t op_us, exec_us;          /* totals */
};

struct profile_list {
	struct table *table;             /* with the same rows; its widths are a block's */
	const struct step *step;
	const struct name_infos *infos;
	VEC(uint32_t) rows;
	VEC(struct block) blocks;
	enum time_unit unit;
	const char *unit_word;           /* as typed, even if it is no unit */
	int cols;
	const char *link_filters;        /* options that the links to ps keep */
	struct arena mem;
};

/* Columns. */

static const struct record *record_of(const struct profile_list *list, uint64_t row)
{
	return &list->step->records.at[list->rows.at[row]];
}

static const struct source_line *source_of(const struct profile_list *list, uint64_t row)
{
	return name_info_source(list->infos, record_of(list, row)->name);
}

static void put_unit(struct cell *cell, const struct profile_list *list, int64_t us)
{
	cell->whole = us;
	if (cell->look)
		put_unit_time(&cell->text, us, list->unit);
}

/* Blank or null if there is none. */
static void put_any(struct cell *cell, const char *text)
{
	cell->missing = cell->empty = !*text;
	cell_str(cell, text);
}

/* The words are those of --sort_by. */
#define PROFILE_COLUMNS(COL, ASK) \
	ASK(node, "Node", "node", TEXT, 0, 2, cell_str(cell, record_name(list->step, record))) \
	ASK(op, "Op Type", "op_type", TEXT, 0, 3, \
	    put_any(cell, name_info_op(list->infos, record->name))) \
	ASK(start_us, "Start Time (us)", "start_time", COUNT, 0, 4, cell->whole = t.all_start_us) \
	ASK(op_us, "Op Time", "op_time", COUNT, 0, 5, put_unit(cell, list, record_op_us(&t))) \
	ASK(exec_us, "Exec Time", "exec_time", COUNT, 0, 6, \
	    put_unit(cell, list, record_exec_us(&t))) \
	ASK(source, "Filename:Lineno(function)", "line", TEXT, 0, 0, \
	    put_any(cell, source_of(list, row)->text)) \
	COL(device, "Device", TEXT, 0, 1, \
	    cell_str(cell, list->step->lanes.at[record->lane].device)) \
	COL(file, NULL, TEXT, 0, 7, put_any(cell, source_of(list, row)->file)) \
	COL(line, NULL, COUNT, 0, 8, cell->whole = source_of(list, row)->line; \
	    cell->missing = !cell->whole) \
	COL(function, NULL, TEXT, 0, 9, put_any(cell, source_of(list, row)->function))

enum { PROFILE_COLUMNS(COL_ID, COL_ID) };
static const struct col profile_cols[] = { PROFILE_COLUMNS(COL_ROW, ASK_ROW) };

static const struct sort_word sort_words[] = {
	{ "start_time", { RISES(start_us) } }, { "node", { RISES(node) } },
	{ "op_type", { RISES(op) } }, { "op_time", { RISES(op_us) } },
	{ "exec_time", { RISES(exec_us) } }, { "line", { RISES(source) } }, { 0 },
};
static const struct table_sorts list_sorts = { .words = sort_words, .missing_first = true };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct profile_list *list = context;
	const struct record *record = record_of(list, row);
	struct record_times t;

	if (id >= COL_start_us && id <= COL_exec_us)
		t = step_times(list->step, record);
	switch (id) {
	PROFILE_COLUMNS(COL_CASE, ASK_CASE)
	}
}

static void put_source_link(void *context, uint64_t row, struct str *out)
{
	const struct profile_list *list = context;
	const struct source_line *source = source_of(list, row);

	str_puts(out, "ps");
	str_puts(out, list->link_filters);
	str_putc(out, ' ');
	if (*source->file)
		words_put(out, source->file);
	str_puts(out, " --init_line ");
	str_int(out, source->line);
}

static bool is_word(const char *word)
{
	for (const struct sort_word *at = sort_words; at->word; at++)
		if (!strcmp(word, at->word))
			return true;
	return false;
}

bool profile_list_sorts_by(const char *word)
{
	for (size_t i = 0; i < sizeof profile_cols / sizeof *profile_cols; i++) {
		const struct col *col = &profile_cols[i];

		if (col->typed && !strcmp(word, col->key))
			return true;
	}
	return is_word(word);
}

/* Lines. */

static void pad(struct line *line, size_t begin, size_t width)
{
	size_t columns = utf8_count(line->text.text + begin, line->text.len - begin);

	str_fill(&line->text, ' ', columns < width ? width - columns : 0);
}

static void set_widths(const struct profile_list *list, const struct block *block)
{
	for (int i = 0; i < N_COLUMNS && !list->table->chosen; i++)
		list->table->cols[i].width = -(int)block->width[i];
}

/* Line i of a block's head: dashes, device, nothing, headings. */
static void head_line(const struct profile_list *list, const struct block *block, int i,
                      struct line *line)
{
	const struct step *step = list->step;

	switch (i) {
	case 0:
		str_fill(&line->text, '-', (size_t)(list->cols > 0 ? list->cols : DASHES_DEFAULT));
		break;
	case 1:
		if (block->lane)
			line_fmt(line, ROLE_PLAIN, "Device %td of %zu: %s",
			         block->lane - step->lanes.at + 1, step->lanes.len,
			         block->lane->device);
		else
			line_fmt(line, ROLE_PLAIN, "All devices");
		break;
	case 3:
		set_widths(list, block);
		table_put_heading(list->table, line);
		break;
	}
}

static void totals_line(const struct profile_list *list, const struct block *block,
                        struct line *line)
{
	size_t begin = 0;

	str_puts(&line->text, "Device Total");
	pad(line, begin, block->width[0]);
	str_fill(&line->text, ' ', block->width[1]);
	begin = line->text.len;
	put_unit_time(&line->text, block->op_us, list->unit);
	pad(line, begin, block->width[2]);
	begin = line->text.len;
	put_unit_time(&line->text, block->exec_us, list->unit);
	pad(line, begin, block->width[3]);
}

/*
 * The next rows are most likely asked for next. Sorted by time they lie anywhere in memory, so
 * their data is fetched while this row is made. Always inline: gcc treats a function that only
 * prefetches as one that does nothing.
 */
static inline __attribute__((always_inline)) void prefetch_rows(const struct profile_list *list,
                                                                const struct block *block,
                                                                uint64_t at)
{
	uint64_t row = table_source_row(list->table, block->first + at);
	const struct record *far = record_of(list, row + FAR_ROWS);
	const struct record *nearer = record_of(list, row + FAR_ROWS / 2);
	const char *name = record_name(list->step, record_of(list, row + FAR_ROWS / 4));

	__builtin_prefetch(far);
	__builtin_prefetch((const char *)(far + 1) - 1);
	__builtin_prefetch(&list->step->names.key[nearer->name]);
	__builtin_prefetch(&list->infos->of_name.at[nearer->name]);
	__builtin_prefetch(name);
	__builtin_prefetch(name + 64);
}

/* The block a line of the body belongs to: its rows, its foot, or the head of the next one. */
static const struct block *block_at(const struct profile_list *list, uint64_t line)
{
	size_t low = 0, high = list->blocks.len;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (list->blocks.at[middle].line <= line)
			low = middle;
		else
			high = middle;
	}
	return &list->blocks.at[low];
}

static uint64_t list_lines(struct body *body)
{
	const struct profile_list *list = table_context(body);
	const struct block *last = vec_last(&list->blocks);

	return last->line + last->n;
}

static bool list_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	const struct profile_list *list = table_context(body);
	const struct block *block = block_at(list, row);
	uint64_t at = row - block->line;

	(void)width, (void)err;
	if (at < block->n) {
		if (at + FAR_ROWS < block->n)
			prefetch_rows(list, block, at);
		set_widths(list, block);
		table_put_row(list->table, block->first + at, line);
	} else if (at == block->n + 1)
		totals_line(list, block, line);
	else if (at > block->n + 1)
		head_line(list, block + 1, (int)(at - block->n - FOOT_LINES), line);
	return true;
}

static bool list_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                      struct err *err)
{
	const struct profile_list *list = table_context(body);
	const struct block *block = block_at(list, row);
	uint64_t at = row - block->line;

	if (at < block->n)
		return table_cell_of(body, block->first + at, column, out, err);
	str_reset(&out->text);
	out->missing = true;
	return true;
}

static const struct body_kind list_kind = {
	.name = "table", .rows = list_lines, .line = list_line, .columns_of = table_columns,
	.cell_of = list_cell, .free = table_keep,
};

/* Filling. */

static void list_free(void *context)
{
	struct profile_list *list = context;

	vec_release(&list->rows);
	vec_release(&list->blocks);
	arena_release(&list->mem);
	free(list);
}

static void widen(size_t *width, size_t len)
{
	if (*width < len)
		*width = len;
}

static size_t digits_of(int64_t value)
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	size_t n = 1 + (value < 0);

	while (rest /= 10)
		n++;
	return n;
}

/* Widths and totals, of all rows; whether a time is not 0, so that the unit matters. */
static bool measure(struct profile_list *list, struct block *block)
{
	bool any = false;

	for (int i = 0; i < N_COLUMNS; i++)
		block->width[i] = strlen(list->table->cols[i].heading);
	for (size_t i = block->first; i < block->first + block->n; i++) {
		const struct record *record = &list->step->records.at[list->rows.at[i]];
		const char *cells[] = { record_name(list->step, record),
		                        name_info_op(list->infos, record->name),
		                        name_info_source(list->infos, record->name)->text };
		struct record_times t = step_times(list->step, record);
		int64_t op_us = record_op_us(&t), exec_us = record_exec_us(&t);

		any = any || op_us || exec_us;
		widen(&block->width[0], utf8_count(cells[0], strlen(cells[0])));
		widen(&block->width[1], utf8_count(cells[1], strlen(cells[1])));
		widen(&block->width[2], digits_of(t.all_start_us));
		widen(&block->width[3], unit_time_length(op_us, list->unit));
		widen(&block->width[4], unit_time_length(exec_us, list->unit));
		widen(&block->width[5], utf8_count(cells[2], strlen(cells[2])));
		block->op_us = saturated_sum(block->op_us, op_us);
		block->exec_us = saturated_sum(block->exec_us, exec_us);
	}
	widen(&block->width[0], strlen("Device Total"));
	widen(&block->width[2], unit_time_length(block->op_us, list->unit));
	widen(&block->width[3], unit_time_length(block->exec_us, list->unit));
	for (int i = 0; i < N_COLUMNS; i++)
		block->width[i] += GAP;
	return any;
}

/* False after an error or a cancel. */
static bool take_lane(struct call *call, struct profile_list *list, struct profile_filter *filter,
                      const struct lane *lane)
{
	struct block block = { .lane = lane, .first = list->rows.len };
	size_t n = list->step->records.len;

	for (size_t i = lane->first; i < lane->first + lane->n; i++) {
		if (!(i % STEP_ROWS) && !progress_step(call->progress, i, n))
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu records", i, n);
		if (profile_filter_record(call, filter, list->step, list->infos,
		                          &list->step->records.at[i]))
			vec_push(&list->rows, (uint32_t)i);
		if (call->err.code)
			return false;
	}
	block.n = list->rows.len - block.first;
	vec_push(&list->blocks, block);
	return true;
}

static bool take_rows(struct call *call, struct profile_list *list, struct profile_filter *filter,
                      bool unit_known)
{
	bool any = false;

	for (size_t i = 0; i < list->step->lanes.len; i++) {
		const struct lane *lane = &list->step->lanes.at[i];

		if (profile_filter_device(call, filter, lane) &&
		    !take_lane(call, list, filter, lane))
			return false;
		if (call->err.code)
			return false;
	}
	for (size_t b = 0; b < list->blocks.len; b++)
		any |= measure(list, &list->blocks.at[b]);
	if (any && !unit_known)
		return err_at(&call->err, ERR_VALUE, "command", 0, "Invalid time unit: %s",
		              list->unit_word);
	return true;
}

static uint64_t block_end(void *context, uint64_t row)
{
	const struct profile_list *list = context;
	const struct block *block = list->blocks.at;

	while (row >= block->first + block->n)
		block++;
	return block->first + block->n;
}

/* Keys that tfdbg does not have sort the rows of all devices as one block. */
static void join_blocks(struct profile_list *list)
{
	struct block *all = list->blocks.at;

	for (size_t b = 1; b < list->blocks.len; b++) {
		const struct block *block = &list->blocks.at[b];

		all->n += block->n;
		all->op_us = saturated_sum(all->op_us, block->op_us);
		all->exec_us = saturated_sum(all->exec_us, block->exec_us);
		for (int i = 0; i < N_COLUMNS; i++)
			widen(&all->width[i], block->width[i]);
		all->lane = NULL;
		table_col(list->table, COL_device)->dropped = false;
	}
	list->blocks.len = list->blocks.len ? 1 : 0;
}

/* Rows take the order of the table, which then has none of its own. */
static void keep_order(struct profile_list *list)
{
	uint32_t *order = list->table->order;

	for (size_t i = 0; order && i < list->rows.len; i++)
		order[i] = list->rows.at[order[i]];
	if (order && list->rows.len)
		memcpy(list->rows.at, order, list->rows.len * sizeof *order);
	free(order);
	list->table->order = NULL;
}

/* Which of the rows that are shown are theirs, and where. */
static void place_blocks(struct profile_list *list)
{
	size_t begin = list->table->n_skipped, end = begin + list->table->n_rows;
	uint64_t line = 0;

	for (size_t b = 0; b < list->blocks.len; b++) {
		struct block *block = &list->blocks.at[b];
		size_t first = block->first > begin ? block->first : begin;
		size_t last = block->first + block->n < end ? block->first + block->n : end;

		block->first = first - begin;
		block->n = last > first ? last - first : 0;
		block->line = line;
		line += block->n + FOOT_LINES + HEAD_LINES;
	}
}

/* The unit of the times, as typed. */
static void head_time(struct profile_list *list, int id)
{
	struct col *col = table_col(list->table, id);
	struct str text = {0};

	str_fmt(&text, "%s (%s)", col->heading, list->unit_word);
	col->heading = arena_copy(&list->mem, text.text, text.len);
	str_release(&text);
}

static void make_table(struct call *call, struct profile_list *list,
                       const struct profile_order *order)
{
	struct table *table = list->table = TABLE_OF(call->out, profile_cols, get_cell, list);

	table->body.kind = &list_kind;
	table->list = true;
	table->name = COL_source;
	table->link = put_source_link;
	table->sort_line = "list_profile";
	table->sorted = sort_words[0].word;
	if (order->sort)
		table->sorted = arena_copy(&list->mem, order->sort, strlen(order->sort));
	table->reverse = order->reverse;
	table->sorts = &list_sorts;
	table->block_end = block_end;
	table_col(table, COL_device)->dropped = true;
	head_time(list, COL_op_us);
	head_time(list, COL_exec_us);
}

static void put_blocks(struct doc *doc, struct profile_list *list)
{
	for (int i = 0; i < HEAD_LINES; i++) {
		head_line(list, &list->blocks.at[0], i, doc_open_line(doc));
		doc_newline(doc);
	}
	doc_body(doc, &list->table->body);
	doc_newline(doc);
	totals_line(list, vec_last(&list->blocks), doc_open_line(doc));
	doc_newline(doc);
}

void profile_list_put(struct call *call, const struct step *step, const struct name_infos *infos,
                      struct profile_filter *filter, const struct profile_order *order)
{
	struct profile_list *list = mem_alloc(sizeof *list);
	struct str filters = {0};
	bool unit_known;

	doc_keep(call->out, list_free, list);
	list->step = step;
	list->infos = infos;
	list->cols = call->cols;
	list->unit_word = arena_copy(&list->mem, order->unit_word, strlen(order->unit_word));
	unit_known = time_unit_parse(order->unit_word, &list->unit);
	if (!unit_known)
		list->unit = TIME_US;
	profile_filter_put(filter, &filters);
	list->link_filters = arena_copy(&list->mem, str_text(&filters), filters.len);
	str_release(&filters);
	make_table(call, list, order);
	if (!take_rows(call, list, filter, unit_known))
		return;
	list->table->n_rows = list->rows.len;
	if (list->blocks.len < 2)
		table_hide(list->table, COL_device);
	if (order->sort && profile_list_sorts_by(order->sort) && !is_word(order->sort))
		join_blocks(list);
	if (!table_arrange(call, list->table))
		return;
	keep_order(list);
	place_blocks(list);
	if (list->table->chosen) {
		list->table->gap = GAP;
		list->table->trim = true;
		table_measure_all(list->table);
	}
	table_type(call, list->table);
	doc_newline(call->out);
	if (list->blocks.len)
		put_blocks(call->out, list);
}

struct doc *profile_so_far_doc(const struct profile *profile)
{
	const struct step *step = profile_so_far(profile);
	struct doc *doc = doc_new();
	size_t n = step ? step->records.len : 0;

	doc_line_put(doc, ROLE_PLAIN, "%zu record(s) so far...", n);
	doc_newline(doc);
	for (size_t i = 0; i < n && i < SO_FAR_ROWS && !step->times_only; i++) {
		const struct record *record = &step->records.at[i];
		struct record_times t = step_times(step, record);

		doc_line_put(doc, ROLE_PLAIN, "%-18" PRId64 "%10" PRId64 "us%10" PRId64 "us  %s",
		             t.all_start_us, record_op_us(&t), record_exec_us(&t),
		             record_name(step, record));
	}
	return doc;
}
