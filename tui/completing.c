/*
 * Candidates come from the shell, which belongs to the worker while a command runs. In our style
 * the palette shows them as one types; what is chosen there stands in the line at once.
 */
#include "tui/completing.h"

#include <string.h>

#include "dump/base/utf8.h"
#include "tui/draw_palette.h"
#include "tui/prompt.h"

enum { MAX_CANDIDATES = 200, OFFERS_AT_ONCE = 2048 };

static void list_candidates(struct candidates *c, const struct completion *found)
{
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

void completing_tab(struct app *app)
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
		list_candidates(&app->candidates, &found);
	completion_release(&found);
}

/* The palette. */

/* Is the line a command, of which something is typed? The rest goes its own ways. */
static bool is_command(const char *line)
{
	line += strspn(line, " \t");
	return *line && !strchr("/&@?:!", *line);
}

static void show_choice(struct app *app)
{
	struct str line = {0};

	palette_put_line(&app->palette, &line);
	prompt_set(str_text(&line));
	str_release(&line);
}

static void look(struct app *app)
{
	palette_look(&app->palette, prompt_text(), prompt_cursor(), &app->history);
}

static void choose(struct app *app, int step)
{
	palette_choose(&app->palette, step);
	show_choice(app);
}

/* A command that needs a word more gets a blank, and its words are offered. False: it is run. */
static bool goes_on(struct app *app)
{
	const struct palette_row *row = palette_chosen(&app->palette);

	if (!row || !row->wants_more)
		return false;
	prompt_insert(" ", 1);
	look(app);
	return true;
}

static bool open_by_tab(struct app *app, int key)
{
	if (key != K_TAB)
		return false;
	if (is_command(prompt_text())) {
		look(app);
		palette_choose(&app->palette, 1);
	}
	return true;
}

bool completing_key(struct app *app, int key)
{
	struct palette *p = &app->palette;

	if (!app_is_modern(app) || prompt_in_search())
		return false;
	if (!p->open)
		return open_by_tab(app, key);
	switch (key) {
	case K_TAB:
	case K_DOWN:
		choose(app, 1);
		return true;
	case K_BACKTAB:
	case K_UP:
		choose(app, -1);
		return true;
	case K_ESC:
		if (palette_chosen(p))
			prompt_set(str_text(&p->typed));
		palette_close(p);
		return true;
	case K_ENTER:
		if (goes_on(app))
			return true;
		palette_close(p);
		return false;
	default:
		p->wanted = 0;
		return false;
	}
}

bool completing_mouse(struct app *app, const struct event *ev)
{
	struct palette *p = &app->palette;
	size_t at;
	bool in;

	if (!p->open || app_in_view(app))
		return false;
	at = draw_palette_row_at(app, ev->row, &in);
	if (!in)
		return false;
	if (ev->mouse == MOUSE_WHEEL_UP || ev->mouse == MOUSE_WHEEL_DOWN) {
		choose(app, ev->mouse == MOUSE_WHEEL_UP ? -1 : 1);
	} else if ((ev->mouse == MOUSE_CLICK || ev->mouse == MOUSE_RELEASE) && at != NO_CHOICE &&
	           p->done) {
		p->chosen = at;
		show_choice(app);
	}
	return true;
}

/* Does the key put a letter into the line, or take one away? */
static bool is_edit(int key)
{
	return (key >= ' ' && key < K_UP) || key == K_DELETE;
}

void completing_typed(struct app *app, int key)
{
	struct palette *p = &app->palette;
	struct str shown = {0};

	if (!app_is_modern(app) || app_in_view(app) || prompt_in_search() ||
	    !is_command(prompt_text())) {
		palette_close(p);
		return;
	}
	if (p->open)
		palette_put_line(p, &shown);
	if (p->open ? strcmp(str_text(&shown), prompt_text()) != 0 ||
	                      (p->chosen == NO_CHOICE && p->cursor != prompt_cursor())
	            : is_edit(key))
		look(app);
	str_release(&shown);
}

bool completing_work(struct app *app)
{
	struct palette *p = &app->palette;
	bool idle = app->loaded && !worker_busy(app->worker), had = palette_chosen(p) != NULL;
	bool more = palette_work(p, app->shell, idle, OFFERS_AT_ONCE);

	if (!had && palette_chosen(p))
		show_choice(app);
	return more;
}
