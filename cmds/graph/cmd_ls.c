#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source_list.h"
#include "cmds/lang/words.h"
#include "cmds/session/position.h"
#include "dump/base/path.h"

static const struct opt options[] = { SOURCE_LIST_OPTS, TABLE_OPTS };

enum { NODES, TENSORS, DUMPS };

#define FILE_COLUMNS(COL) \
	COL(path, "Source file path", TEXT, 0, 1, cell_str(cell, row->path)) \
	COL(nodes, "#(nodes)", COUNT, 0, 3, cell->whole = (int64_t)row->count[NODES]) \
	COL(tensors, "#(tensors)", COUNT, 0, 4, cell->whole = (int64_t)row->count[TENSORS]) \
	COL(dumps, "#(tensor dumps)", COUNT, 0, 5, cell->whole = (int64_t)row->count[DUMPS]) \
	COL(library, NULL, FLAG, 0, 2, cell->whole = row->library) \
	COL(line, NULL, COUNT, 0, 6, cell->whole = row->line)

enum { FILE_COLUMNS(COL_ID) };
static const struct col file_cols[] = { FILE_COLUMNS(COL_ROW) };

static const struct sort_word file_words[] = { { "", { RISES(library), RISES(path) } }, { 0 } };
static const struct table_sorts file_sorts = { .words = file_words };

static void get_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct source_list *list = context;
	const struct source_row *row = &list->rows.at[at];

	switch (id) {
	FILE_COLUMNS(COL_CASE)
	}
}

static void put_link(const struct source_list *list, const struct source_row *row, struct str *out)
{
	(void)list;
	words_put_with(out, "ps", row->path);
	str_fmt(out, " -b %" PRIu32, row->line);
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

#define STEP_EVERY 1024

static bool count_nodes(struct call *call, struct pattern *names, const struct source_place *places,
                        struct source_list *list)
{
	const struct stacks *stacks = call->shell->stacks;

	for (size_t i = 0; i < stacks->nodes.len && !call->err.code; i++) {
		const struct stack_node *node = &stacks->nodes.at[i];
		uint64_t count[SOURCE_COUNTS] = { [NODES] = 1, [TENSORS] = node->outputs };

		if (!(i % STEP_EVERY) && !progress_step(call->progress, i, stacks->nodes.len)) {
			err_fill(&call->err, ERR_CANCELLED, "command", 0,
			         "stopped after %zu of %zu nodes", i, stacks->nodes.len);
		} else if (source_fits(call, names, node->name)) {
			count[DUMPS] = dumps_of(call->shell->run, node);
			source_list_count(list, places, stacks->stack.at + node->first,
			                  node->n_frames, count);
		}
	}
	return !call->err.code;
}

/* The framework whose recording it is has its library among those that the creation stacks name. */
static const char *library_of(const struct shell *shell)
{
	static const struct { const char *root, *library; } frameworks[] = {
		{ "/torch", "PyTorch Python library" }, { "/jax", "JAX Python library" },
		{ "/numpy", "NumPy Python library" },
	};
	const struct stacks *stacks = shell->stacks;

	if (!shell_has_arrays(shell))
		return "TensorFlow Python library";
	for (size_t f = 0; f < sizeof frameworks / sizeof *frameworks; f++)
		for (size_t i = 0; i < stacks->library_roots.len; i++)
			if (text_ends(stacks->library_roots.at[i], frameworks[f].root))
				return frameworks[f].library;
	return "Python library";
}

static void list_files(struct call *call, const struct source_paths *paths)
{
	const struct stacks *stacks = call->shell->stacks;
	struct source_list *list = source_list_new(call->out, NULL);
	struct table *table = TABLE_OF(call->out, file_cols, get_cell, list);
	struct source_place *places = source_paths_places(paths, stacks);
	struct pattern *names;

	list->link = put_link;
	list->library = library_of(call->shell);
	for (uint32_t i = 0; i < paths->paths.len; i++)
		source_list_add(list, paths->paths.key[i],
		                path_is_library(stacks, paths->paths.key[i]));
	table->name = COL_path;
	table->sorts = &file_sorts;
	if (source_list_filter(call, list, &names) && count_nodes(call, names, places, list))
		source_list_put(call, list, table,
		                shell_has_arrays(call->shell)
		                ? "List of source files that created tensors in this run"
		                : "List of source files that created nodes in this run");
	pattern_free(names);
	free(places);
}

static void ls_exec(struct call *call)
{
	const struct stacks *stacks;
	struct source_paths paths;

	if (!need_stacks(call, "generate source list"))
		return;
	stacks = call->shell->stacks;
	source_paths_init(&paths, stacks->cwd, stacks->files.at, stacks->files.len,
	                  doc_mem(call->out));
	list_files(call, &paths);
	source_paths_release(&paths);
	call_note_unread(call);
}

const struct cmd cmd_ls = {
	.name = "list_source", .alias = "ls",
	.summary = "Source files that made the nodes of this run", OPTS(options), .exec = ls_exec,
};
