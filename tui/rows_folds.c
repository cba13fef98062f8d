#include <inttypes.h>
#include <string.h>

#include "tui/rows_inner.h"

bool rows_is_tree(const struct rows *rows)
{
	struct body *body = rows->doc ? doc_get_body(rows->doc) : NULL;

	return body && body->kind->depth;
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
	rows_start_over(rows);
}

static bool has_subtree(const struct rows *rows, uint64_t body_row)
{
	uint32_t depth = depth_of(rows, body_row);

	return depth && depth_of(rows, body_row + 1) > depth;
}

uint64_t rows_fold(struct rows *rows, uint64_t row)
{
	uint64_t at = row - rows_head(rows);
	uint32_t depth;

	if (!rows_is_tree(rows) || row < rows_head(rows) || !depth_of(rows, at))
		return NO_ROW;
	depth = depth_of(rows, at);
	if (!has_subtree(rows, at) || is_folded(rows, at)) {
		while (at > 0 && depth_of(rows, at) >= depth)
			at--;
		if (depth_of(rows, at) >= depth)
			return NO_ROW;
	}
	toggle_fold(rows, at);
	return at + rows_head(rows);
}

void rows_unfold(struct rows *rows, uint64_t row)
{
	uint64_t at = row - rows_head(rows);

	if (row >= rows_head(rows) && has_subtree(rows, at) && is_folded(rows, at))
		toggle_fold(rows, at);
}

uint64_t rows_fold_all(struct rows *rows, bool fold, uint64_t row)
{
	if (!rows_is_tree(rows))
		return row;
	rows->folds.rows.len = 0;
	rows->folds.inverted = fold;
	rows_start_over(rows);
	while (fold && row > rows_head(rows) && depth_of(rows, row - rows_head(rows)) > 1)
		row--;
	return row;
}

bool rows_folded_away(struct rows *rows, uint64_t body_row)
{
	uint32_t depth = depth_of(rows, body_row);

	if (rows->below && depth > rows->below)
		return true;
	rows->below = depth && is_folded(rows, body_row) ? depth : 0;
	return false;
}

void rows_put_folded(const struct rows *rows, uint64_t row, struct line *line)
{
	uint64_t at = row - rows_head(rows), end = at + 1;
	uint32_t depth = row < rows_head(rows) ? 0 : depth_of(rows, at);

	if (!depth || !is_folded(rows, at))
		return;
	while (depth_of(rows, end) > depth)
		end++;
	if (end - at > 1)
		line_fmt(line, ROLE_PLAIN, " [+%" PRIu64 "]", end - at - 1);
}
