/* Prints a table of the README in Markdown, from the rows that the program reads. */
#include <stdio.h>
#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "tui/recorder.h"

/* In a table a bar would end the cell, even in code. */
static void print_name(const char *name)
{
	for (; *name; name++)
		printf(*name == '|' ? "\\|" : "%c", *name);
}

static void print_options(const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->n_pos; i++) {
		printf(cmd->pos[i].optional ? " [" : " ");
		print_name(cmd->pos[i].name);
		printf(cmd->pos[i].optional ? "]" : "");
	}
	for (size_t i = 0; i < cmd->n_opts; i++) {
		const struct opt *o = &cmd->opts[i];
		const char *value = o->kind == OPT_FLAG ? "" : o->kind == OPT_INT ? " N"
		                    : o->kind == OPT_COUNT ? " [N]" : " WORD";

		if (o->flag)
			printf(" [-%s%s]", o->flag, value);
		else
			printf(" [--%s%s]", o->name, value);
	}
}

static void print_commands(void)
{
	printf("| command | short | what it shows | use |\n|---|---|---|---|\n");
	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_at(i);

		printf("| `%s` | %s%s%s | %s | `%s", cmd->name, cmd->alias ? "`" : "",
		       cmd->alias ? cmd->alias : "", cmd->alias ? "`" : "", cmd->summary,
		       cmd->alias ? cmd->alias : cmd->name);
		print_options(cmd);
		printf("` |\n");
	}
}

static void print_recorders(void)
{
	printf("| `--recorder` | needs | a step takes | records |\n|---|---|---|---|\n");
	for (size_t i = 0; i < n_recorders; i++)
		printf("| `%s` | %s | %s times as long | %s |\n", recorders[i].name,
		       recorders[i].needs, recorders[i].slower, recorders[i].records);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "commands"))
		print_commands();
	else if (argc == 2 && !strcmp(argv[1], "recorders"))
		print_recorders();
	else
		return 2;
	return 0;
}
