/* News is taken a few times a second at most, so that busy writers don't keep the screen busy. */
#include "tui/following.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/session/following.h"
#include "dump/base/clock.h"
#include "dump/base/mem.h"

enum { NEWS_EVERY_MS = 100 };

void following_start(struct app *app, bool look)
{
	if (!shell_start_following(app->shell, look)) {
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Only a directory can be followed");
		return;
	}
	app->news_from_ms = 0;
	if (shell_following_note(app->shell))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", shell_following_note(app->shell));
}

/* What might have gone on while it was followed is a problem from now on. */
static void tell_cut(struct app *app)
{
	bool any = false;

	for (size_t i = 0; i < shell_warnings(app->shell); i++)
		any |= shell_warning_may_pass(app->shell, i);
	if (any)
		app_tell_warnings(app);
}

void following_toggle(struct app *app)
{
	app->toggles_following = worker_busy(app->worker);
	if (app->toggles_following)
		return;
	if (!shell_follows(app->shell)) {
		following_start(app, false);
		if (shell_follows(app->shell) && !app->toast.until_ms)
			app_toast(app, LOOK_INFO_TOAST, "INFO: Following %s: on",
			          shell_subject(app->shell));
		return;
	}
	following_stop_waiting(app);
	shell_stop_following(app->shell);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Following %s: off", shell_subject(app->shell));
	tell_cut(app);
}

/* News change what commands work on. */
static bool can_take(const struct app *app)
{
	return app->settled && !worker_busy(app->worker) && !app->orders.len &&
	       shell_follows(app->shell);
}

int following_fd(const struct app *app)
{
	return can_take(app) && clock_ms() >= app->news_from_ms ? shell_following_fd(app->shell)
	                                                        : -1;
}

int64_t following_wait_ms(const struct app *app)
{
	int64_t wait, now = clock_ms();

	if (!can_take(app))
		return -1;
	if (now < app->news_from_ms)
		return app->news_from_ms - now;
	wait = shell_following_sleep_ms(app->shell);
	if (app->waiting && app->waiting_until_ms &&
	    (wait < 0 || app->waiting_until_ms - now < wait))
		wait = app->waiting_until_ms > now ? app->waiting_until_ms - now : 0;
	return wait;
}

/* Waiting. */

void following_wait(struct app *app, const struct answer *answer)
{
	bool same = app->waiting && !strcmp(app->waiting, app->running.line);

	if (!same) {
		free(app->waiting);
		app->waiting = mem_copy(app->running.line, strlen(app->running.line));
		app->waiting_until_ms = answer->wait_ms ? clock_ms() + answer->wait_ms : 0;
	}
	str_reset(&app->waits_for);
	str_puts(&app->waits_for, answer->waits.text);
}

bool following_stop_waiting(struct app *app)
{
	if (!app->waiting)
		return false;
	free(app->waiting);
	app->waiting = NULL;
	return true;
}

static void mind_the_time(struct app *app)
{
	if (!app->waiting || !app->waiting_until_ms || clock_ms() < app->waiting_until_ms)
		return;
	following_stop_waiting(app);
	app_toast(app, LOOK_INFO_TOAST, "INFO: No new run came.");
}

/* News. */

static bool is_about(const struct screen *screen, const struct news *news)
{
	if (news->all)
		return true;
	for (size_t i = 0; i < news->n_changed; i++)
		if (screen->about == news->changed[i])
			return true;
	return false;
}

/* What shows stays until there is the new answer; what does not show is made again when it does. */
static void ask_again(struct app *app, const struct news *news)
{
	for (int i = 0; i < MAX_PANES; i++) {
		struct screens *screens = &app->view[i].screens;
		struct screen *now = screens_now(screens);

		for (size_t k = 0; k < screens->len; k++) {
			struct screen *screen = &screens->at[k];

			if (!is_about(screen, news) && !(screen->doc && doc_of_runs(screen->doc)))
				continue;
			if (screen == now && !app->view[i].loose) {
				app_order_rewrite(app, i, screen->command);
			} else {
				doc_free(screen->doc);
				screen->doc = NULL;
			}
		}
	}
	str_reset(&app->detail_asked);
}

static void tell(struct app *app, const struct news *news)
{
	if (news->went)
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: What was opened is gone; what was loaded stays readable.");
	else if (news->gone)
		app_toast(app, LOOK_ERROR_TOAST, "%s", news->gone);
	else if (news->anew)
		app_toast(app, LOOK_INFO_TOAST, "INFO: The files were written anew.");
	else if (news->steps)
		app_toast(app, LOOK_INFO_TOAST, "INFO: %zu new execution%s came.", news->steps,
		          plural(news->steps));
	else if (news->came == 1)
		app_toast(app, LOOK_INFO_TOAST, "INFO: A new run came.");
	else if (news->came)
		app_toast(app, LOOK_INFO_TOAST, "INFO: %zu new runs came.", news->came);
}

static void take(struct app *app, const struct news *news)
{
	tell(app, news);
	if (news->anew)
		app_drop_answers(app);
	ask_again(app, news);
	if (app->waiting && (news->came || news->all || news->n_changed || news->settled))
		app_order_for(app, app_main(app), app->waiting, NO_ROW);
}

void following_take_read(struct app *app)
{
	struct news news;

	shell_take_read_news(app->shell, &news);
	if (news.any)
		take(app, &news);
}

void following_take(struct app *app)
{
	struct news news;

	if (app->toggles_following && !worker_busy(app->worker))
		following_toggle(app);
	if (!can_take(app) || clock_ms() < app->news_from_ms)
		return;
	mind_the_time(app);
	shell_take_news(app->shell, &news);
	if (!news.any)
		return;
	app->news_from_ms = clock_ms() + NEWS_EVERY_MS;
	if (news.unread)
		worker_read_news(app->worker);
	else
		take(app, &news);
}
