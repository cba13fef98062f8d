#ifndef DUMP_VALUE_H
#define DUMP_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/dtype.h"
#include "dump/format/input.h"

/*
 * The value of one dumped tensor: its type and shape at once, its elements on demand. Elements are
 * read in windows with pread and never held whole, so a tensor may be larger than memory, and a
 * file that is cut while it is read gives an err, not a crash.
 * Source: tensorflow/core/framework/tensor.proto; tfdbg's load_tensor_from_event.
 */
#define SHAPE_MAX_RANK 32        /* numpy's limit */
/* Of elements that overlap in the file no more than these are read one by one. */
#define VALUE_VAST (UINT64_C(1) << 32)

struct shape {
	uint32_t rank;
	int64_t dim[SHAPE_MAX_RANK];
};

/* Product of the dimensions (1 for rank 0). False if one is negative or the product overflows. */
bool shape_count(const struct shape *shape, uint64_t *count);
bool shape_equal(const struct shape *a, const struct shape *b);
/* Steps to the index of the next element, the last axis fastest; after the last to the first. */
void shape_next(const struct shape *shape, int64_t *index);

enum value_state {
	VALUE_ARRAY,
	VALUE_UNINITIALISED,     /* no content although the shape has elements */
	VALUE_OPAQUE,            /* resource or variant: no array, but initialised */
};

struct value {
	enum value_state state;
	const struct dtype_info *type;
	struct shape shape;
	uint64_t count;          /* elements; 0 unless VALUE_ARRAY */
	const char *path;        /* the file, for errors */
	/*
	 * Numbers about the elements, where a summary kept only those (dump/model/known.h). NULL if
	 * the elements are there.
	 */
	const struct value_known *known;
	/* A bit for each axis along which all elements are the same one in the file (stride 0). */
	uint32_t flat_axes;
	bool is_vast;            /* it is spread over more elements than are read one by one */
	struct value_source *source;    /* private */
};

/*
 * Opens the value of a serialized Event with one tensor in a file of its own (tfdbg v1).
 * *err gets ERR_FORMAT with the offset for a damaged file, ERR_IO if it can't be read.
 */
struct value *value_open_event(const char *path, struct err *err);

/*
 * The TensorProto at [off, off + len) of a file. typed: the fields float_val, int_val... count as
 * content (v2 dumps, constants in graphs), and tensor_content may hold strings (their lengths, then
 * their bytes: v2 traces); else only tensor_content and string_val do (v1 dumps).
 */
struct value *value_open_proto(const char *path, uint64_t off, uint64_t len, bool typed,
                               struct err *err);

/*
 * Consecutive elements at [off, off + len) of a file, in row-major order; bytes after them are
 * ignored. A bool is any byte, true unless 0. Not for strings. ERR_FORMAT: they are not all there,
 * or the shape is too large for any memory.
 */
struct value *value_open_raw(const char *path, uint64_t off, uint64_t len, enum dtype dtype,
                             bool big_endian, const struct shape *shape, struct err *err);

/* How the elements of an array file lie in an input. */
enum value_coding { CODED_BYTES, CODED_UCS4, CODED_UCS4_BIG };
struct value_layout {
	enum dtype dtype;
	bool big_endian;
	uint64_t off;            /* of the element with index 0, 0, ... */
	/* From an element to the next along each axis, in elements; NULL: row-major. */
	const int64_t *stride;
	/* Of strings: their coding, and the bytes of each; NULs at its end don't belong to it. */
	enum value_coding text;
	uint32_t text_bytes;
};

/*
 * The input is taken over, also if it fails. ERR_FORMAT: some element is not in the input, or the
 * shape is too large for any memory.
 */
struct value *value_open_input(struct input *input, const struct shape *shape,
                               const struct value_layout *layout, struct err *err);

/* Strings that come one by one from their owner, who is released with the value. */
struct value_texts {
	void *owner;
	/* The i-th, good until the next call. */
	bool (*text)(void *owner, uint64_t i, const char **text, size_t *len, struct err *err);
	void (*release)(void *owner);
};
struct value *value_open_texts(const char *path, const struct shape *shape,
                               const struct value_texts *texts, struct err *err);

/*
 * Elements in the caller's memory, host byte order, row-major; not copied. For tests and results.
 */
struct value *value_of_memory(enum dtype dtype, const struct shape *shape, const void *elems,
                              size_t bytes);

/* The same of strings. */
struct value_text { const char *text; size_t len; };
struct value *value_of_texts(const struct shape *shape, const struct value_text *elems);

void value_close(struct value *value);

/* Reads its elements as if flat axes had one index, or as they are. For view.c alone. */
void value_narrow(struct value *value, bool narrow);

/* n elements from the first-th on into out (n * elem_bytes), host byte order. Not for strings. */
bool value_read(struct value *value, uint64_t first, size_t n, void *out, struct err *err);

/* The i-th string. *text stays good until the next call with this value. */
bool value_string(struct value *value, uint64_t i, const char **text, size_t *len, struct err *err);

/* Text format of the TensorProto: what is shown of a value that is no array. Ends in a newline. */
bool value_proto_text(struct value *value, struct str *out, struct err *err);

/*
 * Where an element lies in the file. False for strings, typed fields and values that are no array:
 * then only their message is known, from value_message: [*off, *off + *len) of the first piece.
 */
bool value_place(const struct value *value, uint64_t i, uint64_t *off, uint64_t *len);
bool value_message(const struct value *value, uint64_t *off, uint64_t *len);

/*
 * A slice: elements of an array at regular steps. Its element (i0, i1, ...) is element start + i0 *
 * stride[0] + i1 * stride[1] + ... of the value.
 */
struct view {
	struct value *value;     /* borrowed */
	struct shape shape;
	uint64_t count;
	uint64_t start;
	int64_t stride[SHAPE_MAX_RANK];
	bool is_distinct;        /* private: of view_distinct */
};

void view_all(struct view *view, struct value *value);
/*
 * All elements, but one along each axis along which they are the same. Returns how often each is in
 * the value.
 */
uint64_t view_distinct(struct view *view, struct value *value);
/*
 * n elements of the view in row-major order, from its first-th on. ERR_LIMIT: somebody reads a vast
 * value window by window, which would not end; a few elements at a time can be had.
 */
bool view_read(struct view *view, uint64_t first, size_t n, void *out, struct err *err);
bool view_string(struct view *view, uint64_t i, const char **text, size_t *len, struct err *err);

#endif
