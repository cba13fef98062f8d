/*
 * Prints a generated part of the man page, in mdoc, from the rows the program itself reads:
 * the list of commands, what each takes, keys, functions of expressions, recorders, or
 * what these cost.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmds/array/function.h"
#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "cmds/table.h"
#include "tui/keys.h"
#include "tui/recorder.h"

#define MAX_COLUMNS 79
#define LONG_WORD 40

static void print_word(const char *word, size_t len)
{
	if (*word == '.' || *word == '\'')
		printf("\\&");
	for (size_t i = 0; i < len; i++) {
		printf(word[i] == '\\' ? "\\e" : "%c", word[i]);
		if (word[i] == ',' && len > LONG_WORD && i + 1 < len)
			printf("\\:");         /* a line may break there */
	}
}

/* Lines of text: nothing in them is a macro or an escape. */
static void print_text(const char *text)
{
	size_t column = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (column && column + 1 + len > MAX_COLUMNS) {
			printf("\n");
			column = 0;
		}
		column += (size_t)printf("%s", column ? " " : "") + len;
		print_word(text, len);
		text += len;
		text += strspn(text, " ");
	}
	printf("\n");
}

static void print_option(const struct opt *opt)
{
	struct str help = {0};

	printf(".It ");
	if (opt->flag && opt->kind != OPT_FLAG)
		printf("Fl %s Ar %s , ", opt->flag, opt->name);
	else if (opt->flag)
		printf("Fl %s , ", opt->flag);
	printf("Fl -%s", opt->name);
	if (opt->kind != OPT_FLAG)
		printf(" Ar %s", opt->name);
	printf("\n");
	opt_put_help(opt, &help);
	print_text(help.text);
	str_release(&help);
}

static void print_command(const struct cmd *cmd)
{
	printf(".Ss %s%s%s\n", cmd->name, cmd->alias ? ", " : "", cmd->alias ? cmd->alias : "");
	print_text(cmd->summary);
	if (!cmd->n_pos && !cmd->n_opts)
		return;
	printf(".Bl -tag -width Ds\n");
	for (size_t i = 0; i < cmd->n_pos; i++) {
		printf(cmd->pos[i].optional ? ".It Op Ar %s\n" : ".It Ar %s\n", cmd->pos[i].name);
		print_text(cmd->pos[i].help);
	}
	for (size_t i = 0; i < cmd->n_opts; i++)
		print_option(&cmd->opts[i]);
	printf(".El\n");
}

/* Every command with what it does, a line or two each. */
static void print_command_list(void)
{
	printf(".Bl -tag -width \"list_executions, lx\" -compact\n");
	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_at(i);

		printf(".It Ic %s%s%s\n", cmd->name, cmd->alias ? " , " : "",
		       cmd->alias ? cmd->alias : "");
		print_text(cmd->summary);
	}
	printf(".El\n");
}

static void print_commands(void)
{
	for (size_t i = 0; i < registry_len(); i++)
		print_command(registry_at(i));
}

static void print_key(int key)
{
	struct str label = {0};

	key_label(&label, key);
	if (strchr(label.text, ' '))
		printf("Ic \"%s\"", label.text);
	else
		printf(ispunct((unsigned char)*label.text) ? "Ic \\&%s" : "Ic %s", label.text);
	str_release(&label);
}

/* All keys of one action in one entry, as in the program's own help. Returns the rows it took. */
static size_t print_keys_of_action(size_t first)
{
	const struct key_row *row = &key_table[first];
	size_t n = 0;

	printf(".It ");
	while (first + n < n_keys && row[n].context == row->context &&
	       row[n].action == row->action && row[n].style == row->style &&
	       !strcmp(row[n].help, row->help)) {
		printf(n ? " , " : "");
		print_key(row[n++].key);
	}
	printf("\n");
	print_text(row->help);
	return n;
}

static void print_heading(const char *heading, const char *more)
{
	printf(".Ss \\&%s%s\n.Bl -tag -width \"Shift-Down\" -compact\n", heading, more);
}

/* What documents bring. */
static void print_brought(const struct doc_keys *keys)
{
	print_heading(keys->heading, "");
	for (size_t i = 0; i < keys->n; i++)
		if (keys->at[i].help) {
			printf(".It ");
			print_key(keys->at[i].key);
			printf("\n");
			print_text(keys->at[i].help);
		}
	printf(".El\n");
}

/* The keys of one context that both styles have, with those of modern or, alone, those of tfdbg. */
static void print_context(enum context context, bool of_tfdbg)
{
	bool any = false;

	for (size_t i = 0; i < n_keys;) {
		if (key_table[i].context != context ||
		    (key_table[i].style == STYLE_TFDBG) != of_tfdbg) {
			i++;
			continue;
		}
		if (!any)
			print_heading(context_names[context], of_tfdbg ? ", in style tfdbg" : "");
		any = true;
		i += print_keys_of_action(i);
	}
	if (any)
		printf(".El\n");
}

/* Keys of trees come last. */
static void print_keys(void)
{
	for (enum context context = 0; context < N_CONTEXTS; context++) {
		for (size_t k = 0; context == CONTEXT_TREE && k < n_doc_keys; k++)
			print_brought(doc_keys_table[k]);
		print_context(context, false);
		print_context(context, true);
	}
}

/* The names of the rows of one place, each once, with what stands before them. */
static void print_functions(const char *what, enum function_place place)
{
	struct str text = {0};
	const char *name, *last = "";
	unsigned places;

	for (size_t i = 0; function_row(i, &name, &places); i++) {
		if (!(places & place) || !strcmp(name, last))
			continue;
		str_fmt(&text, "%s%s", text.len ? " " : "", name);
		last = name;
	}
	printf(".It %s\n", what);
	print_text(str_text(&text));
	str_release(&text);
}

static void print_expressions(void)
{
	printf(".Bl -tag -width Ds\n");
	print_functions("Li np .", IN_NUMPY);
	print_functions("Li np.linalg .", IN_LINALG);
	print_functions("methods of an array", IN_ARRAY);
	print_functions("attributes of an array", IN_ATTRIBUTE);
	print_functions("Python's own", IN_PYTHON);
	printf(".El\n");
}

static void print_recorders(void)
{
	printf(".Bl -tag -width session -compact\n");
	for (size_t i = 0; i < n_recorders; i++) {
		struct str text = {0};

		str_fmt(&text, "%s (%s)", recorders[i].records, recorders[i].needs);
		printf(".It Cm %s\n", recorders[i].name);
		print_text(text.text);
		str_release(&text);
	}
	printf(".El\n");
}

static void print_recorder_costs(void)
{
	printf(".Bl -column -compact \"estimator\" \"2.5 times as long\" \"needs\"\n"
	       ".It Em recorder Ta Em a step takes Ta Em needs\n");
	for (size_t i = 0; i < n_recorders; i++)
		printf(".It Cm %s Ta %s times as long Ta %s\n", recorders[i].name,
		       recorders[i].slower, recorders[i].needs);
	printf(".El\n");
}

static const struct {
	const char *name;
	void (*print)(void);
} parts[] = {
	{ "command_list", print_command_list }, { "commands", print_commands },
	{ "keys", print_keys }, { "expressions", print_expressions },
	{ "recorders", print_recorders }, { "recorder_costs", print_recorder_costs },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(argv[1], parts[i].name)) {
			parts[i].print();
			return 0;
		}
	return 2;
}
