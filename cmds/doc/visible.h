#ifndef CMDS_VISIBLE_H
#define CMDS_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"
#include "dump/model/run.h"

/*
 * Which tensors of a run are visible: those that match every given pattern from their start. These
 * are tfdbg's --node_name_filter, --op_type_filter and --tensor_dtype_filter, which made it not
 * watch the others. The dtype is read from the tensor's file.
 */
struct visible_words {
	const char *node_name, *op_type, *dtype;         /* NULL: not given */
};
struct visible;

/* *out is NULL if no word is given. False with ERR_REGEX. For one thread at a time. */
bool visible_new(const struct visible_words *words, struct visible **out, struct err *err);
void visible_free(struct visible *visible);

/*
 * For each tensor of the run, whether it is hidden; the caller frees the array. *n_hidden counts
 * them. ops: the op type of each tensor's node; NULL if none is known. NULL with ERR_LIMIT of a
 * pattern.
 */
bool *visible_hide(struct visible *visible, const struct run *run, const char *const *ops,
                   size_t *n_hidden, struct err *err);

#endif
