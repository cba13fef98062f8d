#ifndef CMDS_PROGRAM_STEP_ROW_H
#define CMDS_PROGRAM_STEP_ROW_H

#include "cmds/doc/table.h"
#include "cmds/program/judged.h"
#include "dump/model/program.h"

/* Steps of a recorded program as a table, one a row. */
struct step_rows {
	const struct program *program;
	VEC(uint32_t) rows;      /* numbers of steps */
	bool stacks, checksum;   /* typed rows have those too */
	bool signs;              /* rows have room for a mark of the current step */
	uint32_t current;        /* PROGRAM_NONE: none */
	struct judged judged;    /* verdicts of a filter; there may be fewer rows than matches */
	struct err err;          /* of the first record that could not be read */
	struct program_reads reads;
};

struct step_rows *step_rows_new(struct doc *doc, const struct program *program);
/* Arranged as the options of the call say. NULL: call has the error. */
struct table *step_rows_table(struct call *call, struct step_rows *rows);

/*
 * The typed row of one step, as an object; PROGRAM_NONE: null. What can't be read is null; *first
 * is then the error, unless it has one already.
 */
void step_put_data(struct program_reads *reads, uint32_t step, struct data *data,
                   struct err *first);

/* "Mul#30:0", an output of a step. */
void put_output_name(struct str *out, const struct program *program, uint32_t step, uint64_t slot);

#endif
