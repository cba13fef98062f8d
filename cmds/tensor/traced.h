#ifndef CMDS_TRACED_H
#define CMDS_TRACED_H

#include "cmds/tensor/request.h"

/* What cmds/tensor/request.c does for dumps of a run, for tensors of a recorded program. */

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
 * Answers about a tensor whose value was not stored: why, and what its record says of it. Asking
 * for a slice of it fails.
 */
void traced_show_known(struct call *call, const struct request *req, const char *why);

#endif
