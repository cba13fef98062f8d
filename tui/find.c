/* The words of what went wrong are tfdbg's where it had them. */
#include "tui/find.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tui/bad_rows.h"
#include "tui/drawn.h"
#include "tui/keys.h"
#include "tui/prompt.h"

enum { SEARCH_STEP_ROWS = 64 };

/* Search. */

static void bad_regex(struct app *app, const char *regex)
{
	app_toast(app, LOOK_ERROR_TOAST, "ERROR: Invalid regular expression: \"%s\"", regex);
}

void find_search(struct app *app, const char *regex, bool backward, uint64_t times)
{
	struct err err = {0};

	if (!pane_doc(app_pane(app)))
		return;
	app_mark_place(app);
	if (!pane_search(app_pane(app), regex, backward, times, &err))
		bad_regex(app, regex);
}

void find_bad(struct app *app, bool backward, uint64_t times)
{
	struct doc *doc = pane_doc(app_pane(app));

	if (!doc || app->overlay || drawn_is_picture(doc))
		app_toast(app, LOOK_ERROR_TOAST, "There is no array here");
	else if (!doc_get_tensor(doc))
		bad_rows_ask(app, backward, times);
	else
		pane_seek(app_pane(app), SEEK_BAD, backward, times);
}

void find_error(struct app *app, bool backward, uint64_t times)
{
	pane_seek(app_pane(app), SEEK_ERROR, backward, times);
}

void find_difference(struct app *app, bool backward, uint64_t times)
{
	pane_seek(app_pane(app), SEEK_DIFFERENCE, backward, times);
}

void find_step(struct app *app)
{
	static const char *const nowhere[] = {
		[SEEK_MATCH] = "Pattern not found",
		[SEEK_BAD] = "No NaN or Inf here",
		[SEEK_ERROR] = "No error here",
		[SEEK_DIFFERENCE] = "No difference here",
		[SEEK_ROW] = "No NaN or Inf here",
	};
	const struct search *search = &app_pane(app)->search;
	struct str text = {0};

	switch (pane_search_work(app_pane(app), SEARCH_STEP_ROWS)) {
	case SEARCH_WRAPPED:
		app_toast(app, LOOK_INFO_TOAST, "INFO: Search went on from the %s",
		          search->backward ? "bottom" : "top");
		break;
	case SEARCH_BROKEN:
		err_put(&text, search->err.src, &search->err);
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", text.text);
		str_release(&text);
		break;
	case SEARCH_NOWHERE:
		app_toast(app, LOOK_ERROR_TOAST, "%s", nowhere[search->seek]);
		break;
	case SEARCH_GAVE_UP:
		app_toast(app, LOOK_ERROR_TOAST,
		          "ERROR: The pattern takes too long here; search given up");
		break;
	default:
		break;
	}
	if (search->places && !search->cell.here &&
	    (search->state == SEARCH_FOUND || search->state == SEARCH_WRAPPED))
		drawn_go_cell(app, &search->cell);
}

/* Filter. */

void find_filter_typed(struct app *app, const char *prompt)
{
	struct pane *pane = &app_view(app)->pane;
	struct err err = {0};

	if (prompt[0] != '&')
		prompt = "";
	if (!pane_doc(pane) || !strcmp(prompt, str_text(&app->filter_typed)))
		return;
	str_reset(&app->filter_typed);
	str_puts(&app->filter_typed, prompt);
	app->bad_filter = !pane_filter_live(pane, *prompt ? prompt + 1 : NULL, &err);
}

void find_filter_again(struct app *app)
{
	if (!app->filter_typed.len)
		return;
	str_reset(&app->filter_typed);
	find_filter_typed(app, prompt_text());
}

void find_filter_entered(struct app *app, const char *text)
{
	struct pane *pane = &app_view(app)->pane;
	struct err err = {0};
	bool bad = app->bad_filter;

	app->bad_filter = false;
	str_reset(&app->filter_typed);
	if (!pane_doc(pane))
		return;
	if (!*text) {
		pane_filter_live(pane, NULL, &err);
		if (!pane_filter_drop(pane))
			app_toast(app, LOOK_INFO_TOAST, "INFO: There is no filter");
	} else if (pane->shown.live.pattern && !bad) {
		pane_filter_keep(pane);          /* as it was typed */
	} else if (pane_filter_live(pane, text, &err)) {
		pane_filter_keep(pane);
	} else {
		pane_filter_live(pane, NULL, &err);
		bad_regex(app, text);
	}
}

/* Elements. */

/*
 * A decimal integer as Python's int() takes it, into *out; clamped. False: put Python's complaint
 * into why.
 */
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

/* The text without blanks and without brackets around it. */
static void bare_indices(const char *text, struct str *out)
{
	text += strspn(text, " \t");
	text += *text == '[';
	for (; *text; text++)
		if (!strchr(" \t", *text))
			str_putc(out, *text);
	if (out->len && out->text[out->len - 1] == ']')
		str_cut(out, out->len - 1);
}

/* "[1, 2]", "1,2" or "3" without blanks and brackets. */
static bool read_indices(const char *text, int64_t *index, uint32_t *rank, struct str *why)
{
	struct str bare = {0};
	bool ok;

	bare_indices(text, &bare);
	*rank = 0;
	ok = bare.len > 0;
	if (!ok)
		str_puts(why, "Empty indices.");
	for (const char *at = str_text(&bare); ok; at++) {
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

void find_index(struct app *app, const char *text)
{
	struct pane *pane = &app_view(app)->pane;
	int64_t index[NOTE_MAX_RANK];
	struct cell_at at;
	struct str why = {0};
	uint32_t rank;

	if (read_indices(text, index, &rank, &why)
	    && pane_find_index(pane, index, rank, &at, &why)) {
		app_mark_place(app);
		if (at.here)
			pane_go_index(pane, &at);
		else
			drawn_go_cell(app, &at);
	}
	if (why.len)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", why.text);
	str_release(&why);
}
