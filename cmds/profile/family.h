#ifndef CMDS_FAMILY_H
#define CMDS_FAMILY_H

#include "cmds/doc/doc.h"

/*
 * What kind of work an op or a kernel does, as the role that its bars and boxes have: tables of
 * kernels and timelines show the same work in the same colour.
 */
#define FAMILIES(X) \
	X(MATMUL, 1)             /* products of matrices, convolutions */ \
	X(ELEMENTWISE, 2) \
	X(REDUCTION, 3)          /* sums, maxima, pooling */ \
	X(COPY, 4)               /* memory: copies, and what only rearranges */ \
	X(NORM, 5)               /* normalisation, softmax */ \
	X(COLLECTIVE, 6)         /* between devices */ \
	X(CONTROL, 7)            /* control flow, constants, variables, shapes */ \
	X(OTHER, 8)

enum family {
#define X(id, number) FAMILY_##id = ROLE_FAMILY_##number,
	FAMILIES(X)
#undef X
};

/*
 * By the op's type, or the leaf of a node's name, and if that tells nothing by the kernel's name as
 * kernel_short.h has it; either may be "".
 */
enum role family_of(const char *op, const char *kernel);

#endif
