#include <string.h>

#include "cmds/session/session.h"

static const struct pos positionals[] = {
	{ "show|set",
	  "set NAME VALUE changes a setting and saves it; show is the default, "
	  "show -a shows them all",
	  true },
};

/* Which settings are shown: all, or tfdbg's and those of ours that were changed. */
struct shown {
	struct config config;
	enum setting changed;    /* shown in any case; N_SETTINGS: none */
	bool all;
};

static bool is_shown(const struct shown *shown, enum setting s)
{
	return shown->all || s == shown->changed || !config_is_standard(&shown->config, s);
}

static void put_settings(struct call *call, const struct shown *shown)
{
	enum setting changed = shown->changed;
	struct str value = {0};

	doc_line_put(call->out, ROLE_STRONG, "Command-line configuration:");
	doc_newline(call->out);
	for (enum setting s = 0; s < N_SETTINGS; s++) {
		if (!is_shown(shown, s))
			continue;
		str_reset(&value);
		config_put_value(&shown->config, s, &value);
		doc_put(call->out, ROLE_PLAIN, "  ");
		doc_put(call->out, s == changed ? ROLE_CHANGED_ITEM : ROLE_ITEM, "%s",
		        setting_names[s]);
		doc_put(call->out, ROLE_PLAIN, ": ");
		doc_line_put(call->out, s == changed ? ROLE_STRONG : ROLE_PLAIN, "%s", value.text);
	}
	str_release(&value);
}

/* Rows: name, value. */
static bool settings_put_data(void *context, struct data *data, struct progress *progress,
                              struct err *err)
{
	const struct shown *shown = context;

	(void)progress, (void)err;
	data_list(data);
	for (enum setting s = 0; s < N_SETTINGS; s++) {
		if (!is_shown(shown, s))
			continue;
		data_object(data);
		data_key(data, "name");
		data_str(data, setting_names[s]);
		data_key(data, "value");
		config_put_data(&shown->config, s, data);
		data_end(data);
	}
	data_end(data);
	return true;
}

static bool is_set(const struct call *call)
{
	return call->n_words == 3 && !strcmp(call->words[0], "set");
}

/* "show -a" */
static bool is_all(const struct call *call)
{
	return call->n_words == 2 &&
	       (!strcmp(call->words[1], "-a") || !strcmp(call->words[1], "--all"));
}

static bool is_show(const struct call *call)
{
	return !call->n_words || (call->n_words <= 2 && !strcmp(call->words[0], "show") &&
	                            (call->n_words == 1 || is_all(call)));
}

static void cfg_exec(struct call *call)
{
	enum setting changed = N_SETTINGS;
	struct shown *shown;

	if (!is_show(call) && !is_set(call)) {
		call_syntax_error(call);
		return;
	}
	if (is_set(call) && !config_set(&call->shell->config, call->words[1], call->words[2],
	                                &changed, &call->err)) {
		if (call->err.code != ERR_IO)
			return;
		str_puts(call->toast, call->err.msg);
		call->err.code = ERR_NONE;
	}
	if (is_set(call))
		call->setting = setting_names[changed];
	/* A copy: they may change before the answer is written. */
	shown = arena_alloc(doc_mem(call->out), sizeof *shown);
	*shown = (struct shown){ call->shell->config, changed, is_all(call) };
	put_settings(call, shown);
	doc_typed(call->out, DATA_ROWS, settings_put_data, shown);
}

const struct cmd cmd_cfg = {
	.name = "config", .alias = "cfg", .summary = "Settings: show, or set NAME VALUE",
	POSITIONALS(positionals), .raw = true, .runless = true, .dumpless = true, .exec = cfg_exec,
};
