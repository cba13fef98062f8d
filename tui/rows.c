#include "tui/rows.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tui/rows_inner.h"

uint64_t rows_head(const struct rows *rows)
{
	return rows->doc && doc_get_body(rows->doc) ? doc_body_row(rows->doc) : 0;
}

uint64_t rows_of_body(const struct rows *rows)
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

bool rows_narrowed(const struct rows *rows)
{
	return rows_filtered(rows) || rows->folds.inverted || rows->folds.rows.len;
}

/* The list and what works on it. */

void rows_start_over(struct rows *rows)
{
	rows_stop_sort(rows);
	rows->version++;
	rows->looked_at = 0;
	rows->below = 0;
	rows->next_passed = 0;
	vec_release(&rows->passed);
	rows->listed = rows_narrowed(rows);
	if (rows->listed)
		rows->list.len = 0;
	else
		vec_release(&rows->list);
	if (rows->sort.on && !rows->listed)
		rows_start_sort(rows);
}

void rows_release(struct rows *rows)
{
	rows_stop_sort(rows);
	row_filter_release(&rows->live);
	for (size_t i = 0; i < rows->filters.len; i++)
		row_filter_release(&rows->filters.at[i]);
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

	return rows->listed ? all - rows_of_body(rows) + rows->list.len : all;
}

uint64_t rows_kept(const struct rows *rows, uint64_t *all)
{
	*all = rows_of_body(rows);
	return rows->listed ? rows->list.len : *all;
}

uint64_t rows_row(const struct rows *rows, uint64_t at)
{
	uint64_t before = rows_head(rows);

	if (!rows->listed || at < before)
		return at;
	if (at - before < rows->list.len)
		return before + rows->list.at[at - before];
	return at - rows->list.len + rows_of_body(rows);
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
	uint64_t before = rows_head(rows), body = rows_of_body(rows);

	if (!rows->listed || row < before)
		return row;
	if (row - before < body)
		return before + find_in_list(rows, row - before);
	return row - body + rows->list.len;
}

void rows_line(const struct rows *rows, uint64_t at, int width, struct line *line)
{
	if (doc_stage(rows->doc))
		doc_line_staged(rows->doc, rows_row(rows, at), &rows->stage, width, line);
	else
		doc_line_from(rows->doc, rows_row(rows, at), rows->column, width, line);
	if (rows->sort.column != NO_COLUMN && at + 1 == rows_head(rows))
		rows_mark_heading(rows, line);
	if (rows->folds.inverted || rows->folds.rows.len)
		rows_put_folded(rows, rows_row(rows, at), line);
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
		if (row_filter_make(&filter, choice->filters.at[i].text,
		                    choice->filters.at[i].how, &err))
			vec_push(&rows->filters, filter);
	if (rows_is_tree(rows))
		copy_folds(&rows->folds, &choice->folds);
	if (rows_narrowed(rows))
		rows_start_over(rows);
	sort_again(rows, choice);
}

bool rows_work(struct rows *rows, uint64_t max)
{
	if (rows_filter_works(rows)) {
		rows_filter_some(rows, max);
		if (!rows_filter_works(rows) && rows->sort.on)
			rows_start_sort(rows);
	} else if (rows->sort.working) {
		rows_sort_some(rows, max);
	} else if (rows->sort.on && rows->sort.body_rows != rows_of_body(rows)) {
		rows_start_over(rows);
	}
	return rows_filter_works(rows) || rows->sort.working;
}
