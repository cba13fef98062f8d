#ifndef DUMP_TFPROF_H
#define DUMP_TFPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/profile/op_log.h"
#include "dump/profile/profile_proto.h"

/*
 * What TensorFlow's profiler tool (tfprof) knows about a program: the nodes of its graph with
 * shapes, inputs and the program line that made them, and for each node and step the sums over its
 * runs. It is made from a GraphDef, RunMetadata files (one a step) and an op log, or from one
 * ProfileProto that holds all of these.
 * Times are microseconds, sizes bytes. Sums wrap around if a file's numbers are absurd.
 * Source: tensorflow/core/profiler: tfprof_log.proto, internal/tfprof_node.
 */

#define TFPROF_NONE UINT32_MAX
#define TFPROF_OWN_NAME 0x80000000u      /* or'ed to a node: its name, for tfprof_text() */

/*
 * A shape: dim[first .. first + n). Shape 0 is the unknown shape, with n = 0; a scalar is [1]; an
 * unknown dimension is -1.
 */
struct tfprof_shape {
	size_t first;
	uint32_t n;
};

/*
 * An input: its number; the node it comes from (TFPROF_NONE: no node has that name); its output
 * slot there (-1: not given). The profiler keeps one slot for each pair of nodes, that of the last
 * input. Outputs are sorted by slot.
 */
struct tfprof_input {
	int32_t index;
	uint32_t node;
	int32_t slot;
};

struct tfprof_output {
	int32_t slot;
	uint32_t shape;
};

/* A line of the program. */
struct tfprof_frame {
	uint32_t file, function;         /* texts.key[] */
	int32_t line, function_line;
};

/* What one node did in one step. */
struct tfprof_exec {
	uint32_t next;                   /* of the same node, TFPROF_NONE: the last */
	int32_t runs;
	int64_t step;
	int64_t start_us, end_us;        /* first start (0: not recorded), latest end */
	int64_t accelerator_us, cpu_us;
	int64_t requested, peak, residual, output;
	int64_t persistent;              /* what it keeps on an accelerator */
};

/* The same in its stored form: tfprof_exec_at(). */
struct tfprof_narrow_exec {
	uint32_t next;
	int32_t runs, step;
	uint32_t start_low, start_high, lasting;
	uint32_t accelerator_us, cpu_us;
	uint32_t requested, peak, residual, output, persistent;
};

/* Its name is names.key[] of its number. Lists are ranges of the lists in struct tfprof. */
struct tfprof_node {
	uint32_t op;                     /* a text; each op is one number */
	uint32_t device;                 /* canonical, lower case, texts.key[], or TFPROF_NONE */
	uint32_t shape;                  /* its attribute "shape"; 0: none */
	uint32_t first_input, n_inputs;
	uint32_t first_output, n_outputs;
	uint32_t first_type, n_types;    /* op types: sorted, each once */
	uint32_t first_frame;            /* where it was made, outermost first */
	uint32_t n_frames : 31;
	bool nhwc : 1;                   /* attribute data_format == NHWC */
	uint32_t exec;                   /* the latest step's, TFPROF_NONE: never ran */
	int64_t float_ops;               /* of one run */
};

struct tfprof {
	struct arena mem;
	struct map names, texts, shape_texts;
	VEC(struct tfprof_node) nodes;
	VEC(struct tfprof_shape) shapes; /* with shape_texts.key[]: "3x3x16" */
	VEC(int64_t) dims;
	VEC(struct tfprof_input) inputs;
	VEC(struct tfprof_output) outputs;
	VEC(uint32_t) types;             /* texts */
	VEC(struct tfprof_frame) frames;
	VEC(uint32_t) stacks;            /* frames.at[] */
	VEC(struct tfprof_narrow_exec) execs;
	VEC(struct tfprof_exec) wide_execs;
	VEC(int64_t) steps;              /* ascending */
	VEC(struct tfprof_step) step_files;      /* where times can be read again */
	struct profile_proto *profile;   /* the same; NULL: made of step files */
	bool has_traces;
	bool misses_stream;              /* accelerators ran, but no stream of them is recorded */
};

/* The file of a step and what reads it (dump/profile/step_source.h). */
struct tfprof_step {
	const char *path;
	int64_t number;
	const struct step_source *source;
};

/* Where it is read from; NULL: none. Borrowed for as long as the struct tfprof lives. */
struct tfprof_files {
	const struct graph *graph;       /* NULL: none; its names are not copied */
	const struct tfprof_step *steps;
	size_t n_steps;
	struct op_log *op_log;
	struct profile_proto *profile;   /* if set, the others are ignored */
};

/*
 * Reads all files. NULL with *err: a file can't be read or holds nothing sound. After damage the
 * sound data before it is kept; *damage describes the first one.
 */
struct tfprof *tfprof_open(const struct tfprof_files *files, struct progress *progress,
                           struct err *damage, struct err *err);
void tfprof_close(struct tfprof *tfprof);

const char *tfprof_text(const struct tfprof *tfprof, uint32_t text);     /* "" for TFPROF_NONE */
const char *tfprof_name(const struct tfprof *tfprof, uint32_t node);
bool tfprof_has_step(const struct tfprof *tfprof, int64_t step);
struct tfprof_exec tfprof_exec_at(const struct tfprof *tfprof, uint32_t exec);
/* False: it did not run in this step. */
bool tfprof_exec_of(const struct tfprof *tfprof, uint32_t node, int64_t step,
                    struct tfprof_exec *out);
/* The shape of its i-th input; 0 if it is not known. */
uint32_t tfprof_input_shape(const struct tfprof *tfprof, const struct tfprof_node *node,
                            uint32_t i);
/* The shape of an output; 0 if it is not known. */
uint32_t tfprof_output_shape(const struct tfprof *tfprof, const struct tfprof_node *node,
                             int32_t slot);

/* The figures of a node, of a row, of a view. */
enum tfprof_figure {
	TFPROF_BYTES, TFPROF_PEAK, TFPROF_RESIDUAL, TFPROF_OUTPUT, TFPROF_MICROS,
	TFPROF_ACCELERATOR, TFPROF_CPU, TFPROF_PARAMS, TFPROF_FLOAT_OPS, TFPROF_RUNS,
	TFPROF_DEFINITIONS, TFPROF_N_FIGURES,
};

/*
 * A node's figure in a step; step -1: the mean over the steps in which it ran, truncated.
 * Definitions: 1.
 */
int64_t tfprof_own(const struct tfprof *tfprof, uint32_t node, int64_t step,
                   enum tfprof_figure figure);
/* Is a figure negative in some run, such as memory given back that others had taken? */
bool tfprof_has_negative(const struct tfprof *tfprof, enum tfprof_figure figure);
/* Is some dimension of its "shape" unknown? Then it counts no parameters. */
bool tfprof_shape_incomplete(const struct tfprof *tfprof, uint32_t node);

/* a + b, wrapping around. */
static inline int64_t tfprof_add(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* a - b, wrapping around. */
static inline int64_t tfprof_sub(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/*
 * Single runs of a step, read again from the files, for callers that need more than sums. Each call
 * of `run` is one interval on a device (lower case; only accelerators' streams and canonical
 * devices); `memory` says what the allocator held after a run (us, bytes), `allocation` when memory
 * was taken or given back. node is the node that did it.
 */
struct tfprof_watch {
	void (*run)(struct tfprof_watch *watch, uint32_t node, uint32_t device, int64_t start_us,
	            int64_t us);
	void (*memory)(struct tfprof_watch *watch, uint32_t node, int64_t us, int64_t bytes);
	void (*allocation)(struct tfprof_watch *watch, uint32_t node, int64_t us, int64_t bytes);
	int64_t step;
};
bool tfprof_watch_step(struct tfprof *tfprof, struct tfprof_watch *watch, struct progress *progress,
                       struct err *err);

/* How devices count. Names in lower case. */
/* A match of ".*" "/(device:gpu|gpu|device:cpu|cpu):[0-9]+". */
bool tfprof_is_canonical(const char *device);
bool tfprof_is_cpu(const char *device);

#endif
