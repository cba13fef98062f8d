#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut_names.h"
#include "cmds/lang/format.h"
#include "cmds/program/tensor_cells.h"
#include "dump/base/utf8.h"

enum { SIZE_COLUMNS = 8, HEALTH_COLUMNS = 15, TENSORS_MEASURED = 10000 };

/* Widths are found without reading records, from what the program has in memory. */

static int wider(int width, const char *text)
{
	int own = (int)utf8_columns(text, strlen(text));

	return own > width ? own : width;
}

enum { W_TIME, W_STEP, W_DUMP, W_OP, W_TENSOR, W_DEVICE, N_WIDTHS };
static const int measured[N_WIDTHS] = {
	[W_TIME] = COL_time_us, [W_STEP] = COL_step, [W_DUMP] = COL_dump, [W_OP] = COL_op,
	[W_TENSOR] = COL_tensor, [W_DEVICE] = COL_device,
};

/* Widens columns for one row. */
static void widen_by_row(struct table *table, uint64_t row, int *width)
{
	for (size_t i = 0; i < N_WIDTHS; i++) {
		const struct col *col = table_col(table, measured[i]);

		width[i] = wider(width[i], str_text(table_text(table, row, col, true)));
	}
}

/* Widens columns for all rows at once: each name that rows repeat is measured once. */
static void widen_by_all(const struct tensor_rows *r, int *width)
{
	const struct program *program = r->program;
	struct str text = {0};
	uint32_t dump = 0;

	for (size_t i = 0; i < program->traces.len; i++)
		dump = program->traces.at[i].dump > dump ? program->traces.at[i].dump : dump;
	for (size_t i = 0; i < program->keys.len; i++) {
		const struct program_key *key = &program->keys.at[i];
		const struct program_node *node = &program->nodes.at[key->node];

		str_reset(&text);
		str_fmt(&text, "%s:%" PRId32, node->name, key->slot);
		width[W_TENSOR] = wider(width[W_TENSOR], text.text);
		width[W_DEVICE] = wider(width[W_DEVICE], key->device);
		if (node->op != PROGRAM_NONE)
			width[W_OP] = wider(width[W_OP], program->ops.at[node->op].type);
	}
	for (uint32_t i = 0; i < program->steps.len; i++) {
		const struct program_step *step = &program->steps.at[i];

		str_reset(&text);
		str_fmt(&text, "%s#%" PRIu32 ":?%" PRIu32, step->op, i, program_step_rows(step));
		width[W_TENSOR] = wider(width[W_TENSOR], text.text);
		if (!r->for_screen || !step->is_function)
			width[W_OP] = wider(width[W_OP], step->op);
	}
	str_reset(&text);
	str_fmt(&text, "%" PRIu32, dump);
	width[W_DUMP] = wider(width[W_DUMP], text.text);
	str_release(&text);
}

/*
 * Those of --health: the record of a row is read when it shows, so they have widths that do for
 * most; what has been read whole may make them wider.
 */
static const struct { int id, columns; } health_cols[] = {
	{ COL_bad, 13 }, { COL_dtype, 8 }, { COL_shape, 8 }, { COL_min, SHORT_COLUMNS },
	{ COL_max, SHORT_COLUMNS }, { COL_spark, VITALS_BINS },
};

static void widen_by_vitals(const struct tensor_rows *r, struct table *table)
{
	struct col *bad = table_col(table, COL_bad), *dtype = table_col(table, COL_dtype);
	struct col *shape = table_col(table, COL_shape);
	struct str text = {0};

	for (uint64_t row = 0; row < table->n_rows; row++) {
		const struct vitals *v = tensor_vitals_at(r, table_source_row(table, row));

		if (!v)
			continue;
		str_reset(&text);
		vitals_put_bad(&text, v);
		bad->width = -wider(-bad->width, text.text);
		str_reset(&text);
		vitals_put_shape(&text, v);
		shape->width = -wider(-shape->width, text.text);
		dtype->width = -wider(-dtype->width, v->type->name);
	}
	str_release(&text);
}

/* Cuts names if otherwise there is no room for the column of health. */
static void fit(struct table *table, size_t cols)
{
	struct col *name = table_col(table, COL_tensor);
	size_t taken = HEALTH_COLUMNS, room;

	for (size_t i = 0; i < table->n_cols; i++) {
		const struct col *col = &table->cols[i];

		if (col->heading && col != name && col->id != COL_health)
			taken += (size_t)abs(col->width) + table->gap;
	}
	taken += table->gap;
	room = cols > taken + CUT_LEAST ? cols - taken : CUT_LEAST;
	if ((size_t)abs(name->width) <= room)
		return;
	name->width = -(int)room;
	if (table->n_rows > TENSORS_MEASURED)
		table->name_width = room;
	else
		table_cut_names(table, room);
}

void tensor_rows_measure(struct table *table, size_t cols)
{
	const struct tensor_rows *r = table->context;
	int width[N_WIDTHS] = {0};
	bool many = table->n_rows > TENSORS_MEASURED;

	if (many)
		widen_by_all(r, width);
	for (uint64_t row = 0; row < table->n_rows && !many; row++)
		widen_by_row(table, row, width);
	if (many) {              /* times and steps grow from row to row */
		widen_by_row(table, 0, width);
		widen_by_row(table, table->n_rows - 1, width);
	}
	for (size_t i = 0; i < N_WIDTHS; i++) {
		struct col *col = table_col(table, measured[i]);
		bool is_number = i == W_STEP || i == W_DUMP;

		col->width = col->heading ? wider(width[i], col->heading) : width[i];
		col->width = is_number ? col->width : -col->width;
	}
	table_col(table, COL_size)->width = SIZE_COLUMNS;
	for (size_t i = 0; i < sizeof health_cols / sizeof *health_cols; i++)
		table_col(table, health_cols[i].id)->width = -health_cols[i].columns;
	if (r->with_health)
		widen_by_vitals(r, table);
	table_col(table, COL_strip)->width = -(TENSOR_STRIP_SIGNS + (int)strlen("[]"));
	if (cols && !table->chosen)
		fit(table, cols);
}
