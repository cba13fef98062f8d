#include "cmds/runs/run_screen.h"

#include "cmds/lang/words.h"
#include "dump/base/version.h"

static const char *const logo[] = {
	"", "TTTTTT FFFF DDD  BBBB   GGG ", "  TT   F    D  D B   B G    ",
	"  TT   FFF  D  D BBBB  G  GG", "  TT   F    D  D B   B G   G",
	"  TT   F    DDD  BBBB   GGG ", "",
};
static const char bar[] = "======================================";
static const char thin_bar[] = "--------------------------------------";

void run_screen_logo(struct doc *doc)
{
	for (size_t i = 0; i < sizeof logo / sizeof *logo; i++)
		doc_line_put(doc, ROLE_PLAIN, "%s", logo[i]);
	doc_line_put(doc, ROLE_PLAIN, "tensordbg version: %s", TENSORDBG_VERSION);
	doc_newline(doc);
}

/* tfdbg puts every name in quotes; one that can't stand in these has its own. */
static void put_feed(struct doc *doc, const char *name)
{
	struct str word = {0};

	words_put(&word, name);
	if (!strcmp(word.text, name)) {
		str_reset(&word);
		str_fmt(&word, "'%s'", name);
	}
	doc_link(doc, ROLE_PLAIN, name, "pf %s", word.text);
	str_release(&word);
}

static void put_names(struct doc *doc, const char *heading, const struct names *names,
                      bool are_feeds)
{
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "%s", heading);
	for (size_t i = 0; i < names->list.len; i++) {
		doc_put(doc, ROLE_PLAIN, "  ");
		if (are_feeds)
			put_feed(doc, names->list.at[i]);
		else
			doc_put(doc, ROLE_PLAIN, "%s", names->list.at[i]);
		doc_newline(doc);
	}
	if (!names->list.len)
		doc_line_put(doc, ROLE_PLAIN, "  (Empty)");
}

/* A command and what it does; link NULL: it can't be run as written. */
static void put_command(struct doc *doc, const char *command, const char *link, const char *text)
{
	doc_put(doc, ROLE_PLAIN, "  ");
	if (link)
		doc_link(doc, ROLE_STRONG, command, "%s", link);
	else
		doc_put(doc, ROLE_STRONG, "%s", command);
	doc_line_put(doc, ROLE_PLAIN, ":");
	doc_line_put(doc, ROLE_PLAIN, "    %s", text);
}

static void put_filters(struct doc *doc, const struct filters *filters)
{
	doc_line_put(doc, ROLE_PLAIN, "    Registered filter(s):");
	for (size_t i = 0; i < filters->list.len; i++) {
		const char *name = filters->list.at[i].name;

		doc_put(doc, ROLE_PLAIN, "        * ");
		doc_link(doc, ROLE_PLAIN, name, "run -f %s", name);
		doc_newline(doc);
	}
}

/* What is computed, as tfdbg has it; of arrays nobody knows more than the step. */
static void put_subject(struct doc *doc, const struct run_entry *entry,
                        const struct run_names *names)
{
	struct str number = {0};

	if (entry->runs->of_arrays) {
		put_run_number(&number, entry);
		doc_line_put(doc, ROLE_PLAIN, "Run #%s:", number.text);
	} else if (names->callable) {
		doc_line_put(doc, ROLE_PLAIN,
		             "Running a runner returned by Session.make_callable()");
	} else {
		doc_line_put(doc, ROLE_PLAIN, "Session.run() call #%zu:", entry->position);
		put_names(doc, "Fetch(es):", &names->fetches, false);
		put_names(doc, "Feed dict:", &names->feeds, true);
	}
	str_release(&number);
}

void run_screen_put(struct call *call, const struct run_entry *entry, const struct run_names *names)
{
	/* The command, its link, what tfdbg says that it does, and what it does in arrays. */
	static const struct { const char *command, *link, *text, *of_arrays; } commands[] = {
		{ "run", "run", "Execute the run() call with debug tensor-watching",
		  "Go to this run and list its tensors" },
		{ "run -n", "run -n", "Execute the run() call without debug tensor-watching",
		  "Go to this run without reading it" },
		{ "run -t <T>", NULL,
		  "Execute run() calls (T - 1) times without debugging, then execute run() once "
		  "more with debugging and drop back to the CLI",
		  "Go on by T runs" },
		{ "run -f <filter_name>", NULL,
		  "Keep executing run() calls until a dumped tensor passes a given, registered "
		  "filter (conditional breakpoint mode)",
		  "Go on to the first run with a tensor that passes this filter" },
	};
	struct doc *doc = call->out;

	doc_line_put(doc, ROLE_PLAIN, "%s", bar);
	put_subject(doc, entry, names);
	doc_line_put(doc, ROLE_PLAIN, "%s", bar);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "Select one of the following commands to proceed ---->");
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		put_command(doc, commands[i].command, commands[i].link,
		            entry->runs->of_arrays ? commands[i].of_arrays : commands[i].text);
	put_filters(doc, &call->shell->filters);
	doc_newline(doc);
	doc_put(doc, ROLE_PLAIN, "For more details, see ");
	doc_link(doc, ROLE_PLAIN, "help.", "help");
	doc_line_put(doc, ROLE_PLAIN, ".");
}

static void put_advice(struct doc *doc, const char *node)
{
	struct str command = {0};

	doc_line_put(doc, ROLE_PLAIN, "You may use the following commands to debug:");
	words_put_with(&command, "ni -a -d -t", node);
	put_command(doc, command.text, command.text, "Inspect information about the failing op.");
	str_reset(&command);
	words_put_with(&command, "li -r", node);
	put_command(doc, command.text, command.text, "List inputs to the failing op, recursively.");
	put_command(doc, "lt", "lt", "List all tensors dumped during the failing run() call.");
	str_release(&command);
}

void run_screen_suspects(struct doc *doc, const struct run_info *info)
{
	struct str name = {0}, word = {0};

	doc_line_put(doc, ROLE_PLAIN, "%s", thin_bar);
	doc_line_put(doc, ROLE_ALARM,
	             "This run looks unfinished; ops that did not produce output:");
	for (size_t i = 0; i < info->n_suspects; i++) {
		const struct suspect *s = &info->suspects[i];

		str_reset(&name);
		str_fmt(&name, "%s:%u", s->node, s->slot);
		doc_put(doc, ROLE_PLAIN, "  ");
		str_reset(&word);
		words_put(&word, s->node);
		doc_link(doc, ROLE_PLAIN, name.text, "ni -a -d -t %s", word.text);
		doc_newline(doc);
	}
	doc_newline(doc);
	put_advice(doc, info->suspects[0].node);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "%s", thin_bar);
	doc_newline(doc);
	str_release(&name);
	str_release(&word);
}

void run_screen_intro(struct call *call)
{
	struct shell *shell = call->shell;
	struct run_entry *at, *first;
	const struct run_info *info;
	struct err err = {0};

	if (!position_counts(shell))
		return;
	at = position_at(shell);
	first = runs_at(shell->runs, 1);
	info = at ? run_entry_info(at, RUN_WHOLE)
	          : runs_info(shell->runs, first, RUN_HEAD, NULL, &err);
	if (!at && info) {
		run_screen_logo(call->out);
		doc_line_put(call->out, ROLE_PLAIN, "Upcoming run:");
		run_screen_put(call, first, &info->names);
		doc_newline(call->out);
		run_screen_menu(call);
	} else if (info && info->n_suspects) {
		run_screen_suspects(call->out, info);
	}
}

void run_screen_menu(struct call *call)
{
	if (position_at(call->shell))
		doc_menu_item(call->out, "list_tensors", "list_tensors", true);
	doc_menu_item(call->out, "run", "run", true);
	doc_menu_item(call->out, "exit", "exit", true);
}
