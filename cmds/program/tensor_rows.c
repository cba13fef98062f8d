#include "cmds/program/tensor_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/cut_names.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/program/checksum.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/listed.h"
#include "cmds/program/occurrences.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

enum { SIZE_COLUMNS = 8, HEALTH_COLUMNS = 15, STRIP_SIGNS = 12, STEP_EVERY = 256,
       MEASURED_ROWS = 10000 };

const char *tensor_op(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_node *node;

	if (tensor->trace == PROGRAM_NONE)
		return program->steps.at[tensor->step].op;
	node = &program->nodes.at[program->keys.at[program->traces.at[tensor->trace].key].node];
	return node->op == PROGRAM_NONE ? NULL : program->ops.at[node->op].type;
}

uint32_t tensor_graph(const struct program *program, const struct program_tensor *tensor)
{
	uint32_t key;

	if (tensor->trace == PROGRAM_NONE)
		return PROGRAM_NONE;
	key = program->traces.at[tensor->trace].key;
	return program->nodes.at[program->keys.at[key].node].graph;
}

static void put_count(struct str *out, const char *what, uint64_t n)
{
	if (n)
		str_fmt(out, "%s%s x%" PRIu64, out->len ? " " : "", what, n);
}

void put_health(struct str *out, const struct health *health)
{
	struct str counts = {0};

	if (health->known & HEALTH_COUNTS) {
		put_count(&counts, "nan", health->nan);
		put_count(&counts, "-inf", health->neg_inf);
		put_count(&counts, "+inf", health->pos_inf);
		str_puts(out, counts.len ? counts.text : "ok");
	} else if (health->known & HEALTH_BAD) {
		str_puts(out, health->bad ? "inf/nan" : "ok");
	} else {
		str_puts(out, "?");
	}
	str_release(&counts);
}

/* Where several graphs have a node of this name, for what goes on from there to the node. */
static void put_graph_option(const struct program *program, const struct program_tensor *tensor,
                             struct str *out)
{
	const struct program_key *key = &program->keys.at[program->traces.at[tensor->trace].key];
	const struct program_node *node = &program->nodes.at[key->node];
	const struct program_graph *graph = &program->graphs.at[node->graph];
	struct str text = {0};

	if (!node->is_shared)
		return;
	str_fmt(&text, graph->is_like ? "%s" : "%.8s", graph->id);
	words_put_with(out, " -g", text.text);
	str_release(&text);
}

void tensor_put_link(const struct program *program, const struct program_tensor *tensor,
                     struct str *out)
{
	struct str name = {0};

	program_put_name(program, tensor, &name);
	words_put_with(out, "pt", name.text);
	if (tensor->trace != PROGRAM_NONE) {
		put_graph_option(program, tensor, out);
		str_fmt(out, " --trace %" PRIu32, tensor->trace);
	}
	str_release(&name);
}

/* Cells. */

/* The health of the current row; nothing is known if its record can't be read. */
static const struct health *health_of(struct tensor_rows *r)
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
	const struct health *health = health_of(r);

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
	cell_known(cell, health_of(r)->known & bit, number);
}

#define PUT_KNOWN(bit, field) put_known(cell, r, bit, (int64_t)health_of(r)->field)

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
	if (health_of(r)->known & HEALTH_DTYPE) {
		dtype_put_cell(health_of(r)->dtype, cell);
		return;
	}
	cell->missing = true;
	if (cell->look)
		str_putc(&cell->text, '?');
}

static void put_shape_cell(struct cell *cell, struct tensor_rows *r)
{
	const struct health *health = health_of(r);

	cell_shape(cell, health);
	if (cell->data && !cell->missing)
		shape_put_data(&health->shape, cell->data);
}

static void put_bad(struct cell *cell, struct tensor_rows *r)
{
	const struct health *health = health_of(r);

	cell_bad(cell, health, r->is_unreadable);
}

static const struct vitals *vitals_at(const struct tensor_rows *r, uint64_t row)
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
		put_strip(&cell->text, r->program, traces, n, trace->dump, STRIP_SIGNS);
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

/* Typed keys in order: what it is, where it belongs, where it is stored, what is known. */
#define TENSOR_COLUMNS(COL, ASK) \
	ASK(time_us, "t (ms)", "timestamp", COUNT, 0, 11, put_since(cell, r)) \
	COL(step, "Step", COUNT, 0, 7, cell_known(cell, t->step != PROGRAM_NONE, t->step)) \
	COL(dump, "#", COUNT, 0, 10, cell->whole = trace_of(r) ? trace_of(r)->dump : 0) \
	COL(strip, "Occurrences", TEXT, 0, 0, put_occurrences(cell, r)) \
	ASK(size, "Size", "size", COUNT, 0, 23, PUT_KNOWN(HEALTH_SIZE, size)) \
	ASK(bad, "Bad", "bad", FLAG, 0, 24, put_bad(cell, r)) \
	ASK(dtype, "Dtype", "dtype", OWN, 0, 20, put_dtype(cell, r)) \
	ASK(shape, "Shape", "shape", OWN, 0, 22, put_shape_cell(cell, r)) \
	ASK(min, "Min", "min", OWN_NUMBER, 0, TYPED_IF_ASKED, \
	    cell_end(cell, vitals_at(r, row), false)) \
	ASK(max, "Max", "max", OWN_NUMBER, 0, TYPED_IF_ASKED, \
	    cell_end(cell, vitals_at(r, row), true)) \
	COL(spark, "Spark", TEXT, 0, 0, cell_bins(cell, vitals_at(r, row), r->fine)) \
	ASK(op, "Op type", "op_type", TEXT, 0, 2, put_op(cell, r)) \
	ASK(tensor, "Tensor name", "tensor_name", TEXT, 0, 1, \
	    program_put_name(r->program, t, &cell->text)) \
	COL(device, "Device", TEXT, 0, 13, put_device(cell, r)) \
	COL(health, "Health", TEXT, 0, 0, put_row_health(cell, r)) \
	COL(slot, NULL, COUNT, 0, 3, put_slot(cell, r)) \
	COL(graph, NULL, TEXT, 0, 4, put_graph(cell, r, false)) \
	COL(graph_name, NULL, TEXT, 0, 5, put_graph(cell, r, true)) \
	COL(chain, NULL, OWN, 0, 6, put_chain(cell, r)) \
	COL(attribution, NULL, TEXT, 0, 8, cell_str(cell, attribution_of(r))) \
	COL(pass, NULL, COUNT, 0, 9, put_pass(cell, r)) \
	COL(size_bytes, NULL, SIZE, 0, 12, cell->whole = program_size_bytes(r->program, t)) \
	COL(mode, NULL, OWN, 0, 14, put_mode(cell, r)) \
	COL(set, NULL, COUNT, 0, 15, cell->whole = program_where(r->program, t).set) \
	COL(offset, NULL, COUNT, 0, 16, \
	    cell->whole = (int64_t)program_where(r->program, t).off) \
	COL(trace, NULL, COUNT, 0, 17, cell_known(cell, t->trace != PROGRAM_NONE, t->trace)) \
	COL(entry, NULL, COUNT, 0, 18, put_entry(cell, r)) \
	COL(tensor_id, NULL, COUNT, 0, 19, PUT_KNOWN(HEALTH_TENSOR_ID, tensor_id)) \
	COL(rank, NULL, COUNT, 0, 21, PUT_KNOWN(HEALTH_RANK, rank)) \
	COL(nan, NULL, COUNT, 0, 25, PUT_KNOWN(HEALTH_COUNTS, nan)) \
	COL(neg_inf, NULL, COUNT, 0, 26, PUT_KNOWN(HEALTH_COUNTS, neg_inf)) \
	COL(pos_inf, NULL, COUNT, 0, 27, PUT_KNOWN(HEALTH_COUNTS, pos_inf)) \
	COL(negative, NULL, COUNT, 0, 28, PUT_KNOWN(HEALTH_SIGNS, negative)) \
	COL(zero, NULL, COUNT, 0, 29, PUT_KNOWN(HEALTH_SIGNS, zero)) \
	COL(positive, NULL, COUNT, 0, 30, PUT_KNOWN(HEALTH_SIGNS, positive)) \
	COL(crc32, NULL, TEXT, 0, TYPED_IF_ASKED, put_checksum(cell, r))

enum { TENSOR_COLUMNS(COL_ID, COL_ID) };
static const struct col tensor_cols[] = { TENSOR_COLUMNS(COL_ROW, ASK_ROW) };

static void get_row_cell(void *context, uint64_t row, int id, struct cell *cell)
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
	int ids[sizeof tensor_cols / sizeof *tensor_cols];
	size_t n = 0;

	for (size_t i = 0; i < sizeof tensor_cols / sizeof *tensor_cols; i++)
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

/* Rows. */

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

/* The row of a trace; false: it is not in the list. */
static bool find_row(const struct tensor_rows *rows, uint32_t trace, uint64_t *row)
{
	for (*row = 0; *row < rows->rows.len; ++*row)
		if (program_tensor(rows->program, rows->of, rows->rows.at[*row]).trace == trace)
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
	tensor = program_tensor(rows->program, rows->of, rows->rows.at[at->row]);
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
	struct program_tensor tensor = program_tensor(rows->program, rows->of, rows->rows.at[row]);

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
	struct program_tensor tensor = program_tensor(rows->program, rows->of, rows->rows.at[row]);

	return program_bad(rows->program, &tensor) == PROGRAM_BAD;
}

enum row_sign tensor_sign(const struct program *program, const struct program_tensor *tensor)
{
	static const enum row_sign signs[] = {
		[PROGRAM_BAD] = SIGN_BAD, [PROGRAM_GOOD] = SIGN_NONE,
		[PROGRAM_CANT_TELL] = SIGN_CANT_TELL, [PROGRAM_UNSCANNED] = SIGN_UNKNOWN,
	};

	return signs[program_bad(program, tensor)];
}

static enum row_sign sign_of(void *context, uint64_t row, bool look)
{
	const struct tensor_rows *rows = context;
	struct program_tensor tensor = program_tensor(rows->program, rows->of, rows->rows.at[row]);

	(void)look;
	return tensor_sign(rows->program, &tensor);
}

static const struct doc_signs row_signs = { .of = sign_of };

static enum role role_of(void *context, uint64_t row, int id)
{
	return (id == COL_health || id == COL_bad) && is_bad(context, row) ? ROLE_BAD : ROLE_PLAIN;
}

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
static void widen_by_row(struct tensor_rows *r, uint64_t row, int *width)
{
	struct cell cell = {0};

	for (size_t i = 0; i < N_WIDTHS; i++) {
		str_reset(&cell.text);
		cell = (struct cell){ .text = cell.text, .look = true };
		get_row_cell(r, row, measured[i], &cell);
		if (!cell.text.len && !cell.missing)
			str_int(&cell.text, cell.whole);
		width[i] = wider(width[i], str_text(&cell.text));
	}
	str_release(&cell.text);
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

static void choose_health(const struct tensor_rows *rows, struct table *table)
{
	if (rows->with_health)
		table_hide(table, COL_health);
	for (size_t i = 0; i < sizeof health_cols / sizeof *health_cols && !rows->with_health; i++)
		table_hide(table, health_cols[i].id);
	table_col(table, COL_min)->typed = rows->with_health ? 32 : 0;
	table_col(table, COL_max)->typed = rows->with_health ? 33 : 0;
}

bool tensor_rows_read(struct tensor_rows *rows, struct progress *progress, struct err *err)
{
	rows->vitals = row_vitals_read(rows->program, rows->of, rows->rows.at, rows->rows.len,
	                               progress, &rows->err, err);
	return rows->vitals;
}

static void widen_by_vitals(const struct tensor_rows *r, struct table *table)
{
	struct col *bad = table_col(table, COL_bad), *dtype = table_col(table, COL_dtype);
	struct col *shape = table_col(table, COL_shape);
	struct str text = {0};

	for (uint64_t row = 0; row < r->rows.len; row++) {
		const struct vitals *v = vitals_at(r, row);

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

static void measure(struct tensor_rows *r, struct table *table)
{
	int width[N_WIDTHS] = {0};
	bool many = r->rows.len > MEASURED_ROWS;

	if (many)
		widen_by_all(r, width);
	for (uint64_t row = 0; row < r->rows.len && !many; row++)
		widen_by_row(r, row, width);
	if (many) {              /* times and steps grow from row to row */
		widen_by_row(r, 0, width);
		widen_by_row(r, r->rows.len - 1, width);
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
	table_col(table, COL_strip)->width = -(STRIP_SIGNS + (int)strlen("[]"));
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

struct table *tensor_rows_table(struct doc *doc, struct tensor_rows *rows)
{
	struct table *table = TABLE_OF(doc, tensor_cols, get_row_cell, rows);

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
	choose_health(rows, table);
	table->list = table->heads_nothing = table->trim = true;
	table->name = COL_tensor;
	table->gap = 2;
	table->link = put_link;
	table->role = role_of;
	table->bad = is_bad;
	table->fault = fault_of;
	table->n_rows = rows->rows.len;
	measure(rows, table);
	doc_bring_signs(doc, &row_signs, rows);
	return table;
}

void tensor_rows_fit(struct table *table, size_t cols)
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
	if (table->n_rows > MEASURED_ROWS)
		table->name_width = room;
	else
		table_cut_names(table, room);
}

/* Orders. */

static const char *const order_words[N_ORDERS] = {
	[ORDER_TIME] = "timestamp", [ORDER_BYTES] = "dump_size", [ORDER_OP] = "op_type",
	[ORDER_NAME] = "tensor_name", [ORDER_SIZE] = "size", [ORDER_BAD] = "bad",
	[ORDER_DTYPE] = "dtype", [ORDER_SHAPE] = "shape", [ORDER_MIN] = "min", [ORDER_MAX] = "max",
};

const char *tensor_order_word(enum tensor_order order)
{
	return order_words[order];
}

bool tensor_order_parse(const char *word, enum tensor_order *order, struct err *err)
{
	for (*order = 0; *order < N_ORDERS; ++*order)
		if (!strcmp(word, order_words[*order]))
			return true;
	return err_at(err, ERR_VALUE, "command", 0, "Unsupported key to sort tensors by: %s", word);
}

/* What a row is sorted by: a text, or a number. */
struct sorted_row {
	uint32_t at;
	const char *text;
	double number;
};

static int compare(const void *a, const void *b, void *reverse)
{
	const struct sorted_row *x = a, *y = b;
	int order = x->text ? strcmp(x->text, y->text)
	                    : (x->number > y->number) - (x->number < y->number);

	if (order)
		return *(bool *)reverse ? -order : order;
	return (x->at > y->at) - (x->at < y->at);
}

static void take_key(struct tensor_rows *r, uint64_t row, enum tensor_order order,
                     struct arena *mem, struct sorted_row *out)
{
	static const int ids[] = { [ORDER_BYTES] = COL_size_bytes, [ORDER_SIZE] = COL_size,
	                           [ORDER_BAD] = COL_bad, [ORDER_MIN] = COL_min,
	                           [ORDER_MAX] = COL_max, [ORDER_OP] = COL_op,
	                           [ORDER_NAME] = COL_tensor, [ORDER_DTYPE] = COL_dtype };
	bool is_text = order == ORDER_OP || order == ORDER_NAME || order == ORDER_DTYPE;
	struct cell cell = {0};

	*out = (struct sorted_row){ .at = r->rows.at[row] };
	if (order == ORDER_TIME)
		return;
	get_row_cell(r, row, order == ORDER_SHAPE ? COL_shape : ids[order], &cell);
	if (order == ORDER_SHAPE)
		put_shape_order(&cell.text, health_of(r));
	if (is_text || order == ORDER_SHAPE)
		out->text = arena_copy(mem, str_text(&cell.text), cell.text.len);
	else if (order == ORDER_MIN || order == ORDER_MAX)
		out->number = cell.missing ? -INFINITY : cell.number;
	else
		out->number = cell.missing ? -1 : (double)cell.whole;
	str_release(&cell.text);
}

bool tensor_rows_sort(struct tensor_rows *r, enum tensor_order order, bool reverse,
                      struct progress *progress, struct err *err)
{
	struct arena mem = {0};
	struct sorted_row *keys = mem_alloc((r->rows.len + 1) * sizeof *keys);
	bool go_on = true;

	for (uint64_t row = 0; row < r->rows.len && go_on; row++) {
		go_on = row % STEP_EVERY || progress_step(progress, row, r->rows.len);
		take_key(r, row, order, &mem, &keys[row]);
		if (order == ORDER_TIME)
			keys[row].number = r->rows.at[row];
	}
	if (go_on) {
		qsort_r(keys, r->rows.len, sizeof *keys, compare, &reverse);
		for (uint64_t row = 0; row < r->rows.len; row++)
			r->rows.at[row] = keys[row].at;
		r->at = 0;
	} else {
		err_fill(err, ERR_CANCELLED, "command", 0, "stopped while sorting");
	}
	free(keys);
	arena_release(&mem);
	return go_on;
}
