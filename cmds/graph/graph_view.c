#include "cmds/graph/graph_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/graph/graph_paint.h"
#include "cmds/lang/words.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/model/module.h"

enum { HEADING = 1, FRAMED = 3, LEAST_BOX = 22, LEAST_BOX_NARROW = 15, NARROW = 60 };

struct graph_view {
	struct body body;
	struct graph_view_query q;
	struct graph_boxes b;
	struct graph_paint paint;
};

static struct graph_view *of_body(struct body *body)
{
	return (struct graph_view *)body;
}

/* Columns of the screen. */

struct sight {
	uint32_t n;              /* columns of boxes */
	int box;                 /* width of one */
};

static struct sight sight_of(const struct graph_view *v, int width)
{
	int least = width < NARROW ? LEAST_BOX_NARROW : LEAST_BOX;
	int n = (width + GRAPH_GAP) / (least + GRAPH_GAP);
	struct sight s = { n < 1 ? 1 : (uint32_t)n, width > 2 ? width : 2 };

	if (s.n > v->b.n_layers)
		s.n = v->b.n_layers;
	s.box = (width - ((int)s.n - 1) * GRAPH_GAP) / (int)s.n;
	if (s.box < 4)
		s.box = 4;
	return s;
}

/* The cursor's column shows, with one on each side if there is room. */
static void keep_in_sight(const struct graph_view *v, int width, struct stage *stage)
{
	struct sight s = sight_of(v, width);
	int64_t margin = s.n >= 3, layer = (int64_t)stage->row, last = (int64_t)v->b.n_layers - s.n;

	if (stage->from > layer - margin)
		stage->from = layer - margin;
	if (stage->from < layer + margin - (int64_t)s.n + 1)
		stage->from = layer + margin - (int64_t)s.n + 1;
	if (stage->from > last)
		stage->from = last;
	if (stage->from < 0)
		stage->from = 0;
}

static uint32_t box_at(const struct graph_view *v, const struct stage *stage)
{
	return v->b.layers[stage->row].at[stage->item];
}

/* The stage: its span is one more than the columns before the node's, to know it again. */

static uint64_t n_heading(struct body *body)
{
	(void)body;
	return HEADING;
}

static void begin(struct body *body, int width, struct stage *stage)
{
	const struct graph_view *v = of_body(body);

	*stage = (struct stage){ .span = 1 + v->b.middle, .row = v->b.middle };
	keep_in_sight(v, width, stage);
}

static void stage_line(struct body *body, uint64_t row, const struct stage *stage, int width,
                       struct line *line)
{
	const struct graph_view *v = of_body(body);
	struct sight s = sight_of(v, width);
	struct stage seen = *stage;
	uint64_t of = row ? (row - HEADING) / v->paint.high : 0;
	uint64_t part = row ? (row - HEADING) % v->paint.high : 0;
	struct str text = {0};

	keep_in_sight(v, width, &seen);
	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t layer = (uint32_t)seen.from + i;
		size_t begin = line->text.len;

		if (row) {
			graph_paint_box(&v->paint, layer, of, part, (size_t)s.box, &line->text);
		} else {
			str_reset(&text);
			graph_paint_layer(&v->b, layer, &text);
			put_padded(&line->text, str_text(&text), (size_t)s.box);
			line_mark(line, ROLE_LIBRARY, begin, line->text.len);
		}
		if (i + 1 == s.n)
			break;
		if (row)
			graph_paint_gap(&v->paint, stage, layer, of, part, &line->text);
		else
			str_fill(&line->text, ' ', GRAPH_GAP);
	}
	str_release(&text);
}

static void go_item(const struct graph_view *v, struct stage *stage, int64_t item)
{
	int64_t last = (int64_t)v->b.layers[stage->row].len - 1;

	stage->item = (uint64_t)(item < 0 ? 0 : item > last ? last : item);
}

/* Goes one column on: to the first box with an edge to the present one, else to the same row. */
static void go_aside(const struct graph_view *v, struct stage *stage, int direction)
{
	uint32_t box = box_at(v, stage);
	size_t first;

	if (direction < 0 ? !stage->row : stage->row + 1 == v->b.n_layers)
		return;
	stage->row += (uint64_t)direction;
	first = graph_boxes_first_linked(&v->b, box, (uint32_t)stage->row);
	go_item(v, stage,
	        first < v->b.layers[stage->row].len ? (int64_t)first : (int64_t)stage->item);
}

static void go_on(const struct graph_view *v, struct stage *stage, int direction)
{
	if (direction > 0 && stage->item + 1 < v->b.layers[stage->row].len) {
		stage->item++;
	} else if (direction < 0 && stage->item) {
		stage->item--;
	} else if (direction > 0 ? stage->row + 1 < v->b.n_layers : stage->row > 0) {
		stage->row += (uint64_t)direction;
		go_item(v, stage, direction > 0 ? 0 : INT64_MAX);
	}
}

static bool move(struct body *body, enum stage_move how, int64_t n, int width, struct stage *stage)
{
	const struct graph_view *v = of_body(body);

	for (int64_t i = 0; i < n && i < (int64_t)v->b.boxes.len; i++)
		switch (how) {
		case STAGE_LEFT: go_aside(v, stage, -1); break;
		case STAGE_RIGHT: go_aside(v, stage, 1); break;
		case STAGE_LEFTMOST: stage->row = 0; break;
		case STAGE_RIGHTMOST: stage->row = v->b.n_layers - 1; break;
		case STAGE_NEXT: go_on(v, stage, 1); break;
		case STAGE_PREV: go_on(v, stage, -1); break;
		default: return false;
		}
	go_item(v, stage, (int64_t)stage->item);
	keep_in_sight(v, width, stage);
	return true;
}

static void go_row(struct body *body, uint64_t row, int width, struct stage *stage)
{
	const struct graph_view *v = of_body(body);
	uint64_t item = row < HEADING ? 0 : (row - HEADING) / v->paint.high;
	uint64_t part = row < HEADING ? 0 : (row - HEADING) % v->paint.high;

	(void)width;
	/* One row on, from the middle of a box, is the next box. */
	if (item == stage->item && row >= HEADING && part != v->paint.high / 2)
		go_item(v, stage, (int64_t)item + (part ? 1 : -1));
	else
		go_item(v, stage, (int64_t)item);
}

static bool point(struct body *body, uint64_t row, int col, int width, struct stage *stage)
{
	const struct graph_view *v = of_body(body);
	struct sight s = sight_of(v, width);
	struct stage seen = *stage;
	uint64_t layer, item;

	keep_in_sight(v, width, &seen);
	layer = (uint64_t)seen.from + (uint64_t)(col / (s.box + GRAPH_GAP));
	if (row < HEADING || col < 0 || col % (s.box + GRAPH_GAP) >= s.box ||
	    layer >= v->b.n_layers || layer >= (uint64_t)seen.from + s.n)
		return false;
	item = (row - HEADING) / v->paint.high;
	if (item >= v->b.layers[layer].len)
		return false;
	stage->row = layer;
	stage->item = item;
	keep_in_sight(v, width, stage);
	return true;
}

static void fit(struct body *body, struct stage *stage)
{
	const struct graph_view *v = of_body(body);

	int64_t row = (int64_t)stage->row - stage->span + 1 + v->b.middle;

	stage->row = row < 0 ? 0 : row < v->b.n_layers ? (uint64_t)row : v->b.n_layers - 1;
	stage->span = 1 + v->b.middle;
	go_item(v, stage, (int64_t)stage->item);
}

static void spot(struct body *body, const struct stage *stage, int width, uint64_t *row, int *from,
                 int *to)
{
	const struct graph_view *v = of_body(body);
	struct sight s = sight_of(v, width);
	struct stage seen = *stage;

	keep_in_sight(v, width, &seen);
	*row = stage->item * v->paint.high + v->paint.high / 2 + HEADING;
	*from = (int)((int64_t)stage->row - seen.from) * (s.box + GRAPH_GAP);
	*to = *from + s.box;
}

static void put_item(struct body *body, const struct stage *stage, int width, struct str *out)
{
	const struct graph_view *v = of_body(body);
	uint32_t at = box_at(v, stage);
	struct str name = {0}, op = {0}, counts = {0};
	const char *parts[2];

	graph_paint_name(&v->b, &v->b.boxes.at[at], &name);
	graph_paint_op(&v->b, &v->b.boxes.at[at], &op);
	str_fmt(&counts, " %" PRIu64 " in, %" PRIu64 " out here%s",
	        graph_boxes_count_links(&v->b, at, true),
	        graph_boxes_count_links(&v->b, at, false), v->b.cut ? ", cut" : "");
	parts[0] = str_text(&op);
	parts[1] = counts.text;
	put_parts(out, name.text, parts, 2, width);
	str_release(&name);
	str_release(&op);
	str_release(&counts);
}

static const struct doc_key keys[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "center", .way = KEY_OPENS },
	{ 'o', .way = KEY_OPENS },
	{ 'e', .way = KEY_OPENS },
};
const struct doc_keys graph_view_keys = { NULL, DOC_KEYS(keys) };

/* Into a fusion, a loop, a call: the result of what it calls. NULL: it calls nothing. */
static const char *root_of_called(const struct graph_view *v, uint32_t node)
{
	const struct module *module = graph_module(v->b.graph);
	const struct called *called;
	uint32_t root;
	size_t n = 0;

	called = module ? module_called(module, node, &n) : NULL;
	if (!n || called->computation == MODULE_NONE)
		return NULL;
	root = module->computations.at[called->computation].root;
	return root == MODULE_NONE ? NULL : graph_name(v->b.graph, root);
}

bool graph_view_put_key(void *body, const struct doc_at *at, struct str *out)
{
	const struct graph_view *v = of_body(body);
	const struct box *box = &v->b.boxes.at[box_at(v, at->stage)];
	struct args args = v->q.args;

	if (box->node == GRAPH_NONE || box->name[0] == '-')
		return false;
	if (at->key == DOC_KEY_ENTER) {
		args.pos[0] = box->name;
		if (box->node == v->q.near.node)
			args.pos[0] = root_of_called(v, box->node);
		if (args.pos[0]) {
			again_put(v->q.cmd, &args, out);
			return true;
		}
	}
	str_puts(out, at->key == 'e' ? "explain " : "ni -a -d -t ");
	words_put(out, box->name);
	return true;
}

/* The body. */

bool graph_view_fits(struct body *body, int width)
{
	const struct graph_view *v = of_body(body);

	return v->b.n_layers <= sight_of(v, width).n &&
	       (int64_t)(HEADING + FRAMED * v->b.most) <= v->q.rows;
}

static uint64_t body_rows(struct body *body)
{
	return of_body(body)->b.most * of_body(body)->paint.high + HEADING;
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
	struct graph_view *v = of_body(body);

	graph_boxes_release(&v->b);
	free(v);
}

static const struct stage_kind stage = {
	.n_heading = n_heading, .begin = begin, .line = stage_line, .move = move, .go_row = go_row,
	.point = point, .fit = fit, .spot = spot, .put_item = put_item,
};

static const struct body_kind kind = {
	.name = "graph", .rows = body_rows, .line = body_line, .free = body_free, .chopped = true,
	.stage = &stage,
};

struct body *graph_view(const struct graph_view_query *query, struct progress *progress,
                        struct err *err)
{
	struct graph_view *v = mem_alloc(sizeof *v);
	bool framed;

	v->body.kind = &kind;
	v->q = *query;
	if (!graph_boxes_find(&v->b, &query->near, progress, err)) {
		body_free(&v->body);
		return NULL;
	}
	framed = v->q.fine && v->q.rows >= (int64_t)(HEADING + FRAMED * v->b.most);
	v->paint = (struct graph_paint){ &v->b, framed ? FRAMED : 1, v->q.fine };
	return &v->body;
}
