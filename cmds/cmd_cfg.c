#include <string.h>

#include "cmds/session.h"

static const struct pos positionals[] = {
	{ "show|set", "set NAME VALUE changes a setting and saves it; show is the default", true },
};

static void put_settings(struct call *call, enum setting changed)
{
	struct str value = {0};

	doc_line_put(call->out, ROLE_STRONG, "Command-line configuration:");
	doc_newline(call->out);
	for (enum setting s = 0; s < N_SETTINGS; s++) {
		str_reset(&value);
		config_put_value(&call->shell->config, s, &value);
		doc_put(call->out, ROLE_PLAIN, "  ");
		doc_put(call->out, s == changed ? ROLE_CHANGED_ITEM : ROLE_ITEM, "%s", setting_names[s]);
		doc_put(call->out, ROLE_PLAIN, ": ");
		doc_line_put(call->out, s == changed ? ROLE_STRONG : ROLE_PLAIN, "%s", value.text);
	}
	str_release(&value);
}

/* Rows: name, value. */
static bool settings_put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct config *config = context;

	(void)progress, (void)err;
	data_list(data);
	for (enum setting s = 0; s < N_SETTINGS; s++) {
		data_object(data);
		data_key(data, "name");
		data_str(data, setting_names[s]);
		data_key(data, "value");
		config_put_data(config, s, data);
		data_end(data);
	}
	data_end(data);
	return true;
}

/* As they are now, whatever is set later. */
static void type_settings(struct call *call)
{
	struct config *config = arena_alloc(doc_mem(call->out), sizeof *config);

	*config = call->shell->config;
	doc_typed(call->out, DATA_ROWS, settings_put_data, config);
}

static bool is_set(const struct call *call)
{
	return call->n_words == 3 && !strcmp(call->words[0], "set");
}

static bool is_show(const struct call *call)
{
	return !call->n_words || (call->n_words == 1 && !strcmp(call->words[0], "show"));
}

static void cfg_exec(struct call *call)
{
	enum setting changed = N_SETTINGS;

	if (!is_show(call) && !is_set(call)) {
		call_syntax_error(call);
		return;
	}
	if (is_set(call) && !config_set(&call->shell->config, call->words[1], call->words[2], &changed, &call->err)) {
		if (call->err.code != ERR_IO)
			return;
		str_fmt(call->toast, "%s: %s", call->err.src, call->err.msg);
		call->err.code = ERR_NONE;
	}
	put_settings(call, changed);
	type_settings(call);
}

const struct cmd cmd_cfg = {
	.name = "config", .alias = "cfg", .summary = "Settings: show, or set NAME VALUE",
	POSITIONALS(positionals), .raw = true, .exec = cfg_exec,
};
