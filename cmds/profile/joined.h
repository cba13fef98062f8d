#ifndef CMDS_JOINED_H
#define CMDS_JOINED_H

#include "cmds/session/session.h"

/*
 * Values and times of the same nodes: a run of a dump beside a step of a profile. Two nodes are the
 * same if they have the same name and device.
 */

/*
 * Times of the current step for the tensors of the current run. NULL: call->err or an error line
 * says why. Names are copied: the result outlives both the step and the run.
 */
struct node_times;
struct node_times *node_times_new(struct call *call);
void node_times_free(void *times);       /* NULL: nothing */
struct node_time {
	int64_t host_ns, kernel_ns;      /* -1: none is recorded */
};
struct node_time node_time_of(const struct node_times *times, const struct tensor *tensor);

/*
 * How many dumped tensors of a node pass has_inf_or_nan. With ask, tensors not yet asked are read
 * now; without it there is an answer only if none is left. NULL: no answer, or call->err is set
 * (ERR_CANCELLED).
 */
struct nan_counts;
struct nan_counts *nan_counts_new(struct call *call, bool ask);
void nan_counts_free(void *counts);      /* NULL: nothing */
/* The count of a node on a profile's device, once a row: then 0. context: struct nan_counts. */
uint64_t nan_count_for(void *context, uint64_t row, const char *device, const char *node);

#endif
