#ifndef CMDS_SURVEY_H
#define CMDS_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Elements of any type as numbers, and statistics of all of them, for grids, pictures and filters.
 */

/*
 * Does each element have a number? So in all arrays but those of strings; for complex elements it
 * is the modulus.
 */
bool number_has(const struct dtype_info *type);
double number_of(const struct dtype_info *type, const void *elem);

/*
 * A summary of any array.
 * Types   FLOAT, INT, UINT and BOOL by stats_of; the rest in one pass, as doubles. Complex numbers,
 *         bools and strings are not ordered: only counts. A complex number is NaN if a part is,
 *         else infinite (n_pos_inf) if a part is. Of strings only the total is known.
 * Units   counts of elements; n_neg and n_pos count finite ones. min to std are of the finite
 *         elements, in the tensor's unit.
 */
struct survey {
	uint64_t total, n_nan, n_neg_inf, n_neg, n_zero, n_pos, n_pos_inf, n_finite;
	bool ordered;                        /* if not, or n_finite is 0: no min, max, mean, std */
	unsigned char min[16], max[16];      /* elements of the tensor's type */
	double mean, std;
	int mean_bits;                       /* 16, 32 or 64: the type in which sums were kept */
};

bool survey_of(struct view *view, struct survey *out, struct progress *progress, struct err *err);

/*
 * Passes the numbers of a view to sink, in row-major order, piece by piece. Only for types that
 * number_has.
 */
typedef void number_sink(void *context, uint64_t first, const double *numbers, size_t n);
bool numbers_each(struct view *view, number_sink *sink, void *context, struct progress *progress,
                  struct err *err);

#endif
