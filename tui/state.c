/* The pane numbers of the arrangement are places in app.view; a view out of use is all zero. */
#include "tui/state.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/following.h"
#include "dump/base/clock.h"
#include "dump/base/mem.h"
#include "tui/prompt.h"
#include "tui/quiet.h"
#include "tui/term.h"

enum { MAX_MESSAGES = 500 };

void app_close_hints(struct app *app)
{
	for (size_t i = 0; i < app->hints.len; i++)
		free(app->hints.at[i].command);
	vec_release(&app->hints);
	str_release(&app->hint_typed);
	app->names_links = false;
}

void app_drop_tags(struct app *app)
{
	for (size_t i = 0; i < app->tags.len; i++) {
		free(app->tags.at[i].subject);
		free(app->tags.at[i].text);
	}
	vec_release(&app->tags);
}

void app_release(struct app *app)
{
	for (size_t i = 0; i < app->orders.len; i++)
		free(app->orders.at[i].line);
	vec_release(&app->orders);
	free(app->running.line);
	for (int i = 0; i < MAX_PANES; i++)
		view_release(&app->view[i]);
	app_open_overlay(app, NULL);
	pane_release(&app->overlay_pane);
	app_close_hints(app);
	for (size_t i = 0; i < app->marks.len; i++)
		free(app->marks.at[i].command), free(app->marks.at[i].text);
	vec_release(&app->marks);
	free(app->last_place.command);
	for (size_t i = 0; i < app->messages.len; i++)
		free(app->messages.at[i]);
	vec_release(&app->messages);
	map_release(&app->bad.keys);
	arena_release(&app->bad.mem);
	str_release(&app->detail_asked);
	str_release(&app->detail_otherwise);
	app_drop_tags(app);
	str_release(&app->opened);
	str_release(&app->compared);
	verdict_release(&app->verdict);
	quiet_forget(app);
	vec_release(&app->quiet.asked);
	str_release(&app->where);
	str_release(&app->waits_for);
	free(app->waiting);
	str_release(&app->picture_asked);
	str_release(&app->set_aside);
	str_release(&app->filter_typed);
	str_release(&app->toast.text);
	str_release(&app->candidates.text);
	vec_release(&app->candidates.begin);
	palette_release(&app->palette);
	bindings_release(&app->bindings);
	for (size_t i = 0; i < app->early.len; i++)
		str_release(&app->early.at[i].text);
	vec_release(&app->early);
	sheet_release(&app->sheet);
	history_release(&app->history);
}

static void take_style(struct app *app, const char *set)
{
	enum style style = app->asked_style        ? app->asked_style
	                   : !strcmp(set, "tfdbg") ? STYLE_TFDBG
	                                           : STYLE_MODERN;

	if (style == app->style)
		return;
	app->style = style;
	prompt_name(style == STYLE_MODERN ? ": " : "tfdbg> ");
}

void app_take_settings(struct app *app)
{
	const char *page_keys = shell_setting_word(app->shell, "page_keys");
	bool wraps = shell_setting_bool(app->shell, "wrap");

	app->page_is_line = page_keys && !strcmp(page_keys, "line");
	app->toast_ms = 1000 * shell_setting(app->shell, "toast_seconds");
	take_style(app, shell_setting_word(app->shell, "style"));
	if (app->wraps != wraps && !app->arrangement.n_splits)
		pane_chop(&app->view[app->focus].pane, !wraps);
	app->wraps = wraps;
	term_escape_delay((int)shell_setting(app->shell, "esc_delay"));
}

static void keep_message(struct app *app)
{
	if (app->messages.len == MAX_MESSAGES) {
		free(app->messages.at[0]);
		memmove(&app->messages.at[0], &app->messages.at[1],
		        --app->messages.len * sizeof *app->messages.at);
	}
	vec_push(&app->messages, mem_copy(str_text(&app->toast.text), app->toast.text.len));
}

void app_toast(struct app *app, enum look look, const char *fmt, ...)
{
	va_list args;

	str_reset(&app->toast.text);
	va_start(args, fmt);
	str_vfmt(&app->toast.text, fmt, args);
	va_end(args);
	app->toast.look = look;
	app->toast.until_ms = clock_ms() + app->toast_ms;
	keep_message(app);
}

/* Views. */

struct view *app_view(struct app *app)
{
	return &app->view[app->focus];
}

struct pane *app_pane(struct app *app)
{
	return app->overlay ? &app->overlay_pane : &app_view(app)->pane;
}

static int first_pane(const struct app *app, bool follows, bool opened)
{
	int panes[MAX_PANES];
	size_t n = arrangement_panes(&app->arrangement, panes);

	for (size_t i = 0; i < n; i++)
		if (app->view[panes[i]].follows == follows &&
		    (opened || !app->view[panes[i]].opens))
			return panes[i];
	return NO_PANE;
}

int app_detail(const struct app *app)
{
	return first_pane(app, true, true);
}

int app_main(const struct app *app)
{
	int main = first_pane(app, false, false);

	if (main == NO_PANE)
		main = first_pane(app, false, true);
	return main == NO_PANE ? app_detail(app) : main;
}

int app_target(const struct app *app)
{
	const struct view *view = &app->view[app->focus];

	return view->follows || view->stays ? app_main(app) : app->focus;
}

bool app_is_hidden(const struct app *app, int view)
{
	return !app->layout.pane[view].text.rows;
}

int app_view_rows(const struct app *app, int view)
{
	return app_is_hidden(app, view) ? app->layout.output.rows
	                                : app->layout.pane[view].text.rows;
}

int app_view_cols(const struct app *app, int view)
{
	int cols = app_is_hidden(app, view) ? app->layout.output.cols
	                                    : app->layout.pane[view].text.cols;

	return cols > 0 ? cols : 1;
}

struct doc *view_doc(struct view *view)
{
	struct screen *screen = screens_now(&view->screens);

	return view->loose ? view->loose : screen ? screen->doc : NULL;
}

struct doc_title app_title(struct app *app)
{
	struct view *view = &app->view[app_main(app)];
	struct screen *screen = screens_now(&view->screens);
	struct doc *doc = view_doc(view);
	const struct doc_title *title = doc ? doc_title(doc) : NULL;

	if (title)
		return *title;
	return (struct doc_title){ .text = shell_title(app->shell),
	                           .about = screen && !view->loose ? screen->about : NULL };
}

const char *view_command(struct view *view)
{
	struct screen *screen = screens_now(&view->screens);

	return view->loose ? view->loose_command : screen ? screen->command : "";
}

void view_put_command(struct view *view, struct str *out)
{
	const struct doc *doc = view_doc(view);

	str_puts(out, view_command(view));
	if (doc && doc_more(doc) && *doc_more(doc))
		str_fmt(out, " %s", doc_more(doc));
}

int view_gutter(const struct view *view)
{
	struct doc *doc = pane_doc(&view->pane);
	int cols = 2;

	if (!view->numbers || !doc)
		return 0;
	for (uint64_t rows = doc_rows(doc); rows >= 10; rows /= 10)
		cols++;
	return cols;
}

void view_release(struct view *view)
{
	pane_release(&view->pane);
	screens_release(&view->screens);
	doc_free(view->loose);
	free(view->loose_command);
	free(view->opens);
	*view = (struct view){0};
}

/* What shows. */

void app_layout(struct app *app)
{
	struct wish wish = { .arrangement = app->arrangement, .focus = app->focus,
	                     .zoom = app->zoom, .modern = app_is_modern(app),
	                     .types = !app_in_view(app) };
	struct doc *doc = view_doc(app_view(app));
	size_t n_items = 0;
	int rows, cols;

	term_size(&rows, &cols);
	wish.prompt_rows = wish.types ? prompt_rows(cols) : 1;
	if (doc)
		doc_menu(doc, &n_items);
	wish.menu = n_items > 0;
	for (int i = 0; i < MAX_PANES; i++)
		if (view_doc(&app->view[i]) && doc_has_summary(view_doc(&app->view[i])))
			wish.strips |= 1u << i;
	app->layout = layout_of(rows, cols, &wish);
	for (int i = 0; i < MAX_PANES; i++) {
		const struct rect *text = &app->layout.pane[i].text;

		app->view[i].pane.modern = app_is_modern(app);
		pane_resize(&app->view[i].pane, text->rows,
		            text->cols - view_gutter(&app->view[i]));
	}
	pane_resize(&app->overlay_pane, app->layout.output.rows, app->layout.output.cols);
	if (app->sheet.open)
		sheet_resize(&app->sheet, app->layout.output.rows - 1, cols);
}

static void put_order(struct app *app, const struct order *order)
{
	vec_push(&app->orders, *order);
	app->asked_ms = clock_ms();
}

/* The answer of a screen was dropped: its command is run again. */
static void ask_again(struct app *app, int view, uint64_t row)
{
	struct screen *screen = screens_now(&app->view[view].screens);
	struct order order = { .view = view, .again = true, .row = row };

	if (!screen || screen->doc || app->view[view].loose)
		return;
	order.line = mem_copy(screen->command, strlen(screen->command));
	put_order(app, &order);
}

void app_drop_answers(struct app *app)
{
	for (int i = 0; i < MAX_PANES; i++) {
		struct view *view = &app->view[i];
		uint64_t row = view->pane.focus ? pane_cursor_doc_row(&view->pane) : NO_ROW;

		app_keep_place(app, i);
		pane_show(&view->pane, NULL, NULL);
		doc_free(view->loose);
		view->loose = NULL;
		for (size_t k = 0; k < view->screens.len; k++) {
			struct screen *screen = &view->screens.at[k];

			if (screen->own)
				continue;
			doc_free(screen->doc);
			screen->doc = NULL;
		}
		ask_again(app, i, row);
	}
	app_layout(app);
	app_close_hints(app);
	str_reset(&app->detail_asked);
}

void app_show(struct app *app, int view, const struct place *place)
{
	struct view *v = &app->view[view];
	bool focus = v->pane.focus;

	v->shows++;
	pane_show(&v->pane, view_doc(v), place);
	app_layout(app);
	pane_show(&v->pane, view_doc(v), place);
	pane_focus(&v->pane, focus);
	v->body_works = true;
	app_close_hints(app);
	ask_again(app, view, NO_ROW);
}

void app_keep_place(struct app *app, int view)
{
	struct view *v = &app->view[view];
	struct screen *screen = screens_now(&v->screens);

	/* one whose answer was dropped still has them */
	if (screen && !v->loose && pane_doc(&v->pane)) {
		screen->place = pane_place(&v->pane);
		screen->has_cursor = v->pane.focus;
		screen->cursor = pane_cursor_doc_row(&v->pane);
		rows_choice(&v->pane.shown, &screen->rows);
	}
}

void app_show_screen(struct app *app, int view)
{
	struct view *v = &app->view[view];
	struct screen *screen = screens_now(&v->screens);

	app_show(app, view, &screen->place);
	if (!screen->doc)
		return;
	pane_choose_again(&v->pane, &screen->rows, screen->place);
	if (screen->has_cursor && v->pane.focus && v->pane.wanted == NO_ROW)
		pane_cursor_to(&v->pane, screen->cursor);
}

void app_show_loose(struct app *app, int view, const char *command, struct doc *doc,
                    const struct place *place)
{
	struct view *v = &app->view[view];
	struct doc *old = v->loose;

	app_keep_place(app, view);
	v->loose = doc;
	free(v->loose_command);
	v->loose_command = mem_copy(command, strlen(command));
	app_show(app, view, place);
	doc_free(old);
}

void app_show_fuller(struct app *app, int view, const char *command, struct doc *doc, bool pushes)
{
	struct pane *pane = &app->view[view].pane;
	struct place place = pane_place(pane);
	uint64_t row = pane->cursor.row, first = pane_first_row(pane);
	uint64_t moved = row > first ? row - first : 0;
	struct row_choice choice = {0};

	if (row + 1 >= rows_count(&pane->shown) && moved < app->view[view].beyond)
		moved = app->view[view].beyond;

	rows_choice(&pane->shown, &choice);
	if (pushes) {
		app_push_screen(app, view, command, doc);
		app_show(app, view, &place);
	} else {
		app_show_loose(app, view, command, doc, &place);
	}
	pane_choose_again(pane, &choice, place);
	if (pane->focus && moved > 0)
		pane_cursor_row(pane, pane_first_row(pane) + moved);
	row_choice_release(&choice);
}

static bool is_picture(const struct doc *doc)
{
	return doc_get_body(doc) && doc_get_body(doc)->kind->drawn;
}

void app_rewrite_screen(struct app *app, int view, const char *command, struct doc *doc)
{
	struct view *v = &app->view[view];
	struct screen *screen = screens_now(&v->screens);
	struct stay stay = pane_stay(&v->pane);
	struct doc *old = screen && !v->loose ? screen->doc : NULL;
	uint64_t body;
	int64_t shift;

	if (!old) {
		app_push_screen(app, view, command, doc);
		return;
	}
	app_keep_place(app, view);
	if (strcmp(screen->command, command) && !is_picture(doc))
		stay.stage.span = 0;
	body = doc_body_row(old);
	shift = (int64_t)doc_body_row(doc) - (int64_t)body;
	free(screen->command);
	screen->command = mem_copy(command, strlen(command));
	screen->doc = doc;
	app_show(app, view, NULL);
	pane_come_back(&v->pane, &stay, body, shift);
	if (!pane_is_grid(&v->pane)) {
		screen->place.row = pane_shifted(screen->place.row, body, shift);
		pane_choose_again(&v->pane, &screen->rows, screen->place);
	}
	doc_free(old);
}

void app_push_screen(struct app *app, int view, const char *command, struct doc *doc)
{
	struct view *v = &app->view[view];
	struct doc *old = v->loose;

	app_keep_place(app, view);
	v->loose = NULL;
	screens_push(&v->screens, command, doc);
	app_show(app, view, NULL);
	doc_free(old);
}

void app_push_own(struct app *app, const char *command, struct doc *doc)
{
	struct doc_title title = app_title(app);
	int view = app_target(app);

	if (title.about)
		doc_set_title(doc, title.text, title.look, title.about);
	app_push_screen(app, view, command, doc);
	screens_now(&app->view[view].screens)->own = true;
}

bool app_show_latest(struct app *app, int view, const struct doc *doc)
{
	struct view *v = &app->view[view];
	const struct doc_title *title = doc_title(doc);

	if (v->loose || !title)
		return false;
	app_keep_place(app, view);
	if (!screens_bring_latest(&v->screens, title->about))
		return false;
	app_show_screen(app, view);
	return true;
}

bool app_can_step(struct app *app, int step)
{
	struct view *view = app_view(app);

	if (view->loose || !view->screens.len)
		return false;
	return step < 0 ? view->screens.now > 0 : screens_behind(&view->screens) > 0;
}

void app_step_screen(struct app *app, int step)
{
	struct view *view = app_view(app);

	if (view->loose)
		return;
	app_keep_place(app, app->focus);
	if (screens_step(&view->screens, step)) {
		app_show_screen(app, app->focus);
		app->stepped |= app->focus == app_main(app);
	} else {
		app_toast(app, LOOK_ERROR_TOAST, "At the %s in navigation history!",
		          step < 0 ? "OLDEST" : "LATEST");
	}
}

/* Orders. */

/* The line without blanks around it. */
static void push_order(struct app *app, const char *line, struct order order)
{
	size_t len;

	line += strspn(line, " \t");
	for (len = strlen(line); len && strchr(" \t", line[len - 1]); len--)
		;
	order.line = mem_copy(line, len);
	order.of = app->view[order.view].shows;
	if (order.typed && shell_leaves(order.line)) {
		app->quit = true;
		free(order.line);
	} else {
		put_order(app, &order);
	}
}

void app_order(struct app *app, const char *line)
{
	struct order order = { .view = app_target(app), .typed = true, .row = NO_ROW };

	push_order(app, line, order);
}

void app_order_at_start(struct app *app, const char *line)
{
	struct order order = { .view = app_target(app), .start = true, .row = NO_ROW };

	push_order(app, line, order);
}

void app_order_for(struct app *app, int view, const char *line, uint64_t row)
{
	push_order(app, line, (struct order){ .view = view, .row = row });
}

void app_order_use(struct app *app, const char *line, enum order_use use)
{
	push_order(app, line, (struct order){ .view = app_target(app), .use = use, .row = NO_ROW });
}

void app_order_key(struct app *app, int view, int key, int64_t n)
{
	push_order(app, "", (struct order){ .view = view, .row = NO_ROW, .rewrites = true,
	                                    .key = key, .n = n });
}

void app_order_rewrite(struct app *app, int view, const char *line)
{
	push_order(app, line, (struct order){ .view = view, .row = NO_ROW, .rewrites = true });
}

void app_order_runs(struct app *app)
{
	for (int i = 0; i < MAX_PANES; i++) {
		const struct doc *doc = view_doc(&app->view[i]);

		if (doc && doc_of_runs(doc))
			push_order(app, view_command(&app->view[i]),
			           (struct order){ .view = i, .row = NO_ROW, .rewrites = true,
			                           .to_current = true });
	}
}

void app_order_step(struct app *app)
{
	for (int i = 0; i < MAX_PANES; i++) {
		const struct doc *doc = view_doc(&app->view[i]);

		if (doc && !app->view[i].loose && doc_of_step(doc))
			app_order_rewrite(app, i, view_command(&app->view[i]));
	}
}

/* Focus. */

bool app_is_modern(const struct app *app)
{
	return app->style == STYLE_MODERN;
}

void app_take_opened(struct app *app)
{
	str_reset(&app->opened);
	shell_put_opened(app->shell, &app->opened);
	app->has_others = shell_has_others(app->shell);
	str_reset(&app->compared);
	str_puts(&app->compared, shell_compared(app->shell));
	verdict_of(app->shell, &app->verdict);
}

struct key_scope app_scope(struct app *app)
{
	struct doc *doc = view_doc(app_view(app));

	return (struct key_scope){ app->style, app->overlay ? CONTEXT_VIEW : context_of(doc) };
}

bool app_in_view(struct app *app)
{
	return app_pane(app)->focus;
}

void app_focus_view(struct app *app, bool in_view)
{
	if (in_view && !app_is_modern(app) && !view_doc(app_view(app)))
		return;
	pane_focus(&app_view(app)->pane, in_view);
	palette_close(&app->palette);
	app->typed_count = 0;
	app->first_key = 0;
	app_layout(app);
}

/* A detail that is looked at becomes a screen. */
static void keep_detail(struct app *app, struct view *view)
{
	struct place place = pane_place(&view->pane);
	struct doc *doc = view->loose;

	if (!view->follows || !doc)
		return;
	view->loose = NULL;
	screens_push(&view->screens, view->loose_command, doc)->place = place;
	app_show(app, app->focus, &place);
}

void app_focus_pane(struct app *app, int view)
{
	bool in_view = app_view(app)->pane.focus;

	if (view == app->focus)
		return;
	app_view(app)->pane.focus = false;
	app->focus = view;
	keep_detail(app, app_view(app));
	app_view(app)->pane.focus = in_view && view_doc(app_view(app));
	app_layout(app);
}

void app_open_overlay(struct app *app, struct doc *doc)
{
	pane_show(&app->overlay_pane, doc, NULL);
	pane_focus(&app->overlay_pane, doc != NULL);
	doc_free(app->overlay);
	app->overlay = doc;
}

void app_mark_place(struct app *app)
{
	struct view *view = app_view(app);

	free(app->last_place.command);
	app->last_place.command = mem_copy(view_command(view), strlen(view_command(view)));
	app->last_place.row = pane_cursor_doc_row(&view->pane);
	app->last_place.about = app_title(app).about;
}

/*
 * What was passed over first: problems are worse, and stay. While PATH is followed, a record that
 * ends too early is probably being written.
 */
void app_tell_warnings(struct app *app)
{
	size_t n_all = shell_warnings(app->shell), n = 0, shown = 0;
	struct str first = {0};

	if (shell_graph_beside(app->shell))
		app_toast(app, LOOK_INFO_TOAST, "INFO: The graph is %s, beside it.",
		          shell_graph_beside(app->shell));
	if (shell_passed_over(app->shell))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", shell_passed_over(app->shell));
	if (shell_note(app->shell))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", shell_note(app->shell));
	for (size_t i = n_all; i-- > 0;) {
		if (shell_follows(app->shell) && shell_warning_may_pass(app->shell, i))
			continue;
		n++;
		shown = i;
	}
	if (!n)
		return;
	shell_warning(app->shell, shown, &first);
	app_toast(app, LOOK_ERROR_TOAST, "%zu problem(s) in %s: %s", n, shell_subject(app->shell),
	          str_text(&first));
	str_release(&first);
}
