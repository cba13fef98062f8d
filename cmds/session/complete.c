#include "cmds/session/complete.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"

enum context {
	CONTEXT_COMMANDS, CONTEXT_WORDS, CONTEXT_TENSORS, CONTEXT_NODES, CONTEXT_FILTERS,
	CONTEXT_RUNS, CONTEXT_NOTHING, N_CONTEXTS
};

/* Sorted, without repeats; made when first asked for. */
struct words_list {
	VEC(const char *) at;
	bool made;
};

struct candidates {
	const struct run *run;
	const struct filters *filters;
	const struct runs *runs;
	enum registry_of what;
	struct words_list list[N_CONTEXTS];
	struct arena mem;
};

struct candidates *candidates_new(const struct run *run, const struct filters *filters,
                                  const struct runs *runs, enum registry_of what)
{
	struct candidates *c = mem_alloc(sizeof *c);

	c->run = run;
	c->filters = filters;
	c->runs = runs;
	c->what = what;
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
		const struct cmd *cmd = registry_of(i, c->what);

		if (!cmd || !strcmp(cmd->name, "version"))
			continue;
		vec_push(&list->at, cmd->name);
		if (cmd->alias)
			vec_push(&list->at, cmd->alias);
	}
}

static void add_tensors(struct candidates *c, struct words_list *list)
{
	struct str name = {0};

	for (size_t i = 0; c->run && i < c->run->tensors.len; i++) {
		const struct tensor *t = &c->run->tensors.at[i];

		if (t->number)
			continue;
		str_reset(&name);
		str_fmt(&name, "%s:%" PRIu32, t->node, t->slot);
		vec_push(&list->at, arena_copy(&c->mem, name.text, name.len));
	}
	str_release(&name);
}

static void add_nodes(struct candidates *c, struct words_list *list)
{
	for (size_t d = 0; c->run && d < c->run->devices.len; d++) {
		const struct graph *graph = c->run->devices.at[d].graph;

		for (uint32_t i = 0; graph && i < graph_len(graph); i++)
			vec_push(&list->at, graph_name(graph, i));
	}
}

/* Filters and runs change: their lists are made anew each time. */
static struct words_list *list_filters(struct candidates *c)
{
	struct words_list *list = &c->list[CONTEXT_FILTERS];

	list->at.len = 0;
	for (size_t i = 0; i < c->filters->list.len; i++)
		vec_push(&list->at, c->filters->list.at[i].name);
	return list;
}

static struct words_list *list_runs(struct candidates *c)
{
	struct words_list *list = &c->list[CONTEXT_RUNS];

	list->at.len = 0;
	for (size_t i = 0; c->runs && i < c->runs->list.len; i++)
		vec_push(&list->at, c->runs->list.at[i]->name);
	if (list->at.len)
		qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	return list;
}

/* The words of an option that takes one of a few. */
static struct words_list *list_words(struct candidates *c, const struct opt *opt)
{
	struct words_list *list = &c->list[CONTEXT_WORDS];

	list->at.len = 0;
	for (size_t i = 0; opt->words[i]; i++)
		vec_push(&list->at, opt->words[i]);
	qsort(list->at.at, list->at.len, sizeof *list->at.at, texts_order);
	return list;
}

static struct words_list *list_of(struct candidates *c, enum context context)
{
	struct words_list *list = &c->list[context];
	size_t kept = 0;

	if (context == CONTEXT_FILTERS)
		return list_filters(c);
	if (context == CONTEXT_RUNS)
		return list_runs(c);
	if (list->made)
		return list;
	list->made = true;
	if (context == CONTEXT_COMMANDS)
		add_commands(c, list);
	else if (context == CONTEXT_TENSORS)
		add_tensors(c, list);
	else if (context == CONTEXT_NODES)
		add_nodes(c, list);
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

/* What may follow text[0..len), which begins with its command. */
static enum context context_of(const char *text, size_t len)
{
	static const struct {
		const char *name, *after;
		enum context context;
	} contexts[] = {
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
	};
	const struct cmd *cmd = command_of(text, strcspn(text, " \t"));

	for (size_t i = 0; cmd && i < sizeof contexts / sizeof *contexts; i++)
		if (!strcmp(cmd->name, contexts[i].name) &&
		    (!contexts[i].after || ends_with_word(text, len, contexts[i].after)))
			return contexts[i].context;
	return CONTEXT_NOTHING;
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

void candidates_complete(struct candidates *c, const char *line, size_t cursor, size_t max,
                         struct completion *out)
{
	size_t begin = strspn(line, " \t"), at = cursor, low, high, common = 0;
	struct words_list *list;
	const struct opt *opt;
	const char *prefix;

	if (begin > cursor)
		begin = cursor;
	while (at > begin && line[at - 1] != ' ' && line[at - 1] != '\t')
		at--;
	opt = option_of(line + begin, at - begin);
	list = opt           ? list_words(c, opt)
	       : at == begin ? list_of(c, CONTEXT_COMMANDS)
	                     : list_of(c, context_of(line + begin, at - begin));
	for (size_t i = at; opt && i < cursor; i++)
		at = line[i] == ',' ? i + 1 : at;
	prefix = line + at;
	out->word_begin = at;
	low = bound(list, prefix, cursor - at, false);
	high = bound(list, prefix, cursor - at, true);
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
