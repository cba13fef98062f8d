#ifndef DUMP_SUMMARY_ROWS_H
#define DUMP_SUMMARY_ROWS_H

#include "dump/base/err.h"
#include "dump/base/vec.h"
#include "dump/format/dtype.h"
#include "dump/model/origin_value.h"
#include "dump/model/run.h"
#include "dump/model/value.h"
#include "dump/profile/time_parts.h"
#include "dump/summary/fields.h"
#include "dump/summary/reader.h"

/*
 * The values of rows, by the kind of their keys. put appends the message; read fills in what was
 * put, with texts and lists in mem: false with ERR_FORMAT at the row, of damage and of what can't
 * be (a rank of 99). What is missing is 0, NULL or empty; a field that is not known is passed over.
 */

/* SUMMARY_SOURCE: shard `number` of `slot` was read, of the dump whose keys have this hash. */
struct summary_source {
	const char *reader;      /* 1: what read it: "tfdbg v1 dump" */
	uint64_t rows;           /* 2: how many rows all shards have together, this one left out */
	bool is_root;            /* 3: it is a directory of runs */
};

/* SUMMARY_RUN: what its directory is called is in the key. */
struct summary_run {
	uint64_t position;       /* 1: among the runs of its dump, from 1 */
	int64_t time_us;         /* 2: in its name; -1: none */
	const char *suffix;      /* 3: as in struct run_entry, and so the next */
	int64_t counter;         /* 4; -1: none */
	int64_t step;            /* 5; -1: none */
	const char *fetches, *feeds;     /* 6, 7: as in struct run, and so the next three */
	VEC(const char *) metadata;      /* 8 */
	uint32_t n_graph_files;          /* 9 */
	const char *op_type;             /* 10 */
	bool is_empty;                   /* 11 */
	const char *broken;      /* 12: why it can't be read; then it has no other rows */
	VEC(struct run_fact) facts;      /* 13: of a dump of arrays */
};
void summary_run_release(struct summary_run *run);       /* the lists */

/* SUMMARY_DEVICE */
struct summary_device {
	const char *graph;       /* 1: the hash of its graph; NULL: it has none */
	uint32_t position;       /* 2: among the devices of the run, from 0 */
};

/* SUMMARY_PROBLEM: something that is not as it should be, as in struct problem. */
struct summary_problem {
	enum problem_kind kind;  /* 1 */
	bool unread, whole;      /* 2, 3 */
	bool is_dir;             /* 4: nodes is not NULL */
	const char *nodes;       /* 5: as in struct problem */
};

/* How many finite elements there are of floor(log2 |x|) = exponent. */
struct summary_bin {
	int32_t exponent;
	uint64_t n;
};

enum summary_state {
	SUMMARY_ARRAY,
	SUMMARY_UNINITIALISED, SUMMARY_OPAQUE,   /* no array was recorded: type and shape are all */
	SUMMARY_UNREADABLE,      /* problem says why */
	SUMMARY_MISSING,         /* no value was recorded */
};

/*
 * SUMMARY_VALUE: one dumped tensor; SUMMARY_TENSOR: one of a recorded program, whose record has the
 * rest: neither position, time nor file.
 */
struct summary_value {
	uint32_t position;       /* 1: among the tensors of its run, from 0 */
	int64_t time_us;         /* 2; -1: unknown */
	int64_t size_bytes;      /* 3: as in struct tensor; -1: unknown */
	enum summary_state state;        /* 4 */
	const struct dtype_info *type;   /* 5: DataType; NULL: unknown, and the shape is too */
	struct shape shape;              /* 6: dimensions as written */
	/*
	 * Of elements; negative, zero and positive are finite. A complex number is NaN if a part
	 * is, infinite by a part that is, zero if both are, never of a sign. Of strings and bools
	 * none is known but, of bools, zero and positive.
	 */
	uint64_t nan, neg_inf, pos_inf, negative, zero, positive;        /* 7 to 12 */
	bool has_ends;                   /* 13, 14 are there */
	unsigned char min[16], max[16];  /* 13, 14: elements, in the host's order */
	bool has_moments;                /* 15: 1, of floats and whole numbers */
	double mean, std;        /* 16, 17: as struct stats has them: summed block by block */
	double modulus;          /* 18: of complex numbers the largest; -1: none is finite */
	VEC(struct summary_bin) below, above;    /* 19, 20: of negative, of positive elements */
	/* 21: what a debug op counted of the tensor; of DebugIdentity KNOWN_NOTHING. */
	struct origin_health told;
	const char *problem;     /* 22: why it can't be read, a line */
	uint64_t problem_off;    /* 23 */
	enum problem_kind problem_kind;  /* 24 */
	const char *file;        /* 25: below PATH; only where there is a problem */
	const char *op;          /* 26: of an array: struct array_facts */
	const char *doubt;       /* 27: the same */
	bool has_stats;          /* 28 */
	struct array_stats stats;        /* 28: numbers that were recorded of an array */
};
void summary_value_release(struct summary_value *value); /* the lists */

/* SUMMARY_STEP: a step of a profile; its label is in the key. */
struct summary_step {
	int64_t number;          /* 1 */
	uint64_t position;       /* 2: among the steps, from 0 */
	int64_t start_ns, span_ns;       /* 3, 4: since 1970, or as its clock has it; 0: unknown */
	int64_t sync_ns;         /* 5: of waits */
	const char *file;        /* 6: below PATH */
	bool only_totals;        /* 7: its file says nothing of single records */
	/*
	 * 8: where its time went: what is recorded, the total, the parts in the order of TIME_PARTS
	 * as varints. Not of records outside of all steps.
	 */
	bool has_parts;
	struct breakdown parts;
	bool unread;             /* 9: its file could not be read whole */
};

/*
 * SUMMARY_KERNEL: what a node did in a step, all times of it together. slot of the key: what it is
 * (enum activity_kind), debug op: the kernel, of a copy its kind, of the host nothing.
 */
struct summary_kernel {
	const char *op;          /* 1: its op type; "": unknown */
	uint64_t calls;          /* 2 */
	int64_t total_ns;        /* 3: of the host without what was done within it */
	int64_t min_ns, max_ns;  /* 4, 5: of a call; -1: unknown */
	uint64_t bytes;          /* 6: copied, or asked for */
};

void summary_put_source(struct str *out, const struct summary_source *source);
void summary_put_run(struct str *out, const struct summary_run *run);
void summary_put_device(struct str *out, const struct summary_device *device);
void summary_put_problem(struct str *out, const struct summary_problem *problem);
void summary_put_value(struct str *out, const struct summary_value *value);
void summary_put_step(struct str *out, const struct summary_step *step);
void summary_put_kernel(struct str *out, const struct summary_kernel *kernel);

/* path: of the summary, for errors. */
bool summary_read_source(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_source *out, struct err *err);
bool summary_read_run(const char *path, const struct summary_row *row, struct arena *mem,
                      struct summary_run *out, struct err *err);
bool summary_read_device(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_device *out, struct err *err);
bool summary_read_problem(const char *path, const struct summary_row *row,
                          struct arena *mem, struct summary_problem *out, struct err *err);
bool summary_read_value(const char *path, const struct summary_row *row, struct arena *mem,
                        struct summary_value *out, struct err *err);
bool summary_read_step(const char *path, const struct summary_row *row, struct arena *mem,
                       struct summary_step *out, struct err *err);
bool summary_read_kernel(const char *path, const struct summary_row *row, struct arena *mem,
                         struct summary_kernel *out, struct err *err);

#endif
