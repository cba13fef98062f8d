/* What the config file binds. To bind keys is the screen's, which answers these itself. */
#include <stdlib.h>
#include <string.h>

#include "cmds/session/config.h"
#include "cmds/session/session.h"

/* As typed. Contexts are those of the sheet of keys, in quotes if they are several words. */
static const char *const contexts[] = {
	"everywhere", "prompt", "view", "tables", "trees", "graphs", "grids", "timelines",
	"\"grids and pictures\"", "\"lists of a step's tensors\"", "\"tables of kernels\"",
	"\"tables of what takes space\"",
	"\"values of tensors that occur again and again\"", NULL
};
static const char *const keys[] = {
	"Backspace", "Ctrl-A", "Ctrl-E", "Ctrl-G", "Ctrl-K", "Ctrl-N", "Ctrl-O", "Ctrl-P",
	"Ctrl-Q", "Ctrl-R", "Ctrl-S", "Ctrl-T", "Ctrl-V", "Ctrl-W", "Ctrl-Y", "Delete", "Down",
	"End", "Enter", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12",
	"Home", "Insert", "Left", "PgDn", "PgUp", "Right", "Shift-Down", "Shift-F3", "Shift-Tab",
	"Shift-Up", "Space", "Tab", "Up", NULL
};

static const struct pos bind_pos[] = {
	{ "context",
	  "where the key works, as the list of keys names it: everywhere, prompt, view, "
	  "tables, trees, grids ...; left out: lists what is bound", true },
	{ "key_and_command",
	  "the key as the list of keys names it, and the line that it runs; %t stands for the "
	  "row's tensor, %n for its node, %r for its run", true },
};
static const struct pos unbind_pos[] = {
	{ "context", "where the key works", false },
	{ "key", "the key", false },
};

struct entries {
	VEC(const char *) list;
	struct arena *mem;
};

static void take_line(void *context, size_t number, const char *rest)
{
	struct entries *entries = context;

	(void)number;
	vec_push(&entries->list, arena_copy(entries->mem, rest, strlen(rest)));
}

static void release_entries(void *entries)
{
	vec_release(&((struct entries *)entries)->list);
}

static void put_row(struct data *data, const char *line)
{
	static const char *const names[] = { "context", "key" };

	data_object(data);
	for (int i = 0; i < 2; i++) {
		char *word = config_take_word(&line);

		data_key(data, names[i]);
		data_str(data, word);
		free(word);
	}
	data_key(data, "command");
	data_str(data, line);
	data_end(data);
}

static bool entries_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct entries *entries = context;

	(void)progress, (void)err;
	data_rows(data, "context,key,command");
	for (size_t i = 0; i < entries->list.len; i++)
		put_row(data, entries->list.at[i]);
	data_end(data);
	return true;
}

static void bind_exec(struct call *call)
{
	struct entries *entries;

	if (call->n_words || !strcmp(call->cmd->name, "unbind")) {
		call_error(call,
		           "ERROR: \"%s\" is about keys; only a screen has them",
		           call->cmd->name);
		return;
	}
	entries = arena_alloc(doc_mem(call->out), sizeof *entries);
	*entries = (struct entries){ .mem = doc_mem(call->out) };
	doc_keep(call->out, release_entries, entries);
	config_each_line("bind", take_line, entries);
	doc_line_put(call->out, ROLE_STRONG, "%zu bound key(s):", entries->list.len);
	for (size_t i = 0; i < entries->list.len; i++)
		doc_line_put(call->out, ROLE_PLAIN, "  %s", entries->list.at[i]);
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

const struct cmd cmd_bind = {
	.name = "bind", .summary = "Keys of the screen that run command lines: list, bind",
	POSITIONALS(bind_pos), .pos_words = { contexts, keys }, .raw = true, .whole_words = true,
	.runless = true, .dumpless = true, .exec = bind_exec,
};
const struct cmd cmd_unbind = {
	.name = "unbind", .summary = "Remove the command line of a key", POSITIONALS(unbind_pos),
	.pos_words = { contexts, keys }, .raw = true, .whole_words = true, .runless = true,
	.dumpless = true, .exec = bind_exec,
};
