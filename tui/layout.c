/*
 * Rows are dealt from both ends: title, navigation and menu from the top, prompt and status from
 * the bottom; the panes get what is left. The scroll bar begins below the place of the menu even if
 * there is none. Panes are dealt with all of them first, then with one less, until each has enough.
 */
#include "tui/layout.h"

enum { LEAST_ROWS = 6, LEAST_COLS = 20, BAR_COLS = 2, PANE_ROWS = 3, PANE_COLS = 20 };
/* in our style */
enum { LEAST_MODERN_ROWS = 4, GUTTER_COLS = 2, THUMB_COLS = 1, MOST_PROMPT_ROWS = 2 };

bool rect_holds(const struct rect *r, int row, int col)
{
	return row >= r->row && row < r->row + r->rows && col >= r->col && col < r->col + r->cols;
}

static struct layout notice_only(int rows, int cols)
{
	struct layout l = { .rows = rows, .cols = cols, .too_small = true };

	l.title = (struct rect){ 0, 0, 1, cols };
	if (rows > 1)
		l.prompt = (struct rect){ rows - 1, 0, 1, cols };
	return l;
}

/* Panes: a set is a bit for each. */

static unsigned set_of(const struct arrangement *a, int part)
{
	if (part >= 0)
		return 1u << part;
	return set_of(a, a->split[SPLIT(part)].part[0]) | set_of(a, a->split[SPLIT(part)].part[1]);
}

/* How many of `total` rows or columns the first part gets; both get `least` if that can be. */
static int first_share(int total, int permille, int least)
{
	int first = (int)((long)total * permille / 1000);

	if (first > total - least)
		first = total - least;
	return first < least ? least : first;
}

/* The piece of the rule above that lies above this area. */
static struct rect above(struct rect title, const struct rect *area)
{
	title.col = area->col;
	title.cols = area->cols;
	return title;
}

/* The rows of the lower part of a stack, and the rule: in our style that is the lower one's frame.
 */
static void deal_stack(const struct layout *l, const struct split *split, const struct rect *area,
                       struct rect *first, struct rect *rule, struct rect *second)
{
	int apart = !l->framed;

	first->rows = first_share(area->rows - apart, split->permille, PANE_ROWS + l->framed);
	if (split->most_rows && first->rows > split->most_rows + l->framed)
		first->rows = split->most_rows + l->framed;
	rule->row += first->rows;
	rule->rows = 1;
	second->row += first->rows + apart;
	second->rows -= first->rows + apart;
}

static struct rect cut_title(struct rect *area)
{
	struct rect title = *area;

	title.rows = 1;
	area->row++;
	area->rows--;
	return title;
}

/* area: rows and columns of a part, scroll bars included. */
static void deal(struct layout *l, const struct arrangement *a, int part, unsigned shown,
                 struct rect area, struct rect title)
{
	const struct split *split;
	struct rect first = area, second = area, rule = area;
	bool both;

	if (part >= 0) {
		if (l->framed)
			title = cut_title(&area);
		l->pane[part] = (struct pane_box){ .text = area, .title = title };
		return;
	}
	split = &a->split[SPLIT(part)];
	both = (set_of(a, split->part[0]) & shown) && (set_of(a, split->part[1]) & shown);
	if (!both) {
		deal(l, a, split->part[set_of(a, split->part[0]) & shown ? 0 : 1], shown, area,
		     title);
		return;
	}
	if (split->beside) {
		first.cols = first_share(area.cols - 1, split->permille, PANE_COLS);
		rule.col += first.cols;
		rule.cols = 1;
		second.col += first.cols + 1;
		second.cols -= first.cols + 1;
	} else {
		deal_stack(l, split, &area, &first, &rule, &second);
	}
	l->rule[l->n_rules++] = (struct rule){ rule, area, SPLIT(part) };
	deal(l, a, split->part[0], shown, first, above(title, &first));
	deal(l, a, split->part[1], shown, second, split->beside ? above(title, &second) : rule);
}

static void deal_anew(struct layout *l, const struct arrangement *a, unsigned shown)
{
	struct rect all = { l->output.row, 0, l->output.rows, l->cols };

	l->framed = l->modern && (shown & (shown - 1)) != 0;
	for (int i = 0; i < MAX_PANES; i++)
		l->pane[i] = (struct pane_box){0};
	l->n_rules = 0;
	deal(l, a, a->root, shown, all, (struct rect){0});
}

static bool all_fit(const struct layout *l, unsigned shown)
{
	for (int i = 0; i < MAX_PANES; i++)
		if (shown & 1u << i &&
		    (l->pane[i].text.rows < PANE_ROWS || l->pane[i].text.cols < PANE_COLS))
			return false;
	return true;
}

/* Without the last pane that can go; 0: none can. */
static unsigned without_last(const struct arrangement *a, unsigned shown, int focus)
{
	int panes[MAX_PANES];

	for (size_t i = arrangement_panes(a, panes); i-- > 0;)
		if (shown & 1u << panes[i] && panes[i] != focus)
			return shown & ~(1u << panes[i]);
	return 0;
}

/* The columns at the sides of a pane. */
static void cut_sides(const struct layout *l, struct pane_box *box)
{
	int bar = l->modern ? THUMB_COLS : BAR_COLS;

	if (l->modern) {
		box->gutter = box->text;
		box->gutter.cols = GUTTER_COLS;
		box->text.col += GUTTER_COLS;
		box->text.cols -= GUTTER_COLS;
	}
	box->bar = box->text;
	box->text.cols -= bar;
	box->bar.col += box->text.cols;
	box->bar.cols = bar;
}

static void cut_strip(struct pane_box *box)
{
	if (box->text.rows <= PANE_ROWS)
		return;
	box->strip = box->text;
	box->strip.rows = 1;
	for (int i = 0; i < 3; i++) {
		struct rect *rect = (struct rect *[]){ &box->gutter, &box->text, &box->bar }[i];

		rect->row++;
		rect->rows--;
	}
}

static void deal_panes(struct layout *l, const struct wish *wish, int bar_top)
{
	const struct arrangement *a = &wish->arrangement;
	int panes[MAX_PANES];
	unsigned shown = wish->zoom ? 1u << wish->focus : set_of(a, a->root), fewer;

	l->n_panes = (int)arrangement_panes(a, panes);
	deal_anew(l, a, shown);
	while (!all_fit(l, shown) && (fewer = without_last(a, shown, wish->focus)) != 0) {
		shown = fewer;
		deal_anew(l, a, shown);
	}
	for (int i = 0; i < l->n_panes; i++) {
		struct pane_box *box = &l->pane[panes[i]];
		int lost;

		l->n_hidden += !(shown & 1u << panes[i]);
		if (!box->text.rows)
			continue;
		cut_sides(l, box);
		if (l->modern && wish->strips & 1u << panes[i])
			cut_strip(box);
		lost = box->bar.row < bar_top ? bar_top - box->bar.row : 0;
		box->bar.row += lost;
		box->bar.rows -= lost;
	}
}

static struct layout modern(int rows, int cols, const struct wish *wish)
{
	struct layout l = { .rows = rows, .cols = cols, .modern = true };
	int top = 0, bottom = rows, prompt = wish->prompt_rows;

	if (rows < LEAST_MODERN_ROWS || cols < LEAST_COLS)
		return notice_only(rows, cols);
	if (rows >= 7)
		l.title = (struct rect){ top++, 0, 1, cols };
	if (rows >= 8)
		l.nav = (struct rect){ top++, 0, 1, cols };
	if (rows >= 10 || (rows >= 6 && rows < 9 && !wish->types))
		l.keys = (struct rect){ --bottom, 0, 1, cols };
	if (rows < 10 || prompt < 1)
		prompt = 1;
	else if (prompt > MOST_PROMPT_ROWS)
		prompt = MOST_PROMPT_ROWS;
	if (rows >= 9 || wish->types) {
		bottom -= prompt;
		l.prompt = (struct rect){ bottom, 0, prompt, cols };
	}
	if (wish->menu)
		l.menu = l.keys;
	if (rows >= 6 || !wish->types)
		l.status = (struct rect){ --bottom, 0, 1, cols };
	l.output = (struct rect){ top, 0, bottom - top, cols - THUMB_COLS };
	deal_panes(&l, wish, top);
	return l;
}

struct layout layout_of(int rows, int cols, const struct wish *wish)
{
	struct layout l = { .rows = rows, .cols = cols };
	int top = 0, bottom = rows, bar_top;

	if (wish->modern)
		return modern(rows, cols, wish);
	if (rows < LEAST_ROWS || cols < LEAST_COLS)
		return notice_only(rows, cols);
	l.title = (struct rect){ top++, 0, 1, cols };
	if (rows >= 8)
		l.nav = (struct rect){ top++, 0, 1, cols - BAR_COLS - 1 };
	bar_top = rows >= 9 ? top + 1 : top;
	if (rows >= 9 && wish->menu)
		l.menu = (struct rect){ top++, 0, 1, cols - BAR_COLS - 1 };
	bottom -= rows >= 10 ? 2 : 1;
	l.prompt = (struct rect){ bottom, 0, rows - bottom, cols };
	if (rows >= 7)
		l.status = (struct rect){ --bottom, 0, 1, cols };
	l.output = (struct rect){ top, 0, bottom - top, cols - BAR_COLS };
	deal_panes(&l, wish, bar_top);
	return l;
}
