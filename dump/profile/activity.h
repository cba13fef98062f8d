#ifndef DUMP_ACTIVITY_H
#define DUMP_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/model/graph.h"
#include "dump/profile/profile_proto.h"
#include "dump/profile/step.h"

/*
 * What was done in a step, each thing once: GPU kernels and copies, and what the host did for each
 * op. A file lists the same kernel in several lanes (all of a GPU, its stream); here it is one
 * activity that knows its stream. Never add up the three kinds: a host row is an op's work on a
 * CPU, or the dispatch of what a GPU row then does. 64 bytes an activity; names are stored once.
 * Left out: the lanes HOST and GPU_OTHER; waits (summed in sync_ns); _SOURCE and _SINK (counted);
 * records with impossible times, or beyond five days in total (kept apart).
 *
 * They come from a step that TensorFlow recorded (activities_of), or from the trace of another
 * program (dump/profile/trace.h), whose host records may lie within each other.
 */
enum activity_kind { ACTIVITY_HOST, ACTIVITY_KERNEL, ACTIVITY_COPY };
#define ACTIVITY_BARRIER 3       /* a wait of a trace: only in activities.waits */
extern const char *const activity_kind_names[];          /* "host", "kernel", "copy", "barrier" */

struct activity {
	int64_t start_ns, len_ns;
	union {
		int64_t launch_delay_ns; /* from its launch to its start; -1: not recorded */
		int64_t nested_ns;       /* of the host: part of len_ns that others in it took */
	};
	int64_t bytes;           /* bytes copied; for the host: requested by the op */
	uint32_t record;         /* of step->records, or trace->records */
	uint32_t device : 30;    /* devices.key[] */
	uint32_t kind : 2;       /* enum activity_kind */
	uint32_t stream;         /* streams.key[]: "14"; MAP_NONE: not known, or the host */
	uint32_t node, op;       /* names.key[]; op "" if not known */
	/* names.key[]: full name, name in the file; copies "[copy H2D]"; MAP_NONE: none. */
	uint32_t kernel, raw;
	/* names.key[]: "regs:32 shm:0 grid:1,1,1 block:64,1,1"; MAP_NONE: not said. */
	uint32_t launch;
};

/* What an activity counts in sums: for the host without what was done within it. */
static inline int64_t activity_own_ns(const struct activity *a)
{
	return a->kind == ACTIVITY_HOST ? a->len_ns - a->nested_ns : a->len_ns;
}

struct trace;
struct activities {
	const struct step *step;         /* NULL: of a trace */
	const struct trace *trace;       /* NULL: of a step */
	VEC(struct activity) at; /* host, copies, kernels, each in file order; of a trace all so */
	VEC(struct activity) impossible; /* device is names.key[] here: the lane's */
	VEC(struct activity) waits;      /* of a trace: barriers, in no table; summed in sync_ns */
	struct map devices;              /* executor devices, else the lane's; as they come */
	struct map streams, names;
	uint32_t unattributed;           /* names' number of "(unattributed)" */
	int64_t begin_us;                /* smallest all_start of what counts; 0: none */
	int64_t sync_ns;
	size_t n_bookkeeping;
	size_t n_of[3];                  /* by enum activity_kind */
	bool has_gpu_executor;           /* a lane of ops placed on a GPU */
	struct err damage;               /* the first record whose label could not be read */
	/* Private: the trace has the rest (without at and impossible), or all of it. */
	bool lent, all_lent;
	struct arena mem;
};

/*
 * From a loaded step of TensorFlow's. Its names are not copied if it stays loaded as long as the
 * result. An indexed proto (may be NULL) and the graphs say which nodes there are and their op
 * types; n_graphs may be 0. Reads all labels once.
 * False with *err after a cancel or if the file can't be opened; call activities_release in any
 * case.
 */
bool activities_of(const struct step *step, const struct profile_proto *proto,
                   struct graph *const *graphs, size_t n_graphs, bool step_stays,
                   struct progress *progress, struct activities *out, struct err *err);
void activities_release(struct activities *activities);

#endif
