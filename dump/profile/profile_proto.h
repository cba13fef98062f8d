#ifndef DUMP_PROFILE_PROTO_H
#define DUMP_PROFILE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/profile/op_log.h"

/*
 * ProfileProto (profile_<step>, profile.context): tfprof's own file. Opening it notes where each
 * node is; a node is read into an arena when asked for. Order is the file's.
 * Source: tensorflow/core/profiler/tfprof_log.proto.
 */
struct profile_node_place {
	int64_t id;                      /* key of the map */
	struct span at;                  /* ProfileNode; len 0: empty */
};

/* A node by its name: what the graph and the op log behind the profile said about it. */
struct profile_name {
	const char *op;
	struct span code;                /* CodeDef; len 0: none */
};

struct profile_proto {
	const char *path;
	struct file file;                /* one thread at a time */
	VEC(struct profile_node_place) nodes;
	VEC(int64_t) steps;
	bool has_trace, miss_accelerator_stream;
	struct id_strings strings;
	struct map names, ops;           /* after profile_proto_index */
	VEC(struct profile_name) by_name;
	struct err damage;               /* the first damage; sound data is kept */
	struct arena mem;
};

struct profile_proto *profile_proto_open(const char *path, struct progress *progress,
                                         struct err *err);
void profile_proto_close(struct profile_proto *proto);

/*
 * Indexes nodes by name. Nodes that tfprof made up for names in a step that no graph had are left
 * out: their op is their name. False with *err after a cancel.
 */
bool profile_proto_index(struct profile_proto *proto, struct progress *progress, struct err *err);
/* NULL: not there. */
const struct profile_name *profile_proto_find(const struct profile_proto *proto, const char *name,
                                              size_t len);
/* The frames that made it, in mem; no code: *n is 0. */
bool profile_proto_code(struct profile_proto *proto, const struct profile_name *name,
                        struct arena *mem, struct code_frame **frames, size_t *n, struct err *err);

struct int_pair { int64_t key, value; };
struct int_list { const int64_t *at; size_t n; };
struct shape_entry { int64_t key; struct int_list dims; }; /* output or input -> shape */
/* times: start us, duration us. */
struct exec_device { const char *device; const struct int_pair *times; size_t n_times; };
struct output_memory { int64_t output, bytes; uint64_t ptr; };

struct exec_memory {
	int64_t memory_us;
	int64_t host_temp, host_persistent, accelerator_temp, accelerator_persistent;
	int64_t requested, peak, residual, output, in_use;
	const struct output_memory *outputs;
	size_t n_outputs;
};

struct alloc_change { int64_t us, bytes; };

struct exec_profile {
	int64_t step;                    /* key of the map */
	int64_t run_count, all_start_us, latest_end_us;
	const struct exec_device *accelerator, *cpu;
	size_t n_accelerator, n_cpu;
	const char *const *devices;
	size_t n_devices;
	const struct exec_memory *memory;
	size_t n_memory;
	const struct alloc_change *allocations;
	size_t n_allocations;
};

/* An AttrValue stays in the file: decode it from there. */
struct attr_span { const char *key; struct span value; };

struct profile_node {
	const char *name, *op, *canonical_device, *host_device;         /* "" if unset */
	int64_t id, float_ops;
	struct int_list shape;
	const struct int_pair *inputs, *outputs;         /* slot -> node id */
	size_t n_inputs, n_outputs;
	const struct int_pair *src_output_index;         /* node id -> slot */
	size_t n_src_output_index;
	const char *const *types;
	size_t n_types;
	const struct shape_entry *output_shapes, *input_shapes;
	size_t n_output_shapes, n_input_shapes;
	const struct code_frame *frames;
	size_t n_frames;
	bool has_trace;
	const struct attr_span *attrs;
	size_t n_attrs;
	const struct exec_profile *execs;
	size_t n_execs;
};

/* All of node i in mem. */
bool profile_proto_node(struct profile_proto *proto, size_t i, struct arena *mem,
                        struct profile_node *node, struct err *err);

#endif
