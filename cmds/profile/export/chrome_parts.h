#ifndef CMDS_CHROME_PARTS_H
#define CMDS_CHROME_PARTS_H

#include "cmds/lang/python_json.h"
#include "dump/base/err.h"
#include "dump/profile/label.h"

/* What the two styles of a Chrome trace share. */

/* Node and op of a kernel, from its label or else its name. */
void chrome_kernel_names(const char *label, size_t len, const char *name, struct text *node, struct text *op);

/* Node, op and inputs of any other record, from its label. */
void chrome_op_names(const char *label, size_t len, const char *name, struct text *node, struct text *op,
                     struct text *inputs);

/* "name", "op", "input0", ... into an object that is open. */
void chrome_put_args(struct python_json *json, struct text node, struct text op, struct text inputs);

/*
 * What is whole of a damaged record is written, and *damage tells of the first one; a file that
 * can't be read any more ends it: false.
 */
bool chrome_only_damaged(struct err *err, struct err *damage);

#endif
