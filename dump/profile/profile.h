#ifndef DUMP_PROFILE_H
#define DUMP_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/model/graph.h"
#include "dump/profile/module_set.h"
#include "dump/profile/op_log.h"
#include "dump/profile/profile_proto.h"
#include "dump/profile/step.h"

/*
 * What TensorFlow's profiler left: traced steps, the graph they ran, where the program made its
 * ops, and tfprof's own file; or the trace of another profiler. Any of them may be missing. Parts
 * are found by content (dump/files/recognise.h), never by name.
 *
 * Only requested steps are in memory; a loaded step does not change, so documents may point into
 * it. After profile_load a profile changes only through profile_step, profile_enter, profile_forget
 * and profile_partitions, which belong to the thread that runs commands.
 */
struct profile {
	VEC(struct step) steps;          /* in natural order of the file names */
	size_t current;                  /* the step that commands are about; steps.len: none */
	struct trace *trace;             /* what the steps are of; NULL: each has its file */
	struct graph *graph;             /* --graph, or a GraphDef of PATH; NULL: none */
	struct err graph_damage;         /* code 0: it is whole */
	/* Compiled programs (dump/model/module.h), and the one commands are about; NULL: none. */
	struct module_set *modules;
	struct graph *module;
	struct op_log *op_log;           /* NULL: none */
	/* NULL: none, or there are steps and a graph. Indexed if there are steps. */
	struct profile_proto *proto;
	/* as shown; NULL: none */
	const char *graph_path, *module_path, *op_log_path, *proto_path;
	const char *dir;                 /* of PATH or of the first named part; NULL: neither */
	VEC(const char *) problems;      /* one line each: damage, parts that can't be read */
	/* "not opened: FILE (KIND), ...": sound files, but others were taken; NULL: none. */
	const char *passed_over;
	bool graph_is_beside;            /* the graph was found in PATH's directory, not in PATH */
	const char *worker;              /* of a summary only what this one told; NULL: all */
	struct arena mem;
	struct profile_parts *parts;     /* private: what was found and how it is opened */
};

struct profile *profile_new(void);
void profile_close(struct profile *profile);

#define PROFILE_SIGNS \
	"RunMetadata, StepStats, GraphDef, op log, tfprof profile, XSpace, Chrome trace, " \
	"XLA HLO, kernel table"

/*
 * Looks for parts in a file or a directory (not below it). Cheap: reads the head of each file.
 * False with ERR_IO (path can't be read), ERR_UNSUPPORTED (a file of a kind that is not opened; msg
 * is the whole line) or ERR_MISSING (nothing there; msg says what was looked for).
 */
bool profile_look(struct profile *profile, const char *path, struct err *err);

/* What a summary at this path has of steps. */
void profile_take_summary(struct profile *profile, const char *path);
/* Before profile_load: only what this worker told; false: workers are not told apart. */
bool profile_narrow(struct profile *profile, const char *worker);

/*
 * What a worker told of the steps of a summary that is open, loaded, in the same one; the caller
 * closes it. NULL with *err: ERR_VALUE if it told of none.
 */
struct profile *profile_of_worker(const struct profile *profile, const char *worker,
                                  struct progress *progress, struct err *err);

/* Parts that were named by option; they win over what profile_look found. */
bool profile_name_graph(struct profile *profile, const char *path, struct err *err);
bool profile_name_op_log(struct profile *profile, const char *path, struct err *err);
bool profile_name_run_metadata(struct profile *profile, const char *path, const char *step,
                               struct err *err);

/*
 * Reads the small parts, chooses the current step (with three or more the one of median span, else
 * the last) and loads it. If PATH is the file of a step, what it lacks is taken from the files
 * beside it: a GraphDef, an op log, if they have most of the nodes. False after a cancel, or if no
 * part could be read; the next call starts again. The progress tick may ask profile_so_far for the
 * step being loaded, or NULL.
 */
bool profile_load(struct profile *profile, struct progress *progress, struct err *err);
const struct step *profile_so_far(const struct profile *profile);
/* Is this line one of its problems? */
bool profile_tells(const struct profile *profile, const char *problem);
/* Are the steps those of a trace? Known before profile_load. */
bool profile_is_trace(const struct profile *profile);
/* The trace being read, or NULL. */
const struct trace *profile_trace_so_far(const struct profile *profile);

/* Step i, loaded; it stays loaded until profile_forget. NULL with *err. */
struct step *profile_step(struct profile *profile, size_t i, struct progress *progress,
                          struct err *err);
/* Makes step i the current one. On false, with *err, nothing has changed. */
bool profile_enter(struct profile *profile, size_t i, struct progress *progress, struct err *err);
/*
 * A held step stays loaded and its partition graphs open, for documents that point into it. Let go
 * once for each profile_hold; any thread may do that.
 */
void profile_hold(struct profile *profile, size_t i);
void profile_let_go(struct profile *profile, size_t i);
/* Frees all steps that are neither current nor held. */
void profile_forget(struct profile *profile);
/* The same, and the current one too: it is read again on demand. */
void profile_make_room(struct profile *profile);
/* The step that a word names, by the number in its label. steps.len: none. */
size_t profile_find_step(const struct profile *profile, const char *word);

/* The current step's partition_graphs, opened on first use; false with *err: a cancel. */
bool profile_partitions(struct profile *profile, struct progress *progress, struct err *err);
/* The same, opened for the caller, who closes them; after a cancel there are none. */
struct graph_list {
	VEC(struct graph *) at;
};
bool profile_open_partitions(struct profile *profile, struct graph_list *out,
                             struct progress *progress, struct err *err);

/*
 * Where the program made a node, from the op log, else from the ProfileProto. Frames outermost
 * first, in mem; *n is 0 if neither knows. False with *err if the source is damaged.
 */
bool profile_code(struct profile *profile, const char *node, struct arena *mem,
                  struct code_frame **frames, size_t *n, struct err *err);
bool profile_has_code(const struct profile *profile);

/*
 * Graphs for graph commands: --graph or a GraphDef, else the partition graphs. Borrowed; *n of
 * them.
 */
struct graph *const *profile_graphs(struct profile *profile, size_t *n);

#endif
