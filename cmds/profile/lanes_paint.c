#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/spark.h"
#include "cmds/lang/words.h"
#include "cmds/profile/family.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/profile/lanes_parts.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/base/wide.h"

enum {
	LEAST_BOX = 3,           /* columns that hold a name */
	TICK_COLUMNS = 10,       /* at least, from one tick with a time to the next */
};

struct window lanes_window_of(const struct lanes_view *v, const struct stage *stage, int width)
{
	struct window w = { stage->from, stage->span, lanes_label_columns(v, width), 1 };

	if (width > w.left + 1)
		w.cells = width - w.left;
	return w;
}

/* The column of a time in the lane; may lie before or after it. */
static int64_t column_of(const struct window *w, int64_t ns)
{
	wide_int at = (wide_int)(ns - w->from) * w->cells;

	return (int64_t)(at < 0 ? (at - w->span + 1) / w->span : at / w->span);
}

int64_t lanes_time_of(const struct window *w, int64_t column)
{
	return w->from + (int64_t)(((wide_int)column * w->span + w->cells - 1) / w->cells);
}

struct columns lanes_extent_of(const struct window *w, const struct lane_slice *slice)
{
	struct columns e = { column_of(w, slice->start_ns), column_of(w, slice->end_ns) };

	if (e.end <= e.begin)
		e.end = e.begin + 1;
	return e;
}

/* Boxes. */

void lanes_put_slice_name(struct str *out, const struct lane_slice *slice)
{
	const char *last = path_name(slice->name);
	struct str name = {0};

	if (*slice->kernel)
		put_kernel_short(&name, slice->kernel, strlen(slice->kernel));
	else
		str_puts(&name, *last ? last : slice->name);
	utf8_escape(out, str_text(&name), name.len);
	str_release(&name);
}

/* "[name==]" in so many columns; the sides only if they are in sight. */
static void put_box(struct str *out, const char *name, size_t columns, bool left, bool right)
{
	size_t room = columns - left - right, before = out->len, size;

	if (left)
		str_putc(out, '[');
	before = out->len;
	put_cut(out, name, strlen(name), room, false);
	size = utf8_columns(str_text(out) + before, out->len - before);
	if (size < room)
		str_fill(out, room - size == 1 ? ' ' : '=', room - size);
	if (right)
		str_putc(out, ']');
}

/* Slices too narrow for boxes of their own. */
static void put_many(struct str *out, size_t n, size_t columns)
{
	struct str text = {0};

	str_fmt(&text, "%zu op%s", n, plural(n));
	if (text.len + 2 > columns) {
		str_reset(&text);
		str_fmt(&text, "%zu", n);
	}
	if (columns == 1 && n == 1)
		str_putc(out, '|');
	else if (columns == 2 && n == 1)
		str_puts(out, "[]");
	else if (text.len + 2 > columns)
		str_fill(out, '#', columns);
	else
		put_box(out, text.text, columns, true, true);
	str_release(&text);
}

struct painting {
	const struct lanes_view *v;
	const struct row *row;
	struct window w;
	struct line *line;
	struct str *out;         /* its text */
	int64_t at;              /* the next column */
	struct str name;
};

static void go_column(struct painting *p, int64_t column)
{
	if (column > p->at) {
		str_fill(p->out, ' ', (size_t)(column - p->at));
		p->at = column;
	}
}

enum role lanes_work_of(const struct lane_slice *slice)
{
	const char *op = *slice->op ? slice->op : path_name(slice->name);
	struct str kernel = {0};
	enum role role;

	put_kernel_short(&kernel, slice->kernel, strlen(slice->kernel));
	role = family_of(op, str_text(&kernel));
	str_release(&kernel);
	return role;
}

/* What was put from `begin` on is the work of a slice. */
static void mark_work(struct painting *p, size_t begin, const struct lane_slice *slice)
{
	line_mark(p->line, lanes_work_of(slice), begin, p->out->len);
}

static void paint_box(struct painting *p, const struct lane_slice *slice, const struct columns *e)
{
	int64_t begin = e->begin > p->at ? e->begin : p->at;
	int64_t end = e->end < p->w.cells ? e->end : p->w.cells;
	size_t from;

	if (end <= begin)
		return;
	go_column(p, begin);
	from = p->out->len;
	str_reset(&p->name);
	if (end - begin < LEAST_BOX) {
		put_many(p->out, 1, (size_t)(end - begin));
	} else {
		lanes_put_slice_name(&p->name, slice);
		put_box(p->out, str_text(&p->name), (size_t)(end - begin), e->begin >= 0,
		        e->end <= p->w.cells);
	}
	mark_work(p, from, slice);
	p->at = end;
}

static bool is_wide(const struct columns *e)
{
	return e->end - e->begin >= LEAST_BOX;
}

/* Paints slice `item` and those too close to be told apart from it. Returns the next one. */
static size_t paint_narrow(struct painting *p, size_t item, struct columns e)
{
	size_t next = item + 1;
	struct columns last = e;

	while (next < p->row->len && last.end < p->w.cells) {
		size_t beyond = lanes_first_from(p->v, p->row, next,
		                                 lanes_time_of(&p->w, last.end));
		struct lane_slice slice;
		struct columns other;

		if (beyond == next) {
			slice = lanes_slice_of(p->v, p->row, next);
			other = lanes_extent_of(&p->w, &slice);
			if (other.begin > last.end || is_wide(&other))
				break;
			beyond++;
		} else {
			slice = lanes_slice_of(p->v, p->row, beyond - 1);
			other = lanes_extent_of(&p->w, &slice);
			if (is_wide(&other)) {
				next = beyond - 1;
				break;
			}
		}
		next = beyond;
		if (other.end > last.end)
			last.end = other.end;
	}
	if (e.begin < p->at)
		e.begin = p->at;
	if (last.end > p->w.cells)
		last.end = p->w.cells;
	if (last.end > e.begin) {
		struct lane_slice slice = lanes_slice_of(p->v, p->row, item);
		size_t from;

		go_column(p, e.begin);
		from = p->out->len;
		put_many(p->out, next - item, (size_t)(last.end - e.begin));
		if (next - item == 1)
			mark_work(p, from, &slice);
		p->at = last.end;
	}
	return next;
}

static void paint_row(struct painting *p)
{
	size_t item = lanes_first_from(p->v, p->row, 0, p->w.from);

	/* The previous slice may still be running. */
	if (item && lanes_slice_of(p->v, p->row, item - 1).end_ns > p->w.from)
		item--;
	while (item < p->row->len && p->at < p->w.cells) {
		struct lane_slice slice = lanes_slice_of(p->v, p->row, item);
		struct columns e = lanes_extent_of(&p->w, &slice);

		if (e.begin >= p->w.cells)
			break;
		if (is_wide(&e)) {
			paint_box(p, &slice, &e);
			item++;
		} else {
			item = paint_narrow(p, item, e);
		}
	}
}

/* In blocks. */

/* One column, as high as it is busy, in the colour of its first slice. */
static void paint_column(struct painting *p, size_t item, const struct lane_slice *slice)
{
	int64_t from = lanes_time_of(&p->w, p->at), to = lanes_time_of(&p->w, p->at + 1);
	int64_t part = lanes_taken(p->v, p->row, item, from, to);
	size_t begin = p->out->len;

	str_puts(p->out, spark_of(to > from && part > 0 ? (double)part / (double)(to - from) : 1e-9,
	                          true));
	mark_work(p, begin, slice);
	p->at++;
}

/* Paints the box of a slice; false: what shows of it has no room for one. */
static bool paint_block_box(struct painting *p, const struct lane_slice *slice,
                            const struct columns *e)
{
	int64_t end = e->end < p->w.cells ? e->end : p->w.cells;
	size_t from = p->out->len;

	if (end - p->at < LEAST_BOX)
		return false;
	str_reset(&p->name);
	lanes_put_slice_name(&p->name, slice);
	put_block_box(p->out, str_text(&p->name), (size_t)(end - p->at), e->begin >= 0,
	              e->end <= p->w.cells);
	mark_work(p, from, slice);
	p->at = end;
	return true;
}

/*
 * Slices that fill several columns are boxes; where they are narrower, each column shows how much
 * of its time was taken.
 */
static void paint_blocks(struct painting *p)
{
	size_t done = 0;                 /* items before it are painted */

	while (p->at < p->w.cells) {
		int64_t now = lanes_time_of(&p->w, p->at);
		size_t item = lanes_first_from(p->v, p->row, done, now);
		struct lane_slice slice;
		struct columns e;

		if (item > done && lanes_slice_of(p->v, p->row, item - 1).end_ns > now)
			item--;
		if (item == p->row->len)
			break;
		slice = lanes_slice_of(p->v, p->row, item);
		e = lanes_extent_of(&p->w, &slice);
		if (e.begin >= p->w.cells)
			break;
		go_column(p, e.begin);
		done = item;
		if (is_wide(&e) && paint_block_box(p, &slice, &e))
			done = item + 1;
		else
			paint_column(p, item, &slice);
	}
}

/* The ruler. */

struct ruler {
	int64_t step_ns, unit_ns;
	const char *unit;
};

/* 1, 2 or 5 times a power of ten, so that times have room. */
static struct ruler ruler_of(const struct window *w)
{
	static const struct { int64_t ns; const char *name; } units[] = {
		{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
	};
	int64_t least = (int64_t)((wide_int)w->span * TICK_COLUMNS / w->cells), step = 1;
	struct ruler ruler = {0};
	size_t k = 0;

	while (step < least && step < INT64_MAX / 10) {
		if (step * 2 >= least) {
			step *= 2;
			break;
		}
		if (step * 5 >= least) {
			step *= 5;
			break;
		}
		step *= 10;
	}
	while (step < units[k].ns)
		k++;
	ruler = (struct ruler){ step, units[k].ns, units[k].name };
	return ruler;
}

/* From one tick to the next. */
static void put_along(const struct lanes_view *v, bool ticks, int64_t columns, struct str *out)
{
	const char *sign = !ticks ? " " : v->look.fine ? "─" : "-";

	while (columns-- > 0)
		str_puts(out, sign);
}

void lanes_put_ruler(const struct lanes_view *v, const struct window *w, bool ticks,
                     struct str *out)
{
	struct ruler ruler = ruler_of(w);
	int64_t ns = (w->from + ruler.step_ns - 1) / ruler.step_ns * ruler.step_ns, at = 0;
	struct str text = {0};

	str_puts(&text, "step ");
	str_puts(&text, v->look.step);
	put_padded(out, ticks ? "" : text.text, (size_t)w->left);
	for (; column_of(w, ns) < w->cells; ns += ruler.step_ns) {
		int64_t column = column_of(w, ns);

		str_reset(&text);
		if (ticks)
			str_puts(&text, v->look.fine ? "┬" : "|");
		else
			str_fmt(&text, "%lld%s%s", (long long)(ns / ruler.unit_ns), at ? "" : " ",
			        at ? "" : ruler.unit);
		if (column + (ticks ? 1 : (int64_t)text.len) > w->cells)
			break;
		put_along(v, ticks, column - at, out);
		str_puts(out, text.text);
		at = column + (ticks ? 1 : (int64_t)text.len);
	}
	if (ticks)
		put_along(v, true, w->cells - at, out);
	str_release(&text);
}

void lanes_paint(const struct lanes_view *v, const struct row *row, const struct window *w,
                 struct line *line)
{
	struct painting p = { .v = v, .row = row, .w = *w, .line = line, .out = &line->text };

	if (v->look.fine)
		paint_blocks(&p);
	else
		paint_row(&p);
	str_release(&p.name);
}
