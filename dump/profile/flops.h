#ifndef DUMP_FLOPS_H
#define DUMP_FLOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Float operations of an op by formulas.
 * Shapes  as tfprof has them: n = 0 is unknown, a scalar is [1], -1 an unknown dimension.
 * Source  TensorFlow: python/profiler/internal/flops_registry.py, python/ops/nn_ops.py.
 */
struct flops_shape {
	const int64_t *dim;
	size_t n;
};

struct flops_op {
	const char *type;
	const struct flops_shape *in;
	size_t n_in;
	struct flops_shape out;          /* of output 0 */
	bool transpose_a;
	bool nhwc;                       /* data_format is unset or NHWC */
	const int64_t *ksize, *strides;
	size_t n_ksize, n_strides;
};

/* False: there is no formula, or a shape that it needs is not known. */
bool flops_of(const struct flops_op *op, int64_t *flops);

#endif
