/*
 * The filters walk over the body once and append what passes; a filter that is typed on, as plain
 * text, walks over what it has let through and then from where it was.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/pattern.h"
#include "dump/base/mem.h"
#include "tui/row_parts.h"
#include "tui/rows_inner.h"

void row_filter_release(struct row_filter *filter)
{
	pattern_free(filter->pattern);
	free(filter->text);
	*filter = (struct row_filter){0};
}

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
	rows_stop_sort(rows);
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

bool row_filter_make(struct row_filter *filter, const char *text, enum regex_case how,
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

	if (!row_filter_make(&filter, text, how, err))
		return false;
	if (filter.pattern || rows->live.pattern) {
		bool fewer = filter.pattern && rows->live.pattern && how == rows->live.how &&
		             narrows(rows, text);

		row_filter_release(&rows->live);
		rows->live = filter;
		if (fewer)
			start_narrowing(rows);
		else
			rows_start_over(rows);
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
	row_filter_release(vec_last(&rows->filters));
	rows->filters.len--;
	rows_start_over(rows);
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
	if (row < doc_heading(rows->doc) || passes(rows, rows_head(rows) + row))
		vec_push(&rows->list, row);
}

void rows_filter_some(struct rows *rows, uint64_t max)
{
	uint64_t end = rows_of_body(rows), had = rows->list.len;

	if (max > 1)                     /* long rows take longer */
		max = max > row_parts(rows->doc) ? max / row_parts(rows->doc) : 1;
	for (; max && rows->next_passed < rows->passed.len; max--)
		filter_one(rows, rows->passed.at[rows->next_passed++]);
	if (end - rows->looked_at > max)
		end = rows->looked_at + max;
	for (; rows->looked_at < end && rows->list.len < ROWS_MAX; rows->looked_at++)
		if (!rows_folded_away(rows, rows->looked_at))
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
	return rows_narrowed(rows) && rows->list.len < ROWS_MAX &&
	       (rows->next_passed < rows->passed.len || rows->looked_at < rows_of_body(rows));
}
