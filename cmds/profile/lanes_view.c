#include "cmds/profile/lanes_view.h"

#include <stdlib.h>

#include "cmds/doc/cut.h"
#include "cmds/doc/figure.h"
#include "cmds/lang/words.h"
#include "cmds/profile/lanes_parts.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/wide.h"

enum { LEAST_SPAN_NS = 20 };

static struct lanes_view *of_body(struct body *body)
{
	return (struct lanes_view *)body;
}

/* The stage. */

static uint64_t n_heading(struct body *body)
{
	(void)body;
	return LANES_HEADING;
}

static void begin(struct body *body, int width, struct stage *stage)
{
	(void)width;
	*stage = (struct stage){ .span = of_body(body)->span_ns };
}

static void stage_line(struct body *body, uint64_t row, const struct stage *stage, int width,
                       struct line *line)
{
	struct lanes_view *v = of_body(body);
	struct window w = lanes_window_of(v, stage, width);
	const struct row *of;

	if (row < LANES_HEADING) {
		lanes_put_ruler(v, &w, row == 1, &line->text);
		line_mark(line, ROLE_LIBRARY, 0, line->text.len);
		return;
	}
	row -= LANES_HEADING;
	if (row >= v->n_rows) {
		lanes_list_line(v, row - v->n_rows, stage, width, line);
		return;
	}
	of = &v->rows[row];
	lanes_put_label(v, of, width, w.left, &line->text);
	lanes_paint(v, of, &w, line);
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
	return lanes_slice_of(v, &v->rows[stage->row], stage->item);
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
	int64_t edge = stage->from;
	size_t item;

	if (in_sight(stage, &slice))
		return;
	if (slice.start_ns >= stage->from)
		edge += stage->span - 1;
	item = lanes_nearest(v, row, edge);
	slice = lanes_slice_of(v, row, item);
	if (slice.end_ns <= stage->from && item + 1 < row->len)
		item++;
	else if (slice.start_ns >= stage->from + stage->span && item > 0)
		item--;
	slice = lanes_slice_of(v, row, item);
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
		left = (int64_t)((wide_int)(middle - stage->from) * span / stage->span);
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
	row = row < LANES_HEADING ? 0 : row - LANES_HEADING;
	if (row >= v->n_rows)
		row = v->n_rows - 1;
	if (row == stage->row)
		return;
	stage->row = row;
	stage->item = lanes_nearest(v, &v->rows[row],
	                            slice.start_ns + (slice.end_ns - slice.start_ns) / 2);
	follow_stretch(v, stage);
}

/* Of the lanes, or of the list below them. */
static bool point(struct body *body, uint64_t row, int col, int width, struct stage *stage)
{
	const struct lanes_view *v = of_body(body);
	struct window w = lanes_window_of(v, stage, width);
	struct lane_slice slice = item_of(v, stage);
	uint64_t list = LANES_HEADING + v->n_rows + LANES_LIST_HEADING;
	const struct row *of;

	if (row < LANES_HEADING || (row >= LANES_HEADING + v->n_rows && row < list))
		return false;
	if (row >= list) {
		of = lanes_nth_from(v, slice.start_ns, row - list, &slice);
		if (!of)
			return false;
		stage->row = (uint64_t)(of - v->rows);
		stage->item = lanes_first_from(v, of, 0, slice.start_ns);
		follow_item(v, stage);
	} else if (col >= w.left) {
		stage->row = row - LANES_HEADING;
		stage->item = lanes_nearest(v, &v->rows[stage->row],
		                            lanes_time_of(&w, col - w.left) + w.span / w.cells / 2);
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
	struct window w = lanes_window_of(v, stage, width);
	struct lane_slice slice = item_of(v, stage);
	struct columns e = lanes_extent_of(&w, &slice);

	*row = stage->row + LANES_HEADING;
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
	lanes_put_name(v, &v->rows[stage->row], width, &label);
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
	return of_body(body)->n_rows + LANES_HEADING + of_body(body)->free_rows;
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
	lanes_find_rows(v);
	lanes_add_up(v);
	lanes_measure_labels(v);
	rows = look->rows - LANES_HEADING - (int)v->n_rows;
	v->free_rows = look->pictures && rows > LANES_LIST_HEADING ? (size_t)rows : 0;
	return &v->body;
}
