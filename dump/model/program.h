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
 * it built, and which tensors were computed in them (traces). Whatever wrote the record; how it
 * lies in files is the reader's (dump/v2/v2.h opens one).
 *
 * Numbers. Each list below has numbers from 0, its positions; PROGRAM_NONE is "none". Steps, traces
 * and ops are numbered in reading order: set by set, file by file, as they were written.
 * Ownership. All that is reachable from a program lives until program_close. Texts end in NUL and
 * are as recorded: bytes that may be no UTF-8, never NULL unless said so.
 * Threads. Between program_open's return and the next program_look_again or program_scan nothing
 * changes and any thread may read, each with a struct program_reads of its own. These two must
 * run alone.
 * Unknown. A record may come before what it refers to, or refer to what was never written. Then the
 * number is PROGRAM_NONE, or of an entry that is not `recorded`; nothing fails.
 * Limits. Names are cut after 65536 bytes, and lists of ids, inputs, entries and frames in one
 * record after 65536 of them.
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

/* "metadata" and so on: behind the last dot of a file's name. */
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
	uint64_t records;        /* whole ones that are what they should be */
};

/* What one process wrote. */
struct program_set {
	const char *prefix;      /* of its files, without the directory: "tfdbg_events.17.host" */
	const char *host;        /* as the prefix says */
	const char *run_id;      /* NULL: not recorded, like the next two */
	const char *tensorflow_version, *file_version;
	bool has_start;          /* is there a metadata record */
	double start;            /* its time, seconds since 1970 */
	struct program_file file[PROGRAM_FILE_KINDS];
};

enum program_damage_kind {
	PROGRAM_LENGTH_CHECKSUM, PROGRAM_PAYLOAD_CHECKSUM, PROGRAM_NOT_AN_EVENT,
	PROGRAM_TRUNCATED, PROGRAM_MISSING, PROGRAM_EMPTY,
	PROGRAM_UNREADABLE,      /* the system refuses it, or the rest of it */
};

/* "length_checksum" and so on. */
extern const char *const program_damage_name[PROGRAM_UNREADABLE + 1];

struct program_damage {
	struct program_place at; /* off: where the record begins; 0 of MISSING and EMPTY */
	uint64_t bytes;          /* passed over; 0 of MISSING and EMPTY */
	enum program_damage_kind what;
};

struct program_device {
	uint16_t set;
	int32_t id;              /* counts from 1 in each set */
	const char *name;
};

struct program_graph {
	const char *id;
	const char *name;        /* "" for one that is no function, and if it is not recorded */
	uint32_t outer;          /* the graph it was traced in */
	uint32_t depth;          /* how many are around it; counted once round in a cycle */
	uint32_t n_ops;          /* distinct names of recorded ops */
	uint32_t n_inner;        /* recorded graphs whose outer it is */
	struct program_place at;
	double time;
	bool recorded;
	bool in_loop;            /* it or one around it is the body or condition of a while loop */
	bool is_like;            /* another one's id has the same first 8 characters */
};

/*
 * A name in a graph. Ops, inputs of ops and traces meet here: an op is created at its node, a trace
 * is of its node. The second op of a name in a graph has a node of its own, "name@2"; inputs and
 * traces mean the first.
 */
struct program_node {
	uint32_t graph;
	uint32_t op;             /* its creation; PROGRAM_NONE: not recorded */
	uint32_t n_same;         /* more ops that were created with this name */
	bool is_shared;          /* nodes of other graphs have the name, too */
	const char *name;
};

/* The creation of an op in a graph. */
struct program_op {
	double time;             /* seconds since 1970, like all times called so */
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
	uint32_t node;           /* whose output it is */
	int32_t slot;            /* of it; PROGRAM_CONTROL */
	uint32_t op;             /* which takes it */
	uint32_t input;          /* position among the inputs of that op */
};

enum program_bad { PROGRAM_GOOD, PROGRAM_BAD, PROGRAM_CANT_TELL, PROGRAM_UNSCANNED };

/* A tensor stored with a step. */
struct program_entry {
	uint64_t off;            /* of its TensorProto, in the step's file */
	uint32_t size_bytes;     /* 0: a place holder, nothing was stored */
	uint8_t bad;             /* enum program_bad */
};

/* An execution of the program: an op called eagerly, or a function. */
struct program_step {
	double time;             /* when it had finished */
	struct program_place at;
	const char *op;          /* op type or name of the function */
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
	 * Its own graph's tensors are fewer than another call of the same graph had: records were
	 * dropped before it was written, or the end is missing.
	 */
	bool is_cut;
	/* Traces attributed to it, and of all its tensors: those with NaN or Inf; can't tell. */
	uint32_t n_sure, n_probable, n_background;
	uint32_t n_flagged, n_unknown;   /* n_unknown counts those that were not scanned yet */
};

/* What is traced again and again: an output of a node on a device. */
struct program_key {
	uint32_t node;
	int32_t slot;
	const char *device;      /* its name, "" if none was recorded */
};

enum program_attribution {
	PROGRAM_SURE, PROGRAM_PROBABLE, PROGRAM_BACKGROUND, PROGRAM_UNATTRIBUTED,
};

/* A tensor computed in a graph. 40 bytes; with its places in the lists below 48 a trace. */
struct program_trace {
	double time;
	uint64_t off;            /* of the record's head, in the set's file */
	uint32_t len;            /* of the record's payload */
	uint32_t key;            /* program->keys.at[] */
	uint32_t owner;          /* its step; of UNATTRIBUTED the number of its pass */
	uint32_t dump;           /* occurrence of the key in its step or pass, from 0, by time */
	uint32_t size_bytes;     /* of the TensorProto */
	uint16_t set;
	uint8_t mode;            /* program->modes.at[] */
	unsigned attribution : 2, bad : 2, file : 3;
};

/* What is known of a file of the program. */
struct program_source {
	const char *host, *path;
	struct program_place at;
	uint64_t len;            /* of the record's payload */
	uint32_t index;          /* among the sources of its set */
	uint32_t n_lines;        /* 0: not recorded */
};

struct program_frame {
	const char *id;
	const char *function;    /* NULL: not recorded, like all but the id then */
	struct program_place at;
	uint32_t source;         /* PROGRAM_NONE: the index names no file */
	int64_t file_index;      /* as recorded: counts the sources of its set */
	int64_t line;
	bool recorded;
};

/* The calls that led somewhere, outermost first. Shared by all that came the same way. */
struct program_stack {
	const char *host;
	uint32_t n_frames;
	size_t first;            /* program->stack_frames.at[first .. first + n_frames) */
};

/* Distinct things that are named in records and were never recorded. */
struct program_unresolved {
	uint32_t graphs;         /* by ops, traces, steps and as outer */
	uint32_t ops;            /* graph and name of traces */
	uint32_t frames;         /* in stacks */
	uint32_t sources;        /* recorded frames whose index names no file: how many frames */
};

/* Traces that were written after one that is later, set by set. Lists have them by time. */
struct program_late {
	uint64_t traces;
	struct program_place first;
};

struct program {
	const char *path;        /* the directory */
	const char *run_id;      /* NULL: not recorded, like the next two */
	const char *tensorflow_version, *file_version;
	bool has_start;          /* false: t0_us is the time of the earliest record, or 0 */
	int64_t t0_us;           /* start, since 1970 */

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
	VEC(struct program_frame) frames;        /* in order of first mention: see frame_order */
	VEC(struct program_stack) stacks;
	VEC(uint32_t) stack_frames;
	VEC(int64_t) ids;
	VEC(int64_t) modes;                      /* numbers of tensor_debug_mode, as first seen */

	VEC(uint32_t) graph_order;       /* recorded ones in file order, then the others */
	VEC(uint32_t) frame_order;       /* recorded ones in file order */
	uint32_t n_function_steps;
	uint32_t n_passes;
	uint32_t n_duplicate_ops;        /* ops whose node is "name@2" and so on */
	uint32_t n_flagged;              /* tensors with NaN or Inf */
	uint64_t n_tensors;              /* all: traces and rows of steps */
	uint64_t n_unscanned;            /* tensors that program_scan has still to read */
	struct program_unresolved unresolved;
	struct program_late late;

	struct arena mem;
	unsigned generation;             /* how often it was read anew */
	const struct program_reader *reader;     /* private, like the rest */
	struct program_join *join;
	void *reading;
};

void program_close(struct program *program);

/*
 * Looks whether more was written, and takes it in: then the program is as if it was opened now, and
 * pointers to list elements from before are void. A record that is cut at the end waits until it is
 * whole. After ERR_CANCELLED what was read by then is taken in, and the rest waits.
 * Work: what is new is read, joins are made again: about 0.1 s for a million traces.
 */
enum program_news {
	PROGRAM_SAME,            /* err is set if it can't be looked at */
	PROGRAM_GREW,            /* texts stay; steps, traces, ops keep their numbers */
	PROGRAM_ANEW,            /* all from before is void: files were replaced, or sets grew */
};
enum program_news program_look_again(struct program *program, struct progress *progress,
                                     struct err *err);

/*
 * Reads whole tensors to know whether they have NaN or Inf, where the record itself does not say
 * so: at most about max_bytes of them, UINT64_MAX for all that is left. False with ERR_CANCELLED;
 * what was scanned stays. Done when program->n_unscanned is 0. Progress counts tensors.
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

/* Microseconds since 1970, the recorded time rounded to the nearest. False: it is no time. */
bool program_us(double time, int64_t *us);
/* The same since t0_us. */
bool program_time_us(const struct program *program, double time, int64_t *us);

/* ---- graphs and ops */

/*
 * Graphs that a text names: one by its id, else all whose id begins with it (8 characters at
 * least), else all of this name. Fills found[0..max) and returns how many there are.
 */
size_t program_find_graphs(const struct program *program, const char *text, uint32_t *found,
                           size_t max);
/* The node of a name in a graph, also if its creation is unknown; "name@2" too. */
uint32_t program_find_node(const struct program *program, uint32_t graph, const char *name,
                           size_t len);
/* All nodes of a name, in order of graphs as listed; how many there are. */
size_t program_find_nodes(const struct program *program, const char *name, size_t len,
                          uint32_t *found, size_t max);

/* From the outermost graph to this one, into chain[0..max): depth + 1 of them. */
size_t program_chain(const struct program *program, uint32_t graph, uint32_t *chain, size_t max);
/* Is the graph this one or in it? */
bool program_is_within(const struct program *program, uint32_t graph, uint32_t outer);
/* Recorded graphs whose outer it is, and ops created in it: in file order, borrowed. */
const uint32_t *program_inner(const struct program *program, uint32_t graph, size_t *n);
const uint32_t *program_graph_ops(const struct program *program, uint32_t graph, size_t *n);

const struct program_input *program_op_inputs(const struct program *program, uint32_t op);
/* An input as it was recorded: appends "name:slot", "^name" or "name". */
void program_put_input(const struct program *program, const struct program_input *input,
                       struct str *out);
/* Uses of all outputs of a node, by creation of the user, then input. */
const struct program_use *program_uses(const struct program *program, uint32_t node, size_t *n);

/* ---- steps */

/*
 * The graph of a step; of a call whose graph is not recorded the only one that has its name, as a
 * guess. PROGRAM_NONE: it is no call, or none or several have it.
 */
uint32_t program_probable_graph(const struct program *program, uint32_t step);

/* Are both calls of one function? Traced anew, it has another graph, and another number behind. */
bool program_same_function(const struct program *program, uint32_t step, uint32_t other);

/* How many rows of outputs it has: outputs or entries, whichever are more (see program_tensor). */
uint32_t program_step_rows(const struct program_step *step);

/*
 * The function's Placeholder that input i of a call stands for, an op. PROGRAM_NONE: it is no call
 * of a known graph, or the graph has not as many Placeholders as the step has inputs.
 */
uint32_t program_placeholder(const struct program *program, uint32_t step, uint32_t input);

/* The latest earlier step that has the id of input i among its outputs. False: none is recorded. */
struct program_producer {
	uint32_t step;
	uint32_t slot;
};
bool program_producer(const struct program *program, uint32_t step, uint32_t input,
                      struct program_producer *from);

/* Later steps that take an output of this one, by step, then input. The caller frees *uses. */
struct program_step_use {
	uint32_t slot;           /* of this step */
	uint32_t step, input;    /* of that one */
};
size_t program_step_uses(const struct program *program, uint32_t step,
                         struct program_step_use **uses);

/* The device of a set's id; NULL: not recorded. */
const char *program_device_name(const struct program *program, uint16_t set, int64_t id);

/* ---- tensors: traces, and outputs of steps */

/*
 * One tensor. Of an output, row counts from 0 to program_step_rows; row i is entry i of the step
 * while there are entries. It is output slot i too if the step has as many entries as outputs, or
 * none; else its slot is not known.
 */
struct program_tensor {
	uint32_t trace;          /* PROGRAM_NONE: an output of a step */
	uint32_t step;           /* the one it belongs to; PROGRAM_NONE: a pass */
	uint32_t row;            /* of an output */
};

/*
 * Tensors in the order of a list: by recorded time, traces before outputs, by number, by row. A
 * time that is no number counts as 0. `of` is a step (its traces, sure or not, and its outputs) or
 * PROGRAM_NONE: all steps and what belongs to none. The i-th costs a binary search.
 */
uint64_t program_n_tensors(const struct program *program, uint32_t of);
struct program_tensor program_tensor(const struct program *program, uint32_t of, uint64_t i);

/* The traces of a step alone, in that order. Numbers of traces, borrowed. */
const uint32_t *program_step_traces(const struct program *program, uint32_t step, size_t *n);

/*
 * The latest trace of an output of a node before this trace, in its step or pass: what an op took,
 * if the node is one of its inputs. PROGRAM_NONE: none is recorded. Walks through the step.
 */
uint32_t program_trace_before(const struct program *program, uint32_t trace, uint32_t node,
                              int32_t slot);

/* Of an output: NULL, nothing is stored. */
const struct program_entry *program_entry(const struct program *program,
                                          const struct program_tensor *tensor);
/* -1: not known */
int64_t program_slot(const struct program *program, const struct program_tensor *tensor);
double program_tensor_time(const struct program *program, const struct program_tensor *tensor);
int64_t program_mode(const struct program *program, const struct program_tensor *tensor);
/* Of the stored TensorProto, 0 where there is none. */
uint32_t program_size_bytes(const struct program *program, const struct program_tensor *tensor);
struct program_place program_where(const struct program *program,
                                   const struct program_tensor *tensor);
enum program_bad program_bad(const struct program *program, const struct program_tensor *tensor);
/* Appends "op:slot" of a trace, "OP#STEP:slot" or "OP#STEP:?row" of an output. */
void program_put_name(const struct program *program, const struct program_tensor *tensor,
                      struct str *out);

/* The number's name ("FULL_TENSOR"); NULL: it has none. */
const char *program_mode_name(int64_t mode);

/* ---- what is read from the files when it is asked for */

/* Files that one thread reads in. Start with { .program = program }. */
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
 * What a tensor's record tells of it. Only what is in `known` is meant. Counts are of elements;
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
	uint32_t dtype;          /* as on the wire: dtype_info may not know it */
	uint64_t rank, size;
	struct shape shape;
	bool bad;                /* has NaN or Inf */
	uint64_t nan, neg_inf, pos_inf, negative, zero, positive;
};

/*
 * A record that tells nothing, or whose numbers are not those of its mode, is no error: nothing is
 * known. False with ERR_FORMAT, ERR_LIMIT or ERR_IO: its tensor is damaged or can't be read; with
 * ERR_CANCELLED. A whole tensor is read only if it is stored. err may not be NULL.
 */
bool program_health(struct program_reads *reads, const struct program_tensor *tensor,
                    struct health *health, struct progress *progress, struct err *err);

/* The value; the caller closes it. ERR_MISSING: no value was stored. */
struct value *program_value(struct program_reads *reads, const struct program_tensor *tensor,
                            struct err *err);

/*
 * Lines of a source, from its first-th on (from 0), as long as the sink returns true. text is not
 * NUL-terminated and good during the call. False with *err.
 */
typedef bool program_line_sink(void *owner, uint32_t line, const char *text, size_t len);
bool program_source_lines(struct program_reads *reads, uint32_t source, uint32_t first,
                          program_line_sink *sink, void *owner, struct err *err);

/* In how many stacks of ops and steps each frame is. One for each of program->frames. */
struct program_frame_use {
	uint32_t n_ops, n_steps;
};
void program_frame_uses(const struct program *program, struct program_frame_use *uses);

#endif
