/* Traces that several processes, or one several times, wrote into a directory. */
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/profile/trace_worker.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

/* ' for ". */
static const char *quoted(const char *text)
{
	static char out[4096];

	snprintf(out, sizeof out, "%s", text);
	for (char *c = out; (c = strchr(c, '\'')); c++)
		*c = '"';
	return out;
}

static void put(const char *dir, const char *name, const char *text)
{
	const char *json = quoted(text);

	dump_put(dir, name, json, strlen(json));
}

#define NS "1690000000000000000"
#define LATER "1690000060000000000"      /* a minute */
#define FAR "1690009000000000000"
#define INFO(rank) "'distributedInfo':{'backend':'nccl','rank':" #rank ",'world_size':8}"
static const struct {
	const char *name, *text, *worker;
	int64_t at_ns;
	bool inside;
} workers[] = {
	{ "rank0.json", "{}", "rank0", -1, false },
	{ "trace_Rank-03.json.gz", "{}", "rank3", -1, false },
	{ "a_rank_12_b.json", "{" INFO(4) "}", "rank12", -1, false },
	{ "host_77." NS ".pt.trace.json", "{}", "host_77", 1690000000000000000, false },
	{ "host_77.1690000000000.pt.trace.json.gz", "{}", "host_77", 1690000000000000000, false },
	{ "rank2.1690000000000000.pt.trace.json", "{}", "rank2", 1690000000000000000, false },
	{ "w.9.pt.trace.json", "{}", "w", -1, false },
	{ "x.json", "{'schemaVersion':1, " INFO(7) "}", "rank7", -1, true },
	{ "x.json", "{'rank':3}", "", -1, false },
	{ "x.json", "{'distributedInfo':{'backend':'nccl'}}", "", -1, false },
	{ "franked.json", "{}", "", -1, false },
	{ "x.json", "", "", -1, false },
};

START_TEST(files_tell_their_worker)
{
	char *dir = scratch_new();
	struct str path = {0};
	struct trace_worker worker;

	put(dir, workers[_i].name, workers[_i].text);
	str_fmt(&path, "%s/%s", dir, workers[_i].name);
	trace_worker_of(path.text, &worker);
	ck_assert_str_eq(worker.name, workers[_i].worker);
	ck_assert_int_eq(worker.at_ns, workers[_i].at_ns);
	ck_assert_int_eq(worker.from_inside, workers[_i].inside);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* An op that launches a kernel; ids are the same in every file. */
#define FILE_OF(op, kernel, ts) \
	"{'traceEvents':[" \
	"{'ph':'X','cat':'cpu_op','name':'" op "','pid':1,'tid':1,'ts':" #ts ",'dur':50," \
	"'args':{'External id':1}}," \
	"{'ph':'X','cat':'cuda_runtime','name':'l','pid':1,'tid':1,'ts':" #ts ",'dur':5," \
	"'args':{'correlation':9}}," \
	"{'ph':'X','cat':'kernel','name':'" kernel "','pid':0,'tid':7,'ts':" #ts "1,'dur':10," \
	"'args':{'device':0,'stream':7,'correlation':9}}," \
	"{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':" #ts "," \
	"'args':{'Bytes':8,'Total Allocated':8}}]}"

static const struct {
	const char *first, *second, *third;      /* names of files; ts 1, 200, 300 */
	const char *command, *says[4], *passed;
} dirs[] = {
	{ "rank0.json", "rank1.json", NULL, "kernels -g stream --format csv",
	  { "\nrank0/GPU:0 stream 7,", "\nrank1/GPU:0 stream 7," }, NULL },
	{ "rank0.json", "rank1.json", NULL, "kernels --records --format csv",
	  { ",k1,k1,,,,,,9,,op1,", ",k2,k2,,,,,,9,,op2,", ",rank0/GPU:0,7," }, NULL },
	{ "rank0.json", "rank1.json", NULL, "memory --format csv",
	  { "\nrank0/CPU,8,", "\nrank1/CPU,8," }, NULL },
	/* one worker */
	{ "h_1." NS ".pt.trace.json", "h_1." LATER ".pt.trace.json", NULL,
	  "steps --format csv", { "\n0,", "\n1," }, NULL },
	{ "h_1." NS ".pt.trace.json", "h_1." LATER ".pt.trace.json", NULL,
	  "step --format csv", { "\n0,h_1." NS ".pt", "\n1,h_1." LATER ".pt" }, NULL },
	{ "h_1." NS ".pt.trace.json", "h_1." LATER ".pt.trace.json", NULL,
	  "kernels --step 1 --format csv", { "\nk2,", "op2" }, NULL },
	{ "h_1." NS ".pt.trace.json", "h_1." LATER ".pt.trace.json", NULL,
	  "kernels -g stream --step 0 --format csv", { "\nGPU:0 stream 7," }, NULL },
	/* two, one of which recorded twice */
	{ "a_1." NS ".pt.trace.json", "a_1." LATER ".pt.trace.json",
	  "b_1." LATER ".pt.trace.json", "kernels -g stream --step all --format csv",
	  { "\na_1/GPU:0 stream 7,", "\nb_1/GPU:0 stream 7," }, NULL },
	{ "a_1." NS ".pt.trace.json", "a_1." LATER ".pt.trace.json",
	  "b_1." LATER ".pt.trace.json", "kernels --step 1 --format csv", { "\nk2,", "\nk3," },
	  NULL },
	/* another worker at another time, and one that nothing is known of */
	{ "b_1." FAR ".pt.trace.json", "h_1." NS ".pt.trace.json", "x.trace.json",
	  "kernels --format csv", { "name," }, "(Chrome trace)" },
};

START_TEST(directories_are_joined)
{
	char *dir = scratch_new();
	struct program_run ran;

	put(dir, dirs[_i].first, FILE_OF("op1", "k1", 1));
	put(dir, dirs[_i].second, FILE_OF("op2", "k2", 200));
	if (dirs[_i].third)
		put(dir, dirs[_i].third, FILE_OF("op3", "k3", 300));
	program_run((const char *const[]){ program_path(), dir, "-c", dirs[_i].command, NULL },
	            NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
	for (int i = 0; i < 4 && dirs[_i].says[i]; i++)
		ck_assert_msg(strstr(str_text(&ran.out), dirs[_i].says[i]), "no %s in %s",
		              dirs[_i].says[i], str_text(&ran.out));
	if (dirs[_i].passed)
		ck_assert_ptr_nonnull(strstr(str_text(&ran.err), dirs[_i].passed));
	else
		ck_assert_str_eq(str_text(&ran.err), "");
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

START_TEST(ranks_inside_are_joined)
{
	char *dir = scratch_new();
	struct program_run ran;

	put(dir, "x.json", "{" INFO(0) ",'baseTimeNanoseconds':5,'traceEvents':[{'ph':'X',"
	    "'cat':'kernel','name':'k1','pid':0,'tid':7,'ts':1,'dur':1}]}");
	put(dir, "y.json", "{" INFO(1) ",'baseTimeNanoseconds':6,'traceEvents':[{'ph':'X',"
	    "'cat':'kernel','name':'k2','pid':0,'tid':7,'ts':1,'dur':1}]}");
	program_run((const char *const[]){ program_path(), dir, "-c", "kernels -g device", NULL },
	            NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "rank0/GPU:0"));
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "rank1/GPU:0"));
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), "counts from another time"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Slices whose kind is known at the end of their file. */
START_TEST(late_decisions_stay_within_a_file)
{
	static const char slices[] =
		"[{'ph':'X','name':'k','pid':1,'tid':1,'ts':1,'dur':1},"
		"{'ph':'X','name':'none','pid':2,'tid':1,'ts':1,'dur':1},"
		"{'ph':'M','name':'process_name','pid':1,'args':{'name':'/device:GPU:0/stream:1'}},"
		"{'ph':'M','name':'process_name','pid':2,'args':{'name':'else'}}]";
	char *dir = scratch_new();
	struct program_run ran;

	put(dir, "rank0.json", slices);
	put(dir, "rank1.json", slices);
	program_run((const char *const[]){ program_path(), dir, "-c",
	            "kernels --records --format csv", NULL }, NULL, NULL, &ran);
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), ",rank0/"));
	ck_assert_ptr_nonnull(strstr(str_text(&ran.out), ",rank1/"));
	ck_assert_ptr_null(strstr(str_text(&ran.out), "none"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("ranks",
	tcase_add_loop_test(t, files_tell_their_worker, 0, ROWS(workers));
	tcase_add_loop_test(t, directories_are_joined, 0, ROWS(dirs));
	tcase_add_test(t, ranks_inside_are_joined);
	tcase_add_test(t, late_decisions_stay_within_a_file);
)
