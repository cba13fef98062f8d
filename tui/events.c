/*
 * A key is looked up in the table of tui/keys.c; in the prompt what is not there goes to readline.
 * While a question is asked, or letters stand on the links, the next key is about that.
 */
#include "tui/events.h"

#include <string.h>

#include "tui/actions.h"
#include "tui/bound.h"
#include "tui/completing.h"
#include "tui/find.h"
#include "tui/here.h"
#include "tui/hints.h"
#include "tui/keys.h"
#include "tui/leaving.h"
#include "tui/prompt.h"
#include "tui/sheet_keys.h"
#include "tui/term.h"
#include "tui/view_keys.h"

/* The prompt. */

void events_late_tab(struct app *app)
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
		actions_do(app, action);
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
		actions_do_in_overlay(app, action);
	} else {
		actions_do(app, action);
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
	events_key(app, chosen);
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
void events_key(struct app *app, int key)
{
	struct event ev = { .kind = EVENT_KEY, .key = K_FIRST(key) ? K_FIRST(key) : key };

	if (!key)
		return;
	if (ev.key < K_UP)
		key_put(&ev.text, (unsigned)ev.key);
	press(app, &ev);
	str_release(&ev.text);
	if (K_FIRST(key) && K_SECOND(key) != K_LETTER)
		events_key(app, K_SECOND(key));
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

void events_take(struct app *app, struct event *ev)
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
		actions_suspend(app);
		break;
	case EVENT_END:
		app->signal = ev->signal;
		app->quit = true;
		break;
	case EVENT_MOUSE:
		sheet_keys_mouse(app, ev, &chosen);
		events_key(app, chosen);
		break;
	case EVENT_NONE:
	case EVENT_WAKE:
		break;
	}
}
