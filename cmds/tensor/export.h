#ifndef CMDS_EXPORT_H
#define CMDS_EXPORT_H

#include <stdio.h>

#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/model/run.h"

/*
 * Tensors written as files that other programs read. What is written is streamed, tensor by tensor:
 * none is held whole.
 */
struct exported {
	const struct run *run;
	VEC(uint32_t) at;        /* positions in run->tensors */
	VEC(const char *) names; /* of them, each another, as keys: UTF-8 */
};

/*
 * Write all to a stream, with whole heads. False with *err, or without: a write failed. Progress is
 * in tensors.
 */
bool export_npz(const struct exported *what, FILE *out, struct progress *progress,
                struct err *err);
bool export_safetensors(const struct exported *what, FILE *out, struct progress *progress,
                        struct err *err);

/* What safetensors calls a type; NULL: it has none of this kind. */
const char *safetensors_type(const struct dtype_info *type);

#endif
