#ifndef CMDS_DRIFT_ROWS_H
#define CMDS_DRIFT_ROWS_H

#include "cmds/overview/series.h"

/* How series grow: the rows of `drift`. */

#define DRIFT_THRESHOLD 10.0
#define DRIFT_NOWHERE SIZE_MAX
#define DRIFT_NEVER INT64_MAX

struct drift_row {
	const struct series *s;
	size_t n;                /* places with something finite */
	double first, last, max; /* NAN: there is none */
	double growth;           /* the same: fewer than three, or from nothing */
	size_t from, bad;        /* places; DRIFT_NOWHERE: none */
	int64_t from_number;     /* what they are called; DRIFT_NEVER: there is none */
	int64_t bad_number;
};

struct drift_row drift_row_of(const struct series_list *list, const struct series *s);
/* What a place is called: runs count from 1, executions and steps from 0. */
int64_t drift_number(const struct series_list *list, const struct series *s, size_t place);
/* "9", or of a run "9 (step 80)" where the program's own number is known. */
void drift_put_number(const struct shell *shell, enum series_by by, int64_t number,
                      struct str *out);
/* Is it always the same, or never anything but bad? */
bool drift_is_flat(const struct drift_row *row);
/* The first row of `drift` without options; false: it has none. */
bool drift_first(const struct series_list *list, struct drift_row *out);

/* As `drift` has it: an object. */
void drift_put_row(struct data *data, const struct series_list *list, const struct drift_row *row);

#endif
