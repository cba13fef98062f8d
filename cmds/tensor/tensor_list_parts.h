#ifndef CMDS_TENSOR_LIST_PARTS_H
#define CMDS_TENSOR_LIST_PARTS_H

#include "cmds/tensor/tensor_list.h"

/* What rows show, and are sorted by: of the tensor at a position in the run. */

static inline const char *tensor_list_op(const struct tensor_list *list, uint32_t at)
{
	return list->ops[at] ? list->ops[at] : "?";
}

/* In nanoseconds; -1 if the step has no such time for the tensor's node. */
static inline int64_t tensor_list_time(const struct tensor_list *list, uint32_t at,
                                       enum sort_key key)
{
	struct node_time time = node_time_of(list->times, &list->run->tensors.at[at]);

	return key == BY_HOST_TIME ? time.host_ns : time.kernel_ns;
}

/* What is known of it; NULL: nothing yet. */
static inline const struct vitals *tensor_list_vitals(const struct tensor_list *list, uint32_t at)
{
	return healths_of(list->visit->healths, at);
}

#endif
