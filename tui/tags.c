/* A short list, gone through for each row that shows. */
#include "tui/tags.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tui/about.h"
#include "tui/bound.h"

enum { MOST_AT_ONCE = 100 };     /* each answer is a screen */

static const char tagged[] = "tagged";

/* What a row is about, as a command line; false: about nothing. */
static bool put_subject(const struct line *line, struct str *out)
{
	struct link link = {0};
	bool found = about_line_links(line, &link);

	if (found)
		(link.kind == LINK_TENSOR ? link_put_tensor : link_put_node)(&link, out);
	for (size_t i = 0; !found && i < line->segs.len; i++) {
		const char *command = seg_link(line, &line->segs.at[i]);

		found = command;
		str_puts(out, command ? command : "");
	}
	link_release(&link);
	return found;
}

static bool is_of_run(const char *subject)
{
	struct str run = {0};
	bool is = bound_put_run_of(subject, &run);

	str_release(&run);
	return is;
}

static bool is_here(const struct tag *tag, const void *about)
{
	return !tag->about || tag->about == about;
}

static struct tag *find(struct app *app, const char *subject)
{
	const void *about = app_title(app).about;

	for (size_t i = 0; i < app->tags.len; i++)
		if (!strcmp(app->tags.at[i].subject, subject) &&
		    is_here(&app->tags.at[i], about))
			return &app->tags.at[i];
	return NULL;
}

bool tags_has(struct app *app, const struct line *line)
{
	struct str subject = {0};
	bool has = app->tags.len && put_subject(line, &subject) &&
	           find(app, subject.text) != NULL;

	str_release(&subject);
	return has;
}

size_t tags_here(struct app *app)
{
	const void *about = app->tags.len ? app_title(app).about : NULL;
	size_t n = 0;

	for (size_t i = 0; i < app->tags.len; i++)
		n += is_here(&app->tags.at[i], about);
	return n;
}

/* Setting and taking away. */

static void take_away(struct app *app, struct tag *tag)
{
	size_t i = (size_t)(tag - app->tags.at);

	free(tag->subject);
	free(tag->text);
	memmove(tag, tag + 1, (app->tags.len - i - 1) * sizeof *tag);
	app->tags.len--;
}

static void put_on(struct app *app, const char *subject)
{
	const void *about = is_of_run(subject) ? NULL : app_title(app).about;
	struct tag tag = { .subject = mem_copy(subject, strlen(subject)), .about = about };
	struct link link = {0};
	struct str text = {0};

	if (link_read(subject, &link))
		link_put_name(&link, &text);
	else
		str_puts(&text, subject);
	if (about)
		str_fmt(&text, "  (%s)", app_title(app).text);
	tag.text = mem_copy(str_text(&text), text.len);
	vec_push(&app->tags, tag);
	link_release(&link);
	str_release(&text);
}

/* False: there is nothing to put a tag on. */
static bool toggle(struct app *app)
{
	struct pane *pane = &app_view(app)->pane;
	const struct line *line = pane_doc(pane) ? pane_cursor_line(pane) : NULL;
	struct str subject = {0};
	struct tag *tag;
	bool ok = line && put_subject(line, &subject);

	if (ok) {
		tag = find(app, subject.text);
		if (tag)
			take_away(app, tag);
		else
			put_on(app, subject.text);
	}
	str_release(&subject);
	return ok;
}

/* In tfdbg's style nothing else shows them. */
static void tell_count(struct app *app)
{
	if (!app_is_modern(app))
		app_toast(app, LOOK_INFO_TOAST, "INFO: %zu row(s) tagged", tags_here(app));
}

void tags_toggle(struct app *app, uint64_t rows)
{
	struct pane *pane = &app_view(app)->pane;
	bool any = false;
	uint64_t row;

	for (rows += !rows; rows; rows--) {
		any |= toggle(app);
		row = pane->cursor.row;
		pane_cursor_row(pane, row + 1);
		if (pane->cursor.row == row)
			break;
	}
	if (any)
		tell_count(app);
	else
		app_toast(app, LOOK_ERROR_TOAST, "This row is about nothing that can be tagged");
}

void tags_clear(struct app *app)
{
	size_t n = app->tags.len;

	app_drop_tags(app);
	app_toast(app, LOOK_INFO_TOAST, "INFO: %zu tag(s) taken away", n);
}

/* Commands. */

static void show_list(struct app *app)
{
	struct doc *doc = doc_new();

	doc_line_put(doc, ROLE_STRONG, "%zu tagged row(s):", app->tags.len);
	for (size_t i = 0; i < app->tags.len; i++) {
		doc_put(doc, ROLE_PLAIN, "  ");
		doc_link(doc, ROLE_PLAIN, app->tags.at[i].text, "%s", app->tags.at[i].subject);
		doc_newline(doc);
	}
	app_push_own(app, tagged, doc);
}

/* Orders the line of one; false: it is not about what the command asks for. */
static bool order_one(struct app *app, const struct tag *tag, const char *command, const char **why)
{
	struct link link = {0};
	struct str run = {0}, line = {0};
	bool ok;

	if (!link_read(tag->subject, &link))
		link.kind = LINK_NOTHING;
	if (!bound_put_run_of(tag->subject, &run))
		bound_put_run(app, &run);
	ok = bound_put_names(&link, str_text(&run), command, &line, why);
	if (ok)
		app_order_for(app, app_target(app), str_text(&line), NO_ROW);
	link_release(&link);
	str_release(&run);
	str_release(&line);
	return ok;
}

static void run_for_each(struct app *app, const char *command)
{
	const void *about = app_title(app).about;
	size_t n = tags_here(app), left_out = 0;
	const char *why = "";

	if (!n || n > MOST_AT_ONCE) {
		app_toast(app, LOOK_ERROR_TOAST,
		          n ? "ERROR: %zu rows are tagged; a command goes over %d at most"
		            : "ERROR: No row is tagged here; t tags one", n, MOST_AT_ONCE);
		return;
	}
	for (size_t i = 0; i < app->tags.len; i++)
		if (is_here(&app->tags.at[i], about))
			left_out += !order_one(app, &app->tags.at[i], command, &why);
	if (left_out)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %zu of %zu left out: %s", left_out, n,
		          why);
}

bool tags_answer(struct app *app, const char *line)
{
	const char *rest;

	line += strspn(line, " \t");
	rest = line + strlen(tagged);
	if (strncmp(line, tagged, strlen(tagged)) != 0 || (*rest && !strchr(" \t", *rest)))
		return false;
	rest += strspn(rest, " \t");
	if (*rest && strchr("-|>", *rest))
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: Say tagged or tagged COMMAND");
	else if (*rest)
		run_for_each(app, rest);
	else
		show_list(app);
	return true;
}
