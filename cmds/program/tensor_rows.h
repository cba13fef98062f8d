#ifndef CMDS_PROGRAM_TENSOR_ROWS_H
#define CMDS_PROGRAM_TENSOR_ROWS_H

#include "cmds/doc/table.h"
#include "cmds/program/judged.h"
#include "cmds/program/row_vitals.h"
#include "dump/model/program.h"

/*
 * Tensors of a recorded program as a table: those of a step, or of all. What a record tells is read
 * as its row is asked for, and kept until another row is.
 */
struct tensor_rows {
	const struct program *program;
	uint32_t of;             /* a step; PROGRAM_NONE: all */
	VEC(uint32_t) rows;      /* places in the order of program_tensor(of, ...) */
	bool checksum;           /* typed rows have that of their elements */
	bool with_health;        /* columns of it, after tensor_rows_read */
	bool fine;               /* signs beyond ASCII */
	struct row_vitals *vitals;       /* private */
	struct judged judged;    /* what a filter said; the rows may be fewer than matched */
	void *owner;             /* of who lists them */
	bool for_screen;
	struct occurrences *occurrences;         /* NULL: no column tells of them */
	struct err err;          /* the first that could not be read; it is said with its row */
	/* Private: the row that was asked for last. */
	struct program_reads reads;
	struct program_tensor tensor;
	struct health health;
	uint64_t at;             /* its row + 1; 0: none yet */
	bool has_health, is_unreadable;
	double first;            /* time that the column of times counts from */
};

/* The document has it. */
struct tensor_rows *tensor_rows_new(struct doc *doc, const struct program *program, uint32_t of);

/*
 * For a screen: where tensors occur again and again in the step, a column with a sign for each
 * time, and keys that go from one to the next; an op's name is no function's. Before
 * tensor_rows_table.
 */
void tensor_rows_for_screen(struct doc *doc, struct tensor_rows *rows);
/* For with_health, over the rows as they are by then. False after a cancel. */
bool tensor_rows_read(struct tensor_rows *rows, struct progress *progress, struct err *err);
/* The table over the rows as they are by then. */
struct table *tensor_rows_table(struct doc *doc, struct tensor_rows *rows);
/* Cuts names where else there was no room in so many columns for what their health is. */
void tensor_rows_fit(struct table *table, size_t cols);
/* The columns that can be sorted by, by their words ("timestamp"); false: there is none. */
enum tensor_order {
	ORDER_TIME, ORDER_BYTES, ORDER_OP, ORDER_NAME, ORDER_SIZE, ORDER_BAD,
	ORDER_DTYPE, ORDER_SHAPE, ORDER_MIN, ORDER_MAX,  /* with_health */
	N_ORDERS
};
bool tensor_order_parse(const char *word, enum tensor_order *order, struct err *err);
const char *tensor_order_word(enum tensor_order order);
/* Stable in both directions. False after a cancel, or if a record that it needs can't be read. */
bool tensor_rows_sort(struct tensor_rows *rows, enum tensor_order order, bool reverse,
                      struct progress *progress, struct err *err);

/*
 * What a typed row of this tensor has, into an open object. What can't be read is null; *first is
 * why, unless it has been set before. It may be NULL.
 */
void tensor_put_keys(struct program_reads *reads, const struct program_tensor *tensor,
                     struct data *data, struct err *first);

/* The same of what is stored of an output of a step: its slot, its size, its health. */
void tensor_put_stored(struct program_reads *reads, const struct program_tensor *tensor,
                       bool checksum, struct data *data);

/* ---- one tensor */

/* The op that made it; NULL: not recorded. */
const char *tensor_op(const struct program *program, const struct program_tensor *tensor);
/* PROGRAM_NONE: it is an output of a step. */
uint32_t tensor_graph(const struct program *program, const struct program_tensor *tensor);
/* "nan x3  -inf x1", "inf/nan", "ok", "?" */
void put_health(struct str *out, const struct health *health);
/*
 * The command that shows it: "pt Log:0 --trace 7"; "pt mul:0 -g 5209667a --trace 8", where several
 * graphs have the name; "pt Mul#3:0"
 */
void tensor_put_link(const struct program *program, const struct program_tensor *tensor,
                     struct str *out);

#endif
