/*
 * A row of an array is about the tensor of its screen, at the index of its first element; any other row
 * is about what its links lead to, else about what its screen was asked for.
 */
#include "tui/explain.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/words.h"
#include "dump/base/arena.h"

/* Commands whose last word that is no option names a tensor, or a node. */
static bool is_about_tensor(const char *command)
{
	return !strcmp(command, "pt") || !strcmp(command, "print_tensor");
}

static bool is_about_name(const char *command)
{
	static const char *const names[] = { "ni", "node_info", "li", "list_inputs", "lo", "list_outputs",
	                                     "explain" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], command))
			return true;
	return is_about_tensor(command);
}

/* Options with a word behind them. */
static const struct { const char *option; bool of_tensor, kept; } with_words[] = {
	{ "-n", true, true }, { "--number", true, true },
	{ "-r", true, false }, { "--ranges", true, false },
	{ "-w", true, false }, { "--write_path", true, false },
	{ "-D", true, true }, { "--device", true, true },
	{ "-D", false, true }, { "--device", false, true },
	{ "-e", false, false }, { "--element", false, false },
};

/* Does the option take the next word? *keeps: explain takes it too. */
static bool takes_word(const char *command, const char *option, bool *keeps)
{
	for (size_t i = 0; i < sizeof with_words / sizeof *with_words; i++)
		if (with_words[i].of_tensor == is_about_tensor(command) &&
		    !strcmp(with_words[i].option, option)) {
			*keeps = with_words[i].kept;
			return true;
		}
	return false;
}

static void put_quoted(struct str *out, const char *word)
{
	const char *quote = strpbrk(word, " \t") ? strchr(word, '"') ? "'" : "\"" : "";

	str_fmt(out, " %s%s%s", quote, word, quote);
}

/* "pt -a x:0[1] -n 2" as "explain x:0[1] -n 2"; false: it is about nothing with a name. */
static bool put_command(const char *line, struct str *out)
{
	struct arena mem = {0};
	struct words words = {0};
	struct err err = {0};
	struct str rest = {0};
	const char *name = NULL;
	bool keeps;

	if (words_split(line, &mem, &words, &err) && words.len > 1 && is_about_name(words.at[0]))
		for (size_t i = 1; i < words.len; i++) {
			if (words.at[i][0] != '-') {
				name = words.at[i];
			} else if (takes_word(words.at[0], words.at[i], &keeps) && i + 1 < words.len) {
				if (keeps)
					str_fmt(&rest, " %s %s", words.at[i], words.at[i + 1]);
				i++;
			}
		}
	if (name) {
		str_puts(out, "explain");
		put_quoted(out, name);
		str_puts(out, str_text(&rest));
	}
	str_release(&rest);
	arena_release(&mem);
	return name != NULL;
}

static bool put_from_links(struct pane *pane, const struct line *line, struct str *out)
{
	const char *chosen = pane->link < line->segs.len ? seg_link(line, &line->segs.at[pane->link]) : NULL;

	if (chosen && put_command(chosen, out))
		return true;
	for (size_t i = 0; i < line->segs.len; i++) {
		const char *link = seg_link(line, &line->segs.at[i]);

		if (link && put_command(link, out))
			return true;
	}
	return false;
}

/* The command that explains the cursor's row; false: nothing does. */
static bool put_explain(struct app *app, struct str *out)
{
	struct view *view = app_view(app);
	const struct line *line = pane_doc(&view->pane) ? pane_cursor_line(&view->pane) : NULL;
	bool element = line && line->note == NOTE_INDEX;

	if (line && !element && put_from_links(&view->pane, line, out))
		return true;
	if (!line || !put_command(view_command(view), out))
		return false;
	for (uint32_t i = 0; element && i < line->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : " -e ", line->index[i]);
	return true;
}

static void nothing(struct app *app)
{
	app_toast(app, LOOK_ERROR_TOAST, "ERROR: This row is about no tensor and no node");
}

void explain_row(struct app *app)
{
	struct str command = {0};

	if (put_explain(app, &command))
		app_order(app, command.text);
	else
		nothing(app);
	str_release(&command);
}

void explain_source(struct app *app)
{
	struct str command = {0};

	if (put_explain(app, &command))
		app_order_use(app, command.text, ORDER_SOURCE);
	else
		nothing(app);
	str_release(&command);
}

/* Where am I? */

/* What is known without asking, a line each. */
static void note_where(struct app *app)
{
	struct view *view = app_view(app);
	uint64_t rows = doc_rows(pane_doc(&view->pane));

	str_reset(&app->where);
	str_fmt(&app->where, "Row     %" PRIu64 " of %" PRIu64 "\n", pane_cursor_doc_row(&view->pane) + 1, rows);
	str_fmt(&app->where, "Screen  %s\n", view_command(view));
	str_fmt(&app->where, "Run     %s\n", app_title(app).text);
}

static void put_lines(struct doc *out, const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		doc_put_text(out, ROLE_PLAIN, text, (size_t)(end - text));
		doc_newline(out);
	}
}

static void open_where(struct app *app, const struct doc *answer)
{
	struct doc *out = doc_new();
	struct line line = {0};

	doc_line_put(out, ROLE_STRONG, "Where am I");
	doc_newline(out);
	put_lines(out, str_text(&app->where));
	for (uint64_t row = 0; answer && row < doc_rows(answer); row++) {
		doc_line(answer, row, 0, &line);
		if (!row)
			doc_newline(out);
		doc_put_text(out, ROLE_PLAIN, str_text(&line.text), line.text.len);
		doc_newline(out);
	}
	line_release(&line);
	app_open_overlay(app, out);
}

void explain_where(struct app *app)
{
	struct str command = {0};

	if (!pane_doc(&app_view(app)->pane))
		return;
	note_where(app);
	if (put_explain(app, &command))
		app_order_use(app, command.text, ORDER_WHERE);
	else
		open_where(app, NULL);
	str_release(&command);
}

/* Answers. */

static void go_source(struct app *app, const struct doc *doc)
{
	struct line line = {0};
	bool found = false;

	for (uint64_t row = 0; !found && row < doc_rows(doc); row++) {
		doc_line(doc, row, 0, &line);
		for (size_t i = 0; !found && i < line.segs.len; i++) {
			const char *link = seg_link(&line, &line.segs.at[i]);

			found = link && !strncmp(link, "ps ", 3);
			if (found)
				app_order(app, link);
		}
	}
	if (!found)
		app_toast(app, LOOK_ERROR_TOAST, "ERROR: It is not known which line made this node");
	line_release(&line);
}

void explain_answered(struct app *app, enum order_use use, const struct doc *doc)
{
	if (use == ORDER_WHERE)
		open_where(app, doc);
	else if (doc)
		go_source(app, doc);
}
