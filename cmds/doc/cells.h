#ifndef CMDS_CELLS_H
#define CMDS_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/format/dtype.h"

/*
 * Elements are converted to cells to compute with them, and back. There are six types of cells;
 * bool is computed as INT, float16 and bfloat16 as FLOAT and rounded whenever they are stored.
 * X(id, C type, dtype): dtype is the one whose elements have the cell's C type.
 */
struct complex32 { float re, im; };
struct complex64 { double re, im; };

#define CELL_REALS(X) \
	X(INT, int64_t, INT64) X(UINT, uint64_t, UINT64) X(FLOAT, float, FLOAT32) \
	X(DOUBLE, double, FLOAT64)
#define CELL_COMPLEXES(X) \
	X(COMPLEX32, struct complex32, COMPLEX64) X(COMPLEX64, struct complex64, COMPLEX128)

enum cell {
#define X(id, c_type, dtype) CELL_##id,
	CELL_REALS(X) CELL_COMPLEXES(X)
#undef X
	N_CELLS
};

/* Elements converted at a time: the callers' buffers hold this many. */
#define CELLS 1024
#define CELL_BYTES 16

bool cell_can_hold(const struct dtype_info *type);       /* numbers and bool */
enum cell cell_of(const struct dtype_info *type);        /* holds each of its elements */
size_t cell_bytes(enum cell cell);
enum dtype cell_dtype(enum cell cell);
bool cell_rounds(const struct dtype_info *type);         /* float16 or bfloat16: see cells_round */

/* Reads n elements, at most CELLS, stride bytes apart, into n cells of type `to` at out. */
void cells_load(const struct dtype_info *type, const unsigned char *at, int64_t stride, size_t n,
                enum cell to, void *out);

/*
 * Stores n cells as elements of type `to`, one after the other at out. Converts as numpy's astype:
 * integers keep their low bits, floats out of an integer's range become what x86 makes of them, and
 * complex numbers lose their imaginary part.
 */
void cells_store(enum cell from, const void *cells, size_t n, const struct dtype_info *to,
                 unsigned char *out);

/* Rounds n FLOAT cells to values that elements of the type can hold. */
void cells_round(const struct dtype_info *type, float *cells, size_t n);

#endif
