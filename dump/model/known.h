#ifndef DUMP_KNOWN_H
#define DUMP_KNOWN_H

#include "dump/base/err.h"
#include "dump/model/stats.h"
#include "dump/model/value.h"

/*
 * What is known of an array of which no element was kept: the numbers that reading all of them
 * would give. Whoever asks for those of a whole value gets these; whoever asks for elements gets
 * ERR_MISSING.
 */

/* So many finite elements x, of one sign, with 2^exponent <= |x| < 2^(exponent + 1). */
struct known_bin {
	int32_t exponent;
	bool negative;
	uint64_t n;
};

struct value_known {
	/* Of types that dump/model/stats.h does not know: counts, and ends if there are some. */
	struct stats stats;
	double modulus;          /* of complex numbers the largest; -1: none is finite */
	size_t n_bins;           /* 0: how elements are spread is not known */
	struct known_bin bins[];
};

struct value_known *value_known_new(size_t n_bins);

/* A value without elements. known is taken over. ERR_FORMAT: the shape is impossible. */
struct value *value_open_known(const char *path, enum dtype dtype, const struct shape *shape,
                               enum value_state state, struct value_known *known,
                               struct err *err);

/* What is known of a view of all elements; NULL: nothing, or it is none. */
const struct value_known *known_of_view(const struct view *view);

/*
 * Do the numbers of two arrays agree, as far as they tell? Those of elements are counted. False
 * with *err: a type of which nothing is counted, elements that can't be read, a cancel.
 */
bool known_agree(struct value *a, struct value *b, bool *agree, struct progress *progress,
                 struct err *err);

#endif
