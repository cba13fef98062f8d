/*
 * Command lines. The screen answers some itself (prev, next, mouse, /regex, @index); the rest goes to the worker. Lines
 * that come while one runs wait in order; exit and quit do not wait.
 */
#include "tui/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmds/words.h"
#include "dump/base/arena.h"
#include "dump/base/mem.h"

enum { SEARCH_STEP_ROWS = 64 };

static bool is_word(const char *line, const char *word)
{
	return !strcmp(line, word);
}

/* The line without blanks around it, for the caller to free. */
static char *trimmed(const char *line)
{
	size_t len;

	line += strspn(line, " \t");
	for (len = strlen(line); len && strchr(" \t", line[len - 1]); len--)
		;
	return mem_copy(line, len);
}

void app_order(struct app *app, const char *line, bool typed, bool start)
{
	char *text = trimmed(line);

	if (is_word(text, "exit") || is_word(text, "quit")) {
		if (!start || !worker_busy(app->worker)) {
			app->quit = true;
			free(text);
			return;
		}
	}
	vec_push(&app->orders, ((struct order){ text, typed, start }));
}

/* Screens. */

static void keep_place(struct app *app)
{
	struct screen *screen = screens_now(&app->screens);

	if (screen && !app->so_far)
		screen->place = pane_place(&app->pane);
}

void app_step_screen(struct app *app, int step)
{
	keep_place(app);
	if (app->so_far)
		return;
	if (!screens_step(&app->screens, step)) {
		app_toast(app, LOOK_ERROR_TOAST, "At the %s in navigation history!",
		          step < 0 ? "OLDEST" : "LATEST");
		return;
	}
	app_show(app, &screens_now(&app->screens)->place);
}

static void push_screen(struct app *app, const char *command, struct doc *doc)
{
	keep_place(app);
	screens_push(&app->screens, command, doc);
	app_show(app, NULL);
}

/* Search and jump. */

void app_start_search(struct app *app, const char *regex, bool backward)
{
	struct err err = {0};

	if (!app_pane(app)->doc)
		return;
	if (!pane_search(app_pane(app), regex, backward, &err))
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Invalid regular expression: \"%s\"", regex);
}

void app_search_step(struct app *app)
{
	bool backward = app_pane(app)->search.backward;

	switch (pane_search_work(app_pane(app), SEARCH_STEP_ROWS)) {
	case SEARCH_WRAPPED:
		app_toast(app, LOOK_INFO_TOAST, backward ? "INFO: Search went on from the bottom"
		                                         : "INFO: Search went on from the top");
		break;
	case SEARCH_NOWHERE:
		app_toast(app, LOOK_ERROR_TOAST, "Pattern not found");
		break;
	case SEARCH_GAVE_UP:
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: The pattern takes too long here; search given up");
		break;
	default:
		break;
	}
}

/* A decimal integer as Python's int() takes it, into *out; clamped. False: put Python's complaint into why. */
static bool read_index(const char *text, size_t len, int64_t *out, struct str *why)
{
	char *copy = mem_copy(text, len), *end;
	bool ok = len > 0 && strspn(copy, "+-0123456789") == len;

	errno = 0;
	*out = ok ? strtoll(copy, &end, 10) : 0;
	if (!ok || *end || end == copy) {
		str_fmt(why, "invalid literal for int() with base 10: '%s'", copy);
		ok = false;
	}
	free(copy);
	return ok;
}

/* "[1, 2]", "1,2" or "3" without blanks and brackets. */
static bool read_indices(const char *text, int64_t *index, uint32_t *rank, struct str *why)
{
	struct str bare = {0};
	size_t begin = 0;
	bool ok = true;

	for (; *text; text++)
		if (!strchr(" \t", *text))
			str_putc(&bare, *text);
	if (bare.len && bare.text[0] == '[')
		begin = 1;
	if (bare.len > begin && bare.text[bare.len - 1] == ']')
		str_cut(&bare, bare.len - 1);
	*rank = 0;
	if (bare.len == begin) {
		str_puts(why, "Empty indices.");
		ok = false;
	}
	for (const char *at = str_text(&bare) + begin; ok; at++) {
		size_t len = strcspn(at, ",");
		int64_t value;

		ok = read_index(at, len, &value, why);
		if (ok && *rank < NOTE_MAX_RANK)
			index[*rank] = value;
		*rank += 1;
		at += len;
		if (!*at)
			break;
	}
	str_release(&bare);
	return ok;
}

static bool check_indices(const struct doc_tensor *tensor, const int64_t *index, uint32_t rank,
                          struct str *why)
{
	if (rank != tensor->rank) {
		str_fmt(why, "Dimensions mismatch: requested: %" PRIu32 "; actual: %" PRIu32, rank,
		        tensor->rank);
		return false;
	}
	for (uint32_t i = 0; i < rank; i++)
		if (index[i] >= tensor->dim[i]) {
			str_puts(why, "Indices exceed tensor dimensions.");
			return false;
		}
	for (uint32_t i = 0; i < rank; i++)
		if (index[i] < 0) {
			str_puts(why, "Indices contain negative value(s).");
			return false;
		}
	return true;
}

static void jump(struct app *app, const char *text)
{
	const struct doc_tensor *tensor = app->pane.doc ? doc_get_tensor(app->pane.doc) : NULL;
	int64_t index[NOTE_MAX_RANK];
	struct str why = {0};
	uint32_t rank;
	uint64_t row;

	if (!read_indices(text, index, &rank, &why))
		;
	else if (!tensor)
		str_puts(&why, "tensor_metadata is not available in annotations.");
	else if (check_indices(tensor, index, rank, &why) &&
	         doc_find_element(app->pane.doc, index, rank, &row))
		pane_go_row(&app->pane, row);
	if (why.len)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", why.text);
	str_release(&why);
}

/* The mouse. */

void app_set_mouse(struct app *app, bool on)
{
	app->mouse = on;
	term_mouse(on);
	app_toast(app, LOOK_INFO_TOAST, "INFO: Mouse mode: %s", on ? "on" : "off");
}

static void mouse_command(struct app *app, const struct words *words)
{
	const char *mode = words->len > 1 ? words->at[1] : NULL;

	if (words->len > 2)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: mouse_mode: syntax error");
	else if (!mode)
		app_toast(app, LOOK_INFO_TOAST, "INFO: Mouse mode: %s", app->mouse ? "on" : "off");
	else if (!strcasecmp(mode, "on") || !strcasecmp(mode, "off"))
		app_set_mouse(app, !strcasecmp(mode, "on"));
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Invalid mouse mode: %s", mode);
}

/* True if the line was "mouse" or "m" with whatever behind it, and is done with. */
static bool did_mouse(struct app *app, const char *line)
{
	struct arena mem = {0};
	struct words words = {0};
	struct err err = {0};
	bool mine = words_split(line, &mem, &words, &err) && words.len &&
	            (is_word(words.at[0], "mouse") || is_word(words.at[0], "m"));

	if (mine)
		mouse_command(app, &words);
	arena_release(&mem);
	return mine;
}

/* Running. */

/* What the screen answers itself. */
static bool did_here(struct app *app, const char *line)
{
	if (is_word(line, "prev") || is_word(line, "next"))
		app_step_screen(app, line[0] == 'p' ? -1 : 1);
	else if (line[0] == '/' || line[0] == '?')
		app_start_search(app, line[1] ? line + 1 : NULL, line[0] == '?');
	else if (line[0] == '@')
		jump(app, line + 1);
	else
		return did_mouse(app, line);
	return true;
}

static void start(struct app *app, struct order *order)
{
	const char *line = order->line;

	app->candidates.total = 0;
	if (*line && order->typed && !is_word(line, "prev") && !is_word(line, "next"))
		history_add(&app->history, line);
	if (order->start && (is_word(line, "exit") || is_word(line, "quit"))) {
		app->quit = true;
	} else if (*line && !did_here(app, line)) {
		app->running = *order;
		worker_run(app->worker, line, app->layout.output.cols > 0 ? app->layout.output.cols : 1);
		return;
	}
	free(order->line);
}

void app_next_order(struct app *app)
{
	while (!app->quit && !worker_busy(app->worker) && app->orders.len) {
		struct order order = app->orders.at[0];

		if (!app->loaded) {
			app->loading = true;
			worker_load(app->worker);
			return;
		}
		memmove(&app->orders.at[0], &app->orders.at[1], --app->orders.len * sizeof *app->orders.at);
		start(app, &order);
	}
}

/* Results. */

static void take_so_far(struct app *app, struct doc *doc)
{
	struct place place = pane_place(&app->pane);
	struct doc *old = app->so_far;

	app->so_far = doc;
	app_show(app, old ? &place : NULL);
	doc_free(old);
}

static void tell_warnings(struct app *app)
{
	size_t n = shell_warnings(app->shell);
	struct str first = {0};

	if (!n)
		return;
	shell_warning(app->shell, 0, &first);
	app_toast(app, LOOK_ERROR_TOAST, "%zu problem(s) in the dump: %s", n, str_text(&first));
	str_release(&first);
}

static void loaded(struct app *app, const struct result *result)
{
	app->loading = false;
	if (result->ok) {
		const char *first = shell_first_command(app->shell);

		app->loaded = true;
		app->running = (struct order){ mem_copy(first, strlen(first)), false, false };
		worker_run(app->worker, first, app->layout.output.cols > 0 ? app->layout.output.cols : 1);
	} else if (result->err.code == ERR_CANCELLED) {
		app_toast(app, LOOK_INFO_TOAST, "INFO: Reading stopped. The next command begins it again.");
	} else {
		app->err = result->err;
		app->end = APP_NOT_LOADED;
		app->quit = true;
	}
}

/* The answer to the first command takes the place of the provisional screen. */
static void settle(struct app *app, struct doc *doc)
{
	struct place place = pane_place(&app->pane);
	struct doc *so_far = app->so_far;

	app->settled = true;
	app->so_far = NULL;
	if (doc) {
		screens_push(&app->screens, app->running.line, doc);
		app_show(app, so_far ? &place : NULL);
	} else {
		app_show(app, NULL);
	}
	doc_free(so_far);
	tell_warnings(app);
}

static void answered(struct app *app, struct answer *answer)
{
	struct doc *doc = answer->doc;

	answer->doc = NULL;
	if (!app->settled)
		settle(app, doc);
	else if (doc)
		push_screen(app, app->running.line, doc);
	if (answer->toast.len)
		app_toast(app, answer->toast_is_error ? LOOK_ERROR_TOAST : LOOK_INFO_TOAST, "%s: %s",
		          answer->toast_is_error ? "ERROR" : "INFO", answer->toast.text);
	app->any_failed |= answer->failed && app->running.start;
	app->quit |= answer->leave;
	free(app->running.line);
	app->running = (struct order){0};
}

void app_take_results(struct app *app)
{
	struct result result;

	while (worker_take(app->worker, &result)) {
		if (result.kind == RESULT_SO_FAR) {
			take_so_far(app, result.doc);
			result.doc = NULL;
		} else if (result.kind == RESULT_LOADED) {
			loaded(app, &result);
		} else {
			answered(app, &result.answer);
		}
		result_release(&result);
	}
}
