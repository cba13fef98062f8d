/* Which work an op or a kernel does. */
#include "cmds/profile/family.h"

#include "tests/suite.h"

static const struct { const char *op, *kernel; enum family family; } works[] = {
	{ "MatMul", "", FAMILY_MATMUL }, { "MatMul_1", "", FAMILY_MATMUL },
	{ "Conv2DBackpropFilter", "", FAMILY_MATMUL },
	{ "", "volta_scudnn_128x64_relu_small", FAMILY_MATMUL },
	{ "", "maxwell_SGEMM_128x64", FAMILY_MATMUL },
	{ "AddV2", "", FAMILY_ELEMENTWISE },
	{ "", "Eigen +(float[1],float[1])", FAMILY_ELEMENTWISE },
	{ "Cast", "", FAMILY_ELEMENTWISE }, { "", "convert", FAMILY_ELEMENTWISE },
	{ "Maximum", "", FAMILY_ELEMENTWISE },
	{ "Sum", "", FAMILY_REDUCTION }, { "MaxPoolGrad", "", FAMILY_REDUCTION },
	{ "BiasAddGrad", "", FAMILY_REDUCTION },
	{ "", "RowReduceKernel<float,add>", FAMILY_REDUCTION },
	{ "Transpose", "", FAMILY_COPY }, { "", "MEMCPYHtoD", FAMILY_COPY },
	{ "Reshape", "", FAMILY_COPY }, { "Shape", "", FAMILY_CONTROL },
	{ "FusedBatchNormV3", "", FAMILY_NORM }, { "Softmax", "", FAMILY_NORM },
	{ "", "bn_fw_tr_1C11_singleread", FAMILY_NORM },
	{ "NcclAllReduce", "", FAMILY_COLLECTIVE }, { "CollectiveReduce", "", FAMILY_COLLECTIVE },
	{ "Const", "", FAMILY_CONTROL }, { "NoOp", "", FAMILY_CONTROL },
	/* the op counts first; of a kernel its name alone, not what it is of */
	{ "MatMul", "Eigen +(float[1])", FAMILY_MATMUL },
	{ "MyOp", "Eigen +(float[1])", FAMILY_ELEMENTWISE },
	{ "", "mine<float const,MatMul>", FAMILY_OTHER }, { "", "", FAMILY_OTHER },
	{ "MyOp", "", FAMILY_OTHER },
};

START_TEST(works_have_families)
{
	ck_assert_int_eq(family_of(works[_i].op, works[_i].kernel), (enum role)works[_i].family);
}
END_TEST

SUITE_MAIN("family",
	tcase_add_loop_test(t, works_have_families, 0, ROWS(works));
)
