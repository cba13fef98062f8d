#include "cmds/graph/graph_paint.h"

#include <string.h>

#include "cmds/doc/cut.h"
#include "dump/base/utf8.h"

void graph_paint_name(const struct graph_boxes *b, const struct box *box, struct str *out)
{
	struct str name = {0};

	if (box->scope_len) {
		str_put(&name, box->name, box->scope_len);
		str_putc(&name, '/');
	} else if (box->n > 1) {
		str_fmt(&name, "\xe2\x80\xa6 %u %s", box->n, graph_op(b->graph, box->node));
	} else {
		str_puts(&name, box->name);
	}
	utf8_escape(out, name.text, name.len);
	str_release(&name);
}

void graph_paint_op(const struct graph_boxes *b, const struct box *box, struct str *out)
{
	if (box->scope_len)
		str_fmt(out, "%u node%s", box->n, box->n > 1 ? "s" : "");
	else if (box->node != GRAPH_NONE && box->n == 1)
		utf8_escape(out, graph_op(b->graph, box->node),
		            strlen(graph_op(b->graph, box->node)));
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

static void put_side(const struct graph_paint *p, bool left, bool middle, struct str *out)
{
	if (p->fine)
		str_puts(out, frames[middle][FRAME_SIDE]);
	else
		str_fill(out, left ? '[' : ']', middle ? 2 : 1);
}

/* "[pool      Mean]"; doubled brackets in the middle. The op gives way to the name. */
static void put_box(const struct graph_paint *p, uint32_t at, size_t columns, struct str *out)
{
	const struct box *box = &p->b->boxes.at[at];
	size_t sides = at == 0 && !p->fine ? 2 : 1, room = columns - 2 * sides, size, before;
	struct str name = {0}, op = {0};

	graph_paint_name(p->b, box, &name);
	graph_paint_op(p->b, box, &op);
	size = utf8_columns(str_text(&op), op.len);
	if (size && utf8_columns(name.text, name.len) + 1 + size > room && size > room / 3) {
		str_reset(&op);
		size = 0;
	}
	put_side(p, true, at == 0, out);
	before = out->len;
	put_shortened(out, str_text(&name), size ? room - size - 1 : room, true);
	str_fill(out, ' ', room - size - utf8_columns(str_text(out) + before, out->len - before));
	str_puts(out, str_text(&op));
	put_side(p, false, at == 0, out);
	str_release(&name);
	str_release(&op);
}

/* The edges in a gap, whose boxes lie in [low, high] of the column's rows of boxes. */
struct gap {
	bool any, into;          /* into: the cursor is behind the gap; else before it */
	bool linked, here;       /* the row of boxes asked for: has a linked box, has the cursor */
	uint64_t low, high;
};

static struct gap gap_of(const struct graph_paint *p, const struct stage *stage, uint32_t layer,
                         uint64_t row)
{
	uint32_t box = p->b->layers[stage->row].at[stage->item];
	struct gap g = { .into = layer + 1 == stage->row, .here = row == stage->item,
	                 .low = stage->item, .high = stage->item };
	uint32_t others = g.into ? layer : layer + 1;

	for (size_t i = p->b->first_link[box];
	     i < p->b->first_link[box + 1] && (g.into || layer == stage->row); i++) {
		const struct box *other = &p->b->boxes.at[p->b->linked[i]];

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
	char gap[GRAPH_GAP + 1] = "    ";

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
static void put_line_gap(const struct graph_paint *p, const struct gap *g, uint64_t row,
                         uint64_t part, struct str *out)
{
	/* by where lines go on: left 1, right 2, up 4, down 8 */
	static const char *const joints[16] = {
		" ", "─", "─", "─", "│", "┘", "└", "┴", "│", "┐", "┌", "┬", "│", "┤", "├", "┼",
	};
	uint64_t middle = p->high / 2, y = row * p->high + part;
	bool in = g->any && part == middle && (g->into ? g->linked : g->here);
	bool on = g->any && part == middle && (g->into ? g->here : g->linked);
	bool up = g->any && y > g->low * p->high + middle && y <= g->high * p->high + middle;
	bool down = g->any && y >= g->low * p->high + middle && y < g->high * p->high + middle;

	str_puts(out, in ? "─" : " ");
	str_puts(out, joints[in + 2 * on + 4 * up + 8 * down]);
	str_puts(out, on ? "─>" : "  ");
}

void graph_paint_gap(const struct graph_paint *p, const struct stage *stage, uint32_t layer,
                     uint64_t row, uint64_t part, struct str *out)
{
	struct gap g = gap_of(p, stage, layer, row);

	if (p->fine)
		put_line_gap(p, &g, row, part, out);
	else
		put_ascii_gap(&g, row, out);
}

void graph_paint_box(const struct graph_paint *p, uint32_t layer, uint64_t row, uint64_t part,
                     size_t columns, struct str *out)
{
	uint32_t at;

	if (row >= p->b->layers[layer].len) {
		str_fill(out, ' ', columns);
		return;
	}
	at = p->b->layers[layer].at[row];
	if (part == p->high / 2)
		put_box(p, at, columns, out);
	else
		put_edge(!part, at == 0, columns, out);
}

void graph_paint_layer(const struct graph_boxes *b, uint32_t layer, struct str *out)
{
	if (layer == b->middle)
		str_puts(out, "node");
	else if (layer < b->middle)
		str_fmt(out, "inputs %u", b->middle - layer);
	else
		str_fmt(out, "outputs %u", layer - b->middle);
	if (b->layers[layer].len > 1)
		str_fmt(out, " (%zu)", b->layers[layer].len);
}
