/* Prints the README's table of commands in Markdown, from the rows that the program reads. */
#include <stdio.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"

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

int main(void)
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
	return 0;
}
