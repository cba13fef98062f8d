#ifndef CMDS_PROGRAM_TENSOR_CELLS_H
#define CMDS_PROGRAM_TENSOR_CELLS_H

#include "cmds/program/tensor_rows.h"

/* Shared by tensor_rows.c, tensor_cells.c, tensor_widths.c and cmd_lt.c; private to them. */

enum { TENSOR_STRIP_SIGNS = 12 };

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
	    cell_end(cell, tensor_vitals_at(r, row), false)) \
	ASK(max, "Max", "max", OWN_NUMBER, 0, TYPED_IF_ASKED, \
	    cell_end(cell, tensor_vitals_at(r, row), true)) \
	COL(spark, "Spark", TEXT, 0, 0, cell_bins(cell, tensor_vitals_at(r, row), r->fine)) \
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

enum { TENSOR_COLUMNS(COL_ID, COL_ID) N_TENSOR_COLS };
extern const struct col tensor_cols[N_TENSOR_COLS];

/* A table's get: the context is a struct tensor_rows. */
void tensor_get_cell(void *context, uint64_t row, int id, struct cell *cell);
/* The health of the current row; nothing is known if its record can't be read. */
const struct health *tensor_health_of(struct tensor_rows *rows);
/* NULL: not read. */
const struct vitals *tensor_vitals_at(const struct tensor_rows *rows, uint64_t row);

#endif
