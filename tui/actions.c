/*
 * Keys and the mouse. A key is looked up in the table of tui/keys.c; in the prompt what is not there goes to readline.
 * While a question is asked the next key answers it.
 */
#include "tui/state.h"

#include <signal.h>
#include <string.h>

#include "dump/base/utf8.h"
#include "tui/keys.h"
#include "tui/prompt.h"

enum { AGAIN_MS = 2000, HOLD_FIRST_MS = 300, HOLD_NEXT_MS = 100 };
enum { WHEEL_ROWS = 3, MAX_CANDIDATES = 200 };

/* Focus. */

static void focus_view(struct app *app, bool view)
{
	if (view && !app->pane.doc)
		return;
	pane_focus(&app->pane, view);
	app->typed_count = 0;
}

static void prompt_with(struct app *app, const char *text)
{
	prompt_set(text);
	focus_view(app, false);
	app->view_line = true;
}

static void close_help(struct app *app)
{
	pane_show(&app->help_pane, NULL, NULL);
	doc_free(app->help);
	app->help = NULL;
}

static void open_help(struct app *app)
{
	if (app->help) {
		close_help(app);
		return;
	}
	app->help = key_help();
	pane_show(&app->help_pane, app->help, NULL);
	pane_focus(&app->help_pane, true);
}

/* Closes what lies over the view; false: nothing did. */
static bool close_something(struct app *app)
{
	if (app->asks_to_leave)
		app->asks_to_leave = false;
	else if (app->help)
		close_help(app);
	else if (app->candidates.total)
		app->candidates.total = 0;
	else if (app->typed_count)
		app->typed_count = 0;
	else
		return false;
	return true;
}

/* Completion. */

static void list_candidates(struct app *app, const struct completion *found)
{
	struct candidates *c = &app->candidates;

	str_reset(&c->text);
	c->begin.len = 0;
	c->total = found->n;
	for (size_t i = 0; i < found->first.len; i++) {
		if (i)
			str_putc(&c->text, ' ');
		vec_push(&c->begin, c->text.len);
		utf8_escape(&c->text, found->first.at[i], strlen(found->first.at[i]));
	}
}

/* Inserts what all candidates have in common; more than one: lists them. */
static void complete(struct app *app)
{
	struct completion found = {0};
	size_t cursor = prompt_cursor(), typed;

	app->candidates.total = 0;
	app->tab_waits = worker_busy(app->worker) || !app->loaded;
	if (app->tab_waits)
		return;
	shell_complete(app->shell, prompt_text(), cursor, MAX_CANDIDATES, &found);
	typed = cursor - found.word_begin;
	if (found.n && found.common.len > typed)
		prompt_insert(found.common.text + typed, found.common.len - typed);
	if (found.n > 1)
		list_candidates(app, &found);
	completion_release(&found);
}

void app_late_tab(struct app *app)
{
	if (app->tab_waits && !worker_busy(app->worker))
		complete(app);
}

/* Ctrl-C and leaving. */

static bool stop_work(struct app *app)
{
	struct pane *pane = app_pane(app);

	if (pane->search.state == SEARCH_WORKING) {
		pane_search_stop(pane);
		app_toast(app, LOOK_INFO_TOAST, "INFO: Search stopped.");
	} else if (worker_busy(app->worker)) {
		worker_cancel(app->worker);
	} else {
		return false;
	}
	return true;
}

static void interrupt_idle(struct app *app)
{
	if (app->interrupt_ms && now_ms() - app->interrupt_ms <= AGAIN_MS) {
		app->asks_to_leave = true;
		app->interrupt_ms = 0;
		return;
	}
	app->interrupt_ms = now_ms();
	app_toast(app, LOOK_INFO_TOAST, "Press Ctrl-C again to leave.");
}

static void interrupt(struct app *app)
{
	if (stop_work(app) || close_something(app))
		return;
	if (*prompt_text()) {
		history_add(&app->history, prompt_text());
		prompt_set("");
		return;
	}
	interrupt_idle(app);
}

/* The key that answers "Leave tensordbg? (y/n)". */
static void answer_question(struct app *app, int key)
{
	app->asks_to_leave = false;
	if (key == 'y' || key == 'Y' || key == K_CTRL('C'))
		app->quit = true;
}

static void quit_view(struct app *app)
{
	if (!close_something(app))
		app->asks_to_leave = true;
}

/* Moves. */

static void page(struct app *app, int direction, int rows)
{
	struct pane *pane = app_pane(app);

	if (rows < 1)
		rows = 1;
	if (pane->focus)
		pane_cursor_page(pane, direction, rows);
	else
		pane_page(pane, direction, rows);
}

static void scroll(struct app *app, int rows)
{
	struct pane *pane = app_pane(app);

	if (pane->focus)
		pane_cursor_move(pane, rows);
	else
		pane_scroll(pane, rows);
}

static void go_row(struct app *app, uint64_t fallback)
{
	pane_cursor_row(app_pane(app), app->typed_count ? app->typed_count - 1 : fallback);
}

static void follow(struct app *app)
{
	struct pane *pane = app_pane(app);
	const char *command = pane->doc && !app->help ? pane_link(pane) : NULL;

	if (command)
		app_order(app, command, true, false);
	else if (!app->help)
		focus_view(app, false);
}

/* The table's actions that move the view or the cursor. */
static bool did_move(struct app *app, enum action action)
{
	struct pane *pane = app_pane(app);
	uint64_t typed = app->typed_count;
	int rows = pane->rows, n = typed > 0 && typed < INT32_MAX ? (int)typed : 1;

	if (!pane->doc)
		return false;
	switch (action) {
	case ACTION_PAGE_UP: page(app, -1, rows); break;
	case ACTION_PAGE_DOWN: page(app, 1, rows); break;
	case ACTION_HALF_UP: page(app, -1, rows / 2); break;
	case ACTION_HALF_DOWN: page(app, 1, rows / 2); break;
	case ACTION_ROW_UP: scroll(app, -1); break;
	case ACTION_ROW_DOWN: scroll(app, 1); break;
	case ACTION_CURSOR_UP: pane_cursor_move(pane, -n); break;
	case ACTION_CURSOR_DOWN: pane_cursor_move(pane, n); break;
	case ACTION_FIRST: go_row(app, 0); break;
	case ACTION_LAST: go_row(app, UINT64_MAX); break;
	case ACTION_HOME: pane_home(pane); break;
	case ACTION_END: pane_end(pane); break;
	case ACTION_NEXT_LINK: pane_next_link(pane, 1); break;
	case ACTION_PREV_LINK: pane_next_link(pane, -1); break;
	case ACTION_NEXT_MATCH: app_start_search(app, NULL, false); break;
	case ACTION_PREV_MATCH: app_start_search(app, NULL, true); break;
	default: return false;
	}
	return true;
}

static void switch_mouse(struct app *app)
{
	if (app->options->no_mouse && !app->mouse)
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: Started with --no-mouse; \"mouse on\" goes before it.");
	else
		app_set_mouse(app, !app->mouse);
}

static void act(struct app *app, enum action action)
{
	switch (action) {
	case ACTION_COMPLETE: complete(app); break;
	case ACTION_OLDER: prompt_recall(-1); break;
	case ACTION_NEWER: prompt_recall(1); break;
	case ACTION_ESCAPE:
		if (!close_something(app))
			focus_view(app, !app->pane.focus);
		break;
	case ACTION_FOCUS: focus_view(app, !app->pane.focus); break;
	case ACTION_INTERRUPT: interrupt(app); break;
	case ACTION_SEARCH: prompt_with(app, "/"); break;
	case ACTION_SEARCH_BACK: prompt_with(app, "?"); break;
	case ACTION_JUMP: prompt_with(app, "@"); break;
	case ACTION_PROMPT: focus_view(app, false); break;
	case ACTION_FOLLOW: follow(app); break;
	case ACTION_BACK: app_step_screen(app, -1); break;
	case ACTION_FORWARD: app_step_screen(app, 1); break;
	case ACTION_MOUSE: switch_mouse(app); break;
	case ACTION_HELP: open_help(app); break;
	case ACTION_QUIT: quit_view(app); break;
	case ACTION_LEAVE: app->quit = true; break;
	case ACTION_REPAINT: term_repaint(); break;
	case ACTION_SUSPEND: term_suspend(); app_layout(app); break;
	default: did_move(app, action); break;
	}
}

/* Keys. */

static void enter(struct app *app, const char *line)
{
	if (app->view_line && strchr("/?@&", line[0]) && line[0])
		focus_view(app, true);
	app->view_line = false;
	app_order(app, line, true, false);
}

static void feed(struct app *app, const char *bytes, size_t len)
{
	struct str line = {0};

	if (prompt_feed(bytes, len, &line))
		enter(app, str_text(&line));
	str_release(&line);
}

/* True while Ctrl-X waits for what follows it. */
static bool half_typed(struct app *app, struct event *ev)
{
	if (app->half_ctrl_x) {
		app->half_ctrl_x = false;
		if (ev->key == 'o') {
			ev->key = K_FOCUS;
		} else if (!app->pane.focus) {
			char both[2] = { K_CTRL('X'), ev->text.len ? ev->text.text[0] : '\0' };

			feed(app, both, ev->text.len ? 2 : 1);
			return true;
		}
		return false;
	}
	app->half_ctrl_x = ev->key == K_CTRL('X') && !app->help;
	return app->half_ctrl_x;
}

static void key_in_prompt(struct app *app, const struct event *ev)
{
	enum action action = key_action(CONTEXT_PROMPT, ev->key);
	bool theirs = prompt_in_search() && ev->key != K_CTRL('C');

	if (ev->key == K_ESC && prompt_has_esc() && !app->candidates.total)
		theirs = true;
	if (action != ACTION_COMPLETE && action != ACTION_ESCAPE && action != ACTION_INTERRUPT)
		app->candidates.total = 0;
	if (action == ACTION_NONE || theirs)
		feed(app, str_text(&ev->text), ev->text.len);
	else
		act(app, action);
}

static bool took_digit(struct app *app, int key)
{
	if (key < '0' || key > '9' || (key == '0' && !app->typed_count))
		return false;
	if (app->typed_count < UINT64_MAX / 100)
		app->typed_count = app->typed_count * 10 + (uint64_t)(key - '0');
	return true;
}

static void key_in_view(struct app *app, int key)
{
	enum action action = key_action(CONTEXT_VIEW, key);
	struct str name = {0};

	if (took_digit(app, key))
		return;
	if (action == ACTION_NONE) {
		key_label(&name, key);
		app_toast(app, LOOK_ERROR_TOAST,
		          "No key \"%s\" here. h shows the keys, : is the prompt.", str_text(&name));
		str_release(&name);
	} else {
		act(app, action);
	}
	if (action != ACTION_ESCAPE)
		app->typed_count = 0;
}

static void key_event(struct app *app, struct event *ev)
{
	app->toast.until_ms = 0;
	app->tab_waits = false;
	if (ev->key != K_CTRL('C'))
		app->interrupt_ms = 0;
	if (app->asks_to_leave)
		answer_question(app, ev->key);
	else if (half_typed(app, ev))
		;
	else if (app_pane(app)->focus)
		key_in_view(app, ev->key);
	else
		key_in_prompt(app, ev);
}

/* Mouse. */

static bool within(const struct rect *r, int row, int col)
{
	return row >= r->row && row < r->row + r->rows && col >= r->col && col < r->col + r->cols;
}

static void press_bar(struct app *app, int row, bool holds)
{
	const struct rect *bar = &app->layout.bar;
	struct whereabouts where = pane_where(app_pane(app));
	int block = bar->row + 1 + (int)(where.fraction * (bar->rows - 3));
	bool up_end = row == bar->row, down_end = row == bar->row + bar->rows - 1;

	if (!where.scrolls)
		return;
	if (up_end || down_end) {
		scroll(app, up_end ? -1 : 1);
		app->held.step = holds ? up_end ? -1 : 1 : 0;
		app->held.at_ms = now_ms() + HOLD_FIRST_MS;
	} else if (row != block) {
		int third = app->layout.output.rows / 3;

		scroll(app, (row < block ? -1 : 1) * (third > 0 ? third : 1));
	}
}

void app_hold(struct app *app)
{
	if (!app->held.step || now_ms() < app->held.at_ms)
		return;
	scroll(app, app->held.step);
	app->held.at_ms = now_ms() + HOLD_NEXT_MS;
}

static void put_cursor(struct app *app, int row)
{
	struct pane *pane = &app->pane;
	size_t n;
	const struct piece *pieces = pane_pieces(pane, &n);

	if (row < 0 || (size_t)row >= n)
		return;
	pane->focus = true;
	pane->cursor = pieces[row].at;
	pane->link = NO_SEG;
}

static void click(struct app *app, int row, int col)
{
	const struct rect *output = &app->layout.output;
	const char *command;

	if (!app->pane.doc || app->layout.too_small || app->help)
		return;
	command = bar_command_at(app, row, col);
	if (!command && within(output, row, col))
		command = pane_link_at(&app->pane, row - output->row, col - output->col);
	if (command)
		app_order(app, command, true, false);
	else if (within(output, row, col))
		put_cursor(app, row - output->row);
	else if (within(&app->layout.prompt, row, col))
		focus_view(app, false);
}

static void mouse_event(struct app *app, const struct event *ev)
{
	bool on_bar = app_pane(app)->doc && within(&app->layout.bar, ev->row, ev->col);

	app->toast.until_ms = 0;
	app->held.step = 0;
	switch (ev->mouse) {
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		if (app_pane(app)->doc)
			scroll(app, ev->mouse == MOUSE_WHEEL_UP ? -WHEEL_ROWS : WHEEL_ROWS);
		break;
	case MOUSE_PRESS:
		app->pressed_on_bar = on_bar;
		if (on_bar)
			press_bar(app, ev->row, true);
		break;
	case MOUSE_RELEASE:
		if (!app->pressed_on_bar)
			click(app, ev->row, ev->col);
		app->pressed_on_bar = false;
		break;
	case MOUSE_CLICK:
		if (on_bar)
			press_bar(app, ev->row, false);
		else
			click(app, ev->row, ev->col);
		break;
	}
}

void app_event(struct app *app, struct event *ev)
{
	switch (ev->kind) {
	case EVENT_KEY:
		key_event(app, ev);
		break;
	case EVENT_PASTE:
		if (app->help)
			close_help(app);
		focus_view(app, false);
		prompt_insert(ev->text.text, ev->text.len);
		break;
	case EVENT_MOUSE:
		mouse_event(app, ev);
		break;
	case EVENT_RESIZE:
	case EVENT_REPAINT:
		app_layout(app);
		term_repaint();
		break;
	case EVENT_INTERRUPT:
		if (!stop_work(app))
			interrupt_idle(app);
		break;
	case EVENT_SUSPEND:
		term_suspend();
		app_layout(app);
		break;
	case EVENT_END:
		app->signal = ev->signal;
		app->quit = true;
		break;
	case EVENT_NONE:
	case EVENT_WAKE:
		break;
	}
}
