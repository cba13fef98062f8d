#ifndef DUMP_TORCH_H
#define DUMP_TORCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/arrays/pickle.h"
#include "dump/base/vec.h"
#include "dump/format/dtype.h"
#include "dump/format/zip.h"

/*
 * The tensors of a file of torch.save (.pt, .pth) since PyTorch 1.6: a zip archive with a pickle
 * that says which tensors there are, and a member for each storage that they are views of. The
 * pickle is never run (dump/arrays/pickle.h); what else it holds, numbers and texts, are the file's
 * scalars.
 *
 * Names are the keys of dicts and the places in lists on the way to a tensor, joined by '.'.
 * Limits  10^7 values, 64 levels of dicts and lists.
 */
struct torch_tensor {
	const char *name;        /* "" of a file that holds one tensor and nothing else */
	const char *dtype_name;  /* torch's: "float32" */
	const struct dtype_info *type;   /* NULL: it is not known here */
	uint32_t rank;
	const int64_t *dim, *stride;     /* rank each; strides and start count elements */
	uint64_t start;
	const struct zip_member *storage;
	uint64_t size_bytes;     /* of its elements */
	const char *why;         /* a sentence: its value can't be had; NULL: it can */
};

/* A number, text or truth of the pickle under its name. */
struct torch_scalar {
	const char *name;
	struct pickle_value value;
};

/* In the order of the pickle; all in mem, with the zip's. */
struct torch {
	struct zip zip;
	bool big_endian;
	VEC(struct torch_tensor) tensors;
	VEC(struct torch_scalar) scalars;
	bool too_deep;           /* what lies deeper than 64 levels is left out */
	char *pickle;            /* private: the texts are in it */
	struct arena mem;
};

/*
 * Start with {0}; torch_release either way. The file is borrowed. ERR_UNSUPPORTED: it needs Python
 * code, or is TorchScript; ERR_FORMAT: damaged, or no such file; ERR_LIMIT, ERR_CANCELLED.
 */
bool torch_open(struct torch *torch, struct file *file, struct progress *progress,
                struct err *err);
void torch_release(struct torch *torch);

#endif
