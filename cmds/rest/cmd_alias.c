/*
 * Names for command lines. They are kept in the config file as settings are, but not from -c, -x
 * and standard input.
 */
#include <string.h>

#include "cmds/lang/words.h"
#include "cmds/session/aliases.h"
#include "cmds/session/session.h"

static const struct pos alias_pos[] = {
	{ "name", "the alias; all of them are listed if left out", true },
	{ "command",
	  "the line it stands for: one word in quotes, or the rest of the line; what is typed "
	  "after the alias is added", true },
};
static const struct pos unalias_pos[] = {
	{ "name", "the alias", false },
};

static void put_row(struct data *data, const char *name, const char *line, bool saved)
{
	data_object(data);
	data_key(data, "name");
	data_str(data, name);
	data_key(data, "command");
	data_str(data, line);
	data_key(data, "saved");
	data_bool(data, saved);
	data_end(data);
}

/* A copy for the answer, which may be written when the aliases are others. */
struct entries {
	size_t n;
	struct alias at[];
};

static bool entries_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct entries *entries = context;

	(void)progress, (void)err;
	data_rows(data, "name,command,saved");
	for (size_t i = 0; i < entries->n; i++)
		put_row(data, entries->at[i].name, entries->at[i].line, entries->at[i].saved);
	data_end(data);
	return true;
}

static void put_list(struct call *call)
{
	const struct aliases *aliases = &call->shell->aliases;
	struct arena *mem = doc_mem(call->out);
	struct entries *entries = arena_alloc(mem, sizeof *entries +
	                                           aliases->list.len * sizeof *entries->at);
	int width = 0;

	entries->n = aliases->list.len;
	for (size_t i = 0; i < entries->n; i++) {
		const struct alias *a = &aliases->list.at[i];
		int len = (int)strlen(a->name);

		width = len > width ? len : width;
		entries->at[i] = (struct alias){ arena_copy(mem, a->name, strlen(a->name)),
			                         arena_copy(mem, a->line, strlen(a->line)),
			                         a->saved };
	}
	doc_line_put(call->out, ROLE_PLAIN, "%zu alias(es):", entries->n);
	doc_newline(call->out);
	for (size_t i = 0; i < entries->n; i++)
		doc_line_put(call->out, ROLE_PLAIN, "%-*s  %s%s", width, entries->at[i].name,
		             entries->at[i].line,
		             entries->at[i].saved ? "" : "  (this session)");
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

/* One word is a line; several are its words. */
static void put_command(const struct call *call, struct str *out)
{
	if (call->n_words == 2)
		str_puts(out, call->words[1]);
	for (size_t i = 1; call->n_words > 2 && i < call->n_words; i++) {
		str_puts(out, i > 1 ? " " : "");
		words_put(out, call->words[i]);
	}
}

/* What could not be saved holds all the same. */
static bool is_done(struct call *call, bool ok)
{
	enum err_code code = call->err.code;

	call->err.code = ERR_NONE;
	if (!ok && code != ERR_IO) {
		call_error(call, "ERROR: %s", call->err.msg);
	} else if (!ok) {
		str_puts(call->toast, call->err.msg);
		call->status = 1;
	}
	return ok || code == ERR_IO;
}

static void alias_exec(struct call *call)
{
	struct aliases *aliases = &call->shell->aliases;
	bool saves = !call->shell->answers_go;
	struct str line = {0};

	if (!call->n_words) {
		put_list(call);
		return;
	}
	put_command(call, &line);
	if (is_done(call, aliases_set(aliases, call->words[0], str_text(&line), saves,
	                              &call->err)))
		doc_line_put(call->out, ROLE_PLAIN, "Alias \"%s\": %s%s", call->words[0],
		             line.text, saves ? "" : "  (this session)");
	str_release(&line);
}

static void unalias_exec(struct call *call)
{
	if (call->n_words != 1)
		call_syntax_error(call);
	else if (is_done(call, aliases_remove(&call->shell->aliases, call->words[0],
	                                      !call->shell->answers_go, &call->err)))
		doc_line_put(call->out, ROLE_PLAIN, "Removed alias \"%s\".", call->words[0]);
}

const struct cmd cmd_alias = {
	.name = "alias", .summary = "Names for command lines: list them, or add one",
	POSITIONALS(alias_pos), .raw = true, .whole_words = true, .runless = true,
	.dumpless = true, .exec = alias_exec,
};
const struct cmd cmd_unalias = {
	.name = "unalias", .summary = "Remove an alias", POSITIONALS(unalias_pos), .raw = true,
	.runless = true, .dumpless = true, .exec = unalias_exec,
};
