#ifndef CMDS_ROW_VITALS_H
#define CMDS_ROW_VITALS_H

#include "cmds/array/vitals.h"
#include "cmds/doc/table.h"
#include "dump/model/program.h"

/*
 * What --health shows of tensors of a recorded program beside what their mode told: the ends and
 * the distribution of those that are stored whole. They are read once, before there is a row.
 */
struct row_vitals;

/*
 * Of these places in the order of program_tensor(of, ...). NULL with ERR_CANCELLED. What can't be
 * read is not known; *first is why, unless it has been set before.
 */
struct row_vitals *row_vitals_read(const struct program *program, uint32_t of, const uint32_t *at,
                                   size_t n, struct progress *progress, struct err *first,
                                   struct err *err);
void row_vitals_free(struct row_vitals *vitals);         /* NULL: nothing */
const struct vitals *row_vitals_of(const struct row_vitals *vitals, uint32_t at); /* NULL: none */

/* ---- cells; v: NULL where nothing is stored whole */

void cell_bad(struct cell *cell, const struct health *health, bool is_unreadable);
void cell_shape(struct cell *cell, const struct health *health);
void cell_end(struct cell *cell, const struct vitals *v, bool max);
void cell_bins(struct cell *cell, const struct vitals *v, bool fine);

#endif
