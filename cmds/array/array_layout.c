/*
 * Finding what a line shows. A row is what the innermost axis has between two brackets; it wraps
 * into lines by the width of its elements. If all elements have the same width, all rows have the
 * same height, and so have the entries of every axis: the line number is divided by these heights.
 * If widths differ (strings, small floats), all lines are walked through once, a spot is kept
 * every CHECKPOINT lines, and a line is found by walking on from the last spot before it. An axis
 * that is cut shows EDGE entries at both ends, and dots between.
 */
#include "cmds/array/array_parts.h"

#include <string.h>

#include "cmds/lang/number.h"

#define THRESHOLD 2000          /* arrays with more elements leave some out */
#define CHECKPOINT 1024

void array_row_index(const struct array *a, uint64_t row, int64_t *index)
{
	index[a->rank - 1] = 0;
	for (uint32_t k = a->rank - 1; k-- > 0; row /= a->axis[k].shown)
		index[k] = (int64_t)entry_index(&a->axis[k], row % a->axis[k].shown);
}

uint64_t array_row_start(const struct array *a, uint64_t row)
{
	int64_t index[SHAPE_MAX_RANK];
	uint64_t at = 0;

	array_row_index(a, row, index);
	for (uint32_t k = 0; k < a->rank; k++)
		at = at * a->axis[k].dim + (uint64_t)index[k];
	return at;
}

bool array_put_element(struct array *a, uint64_t at, struct str *out, struct err *err)
{
	const char *text;
	size_t len;

	if (a->field.type->kind == KIND_STRING) {
		if (!view_string(&a->view, at, &text, &len, err))
			return false;
		put_bytes_literal(out, text, len);
		return true;
	}
	if (!view_read(&a->view, at, 1, a->elems, err))
		return false;
	field_put(&a->field, a->elems, out);
	return true;
}

static bool item_width(struct array *a, uint64_t row, uint64_t item, size_t *width,
                       struct err *err)
{
	*width = is_dots(a, item) ? strlen("...") : (size_t)a->field.width;
	if (*width)
		return true;
	str_reset(&a->text);
	if (!array_put_element(a, array_row_start(a, row) + item_index(a, item), &a->text, err))
		return false;
	*width = a->text.len;
	return true;
}

bool array_line_end(struct array *a, uint64_t row, uint64_t item, uint64_t *end, struct err *err)
{
	int64_t room = (int64_t)a->style.width - 1 - (int64_t)a->rank;
	int64_t used = PREFIX_LEN + (int64_t)a->rank;
	size_t width;

	if (a->field.width && !row_axis(a)->cut) {
		int64_t each = a->field.width;
		uint64_t fit = 1;

		if (room - used > each)
			fit += (uint64_t)((room - used - each) / (each + 2));
		*end = fit < a->n_items - item ? item + fit : a->n_items;
		return true;
	}
	for (*end = item; *end < a->n_items; ++*end) {
		if (!item_width(a, row, *end, &width, err))
			return false;
		if (*end > item && used + (int64_t)width > room)
			break;
		used += (int64_t)width + 2;
	}
	return true;
}

/* Finding lines. */

/*
 * What is between a row and the next: blank lines and, where an axis leaves out entries, a line of
 * dots and blank lines again.
 */
struct between {
	uint32_t axis;
	bool dots;
	uint64_t lines;
};

static struct between between_rows(const struct array *a, uint64_t row)
{
	struct between b = { 0 };
	uint32_t k = a->rank - 2;

	for (; row % a->axis[k].shown == a->axis[k].shown - 1; k--)
		row /= a->axis[k].shown;
	b.axis = k;
	b.dots = a->axis[k].cut && row % a->axis[k].shown == EDGE - 1;
	b.lines = a->axis[k].gap + (b.dots ? 1 + a->axis[k].gap : 0);
	return b;
}

/* The next line with items. At the end spot->row is n_rows. */
static bool spot_next(struct array *a, struct spot *spot, struct err *err)
{
	uint64_t end;

	if (!array_line_end(a, spot->row, spot->item, &end, err))
		return false;
	spot->line++;
	spot->item = end;
	if (end < a->n_items)
		return true;
	spot->item = 0;
	if (++spot->row < a->n_rows)
		spot->line += between_rows(a, spot->row - 1).lines;
	return true;
}

static bool spot_before(const struct spot *spot, const struct spot *other)
{
	return spot->row < other->row || (spot->row == other->row && spot->item <= other->item);
}

/*
 * The last known spot up to a line or, if `at` is given, up to its row and item.
 */
static struct spot known_spot(const struct array *a, uint64_t line, const struct spot *at)
{
	size_t low = 0, high = a->spots.len;
	struct spot best;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		const struct spot *spot = &a->spots.at[mid];

		if (at ? spot_before(spot, at) : spot->line <= line)
			low = mid;
		else
			high = mid;
	}
	best = a->spots.at[low];
	if ((at ? spot_before(&a->last, at) : a->last.line <= line) && a->last.line > best.line)
		best = a->last;
	return best;
}

/* What is `after` lines below the line of a spot; 0 is that line itself. */
static struct place place_below(const struct array *a, const struct spot *spot, uint64_t after)
{
	struct place place = { .kind = PLACE_ITEMS, .spot = *spot };
	struct between b;

	if (!after)
		return place;
	b = between_rows(a, spot->row);
	place.kind = b.dots && after - 1 == a->axis[b.axis].gap ? PLACE_DOTS : PLACE_BLANK;
	place.axis = b.axis;
	return place;
}

/* If widths differ. */
static bool place_by_walking(struct array *a, uint64_t line, struct place *place, struct err *err)
{
	struct spot spot = known_spot(a, line, NULL), next = spot;

	for (;;) {
		if (!spot_next(a, &next, err))
			return false;
		if (next.row == a->n_rows || next.line > line)
			break;
		spot = next;
	}
	a->last = spot;
	*place = place_below(a, &spot, line - spot.line);
	return true;
}

/*
 * entry_line: the number of lines before an entry of an axis. The other way: the last entry that
 * begins at a line or before it.
 */
static uint64_t entry_line(const struct axis *axis, uint64_t entry)
{
	return entry * (axis->height + axis->gap) +
	       (axis->cut && entry >= EDGE ? 1 + axis->gap : 0);
}

static uint64_t entry_at(const struct axis *axis, uint64_t line)
{
	uint64_t step = axis->height + axis->gap;

	if (axis->cut && line >= EDGE * step)
		line -= 1 + axis->gap; /* on the dots this gives the entry before them */
	return line / step;
}

/*
 * If all elements have the same width: divides the line number by the heights, from the outermost
 * axis inwards.
 */
static bool place_by_height(struct array *a, uint64_t line, struct place *place, struct err *err)
{
	struct spot spot = { .line = line };
	uint64_t left = line, fit;

	for (uint32_t k = 0; k + 1 < a->rank; k++) {
		const struct axis *axis = &a->axis[k];
		uint64_t entry = entry_at(axis, left);

		left -= entry_line(axis, entry);
		if (left >= axis->height) { /* between two entries: the last line of the first */
			spot.line -= left - (axis->height - 1);
			left = axis->height - 1;
		}
		spot.row = spot.row * axis->shown + entry;
	}
	if (row_axis(a)->cut) {
		for (; left; left--)
			if (!array_line_end(a, spot.row, spot.item, &spot.item, err))
				return false;
	} else {
		if (!array_line_end(a, spot.row, 0, &fit, err))
			return false;
		spot.item = left * fit;
	}
	*place = place_below(a, &spot, line - spot.line);
	return true;
}

bool array_place(struct array *a, uint64_t line, struct place *place, struct err *err)
{
	return a->field.width ? place_by_height(a, line, place, err)
	                      : place_by_walking(a, line, place, err);
}

/* From an element to its line. */

/* The item of the innermost axis for an index; the dots if it is left out. */
static uint64_t item_of(const struct array *a, uint64_t index)
{
	const struct axis *axis = row_axis(a);

	if (!axis->cut || index < EDGE)
		return index;
	return index < axis->dim - EDGE ? EDGE : index - (axis->dim - 2 * EDGE - 1);
}

/* The line of a row that has an item on it. */
static bool find_item(struct array *a, uint64_t line, uint64_t row, uint64_t item, uint64_t *found)
{
	struct spot at = { .row = row, .item = item }, spot = { .line = line, .row = row }, next;

	if (!a->field.width) {
		spot = known_spot(a, 0, &at);
	} else if (!row_axis(a)->cut) {
		if (!array_line_end(a, row, 0, &next.item, NULL))
			return false;
		*found = line + item / next.item;
		return true;
	}
	for (next = spot; next.row < a->n_rows && spot_before(&next, &at);) {
		spot = next;
		if (!spot_next(a, &next, NULL))
			return false;
	}
	*found = spot.line;
	return true;
}

bool array_find(struct body *body, const int64_t *index, uint32_t rank, uint64_t *found)
{
	struct array *a = array_of(body);
	uint64_t line = 0, row = 0, entry, dots = 0;

	if (a->flat || rank != a->rank)
		return false;
	for (uint32_t k = 0; k < rank; k++)
		if (index[k] < 0 || (uint64_t)index[k] >= a->axis[k].dim)
			return false;
	for (uint32_t k = 0; k + 1 < rank; k++) {
		const struct axis *axis = &a->axis[k];

		entry = (uint64_t)index[k];
		if (axis->cut && entry >= EDGE && entry < axis->dim - EDGE) {
			dots = 1 + axis->gap;   /* lines below the last row before them */
			entry = EDGE - 1;
		} else if (axis->cut && entry >= EDGE) {
			entry -= axis->dim - 2 * EDGE;
		}
		line += entry_line(axis, entry);
		row = row * axis->shown + entry;
		if (!dots)
			continue;
		line += axis->height - 1;
		for (k++; k + 1 < rank; k++)
			row = row * a->axis[k].shown + a->axis[k].shown - 1;
		if (!a->field.width && !find_item(a, 0, row, a->n_items - 1, &line))
			return false;
		*found = line + dots;
		return true;
	}
	return find_item(a, line, row, item_of(a, (uint64_t)index[rank - 1]), found);
}

/* Counting lines. */

/* If all elements have the same width: heights, from the innermost axis outwards. */
static bool stack_heights(struct array *a, struct err *err)
{
	uint64_t item = 0, height = 0, rows, dots;

	if (row_axis(a)->cut) {
		for (; item < a->n_items; height++)
			if (!array_line_end(a, 0, item, &item, err))
				return false;
	} else {
		if (!array_line_end(a, 0, 0, &item, err))
			return false;
		height = (a->n_items - 1) / item + 1;
	}
	for (uint32_t k = a->rank - 1; k-- > 0;) {
		struct axis *axis = &a->axis[k];

		axis->height = height;
		dots = axis->cut ? 1 + axis->gap : 0;
		if (__builtin_mul_overflow(axis->shown, height + axis->gap, &rows) ||
		    __builtin_add_overflow(rows, dots, &rows) || rows > INT64_MAX)
			return err_at(err, ERR_LIMIT, a->value->path, 0,
			              "the array has too many lines");
		height = rows - axis->gap;
	}
	a->n_lines = height;
	return true;
}

/* If widths differ: one walk through all lines. */
static bool walk_lines(struct array *a, struct progress *progress, struct err *err)
{
	struct spot spot = { 0 }, before = spot;

	vec_push(&a->spots, spot);
	for (uint64_t n = 0; spot.row < a->n_rows; n++) {
		before = spot;
		if (spot.line - vec_last(&a->spots)->line >= CHECKPOINT)
			vec_push(&a->spots, spot);
		if (n % 256 == 0 && !progress_step(progress, spot.row, a->n_rows))
			return err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		if (!spot_next(a, &spot, err))
			return false;
	}
	a->n_lines = before.line + 1;
	return true;
}

void array_set_axes(struct array *a)
{
	bool summary = !a->style.all && a->view.count > THRESHOLD;

	a->n_rows = 1;
	for (uint32_t k = 0; k < a->rank; k++) {
		struct axis *axis = &a->axis[k];

		axis->dim = (uint64_t)a->view.shape.dim[k];
		axis->cut = summary && axis->dim > 2 * EDGE;
		axis->shown = axis->cut ? 2 * EDGE : axis->dim;
		axis->gap = k + 2 < a->rank ? a->rank - k - 2 : 0;
		if (k + 1 < a->rank)
			a->n_rows *= axis->shown;
	}
	if (a->rank)
		a->n_items = row_axis(a)->shown + row_axis(a)->cut;
}

bool array_count_lines(struct array *a, struct progress *progress, struct err *err)
{
	return a->field.width ? stack_heights(a, err) : walk_lines(a, progress, err);
}
