/* When devices did nothing, what exchange was hidden, and stages of input pipelines. */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dump/profile/gaps.h"
#include "dump/profile/overlap.h"
#include "dump/profile/pipeline.h"
#include "dump/profile/trace.h"
#include "dump/profile/trace_chrome.h"
#include "dump/profile/xspace.h"
#include "tests/loaded_xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define TF2 "testdata/xspace/tf2_train/"

static struct trace *load(const char *path, const struct trace_source *source)
{
	struct err err = {0};
	struct trace *trace = trace_load(path, source, NULL, NULL, &err);

	ck_assert_msg(trace, "%s", err.msg);
	return trace;
}

/* A list of slices, ' for ". */
static struct trace *load_slices(const char *slices)
{
	struct str text = {0};
	struct trace *trace;

	str_fmt(&text, "[%s]", slices);
	for (char *c = text.text; (c = strchr(c, '\'')); c++)
		*c = '"';
	trace = load(file_of(text.text, text.len), &chrome_source);
	str_release(&text);
	return trace;
}

/* Times in ns are fractions of us. */
#define ON(device, stream, name, ts, dur, id) \
	"{'ph':'X','cat':'kernel','name':'" name "','pid':0,'tid':7,'ts':" #ts ",'dur':" #dur \
	",'args':{'device':" #device ",'stream':" #stream ",'correlation':" #id "}}"
#define CALL(ts, id) \
	",{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,'ts':" #ts \
	",'dur':1,'args':{'correlation':" #id "}}"

static const struct {
	const char *slices;
	size_t n;
	int64_t start_ns, len_ns;        /* of the first */
	enum gap_cause cause;
	const char *before, *after;
} made[] = {
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 10, 10, 2), 0, 0, 0, GAP_OTHER, "", "" },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 10.030, 10, 2) CALL(0, 2), 1, 10000, 30,
	  GAP_KERNEL_WAIT, "a", "b" },
	/* on another stream, or longer, it is no pause */
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 8, "b", 10.030, 10, 2) CALL(0, 2), 1, 10000, 30,
	  GAP_OTHER, "a", "b" },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 10.031, 10, 2) CALL(0, 2), 1, 10000, 31,
	  GAP_OTHER, "a", "b" },
	/* the launch came in the gap, or as it began */
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 20, 10, 2) CALL(10.001, 2), 1, 10000, 10000,
	  GAP_HOST_WAIT, "a", "b" },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 20, 10, 2) CALL(10, 2), 1, 10000, 10000,
	  GAP_OTHER, "a", "b" },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 7, "b", 20, 10, 2), 1, 10000, 10000, GAP_UNKNOWN,
	  "a", "b" },
	/* before a gap is what ended last, wherever it ran */
	{ ON(0, 7, "a", 0, 15, 1) "," ON(0, 8, "c", 5, 5, 3) "," ON(0, 7, "b", 20, 10, 2), 1,
	  15000, 5000, GAP_UNKNOWN, "a", "b" },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 8, "c", 5, 5, 3) "," ON(0, 7, "b", 20, 10, 2), 1,
	  10000, 10000, GAP_UNKNOWN, "c", "b" },        /* of two the one that began last */
	/* each device has its own, and what takes no time ends none */
	{ ON(0, 7, "a", 0, 10, 1) "," ON(1, 7, "c", 12, 1, 3) "," ON(0, 7, "z", 15, 0, 4) ","
	  ON(0, 7, "b", 20, 10, 2), 1, 10000, 10000, GAP_UNKNOWN, "a", "b" },
};

START_TEST(gaps_have_causes)
{
	struct trace *trace = load_slices(made[_i].slices);
	const struct activities *all = &trace->all;
	gap_list gaps = {0};
	struct err err = {0};

	ck_assert(gaps_find(all, &gaps, NULL, &err));
	ck_assert_uint_eq(gaps.len, made[_i].n);
	if (gaps.len) {
		ck_assert_int_eq(gaps.at[0].start_ns, made[_i].start_ns);
		ck_assert_int_eq(gaps.at[0].len_ns, made[_i].len_ns);
		ck_assert_int_eq(gaps.at[0].cause, made[_i].cause);
		ck_assert_str_eq(all->names.key[all->at.at[gaps.at[0].before].kernel],
		                 made[_i].before);
		ck_assert_str_eq(all->names.key[all->at.at[gaps.at[0].after].kernel],
		                 made[_i].after);
	}
	vec_release(&gaps);
	trace_free(trace);
}
END_TEST

START_TEST(finding_gaps_can_be_cancelled)
{
	struct trace *trace = load_slices(made[1].slices);
	struct progress progress = {0};
	gap_list gaps = {0};
	struct err err = {0};

	atomic_store(&progress.cancel, true);
	ck_assert(!gaps_find(&trace->all, &gaps, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	vec_release(&gaps);
	trace_free(trace);
}
END_TEST

/* Exchange. */

static const struct { const char *slices; size_t n; int64_t collective_us, hidden_us; } mixed[] = {
	{ ON(0, 7, "a", 0, 10, 1), 1, 0, 0 },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 8, "ncclDevKernel", 5, 20, 2), 1, 20, 5 },
	{ ON(0, 7, "a", 0, 10, 1) "," ON(0, 9, "b", 5, 10, 3) ","
	  ON(0, 8, "all-reduce.1", 5, 20, 2) "," ON(0, 8, "all-gather.1", 10, 20, 4), 1, 25, 10 },
	/* computing of another device hides nothing */
	{ ON(1, 7, "a", 0, 10, 1) "," ON(0, 8, "ncclDevKernel", 5, 20, 2), 2, 0, 0 },
};

/* The answers of HTA about the first step of a recording: 11.81 % of the exchange is hidden. */
START_TEST(exchange_is_that_of_hta)
{
	struct trace *trace = load("testdata/traces/rank0.json.gz", &chrome_source);
	struct activities acts;
	overlap_list list = {0};

	trace_activities(trace, 0, &acts);
	overlap_of(&acts, &list);
	ck_assert_uint_eq(list.len, 1);
	ck_assert_int_eq(llround(1e4 * (double)list.at[0].hidden_ns
	                         / (double)list.at[0].collective_ns), 1181);
	vec_release(&list);
	activities_release(&acts);
	trace_free(trace);
}
END_TEST

START_TEST(exchange_is_hidden_by_computing)
{
	struct trace *trace = load_slices(mixed[_i].slices);
	overlap_list list = {0};

	overlap_of(&trace->all, &list);
	ck_assert_uint_eq(list.len, mixed[_i].n);
	ck_assert_int_eq(list.at[0].collective_ns, mixed[_i].collective_us * 1000);
	ck_assert_int_eq(list.at[0].hidden_ns, mixed[_i].hidden_us * 1000);
	vec_release(&list);
	trace_free(trace);
}
END_TEST

/* Stages. */

START_TEST(stages_are_those_of_xprof)
{
	struct trace *trace = load(TF2 "host.xplane.pb", &xspace_source);
	struct stages stages = {0};
	struct str file = {0};
	char *line, *rest, name[256];
	int64_t all_ns = 0;
	size_t i = 0;

	stages_add(&stages, &trace->all);
	for (size_t k = 0; k < stages.at.len; k++)
		all_ns += stages.at.at[k].self_ns;
	ck_assert(read_whole(TF2 "pipeline.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const struct input_stage *stage;
		uint32_t id;
		unsigned long long count;
		double total, self, part;

		ck_assert_int_eq(sscanf(line, "%255s\t%llu\t%lf\t%lf\t%lf", name, &count, &total,
		                        &self, &part), 5);
		id = map_find(&stages.names, name, strlen(name));
		ck_assert_msg(id != MAP_NONE, "%s", name);
		stage = &stages.at.at[id];
		i++;
		ck_assert_uint_eq(stage->count, count);
		ck_assert_int_le(llabs(stage->total_ns - llround(total * 1e6)), (int64_t)count);
		ck_assert_int_le(llabs(stage->self_ns - llround(self * 1e6)), (int64_t)count);
		ck_assert_double_eq_tol((double)stage->self_ns / (double)all_ns, part, 1e-6);
		ck_assert_int_eq(stage->category, STAGE_PREPROCESS);
	}
	ck_assert_uint_eq(i, stages.at.len);
	str_release(&file);
	stages_release(&stages);
	trace_free(trace);
}
END_TEST

#define OP(name) \
	"{'ph':'X','cat':'cpu_op','name':'" name "','pid':1,'tid':1,'ts':0,'dur':10}"

static const struct { const char *slices; int category; const char *name; } named[] = {
	{ OP("InfeedEnqueueTuple"), STAGE_ENQUEUE, "InfeedEnqueueTuple" },
	{ OP("QueueEnqueueManyV2"), STAGE_ENQUEUE, "QueueEnqueueManyV2" },
	{ OP("ReaderReadV2"), STAGE_READ, "ReaderReadV2" },
	{ OP("DecodeJpeg"), STAGE_PREPROCESS, "DecodeJpeg" },
	{ OP("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"), STAGE_OTHER,
	  "enumerate(DataLoader)" },
	{ OP("IteratorGetNext"), -1, NULL }, { OP("aten::add"), -1, NULL },
};

START_TEST(ops_of_input_are_stages)
{
	struct trace *trace = load_slices(named[_i].slices);
	struct stages stages = {0};

	stages_add(&stages, &trace->all);
	ck_assert_uint_eq(stages.at.len, named[_i].category >= 0);
	if (stages.at.len) {
		ck_assert_int_eq((int)stages.at.at[0].category, named[_i].category);
		ck_assert_str_eq(stages.at.at[0].name, named[_i].name);
	}
	stages_release(&stages);
	trace_free(trace);
}
END_TEST

/* What stands behind the # of an iterator is not its name. */
static const struct { const char *name; enum stage_category category; const char *stage; } its[] = {
	{ "Iterator::Root::TFRecord#id=7#", STAGE_READ, "Iterator::Root::TFRecord" },
	{ "Iterator::Root::TextLine", STAGE_READ, "Iterator::Root::TextLine" },
	{ "Iterator::Root::Map#::TFRecord", STAGE_PREPROCESS, "Iterator::Root::Map" },
};

START_TEST(iterators_are_stages)
{
	struct made_xspace m = {0};
	struct stages stages = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	made_line(&m, 7, "main", 100);
	made_event(&m, made_event_name(&m, its[_i].name), 1500, 2499);
	made_plane_end(&m);
	trace = xspace_load_made(&m);
	stages_add(&stages, &trace->all);
	ck_assert_uint_eq(stages.at.len, 1);
	ck_assert_int_eq((int)stages.at.at[0].category, (int)its[_i].category);
	ck_assert_str_eq(stages.at.at[0].name, its[_i].stage);
	stages_release(&stages);
	trace_free(trace);
}
END_TEST

SUITE_MAIN("gaps",
	tcase_add_loop_test(t, iterators_are_stages, 0, ROWS(its));
	tcase_add_loop_test(t, gaps_have_causes, 0, ROWS(made));
	tcase_add_test(t, finding_gaps_can_be_cancelled);
	tcase_add_loop_test(t, exchange_is_hidden_by_computing, 0, ROWS(mixed));
	tcase_add_test(t, exchange_is_that_of_hta);
	tcase_add_test(t, stages_are_those_of_xprof);
	tcase_add_loop_test(t, ops_of_input_are_stages, 0, ROWS(named));
)
