#ifndef CMDS_MEMORY_PEAKS_H
#define CMDS_MEMORY_PEAKS_H

#include "cmds/doc/call.h"
#include "dump/profile/step.h"
#include "dump/profile/tensor_life.h"

/* What each allocator held at its peak in a step, from the lifetimes of tensors. */

struct peak {
	int64_t bytes, at_us;            /* the peak, or another time; as the file counts */
	int64_t most, sum, in_use;       /* bytes; in_use is 0 where it is not recorded */
	uint64_t tensors;
	VEC(uint32_t) live;              /* tensors, largest first: lives.at[] */
};

/* Start with {0}. */
struct memory_peaks {
	struct tensor_lives lives;       /* the step's names live as long as its answers */
	VEC(int64_t) in_use;             /* private: by allocator of `users` */
	struct map users;                /* private: allocators that say how much is in use */
	VEC(struct peak) at;             /* by allocator: lives.allocators */
	int64_t begin_us, end_us;        /* of the step */
	struct life_events events;
	size_t *first;                   /* by allocator: its events */
};

/* False: call->err says why. Call memory_peaks_release in any case. */
bool memory_peaks_read(struct call *call, const struct step *step, struct memory_peaks *out);
void memory_peaks_release(struct memory_peaks *peaks);

/* False: these tensors' allocator is not recorded, and their sum is no peak of anything. */
bool memory_peaks_recorded(const struct memory_peaks *peaks, size_t allocator);
/* Goes to another time than that of the peak, in microseconds after the step's start. */
void memory_peaks_go(struct memory_peaks *peaks, struct peak *peak, int64_t after_us);

#endif
