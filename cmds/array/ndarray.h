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
 * Arrays in memory, as numpy has them: a type, a shape, strides, and elements that views share.
 * Elements are those of dump/format/dtype.h, host byte order.
 * Errors: what may fail returns NULL or false and fills in the workspace's err. ERR_LIMIT: the
 * elements of all arrays together would be more than limit_bytes, or than there is memory. Asked
 * before anything is allocated.
 */
struct workspace {
	uint64_t live_bytes, limit_bytes;        /* live: with text_bytes */
	uint64_t text_bytes;     /* of strings, live for good */
	struct progress *progress;
	struct err *err;
	struct arena *texts;     /* theirs */
	VEC(struct ndarray *) kept;
};

/* What a result is to Python; it decides on types of results and on how they are printed. */
enum origin {
	ORIGIN_ARRAY,            /* numpy.ndarray, of rank 0 too */
	ORIGIN_SCALAR,           /* a numpy scalar: float32, int64, ...; rank 0 */
	ORIGIN_PYTHON,           /* int (INT64), float (FLOAT64), complex (COMPLEX128), bool */
	ORIGIN_TUPLE,            /* see sequence.h */
	ORIGIN_LIST,
	ORIGIN_NONE,             /* None: no element that counts */
	ORIGIN_TEXT,             /* str: STRING, rank 0 */
	ORIGIN_BYTES,            /* bytes: the same */
	ORIGIN_DTYPE,            /* dtype('float32'): type alone counts */
	ORIGIN_CLASS,            /* numpy.float32: the same */
};

/*
 * Elements of strings are struct value_text (dump/model/value.h), whose bytes lie in texts: their
 * type has elem_bytes here, unlike dtype_info(DTYPE_STRING).
 */
struct ndarray {
	const struct dtype_info *type;
	enum origin origin;
	struct shape shape;
	uint64_t count;
	int64_t stride[SHAPE_MAX_RANK];  /* bytes; 0 or less is possible */
	unsigned char *first;            /* element (0, 0, ...) */
	struct ndarray **items;          /* of a sequence that has some; else NULL */
	struct elements *elements;       /* private: the memory, counted */
};

/* As dtype_info, with elem_bytes for strings. */
const struct dtype_info *ndarray_type(enum dtype dtype);
bool ndarray_is_text(const struct ndarray *array);       /* elements are strings */
bool ndarray_is_numpy(const struct ndarray *array);      /* ARRAY or SCALAR */

/*
 * Elements one after the other, not set. NULL with ERR_VALUE if the shape is too large to count.
 */
struct ndarray *ndarray_new(struct workspace *ws, enum dtype dtype, const struct shape *shape,
                            enum origin origin);
/* The same, with order[0] the outermost axis in memory. */
struct ndarray *ndarray_new_ordered(struct workspace *ws, enum dtype dtype,
                                    const struct shape *shape, const uint8_t *order);
struct ndarray *ndarray_view(const struct ndarray *from);        /* of the same elements */
/* array NULL: nothing is done. ws NULL: it is gone already, nobody counts any more. */
void ndarray_free(struct workspace *ws, struct ndarray *array);

/*
 * Arrays that are needed until a longer computation is done: kept until the workspace is brought
 * back to the mark. Keeping NULL is NULL.
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
/* A str, or bytes; also a numpy object that is one element (origin ARRAY, SCALAR). */
struct ndarray *ndarray_text(struct workspace *ws, const char *text, size_t len,
                             enum origin origin);
/* A dtype or a class. */
struct ndarray *ndarray_of_type(struct workspace *ws, enum dtype dtype, enum origin origin);
/* Takes the n items over, if there are any; they may be NULL: then this is NULL too. */
struct ndarray *ndarray_of_items(struct workspace *ws, struct ndarray **items, size_t n,
                                 enum origin origin);
/* A copy of a string for as long as the workspace's texts. NULL with an error: too large. */
const char *ws_text(struct workspace *ws, const char *text, size_t len);

/* Of a vector of whole numbers, or of a single one (i 0). */
int64_t ndarray_item(const struct ndarray *array, uint32_t i);

/* What type(x).__name__ says in errors: "int", "tuple", "numpy.ndarray", "numpy.float32". */
struct python_type { char name[48]; };
struct python_type python_type_of(const struct ndarray *a);

bool ndarray_is_int(const struct ndarray *array);        /* may stand where Python wants an int */

/*
 * Elements as a value, for who prints them; contiguous arrays only. The elements must outlive it.
 */
struct value *ndarray_value(const struct ndarray *array);
/* Copies the elements, first index slowest, to out (count * elem_bytes). */
bool ndarray_copy_out(struct workspace *ws, const struct ndarray *array, unsigned char *out);
/*
 * The array itself if its elements follow one another first index slowest, else a copy. The caller
 * frees it.
 */
struct ndarray *ndarray_contiguous(struct workspace *ws, const struct ndarray *array);

struct ndarray *ndarray_astype(struct workspace *ws, const struct ndarray *array,
                               enum dtype dtype);

/*
 * axes NULL: all of them the other way round; else rank numbers, negative ones count from the end.
 */
struct ndarray *ndarray_transpose(struct workspace *ws, const struct ndarray *array,
                                  const int64_t *axes, uint32_t n);
/* One of dims may be -1. A view where that is possible. */
struct ndarray *ndarray_reshape(struct workspace *ws, const struct ndarray *array,
                                const int64_t *dims, uint32_t n);

/* An axis as it was given, counted from the end if negative: *out is in 0 .. rank - 1. */
bool ndarray_check_axis(struct workspace *ws, int64_t axis, uint32_t rank, uint32_t *out);

/* Leaves out the axes marked in `dropped`, one flag an axis; each of them shows its first entry. */
void ndarray_drop_axes(struct ndarray *array, const bool *dropped);

/* A view of the real (0) or imaginary (1) parts of a complex array. */
struct ndarray *ndarray_part(const struct ndarray *array, int part);

/* One item of an index. Of a range the parts not given are INDEX_NONE. */
#define INDEX_NONE INT64_MIN
struct index_item {
	enum { INDEX_INT, INDEX_RANGE, INDEX_ELLIPSIS, INDEX_NEW_AXIS, INDEX_ARRAY } kind;
	int64_t begin, end, step;        /* an int is begin */
	const struct ndarray *array;     /* of whole numbers, or bool; not for ndarray_index */
};
struct ndarray *ndarray_index(struct workspace *ws, const struct ndarray *array,
                              const struct index_item *items, uint32_t n);
/* The i-th entry of the first axis. */
struct ndarray *ndarray_at(struct workspace *ws, const struct ndarray *array, size_t i);

/* As numpy writes shapes in errors: "(2,3)"; a negative number is "newaxis". */
void put_dims(struct str *out, const int64_t *dims, uint32_t n);

/* The shape both fit by numpy's rule; on false nothing is said about it. */
bool shape_broadcast(const struct shape *a, const struct shape *b, struct shape *out);

/*
 * The order in which numpy visits the axes of these operands, outermost first: as they lie in
 * memory.
 */
void axes_in_memory_order(const struct shape *shape, const struct ndarray *const *operands,
                          size_t n, uint8_t *order);

/*
 * Elements in any order of the axes, a piece at a time. What runs on in memory is one axis to it.
 */
struct cursor {
	const struct dtype_info *type;
	const unsigned char *at;
	uint32_t rank;           /* at least 1 */
	int64_t dim[SHAPE_MAX_RANK], stride[SHAPE_MAX_RANK], index[SHAPE_MAX_RANK];
};
/*
 * The array as if it had this shape, which it fits by broadcasting; order NULL: first axis
 * outermost.
 */
void cursor_start(struct cursor *cursor, const struct ndarray *array, const struct shape *shape,
                  const uint8_t *order);
/*
 * The next elements that lie cursor->stride[cursor->rank - 1] bytes apart, at most n; the cursor
 * moves behind them.
 */
size_t cursor_run(struct cursor *cursor, size_t n, const unsigned char **at);
/* The next n elements, at most CELLS, which there must be. */
void cursor_take(struct cursor *cursor, size_t n, enum cell to, void *out);
/* The next n elements as they are, of any type; as many as there are. */
void cursor_copy(struct cursor *cursor, size_t n, unsigned char *out);

/* Fills in *ws->err, if no error is there yet, and is NULL, which is false too. */
void *ws_fail(struct workspace *ws, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* "Unsupported expression: ..." */
void *ws_refuse(struct workspace *ws, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* False, and ERR_CANCELLED, once the user has cancelled. */
bool ws_step(struct workspace *ws, uint64_t done, uint64_t total);

#endif
