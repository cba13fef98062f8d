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

/* What a row is called by: its commands have the same names. */
static const struct cmd *named(const struct registered *row)
{
	return row->cmd ? row->cmd : row->of_program;
}

const struct cmd *registry_at(size_t i)
{
	return named(&registered[i]);
}

const struct cmd *registry_of(size_t i, enum registry_of what)
{
	const struct registered *row = &registered[i];

	switch (what) {
	case OF_PROFILE: return row->of_profile ? row->of_profile : row->cmd;
	case OF_MODULE: return row->cmd ? row->cmd : row->of_profile;
	case OF_PROGRAM: return row->of_program ? row->of_program : row->cmd;
	default: return row->cmd;
	}
}

enum cmd_group registry_group(size_t i)
{
	return registered[i].group;
}

/* The row that a word names; registry_len: none. */
static size_t find(const char *word)
{
	size_t i = 0;

	for (; i < n_registered; i++) {
		const struct cmd *cmd = named(&registered[i]);

		if (!strcmp(word, cmd->name) || (cmd->alias && !strcmp(word, cmd->alias)))
			break;
	}
	return i;
}

const struct cmd *cmd_find(const char *word)
{
	size_t i = find(word);

	return i < n_registered ? named(&registered[i]) : NULL;
}

const struct cmd *cmd_find_of(const char *word, enum registry_of what)
{
	size_t i = find(word);

	return i < n_registered ? registry_of(i, what) : NULL;
}
