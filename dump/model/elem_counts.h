#ifndef DUMP_ELEM_COUNTS_H
#define DUMP_ELEM_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/stats.h"
#include "dump/model/value.h"

/*
 * Hands all elements of an array to use, window by window; what stands in the file once and in the
 * array many times is handed over once, and *times says how often each counts. False, with *err, if
 * they can't be read, or after a cancel. Checks progress for a cancel; does not advance it.
 */
typedef void elems_use(void *context, const struct dtype_info *type, const unsigned char *elems,
                       size_t n);
bool elems_each(struct value *value, elems_use *use, void *context, uint64_t *times,
                struct progress *progress, struct err *err);

/*
 * Which numbers there are in an array, of any type, and their ends.
 * Units   counts of elements; negative and positive are finite ones. A complex number is NaN if a
 *         part is, infinite by a part that is, zero if both are, never negative or positive. Of
 *         bools and strings all are 0.
 * min, max   of the finite elements, each an element of the tensor's type; of complex numbers,
 *         bools and strings there are none.
 */
struct elem_counts {
	uint64_t nan, neg_inf, pos_inf, negative, zero, positive;
	bool has_ends;
	unsigned char min[16], max[16];
	double modulus;          /* of complex numbers the largest; -1: none is finite */
};

/*
 * Reads the elements once. If the value holds only numbers about them, copies these. False, with
 * *err, if the elements can't be read, or after a cancel.
 */
bool elem_counts_of(struct value *value, struct elem_counts *out, struct progress *progress,
                    struct err *err);

#endif
