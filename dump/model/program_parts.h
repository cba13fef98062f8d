#ifndef DUMP_PROGRAM_PARTS_H
#define DUMP_PROGRAM_PARTS_H

#include "dump/base/text.h"
#include "dump/model/program.h"

/*
 * For readers of recorded programs, and for the parts of the model. A reader adds records as it
 * finds them, in any order, and then calls program_sort and program_join; it may do so again when
 * there are more.
 */

/* What a reader does for an open program. */
struct program_reader {
	struct program *(*look_beside)(const struct program *program, enum program_news *news,
	                               struct progress *progress, struct err *err);
	struct program *(*read_beside)(const struct program *program, struct progress *progress,
	                               struct err *err);
	bool (*scan)(struct program *program, uint64_t max_bytes, struct progress *progress,
	             struct err *err);
	bool (*health)(struct program_reads *reads, const struct program_tensor *tensor,
	               struct health *health, struct progress *progress, struct err *err);
	struct value *(*value)(struct program_reads *reads, const struct program_tensor *tensor,
	                       struct err *err);
	bool (*source_lines)(struct program_reads *reads, uint32_t source, uint32_t first,
	                     program_line_sink *sink, void *owner, struct err *err);
	void (*close)(struct program *program);  /* frees program->reading */
};

/* A map from three numbers to one, given in order of arrival from 0. Start with {0}. */
struct triple {
	uint32_t a, b, c;
};
struct triples {
	struct triple *at;
	size_t len, cap;
	uint32_t *slot;          /* number + 1; 0 is free */
	size_t n_slots;          /* a power of two */
};
uint32_t triples_add(struct triples *table, struct triple triple);
uint32_t triples_find(const struct triples *table, struct triple triple);  /* or PROGRAM_NONE */
void triples_release(struct triples *table);

/* The id of an eager tensor, at one place of a step. */
struct program_id {
	int64_t id;
	uint32_t step, position;
};

struct program_join {
	/* For adding records. */
	struct map texts, graph_ids, frame_ids;
	struct triples nodes;            /* graph, text, 0 */
	struct triples keys;             /* node, slot, text */
	struct triples sources;          /* set, text, text */
	struct triples stacks;           /* the two halves of a hash, length */
	VEC(uint32_t) frame_of;          /* by frame_ids */
	VEC(struct program_input) inputs;

	/* Made by program_join. */
	uint32_t *order;                 /* traces by time */
	uint32_t *grouped;               /* traces by step or pass, then time */
	uint32_t *group_first;           /* n_steps + n_passes + 1 */
	uint32_t *step_order;            /* by time */
	struct program_rows {
		uint64_t before;         /* how many tensors come before the outputs of this step */
		uint64_t rows;           /* how many of these are outputs */
	} *rows;                         /* by step_order */
	struct program_span {
		uint32_t first, last;    /* the graphs in it come in [first, last), by depth */
		uint32_t cycle;          /* the cycle above it or that it is in; or PROGRAM_NONE */
		bool in_cycle;
	} *within;                       /* of each graph */
	uint32_t *graph_walk;            /* graphs, outer ones first */
	uint32_t *inner, *inner_first;
	uint32_t *graph_ops, *graph_ops_first;
	uint32_t *holders, *holders_first;       /* the Placeholders among them */
	struct program_use *uses;
	uint32_t *uses_first;
	struct program_id *made, *taken; /* by id, step, position */
	size_t n_made, n_taken;
};

struct program *program_new(const struct program_reader *reader, const char *path);

/* A copy without joins, to add to; its `reading` is the reader's to make. */
struct program *program_copy(const struct program *program);

/* Texts may hold any byte; NULs are shown as '?'. The number of a text, and the text. */
uint32_t program_add_text(struct program *program, const char *text, size_t len);
const char *program_text(const struct program *program, uint32_t text);

/* The number of what a record names, which is added if it is new. */
uint32_t program_add_graph(struct program *program, const char *id, size_t len);
uint32_t program_add_node(struct program *program, uint32_t graph, uint32_t text);
uint32_t program_add_key(struct program *program, uint32_t node, int32_t slot, uint32_t device);
uint32_t program_add_frame(struct program *program, const char *id, size_t len);
uint8_t program_add_mode(struct program *program, int64_t mode);
/* The node for another op with this name. */
uint32_t program_add_op_node(struct program *program, uint32_t graph, uint32_t text);
/* PROGRAM_NONE: the set has this source already. */
uint32_t program_add_source(struct program *program, uint32_t host, uint32_t path,
                            struct program_place at);

/* NAME in "__inference_NAME_3"; false: the op is not a function. */
bool program_function_name(const char *op, struct text *name);

/* Orders the lists if records were added out of order. True: then numbers have changed. */
bool program_sort(struct program *program);
/* Makes everything that depends on all records. */
void program_join(struct program *program);

/* Parts of program_join; each uses the results of those before. */
void program_attribute(struct program *program);
/* Counts bad tensors again, after a scan. */
void program_count(struct program *program);

/* By set, file and offset: less than 0, 0, more. */
int program_order_places(const struct program_place *a, const struct program_place *b);

/* As lists are ordered. */
static inline double program_order_time(double time)
{
	return time == time ? time : 0;
}

#endif
