#include <string.h>

#include "cmds/lang/pattern.h"
#include "cmds/session/session.h"
#include "cmds/session/themes.h"

static const struct pos positionals[] = {
	{ "show|set|get|themes",
	  "set NAME VALUE changes a setting and saves it; show is the default, "
	  "show -a shows them all, get NAME shows one; themes lists the themes",
	  true },
};

/* Which settings are shown: all, or tfdbg's and those of ours that were changed. */
struct shown {
	struct config config;
	enum setting changed;    /* shown in any case; N_SETTINGS: none */
	enum setting only;       /* shown alone; N_SETTINGS: no such one */
	bool all;
};

static bool is_shown(const struct shown *shown, enum setting s)
{
	if (shown->only < N_SETTINGS)
		return s == shown->only;
	return shown->all || s == shown->changed || !config_is_standard(&shown->config, s);
}

static void put_setting_value(struct doc *doc, enum setting s, enum role role, const char *value)
{
	if (s == SETTING_THEME)
		doc_link(doc, role, value, "config themes");
	else
		doc_put(doc, role, "%s", value);
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
		put_setting_value(call->out, s, s == changed ? ROLE_STRONG : ROLE_PLAIN,
		                  value.text);
		doc_newline(call->out);
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

/* The themes. */

struct theme_row {
	const char *name, *summary;
	const char *file;        /* NULL: it is shipped */
};
struct theme_rows {
	VEC(struct theme_row) list;
	const char *set;
};

static struct theme_row *find_theme(struct theme_rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->list.len; i++)
		if (!strcmp(rows->list.at[i].name, name))
			return &rows->list.at[i];
	return NULL;
}

/* The shipped ones, then the user's; a file with the name of a shipped one is in its place. */
static void collect_themes(struct theme_rows *rows, struct arena *mem)
{
	struct theme_files files;
	struct str path = {0};

	vec_push(&rows->list, ((struct theme_row){
		THEME_AUTO, "as the style and the background have it", NULL }));
	for (int i = 0; i < N_SHIPPED_THEMES; i++)
		vec_push(&rows->list, ((struct theme_row){
			shipped_themes[i].name, shipped_themes[i].summary, NULL }));
	theme_files_list(&files);
	for (size_t i = 0; i < files.names.len; i++) {
		const char *name = files.names.at[i];
		struct theme_row *row = find_theme(rows, name);

		if (!row) {
			row = vec_add(&rows->list);
			row->name = arena_copy(mem, name, strlen(name));
		}
		str_reset(&path);
		theme_file_path(name, &path);
		row->file = arena_copy(mem, path.text, path.len);
	}
	str_release(&path);
	theme_files_release(&files);
}

static bool themes_put_data(void *context, struct data *data, struct progress *progress,
                            struct err *err)
{
	const struct theme_rows *rows = context;

	(void)progress, (void)err;
	data_rows(data, "name,file,set");
	for (size_t i = 0; i < rows->list.len; i++) {
		const struct theme_row *row = &rows->list.at[i];

		data_object(data);
		data_key(data, "name");
		data_str(data, row->name);
		data_key(data, "file");
		if (row->file)
			data_str(data, row->file);
		else
			data_null(data);
		data_key(data, "set");
		data_bool(data, !strcmp(row->name, rows->set));
		data_end(data);
	}
	data_end(data);
	return true;
}

static void release_themes(void *rows)
{
	vec_release(&((struct theme_rows *)rows)->list);
}

/* Each name is a link that sets it; on the screen the theme shows while the cursor is there. */
static void put_themes(struct call *call)
{
	struct theme_rows *rows = arena_alloc(doc_mem(call->out), sizeof *rows);
	const char *set = call->shell->config.theme;
	int width = 0;

	*rows = (struct theme_rows){ .set = arena_copy(doc_mem(call->out), set, strlen(set)) };
	doc_keep(call->out, release_themes, rows);
	collect_themes(rows, doc_mem(call->out));
	for (size_t i = 0; i < rows->list.len; i++)
		if ((int)strlen(rows->list.at[i].name) > width)
			width = (int)strlen(rows->list.at[i].name);
	doc_line_put(call->out, ROLE_STRONG, "%zu themes:", rows->list.len);
	doc_newline(call->out);
	for (size_t i = 0; i < rows->list.len; i++) {
		const struct theme_row *row = &rows->list.at[i];
		bool is_set = !strcmp(row->name, set);

		doc_put(call->out, ROLE_PLAIN, "%c ", is_set ? '*' : ' ');
		doc_link(call->out, is_set ? ROLE_STRONG : ROLE_PLAIN, row->name,
		         "config set theme %s", row->name);
		doc_line_put(call->out, ROLE_PLAIN, "%*s  %s", width - (int)strlen(row->name), "",
		             row->file ? row->file : row->summary);
	}
	doc_typed(call->out, DATA_ROWS, themes_put_data, rows);
}

/* Regular expressions that are kept in the file and nowhere else, one a line. */

static void put_ignored(void *context, size_t number, const char *regex)
{
	struct call *call = context;

	(void)number;
	doc_put(call->out, ROLE_ITEM, "  " CONFIG_IGNORED);
	doc_line_put(call->out, ROLE_PLAIN, ": %s", regex);
}

static bool is_that_regex(const void *regex, const char *rest)
{
	return !strcmp(regex, rest);
}

/* Adds one, unless it is there; an empty one takes all away. False: call->err. */
static bool set_ignored(struct call *call, const char *regex)
{
	struct pattern *pattern = *regex ? pattern_new(regex, PATTERN_SEARCH, false, &call->err)
	                                 : NULL;
	struct str line = {0};
	struct err err = {0};

	pattern_free(pattern);
	if (*regex && !pattern)
		return false;
	if (strchr(regex, '\n'))
		return err_at(&call->err, ERR_VALUE, "command", 0, "it has to be one line");
	str_fmt(&line, CONFIG_IGNORED " %s", regex);
	if (!(*regex ? config_replace(CONFIG_IGNORED, is_that_regex, regex, line.text, &err)
	             : config_put_line(CONFIG_IGNORED, NULL, &err))) {
		str_puts(call->toast, err.msg);
		call->status = 1;
	}
	str_release(&line);
	call->shell->changes++;          /* origins are judged anew */
	return true;
}

/* "set origins_ignore REGEX", "get origins_ignore" */
static bool is_of_ignored(const struct call *call)
{
	return call->n_words >= 2 && !strcmp(call->words[1], CONFIG_IGNORED);
}

static void answer_ignored(struct call *call)
{
	if (call->n_words == 3 && !set_ignored(call, call->words[2]))
		return;
	doc_line_put(call->out, ROLE_STRONG, "Nodes whose origins are not reported:");
	doc_newline(call->out);
	config_each_line(CONFIG_IGNORED, put_ignored, call);
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

static bool is_get(const struct call *call)
{
	return call->n_words == 2 && !strcmp(call->words[0], "get");
}

static bool is_themes(const struct call *call)
{
	return call->n_words == 1 && !strcmp(call->words[0], "themes");
}

static void cfg_exec(struct call *call)
{
	enum setting changed = N_SETTINGS, only = N_SETTINGS;
	struct shown *shown;

	if (is_themes(call)) {
		put_themes(call);
		return;
	}
	if (!is_show(call) && !is_set(call) && !is_get(call)) {
		call_syntax_error(call);
		return;
	}
	if (is_of_ignored(call) && !is_show(call)) {
		answer_ignored(call);
		return;
	}
	if (is_set(call) && !config_set(&call->shell->config, call->words[1], call->words[2],
	                                &changed, &call->err)) {
		if (call->err.code != ERR_IO)
			return;
		str_puts(call->toast, call->err.msg);
		call->status = 1;
		call->err.code = ERR_NONE;
	}
	if (is_get(call) && !config_find(call->words[1], &only, &call->err))
		return;
	if (is_set(call))
		call->setting = setting_names[changed];
	/* A copy: they may change before the answer is written. */
	shown = arena_alloc(doc_mem(call->out), sizeof *shown);
	*shown = (struct shown){ call->shell->config, changed, only, is_all(call) };
	put_settings(call, shown);
	doc_typed(call->out, DATA_ROWS, settings_put_data, shown);
}

const struct cmd cmd_cfg = {
	.name = "config", .alias = "cfg", .summary = "Settings: show, or set NAME VALUE",
	POSITIONALS(positionals), .raw = true, .runless = true, .dumpless = true, .exec = cfg_exec,
};
