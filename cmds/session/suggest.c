/*
 * The distance is the smallest number of letters inserted, deleted, replaced or swapped with a
 * neighbour, ignoring case. Only columns of the table that can still lead to a near match are
 * computed.
 */
#include "cmds/session/suggest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "cmds/lang/registry.h"
#include "dump/model/stacks.h"

enum { LONGEST = 200, FAR = 1000, BELOW = 1 };

/* One line. If there is one already, a screen skips the new one; elsewhere it is appended. */
static void __attribute__((format(printf, 2, 3))) hint(struct call *call, const char *fmt, ...)
{
	struct str *out = call->shell->on_screen ? call->toast : call->complaint;
	va_list args;

	if (out->len && call->shell->on_screen)
		return;
	if (out->len)
		str_putc(out, '\n');
	va_start(args, fmt);
	str_vfmt(out, fmt, args);
	va_end(args);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* FAR if it is more than limit. */
static unsigned distance(const char *a, const char *b, unsigned limit)
{
	size_t n = strlen(a), m = strlen(b);
	unsigned rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];

	if (n > LONGEST || m > LONGEST || (n > m ? n - m : m - n) > limit)
		return FAR;
	for (size_t k = 0; k <= m; k++)
		last[k] = (unsigned)k;
	for (size_t i = 1; i <= n; i++) {
		unsigned nearest = now[0] = (unsigned)i, *spare = before;

		for (size_t k = 1; k <= m; k++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[k - 1]);

			now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (x != y));
			if (i > 1 && k > 1 && x == tolower((unsigned char)b[k - 2]) &&
			    tolower((unsigned char)a[i - 2]) == y)
				now[k] = least(now[k], before[k - 2] + 1);
			nearest = least(nearest, now[k]);
		}
		if (nearest > limit)
			return FAR;
		before = last;
		last = now;
		now = spare;
	}
	return last[m] <= limit ? last[m] : FAR;
}

static unsigned limit_of(size_t len)
{
	return len < 2 ? 0 : len < 5 ? 1 : len < 20 ? 2 : 3;
}

static unsigned how_far(const char *word, const char *name)
{
	size_t len = strlen(word), name_len = strlen(name);

	if (len < name_len && len && name[name_len - len - 1] == '/' &&
	    !strcmp(name + name_len - len, word))
		return 0;
	if (len < name_len && len && name[len] == '/' && !memcmp(name, word, len))
		return BELOW;
	return distance(word, name, limit_of(len));
}

void suggest_try(struct suggest *s, const char *name)
{
	unsigned far = how_far(s->word, name);
	size_t at = s->n;

	if (!strcmp(s->word, name) || far == FAR ||
	    (at == SUGGESTED_MAX && far >= s->best[at - 1].distance))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->best[i].name, name))
			return;
	at = at == SUGGESTED_MAX ? at - 1 : s->n++;
	for (; at > 0 && s->best[at - 1].distance > far; at--)
		s->best[at] = s->best[at - 1];
	s->best[at].name = name;
	s->best[at].distance = far;
}

/* A difference only in case, or in the path before the name, leaves no doubt. */
bool suggest_put(const struct suggest *s, struct str *out)
{
	size_t n = s->n;

	while (n && !s->best[0].distance && s->best[n - 1].distance)
		n--;
	for (size_t i = 0; i < n; i++)
		str_fmt(out, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", s->best[i].name);
	return n;
}

bool suggest_say(struct call *call, const struct suggest *s)
{
	struct str names = {0};
	bool any = suggest_put(s, &names);

	if (any)
		hint(call, "%s: did you mean %s?", s->word, names.text);
	str_release(&names);
	return any;
}

void suggest_command(struct call *call, const char *word)
{
	struct suggest s = { .word = word };

	for (size_t i = 0; i < registry_len(); i++) {
		const struct cmd *cmd = registry_of(i, session_kind(call->shell));

		if (!cmd)
			continue;
		suggest_try(&s, cmd->name);
		if (cmd->alias)
			suggest_try(&s, cmd->alias);
	}
	suggest_say(call, &s);
}

void suggest_filter(struct call *call, const char *word)
{
	const struct filters *filters = &call->shell->filters;
	size_t max = filters->list.len + N_PROGRAM_FILTERS, n;
	const struct named_filter **shown = arena_alloc(call->mem, max * sizeof *shown);
	struct suggest s = { .word = word };

	n = filters_all_shown(filters, call->shell->programs, shown);
	for (size_t i = 0; i < n; i++)
		suggest_try(&s, shown[i]->name);
	suggest_say(call, &s);
}

bool suggest_in_graphs(struct call *call, struct graph *const *graphs, size_t n, const char *word)
{
	struct suggest s = { .word = word };

	for (size_t i = 0; i < n; i++)
		for (uint32_t node = 0; graphs[i] && node < graph_len(graphs[i]); node++)
			suggest_try(&s, graph_name(graphs[i], node));
	return suggest_say(call, &s);
}

/* For a node of the program that is in no graph: says where the program made it. */
static bool tell_pruned(struct call *call, const char *word)
{
	const struct stacks *stacks = call->shell->stacks;

	if (!stacks || !stacks_find(stacks, word))
		return false;
	hint(call, "%s: the program has it, but no graph that ran: it was pruned or fused",
	          word);
	return true;
}

void suggest_node(struct call *call, const char *word)
{
	const struct run *run = call->shell->run;
	struct node_ref elsewhere;
	struct suggest s = { .word = word };

	if (run && run_find_node(run, word, strlen(word), -1, &elsewhere, 1))
		return;                  /* another device has it */
	if (tell_pruned(call, word))
		return;
	for (size_t i = 0; run && i < run->devices.len; i++) {
		const struct graph *graph = run->devices.at[i].graph;

		for (uint32_t node = 0; graph && node < graph_len(graph); node++)
			suggest_try(&s, graph_name(graph, node));
	}
	if (!suggest_say(call, &s) && call->shell->has_dump && !call->shell->on_screen)
		hint(call, "%s: nodes that nothing fetched needed, and those fused into "
		          "others, are in no graph of a dump", word);
}

void suggest_tensor(struct call *call, const char *word)
{
	const struct run *run = call->shell->run;
	struct suggest s = { .word = word };
	const char *last = NULL;

	if (tell_pruned(call, word))
		return;
	for (size_t i = 0; run && i < run->tensors.len; i++) {
		const char *node = run->tensors.at[i].node;

		if (node != last)
			suggest_try(&s, node);
		last = node;
	}
	if (s.n || !run_has_graph(run))
		suggest_say(call, &s);
	else
		suggest_node(call, word);
}
