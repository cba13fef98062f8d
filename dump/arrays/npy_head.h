#ifndef DUMP_NPY_HEAD_H
#define DUMP_NPY_HEAD_H

#include "dump/arrays/array.h"

/* What the head of a .npy file says. */
struct npy_head {
	enum dtype dtype;
	bool big_endian, by_column;      /* by_column: the first index is the fastest */
	enum value_coding text;            /* of DTYPE_STRING */
	uint32_t text_bytes;
	struct shape shape;
	uint64_t data, bytes;            /* where the elements begin, and how many bytes they are */
};

/*
 * False, with a sentence in *err: it is none, its elements are of a type that is not read, or they
 * are not all there.
 */
bool npy_head_read(struct input *input, struct npy_head *head, struct err *err);

/* The array with this head, whose place is set. */
void npy_head_put(const struct npy_head *head, struct array *array, struct arena *mem);

#endif
