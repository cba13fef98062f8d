#include "cmds/lang/registry.h"

#include <string.h>

static const struct registered *registered;
static size_t n_registered;

void registry_set(const struct registered *rows, size_t n)
{
	registered = rows;
	n_registered = n;
}

size_t registry_len(void)
{
	return n_registered;
}

const struct cmd *registry_at(size_t i)
{
	return registered[i].cmd;
}

static const struct registered *find(const char *word)
{
	for (size_t i = 0; i < n_registered; i++) {
		const struct cmd *cmd = registered[i].cmd;

		if (!strcmp(word, cmd->name) || (cmd->alias && !strcmp(word, cmd->alias)))
			return &registered[i];
	}
	return NULL;
}

const struct cmd *cmd_find(const char *word)
{
	const struct registered *row = find(word);

	return row ? row->cmd : NULL;
}

const struct cmd *cmd_find_of_profile(const char *word)
{
	const struct registered *row = find(word);

	if (!row)
		return NULL;
	return row->of_profile ? row->of_profile : row->cmd;
}
