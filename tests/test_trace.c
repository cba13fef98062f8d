/*
 * Chrome traces: events written by hand become records, told here one a line:
 * KIND DEVICE/STREAM START+LENGTH NAME op OP launch NS step N nested NS bytes N (LAUNCH)
 */
#include "tests/suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/format/gzip.h"
#include "dump/profile/trace_chrome.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/traces.h"

static void open_bytes(const void *bytes, size_t len)
{
	trace_open_bytes(&chrome_source, bytes, len);
}

static void open_text(const char *text)
{
	trace_open_text(&chrome_source, text);
}

static void put_record(struct str *out, const struct activity *a)
{
	const char *const *names = trace->all.names.key;
	const struct trace_record *r = &trace->records.at[a->record];

	str_puts(out, activity_kind_names[a->kind]);
	if (a->kind != ACTIVITY_HOST)
		str_fmt(out, " %s/%s", trace->devices[a->device],
		        trace->streams.at[a->stream].text);
	str_fmt(out, " %" PRId64 "+%" PRId64 " %s", a->start_ns, a->len_ns, names[a->raw]);
	if (r->op != TRACE_OP_NONE)
		str_fmt(out, " op %s", names[r->op == TRACE_OP_TYPE ? a->op : a->node]);
	if (a->kind != ACTIVITY_HOST && a->launch_delay_ns != -1)
		str_fmt(out, " launch %" PRId64, a->launch_delay_ns);
	if (r->step != TRACE_OUTSIDE)
		str_fmt(out, " step %s", trace->steps.at[r->step].label);
	if (a->kind == ACTIVITY_HOST && a->nested_ns)
		str_fmt(out, " nested %" PRId64, a->nested_ns);
	if (r->has_bytes)
		str_fmt(out, " bytes %" PRId64, a->bytes);
	if (a->launch != MAP_NONE)
		str_fmt(out, " (%s)", names[a->launch]);
	str_putc(out, '\n');
}

static void records_are(const char *expected)
{
	struct str out = {0};

	for (size_t i = 0; i < trace->all.at.len; i++)
		put_record(&out, &trace->all.at.at[i]);
	ck_assert_str_eq(str_text(&out), expected);
	str_release(&out);
}

/* Quotes are single, as JSON has none of these. */
static char *quoted(const char *text)
{
	static char out[8192];
	size_t i = 0;

	ck_assert_uint_lt(strlen(text), sizeof out);
	for (; text[i]; i++)
		out[i] = text[i] == '\'' ? '"' : text[i];
	out[i] = '\0';
	return out;
}

/* One story: two launches by an op, their kernels, a copy. */
#define OP "{'ph':'X','cat':'cpu_op','name':'aten::mm','pid':42,'tid':100,'ts':90,'dur':8," \
	"'args':{'External id':5}}"
#define LAUNCH(id, ts) "{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':42," \
	"'tid':100,'ts':" ts ",'dur':2,'args':{'correlation':" id "}}"
#define KERNEL(name, ts, dur, args) "{'ph':'X','cat':'kernel','name':'" name "','pid':0," \
	"'tid':7,'ts':" ts ",'dur':" dur ",'args':{'device':0,'stream':7" args "}}"
#define STORY OP "," LAUNCH("11", "91.5") "," LAUNCH("12", "94") "," \
	KERNEL("gemm", "100.5", "10", \
	       ",'correlation':11,'External id':5,'grid':[8,4,1],'block':[128,1,1]," \
	       "'registers per thread':64,'shared memory':2048") "," \
	KERNEL("relu", "112", "1.25", ",'correlation':12,'External id':0") "," \
	"{'ph':'X','cat':'gpu_memcpy','name':'Memcpy HtoD (Pageable -> Device)','pid':0,'tid':7," \
	"'ts':99,'dur':1,'args':{'device':0,'stream':7,'bytes':4096}}"
#define TOLD \
	"host 90000+8000 aten::mm\n" \
	"kernel 0/7 100500+10000 gemm op aten::mm launch 9000 " \
	"(regs:64 shm:2048 grid:8,4,1 block:128,1,1)\n" \
	"kernel 0/7 112000+1250 relu op aten::mm launch 18000\n" \
	"copy 0/7 99000+1000 Memcpy HtoD (Pageable -> Device) bytes 4096\n"

static const struct { const char *text; bool whole; } forms[] = {
	{ "[" STORY "]", true },
	{ "\xef\xbb\xbf [\r\n" STORY ",{}]\n", true },
	{ "[" STORY ",]", true },
	{ "[" STORY, false },
	{ "[" STORY ",", false },
	{ "[" STORY ",{'ph':'X','cat':'kernel','name':'cut", false },
	{ "[" STORY ",{'ph':'X', tid':7}]", false },
	{ "[" STORY "] [" STORY "]", true },
	{ "{'traceEvents':[" STORY "]}", true },
	{ "{'otherData':{'traceEvents':[1]},'x':'a','traceEvents':[" STORY "],'y':[{}]}", true },
	{ "{'traceEvents':[" STORY "]", false },
	{ "{'traceEvents':[" STORY "],'y':", false },
	{ "[null,1,'a',[2]," STORY "]", true },
};

START_TEST(every_form_has_the_same_records)
{
	open_text(quoted(forms[_i].text));
	records_are(TOLD);
	ck_assert_uint_eq(trace->warnings.len, !forms[_i].whole);
	if (!forms[_i].whole)
		ck_assert_ptr_nonnull(strstr(trace->warnings.at[0],
		                             "This file stops in the middle: "));
}
END_TEST

START_TEST(every_cut_gives_what_is_whole)
{
	const char *text = quoted("{'a':[{}],'traceEvents':[" STORY "],'b':1}");
	size_t len = strlen(text), n_before = 0;
	char *dir = scratch_new();
	struct str packed = {0}, path = {0};

	for (size_t n = 0; n < len; n++) {
		open_bytes(text, n);
		if (n > strlen("{'a':[{}],'traceEvents':[")) {
			ck_assert(trace && trace->warnings.len == 1);
			ck_assert_uint_ge(trace->all.at.len, n_before);
			n_before = trace->all.at.len;
		}
	}
	ck_assert_uint_eq(n_before, 4);
	str_fmt(&path, "%s/packed.gz", dir);
	ck_assert(gzip_write(path.text, text, len, NULL) && read_whole(path.text, &packed));
	for (size_t n = 0; n < packed.len; n++) {
		open_bytes(packed.text, n);
		ck_assert(!trace || trace->warnings.len == 1 || trace->all.at.len == 4);
	}
	open_bytes(packed.text, packed.len);
	records_are(TOLD);
	str_release(&packed);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

static const struct { const char *text, *why; } no_traces[] = {
	{ "", "not a trace (an empty file)" },
	{ "// by hand\n[]", "not a trace (not JSON)" },
	{ "{'a':1}", "not a trace (no list traceEvents at the top)" },
	{ "{'otherData':{'traceEvents':[]}}", "not a trace (no list traceEvents at the top)" },
	{ "{'traceEvents':{}}", "not a trace (no list traceEvents at the top)" },
};

START_TEST(what_is_no_trace_is_refused)
{
	const char *text = quoted(no_traces[_i].text);

	open_bytes(text, strlen(text));
	ck_assert_ptr_null(trace);
	ck_assert_str_eq(trace_err.msg, no_traces[_i].why);
}
END_TEST

START_TEST(a_trace_may_be_empty)
{
	static const char *const empty[] = { "{}", "[]", "{'traceEvents':null}",
	                                     "{'traceEvents':[]}" };

	for (int i = 0; i < ROWS(empty); i++) {
		open_text(quoted(empty[i]));
		records_are("");
		ck_assert_uint_eq(trace->warnings.len, 0);
	}
}
END_TEST

#define SLICE(name, ts, dur) \
	"{'ph':'X','cat':'kernel','name':'" name "','pid':0,'tid':7," ts dur "'x':0}"

START_TEST(times_that_cannot_be_used_are_counted)
{
	open_text(quoted("[" SLICE("no_dur", "'ts':1,", "") "," SLICE("no_ts", "", "'dur':1,") ","
	                 SLICE("negative", "'ts':2,", "'dur':-1,") ","
	                 SLICE("early", "'ts':-5.5,", "'dur':1,") ","
	                 SLICE("nan", "'ts':NaN,", "'dur':1,") ","
	                 SLICE("null", "'ts':null,", "'dur':1,") ","
	                 SLICE("long", "'ts':5,", "'dur':123456789012345678901234567890,") ","
	                 SLICE("bool", "'ts':true,", "'dur':1,") ","
	                 SLICE("text", "'ts':'6','ts':' 7 ',", "'dur':'1.0005',") "]"));
	records_are("kernel 0/7 1000+0 no_dur\n"
	            "kernel 0/7 -5500+1000 early\n"
	            "kernel 0/7 7000+1001 text\n");
	ck_assert_uint_eq(trace->n_events, 9);
	ck_assert_uint_eq(trace->n_left_out, 6);
}
END_TEST

START_TEST(impossible_times_are_apart)
{
	open_text(quoted("[" SLICE("a", "'ts':1,", "'dur':2,") ","
	                 SLICE("b", "'ts':9e15,", "'dur':2,") ","
	                 SLICE("c", "'ts':3,", "'dur':9e10,") ","
	                 SLICE("d", "'ts':4,", "'dur':2,") "]"));
	records_are("kernel 0/7 1000+2000 a\nkernel 0/7 4000+2000 d\n");
	ck_assert_uint_eq(trace->all.impossible.len, 2);
	ck_assert_uint_eq(trace->all.impossible.at[1].record, 2);
}
END_TEST

START_TEST(beginnings_and_ends_are_paired)
{
	open_text(quoted("[{'ph':'E','pid':1,'tid':1,'ts':1},"
	                 "{'ph':'B','name':'open','cat':'kernel','pid':0,'tid':7,'ts':5},"
	                 "{'ph':'B','name':'in','cat':'kernel','pid':0,'tid':7,'ts':6,"
	                 "'args':{'device':3,'stream':1}},"
	                 "{'ph':'B','name':'other','cat':'cpu_op','pid':0,'tid':8,'ts':6.5},"
	                 "{'ph':'E','pid':0,'tid':7,'ts':9,'args':{'stream':2,'grid':'[1, 2, 3]'}},"
	                 "{'ph':'E','pid':0,'tid':8,'ts':6}]"));
	records_are("kernel 3/2 6000+3000 in (grid:1,2,3)\n");
	ck_assert_uint_eq(trace->n_left_out, 2);
	ck_assert_uint_eq(trace->n_unclosed, 1);
}
END_TEST

#define HOST(name, tid, ts, dur) "{'ph':'X','cat':'cpu_op','name':'" name "','pid':1,'tid':" tid \
	",'ts':" ts ",'dur':" dur "}"

START_TEST(what_is_nested_counts_once)
{
	open_text(quoted("[" HOST("in", "1", "2", "3") "," HOST("out", "1", "1", "9") ","
	                 HOST("far_in", "1", "3", "1") "," HOST("late", "1", "8", "4") ","
	                 HOST("elsewhere", "2", "2", "3") "," HOST("next", "1", "12", "1") "]"));
	records_are("host 2000+3000 in nested 1000\n"
	            "host 1000+9000 out nested 5000\n"
	            "host 3000+1000 far_in\n"
	            "host 8000+4000 late\n"
	            "host 2000+3000 elsewhere\n"
	            "host 12000+1000 next\n");
}
END_TEST

/* The op may come after its kernel, and only the first kernel of a launch waited for it. */
START_TEST(kernels_find_their_op)
{
	open_text(quoted("[" KERNEL("second", "30", "1", ",'correlation':1") ","
	                 KERNEL("first", "20", "1", ",'correlation':1") ","
	                 KERNEL("by_id", "40", "1", ",'External id':9,'correlation':2") ","
	                 KERNEL("by_launch", "50", "1", ",'External id':77,'correlation':2") ","
	                 KERNEL("alone", "60", "1", ",'correlation':3") ","
	                 KERNEL("told", "70", "1", ",'tf_op':'a/b'") ","
	                 HOST("outer", "100", "1", "20") ","
	                 "{'ph':'X','cat':'cpu_op','name':'inner','pid':42,'tid':100,'ts':4,"
	                 "'dur':4,"
	                 "'args':{'external id':9}},"
	                 "{'ph':'X','cat':'cpu_op','name':'around','pid':42,'tid':100,'ts':3,"
	                 "'dur':9}," LAUNCH("1", "5") "," LAUNCH("2", "9") ","
	                 LAUNCH("2", "1") "]"));
	records_are("kernel 0/7 30000+1000 second op inner\n"
	            "kernel 0/7 20000+1000 first op inner launch 15000\n"
	            "kernel 0/7 40000+1000 by_id op inner launch 31000\n"
	            "kernel 0/7 50000+1000 by_launch op around\n"
	            "kernel 0/7 60000+1000 alone\n"
	            "kernel 0/7 70000+1000 told op a/b\n"
	            "host 1000+20000 outer\n"
	            "host 4000+4000 inner\n"
	            "host 3000+9000 around nested 4000\n");
}
END_TEST

START_TEST(a_copy_may_have_its_size_from_its_launch)
{
	open_text(quoted("[{'ph':'X','cat':'gpu_memcpy','name':'Memcpy DtoH','pid':2,'tid':0,"
	                 "'ts':9,'dur':1,'args':{'correlation':4}},{'ph':'X','cat':'cuda_runtime',"
	                 "'name':'hipMemcpy','pid':1,'tid':1,'ts':1,'dur':1,"
	                 "'args':{'correlation':4,'size':'512'}}]"));
	records_are("copy 2/0 9000+1000 Memcpy DtoH launch 8000 bytes 512\n");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].kernel], "[copy D2H]");
	ck_assert_str_eq(trace->all.devices.key[0], "GPU:2");
}
END_TEST

#define STEP(n, ts, dur) "{'ph':'X','cat':'user_annotation','name':'ProfilerStep#" n "'," \
	"'pid':1,'tid':1,'ts':" ts ",'dur':" dur "}"

/* By launch, else by start; of two steps the first in the file. */
START_TEST(records_belong_to_steps)
{
	open_text(quoted("[" STEP("7", "10", "10") "," STEP("6", "0", "12") ","
	                 LAUNCH("1", "19") "," KERNEL("a", "25", "1", ",'correlation':1") ","
	                 KERNEL("b", "5", "1", "") ","
	                 KERNEL("c", "11", "1", "") "," KERNEL("d", "20", "1", "") "]"));
	records_are("kernel 0/7 25000+1000 a launch 6000 step 7\n"
	            "kernel 0/7 5000+1000 b step 6\n"
	            "kernel 0/7 11000+1000 c step 7\n"
	            "kernel 0/7 20000+1000 d\n");
	ck_assert_uint_eq(trace->steps.len, 2);
	ck_assert_str_eq(trace->steps.at[0].label, "6");
	ck_assert_uint_eq(trace->steps.at[1].n, 2);
}
END_TEST

START_TEST(a_step_is_a_part_of_the_whole)
{
	struct activities acts;

	open_text(quoted("[" STEP("1", "0", "10") "," STEP("2", "10", "10") ","
	                 KERNEL("a", "5", "1", "") "," KERNEL("b", "15", "1", "") ","
	                 KERNEL("c", "25", "1", "") "]"));
	trace_activities(trace, 1, &acts);
	ck_assert_uint_eq(acts.at.len, 1);
	ck_assert_int_eq(acts.at.at[0].start_ns, 15000);
	ck_assert_uint_eq(acts.n_of[ACTIVITY_KERNEL], 1);
	activities_release(&acts);
	trace_activities(trace, TRACE_WHOLE, &acts);
	ck_assert_uint_eq(acts.at.len, 3);
	activities_release(&acts);
}
END_TEST

#define PROCESS(pid, name) \
	"{'ph':'M','name':'process_name','pid':" pid ",'args':{'name':'" name "'}}"
#define THREAD(pid, tid, name) "{'ph':'M','name':'thread_name','pid':" pid ",'tid':" tid \
	",'args':{'name':'" name "'}}"
#define PLAIN(name, pid, tid, ts, args) "{'ph':'X','name':'" name "','pid':" pid ",'tid':" tid \
	",'ts':" ts ",'dur':1,'args':{" args "}}"

/* Names of processes and threads may come behind what they did. */
START_TEST(a_process_tells_what_it_runs)
{
	open_text(quoted("[" PLAIN("k", "1", "2", "1", "'tf_op':'a'") ","
	                 PLAIN("MemcpyH2D", "1", "2", "2", "") "," PLAIN("x", "1", "3", "3", "") ","
	                 PLAIN("dot.1", "4", "1", "4", "'hlo_op':'dot.1'") ","
	                 PLAIN("python", "4", "1", "5", "") "," PROCESS("1", "/device:GPU:0") ","
	                 THREAD("1", "2", "Stream #2") "," THREAD("1", "3", "XLA Ops") ","
	                 PROCESS("4", "/host:CPU") "," PLAIN("dot.2", "4", "1", "6", "'hlo_op':'d'")
	                 "," PLAIN("k2", "1", "2", "7", "") "," PROCESS("8", "2 GPU0") ","
	                 PLAIN("hip", "8", "0", "8", "'BeginNs':'123','EndNs':'130','dev-id':1") ","
	                 PROCESS("9", "/gpu:0/stream:all Compute") ","
	                 PLAIN("Op", "9", "0", "9", "") "]"));
	records_are("kernel 1/2 1000+1000 k op a\n"
	            "copy 1/2 2000+1000 MemcpyH2D\n"
	            "host 4000+1000 dot.1 op dot.1\n"
	            "host 6000+1000 dot.2 op d\n"
	            "kernel 1/2 7000+1000 k2\n"
	            "kernel 1/0 123+7 hip\n"
	            "kernel 0/ 9000+1000 Op\n");
}
END_TEST

START_TEST(onnxruntime_names_nodes)
{
	open_text(quoted("[{'cat':'Node','pid':1,'tid':1,'ts':1,'dur':2,'ph':'X','name':"
	                 "'conv_kernel_time','args':{'op_name':'Conv','provider':'CPUExecution'}},"
	                 "{'cat':'Node','pid':1,'tid':1,'ts':1,'dur':2,'ph':'X',"
	                 "'name':'conv_fence_before'}]"));
	records_are("host 1000+2000 conv_kernel_time op Conv\n");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].node], "conv");
	ck_assert_str_eq(trace->all.devices.key[trace->all.at.at[0].device], "CPUExecution");
}
END_TEST

START_TEST(ids_are_texts)
{
	static const char *const ids[] = { "17", "-3", "'a b'", "1.5", "18446744073709551615",
	                                   "007" };
	struct str out = {0}, text = {0};

	for (int i = 0; i < ROWS(ids); i++) {
		str_reset(&text);
		str_fmt(&text, "[{'ph':'X','cat':'Kernel','name':'k','ts':1,"
		        "'args':{'correlation':%s}}]", ids[i]);
		open_text(quoted(text.text));
		str_reset(&out);
		trace_put_id(trace, trace->records.at[0].correlation, &out);
		str_reset(&text);
		str_puts(&text, ids[i] + (*ids[i] == '\''));
		str_cut(&text, text.len - (*ids[i] == '\''));
		ck_assert_str_eq(out.text, text.text);
	}
	str_release(&out);
	str_release(&text);
}
END_TEST

START_TEST(memory_has_peaks)
{
#define MEMORY(ts, bytes, total, device) "{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':" ts \
	",'args':{'Bytes':" bytes ",'Total Allocated':" total device "}}"
	open_text(quoted("[" MEMORY("1", "64", "64", ",'Device Type':0") ","
	                 MEMORY("2", "32", "96", ",'Device Type':0") ","
	                 MEMORY("3", "-64", "32", ",'Device Type':0") ","
	                 MEMORY("4", "8", "8", ",'Device Type':1,'Device Id':3") ","
	                 MEMORY("5", "8", "8", ",'Device Type':2,'Device Id':3") "]"));
	ck_assert_uint_eq(trace->memory.len, 3);
	ck_assert_str_eq(trace->memory.at[0].device, "CPU");
	ck_assert_int_eq(trace->memory.at[0].peak_bytes, 96);
	ck_assert_int_eq(trace->memory.at[0].peak_at_ns, 2000);
	ck_assert_uint_eq(trace->memory.at[0].n_allocated, 2);
	ck_assert_str_eq(trace->memory.at[1].device, "CUDA:3");
	ck_assert_str_eq(trace->memory.at[2].device, "device 3");
}
END_TEST

/* Names from files are stored as sound UTF-8, devices as they are shown. */
START_TEST(names_are_clean)
{
	open_text("[{\"ph\":\"X\",\"cat\":\"cpu_op,KERNEL\",\"name\":\"\\u001b\xff\\u0000\","
	          "\"pid\":\"GPU 0\",\"tid\":-7,\"ts\":1},"
	          "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":17,\"ts\":2}]");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].raw], "\x1b\xef\xbf\xbd\xc0\x80");
	ck_assert_uint_eq(trace->all.at.at[0].kind, ACTIVITY_HOST);
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[1].raw], "17");
	ck_assert_str_eq(trace->all.devices.key[trace->all.at.at[1].device], "GPU");
	ck_assert_str_eq(trace->devices[trace->all.at.at[1].device], "");
}
END_TEST

/* Lanes, open slices and depth that only a hostile file has. */
START_TEST(hostile_files_end_soon)
{
	struct str text = {0};

	str_putc(&text, '[');
	for (int i = 0; i < 200000; i++)
		str_fmt(&text, "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":%d,\"tid\":%d,"
		        "\"ts\":%d},", i, i * 7, i);
	for (int i = 0; i < 200000; i++)
		str_fmt(&text, "{\"ph\":\"B\",\"cat\":\"kernel\",\"pid\":1,\"tid\":1,"
		        "\"ts\":%d},", i);
	str_puts(&text, "{\"ph\":\"X\",\"ts\":1,\"args\":{\"a\":");
	str_fill(&text, '[', 200000);
	open_bytes(text.text, text.len);
	ck_assert(trace && trace->all.at.len == 200000 && trace->n_unclosed == 200000);
	ck_assert_uint_eq(trace->n_events, 400000);
	str_release(&text);
}
END_TEST

START_TEST(reading_can_be_cancelled)
{
	struct str text = {0};

	str_putc(&text, '[');
	for (int i = 0; i < 20000; i++)
		str_fmt(&text, "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":0,"
		        "\"ts\":%d},", i);
	trace_is_cancelled(&chrome_source, &text);
	str_release(&text);
}
END_TEST

/* Of a step of TensorFlow's: its own timeline, and ours, have what the RunMetadata has. */
START_TEST(timelines_have_what_the_step_has)
{
	static const char *const styles[] = { "classic", "modern" };
	static const int64_t ns[] = { 0, 9408000, 112000 };
	static const size_t n[] = { 299, 115, 3 };
	struct shell *shell = session_of("testdata/profile/gpu_like/run_metadata.pb");
	char *dir = scratch_new();
	struct str line = {0}, out = {0}, path = {0};
	int64_t sum[3] = {0};

	str_fmt(&path, "%s/timeline.json", dir);
	str_fmt(&line, "timeline -o %s --style %s", path.text, styles[_i]);
	ck_assert_msg(session_ask(shell, line.text, &out), "%s", out.text);
	trace = trace_load(path.text, &chrome_source, NULL, NULL, &trace_err);
	ck_assert_msg(trace != NULL, "%s", trace_err.msg);
	for (size_t i = 0; i < trace->all.at.len; i++)
		sum[trace->all.at.at[i].kind] += trace->all.at.at[i].len_ns;
	for (int kind = ACTIVITY_HOST; kind <= ACTIVITY_COPY; kind++) {
		ck_assert_uint_eq(trace->all.n_of[kind], n[kind]);
		ck_assert(kind == ACTIVITY_HOST || sum[kind] / 1000 == ns[kind] / 1000);
	}
	ck_assert_uint_ne(map_find(&trace->all.streams, "14", 2), MAP_NONE);
	ck_assert_uint_ne(map_find(&trace->all.devices, "GPU:0", 5), MAP_NONE);
	shell_free(shell);
	scratch_remove(dir);
	str_release(&line);
	str_release(&out);
	str_release(&path);
}
END_TEST

/* Names that differ by numbers have their times in them; others tell by when they were written. */
START_TEST(the_newest_of_a_directory_opens)
{
	static const char first[] = "[" SLICE("first", "'ts':1,", "'dur':1,") "]";
	static const char second[] = "[" SLICE("second", "'ts':1,", "'dur':1,") "]";
	struct timespec old[2] = { { 1000000000, 0 }, { 1000000000, 0 } };
	char *dir = scratch_new();
	struct shell *shell;
	struct str out = {0}, path = {0};

	dump_put(dir, "w.9.trace.json", quoted(first), strlen(first));
	dump_put(dir, "w.10.trace.json", quoted(second), strlen(second));
	dump_put(dir, "x.trace.json", quoted(first), strlen(first));
	str_fmt(&path, "%s/x.trace.json", dir);
	ck_assert_int_eq(utimensat(AT_FDCWD, path.text, old, 0), 0);
	shell = session_of(dir);
	ck_assert(session_ask(shell, "kernels", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "second"));
	ck_assert_str_eq(shell_passed_over(shell), "not opened: w.9.trace.json (Chrome trace), "
	                 "x.trace.json (Chrome trace)");
	shell_free(shell);
	scratch_remove(dir);
	str_release(&out);
	str_release(&path);
}
END_TEST

/* Recordings of PyTorch, onnxruntime and JAX. own_ns: PyTorch's own sum of self times. */
static const struct { const char *path; uint64_t n_events; size_t n[3]; int64_t own_ns; } real[] = {
	{ "testdata/traces/gpu.json.gz", 111, { 28, 4, 0 }, 19671839000 },
	{ "testdata/traces/rocm.json.gz", 220, { 70, 14, 2 }, 8581804 },
	{ "testdata/traces/torch.json.gz", 1825, { 564, 0, 0 }, 2386012 },
	{ "testdata/traces/onnxruntime.json.gz", 26, { 18, 0, 0 }, 0 },
	{ "testdata/profile/others/jax_cpu.trace.json.gz", 139, { 33, 0, 0 }, 0 },
};

START_TEST(recordings_are_read)
{
	int64_t own_ns = 0;

	trace = trace_load(real[_i].path, &chrome_source, NULL, NULL, &trace_err);
	ck_assert_msg(trace != NULL, "%s", trace_err.msg);
	ck_assert_uint_eq(trace->warnings.len, 0);
	ck_assert_uint_eq(trace->n_events, real[_i].n_events);
	for (int kind = 0; kind < 3; kind++)
		ck_assert_uint_eq(trace->all.n_of[kind], real[_i].n[kind]);
	for (size_t i = 0; i < trace->all.at.len; i++)
		if (trace->all.at.at[i].kind == ACTIVITY_HOST)
			own_ns += activity_own_ns(&trace->all.at.at[i]);
	if (real[_i].own_ns)
		ck_assert_int_eq(own_ns, real[_i].own_ns);
}
END_TEST

SUITE_MAIN("trace",
	tcase_add_checked_fixture(t, NULL, trace_let_go);
	tcase_add_loop_test(t, every_form_has_the_same_records, 0, ROWS(forms));
	tcase_add_test(t, every_cut_gives_what_is_whole);
	tcase_add_loop_test(t, what_is_no_trace_is_refused, 0, ROWS(no_traces));
	tcase_add_test(t, a_trace_may_be_empty);
	tcase_add_test(t, times_that_cannot_be_used_are_counted);
	tcase_add_test(t, impossible_times_are_apart);
	tcase_add_test(t, beginnings_and_ends_are_paired);
	tcase_add_test(t, what_is_nested_counts_once);
	tcase_add_test(t, kernels_find_their_op);
	tcase_add_test(t, a_copy_may_have_its_size_from_its_launch);
	tcase_add_test(t, records_belong_to_steps);
	tcase_add_test(t, a_step_is_a_part_of_the_whole);
	tcase_add_test(t, a_process_tells_what_it_runs);
	tcase_add_test(t, onnxruntime_names_nodes);
	tcase_add_test(t, ids_are_texts);
	tcase_add_test(t, memory_has_peaks);
	tcase_add_test(t, names_are_clean);
	tcase_add_test(t, hostile_files_end_soon);
	tcase_add_test(t, reading_can_be_cancelled);
	tcase_add_loop_test(t, timelines_have_what_the_step_has, 0, 2);
	tcase_add_test(t, the_newest_of_a_directory_opens);
	tcase_add_loop_test(t, recordings_are_read, 0, ROWS(real));)
