#include "tui/bound.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "dump/base/arena.h"
#include "tui/about.h"

static struct key_scope scope_now(struct app *app)
{
	struct key_scope scope = { app->style, CONTEXT_PROMPT };

	return app_in_view(app) ? app_scope(app) : scope;
}

/* What of the row. */

static void put_tensor(const struct link *link, struct str *out)
{
	struct str name = {0};

	link_put_name(link, &name);
	if (link->kind == LINK_NODE)
		str_puts(&name, ":0");
	words_put(out, str_text(&name));
	str_release(&name);
}

static void put_node(const struct link *link, struct str *out)
{
	struct str name = {0};
	const char *colon;

	link_put_name(link, &name);
	colon = strrchr(str_text(&name), ':');
	if (link->kind == LINK_TENSOR && colon)
		str_cut(&name, (size_t)(colon - name.text));
	words_put(out, str_text(&name));
	str_release(&name);
}

/* The run that a link goes to, or is about. */
bool bound_put_run_of(const char *command, struct str *out)
{
	static const char goes[] = "run --to ";
	struct link link = {0};
	bool found = !strncmp(command, goes, sizeof goes - 1);

	if (found) {
		str_puts(out, command + sizeof goes - 1);
	} else if (link_read(command, &link) && link.kind == LINK_RUN) {
		words_put(out, str_text(&link.name));
		found = true;
	}
	link_release(&link);
	return found;
}

static bool put_linked_run(const struct line *line, struct str *out)
{
	bool found = false;

	for (size_t i = 0; line && !found && i < line->segs.len; i++) {
		const char *command = seg_link(line, &line->segs.at[i]);

		found = command && bound_put_run_of(command, out);
	}
	return found;
}

void bound_put_run(struct app *app, struct str *out)
{
	struct pane *pane = &app_view(app)->pane;
	size_t position;

	if (put_linked_run(pane_doc(pane) ? pane_cursor_line(pane) : NULL, out))
		return;
	position = app->loaded && !worker_busy(app->worker) ? shell_position(app->shell) : 0;
	if (position)
		str_fmt(out, "%zu", position);
}

static bool put_part(char letter, const struct link *link, const char *run, struct str *out)
{
	if (letter == 'r')
		str_puts(out, run);
	else if (link->kind != LINK_TENSOR && link->kind != LINK_NODE)
		return false;
	else
		(letter == 't' ? put_tensor : put_node)(link, out);
	return out->len > 0;
}

/* Is what stands behind this text read by a shell? What an alias stands for may be. */
static bool leads_to_shell(const char *before)
{
	struct arena mem = {0};
	struct words words = {0};
	struct str line = {0};
	struct err err;
	bool is_command, leads;

	str_fmt(&line, "%sx", before + strspn(before, " \t"));
	is_command = words_split(line.text, &mem, &words, &err) && cmd_find(words.at[0]);
	leads = !is_command || words.pipe;
	str_release(&line);
	arena_release(&mem);
	return leads;
}

/* It is one word there, whatever quotes stand around it. */
static bool is_plain_word(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	                          "_./:,+@%^=-")];
}

static bool put_checked(char letter, const struct link *link, const char *run, struct str *out,
                        const char **why)
{
	struct str part = {0};
	bool ok = put_part(letter, link, run, &part);

	if (!ok)
		*why = letter == 't' ? "This row is about no tensor"
		       : letter == 'n' ? "This row is about no node"
		                       : "This row is about no run";
	else if (!is_plain_word(part.text) && leads_to_shell(str_text(out)))
		*why = "A shell would not read this row's name as one word";
	else
		str_puts(out, part.text);
	str_release(&part);
	return ok && !*why;
}

bool bound_put_names(const struct link *link, const char *run, const char *command, struct str *out,
                     const char **why)
{
	bool ok = true;

	*why = NULL;
	for (; *command && ok; command++) {
		if (*command != '%' || !command[1] || !strchr("tnr%", command[1])) {
			str_putc(out, *command);
			continue;
		}
		command++;
		if (*command == '%')
			str_putc(out, '%');
		else
			ok = put_checked(*command, link, run, out, why);
	}
	return ok;
}

bool bound_put_line(struct app *app, const char *command, struct str *out, const char **why)
{
	struct link link = {0};
	struct str run = {0};
	bool ok;

	if (!about_row(app, app->focus, &link))
		link.kind = LINK_NOTHING;
	bound_put_run(app, &run);
	ok = bound_put_names(&link, str_text(&run), command, out, why);
	link_release(&link);
	str_release(&run);
	return ok;
}

/* Keys. */

bool bound_key(struct app *app, int key)
{
	const struct binding *binding = NULL;
	struct str line = {0};
	const char *why;

	if (!app->overlay)
		binding = bindings_find(&app->bindings, scope_now(app), view_doc(app_view(app)),
		                        key);
	if (!binding)
		return false;
	if (bound_put_line(app, binding->command, &line, &why))
		app_order(app, str_text(&line));
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s: %s", why, binding->command);
	str_release(&line);
	return true;
}

bool bound_begins_pair(struct app *app, int key)
{
	return !app->overlay && bindings_begin_pair(&app->bindings, scope_now(app),
	                                            view_doc(app_view(app)), key);
}

/* Commands. */

static void tell(struct app *app, bool ok, const struct err *err, const char *done)
{
	if (ok)
		app_toast(app, LOOK_INFO_TOAST, "INFO: %s", done);
	else
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: %s", err->msg);
}

/* What follows the word and blanks; NULL: the line begins with another one. */
static const char *behind(const char *line, const char *word)
{
	size_t len = strlen(word);

	line += strspn(line, " \t");
	if (strncmp(line, word, len) || (line[len] && !strchr(" \t", line[len])))
		return NULL;
	return line + len + strspn(line + len, " \t");
}

/* "bind > file", "bind --format json": the command's own list, for whatever reads it. */
static bool is_for_file(const char *rest)
{
	return *rest && strchr("-|>", *rest);
}

bool bound_answer(struct app *app, const char *line)
{
	const char *bind = behind(line, "bind"), *unbind = behind(line, "unbind");
	struct err err = {0};

	if (bind && is_for_file(bind))
		return false;
	if (bind && *bind)
		tell(app, bindings_set(&app->bindings, bind, &err), &err, "Bound and saved");
	else if (bind)
		app_push_own(app, "bind", bindings_list(&app->bindings));
	else if (unbind)
		tell(app, bindings_remove(&app->bindings, unbind, &err), &err,
		     "Not bound any more");
	return bind || unbind;
}
