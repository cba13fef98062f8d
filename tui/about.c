/*
 * A link is a command line: split and parsed as the shell does it, its first word says what its
 * name names. Of the options only those matter that tell dumps and devices of one name apart.
 */
#include "tui/about.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/args.h"
#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "dump/base/arena.h"

/* Commands whose first word that is no option names a tensor, a node, or either of the two. */
static const struct { const char *command; enum { A_NODE, A_TENSOR, EITHER } names; } about_names[] = {
	{ "print_tensor", A_TENSOR }, { "grid", A_TENSOR }, { "picture", A_TENSOR }, { "print_feed", A_TENSOR },
	{ "node_info", A_NODE }, { "list_inputs", A_NODE }, { "list_outputs", A_NODE }, { "graph", A_NODE },
	{ "explain", EITHER }, { "diff", EITHER },
};

void about_release(struct about *about)
{
	str_release(&about->name);
	str_release(&about->number);
	str_release(&about->device);
	*about = (struct about){0};
}

/*
 * Where the node's name ends: before the slot, which is the last ":1" with nothing, a slice or a
 * debug op behind it. The devices that may stand before a node have such parts too, then a slash.
 */
static size_t node_len(const char *name)
{
	size_t len = strcspn(name, "[");

	for (size_t at = len; at-- > 0;) {
		size_t digits;

		if (name[at] != ':')
			continue;
		digits = strspn(name + at + 1, "0123456789");
		if (digits && (at + 1 + digits == len || name[at + 1 + digits] == ':'))
			return at;
		if (memchr(name + at, '/', len - at))
			break;
	}
	return len;
}

static bool has_slot(const char *name)
{
	return name[node_len(name)] == ':';
}

static void put_option(const struct cmd *cmd, const struct args *args, const char *name, const char *flag,
                       struct str *out)
{
	for (size_t i = 0; i < cmd->n_opts; i++) {
		if (strcmp(cmd->opts[i].name, name) || !args->opt[i].given)
			continue;
		if (cmd->opts[i].kind == OPT_WORD)
			words_put_with(out, flag, args->opt[i].word);
		else
			str_fmt(out, "%s %" PRId64, flag, args->opt[i].number);
	}
}

/* A run can be a number too: what diff is asked about is a tensor if it has a slot. */
static bool take(const struct cmd *cmd, const struct args *args, struct about *out)
{
	for (size_t i = 0; i < sizeof about_names / sizeof *about_names; i++) {
		const char *name = args->pos[0];

		if (!name || strcmp(about_names[i].command, cmd->name))
			continue;
		out->tensor = about_names[i].names == A_TENSOR || has_slot(name);
		if (!out->tensor && !strcmp(cmd->name, "diff"))
			return false;
		str_reset(&out->name);
		str_puts(&out->name, name);
		str_reset(&out->number);
		put_option(cmd, args, "number", " -n", &out->number);
		put_option(cmd, args, "dump", " -n", &out->number);
		str_reset(&out->device);
		put_option(cmd, args, "device", " -D", &out->device);
		return true;
	}
	return false;
}

/* What a command line is about; false: nothing with a name. */
static bool about_line(const char *line, struct about *out)
{
	struct arena mem = {0};
	struct words words = {0};
	struct args args = {0};
	struct err err = {0};
	bool help, ok = false;

	if (words_split(line, &mem, &words, &err) && words.len > 1) {
		const struct cmd *cmd = cmd_find(words.at[0]);

		ok = cmd && !cmd->raw && args_parse(cmd, words.at + 1, words.len - 1, &mem, &args, &help, &err) &&
		     take(cmd, &args, out);
	}
	arena_release(&mem);
	return ok;
}

bool about_line_links(const struct line *line, struct about *out)
{
	for (size_t i = 0; i < line->segs.len; i++) {
		const char *link = seg_link(line, &line->segs.at[i]);

		if (link && about_line(link, out))
			return true;
	}
	return false;
}

static bool from_links(struct pane *pane, const struct line *line, struct about *out)
{
	const char *chosen = pane->link < line->segs.len ? seg_link(line, &line->segs.at[pane->link]) : NULL;

	return (chosen && about_line(chosen, out)) || about_line_links(line, out);
}

bool about_row(struct app *app, int view, struct about *out)
{
	struct pane *pane = &app->view[view].pane;
	const struct line *line = pane_doc(pane) ? pane_cursor_line(pane) : NULL;

	if (!line)
		return false;
	out->linked = from_links(pane, line, out);
	return out->linked || about_line(view_command(&app->view[view]), out);
}

void about_put_name(const struct about *about, struct str *out)
{
	str_put(out, about->name.text, about->tensor ? strcspn(about->name.text, "[") : node_len(about->name.text));
}

/* Command lines. */

void about_put_node(const struct about *about, struct str *out)
{
	struct str node = {0};

	str_put(&node, about->name.text, node_len(about->name.text));
	words_put_with(out, "ni -a -d -t", str_text(&node));
	str_puts(out, str_text(&about->device));
	str_release(&node);
}

void about_put_tensor(const struct about *about, const char *command, struct str *out)
{
	struct str name = {0};

	str_put(&name, about->name.text, about->name.len);
	if (!about->tensor && !has_slot(name.text))
		str_puts(&name, ":0");
	words_put_with(out, command, name.text);
	str_fmt(out, "%s%s", str_text(&about->number), str_text(&about->device));
	str_release(&name);
}

void about_put_explain(const struct about *about, const struct line *line, struct str *out)
{
	words_put_with(out, "explain", str_text(&about->name));
	str_fmt(out, "%s%s", str_text(&about->number), str_text(&about->device));
	for (uint32_t i = 0; line && line->note == NOTE_INDEX && i < line->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : " -e ", line->index[i]);
}
