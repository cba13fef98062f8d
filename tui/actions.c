/*
 * A key is looked up in the table of tui/keys.c; in the prompt what is not there goes to readline.
 * While a question is asked, or letters stand on the links, the next key is about that.
 */
#include "tui/actions.h"

#include <inttypes.h>
#include <string.h>

#include "tui/about.h"
#include "tui/bound.h"
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

void actions_late_tab(struct app *app)
{
	if (app->tab_waits && !worker_busy(app->worker))
		completing_tab(app);
}

/*
 * What is looked for in the view is looked for at once, whatever runs; in a list of which more is
 * to come, when all is there. Programs run at once.
 */
static void enter(struct app *app, const char *line)
{
	bool waits, at_once;

	line += line[0] == ':';          /* typed as in the view, where it leads here */
	waits = app_is_modern(app) && app->loading && line[0] != '!';
	at_once = line[0] && strchr("/?@&!", line[0]) && !waits;
	if (at_once && (app->view_line || strchr("&!", line[0]))) {
		if (app->view_line)
			app_focus_view(app, true);
		history_add(&app->history, line);
		here_answer(app, line);
	} else {
		app_order(app, line);
	}
	leaving_end_view_line(app);
	if (app_is_modern(app) && !app->stays_at_prompt)
		app_focus_view(app, true);
}

static void feed(struct app *app, const char *bytes, size_t len)
{
	struct str line = {0};

	if (prompt_feed(bytes, len, &line))
		enter(app, str_text(&line));
	str_release(&line);
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

	if (!app->overlay)
		app_mark_place(app);
	pane_cursor_row(pane,
	                app->typed_count ? pane_first_row(pane) + app->typed_count - 1 : fallback);
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

	if (!pane_doc(pane))
		return false;
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
	case ACTION_LAST: go_row(app, UINT64_MAX); break;
	case ACTION_HOME: pane_home(pane); break;
	case ACTION_END: pane_end(pane); break;
	case ACTION_LEFT: pane_sideways(pane, -n * pane_stride(pane)); break;
	case ACTION_RIGHT: pane_sideways(pane, n * pane_stride(pane)); break;
	case ACTION_LEFTMOST: pane_sideways(pane, INT64_MIN); break;
	case ACTION_RIGHTMOST: pane_sideways(pane, INT64_MAX); break;
	case ACTION_NEXT_LINK: links(pane, 1, n); break;
	case ACTION_PREV_LINK: links(pane, -1, n); break;
	default: return false;
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
	size_t n = app->loaded ? shell_warnings(app->shell) : 0;
	struct str text = {0};

	doc_line_put(doc, ROLE_STRONG, "%zu problem(s) in %s:", n, shell_subject(app->shell));
	for (size_t i = 0; i < n; i++) {
		str_reset(&text);
		shell_warning(app->shell, i, &text);
		doc_line_put(doc, ROLE_ERROR, "%s", str_text(&text));
	}
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

/* Actions. */

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

static void suspend(struct app *app)
{
	if (!term_suspend())
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: No job control here: nobody would go on");
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

static void act(struct app *app, enum action action)
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
	case ACTION_SUSPEND: suspend(app); break;
	default: break;
	}
}

/* Over the panes only what moves, closes or leaves makes sense. */
static void act_in_overlay(struct app *app, enum action action)
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
		act(app, action);
		break;
	default:
		app_toast(app, LOOK_INFO_TOAST, "Esc or q closes this.");
		break;
	}
}

/* Keys. */

/* True while Ctrl-X waits for what follows it. */
static bool half_typed(struct app *app, struct event *ev)
{
	if (app->half_ctrl_x) {
		app->half_ctrl_x = false;
		if (ev->key == 'o') {
			ev->key = K_FOCUS;
		} else if (!app_in_view(app)) {
			char both[2] = { K_CTRL('X'), ev->text.len ? ev->text.text[0] : '\0' };

			feed(app, both, ev->text.len ? 2 : 1);
			return true;
		}
		return false;
	}
	app->half_ctrl_x = ev->key == K_CTRL('X') && !app->overlay;
	return app->half_ctrl_x;
}

static void key_in_prompt(struct app *app, const struct event *ev)
{
	enum action action = key_action((struct key_scope){ app->style, CONTEXT_PROMPT }, ev->key);
	bool theirs = prompt_in_search() && ev->key != K_CTRL('C');

	if (completing_key(app, ev->key))
		return;
	if (ev->key == K_ESC && prompt_has_esc() && !app->candidates.total)
		theirs = true;
	if (action != ACTION_COMPLETE && action != ACTION_ESCAPE && action != ACTION_INTERRUPT)
		app->candidates.total = 0;
	if (!theirs && bound_key(app, ev->key))
		return;
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

/* True if the key begins a pair; if it ends one, *key becomes the pair. */
static bool began_pair(struct app *app, int *key)
{
	if (!app->first_key &&
	    (key_begins_pair(app_scope(app), *key) || bound_begins_pair(app, *key))) {
		app->first_key = *key;
		return true;
	}
	if (app->first_key && *key != K_ESC && *key != K_CTRL('C')) {
		app->letter = (char)(*key >= 'a' && *key <= 'z' ? *key : '\0');
		*key = *key < K_UP ? K_PAIR(app->first_key, *key) : *key;
		app->first_key = 0;
	}
	return false;
}

/* Who types another one takes the view for the prompt. */
static void tell_unbound(struct app *app, int key)
{
	struct str name = {0};

	if (app_is_modern(app) && app->unbound) {
		app_toast(app, LOOK_ERROR_TOAST, ": opens the prompt");
		return;
	}
	app->unbound = true;
	key_label(&name, key);
	app_toast(app, LOOK_ERROR_TOAST, "No key \"%s\" here. h shows the keys, : is the prompt.",
	          str_text(&name));
	str_release(&name);
}

static void key_in_view(struct app *app, int key)
{
	enum action action;
	bool unbound;

	if ((!app->first_key && took_digit(app, key)) || began_pair(app, &key))
		return;
	action = key_action(app_scope(app), key);
	unbound = app->unbound;
	app->unbound = false;
	if (bound_key(app, key) || view_key(app, key)) {
		action = ACTION_NONE;
	} else if (action == ACTION_NONE) {
		app->unbound = unbound;
		tell_unbound(app, key);
	} else if (app->overlay) {
		act_in_overlay(app, action);
	} else {
		act(app, action);
	}
	if (action != ACTION_ESCAPE)
		app->typed_count = 0;
}

/* True: the key was for the sheet of keys. */
static bool took_for_sheet(struct app *app, const struct event *ev)
{
	int chosen;

	if (!app->sheet.open || !sheet_keys_take(app, ev, &chosen))
		return false;
	actions_key(app, chosen);
	return true;
}

static void press(struct app *app, struct event *ev)
{
	app->toast.until_ms = 0;
	app->tab_waits = false;
	if (ev->key != K_CTRL('C'))
		app->interrupt_ms = 0;
	if (app->asks_to_leave)
		leaving_answer(app, ev->key);
	else if (took_for_sheet(app, ev))
		return;
	else if (app->hints.len)
		hints_key(app, ev->key);
	else if (half_typed(app, ev))
		;
	else if (app_in_view(app))
		key_in_view(app, ev->key);
	else
		key_in_prompt(app, ev);
	find_filter_typed(app, prompt_text());
	completing_typed(app, ev->key);
	if (app_is_modern(app) && !app_in_view(app))
		app_layout(app);         /* the line may need another row */
}

/* Does the key go to the prompt, and is Alt with it a command there? */
static bool is_alt_at_prompt(struct app *app, const struct event *ev)
{
	return !app->asks_to_leave && !app->hints.len && !app->half_ctrl_x && !app_in_view(app) &&
	       prompt_has_command(str_text(&ev->text), ev->text.len);
}

/* Esc and a key that came with it: quick fingers, a slow line, or Alt. */
static void key_event(struct app *app, struct event *ev)
{
	struct event key = { .kind = EVENT_KEY, .key = ev->after };

	if (ev->key != K_META || !ev->after || is_alt_at_prompt(app, ev)) {
		press(app, ev);
		return;
	}
	key_put(&key.text, (unsigned)key.key);
	ev->key = K_ESC;
	str_cut(&ev->text, 1);
	press(app, ev);
	if (!app->quit)
		press(app, &key);
	str_release(&key.text);
}

/* Of "m{a-z}" only the m: the letter is still to come. */
void actions_key(struct app *app, int key)
{
	struct event ev = { .kind = EVENT_KEY, .key = K_FIRST(key) ? K_FIRST(key) : key };

	if (!key)
		return;
	if (ev.key < K_UP)
		key_put(&ev.text, (unsigned)ev.key);
	press(app, &ev);
	str_release(&ev.text);
	if (K_FIRST(key) && K_SECOND(key) != K_LETTER)
		actions_key(app, K_SECOND(key));
}

static void paste(struct app *app, const struct str *text)
{
	app_open_overlay(app, NULL);
	sheet_close(&app->sheet);
	app_close_hints(app);
	app_focus_view(app, false);
	prompt_insert(text->text, text->len);
	find_filter_typed(app, prompt_text());
	completing_typed(app, 0);
}

void actions_event(struct app *app, struct event *ev)
{
	int chosen;

	switch (ev->kind) {
	case EVENT_KEY:
		key_event(app, ev);
		break;
	case EVENT_PASTE:
		paste(app, &ev->text);
		break;
	case EVENT_RESIZE:
	case EVENT_REPAINT:
		app_close_hints(app);
		app_layout(app);
		term_repaint();
		break;
	case EVENT_INTERRUPT:
		leaving_signal(app);
		break;
	case EVENT_SUSPEND:
		suspend(app);
		break;
	case EVENT_END:
		app->signal = ev->signal;
		app->quit = true;
		break;
	case EVENT_MOUSE:
		sheet_keys_mouse(app, ev, &chosen);
		actions_key(app, chosen);
		break;
	case EVENT_NONE:
	case EVENT_WAKE:
		break;
	}
}
