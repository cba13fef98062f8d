#ifndef CMDS_PROGRAM_TENSOR_FILTER_H
#define CMDS_PROGRAM_TENSOR_FILTER_H

#include "cmds/session/session.h"
#include "dump/model/program.h"

/*
 * A filter of tensors whose records may leave the answer open: what a mode does not record is not
 * known, and what is not known does not pass.
 */

/* has_inf_or_nan has_nan has_inf has_zero has_negative dtype:D rank:N size>N, or the user's */
struct tensor_filter {
	enum { ASK_NAMED, ASK_DTYPE, ASK_RANK, ASK_SIZE, ASK_EXPRESSION } ask;
	enum program_filter named;
	uint32_t dtype;
	uint64_t number;
	const struct filter *expression;         /* owned by the session */
};

/* A filter by name, or "dtype:D" and the like. False: no such filter; the answer says so. */
bool tensor_filter_choose(struct call *call, const char *text, struct tensor_filter *out);
/*
 * If the tensor can't be read, *err is set and the answer is "not known".
 */
enum answer3 tensor_filter_ask(const struct tensor_filter *filter, struct program_reads *reads,
                               const struct program_tensor *tensor, struct err *err);
/* Is that because a pattern takes too long? Then it would with other tensors, too. */
bool tensor_filter_gave_up(const struct err *err);

#endif
