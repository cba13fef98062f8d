/*
 * All cells have the width that their dtype may need in the chosen form. So a line can be made
 * without looking at any other, and columns stay in place while rows scroll.
 */
#include "cmds/array/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/lang/number.h"
#include "dump/base/mem.h"

#define MAX_ELEM_BYTES 16
#define AT_ONCE 8192            /* elements read in one go while looking for bad ones */
#define TEXT_COLUMNS 16         /* columns of a string; longer ones are cut */
#define CUT_MARK ">"
#define MORE_MARK " ..."
#define LABEL_LOOKS (1 << 20)    /* elements of a row that are looked at for its label */

struct grid {
	struct body body;
	struct value *value;
	struct view view;
	struct grid_style style;
	size_t label_width, cell_width;
	struct str cell;         /* scratch */
	unsigned char *elems;    /* scratch: AT_ONCE elements, which is at least GRID_UNCUT */
	unsigned char *others;   /* scratch: as many to compare with; NULL: none */
};

static uint64_t n_columns(const struct grid *grid)
{
	return (uint64_t)grid->view.shape.dim[1];
}

/* How wide cells are. */

static size_t whole_width(const struct dtype_info *type)
{
	static const size_t with_sign[] = { [1] = 4, [2] = 6, [4] = 11, [8] = 20 };
	static const size_t without[] = { [1] = 3, [2] = 5, [4] = 10, [8] = 20 };
	bool is_unsigned = type->kind == KIND_UINT || type->dtype == DTYPE_QUINT8 ||
	                   type->dtype == DTYPE_QUINT16;

	return (is_unsigned ? without : with_sign)[type->elem_bytes];
}

/*
 * The most columns that a float of so many bytes needs in its shortest digits: "-6.1035e-05",
 * "-1.17549435e-38", "-2.2250738585072014e-308".
 */
static size_t full_width(size_t part_bytes)
{
	return part_bytes == 8 ? 24 : part_bytes == 4 ? 15 : 11;
}

static size_t cell_width(const struct dtype_info *type, const struct grid_style *style)
{
	bool full = style->form == GRID_FULL;

	if (type->kind == KIND_STRING)
		return TEXT_COLUMNS;
	if (style->form == GRID_HEX)
		return 2 * type->elem_bytes;
	switch (type->kind) {
	case KIND_FLOAT:
		return full ? full_width(type->elem_bytes) : SHORT_COLUMNS;
	case KIND_SMALL_FLOAT:
		return full ? full_width(4) : SHORT_COLUMNS;
	case KIND_COMPLEX:
		return 2 * (full ? full_width(type->elem_bytes / 2) : SHORT_COLUMNS) +
		       strlen("(j)");
	case KIND_BOOL:
		return strlen("False");
	default:
		return style->whole_width ? (size_t)style->whole_width : whole_width(type);
	}
}

/* The text of cells. */

static void put_hex(struct str *out, const unsigned char *elem, size_t bytes)
{
	for (size_t i = bytes; i-- > 0; )
		str_fmt(out, "%02x", elem[i]);
}

static void put_short_complex(struct str *out, double real, double imag)
{
	str_putc(out, '(');
	put_short(out, real);
	if (isnan(imag) || !signbit(imag))
		str_putc(out, '+');
	put_short(out, imag);
	str_puts(out, "j)");
}

void grid_put_elem(struct str *out, enum grid_form form, const struct dtype_info *type,
                   const void *elem)
{
	double real, imag;

	if (form == GRID_HEX) {
		put_hex(out, elem, type->elem_bytes);
	} else if (type->kind == KIND_QUANT) {
		put_whole(out, type, elem);
	} else if (form == GRID_FULL || type->kind == KIND_INT || type->kind == KIND_UINT ||
	           type->kind == KIND_BOOL) {
		put_scalar(out, type, elem);
	} else if (type->kind == KIND_SMALL_FLOAT) {
		put_short(out, small_float_value(type->dtype, elem));
	} else {
		float_parts(type, elem, &real, &imag);
		if (type->kind == KIND_COMPLEX)
			put_short_complex(out, real, imag);
		else
			put_short(out, real);
	}
}

static bool is_bad(const struct dtype_info *type, const void *elem)
{
	double real = 0, imag = 0;

	if (type->kind == KIND_SMALL_FLOAT)
		real = small_float_value(type->dtype, elem);
	else if (type->kind == KIND_FLOAT || type->kind == KIND_COMPLEX)
		float_parts(type, elem, &real, &imag);
	return !isfinite(real) || !isfinite(imag);
}

/* Lines. */

/* How the axis of rows (0) or columns (1) is numbered; NULL: no such axis. */
static const struct slice_axis *numbering(const struct grid *grid, uint32_t axis)
{
	const struct axes *axes = &grid->style.axes;

	return axis < axes->n_shown ? &axes->axis[axes->shown[axis]] : NULL;
}

static int64_t index_of(const struct grid *grid, uint32_t axis, uint64_t entry)
{
	const struct slice_axis *a = numbering(grid, axis);

	return a ? a->first + (int64_t)entry * a->step : 0;
}

static void put_label(const struct grid *grid, uint32_t axis, uint64_t entry, struct str *out)
{
	if (numbering(grid, axis))
		str_fmt(out, axis ? "[,%" PRId64 "]" : "[%" PRId64 "]",
		        index_of(grid, axis, entry));
}

/* How wide the label of the last entry is. */
static size_t last_label(const struct grid *grid, uint32_t axis)
{
	struct str text = {0};
	size_t len;

	if (grid->view.shape.dim[axis])
		put_label(grid, axis, (uint64_t)grid->view.shape.dim[axis] - 1, &text);
	len = text.len;
	str_release(&text);
	return len;
}

/* How many columns fit on a line, from `column` on; at least one. */
static uint64_t columns_shown(const struct grid *grid, uint64_t column, int width)
{
	uint64_t rest = n_columns(grid) - column, fit = GRID_UNCUT;
	int64_t room;

	if (!width)
		width = grid->style.width;
	if (width) {
		room = width - (int64_t)grid->label_width;
		fit = room > 0 ? (uint64_t)room / (grid->cell_width + 1) : 0;
		fit = fit < 1 ? 1 : fit > GRID_UNCUT ? GRID_UNCUT : fit;
	}
	return fit < rest ? fit : rest;
}

/* step: on the scale; 0: no colour. */
static void put_cell(struct grid *grid, enum role role, int step, struct line *line)
{
	size_t room = grid->cell_width, begin = line->text.len + 1;

	if (grid->cell.len > room) {
		str_cut(&grid->cell, room - strlen(CUT_MARK));
		str_puts(&grid->cell, CUT_MARK);
	}
	str_fill(&line->text, ' ', 1 + room - grid->cell.len);
	line_put(line, role, str_text(&grid->cell), grid->cell.len);
	if (step)
		line_shade(line, scale_role(&grid->style.scale), begin, line->text.len, 0, step);
}

static void put_more(const struct grid *grid, uint64_t end, int width, struct line *line)
{
	if (!width && !grid->style.width && end < n_columns(grid))
		str_puts(&line->text, MORE_MARK);
}

static void put_headings(struct grid *grid, uint64_t column, uint64_t shown, struct line *line)
{
	str_fill(&line->text, ' ', grid->label_width);
	for (uint64_t i = 0; i < shown; i++) {
		str_reset(&grid->cell);
		put_label(grid, 1, column + i, &grid->cell);
		put_cell(grid, ROLE_STRONG, 0, line);
	}
}

/* What the cells are compared with. */

static bool text_differs(struct grid *grid, uint64_t at, const char *text, size_t len,
                         bool *differs, struct err *err)
{
	struct grid_against *against = grid->style.against;
	const char *other;
	size_t n;

	*differs = false;
	if (!against)
		return true;
	if (!view_string(&against->view, at, &other, &n, err))
		return false;
	*differs = n != len || memcmp(text, other, n);
	return true;
}

static bool read_others(struct grid *grid, uint64_t at, uint64_t n, struct err *err)
{
	struct grid_against *against = grid->style.against;

	return !against || view_read(&against->view, at, (size_t)n, grid->others, err);
}

static bool cell_differs(const struct grid *grid, uint64_t i)
{
	const struct dtype_info *type = grid->value->type;
	size_t off = i * type->elem_bytes;

	return grid->style.against && elems_differ(type, grid->elems + off, grid->others + off,
	                                           &grid->style.against->tolerance);
}

/*
 * Does any element of a row differ, shown or not? In a very long row only the first LABEL_LOOKS are
 * compared.
 */
static bool row_differs(struct grid *grid, uint64_t row, bool *differs, struct err *err)
{
	uint64_t n = n_columns(grid), most = n < LABEL_LOOKS ? n : LABEL_LOOKS;
	bool strings = grid->value->type->kind == KIND_STRING, ok = true;
	const char *text;
	size_t len;

	*differs = false;
	for (uint64_t done = 0; ok && !*differs && done < most; ) {
		uint64_t at = row * n + done;
		size_t some = strings ? 1 :
		              most - done < GRID_UNCUT ? (size_t)(most - done) : GRID_UNCUT;

		if (strings)
			ok = view_string(&grid->view, at, &text, &len, err) &&
			     text_differs(grid, at, text, len, differs, err);
		else
			ok = view_read(&grid->view, at, some, grid->elems, err) &&
			     read_others(grid, at, some, err);
		for (size_t i = 0; ok && !strings && !*differs && i < some; i++)
			*differs = cell_differs(grid, i);
		done += some;
	}
	return ok;
}

static bool label_role(struct grid *grid, uint64_t row, enum role *role, struct err *err)
{
	bool differs = false;

	if (grid->style.against && !row_differs(grid, row, &differs, err))
		return false;
	*role = differs ? ROLE_DIFFERS : ROLE_STRONG;
	return true;
}

static bool put_text_cell(struct grid *grid, uint64_t at, struct line *line, struct err *err)
{
	const char *text;
	bool differs;
	size_t len;

	if (!view_string(&grid->view, at, &text, &len, err) ||
	    !text_differs(grid, at, text, len, &differs, err))
		return false;
	put_bytes_literal(&grid->cell, text, len < TEXT_COLUMNS ? len : TEXT_COLUMNS);
	put_cell(grid, differs ? ROLE_DIFFERS : ROLE_PLAIN, 0, line);
	return true;
}

static int step_of(const struct grid *grid, const unsigned char *elem)
{
	if (!grid->style.scale.colours)
		return 0;
	return scale_step(&grid->style.scale, number_of(grid->value->type, elem));
}

static bool put_cells(struct grid *grid, uint64_t at, uint64_t shown, struct line *line,
                      struct err *err)
{
	const struct dtype_info *type = grid->value->type;
	bool strings = type->kind == KIND_STRING;

	if (!strings && (!view_read(&grid->view, at, (size_t)shown, grid->elems, err) ||
	                 !read_others(grid, at, shown, err)))
		return false;
	for (uint64_t i = 0; i < shown; i++) {
		const unsigned char *elem = grid->elems + i * type->elem_bytes;

		str_reset(&grid->cell);
		if (strings) {
			if (!put_text_cell(grid, at + i, line, err))
				return false;
			continue;
		}
		grid_put_elem(&grid->cell, grid->style.form, type, elem);
		if (cell_differs(grid, i))
			put_cell(grid, ROLE_DIFFERS, 0, line);
		else if (is_bad(type, elem))
			put_cell(grid, ROLE_BAD, 0, line);
		else
			put_cell(grid, ROLE_PLAIN, step_of(grid, elem), line);
	}
	return true;
}

static bool line_from(struct body *body, uint64_t row, uint64_t column, int width,
                      struct line *line, struct err *err)
{
	struct grid *grid = (struct grid *)body;
	uint64_t shown = columns_shown(grid, column, width);
	enum role role;

	if (!row) {
		put_headings(grid, column, shown, line);
	} else {
		row--;
		if (!label_role(grid, row, &role, err))
			return false;
		put_label(grid, 0, row, &line->text);
		line_mark(line, role, 0, line->text.len);
		str_fill(&line->text, ' ', grid->label_width - line->text.len);
		if (!put_cells(grid, row * n_columns(grid) + column, shown, line, err))
			return false;
		line->note = NOTE_INDEX;
		line->rank = 2;
		line->index[0] = index_of(grid, 0, row);
		line->index[1] = index_of(grid, 1, column);
	}
	put_more(grid, column + shown, width, line);
	return true;
}

static bool grid_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	return line_from(body, row, ((struct grid *)body)->style.column, width, line, err);
}

/* With the row of labels. */
static uint64_t grid_rows(struct body *body)
{
	return (uint64_t)((struct grid *)body)->view.shape.dim[0] + 1;
}

/* The entry of the slice with this index along the axis; false: none. */
static bool entry_of(const struct grid *grid, uint32_t axis, int64_t index, uint64_t *entry)
{
	const struct slice_axis *a = numbering(grid, axis);

	*entry = 0;
	if (!a)
		return index == 0;
	if (index < a->first || (index - a->first) % a->step)
		return false;
	*entry = (uint64_t)((index - a->first) / a->step);
	return *entry < (uint64_t)grid->view.shape.dim[axis];
}

static bool find_cell(struct body *body, const int64_t *index, uint32_t rank, uint64_t *row,
                      uint64_t *column)
{
	const struct grid *grid = (const struct grid *)body;

	return entry_of(grid, 0, rank > 0 ? index[0] : 0, row) &&
	       entry_of(grid, 1, rank > 1 ? index[1] : 0, column);
}

static bool grid_find(struct body *body, const int64_t *index, uint32_t rank, uint64_t *row)
{
	uint64_t column;

	if (!rank || !find_cell(body, index, rank, row, &column))
		return false;
	++*row;
	return true;
}

/* Cells. */

static uint64_t cells_columns(struct body *body)
{
	return n_columns((struct grid *)body);
}

static uint64_t cells_first(struct body *body)
{
	return ((struct grid *)body)->style.column;
}

static void cells_widths(struct body *body, int *label, int *cell)
{
	*label = (int)((struct grid *)body)->label_width;
	*cell = (int)((struct grid *)body)->cell_width;
}

static bool cells_value(struct body *body, uint64_t row, uint64_t column, struct str *out,
                        struct err *err)
{
	struct grid *grid = (struct grid *)body;
	uint64_t at = row * n_columns(grid) + column;
	const char *text;
	size_t len;

	if (at >= grid->view.count)
		return err_at(err, ERR_INDEX, "command", 0, "no such cell");
	if (grid->value->type->kind == KIND_STRING) {
		if (!view_string(&grid->view, at, &text, &len, err))
			return false;
		put_bytes_literal(out, text, len);
		return true;
	}
	if (!view_read(&grid->view, at, 1, grid->elems, err))
		return false;
	grid_put_elem(out, grid->style.form == GRID_HEX ? GRID_HEX : GRID_FULL, grid->value->type,
	              grid->elems);
	return true;
}

static void cells_label(struct body *body, uint64_t row, uint64_t column, struct str *out)
{
	const struct grid *grid = (const struct grid *)body;
	const uint64_t entry[] = { row, column };
	uint32_t n = grid->style.axes.n_shown;

	for (uint32_t axis = 0; axis < n; axis++)
		str_fmt(out, "%s%" PRId64, axis ? "," : "[", index_of(grid, axis, entry[axis]));
	str_puts(out, n ? "]" : "[]");
}

/* Places in the whole tensor. */

static uint64_t cells_places(struct body *body)
{
	const struct grid *grid = (const struct grid *)body;

	return axes_slices(&grid->style.axes) * grid->view.count;
}

static uint64_t cells_place_of(struct body *body, uint64_t row, uint64_t column)
{
	const struct grid *grid = (const struct grid *)body;

	return axes_slice(&grid->style.axes) * grid->view.count + row * n_columns(grid) + column;
}

static struct cell_at cells_cell_at(struct body *body, uint64_t place)
{
	const struct grid *grid = (const struct grid *)body;
	uint64_t in_slice = place % grid->view.count;
	struct cell_at at = { .slice = place / grid->view.count, .row = in_slice / n_columns(grid),
	                      .column = in_slice % n_columns(grid) };

	at.here = at.slice == axes_slice(&grid->style.axes);
	return at;
}

static uint32_t cells_whole(struct body *body, const int64_t **dims)
{
	const struct shape *shape = &((struct grid *)body)->style.axes.shape;

	*dims = shape->dim;
	return shape->rank;
}

static bool cells_find_place(struct body *body, const int64_t *index, uint32_t rank,
                             uint64_t *place)
{
	const struct grid *grid = (const struct grid *)body;
	struct axes to = grid->style.axes;
	uint64_t at[2] = {0};

	if (rank != to.shape.rank)
		return false;
	for (uint32_t axis = 0; axis < rank; axis++) {
		if (index[axis] < 0 || index[axis] >= to.shape.dim[axis])
			return false;
		if (!axes_is_shown(&to, axis))
			to.axis[axis].first = index[axis];
	}
	for (uint32_t k = 0; k < to.n_shown; k++)
		if (!entry_of(grid, k, index[to.shown[k]], &at[k]))
			return false;
	*place = axes_slice(&to) * grid->view.count + at[0] * n_columns(grid) + at[1];
	return true;
}

/* The grid's view of another slice. */
static struct view view_of_slice(const struct grid *grid, uint64_t slice)
{
	struct axes to = grid->style.axes;
	struct view view = grid->view;
	uint64_t stride = 1;

	axes_go_slice(&to, slice);
	for (uint32_t axis = to.shape.rank; axis-- > 0; ) {
		int64_t by = to.axis[axis].first - grid->style.axes.axis[axis].first;

		if (!axes_is_shown(&to, axis))
			view.start += (uint64_t)by * stride;
		stride *= (uint64_t)to.shape.dim[axis];
	}
	return view;
}

/* Can elements of this dtype be bad at all? */
static bool may_be_bad(const struct dtype_info *type)
{
	return type->kind == KIND_FLOAT || type->kind == KIND_COMPLEX ||
	       type->kind == KIND_SMALL_FLOAT;
}

/*
 * Is one of n float32 elements bad? Decided by the bits, as most tensors searched are of this
 * dtype.
 */
static bool any_bad_float(const unsigned char *elems, size_t n)
{
	uint32_t bits, bad = 0;

	for (size_t i = 0; i < n; i++) {
		memcpy(&bits, elems + i * sizeof bits, sizeof bits);
		bad |= (bits & UINT32_C(0x7f800000)) == UINT32_C(0x7f800000);
	}
	return bad;
}

/* The first, or if backward the last, bad one of n elements; n: none is. */
static size_t bad_among(const struct dtype_info *type, const unsigned char *elems, size_t n,
                        bool backward)
{
	if (type->dtype == DTYPE_FLOAT32 && !any_bad_float(elems, n))
		return n;
	for (size_t i = 0; i < n; i++) {
		size_t k = backward ? n - 1 - i : i;

		if (is_bad(type, elems + k * type->elem_bytes))
			return k;
	}
	return n;
}

/* Looks at elements from *place on, in one read within the slice. */
static bool look_ahead(struct grid *grid, uint64_t *place, bool backward, uint64_t max,
                       bool *found, struct err *err)
{
	uint64_t off = *place % grid->view.count;
	uint64_t rest = backward ? off + 1 : grid->view.count - off;
	size_t n = (size_t)(rest < max ? rest : max), bad;
	struct view view = view_of_slice(grid, *place / grid->view.count);
	uint64_t from;

	n = n < AT_ONCE ? n : AT_ONCE;
	from = backward ? off + 1 - n : off;
	if (!view_read(&view, from, n, grid->elems, err))
		return false;
	bad = bad_among(grid->value->type, grid->elems, n, backward);
	*found = bad < n;
	if (*found)
		*place += from + bad - off;
	else
		*place += backward ? 0 - (uint64_t)n : (uint64_t)n;
	return true;
}

static bool cells_find_bad(struct body *body, uint64_t *place, bool backward, uint64_t max,
                           bool *found, struct err *err)
{
	struct grid *grid = (struct grid *)body;
	uint64_t places = cells_places(body), had = *place;

	*found = false;
	if (!may_be_bad(grid->value->type) || !places) {
		*place = backward ? UINT64_MAX : places;
		return true;
	}
	for (uint64_t looked = 0; looked < max && *place < places && !*found; looked += AT_ONCE)
		if (!look_ahead(grid, place, backward, max - looked, found, err)) {
			*place = had;
			return false;
		}
	return true;
}

static void grid_free(struct body *body)
{
	struct grid *grid = (struct grid *)body;

	value_close(grid->value);
	str_release(&grid->cell);
	free(grid->elems);
	free(grid->others);
	free(grid);
}

static const struct cells_kind cells_kind = {
	.n_columns = cells_columns, .first = cells_first, .widths = cells_widths, .line = line_from,
	.value = cells_value, .label = cells_label, .find = find_cell,
	.whole = cells_whole, .find_place = cells_find_place, .places = cells_places,
	.place_of = cells_place_of, .cell_at = cells_cell_at, .find_bad = cells_find_bad,
};

static const struct body_kind grid_kind = {
	.name = "grid", .rows = grid_rows, .line = grid_line, .find = grid_find, .free = grid_free,
	.cells = &cells_kind, .chopped = true,
};

struct body *grid_body(struct value *value, const struct view *view,
                       const struct grid_style *style)
{
	struct grid *grid = mem_alloc(sizeof *grid);
	size_t heading;

	grid->body.kind = &grid_kind;
	grid->value = value;
	grid->view = *view;
	grid->view.value = value;
	grid->style = *style;
	if (grid->style.column >= n_columns(grid))
		grid->style.column = n_columns(grid) ? n_columns(grid) - 1 : 0;
	grid->elems = mem_alloc(AT_ONCE * MAX_ELEM_BYTES);
	if (style->against)
		grid->others = mem_alloc(GRID_UNCUT * MAX_ELEM_BYTES);
	grid->label_width = last_label(grid, 0);
	grid->cell_width = cell_width(value->type, style);
	heading = last_label(grid, 1);
	if (heading > grid->cell_width)
		grid->cell_width = heading;
	return &grid->body;
}
