#include "cmds/program/tensor_cells.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cmds/lang/format.h"
#include "cmds/program/checksum.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/listed.h"
#include "cmds/program/occurrences.h"

const struct health *tensor_health_of(struct tensor_rows *r)
{
	struct err err = {0};

	if (!r->has_health) {
		r->health = (struct health){0};
		r->is_unreadable = false;
		if (!program_health(&r->reads, &r->tensor, &r->health, NULL, &err)) {
			r->health = (struct health){0};
			r->err = r->err.code ? r->err : err;
			r->is_unreadable = true;
		}
		r->has_health = true;
	}
	return &r->health;
}

static void put_row_health(struct cell *cell, struct tensor_rows *r)
{
	const struct health *health = tensor_health_of(r);

	if (r->is_unreadable)
		str_puts(&cell->text, "unreadable");
	else
		put_health(&cell->text, health);
}

static const struct program_trace *trace_of(const struct tensor_rows *r)
{
	return r->tensor.trace == PROGRAM_NONE ? NULL : &r->program->traces.at[r->tensor.trace];
}

static void put_known(struct cell *cell, struct tensor_rows *r, unsigned bit, int64_t number)
{
	cell_known(cell, tensor_health_of(r)->known & bit, number);
}

#define PUT_KNOWN(bit, field) put_known(cell, r, bit, (int64_t)tensor_health_of(r)->field)

/* In the list of one step, times are since its first tensor. */
static void put_since(struct cell *cell, const struct tensor_rows *r)
{
	const struct program *program = r->program;
	double time = program_tensor_time(program, &r->tensor);
	int64_t us, first = 0;
	bool known = program_time_us(program, time, &us) &&
	             (r->of == PROGRAM_NONE || program_time_us(program, r->first, &first));

	cell_known(cell, known, known ? us : 0);
	if (known)
		str_fmt(&cell->text, "[%.3f]", (double)(us - first) / 1000);
}

static void put_graph(struct cell *cell, const struct tensor_rows *r, bool name)
{
	uint32_t graph = tensor_graph(r->program, &r->tensor);

	if (graph == PROGRAM_NONE)
		cell->missing = true;
	else if (name)
		cell_or_null(cell, name_of_graph(r->program, graph));
	else
		cell_str(cell, r->program->graphs.at[graph].id);
}

static void put_chain(struct cell *cell, const struct tensor_rows *r)
{
	if (cell->data)
		graph_put_chain(r->program, tensor_graph(r->program, &r->tensor), cell->data);
}

static const char *attribution_of(const struct tensor_rows *r)
{
	static const char *const words[] = {
		[PROGRAM_SURE] = "sure", [PROGRAM_PROBABLE] = "probable",
		[PROGRAM_BACKGROUND] = "background", [PROGRAM_UNATTRIBUTED] = "none",
	};
	const struct program_trace *trace = trace_of(r);

	return trace ? words[trace->attribution] : "output";
}

static void put_pass(struct cell *cell, const struct tensor_rows *r)
{
	const struct program_trace *trace = trace_of(r);
	bool is_of_pass = trace && trace->attribution == PROGRAM_UNATTRIBUTED;

	cell_known(cell, is_of_pass, is_of_pass ? trace->owner : 0);
}

static void put_device(struct cell *cell, const struct tensor_rows *r)
{
	const char *device = tensor_device(r->program, &r->tensor);

	cell_or_null(cell, device);
}

static void put_mode(struct cell *cell, const struct tensor_rows *r)
{
	if (cell->data)
		mode_put_data(program_mode(r->program, &r->tensor), cell->data);
}

static void put_slot(struct cell *cell, const struct tensor_rows *r)
{
	int64_t slot = program_slot(r->program, &r->tensor);

	cell_known(cell, slot >= 0, slot);
}

static void put_entry(struct cell *cell, const struct tensor_rows *r)
{
	const struct program_tensor *t = &r->tensor;
	bool is_stored = t->trace == PROGRAM_NONE &&
	                 t->row < r->program->steps.at[t->step].n_entries;

	cell_known(cell, is_stored, t->row);
}

static void put_dtype(struct cell *cell, struct tensor_rows *r)
{
	if (tensor_health_of(r)->known & HEALTH_DTYPE) {
		dtype_put_cell(tensor_health_of(r)->dtype, cell);
		return;
	}
	cell->missing = true;
	if (cell->look)
		str_putc(&cell->text, '?');
}

static void put_shape_cell(struct cell *cell, struct tensor_rows *r)
{
	const struct health *health = tensor_health_of(r);

	cell_shape(cell, health);
	if (cell->data && !cell->missing)
		shape_put_data(&health->shape, cell->data);
}

static void put_bad(struct cell *cell, struct tensor_rows *r)
{
	const struct health *health = tensor_health_of(r);

	cell_bad(cell, health, r->is_unreadable);
}

const struct vitals *tensor_vitals_at(const struct tensor_rows *r, uint64_t row)
{
	return row_vitals_of(r->vitals, r->rows.at[row]);
}

static void put_checksum(struct cell *cell, struct tensor_rows *r)
{
	struct err err = {0};
	uint32_t sum;

	cell->missing = !value_checksum(&r->reads, &r->tensor, &sum, &err);
	if (!cell->missing)
		str_fmt(&cell->text, "%08" PRIx32, sum);
	if (err.code && err.code != ERR_MISSING && !r->err.code)
		r->err = err;
}

static void put_occurrences(struct cell *cell, const struct tensor_rows *r)
{
	const struct program_trace *trace = trace_of(r);
	const uint32_t *traces;
	size_t n;

	if (!trace || !r->occurrences)
		return;
	traces = occurrences_of(r->occurrences, r->tensor.trace, &n);
	if (n > 1)
		put_strip(&cell->text, r->program, traces, n, trace->dump, TENSOR_STRIP_SIGNS);
}

/* The name of a function that was called is long, and its outputs have it in theirs. */
static void put_op(struct cell *cell, const struct tensor_rows *r)
{
	const struct program_tensor *t = &r->tensor;

	if (r->for_screen && cell->look && t->trace == PROGRAM_NONE &&
	    r->program->steps.at[t->step].is_function)
		cell_str(cell, "function");
	else
		cell_or_null(cell, tensor_op(r->program, t));
}

const struct col tensor_cols[N_TENSOR_COLS] = { TENSOR_COLUMNS(COL_ROW, ASK_ROW) };

void tensor_get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct tensor_rows *r = context;
	const struct program_tensor *t = &r->tensor;

	if (r->at != row + 1) {
		r->tensor = program_tensor(r->program, r->of, r->rows.at[row]);
		r->at = row + 1;
		r->has_health = false;
	}
	switch (id) {
	TENSOR_COLUMNS(COL_CASE, ASK_CASE)
	}
}

static void get_one_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct tensor_rows *r = context;
	const struct program_tensor *t = &r->tensor;

	(void)row;
	switch (id) {
	TENSOR_COLUMNS(COL_CASE, ASK_CASE)
	}
}

/* Writes the wanted typed keys of one tensor, in their order. */
static void put_one(struct program_reads *reads, const struct program_tensor *tensor,
                    const int *ids, size_t n, struct data *data, struct err *first)
{
	struct tensor_rows one = { .program = reads->program, .reads = *reads, .tensor = *tensor,
	                           .of = PROGRAM_NONE };

	for (size_t i = 0; i < n; i++)
		table_put_typed(&tensor_cols[ids[i]], 1, get_one_cell, &one, 0, data);
	*reads = one.reads;
	if (first && !first->code)
		*first = one.err;
}

static int by_typed(const void *a, const void *b)
{
	return tensor_cols[*(const int *)a].typed - tensor_cols[*(const int *)b].typed;
}

void tensor_put_keys(struct program_reads *reads, const struct program_tensor *tensor,
                     struct data *data, struct err *first)
{
	int ids[N_TENSOR_COLS];
	size_t n = 0;

	for (size_t i = 0; i < N_TENSOR_COLS; i++)
		if (tensor_cols[i].typed && tensor_cols[i].typed < TYPED_IF_ASKED)
			ids[n++] = (int)i;
	qsort(ids, n, sizeof *ids, by_typed);
	put_one(reads, tensor, ids, n, data, first);
}

void tensor_put_stored(struct program_reads *reads, const struct program_tensor *tensor,
                       bool checksum, struct data *data, struct err *first)
{
	static const int ids[] = {
		COL_slot, COL_size_bytes, COL_tensor_id, COL_dtype, COL_rank, COL_shape, COL_size,
		COL_bad, COL_nan, COL_neg_inf, COL_pos_inf, COL_negative, COL_zero, COL_positive,
		COL_crc32,
	};

	put_one(reads, tensor, ids, sizeof ids / sizeof *ids - !checksum, data, first);
}
