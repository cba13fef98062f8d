#ifndef CMDS_NDARRAY_H
#define CMDS_NDARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/cells.h"
#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/model/value.h"

/*
 * Arrays in memory, like numpy's: a dtype, a shape, strides, and elements that views share.
 * Elements are as in dump/format/dtype.h, in host byte order. Arrays are freed with ndarray_free.
 * Errors: functions that may fail return NULL or false and fill in the workspace's err. ERR_LIMIT:
 * the elements of all arrays would take more than limit_bytes, or more memory than there is. This
 * is checked before anything is allocated.
 */
struct workspace {
	uint64_t live_bytes, limit_bytes;        /* live: includes text_bytes */
	uint64_t text_bytes;     /* of strings; freed only with `texts` */
	struct progress *progress;
	struct err *err;
	struct arena *texts;     /* where strings lie */
	VEC(struct ndarray *) kept;
};

/* What a value is in Python, which decides dtypes of results and how they are printed. */
enum origin {
	ORIGIN_ARRAY,            /* numpy.ndarray, also of rank 0 */
	ORIGIN_SCALAR,           /* a numpy scalar: float32, int64, ...; rank 0 */
	ORIGIN_PYTHON,           /* int (INT64), float (FLOAT64), complex (COMPLEX128), bool */
	ORIGIN_TUPLE,            /* see sequence.h */
	ORIGIN_LIST,
	ORIGIN_NONE,             /* None: elements mean nothing */
	ORIGIN_TEXT,             /* str: STRING, rank 0 */
	ORIGIN_BYTES,            /* bytes: the same */
	ORIGIN_DTYPE,            /* dtype('float32'): only the type counts */
	ORIGIN_CLASS,            /* numpy.float32: the same */
};

/*
 * String elements are struct value_text (dump/model/value.h), whose bytes lie in the workspace's
 * texts; so their type has elem_bytes here, unlike dtype_info(DTYPE_STRING).
 */
struct ndarray {
	const struct dtype_info *type;
	enum origin origin;
	struct shape shape;
	uint64_t count;
	int64_t stride[SHAPE_MAX_RANK];  /* in bytes; may be 0 or negative */
	unsigned char *first;            /* element (0, 0, ...) */
	struct ndarray **items;          /* of a sequence with items of its own; else NULL */
	struct elements *elements;       /* private: the shared memory */
};

/* As dtype_info, with elem_bytes for strings. */
const struct dtype_info *ndarray_type(enum dtype dtype);
bool ndarray_is_text(const struct ndarray *array);       /* elements are strings */
bool ndarray_is_numpy(const struct ndarray *array);      /* ARRAY or SCALAR */

/*
 * A contiguous array with unset elements. NULL with ERR_VALUE if the shape is too large to count.
 */
struct ndarray *ndarray_new(struct workspace *ws, enum dtype dtype, const struct shape *shape,
                            enum origin origin);
/* The same, with order[0] the outermost axis in memory. */
struct ndarray *ndarray_new_ordered(struct workspace *ws, enum dtype dtype,
                                    const struct shape *shape, const uint8_t *order);
struct ndarray *ndarray_view(const struct ndarray *from);        /* shares the elements */
/* array may be NULL. ws NULL: the workspace is gone, and no longer counts bytes. */
void ndarray_free(struct workspace *ws, struct ndarray *array);

/*
 * For arrays needed until the end of a longer computation: ws_keep makes the workspace own one, and
 * ws_release frees all kept since ws_mark. ws_keep(NULL) returns NULL.
 */
struct ndarray *ws_keep(struct workspace *ws, struct ndarray *array);
size_t ws_mark(const struct workspace *ws);
void ws_release(struct workspace *ws, size_t mark);

/* Python's int, float, bool, None and tuple of ints. */
struct ndarray *ndarray_int(struct workspace *ws, int64_t whole);
struct ndarray *ndarray_float(struct workspace *ws, double real);
struct ndarray *ndarray_bool(struct workspace *ws, bool truth);
struct ndarray *ndarray_none(struct workspace *ws);
struct ndarray *ndarray_tuple(struct workspace *ws, const int64_t *items, uint32_t n);
struct ndarray *ndarray_complex(struct workspace *ws, double re, double im);
/* A str or bytes, or a numpy object of one string (origin ARRAY or SCALAR). */
struct ndarray *ndarray_text(struct workspace *ws, const char *text, size_t len,
                             enum origin origin);
/* A dtype or a class (origin DTYPE or CLASS). */
struct ndarray *ndarray_of_type(struct workspace *ws, enum dtype dtype, enum origin origin);
/* Takes the n items over; if one of them is NULL, so is the result. */
struct ndarray *ndarray_of_items(struct workspace *ws, struct ndarray **items, size_t n,
                                 enum origin origin);
/* A copy of a string in the workspace's texts. NULL with an error: too large. */
const char *ws_text(struct workspace *ws, const char *text, size_t len);

/* The i-th element of an integer vector, or a single integer (i 0). */
int64_t ndarray_item(const struct ndarray *array, uint32_t i);

/* What type(x).__name__ says in errors: "int", "tuple", "numpy.ndarray", "numpy.float32". */
struct python_type { char name[48]; };
struct python_type python_type_of(const struct ndarray *a);

bool ndarray_is_int(const struct ndarray *array);        /* allowed as an int in Python? */

/*
 * A value with the elements of a contiguous array, for printing. The array must outlive it.
 */
struct value *ndarray_value(const struct ndarray *array);
/* Copies the elements, first index slowest, to out (count * elem_bytes). */
bool ndarray_copy_out(struct workspace *ws, const struct ndarray *array, unsigned char *out);
/*
 * A view of the array if it is contiguous, first index slowest, else a copy. The caller frees it.
 */
struct ndarray *ndarray_contiguous(struct workspace *ws, const struct ndarray *array);

struct ndarray *ndarray_astype(struct workspace *ws, const struct ndarray *array,
                               enum dtype dtype);

/*
 * axes NULL: reverses their order; else n = rank numbers, negative ones count from the end.
 */
struct ndarray *ndarray_transpose(struct workspace *ws, const struct ndarray *array,
                                  const int64_t *axes, uint32_t n);
/* One of dims may be -1. A view where that is possible. */
struct ndarray *ndarray_reshape(struct workspace *ws, const struct ndarray *array,
                                const int64_t *dims, uint32_t n);

/* Takes an axis as given, from the end if negative, to *out, 0 to rank - 1. */
bool ndarray_check_axis(struct workspace *ws, int64_t axis, uint32_t rank, uint32_t *out);

/* Drops the axes whose flag in `dropped` is set, keeping their first entry. */
void ndarray_drop_axes(struct ndarray *array, const bool *dropped);

/* A view of the real (0) or imaginary (1) parts of a complex array. */
struct ndarray *ndarray_part(const struct ndarray *array, int part);

/* One item of an index. Parts of a range that are not given are INDEX_NONE. */
#define INDEX_NONE INT64_MIN
struct index_item {
	enum { INDEX_INT, INDEX_RANGE, INDEX_ELLIPSIS, INDEX_NEW_AXIS, INDEX_ARRAY } kind;
	int64_t begin, end, step;        /* INDEX_INT: in begin */
	const struct ndarray *array;     /* of whole numbers, or bool; not for ndarray_index */
};
struct ndarray *ndarray_index(struct workspace *ws, const struct ndarray *array,
                              const struct index_item *items, uint32_t n);
/* The i-th entry of the first axis. */
struct ndarray *ndarray_at(struct workspace *ws, const struct ndarray *array, size_t i);

/* As numpy writes shapes in errors: "(2,3)"; a negative number is "newaxis". */
void put_dims(struct str *out, const int64_t *dims, uint32_t n);

/* The broadcast shape of both, by numpy's rule; false, without an error: none. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out);

/*
 * The order in which numpy walks the axes of these operands, outermost first: their order in
 * memory.
 */
void axes_in_memory_order(const struct shape *shape, const struct ndarray *const *operands,
                          size_t n, uint8_t *order);

/*
 * Walks elements in any order of the axes, a piece at a time. Axes that are contiguous in memory
 * are joined to one.
 */
struct cursor {
	const struct dtype_info *type;
	const unsigned char *at;
	uint32_t rank;           /* at least 1 */
	int64_t dim[SHAPE_MAX_RANK], stride[SHAPE_MAX_RANK], index[SHAPE_MAX_RANK];
};
/*
 * Starts a walk over the array broadcast to this shape; order NULL: first axis outermost.
 */
void cursor_start(struct cursor *cursor, const struct ndarray *array, const struct shape *shape,
                  const uint8_t *order);
/*
 * Takes up to n elements that lie cursor->stride[cursor->rank - 1] bytes apart. Returns how many.
 */
size_t cursor_run(struct cursor *cursor, size_t n, const unsigned char **at);
/* Takes the next n elements, at most CELLS, as cells. There must be so many. */
void cursor_take(struct cursor *cursor, size_t n, enum cell to, void *out);
/* Copies the next n elements, of any type, as they are. There must be so many. */
void cursor_copy(struct cursor *cursor, size_t n, unsigned char *out);

/* Fills in *ws->err unless it has an error. Returns NULL, which also serves as false. */
void *ws_fail(struct workspace *ws, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "Unsupported expression: ..." */
void *ws_refuse(struct workspace *ws, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* False, and ERR_CANCELLED, once the user has cancelled. */
bool ws_step(struct workspace *ws, uint64_t done, uint64_t total);

#endif
