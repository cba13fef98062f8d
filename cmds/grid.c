/*
 * All cells have the width that their type may need in the form that was asked for, so that a line
 * is made without a look at any other line, and columns stay where they are while the rows scroll.
 */
#include "cmds/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/format.h"
#include "cmds/number.h"
#include "dump/base/mem.h"

#define MAX_ELEM_BYTES 16
#define TEXT_COLUMNS 16         /* of a string; the rest is cut off */
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
	unsigned char *elems;    /* scratch: GRID_UNCUT of them */
	unsigned char *others;   /* scratch: as many of what they are held against; NULL: nothing */
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
 * Of one part in the shortest digits: "-6.1035e-05", "-1.17549435e-38",
 * "-2.2250738585072014e-308".
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

static int64_t index_of(const struct grid *grid, int axis, uint64_t entry)
{
	const struct slice_axis *a = &grid->style.axis[axis];

	return a->first + (int64_t)entry * a->step;
}

static void put_label(const struct grid *grid, int axis, uint64_t entry, struct str *out)
{
	if (!grid->style.axis[axis].dropped)
		str_fmt(out, axis ? "[,%" PRId64 "]" : "[%" PRId64 "]",
		        index_of(grid, axis, entry));
}

/* How wide the label of the last entry is. */
static size_t last_label(const struct grid *grid, int axis)
{
	struct str text = {0};
	size_t len;

	if (grid->view.shape.dim[axis])
		put_label(grid, axis, (uint64_t)grid->view.shape.dim[axis] - 1, &text);
	len = text.len;
	str_release(&text);
	return len;
}

/* Columns that fit a line, from the first one to show on; one always does. */
static uint64_t columns_shown(const struct grid *grid, int width)
{
	uint64_t rest = n_columns(grid) - grid->style.column, fit = GRID_UNCUT;
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

static void put_cell(struct grid *grid, enum role role, struct line *line)
{
	size_t room = grid->cell_width;

	if (grid->cell.len > room) {
		str_cut(&grid->cell, room - strlen(CUT_MARK));
		str_puts(&grid->cell, CUT_MARK);
	}
	str_fill(&line->text, ' ', 1 + room - grid->cell.len);
	line_put(line, role, str_text(&grid->cell), grid->cell.len);
}

static void put_more(const struct grid *grid, uint64_t shown, int width, struct line *line)
{
	if (!width && !grid->style.width && grid->style.column + shown < n_columns(grid))
		str_puts(&line->text, MORE_MARK);
}

static void put_headings(struct grid *grid, uint64_t shown, struct line *line)
{
	str_fill(&line->text, ' ', grid->label_width);
	for (uint64_t i = 0; i < shown; i++) {
		str_reset(&grid->cell);
		put_label(grid, 1, grid->style.column + i, &grid->cell);
		put_cell(grid, ROLE_STRONG, line);
	}
}

/* What the cells are held against. */

static bool text_differs(struct grid *grid, uint64_t at, const char *text, size_t len, bool *differs,
                         struct err *err)
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

/* Does anything in a row, which may be wider than its line? Of a very long one the beginning counts. */
static bool row_differs(struct grid *grid, uint64_t row, bool *differs, struct err *err)
{
	uint64_t n = n_columns(grid), most = n < LABEL_LOOKS ? n : LABEL_LOOKS;
	bool strings = grid->value->type->kind == KIND_STRING, ok = true;
	const char *text;
	size_t len;

	*differs = false;
	for (uint64_t done = 0; ok && !*differs && done < most; ) {
		uint64_t at = row * n + done;
		size_t some = strings ? 1 : most - done < GRID_UNCUT ? (size_t)(most - done) : GRID_UNCUT;

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
	put_cell(grid, differs ? ROLE_DIFFERS : ROLE_PLAIN, line);
	return true;
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
		put_cell(grid, cell_differs(grid, i) ? ROLE_DIFFERS :
		               is_bad(type, elem)    ? ROLE_BAD :
		                                       ROLE_PLAIN, line);
	}
	return true;
}

static bool grid_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct grid *grid = (struct grid *)body;
	uint64_t shown = columns_shown(grid, width);
	enum role role;

	if (!row) {
		put_headings(grid, shown, line);
	} else {
		row--;
		if (!label_role(grid, row, &role, err))
			return false;
		put_label(grid, 0, row, &line->text);
		line_mark(line, role, 0, line->text.len);
		str_fill(&line->text, ' ', grid->label_width - line->text.len);
		if (!put_cells(grid, row * n_columns(grid) + grid->style.column, shown, line, err))
			return false;
		line->note = NOTE_INDEX;
		line->rank = 2;
		line->index[0] = (int64_t)row;
		line->index[1] = (int64_t)grid->style.column;
	}
	put_more(grid, shown, width, line);
	return true;
}

/* The labels are a row. */
static uint64_t grid_rows(struct body *body)
{
	return (uint64_t)((struct grid *)body)->view.shape.dim[0] + 1;
}

static bool grid_find(struct body *body, const int64_t *index, uint32_t rank, uint64_t *row)
{
	if (!rank || index[0] < 0 || index[0] >= ((struct grid *)body)->view.shape.dim[0])
		return false;
	*row = (uint64_t)index[0] + 1;
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

static const struct body_kind grid_kind = {
	.name = "grid", .rows = grid_rows, .line = grid_line, .find = grid_find, .free = grid_free,
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
	grid->elems = mem_alloc(GRID_UNCUT * MAX_ELEM_BYTES);
	if (style->against)
		grid->others = mem_alloc(GRID_UNCUT * MAX_ELEM_BYTES);
	grid->label_width = last_label(grid, 0);
	grid->cell_width = cell_width(value->type, style);
	heading = last_label(grid, 1);
	if (heading > grid->cell_width)
		grid->cell_width = heading;
	return &grid->body;
}
