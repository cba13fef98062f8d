#ifndef CMDS_SURVEY_H
#define CMDS_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Elements of any type as numbers, and what there is to say of all of them: for grids, pictures and
 * filters.
 */

/*
 * Is there a number for each element? All but strings and what is no array; of complex ones it is
 * the modulus.
 */
bool number_has(const struct dtype_info *type);
double number_of(const struct dtype_info *type, const void *elem);

/*
 * A summary of any array.
 * Types   FLOAT, INT, UINT and BOOL as stats_of has them; the rest in one pass of doubles. Of
 *         complex numbers, bools and strings there is no order: only counts. A complex number is
 *         NaN if a part is, infinite (n_pos_inf) if a part is. Strings are counted, no more.
 * Units   counts of elements; n_neg and n_pos are finite ones. The rest in the tensor's unit, of
 *         finite elements.
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
 * Hands the numbers of a view on, in row-major order and in pieces. Only for types that number_has.
 */
typedef void number_sink(void *context, uint64_t first, const double *numbers, size_t n);
bool numbers_each(struct view *view, number_sink *sink, void *context, struct progress *progress,
                  struct err *err);

#endif
