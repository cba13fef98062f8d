#include <string.h>

#include "dump/base/str.h"
#include "dump/model/origins.h"
#include "tests/suite.h"

static const struct { const char *op; uint32_t has, lacks; } traits[] = {
	{ "Abs", OP_CARRIES | OP_PASSES, OP_NO_FLOAT },
	{ "AddV2", OP_PASSES, OP_CARRIES },
	{ "AssignVariableOp", OP_ASSIGNS | OP_NO_FLOAT, 0 },
	{ "Const", OP_CONST, OP_CARRIES },
	{ "Enter", OP_LOOKED | OP_CARRIES | OP_LEADS, 0 },
	{ "Exp", OP_MASKS, OP_CARRIES },
	{ "Log", OP_SHOWS, OP_CARRIES },
	{ "Merge", OP_MERGE | OP_CARRIES | OP_COPIES, OP_LOOKED },
	{ "NextIteration", OP_LOOKED | OP_COPIES, OP_LEADS },
	{ "ReadVariableOp", OP_READS | OP_CARRIES, OP_VARIABLE },
	{ "SelectV2", OP_SELECTS | OP_CARRIES, 0 },
	{ "StackPushV2", OP_PUSH, OP_POP },
	{ "TensorArrayGradV3", OP_ARRAY_GRAD | OP_FLOW_OUT_1, OP_ARRAY_READ },
	{ "TensorArrayWriteV3", OP_ARRAY_WRITE | OP_FLOW_OUT_0 | OP_FLOW_IN_3, OP_FLOW_OUT_1 },
	{ "TopKV2", OP_CARRIES, 0 },
	{ "VariableV2", OP_VARIABLE, OP_HANDLE },
	{ "While", OP_CALLS, 0 },
	{ "ZerosLike", OP_CARRIES, 0 },
	{ "_HostRecv", OP_RECEIVES | OP_CARRIES, OP_SENDS },
	{ "_Retval", OP_RETURNS, 0 },
	{ "_Send", OP_SENDS, OP_RECEIVES },
	{ "Conv3D", 0, ~0u }, { "", 0, ~0u }, { "Con", 0, ~0u }, { "Constant", 0, ~0u },
};

START_TEST(operations_have_their_traits)
{
	uint32_t found = op_traits(traits[_i].op);

	ck_assert_uint_eq(found & traits[_i].has, traits[_i].has);
	ck_assert_uint_eq(found & traits[_i].lacks, 0);
}
END_TEST

START_TEST(flow_is_an_input_of_arrays)
{
	ck_assert_int_eq(op_flow_input(op_traits("TensorArrayReadV3")), 2);
	ck_assert_int_eq(op_flow_input(op_traits("TensorArraySplitV3")), 3);
	ck_assert_int_eq(op_flow_input(op_traits("TensorArraySizeV3")), 1);
	ck_assert_int_eq(op_flow_input(op_traits("Mul")), -1);
}
END_TEST

static const struct { const char *op; bool writes; } writers[] = {
	{ "ApplyAdam", true }, { "ResourceSparseApplyFtrl", true }, { "ScatterAdd", true },
	{ "AssignSub", true }, { "ResourceScatterUpdate", true }, { "AssignVariableOp", true },
	{ "ScatterNd", false }, { "Mul", false }, { "SparseMatMul", false },
	{ "ReapplyAdam", false }, { "AssignHandle", false },
};

START_TEST(writers_are_known_by_name)
{
	ck_assert_int_eq(op_is_writer(writers[_i].op), writers[_i].writes);
}
END_TEST

START_TEST(only_some_types_may_be_bad)
{
	ck_assert(dtype_may_be_bad(1) && dtype_may_be_bad(101) && dtype_may_be_bad(19));
	ck_assert(dtype_may_be_bad(14) && dtype_may_be_bad(18) && dtype_may_be_bad(20));
	ck_assert(!dtype_may_be_bad(3) && !dtype_may_be_bad(10) && !dtype_may_be_bad(7));
	ck_assert(!dtype_may_be_bad(103) && !dtype_may_be_bad(11));
}
END_TEST

/* forward NULL: none; the name is of a gradient either way if gradient. */
static const struct { const char *name, *forward; bool gradient; } gradients[] = {
	{ "gradients/loss/log_grad/Reciprocal", "loss/log", true },
	{ "train/gradients_12/a/mul_grad/Reshape", "a/mul", true },
	{ "gradients/a_grad/b_grad/c", "a_grad/b", true },
	{ "gradients/x/gradients_1/y_grad/z", "y", true },
	{ "gradients/x_grad/y/gradients/z", "x", true },
	{ "gradients/Fill", NULL, true }, { "gradients/_grad/x", NULL, true },
	{ "gradient_tape/log/Reciprocal", NULL, true }, { "model/gradient_tape/a", NULL, true },
	{ "gradientsx/a_grad/b", NULL, false }, { "gradients_/a_grad/b", NULL, false },
	{ "gradients_1x/a_grad/b", NULL, false }, { "my_gradients/a_grad/b", NULL, false },
	{ "gradients", NULL, false }, { "", NULL, false }, { "a/b", NULL, false },
};

START_TEST(gradients_name_what_they_are_of)
{
	size_t len = 0;
	const char *forward = name_of_forward(gradients[_i].name, &len);

	ck_assert_int_eq(name_is_of_gradient(gradients[_i].name), gradients[_i].gradient);
	ck_assert_int_eq(forward != NULL, gradients[_i].forward != NULL);
	if (forward) {
		ck_assert_uint_eq(len, strlen(gradients[_i].forward));
		ck_assert_mem_eq(forward, gradients[_i].forward, len);
	}
}
END_TEST

/* Inputs as signs: '0' has a zero, '-' a negative one, 'b' both, '+' neither, '?' not known. */
static size_t read_inputs(const char *signs, struct origin_input *in)
{
	size_t n = strlen(signs);

	for (size_t i = 0; i < n; i++)
		in[i] = (struct origin_input){ signs[i] != '?', strchr("0b", signs[i]),
		                               strchr("-b", signs[i]) };
	return n;
}

static const struct {
	const char *op, *in;
	unsigned nan, pos_inf, neg_inf;
	enum origin_reason reason;
} reasons[] = {
	{ "Placeholder", "", 1, 0, 0, REASON_FED }, { "_Arg", "", 0, 1, 0, REASON_FED },
	{ "VariableV2", "", 1, 0, 0, REASON_VARIABLE },
	{ "ReadVariableOp", "?", 0, 1, 0, REASON_VARIABLE },
	{ "Const", "", 0, 0, 1, REASON_CONSTANT }, { "Fill", "++", 0, 0, 1, REASON_CONSTANT },
	{ "IteratorGetNext", "", 1, 0, 0, REASON_DATA }, { "PyFunc", "+", 1, 0, 0, REASON_DATA },
	{ "TruncatedNormalRandom", "", 1, 0, 0, REASON_RANDOM },
	{ "RandomUniform", "", 1, 0, 0, REASON_RANDOM },
	{ "ApplyAdam", "+++", 1, 0, 0, REASON_OPTIMIZER },
	{ "ResourceSparseApplyFtrl", "", 1, 0, 0, REASON_OPTIMIZER },
	{ "ApplyGradientDescent", "+++", 0, 1, 0, REASON_OVERFLOW },
	{ "ResourceApplyGradientDescent", "", 1, 0, 0, REASON_UNKNOWN },
	{ "Log", "0", 0, 0, 1, REASON_LOG_OF_ZERO }, { "Log", "?", 1, 0, 1, REASON_LOG_OF_ZERO },
	{ "Log", "-", 1, 0, 0, REASON_NEGATIVE_LOG }, { "Log", "?", 1, 0, 0, REASON_NEGATIVE_LOG },
	{ "Log", "+", 0, 1, 0, REASON_UNKNOWN }, { "Log", "+", 0, 0, 1, REASON_UNKNOWN },
	{ "Log1p", "-", 0, 0, 1, REASON_LOG_OF_ZERO },
	{ "Sqrt", "-", 1, 0, 0, REASON_NEGATIVE_SQRT }, { "Sqrt", "+", 0, 1, 0, REASON_OVERFLOW },
	{ "Rsqrt", "-", 1, 0, 0, REASON_NEGATIVE_SQRT },
	{ "Rsqrt", "0", 0, 1, 0, REASON_DIVIDE_BY_ZERO },
	{ "SqrtGrad", "0", 0, 1, 0, REASON_SQRT_GRADIENT },
	{ "RealDiv", "00", 1, 0, 0, REASON_ZERO_BY_ZERO },
	{ "RealDiv", "?", 1, 0, 0, REASON_ZERO_BY_ZERO },
	{ "RealDiv", "+0", 1, 1, 0, REASON_DIVIDE_BY_ZERO },
	{ "FloorMod", "0+", 0, 0, 1, REASON_OVERFLOW },
	{ "Reciprocal", "0", 0, 1, 0, REASON_DIVIDE_BY_ZERO },
	{ "Reciprocal", "+", 0, 1, 0, REASON_OVERFLOW },
	{ "Pow", "-+", 1, 0, 0, REASON_NEGATIVE_POWER },
	{ "Pow", "0-", 0, 1, 0, REASON_DIVIDE_BY_ZERO }, { "Pow", "++", 0, 1, 0, REASON_OVERFLOW },
	{ "Pow", "b-", 1, 1, 0, REASON_NEGATIVE_POWER },
	{ "Acos", "+", 1, 0, 0, REASON_DOMAIN }, { "Xlogy", "00", 1, 0, 0, REASON_DOMAIN },
	{ "Exp", "+", 0, 1, 0, REASON_OVERFLOW }, { "Mul", "++", 1, 0, 1, REASON_OVERFLOW },
	{ "Mul", "++", 1, 0, 0, REASON_UNKNOWN },
};

START_TEST(reasons_follow_from_operation_and_counts)
{
	struct bad_counts out = { reasons[_i].nan, reasons[_i].pos_inf, reasons[_i].neg_inf, 4 };
	struct origin_input in[4];
	size_t n = read_inputs(reasons[_i].in, in);
	enum origin_reason reason = origin_reason(reasons[_i].op, "a/b", in, n, &out);

	ck_assert_str_eq(origin_reason_names[reason], origin_reason_names[reasons[_i].reason]);
}
END_TEST

START_TEST(power_of_a_gradient_is_another_reason)
{
	const struct origin_input zero = { true, true, false };
	const struct bad_counts out = { .pos_inf = 1 };

	ck_assert_int_eq(origin_reason("Pow", "gradients/p_grad/Pow", &zero, 1, &out),
	                 REASON_POW_GRADIENT);
}
END_TEST

/* reason N_ORIGIN_REASONS: it is no suspect. */
static const struct { const char *op, *in; enum origin_reason reason; } suspects[] = {
	{ "Log", "0", REASON_LOG_OF_ZERO }, { "Log", "-", REASON_NEGATIVE_LOG },
	{ "Log", "b", REASON_LOG_OF_ZERO }, { "Log", "+", N_ORIGIN_REASONS },
	{ "Log", "?", N_ORIGIN_REASONS }, { "Log", "", N_ORIGIN_REASONS },
	{ "Sqrt", "-", REASON_NEGATIVE_SQRT }, { "RealDiv", "+0", REASON_DIVIDE_BY_ZERO },
	{ "RealDiv", "0+", N_ORIGIN_REASONS }, { "RealDiv", "+-", N_ORIGIN_REASONS },
	{ "SqrtGrad", "0+", REASON_SQRT_GRADIENT }, { "Reciprocal", "0", REASON_DIVIDE_BY_ZERO },
	{ "Mul", "0", N_ORIGIN_REASONS }, { "Div", "+0", N_ORIGIN_REASONS },
};

START_TEST(suspects_are_proved_by_their_input)
{
	enum origin_reason reason = N_ORIGIN_REASONS;
	struct origin_input in[4];
	size_t n = read_inputs(suspects[_i].in, in);
	bool suspect = origin_suspect(suspects[_i].op, "a", in, n, &reason);

	ck_assert_int_eq(suspect, suspects[_i].reason != N_ORIGIN_REASONS);
	ck_assert_int_eq(reason, suspects[_i].reason);
}
END_TEST

/* Ranking. */

static void add(struct origins_report *report, const char *node, uint32_t run, unsigned reach,
                enum benign benign)
{
	struct origin_row *row = origins_add(report);

	row->node = node;
	row->run = run;
	row->reach = reach;
	row->benign = benign;
}

static bool begins_with_x(void *context, const char *node)
{
	(void)context;
	return *node == 'x';
}

START_TEST(what_does_harm_and_gets_out_comes_first)
{
	static const char *const order[] = { "a", "e", "c", "b", "x1", "d", "x2" };
	struct origins_report *report = origins_report_new();

	add(report, "b", 1, 0, BENIGN_NO);
	add(report, "c", 2, REACH_FETCH, BENIGN_NO);
	add(report, "a", 1, REACH_VARIABLE, BENIGN_NO);
	add(report, "x1", 1, REACH_FETCH, BENIGN_NO);
	add(report, "d", 1, 0, BENIGN_MASK);
	add(report, "e", 1, REACH_UNDUMPED, BENIGN_NO);
	add(report, "x2", 1, 0, BENIGN_UNUSED);
	origins_rank(report, begins_with_x, NULL);
	ck_assert_uint_eq(report->n_origins, 4);
	ck_assert_uint_eq(report->n_ignored, 1);
	for (size_t i = 0; i < report->rows.len; i++)
		ck_assert_str_eq(report->rows.at[i].node, order[i]);
	ck_assert_int_eq(report->rows.at[4].benign, BENIGN_IGNORED);
	ck_assert_int_eq(report->rows.at[6].benign, BENIGN_UNUSED);
	origins_report_free(report);
}
END_TEST

START_TEST(a_folded_row_is_named_by_its_host)
{
	struct origins_report *report = origins_report_new();

	add(report, "a", 1, REACH_FETCH, BENIGN_NO);
	add(report, "b", 1, REACH_FETCH, BENIGN_NO);
	add(report, "c", 1, 0, BENIGN_MASK);
	vec_push(&report->rows.at[1].gap, "g");
	origins_rank(report, NULL, NULL);
	origins_fold(report, &report->rows.at[0], &report->rows.at[1]);
	ck_assert_uint_eq(report->rows.len, 2);
	ck_assert_uint_eq(report->n_origins, 1);
	ck_assert_uint_eq(report->rows.at[0].also.len, 1);
	ck_assert_str_eq(report->rows.at[0].also.at[0].node, "b");
	ck_assert_str_eq(report->rows.at[1].node, "c");
	origins_report_free(report);
}
END_TEST

START_TEST(names_are_sorted_and_told_once)
{
	origin_names names = {0};

	origin_names_sort(&names);
	vec_push(&names, "b");
	vec_push(&names, "a");
	vec_push(&names, "b");
	origin_names_sort(&names);
	ck_assert_uint_eq(names.len, 2);
	ck_assert_str_eq(names.at[0], "a");
	vec_release(&names);
}
END_TEST

SUITE_MAIN("origin_rules",
	tcase_add_loop_test(t, operations_have_their_traits, 0, ROWS(traits));
	tcase_add_test(t, flow_is_an_input_of_arrays);
	tcase_add_loop_test(t, writers_are_known_by_name, 0, ROWS(writers));
	tcase_add_test(t, only_some_types_may_be_bad);
	tcase_add_loop_test(t, gradients_name_what_they_are_of, 0, ROWS(gradients));
	tcase_add_loop_test(t, reasons_follow_from_operation_and_counts, 0, ROWS(reasons));
	tcase_add_test(t, power_of_a_gradient_is_another_reason);
	tcase_add_loop_test(t, suspects_are_proved_by_their_input, 0, ROWS(suspects));
	tcase_add_test(t, what_does_harm_and_gets_out_comes_first);
	tcase_add_test(t, a_folded_row_is_named_by_its_host);
	tcase_add_test(t, names_are_sorted_and_told_once);
)
