/*
 * What shows is kept by name, so that the same theme is not read at each key. The line of settings
 * is what tells a row of themes: its link is the command that sets one.
 */
#include "tui/theming.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/themes.h"
#include "tui/theme_file.h"

#define SETS_THEME "config set theme "

static bool setting_is(struct app *app, const char *setting, const char *word)
{
	const char *is = shell_setting_word(app->shell, setting);

	return is && !strcmp(is, word);
}

/* What a user's file is on top of. */
static const char *theme_of_background(struct app *app)
{
	return setting_is(app, "background", "light") ? "light" : "dark";
}

/* "auto": tfdbg's style has tfdbg's colours. */
static const char *theme_of_style(struct app *app)
{
	if (app_is_modern(app))
		return theme_of_background(app);
	return setting_is(app, "background", "light") ? "tfdbg-light" : "tfdbg";
}

static int most_colours(struct app *app)
{
	const char *word = shell_setting_word(app->shell, "colors");

	if (!strcmp(word, "mono"))
		return 0;
	return is_digit(*word) ? (int)strtol(word, NULL, 10) : INT_MAX;
}

static void show(struct app *app, const char *name, bool anew)
{
	const char *whose = strcmp(name, THEME_AUTO) ? name : theme_of_style(app);
	int most = most_colours(app);
	struct str complaint = {0};
	struct theme theme;

	if (!anew && !strcmp(whose, app->theme_shown) && most == app->theme_colours)
		return;
	theme_load(whose, theme_of_background(app), &theme, &complaint);
	theme_show(&theme, most);
	snprintf(app->theme_shown, sizeof app->theme_shown, "%s", whose);
	app->theme_colours = most;
	if (complaint.len)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", complaint.text);
	str_release(&complaint);
}

void theming_take(struct app *app, bool anew)
{
	show(app, shell_setting_word(app->shell, "theme"), anew);
}

/* The theme that the cursor's row would set; NULL: none. */
static const char *looked_at(struct app *app)
{
	struct pane *pane = app_pane(app);
	const char *command = pane->focus && pane_doc(pane) ? pane_link(pane) : NULL;
	size_t len = strlen(SETS_THEME);

	return command && !strncmp(command, SETS_THEME, len) ? command + len : NULL;
}

void theming_follow(struct app *app)
{
	const char *name;

	if (worker_busy(app->worker))
		return;
	name = looked_at(app);
	if (name)
		show(app, name, false);
	else if (app->looks_at_theme)
		theming_take(app, false);
	app->looks_at_theme = name;
}
