/*
 * Each drawing row has a list of slices in which both starts and ends rise, so what a column of the
 * screen shows is found by bisection. Slices too narrow for a box are not visited one by one: the
 * next one drawn is the first that begins after the column.
 */
#include "cmds/profile/lanes_view.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/doc/spark.h"
#include "cmds/lang/words.h"
#include "cmds/profile/family.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/profile/lanes.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"

enum {
	HEADING = 2,             /* the ruler's times, and its ticks */
	LEAST_BOX = 3,           /* columns that hold a name */
	LEAST_SPAN_NS = 20,
	TICK_COLUMNS = 10,       /* at least, from one tick with a time to the next */
	WIDE = 60,               /* narrower screens have short labels, without shares */
	SHARE = 5,               /* columns of a lane's share: " 100%" */
};

struct row {
	uint32_t lane, number;   /* drawing row `number` of the lane */
	size_t begin, len;       /* its slices: lanes_view.slices[begin + item] */
};

struct lanes_view {
	struct body body;
	struct body *lanes;
	struct lanes_look look;
	struct row *rows;
	size_t n_rows;
	size_t *first_row;       /* by lane */
	uint32_t *slices;        /* numbers in the lane */
	int64_t span_ns;
	int64_t *busy_ns;        /* by place in slices: how long those before it took in all */
	size_t label_columns[2]; /* of the longest label: short, long */
	size_t free_rows;        /* below the lanes, for the list */
};

static struct lanes_view *of_body(struct body *body)
{
	return (struct lanes_view *)body;
}

/* The rows. */

static void fill_rows(struct lanes_view *v, uint32_t lane, size_t begin)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, lane);
	struct row *rows = &v->rows[v->first_row[lane]];

	for (size_t i = 0; i < strip->n_slices; i++)
		rows[lanes_slice(v->lanes, lane, i).row].len++;
	for (uint32_t r = 0; r < strip->rows; r++) {
		rows[r].lane = lane;
		rows[r].number = r;
		rows[r].begin = begin;
		begin += rows[r].len;
		rows[r].len = 0;
	}
	for (size_t i = 0; i < strip->n_slices; i++) {
		struct row *row = &rows[lanes_slice(v->lanes, lane, i).row];

		v->slices[row->begin + row->len++] = (uint32_t)i;
	}
}

static void find_rows(struct lanes_view *v)
{
	size_t n = lanes_len(v->lanes), slices = 0;

	v->first_row = mem_alloc((n + 1) * sizeof *v->first_row);
	for (size_t i = 0; i < n; i++) {
		v->first_row[i] = v->n_rows;
		v->n_rows += lanes_strip(v->lanes, i)->rows;
		slices += lanes_strip(v->lanes, i)->n_slices;
	}
	v->rows = mem_alloc((v->n_rows + 1) * sizeof *v->rows);
	v->slices = mem_alloc((slices + 1) * sizeof *v->slices);
	slices = 0;
	for (size_t i = 0; i < n; i++) {
		fill_rows(v, (uint32_t)i, slices);
		slices += lanes_strip(v->lanes, i)->n_slices;
	}
}

static void add_up(struct lanes_view *v)
{
	int64_t sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->n_rows; i++)
		n += v->rows[i].len;
	v->busy_ns = mem_alloc((n + 1) * sizeof *v->busy_ns);
	for (size_t i = 0; i < v->n_rows; i++)
		for (size_t k = 0; k < v->rows[i].len; k++) {
			struct lane_slice slice = lanes_slice(v->lanes, v->rows[i].lane,
			                                      v->slices[v->rows[i].begin + k]);

			v->busy_ns[v->rows[i].begin + k] = sum;
			sum += slice.end_ns - slice.start_ns;
		}
	v->busy_ns[n] = sum;
}

static struct lane_slice slice_of(const struct lanes_view *v, const struct row *row, size_t item)
{
	return lanes_slice(v->lanes, row->lane, v->slices[row->begin + item]);
}

/* The first slice of a row, from `from` on, that begins at ns or later; the row's length: none. */
static size_t first_from(const struct lanes_view *v, const struct row *row, size_t from, int64_t ns)
{
	size_t low = from, high = row->len;

	/* It is usually near: take growing steps first. */
	for (size_t step = 16; from + step < high; step *= 2) {
		if (slice_of(v, row, from + step).start_ns >= ns)
			high = from + step;
		else
			low = from + step;
	}
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (slice_of(v, row, mid).start_ns < ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The slice of a row that is nearest to a time. */
static size_t nearest(const struct lanes_view *v, const struct row *row, int64_t ns)
{
	size_t after = first_from(v, row, 0, ns);
	int64_t since, until;

	if (!after)
		return 0;
	if (after == row->len)
		return after - 1;
	since = ns - slice_of(v, row, after - 1).end_ns;
	until = slice_of(v, row, after).start_ns - ns;
	return since <= until ? after - 1 : after;
}

/* Columns. */

static void put_label(const struct lanes_view *v, const struct row *row, int width, struct str *out)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, row->lane);
	size_t device = strcspn(strip->name, " ");
	const char *what = strip->name + device;

	str_put(out, strip->name, device);
	if (width >= WIDE || !*what)
		str_puts(out, what);
	else if (strip->is_host)
		str_puts(out, " h");
	else
		str_fmt(out, " s%s", what + strcspn(what + 1, " ") + 2);
	if (strip->rows > 1)
		str_fmt(out, "/%u", row->number);
}

/* " 83%" of the step, at a lane's first row; else as many blanks. */
static void put_lane_share(const struct lanes_view *v, const struct row *row, struct str *out)
{
	const struct lane_strip *strip = lanes_strip(v->lanes, row->lane);
	int64_t busy = busy_ns(&strip->busy);
	int percent = (int)((__int128)busy * 100 / v->span_ns);

	if (row->number)
		str_fill(out, ' ', SHARE);
	else if (busy && !percent)
		str_puts(out, "  <1%");
	else
		str_fmt(out, "%4d%%", percent > 100 ? 100 : percent);
}

static void measure_labels(struct lanes_view *v)
{
	struct str text = {0};

	for (int wide = 0; wide < 2; wide++) {
		v->label_columns[wide] = strlen("step") + strlen(v->look.step) + 1;
		for (size_t i = 0; i < v->n_rows; i++) {
			size_t columns;

			str_reset(&text);
			put_label(v, &v->rows[i], wide ? WIDE : 0, &text);
			columns = utf8_columns(text.text, text.len);
			if (columns > v->label_columns[wide])
				v->label_columns[wide] = columns;
		}
	}
	str_release(&text);
}

static bool has_shares(const struct lanes_view *v, int width)
{
	return v->look.pictures && width >= WIDE;
}

/* Followed by a blank; at most half of the width. */
static int label_columns(const struct lanes_view *v, int width)
{
	size_t columns = v->label_columns[width >= WIDE] + (has_shares(v, width) ? SHARE : 0) + 1;

	return columns < (size_t)width / 2 ? (int)columns : width / 2;
}

struct window {
	int64_t from, span;
	int left, cells;         /* columns before the lane, and of it */
};

static struct window window_of(const struct lanes_view *v, const struct stage *stage, int width)
{
	struct window w = { stage->from, stage->span, label_columns(v, width), 1 };

	if (width > w.left + 1)
		w.cells = width - w.left;
	return w;
}

/* The column of a time in the lane; may lie before or after it. */
static int64_t column_of(const struct window *w, int64_t ns)
{
	__int128 at = (__int128)(ns - w->from) * w->cells;

	return (int64_t)(at < 0 ? (at - w->span + 1) / w->span : at / w->span);
}

/* The first time that is in a column. */
static int64_t time_of(const struct window *w, int64_t column)
{
	return w->from + (int64_t)(((__int128)column * w->span + w->cells - 1) / w->cells);
}

/* Columns [begin, end) of a slice, at least one. */
struct columns { int64_t begin, end; };

static struct columns extent_of(const struct window *w, const struct lane_slice *slice)
{
	struct columns e = { column_of(w, slice->start_ns), column_of(w, slice->end_ns) };

	if (e.end <= e.begin)
		e.end = e.begin + 1;
	return e;
}

/* Boxes. */

/* What was done, in one word: the kernel, or the node without its scope. */
static void put_slice_name(struct str *out, const struct lane_slice *slice)
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

static enum role work_of(const struct lane_slice *slice)
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
	line_mark(p->line, work_of(slice), begin, p->out->len);
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
		put_slice_name(&p->name, slice);
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
		size_t beyond = first_from(p->v, p->row, next, time_of(&p->w, last.end));
		struct lane_slice slice;
		struct columns other;

		if (beyond == next) {
			slice = slice_of(p->v, p->row, next);
			other = extent_of(&p->w, &slice);
			if (other.begin > last.end || is_wide(&other))
				break;
			beyond++;
		} else {
			slice = slice_of(p->v, p->row, beyond - 1);
			other = extent_of(&p->w, &slice);
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
		struct lane_slice slice = slice_of(p->v, p->row, item);
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
	size_t item = first_from(p->v, p->row, 0, p->w.from);

	/* The previous slice may still be running. */
	if (item && slice_of(p->v, p->row, item - 1).end_ns > p->w.from)
		item--;
	while (item < p->row->len && p->at < p->w.cells) {
		struct lane_slice slice = slice_of(p->v, p->row, item);
		struct columns e = extent_of(&p->w, &slice);

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

/* What the slices of a row, from `item` on, take of the time in [from, to). */
static int64_t taken(const struct lanes_view *v, const struct row *row, size_t item, int64_t from,
                     int64_t to)
{
	size_t next = first_from(v, row, item, to);
	struct lane_slice slice;
	int64_t sum;

	if (next == item)
		return 0;
	sum = v->busy_ns[row->begin + next] - v->busy_ns[row->begin + item];
	slice = slice_of(v, row, item);
	if (slice.start_ns < from)
		sum -= from - slice.start_ns;
	slice = slice_of(v, row, next - 1);
	return slice.end_ns > to ? sum - (slice.end_ns - to) : sum;
}

/* One column, as high as it is busy, in the colour of its first slice. */
static void paint_column(struct painting *p, size_t item, const struct lane_slice *slice)
{
	int64_t from = time_of(&p->w, p->at), to = time_of(&p->w, p->at + 1);
	int64_t part = taken(p->v, p->row, item, from, to);
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
	put_slice_name(&p->name, slice);
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
		int64_t now = time_of(&p->w, p->at);
		size_t item = first_from(p->v, p->row, done, now);
		struct lane_slice slice;
		struct columns e;

		if (item > done && slice_of(p->v, p->row, item - 1).end_ns > now)
			item--;
		if (item == p->row->len)
			break;
		slice = slice_of(p->v, p->row, item);
		e = extent_of(&p->w, &slice);
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
	int64_t least = (int64_t)((__int128)w->span * TICK_COLUMNS / w->cells), step = 1;
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

static void put_ruler(const struct lanes_view *v, const struct window *w, bool ticks,
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

/* The list below the lanes: what ran from the slice under the cursor on. */

enum { LIST_HEADING = 2 };               /* a blank row, and the columns' names */
enum { TIME_COLUMNS = 9 };

/* The first slice of a row that ends after a time or begins at it. */
static size_t first_ending(const struct lanes_view *v, const struct row *row, int64_t ns)
{
	size_t item = first_from(v, row, 0, ns);

	return item && slice_of(v, row, item - 1).end_ns > ns ? item - 1 : item;
}

/* The n-th of all lanes by its start, of those that had not ended at `ns`. NULL: no such one. */
static const struct row *nth_from(const struct lanes_view *v, int64_t ns, uint64_t n,
                                  struct lane_slice *out)
{
	size_t *next = mem_alloc((v->n_rows + 1) * sizeof *next);
	const struct row *found = NULL;

	for (size_t i = 0; i < v->n_rows; i++)
		next[i] = first_ending(v, &v->rows[i], ns);
	do {
		found = NULL;
		for (size_t i = 0; i < v->n_rows; i++) {
			struct lane_slice slice;

			if (next[i] == v->rows[i].len)
				continue;
			slice = slice_of(v, &v->rows[i], next[i]);
			if (!found || slice.start_ns < out->start_ns) {
				found = &v->rows[i];
				*out = slice;
			}
		}
		if (found)
			next[found - v->rows]++;
	} while (found && n--);
	free(next);
	return found;
}

static void put_list_row(const struct lanes_view *v, const struct row *row,
                         const struct lane_slice *slice, int width, struct line *line)
{
	struct str *out = &line->text, text = {0};

	str_puts(out, v->look.fine ? "▌ " : "| ");
	line_mark(line, work_of(slice), 0, out->len - 1);
	put_time(&text, slice->start_ns, UNIT_AUTO);
	str_fmt(out, "%*s ", TIME_COLUMNS, text.text);
	str_reset(&text);
	put_time(&text, slice->end_ns - slice->start_ns, UNIT_AUTO);
	str_fmt(out, "%*s  ", TIME_COLUMNS, text.text);
	str_reset(&text);
	put_label(v, row, width, &text);
	put_padded(out, str_text(&text), v->label_columns[width >= WIDE]);
	str_puts(out, "  ");
	if (*slice->kernel) {
		put_slice_name(out, slice);
		str_puts(out, "  ");
	}
	utf8_escape(out, slice->name, strlen(slice->name));
	if (*slice->op) {
		str_puts(out, "  ");
		utf8_escape(out, slice->op, strlen(slice->op));
	}
	str_release(&text);
}

static void list_line(const struct lanes_view *v, uint64_t row, const struct stage *stage,
                      int width, struct line *line)
{
	struct lane_slice at = slice_of(v, &v->rows[stage->row], stage->item), slice = {0};
	const struct row *of;
	struct str name = {0};
	size_t begin;

	if (row == 1) {
		put_padded(&name, "Lane", v->label_columns[width >= WIDE]);
		str_fmt(&line->text, "  %*s %*s  %s  Name", TIME_COLUMNS, "From", TIME_COLUMNS,
		        "Took", name.text);
		line_mark(line, ROLE_LIBRARY, 0, line->text.len);
	} else if (row && (of = nth_from(v, at.start_ns, row - LIST_HEADING, &slice))) {
		put_list_row(v, of, &slice, width, line);
		begin = strcspn(line->text.text, " ");
		if (slice.start_ns < at.end_ns || slice.start_ns == at.start_ns)
			line_mark(line, ROLE_STRONG, begin, line->text.len);
	}
	str_release(&name);
}

/* The stage. */

static uint64_t n_heading(struct body *body)
{
	(void)body;
	return HEADING;
}

static void begin(struct body *body, int width, struct stage *stage)
{
	(void)width;
	*stage = (struct stage){ .span = of_body(body)->span_ns };
}

static void put_lane_label(const struct lanes_view *v, const struct row *row, int width, int left,
                           struct str *out)
{
	int share = has_shares(v, width) && left > SHARE + 1 ? SHARE : 0;
	struct str label = {0};

	put_label(v, row, width, &label);
	put_padded(out, str_text(&label), (size_t)(left - share - (left > 0)));
	if (share)
		put_lane_share(v, row, out);
	str_fill(out, ' ', left > 0);
	str_release(&label);
}

static void stage_line(struct body *body, uint64_t row, const struct stage *stage, int width,
                       struct line *line)
{
	struct lanes_view *v = of_body(body);
	struct painting p = { .v = v, .w = window_of(v, stage, width), .line = line,
	                      .out = &line->text };

	if (row < HEADING) {
		put_ruler(v, &p.w, row == 1, p.out);
		line_mark(line, ROLE_LIBRARY, 0, p.out->len);
		return;
	}
	if (row - HEADING >= v->n_rows) {
		list_line(v, row - HEADING - v->n_rows, stage, width, line);
		return;
	}
	p.row = &v->rows[row - HEADING];
	put_lane_label(v, p.row, width, p.w.left, p.out);
	if (v->look.fine)
		paint_blocks(&p);
	else
		paint_row(&p);
	str_release(&p.name);
}

static void clamp(const struct lanes_view *v, struct stage *stage)
{
	if (stage->span > v->span_ns)
		stage->span = v->span_ns;
	if (stage->span < LEAST_SPAN_NS)
		stage->span = LEAST_SPAN_NS < v->span_ns ? LEAST_SPAN_NS : v->span_ns;
	if (stage->from > v->span_ns - stage->span)
		stage->from = v->span_ns - stage->span;
	if (stage->from < 0)
		stage->from = 0;
}

static struct lane_slice item_of(const struct lanes_view *v, const struct stage *stage)
{
	return slice_of(v, &v->rows[stage->row], stage->item);
}

static bool in_sight(const struct stage *stage, const struct lane_slice *slice)
{
	return slice->start_ns < stage->from + stage->span &&
	       (slice->end_ns > stage->from || slice->start_ns >= stage->from);
}

/* After the visible time has changed: chooses an item in sight, if its row has one. */
static void follow_stretch(const struct lanes_view *v, struct stage *stage)
{
	const struct row *row = &v->rows[stage->row];
	struct lane_slice slice = item_of(v, stage);
	size_t item;

	if (in_sight(stage, &slice))
		return;
	item = nearest(v, row,
	               slice.start_ns < stage->from ? stage->from : stage->from + stage->span - 1);
	slice = slice_of(v, row, item);
	if (slice.end_ns <= stage->from && item + 1 < row->len)
		item++;
	else if (slice.start_ns >= stage->from + stage->span && item > 0)
		item--;
	slice = slice_of(v, row, item);
	if (in_sight(stage, &slice))
		stage->item = item;
}

/* After the item has changed: scrolls it into sight. */
static void follow_item(const struct lanes_view *v, struct stage *stage)
{
	struct lane_slice slice = item_of(v, stage);

	if (slice.start_ns >= stage->from && slice.end_ns <= stage->from + stage->span)
		return;
	if (in_sight(stage, &slice) && slice.end_ns - slice.start_ns > stage->span / 2)
		return;
	stage->from = slice.start_ns - stage->span / 4;
	clamp(v, stage);
}

static void zoom(const struct lanes_view *v, struct stage *stage, bool in, int64_t n)
{
	struct lane_slice slice = item_of(v, stage);
	int64_t begin = stage->from, end = stage->from + stage->span, middle, left;

	if (in_sight(stage, &slice)) {           /* the middle of its visible part stays in place */
		begin = slice.start_ns > begin ? slice.start_ns : begin;
		end = slice.end_ns < end ? slice.end_ns : end;
	}
	middle = begin + (end - begin) / 2;
	for (int64_t i = 0; i < n && i < 64; i++) {
		int64_t span = in ? stage->span / 2
		               : stage->span > v->span_ns / 2 ? v->span_ns
		               : stage->span * 2;

		if (span < LEAST_SPAN_NS)
			span = stage->span;
		left = (int64_t)((__int128)(middle - stage->from) * span / stage->span);
		stage->from = middle - left;
		stage->span = span;
		clamp(v, stage);
	}
}

/* The next slices of the lane by their start, whatever rows they are in. */
static void step_slice(const struct lanes_view *v, struct stage *stage, int64_t n)
{
	const struct row *row = &v->rows[stage->row];
	int64_t at = (int64_t)v->slices[row->begin + stage->item] + n;
	int64_t last = (int64_t)lanes_strip(v->lanes, row->lane)->n_slices - 1;
	struct lane_slice slice;
	size_t low = 0, high;

	at = at < 0 ? 0 : at > last ? last : at;
	slice = lanes_slice(v->lanes, row->lane, (size_t)at);
	stage->row = v->first_row[row->lane] + slice.row;
	row = &v->rows[stage->row];
	high = row->len;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v->slices[row->begin + mid] < (uint32_t)at)
			low = mid + 1;
		else
			high = mid;
	}
	stage->item = low;
	follow_item(v, stage);
}

static void pan(const struct lanes_view *v, struct stage *stage, int64_t n)
{
	int64_t by = stage->span / 8 > 0 ? stage->span / 8 : 1;

	if (n > 0)
		stage->from = n > v->span_ns / by ? v->span_ns : stage->from + n * by;
	else
		stage->from = -n > v->span_ns / by ? 0 : stage->from + n * by;
	clamp(v, stage);
	follow_stretch(v, stage);
}

static bool move(struct body *body, enum stage_move how, int64_t n, int width, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);

	(void)width;
	switch (how) {
	case STAGE_LEFT: pan(v, stage, -n); break;
	case STAGE_RIGHT: pan(v, stage, n); break;
	case STAGE_LEFTMOST:
		stage->item = 0;
		follow_item(v, stage);
		break;
	case STAGE_RIGHTMOST:
		stage->item = v->rows[stage->row].len - 1;
		follow_item(v, stage);
		break;
	case STAGE_NEXT: step_slice(v, stage, n); break;
	case STAGE_PREV: step_slice(v, stage, -n); break;
	case STAGE_LESS: zoom(v, stage, false, n); break;
	case STAGE_MORE: zoom(v, stage, true, n); break;
	case STAGE_WHOLE:
		stage->from = 0;
		stage->span = v->span_ns;
		break;
	}
	return true;
}

static void go_row(struct body *body, uint64_t row, int width, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);
	struct lane_slice slice = item_of(v, stage);

	(void)width;
	row = row < HEADING ? 0 : row - HEADING;
	if (row >= v->n_rows)
		row = v->n_rows - 1;
	if (row == stage->row)
		return;
	stage->row = row;
	stage->item = nearest(v, &v->rows[row],
	                      slice.start_ns + (slice.end_ns - slice.start_ns) / 2);
	follow_stretch(v, stage);
}

/* Of the lanes, or of the list below them. */
static bool point(struct body *body, uint64_t row, int col, int width, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);
	struct window w = window_of(v, stage, width);
	struct lane_slice slice = item_of(v, stage);
	uint64_t list = HEADING + v->n_rows + LIST_HEADING;
	const struct row *of;

	if (row < HEADING || (row >= HEADING + v->n_rows && row < list))
		return false;
	if (row >= list) {
		of = nth_from(v, slice.start_ns, row - list, &slice);
		if (!of)
			return false;
		stage->row = (uint64_t)(of - v->rows);
		stage->item = first_from(v, of, 0, slice.start_ns);
		follow_item(v, stage);
	} else if (col >= w.left) {
		stage->row = row - HEADING;
		stage->item = nearest(v, &v->rows[stage->row],
		                      time_of(&w, col - w.left) + w.span / w.cells / 2);
	} else {
		go_row(body, row, width, stage);
	}
	return true;
}

static bool scroll(struct body *body, int64_t n, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);

	pan(v, stage, n);
	return stage->span < v->span_ns;
}

static void fit(struct body *body, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);
	uint64_t last;

	if (stage->row >= v->n_rows)
		stage->row = v->n_rows ? v->n_rows - 1 : 0;
	last = v->rows[stage->row].len ? v->rows[stage->row].len - 1 : 0;
	if (stage->item > last)
		stage->item = last;
	clamp(v, stage);
}

static void spot(struct body *body, const struct stage *stage, int width, uint64_t *row, int *from,
                 int *to)
{
	const struct lanes_view *v = of_body(body);
	struct window w = window_of(v, stage, width);
	struct lane_slice slice = item_of(v, stage);
	struct columns e = extent_of(&w, &slice);

	*row = stage->row + HEADING;
	*from = w.left + (int)(e.begin < 0 ? 0 : e.begin > w.cells ? w.cells : e.begin);
	*to = w.left + (int)(e.end < 0 ? 0 : e.end > w.cells ? w.cells : e.end);
}

static void put_item(struct body *body, const struct stage *stage, int width, struct str *out)
{
	const struct lanes_view *v = of_body(body);
	struct lane_slice slice = item_of(v, stage);
	struct str label = {0}, name = {0}, op = {0}, times = {0};
	const char *parts[3];

	put_time(&times, slice.start_ns, UNIT_AUTO);
	str_puts(&times, " + ");
	put_time(&times, slice.end_ns - slice.start_ns, UNIT_AUTO);
	str_putc(&label, ' ');
	put_label(v, &v->rows[stage->row], width, &label);
	utf8_escape(&name, slice.name, strlen(slice.name));
	utf8_escape(&op, slice.op, strlen(slice.op));
	/* From the left: name, op, times, lane. The lane is left out first if there is no room. */
	if (name.len + op.len + times.len + label.len + 8 > (size_t)width)
		str_reset(&label);
	parts[0] = str_text(&op);
	parts[1] = times.text;
	parts[2] = str_text(&label);
	put_parts(out, str_text(&name), parts, 3, width);
	str_release(&name);
	str_release(&op);
	str_release(&times);
	str_release(&label);
}

static const struct doc_key keys[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "kernel", .way = KEY_OPENS },
	{ 'o', .hint_keys = "o", .hint = "op", .way = KEY_OPENS },
	{ 'e', .way = KEY_OPENS },
	{ 0, .hint_keys = ", .", .hint = "zoom" },
	{ 'a', "the whole step", .way = KEY_MOVES, .n = STAGE_WHOLE },
	{ 'X', "write the step as timeline_STEP.json, a Chrome trace", .hint_keys = "X",
	  .hint = "write", .way = KEY_TELLS },
};
const struct doc_keys lanes_view_keys = { "In timelines", DOC_KEYS(keys) };

bool lanes_view_put_key(void *body, const struct doc_at *at, struct str *out)
{
	const struct lanes_view *v = of_body(body);
	struct lane_slice slice = item_of(v, at->stage);
	const char *what = at->key == DOC_KEY_ENTER && *slice.kernel ? slice.kernel : slice.name;
	struct str file = {0};

	if (at->key == 'X') {
		str_puts(out, "timeline --step ");
		words_put(out, v->look.step);
		str_fmt(&file, "timeline_%s.json", v->look.step);
		words_put_with(out, " -o", file.text);
		str_release(&file);
		return true;
	}
	if (*what == '-' || *what == '(')
		return false;
	if (at->key == 'o')
		str_puts(out, "ni -a -d -t ");
	else
		str_fmt(out, "kernels -g %s --of ", what == slice.kernel ? "kernel" : "op");
	words_put(out, what);
	if (v->look.named && at->key != 'o')
		words_put_with(out, " --step", v->look.step);
	return true;
}

/* The body. */

static uint64_t body_rows(struct body *body)
{
	return of_body(body)->n_rows + HEADING + of_body(body)->free_rows;
}

static bool body_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	struct stage stage;

	(void)err;
	begin(body, width, &stage);
	stage_line(body, row, &stage, width, line);
	return true;
}

static void body_free(struct body *body)
{
	struct lanes_view *v = of_body(body);

	v->lanes->kind->free(v->lanes);
	free(v->rows);
	free(v->first_row);
	free(v->slices);
	free(v->busy_ns);
	free(v);
}

static const struct stage_kind stage = {
	.n_heading = n_heading, .begin = begin, .line = stage_line, .move = move, .go_row = go_row,
	.point = point, .scroll = scroll, .fit = fit, .spot = spot, .put_item = put_item,
};

static const struct body_kind kind = {
	.name = "lanes", .rows = body_rows, .line = body_line, .free = body_free, .chopped = true,
	.stage = &stage,
};

struct body *lanes_view(struct body *lanes, const struct lanes_look *look)
{
	struct lanes_view *v = mem_alloc(sizeof *v);
	int rows;

	v->body.kind = &kind;
	v->lanes = lanes;
	v->look = *look;
	v->span_ns = lanes_span_ns(lanes) > 0 ? lanes_span_ns(lanes) : 1;
	find_rows(v);
	add_up(v);
	measure_labels(v);
	rows = look->rows - HEADING - (int)v->n_rows;
	v->free_rows = look->pictures && rows > LIST_HEADING ? (size_t)rows : 0;
	return &v->body;
}
