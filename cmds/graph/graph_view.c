/*
 * Inputs and outputs are searched separately, one step of edges at a time; a node that is both gets
 * two boxes. Only edges between neighbouring columns are drawn, and only those of the box under the
 * cursor: so each gap has room for them, however many there are.
 */
#include "cmds/graph/graph_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "cmds/lang/words.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"
#include "dump/model/module.h"

enum { HEADING = 1, FRAMED = 3, GAP = 4, LEAST_BOX = 22, LEAST_BOX_NARROW = 15, NARROW = 60 };
enum { CHAIN_LEAST = 3, MAX_BOXES = 20000, MAX_DEPTH = 1000 };

struct box {
	uint32_t node;           /* the first in the box; GRAPH_NONE: the graph doesn't have it */
	uint32_t end;            /* of a chain: the last, from which the search goes on */
	uint32_t n;              /* nodes */
	size_t scope_len;        /* how much of the node's name is the scope; 0: it is none */
	const char *name;
	uint32_t layer, row;     /* column, and place in it */
};

struct link {
	uint32_t near, far;      /* boxes; far is at least as far from the middle as near */
};

typedef VEC(uint32_t) box_list;

struct graph_view {
	struct body body;
	struct graph_view_query q;
	VEC(struct box) boxes;
	VEC(struct link) links;
	size_t *first_link;      /* by box: its part of linked, the boxes it has edges to */
	uint32_t *linked;
	box_list *layers;
	uint32_t n_layers, middle;
	uint64_t most;           /* boxes in a column */
	uint64_t high;           /* rows of a box: 1, 3 with a frame */
	bool cut;
	struct arena mem;
};

static struct graph_view *of_body(struct body *body)
{
	return (struct graph_view *)body;
}

/* Searching. */

struct side {
	struct graph_view *v;
	enum edge_kind data, control;
	int direction;           /* of the columns: -1, 1 */
	uint32_t *box_of;        /* by node: box + 1; 0: none yet */
	struct map scopes;
	VEC(uint32_t) scope_box;
	VEC(uint32_t) front, next;       /* nodes */
	struct err *err;
};

static uint32_t add_box(struct graph_view *v, uint32_t node, const char *name, uint32_t layer)
{
	uint32_t at = (uint32_t)v->boxes.len;

	vec_push(&v->boxes, ((struct box){ .node = node, .end = node, .n = 1, .name = name,
	                                   .layer = layer,
	                                   .row = (uint32_t)v->layers[layer].len }));
	vec_push(&v->layers[layer], at);
	return at;
}

/* The only neighbour of a kind; GRAPH_NONE: none, or several. */
static uint32_t only(struct side *s, uint32_t node, enum edge_kind kind)
{
	struct edges edges;

	if (!graph_edges(s->v->q.graph, node, kind, &edges, s->err) || edges.len != 1)
		return GRAPH_NONE;
	return edges.at[0].node;
}

static bool is_link(struct side *s, uint32_t node)
{
	return node != GRAPH_NONE && node != s->v->q.node && !s->box_of[node] &&
	       only(s, node, EDGE_INPUT) != GRAPH_NONE &&
	       only(s, node, EDGE_RECIPIENT) != GRAPH_NONE;
}

/* The chain that begins with this node, away from the middle. */
static void follow_chain(struct side *s, struct box *box)
{
	struct graph *graph = s->v->q.graph;
	uint32_t n = 1, end = box->node, at = box->node;

	if (!is_link(s, at))
		return;
	while (n < graph_len(graph)) {
		at = only(s, at, s->data);
		if (!is_link(s, at) || strcmp(graph_op(graph, at), graph_op(graph, box->node)))
			break;
		end = at;
		n++;
	}
	if (n < CHAIN_LEAST)
		return;
	box->n = n;
	box->end = end;
}

static size_t scope_len(const char *name, int64_t parts)
{
	const char *slash = name;

	for (int64_t i = 0; i < parts; i++) {
		slash = strchr(i ? slash + 1 : slash, '/');
		if (!slash)
			return 0;
	}
	return parts > 0 ? (size_t)(slash - name) : 0;
}

/* The box of its scope, if there is one already. */
static bool join_scope(struct side *s, uint32_t node, size_t len, uint32_t *box)
{
	const char *name = graph_name(s->v->q.graph, node);
	uint32_t id = len ? map_add(&s->scopes, &s->v->mem, name, len) : MAP_NONE;

	if (!len)
		return false;
	if (id == s->scope_box.len) {
		vec_push(&s->scope_box, (uint32_t)s->v->boxes.len);
		return false;
	}
	*box = s->scope_box.at[id];
	s->v->boxes.at[*box].n++;
	return true;
}

/* The box of a node that is reached for the first time. */
static uint32_t reach(struct side *s, uint32_t node, uint32_t layer)
{
	struct graph_view *v = s->v;
	const char *name = graph_name(v->q.graph, node);
	size_t len = scope_len(name, v->q.scopes);
	uint32_t at;

	if (!join_scope(s, node, len, &at)) {
		at = add_box(v, node, name, layer);
		v->boxes.at[at].scope_len = len;
		if (!len)
			follow_chain(s, &v->boxes.at[at]);
	}
	s->box_of[node] = at + 1;
	if (!len && v->boxes.at[at].n > 1)
		for (uint32_t k = v->boxes.at[at].n, n = node; k--; n = only(s, n, s->data))
			s->box_of[n] = at + 1;
	vec_push(&s->next, len ? node : v->boxes.at[at].end);
	return at;
}

static bool step_over(struct side *s, uint32_t node, enum edge_kind kind, uint32_t layer)
{
	struct graph_view *v = s->v;
	struct edges edges;

	if (!graph_edges(v->q.graph, node, kind, &edges, s->err))
		return false;
	for (size_t i = 0; i < edges.len; i++) {
		uint32_t other = edges.at[i].node, from = s->box_of[node] - 1, to;

		if (v->boxes.len >= MAX_BOXES && (other == GRAPH_NONE || !s->box_of[other])) {
			v->cut = true;
			continue;
		}
		if (other == GRAPH_NONE)
			to = add_box(v, GRAPH_NONE, edge_node_name(v->q.graph, &edges.at[i]),
			             layer);
		else
			to = s->box_of[other] ? s->box_of[other] - 1 : reach(s, other, layer);
		if (from != to)
			vec_push(&v->links, ((struct link){ from, to }));
	}
	return true;
}

static bool search(struct side *s, struct progress *progress)
{
	struct graph_view *v = s->v;
	bool ok = true;

	s->box_of = mem_alloc((graph_len(v->q.graph) + 1) * sizeof *s->box_of);
	s->box_of[v->q.node] = 1;
	vec_push(&s->front, v->q.node);
	for (int64_t d = 1; ok && d <= v->q.depth; d++) {
		uint32_t layer = (uint32_t)((int64_t)v->middle + s->direction * d);

		s->next.len = 0;
		for (size_t i = 0; ok && i < s->front.len; i++) {
			if (!(i % 1024) && !progress_step(progress, v->boxes.len, MAX_BOXES))
				ok = err_at(s->err, ERR_CANCELLED, "command", 0, "stopped");
			ok = ok && step_over(s, s->front.at[i], s->data, layer) &&
			     (!v->q.control || step_over(s, s->front.at[i], s->control, layer));
		}
		s->front.len = 0;
		for (size_t i = 0; i < s->next.len; i++)
			vec_push(&s->front, s->next.at[i]);
	}
	free(s->box_of);
	vec_release(&s->front);
	vec_release(&s->next);
	vec_release(&s->scope_box);
	map_release(&s->scopes);
	return ok;
}

/* Drops empty columns at both ends. */
static void trim(struct graph_view *v)
{
	uint32_t first = 0, n = v->n_layers;

	while (!v->layers[first].len)
		first++;
	while (!v->layers[n - 1].len)
		n--;
	memmove(v->layers, v->layers + first, (n - first) * sizeof *v->layers);
	v->n_layers = n - first;
	v->middle -= first;
	for (size_t i = 0; i < v->boxes.len; i++) {
		v->boxes.at[i].layer -= first;
		if (v->boxes.at[i].row + 1 > v->most)
			v->most = v->boxes.at[i].row + 1;
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;

	return (p > q) - (p < q);
}

static void index_links(struct graph_view *v)
{
	size_t n = v->boxes.len, *end, kept = 0;

	v->first_link = mem_alloc((n + 2) * sizeof *v->first_link);
	v->linked = mem_alloc((2 * v->links.len + 1) * sizeof *v->linked);
	end = v->first_link + 1;
	for (size_t i = 0; i < v->links.len; i++) {
		end[v->links.at[i].near + 1]++;
		end[v->links.at[i].far + 1]++;
	}
	for (size_t i = 1; i <= n; i++)
		end[i] += end[i - 1];
	for (size_t i = 0; i < v->links.len; i++) {
		v->linked[end[v->links.at[i].near]++] = v->links.at[i].far;
		v->linked[end[v->links.at[i].far]++] = v->links.at[i].near;
	}
	for (size_t i = 0, begin = 0; i < n; i++) {
		size_t stop = v->first_link[i + 1];

		if (stop > begin)
			qsort(&v->linked[begin], stop - begin, sizeof *v->linked, by_number);
		v->first_link[i] = kept;
		for (size_t k = begin; k < stop; k++)
			if (k == begin || v->linked[k] != v->linked[k - 1])
				v->linked[kept++] = v->linked[k];
		begin = stop;
	}
	v->first_link[n] = kept;
}

/* Columns of the screen. */

struct sight {
	uint32_t n;              /* columns of boxes */
	int box;                 /* width of one */
};

static struct sight sight_of(const struct graph_view *v, int width)
{
	int least = width < NARROW ? LEAST_BOX_NARROW : LEAST_BOX;
	int n = (width + GAP) / (least + GAP);
	struct sight s = { n < 1 ? 1 : (uint32_t)n, width > 2 ? width : 2 };

	if (s.n > v->n_layers)
		s.n = v->n_layers;
	s.box = (width - ((int)s.n - 1) * GAP) / (int)s.n;
	if (s.box < 4)
		s.box = 4;
	return s;
}

/* The cursor's column shows, with one on each side if there is room. */
static void keep_in_sight(const struct graph_view *v, int width, struct stage *stage)
{
	struct sight s = sight_of(v, width);
	int64_t margin = s.n >= 3, layer = (int64_t)stage->row, last = (int64_t)v->n_layers - s.n;

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
	return v->layers[stage->row].at[stage->item];
}

/* The first box of a column with an edge to this one; the column's length if none has. */
static size_t first_linked(const struct graph_view *v, uint32_t box, uint32_t layer)
{
	size_t first = v->layers[layer].len;

	for (size_t i = v->first_link[box]; i < v->first_link[box + 1]; i++) {
		const struct box *other = &v->boxes.at[v->linked[i]];

		if (other->layer == layer && other->row < first)
			first = other->row;
	}
	return first;
}

/* Boxes. */

static void put_box_name(const struct graph_view *v, const struct box *box, struct str *out)
{
	struct str name = {0};

	if (box->scope_len) {
		str_put(&name, box->name, box->scope_len);
		str_putc(&name, '/');
	} else if (box->n > 1) {
		str_fmt(&name, "\xe2\x80\xa6 %u %s", box->n, graph_op(v->q.graph, box->node));
	} else {
		str_puts(&name, box->name);
	}
	utf8_escape(out, name.text, name.len);
	str_release(&name);
}

static void put_box_op(const struct graph_view *v, const struct box *box, struct str *out)
{
	if (box->scope_len)
		str_fmt(out, "%u node%s", box->n, box->n > 1 ? "s" : "");
	else if (box->node != GRAPH_NONE && box->n == 1)
		utf8_escape(out, graph_op(v->q.graph, box->node),
		            strlen(graph_op(v->q.graph, box->node)));
}

/* The node in the middle has double lines. */
enum frame { FRAME_SIDE, FRAME_ALONG, FRAME_TOP_LEFT, FRAME_TOP_RIGHT, FRAME_LEFT, FRAME_RIGHT };
static const char *const frames[2][6] = {
	{ "│", "─", "┌", "┐", "└", "┘" }, { "║", "═", "╔", "╗", "╚", "╝" },
};

/* The line above or below a box. */
static void put_edge(bool top, bool middle, size_t columns, struct str *out)
{
	const char *const *frame = frames[middle];

	str_puts(out, frame[top ? FRAME_TOP_LEFT : FRAME_LEFT]);
	for (size_t i = 2; i < columns; i++)
		str_puts(out, frame[FRAME_ALONG]);
	str_puts(out, frame[top ? FRAME_TOP_RIGHT : FRAME_RIGHT]);
}

static void put_side(const struct graph_view *v, bool left, bool middle, struct str *out)
{
	if (v->q.fine)
		str_puts(out, frames[middle][FRAME_SIDE]);
	else
		str_fill(out, left ? '[' : ']', middle ? 2 : 1);
}

/* "[pool      Mean]"; doubled brackets in the middle. The op gives way to the name. */
static void put_box(const struct graph_view *v, uint32_t at, size_t columns, struct str *out)
{
	const struct box *box = &v->boxes.at[at];
	size_t sides = at == 0 && !v->q.fine ? 2 : 1, room = columns - 2 * sides, size, before;
	struct str name = {0}, op = {0};

	put_box_name(v, box, &name);
	put_box_op(v, box, &op);
	size = utf8_columns(str_text(&op), op.len);
	if (size && utf8_columns(name.text, name.len) + 1 + size > room && size > room / 3) {
		str_reset(&op);
		size = 0;
	}
	put_side(v, true, at == 0, out);
	before = out->len;
	put_shortened(out, str_text(&name), size ? room - size - 1 : room, true);
	str_fill(out, ' ', room - size - utf8_columns(str_text(out) + before, out->len - before));
	str_puts(out, str_text(&op));
	put_side(v, false, at == 0, out);
	str_release(&name);
	str_release(&op);
}

/* The edges in a gap, whose boxes lie in [low, high] of the column's rows of boxes. */
struct gap {
	bool any, into;          /* into: the cursor is behind the gap; else before it */
	bool linked, here;       /* the row of boxes asked for: has a linked box, has the cursor */
	uint64_t low, high;
};

static struct gap gap_of(const struct graph_view *v, const struct stage *stage, uint32_t layer,
                         uint64_t row)
{
	uint32_t box = box_at(v, stage);
	struct gap g = { .into = layer + 1 == stage->row, .here = row == stage->item,
	                 .low = stage->item, .high = stage->item };
	uint32_t others = g.into ? layer : layer + 1;

	for (size_t i = v->first_link[box];
	     i < v->first_link[box + 1] && (g.into || layer == stage->row); i++) {
		const struct box *other = &v->boxes.at[v->linked[i]];

		if (other->layer != others)
			continue;
		g.any = true;
		g.low = other->row < g.low ? other->row : g.low;
		g.high = other->row > g.high ? other->row : g.high;
		g.linked |= other->row == row;
	}
	return g;
}

static void put_ascii_gap(const struct gap *g, uint64_t row, struct str *out)
{
	char gap[GAP + 1] = "    ";

	if (g->any && row >= g->low && row <= g->high) {
		if (g->linked || g->here)
			gap[1] = g->low == g->high ? '-' : '+';
		else
			gap[1] = '|';
		if (g->into ? g->linked : g->here)
			gap[0] = '-';
		if (g->into ? g->here : g->linked)
			memcpy(gap + 2, "->", 2);
	}
	str_puts(out, gap);
}

/* `part` of the row's lines: the middle one has the edges, the others what goes past. */
static void put_line_gap(const struct graph_view *v, const struct gap *g, uint64_t row,
                         uint64_t part, struct str *out)
{
	/* by where lines go on: left 1, right 2, up 4, down 8 */
	static const char *const joints[16] = {
		" ", "─", "─", "─", "│", "┘", "└", "┴", "│", "┐", "┌", "┬", "│", "┤", "├", "┼",
	};
	uint64_t middle = v->high / 2, y = row * v->high + part;
	bool in = g->any && part == middle && (g->into ? g->linked : g->here);
	bool on = g->any && part == middle && (g->into ? g->here : g->linked);
	bool up = g->any && y > g->low * v->high + middle && y <= g->high * v->high + middle;
	bool down = g->any && y >= g->low * v->high + middle && y < g->high * v->high + middle;

	str_puts(out, in ? "─" : " ");
	str_puts(out, joints[in + 2 * on + 4 * up + 8 * down]);
	str_puts(out, on ? "─>" : "  ");
}

/*
 * The gap after column `layer` in a row: lines from the linked boxes on one side to the cursor's
 * box on the other. All edges meet in one vertical line.
 */
static void put_gap(const struct graph_view *v, const struct stage *stage, uint32_t layer,
                    uint64_t row, uint64_t part, struct str *out)
{
	struct gap g = gap_of(v, stage, layer, row);

	if (v->q.fine)
		put_line_gap(v, &g, row, part, out);
	else
		put_ascii_gap(&g, row, out);
}

/* A line of the box in a row of a column, or blanks. */
static void put_box_line(const struct graph_view *v, uint32_t layer, uint64_t row, uint64_t part,
                         size_t columns, struct str *out)
{
	uint32_t at;

	if (row >= v->layers[layer].len) {
		str_fill(out, ' ', columns);
		return;
	}
	at = v->layers[layer].at[row];
	if (part == v->high / 2)
		put_box(v, at, columns, out);
	else
		put_edge(!part, at == 0, columns, out);
}

static void put_layer_name(const struct graph_view *v, uint32_t layer, struct str *out)
{
	if (layer == v->middle)
		str_puts(out, "node");
	else if (layer < v->middle)
		str_fmt(out, "inputs %u", v->middle - layer);
	else
		str_fmt(out, "outputs %u", layer - v->middle);
	if (v->layers[layer].len > 1)
		str_fmt(out, " (%zu)", v->layers[layer].len);
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

	*stage = (struct stage){ .span = 1 + v->middle, .row = v->middle };
	keep_in_sight(v, width, stage);
}

static void stage_line(struct body *body, uint64_t row, const struct stage *stage, int width,
                       struct line *line)
{
	const struct graph_view *v = of_body(body);
	struct sight s = sight_of(v, width);
	struct stage seen = *stage;
	uint64_t of = row ? (row - HEADING) / v->high : 0;
	uint64_t part = row ? (row - HEADING) % v->high : 0;
	struct str text = {0};

	keep_in_sight(v, width, &seen);
	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t layer = (uint32_t)seen.from + i;
		size_t begin = line->text.len;

		if (row) {
			put_box_line(v, layer, of, part, (size_t)s.box, &line->text);
		} else {
			str_reset(&text);
			put_layer_name(v, layer, &text);
			put_padded(&line->text, str_text(&text), (size_t)s.box);
			line_mark(line, ROLE_LIBRARY, begin, line->text.len);
		}
		if (i + 1 == s.n)
			break;
		if (row)
			put_gap(v, stage, layer, of, part, &line->text);
		else
			str_fill(&line->text, ' ', GAP);
	}
	str_release(&text);
}

static void go_item(const struct graph_view *v, struct stage *stage, int64_t item)
{
	int64_t last = (int64_t)v->layers[stage->row].len - 1;

	stage->item = (uint64_t)(item < 0 ? 0 : item > last ? last : item);
}

/* Goes one column on: to the first box with an edge to the present one, else to the same row. */
static void go_aside(const struct graph_view *v, struct stage *stage, int direction)
{
	uint32_t box = box_at(v, stage);
	size_t first;

	if (direction < 0 ? !stage->row : stage->row + 1 == v->n_layers)
		return;
	stage->row += (uint64_t)direction;
	first = first_linked(v, box, (uint32_t)stage->row);
	go_item(v, stage,
	        first < v->layers[stage->row].len ? (int64_t)first : (int64_t)stage->item);
}

static void go_on(const struct graph_view *v, struct stage *stage, int direction)
{
	if (direction > 0 && stage->item + 1 < v->layers[stage->row].len) {
		stage->item++;
	} else if (direction < 0 && stage->item) {
		stage->item--;
	} else if (direction > 0 ? stage->row + 1 < v->n_layers : stage->row > 0) {
		stage->row += (uint64_t)direction;
		go_item(v, stage, direction > 0 ? 0 : INT64_MAX);
	}
}

static bool move(struct body *body, enum stage_move how, int64_t n, int width, struct stage *stage)
{
	const struct graph_view *v = of_body(body);

	for (int64_t i = 0; i < n && i < (int64_t)v->boxes.len; i++)
		switch (how) {
		case STAGE_LEFT: go_aside(v, stage, -1); break;
		case STAGE_RIGHT: go_aside(v, stage, 1); break;
		case STAGE_LEFTMOST: stage->row = 0; break;
		case STAGE_RIGHTMOST: stage->row = v->n_layers - 1; break;
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
	uint64_t item = row < HEADING ? 0 : (row - HEADING) / v->high;
	uint64_t part = row < HEADING ? 0 : (row - HEADING) % v->high;

	(void)width;
	/* One row on, from the middle of a box, is the next box. */
	if (item == stage->item && row >= HEADING && part != v->high / 2)
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
	layer = (uint64_t)seen.from + (uint64_t)(col / (s.box + GAP));
	if (row < HEADING || col < 0 || col % (s.box + GAP) >= s.box || layer >= v->n_layers ||
	    layer >= (uint64_t)seen.from + s.n)
		return false;
	item = (row - HEADING) / v->high;
	if (item >= v->layers[layer].len)
		return false;
	stage->row = layer;
	stage->item = item;
	keep_in_sight(v, width, stage);
	return true;
}

static void fit(struct body *body, struct stage *stage)
{
	const struct graph_view *v = of_body(body);

	int64_t row = (int64_t)stage->row - stage->span + 1 + v->middle;

	stage->row = row < 0 ? 0 : row < v->n_layers ? (uint64_t)row : v->n_layers - 1;
	stage->span = 1 + v->middle;
	go_item(v, stage, (int64_t)stage->item);
}

static void spot(struct body *body, const struct stage *stage, int width, uint64_t *row, int *from,
                 int *to)
{
	const struct graph_view *v = of_body(body);
	struct sight s = sight_of(v, width);
	struct stage seen = *stage;

	keep_in_sight(v, width, &seen);
	*row = stage->item * v->high + v->high / 2 + HEADING;
	*from = (int)((int64_t)stage->row - seen.from) * (s.box + GAP);
	*to = *from + s.box;
}

static uint64_t count_links(const struct graph_view *v, uint32_t box, bool up)
{
	uint32_t layer = v->boxes.at[box].layer;
	uint64_t n = 0;

	for (size_t i = v->first_link[box]; i < v->first_link[box + 1]; i++)
		n += up ? v->boxes.at[v->linked[i]].layer < layer
		        : v->boxes.at[v->linked[i]].layer > layer;
	return n;
}

static void put_item(struct body *body, const struct stage *stage, int width, struct str *out)
{
	const struct graph_view *v = of_body(body);
	uint32_t at = box_at(v, stage);
	struct str name = {0}, op = {0}, counts = {0};
	const char *parts[2];

	put_box_name(v, &v->boxes.at[at], &name);
	put_box_op(v, &v->boxes.at[at], &op);
	str_fmt(&counts, " %" PRIu64 " in, %" PRIu64 " out here%s", count_links(v, at, true),
	        count_links(v, at, false), v->cut ? ", cut" : "");
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
	const struct module *module = graph_module(v->q.graph);
	const struct called *called;
	uint32_t root;
	size_t n = 0;

	called = module ? module_called(module, node, &n) : NULL;
	if (!n || called->computation == MODULE_NONE)
		return NULL;
	root = module->computations.at[called->computation].root;
	return root == MODULE_NONE ? NULL : graph_name(v->q.graph, root);
}

bool graph_view_put_key(void *body, const struct doc_at *at, struct str *out)
{
	const struct graph_view *v = of_body(body);
	const struct box *box = &v->boxes.at[box_at(v, at->stage)];
	struct args args = v->q.args;

	if (box->node == GRAPH_NONE || box->name[0] == '-')
		return false;
	if (at->key == DOC_KEY_ENTER) {
		args.pos[0] = box->node != v->q.node ? box->name : root_of_called(v, box->node);
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

	return v->n_layers <= sight_of(v, width).n &&
	       (int64_t)(HEADING + FRAMED * v->most) <= v->q.rows;
}

static uint64_t body_rows(struct body *body)
{
	return of_body(body)->most * of_body(body)->high + HEADING;
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

	for (uint32_t i = 0; i < v->n_layers; i++)
		vec_release(&v->layers[i]);
	free(v->layers);
	free(v->first_link);
	free(v->linked);
	vec_release(&v->boxes);
	vec_release(&v->links);
	arena_release(&v->mem);
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
	struct side up = {
		.v = v, .data = EDGE_INPUT, .control = EDGE_CONTROL, .direction = -1, .err = err,
	};
	struct side down = {
		.v = v, .data = EDGE_RECIPIENT, .control = EDGE_CONTROL_RECIPIENT, .direction = 1,
		.err = err,
	};

	v->body.kind = &kind;
	v->q = *query;
	v->q.depth = v->q.depth < 0 ? 0 : v->q.depth > MAX_DEPTH ? MAX_DEPTH : v->q.depth;
	v->middle = (uint32_t)v->q.depth;
	v->n_layers = 2 * v->middle + 1;
	v->layers = mem_alloc(v->n_layers * sizeof *v->layers);
	add_box(v, v->q.node, graph_name(v->q.graph, v->q.node), v->middle);
	if (search(&up, progress) && search(&down, progress)) {
		trim(v);
		index_links(v);
		v->high = v->q.fine && v->q.rows >= (int64_t)(HEADING + FRAMED * v->most) ? FRAMED
		                                                                          : 1;
		return &v->body;
	}
	body_free(&v->body);
	return NULL;
}
