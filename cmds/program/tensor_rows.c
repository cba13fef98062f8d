#include "cmds/program/tensor_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut_names.h"
#include "cmds/lang/words.h"
#include "cmds/program/listed.h"
#include "cmds/program/occurrences.h"
#include "cmds/program/tensor_cells.h"
#include "dump/base/mem.h"

static void rows_free(void *what)
{
	struct tensor_rows *rows = what;

	program_reads_release(&rows->reads);
	vec_release(&rows->rows);
	occurrences_free(rows->occurrences);
	row_vitals_free(rows->vitals);
	free(rows);
}

struct tensor_rows *tensor_rows_new(struct doc *doc, const struct program *program, uint32_t of)
{
	struct tensor_rows *rows = mem_alloc(sizeof *rows);

	rows->program = rows->reads.program = program;
	rows->of = of;
	doc_keep(doc, rows_free, rows);
	return rows;
}

/* Going from one occurrence of a tensor to another. */

static const struct doc_key to_occurrences[] = {
	{ DOC_KEY_PAIR(']', 'i'), .help = "next occurrence of the tensor in its step",
	  .hint_keys = "]i", .hint = "occurrence", .way = KEY_GOES, .n = 1 },
	{ DOC_KEY_PAIR('[', 'i'), .help = "previous occurrence", .way = KEY_GOES, .n = -1 },
};
const struct doc_keys occurrences_keys = { "In lists of a step's tensors",
                                           DOC_KEYS(to_occurrences) };

static struct program_tensor tensor_of_row(const struct tensor_rows *rows, uint64_t row)
{
	return program_tensor(rows->program, rows->of, rows->rows.at[row]);
}

/* The shown row of a trace; false: it is not in the list. */
static bool find_row(const struct tensor_rows *rows, uint32_t trace, uint64_t *row)
{
	for (*row = 0; *row < rows->table->n_rows; ++*row)
		if (tensor_of_row(rows, table_source_row(rows->table, *row)).trace == trace)
			return true;
	return false;
}

static bool put_occurrence_row(void *context, const struct doc_at *at, struct str *out)
{
	const struct tensor_rows *rows = context;
	struct program_tensor tensor;
	const uint32_t *traces;
	uint64_t row;
	int64_t to;
	size_t n;

	if (!at->in_body)
		return false;
	tensor = tensor_of_row(rows, table_source_row(rows->table, at->row));
	if (tensor.trace == PROGRAM_NONE) {
		str_puts(out, "An output of a step occurs once");
		return false;
	}
	traces = occurrences_of(rows->occurrences, tensor.trace, &n);
	to = (int64_t)rows->program->traces.at[tensor.trace].dump + at->n;
	if (to < 0 || to >= (int64_t)n)
		str_fmt(out, "No more: it occurs %zu time%s in this step", n, plural(n));
	else if (!find_row(rows, traces[to], &row))
		str_puts(out, "That occurrence is not in this list");
	else
		str_fmt(out, "%" PRIu64, row);
	return out->text[0] >= '0' && out->text[0] <= '9';
}

void tensor_rows_for_screen(struct doc *doc, struct tensor_rows *rows)
{
	rows->for_screen = true;
	if (rows->of != PROGRAM_NONE)
		rows->occurrences = occurrences_new(rows->program, rows->of);
	if (rows->occurrences)
		doc_bring_keys(doc, &occurrences_keys, put_occurrence_row, rows);
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct tensor_rows *rows = context;
	struct program_tensor tensor = tensor_of_row(rows, row);

	tensor_put_link(rows->program, &tensor, out);
}

static const struct err *fault_of(void *context)
{
	const struct tensor_rows *rows = context;

	return rows->err.code ? &rows->err : NULL;
}

static bool is_bad(void *context, uint64_t row)
{
	const struct tensor_rows *rows = context;
	struct program_tensor tensor = tensor_of_row(rows, row);

	return program_bad(rows->program, &tensor) == PROGRAM_BAD;
}

static enum row_sign sign_of(void *table, uint64_t row, bool look)
{
	const struct tensor_rows *rows = table_context(table);
	struct program_tensor tensor = tensor_of_row(rows, table_source_row(table, row));

	(void)look;
	return tensor_sign(rows->program, &tensor);
}

static const struct doc_signs row_signs = { .of = sign_of };

static enum role role_of(void *context, uint64_t row, int id)
{
	return (id == COL_health || id == COL_bad) && is_bad(context, row) ? ROLE_BAD : ROLE_PLAIN;
}

/* Were tensors of several devices recorded? */
static bool has_devices(const struct program *program)
{
	const char *first = NULL;

	for (size_t i = 0; i < program->keys.len; i++) {
		const char *device = program->keys.at[i].device;

		if (first && strcmp(first, device) != 0)
			return true;
		first = device;
	}
	return false;
}

bool tensor_rows_read(struct tensor_rows *rows, struct progress *progress, struct err *err)
{
	rows->vitals = row_vitals_read(rows->program, rows->of, rows->rows.at, rows->rows.len,
	                               progress, &rows->err, err);
	return rows->vitals;
}

struct table *tensor_rows_table(struct doc *doc, struct tensor_rows *rows)
{
	static const int of_health[] = {
		COL_bad, COL_dtype, COL_shape, COL_min, COL_max, COL_spark,
	};
	struct table *table = TABLE_OF(doc, tensor_cols, tensor_get_cell, rows);

	if (rows->of != PROGRAM_NONE) {
		table_hide(table, COL_step);
		if (program_n_tensors(rows->program, rows->of)) {
			struct program_tensor first = program_tensor(rows->program, rows->of, 0);

			rows->first = program_tensor_time(rows->program, &first);
		}
	}
	if (!rows->occurrences)
		table_hide(table, COL_strip);
	if (!has_devices(rows->program))
		table_hide(table, COL_device);
	table_col(table, COL_crc32)->typed = rows->checksum ? 31 : 0;
	table_list(table, COL_tensor);
	table->link = put_link;
	table->role = role_of;
	table->bad = is_bad;
	table->fault = fault_of;
	table->n_rows = rows->rows.len;
	for (size_t i = 0; i < sizeof of_health / sizeof *of_health && !rows->with_health; i++)
		table_hide(table, of_health[i]);
	if (rows->with_health)
		table_hide(table, COL_health);
	table_col(table, COL_min)->typed = rows->with_health ? 32 : 0;
	table_col(table, COL_max)->typed = rows->with_health ? 33 : 0;
	rows->table = table;
	doc_bring_signs(doc, &row_signs, table);
	return table;
}
