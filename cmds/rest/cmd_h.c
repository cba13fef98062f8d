/*
 * Help is made from the command rows, in argparse's layout: the wrapped description, arguments,
 * options, their texts in a column.
 */
#include <ctype.h>
#include <string.h>

#include "cmds/lang/registry.h"
#include "cmds/runs/run_screen.h"
#include "cmds/session/suggest.h"

#define INDENT 2
#define HELP_COLUMN_MAX 24
#define DEFAULT_WIDTH 78

static const struct pos positionals[] = {
	{ "command", "the command; all of them if left out", true },
};
/* The text of all, where help alone is an overview; no option, for help shows none of its own. */
#define ALL "--all"

struct entry {
	struct str left;
	const char *right;
};

/* Puts text wrapped at width, starting in the open line; further lines are indented. */
static void put_wrapped(struct doc *doc, const char *text, size_t indent, size_t width)
{
	struct line *line = doc_open_line(doc);
	bool fresh = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!fresh && line->text.len + 1 + len > width) {
			doc_newline(doc);
			doc_put(doc, ROLE_PLAIN, "%*s", (int)indent, "");
			fresh = true;
		}
		if (!fresh)
			doc_put(doc, ROLE_PLAIN, " ");
		doc_put_text(doc, ROLE_PLAIN, text, len);
		fresh = false;
		text += len;
		text += strspn(text, " ");
	}
	doc_newline(doc);
}

static void upper(struct str *out, const char *name)
{
	for (; *name; name++)
		str_putc(out, (char)toupper((unsigned char)*name));
}

/* "-n NUMBER, --number NUMBER" */
static void put_option(struct str *out, const struct opt *opt)
{
	struct str value = {0};

	if (opt->kind == OPT_COUNT) {
		str_puts(&value, " [N]");
	} else if (opt->kind != OPT_FLAG) {
		str_putc(&value, ' ');
		upper(&value, opt->name);
	}
	if (opt->flag)
		str_fmt(out, "-%s%s, ", opt->flag, str_text(&value));
	str_fmt(out, "--%s%s", opt->name, str_text(&value));
	str_release(&value);
}

static void put_entries(struct doc *doc, const struct entry *entries, size_t n, size_t column,
                        size_t width)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = entries[i].left.len;

		doc_put(doc, ROLE_PLAIN, "%*s%s", 2 * INDENT, "", entries[i].left.text);
		if (2 * INDENT + len + 2 > column) {
			doc_newline(doc);
			doc_put(doc, ROLE_PLAIN, "%*s", (int)column, "");
		} else {
			doc_put(doc, ROLE_PLAIN, "%*s", (int)(column - 2 * INDENT - len), "");
		}
		put_wrapped(doc, entries[i].right, column, width);
	}
}

static size_t column_of(const struct entry *entries, size_t n)
{
	size_t longest = 0;

	for (size_t i = 0; i < n; i++)
		longest = entries[i].left.len > longest ? entries[i].left.len : longest;
	longest += 2 * INDENT + 2;
	return longest < HELP_COLUMN_MAX + INDENT ? longest : HELP_COLUMN_MAX + INDENT;
}

static void put_command(struct doc *doc, const struct cmd *cmd, size_t width)
{
	struct entry entries[MAX_POS + MAX_OPTS + 1] = {0};
	struct str help = {0};
	size_t n = 0, column;

	doc_line_put(doc, ROLE_STRONG, "%s", cmd->name);
	if (cmd->alias)
		doc_line_put(doc, ROLE_PLAIN, "  Aliases: %s", cmd->alias);
	doc_newline(doc);
	doc_put(doc, ROLE_PLAIN, "%*s", INDENT, "");
	put_wrapped(doc, cmd->summary, INDENT, width);
	for (size_t i = 0; i < cmd->n_pos; i++, n++) {
		str_puts(&entries[n].left, cmd->pos[i].name);
		entries[n].right = cmd->pos[i].help;
	}
	if (!cmd->raw) {
		str_puts(&entries[n].left, "-h, --help");
		entries[n++].right = "show this text";
	}
	for (size_t i = 0; i < cmd->n_opts; i++, n++) {
		put_option(&entries[n].left, &cmd->opts[i]);
		str_reset(&help);
		opt_put_help(&cmd->opts[i], &help);
		entries[n].right = arena_copy(doc_mem(doc), help.text, help.len);
	}
	column = column_of(entries, n);
	if (cmd->n_pos) {
		doc_newline(doc);
		doc_line_put(doc, ROLE_PLAIN, "%*spositional arguments:", INDENT, "");
		put_entries(doc, entries, cmd->n_pos, column, width);
	}
	if (n > cmd->n_pos) {
		doc_newline(doc);
		doc_line_put(doc, ROLE_PLAIN, "%*soptions:", INDENT, "");
		put_entries(doc, entries + cmd->n_pos, n - cmd->n_pos, column, width);
	}
	for (size_t i = 0; i < n; i++)
		str_release(&entries[i].left);
	str_release(&help);
}

/*
 * Typed: name, alias, summary, arguments (name, optional, help), options (flag, name, kind, help).
 */

static void put_argument_data(const struct pos *pos, struct data *data)
{
	data_object(data);
	data_key(data, "name");
	data_str(data, pos->name);
	data_key(data, "optional");
	data_bool(data, pos->optional);
	data_key(data, "help");
	data_str(data, pos->help);
	data_end(data);
}

static void put_option_data(const struct opt *opt, struct data *data)
{
	static const char *const kinds[] = {
		[OPT_FLAG] = "flag", [OPT_INT] = "int", [OPT_WORD] = "word", [OPT_COUNT] = "int"
	};
	struct str help = {0};

	data_object(data);
	data_key(data, "flag");
	data_str(data, opt->flag);
	data_key(data, "name");
	data_str(data, opt->name);
	data_key(data, "kind");
	data_str(data, kinds[opt->kind]);
	data_key(data, "help");
	opt_put_help(opt, &help);
	data_text(data, str_text(&help), help.len);
	str_release(&help);
	data_end(data);
}

static void put_command_data(const struct cmd *cmd, struct data *data)
{
	data_object(data);
	data_key(data, "name");
	data_str(data, cmd->name);
	data_key(data, "alias");
	data_str(data, cmd->alias);
	data_key(data, "summary");
	data_str(data, cmd->summary);
	data_key(data, "arguments");
	data_list(data);
	for (size_t i = 0; i < cmd->n_pos; i++)
		put_argument_data(&cmd->pos[i], data);
	data_end(data);
	data_key(data, "options");
	data_list(data);
	for (size_t i = 0; i < cmd->n_opts; i++)
		put_option_data(&cmd->opts[i], data);
	data_end(data);
	data_end(data);
}

struct listed {
	const struct cmd **at;
	size_t n;
};

static bool help_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct listed *listed = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < listed->n; i++)
		put_command_data(listed->at[i], data);
	data_end(data);
	return true;
}

/* cmd NULL: there is no such command. */
static void h_one(struct call *call, const struct cmd *cmd, size_t width, struct listed *listed)
{
	if (!cmd) {
		doc_line_put(call->out, ROLE_PLAIN, "Invalid command prefix: \"%s\"",
		             call->words[0]);
		suggest_command(call, call->words[0]);
		call->failed = true;
		return;
	}
	listed->at[listed->n++] = cmd;
	put_command(call->out, cmd, width);
}

/* The overview: a line a command, in groups. */

static const char *const group_names[N_CMD_GROUPS] = {
	[GROUP_LOOK] = "Look", [GROUP_WALK] = "Walk", [GROUP_COMPARE] = "Compare",
	[GROUP_PROFILE] = "Profile", [GROUP_SCREEN] = "Screen",
};

/* Columns of the longest of what there is: aliases and names. */
struct name_columns { size_t alias, name; };

static struct name_columns name_columns(struct call *call)
{
	struct name_columns most = {0};

	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_of(i, session_kind(call->shell));
		size_t alias = cmd && cmd->alias ? strlen(cmd->alias) : 0;
		size_t name = cmd ? strlen(cmd->name) : 0;

		most.alias = alias > most.alias ? alias : most.alias;
		most.name = name > most.name ? name : most.name;
	}
	return most;
}

static void put_brief(struct doc *doc, const struct cmd *cmd, const struct name_columns *cols,
                      size_t width)
{
	size_t indent = INDENT + cols->alias + cols->name + 2 * INDENT;

	doc_put(doc, ROLE_PLAIN, "%*s%-*s%*s", INDENT, "", (int)cols->alias,
	        cmd->alias ? cmd->alias : "", INDENT, "");
	doc_link(doc, ROLE_PLAIN, cmd->name, "help %s", cmd->name);
	doc_put(doc, ROLE_PLAIN, "%*s", (int)(cols->name - strlen(cmd->name) + INDENT), "");
	put_wrapped(doc, cmd->summary, indent, width > indent ? width : SIZE_MAX);
}

static void put_overview(struct call *call, size_t width, struct listed *listed)
{
	struct name_columns cols = name_columns(call);

	for (enum cmd_group g = 0; g < N_CMD_GROUPS; g++) {
		doc_line_put(call->out, ROLE_STRONG, "%s", group_names[g]);
		for (size_t i = 0; i < registry_len(); i++) {
			const struct cmd *cmd = registry_of(i, session_kind(call->shell));

			if (!cmd || registry_group(i) != g)
				continue;
			listed->at[listed->n++] = cmd;
			put_brief(call->out, cmd, &cols, width);
		}
		doc_newline(call->out);
	}
	doc_line_put(call->out, ROLE_PLAIN,
	             "\"help COMMAND\" says what it takes, \"help " ALL "\" that of all.");
}

static void put_all(struct call *call, size_t width, struct listed *listed)
{
	run_screen_intro(call);
	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_of(i, session_kind(call->shell));

		if (!cmd)
			continue;
		h_one(call, cmd, width, listed);
		doc_newline(call->out);
		doc_newline(call->out);
	}
}

static void h_exec(struct call *call)
{
	size_t width = call->cols > 0 ? (size_t)call->cols : DEFAULT_WIDTH;
	struct listed *listed = arena_alloc(doc_mem(call->out), sizeof *listed);
	bool all = call->n_words == 1 && !strcmp(call->words[0], ALL);

	if (call->n_words > 1) {
		doc_line_put(call->out, ROLE_PLAIN,
		             "ERROR: help takes only 0 or 1 input argument.");
		call->failed = true;
		return;
	}
	*listed = (struct listed){
		.at = arena_alloc(doc_mem(call->out), registry_len() * sizeof *listed->at),
	};
	doc_typed(call->out, DATA_ROWS, help_put_data, listed);
	if (call->n_words && !all)
		h_one(call, session_cmd(call->shell, call->words[0]), width, listed);
	else if (call->canvas.modern && !all)
		put_overview(call, width, listed);
	else
		put_all(call, width, listed);
}

const struct cmd cmd_h = {
	.name = "help", .alias = "h", .summary = "What the commands do and take",
	POSITIONALS(positionals), .raw = true, .runless = true, .dumpless = true,
	.exec = h_exec,
};
