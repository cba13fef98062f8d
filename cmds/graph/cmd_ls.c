#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/data.h"
#include "cmds/doc/menu.h"
#include "cmds/graph/source.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/words.h"
#include "dump/base/utf8.h"

enum { PATH, NODE_NAME };

static const struct opt options[] = {
	[PATH] = { OPT_WORD, "p", "path_filter",
	           "keep files whose absolute path matches from its start" },
	[NODE_NAME] = { OPT_WORD, "n", "node_name_filter",
	                "count only nodes whose name matches from its start" },
};

/* What a source file made. */
struct tally {
	bool shown;
	uint32_t first_line;     /* the lowest line in the stacks of counted nodes */
	size_t last;             /* node counted last, from 1 */
	uint64_t nodes, tensors, dumps;
};

static const char *filter_text(const struct call *call, int option)
{
	const char *text = call->args.opt[option].word;

	return text && *text ? text : NULL;
}

/* NULL without the option; also with call->err. */
static struct pattern *filter_of(struct call *call, int option)
{
	const char *text = filter_text(call, option);

	return text && !call->err.code ? pattern_new(text, PATTERN_MATCH, false, &call->err) : NULL;
}

static bool fits(struct call *call, struct pattern *pattern, const char *text)
{
	bool hit = !pattern || pattern_hits(pattern, text, strlen(text), 0, NULL, NULL);

	if (pattern && pattern_gave_up(pattern) && !call->err.code)
		err_fill(&call->err, ERR_LIMIT, "command", 0,
		         "the regular expression takes too long on \"%.100s\": "
		         "give it fewer ways to match", text);
	return hit;
}

/* Counts dumps of the tensors that the stacks list as outputs of the node. */
static uint64_t dumps_of(const struct run *run, const struct stack_node *node)
{
	uint32_t id = map_find(&run->nodes, node->name, strlen(node->name));
	const uint32_t *at = NULL;
	size_t n = 0;
	uint64_t dumps = 0;

	if (id != MAP_NONE)
		at = run_node_tensors(run, id, &n);
	for (size_t i = 0; i < n; i++)
		dumps += run->tensors.at[at[i]].slot < node->outputs;
	return dumps;
}

static void count_node(struct call *call, const struct source_paths *paths, size_t i,
                       struct tally *tallies)
{
	const struct stacks *stacks = call->shell->stacks;
	const struct stack_node *node = &stacks->nodes.at[i];
	uint64_t dumps = dumps_of(call->shell->run, node);

	for (uint32_t k = 0; k < node->n_frames; k++) {
		const struct stack_frame *frame = stacks_frame(stacks, node, k);
		struct tally *t = &tallies[paths->of_file[frame->file]];

		if (!t->nodes || frame->line < t->first_line)
			t->first_line = frame->line;
		if (t->last == i + 1)
			continue;
		t->last = i + 1;
		t->nodes++;
		t->tensors += node->outputs;
		t->dumps += dumps;
	}
}

#define STEP_EVERY 1024

static bool count_all(struct call *call, const struct source_paths *paths, struct tally *tallies)
{
	const struct stacks *stacks = call->shell->stacks;
	struct pattern *path = filter_of(call, PATH), *name = filter_of(call, NODE_NAME);

	for (uint32_t i = 0; i < paths->paths.len && !call->err.code; i++)
		tallies[i].shown = fits(call, path, paths->paths.key[i]);
	for (size_t i = 0; i < stacks->nodes.len && !call->err.code; i++) {
		if (!(i % STEP_EVERY) && !progress_step(call->progress, i, stacks->nodes.len))
			err_fill(&call->err, ERR_CANCELLED, "command", 0,
			         "stopped after %zu of %zu nodes", i, stacks->nodes.len);
		else if (fits(call, name, stacks->nodes.at[i].name))
			count_node(call, paths, i, tallies);
	}
	pattern_free(path);
	pattern_free(name);
	return !call->err.code;
}

/* Rows of one of the two tables, positions in the paths. */
struct table {
	enum role role;
	const char *title;
	VEC(uint32_t) rows;
};

static int by_path(const void *a, const void *b, void *paths)
{
	const char **key = paths;

	return strcmp(key[*(const uint32_t *)a], key[*(const uint32_t *)b]);
}

/* text padded to the column; the padding belongs to the cell. */
static void put_cell(struct doc *doc, enum role role, const char *text, size_t width)
{
	struct str cell = {0};
	size_t columns = utf8_columns(text, strlen(text));

	str_puts(&cell, text);
	str_fill(&cell, ' ', width > columns ? width - columns : 0);
	doc_put_text(doc, role, cell.text, cell.len);
	str_release(&cell);
}

static void put_number(struct doc *doc, enum role role, uint64_t number, size_t width)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, number);
	put_cell(doc, role, text, width);
}

static void put_path(struct doc *doc, enum role role, const char *path, uint32_t line)
{
	if (path_has_link(path)) {
		struct str word = {0};

		words_put(&word, path);
		doc_link(doc, role, path, "ps %s -b %" PRIu32, word.text, line);
		str_release(&word);
	} else {
		doc_put(doc, role, "%s", path);
	}
}

enum { N_COLUMNS = 4 };
static const char *const heads[N_COLUMNS] = { "Source file path", "#(nodes)", "#(tensors)",
                                              "#(tensor dumps)" };

static void widen(size_t *width, size_t columns)
{
	if (*width < columns + 1)
		*width = columns + 1;
}

static size_t digits_of(uint64_t number)
{
	size_t n = 1;

	while (number /= 10)
		n++;
	return n;
}

/* Each column is one wider than its widest cell; the last one has no width. */
static void measure(const struct table *table, const char *const *paths,
                    const struct tally *tallies, size_t *width)
{
	for (int i = 0; i < N_COLUMNS - 1; i++)
		width[i] = strlen(heads[i]) + 1;
	width[N_COLUMNS - 1] = 0;
	for (size_t i = 0; i < table->rows.len; i++) {
		const char *path = paths[table->rows.at[i]];
		const struct tally *t = &tallies[table->rows.at[i]];

		widen(&width[0], utf8_columns(path, strlen(path)));
		widen(&width[1], digits_of(t->nodes));
		widen(&width[2], digits_of(t->tensors));
	}
}

static void put_table(struct doc *doc, struct table *table, const char **paths,
                      const struct tally *tallies)
{
	size_t width[N_COLUMNS];

	doc_line_put(doc, table->role, "%s", table->title);
	if (!table->rows.len) {
		doc_line_put(doc, ROLE_PLAIN, "[No files.]");
		return;
	}
	qsort_r(table->rows.at, table->rows.len, sizeof *table->rows.at, by_path, paths);
	measure(table, paths, tallies, width);
	for (int i = 0; i < N_COLUMNS; i++)
		put_cell(doc, table->role, heads[i], width[i]);
	doc_newline(doc);
	for (size_t i = 0; i < table->rows.len; i++) {
		const char *path = paths[table->rows.at[i]];
		const struct tally *t = &tallies[table->rows.at[i]];

		put_path(doc, table->role, path, t->first_line);
		put_cell(doc, ROLE_PLAIN, "", width[0] - utf8_columns(path, strlen(path)));
		put_number(doc, table->role, t->nodes, width[1]);
		put_number(doc, table->role, t->tensors, width[2]);
		put_number(doc, table->role, t->dumps, width[3]);
		doc_newline(doc);
	}
}

/* The rows of both tables for a typed answer, owned by the document. */
struct typed_row {
	const char *path;
	bool library;
	struct tally made;
};

struct typed {
	struct typed_row *at;
	size_t n;
};

static bool typed_put_data(void *context, struct data *data, struct progress *progress,
                           struct err *err)
{
	const struct typed *typed = context;

	(void)progress, (void)err;
	data_rows(data, "path,library,nodes,tensors,dumps,line");
	for (size_t i = 0; i < typed->n; i++) {
		const struct typed_row *row = &typed->at[i];

		data_object(data);
		data_key(data, "path");
		data_str(data, row->path);
		data_key(data, "library");
		data_bool(data, row->library);
		data_key(data, "nodes");
		data_uint(data, row->made.nodes);
		data_key(data, "tensors");
		data_uint(data, row->made.tensors);
		data_key(data, "dumps");
		data_uint(data, row->made.dumps);
		data_key(data, "line");
		data_uint(data, row->made.first_line);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void add_typed(struct doc *doc, const struct table *table, const char *const *paths,
                      const struct tally *tallies, struct typed *typed)
{
	for (size_t i = 0; i < table->rows.len; i++) {
		const char *path = paths[table->rows.at[i]];

		typed->at[typed->n++] = (struct typed_row){
			arena_copy(doc_mem(doc), path, strlen(path)), table->role == ROLE_LIBRARY,
			tallies[table->rows.at[i]]
		};
	}
}

static void put_typed(struct doc *doc, const struct table *own, const struct table *library,
                      const char *const *paths, const struct tally *tallies)
{
	struct typed *typed = arena_alloc(doc_mem(doc), sizeof *typed);

	typed->at = arena_alloc(doc_mem(doc),
	                        (own->rows.len + library->rows.len) * sizeof *typed->at);
	add_typed(doc, own, paths, tallies, typed);
	add_typed(doc, library, paths, tallies, typed);
	doc_typed(doc, DATA_ROWS, typed_put_data, typed);
}

static void put_tables(struct call *call, const struct source_paths *paths,
                       const struct tally *tallies)
{
	struct table own = { .role = ROLE_OWN,
	                     .title = "File(s) outside TensorFlow Python library:" };
	struct table library = { .role = ROLE_LIBRARY,
	                         .title = "TensorFlow Python library file(s):" };

	for (uint32_t i = 0; i < paths->paths.len; i++) {
		if (!tallies[i].shown || !tallies[i].nodes)
			continue;
		if (path_is_library(call->shell->stacks, paths->paths.key[i]))
			vec_push(&library.rows, i);
		else
			vec_push(&own.rows, i);
	}
	if (!own.rows.len && !library.rows.len) {
		doc_line_put(call->out, ROLE_PLAIN, "[No source file information.]");
	} else {
		put_table(call->out, &own, paths->paths.key, tallies);
		doc_newline(call->out);
		put_table(call->out, &library, paths->paths.key, tallies);
		doc_newline(call->out);
		menu_put(call->out, NULL, MENU_NONE);
	}
	put_typed(call->out, &own, &library, (const char *const *)paths->paths.key, tallies);
	vec_release(&own.rows);
	vec_release(&library.rows);
}

static void put_heading(struct call *call)
{
	doc_line_put(call->out, ROLE_STRONG, "List of source files that created nodes in this run");
	if (filter_text(call, PATH))
		doc_line_put(call->out, ROLE_PLAIN, "File path regex filter: \"%s\"",
		             filter_text(call, PATH));
	if (filter_text(call, NODE_NAME))
		doc_line_put(call->out, ROLE_PLAIN, "Node name regex filter: \"%s\"",
		             filter_text(call, NODE_NAME));
	doc_newline(call->out);
}

static void ls_exec(struct call *call)
{
	struct source_paths paths;
	struct tally *tallies;

	if (!need_stacks(call, "generate source list"))
		return;
	source_paths_init(&paths, call->shell->stacks, call->mem);
	tallies = mem_alloc(paths.paths.len * sizeof *tallies);
	if (count_all(call, &paths, tallies)) {
		put_heading(call);
		put_tables(call, &paths, tallies);
	}
	free(tallies);
	source_paths_release(&paths);
}

const struct cmd cmd_ls = {
	.name = "list_source", .alias = "ls",
	.summary = "Source files that made the nodes of this run", OPTS(options), .exec = ls_exec,
};
