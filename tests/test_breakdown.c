/* Where the time of steps went, and what holds them up: against XProf's answers, and by hand. */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/profile/step_verdict.h"
#include "dump/profile/breakdown.h"
#include "dump/profile/trace.h"
#include "dump/profile/trace_chrome.h"
#include "dump/profile/xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define TF2 "testdata/xspace/tf2_train/"

static void break_down(const struct trace *trace, struct breakdown *out)
{
	struct stretch steps[16];
	struct err err = {0};

	ck_assert_uint_le(trace->steps.len, 16);
	for (size_t i = 0; i < trace->steps.len; i++)
		steps[i] = (struct stretch){ trace->steps.at[i].start_ns,
		                             trace->steps.at[i].end_ns };
	ck_assert(breakdown_of(&trace->all, steps, trace->steps.len, out, NULL, &err));
}

static void check_sum(const struct breakdown *b)
{
	int64_t sum = 0;

	for (int part = 0; part < N_TIME_PARTS; part++) {
		ck_assert_int_ge(b->part_ns[part], 0);
		sum += b->part_ns[part];
	}
	ck_assert_int_eq(sum, b->total_ns);
}

/* A recording. */

START_TEST(parts_are_those_of_xprof)
{
	struct err err = {0};
	struct trace *trace = trace_load(TF2 "host.xplane.pb", &xspace_source, NULL, NULL, &err);
	struct breakdown of[16];
	struct str file = {0};
	char *line, *rest;
	size_t i = 0;

	ck_assert_msg(trace, "%s", err.msg);
	break_down(trace, of);
	ck_assert(read_whole(TF2 "step_parts.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		double total, host, other;

		ck_assert_int_eq(sscanf(line, "%lf\t%lf\t%lf", &total, &host, &other), 3);
		check_sum(&of[i]);
		ck_assert_int_eq(of[i].total_ns, llround(total * 1e6));
		ck_assert_int_eq(of[i].part_ns[PART_HOST_COMPUTE], llround(host * 1e6));
		ck_assert_int_eq(of[i].part_ns[PART_OTHER], llround(other * 1e6));
		i++;
	}
	ck_assert_uint_eq(i, trace->steps.len);
	str_release(&file);
	trace_free(trace);
}
END_TEST

/* HTA tells apart computing and all else that a device does. */
START_TEST(computing_is_that_of_hta)
{
	struct err err = {0};
	struct trace *trace = trace_load("testdata/traces/rank0.json.gz", &chrome_source, NULL,
	                                 NULL, &err);
	struct breakdown of[16];

	ck_assert_msg(trace, "%s", err.msg);
	break_down(trace, of);
	check_sum(of);
	ck_assert_int_eq(of->part_ns[PART_DEVICE_COMPUTE], 106252000);
	ck_assert_int_eq(of->part_ns[PART_COLLECTIVES] + of->part_ns[PART_DEVICE_COPY],
	                 172428000);
	trace_free(trace);
}
END_TEST

/* Made by hand: one step from 0 to 100 us, [start, end) of one kind or another. */

#define STEP "{'ph':'X','cat':'user_annotation','name':'ProfilerStep#1','pid':1,'tid':1," \
	"'ts':0,'dur':100}"
#define SLICE(cat, name, tid, ts, dur, args) \
	",{'ph':'X','cat':'" cat "','name':'" name "','pid':1,'tid':" #tid ",'ts':" #ts \
	",'dur':" #dur ",'args':{" args "}}"
#define KERNEL(name, ts, dur) SLICE("kernel", name, 7, ts, dur, "'device':0,'stream':7")
#define COPY(ts, dur) SLICE("gpu_memcpy", "Memcpy HtoD", 8, ts, dur, "'device':0,'stream':8")
#define OP(name, ts, dur) SLICE("cpu_op", name, 1, ts, dur, "")
#define RANGE(name, ts, dur) SLICE("user_annotation", name, 1, ts, dur, "")

static const struct { const char *slices; int64_t part_us[N_TIME_PARTS]; } made[] = {
	{ "", { [PART_OTHER] = 100 } },
	{ KERNEL("a", 10, 20), { [PART_DEVICE_COMPUTE] = 20, [PART_OTHER] = 80 } },
	/* what overlaps counts once */
	{ KERNEL("a", 10, 20) KERNEL("b", 20, 20),
	  { [PART_DEVICE_COMPUTE] = 30, [PART_OTHER] = 70 } },
	/* the first in the order has the instant */
	{ KERNEL("ncclDevKernel_AllReduce", 0, 30) KERNEL("a", 20, 20),
	  { [PART_DEVICE_COMPUTE] = 20, [PART_COLLECTIVES] = 20, [PART_OTHER] = 60 } },
	{ COPY(0, 50) KERNEL("a", 20, 20) KERNEL("all-reduce.1", 40, 5),
	  { [PART_DEVICE_COMPUTE] = 20, [PART_COLLECTIVES] = 5, [PART_DEVICE_COPY] = 25,
	    [PART_OTHER] = 50 } },
	{ OP("aten::add", 0, 60) KERNEL("a", 50, 20),
	  { [PART_DEVICE_COMPUTE] = 20, [PART_HOST_COMPUTE] = 50, [PART_OTHER] = 30 } },
	{ RANGE("enumerate(DataLoader)#_Iter.__next__", 0, 40) OP("aten::stack", 10, 20),
	  { [PART_INPUT] = 40, [PART_OTHER] = 60 } },
	{ OP("enumerate(DataLoader)#_Iter.__next__", 0, 40), { [PART_INPUT] = 40,
	                                                       [PART_OTHER] = 60 } },
	{ OP("IteratorGetNext", 0, 40) OP("XlaCompile", 30, 20) OP("Outfeed", 45, 10),
	  { [PART_COMPILE] = 20, [PART_INPUT] = 30, [PART_OUTPUT] = 5, [PART_OTHER] = 45 } },
	{ RANGE("mine", 0, 40), { [PART_OTHER] = 100 } },
	/* a call is a launch if something came of it */
	{ SLICE("cuda_runtime", "cudaLaunchKernel", 1, 0, 10, "'correlation':5")
	  SLICE("cuda_runtime", "cudaDeviceSynchronize", 1, 50, 10, "'correlation':6")
	  SLICE("kernel", "a", 7, 20, 10, "'device':0,'stream':7,'correlation':5"),
	  { [PART_DEVICE_COMPUTE] = 10, [PART_LAUNCH] = 10, [PART_OTHER] = 80 } },
	/* times beyond 64 bits */
	{ ",{'ph':'X','cat':'user_annotation','name':'ProfilerStep#2','pid':1,'tid':1,"
	  "'ts':-8e15,'dur':8e15},{'ph':'X','cat':'user_annotation','name':'ProfilerStep#2',"
	  "'pid':1,'tid':1,'ts':1,'dur':8e15}" RANGE("IteratorGetNext", -8e15, 8e15),
	  { [PART_OTHER] = 100 } },
	/* only what lies in the step */
	{ KERNEL("a", -10, 20) KERNEL("b", 90, 20) KERNEL("c", 200, 20),
	  { [PART_DEVICE_COMPUTE] = 20, [PART_OTHER] = 80 } },
};

START_TEST(an_instant_counts_once)
{
	struct err err = {0};
	struct breakdown all[16], *of = all;
	struct trace *trace;
	struct str text = {0};

	str_fmt(&text, "[" STEP "%s]", made[_i].slices);
	for (char *c = text.text; (c = strchr(c, '\'')); c++)
		*c = '"';
	trace = trace_load(file_of(text.text, text.len), &chrome_source, NULL, NULL, &err);
	ck_assert_msg(trace, "%s", err.msg);
	break_down(trace, all);
	while (trace->steps.at[of - all].number != 1)
		of++;
	check_sum(of);
	for (int part = 0; part < N_TIME_PARTS; part++)
		ck_assert_msg(of->part_ns[part] == made[_i].part_us[part] * 1000
		              && (!of->part_ns[part] || of->recorded >> part & 1),
		              "%s: part %d is %lld", made[_i].slices, part,
		              (long long)of->part_ns[part]);
	str_release(&text);
	trace_free(trace);
}
END_TEST

/* Names. */

static const struct { const char *name; bool is; } collectives[] = {
	{ "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", true },
	{ "ncclKernel_AllGather", true }, { "all-reduce-start.1", true },
	{ "reduce_scatter.2", true }, { "AllToAll", true }, { "collective-permute.3", true },
	{ "rccl_kernel", true },
	{ "reduce_kernel", false }, { "void f<ncclSum>(int)", false }, { "allocate", false },
	{ "", false }, { "nccl", true }, { "all-", false },
};

START_TEST(collectives_are_known_by_name)
{
	ck_assert_msg(name_is_collective(collectives[_i].name) == collectives[_i].is, "%s",
	              collectives[_i].name);
}
END_TEST

/* Verdicts. */

#define OF(...) { 1000, { __VA_ARGS__ }, 0 }
static const struct {
	struct breakdown sum;
	const char *kind, *text;
} verdicts[] = {
	{ OF([PART_HOST_COMPUTE] = 1000), NULL, NULL },
	{ OF([PART_DEVICE_COMPUTE] = 500, [PART_INPUT] = 200, [PART_OTHER] = 300), "input-bound",
	  "20.0 % of the step is spent waiting for input" },
	{ OF([PART_DEVICE_COMPUTE] = 500, [PART_INPUT] = 199, [PART_OTHER] = 301),
	  "partly input-bound", "19.9 % of the step is spent waiting for input" },
	{ OF([PART_DEVICE_COMPUTE] = 951, [PART_INPUT] = 49), "compute-bound",
	  "95.1 % of the step is spent computing on the devices" },
	{ OF([PART_DEVICE_COMPUTE] = 698, [PART_OTHER] = 302), "perhaps input-bound",
	  "30.2 % of the step is unaccounted for; no iterator wait is recorded" },
	{ { 1000, { [PART_DEVICE_COMPUTE] = 698, [PART_OTHER] = 290, [PART_INPUT] = 12 },
	    1u << PART_INPUT }, "perhaps input-bound",
	  "29.0 % of the step is unaccounted for; waiting for input takes 1.2 %" },
	{ OF([PART_DEVICE_COMPUTE] = 300, [PART_LAUNCH] = 400, [PART_DEVICE_COPY] = 300),
	  "launch-bound", "40.0 % of the step is spent launching work while the devices do "
	  "nothing" },
	{ OF([PART_DEVICE_COMPUTE] = 300, [PART_DEVICE_COPY] = 350, [PART_COLLECTIVES] = 350),
	  "copy-bound", "35.0 % of the step is spent copying while no device computes" },
	{ OF([PART_DEVICE_COMPUTE] = 650, [PART_COLLECTIVES] = 350), "collective-bound",
	  "35.0 % of the step is spent exchanging data while no device computes" },
	{ OF([PART_DEVICE_COMPUTE] = 300, [PART_HOST_COMPUTE] = 700), "compute-bound",
	  "30.0 % of the step is spent computing on the devices; 70.0 % is work of the host "
	  "alone" },
};

START_TEST(verdicts_say_what_the_numbers_carry)
{
	struct step_verdict verdict = step_verdict_of(&verdicts[_i].sum);
	struct str text = {0};

	if (!verdicts[_i].kind) {
		ck_assert_ptr_null(verdict.kind);
		return;
	}
	ck_assert_str_eq(verdict.kind, verdicts[_i].kind);
	put_step_verdict(&text, &verdict, &verdicts[_i].sum);
	ck_assert_str_eq(text.text, verdicts[_i].text);
	str_release(&text);
}
END_TEST

SUITE_MAIN("breakdown",
	tcase_add_test(t, parts_are_those_of_xprof);
	tcase_add_test(t, computing_is_that_of_hta);
	tcase_add_loop_test(t, an_instant_counts_once, 0, ROWS(made));
	tcase_add_loop_test(t, collectives_are_known_by_name, 0, ROWS(collectives));
	tcase_add_loop_test(t, verdicts_say_what_the_numbers_carry, 0, ROWS(verdicts));
)
