#include "cmds/doc/menu.h"

#include "cmds/lang/words.h"
#include "dump/base/str.h"

/* Caption, and how the command for a node begins; NULL: not about a node. */
static const struct { const char *caption, *node_command; } entries[] = {
	[MENU_LIST_TENSORS] = { "list_tensors", NULL },
	[MENU_NODE_INFO] = { "node_info", "node_info -a -d -t" },
	[MENU_PRINT_TENSOR] = { "print_tensor", "print_tensor" },
	[MENU_LIST_INPUTS] = { "list_inputs", "list_inputs -c -r" },
	[MENU_LIST_OUTPUTS] = { "list_outputs", "list_outputs -c -r" },
	[MENU_RUN_INFO] = { "run_info", NULL },
	[MENU_HELP] = { "help", NULL },
};

void menu_put_words(struct doc *doc, const char *words, enum menu_entry off)
{
	struct str command = {0};

	for (enum menu_entry i = 0; i < MENU_NONE; i++) {
		const char *prefix = entries[i].node_command;

		str_reset(&command);
		if (prefix && words)
			str_fmt(&command, "%s %s", prefix, words);
		else
			str_puts(&command, entries[i].caption);
		doc_menu_item(doc, entries[i].caption, command.text,
		              i != off && (!prefix || words));
	}
	str_release(&command);
}

void menu_put(struct doc *doc, const char *node, enum menu_entry off)
{
	struct str words = {0};

	if (node)
		words_put(&words, node);
	menu_put_words(doc, node ? str_text(&words) : NULL, off);
	str_release(&words);
}
