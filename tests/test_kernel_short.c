/* Short names of kernels: those worked out beside the recordings, and odd corners of C++. */
#include <string.h>

#include "cmds/profile/kernel_short.h"
#include "tests/program.h"
#include "tests/suite.h"

static const struct { const char *full, *name; } names[] = {
	{ "", "" },
	{ "volta_sgemm_128x64_nn", "volta_sgemm_128x64_nn" },
	{ "f(int)", "f" },
	{ "void f<int>(int) const", "f<int>" },
	{ "f(int)::{lambda(float)#1}::operator()(float) const",
	  "f(int)::{lambda(float)#1}::operator()" },
	{ "k_{lambda(int)#1}", "k_{lambda(int)#1}" },
	{ "{lambda(A<int>)#1}::g<int>", "{lambda(A<int>)#1}::g<int>" },
	{ "tensorflow::(anonymous namespace)::f<tensorflow::int64>()", "f<int64>" },
	{ "my::tensorflow::f()", "my::tensorflow::f" },
	{ "mytensorflow::f()", "mytensorflow::f" },
	{ "(anonymous namespace)::f((anonymous namespace)::T)", "f" },
	{ "thrust::cuda_cub::core::agent<thrust::less<int>, (int)3>(int)",
	  "agent<less<int>,(int)3>" },
	{ "thrust::f", "f" },
	{ "bool operator< <int>(int, int)", "bool operator< <int>" },
	{ "A::operator()<int>(int)", "A::operator()<int>" },
	{ "f<&A::operator>, int>()", "f<&A::operator>,int>" },
	{ "f<decltype ((A->b)), int>(int)", "f<decltype ((A->b)),int>" },
	{ "f<A<B<C<D> > >, E>", "f<A<B<...>>,E>" },
	{ "f<A const, int const*>", "f<A,int const*>" },
	{ "f<>::g", "f<>::g" },
	{ "f<int", "f<int" },
	{ "f>(", "f>" },
	{ "f<(", "f<(" },
	{ "TensorCwiseUnaryOp<Eigen::internal::scalar_logistic_op<float>, "
	  "Eigen::TensorConversionOp<float, X const> const>", "sigmoid(cast<float>(X))" },
	{ "TensorCwiseUnaryOp<Eigen::internal::scalar_exp_op<float> >",
	  "TensorCwiseUnaryOp<exp>" },
	{ "TensorReductionOp<Eigen::internal::MeanReducer<float>, D, Eigen::TensorReshapingOp<E, "
	  "X> >", "mean(X)" },
	{ "TensorCwiseBinaryOp<scalar_quotient_op<float, float>, TensorShufflingOp<A, B>, "
	  "TensorSelectOp<c, a, b> >", "/(transpose,select)" },
	{ "TensorMap<int>", "TensorMap<int>" },
	{ "scalar_inverse_op", "1/x" },
	{ "scalar__op", "scalar__op" },
	{ "scalar_op", "scalar_op" },
	{ "scalar_a b_op", "scalar_a b_op" },
};

static void expect(const char *full, size_t len, const char *name)
{
	struct str out = {0};

	put_kernel_short(&out, full, len);
	ck_assert_str_eq(str_text(&out), name);
	str_release(&out);
}

START_TEST(name_is_short)
{
	expect(names[_i].full, strlen(names[_i].full), names[_i].name);
}
END_TEST

START_TEST(recorded_names_agree)
{
	struct str file = {0};
	size_t n = 0;

	ck_assert(read_whole("testdata/profile/short_names.tsv", &file));
	for (char *line = file.text, *end; (end = strchr(line, '\n')); line = end + 1, n++) {
		char *tab = strchr(line, '\t');

		*end = '\0';
		expect(line, (size_t)(tab - line), tab + 1);
	}
	ck_assert_uint_eq(n, 13);
	str_release(&file);
}
END_TEST

/* Brackets a hundred thousand deep, and as many arguments. */
START_TEST(hostile_names_end)
{
	static const char *const pieces[] = {
		"TensorEvaluator<", "f<", "(", "operator", "a,", "::", "thrust::a::",
	};
	struct str full = {0}, out = {0};

	for (size_t i = 0; i < ROWS(pieces); i++) {
		str_reset(&full);
		str_puts(&full, "f<");
		while (full.len < 60000)
			str_puts(&full, pieces[i]);
		str_reset(&out);
		put_kernel_short(&out, full.text, full.len);
		str_fill(&full, '>', 60000 / strlen(pieces[i]));
		str_reset(&out);
		put_kernel_short(&out, full.text, full.len);
	}
	str_release(&full);
	str_release(&out);
}
END_TEST

SUITE_MAIN("kernel_short",
	tcase_add_loop_test(t, name_is_short, 0, ROWS(names));
	tcase_add_test(t, recorded_names_agree);
	tcase_add_test(t, hostile_names_end);
)
