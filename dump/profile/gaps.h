#ifndef DUMP_GAPS_H
#define DUMP_GAPS_H

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/profile/activity.h"

/*
 * When a device did nothing between two of its records, and why. Records of length 0 are no work.
 *   kernel_wait  the pause that a device makes between two kernels of one stream
 *   host_wait    what came next was launched only after the gap had begun
 *   other        it was launched before, and waited for something else
 *   unknown      when it was launched is not recorded
 */
#define GAP_CAUSES(X) \
	X(KERNEL_WAIT, "kernel_wait") X(HOST_WAIT, "host_wait") X(OTHER, "other") \
	X(UNKNOWN, "unknown")
enum gap_cause {
#define X(id, name) GAP_##id,
	GAP_CAUSES(X)
#undef X
	N_GAP_CAUSES
};
extern const char *const gap_cause_names[N_GAP_CAUSES];

struct gap {
	int64_t start_ns, len_ns;
	uint32_t before, after;          /* acts->at.at[] */
	enum gap_cause cause;
};
typedef VEC(struct gap) gap_list;

/* Adds the gaps of all devices, by device and time. False with *err: a cancel. */
bool gaps_find(const struct activities *acts, gap_list *out, struct progress *progress,
               struct err *err);

#endif
