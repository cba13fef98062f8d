/* What the config file binds. To bind keys is the screen's, which answers these itself. */
#include <string.h>

#include "cmds/session/config.h"
#include "cmds/session/session.h"

static const struct pos bind_pos[] = {
	{ "context",
	  "where the key counts, as the sheet of keys has it: everywhere, prompt, view, tables, "
	  "trees, grids ...; left out: lists what is bound", true },
	{ "key_and_command",
	  "the key as the sheet has it, and the line it runs; %t stands for the row's tensor, %n "
	  "for its node, %r for its run", true },
};
static const struct pos unbind_pos[] = {
	{ "context", "where the key counts", false },
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

static bool entries_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct entries *entries = context;

	(void)progress, (void)err;
	data_rows(data, "bind");
	for (size_t i = 0; i < entries->list.len; i++) {
		data_object(data);
		data_key(data, "bind");
		data_str(data, entries->list.at[i]);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void bind_exec(struct call *call)
{
	struct entries *entries;

	if (call->n_words || !strcmp(call->cmd->name, "unbind")) {
		call_error(call,
		           "ERROR: \"%s\" is about the keys of the screen; there are none here",
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
	POSITIONALS(bind_pos), .raw = true, .whole_words = true, .runless = true,
	.dumpless = true, .exec = bind_exec,
};
const struct cmd cmd_unbind = {
	.name = "unbind", .summary = "Take a key's command line away", POSITIONALS(unbind_pos),
	.raw = true, .whole_words = true, .runless = true, .dumpless = true, .exec = bind_exec,
};
