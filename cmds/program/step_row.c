#include "cmds/program/step_row.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/program/checksum.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/listed.h"
#include "cmds/program/tensor_rows.h"
#include "dump/base/mem.h"

void put_output_name(struct str *out, const struct program *program, uint32_t step, uint64_t slot)
{
	str_fmt(out, "%s#%" PRIu32 ":%" PRIu64, program->steps.at[step].op, step, slot);
}

static size_t first_device(const struct program_step *step)
{
	return step->first_id + step->n_input_ids + step->n_output_ids;
}

static void put_devices(struct data *data, const struct program *program,
                        const struct program_step *step)
{
	data_list(data);
	for (uint32_t i = 0; i < step->n_device_ids; i++)
		data_str(data, program_device_name(program, step->at.set,
		                                   program->ids.at[first_device(step) + i]));
	data_end(data);
}

/* One for each stored entry; null for a placeholder. */
static void put_values(struct data *data, struct step_rows *r, uint32_t number)
{
	const struct program_step *step = &r->program->steps.at[number];

	data_list(data);
	for (uint32_t row = 0; row < step->n_entries; row++) {
		struct program_tensor tensor = { PROGRAM_NONE, number, row };

		if (!program_size_bytes(r->program, &tensor)) {
			data_null(data);
			continue;
		}
		data_object(data);
		tensor_put_stored(&r->reads, &tensor, r->checksum, data, &r->err);
		data_end(data);
	}
	data_end(data);
}

/* The health of its outputs, and how many tensors inside have NaN or Inf: "nan x3 !31". */
static void put_step_health(struct cell *cell, struct step_rows *r, uint32_t number)
{
	const struct program_step *step = &r->program->steps.at[number];
	struct str text = {0};
	uint32_t bad = 0;

	for (uint32_t row = 0; row < step->n_entries; row++) {
		struct program_tensor t = { .trace = PROGRAM_NONE, .step = number, .row = row };
		struct health health = {0};
		struct err err = {0};

		if (program_bad(r->program, &t) != PROGRAM_BAD)
			continue;
		str_reset(&text);
		if (bad++)
			continue;
		if (program_health(&r->reads, &t, &health, NULL, &err)) {
			put_health(&text, &health);
		} else {
			str_puts(&text, "unreadable");
			r->err = r->err.code ? r->err : err;
		}
		str_puts(&cell->text, str_text(&text));
	}
	if (!bad)
		str_puts(&cell->text, step->n_flagged     ? "" :
		                      step->n_unscanned ? "~" :
		                      step->n_unknown     ? "?" : "ok");
	if (step->n_flagged > bad)
		str_fmt(&cell->text, "%s!%" PRIu32, cell->text.len ? " " : "",
		        step->n_flagged - bad);
	str_release(&text);
}

static void put_own(struct cell *cell, struct step_rows *r, uint32_t number, int id);

#define STEP_COLUMNS(COL) \
	COL(step, "#", COUNT, 0, 1, cell_number(cell, r, number)) \
	COL(time_us, "t (ms)", COUNT, 0, 2, cell_time(cell, program, s->time)) \
	COL(kind, "Kind", TEXT, 0, 3, cell_str(cell, s->is_function ? "function" : "op")) \
	COL(op, "Op type", TEXT, 0, 4, cell_str(cell, s->op)) \
	COL(outputs, "Out", COUNT, 0, 7, cell->whole = s->n_outputs) \
	COL(health, "Health", TEXT, 0, 0, put_step_health(cell, r, number)) \
	COL(traces, "Traces", COUNT, 0, 13, cell_traces(cell, s->n_sure)) \
	COL(graph, NULL, TEXT, 0, 5, cell_or_null(cell, id_of_graph(program, s->graph))) \
	COL(graph_name, NULL, TEXT, 0, 6, cell_or_null(cell, name_of_graph(program, s->graph))) \
	COL(input_ids, NULL, OWN, 0, 8, cell_ids(cell, program, s->first_id, s->n_input_ids)) \
	COL(output_ids, NULL, OWN, 0, 9, \
	    cell_ids(cell, program, s->first_id + s->n_input_ids, s->n_output_ids)) \
	COL(device_ids, NULL, OWN, 0, 10, \
	    cell_ids(cell, program, first_device(s), s->n_device_ids)) \
	COL(devices, NULL, OWN, 0, 11, put_own(cell, r, number, COL_devices)) \
	COL(mode, NULL, OWN, 0, 12, put_own(cell, r, number, COL_mode)) \
	COL(probable, NULL, COUNT, 0, 14, cell->whole = s->n_probable) \
	COL(background, NULL, COUNT, 0, 15, cell->whole = s->n_background) \
	COL(tensors, NULL, COUNT, 0, 16, \
	    cell->whole = (int64_t)program_n_tensors(program, number)) \
	COL(flagged, NULL, COUNT, 0, 17, cell->whole = s->n_flagged) \
	COL(unknown, NULL, COUNT, 0, 18, cell->whole = s->n_unknown) \
	COL(values, NULL, OWN, 0, 19, put_own(cell, r, number, COL_values)) \
	COL(set, NULL, COUNT, 0, 20, cell->whole = s->at.set) \
	COL(offset, NULL, COUNT, 0, 21, cell->whole = (int64_t)s->at.off) \
	COL(host, NULL, TEXT, 0, TYPED_IF_ASKED, cell_stack_host(cell, program, s->stack)) \
	COL(stack, NULL, OWN, 0, TYPED_IF_ASKED, cell_stack_frames(cell, program, s->stack))

enum { STEP_COLUMNS(COL_ID) };
static const struct col step_cols[] = { STEP_COLUMNS(COL_ROW) };

static int digits_of(const struct program *program)
{
	int digits = 1;

	for (size_t last = program->steps.len; last > 10; last = (last + 9) / 10)
		digits++;
	return digits;
}

/* "> 7" if it is the current step. */
static void cell_number(struct cell *cell, const struct step_rows *r, uint32_t number)
{
	cell->whole = number;
	if (cell->look && r->signs)
		str_fmt(&cell->text, "%c%*" PRIu32, number == r->current ? '>' : ' ',
		        digits_of(r->program), number);
}

/* Shown as "-" if there are none. */
static void cell_traces(struct cell *cell, uint32_t n)
{
	cell->whole = n;
	if (!n)
		str_putc(&cell->text, '-');
}

static void put_own(struct cell *cell, struct step_rows *r, uint32_t number, int id)
{
	const struct program *program = r->program;
	const struct program_step *s = &program->steps.at[number];
	struct data *data = cell->data;

	if (!data)
		return;
	switch (id) {
	case COL_devices: put_devices(data, program, s); break;
	case COL_mode: mode_put_data(program->modes.at[s->mode], data); break;
	case COL_values: put_values(data, r, number); break;
	}
}

static void get_cell_of(struct step_rows *r, uint32_t number, int id, struct cell *cell)
{
	const struct program *program = r->program;
	const struct program_step *s = &program->steps.at[number];

	switch (id) {
	STEP_COLUMNS(COL_CASE)
	}
}

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct step_rows *r = context;

	get_cell_of(r, r->rows.at[row], id, cell);
}

static void get_step_cell(void *context, uint64_t step, int id, struct cell *cell)
{
	get_cell_of(context, (uint32_t)step, id, cell);
}

void step_put_data(struct program_reads *reads, uint32_t step, struct data *data,
                   struct err *first)
{
	struct step_rows one = { .program = reads->program, .reads = *reads,
	                         .current = PROGRAM_NONE };

	if (step == PROGRAM_NONE) {
		data_null(data);
		return;
	}
	data_object(data);
	for (size_t i = 0; i < sizeof step_cols / sizeof *step_cols; i++)
		if (step_cols[i].typed && step_cols[i].typed < TYPED_IF_ASKED)
			table_put_typed(&step_cols[i], 1, get_step_cell, &one, step, data);
	data_end(data);
	*reads = one.reads;
	if (!first->code)
		*first = one.err;
}

static void rows_free(void *what)
{
	struct step_rows *rows = what;

	program_reads_release(&rows->reads);
	vec_release(&rows->rows);
	free(rows);
}

struct step_rows *step_rows_new(struct doc *doc, const struct program *program)
{
	struct step_rows *rows = mem_alloc(sizeof *rows);

	*rows = (struct step_rows){ .program = program, .reads = { .program = program },
	                            .current = PROGRAM_NONE };
	doc_keep(doc, rows_free, rows);
	return rows;
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct step_rows *rows = context;

	str_fmt(out, "run --to %" PRIu32, rows->rows.at[row]);
}

static bool is_bad(void *context, uint64_t row)
{
	const struct step_rows *rows = context;

	return rows->program->steps.at[rows->rows.at[row]].n_flagged;
}

static enum row_sign sign_of(void *table, uint64_t row, bool look)
{
	const struct step_rows *rows = table_context(table);
	uint32_t number = rows->rows.at[table_source_row(table, row)];
	const struct program_step *step = &rows->program->steps.at[number];

	(void)look;
	if (step->n_flagged || step->is_cut)
		return step->n_flagged ? SIGN_BAD : SIGN_DAMAGED;
	if (!step->n_unknown)
		return SIGN_NONE;
	return rows->program->n_unscanned ? SIGN_UNKNOWN : SIGN_CANT_TELL;
}

static const struct doc_signs step_signs = { .of = sign_of };

static enum role role_of(void *context, uint64_t row, int id)
{
	const struct step_rows *rows = context;

	return id == COL_health && is_bad(context, row) ? ROLE_BAD
	       : id == COL_step && rows->rows.at[row] == rows->current ? ROLE_STRONG : ROLE_PLAIN;
}

static const struct err *fault_of(void *context)
{
	const struct step_rows *rows = context;

	return rows->err.code ? &rows->err : NULL;
}

struct table *step_rows_table(struct call *call, struct step_rows *rows)
{
	struct table *table = TABLE_OF(call->out, step_cols, get_cell, rows);
	bool stacks = rows->stacks || table_wants(call, &step_cols[COL_host]) ||
	              table_wants(call, &step_cols[COL_stack]);

	table_col(table, COL_host)->typed = stacks ? 22 : 0;
	table_col(table, COL_stack)->typed = stacks ? 23 : 0;
	table_list(table, COL_op);
	table->link = put_link;
	table->role = role_of;
	table->bad = is_bad;
	table->fault = fault_of;
	table->n_rows = rows->rows.len;
	if (!table_arrange(call, table))
		return NULL;
	table_measure(table, 0, false);
	for (int id = COL_kind; id <= COL_op; id++)
		table_col(table, id)->width *= -1;
	table_col(table, COL_health)->width *= -1;
	doc_bring_signs(call->out, &step_signs, table);
	return table;
}
