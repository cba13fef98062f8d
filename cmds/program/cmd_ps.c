/*
 * A source file of a recorded program, with what its lines made: the steps that they started and
 * the ops that they created, or the tensors of both.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source_page.h"
#include "cmds/lang/words.h"
#include "cmds/program/choose.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/source_files.h"
#include "dump/base/mem.h"
#include "dump/base/vec.h"

enum { HOST = N_SOURCE_PAGE_OPTS };

static const struct opt options[] = {
	SOURCE_PAGE_OPTS,
	[HOST] = { OPT_WORD, NULL, "host", "the host, where several have a file of that path" },
};

static const struct pos positionals[] = { SOURCE_PATH_POS };

/* An element's number is that of a step, of an op, or of the trace that its link shows. */
enum { STEPS, OPS, OUTPUTS, TRACES };
static const char *const shown[] = { [STEPS] = "step(s)", [OPS] = "op(s)" };
static const char *const shown_tensors[] = {
	[STEPS] = NULL, [OPS] = NULL, [OUTPUTS] = "tensor(s)", [TRACES] = "tensor(s)",
};

/* Which file is asked for. */
struct asked {
	const struct program *program;
	const char *path;        /* normalised */
	uint32_t *file_of;       /* by source: 0 if it is of the file, else NO_FILE */
	uint32_t source;         /* the first one with lines, else the first */
};

/* Made while a page is put together. */
struct making {
	const struct program *program;
	struct source_page *page;
	struct arena *mem;       /* for texts */
	bool *passes;            /* by stack: does it have a frame in the file? */
};

/* Finding the file. */

static const char *host_typed(const struct call *call)
{
	const char *host = call->args.opt[HOST].word;

	return host && *host ? host : NULL;
}

/* Hosts of sources with this path (MAP_NONE: any), each once: their number and names. */
static size_t hosts_of(const struct program *program, const struct source_paths *paths, uint32_t id,
                       struct arena *mem, struct str *names)
{
	struct map hosts = {0};
	size_t n;

	for (size_t i = 0; i < program->sources.len; i++) {
		const char *host = program->sources.at[i].host;
		size_t known = hosts.len;

		if (id != MAP_NONE && paths->of_file[i] != id)
			continue;
		map_add(&hosts, mem, host, strlen(host));
		if (hosts.len > known)
			str_fmt(names, "%s%s", known ? ", " : "", host);
	}
	n = hosts.len;
	map_release(&hosts);
	return n;
}

/* The paths of a host's sources, or of all (NULL). */
static void read_paths(struct call *call, const char *host, struct source_paths *paths)
{
	const struct program *program = call->shell->program;
	size_t n = program->sources.len;
	const char **files = mem_alloc((n + 1) * sizeof *files);

	for (size_t i = 0; i < n; i++)
		if (!host || !strcmp(program->sources.at[i].host, host))
			files[i] = program->sources.at[i].path;
	source_paths_init(paths, "", files, n, call->mem);
	free(files);
}

static void take_sources(struct asked *asked, const struct source_paths *paths, uint32_t id)
{
	const struct program *program = asked->program;

	asked->source = PROGRAM_NONE;
	asked->file_of = mem_alloc((program->sources.len + 1) * sizeof *asked->file_of);
	for (uint32_t i = 0; i < program->sources.len; i++) {
		bool is_asked = paths->of_file[i] == id;

		asked->file_of[i] = is_asked ? 0 : NO_FILE;
		if (is_asked && (asked->source == PROGRAM_NONE ||
		                 (!program->sources.at[asked->source].n_lines &&
		                  program->sources.at[i].n_lines)))
			asked->source = i;
	}
}

/* False: the answer says why. */
static bool find(struct call *call, const struct source_paths *paths, struct asked *asked)
{
	const char *typed = call->args.pos[0];
	struct str names = {0};
	uint32_t id;
	size_t fits = source_paths_find(paths, "", typed, call->mem, &id, &asked->path), hosts;

	hosts = hosts_of(asked->program, paths, id, call->mem, &names);
	if (fits > 1)
		source_put_choice(call, paths, typed, fits);
	else if (!fits && host_typed(call) && !paths->paths.len)
		call_error(call, "ERROR: There is no host \"%s\": %s.", host_typed(call),
		           str_text(&names));
	else if (!fits)
		source_put_unknown(call, paths, typed);
	else
		take_sources(asked, paths, id);
	if (fits == 1 && hosts > 1)
		call_error(call, "ERROR: %zu hosts have %s; --host HOST says which: %s.", hosts,
		           asked->program->sources.at[asked->source].path, names.text);
	str_release(&names);
	return fits == 1 && hosts == 1;
}

/* Its lines. */

struct taking {
	struct source_page *page;
	struct arena *mem;
};

static bool take_line(void *owner, uint32_t line, const char *text, size_t len)
{
	const struct taking *t = owner;

	(void)line;
	vec_push(&t->page->lines, ((struct source_line){ arena_copy(t->mem, text, len), len }));
	return true;
}

/* False: the answer says why. */
static bool read_lines(struct call *call, const struct asked *asked, struct source_page *page)
{
	const struct program_source *source = &asked->program->sources.at[asked->source];
	struct program_reads reads = { .program = asked->program };
	struct taking taking = { page, doc_mem(call->out) };
	struct err err = {0};
	const char *text;
	size_t len;

	if (!source->n_lines) {
		if (source_mapped(call->shell, asked->path, taking.mem, &text, &len))
			source_page_cut(page, text, len);
		else
			source_put_missing(call, asked->path, source->path);
		return page->lines.len;
	}
	if (!program_source_lines(&reads, asked->source, 0, take_line, &taking, &err))
		call_error(call, "ERROR: %s", err.msg);
	program_reads_release(&reads);
	return !err.code;
}

/* What they made. */

static bool *passing(const struct program *program, const struct source_place *places)
{
	bool *passes = mem_alloc((program->stacks.len + 1) * sizeof *passes);

	for (size_t i = 0; i < program->stacks.len; i++) {
		const struct program_stack *stack = &program->stacks.at[i];

		for (uint32_t k = 0; k < stack->n_frames && !passes[i]; k++)
			passes[i] = places[program->stack_frames.at[stack->first + k]].file !=
			            NO_FILE;
	}
	return passes;
}

static void add(struct making *m, uint32_t stack, uint32_t kind, uint32_t what, const char *text,
                uint32_t flagged)
{
	const struct program_stack *s = &m->program->stacks.at[stack];

	vec_push(&m->page->elements,
	         ((struct source_element){ text, vec_from(&m->program->stack_frames, s->first),
	                                   s->n_frames, kind, what, flagged }));
}

static void add_steps(struct making *m)
{
	const struct program *program = m->program;
	struct str text = {0};

	for (uint32_t i = 0; i < program->steps.len; i++) {
		const struct program_step *step = &program->steps.at[i];

		if (!m->passes[step->stack])
			continue;
		str_reset(&text);
		str_fmt(&text, "%s#%" PRIu32, step->op, i);
		add(m, step->stack, STEPS, i, arena_copy(m->mem, text.text, text.len),
		    outputs_of_step(program, i).flagged);
	}
	str_release(&text);
}

static void add_outputs(struct making *m)
{
	const struct program *program = m->program;
	struct str text = {0};

	for (uint32_t i = 0; i < program->steps.len; i++) {
		uint32_t stack = program->steps.at[i].stack, n;

		n = m->passes[stack] ? program_step_rows(&program->steps.at[i]) : 0;
		for (uint32_t row = 0; row < n; row++) {
			struct program_tensor t = { PROGRAM_NONE, i, row };

			str_reset(&text);
			program_put_name(program, &t, &text);
			add(m, stack, OUTPUTS, i, arena_copy(m->mem, text.text, text.len),
			    program_bad(program, &t) == PROGRAM_BAD);
		}
	}
	str_release(&text);
}

/* The node of an op, or of a trace. */
static uint32_t node_of(const struct program *program, const struct source_element *e)
{
	return e->kind == OPS ? program->ops.at[e->what].node
	                      : program->keys.at[program->traces.at[e->what].key].node;
}

/* By name, then by node. */
static int by_text(const void *a, const void *b, void *program)
{
	const struct source_element *x = a, *y = b;
	uint32_t of_x, of_y;
	int order = strcmp(x->text, y->text);

	if (order)
		return order;
	of_x = node_of(program, x);
	of_y = node_of(program, y);
	order = (of_x > of_y) - (of_x < of_y);
	return order ? order : (x->what > y->what) - (x->what < y->what);
}

static void sort_from(struct making *m, size_t first)
{
	struct source_page *page = m->page;

	if (page->elements.len > first)
		qsort_r(page->elements.at + first, page->elements.len - first,
		        sizeof *page->elements.at, by_text, (void *)m->program);
}

static void add_ops(struct making *m)
{
	const struct program *program = m->program;
	struct n_tensors *tensors = traces_of_nodes(program);
	size_t first = m->page->elements.len;

	for (uint32_t i = 0; i < program->ops.len; i++) {
		const struct program_op *op = &program->ops.at[i];

		if (m->passes[op->stack])
			add(m, op->stack, OPS, i, program->nodes.at[op->node].name,
			    tensors[op->node].flagged);
	}
	sort_from(m, first);
	free(tensors);
}

/* Makes one element of a tensor that is traced on several devices. */
static void merge_devices(const struct program *program, struct source_page *page, size_t first)
{
	struct source_element *at = page->elements.at;
	size_t n = first;

	for (size_t i = first; i < page->elements.len; i++) {
		struct source_element *last = n > first ? &at[n - 1] : NULL;

		if (!last || strcmp(last->text, at[i].text) != 0 ||
		    node_of(program, last) != node_of(program, &at[i])) {
			at[n++] = at[i];
			continue;
		}
		if (!last->count)
			last->what = at[i].what;
		last->count += at[i].count;
	}
	page->elements.len = n;
}

/* An element for each traced output; its trace is the first with NaN or Inf, else the first. */
static void add_traces(struct making *m)
{
	const struct program *program = m->program;
	struct { uint32_t trace, flagged; } *of = mem_alloc((program->keys.len + 1) * sizeof *of);
	size_t first = m->page->elements.len;
	struct str text = {0};

	for (uint32_t i = (uint32_t)program->traces.len; i-- > 0;) {
		const struct program_trace *t = &program->traces.at[i];
		bool is_bad = t->bad == PROGRAM_BAD;

		if (is_bad || !of[t->key].flagged)
			of[t->key].trace = i + 1;
		of[t->key].flagged += is_bad;
	}
	for (size_t i = 0; i < program->keys.len; i++) {
		const struct program_key *key = &program->keys.at[i];
		const struct program_node *node = &program->nodes.at[key->node];

		if (!of[i].trace || node->op == PROGRAM_NONE ||
		    !m->passes[program->ops.at[node->op].stack])
			continue;
		str_reset(&text);
		str_fmt(&text, "%s:%" PRId32, node->name, key->slot);
		add(m, program->ops.at[node->op].stack, TRACES, of[i].trace - 1,
		    arena_copy(m->mem, text.text, text.len), of[i].flagged);
	}
	sort_from(m, first);
	merge_devices(program, m->page, first);
	str_release(&text);
	free(of);
}

/* Showing them. */

static bool shows_again(const struct source_page *page, const struct source_element *e)
{
	const struct source_element *first = page->elements.at, *end = first + page->elements.len;

	return (e > first && e[-1].kind == e->kind && !strcmp(e[-1].text, e->text)) ||
	       (e + 1 < end && e[1].kind == e->kind && !strcmp(e[1].text, e->text));
}

static void put_command(const struct program *program, const struct source_element *e,
                        struct str *out)
{
	switch (e->kind) {
	case STEPS:
		words_put_with(out, "ni", e->text);
		break;
	case OPS:
		words_put_with(out, "ni -d", e->text);
		str_fmt(out, " -g %s",
		        program->graphs.at[program->nodes.at[node_of(program, e)].graph].id);
		break;
	case OUTPUTS:
		words_put_with(out, "pt", e->text);
		break;
	default:
		str_fmt(out, "pt --trace %" PRIu32, e->what);
	}
}

/* "Log  cross_entropy  !2": the graph, if several have it; how many tensors have NaN or Inf. */
static void put_element(struct call *call, const struct source_page *page,
                        const struct source_element *e)
{
	const struct program *program = page->owner;
	struct str text = {0};

	put_command(program, e, &text);
	doc_link(call->out, ROLE_PLAIN, e->text, "%s", text.text);
	if ((e->kind == OPS || e->kind == TRACES) && shows_again(page, e)) {
		str_reset(&text);
		put_graph_path(&text, program, program->nodes.at[node_of(program, e)].graph);
		doc_put(call->out, ROLE_PLAIN, "  %s", str_text(&text));
	}
	source_put_count(call, e->count);
	str_release(&text);
}

static void put_list(const struct source_page *page, size_t line, const char *key,
                     uint32_t first_kind, uint32_t last_kind, struct data *data)
{
	size_t n;
	const uint32_t *at = source_page_made(page, line, &n);

	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < n; i++) {
		const struct source_element *e = &page->elements.at[at[i]];

		if (e->kind < first_kind || e->kind > last_kind)
			continue;
		if (e->kind == STEPS)
			data_uint(data, e->what);
		else
			data_str(data, e->text);
	}
	data_end(data);
}

static void put_keys(const struct source_page *page, size_t line, struct data *data)
{
	const struct source_line *l = &page->lines.at[line - 1];
	uint64_t flagged = 0;
	size_t n;
	const uint32_t *at = source_page_made(page, line, &n);

	for (size_t i = 0; i < n; i++)
		if (page->elements.at[at[i]].kind <= OPS)
			flagged += page->elements.at[at[i]].count;
	data_key(data, "line");
	data_uint(data, line);
	data_key(data, "text");
	data_text(data, l->text, l->len);
	put_list(page, line, "nodes", OPS, OPS, data);
	put_list(page, line, "steps", STEPS, STEPS, data);
	data_key(data, "flagged");
	data_uint(data, flagged);
	if (page->of_tensors)
		put_list(page, line, "tensors", OUTPUTS, TRACES, data);
}

static void annotate(struct call *call, const struct asked *asked, struct source_page *page)
{
	struct source_place *places = frame_places(asked->program, asked->file_of);
	struct making m = { .program = asked->program, .page = page,
	                    .mem = doc_mem(call->out),
	                    .passes = passing(asked->program, places) };

	page->of_tensors = call->args.opt[PAGE_TENSORS].given;
	page->kinds = page->of_tensors ? shown_tensors : shown;
	add_steps(&m);
	add_ops(&m);
	if (page->of_tensors) {
		add_outputs(&m);
		add_traces(&m);
	}
	source_page_put(call, page, places, 0);
	free(m.passes);
	free(places);
}

static void ps_exec(struct call *call)
{
	struct asked asked = { .program = call->shell->program };
	struct source_page *page;
	struct source_paths paths;

	read_paths(call, host_typed(call), &paths);
	if (find(call, &paths, &asked) && need_scan(call)) {
		page = source_page_new(call->out);
		page->owner = asked.program;
		page->once = page->adds_up = true;
		page->host = host_typed(call);
		page->put = put_element;
		page->put_keys = put_keys;
		if (read_lines(call, &asked, page))
			annotate(call, &asked, page);
		if (!call->failed)
			put_unscanned(call);
	}
	free(asked.file_of);
	source_paths_release(&paths);
}

const struct cmd cmd_ps_program = {
	.name = "print_source", .alias = "ps",
	.summary = "A source file, with the ops and steps that its lines made", OPTS(options),
	POSITIONALS(positionals), .names = LINK_SOURCE, .of_program = true, .exec = ps_exec,
};
