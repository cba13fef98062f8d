#ifndef DUMP_STEP_PARTS_H
#define DUMP_STEP_PARTS_H

#include "dump/profile/step_stats.h"

/* What step_stats.c, step_times.c and record_detail.c share; nobody else includes it. */

/* Fields. */
enum { META_STEP_STATS = 1, META_COST_GRAPH = 2, META_PARTITION = 3, META_FUNCTION = 4 };
enum { STEP_DEVICE = 1 };
enum { DEVICE_NAME = 1, DEVICE_NODE = 2, DEVICE_THREAD = 3 };
enum {
	EXEC_NAME = 1, EXEC_ALL_START = 2, EXEC_OP_START = 3, EXEC_OP_END = 4, EXEC_ALL_END = 5, EXEC_MEMORY = 6,
	EXEC_OUTPUT = 7, EXEC_LABEL = 8, EXEC_SCHEDULED = 9, EXEC_THREAD = 10, EXEC_REFERENCED = 11, EXEC_STATS = 12,
	EXEC_ALL_START_NS = 13, EXEC_OP_START_NS = 14, EXEC_OP_END_NS = 15, EXEC_ALL_END_NS = 16, EXEC_SCHEDULED_NS = 17,
	EXEC_FIELDS
};

/* The numbers of a NodeExecStats by their field. */
struct raw_times {
	int64_t at[EXEC_FIELDS];
};

/* Packs them into record; what does not fit goes to step->wide. */
void times_pack(struct step *step, struct record *record, const struct raw_times *raw);

#endif
