#ifndef CMDS_MAGNITUDE_H
#define CMDS_MAGNITUDE_H

#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/model/program.h"

/*
 * How large a tensor is each time that it occurs: the largest modulus of its finite elements. Of
 * values, so only where they were stored; and only where all of them are soon read.
 */
struct magnitudes {
	size_t n;
	struct magnitude {
		double max;      /* below 0: nothing is finite, or it can't be read */
		bool bad;        /* there is NaN or Inf */
	} *each;
	double least, most;      /* of those above 0; most 0: there is none */
};

/* False: they are not known, or there is nothing to tell apart. The caller releases them. */
bool magnitudes_read(struct magnitudes *magnitudes, const struct program *program,
                     const uint32_t *traces, size_t n, struct progress *progress);
void magnitudes_release(struct magnitudes *magnitudes);

/*
 * A sign for each on a logarithmic scale from the least to the most, "!" for NaN or Inf; where
 * there are more than cols some share one, that of the largest. The one at `at` stands in brackets:
 * ".:[=]#!". blocks: block characters.
 */
void magnitudes_put(const struct magnitudes *magnitudes, size_t at, size_t cols, bool blocks,
                    struct str *out);

#endif
