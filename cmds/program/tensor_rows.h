#ifndef CMDS_PROGRAM_TENSOR_ROWS_H
#define CMDS_PROGRAM_TENSOR_ROWS_H

#include "cmds/doc/table.h"
#include "cmds/program/judged.h"
#include "cmds/program/row_vitals.h"
#include "dump/model/program.h"

/*
 * Tensors of a recorded program as a table: those of a step, or all. A record is read when its row
 * is asked for, and kept until another row is.
 */
struct tensor_rows {
	const struct program *program;
	uint32_t of;             /* a step; PROGRAM_NONE: all */
	VEC(uint32_t) rows;      /* places in the order of program_tensor(of, ...) */
	bool checksum;           /* typed rows have a checksum of their elements */
	bool with_health;        /* columns of it, after tensor_rows_read */
	bool fine;               /* signs beyond ASCII */
	struct row_vitals *vitals;       /* private */
	struct judged judged;    /* verdicts of a filter; there may be fewer rows than matches */
	void *owner;             /* the lister's */
	bool for_screen;
	struct occurrences *occurrences;         /* NULL: there is no column of them */
	const struct table *table;               /* private: of the latest */
	struct err err;          /* of the first record that could not be read */
	/* Private: the last row that was asked for. */
	struct program_reads reads;
	struct program_tensor tensor;
	struct health health;
	uint64_t at;             /* its row + 1; 0: none yet */
	bool has_health, is_unreadable;
	double first;            /* the time that the column of times starts from */
};

/* The document owns it. */
struct tensor_rows *tensor_rows_new(struct doc *doc, const struct program *program, uint32_t of);

/*
 * For a screen, to be called before tensor_rows_table: if tensors occur several times in the step,
 * adds a column with a sign for each time, and keys that go from one to the next. The column of ops
 * leaves out functions.
 */
void tensor_rows_for_screen(struct doc *doc, struct tensor_rows *rows);
/* For with_health, over the rows as they are by then. False after a cancel. */
bool tensor_rows_read(struct tensor_rows *rows, struct progress *progress, struct err *err);
/* The table of the present rows, to be arranged, and then measured. */
struct table *tensor_rows_table(struct doc *doc, struct tensor_rows *rows);
/*
 * Sets the widths of all columns. Names are cut if otherwise there is no room for the column of
 * health in so many columns; 0: nothing is cut.
 */
void tensor_rows_measure(struct table *table, size_t cols);

/*
 * The keys of a typed row of this tensor, into an open object. What can't be read is null; *first
 * is then the error, unless it has one already. first may be NULL.
 */
void tensor_put_keys(struct program_reads *reads, const struct program_tensor *tensor,
                     struct data *data, struct err *first);

/* The same for an entry stored with a step: slot, size, health. */
void tensor_put_stored(struct program_reads *reads, const struct program_tensor *tensor,
                       bool checksum, struct data *data, struct err *first);

/* ---- one tensor */

/* The op that made it; NULL: not recorded. */
const char *tensor_op(const struct program *program, const struct program_tensor *tensor);
/* PROGRAM_NONE: it is an output of a step. */
uint32_t tensor_graph(const struct program *program, const struct program_tensor *tensor);
enum row_sign tensor_sign(const struct program *program, const struct program_tensor *tensor);
/* "nan x3  -inf x1", "inf/nan", "ok", "?" */
void put_health(struct str *out, const struct health *health);
/*
 * The command that shows it: "pt Log:0 --trace 7"; "pt mul:0 -g 5209667a --trace 8", if several
 * graphs have the name; "pt Mul#3:0"
 */
void tensor_put_link(const struct program *program, const struct program_tensor *tensor,
                     struct str *out);

#endif
