/*
 * The sort takes the rows that show with their keys and merges runs of 1, 2, 4 ... items: stable,
 * and it can stop after any item to let a key be answered.
 */
#include <math.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "dump/base/utf8.h"
#include "tui/glyphs.h"
#include "tui/rows_inner.h"

void rows_stop_sort(struct rows *rows)
{
	struct row_sort *sort = &rows->sort;

	sort->working = false;
	vec_release(&sort->items);
	vec_release(&sort->merged);
	str_release(&sort->texts);
}

void rows_start_sort(struct rows *rows)
{
	rows_stop_sort(rows);
	rows->sort.working = true;
	rows->sort.taken = 0;
	rows->sort.width = 0;
	rows->sort.body_rows = rows_of_body(rows);
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

void rows_mark_heading(const struct rows *rows, struct line *line)
{
	const struct row_sort *sort = &rows->sort;
	size_t begin, end;

	if (find_heading(rows, sort->column, line, &begin, &end))
		line_mark(line, ROLE_STRONG, begin, end);
	if (sort->on && find_heading(rows, sort->by, line, &begin, &end))
		put_sign(line, end, glyph(sort->reverse ? GLYPH_DOWNWARD : GLYPH_UPWARD));
}

/* Columns. */

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

	if (!rows_columns(rows, &n) || !n || rows_of_body(rows) > ROWS_MAX)
		return false;
	if (sort->column >= n)
		sort->column = 0;
	sort->reverse = reversed && !(sort->on && sort->by == sort->column && sort->reverse);
	sort->on = true;
	sort->by = sort->column;
	if (!rows_filter_works(rows))
		rows_start_sort(rows);
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

	if (at + 1 != rows_head(rows))
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
	rows_stop_sort(rows);
}

void rows_sort_some(struct rows *rows, uint64_t max)
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
