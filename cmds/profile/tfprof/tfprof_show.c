/*
 * Scope, graph and code: which rows of the tree are shown, where and in which order. Rows are in
 * preorder, so what comes from above takes one pass forwards and what comes from below one pass
 * backwards.
 *
 * A row is kept if it counts or (scope, code) something below it is kept. In a graph a node that
 * doesn't count passes its kept rows on to its parent. A shown row hangs under the nearest shown
 * row above it.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/profile/tfprof/tfprof_view.h"
#include "dump/base/mem.h"

struct showing {
	struct tfprof_view *view;
	uint32_t *above;                 /* the kept row above; a shown row's: the shown one */
	uint32_t *depth;                 /* from 1, the root's; 0: not reached */
	bool *shown;
};

/* Kept rows, and for each row the nearest kept one above. */
static void keep_rows(struct showing *s)
{
	struct tfprof_view *view = s->view;
	const uint32_t *parent = view->tree->parent;
	bool by_children = view->kind != TFPROF_GRAPH;

	for (size_t row = view->n; row-- > 1; ) {
		view->kept[row] |= view->accounted[row];
		if (view->kept[row] && by_children)
			view->kept[parent[row]] = true;
	}
	view->kept[0] = true;
	for (size_t row = 1; row < view->n; row++)
		s->above[row] = view->kept[parent[row]] ? parent[row] : s->above[parent[row]];
}

/* Totals over kept rows: the row's own and those below it. The root has none of its own. */
static void add_up(struct showing *s)
{
	struct tfprof_view *view = s->view;

	for (int f = 0; f < TFPROF_N_FIGURES; f++) {
		enum tfprof_figure figure = (enum tfprof_figure)f;
		int64_t *total = view->total[f];

		if (!total)
			continue;
		for (uint32_t row = 1; row < view->n; row++)
			total[row] = view->kept[row] ? tfprof_view_own(view, row, figure) : 0;
		for (size_t row = view->n; row-- > 1; )
			if (view->kept[row])
				total[s->above[row]] = tfprof_add(total[s->above[row]], total[row]);
	}
}

/* The rows where the display starts: on each path down the first match. They go under the root. */
static void find_starts(struct showing *s)
{
	struct tfprof_view *view = s->view;
	const struct tfprof_patterns *start = &view->pattern[TFPROF_START_NAME];
	bool *inside = mem_alloc(view->n + 1);

	for (uint32_t row = 1; row < view->n; row++) {
		if (!view->kept[row])
			continue;
		inside[row] = s->above[row] && inside[s->above[row]];
		if (inside[row])
			continue;
		if (tfprof_matches(start, tfprof_view_name(view, row))) {
			s->above[row] = 0;
			inside[row] = true;
		} else {
			view->kept[row] = false;
		}
	}
	free(inside);
}

static bool is_trimmed(const struct tfprof_view *view, uint32_t row)
{
	return tfprof_matches(&view->pattern[TFPROF_TRIM_NAME], tfprof_view_name(view, row));
}

/* A trimmed or too deep row is dropped itself in the code view, elsewhere only what is below it. */
static void choose(struct showing *s)
{
	struct tfprof_view *view = s->view;
	int64_t max_depth = view->options.number[TFPROF_MAX_DEPTH];
	bool *closed = mem_alloc(view->n + 1);   /* nothing below is looked at */
	bool code = view->kind == TFPROF_CODE;

	s->depth[0] = 1;
	s->shown[0] = true;
	closed[0] = max_depth < 1 || is_trimmed(view, 0);
	for (uint32_t row = 1; row < view->n; row++) {
		uint32_t above = s->above[row];
		bool ends;

		if (!view->kept[row])
			continue;
		if (closed[above] || !s->depth[above]) {
			closed[row] = true;
			continue;
		}
		s->depth[row] = s->depth[above] + 1;
		ends = s->depth[row] > max_depth || is_trimmed(view, row);
		closed[row] = ends;
		s->shown[row] = s->depth[row] <= max_depth && !(code && ends)
		                && tfprof_passes(view, row, tfprof_view_name(view, row));
	}
	free(closed);
	for (uint32_t row = 1; row < view->n; row++)
		if (s->depth[row] && !s->shown[s->above[row]])
			s->above[row] = s->above[s->above[row]];
}

/* Totals of shown rows alone. */
static void add_up_shown(struct showing *s)
{
	struct tfprof_view *view = s->view;

	for (int f = 0; f < TFPROF_N_FIGURES; f++) {
		int64_t *total = view->total[f];

		if (!total)
			continue;
		for (uint32_t row = 0; row < view->n; row++)
			if (s->shown[row])
				total[row] = row ? tfprof_view_own(view, row, (enum tfprof_figure)f)
				                 : f == TFPROF_DEFINITIONS;
		for (size_t row = view->n; row-- > 1; )
			if (s->shown[row])
				total[s->above[row]] = tfprof_add(total[s->above[row]], total[row]);
	}
}

/* Children of shown rows, sorted; then all in the order of the report. */
static void put_in_order(struct showing *s)
{
	struct tfprof_view *view = s->view;
	uint32_t *start = mem_alloc((view->n + 2) * sizeof *start);
	uint32_t *child = mem_alloc((view->n + 1) * sizeof *child);
	VEC(struct tfprof_shown) todo = {0};

	for (size_t row = 1; row < view->n; row++)
		if (s->shown[row])
			start[s->above[row] + 1]++;
	for (size_t row = 0; row < view->n; row++)
		start[row + 1] += start[row];
	start[view->n + 1] = start[view->n];
	for (size_t row = view->n; row-- > 1; )
		if (s->shown[row])
			child[--start[s->above[row] + 1]] = (uint32_t)row;
	vec_push(&todo, ((struct tfprof_shown){ 0, 0 }));
	while (todo.len) {
		struct tfprof_shown next = todo.at[--todo.len];
		/* The former end of a row's children is their beginning now. */
		size_t begin = start[next.row + 1], end = start[next.row + 2];

		vec_push(&view->shown, next);
		tfprof_sort(view, child + begin, end - begin);
		while (end-- > begin)
			vec_push(&todo, ((struct tfprof_shown){ child[end], next.level + 1 }));
	}
	vec_release(&todo);
	free(start);
	free(child);
}

void tfprof_show_tree(struct tfprof_view *view)
{
	struct showing s = { .view = view };

	s.above = mem_alloc((view->n + 1) * sizeof *s.above);
	s.depth = mem_alloc((view->n + 1) * sizeof *s.depth);
	s.shown = mem_alloc(view->n + 1);
	keep_rows(&s);
	add_up(&s);
	if (!view->pattern[TFPROF_START_NAME].all)
		find_starts(&s);
	choose(&s);
	if (view->options.displayed_only && view->kind != TFPROF_CODE)
		add_up_shown(&s);
	put_in_order(&s);
	free(s.above);
	free(s.depth);
	free(s.shown);
}
