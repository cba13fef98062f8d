#ifndef DUMP_RUN_H
#define DUMP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/counted.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/model/graph.h"
#include "dump/model/value.h"

/*
 * One Session.run() as it was dumped, whatever wrote it: devices, dumped tensors in time order,
 * graphs, and what went wrong while reading. Nothing above dump/ knows a file name or a format:
 * readers (dump/model/reader.h) fill this in. Once run_load has returned true it does not change,
 * and any thread may read it. Times are µs since 1970, sizes bytes. All that is reachable from a
 * run lives until run_close.
 */

/* 48 bytes for each dumped tensor; names are shared. */
struct tensor {
	const char *node;        /* full name of the node that put it out */
	const char *where;       /* the reader's own note of the place */
	int64_t time_us;         /* -1 if unknown: then in the order found */
	/*
	 * Size of the file. In a dump of arrays: size of the elements alone. -1 if it is not known.
	 */
	int64_t size_bytes;
	uint32_t node_id;        /* run->nodes.key[node_id] == node */
	uint32_t slot;
	/* Counts the dumps of one output (device, node, slot, debug op) from 0, in time order. */
	uint32_t number;
	uint16_t debug_op;       /* run->debug_ops.key[] */
	uint16_t device;         /* run->devices.at[] */
};

struct device {
	const char *name;        /* "/job:localhost/replica:0/task:0/device:CPU:0" */
	const char *dir;         /* private to the reader */
	const char *graph_file;  /* the same: what graph came from; NULL: that is not kept */
	struct graph *graph;     /* NULL if none was dumped or it can't be read */
	bool lent;               /* the graph is someone else's */
	const char *worker;      /* whose it is; NULL: the dump tells of none */
	const char *own;         /* the name without the worker, if that stands before it */
	int64_t first_us;        /* time of its first tensor that has one; INT64_MAX if none has */
};

/* Something about the dump that is not as it should be. It never stops the rest. */
enum problem_kind {
	PROBLEM_UNREADABLE,      /* the system can't read it, or it is more than is taken */
	PROBLEM_UNSUPPORTED,     /* it is sound, but not read */
	PROBLEM_CUT, PROBLEM_EMPTY,
	PROBLEM_DAMAGED,         /* it does not hold what such a file does */
	PROBLEM_STRANGER,        /* it does not belong here */
	PROBLEM_NO_GRAPH,
	PROBLEM_CLOCK,           /* times that can't be */
	PROBLEM_MIXED,           /* several runs in one directory */
	PROBLEM_NOT_IN_GRAPH, PROBLEM_TOO_EARLY,         /* what run_check finds */
	PROBLEM_LACKS,           /* shards of a summary */
	PROBLEM_LEFT_OUT,        /* by the recorder, which says so (dump/model/left_out.h) */
};
struct problem {
	const char *file;        /* relative to the run's path; "" for the whole */
	const char *text;        /* one line: what was expected, what was found */
	uint64_t off;
	enum problem_kind kind;
	bool unread;             /* what the file holds is missing from the run */
	bool whole;              /* no place in the file is to blame: off says nothing */
	/*
	 * Of a directory or a file of arrays that can't be read: dumps of nodes whose names begin
	 * with this may be in it and are missing. NULL: it is another problem.
	 */
	const char *nodes;
};
enum problem_kind problem_of_err(const struct err *err);
/* Does off say where in the file it is? Not if the system could not even open it. */
static inline bool problem_has_place(const struct problem *problem)
{
	return !problem->whole && (problem->off || problem->kind != PROBLEM_UNREADABLE);
}
/*
 * Puts "FILE, offset 12: what was expected", or without an offset what has no place. What out ends
 * with is the beginning of the file's path.
 */
void problem_put(struct str *out, const struct problem *problem);

/* What a file of arrays says besides them: a key, and a text, number, true, false or null. */
struct run_fact {
	enum { FACT_METADATA, FACT_VALUE } kind;
	const char *key, *text;
	bool is_text;            /* else it is as JSON has it */
};

/* Numbers that were recorded about an array; NaN may be one of them. */
enum { STATS_MAX, STATS_MIN, STATS_MEAN, STATS_NORM, N_STATS };
struct array_stats {
	double at[N_STATS];
	bool has[N_STATS];
};

/* What a dump of arrays knows of one without reading its elements. */
struct array_facts {
	const char *op;          /* its op type: the kind of its file */
	const char *dtype;       /* NULL: neither type nor shape can be told */
	uint32_t rank;
	const int64_t *dim;
	const char *doubt;       /* what is wrong with its value, which can be read; NULL */
	const struct array_stats *stats;         /* NULL: none were recorded */
	const char *full_name;   /* the program's own name of it; NULL: not known */
};

/* How much is read. */
enum run_depth {
	RUN_WHOLE,
	RUN_NAMES,               /* no graph: what names and sizes say */
	RUN_HEAD,                /* no tensor either: what was fetched and fed, the core metadata */
};

struct reader;
struct graph_store;

struct run {
	const char *path;
	const struct reader *reader;
	enum run_depth depth;            /* how much run_load reads; may be set before it */
	/* Also set before run_load: only dumps in [from_us, to_us) are read; to_us 0: all. */
	int64_t from_us, to_us;
	int64_t step;                    /* the same: only arrays of this step are read; -1: all */
	struct graph_store *graphs;      /* the same: graphs may be shared by it; NULL */
	const char *name;                /* the same: of several in one file this one; NULL */
	const char *worker;              /* the same: only what this one told; NULL: all */
	/* Set before run_load: no other worker's tensors are ever asked for. */
	bool is_alone;
	struct counted *kept;            /* what the reader keeps for all runs of a place; NULL */
	bool from_cache;                 /* and not from the directory itself, as yet */
	size_t n_cached;                 /* then: so many are to come; a few are there */
	bool is_empty;                   /* there is nothing in the directory */
	uint32_t n_graph_files;          /* of all devices; not counted by RUN_HEAD */
	VEC(struct device) devices;
	VEC(struct tensor) tensors;      /* in time order */
	struct map nodes;                /* names of nodes with dumps */
	struct map full_names;           /* other names of these nodes */
	/* Number of the node with this full name. MAP_NONE if several nodes have it. */
	VEC(uint32_t) full_name_of;
	struct map debug_ops;
	/* The earliest first time of a device; 0: no tensors, -1: all times are unknown. */
	int64_t t0_us;
	/* For dumps of arrays, few of which have graphs: what they hold, "array"; else NULL. */
	const char *op_type;
	VEC(struct problem) problems;
	const char *fetches, *feeds;     /* Python's repr of fetches and feeds; NULL if unknown */
	VEC(struct run_fact) facts;
	/* Core metadata as written (JSON), in order of the file names. */
	VEC(const char *) metadata;
	struct arena mem;
	struct run_index *index;         /* private: node -> its tensors */
};

/* A run for this reader to load. Nothing is read yet; its directory may be empty or gone. */
struct run *run_new(const struct reader *reader, const char *path);

/*
 * A run without a dump, for commands that only need graphs; run_load adds nothing. lent: run_close
 * leaves the graph open.
 */
struct run *run_of_graphs(const char *path);
void run_add_graph(struct run *run, const char *device, struct graph *graph, bool lent);

/*
 * Reads the directory, orders the tensors, opens the graphs. Meanwhile the progress tick may call
 * run_so_far() (same thread). False after a cancel, or if the directory itself can't be read.
 */
bool run_load(struct run *run, struct progress *progress, struct err *err);
/*
 * Tensors found, not yet ordered. The first RUN_FIRST of them are there, or all.
 */
enum { RUN_FIRST = 200 };
size_t run_so_far(const struct run *run);
void run_close(struct run *run);

/* The number of a node with dumps, by its name or else its full name; MAP_NONE: there is none. */
uint32_t run_node_id(const struct run *run, const char *name, size_t len);
/*
 * Nodes that this is the full name of, if they are several and none is called so: how many, of
 * which the first `max` names go to `nodes`. Else 0.
 */
size_t run_nodes_of_full_name(const struct run *run, const char *name, size_t len,
                              const char **nodes, size_t max);
/* While a run is read: name outlives it. */
void run_add_full_name(struct run *run, const char *name, uint32_t node_id);

/*
 * Indexes in run->tensors of all dumps of a node (any device), in time order; *n of them. They
 * belong to the run.
 */
const uint32_t *run_node_tensors(const struct run *run, uint32_t node_id, size_t *n);
/* The same, in the order of the directory walk. */
bool tensor_walks_before(const struct run *run, uint32_t a, uint32_t b);

/* Since the run's start; -1 if unknown. */
static inline int64_t run_rel_us(const struct run *run, const struct tensor *tensor)
{
	return tensor->time_us < 0 ? -1 : tensor->time_us - run->t0_us;
}

/* False: the times of its arrays only say in which order they lie in their files. */
static inline bool run_has_times(const struct run *run)
{
	return !run->op_type || run->t0_us > 0;
}

/* Which graphs have a node of this name. */
struct node_ref {
	uint16_t device;
	uint32_t node;
};
/*
 * Fills refs[0..max) in device order; returns how many graphs have the node. device < 0: all
 * graphs.
 */
size_t run_find_node(const struct run *run, const char *name, size_t len, int device,
                     struct node_ref *refs, size_t max);
/*
 * Could a dump of this node be in a file or directory that can't be read? device UINT32_MAX: on any
 * device.
 */
bool run_may_hold(const struct run *run, uint32_t device, const char *node);
bool run_has_graph(const struct run *run);               /* at least one device has */
/* Are there devices of several workers? */
bool run_has_workers(const struct run *run);

/*
 * Compares the dump with its graphs: is every dumped node in the graph of its device, and does no
 * tensor come before those it is computed from? The first finding of each device goes to problems,
 * about the device's directory; with all every one, about the tensor's file. They are in mem. A
 * device whose graph is damaged or empty is skipped, as that is a problem of the run already. False
 * after a cancel, or if a graph can't be read again. Reads all edges: seconds for a large graph.
 * Source: DebugDumpDir._validate_dump_with_graphs, whose texts these are.
 */
bool run_check(const struct run *run, bool all, struct progress *progress, struct arena *mem,
               struct problem **problems, size_t *n, struct err *err);

/*
 * The value of a dumped tensor; the caller closes it. NULL with the errors of reading, or with
 * ERR_MISSING if it was not recorded; msg says what was.
 */
struct value *run_value(const struct run *run, const struct tensor *tensor, struct err *err);
/* False: the dump is none of arrays. */
bool run_array_facts(const struct run *run, const struct tensor *tensor, struct array_facts *out);
/* Puts what it is called: "node:slot", of an array its name alone. */
void run_put_name(const struct run *run, const struct tensor *tensor, struct str *out);
/* Puts the tensor's file, relative to the run's path, into out; nothing: it is in none. */
void run_tensor_file(const struct run *run, const struct tensor *tensor, struct str *out);

#endif
