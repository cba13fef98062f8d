#ifndef DUMP_OVERLAP_H
#define DUMP_OVERLAP_H

#include "dump/profile/activity.h"

/* How long a device exchanged data with others, and how much of that while it computed, too. */
struct overlap {
	uint32_t device;                 /* acts->devices */
	size_t n_kernels, n_collectives;
	int64_t collective_ns, hidden_ns;
};
typedef VEC(struct overlap) overlap_list;

/* Adds each device that ran kernels, in the order of devices. */
void overlap_of(const struct activities *acts, overlap_list *out);

#endif
