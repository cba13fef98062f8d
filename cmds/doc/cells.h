#ifndef CMDS_CELLS_H
#define CMDS_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/format/dtype.h"

/*
 * Elements on their way into a computation and back. All is computed in one of six types; bool
 * counts as INT, float16 and bfloat16 as FLOAT, rounded whenever they are stored.
 * X(id, C type, dtype)  dtype: the one whose elements are such cells
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

/* Elements that are worked on at a time: buffers of the callers hold this many. */
#define CELLS 1024
#define CELL_BYTES 16

bool cell_can_hold(const struct dtype_info *type);       /* is it a type of numbers, or bool? */
enum cell cell_of(const struct dtype_info *type);        /* the one that holds all of them */
size_t cell_bytes(enum cell cell);
enum dtype cell_dtype(enum cell cell);
bool cell_rounds(const struct dtype_info *type);         /* float16, bfloat16: see cells_round */

/* n elements, at most CELLS, that lie stride bytes apart. */
void cells_load(const struct dtype_info *type, const unsigned char *at, int64_t stride, size_t n,
                enum cell to, void *out);

/*
 * As numpy's astype: whole numbers are cut to their width; floats beyond a whole type give what
 * x86 gives; of complex numbers the real part remains. Elements of `to` follow one another at
 * `out`.
 */
void cells_store(enum cell from, const void *cells, size_t n, const struct dtype_info *to,
                 unsigned char *out);

/* n FLOAT cells become what elements of the type would hold of them. */
void cells_round(const struct dtype_info *type, float *cells, size_t n);

#endif
