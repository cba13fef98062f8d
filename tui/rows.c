/*
 * The filters walk over the body once and append what passes; a filter that is typed on, as plain
 * text, walks over what it has let through and then from where it was. The sort takes the rows that
 * show with their keys and merges runs of 1, 2, 4 ... items: stable, and it can stop after any item
 * to let a key be answered.
 */
#include "tui/rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "cmds/lang/pattern.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "tui/glyphs.h"
#include "tui/row_parts.h"

static bool has_body(const struct rows *rows)
{
	return rows->doc && doc_get_body(rows->doc);
}

/* Rows before the body. */
static uint64_t head(const struct rows *rows)
{
	return has_body(rows) ? doc_body_row(rows->doc) : 0;
}

static uint64_t body_rows(const struct rows *rows)
{
	struct body *body;

	if (!rows->doc)
		return 0;
	body = doc_get_body(rows->doc);
	return body ? body->kind->rows(body) : doc_rows(rows->doc);
}

bool rows_filtered(const struct rows *rows)
{
	return rows->live.pattern || rows->filters.len;
}

/* Does anything keep rows from showing? */
static bool is_narrowed(const struct rows *rows)
{
	return rows_filtered(rows) || rows->folds.inverted || rows->folds.rows.len;
}

/* The list and what works on it. */

static void stop_sort(struct rows *rows)
{
	struct row_sort *sort = &rows->sort;

	sort->working = false;
	vec_release(&sort->items);
	vec_release(&sort->merged);
	str_release(&sort->texts);
}

static void start_sort(struct rows *rows)
{
	stop_sort(rows);
	rows->sort.working = true;
	rows->sort.taken = 0;
	rows->sort.width = 0;
	rows->sort.body_rows = body_rows(rows);
}

/* After a change of the filters. */
static void start_over(struct rows *rows)
{
	stop_sort(rows);
	rows->version++;
	rows->looked_at = 0;
	rows->below = 0;
	rows->next_passed = 0;
	vec_release(&rows->passed);
	rows->listed = is_narrowed(rows);
	if (rows->listed)
		rows->list.len = 0;
	else
		vec_release(&rows->list);
	if (rows->sort.on && !rows->listed)
		start_sort(rows);
}

static void filter_release(struct row_filter *filter)
{
	pattern_free(filter->pattern);
	free(filter->text);
	*filter = (struct row_filter){0};
}

void rows_release(struct rows *rows)
{
	stop_sort(rows);
	filter_release(&rows->live);
	for (size_t i = 0; i < rows->filters.len; i++)
		filter_release(&rows->filters.at[i]);
	vec_release(&rows->filters);
	vec_release(&rows->folds.rows);
	vec_release(&rows->list);
	vec_release(&rows->passed);
	line_release(&rows->scratch);
	*rows = (struct rows){0};
}

void rows_show(struct rows *rows, struct doc *doc)
{
	uint64_t version = rows->version;

	rows_release(rows);
	rows->doc = doc;
	rows->version = version + 1;
	rows->sort.column = NO_COLUMN;
}

/* Numbers. */

uint64_t rows_count(const struct rows *rows)
{
	uint64_t all = rows->doc ? doc_rows(rows->doc) : 0;

	return rows->listed ? all - body_rows(rows) + rows->list.len : all;
}

uint64_t rows_kept(const struct rows *rows, uint64_t *all)
{
	*all = body_rows(rows);
	return rows->listed ? rows->list.len : *all;
}

uint64_t rows_row(const struct rows *rows, uint64_t at)
{
	uint64_t before = head(rows);

	if (!rows->listed || at < before)
		return at;
	if (at - before < rows->list.len)
		return before + rows->list.at[at - before];
	return at - rows->list.len + body_rows(rows);
}

/* Of a sorted list every entry has to be looked at. */
static size_t find_in_list(const struct rows *rows, uint64_t row)
{
	size_t low = 0, high = rows->list.len;

	if (rows->sort.on) {
		for (size_t i = 0; i < rows->list.len; i++)
			if (rows->list.at[i] == row)
				return i;
		return 0;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->list.at[middle] < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t rows_at(const struct rows *rows, uint64_t row)
{
	uint64_t before = head(rows), body = body_rows(rows);

	if (!rows->listed || row < before)
		return row;
	if (row - before < body)
		return before + find_in_list(rows, row - before);
	return row - body + rows->list.len;
}

/* The heading of the chosen column. */

/* Puts a sign over the blank at byte `at`, or at the end of the text; what lies behind moves. */
static void put_sign(struct line *line, size_t at, const char *sign)
{
	struct str text = {0};
	size_t len = strlen(sign),
	       behind = at < line->text.len && line->text.text[at] == ' ' ? at + 1 : at;
	uint32_t shift = (uint32_t)(len - (behind - at));

	str_put(&text, line->text.text, at);
	str_put(&text, sign, len);
	str_put(&text, line->text.text + behind, line->text.len - behind);
	for (size_t i = 0; i < line->segs.len; i++) {
		struct seg *seg = &line->segs.at[i];

		seg->begin += seg->begin > at ? shift : 0;
		seg->end += seg->end > at ? shift : 0;
	}
	str_reset(&line->text);
	str_put(&line->text, text.text, text.len);
	str_release(&text);
}

/* The length of the heading if it stands here as words of its own; 0: it doesn't. */
static size_t heading_here(const struct line *line, size_t at, const char *heading)
{
	const char *text = line->text.text + at;
	size_t len = strlen(heading);

	if ((at && text[-1] != ' ') || strncmp(text, heading, len))
		return 0;
	return !text[len] || text[len] == ' ' ? len : 0;
}

/*
 * Where a column's heading stands in the line; false: it doesn't. At each word the longest heading
 * counts ("Op type" is no "Op"); of columns with the same heading the first has the first place.
 */
static bool find_heading(const struct rows *rows, size_t column, const struct line *line,
                         size_t *begin, size_t *end)
{
	size_t n, alike = 0;
	const struct col *columns = rows_columns(rows, &n);

	for (size_t i = 0; i < column && column < n; i++)
		alike += !strcmp(columns[i].heading, columns[column].heading);
	for (size_t at = 0; at < line->text.len && column < n; at++) {
		size_t longest = 0, own = heading_here(line, at, columns[column].heading);

		for (size_t i = 0; i < n; i++) {
			size_t len = heading_here(line, at, columns[i].heading);

			longest = len > longest ? len : longest;
		}
		if (own && own == longest && !alike--) {
			*begin = at;
			*end = at + own;
			return true;
		}
		at += longest ? longest - 1 : 0;
	}
	return false;
}

static void mark_heading(const struct rows *rows, struct line *line)
{
	const struct row_sort *sort = &rows->sort;
	size_t begin, end;

	if (find_heading(rows, sort->column, line, &begin, &end))
		line_mark(line, ROLE_STRONG, begin, end);
	if (sort->on && find_heading(rows, sort->by, line, &begin, &end))
		put_sign(line, end, glyph(sort->reverse ? GLYPH_DOWNWARD : GLYPH_UPWARD));
}

/* Trees. */

bool rows_is_tree(const struct rows *rows)
{
	return has_body(rows) && doc_get_body(rows->doc)->kind->depth;
}

/* 0 too for what is no row of a tree's body. */
static uint32_t depth_of(const struct rows *rows, uint64_t body_row)
{
	struct body *body = rows_is_tree(rows) ? doc_get_body(rows->doc) : NULL;

	return body && body_row < body->kind->rows(body) ? body->kind->depth(body, body_row) : 0;
}

/* The first place in the list that is not before the row. */
static size_t fold_place(const struct rows *rows, uint64_t body_row)
{
	size_t low = 0, high = rows->folds.rows.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rows->folds.rows.at[middle] < body_row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_folded(const struct rows *rows, uint64_t body_row)
{
	size_t at = fold_place(rows, body_row);

	return (at < rows->folds.rows.len && rows->folds.rows.at[at] == body_row) !=
	       rows->folds.inverted;
}

/* Into the list or out of it. */
static void toggle_fold(struct rows *rows, uint64_t body_row)
{
	size_t at = fold_place(rows, body_row), n = rows->folds.rows.len;

	if (at < n && rows->folds.rows.at[at] == body_row) {
		memmove(&rows->folds.rows.at[at], &rows->folds.rows.at[at + 1],
		        (n - at - 1) * sizeof *rows->folds.rows.at);
		rows->folds.rows.len--;
	} else {
		vec_push(&rows->folds.rows, body_row);
		memmove(&rows->folds.rows.at[at + 1], &rows->folds.rows.at[at],
		        (n - at) * sizeof *rows->folds.rows.at);
		rows->folds.rows.at[at] = body_row;
	}
	start_over(rows);
}

static bool has_subtree(const struct rows *rows, uint64_t body_row)
{
	uint32_t depth = depth_of(rows, body_row);

	return depth && depth_of(rows, body_row + 1) > depth;
}

uint64_t rows_fold(struct rows *rows, uint64_t row)
{
	uint64_t at = row - head(rows);
	uint32_t depth;

	if (!rows_is_tree(rows) || row < head(rows) || !depth_of(rows, at))
		return NO_ROW;
	depth = depth_of(rows, at);
	if (!has_subtree(rows, at) || is_folded(rows, at)) {
		while (at > 0 && depth_of(rows, at) >= depth)
			at--;
		if (depth_of(rows, at) >= depth)
			return NO_ROW;
	}
	toggle_fold(rows, at);
	return at + head(rows);
}

void rows_unfold(struct rows *rows, uint64_t row)
{
	uint64_t at = row - head(rows);

	if (row >= head(rows) && has_subtree(rows, at) && is_folded(rows, at))
		toggle_fold(rows, at);
}

uint64_t rows_fold_all(struct rows *rows, bool fold, uint64_t row)
{
	if (!rows_is_tree(rows))
		return row;
	rows->folds.rows.len = 0;
	rows->folds.inverted = fold;
	start_over(rows);
	while (fold && row > head(rows) && depth_of(rows, row - head(rows)) > 1)
		row--;
	return row;
}

/* Is the row below one that is folded? Asked of one row after the other, from the first. */
static bool is_folded_away(struct rows *rows, uint64_t body_row)
{
	uint32_t depth = depth_of(rows, body_row);

	if (rows->below && depth > rows->below)
		return true;
	rows->below = depth && is_folded(rows, body_row) ? depth : 0;
	return false;
}

/* " [+3]" behind a row whose subtree of three rows doesn't show. */
static void put_folded(const struct rows *rows, uint64_t row, struct line *line)
{
	uint64_t at = row - head(rows), end = at + 1;
	uint32_t depth = row < head(rows) ? 0 : depth_of(rows, at);

	if (!depth || !is_folded(rows, at))
		return;
	while (depth_of(rows, end) > depth)
		end++;
	if (end - at > 1)
		line_fmt(line, ROLE_PLAIN, " [+%" PRIu64 "]", end - at - 1);
}

void rows_line(const struct rows *rows, uint64_t at, int width, struct line *line)
{
	if (doc_stage(rows->doc))
		doc_line_staged(rows->doc, rows_row(rows, at), &rows->stage, width, line);
	else
		doc_line_from(rows->doc, rows_row(rows, at), rows->column, width, line);
	if (rows->sort.column != NO_COLUMN && at + 1 == head(rows))
		mark_heading(rows, line);
	if (rows->folds.inverted || rows->folds.rows.len)
		put_folded(rows, rows_row(rows, at), line);
}

/* Filters. */

/* Text that stands for itself and for nothing else. */
static bool is_plain(const char *text)
{
	return text[0] != '!' && !text[strcspn(text, PATTERN_SPECIAL)];
}

/* Does what passes the filter typed now pass what was typed before, too? */
static bool narrows(const struct rows *rows, const char *text)
{
	const char *before = rows->live.text;

	return before && text && is_plain(text) && is_plain(before) &&
	       !strncmp(before, text, strlen(before));
}

/* What has passed is looked at again, then what wasn't looked at yet. */
static void start_narrowing(struct rows *rows)
{
	stop_sort(rows);
	rows->version++;
	for (; rows->next_passed < rows->passed.len; rows->next_passed++)
		vec_push(&rows->list, rows->passed.at[rows->next_passed]);
	vec_release(&rows->passed);
	rows->passed.at = rows->list.at;
	rows->passed.len = rows->list.len;
	rows->passed.cap = rows->list.cap;
	rows->next_passed = 0;
	rows->list.at = NULL;
	rows->list.len = rows->list.cap = 0;
}

/* NULL, "" or "!": none. */
static bool filter_make(struct row_filter *filter, const char *text, enum regex_case how,
                        struct err *err)
{
	const char *regex = text && *text == '!' ? text + 1 : text;

	*filter = (struct row_filter){0};
	if (!regex || !*regex)
		return true;
	filter->pattern = regex_new(regex, how, err);
	if (!filter->pattern)
		return false;
	filter->invert = regex != text;
	filter->text = mem_copy(text, strlen(text));
	filter->how = how;
	return true;
}

bool rows_filter_live(struct rows *rows, const char *text, enum regex_case how, struct err *err)
{
	struct row_filter filter;

	if (!filter_make(&filter, text, how, err))
		return false;
	if (filter.pattern || rows->live.pattern) {
		bool fewer = filter.pattern && rows->live.pattern && how == rows->live.how &&
		             narrows(rows, text);

		filter_release(&rows->live);
		rows->live = filter;
		if (fewer)
			start_narrowing(rows);
		else
			start_over(rows);
	}
	return true;
}

void rows_filter_keep(struct rows *rows)
{
	if (rows->live.pattern)
		vec_push(&rows->filters, rows->live);
	rows->live = (struct row_filter){0};
}

bool rows_filter_drop(struct rows *rows)
{
	if (!rows->filters.len)
		return false;
	filter_release(vec_last(&rows->filters));
	rows->filters.len--;
	start_over(rows);
	return true;
}

static bool filter_hits(const struct row_filter *filter, const struct line *line, size_t from)
{
	return pattern_hits(filter->pattern, str_text(&line->text), line->text.len, from, NULL,
	                    NULL);
}

/* In any cell of a grid's row, whether it shows or not. */
static bool cells_hit(struct rows *rows, const struct row_filter *filter, uint64_t doc_row)
{
	size_t skip, before;
	bool hit = false;

	for (uint64_t part = 0; !hit && part < row_parts(rows->doc); part++) {
		row_part(rows->doc, doc_row, part, &rows->scratch, &skip, &before);
		hit = filter_hits(filter, &rows->scratch, skip);
	}
	return hit;
}

static bool filter_passes(struct rows *rows, const struct row_filter *filter, uint64_t doc_row)
{
	if (!filter->pattern)
		return true;
	if (doc_cells(rows->doc))
		return cells_hit(rows, filter, doc_row) != filter->invert;
	return filter_hits(filter, &rows->scratch, 0) != filter->invert;
}

static bool passes(struct rows *rows, uint64_t doc_row)
{
	if (!doc_cells(rows->doc))
		doc_line(rows->doc, doc_row, 0, &rows->scratch);
	for (size_t i = 0; i < rows->filters.len; i++)
		if (!filter_passes(rows, &rows->filters.at[i], doc_row))
			return false;
	return filter_passes(rows, &rows->live, doc_row);
}

static void filter_one(struct rows *rows, uint64_t row)
{
	if (row < doc_heading(rows->doc) || passes(rows, head(rows) + row))
		vec_push(&rows->list, row);
}

static void filter_some(struct rows *rows, uint64_t max)
{
	uint64_t end = body_rows(rows), had = rows->list.len;

	if (max > 1)                     /* long rows take longer */
		max = max > row_parts(rows->doc) ? max / row_parts(rows->doc) : 1;
	for (; max && rows->next_passed < rows->passed.len; max--)
		filter_one(rows, rows->passed.at[rows->next_passed++]);
	if (end - rows->looked_at > max)
		end = rows->looked_at + max;
	for (; rows->looked_at < end && rows->list.len < ROWS_MAX; rows->looked_at++)
		if (!is_folded_away(rows, rows->looked_at))
			filter_one(rows, rows->looked_at);
	if (rows->list.len != had)
		rows->version++;
	if (rows->passed.len && rows->next_passed == rows->passed.len) {
		vec_release(&rows->passed);
		rows->next_passed = 0;
	}
}

bool rows_filter_works(const struct rows *rows)
{
	return is_narrowed(rows) && rows->list.len < ROWS_MAX &&
	       (rows->next_passed < rows->passed.len || rows->looked_at < body_rows(rows));
}

/* The sort. */

const struct col *rows_columns(const struct rows *rows, size_t *n)
{
	struct body *body = rows->doc ? doc_get_body(rows->doc) : NULL;

	*n = 0;
	return body && body->kind->columns_of && body->kind->cell_of
	               ? body->kind->columns_of(body, n)
	               : NULL;
}

bool rows_choose(struct rows *rows, int step)
{
	size_t n, now = rows->sort.column;

	if (!rows_columns(rows, &n) || !n)
		return false;
	if (now >= n)
		rows->sort.column = step > 0 ? 0 : n - 1;
	else
		rows->sort.column = step > 0 ? (now + 1) % n : (now + n - 1) % n;
	rows->version++;
	return true;
}

bool rows_sort(struct rows *rows, bool reversed)
{
	struct row_sort *sort = &rows->sort;
	size_t n;

	if (!rows_columns(rows, &n) || !n || body_rows(rows) > ROWS_MAX)
		return false;
	if (sort->column >= n)
		sort->column = 0;
	sort->reverse = reversed && !(sort->on && sort->by == sort->column && sort->reverse);
	sort->on = true;
	sort->by = sort->column;
	if (!rows_filter_works(rows))
		start_sort(rows);
	rows->version++;
	return true;
}

/* The column with the heading there; NO_COLUMN: none. The sign of a sorted one is in no heading. */
static size_t column_at(const struct rows *rows, const struct line *line, size_t text_col)
{
	const char *text = str_text(&line->text);
	size_t n, begin, end;

	if (!rows_columns(rows, &n))
		return NO_COLUMN;
	for (size_t i = 0; i < n; i++)
		if (find_heading(rows, i, line, &begin, &end) &&
		    utf8_columns(text, begin) <= text_col && text_col <= utf8_columns(text, end))
			return i;
	return NO_COLUMN;
}

bool rows_sort_at(struct rows *rows, uint64_t at, int width, size_t text_col)
{
	struct line line = {0};
	size_t column;

	if (at + 1 != head(rows))
		return false;
	doc_line_from(rows->doc, rows_row(rows, at), rows->column, width, &line);
	column = column_at(rows, &line, text_col);
	line_release(&line);
	if (column == NO_COLUMN)
		return false;
	rows->sort.column = column;
	return rows_sort(rows, rows->sort.on && rows->sort.by == column);
}

static void take_key(struct rows *rows, bool numbers, struct table_cell *cell)
{
	struct row_sort *sort = &rows->sort;
	struct body *body = doc_get_body(rows->doc);
	struct sort_item item = { .row = rows->listed ? rows->list.at[sort->taken] : sort->taken };
	struct err err = {0};

	str_reset(&cell->text);
	cell->missing = false;
	cell->number = 0;
	if (!body->kind->cell_of(body, item.row, sort->by, cell, &err))
		cell->missing = true;
	if (numbers) {
		item.key.number = cell->missing ? NAN : cell->number;
	} else {
		item.key.text = cell->missing ? SIZE_MAX : sort->texts.len;
		if (!cell->missing)
			str_put(&sort->texts, str_text(&cell->text),
			        strlen(str_text(&cell->text)) + 1);
	}
	vec_push(&sort->items, item);
	sort->taken++;
}

static size_t at_most(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Of the next two runs. */
static void begin_merge(struct row_sort *sort)
{
	sort->begin = sort->left = sort->merged.len;
	sort->right = at_most(sort->begin + sort->width, sort->items.len);
}

static void take_keys(struct rows *rows, bool numbers, uint64_t max)
{
	struct row_sort *sort = &rows->sort;
	uint64_t all = rows->listed ? rows->list.len : sort->body_rows;
	struct table_cell cell = {0};

	for (; max && sort->taken < all; max--)
		take_key(rows, numbers, &cell);
	str_release(&cell.text);
	if (sort->taken < all)
		return;
	sort->width = 1;
	begin_merge(sort);
}

/* Does b go before a? Equal ones keep their order; what is missing goes last, reversed or not. */
static bool goes_before(const struct row_sort *sort, bool numbers, const struct sort_item *b,
                        const struct sort_item *a)
{
	bool a_missing = numbers ? isnan(a->key.number) : a->key.text == SIZE_MAX;
	bool b_missing = numbers ? isnan(b->key.number) : b->key.text == SIZE_MAX;
	int order;

	if (a_missing || b_missing)
		return a_missing && !b_missing;
	if (numbers)
		order = b->key.number < a->key.number ? -1 : b->key.number > a->key.number;
	else
		order = strcmp(sort->texts.text + b->key.text, sort->texts.text + a->key.text);
	return sort->reverse ? order > 0 : order < 0;
}

/* What was merged is what is merged next, in runs of twice the length. */
static void next_pass(struct row_sort *sort)
{
	struct sort_item *at = sort->items.at;
	size_t cap = sort->items.cap;

	sort->items.at = sort->merged.at;
	sort->items.cap = sort->merged.cap;
	sort->merged.at = at;
	sort->merged.cap = cap;
	sort->merged.len = 0;
	sort->width *= 2;
	begin_merge(sort);
}

static void merge_some(struct row_sort *sort, bool numbers, uint64_t max)
{
	size_t n = sort->items.len;

	for (; max && sort->width < n; max--) {
		size_t middle = at_most(sort->begin + sort->width, n);
		size_t end = at_most(middle + sort->width, n);
		bool right = sort->left == middle ||
		             (sort->right < end &&
		              goes_before(sort, numbers, &sort->items.at[sort->right],
		                          &sort->items.at[sort->left]));

		vec_push(&sort->merged, sort->items.at[right ? sort->right++ : sort->left++]);
		if (sort->merged.len == n)
			next_pass(sort);
		else if (sort->merged.len == end)
			begin_merge(sort);
	}
}

static void show_sorted(struct rows *rows)
{
	rows->list.len = 0;
	for (size_t i = 0; i < rows->sort.items.len; i++)
		vec_push(&rows->list, rows->sort.items.at[i].row);
	rows->listed = true;
	rows->version++;
	stop_sort(rows);
}

static void sort_some(struct rows *rows, uint64_t max)
{
	struct row_sort *sort = &rows->sort;
	size_t n;
	const struct col *columns = rows_columns(rows, &n);
	bool numbers = col_is_number(&columns[sort->by]);

	if (!sort->width) {
		take_keys(rows, numbers, max);
		return;
	}
	merge_some(sort, numbers, max);
	if (sort->width >= sort->items.len)
		show_sorted(rows);
}

/* What was chosen. */

void row_choice_release(struct row_choice *choice)
{
	for (size_t i = 0; i < choice->filters.len; i++)
		free(choice->filters.at[i].text);
	vec_release(&choice->filters);
	vec_release(&choice->folds.rows);
	*choice = (struct row_choice){0};
}

static void copy_folds(struct folds *out, const struct folds *folds)
{
	out->rows.len = 0;
	for (size_t i = 0; i < folds->rows.len; i++)
		vec_push(&out->rows, folds->rows.at[i]);
	out->inverted = folds->inverted;
}

void rows_choice(const struct rows *rows, struct row_choice *out)
{
	row_choice_release(out);
	*out = (struct row_choice){ .column = rows->sort.column, .sorted = rows->sort.on,
	                            .reverse = rows->sort.reverse, .by = rows->sort.by };
	for (size_t i = 0; i < rows->filters.len; i++) {
		const struct row_filter *filter = &rows->filters.at[i];
		char *text = mem_copy(filter->text, strlen(filter->text));

		vec_push(&out->filters, ((struct filter_choice){ text, filter->how }));
	}
	copy_folds(&out->folds, &rows->folds);
}

/* By the column that it was sorted by; another one may have been chosen since. */
static void sort_again(struct rows *rows, const struct row_choice *choice)
{
	size_t n;

	if (!rows_columns(rows, &n))
		return;
	if (choice->sorted && choice->by < n) {
		rows->sort.column = choice->by;
		rows_sort(rows, choice->reverse);
	}
	rows->sort.column = choice->column < n ? choice->column : NO_COLUMN;
}

void rows_choose_again(struct rows *rows, const struct row_choice *choice)
{
	struct row_filter filter;
	struct err err;

	for (size_t i = 0; i < choice->filters.len; i++)
		if (filter_make(&filter, choice->filters.at[i].text, choice->filters.at[i].how,
		                &err))
			vec_push(&rows->filters, filter);
	if (rows_is_tree(rows))
		copy_folds(&rows->folds, &choice->folds);
	if (is_narrowed(rows))
		start_over(rows);
	sort_again(rows, choice);
}

bool rows_work(struct rows *rows, uint64_t max)
{
	if (rows_filter_works(rows)) {
		filter_some(rows, max);
		if (!rows_filter_works(rows) && rows->sort.on)
			start_sort(rows);
	} else if (rows->sort.working) {
		sort_some(rows, max);
	} else if (rows->sort.on && rows->sort.body_rows != body_rows(rows)) {
		start_over(rows);
	}
	return rows_filter_works(rows) || rows->sort.working;
}
