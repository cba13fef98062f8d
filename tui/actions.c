#include "tui/actions.h"

#include <inttypes.h>
#include <string.h>

#include "tui/about.h"
#include "tui/completing.h"
#include "tui/copy.h"
#include "tui/drawn.h"
#include "tui/explain.h"
#include "tui/find.h"
#include "tui/following.h"
#include "tui/here.h"
#include "tui/hints.h"
#include "tui/keys.h"
#include "tui/leaving.h"
#include "tui/marks.h"
#include "tui/panes.h"
#include "tui/prompt.h"
#include "tui/sheet_keys.h"
#include "tui/tags.h"
#include "tui/term.h"
#include "tui/view_keys.h"

/* The prompt. */

/* A line that is begun from the view, and goes back to it. */
static void prompt_with(struct app *app, const char *text)
{
	if (!app->view_line) {
		str_reset(&app->set_aside);
		str_puts(&app->set_aside, prompt_text());
	}
	prompt_set(text);
	app_focus_view(app, false);
	app->view_line = true;
	app->stays_at_prompt = false;
}

/* Moves. */

static void page(struct app *app, int direction, int64_t rows)
{
	struct pane *pane = app_pane(app);

	if (rows < 1)
		rows = 1;
	if (pane->focus)
		pane_cursor_page(pane, direction, rows);
	else
		pane_page(pane, direction, rows);
}

/* At the prompt PgUp and PgDn may be set to go as far as tfdbg's: a row. */
static int page_rows(struct app *app)
{
	struct pane *pane = app_pane(app);

	return app->page_is_line && !pane->focus ? 1 : pane_scroll_rows(pane);
}

static void scroll(struct app *app, int64_t rows)
{
	struct pane *pane = app_pane(app);

	if (pane->focus)
		pane_cursor_move(pane, rows);
	else
		pane_scroll(pane, rows);
}

static void go_row(struct app *app, uint64_t fallback)
{
	struct pane *pane = app_pane(app);
	uint64_t first = pane_first_row(pane);
	uint64_t row = app->typed_count ? first + app->typed_count - 1 : fallback;

	if (!app->overlay)
		app_mark_place(app);
	pane_cursor_row(pane, row);
	if (!app->overlay)
		app_view(app)->beyond = row > first && pane->cursor.row < row ? row - first : 0;
}

/* With what stands above it, as far as there is room. */
static void go_first(struct app *app)
{
	if (!app->typed_count)
		pane_cursor_row(app_pane(app), 0);
	go_row(app, pane_first_row(app_pane(app)));
}

static void links(struct pane *pane, int direction, int64_t times)
{
	while (times-- > 0 && pane_next_link(pane, direction))
		;
}

void actions_follow(struct app *app)
{
	struct pane *pane = app_pane(app);
	const char *command = pane_doc(pane) && !app->overlay ? pane_link(pane) : NULL;

	if (command)
		app_order(app, command);
	else if (!app->overlay && pane_doc(pane))
		app_toast(app, LOOK_INFO_TOAST,
		          pane_has_links(pane) ? "Tab chooses a link of this row"
		                               : "Nothing to open on this row");
}

/* The table's actions that move the view or the cursor. */
static bool did_move(struct app *app, enum action action)
{
	struct pane *pane = app_pane(app);
	int64_t n = app->typed_count > 0 && app->typed_count < INT32_MAX ? (int64_t)app->typed_count
	                                                                 : 1;
	uint64_t beyond = app_view(app)->beyond;

	if (!pane_doc(pane))
		return false;
	app_view(app)->beyond = 0;       /* go_row sets it anew; what does not move leaves it */
	switch (action) {
	case ACTION_PAGE_UP: page(app, -1, n * page_rows(app)); break;
	case ACTION_PAGE_DOWN: page(app, 1, n * page_rows(app)); break;
	case ACTION_HALF_UP: page(app, -1, n * (pane_scroll_rows(pane) / 2)); break;
	case ACTION_HALF_DOWN: page(app, 1, n * (pane_scroll_rows(pane) / 2)); break;
	case ACTION_ROW_UP: scroll(app, -n); break;
	case ACTION_ROW_DOWN: scroll(app, n); break;
	case ACTION_CURSOR_UP: pane_cursor_move(pane, -n); break;
	case ACTION_CURSOR_DOWN: pane_cursor_move(pane, n); break;
	case ACTION_FIRST: go_first(app); break;
	case ACTION_LAST: go_row(app, INT64_MAX); break;
	case ACTION_HOME: pane_home(pane); break;
	case ACTION_END: pane_end(pane); break;
	case ACTION_LEFT: pane_sideways(pane, -n * pane_stride(pane)); break;
	case ACTION_RIGHT: pane_sideways(pane, n * pane_stride(pane)); break;
	case ACTION_LEFTMOST: pane_sideways(pane, INT64_MIN); break;
	case ACTION_RIGHTMOST: pane_sideways(pane, INT64_MAX); break;
	case ACTION_NEXT_LINK: links(pane, 1, n); break;
	case ACTION_PREV_LINK: links(pane, -1, n); break;
	default:
		app_view(app)->beyond = beyond;
		return false;
	}
	return true;
}

/* In our style ? is no key to search backward by: without a search before, this is. */
static void previous_match(struct app *app, uint64_t times)
{
	if (app_is_modern(app) && !app_pane(app)->search.pattern)
		prompt_with(app, "?");
	else
		find_search(app, NULL, true, times);
}

static bool did_find(struct app *app, enum action action)
{
	uint64_t n = app->typed_count;

	switch (action) {
	case ACTION_SEARCH: prompt_with(app, "/"); break;
	case ACTION_SEARCH_BACK: prompt_with(app, "?"); break;
	case ACTION_FILTER: prompt_with(app, "&"); break;
	case ACTION_JUMP: prompt_with(app, "@"); break;
	case ACTION_OUTSIDE: prompt_with(app, "!"); break;
	case ACTION_NEXT_MATCH: find_search(app, NULL, false, n); break;
	case ACTION_PREV_MATCH: previous_match(app, n); break;
	case ACTION_NEXT_BAD: find_bad(app, false, n); break;
	case ACTION_PREV_BAD: find_bad(app, true, n); break;
	case ACTION_NEXT_DIFFERENCE: find_difference(app, false, n); break;
	case ACTION_PREV_DIFFERENCE: find_difference(app, true, n); break;
	case ACTION_NEXT_ERROR: find_error(app, false, n); break;
	case ACTION_PREV_ERROR: find_error(app, true, n); break;
	case ACTION_SET_MARK: marks_set(app, app->letter); break;
	case ACTION_GO_MARK: marks_go(app, app->letter); break;
	case ACTION_GO_BACK: marks_go_back(app); break;
	case ACTION_TAG: tags_toggle(app, n); break;
	case ACTION_UNTAG: tags_clear(app); break;
	default: return false;
	}
	return true;
}

/* How the view looks. */

static void switch_case(struct app *app)
{
	static const char *const names[] = {
		[REGEX_SMART] = "capitals in the pattern decide",
		[REGEX_HEED] = "heeded",
		[REGEX_IGNORE] = "ignored",
	};
	struct pane *pane = app_pane(app);

	pane->regex_case = (pane->regex_case + 1) % N_REGEX_CASES;
	app_toast(app, LOOK_INFO_TOAST, "INFO: Case in searches: %s", names[pane->regex_case]);
}

static void switch_numbers(struct app *app)
{
	app_view(app)->numbers = !app_view(app)->numbers;
	app_layout(app);
}

static void table(struct app *app, bool done)
{
	if (!done)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: There is no table here");
}

/* In a tree; elsewhere less and more are about pictures. */
static bool did_fold(struct app *app, enum action action)
{
	struct pane *pane = app_pane(app);

	if (app->overlay || !pane_is_tree(pane))
		return false;
	switch (action) {
	case ACTION_LESS: pane_fold(pane, true); break;
	case ACTION_MORE: pane_fold(pane, false); break;
	case ACTION_FOLD_ALL: pane_fold_all(pane, true); break;
	case ACTION_UNFOLD_ALL: pane_fold_all(pane, false); break;
	default: return false;
	}
	return true;
}

static bool did_look(struct app *app, enum action action)
{
	struct pane *pane = app_pane(app);

	switch (action) {
	case ACTION_CHOP: pane_chop(pane, !pane->chop); break;
	case ACTION_NUMBERS: switch_numbers(app); break;
	case ACTION_CASE: switch_case(app); break;
	case ACTION_PREV_COLUMN: table(app, rows_choose(&pane->shown, -1)); break;
	case ACTION_NEXT_COLUMN: table(app, rows_choose(&pane->shown, 1)); break;
	case ACTION_SORT: table(app, pane_sort(pane, false)); break;
	case ACTION_SORT_REVERSED: table(app, pane_sort(pane, true)); break;
	case ACTION_NEXT_PANE: panes_focus_next(app); break;
	case ACTION_ZOOM: panes_zoom(app); break;
	case ACTION_DETAIL: panes_toggle_detail(app); break;
	case ACTION_TURN: panes_turn(app); break;
	case ACTION_SHRINK:
		panes_resize(app, app->typed_count ? -(int)(app->typed_count % 1000) : -1);
		break;
	case ACTION_GROW:
		panes_resize(app, app->typed_count ? (int)(app->typed_count % 1000) : 1);
		break;
	case ACTION_MOUSE: here_toggle_mouse(app); break;
	case ACTION_REPAINT: term_repaint(); break;
	default: return false;
	}
	return true;
}

/* What is said about the row, the dump, the keys. */

static void open_warnings(struct app *app)
{
	struct doc *doc = doc_new();
	size_t n = app->loaded ? shell_warnings(app->shell) : 0, n_lost = 0, at = 0;
	struct str text = {0};
	const char *damage;

	while (app->loaded && shell_next_damage(app->shell, &at))
		n_lost++;
	if (n + n_lost)
		doc_line_put(doc, ROLE_STRONG, "%zu problem(s) in %s:", n + n_lost,
		             shell_subject(app->shell));
	for (size_t i = 0; i < n; i++) {
		str_reset(&text);
		shell_warning(app->shell, i, &text);
		doc_line_put(doc, ROLE_ERROR, "%s", str_text(&text));
	}
	for (at = 0; n_lost && (damage = shell_next_damage(app->shell, &at));)
		doc_line_put(doc, ROLE_ERROR, "%s", damage);
	if (app->loaded && !n && !n_lost)
		doc_line_put(doc, ROLE_STRONG, "No problem was found when %s was opened%s",
		             shell_subject(app->shell), shell_has_dump(app->shell)
		             ? ": \"doctor\" reads all of it." : ".");
	if (app->loaded)
		shell_put_notes(app->shell, doc);
	if (app->loaded && shell_note(app->shell))
		doc_line_put(doc, ROLE_PLAIN, "%s", shell_note(app->shell));
	if (app->loaded && shell_passed_over(app->shell))
		doc_line_put(doc, ROLE_PLAIN, "%s", shell_passed_over(app->shell));
	if (app->loaded && shell_graph_beside(app->shell))
		doc_line_put(doc, ROLE_PLAIN, "The graph is %s, beside it.",
		             shell_graph_beside(app->shell));
	str_release(&text);
	app_open_overlay(app, doc);
}

static void open_help(struct app *app)
{
	const struct doc *view = view_doc(app_view(app));
	struct doc *doc;

	if (app_is_modern(app)) {
		sheet_keys_open(app);
		return;
	}
	doc = app->overlay ? NULL : doc_new();
	if (doc) {
		bindings_put_help(&app->bindings, view, doc);
		key_help(doc, app->style, view);
	}
	app_open_overlay(app, doc);
}

static void show_node(struct app *app)
{
	struct link link = {0};
	struct str command = {0};

	if (about_row(app, app->focus, &link)) {
		link_put_node(&link, &command);
		app_order(app, command.text);
	} else {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: This row is about no tensor and no node");
	}
	str_release(&command);
	link_release(&link);
}

static bool did_say(struct app *app, enum action action)
{
	switch (action) {
	case ACTION_COPY_ROW: copy_row(app); break;
	case ACTION_COPY_CELL: copy_cell(app); break;
	case ACTION_COPY_LINK: copy_link(app); break;
	case ACTION_COPY_COMMAND: copy_command(app); break;
	case ACTION_WHERE: explain_where(app); break;
	case ACTION_EXPLAIN: explain_row(app); break;
	case ACTION_SOURCE: explain_source(app); break;
	case ACTION_WARNINGS: open_warnings(app); break;
	case ACTION_HELP: open_help(app); break;
	case ACTION_NODE: show_node(app); break;
	case ACTION_HINTS: hints_open(app); break;
	default: return false;
	}
	return true;
}

/* The dump. */

/* "run", "run -t 3", "run -b", "run -b 3" */
static void go_run(struct app *app, bool back)
{
	struct str line = {0};

	str_puts(&line, back ? "run -b" : "run");
	if (app->typed_count > 1)
		str_fmt(&line, "%s %" PRIu64, back ? "" : " -t", app->typed_count);
	app_order(app, line.text);
	str_release(&line);
}

static bool did_dump(struct app *app, enum action action)
{
	switch (action) {
	case ACTION_NEXT_RUN: go_run(app, false); break;
	case ACTION_PREV_RUN: go_run(app, true); break;
	case ACTION_NEXT_STEP: app_order(app, "step next"); break;
	case ACTION_PREV_STEP: app_order(app, "step prev"); break;
	case ACTION_FOLLOW_PATH: following_toggle(app); break;
	case ACTION_REREAD: app_order_use(app, "", ORDER_REREAD); break;
	default: return false;
	}
	return true;
}

/* All of them. */

/* Prompt, first pane, next pane, ..., prompt. */
static void next_focus(struct app *app)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes), at = 0;
	bool in_view = app_in_view(app);

	while (in_view && at < n && panes[at] != app->focus)
		at++;
	at += in_view;
	while (at < n && app_is_hidden(app, panes[at]))
		at++;
	if (at < n)
		app_focus_pane(app, panes[at]);
	app_focus_view(app, at < n);
}

void actions_suspend(struct app *app)
{
	if (!term_suspend())
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Cannot suspend: no shell with job "
		          "control started this program");
	app_layout(app);
}

static void to_prompt(struct app *app, bool stay)
{
	app->stays_at_prompt = stay;
	app_focus_view(app, false);
}

/* By the second letter of the key. */
static void go_view(struct app *app)
{
	static const struct { char letter; const char *command; } views[] = {
		{ 't', "lt" }, { 'k', "kernels" }, { 'l', "timeline" }, { 'm', "memory" },
		{ 's', "scopes" }, { 'o', "origins" }, { 'h', "overview" },
	};

	if (app->letter == 'r')
		app_order(app, shell_runs_command(app->shell));
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		if (views[i].letter == app->letter)
			app_order(app, views[i].command);
}

/*
 * The row's tensor with its like in the run that was compared with last, else the one before; in a
 * list of runs, the row's run. A row of a comparison says itself with what.
 */
static void compare(struct app *app)
{
	struct pane *pane = &app_view(app)->pane;
	const char *command = pane_doc(pane) ? pane_link(pane) : NULL;
	struct link link = {0};
	struct str line = {0};

	if (command && doc_of_runs(pane_doc(pane)))
		app_order(app, command);
	else if (command && !strncmp(command, "diff ", 5))
		str_puts(&line, command);
	else if (about_row(app, app->focus, &link) && link.kind == LINK_TENSOR)
		link_put_diff(&link, str_text(&app->compared), &line);
	app_order(app, line.len ? line.text : "diff");
	link_release(&link);
	str_release(&line);
}

void actions_do(struct app *app, enum action action)
{
	if (view_stage_act(app, action) || did_move(app, action) || did_find(app, action) ||
	    did_look(app, action) || did_fold(app, action) || did_say(app, action) ||
	    did_dump(app, action) || drawn_act(app, action))
		return;
	switch (action) {
	case ACTION_COMPLETE: completing_tab(app); break;
	case ACTION_OLDER: prompt_recall(-1); break;
	case ACTION_NEWER: prompt_recall(1); break;
	case ACTION_ESCAPE: leaving_escape(app); break;
	case ACTION_FOCUS: next_focus(app); break;
	case ACTION_INTERRUPT: leaving_interrupt(app); break;
	case ACTION_PROMPT: to_prompt(app, false); break;
	case ACTION_STAY_AT_PROMPT: to_prompt(app, true); break;
	case ACTION_LEAVE_VIEW: leaving_view(app); break;
	case ACTION_GO_VIEW: go_view(app); break;
	case ACTION_COMPARE: compare(app); break;
	case ACTION_FOLLOW: actions_follow(app); break;
	case ACTION_UNIT: app_order_key(app, app->focus, 'u', 0); break;
	case ACTION_NAMES: app_order_key(app, app->focus, '#', 0); break;
	case ACTION_BACK: app_step_screen(app, -1); break;
	case ACTION_FORWARD: app_step_screen(app, 1); break;
	case ACTION_QUIT: leaving_quit(app); break;
	case ACTION_LEAVE: app->quit = true; break;
	case ACTION_SUSPEND: actions_suspend(app); break;
	default: break;
	}
}

void actions_do_in_overlay(struct app *app, enum action action)
{
	if (did_move(app, action))
		return;
	switch (action) {
	case ACTION_INTERRUPT:
		leaving_interrupt(app);
		break;
	case ACTION_ESCAPE:
	case ACTION_QUIT:
	case ACTION_LEAVE_VIEW:
	case ACTION_HELP:
	case ACTION_WARNINGS:
	case ACTION_FOLLOW:
		leaving_close_something(app);
		break;
	case ACTION_LEAVE:
	case ACTION_REPAINT:
	case ACTION_SUSPEND:
	case ACTION_MOUSE:
		actions_do(app, action);
		break;
	default:
		app_toast(app, LOOK_INFO_TOAST, "Esc or q closes this.");
		break;
	}
}
