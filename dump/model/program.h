#ifndef DUMP_PROGRAM_H
#define DUMP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/model/value.h"

/*
 * A program that recorded itself while it ran: which ops it executed eagerly (steps), which graphs
 * it built, and which tensors were computed in them (traces). The model does not depend on what
 * wrote the record; readers know the file formats (dump/v2/v2.h opens tfdbg v2 dumps).
 *
 * Numbers. Elements of the lists below are numbered from 0, by position; PROGRAM_NONE is "none".
 * Steps, traces and ops are numbered in reading order: set by set, file by file, as written.
 * Ownership. Everything reachable from a program lives until program_close. Texts end in NUL and
 * are as recorded: they may not be UTF-8, and are never NULL unless a comment says so.
 * Threads. program_take and program_scan must run alone. At all other times nothing changes, and
 * any thread may read, each with a struct program_reads of its own.
 * Unknown. A record may come before what it refers to, or refer to what was never written. Then the
 * number is PROGRAM_NONE, or that of an entry that is not `recorded`; nothing fails.
 * Limits. Names are cut to 65536 bytes, and each list of ids, inputs, entries or frames in a record
 * to 65536 elements.
 */
#define PROGRAM_NONE UINT32_MAX

/* The files of a set, in the order they are read and shown. */
#define PROGRAM_FILES(X) \
	X(METADATA, "metadata") \
	X(SOURCES, "source_files") \
	X(FRAMES, "stack_frames") \
	X(GRAPHS, "graphs") \
	X(EXECUTION, "execution") \
	X(TRACES, "graph_execution_traces")

enum program_file_kind {
#define X(id, suffix) PROGRAM_FILE_##id,
	PROGRAM_FILES(X)
#undef X
	PROGRAM_FILE_KINDS
};

/* "metadata" and so on: what follows the last dot of a file's name. */
extern const char *const program_file_suffix[PROGRAM_FILE_KINDS];

/* Where a record lies: its set, which of the set's files, and the offset of its head there. */
struct program_place {
	uint64_t off;
	uint16_t set;
	uint8_t file;            /* enum program_file_kind */
};

struct program_file {
	bool missing;            /* then the numbers are 0 */
	uint64_t bytes;
	uint64_t records;        /* whole and valid ones */
};

/* What one process wrote. */
struct program_set {
	const char *prefix;      /* of its files, without the directory: "tfdbg_events.17.host" */
	const char *host;        /* from the prefix */
	const char *run_id;      /* NULL: not recorded, like the next two */
	const char *tensorflow_version, *file_version;
	bool has_start;          /* there is a metadata record */
	double start;            /* its time, seconds since 1970 */
	struct program_file file[PROGRAM_FILE_KINDS];
};

enum program_damage_kind {
	PROGRAM_LENGTH_CHECKSUM, PROGRAM_PAYLOAD_CHECKSUM, PROGRAM_NOT_AN_EVENT,
	PROGRAM_TRUNCATED, PROGRAM_MISSING, PROGRAM_EMPTY,
	PROGRAM_UNREADABLE,      /* the system can't read the file, or the rest of it */
};

/* "length_checksum" and so on. */
extern const char *const program_damage_name[PROGRAM_UNREADABLE + 1];

struct program_damage {
	struct program_place at; /* off: where the record begins; 0 if MISSING or EMPTY */
	uint64_t bytes;          /* that were skipped; 0 if MISSING or EMPTY */
	enum program_damage_kind what;
};

struct program_device {
	uint16_t set;
	int32_t id;              /* counts from 1 in each set */
	const char *name;
};

struct program_graph {
	const char *id;
	const char *name;        /* "" if it is not a function, or not recorded */
	uint32_t outer;          /* the graph it was traced in */
	uint32_t depth;          /* how many graphs are around it; in a cycle each once */
	uint32_t n_ops;          /* distinct names of recorded ops */
	uint32_t n_inner;        /* recorded graphs whose outer it is */
	struct program_place at;
	double time;
	bool recorded;
	bool in_loop;            /* it, or one around it, is body or condition of a while loop */
	bool is_like;            /* the first 8 characters of its id are not unique */
};

/*
 * A name in a graph. It ties together the op created with that name, the inputs of other ops that
 * use it, and the traces of it. A second op with the same name in a graph has a node of its own,
 * "name@2"; inputs and traces refer to the first.
 */
struct program_node {
	uint32_t graph;
	uint32_t op;             /* its creation; PROGRAM_NONE: not recorded */
	uint32_t n_same;         /* further ops created with this name */
	bool is_shared;          /* nodes of other graphs have the name, too */
	const char *name;
};

/* The creation of an op in a graph. */
struct program_op {
	double time;             /* seconds since 1970, as in all members of this name */
	struct program_place at;
	uint32_t node;
	uint32_t stack;
	const char *type;
	int32_t n_outputs;
	uint32_t n_inputs, n_ids;
	size_t first_input;      /* program_op_inputs */
	size_t first_id;         /* symbolic ids of its outputs: program->ids.at[first_id + slot] */
};

/* One entry of an op's inputs, in order. */
struct program_input {
	uint32_t node;
	int32_t slot;            /* PROGRAM_CONTROL: "^name"; PROGRAM_BARE: "name", slot 0 */
};
#define PROGRAM_CONTROL (-1)
#define PROGRAM_BARE (-2)

/* A use of a node's output by another op of its graph. */
struct program_use {
	uint32_t node;           /* the one whose output is used */
	int32_t slot;            /* of that output; or PROGRAM_CONTROL */
	uint32_t op;             /* the one that uses it */
	uint32_t input;          /* position among the inputs of that op */
};

enum program_bad { PROGRAM_GOOD, PROGRAM_BAD, PROGRAM_CANT_TELL, PROGRAM_UNSCANNED };
/* What a bad tensor has, as bits; none of them: it does not say. */
enum { PROGRAM_WITH_NAN = 1, PROGRAM_WITH_POS_INF = 2, PROGRAM_WITH_NEG_INF = 4 };

/* A tensor stored with a step. */
struct program_entry {
	uint64_t off;            /* of its TensorProto in the step's file */
	uint32_t size_bytes;     /* 0: a placeholder, nothing was stored */
	uint8_t bad;             /* enum program_bad */
	uint8_t kinds;           /* PROGRAM_WITH_... */
};

/* One execution: of an op called eagerly, or of a function. */
struct program_step {
	double time;             /* when it finished */
	struct program_place at;
	const char *op;          /* op type, or name of the function */
	uint32_t graph;          /* PROGRAM_NONE: not recorded, as in most op steps */
	uint32_t stack;
	uint32_t n_outputs;      /* as recorded, but see program_step_rows */
	uint32_t n_input_ids, n_output_ids, n_device_ids;
	size_t first_id;         /* in program->ids: input, output, then device ids */
	size_t first_entry;
	uint32_t n_entries;      /* in program->entries */
	uint8_t mode;            /* program->modes.at[] */
	bool is_function;
	/*
	 * It has fewer tensors of its own graph than another call of that graph: records were
	 * dropped before they were written, or the end is missing.
	 */
	bool is_cut;
	/* Traces attributed to it; and of all its tensors: with NaN or Inf, and not known. */
	uint32_t n_sure, n_probable, n_background;
	uint32_t n_flagged, n_unknown;   /* n_unknown includes those not scanned yet */
	uint32_t n_unscanned;            /* these alone */
};

/* What traces are of, again and again: an output of a node on a device. */
struct program_key {
	uint32_t node;
	int32_t slot;
	const char *device;      /* its name, "" if none was recorded */
};

enum program_attribution {
	PROGRAM_SURE, PROGRAM_PROBABLE, PROGRAM_BACKGROUND, PROGRAM_UNATTRIBUTED,
};

/* A tensor computed in a graph. 40 bytes, and 8 more in the order of tensors. */
struct program_trace {
	double time;
	uint64_t off;            /* of the record's head, in the set's file */
	uint32_t len;            /* of the record's payload */
	uint32_t key;            /* program->keys.at[] */
	uint32_t owner;          /* its step; if UNATTRIBUTED, the number of its pass */
	uint32_t dump;           /* occurrence of the key in its step or pass, from 0, by time */
	uint32_t size_bytes;     /* of the TensorProto */
	uint16_t set;
	unsigned mode : 6;       /* program->modes.at[] */
	unsigned attribution : 2, bad : 2, file : 3, kinds : 3;
};

/* A source file of the program. */
struct program_source {
	const char *host, *path;
	struct program_place at;
	uint64_t len;            /* of the record's payload */
	uint32_t index;          /* position among the sources of its set */
	uint32_t n_lines;        /* 0: not recorded */
};

struct program_frame {
	const char *id;
	const char *function;    /* NULL: not recorded, like all but the id then */
	struct program_place at;
	uint32_t source;         /* PROGRAM_NONE: no file has this index */
	int64_t file_index;      /* as recorded: the index of a source of its set */
	int64_t line;
	bool recorded;
};

/* A call stack, outermost frame first. Shared by all records with the same one. */
struct program_stack {
	const char *host;
	uint32_t n_frames;
	size_t first;            /* program->stack_frames.at[first .. first + n_frames) */
};

/* How many distinct things are named in records but were never recorded. */
struct program_unresolved {
	uint32_t graphs;         /* named by ops, traces, steps, or as outer */
	uint32_t ops;            /* named by traces */
	uint32_t frames;         /* named in stacks */
	uint32_t sources;        /* counts the recorded frames that refer to one */
};

/* Traces that were written after one that is later, set by set. Lists have them by time. */
struct program_late {
	uint64_t traces;
	struct program_place first;
};

/* Tensors that could not be read to find out whether they have NaN or Inf: it is not known. */
struct program_unread {
	uint64_t tensors;
	struct err first;        /* why the first one could not, if there are any */
};

/* A batch of a training: steps from first to last. Numbers are those of the program, from 0. */
struct program_batch {
	uint32_t first, last;
	const char *model;       /* NULL: not known */
	int64_t fit;             /* number of the training, from 1; -1: not known, like the next */
	int64_t epoch;
	int64_t batch;
};

struct program {
	const char *path;        /* the directory */
	const char *run_id;      /* NULL: not recorded, like the next two */
	const char *tensorflow_version, *file_version;
	const char *lacks;       /* what is missing of it: "shards 1, 3 of 8"; NULL: nothing */
	bool ended;              /* the recorder says that the recording came to its end in order */
	bool keeps_all;          /* it says that no step was dropped */
	struct err batches_fault;        /* why what the recorder says could not be read */
	bool has_start;          /* false: t0_us is the time of the earliest record, or 0 */
	int64_t t0_us;           /* start, microseconds since 1970 */

	VEC(struct program_set) sets;            /* by start */
	VEC(struct program_damage) damage;       /* by file and offset */
	VEC(struct program_device) devices;      /* in file order */
	VEC(struct program_graph) graphs;        /* in order of first mention: see graph_order */
	VEC(struct program_node) nodes;
	VEC(struct program_op) ops;
	VEC(struct program_step) steps;
	VEC(struct program_entry) entries;
	VEC(struct program_trace) traces;
	VEC(struct program_key) keys;
	VEC(struct program_source) sources;
	VEC(struct program_batch) batches;       /* by step; what the recorder says */
	VEC(struct program_frame) frames;        /* in order of first mention: see frame_order */
	VEC(struct program_stack) stacks;
	VEC(uint32_t) stack_frames;
	VEC(int64_t) ids;
	VEC(int64_t) modes;      /* values of tensor_debug_mode, as first seen: the first 64 */

	VEC(uint32_t) graph_order;       /* recorded ones in file order, then the others */
	VEC(uint32_t) frame_order;       /* recorded ones in file order */
	uint32_t n_function_steps;
	uint32_t n_passes;               /* calls of functions that have no step */
	/* Of these passes, those that come after the last recorded step of their file set. */
	uint32_t n_open_passes;
	uint32_t n_duplicate_ops;        /* ops whose node is "name@2" and so on */
	uint32_t n_flagged;              /* tensors with NaN or Inf */
	uint64_t n_tensors;              /* all: traces and rows of steps */
	uint64_t n_unscanned;            /* tensors that program_scan still has to read */
	struct program_unread unread;    /* those that it could not read */
	struct program_unresolved unresolved;
	struct program_late late;

	struct arena mem;
	bool is_copy;                    /* texts are in another's memory too, until program_take */
	unsigned generation;             /* how often it was read anew */
	const struct program_reader *reader;     /* private, like the rest */
	struct program_join *join;
	void *reading;
};

void program_close(struct program *program);

/*
 * Whether more was written, and what the program is then, as if it was opened now: beside it, so
 * that it stays in use meanwhile. A record that is cut at the end waits until it is whole. With
 * ERR_CANCELLED what was read by then is in it, and the rest waits.
 * Work: what is new is read, lists are copied and joins made again, about 0.1 s for a million
 * traces; so much memory twice.
 */
enum program_news {
	PROGRAM_SAME,            /* NULL; err is set if it can't be looked at */
	PROGRAM_GREW,            /* texts stay; steps, traces, ops keep their numbers */
	PROGRAM_ANEW,            /* all from before is void: files were replaced, or sets grew */
};
struct program *program_look_beside(const struct program *program, enum program_news *news,
                                    struct progress *progress, struct err *err);
/* All is read again, beside it. NULL with *err: cancelled, or its files are gone. */
struct program *program_read_beside(const struct program *program, struct progress *progress,
                                    struct err *err);
/*
 * Puts what was read beside the program in its place, without reading or copying its lists.
 * Pointers to list elements from before are void. program_close drops `beside` instead; call it
 * before the program itself is closed or takes another.
 */
void program_take(struct program *program, struct program *beside);

/* Looks, and takes what there is. */
enum program_news program_look_again(struct program *program, struct progress *progress,
                                     struct err *err);

/*
 * Reads tensors whose records do not say whether they have NaN or Inf, to find out: about
 * max_bytes of them, UINT64_MAX for all. False with ERR_CANCELLED; results so far stay. Done when
 * program->n_unscanned is 0; those that can't be read are then in program->unread, and are not
 * tried again. Progress counts tensors.
 */
bool program_scan(struct program *program, uint64_t max_bytes, struct progress *progress,
                  struct err *err);

/* ---- what is missing */

/* One of those that program->unresolved counts, and the first record that names it. */
enum program_missing_kind {
	PROGRAM_MISSING_GRAPH, PROGRAM_MISSING_OP, PROGRAM_MISSING_FRAME, PROGRAM_MISSING_SOURCE,
};
struct program_missing {
	enum program_missing_kind kind;
	uint32_t number;         /* of the graph; of the op's node; of the frame, whose own record
	                          * the place is if its source is missing */
	struct program_place at;
};
/*
 * Graphs, ops, frames, sources; of each the first in the order of first mention. Fills
 * missing[0..max) and returns how many there are. Work: a pass over all records' entries.
 */
size_t program_list_missing(const struct program *program, struct program_missing *missing,
                            size_t max);

/* ---- times */

/* A recorded time in microseconds since 1970, rounded. False: it is not a time. */
bool program_us(double time, int64_t *us);
/* The same, in microseconds since t0_us. */
bool program_time_us(const struct program *program, double time, int64_t *us);

/* ---- graphs and ops */

/*
 * The graphs that a text means: the one with this id, else all whose id begins with it (at least 8
 * characters), else all with this name. Fills found[0..max) and returns how many there are.
 */
size_t program_find_graphs(const struct program *program, const char *text, uint32_t *found,
                           size_t max);
/* The node with this name in a graph, even if no op is recorded; also "name@2". */
uint32_t program_find_node(const struct program *program, uint32_t graph, const char *name,
                           size_t len);
/* The nodes with this name, in the order of graph_order; returns how many there are. */
size_t program_find_nodes(const struct program *program, const char *name, size_t len,
                          uint32_t *found, size_t max);

/* The graphs from the outermost to this one, into chain[0..max); returns depth + 1. */
size_t program_chain(const struct program *program, uint32_t graph, uint32_t *chain, size_t max);
/* Is `graph` the same as `outer`, or inside of it? */
bool program_is_within(const struct program *program, uint32_t graph, uint32_t outer);
/* Recorded graphs directly in it, and ops created in it: in file order, borrowed. */
const uint32_t *program_inner(const struct program *program, uint32_t graph, size_t *n);
const uint32_t *program_graph_ops(const struct program *program, uint32_t graph, size_t *n);

const struct program_input *program_op_inputs(const struct program *program, uint32_t op);
/* Appends an input as recorded: "name:slot", "^name" or "name". */
void program_put_input(const struct program *program, const struct program_input *input,
                       struct str *out);
/* Uses of all outputs of a node, by number of the using op, then by input. */
const struct program_use *program_uses(const struct program *program, uint32_t node, size_t *n);

/* ---- steps */

/*
 * The graph of a step; for a call without a recorded graph, as a guess, the only graph with its
 * name. PROGRAM_NONE: it is not a call, or no graph or several have the name.
 */
uint32_t program_probable_graph(const struct program *program, uint32_t step);

/* Are both calls of one function? Traced anew, it has another graph, and another number behind. */
bool program_same_function(const struct program *program, uint32_t step, uint32_t other);

/* How many rows of outputs it has: outputs or entries, whichever are more (see program_tensor). */
uint32_t program_step_rows(const struct program_step *step);

/*
 * The op, a Placeholder in the called graph, that receives input i of a call. PROGRAM_NONE: not a
 * call of a known graph, or the graph has not as many Placeholders as the step has inputs.
 */
uint32_t program_placeholder(const struct program *program, uint32_t step, uint32_t input);

/* The last step before it with input i's id among its outputs. False: none is recorded. */
struct program_producer {
	uint32_t step;
	uint32_t slot;
};
bool program_producer(const struct program *program, uint32_t step, uint32_t input,
                      struct program_producer *from);

/* Later steps that use an output of this one, by step, then input. The caller frees *uses. */
struct program_step_use {
	uint32_t slot;           /* of this step */
	uint32_t step, input;    /* of that one */
};
size_t program_step_uses(const struct program *program, uint32_t step,
                         struct program_step_use **uses);

/* The name of the device with this id in a set; NULL: not recorded. */
const char *program_device_name(const struct program *program, uint16_t set, int64_t id);

/* ---- tensors: traces, and outputs of steps */

/*
 * One tensor: a trace, or an output of a step. An output's row is below program_step_rows; row i is
 * entry i of the step, if there are so many entries. It is also output slot i if the step has as
 * many entries as outputs, or no entries; else its slot is not known.
 */
struct program_tensor {
	uint32_t trace;          /* PROGRAM_NONE: an output of a step */
	uint32_t step;           /* the one it belongs to; PROGRAM_NONE: it is in a pass */
	uint32_t row;            /* of an output */
};

/*
 * Tensors in the order of lists: by recorded time, then traces before outputs, by number, by row. A
 * time that is NaN counts as 0. `of` is a step (its traces, sure or not, and its outputs), or
 * PROGRAM_NONE for all tensors. The i-th one costs a binary search.
 */
uint64_t program_n_tensors(const struct program *program, uint32_t of);
struct program_tensor program_tensor(const struct program *program, uint32_t of, uint64_t i);

/* The numbers of a step's traces, in that order; borrowed. */
const uint32_t *program_step_traces(const struct program *program, uint32_t step, size_t *n);

/*
 * The last trace of a node's output before this trace, in its step or pass: if the node is an input
 * of the traced op, this is the tensor that the op used. PROGRAM_NONE: none is recorded. Takes time
 * proportional to the traces of the step.
 */
uint32_t program_trace_before(const struct program *program, uint32_t trace, uint32_t node,
                              int32_t slot);

/* The entry of an output; NULL: nothing is stored. */
const struct program_entry *program_entry(const struct program *program,
                                          const struct program_tensor *tensor);
/* The output slot; -1: not known. */
int64_t program_slot(const struct program *program, const struct program_tensor *tensor);
double program_tensor_time(const struct program *program, const struct program_tensor *tensor);
int64_t program_mode(const struct program *program, const struct program_tensor *tensor);
/* Of the stored TensorProto; 0 if there is none. */
uint32_t program_size_bytes(const struct program *program, const struct program_tensor *tensor);
struct program_place program_where(const struct program *program,
                                   const struct program_tensor *tensor);
enum program_bad program_bad(const struct program *program, const struct program_tensor *tensor);
/* PROGRAM_WITH_..., without reading its record. */
unsigned program_kinds(const struct program *program, const struct program_tensor *tensor);
/* Appends "op:slot" for a trace, "OP#STEP:slot" or "OP#STEP:?row" for an output. */
void program_put_name(const struct program *program, const struct program_tensor *tensor,
                      struct str *out);

/* The name of a tensor_debug_mode ("FULL_TENSOR"); NULL: it has none. */
const char *program_mode_name(int64_t mode);

/* ---- what is read from the files on demand */

/* The open file of one reading thread. Start with { .program = program }. */
struct program_reads {
	const struct program *program;
	struct file file;        /* private, like the rest */
	char *path;
	unsigned generation;
	uint16_t set;
	uint8_t kind;
};
void program_reads_release(struct program_reads *reads);

/*
 * What a tensor's record says about it; `known` says which members are set. Counts are of elements;
 * negative and positive ones are finite. A dimension that is not recorded is -1.
 */
enum {
	HEALTH_TENSOR_ID = 1, HEALTH_DTYPE = 2, HEALTH_RANK = 4, HEALTH_SHAPE = 8, HEALTH_SIZE = 16,
	HEALTH_BAD = 32,
	HEALTH_COUNTS = 64,      /* nan, neg_inf, pos_inf */
	HEALTH_SIGNS = 128,      /* negative, zero, positive */
};
struct health {
	unsigned known;
	int64_t tensor_id;
	uint32_t dtype;          /* as recorded: dtype_on_wire may not know it */
	uint64_t rank, size;
	struct shape shape;
	bool bad;                /* has NaN or Inf */
	uint64_t nan, neg_inf, pos_inf, negative, zero, positive;
};

/*
 * A record that says nothing, or has other numbers than its mode should have, is not an error:
 * nothing is known then. If the tensor itself is stored, it is read as a whole. False with
 * ERR_FORMAT, ERR_LIMIT or ERR_IO: it is damaged or can't be read; or with ERR_CANCELLED. err must
 * not be NULL.
 */
bool program_health(struct program_reads *reads, const struct program_tensor *tensor,
                    struct health *health, struct progress *progress, struct err *err);

/* The value; the caller closes it. ERR_MISSING: no value was stored. */
struct value *program_value(struct program_reads *reads, const struct program_tensor *tensor,
                            struct err *err);

/*
 * Lines of a source, from line `first` on (counted from 0), as long as the sink returns true. text
 * is not NUL-terminated, and valid only during the call. False with *err.
 */
typedef bool program_line_sink(void *owner, uint32_t line, const char *text, size_t len);
bool program_source_lines(struct program_reads *reads, uint32_t source, uint32_t first,
                          program_line_sink *sink, void *owner, struct err *err);

/* For each of program->frames: in the stacks of how many ops and steps it is. */
struct program_frame_use {
	uint32_t n_ops, n_steps;
};
void program_frame_uses(const struct program *program, struct program_frame_use *uses);

#endif
