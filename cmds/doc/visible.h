#ifndef CMDS_VISIBLE_H
#define CMDS_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"
#include "dump/model/run.h"

/*
 * Which tensors of a run are visible: those that fit all patterns given, each from its start
 * (tfdbg's --node_name_filter, --op_type_filter, --tensor_dtype_filter, with which it did not watch
 * the others). A type is read from the tensor's file.
 */
struct visible_words {
	const char *node_name, *op_type, *dtype;         /* NULL: not given */
};
struct visible;

/* NULL without words. False with ERR_REGEX. One serves one thread. */
bool visible_new(const struct visible_words *words, struct visible **out, struct err *err);
void visible_free(struct visible *visible);

/*
 * Tells of each tensor whether it is hidden (on the heap), and of how many. ops may be NULL: no
 * type of an op is known. NULL with ERR_LIMIT of a pattern.
 */
bool *visible_hide(struct visible *visible, const struct run *run, const char *const *ops,
                   size_t *n_hidden, struct err *err);

#endif
