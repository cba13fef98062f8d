#include "cmds/session/aliases.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/registry.h"
#include "dump/base/mem.h"

#define LINE_BEGINS "alias"
#define BLANKS " \t"

static size_t place_of(const struct aliases *aliases, const char *name)
{
	size_t i = 0;

	while (i < aliases->list.len && strcmp(aliases->list.at[i].name, name) < 0)
		i++;
	return i;
}

const struct alias *aliases_find(const struct aliases *aliases, const char *name)
{
	size_t i = place_of(aliases, name);

	return i < aliases->list.len && !strcmp(aliases->list.at[i].name, name)
	               ? &aliases->list.at[i] : NULL;
}

/* Words that the screen or the line interface answers itself are in no table of commands. */
static bool is_ours(const char *name)
{
	static const char *const others[] = { "exit", "quit", "prev", "next", "mouse", "m" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(name, others[i]))
			return true;
	return cmd_find(name) != NULL;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(const char *name)
{
	if (!is_letter(*name))
		return false;
	for (; *name; name++)
		if (!is_letter(*name) && !strchr("0123456789.-", *name))
			return false;
	return true;
}

static bool fits(const char *name, const char *line, struct err *err)
{
	if (!is_name(name))
		return err_at(err, ERR_VALUE, "command", 0,
		              "\"%.100s\" can't be an alias: letters, digits, _ . and -, "
		              "beginning with a letter or _", name);
	if (is_ours(name))
		return err_at(err, ERR_VALUE, "command", 0,
		              "%s is a command; an alias needs a name of its own", name);
	return *line || err_at(err, ERR_VALUE, "command", 0,
	                       "alias %s: a command line expected", name);
}

static void release_one(struct alias *alias)
{
	free(alias->name);
	free(alias->line);
}

static void put_in(struct aliases *aliases, const char *name, const char *line, bool saved)
{
	size_t i = place_of(aliases, name);

	if (aliases_find(aliases, name)) {
		release_one(&aliases->list.at[i]);
	} else {
		vec_add(&aliases->list);
		memmove(&aliases->list.at[i + 1], &aliases->list.at[i],
		        (aliases->list.len - i - 1) * sizeof *aliases->list.at);
	}
	aliases->list.at[i] = (struct alias){ .name = mem_copy(name, strlen(name)),
		                              .line = mem_copy(line, strlen(line)),
		                              .saved = saved };
}

struct reading {
	struct aliases *aliases;
	struct config_complaint *complaint;
};

static void take_line(void *context, size_t number, const char *rest)
{
	struct reading *reading = context;
	size_t len = strcspn(rest, BLANKS);
	char *name = mem_copy(rest, len);
	const char *line = rest + len + strspn(rest + len, BLANKS);
	struct err err = {0};

	if (fits(name, line, &err))
		put_in(reading->aliases, name, line, true);
	else
		config_complain(reading->complaint, number, "%s", err.msg);
	free(name);
}

void aliases_init(struct aliases *aliases, struct config_complaint *complaint)
{
	config_each_line(LINE_BEGINS, take_line, &(struct reading){ aliases, complaint });
}

void aliases_release(struct aliases *aliases)
{
	for (size_t i = 0; i < aliases->list.len; i++)
		release_one(&aliases->list.at[i]);
	vec_release(&aliases->list);
}

/* line NULL: the name's line goes. */
static bool save_line(const char *name, const char *line, struct err *err)
{
	struct str begins = {0}, all = {0};
	bool ok;

	str_fmt(&begins, LINE_BEGINS " %s", name);
	if (line)
		str_fmt(&all, "%s %s", begins.text, line);
	ok = config_put_line(begins.text, line ? all.text : NULL, err);
	str_release(&begins);
	str_release(&all);
	return ok;
}

bool aliases_set(struct aliases *aliases, const char *name, const char *line, bool save,
                 struct err *err)
{
	if (!fits(name, line, err))
		return false;
	put_in(aliases, name, line, save);
	return !save || save_line(name, line, err);
}

bool aliases_remove(struct aliases *aliases, const char *name, bool save, struct err *err)
{
	size_t i = place_of(aliases, name);

	if (!aliases_find(aliases, name))
		return err_at(err, ERR_VALUE, "command", 0, "There is no alias \"%.100s\"", name);
	release_one(&aliases->list.at[i]);
	memmove(&aliases->list.at[i], &aliases->list.at[i + 1],
	        (aliases->list.len - i - 1) * sizeof *aliases->list.at);
	aliases->list.len--;
	return !save || save_line(name, NULL, err);
}

bool aliases_expand(const struct aliases *aliases, const char *line, struct str *out)
{
	const struct alias *alias;
	size_t len;
	char *name;

	line += strspn(line, BLANKS);
	len = strcspn(line, BLANKS);
	name = mem_copy(line, len);
	alias = aliases_find(aliases, name);
	free(name);
	if (!alias)
		return false;
	str_fmt(out, "%s%s", alias->line, line + len);
	return true;
}
