#include "cmds/program/choose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/python.h"
#include "cmds/program/graph_names.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"
#include "dump/base/vec.h"

enum { LISTED_MAX = 20 };

/* Of tensors that are read before an answer shows: what a second is enough for. */
#define SCREEN_SCAN_BYTES ((uint64_t)256 << 20)

bool choose_step(struct call *call, const struct opt_value *opt, uint32_t *step)
{
	const struct program *program = call->shell->program;

	if (opt->given && (opt->number < 0 || opt->number >= (int64_t)program->steps.len)) {
		call_error(call, "ERROR: There is no step #%" PRId64 ": there are %zu.",
		           opt->number, program->steps.len);
		return false;
	}
	*step = opt->given ? (uint32_t)opt->number : call->shell->program_step;
	if (*step == PROGRAM_NONE)
		call_error(call, "ERROR: No step is open. \"run\" goes to the first function step, "
		                 "\"run --to N\" to step N.");
	return *step != PROGRAM_NONE;
}

/* "graph train_step (1f2e3d4c)" */
static void put_graph(struct str *out, const struct program *program, uint32_t graph)
{
	const struct program_graph *g = &program->graphs.at[graph];

	if (*g->name)
		str_fmt(out, "%s ", g->name);
	str_fmt(out, *g->name ? "(%.8s)" : "%.8s", g->id);
}

bool choose_graph(struct call *call, const char *word, uint32_t *graph)
{
	const struct program *program = call->shell->program;
	uint32_t found[LISTED_MAX];
	struct str text = {0};
	size_t n;

	*graph = PROGRAM_NONE;
	if (!word || !*word)
		return true;
	n = program_find_graphs(program, word, found, LISTED_MAX);
	if (n == 1) {
		*graph = found[0];
		return true;
	}
	if (!n) {
		call_error(call, "ERROR: There is no graph \"%s\": \"lg\" lists them.", word);
		return false;
	}
	for (size_t i = 0; i < n && i < LISTED_MAX; i++)
		str_fmt(&text, "%s%.8s", i ? ", " : "", program->graphs.at[found[i]].id);
	call_error(call, "ERROR: %zu graphs are \"%s\": %s%s.", n, word, text.text,
	           n > LISTED_MAX ? " ..." : "");
	str_release(&text);
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts texts and keeps each once, in place. */
static void each_once(const char **texts, size_t *n)
{
	size_t kept = 0;

	qsort(texts, *n, sizeof *texts, by_text);
	for (size_t i = 0; i < *n; i++)
		if (!i || strcmp(texts[i], texts[kept - 1]) != 0)
			texts[kept++] = texts[i];
	*n = kept;
}

const char **program_hosts(const struct program *program, struct arena *mem, size_t *n)
{
	const char **hosts = arena_alloc(mem, (program->sets.len + 1) * sizeof *hosts);

	*n = program->sets.len;
	for (size_t i = 0; i < *n; i++)
		hosts[i] = program->sets.at[i].host;
	each_once(hosts, n);
	return hosts;
}

const char **program_device_names(const struct program *program, struct arena *mem, size_t *n)
{
	size_t most = program->devices.len + program->keys.len;
	const char **names = arena_alloc(mem, (most + 1) * sizeof *names);

	*n = 0;
	for (size_t i = 0; i < program->devices.len; i++)
		names[(*n)++] = program->devices.at[i].name;
	for (size_t i = 0; i < program->keys.len; i++)
		if (*program->keys.at[i].device)
			names[(*n)++] = program->keys.at[i].device;
	each_once(names, n);
	return names;
}

static bool is_known(struct call *call, const char *word, bool device)
{
	const struct program *program = call->shell->program;
	struct str text = {0};
	bool is = false;
	size_t n;
	const char **names = device ? program_device_names(program, call->mem, &n)
	                            : program_hosts(program, call->mem, &n);

	for (size_t i = 0; i < n && !is; i++) {
		is = device ? strstr(names[i], word) != NULL : !strcmp(names[i], word);
		str_fmt(&text, "%s%s", i ? ", " : "", names[i]);
	}
	if (!is)
		call_error(call, "ERROR: There is no %s \"%s\", only: %s",
		           device ? "device" : "host", word, text.len ? text.text : "none");
	str_release(&text);
	return is;
}

bool choose_whereabouts(struct call *call, const char *host, const char *device,
                        struct whereabouts *out)
{
	*out = (struct whereabouts){ host && *host ? host : NULL,
	                             device && *device ? device : NULL };
	return (!out->host || is_known(call, out->host, false)) &&
	       (!out->device || is_known(call, out->device, true));
}

static bool set_is_there(const struct program *program, const struct whereabouts *there,
                         uint16_t set)
{
	return !there->host || !strcmp(program->sets.at[set].host, there->host);
}

static bool device_is_there(const struct whereabouts *there, const char *device)
{
	return !there->device || (device && strstr(device, there->device));
}

bool tensor_is_there(const struct program *program, const struct whereabouts *there,
                     const struct program_tensor *tensor)
{
	return set_is_there(program, there, program_where(program, tensor).set) &&
	       device_is_there(there, tensor_device(program, tensor));
}

bool step_is_there(const struct program *program, const struct whereabouts *there, uint32_t step)
{
	const struct program_step *s = &program->steps.at[step];
	const int64_t *ids = vec_from(&program->ids,
	                              s->first_id + s->n_input_ids + s->n_output_ids);
	bool on_device = !there->device;

	for (uint32_t i = 0; i < s->n_device_ids && !on_device; i++)
		on_device = device_is_there(there, program_device_name(program, s->at.set, ids[i]));
	return on_device && set_is_there(program, there, s->at.set);
}

bool step_name_read(const struct program *program, const char *word, struct step_name *out)
{
	const char *hash = strrchr(word, '#'), *colon;
	const struct program_step *step;
	int64_t number;
	size_t len;

	if (!hash)
		return false;
	colon = strchr(hash, ':');
	*out = (struct step_name){ .slot = -1, .is_row = colon && colon[1] == '?' };
	len = colon ? (size_t)(colon - hash) - 1 : strlen(hash + 1);
	if (!python_digits(hash + 1, len, &number) || number >= (int64_t)program->steps.len)
		return false;
	out->step = (uint32_t)number;
	step = &program->steps.at[out->step];
	if (hash != word && (strlen(step->op) != (size_t)(hash - word) ||
	                     memcmp(step->op, word, (size_t)(hash - word)) != 0))
		return false;
	if (!colon)
		return true;
	colon += 1 + out->is_row;
	return python_digits(colon, strlen(colon), &out->slot);
}

/* Splits ":slot" off, -1 if there is none; returns the length of the name. */
static size_t cut_slot(const char *word, int64_t *slot)
{
	const char *colon = strrchr(word, ':');

	*slot = -1;
	if (colon && python_digits(colon + 1, strlen(colon + 1), slot))
		return (size_t)(colon - word);
	return strlen(word);
}

/* If some nodes are in the step's own graph or one inside it, drops the others. */
static size_t keep_own(const struct program *program, uint32_t step, uint32_t *nodes, size_t n)
{
	uint32_t graph = step == PROGRAM_NONE ? PROGRAM_NONE : program->steps.at[step].graph;
	size_t kept = 0;

	for (size_t i = 0; graph != PROGRAM_NONE && i < n; i++)
		if (program_is_within(program, program->nodes.at[nodes[i]].graph, graph))
			nodes[kept++] = nodes[i];
	return kept ? kept : n;
}

static void list_nodes(struct call *call, const char *word, const uint32_t *nodes, size_t n)
{
	const struct program *program = call->shell->program;
	struct str text = {0};

	for (size_t i = 0; i < n && i < LISTED_MAX; i++) {
		str_puts(&text, i ? ", " : "");
		put_graph(&text, program, program->nodes.at[nodes[i]].graph);
	}
	call_error(call, "ERROR: %zu graphs have \"%s\"; -g GRAPH says which: %s%s.", n, word,
	           text.text, n > LISTED_MAX ? " ..." : "");
	str_release(&text);
}

/* Says which nodes have names near this one. */
static void suggest_nodes(struct call *call, const char *word, size_t len)
{
	const struct program *program = call->shell->program;
	struct suggest suggest = { .word = arena_copy(call->mem, word, len) };

	for (size_t i = 0; i < program->nodes.len; i++)
		suggest_try(&suggest, program->nodes.at[i].name);
	suggest_say(call, &suggest);
}

bool choose_node(struct call *call, const char *word, const char *graph_word, uint32_t step,
                 uint32_t *node, int64_t *slot)
{
	const struct program *program = call->shell->program;
	size_t len = cut_slot(word, slot), n;
	uint32_t graph, *found;

	if (!choose_graph(call, graph_word, &graph))
		return false;
	if (graph != PROGRAM_NONE) {
		*node = program_find_node(program, graph, word, len);
		if (*node != PROGRAM_NONE)
			return true;
		call_error(call, "ERROR: There is no node \"%.*s\" in the graph %s.", (int)len,
		           word, graph_word);
		suggest_nodes(call, word, len);
		return false;
	}
	n = program_find_nodes(program, word, len, NULL, 0);
	found = mem_alloc((n + 1) * sizeof *found);
	n = program_find_nodes(program, word, len, found, n);
	n = keep_own(program, step, found, n);
	*node = n ? found[0] : PROGRAM_NONE;
	if (n > 1)
		list_nodes(call, word, found, n);
	if (!n) {
		call_error(call, "ERROR: There is no node named \"%.*s\" in the graphs of this "
		                 "program.", (int)len, word);
		suggest_nodes(call, word, len);
	}
	free(found);
	return n == 1;
}

bool need_scan(struct call *call)
{
	struct program *program = call->shell->program;
	uint64_t most = call->on_screen ? SCREEN_SCAN_BYTES : UINT64_MAX;

	if (program->n_unscanned && !program_scan(program, most, call->progress, &call->err)) {
		if (!call->on_screen || call->err.code != ERR_CANCELLED)
			return false;
		/* That was the wish: the answer itself is still wanted. */
		call->err = (struct err){0};
		atomic_store(&call->progress->cancel, false);
	}
	warn_unread(call);
	return true;
}

void warn_unread(struct call *call)
{
	const struct program_unread *unread = &call->shell->program->unread;
	struct str text = {0};

	if (!unread->tensors)
		return;
	str_fmt(&text, "%" PRIu64 " tensor%s could not be read to look for NaN and Inf%s: ",
	        unread->tensors, plural(unread->tensors),
	        unread->tensors > 1 ? ", the first at " : "");
	err_put(&text, unread->first.src, &unread->first);
	call_warn(call, text.text);
	str_release(&text);
}

void put_unscanned(struct call *call)
{
	const struct program *program = call->shell->program;

	if (!program->n_unscanned)
		return;
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " of %" PRIu64 " tensors were not looked at "
	             "yet: the same line again goes on.", program->n_unscanned,
	             program->n_tensors);
}

const char *program_window(const struct program *program)
{
	if (!program->steps.len || program->lacks)
		return NULL;
	if (program->keeps_all)
		return "complete";
	if (program->n_passes)
		return "cut";
	for (size_t i = 0; i < program->steps.len; i++)
		if (program->steps.at[i].is_cut)
			return "cut";
	return "complete";
}

bool program_lacks_beginning(const struct program *program)
{
	bool lacks = !program->keeps_all && program->n_passes > program->n_open_passes;

	for (size_t i = 0; i < program->steps.len && !lacks; i++)
		lacks = program->steps.at[i].is_cut;
	return lacks && program_window(program);
}

void put_modes(const struct program *program, struct str *out)
{
	str_fmt(out, "(mode%s ", plural(program->modes.len));
	for (size_t i = 0; i < program->modes.len; i++) {
		str_puts(out, i ? ", " : "");
		put_mode_name(out, program->modes.at[i]);
	}
	str_puts(out, program_lacks_beginning(program)
	                      ? "; what is first here is the first retained)"
	                      : ")");
}
