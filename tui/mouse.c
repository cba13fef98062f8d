/*
 * A press says what the button holds; a drag moves that; the release of a button that holds nothing
 * is a click. Press and release that come together are one click.
 */
#include "tui/mouse.h"

#include "dump/base/clock.h"
#include "tui/actions.h"
#include "tui/bars.h"
#include "tui/completing.h"
#include "tui/events.h"
#include "tui/keybar.h"
#include "tui/panes.h"

enum { HOLD_FIRST_MS = 300, HOLD_NEXT_MS = 100, DOUBLE_MS = 400, WHEEL_ROWS = 3 };

/* The pane with this cell, bar included; NO_PANE: none. */
static int pane_at(const struct app *app, int row, int col, bool bar_only)
{
	for (int i = 0; i < MAX_PANES; i++) {
		const struct pane_box *box = &app->layout.pane[i];

		if (rect_holds(&box->bar, row, col) ||
		    (!bar_only && rect_holds(&box->text, row, col)))
			return i;
	}
	return NO_PANE;
}

static void scroll(struct pane *pane, int rows)
{
	if (pane->focus)
		pane_scroll_under(pane, rows);
	else
		pane_scroll(pane, rows);
}

/* Scroll bars. */

/* A bar of one column is all way for the block; a wider one has ends, to step by. */
static int end_rows(const struct rect *bar)
{
	return bar->cols > 1;
}

static int block_row(const struct rect *bar, const struct whereabouts *where)
{
	int way = bar->rows - 1 - 2 * end_rows(bar);

	return bar->row + end_rows(bar) + (int)(where->fraction * way);
}

static void press_bar(struct app *app, int view, int row)
{
	const struct rect *bar = &app->layout.pane[view].bar;
	struct pane *pane = &app->view[view].pane;
	struct whereabouts where = pane_where(pane);
	int third = app->layout.pane[view].text.rows / 3;
	struct hold hold = { .grip = GRIP_OTHER, .view = view };

	if (!where.scrolls) {
		app->hold = hold;
		return;
	}
	if (end_rows(bar) && (row == bar->row || row == bar->row + bar->rows - 1)) {
		hold.grip = GRIP_BAR_END;
		hold.step = row == bar->row ? -1 : 1;
		hold.at_ms = clock_ms() + HOLD_FIRST_MS;
		scroll(pane, hold.step);
	} else if (row == block_row(bar, &where)) {
		hold.grip = GRIP_BLOCK;
	} else {
		scroll(pane, (row < block_row(bar, &where) ? -1 : 1) * (third > 0 ? third : 1));
	}
	app->hold = hold;
}

static void drag_block(struct app *app, int row)
{
	const struct rect *bar = &app->layout.pane[app->hold.view].bar;
	int room = bar->rows - 1 - 2 * end_rows(bar), at = row - bar->row - end_rows(bar);

	if (room > 0)
		pane_go_fraction(&app->view[app->hold.view].pane, at <= 0      ? 0
		                                                  : at >= room ? 1
		                                                               : (double)at / room);
}

void mouse_hold(struct app *app)
{
	struct hold *hold = &app->hold;

	if (hold->grip != GRIP_BAR_END || clock_ms() < hold->at_ms)
		return;
	scroll(&app->view[hold->view].pane, hold->step);
	hold->at_ms = clock_ms() + HOLD_NEXT_MS;
}

/* Clicks. */

static void put_cursor(struct app *app, int view, int row, int col)
{
	struct pane *pane = &app->view[view].pane;
	size_t n;
	const struct piece *pieces;

	if (!pane_doc(pane))
		return;
	app_focus_pane(app, view);
	pieces = pane_pieces(pane, &n);
	if (row < 0 || (size_t)row >= n)
		return;
	pane->focus = true;
	if (row >= pane_frozen_now(pane))
		pane->cursor = pieces[row].at;
	pane_point(pane, col);
	pane->link = NO_SEG;
}

static bool is_double(struct app *app, int row, int col)
{
	struct clicked last = app->clicked;

	app->clicked = (struct clicked){ row, col, clock_ms() };
	if (last.row != row || last.col != col || !last.at_ms ||
	    clock_ms() - last.at_ms > DOUBLE_MS)
		return false;
	app->clicked.at_ms = 0;
	return true;
}

/* A second click on an item opens it; a quick one even if what shows there has moved meanwhile. */
static void click_item(struct app *app, int view, int row, int col, bool quick)
{
	struct pane *pane = &app->view[view].pane;
	bool had_focus = pane->focus, same = false;

	if (app->orders.len)             /* it has been opened */
		return;
	app_focus_pane(app, view);
	pane->focus = true;
	if (!quick && (!pane_stage_point(pane, row, col, &same) || !same || !had_focus))
		return;
	app->clicked.at_ms = 0;
	if (doc_find_key(pane_doc(pane), DOC_KEY_ENTER))
		events_key(app, DOC_KEY_ENTER);
}

static void click_pane(struct app *app, int view, int row, int col)
{
	const struct rect *text = &app->layout.pane[view].text;
	int in_row = row - text->row, in_col = col - text->col - view_gutter(&app->view[view]);
	const char *command = NULL;

	if (!pane_doc(&app->view[view].pane))
		return;
	if (app_is_modern(app) && pane_sort_at(&app->view[view].pane, in_row, in_col)) {
		app_focus_pane(app, view);
		return;
	}
	command = pane_link_at(&app->view[view].pane, in_row, in_col);
	if (command) {
		app_order(app, command);
		return;
	}
	if (pane_is_stage(&app->view[view].pane)) {
		click_item(app, view, in_row, in_col, is_double(app, row, col));
		return;
	}
	put_cursor(app, view, in_row, in_col);
	if (is_double(app, row, col) && pane_link(&app->view[view].pane))
		actions_follow(app);
}

static void click(struct app *app, int row, int col)
{
	int view = pane_at(app, row, col, false);
	const char *command;

	if (app->layout.too_small || !view_doc(app_view(app)))
		return;
	if (rect_holds(&app->layout.keys, row, col)) {
		events_key(app, keybar_key_at(app, col));
		return;
	}
	if (app->overlay)
		return;
	command = bars_command_at(app, row, col);
	if (command)
		app_order(app, command);
	else if (view != NO_PANE)
		click_pane(app, view, row, col);
	else if (rect_holds(&app->layout.prompt, row, col))
		app_focus_view(app, false);
}

/* Events. */

static void press(struct app *app, int row, int col)
{
	int view = pane_at(app, row, col, true);

	app->hold = (struct hold){0};
	if (app->overlay)
		return;
	for (int i = 0; i < app->layout.n_rules; i++)
		if (rect_holds(&app->layout.rule[i].rect, row, col))
			app->hold = (struct hold){ .grip = GRIP_RULE, .rule = i };
	if (view != NO_PANE)
		press_bar(app, view, row);
}

static void drag(struct app *app, int row, int col)
{
	if (app->hold.grip == GRIP_BLOCK)
		drag_block(app, row);
	else if (app->hold.grip == GRIP_RULE && app->hold.rule < app->layout.n_rules)
		panes_drag(app, &app->layout.rule[app->hold.rule], row, col);
}

static void release(struct app *app, int row, int col)
{
	bool clicks = app->hold.grip == GRIP_NONE;

	app->hold = (struct hold){0};
	if (clicks)
		click(app, row, col);
}

static void wheel(struct app *app, int row, int col, int rows)
{
	int view = pane_at(app, row, col, false);
	struct pane *pane = app->overlay || view == NO_PANE ? app_pane(app) : &app->view[view].pane;

	if (!pane_doc(pane))
		return;
	if (pane_where(pane).scrolls || !pane_stage_scroll(pane, rows < 0 ? -1 : 1))
		scroll(pane, rows);
}

void mouse_event(struct app *app, const struct event *ev)
{
	if (!app->mouse)
		return;
	if (ev->mouse != MOUSE_DRAG) {
		app->toast.until_ms = 0;
		app_close_hints(app);
	}
	if (app->hold.grip == GRIP_NONE && completing_mouse(app, ev))
		return;
	switch (ev->mouse) {
	case MOUSE_WHEEL_UP: wheel(app, ev->row, ev->col, -WHEEL_ROWS); break;
	case MOUSE_WHEEL_DOWN: wheel(app, ev->row, ev->col, WHEEL_ROWS); break;
	case MOUSE_PRESS: press(app, ev->row, ev->col); break;
	case MOUSE_DRAG: drag(app, ev->row, ev->col); break;
	case MOUSE_RELEASE: release(app, ev->row, ev->col); break;
	case MOUSE_CLICK:
		press(app, ev->row, ev->col);
		release(app, ev->row, ev->col);
		break;
	}
}
