#ifndef CMDS_KERNEL_TABLE_H
#define CMDS_KERNEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/lang/interval.h"
#include "cmds/lang/pattern.h"
#include "dump/profile/activity.h"
#include "dump/profile/busy.h"

/*
 * The activities of one or more steps, summed up by kernel, op, scope and so on. The universe says
 * which kinds of activity count for total, share, calls and so on; the other kinds have sums of
 * their own, which are never added to these.
 */
#define UNIVERSES(X) X(KERNEL, "kernel") X(COPY, "copy") X(DEVICE, "device") X(HOST, "host")
enum universe {
#define X(id, name) UNIVERSE_##id,
	UNIVERSES(X)
#undef X
	N_UNIVERSES
};

#define KERNEL_GROUPS(X) \
	X(KERNEL, "kernel") X(SHAPE, "shape") X(OP, "op") X(TYPE, "type") X(SCOPE, "scope") \
	X(SOURCE, "source") X(DEVICE, "device") X(STREAM, "stream") X(STEP, "step") \
	X(INPUT_SHAPE, "input_shape") X(STACK, "stack")
enum kernel_group {
#define X(id, name) GROUP_##id,
	KERNEL_GROUPS(X)
#undef X
	N_GROUPS
};

extern const char *const universe_names[N_UNIVERSES];
extern const char *const kernel_group_names[N_GROUPS];

bool universe_has(enum universe universe, enum activity_kind kind);

#define MAX_SCOPE_DEPTH 100

struct kernel_query {
	bool has_universe, has_group;    /* false: what the steps hold decides */
	enum universe universe;
	enum kernel_group group;
	bool idle;                       /* a row "IDLE": what the devices did not use */
	uint32_t depth;                  /* name parts of a scope row; at most MAX_SCOPE_DEPTH */
	/* Borrowed; NULL: all pass. */
	struct pattern *device, *node, *op, *kernel, *stream, *source;
	const struct interval *total;    /* us; NULL: all pass */
	/* "file.py:12(f)"; "": not known. */
	const char *(*source_of)(void *context, const char *node);
	void *context;
	/* NaN tensors of a node not yet counted for this row; NULL: no dump to ask. */
	uint64_t (*nan_of)(void *nan_context, uint64_t row, const char *device, const char *node);
	void *nan_context;
	/* Float operations of all runs of a node; NULL: not asked for. */
	double (*flops_of)(void *flops_context, const char *node);
	void *flops_context;
};

struct kernel_row {
	const char *name, *short_name;
	int64_t total_ns, self_ns, min_ns, max_ns;       /* -1, of min and max: not known */
	int64_t sum_ns[3];               /* by enum activity_kind */
	int64_t mean_ns;                 /* as its file says it; 0: total through calls */
	uint64_t calls, execs, nan;      /* calls 0: the row "IDLE" */
	int64_t bytes;
	size_t first, n_members;         /* private: its activities; of totals there are none */
};

/* Rounded half up, unless the file says it. */
static inline int64_t kernel_row_mean(const struct kernel_row *row)
{
	int64_t n = (int64_t)row->calls;

	return row->mean_ns ? row->mean_ns : n ? (2 * row->total_ns + n) / (2 * n) : 0;
}

struct device_gap {
	int64_t at_ns, len_ns;           /* after the step's start */
};

struct device_facts {
	const char *device;
	const char *text;                /* as the file has it, of a trace; NULL: of its host */
	bool is_host;                    /* from records of the host */
	int64_t span_ns, busy_ns, sum_ns, kernel_ns, copy_ns, hidden_ns;
	uint64_t kernels, copies, streams;
	struct device_gap gap[5];
	size_t n_gaps;
};

struct table_step;
struct kernel_table {
	enum universe universe;
	enum kernel_group group;
	VEC(struct kernel_row) rows;     /* by name */
	VEC(struct device_facts) devices;
	int64_t whole_ns;                /* of the universe, filtered only by -d */
	int64_t shown_ns;
	uint64_t calls;
	uint64_t n_kernels, n_zero;      /* filtered only by -d; zero: of length 0 */
	int64_t lost_ns;                 /* time of kernels whose node is not known */
	int64_t sync_ns;
	size_t n_impossible, n_bookkeeping;
	bool has_gpu_executor, host_has_gpu;
	bool has_kernels;                /* on any device */
	bool only_totals;                /* of no single record */
	struct kernel_work *work;        /* private */
};

/*
 * The steps and the query's callbacks must outlive the table. False: *err says whether it was
 * cancelled, a regular expression took too long, or kernels of the host were asked for. Call
 * kernel_table_free in any case.
 */
bool kernel_table_of(const struct activities *const *steps, const char *const *labels,
                     size_t n_steps, const struct kernel_query *query, struct progress *progress,
                     struct kernel_table **out, struct err *err);
void kernel_table_free(struct kernel_table *table);

/*
 * The activities of all kinds behind the row with this name (or short name, for kernels), or with
 * NULL all of them, that pass the query's filters: steps[step]->at.at[at]. False with *err. Call
 * kernel_members_release in any case.
 */
struct kernel_member {
	uint32_t step, at;
};
struct kernel_members {
	VEC(struct kernel_member) at;
};
bool kernel_members_of(const struct activities *const *steps, const char *const *labels,
                       size_t n_steps, const struct kernel_query *query, enum kernel_group group,
                       const char *name, struct progress *progress, struct kernel_members *out,
                       struct err *err);
void kernel_members_release(struct kernel_members *members);

/* What 95 % of a row's records don't exceed; -1: of fewer than 20, or not known. */
int64_t kernel_row_p95(const struct kernel_table *table, const struct kernel_row *row);

/*
 * Details of a row, at the cost of a pass over its activities. Lists are sorted bytewise, their
 * texts owned by the table.
 */
struct kernel_row_more {
	size_t nodes;
	const char *top_node;            /* of the largest total */
	const char *source;              /* its line; "" if not known */
	int64_t busy_ns, p95_ns;
	int64_t launch_delay_ns;         /* the mean of the known ones; -1: none */
	double flops;                    /* of its nodes, each once */
	VEC(const char *) ops, raws;
};
void kernel_row_more(struct kernel_table *table, const struct kernel_row *row,
                     struct kernel_row_more *more);
void kernel_row_more_release(struct kernel_row_more *more);

/*
 * What only traces tell of the records behind a row, and that at the cost of another pass. Figures
 * are negative if nothing of the kind is recorded.
 */
enum kernel_bound { BOUND_UNKNOWN, BOUND_COMPUTE, BOUND_MEMORY };
struct kernel_row_extra {
	double queue, occupancy;         /* means; occupancy in percent */
	double flops, bytes;             /* sums: float operations, bytes read and written */
	enum kernel_bound bound;         /* by what the device is capable of */
	int64_t host_total_ns, device_total_ns;  /* of ops, with what lies in them */
	bool has_memory;
	int64_t memory;                  /* bytes that ops took themselves, less what they freed */
};
void kernel_row_extra(struct kernel_table *table, const struct kernel_row *row,
                      struct kernel_row_extra *extra);
/* "regs:32 shm:0 grid:1,1,1 block:64,1,1"; NULL: not known, or not the same for all kernels. */
const char *kernel_row_launch(const struct kernel_table *table, const struct kernel_row *row);
/* The op type of its first activity; "": not known. */
const char *kernel_row_op(const struct kernel_table *table, const struct kernel_row *row);
#endif
