#ifndef CMDS_TRACED_H
#define CMDS_TRACED_H

#include "cmds/tensor/request.h"

/* Requests of tensors of a recorded program: what cmds/tensor/request.c does for dumps of a run. */

/*
 * On a screen the answer begins with which of its occurrences in the step it is, by health and,
 * where values were stored, by how large they are; and brings the keys that go to another, by the
 * same line with another --trace.
 */
bool traced_find(struct call *call, const char *tensor, const struct tensor_words *words,
                 struct request *req);
struct value *traced_value(struct call *call, const struct request *req, struct err *err);
const char *traced_origin(struct call *call, const struct request *req);
void traced_type(struct call *call, const struct request *req, struct value_data *out);
/*
 * The answer about one whose value was not stored, and why: what its record tells of it. A slice of
 * it fails.
 */
void traced_show_known(struct call *call, const struct request *req, const char *why);

#endif
