/*
 * The file is read line by line whenever something in it is asked for: it is small, and that
 * happens once for each kind of line.
 */
#include "cmds/session/config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/session/user_files.h"
#include "dump/base/mem.h"
#include "dump/base/writer.h"
#include "dump/format/json.h"

#define BLANKS " \t\n"
#define SET_BEGINS "config set"

const char *const setting_names[N_SETTINGS] = {
#define X(id, name, kind, standard, least, most) [SETTING_##id] = name,
	SETTINGS(X)
#undef X
};

enum kind { KIND_OF_INT, KIND_OF_BOOL, KIND_OF_WORD, KIND_OF_NAME };
static const struct { enum kind kind; int64_t standard, least, most;
} traits[N_SETTINGS] = {
#define X(id, name, kind, standard, least, most) \
	[SETTING_##id] = { KIND_OF_##kind, standard, least, most },
	SETTINGS(X)
#undef X
};

static const char standard_layout[] = "single", standard_theme[] = THEME_AUTO;

/* The words of the word settings. */
static const char *const words[N_SETTINGS][6] = {
	[SETTING_BACKGROUND] = { "dark", "light" },
	[SETTING_COLOURS] = { "auto", "mono", "16", "256", "direct" },
	[SETTING_PAGE_KEYS] = { "page", "line" },
	[SETTING_STYLE] = { "modern", "tfdbg" },
	[SETTING_VERDICT] = { "off", "auto", "always" },
};

static bool parse_bool(const char *text, int64_t *value)
{
	static const char *const texts[][6] = {
		{ "0", "false", "f", "no", "n", "off" }, { "1", "true", "t", "yes", "y", "on" },
	};

	for (int truth = 0; truth < 2; truth++)
		for (int i = 0; i < 6; i++)
			if (!strcasecmp(text, texts[truth][i])) {
				*value = truth;
				return true;
			}
	return false;
}

static bool no_such_property(const char *name, struct err *err)
{
	struct str text = {0}, quoted = {0};

	str_fmt(&text, "%s is not a valid property name.", name);
	python_repr(&quoted, text.text, text.len);
	err_fill(err, ERR_KEY, "command", 0, "%s", quoted.text);
	str_release(&text);
	str_release(&quoted);
	return false;
}

static void put_theme_names(struct str *out)
{
	str_puts(out, THEME_AUTO);
	for (int i = 0; i < N_SHIPPED_THEMES; i++)
		str_fmt(out, ", %s", shipped_themes[i].name);
	str_puts(out, ", or a file in themes/ beside the config file");
}

/* What a setting may be: "page, line", "0 to 3600". */
static void put_expected(enum setting s, struct str *out)
{
	if (traits[s].kind == KIND_OF_BOOL)
		str_puts(out, "true or false");
	if (traits[s].kind == KIND_OF_INT)
		str_fmt(out, "%" PRId64 " to %" PRId64, traits[s].least, traits[s].most);
	for (int64_t i = 0; traits[s].kind == KIND_OF_WORD && i <= traits[s].most; i++)
		str_fmt(out, "%s%s", i ? ", " : "", words[s][i]);
	if (s == SETTING_THEME)
		put_theme_names(out);
	if (s == SETTING_LAYOUT)
		str_fmt(out, "a name of at most %d bytes", LAYOUT_NAME_MAX - 1);
}

/* Ours: the values there are. */
static bool no_such_value(enum setting s, const char *value, struct err *err)
{
	struct str text = {0};

	str_fmt(&text, "Invalid value for %s: %s (", setting_names[s], value);
	put_expected(s, &text);
	str_putc(&text, ')');
	err_fill(err, ERR_VALUE, "command", 0, "%s", text.text);
	str_release(&text);
	return false;
}

static bool assign_word(struct config *config, enum setting s, const char *value, struct err *err)
{
	for (int64_t i = 0; i <= traits[s].most; i++)
		if (!strcmp(value, words[s][i])) {
			config->value[s] = i;
			return true;
		}
	return no_such_value(s, value, err);
}

static bool assign_layout(struct config *config, const char *value, struct err *err)
{
	size_t len = strlen(value);

	if (!len || len >= sizeof config->layout || strcspn(value, BLANKS "\"'#") < len)
		return no_such_value(SETTING_LAYOUT, value, err);
	memcpy(config->layout, value, len + 1);
	return true;
}

/* The number of colours was a theme once: then *which is the setting of today. */
static bool assign_theme(struct config *config, const char *value, enum setting *which,
                         struct err *err)
{
	static const char *const before[][2] = {
		{ "16", "16" }, { "256", "256" }, { "true", "direct" }
	};

	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (!strcmp(value, before[i][0])) {
			*which = SETTING_COLOURS;
			return assign_word(config, SETTING_COLOURS, before[i][1], err);
		}
	if (!theme_exists(value))
		return no_such_value(SETTING_THEME, value, err);
	memcpy(config->theme, value, strlen(value) + 1);
	return true;
}

static bool in_bounds(enum setting s, int64_t number)
{
	return number >= traits[s].least && number <= traits[s].most;
}

static bool assign_int(struct config *config, enum setting s, const char *value, struct err *err)
{
	int64_t number;

	if (!python_int_read(value, strlen(value), 0, &number, err))
		return false;
	if (!in_bounds(s, number))
		return no_such_value(s, value, err);
	config->value[s] = number;
	return true;
}

bool config_find(const char *name, enum setting *which, struct err *err)
{
	*which = 0;
	while (*which < N_SETTINGS && !word_is(name, strlen(name), setting_names[*which]))
		++*which;
	return *which < N_SETTINGS || no_such_property(name, err);
}

static bool assign(struct config *config, const char *name, const char *value, enum setting *which,
                   struct err *err)
{
	enum setting s;

	if (!config_find(name, which, err))
		return false;
	s = *which;
	switch (traits[s].kind) {
	case KIND_OF_BOOL:
		return parse_bool(value, &config->value[s]) ||
		       err_at(err, ERR_VALUE, "command", 0,
		              "Invalid string value for bool type: %s", value);
	case KIND_OF_WORD:
		return assign_word(config, s, value, err);
	case KIND_OF_NAME:
		return s == SETTING_THEME ? assign_theme(config, value, which, err)
		                          : assign_layout(config, value, err);
	default:
		return assign_int(config, s, value, err);
	}
}

/* NULL without an error: there is none. */
static FILE *open_file(struct err *err)
{
	struct str path = {0};
	FILE *file = user_file_path("config", &path) ? user_file_open(path.text, err) : NULL;

	str_release(&path);
	return file;
}

/* What follows these words at the beginning of a line; NULL: it does not begin with them. */
static const char *after_words(const char *line, const char *begins)
{
	line += strspn(line, BLANKS);
	while (*begins) {
		size_t len = strcspn(begins, " ");

		if (strncmp(line, begins, len) || (line[len] && !strchr(BLANKS, line[len])))
			return NULL;
		line += len;
		line += strspn(line, BLANKS);
		begins += len + (begins[len] == ' ');
	}
	return line;
}

char *config_take_word(const char **text)
{
	const char *begin = *text + strspn(*text, BLANKS), *end = NULL;
	char *word;

	if (*begin == '"' || *begin == '\'')
		end = strchr(begin + 1, *begin);
	if (end && end > begin + 1 && (!end[1] || strchr(BLANKS, end[1]))) {
		word = mem_copy(begin + 1, (size_t)(end - begin - 1));
		end++;
	} else {
		end = begin + strcspn(begin, BLANKS);
		if (end == begin)
			return NULL;
		word = mem_copy(begin, (size_t)(end - begin));
	}
	*text = end + strspn(end, BLANKS);
	return word;
}

/* From the end of a line. */
static size_t bare_len(const char *text)
{
	size_t len = strlen(text);

	while (len && strchr(BLANKS, text[len - 1]))
		len--;
	return len;
}

void config_each_line(const char *begins, config_take_line *line, void *context)
{
	FILE *file = open_file(NULL);
	char *text = NULL;
	size_t cap = 0;

	for (size_t number = 1; file && getline(&text, &cap, file) > 0; number++) {
		const char *rest = after_words(text, begins);
		size_t len = rest ? bare_len(rest) : 0;
		char *bare;

		if (!len)
			continue;
		bare = mem_copy(rest, len);
		line(context, number, bare);
		free(bare);
	}
	free(text);
	if (file)
		fclose(file);
}

/* NAME VALUE, to be set; what is wrong goes to *err. */
static void assign_line(struct config *config, const char *rest, struct err *err)
{
	size_t len = strcspn(rest, BLANKS);
	const char *value = rest + len + strspn(rest + len, BLANKS);
	char *name = mem_copy(rest, len);
	enum setting which;

	if (assign(config, name, value, &which, err))
		config->given[which] = true;
	free(name);
}

static void set_from_line(void *config, size_t number, const char *rest)
{
	(void)number;
	assign_line(config, rest, NULL);
}

/* tfdbg's own file. */

/* One key of it and the value behind it. */
static bool import_item(struct config *config, struct json *json)
{
	const char *key = str_text(&json->key);
	int64_t depth;

	if (!strcmp(key, setting_names[SETTING_GRAPH_RECURSION_DEPTH])) {
		if (!json_whole(json, &depth))
			return false;
		if (in_bounds(SETTING_GRAPH_RECURSION_DEPTH, depth))
			config->value[SETTING_GRAPH_RECURSION_DEPTH] = depth;
		return true;
	}
	if (!strcmp(key, setting_names[SETTING_MOUSE_MODE]) && json_false(json)) {
		config->value[SETTING_MOUSE_MODE] = false;
		return true;
	}
	return json_skip(json);
}

/* Imports the settings that tfdbg's file has, up to where it is unreadable or damaged. */
static void import_tfdbg(struct config *config)
{
	const char *home = getenv("HOME");
	struct str path = {0};
	struct file file;
	struct json json;
	struct err err = {0};

	str_fmt(&path, "%s/.tfdbg_config", home ? home : "");
	if (home && *home && file_open(&file, path.text, &err)) {
		json_start(&json, &file, &err);
		if (json_object(&json))
			while (json_more(&json) && import_item(config, &json))
				;
		json_release(&json);
		file_close(&file);
	}
	str_release(&path);
}

void config_init(struct config *config)
{
	FILE *file = open_file(NULL);

	*config = (struct config){0};
	for (enum setting s = 0; s < N_SETTINGS; s++)
		config->value[s] = traits[s].standard;
	memcpy(config->layout, standard_layout, sizeof standard_layout);
	memcpy(config->theme, standard_theme, sizeof standard_theme);
	if (!file) {
		import_tfdbg(config);
		return;
	}
	fclose(file);
	config_each_line(SET_BEGINS, set_from_line, config);
}

/* What is wrong with the file. */

void config_complain(struct config_complaint *complaint, size_t line, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	complaint->n++;
	if (complaint->n > 1 && line >= complaint->line)
		return;
	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	complaint->line = line;
	snprintf(complaint->text, sizeof complaint->text, "%s", str_text(&text));
	str_release(&text);
}

static void check_set(void *complaint, size_t number, const char *rest)
{
	struct config scratch = {0};
	struct str expected = {0};
	struct err err = {0};
	enum setting s;
	char *name;

	assign_line(&scratch, rest, &err);
	name = mem_copy(rest, strcspn(rest, BLANKS));
	if (!err.code) {
		/* it holds */
	} else if (!config_find(name, &s, NULL)) {
		config_complain(complaint, number, "no setting %.40s; config show -a has them",
		                name);
	} else {
		put_expected(s, &expected);
		config_complain(complaint, number, "%s stays as it was; expected: %s", name,
		                expected.text);
	}
	free(name);
	str_release(&expected);
}

/* Does a line begin with a known word? */
static void check_begin(void *complaint, size_t number, const char *line)
{
	static const char *const known[] = { SET_BEGINS, "filter add", "layout", "bind", "alias",
	                                     CONFIG_IGNORED };

	if (*line == '#')
		return;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (after_words(line, known[i]))
			return;
	config_complain(complaint, number,
	                "config set, filter add, layout, bind or alias expected: %s", line);
}

/* Of a file that can't be read no line is wrong. */
static void check_file(struct config_complaint *complaint)
{
	struct err err = {0};
	FILE *file = open_file(&err);

	if (err.code)
		config_complain(complaint, 0, "%s: %s; the defaults apply", err.src, err.msg);
	if (file)
		fclose(file);
}

void config_check(struct config_complaint *complaint)
{
	check_file(complaint);
	config_each_line(SET_BEGINS, check_set, complaint);
	config_each_line("", check_begin, complaint);
}

void config_put_complaint(const struct config_complaint *complaint, struct str *out)
{
	str_puts(out, "config");
	if (complaint->line)
		str_fmt(out, " line %zu", complaint->line);
	str_fmt(out, ": %s", complaint->text);
	if (complaint->n > 1)
		str_fmt(out, " (and %zu more)", complaint->n - 1);
}

/* Writing. */

/* Lines that go. */
struct going {
	const char *begins;
	config_is_it *is_it;     /* NULL: all that begin so */
	const void *context;
};

static bool goes(const struct going *going, const char *line)
{
	const char *rest = after_words(line, going->begins);
	char *bare = rest && going->is_it ? mem_copy(rest, bare_len(rest)) : NULL;
	bool hit = bare ? going->is_it(going->context, bare) : rest != NULL;

	free(bare);
	return hit;
}

/* The imported settings as lines of our file, without the one to be saved. */
static void put_imported(const struct going *going, struct str *out)
{
	struct config config = {0};
	struct str line = {0};

	for (enum setting s = 0; s <= SETTING_MOUSE_MODE; s++)
		config.value[s] = traits[s].standard;
	import_tfdbg(&config);
	for (enum setting s = 0; s <= SETTING_MOUSE_MODE; s++) {
		if (config.value[s] == traits[s].standard)
			continue;
		str_reset(&line);
		str_fmt(&line, SET_BEGINS " %s ", setting_names[s]);
		config_put_value(&config, s, &line);
		if (!goes(going, line.text))
			str_fmt(out, "%s\n", line.text);
	}
	str_release(&line);
}

/* The old file without those lines, then the new one. False if the old one can't be read. */
static bool new_content(const struct going *going, const char *new_line, struct str *out,
                        struct err *err)
{
	struct err why = {0};
	FILE *file = open_file(&why);
	char *line = NULL;
	size_t cap = 0;

	if (why.code)
		return err_at(err, ERR_IO, "command", 0, "%s: %s", why.src, why.msg);
	while (file && getline(&line, &cap, file) > 0) {
		if (goes(going, line))
			continue;
		str_puts(out, line);
		if (out->len && out->text[out->len - 1] != '\n')
			str_putc(out, '\n');
	}
	free(line);
	if (file)
		fclose(file);
	else
		put_imported(going, out);
	if (new_line)
		str_fmt(out, "%s\n", new_line);
	return true;
}

static void make_dirs(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static bool put_line(const struct going *going, const char *line, struct err *err)
{
	struct str path = {0}, content = {0};
	struct writer *writer;
	bool ok = false;

	if (!user_file_path("config", &path)) {
		err_fill(err, ERR_IO, "command", 0,
		         "config: neither HOME nor XDG_CONFIG_HOME is set");
		goto out;
	}
	make_dirs(path.text);
	if (!new_content(going, line, &content, err))
		goto out;
	writer = writer_open(path.text, WRITER_PRIVATE, err);
	if (writer) {
		ok = fwrite(str_text(&content), 1, content.len, writer_stream(writer)) ==
		     content.len;
		ok = writer_close(writer, ok, NULL, err);
	}
out:
	str_release(&path);
	str_release(&content);
	return ok;
}

bool config_put_line(const char *begins, const char *line, struct err *err)
{
	return put_line(&(struct going){ begins, NULL, NULL }, line, err);
}

bool config_replace(const char *begins, config_is_it *is_it, const void *context,
                    const char *line, struct err *err)
{
	return put_line(&(struct going){ begins, is_it, context }, line, err);
}

/* Of NAME VALUE: is it this setting, however the name is spelled? */
static bool is_setting(const void *name, const char *rest)
{
	return word_is(rest, strcspn(rest, BLANKS), name);
}

static bool save(const struct config *config, enum setting setting, struct err *err)
{
	struct str line = {0};
	bool ok;

	str_fmt(&line, SET_BEGINS " %s ", setting_names[setting]);
	config_put_value(config, setting, &line);
	ok = config_replace(SET_BEGINS, is_setting, setting_names[setting], line.text, err);
	str_release(&line);
	return ok;
}

bool config_set(struct config *config, const char *name, const char *value, enum setting *which,
                struct err *err)
{
	if (!assign(config, name, value, which, err))
		return false;
	config->given[*which] = true;
	/* The line of the theme that goes may have been one that told of colours. */
	if (*which == SETTING_THEME && config->value[SETTING_COLOURS] &&
	    !save(config, SETTING_COLOURS, err))
		return false;
	return save(config, *which, err);
}

const char *const *config_words(enum setting setting)
{
	return traits[setting].kind == KIND_OF_WORD ? words[setting] : NULL;
}

const char *config_word(const struct config *config, enum setting setting)
{
	switch (traits[setting].kind) {
	case KIND_OF_WORD:
		return words[setting][config->value[setting]];
	case KIND_OF_NAME:
		return setting == SETTING_THEME ? config->theme : config->layout;
	default:
		return NULL;
	}
}

void config_put_value(const struct config *config, enum setting setting, struct str *out)
{
	if (traits[setting].kind == KIND_OF_BOOL)
		str_puts(out, config->value[setting] ? "True" : "False");
	else if (traits[setting].kind == KIND_OF_INT)
		str_fmt(out, "%" PRId64, config->value[setting]);
	else
		str_puts(out, config_word(config, setting));
}

void config_put_data(const struct config *config, enum setting setting, struct data *data)
{
	if (traits[setting].kind == KIND_OF_BOOL)
		data_bool(data, config->value[setting]);
	else if (traits[setting].kind == KIND_OF_INT)
		data_int(data, config->value[setting]);
	else
		data_str(data, config_word(config, setting));
}

bool config_is_standard(const struct config *config, enum setting setting)
{
	return setting > SETTING_MOUSE_MODE &&
	       config->value[setting] == traits[setting].standard &&
	       (setting != SETTING_LAYOUT || !strcmp(config->layout, standard_layout)) &&
	       (setting != SETTING_THEME || !strcmp(config->theme, standard_theme));
}
