#include "cmds/program/frame_list.h"

#include <inttypes.h>

#include "cmds/graph/source_list.h"
#include "cmds/program/listed.h"
#include "cmds/program/source_files.h"

static const struct program_source *source_of(const struct program *program,
                                              const struct program_frame *f)
{
	return f->source == PROGRAM_NONE ? NULL : &program->sources.at[f->source];
}

static void put_where(struct cell *cell, const struct program *program,
                      const struct program_frame *f)
{
	if (frame_is_elsewhere(program, f))
		put_unknown_file(&cell->text, f->file_index);
	else
		str_puts(&cell->text, program->sources.at[f->source].path);
	str_fmt(&cell->text, ":%" PRId64, f->line);
}

/* uses: of each of program->frames */
#define FRAME_COLUMNS(COL) \
	COL(nodes, "Nodes", COUNT, 0, 8, cell->whole = use->n_ops) \
	COL(executions, "Steps", COUNT, 0, 9, cell->whole = use->n_steps) \
	COL(function, "Function", TEXT, 0, 7, cell_or_null(cell, f->function)) \
	COL(where, "File and line", TEXT, 0, 0, put_where(cell, l->program, f)) \
	COL(frame, NULL, TEXT, 0, 1, cell_str(cell, f->id)) \
	COL(set, NULL, COUNT, 0, 2, cell->whole = f->at.set) \
	COL(host, NULL, TEXT, 0, 3, cell_or_null(cell, source ? source->host : NULL)) \
	COL(path, NULL, TEXT, 0, 4, cell_or_null(cell, source ? source->path : NULL)) \
	COL(file_index, NULL, COUNT, 0, 5, cell->whole = f->file_index) \
	COL(line, NULL, COUNT, 0, 6, cell->whole = f->line)

enum { FRAME_COLUMNS(COL_ID) };
static const struct col frame_cols[] = { FRAME_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	const struct listed *l = context;
	const struct program_frame *f = &l->program->frames.at[l->rows.at[row]];
	const struct program_source *source = source_of(l->program, f);
	const struct program_frame_use *use =
		&((const struct program_frame_use *)l->owner)[l->rows.at[row]];

	switch (id) {
	FRAME_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct listed *l = context;
	const struct program_frame *f = &l->program->frames.at[l->rows.at[row]];

	if (!frame_is_elsewhere(l->program, f))
		put_source_link(out, l->program, f->source, f->line);
}

static void take_rows(struct call *call, struct listed *l, const char *path_pattern)
{
	const struct program *program = l->program;
	struct pattern *path = NULL;

	if (path_pattern && *path_pattern &&
	    !(path = pattern_new(path_pattern, PATTERN_MATCH, false, &call->err)))
		return;
	for (size_t i = 0; i < program->frame_order.len && !call->err.code; i++) {
		uint32_t frame = program->frame_order.at[i];
		const struct program_source *source =
			source_of(program, &program->frames.at[frame]);

		if (!path || (source && source_fits(call, path, source->path)))
			vec_push(&l->rows, frame);
	}
	pattern_free(path);
}

void frame_list_put(struct call *call, const char *path_pattern)
{
	struct listed *l = listed_new(call);
	const struct program *program = l->program;
	struct program_frame_use *uses = arena_alloc(
		doc_mem(call->out), (program->frames.len + 1) * sizeof *uses);
	struct table *table = TABLE_OF(call->out, frame_cols, get_cell, l);

	take_rows(call, l, path_pattern);
	if (call->err.code)
		return;
	program_frame_uses(program, uses);
	l->owner = uses;
	table->link = put_link;
	table->n_rows = l->rows.len;
	table_put_counted(call, table, COL_where, "stack frame(s)");
}
