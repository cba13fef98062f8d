#ifndef CMDS_PROGRAM_TENSOR_FILTER_H
#define CMDS_PROGRAM_TENSOR_FILTER_H

#include "cmds/session/filter.h"
#include "dump/model/program.h"

/*
 * A question about a tensor that its record may leave open: what a mode does not tell is not known,
 * and what is not known does not pass.
 */


/* has_inf_or_nan has_nan has_inf has_zero has_negative dtype:D rank:N size>N */
struct tensor_filter {
	enum {
		ASK_INF_OR_NAN, ASK_NAN, ASK_INF, ASK_ZERO, ASK_NEGATIVE, ASK_DTYPE, ASK_RANK,
		ASK_SIZE,
	} ask;
	uint32_t dtype;
	uint64_t number;
};

/* ERR_VALUE: there is no such filter. */
bool tensor_filter_read(const char *text, struct tensor_filter *out, struct err *err);

/* *err is set too if the tensor can't be read: then the verdict is open. */
enum answer3 tensor_filter_ask(const struct tensor_filter *filter, struct program_reads *reads,
                               const struct program_tensor *tensor, struct err *err);

#endif
