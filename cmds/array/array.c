/*
 * Which line shows what is arithmetic. A row is what the innermost axis puts between two brackets;
 * it wraps into lines by the width of its elements. Where all elements have one width, all rows
 * have one height and so has what each axis encloses: a line number is divided down the axes.
 * Where widths differ (strings, small floats) the lines are walked through once, every CHECKPOINT
 * lines a spot is kept, and a line is found by walking on from the last spot before it. An axis
 * that is cut shows EDGE entries at both ends and dots between.
 */
#include "cmds/array/array.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/field.h"
#include "cmds/lang/number.h"
#include "dump/base/mem.h"
#include "dump/base/vec.h"

#define DEFAULT_WIDTH 75
#define THRESHOLD 2000          /* more elements than this are summarised */
#define EDGE 3
#define PREFIX "array("
#define PREFIX_LEN 6
#define CHECKPOINT 1024
#define READ_ELEMS 4096         /* of a line, at once */
#define SCAN_BYTES (256 * 1024)

struct axis {
	uint64_t dim;
	uint64_t shown;          /* entries, dots not counted */
	bool cut;
	uint64_t height;         /* lines of one entry, where widths are fixed */
	uint64_t gap;            /* blank lines between entries */
};

/* A line that begins with an item: an element of a row, or its dots. Rows count those shown. */
struct spot {
	uint64_t line, row, item;
};

struct place {
	enum { PLACE_ITEMS, PLACE_DOTS, PLACE_BLANK } kind;
	uint32_t axis;           /* PLACE_DOTS: the axis that is cut */
	struct spot spot;        /* where the line is or, between rows, the row before it */
};

/* What an element covers of its line. */
struct cell {
	size_t begin, end;
};

struct array {
	struct body body;
	struct value *value;
	struct view view;
	struct array_style style;
	struct field field;
	uint32_t rank;
	bool flat;               /* no rows: rank 0, or no elements */
	struct axis axis[SHAPE_MAX_RANK];
	uint64_t n_rows, n_items;        /* items: of each row, its dots too */
	uint64_t n_lines;                /* without the line of the dtype */
	struct str dtype;                /* "dtype=float32)"; empty if it goes without saying */
	bool dtype_below;                /* in a line of its own */
	VEC(struct spot) spots;          /* checkpoints */
	struct spot last;                /* the last that was found */
	VEC(struct cell) cells;          /* of the line that is made */
	struct str text;                 /* scratch */
	unsigned char *elems;            /* scratch: READ_ELEMS of them */
};

static struct array *array_of(struct body *body)
{
	return (struct array *)body;
}

/* The innermost axis. */
static const struct axis *row_axis(const struct array *a)
{
	return &a->axis[a->rank - 1];
}

static bool is_dots(const struct array *a, uint64_t item)
{
	return item == EDGE && row_axis(a)->cut;
}

/* Indices along an axis of its nth shown entry, and of an item of a row that is not the dots. */
static uint64_t entry_index(const struct axis *axis, uint64_t entry)
{
	return axis->cut && entry >= EDGE ? axis->dim - 2 * EDGE + entry : entry;
}

static uint64_t item_index(const struct array *a, uint64_t item)
{
	const struct axis *axis = row_axis(a);

	return axis->cut && item > EDGE ? axis->dim - 2 * EDGE - 1 + item : item;
}

/* Index of the first element of a row. */
static void row_index(const struct array *a, uint64_t row, int64_t *index)
{
	index[a->rank - 1] = 0;
	for (uint32_t k = a->rank - 1; k-- > 0; row /= a->axis[k].shown)
		index[k] = (int64_t)entry_index(&a->axis[k], row % a->axis[k].shown);
}

/* The same as its position in the view. */
static uint64_t row_start(const struct array *a, uint64_t row)
{
	int64_t index[SHAPE_MAX_RANK];
	uint64_t at = 0;

	row_index(a, row, index);
	for (uint32_t k = 0; k < a->rank; k++)
		at = at * a->axis[k].dim + (uint64_t)index[k];
	return at;
}

/* The brackets that a row opens, or closes if `closing`. */
static uint32_t brackets(const struct array *a, uint64_t row, bool closing)
{
	uint32_t n = 1;

	for (uint32_t k = a->rank - 1; k-- > 0; n++) {
		uint64_t shown = a->axis[k].shown;

		if (row % shown != (closing ? shown - 1 : 0))
			break;
		row /= shown;
	}
	return n;
}

/* Text of one element that is not read yet. */
static bool put_element(struct array *a, uint64_t at, struct str *out, struct err *err)
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
	if (!put_element(a, row_start(a, row) + item_index(a, item), &a->text, err))
		return false;
	*width = a->text.len;
	return true;
}

/* The item after the line that begins with `item`. */
static bool line_end(struct array *a, uint64_t row, uint64_t item, uint64_t *end, struct err *err)
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
 * Between a row and the next: blank lines, and if an axis goes over its dots, a line of them and
 * blank lines again.
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

	if (!line_end(a, spot->row, spot->item, &end, err))
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
 * The last known spot that is not beyond a line or, if at is given, not beyond that row and item.
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

/* What stands `after` lines below the line of a spot; 0 is that line itself. */
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

/* Widths differ: walk. */
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
 * Lines before an entry of an axis, and the entry that begins at a line or is the last one before
 * it.
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
		line -= 1 + axis->gap; /* on the dots this leads back into the entry before them */
	return line / step;
}

/*
 * All elements have one width: divide the line number by the heights, from the outermost axis
 * inwards.
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
			if (!line_end(a, spot.row, spot.item, &spot.item, err))
				return false;
	} else {
		if (!line_end(a, spot.row, 0, &fit, err))
			return false;
		spot.item = left * fit;
	}
	*place = place_below(a, &spot, line - spot.line);
	return true;
}

static bool place_of(struct array *a, uint64_t line, struct place *place, struct err *err)
{
	return a->field.width ? place_by_height(a, line, place, err)
	                      : place_by_walking(a, line, place, err);
}

/* Notes: tfdbg counts what a line begins with by the commas of the lines before it. */

static bool dots_alone(struct array *a, uint64_t row, bool *alone, struct err *err)
{
	uint64_t item = 0, end = 0;

	while (end <= EDGE) {
		item = end;
		if (!line_end(a, row, item, &end, err))
			return false;
	}
	*alone = item == EDGE && end == EDGE + 1;
	return true;
}

static bool note_items(struct array *a, const struct spot *spot, uint64_t end, struct line *line,
                       struct err *err)
{
	int64_t commas = a->field.type->kind == KIND_QUANT ? 2 : 1;     /* "(5,)," has two */
	const struct axis *axis = row_axis(a);
	int64_t item = (int64_t)spot->item, *last = &line->index[a->rank - 1];
	bool alone = false;

	row_index(a, spot->row, line->index);
	line->rank = a->rank;
	line->note = NOTE_INDEX;
	*last = item * commas;
	if (!axis->cut || item < EDGE)
		return true;
	if (item == EDGE) {
		if (end == EDGE + 1)
			line->note = NOTE_OMITTED;
		return true;
	}
	if (!dots_alone(a, spot->row, &alone, err))
		return false;
	*last = (item - EDGE - 1) * commas +
	        (alone ? (int64_t)axis->dim - EDGE : EDGE * commas + 1);
	return true;
}

static void note_dots(const struct array *a, const struct place *place, struct line *line)
{
	row_index(a, place->spot.row, line->index);
	line->index[place->axis] = EDGE;
	for (uint32_t k = place->axis + 1; k < a->rank; k++)
		line->index[k] = 0;
	line->rank = a->rank;
	line->note = NOTE_OMITTED;
}

/* Making lines. */

/*
 * Bold elements are found as tfdbg finds them: the nth number of a line is the nth element from
 * its note on; so none after dots in the same line, and none above the line of the dtype, which
 * has the same note.
 */
static bool mark_cells(struct array *a, const struct spot *spot, uint64_t end, struct line *line,
                       struct err *err)
{
	uint64_t at = (uint64_t)line->index[a->rank - 1], n = end - spot->item;
	uint64_t dim = row_axis(a)->dim;
	size_t bytes = a->field.type->elem_bytes;

	if (!a->style.marked || a->field.type->kind == KIND_STRING ||
	    a->field.type->kind == KIND_QUANT)
		return true;
	if (a->dtype_below && spot->row == a->n_rows - 1 && end == a->n_items)
		return true;
	if (row_axis(a)->cut && spot->item <= EDGE && end > EDGE)
		n = EDGE - spot->item;
	if (n > dim - at)
		n = dim - at;
	for (uint64_t done = 0; done < n; done += READ_ELEMS) {
		size_t some = n - done < READ_ELEMS ? (size_t)(n - done) : READ_ELEMS;

		if (!view_read(&a->view, row_start(a, spot->row) + at + done, some, a->elems, err))
			return false;
		for (size_t i = 0; i < some; i++)
			if (a->style.marked(a->style.ctx, a->field.type, a->elems + i * bytes))
				line_mark(line, ROLE_STRONG, a->cells.at[done + i].begin,
				          a->cells.at[done + i].end);
	}
	return true;
}

/* Remembers what an element covers from `begin` on, blanks around it left out. */
static void add_cell(struct array *a, const struct line *line, size_t begin)
{
	struct cell *cell = vec_add(&a->cells);

	cell->begin = begin;
	cell->end = line->text.len;
	while (cell->begin < cell->end && line->text.text[cell->begin] == ' ')
		cell->begin++;
	while (cell->begin < cell->end && line->text.text[cell->end - 1] == ' ')
		cell->end--;
}

static void put_separator(const struct array *a, uint64_t item, uint64_t end, struct line *line)
{
	if (item + 1 < a->n_items)
		str_puts(&line->text, item + 1 < end ? ", " : ",");
}

/* Items [item, end) of a row, none of them dots, all read at once. */
static bool put_some(struct array *a, uint64_t row, uint64_t item, uint64_t n, uint64_t end,
                     struct line *line, struct err *err)
{
	uint64_t at = row_start(a, row) + item_index(a, item);
	bool one_by_one = a->field.type->kind == KIND_STRING;

	if (!one_by_one && !view_read(&a->view, at, (size_t)n, a->elems, err))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		size_t begin = line->text.len;

		if (!one_by_one)
			field_put(&a->field, a->elems + i * a->field.type->elem_bytes,
			          &line->text);
		else if (!put_element(a, at + i, &line->text, err))
			return false;
		add_cell(a, line, begin);
		put_separator(a, item + i, end, line);
	}
	return true;
}

static bool put_items(struct array *a, const struct spot *spot, uint64_t end, struct line *line,
                      struct err *err)
{
	uint64_t n;

	a->cells.len = 0;
	for (uint64_t item = spot->item; item < end; item += n) {
		if (is_dots(a, item)) {
			size_t begin = line->text.len;

			line_put(line, ROLE_PLAIN, "...", 3);
			add_cell(a, line, begin);
			put_separator(a, item, end, line);
			n = 1;
			continue;
		}
		n = end - item < READ_ELEMS ? end - item : READ_ELEMS;
		if (row_axis(a)->cut && item < EDGE && item + n > EDGE)
			n = EDGE - item;
		if (!put_some(a, spot->row, item, n, end, line, err))
			return false;
	}
	return true;
}

/*
 * A line of a row with its brackets and its note; the array's last closing bracket is the end of
 * it.
 */
static bool put_row_line(struct array *a, const struct spot *spot, struct line *line,
                         struct err *err)
{
	uint32_t opened = spot->item ? 0 : brackets(a, spot->row, false);
	uint32_t closed;
	uint64_t end;

	if (!line_end(a, spot->row, spot->item, &end, err))
		return false;
	if (opened == a->rank)
		str_puts(&line->text, PREFIX);
	else
		str_fill(&line->text, ' ', PREFIX_LEN + a->rank - opened);
	str_fill(&line->text, '[', opened);
	if (!put_items(a, spot, end, line, err) || !note_items(a, spot, end, line, err) ||
	    !mark_cells(a, spot, end, line, err))
		return false;
	if (end < a->n_items)
		return true;
	closed = brackets(a, spot->row, true);
	str_fill(&line->text, ']', closed);
	if (closed < a->rank)
		str_putc(&line->text, ',');
	return true;
}

/* The only line of an array without rows. */
static bool put_flat(struct array *a, struct line *line, struct err *err)
{
	size_t begin = PREFIX_LEN;

	str_puts(&line->text, PREFIX);
	if (a->rank) {
		str_puts(&line->text, "[]");
		if (a->rank > 1) {
			str_puts(&line->text, ", shape=");
			put_shape(&line->text, &a->view.shape);
		}
		line->note = NOTE_INDEX;
		line->rank = a->rank;
		memset(line->index, 0, sizeof line->index);
		return true;
	}
	if (!put_element(a, 0, &line->text, err))
		return false;
	if (a->style.marked && a->field.type->kind != KIND_STRING &&
	    a->style.marked(a->style.ctx, a->field.type, a->elems))
		line_mark(line, ROLE_STRONG, begin, line->text.len);
	return true;
}

/* A line without what follows the array's last bracket. */
static bool put_array_line(struct array *a, uint64_t row, struct line *line, struct err *err)
{
	struct place place;

	if (a->flat)
		return put_flat(a, line, err);
	if (!place_of(a, row, &place, err))
		return false;
	if (place.kind == PLACE_ITEMS)
		return put_row_line(a, &place.spot, line, err);
	if (place.kind == PLACE_DOTS) {
		note_dots(a, &place, line);
		str_fill(&line->text, ' ', PREFIX_LEN + 1 + place.axis);
		str_puts(&line->text, "...,");
	}
	return true;
}

static bool array_line(struct body *body, uint64_t row, int width, struct line *line,
                       struct err *err)
{
	struct array *a = array_of(body);
	bool below = row == a->n_lines;

	(void)width;    /* lines were broken when the array was laid out */
	line_reset(line);
	if (!put_array_line(a, below ? row - 1 : row, line, err))
		return false;
	if (below) {
		str_reset(&line->text);
		line->segs.len = 0;
		str_fill(&line->text, ' ', PREFIX_LEN);
		str_put(&line->text, a->dtype.text, a->dtype.len);
	} else if (row == a->n_lines - 1) {
		if (!a->dtype.len)
			str_putc(&line->text, ')');
		else if (a->dtype_below)
			str_putc(&line->text, ',');
		else
			str_fmt(&line->text, ", %s", a->dtype.text);
	}
	return true;
}

static uint64_t array_rows(struct body *body)
{
	struct array *a = array_of(body);

	return a->n_lines + a->dtype_below;
}

/* The item of the innermost axis that shows an index, dots for those left out. */
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
		if (!line_end(a, row, 0, &next.item, NULL))
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

static bool array_find(struct body *body, const int64_t *index, uint32_t rank, uint64_t *found)
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

static void array_free(struct body *body)
{
	struct array *a = array_of(body);

	value_close(a->value);
	vec_release(&a->spots);
	vec_release(&a->cells);
	str_release(&a->text);
	str_release(&a->dtype);
	free(a->elems);
	free(a);
}

/* Laying out. */

static const struct body_kind array_kind = {
	.name = "array",
	.rows = array_rows,
	.line = array_line,
	.find = array_find,
	.free = array_free,
};

/*
 * The displayed elements as stretches of the view. Outside the innermost axis that is cut all axes
 * are stepped through entry by entry; what lies inside of it is read through.
 */
struct stretches {
	uint32_t outer;          /* axes that are stepped through */
	uint64_t inner;          /* elements of one step of the last of them */
	uint64_t total;          /* displayed elements */
};

static struct stretches stretches_of(const struct array *a)
{
	struct stretches s = { .outer = a->rank, .inner = 1, .total = 1 };

	while (s.outer > 0 && !a->axis[s.outer - 1].cut)
		s.inner *= a->axis[--s.outer].dim;
	for (uint32_t k = 0; k < a->rank; k++)
		s.total *= a->axis[k].shown;
	return s;
}

/* Where in the view the nth stretch begins. */
static uint64_t stretch_start(const struct array *a, const struct stretches *s, uint64_t n)
{
	uint64_t at = 0, step = s->inner;

	for (uint32_t k = s->outer; k-- > 0; n /= a->axis[k].shown) {
		at += entry_index(&a->axis[k], n % a->axis[k].shown) * step;
		step *= a->axis[k].dim;
	}
	return at;
}

/* Decides how elements are written. */
static bool settle_field(struct array *a, struct progress *progress, struct err *err)
{
	struct stretches s = stretches_of(a);
	size_t bytes = a->field.type->elem_bytes;
	size_t room = s.inner < SCAN_BYTES / bytes ? (size_t)s.inner : SCAN_BYTES / bytes;
	unsigned char *elems = mem_alloc(room * bytes);
	struct field_scan scan;
	bool ok = true;

	field_scan_start(&scan, a->field.type);
	for (uint64_t n = 0, done = 0; ok && done < s.total; n++) {
		uint64_t at = stretch_start(a, &s, n);

		for (uint64_t off = 0; ok && off < s.inner; off += room) {
			size_t some = s.inner - off < room ? (size_t)(s.inner - off) : room;

			ok = view_read(&a->view, at + off, some, elems, err);
			if (ok)
				field_scan_add(&scan, elems, some);
			done += some;
			if (ok && (n % 256 == 0 || some == room) &&
			    !progress_step(progress, done, s.total))
				ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		}
	}
	field_settle(&a->field, &scan, a->rank);
	free(elems);
	return ok;
}

/* All elements have one width: heights from the innermost axis outwards. */
static bool stack_heights(struct array *a, struct err *err)
{
	uint64_t item = 0, height = 0, rows, dots;

	if (row_axis(a)->cut) {
		for (; item < a->n_items; height++)
			if (!line_end(a, 0, item, &item, err))
				return false;
	} else {
		if (!line_end(a, 0, 0, &item, err))
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

/* Widths differ: one walk through all lines. */
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

static void set_axes(struct array *a)
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

/*
 * "dtype=..." unless numpy takes it for granted, and below the last line if it does not fit there.
 */
static bool settle_dtype(struct array *a, struct err *err)
{
	struct line line = { 0 };
	bool ok;

	switch (a->field.type->dtype) {
	case DTYPE_INT64:
	case DTYPE_FLOAT64:
	case DTYPE_COMPLEX128:
	case DTYPE_BOOL:
		if (a->view.count)
			return true;
		break;
	default:
		break;
	}
	str_fmt(&a->dtype, "dtype=%s)", a->field.type->prints);
	ok = put_array_line(a, a->n_lines - 1, &line, err);
	a->dtype_below = line.text.len + strlen(", ") + a->dtype.len > (size_t)a->style.width;
	line_release(&line);
	return ok;
}

static bool lay_out(struct array *a, struct progress *progress, struct err *err)
{
	bool is_text = a->field.type->kind == KIND_STRING;

	if (a->field.type->kind == KIND_OPAQUE || a->value->state != VALUE_ARRAY)
		return err_at(err, ERR_TYPE, a->value->path, 0, "the value is no array");
	set_axes(a);
	if (!is_text)
		a->elems = mem_alloc(READ_ELEMS * a->field.type->elem_bytes);
	if (!is_text && a->view.count && !settle_field(a, progress, err))
		return false;
	a->flat = !a->rank || !a->view.count;
	if (a->flat)
		a->n_lines = 1;
	else if (!(a->field.width ? stack_heights(a, err) : walk_lines(a, progress, err)))
		return false;
	return settle_dtype(a, err);
}

struct body *array_body(struct value *value, const struct view *view,
                        const struct array_style *style, struct progress *progress,
                        struct err *err)
{
	struct array *a = mem_alloc(sizeof *a);

	assert(view->value == value);
	a->body.kind = &array_kind;
	a->value = value;
	a->view = *view;
	a->style = *style;
	if (a->style.width <= 0)
		a->style.width = DEFAULT_WIDTH;
	a->rank = view->shape.rank;
	a->field.type = value->type;
	if (lay_out(a, progress, err))
		return &a->body;
	array_free(&a->body);
	return NULL;
}

void put_shape(struct str *out, const struct shape *shape)
{
	str_putc(out, '(');
	for (uint32_t k = 0; k < shape->rank; k++)
		str_fmt(out, k ? ", %" PRId64 : "%" PRId64, shape->dim[k]);
	str_puts(out, shape->rank == 1 ? ",)" : ")");
}
