/*
 * A table of op types, each with a rule and a factor; rules are functions of shapes. What has no
 * figure (an unknown dimension, a layout that the formula is not for) is NO_FIGURE all the way up.
 * Doubles, as Python's floats where it divides; products are cut to whole numbers at the end.
 */
#include "dump/profile/flops.h"

#include <math.h>
#include <string.h>

#define NO_FIGURE NAN

/* Product of the dimensions. */
static double elements(const struct flops_shape *shape)
{
	double n = 1;

	if (!shape->n)
		return NO_FIGURE;
	for (size_t i = 0; i < shape->n; i++)
		n *= shape->dim[i] < 0 ? NO_FIGURE : (double)shape->dim[i];
	return n;
}

static double in_elements(const struct flops_op *op, size_t i)
{
	return i < op->n_in ? elements(&op->in[i]) : NO_FIGURE;
}

/* A dimension of an input, from the end if it is negative. */
static double in_dim(const struct flops_op *op, size_t i, int dim)
{
	const struct flops_shape *shape = i < op->n_in ? &op->in[i] : NULL;
	size_t at = dim < 0 && shape ? shape->n - (size_t)-dim : (size_t)dim;

	return !shape || at >= shape->n || shape->dim[at] < 0 ? NO_FIGURE : (double)shape->dim[at];
}

static double of_in(const struct flops_op *op)
{
	return in_elements(op, 0);
}

static double of_out(const struct flops_op *op)
{
	return elements(&op->out);
}

static double of_difference(const struct flops_op *op)
{
	return in_elements(op, 0) - elements(&op->out);
}

static double of_l2_loss(const struct flops_op *op)
{
	return 3 * in_elements(op, 0) - 1;
}

static double of_add_n(const struct flops_op *op)
{
	return op->n_in ? in_elements(op, 0) * (double)(op->n_in - 1) : 0;
}

static double of_matmul(const struct flops_op *op)
{
	return 2 * in_dim(op, 0, op->transpose_a ? 0 : 1) * elements(&op->out);
}

static double of_batch_matmul(const struct flops_op *op)
{
	return 2 * in_dim(op, 0, op->transpose_a ? -2 : -1) * elements(&op->out);
}

/* As many dimensions of the filter as its window has, and its depth. */
static double of_filter(const struct flops_op *op, int n)
{
	double flops = 2 * elements(&op->out);

	for (int i = 0; i < n; i++)
		flops *= in_dim(op, 1, i);
	return flops;
}

static double of_window(const struct flops_op *op)
{
	return of_filter(op, 2);
}

static double of_conv2d(const struct flops_op *op)
{
	return of_filter(op, 3);
}

static double of_conv3d(const struct flops_op *op)
{
	return of_filter(op, 4);
}

static double kernel(const struct flops_op *op)
{
	double n = 1;

	if (!op->nhwc || !op->n_ksize)
		return NO_FIGURE;
	for (size_t i = 0; i < op->n_ksize; i++)
		n *= (double)op->ksize[i];
	return n;
}

static double of_pool(const struct flops_op *op)
{
	return kernel(op) * elements(&op->out);
}

static double of_average_gradient(const struct flops_op *op)
{
	return 2 * kernel(op) * in_elements(op, 1);
}

static double of_maximum_gradient(const struct flops_op *op)
{
	return kernel(op) * in_elements(op, 1) + in_elements(op, 1);
}

/* The last dimension times the strides of the window. */
static double strided(const struct flops_op *op, const struct flops_shape *shape)
{
	if (!op->nhwc || op->n_strides < 3 || !shape || !shape->n || shape->dim[shape->n - 1] <= 0)
		return NO_FIGURE;
	return (double)shape->dim[shape->n - 1] * (double)op->strides[1] * (double)op->strides[2];
}

static double of_input_gradient(const struct flops_op *op)
{
	return 2 * elements(&op->out) * in_elements(op, 1) / strided(op, &op->out);
}

static double of_filter_gradient(const struct flops_op *op)
{
	return 2 * in_elements(op, 0) * elements(&op->out) /
	       strided(op, op->n_in ? &op->in[0] : NULL);
}

static const struct {
	const char *type;
	double (*rule)(const struct flops_op *op);
	double factor;
} rules[] = {
	{ "Reciprocal", of_in, 1 }, { "Square", of_in, 1 }, { "Log", of_in, 1 },
	{ "Neg", of_in, 1 }, { "AssignSub", of_in, 1 }, { "AssignAdd", of_in, 1 },
	{ "Rsqrt", of_in, 2 }, { "Softmax", of_in, 5 }, { "L2Loss", of_l2_loss, 1 },
	{ "Add", of_out, 1 }, { "AddV2", of_out, 1 }, { "Sub", of_out, 1 }, { "Mul", of_out, 1 },
	{ "RealDiv", of_out, 1 }, { "Maximum", of_out, 1 }, { "Minimum", of_out, 1 },
	{ "Pow", of_out, 1 }, { "Greater", of_out, 1 }, { "GreaterEqual", of_out, 1 },
	{ "Less", of_out, 1 }, { "LessEqual", of_out, 1 }, { "Equal", of_out, 1 },
	{ "NotEqual", of_out, 1 }, { "SquaredDifference", of_out, 2 }, { "RsqrtGrad", of_out, 4 },
	{ "AddN", of_add_n, 1 }, { "Sum", of_difference, 1 }, { "ArgMax", of_difference, 1 },
	{ "ArgMin", of_difference, 1 }, { "BiasAddGrad", of_difference, 1 }, { "Mean", of_in, 1 },
	{ "MatMul", of_matmul, 1 }, { "BatchMatMul", of_batch_matmul, 1 },
	{ "BatchMatMulV2", of_batch_matmul, 1 }, { "BatchMatMulV3", of_batch_matmul, 1 },
	{ "Conv2D", of_conv2d, 1 }, { "Conv3D", of_conv3d, 1 },
	{ "DepthwiseConv2dNative", of_window, 1 }, { "Dilation2D", of_window, 1 },
	{ "BiasAdd", of_in, 1 }, { "AvgPool", of_pool, 1 }, { "MaxPool", of_pool, 1 },
	{ "AvgPoolGrad", of_average_gradient, 1 }, { "MaxPoolGrad", of_maximum_gradient, 1 },
	{ "Conv2DBackpropInput", of_input_gradient, 1 },
	{ "Conv2DBackpropFilter", of_filter_gradient, 1 },
};

bool flops_of(const struct flops_op *op, int64_t *flops)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		double n;

		if (strcmp(op->type, rules[i].type))
			continue;
		n = rules[i].factor * rules[i].rule(op);
		if (!(n > -9e18 && n < 9e18))
			return false;
		*flops = (int64_t)n;
		return true;
	}
	return false;
}
