/* A table of words; a line that is no such word, or can't be split, is for the commands. */
#include "tui/here.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmds/lang/words.h"
#include "dump/base/arena.h"
#include "tui/bound.h"
#include "tui/find.h"
#include "tui/marks.h"
#include "tui/panes.h"
#include "tui/tags.h"
#include "tui/term.h"

/* The mouse. */

#define MOUSE_MODE "mouse_mode"          /* the setting */

static void switch_mouse(struct app *app, bool on)
{
	app->mouse = on;
	term_mouse(on);
}

/* On only if the config file says so itself; tfdbg's standard value doesn't count. */
void here_start_mouse(struct app *app)
{
	if (app->no_mouse || !shell_setting_bool(app->shell, MOUSE_MODE))
		app->no_mouse = true;
	else if (shell_setting_given(app->shell, MOUSE_MODE))
		switch_mouse(app, true);
}

static void set_mouse(struct app *app, bool on)
{
	switch_mouse(app, on);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Mouse mode: %s", on ? "on" : "off");
}

void here_toggle_mouse(struct app *app)
{
	if (app->no_mouse && !app->mouse)
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: --no-mouse or mouse_mode forbids it; "
		          "\"mouse on\" goes before them.");
	else
		set_mouse(app, !app->mouse);
}

static void do_mouse(struct app *app, const char *mode)
{
	if (!mode)
		app_toast(app, LOOK_INFO_TOAST, "INFO: Mouse mode: %s", app->mouse ? "on" : "off");
	else if (!strcasecmp(mode, "on") || !strcasecmp(mode, "off"))
		set_mouse(app, !strcasecmp(mode, "on"));
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Invalid mouse mode: %s", mode);
}

/* What the screen itself says. */

static void do_messages(struct app *app, const char *word)
{
	struct doc *doc = doc_new();

	(void)word;
	doc_line_put(doc, ROLE_STRONG, "%zu message(s):", app->messages.len);
	for (size_t i = 0; i < app->messages.len; i++)
		doc_line_put(doc, ROLE_PLAIN, "%s", app->messages.at[i]);
	app_push_own(app, "messages", doc);
}

static void refuse(struct app *app, const char *wanted)
{
	app_toast(app, LOOK_ERROR_TOAST, "ERROR: Say %s", wanted);
}

static void do_marks(struct app *app, const char *letter)
{
	if (!letter)
		app_push_own(app, "marks", marks_list(app));
	else if (letter[0] >= 'a' && letter[0] <= 'z' && !letter[1])
		marks_go(app, letter[0]);
	else
		refuse(app, "marks or marks LETTER, a to z");
}

/* Panes. */

static bool read_number(const char *word, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(word, &end, 10);
	return !errno && end != word && !*end && *out > -10000 && *out < 10000;
}

/* The only one with two words: "save NAME". */
static void do_layout(struct app *app, char *const *words, size_t n)
{
	if (n && !strcmp(words[0], "save"))
		panes_save_layout(app, n > 1 ? words[1] : NULL);
	else if (n > 1)
		refuse(app, "layout NAME or layout save NAME");
	else
		panes_layout(app, n ? words[0] : NULL);
}

static void do_split(struct app *app, const char *way)
{
	if (way && (!strcmp(way, "h") || !strcmp(way, "v")))
		panes_split(app, way[0] == 'v');
	else
		refuse(app, "split h (one above the other) or split v (beside each other)");
}

static void do_focus(struct app *app, const char *which)
{
	long number;

	if (!which || !strcmp(which, "next"))
		panes_focus_next(app);
	else if (read_number(which, &number))
		panes_focus_number(app, number);
	else
		refuse(app, "focus next or focus N");
}

static void do_resize(struct app *app, const char *by)
{
	long cells;

	if (by && read_number(by, &cells))
		panes_resize(app, (int)cells);
	else
		refuse(app, "resize +N or resize -N, in rows or columns");
}

static void do_zoom(struct app *app, const char *word)
{
	(void)word;
	panes_zoom(app);
}

static void do_close(struct app *app, const char *word)
{
	(void)word;
	panes_close(app);
}

/* Lines. */

static const struct word {
	const char *name, *alias;
	size_t most;             /* words behind it */
	void (*run)(struct app *app, const char *word);  /* the word behind it, NULL: none */
	void (*run_words)(struct app *app, char *const *words, size_t n);
} words_here[] = {
	{ "mouse", "m", 1, .run = do_mouse },
	{ "messages", NULL, 0, .run = do_messages },
	{ "marks", NULL, 1, .run = do_marks },
	{ "layout", NULL, 2, .run_words = do_layout },
	{ "split", NULL, 1, .run = do_split },
	{ "focus", NULL, 1, .run = do_focus },
	{ "resize", NULL, 1, .run = do_resize },
	{ "zoom", NULL, 0, .run = do_zoom },
	{ "close", NULL, 0, .run = do_close },
};

static const struct word *find_word(const char *name)
{
	for (size_t i = 0; i < sizeof words_here / sizeof *words_here; i++) {
		const struct word *word = &words_here[i];

		if (!strcmp(word->name, name) || (word->alias && !strcmp(word->alias, name)))
			return word;
	}
	return NULL;
}

static void run_word(struct app *app, const struct word *word, const struct words *words)
{
	if (words->len - 1 <= word->most && word->run_words)
		word->run_words(app, words->at + 1, words->len - 1);
	else if (words->len - 1 <= word->most)
		word->run(app, words->len > 1 ? words->at[1] : NULL);
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s: syntax error",
		          word->run == do_mouse ? "mouse_mode" : word->name);
}

static bool answer_words(struct app *app, const char *line)
{
	struct arena mem = {0};
	struct words words = {0};
	struct err err = {0};
	const struct word *word = NULL;

	if (words_split(line, &mem, &words, &err) && words.len && !words.redirect && !words.pipe)
		word = find_word(words.at[0]);
	if (word)
		run_word(app, word, &words);
	arena_release(&mem);
	return word != NULL;
}

static void run_outside(struct app *app, const char *line)
{
	struct str why = {0};

	line += strspn(line, " \t");
	if (!term_lend(line, &why) && *line)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: !%s: %s", line, str_text(&why));
	str_release(&why);
	app_layout(app);
}

bool here_answer(struct app *app, const char *line)
{
	if (!strcmp(line, "prev") || !strcmp(line, "next"))
		app_step_screen(app, line[0] == 'p' ? -1 : 1);
	else if (line[0] == '/' || line[0] == '?')
		find_search(app, line[1] ? line + 1 : NULL, line[0] == '?', 1);
	else if (line[0] == '&')
		find_filter_entered(app, line + 1);
	else if (line[0] == '@')
		find_index(app, line + 1);
	else if (line[0] == '!')
		run_outside(app, line + 1);
	else
		return bound_answer(app, line) || tags_answer(app, line) || answer_words(app, line);
	return true;
}

/* What was said last counts, not the command line. */
static void switch_style(struct app *app)
{
	app->asked_style = STYLE_BOTH;
	app_take_settings(app);
	app_layout(app);
	app_focus_view(app, app_is_modern(app));
}

void here_heed(struct app *app, const char *setting)
{
	if (!strcmp(setting, MOUSE_MODE))
		set_mouse(app, shell_setting_bool(app->shell, MOUSE_MODE));
	if (!strcmp(setting, "style"))
		switch_style(app);
}
