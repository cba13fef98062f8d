/*
 * One table has a row for each operation that something is known of, sorted by name. Reasons come
 * in families: how the counts of the output and the inputs are put together.
 */
#include "dump/model/origin_rules.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/format/dtype.h"

const char *const origin_reason_names[] = {
#define X(id, name) name,
	ORIGIN_REASONS(X)
#undef X
};

enum family {
	BY_COUNTS, BY_CONSTANT, BY_LOG, BY_SQRT, BY_RSQRT, BY_SQRT_GRAD, BY_DIVIDE, BY_RECIPROCAL,
	BY_POW, BY_DOMAIN,
};

struct op_rule {
	const char *op;
	uint32_t traits;
	enum family family;
};

static const struct op_rule rules[] = {
	{ "Abs", OP_CARRIES | OP_PASSES, BY_COUNTS },
	{ "Acos", 0, BY_DOMAIN },
	{ "Acosh", 0, BY_DOMAIN },
	{ "Add", OP_PASSES, BY_COUNTS },
	{ "AddN", OP_PASSES, BY_COUNTS },
	{ "AddV2", OP_PASSES, BY_COUNTS },
	{ "All", OP_NO_FLOAT, BY_COUNTS },
	{ "Any", OP_NO_FLOAT, BY_COUNTS },
	{ "ArgMax", OP_NO_FLOAT, BY_COUNTS },
	{ "ArgMin", OP_NO_FLOAT, BY_COUNTS },
	{ "Asin", 0, BY_DOMAIN },
	{ "Assert", OP_NO_FLOAT, BY_COUNTS },
	{ "Assign", OP_CARRIES, BY_COUNTS },
	{ "AssignAddVariableOp", OP_ASSIGNS, BY_COUNTS },
	{ "AssignSubVariableOp", OP_ASSIGNS, BY_COUNTS },
	{ "AssignVariableOp", OP_NO_FLOAT | OP_ASSIGNS, BY_COUNTS },
	{ "Atanh", 0, BY_DOMAIN },
	{ "BatchMatMul", OP_PASSES, BY_COUNTS },
	{ "BatchMatMulV2", OP_PASSES, BY_COUNTS },
	{ "BiasAdd", OP_PASSES, BY_COUNTS },
	{ "Bitcast", OP_CARRIES, BY_COUNTS },
	{ "BroadcastArgs", OP_NO_FLOAT, BY_COUNTS },
	{ "BroadcastGradientArgs", OP_NO_FLOAT, BY_COUNTS },
	{ "BroadcastTo", OP_CARRIES, BY_COUNTS },
	{ "Case", OP_CALLS, BY_COUNTS },
	{ "CheckNumerics", OP_CARRIES, BY_COUNTS },
	{ "Concat", OP_CARRIES, BY_COUNTS },
	{ "ConcatOffset", OP_NO_FLOAT, BY_COUNTS },
	{ "ConcatV2", OP_CARRIES, BY_COUNTS },
	{ "Const", OP_CONST, BY_CONSTANT },
	{ "ControlTrigger", OP_NO_FLOAT, BY_COUNTS },
	{ "Conv2D", OP_PASSES, BY_COUNTS },
	{ "Copy", OP_CARRIES, BY_COUNTS },
	{ "CopyHost", OP_CARRIES, BY_COUNTS },
	{ "DeepCopy", OP_CARRIES, BY_COUNTS },
	{ "Diag", OP_CARRIES, BY_COUNTS },
	{ "DiagPart", OP_CARRIES, BY_COUNTS },
	{ "Digamma", 0, BY_DOMAIN },
	{ "Div", 0, BY_DIVIDE },
	{ "DynamicPartition", OP_CARRIES, BY_COUNTS },
	{ "DynamicStitch", OP_CARRIES, BY_COUNTS },
	{ "EnsureShape", OP_CARRIES, BY_COUNTS },
	{ "Enter", OP_LOOKED | OP_CARRIES | OP_COPIES | OP_LEADS, BY_COUNTS },
	{ "Equal", OP_NO_FLOAT, BY_COUNTS },
	{ "Erfinv", 0, BY_DOMAIN },
	{ "Exit", OP_CARRIES | OP_COPIES, BY_COUNTS },
	{ "Exp", OP_MASKS, BY_COUNTS },
	{ "ExpandDims", OP_CARRIES, BY_COUNTS },
	{ "Fill", 0, BY_CONSTANT },
	{ "FloorDiv", 0, BY_DIVIDE },
	{ "FloorMod", 0, BY_DIVIDE },
	{ "Gather", OP_CARRIES, BY_COUNTS },
	{ "GatherNd", OP_CARRIES, BY_COUNTS },
	{ "GatherV2", OP_CARRIES, BY_COUNTS },
	{ "Greater", OP_NO_FLOAT, BY_COUNTS },
	{ "GreaterEqual", OP_NO_FLOAT, BY_COUNTS },
	{ "Identity", OP_CARRIES | OP_PASSES | OP_COPIES | OP_LEADS, BY_COUNTS },
	{ "IdentityN", OP_CARRIES, BY_COUNTS },
	{ "If", OP_CALLS, BY_COUNTS },
	{ "Inv", 0, BY_RECIPROCAL },
	{ "InvGrad", 0, BY_RECIPROCAL },
	{ "InvertPermutation", OP_CARRIES, BY_COUNTS },
	{ "IsFinite", OP_NO_FLOAT, BY_COUNTS },
	{ "IsInf", OP_NO_FLOAT, BY_COUNTS },
	{ "IsNan", OP_NO_FLOAT, BY_COUNTS },
	{ "IsVariableInitialized", OP_NO_FLOAT, BY_COUNTS },
	{ "Less", OP_NO_FLOAT, BY_COUNTS },
	{ "LessEqual", OP_NO_FLOAT, BY_COUNTS },
	{ "Lgamma", 0, BY_DOMAIN },
	{ "Log", OP_SHOWS, BY_LOG },
	{ "Log1p", 0, BY_LOG },
	{ "LogicalAnd", OP_NO_FLOAT, BY_COUNTS },
	{ "LogicalNot", OP_NO_FLOAT, BY_COUNTS },
	{ "LogicalOr", OP_NO_FLOAT, BY_COUNTS },
	{ "LoopCond", OP_NO_FLOAT, BY_COUNTS },
	{ "MatMul", OP_PASSES, BY_COUNTS },
	{ "MatrixBandPart", OP_CARRIES, BY_COUNTS },
	{ "MatrixDiag", OP_CARRIES, BY_COUNTS },
	{ "Max", OP_CARRIES, BY_COUNTS },
	{ "Maximum", OP_CARRIES, BY_COUNTS },
	{ "Mean", OP_PASSES, BY_COUNTS },
	{ "Merge", OP_CARRIES | OP_MERGE | OP_COPIES, BY_COUNTS },
	{ "Min", OP_CARRIES, BY_COUNTS },
	{ "Minimum", OP_CARRIES, BY_COUNTS },
	{ "MirrorPad", OP_CARRIES, BY_COUNTS },
	{ "Mod", 0, BY_DIVIDE },
	{ "Mul", OP_PASSES, BY_COUNTS },
	{ "Ndtri", 0, BY_DOMAIN },
	{ "Neg", OP_CARRIES | OP_PASSES, BY_COUNTS },
	{ "NextIteration", OP_LOOKED | OP_CARRIES | OP_COPIES, BY_COUNTS },
	{ "NoOp", OP_NO_FLOAT, BY_COUNTS },
	{ "NotEqual", OP_NO_FLOAT, BY_COUNTS },
	{ "OnesLike", OP_CARRIES, BY_COUNTS },
	{ "Pack", OP_CARRIES, BY_COUNTS },
	{ "Pad", OP_CARRIES, BY_COUNTS },
	{ "PadV2", OP_CARRIES, BY_COUNTS },
	{ "PartitionedCall", OP_CALLS, BY_COUNTS },
	{ "Placeholder", OP_CARRIES | OP_FED, BY_COUNTS },
	{ "PlaceholderV2", OP_FED, BY_COUNTS },
	{ "PlaceholderWithDefault", OP_CARRIES | OP_FED, BY_COUNTS },
	{ "Pow", 0, BY_POW },
	{ "PreventGradient", OP_CARRIES, BY_COUNTS },
	{ "Print", OP_CARRIES, BY_COUNTS },
	{ "PrintV2", OP_CARRIES, BY_COUNTS },
	{ "Rank", OP_NO_FLOAT, BY_COUNTS },
	{ "ReadVariableOp", OP_CARRIES | OP_READS, BY_COUNTS },
	{ "RealDiv", OP_SHOWS, BY_DIVIDE },
	{ "Reciprocal", OP_SHOWS, BY_RECIPROCAL },
	{ "ReciprocalGrad", 0, BY_RECIPROCAL },
	{ "RefEnter", OP_LOOKED | OP_CARRIES | OP_COPIES | OP_LEADS, BY_COUNTS },
	{ "RefExit", OP_CARRIES, BY_COUNTS },
	{ "RefIdentity", OP_CARRIES | OP_LEADS, BY_COUNTS },
	{ "RefMerge", OP_CARRIES, BY_COUNTS },
	{ "RefNextIteration", OP_LOOKED | OP_CARRIES | OP_COPIES, BY_COUNTS },
	{ "RefSwitch", OP_CARRIES | OP_LEADS, BY_COUNTS },
	{ "Relu", OP_CARRIES, BY_COUNTS },
	{ "Relu6", OP_CARRIES, BY_COUNTS },
	{ "ReluGrad", OP_CARRIES, BY_COUNTS },
	{ "Reshape", OP_CARRIES, BY_COUNTS },
	{ "Reverse", OP_CARRIES, BY_COUNTS },
	{ "ReverseV2", OP_CARRIES, BY_COUNTS },
	{ "Rsqrt", OP_SHOWS, BY_RSQRT },
	{ "RsqrtGrad", 0, BY_SQRT_GRAD },
	{ "Select", OP_CARRIES | OP_SELECTS, BY_COUNTS },
	{ "SelectV2", OP_CARRIES | OP_SELECTS, BY_COUNTS },
	{ "Shape", OP_NO_FLOAT, BY_COUNTS },
	{ "ShapeN", OP_NO_FLOAT, BY_COUNTS },
	{ "Size", OP_NO_FLOAT, BY_COUNTS },
	{ "Slice", OP_CARRIES, BY_COUNTS },
	{ "Snapshot", OP_CARRIES, BY_COUNTS },
	{ "Softmax", OP_MASKS, BY_COUNTS },
	{ "Split", OP_CARRIES, BY_COUNTS },
	{ "SplitV", OP_CARRIES, BY_COUNTS },
	{ "Sqrt", OP_SHOWS, BY_SQRT },
	{ "SqrtGrad", OP_SHOWS, BY_SQRT_GRAD },
	{ "Square", OP_PASSES, BY_COUNTS },
	{ "Squeeze", OP_CARRIES, BY_COUNTS },
	{ "StackPopV2", OP_CARRIES | OP_POP, BY_COUNTS },
	{ "StackPushV2", OP_CARRIES | OP_PUSH, BY_COUNTS },
	{ "StackV2", OP_NO_FLOAT, BY_COUNTS },
	{ "StatefulPartitionedCall", OP_CALLS, BY_COUNTS },
	{ "StatelessCase", OP_CALLS, BY_COUNTS },
	{ "StatelessIf", OP_CALLS, BY_COUNTS },
	{ "StatelessWhile", OP_CALLS, BY_COUNTS },
	{ "StopGradient", OP_CARRIES, BY_COUNTS },
	{ "StridedSlice", OP_CARRIES, BY_COUNTS },
	{ "StridedSliceGrad", OP_CARRIES, BY_COUNTS },
	{ "Sub", OP_PASSES, BY_COUNTS },
	{ "Sum", OP_PASSES, BY_COUNTS },
	{ "Switch", OP_CARRIES | OP_COPIES | OP_LEADS, BY_COUNTS },
	{ "TemporaryVariable", OP_VARIABLE, BY_COUNTS },
	{ "TensorArrayConcatV3", OP_CARRIES | OP_ARRAY_READ | OP_FLOW_IN_1, BY_COUNTS },
	{ "TensorArrayGatherV3", OP_CARRIES | OP_ARRAY_READ | OP_FLOW_IN_2, BY_COUNTS },
	{ "TensorArrayGradV3", OP_NO_FLOAT | OP_FLOW_IN_1 | OP_FLOW_OUT_1 |
	  OP_ARRAY_GRAD, BY_COUNTS },
	{ "TensorArrayReadV3", OP_CARRIES | OP_ARRAY_READ | OP_FLOW_IN_2, BY_COUNTS },
	{ "TensorArrayScatterV3", OP_CARRIES | OP_ARRAY_WRITE | OP_FLOW_IN_3 |
	  OP_FLOW_OUT_0, BY_COUNTS },
	{ "TensorArraySizeV3", OP_NO_FLOAT | OP_FLOW_IN_1, BY_COUNTS },
	{ "TensorArraySplitV3", OP_CARRIES | OP_ARRAY_WRITE | OP_FLOW_IN_3 |
	  OP_FLOW_OUT_0, BY_COUNTS },
	{ "TensorArrayV3", OP_NO_FLOAT | OP_FLOW_OUT_1, BY_COUNTS },
	{ "TensorArrayWriteV3", OP_CARRIES | OP_ARRAY_WRITE | OP_FLOW_IN_3 |
	  OP_FLOW_OUT_0, BY_COUNTS },
	{ "Tile", OP_CARRIES, BY_COUNTS },
	{ "TopK", OP_CARRIES, BY_COUNTS },
	{ "TopKV2", OP_CARRIES, BY_COUNTS },
	{ "Transpose", OP_CARRIES, BY_COUNTS },
	{ "TruncateDiv", 0, BY_DIVIDE },
	{ "Unpack", OP_CARRIES, BY_COUNTS },
	{ "VarHandleOp", OP_NO_FLOAT | OP_HANDLE, BY_COUNTS },
	{ "VarIsInitializedOp", OP_NO_FLOAT, BY_COUNTS },
	{ "Variable", OP_VARIABLE, BY_COUNTS },
	{ "VariableShape", OP_NO_FLOAT, BY_COUNTS },
	{ "VariableV2", OP_VARIABLE, BY_COUNTS },
	{ "Where", OP_NO_FLOAT, BY_COUNTS },
	{ "While", OP_CALLS, BY_COUNTS },
	{ "Xdivy", 0, BY_DIVIDE },
	{ "Xlogy", 0, BY_DOMAIN },
	{ "ZerosLike", OP_CARRIES, BY_COUNTS },
	{ "_Arg", OP_CARRIES | OP_FED, BY_COUNTS },
	{ "_HostRecv", OP_CARRIES | OP_RECEIVES, BY_COUNTS },
	{ "_HostSend", OP_CARRIES | OP_SENDS, BY_COUNTS },
	{ "_ListToArray", OP_NO_FLOAT, BY_COUNTS },
	{ "_Recv", OP_CARRIES | OP_RECEIVES, BY_COUNTS },
	{ "_Retval", OP_CARRIES | OP_RETURNS, BY_COUNTS },
	{ "_Send", OP_CARRIES | OP_SENDS, BY_COUNTS },
};

static int by_op(const void *op, const void *rule)
{
	return strcmp(op, ((const struct op_rule *)rule)->op);
}

static const struct op_rule *rule_of(const char *op)
{
	static const struct op_rule none = { "", 0, BY_COUNTS };
	const struct op_rule *rule = bsearch(op, rules, sizeof rules / sizeof *rules,
	                                     sizeof *rules, by_op);

	return rule ? rule : &none;
}

uint32_t op_traits(const char *op)
{
	return rule_of(op)->traits;
}

int op_flow_input(uint32_t traits)
{
	return traits & OP_FLOW_IN_1   ? 1
	       : traits & OP_FLOW_IN_2 ? 2
	       : traits & OP_FLOW_IN_3 ? 3
	                               : -1;
}

/* What follows a prefix; NULL: the text begins otherwise. */
static const char *after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) ? NULL : text + len;
}

/* The name of an operation on a variable without what says of which kind that is. */
static const char *plain_write(const char *op)
{
	const char *rest = after(op, "Resource");

	op = rest ? rest : op;
	rest = after(op, "Sparse");
	return rest ? rest : op;
}

/* ScatterNd makes a tensor; some Assign...Handle are of no variable. */
bool op_is_writer(const char *op)
{
	const char *plain = plain_write(op);

	if (!strcmp(plain, "ScatterNd") || !strcmp(plain, "ScatterNdNonAliasingAdd"))
		return false;
	return (after(plain, "Apply") || after(plain, "Scatter") || after(plain, "Assign")) &&
	       !strstr(plain, "Handle");
}

bool dtype_may_be_bad(uint64_t wire)
{
	const struct dtype_info *type = dtype_on_wire(wire);

	if (!type)
		return true;
	switch (type->kind) {
	case KIND_FLOAT: case KIND_SMALL_FLOAT: case KIND_COMPLEX: case KIND_OPAQUE: return true;
	default: return false;
	}
}

/* "gradients/", "gradients_12/": what follows; NULL: the text begins otherwise. */
static const char *after_gradients(const char *text)
{
	const char *at = after(text, "gradients");

	if (at && at[0] == '_' && is_digit(at[1]))
		for (at++; is_digit(*at); at++)
			;
	return at && *at == '/' ? at + 1 : NULL;
}

bool name_is_of_gradient(const char *name)
{
	for (const char *at = name; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (after_gradients(at) || after(at, "gradient_tape/"))
			return true;
	}
	return false;
}

/* The last "_grad/" with something before it. */
static const char *find_grad(const char *from)
{
	const char *found = NULL;

	for (const char *at = strstr(from, "_grad/"); at; at = strstr(at + 1, "_grad/"))
		found = at > from ? at : found;
	return found;
}

const char *name_of_forward(const char *name, size_t *len)
{
	const char *found = NULL;

	for (const char *at = name; at; at = strchr(at, '/')) {
		const char *rest, *end;

		at += *at == '/';
		rest = after_gradients(at);
		end = rest ? find_grad(rest) : NULL;
		if (end) {
			found = rest;
			*len = (size_t)(end - rest);
		}
	}
	return found;
}

/* Reasons. */

static const struct origin_input *input_at(const struct origin_input *in, size_t n, size_t i)
{
	static const struct origin_input unknown = {0};

	return i < n ? &in[i] : &unknown;
}

static bool may_be_zero(const struct origin_input *in)
{
	return !in->known || in->has_zero;
}

static bool may_be_negative(const struct origin_input *in)
{
	return !in->known || in->has_negative;
}

static bool is_data(const char *op)
{
	static const char *const sources[] = { "Iterator", "Queue", "Reader", "Decode", "PyFunc",
	                                       "EagerPyFunc", "RestoreV2", "ReadFile" };

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		if (after(op, sources[i]))
			return true;
	return false;
}

static bool is_optimizer(const char *op)
{
	return after(plain_write(op), "Apply") && strcmp(op, "ApplyGradientDescent") &&
	       strcmp(op, "ResourceApplyGradientDescent");
}

static enum origin_reason reason_of_log(const char *op, const struct origin_input *in,
                                        const struct bad_counts *out)
{
	/* of log1p it is not a 0 but -1 */
	if (out->neg_inf && (may_be_zero(in) || !strcmp(op, "Log1p")))
		return REASON_LOG_OF_ZERO;
	return out->nan ? REASON_NEGATIVE_LOG : REASON_UNKNOWN;
}

static enum origin_reason reason_of_division(const struct origin_input *divisor, bool has_inf)
{
	return !may_be_zero(divisor) ? REASON_OVERFLOW
	       : has_inf             ? REASON_DIVIDE_BY_ZERO
	                             : REASON_ZERO_BY_ZERO;
}

static enum origin_reason reason_of_pow(const char *node, const struct origin_input *base,
                                        const struct bad_counts *out)
{
	bool has_inf = out->pos_inf || out->neg_inf;

	if (out->nan && base->known && base->has_negative)
		return REASON_NEGATIVE_POWER;
	if (has_inf && may_be_zero(base))
		return name_is_of_gradient(node) ? REASON_POW_GRADIENT : REASON_DIVIDE_BY_ZERO;
	return out->nan ? REASON_NEGATIVE_POWER : REASON_OVERFLOW;
}

static enum origin_reason reason_by_family(const char *op, const char *node, enum family family,
                                           const struct origin_input *in, size_t n,
                                           const struct bad_counts *out)
{
	const struct origin_input *first = input_at(in, n, 0), *second = input_at(in, n, 1);
	bool has_inf = out->pos_inf || out->neg_inf;

	switch (family) {
	case BY_CONSTANT:   return REASON_CONSTANT;
	case BY_LOG:        return reason_of_log(op, first, out);
	case BY_SQRT:       return out->nan ? REASON_NEGATIVE_SQRT : REASON_OVERFLOW;
	case BY_RSQRT:      return out->nan && may_be_negative(first) ? REASON_NEGATIVE_SQRT
	                                                              : REASON_DIVIDE_BY_ZERO;
	case BY_SQRT_GRAD:  return REASON_SQRT_GRADIENT;
	case BY_DIVIDE:     return reason_of_division(second, has_inf);
	case BY_RECIPROCAL: return reason_of_division(first, has_inf);
	case BY_POW:        return reason_of_pow(node, first, out);
	case BY_DOMAIN:     return REASON_DOMAIN;
	case BY_COUNTS:     break;
	}
	return has_inf ? REASON_OVERFLOW : REASON_UNKNOWN;
}

enum origin_reason origin_reason(const char *op, const char *node, const struct origin_input *in,
                                 size_t n, const struct bad_counts *out)
{
	const struct op_rule *rule = rule_of(op);

	if (rule->traits & OP_FED)
		return REASON_FED;
	if (rule->traits & (OP_VARIABLE | OP_HANDLE | OP_READS))
		return REASON_VARIABLE;
	if (is_data(op))
		return REASON_DATA;
	if (strstr(op, "Random"))
		return REASON_RANDOM;
	if (is_optimizer(op))
		return REASON_OPTIMIZER;
	return reason_by_family(op, node, rule->family, in, n, out);
}

/* Of roots and logarithms a negative input proves it too. */
bool origin_suspect(const char *op, const char *node, const struct origin_input *in, size_t n,
                    enum origin_reason *reason)
{
	const struct op_rule *rule = rule_of(op);
	const struct origin_input *proof = input_at(in, n, rule->family == BY_DIVIDE);
	bool of_negative = rule->family == BY_LOG || rule->family == BY_SQRT ||
	                   rule->family == BY_RSQRT;
	struct bad_counts made = { .nan = proof->has_negative, .pos_inf = proof->has_zero,
	                           .neg_inf = proof->has_zero };

	if (!(rule->traits & OP_SHOWS) || !proof->known ||
	    !(proof->has_zero || (proof->has_negative && of_negative)))
		return false;
	*reason = origin_reason(op, node, in, n, &made);
	return true;
}
