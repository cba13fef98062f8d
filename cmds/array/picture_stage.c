/*
 * The cursor of a picture in a pane is a bucket: stage->row and stage->item are its place among the
 * buckets.
 */
#include "cmds/array/picture_parts.h"

#include <inttypes.h>

#include "cmds/lang/format.h"

static const struct picture *of_body(struct body *body)
{
	return (const struct picture *)body;
}

static bool is_heat(const struct picture *p)
{
	return p->style.kind == PICTURE_HEAT;
}

struct at {
	uint32_t row, column;
};

static struct at at_of(const struct picture *p, const struct stage *stage)
{
	struct at last = { p->rows.n ? p->rows.n - 1 : 0, p->columns.n ? p->columns.n - 1 : 0 };

	return (struct at){ stage->row < last.row ? (uint32_t)stage->row : last.row,
		            stage->item < last.column ? (uint32_t)stage->item : last.column };
}

static uint64_t n_heading(struct body *body)
{
	(void)body;
	return 0;
}

static void begin(struct body *body, int width, struct stage *stage)
{
	(void)body, (void)width;
	*stage = (struct stage){ .span = 1 };
}

static void line(struct body *body, uint64_t row, const struct stage *stage, int width,
                 struct line *out)
{
	struct err err = {0};

	(void)stage;
	picture_line(body, row, width, out, &err);
}

/* Parts of lines: halves, or whole ones. */
static uint32_t parts(const struct picture *p)
{
	return p->style.halves ? 2 : 1;
}

static uint64_t line_of(const struct picture *p, uint32_t row)
{
	if (!is_heat(p))
		return picture_rows((struct body *)(uintptr_t)p) - 1;
	return (uint64_t)row * p->rows.stretch / parts(p);
}

/* The first bucket of a line. */
static uint32_t row_of(const struct picture *p, uint64_t at_line)
{
	uint64_t row = is_heat(p) ? at_line * parts(p) / p->rows.stretch : 0;

	return row < p->rows.n ? (uint32_t)row : p->rows.n ? p->rows.n - 1 : 0;
}

static uint32_t moved(uint32_t at, uint32_t n, int64_t by)
{
	int64_t to = (int64_t)at + by;

	return to < 0 || !n ? 0 : to >= n ? n - 1 : (uint32_t)to;
}

static bool move(struct body *body, enum stage_move how, int64_t n, int width, struct stage *stage)
{
	const struct picture *p = of_body(body);
	struct at at = at_of(p, stage);

	(void)width;
	switch (how) {
	case STAGE_LEFT: at.column = moved(at.column, p->columns.n, -n); break;
	case STAGE_RIGHT: at.column = moved(at.column, p->columns.n, n); break;
	case STAGE_LEFTMOST: at.column = 0; break;
	case STAGE_RIGHTMOST: at.column = moved(0, p->columns.n, INT32_MAX); break;
	default: return false;
	}
	stage->row = at.row;
	stage->item = at.column;
	return true;
}

/* A line on is a bucket on, though there are two in a line, and some are several lines high. */
static void go_row(struct body *body, uint64_t row, int width, struct stage *stage)
{
	const struct picture *p = of_body(body);
	struct at at = at_of(p, stage);
	uint64_t from = line_of(p, at.row);

	(void)width;
	if (row == from)
		stage->row = at.row;
	else if (row == from + 1 || row + 1 == from)
		stage->row = moved(at.row, p->rows.n, row > from ? 1 : -1);
	else
		stage->row = row_of(p, row);
}

/* Of two halves of a glyph the cursor's, or the upper one. */
static bool point(struct body *body, uint64_t row, int col, int width, struct stage *stage)
{
	const struct picture *p = of_body(body);
	struct at at = at_of(p, stage);
	uint32_t column = p->columns.stretch ? (uint32_t)col / p->columns.stretch : 0;

	(void)width;
	if (col < 0 || column >= p->columns.n || row >= picture_rows(body))
		return false;
	stage->row = is_heat(p) && row != line_of(p, at.row) ? row_of(p, row) : at.row;
	stage->item = column;
	return true;
}

static void fit(struct body *body, struct stage *stage)
{
	struct at at = at_of(of_body(body), stage);

	*stage = (struct stage){ .span = 1, .row = at.row, .item = at.column };
}

static void spot(struct body *body, const struct stage *stage, int width, uint64_t *row, int *from,
                 int *to)
{
	const struct picture *p = of_body(body);
	struct at at = at_of(p, stage);

	(void)width;
	*row = line_of(p, at.row);
	*from = (int)(at.column * p->columns.stretch);
	*to = *from + (p->columns.n ? (int)p->columns.stretch : 0);
}

/* "rows 12-14", "row 12": the elements of a bucket. */
static void put_elems(const struct side *side, uint32_t bucket, const char *one, const char *many,
                      struct str *out)
{
	uint64_t first = side_begin(side, bucket), last = side_begin(side, bucket + 1) - 1;

	str_fmt(out, "%s %" PRIu64, first < last ? many : one, first);
	if (first < last)
		str_fmt(out, "-%" PRIu64, last);
}

/* "bin 3/77  -31.2 <= x < -27.1  count 14"; what is beyond a scale's ends is in the bins there. */
static void put_bin(const struct picture *p, uint32_t bin, const struct bucket *bucket,
                    struct str *out)
{
	bool first = !bin, last = bin + 1 == p->columns.n, beyond = p->scale.percentiles;
	double width = picture_bin_width(p), low = p->scale.low + bin * width;

	str_fmt(out, "bin %" PRIu32 "/%" PRIu32 "  ", bin + 1, p->columns.n);
	if (!first || !beyond) {
		put_short(out, low);
		str_puts(out, " <= ");
	}
	str_puts(out, "x");
	if (!last || !beyond) {
		str_puts(out, last ? " <= " : " < ");
		put_short(out, last ? p->scale.top : low + width);
	}
	str_fmt(out, "  count %" PRIu64, bucket->n_finite);
}

static void put_value(const struct picture *p, const struct bucket *bucket, bool single,
                      struct str *out)
{
	static const char *const names[] = { NULL, "-inf", "+inf", "NaN" };

	if (bucket->n_finite) {
		str_fmt(out, single && is_heat(p) ? "  " : "  %s ", picture_rules[p->style.kind]);
		str_fmt(out, "%.7g", bucket->value);
	}
	if (bucket->bad)
		str_fmt(out, "  %s%s", bucket->n_finite ? "and " : "", names[bucket->bad]);
}

static void put_item(struct body *body, const struct stage *stage, int width, struct str *out)
{
	const struct picture *p = of_body(body);
	struct at at = at_of(p, stage);
	const struct bucket *bucket = &p->bucket[(uint64_t)at.row * p->columns.n + at.column];

	(void)width;
	if (!p->rows.n || !p->columns.n)
		return;
	if (p->style.kind == PICTURE_HIST) {
		put_bin(p, at.column, bucket, out);
		return;
	}
	if (is_heat(p)) {
		put_elems(&p->rows, at.row, "row", "rows", out);
		str_puts(out, ", ");
		put_elems(&p->columns, at.column, "col", "cols", out);
	} else {
		put_elems(&p->columns, at.column, "element", "elements", out);
	}
	put_value(p, bucket, p->rows.each == 1 && p->columns.each == 1, out);
}

const struct stage_kind picture_stage = {
	.n_heading = n_heading, .begin = begin, .line = line, .move = move, .go_row = go_row,
	.point = point, .fit = fit, .spot = spot, .put_item = put_item,
};

bool picture_walks(struct body *body)
{
	return body->kind->stage && of_body(body)->columns.n > 1;
}
