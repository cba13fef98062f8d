/*
 * A command line is split and parsed as the shell does it. The only options that matter are those
 * that tell dumps, or devices, with the same name apart.
 */
#include "cmds/doc/link.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/args.h"
#include "cmds/lang/registry.h"
#include "cmds/lang/words.h"
#include "dump/base/arena.h"

void link_release(struct link *link)
{
	str_release(&link->name);
	str_release(&link->number);
	str_release(&link->device);
	*link = (struct link){0};
}

/*
 * Where the node's name ends: before the slot, the last ":1" followed by nothing, a slice or a
 * debug op. A device before the node's name may have such parts as well, but a slash follows them.
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

static enum link_kind kind_of(enum link_kind names, const char *name)
{
	switch (names) {
	case LINK_TENSOR_OR_NODE: return has_slot(name) ? LINK_TENSOR : LINK_NODE;
	case LINK_TENSOR_OR_RUN: return has_slot(name) ? LINK_TENSOR : LINK_RUN;
	default: return names;
	}
}

static void put_option(const struct cmd *cmd, const struct args *args, const char *name,
                       const char *flag, struct str *out)
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

static bool take(const struct cmd *cmd, const struct args *args, struct link *out)
{
	const char *name = args->pos[0];

	if (!name || !cmd->names)
		return false;
	out->kind = kind_of(cmd->names, name);
	out->for_detail = cmd->for_detail;
	str_reset(&out->name);
	str_puts(&out->name, name);
	str_reset(&out->number);
	put_option(cmd, args, "number", " -n", &out->number);
	put_option(cmd, args, "dump", " -n", &out->number);
	put_option(cmd, args, "trace", " --trace", &out->number);
	str_reset(&out->device);
	put_option(cmd, args, "device", " -D", &out->device);
	if (cmd->of_program)
		put_option(cmd, args, "graph", " -g", &out->device);
	return true;
}

bool link_read(const char *command, struct link *out)
{
	static const enum registry_of kinds[] = { OF_RUNS, OF_PROGRAM, OF_PROFILE };
	struct arena mem = {0};
	struct words words = {0};
	struct args args;
	struct err err = {0};
	bool help, ok = false;

	if (words_split(command, &mem, &words, &err) && words.len > 1)
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !ok; i++) {
			const struct cmd *cmd = cmd_find_of(words.at[0], kinds[i]);

			args = (struct args){0};
			ok = cmd && !cmd->raw &&
			     args_parse(cmd, words.at + 1, words.len - 1, &mem, &args, &help,
			                &err) &&
			     take(cmd, &args, out);
		}
	arena_release(&mem);
	return ok;
}

void link_put_name(const struct link *link, struct str *out)
{
	const char *name = str_text(&link->name);

	str_put(out, name, link->kind == LINK_TENSOR ? strcspn(name, "[") : node_len(name));
}

/* Command lines. */

void link_put_node(const struct link *link, struct str *out)
{
	struct str node = {0};

	str_put(&node, link->name.text, node_len(link->name.text));
	words_put_with(out, "ni -a -d -t", str_text(&node));
	str_puts(out, str_text(&link->device));
	str_release(&node);
}

static void put_tensor(const struct link *link, const char *command, struct str *out)
{
	struct str name = {0};

	str_put(&name, link->name.text, link->name.len);
	if (link->kind == LINK_NODE && !has_slot(name.text))
		str_puts(&name, ":0");
	words_put_with(out, command, name.text);
	str_fmt(out, "%s%s", str_text(&link->number), str_text(&link->device));
	str_release(&name);
}

void link_put_tensor(const struct link *link, struct str *out)
{
	put_tensor(link, "pt", out);
}

void link_put_picture(const struct link *link, struct str *out)
{
	put_tensor(link, "picture", out);
}

/* -n is something else there. */
void link_put_diff(const struct link *link, const char *run, struct str *out)
{
	static const char number[] = " -n";
	const char *which = str_text(&link->number);

	words_put_with(out, "diff", str_text(&link->name));
	if (*run)
		words_put_with(out, "", run);
	if (!strncmp(which, number, sizeof number - 1))
		str_fmt(out, " --dump%s", which + sizeof number - 1);
	else
		str_puts(out, which);
	str_puts(out, str_text(&link->device));
}

void link_put_explain(const struct link *link, const struct line *line, struct str *out)
{
	words_put_with(out, "explain", str_text(&link->name));
	str_fmt(out, "%s%s", str_text(&link->number), str_text(&link->device));
	for (uint32_t i = 0; line && line->note == NOTE_INDEX && i < line->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : " -e ", line->index[i]);
}
