#include "cmds/config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/python.h"

const char *const setting_names[N_SETTINGS] = { "graph_recursion_depth", "mouse_mode" };

static const struct config defaults = { { 20, true } };

static bool is_bool(enum setting setting)
{
	return setting == SETTING_MOUSE_MODE;
}

static bool parse_bool(const char *text, int64_t *value)
{
	static const char *const words[][6] = {
		{ "0", "false", "f", "no", "n", "off" }, { "1", "true", "t", "yes", "y", "on" },
	};

	for (int truth = 0; truth < 2; truth++)
		for (int i = 0; i < 6; i++)
			if (!strcasecmp(text, words[truth][i])) {
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

static bool assign(struct config *config, const char *name, const char *value, enum setting *which, struct err *err)
{
	enum setting s = 0;

	while (s < N_SETTINGS && strcmp(name, setting_names[s]))
		s++;
	*which = s;
	if (s == N_SETTINGS)
		return no_such_property(name, err);
	if (is_bool(s))
		return parse_bool(value, &config->value[s]) ||
		       err_at(err, ERR_VALUE, "command", 0, "Invalid string value for bool type: %s", value);
	return python_int_read(value, strlen(value), 0, &config->value[s], err);
}

/* The file's path; false if there is no home to put it in. */
static bool config_path(struct str *path)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && *xdg == '/')
		str_puts(path, xdg);
	else if (home && *home)
		str_fmt(path, "%s/.config", home);
	else
		return false;
	str_puts(path, "/tensordbg/config");
	return true;
}

static FILE *open_file(void)
{
	struct str path = {0};
	FILE *file = config_path(&path) ? fopen(path.text, "re") : NULL;

	str_release(&path);
	return file;
}

/* "config set NAME VALUE" -> name and value, cut out of the line. */
static bool is_set_line(char *line, char **name, char **value)
{
	char *save = NULL;
	const char *config = strtok_r(line, " \t\n", &save), *set = strtok_r(NULL, " \t\n", &save);

	if (!config || !set || strcmp(config, "config") || strcmp(set, "set"))
		return false;
	*name = strtok_r(NULL, " \t\n", &save);
	*value = strtok_r(NULL, " \t\n", &save);
	return *name && *value;
}

void config_init(struct config *config)
{
	FILE *file = open_file();
	char *line = NULL, *name, *value;
	size_t cap = 0;
	enum setting which;

	*config = defaults;
	if (!file)
		return;
	while (getline(&line, &cap, file) > 0)
		if (is_set_line(line, &name, &value))
			assign(config, name, value, &which, NULL);
	free(line);
	fclose(file);
}

/* The old file without the line of one setting, which goes to the end. */
static void new_content(const struct config *config, enum setting which, struct str *out)
{
	FILE *file = open_file();
	char *line = NULL, *name, *value;
	size_t cap = 0;

	while (file && getline(&line, &cap, file) > 0) {
		size_t before = out->len;

		str_puts(out, line);
		if (is_set_line(line, &name, &value) && !strcmp(name, setting_names[which]))
			str_cut(out, before);
		else if (out->len && out->text[out->len - 1] != '\n')
			str_putc(out, '\n');
	}
	free(line);
	if (file)
		fclose(file);
	str_fmt(out, "config set %s ", setting_names[which]);
	config_put_value(config, which, out);
	str_putc(out, '\n');
}

static void make_dirs(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static bool write_file(const char *path, const struct str *content)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && write(fd, content->text, content->len) == (ssize_t)content->len;

	return fd >= 0 && close(fd) == 0 && ok;
}

static bool save(const struct config *config, enum setting which, struct err *err)
{
	struct str path = {0}, beside = {0}, content = {0};
	bool ok = false;

	if (!config_path(&path)) {
		err_fill(err, ERR_IO, "config", 0, "neither HOME nor XDG_CONFIG_HOME is set");
		goto out;
	}
	make_dirs(path.text);
	str_fmt(&beside, "%s.%ld", path.text, (long)getpid());
	new_content(config, which, &content);
	ok = write_file(beside.text, &content) && rename(beside.text, path.text) == 0;
	if (!ok) {
		err_fill(err, ERR_IO, path.text, 0, "%s", strerror(errno));
		unlink(beside.text);
	}
out:
	str_release(&path);
	str_release(&beside);
	str_release(&content);
	return ok;
}

bool config_set(struct config *config, const char *name, const char *value, enum setting *which, struct err *err)
{
	return assign(config, name, value, which, err) && save(config, *which, err);
}

void config_put_value(const struct config *config, enum setting setting, struct str *out)
{
	if (is_bool(setting))
		str_puts(out, config->value[setting] ? "True" : "False");
	else
		str_fmt(out, "%" PRId64, config->value[setting]);
}

void config_put_data(const struct config *config, enum setting setting, struct data *data)
{
	if (is_bool(setting))
		data_bool(data, config->value[setting]);
	else
		data_int(data, config->value[setting]);
}
