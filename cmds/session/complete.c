#include "cmds/session/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "cmds/session/complete_parts.h"
#include "cmds/session/config.h"
#include "cmds/session/themes.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"

struct candidates {
	struct offered offered;
	struct words_list list[N_CONTEXTS];
	struct arena mem;
};

struct candidates *candidates_new(const struct offered *offered)
{
	struct candidates *c = mem_alloc(sizeof *c);

	c->offered = *offered;
	return c;
}

void candidates_free(struct candidates *c)
{
	if (!c)
		return;
	for (int i = 0; i < N_CONTEXTS; i++)
		vec_release(&c->list[i].at);
	arena_release(&c->mem);
	free(c);
}

/* tfdbg's words for commands: all but version and ver. */
static void add_commands(const struct candidates *c, struct words_list *list)
{
	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_of(i, c->offered.what);

		if (!cmd || !strcmp(cmd->name, "version"))
			continue;
		vec_push(&list->at, cmd->name);
		if (cmd->alias)
			vec_push(&list->at, cmd->alias);
	}
}

static void add_tensors(struct candidates *c, struct words_list *list)
{
	const struct run *run = c->offered.run;
	struct str name = {0};

	for (size_t i = 0; run && i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		if (t->number)
			continue;
		str_reset(&name);
		run_put_name(run, t, &name);
		vec_push(&list->at, arena_copy(&c->mem, name.text, name.len));
	}
	str_release(&name);
}

static void add_nodes(struct candidates *c, struct words_list *list)
{
	const struct run *run = c->offered.run;

	for (size_t d = 0; run && d < run->devices.len; d++) {
		const struct graph *graph = run->devices.at[d].graph;

		for (uint32_t i = 0; graph && i < graph_len(graph); i++)
			vec_push(&list->at, graph_name(graph, i));
	}
}

/* Of a recorded program. */

static void add_text(struct candidates *c, struct words_list *list, const struct str *text)
{
	vec_push(&list->at, arena_copy(&c->mem, str_text(text), text->len));
}

/* Those of the current step; of no step all that were traced. */
static void add_program_tensors(struct candidates *c, struct words_list *list)
{
	const struct program *program = c->offered.program;
	uint32_t step = c->offered.step;
	uint64_t n = step == PROGRAM_NONE ? 0 : program_n_tensors(program, step);
	struct str name = {0};

	for (uint64_t i = 0; i < n; i++) {
		struct program_tensor t = program_tensor(program, step, i);

		str_reset(&name);
		program_put_name(program, &t, &name);
		add_text(c, list, &name);
	}
	for (size_t i = 0; step == PROGRAM_NONE && i < program->keys.len; i++) {
		const struct program_key *key = &program->keys.at[i];

		str_reset(&name);
		str_fmt(&name, "%s:%" PRId32, program->nodes.at[key->node].name, key->slot);
		add_text(c, list, &name);
	}
	str_release(&name);
}

static void add_program_nodes(struct candidates *c, struct words_list *list)
{
	const struct program *program = c->offered.program;
	struct str name = {0};

	for (size_t i = 0; i < program->nodes.len; i++)
		vec_push(&list->at, program->nodes.at[i].name);
	for (size_t i = 0; i < program->steps.len; i++) {
		str_reset(&name);
		str_fmt(&name, "%s#%zu", program->steps.at[i].op, i);
		add_text(c, list, &name);
	}
	str_release(&name);
}

static void add_steps(struct candidates *c, struct words_list *list)
{
	struct str number = {0};

	for (size_t i = 0; c->offered.program && i < c->offered.program->steps.len; i++) {
		str_reset(&number);
		str_fmt(&number, "%zu", i);
		add_text(c, list, &number);
	}
	str_release(&number);
}

static void add_graphs(struct candidates *c, struct words_list *list)
{
	const struct program *program = c->offered.program;

	for (size_t i = 0; program && i < program->graphs.len; i++)
		if (*program->graphs.at[i].name)
			vec_push(&list->at, program->graphs.at[i].name);
}

/* Filters, aliases and runs change: their lists are made anew each time. */
static struct words_list *list_filters(struct candidates *c)
{
	static const char *const begins[] = { "dtype:", "rank:", "size>" };
	struct words_list *list = &c->list[CONTEXT_FILTERS];
	const struct filters *filters = c->offered.filters;
	size_t max = filters->list.len + N_PROGRAM_FILTERS, n;
	const struct named_filter **shown = mem_alloc(max * sizeof *shown);

	n = filters_all_shown(filters, c->offered.program, shown);
	list->at.len = 0;
	for (size_t i = 0; i < n; i++)
		vec_push(&list->at, shown[i]->name);
	for (size_t i = 0; c->offered.program && i < sizeof begins / sizeof *begins; i++)
		vec_push(&list->at, begins[i]);
	qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	free(shown);
	return list;
}

static struct words_list *list_runs(struct candidates *c)
{
	struct words_list *list = &c->list[CONTEXT_RUNS];

	const struct runs *runs = c->offered.runs;

	list->at.len = 0;
	for (size_t i = 0; runs && i < runs->list.len; i++)
		vec_push(&list->at, runs->list.at[i]->name);
	if (list->at.len)
		qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	return list;
}

static void add_aliases(const struct candidates *c, struct words_list *list)
{
	const struct aliases *aliases = c->offered.aliases;

	for (size_t i = 0; i < aliases->list.len; i++)
		vec_push(&list->at, aliases->list.at[i].name);
}

/* Commands and aliases, or these alone. */
static struct words_list *list_with_aliases(struct candidates *c, enum context context)
{
	struct words_list *list = &c->list[context];

	list->at.len = 0;
	if (context == CONTEXT_COMMANDS)
		add_commands(c, list);
	add_aliases(c, list);
	if (list->at.len)
		qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	return list;
}

static void add_settings(struct words_list *list)
{
	for (enum setting s = 0; s < N_SETTINGS; s++)
		vec_push(&list->at, setting_names[s]);
}

/* Those that were there when they were first asked for. */
static void add_themes(struct candidates *c, struct words_list *list)
{
	struct theme_files files;

	vec_push(&list->at, THEME_AUTO);
	for (int i = 0; i < N_SHIPPED_THEMES; i++)
		vec_push(&list->at, shipped_themes[i].name);
	theme_files_list(&files);
	for (size_t i = 0; i < files.names.len; i++)
		vec_push(&list->at, arena_copy(&c->mem, files.names.at[i],
		                               strlen(files.names.at[i])));
	theme_files_release(&files);
}

/* The words that an option or a setting takes one of. */
static struct words_list *list_words(struct candidates *c, const char *const *words)
{
	struct words_list *list = &c->list[CONTEXT_WORDS];

	list->at.len = 0;
	for (size_t i = 0; words[i]; i++)
		vec_push(&list->at, words[i]);
	qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	return list;
}

static struct words_list *list_of(struct candidates *c, enum context context)
{
	struct words_list *list = &c->list[context];
	bool is_program = c->offered.program;
	size_t kept = 0;

	if (context == CONTEXT_FILTERS)
		return list_filters(c);
	if (context == CONTEXT_RUNS && !is_program)
		return list_runs(c);
	if (context == CONTEXT_COMMANDS || context == CONTEXT_ALIASES)
		return list_with_aliases(c, context);
	if (list->made)
		return list;
	list->made = true;
	if (context == CONTEXT_TENSORS)
		(is_program ? add_program_tensors : add_tensors)(c, list);
	else if (context == CONTEXT_NODES)
		(is_program ? add_program_nodes : add_nodes)(c, list);
	else if (context == CONTEXT_STEPS || context == CONTEXT_RUNS)
		add_steps(c, list);
	else if (context == CONTEXT_GRAPHS)
		add_graphs(c, list);
	else if (context == CONTEXT_SETTINGS)
		add_settings(list);
	else if (context == CONTEXT_THEMES)
		add_themes(c, list);
	if (list->at.len)
		qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	for (size_t i = 0; i < list->at.len; i++)
		if (!kept || strcmp(list->at.at[kept - 1], list->at.at[i]))
			list->at.at[kept++] = list->at.at[i];
	list->at.len = kept;
	return list;
}

static const struct cmd *command_of(const char *word, size_t len)
{
	char name[32];

	if (len >= sizeof name)
		return NULL;
	memcpy(name, word, len);
	name[len] = '\0';
	return cmd_find(name);
}

/* Does text[0..len) end with this word and blanks? */
static bool ends_with_word(const char *text, size_t len, const char *word)
{
	size_t word_len = strlen(word);

	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return len > word_len && !memcmp(text + len - word_len, word, word_len) &&
	       (text[len - word_len - 1] == ' ' || text[len - word_len - 1] == '\t');
}

/* The same behind an option that all commands about recorded programs share. */
static enum context program_context_of(const char *text, size_t len)
{
	static const struct {
		const char *after;
		enum context context;
	} contexts[] = {
		{ "-f", CONTEXT_FILTERS }, { "--tensor_filter", CONTEXT_FILTERS },
		{ "-g", CONTEXT_GRAPHS }, { "--graph", CONTEXT_GRAPHS },
		{ "--step", CONTEXT_STEPS }, { "--at-step", CONTEXT_STEPS },
	};

	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++)
		if (ends_with_word(text, len, contexts[i].after))
			return contexts[i].context;
	return CONTEXT_NOTHING;
}

/* What may follow text[0..len), which begins with its command. */
static enum context context_of(const char *text, size_t len)
{
	static const struct {
		const char *name, *after;
		enum context context;
	} contexts[] = {
		{ "config", "get", CONTEXT_SETTINGS },
		{ "config", "set", CONTEXT_SETTINGS },
		{ "config", "theme", CONTEXT_THEMES },
		{ "filter", "show", CONTEXT_FILTERS },
		{ "filter", "remove", CONTEXT_FILTERS },
		{ "grid", NULL, CONTEXT_TENSORS },
		{ "list_inputs", NULL, CONTEXT_NODES },
		{ "list_outputs", NULL, CONTEXT_NODES },
		{ "list_tensors", "-f", CONTEXT_FILTERS },
		{ "list_tensors", "--tensor_filter", CONTEXT_FILTERS },
		{ "node_info", NULL, CONTEXT_NODES },
		{ "picture", NULL, CONTEXT_TENSORS },
		{ "print_tensor", NULL, CONTEXT_TENSORS },
		{ "run", "-f", CONTEXT_FILTERS },
		{ "run", "--till_filter_pass", CONTEXT_FILTERS },
		{ "run", "--to", CONTEXT_RUNS },
		{ "run_info", NULL, CONTEXT_RUNS },
		{ "runs", "-f", CONTEXT_FILTERS },
		{ "unalias", NULL, CONTEXT_ALIASES },
	};
	const struct cmd *cmd = command_of(text, strcspn(text, " \t"));

	for (size_t i = 0; cmd && i < sizeof contexts / sizeof *contexts; i++)
		if (!strcmp(cmd->name, contexts[i].name) &&
		    (!contexts[i].after || ends_with_word(text, len, contexts[i].after)))
			return contexts[i].context;
	return CONTEXT_NOTHING;
}

/* The words that the setting at the end of text[0..len) takes; NULL: there is none, or no such. */
static const char *const *setting_words_of(const char *text, size_t len)
{
	const struct cmd *cmd = command_of(text, strcspn(text, " \t"));

	for (enum setting s = 0; cmd && !strcmp(cmd->name, "config") && s < N_SETTINGS; s++)
		if (ends_with_word(text, len, setting_names[s]))
			return config_words(s);
	return NULL;
}

/* Words in quotes or not. */
static size_t count_words(const char *text, size_t len)
{
	size_t n = 0;

	for (size_t at = 0; at < len; n++) {
		char end = text[at] == '"' || text[at] == '\'' ? text[at] : ' ';

		at++;
		while (at < len && text[at] != end && !(end == ' ' && text[at] == '\t'))
			at++;
		at += at < len && end != ' ';
		while (at < len && (text[at] == ' ' || text[at] == '\t'))
			at++;
	}
	return n;
}

/* Those of the positional that may follow text[0..len), whose words are no options. */
static const char *const *positional_words_of(const char *text, size_t len)
{
	const struct cmd *cmd = command_of(text, strcspn(text, " \t"));
	size_t n = count_words(text, len);

	return cmd && n && n - 1 < cmd->n_pos ? cmd->pos_words[n - 1] : NULL;
}

/* The option at the end of text[0..len), if it takes one of a few words; NULL: there is none. */
static const struct opt *option_of(const char *text, size_t len)
{
	const struct cmd *cmd = command_of(text, strcspn(text, " \t"));
	char name[40];

	for (size_t i = 0; cmd && i < cmd->n_opts; i++) {
		snprintf(name, sizeof name, "--%s", cmd->opts[i].name);
		if (cmd->opts[i].words && ends_with_word(text, len, name))
			return &cmd->opts[i];
	}
	return NULL;
}

/*
 * The first candidate not before the prefix; with after, the first beyond those that begin with it.
 */
static size_t bound(const struct words_list *list, const char *prefix, size_t len, bool after)
{
	size_t low = 0, high = list->at.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = strncmp(list->at.at[mid], prefix, len);

		if (order < 0 || (after && order == 0))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct completed_word candidates_word(const struct candidates *c, const char *line, size_t cursor)
{
	size_t begin = strspn(line, " \t"), at = cursor;
	struct completed_word word = { .context = CONTEXT_NOTHING };

	if (begin > cursor)
		begin = cursor;
	while (at > begin && line[at - 1] != ' ' && line[at - 1] != '\t')
		at--;
	word.opt = option_of(line + begin, at - begin);
	if (at == begin)
		word.context = CONTEXT_COMMANDS;
	else if (c->offered.program)
		word.context = program_context_of(line + begin, at - begin);
	if (word.context == CONTEXT_NOTHING)
		word.context = context_of(line + begin, at - begin);
	word.words = word.opt ? word.opt->words : setting_words_of(line + begin, at - begin);
	if (!word.words)
		word.words = positional_words_of(line + begin, at - begin);
	if (word.words)
		word.context = CONTEXT_WORDS;
	for (size_t i = at; word.opt && i < cursor; i++)
		at = line[i] == ',' ? i + 1 : at;
	word.begin = at;
	return word;
}

const struct words_list *candidates_list(struct candidates *c, const struct completed_word *word)
{
	return word->words ? list_words(c, word->words) : list_of(c, word->context);
}

const struct offered *candidates_offered(const struct candidates *c)
{
	return &c->offered;
}

void candidates_complete(struct candidates *c, const char *line, size_t cursor, size_t max,
                         struct completion *out)
{
	struct completed_word word = candidates_word(c, line, cursor);
	const struct words_list *list = candidates_list(c, &word);
	const char *prefix = line + word.begin;
	size_t low, high, common = 0;

	out->word_begin = word.begin;
	low = bound(list, prefix, cursor - word.begin, false);
	high = bound(list, prefix, cursor - word.begin, true);
	out->n = high - low;
	if (!out->n)
		return;
	while (list->at.at[low][common] &&
	       list->at.at[low][common] == list->at.at[high - 1][common])
		common++;
	str_put(&out->common, list->at.at[low], common);
	for (size_t i = low; i < high && i - low < max; i++)
		vec_push(&out->first, list->at.at[i]);
}
