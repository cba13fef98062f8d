/* The text of an array's lines: brackets, elements, notes, the dtype. */
#include "cmds/array/array.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/array_parts.h"
#include "dump/base/mem.h"

#define DEFAULT_WIDTH 75
#define PREFIX "array("
#define SCAN_BYTES (256 * 1024)

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

/* Notes: tfdbg finds the element a line begins with by counting commas in the lines before. */

static bool dots_alone(struct array *a, uint64_t row, bool *alone, struct err *err)
{
	uint64_t item = 0, end = 0;

	while (end <= EDGE) {
		item = end;
		if (!array_line_end(a, row, item, &end, err))
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

	array_row_index(a, spot->row, line->index);
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
	array_row_index(a, place->spot.row, line->index);
	line->index[place->axis] = EDGE;
	for (uint32_t k = place->axis + 1; k < a->rank; k++)
		line->index[k] = 0;
	line->rank = a->rank;
	line->note = NOTE_OMITTED;
}

/* Making lines. */

/*
 * Bold elements are found as in tfdbg: the nth number of a line is taken for the nth element from
 * its note on. So none after dots on the same line is bold, nor any on the line above that of the
 * dtype, which has the same note.
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

		if (!view_read(&a->view, array_row_start(a, spot->row) + at + done, some, a->elems,
		               err))
			return false;
		for (size_t i = 0; i < some; i++)
			if (a->style.marked(a->style.ctx, a->field.type, a->elems + i * bytes))
				line_mark(line, ROLE_STRONG, a->cells.at[done + i].begin,
				          a->cells.at[done + i].end);
	}
	return true;
}

/* Notes where an element is, from `begin` on, without the spaces around it. */
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
	uint64_t at = array_row_start(a, row) + item_index(a, item);
	bool one_by_one = a->field.type->kind == KIND_STRING;

	if (!one_by_one && !view_read(&a->view, at, (size_t)n, a->elems, err))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		size_t begin = line->text.len;

		if (!one_by_one)
			field_put(&a->field, a->elems + i * a->field.type->elem_bytes,
			          &line->text);
		else if (!array_put_element(a, at + i, &line->text, err))
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
 * A line of a row, with its brackets and its note. Nothing after the array's last bracket.
 */
static bool put_row_line(struct array *a, const struct spot *spot, struct line *line,
                         struct err *err)
{
	uint32_t opened = spot->item ? 0 : brackets(a, spot->row, false);
	uint32_t closed;
	uint64_t end;

	if (!array_line_end(a, spot->row, spot->item, &end, err))
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
	if (!array_put_element(a, 0, &line->text, err))
		return false;
	if (a->style.marked && a->field.type->kind != KIND_STRING &&
	    a->style.marked(a->style.ctx, a->field.type, a->elems))
		line_mark(line, ROLE_STRONG, begin, line->text.len);
	return true;
}

/* A line without anything after the array's last bracket. */
static bool put_array_line(struct array *a, uint64_t row, struct line *line, struct err *err)
{
	struct place place;

	if (a->flat)
		return put_flat(a, line, err);
	if (!array_place(a, row, &place, err))
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

	(void)width;    /* lines were wrapped when the array was laid out */
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
 * The displayed elements as contiguous stretches of the view. The innermost axis that is cut, and
 * all outside of it, are stepped through entry by entry; the axes inside of it are read as a
 * whole.
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

/* The position in the view where the nth stretch begins. */
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

/*
 * "dtype=..." unless it is one that numpy leaves out; below the last line if it does not fit there.
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
	array_set_axes(a);
	if (!is_text)
		a->elems = mem_alloc(READ_ELEMS * a->field.type->elem_bytes);
	if (!is_text && a->view.count && !settle_field(a, progress, err))
		return false;
	a->flat = !a->rank || !a->view.count;
	if (a->flat)
		a->n_lines = 1;
	else if (!array_count_lines(a, progress, err))
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

void put_shape_of_dims(struct str *out, const int64_t *dim, uint32_t rank)
{
	str_putc(out, '(');
	for (uint32_t k = 0; k < rank; k++) {
		str_puts(out, k ? ", " : "");
		if (dim[k] < 0)
			str_putc(out, '?');
		else
			str_int(out, dim[k]);
	}
	str_puts(out, rank == 1 ? ",)" : ")");
}

void put_shape(struct str *out, const struct shape *shape)
{
	put_shape_of_dims(out, shape->dim, shape->rank);
}
