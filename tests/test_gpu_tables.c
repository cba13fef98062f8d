/*
 * Tables of nvprof, nsys and rocprof: what they list becomes records, told here one a line as
 * KIND DEVICE/STREAM START+LENGTH NAME #CORRELATION launch NS bytes N (LAUNCH), or totals as
 * KIND CALLS x MEAN = TOTAL MIN..MAX NAME.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/files/recognise.h"
#include "dump/format/gzip.h"
#include "dump/profile/trace_table.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/traces.h"

static void open_bytes(const void *bytes, size_t len)
{
	trace_open_bytes(&table_source, bytes, len);
}

static void open_text(const char *text)
{
	trace_open_text(&table_source, text);
}

static void put_record(struct str *out, const struct activity *a)
{
	const char *const *names = trace->all.names.key;
	const struct trace_record *r = &trace->records.at[a->record];

	str_fmt(out, "%s %s/%s %" PRId64 "+%" PRId64 " %s", activity_kind_names[a->kind],
	        trace->devices[a->device], trace->streams.at[a->stream].text, a->start_ns,
	        a->len_ns, names[a->raw]);
	if (r->correlation != TRACE_NO_ID) {
		str_puts(out, " #");
		trace_put_id(trace, r->correlation, out);
	}
	if (a->launch_delay_ns != -1)
		str_fmt(out, " launch %" PRId64, a->launch_delay_ns);
	if (r->has_bytes)
		str_fmt(out, " bytes %" PRId64, a->bytes);
	if (a->launch != MAP_NONE)
		str_fmt(out, " (%s)", names[a->launch]);
	str_putc(out, '\n');
}

static void put_total(struct str *out, const struct trace_total *t)
{
	str_fmt(out, "%s %" PRId64 " x %" PRId64 " = %" PRId64 " %" PRId64 "..%" PRId64 " %s\n",
	        activity_kind_names[t->kind], t->calls, t->mean_ns, t->total_ns, t->min_ns,
	        t->max_ns, trace->all.names.key[t->raw]);
}

static void trace_is(const char *tool, const char *expected)
{
	struct str out = {0};

	for (size_t i = 0; i < trace->all.at.len; i++)
		put_record(&out, &trace->all.at.at[i]);
	for (size_t i = 0; i < trace->totals.len; i++)
		put_total(&out, &trace->totals.at[i]);
	ck_assert_str_eq(str_text(&out), expected);
	ck_assert_str_eq(trace->source->name, tool);
	str_release(&out);
}

static void warning_is(const char *expected)
{
	ck_assert_uint_eq(trace->warnings.len, expected != NULL);
	if (expected)
		ck_assert_str_eq(trace->warnings.at[0], expected);
}

/* Records. */

#define NVPROF "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\"," \
	"\"Block Z\",\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\"," \
	"\"Throughput\",\"Device\",\"Context\",\"Stream\",\"Name\"\n" \
	"ms,us,,,,,,,,B,KB,MB,GB/s,,,,\n"
#define NVPROF_ROWS \
	"182.840000,23.136000,,,,,,,,,,4.000000,181.3,\"Tesla V100 (0)\",\"1\",\"7\"," \
	"\"[CUDA memcpy HtoD]\"\n" \
	"182.890123,1976.900,8,4,1,256,1,1,16,1024,0.5,,,\"Tesla V100 (0)\",\"1\",\"14\"," \
	"\"axpy(int, float) [118]\"\n"
#define NVPROF_TOLD \
	"copy 0/7 182840000+23136 [CUDA memcpy HtoD] bytes 4194304\n" \
	"kernel 0/14 182890123+1976900 axpy(int, float) #118 " \
	"(regs:16 shm:1536 grid:8,4,1 block:256,1,1)\n"

#define NVPROF_TEXT \
	"==7== Profiling result:\n" \
	"   Start  Duration     Grid Size  Block Size  Regs*  SSMem*   DSMem*      Size  " \
	"Throughput           Device  Context  Stream  Name\n" \
	"182.84ms  23.136us             -           -      -       -        -  4.0000MB  " \
	"181.29GB/s  Tesla V100-SXM2        1       7  [CUDA memcpy HtoD]\n" \
	" 1.2500s     800ns       (8 4 1)   (256 1 1)     16      0B  1.500KB         -  " \
	"         -  Tesla V100-SXM2        1      14  axpy(int,  float) [118]\n" \
	"\nRegs: Number of registers used per CUDA thread.\n"

#define NSYS "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd," \
	"StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),Device,Ctx,Strm,Name\n"
#define NSYS_ROWS \
	"100,20,5,,,,,,,,,,4.194,9,Tesla V100 (3),1,7,[CUDA memcpy Host-to-Device]\n" \
	"200,30,6,2,1,1,64,1,1,8,0.001,0.002,,,Tesla V100 (3),1,7,\"f(int, int)\"\n"

#define ROCPROF3 "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Kernel_Name\"," \
	"\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\"," \
	"\"VGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\"," \
	"\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"

static const struct { const char *text, *tool, *told; } listed[] = {
	{ "==7== Profiling result:\n" NVPROF NVPROF_ROWS, "nvprof", NVPROF_TOLD },
	{ "======== Profiling result:\n" NVPROF NVPROF_ROWS "==7== done\n1,2\n", "nvprof",
	  NVPROF_TOLD },
	{ "epoch 1, loss 2.5, acc 0.1\n" NVPROF NVPROF_ROWS "\nepoch 2, loss, 3\n", "nvprof",
	  NVPROF_TOLD },
	{ "Start,Duration,Grid X,Grid Y,Grid Z,Registers Per Thread,Size (bytes),Device,Stream,"
	  "Name\nms,us,,,,,,,,\n1.5,2.5,8,4,1,16,,V100 (0),7,f [9]\n"
	  "2.5,1.5,,,,,64,V100 (0),7,[CUDA memset]\n", "nvprof",
	  "kernel 0/7 1500000+2500 f #9 (regs:16 grid:8,4,1)\n"
	  "copy 0/7 2500000+1500 [CUDA memset] bytes 64\n" },
	{ NVPROF_TEXT, "nvprof",
	  "copy Tesla V100-SXM2/7 182840000+23136 [CUDA memcpy HtoD] bytes 4194304\n"
	  "kernel Tesla V100-SXM2/14 1250000000+800 axpy(int,  float) #118 "
	  "(regs:16 shm:1536 grid:8,4,1 block:256,1,1)\n" },
	{ "\nNOTICE: Existing export found\n" NSYS NSYS_ROWS, "nsys",
	  "copy 3/7 100+20 [CUDA memcpy Host-to-Device] #5 bytes 4194000\n"
	  "kernel 3/7 200+30 f(int, int) #6 (regs:8 shm:3000 grid:2,1,1 block:64,1,1)\n" },
	{ "Start (us),Duration (ms),CorrId,GrdX,Device,Strm,Name\n1.5,\"1,000.25\",9,,D (0),1,f\n",
	  "nsys", "kernel 0/1 1500+1000250000 f #9\n" },
	{ "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"pid\",\"grd\",\"wgr\",\"lds\","
	  "\"vgpr\",\"DispatchNs\",\"BeginNs\",\"EndNs\"\n"
	  "3,\"f(int) [clone .kd]\",2,1,77,1000,256,512,4,100,150,170\n", "rocprof",
	  "kernel 2/1 150+20 f(int) [clone .kd] #3 launch 50 "
	  "(regs:4 shm:512 grid:4 block:256)\n" },
	{ "Dispatch_ID,GPU_ID,Queue_ID,GRD,WGR,LDS,Arch_VGPR,Kernel_Name,Start_Timestamp,"
	  "End_Timestamp,Correlation_ID\n\n1,64700,1,64,16,0,8,\"f (.kd)\",100,136,1\n",
	  "rocprof", "kernel 64700/1 100+36 f (.kd) #1 (regs:8 shm:0 grid:4 block:16)\n" },
	{ ROCPROF3 "\"KERNEL_DISPATCH\",\"Agent 2\",1,3,\"f\",16,100,182,0,4,64,2,1,640,3,1\n",
	  "rocprof", "kernel 2/3 100+82 f #16 (regs:4 shm:0 grid:10,2,1 block:64,2,1)\n" },
	{ ROCPROF3 "\"KERNEL_DISPATCH\",\"GPU 3\",1,,\"f\",16,100,182,0,4,0,2,1,640,3,1\n",
	  "rocprof", "kernel GPU 3/1 100+82 f #16 (regs:4 shm:0 block:0,2,1)\n" },
	{ "\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\",\"Correlation_Id\","
	  "\"Start_Timestamp\",\"End_Timestamp\"\n"
	  "\"MEMORY_COPY\",\"MEMORY_COPY_HOST_TO_DEVICE\",\"Agent 0\",\"Agent 2\",9,100,150\n"
	  "\"MEMORY_COPY\",\"DEVICE_TO_HOST\",\"Agent 4\",\"Agent 0\",10,200,250\n", "rocprof",
	  "copy 2/ 100+50 MEMORY_COPY_HOST_TO_DEVICE #9\n"
	  "copy 4/ 200+50 DEVICE_TO_HOST #10\n" },
};

START_TEST(rows_become_records)
{
	open_text(listed[_i].text);
	trace_is(listed[_i].tool, listed[_i].told);
	ck_assert_uint_eq(trace->n_left_out, 0);
	warning_is(NULL);
}
END_TEST

START_TEST(copies_are_named_by_their_way)
{
	static const struct { const char *raw, *name; } ways[] = {
		{ "[CUDA memcpy HtoD]", "[copy H2D]" }, { "[CUDA memset]", "[copy Memset]" },
		{ "[CUDA memcpy Peer-to-Peer]", "[copy P2P]" },
		{ "[CUDA Unified Memory memcpy DtoH]", "[copy D2H]" },
		{ "[CUDA memcpy DtoA]", "[copy Other]" },
	};
	struct str text = {0};

	for (int i = 0; i < ROWS(ways); i++) {
		str_reset(&text);
		str_fmt(&text, NSYS "1,2,5,,,,,,,,,,4,9,V100 (3),1,7,%s\n", ways[i].raw);
		open_text(text.text);
		ck_assert_uint_eq(trace->all.n_of[ACTIVITY_COPY], 1);
		ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].kernel], ways[i].name);
	}
	str_release(&text);
}
END_TEST

START_TEST(rows_that_cannot_be_used_are_counted)
{
	static const char *const rows[] = {
		"100,20,5\n", "100,-1,5,,,,,,,,,,,,D (3),1,7,f\n",
		"x,20,5,,,,,,,,,,,,D (3),1,7,f\n",
		"9000000000000000000,9000000000000000000,5,,,,,,,,,,,,D (3),1,7,f\n",
		"100,1e99,5,,,,,,,,,,,,D (3),1,7,f\n", "1 parsec,2,5,,,,,,,,,,,,D (3),1,7,f\n",
	};
	struct str text = {0};

	for (int i = 0; i < ROWS(rows); i++) {
		str_reset(&text);
		str_fmt(&text, NSYS "%s" NSYS_ROWS, rows[i]);
		open_text(text.text);
		ck_assert_uint_eq(trace->all.at.len, 2);
		ck_assert_uint_eq(trace->n_left_out, 1);
		warning_is("1 rows could not be read.");
	}
	str_release(&text);
}
END_TEST

START_TEST(streams_of_processes_are_kept_apart)
{
	open_text("==7== Profiling result:\n" NVPROF NVPROF_ROWS "==8== Profiling result:\n" NVPROF
	          NVPROF_ROWS);
	warning_is("The file holds 2 processes; streams are shown as P:S.");
	ck_assert_uint_eq(trace->streams.len, 4);
	ck_assert_str_eq(trace->all.streams.key[0], "7:7");
	ck_assert_str_eq(trace->streams.at[0].text, "7");
	ck_assert_str_eq(trace->streams.at[0].process, "7");
	ck_assert_str_eq(trace->all.streams.key[3], "8:14");
	open_text("==7== Profiling result:\n" NVPROF NVPROF_ROWS "\n==7== Profiling result:\n"
	          NVPROF NVPROF_ROWS);
	warning_is(NULL);
	ck_assert_uint_eq(trace->all.at.len, 4);
	ck_assert_str_eq(trace->all.streams.key[1], "14");
	ck_assert_ptr_null(trace->streams.at[1].process);
}
END_TEST

START_TEST(one_table_may_follow_another)
{
	static const char copies[] =
		"\"Kind\",\"Direction\",\"Source_Agent_Id\",\"Destination_Agent_Id\","
		"\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
		"\"MEMORY_COPY\",\"HOST_TO_DEVICE\",0,2,9,10,15\n";
	struct str text = {0};

	str_fmt(&text, ROCPROF3 "\"K\",2,1,3,\"f\",16,100,182,0,4,64,2,1,640,3,1\n%s" ROCPROF3
	        "\"K\",2,1,3,\"g\",17,200,282,0,4,64,2,1,640,3,1\n", copies);
	open_text(text.text);
	ck_assert_uint_eq(trace->all.n_of[ACTIVITY_KERNEL], 2);
	ck_assert_uint_eq(trace->all.n_of[ACTIVITY_COPY], 1);
	ck_assert_uint_eq(trace->n_left_out, 0);
	str_release(&text);
}
END_TEST

/* Totals. */

#define NSYS_SUM "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns)," \
	"StdDev (ns),Name\n75.0,300,3,100.4,100.0,90,110,5.0,\"f(int, int)\"\n" \
	"25.0,100,1,100.0,100.0,100,100,0.0,g\n"
#define NSYS_API "Time (%),Total Time (ns),Num Calls,Avg (ns),Min (ns),Max (ns),Name\n" \
	"99,5000,2,2500,1,4999,cudaMalloc\n"

static const struct { const char *text, *tool, *told; } summed[] = {
	{ "==5== Profiling result:\n"
	  "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
	  " GPU activities:   74.12%  11.450ms         1  11.450ms  11.450ms  11.450ms  "
	  "gemm<f,  8>\n"
	  "                    9.25%  3.9320ms         3  1.3107ms     800ns  1.9769ms  f(int)\n"
	  "                    0.26%  40.704us         1  40.704us  40.704us  40.704us  "
	  "[CUDA memcpy DtoH]\n"
	  "      API calls:   65.38%  165.51ms         3  55.170ms  388.00us  164.73ms  "
	  "cudaMalloc\n",
	  "nvprof",
	  "kernel 1 x 11450000 = 11450000 11450000..11450000 gemm<f,  8>\n"
	  "kernel 3 x 1310700 = 3932000 800..1976900 f(int)\n"
	  "copy 1 x 40704 = 40704 40704..40704 [CUDA memcpy DtoH]\n" },
	{ "==5== Profiling result:\n"
	  "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
	  "%,ms,,us,ns,ms,\n25.0,3.932021,3,1310.6736,800.0,1.9769,\"f(int)\"\n"
	  "\n==5== API calls:\n\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
	  "%,ms,,us,ns,ms,\n25.0,3.9,3,1310.67,800.0,1.97,\"cudaMalloc\"\n", "nvprof",
	  "kernel 3 x 1310674 = 3932021 800..1976900 f(int)\n" },
	{ NSYS_API "\n" NSYS_SUM "\n", "nsys",
	  "kernel 3 x 100 = 300 90..110 f(int, int)\nkernel 1 x 100 = 100 100..100 g\n" },
	{ "[6/8] Executing 'cuda_gpu_kern_sum' stats report\n\n"
	  " Time (%)  Total Time (ns)  Instances   Avg (ns)    Min (ns)  Max (ns)     Name   \n"
	  " --------  ---------------  ---------  -----------  --------  ---------  ---------\n"
	  "     74.4       11,450,000      1,000     11,450.0      -450      1,450  gemm<1>  2\n"
	  "     25.6        3,932,021          3  1,310,673.7       800  1,976,900  f(int, int)\n\n"
	  "Generated:\n", "nsys",
	  "kernel 1000 x 11450 = 11450000 -450..1450 gemm<1>  2\n"
	  "kernel 3 x 1310674 = 3932021 800..1976900 f(int, int)\n" },
	{ "Time (%),Total Time (us),Count,Avg (us),Min (us),Max (us),Operation\n"
	  "62.3,40.704,1,40.704,40.704,40.704,[CUDA memcpy Device-to-Host]\n", "nsys",
	  "copy 1 x 40704 = 40704 40704..40704 [CUDA memcpy Device-to-Host]\n" },
	{ "Time (%),Total Time (ns),Instances,Avg (ns),Category,Operation\n"
	  "60.0,300,3,100.0,CUDA_KERNEL,f\n40.0,200,1,200.0,MEMORY_OPER,[CUDA memset]\n", "nsys",
	  "kernel 3 x 100 = 300 -1..-1 f\ncopy 1 x 200 = 200 -1..-1 [CUDA memset]\n" },
	/* The same kernels summed up by grid and block too. */
	{ NSYS_SUM "\nTime (%),Total Time (ns),Instances,GridXYZ,BlockXYZ,Name\n"
	  "75.0,300,3,1 1 1,2 1 1,\"f(int, int)\"\n\n" NSYS_SUM, "nsys",
	  "kernel 3 x 100 = 300 90..110 f(int, int)\nkernel 3 x 100 = 300 90..110 f(int, int)\n"
	  "kernel 1 x 100 = 100 100..100 g\nkernel 1 x 100 = 100 100..100 g\n" },
	{ "Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,StdDev,Name\n"
	  "1.0,300,3,100.4,90,110,5.0,f\n", "nsys", "kernel 3 x 100 = 300 90..110 f\n" },
	{ "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n"
	  "\"f(int) [clone .kd]\",3,12000,4000,0.9\n", "rocprof",
	  "kernel 3 x 4000 = 12000 -1..-1 f(int) [clone .kd]\n" },
};

START_TEST(summaries_become_totals)
{
	open_text(summed[_i].text);
	trace_is(summed[_i].tool, summed[_i].told);
	warning_is("Only totals are recorded: no timeline.");
}
END_TEST

/* Of kernels of one name the mean is that of all their calls. */
START_TEST(totals_of_one_name_are_one_row)
{
	struct str text = {0};
	struct shell *shell;

	str_puts(&text, NSYS_SUM "25.0,500,1,500.0,500.0,500,500,0.0,\"f(int, int)\"\n");
	shell = session_of(file_of(text.text, text.len));
	session_answers(shell, "kernels", "800ns      4  200ns  500ns  f");
	shell_free(shell);
	str_release(&text);
}
END_TEST

START_TEST(records_win_over_totals)
{
	open_text(NSYS_SUM "\n" NSYS NSYS_ROWS);
	ck_assert_uint_eq(trace->all.at.len, 2);
	ck_assert_uint_eq(trace->totals.len, 0);
	warning_is(NULL);
}
END_TEST

START_TEST(totals_too_large_for_a_sum_are_left_out)
{
	open_text("Time(%),Total Time (ns),Instances,Average,Minimum,Maximum,Name\n"
	          "1.0,2000000000000000000,3,1,90,110,f\n1.0,2000000000000000000,3,1,90,110,g\n"
	          "1.0,1,2000000000000000000,1,90,110,h\n1,1,1,8000000000000000000,1,1,i\n"
	          "1,-1,1,1,1,1,j\n1,1,0,1,1,1,k\n");
	ck_assert_uint_eq(trace->totals.len, 2);
	ck_assert_uint_eq(trace->n_left_out, 4);
}
END_TEST

/* Of what the totals of rocprof are the name of the file says. */
START_TEST(names_of_files_tell_what_rocprof_summed_up)
{
	static const char text[] = "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\n"
	                           "x,1,5,5\n";
	static const struct { const char *name; int kind; } files[] = {
		{ "results.stats.csv", ACTIVITY_KERNEL }, { "1_kernel_stats.csv", ACTIVITY_KERNEL },
		{ "results.copy_stats.csv", ACTIVITY_COPY },
		{ "1_memory_copy_stats.csv", ACTIVITY_COPY },
		{ "results.hip_stats.csv", -1 }, { "results.hsa_stats.csv", -1 },
		{ "1_hip_api_stats.csv", -1 }, { "1_domain_stats.csv", -1 },
	};
	char *dir = scratch_new();
	struct str path = {0};

	for (int i = 0; i < ROWS(files); i++) {
		struct trace *made;

		str_reset(&path);
		str_fmt(&path, "%s/%s", dir, files[i].name);
		dump_put(dir, files[i].name, text, sizeof text - 1);
		made = trace_load(path.text, &table_source, NULL, NULL, &trace_err);
		if (files[i].kind < 0) {
			ck_assert_ptr_null(made);
			ck_assert_str_eq(trace_err.msg, "only API calls are recorded, no kernels.");
			continue;
		}
		ck_assert_int_eq((int)made->totals.at[0].kind, files[i].kind);
		trace_free(made);
	}
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* What is refused. */

static const struct { const char *text, *why; } refused[] = {
	{ "==77== Profiling result:\nNo kernels were profiled.\n", "nvprof recorded no kernels." },
	{ "==77== Profiling result:\nNo kernels were profiled.\n==77== API calls:\n"
	  "Time(%)      Time     Calls       Avg       Min       Max  Name\n"
	  " 74.12%  11.450ms         1  11.450ms  11.450ms  11.450ms  cudaFree\n",
	  "nvprof recorded no kernels." },
	{ "==9== Metric result:\n\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\"\n"
	  "\"V100 (0)\",\"f\",3,\"achieved_occupancy\",0.9\n",
	  "nvprof metrics are not supported." },
	{ "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\nus,us,,\n0.0,2.8,\"cuInit\",1\n",
	  "only API calls are recorded, no kernels." },
	{ NSYS_API, "only API calls are recorded, no kernels." },
	{ "\"Domain\",\"Function\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
	  "\"HIP\",\"hipMalloc\",1,5,6\n", "only API calls are recorded, no kernels." },
	{ "\"Index\",\"KernelName\",\"gpu-id\",\"SQ_WAVES\"\n0,\"f\",0,1024\n",
	  "rocprof counters without times." },
	{ "==77== NVPROF is profiling process 77\n", "no table of kernels is in it" },
	{ "", "no table of kernels is in it" },
};

START_TEST(tables_without_kernels_are_refused)
{
	open_bytes(refused[_i].text, strlen(refused[_i].text));
	ck_assert_ptr_null(trace);
	ck_assert_int_eq(trace_err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(trace_err.msg, refused[_i].why);
}
END_TEST

/* Of both kinds. */
static const char *text_at(int i)
{
	return i < ROWS(listed) ? listed[i].text : summed[i - ROWS(listed)].text;
}

/* Cut anywhere, a file has no more in it, and what is whole is read, or it is said to be cut. */
static void cut_everywhere(const char *text)
{
	size_t len = strlen(text), n_before = 0;

	for (size_t n = 0; n < len; n++) {
		size_t now;

		open_bytes(text, n);
		now = trace ? trace->all.at.len + trace->totals.len : 0;
		ck_assert(trace || trace_err.code == ERR_UNSUPPORTED);
		ck_assert(now >= n_before || trace_err.code || trace->damage.len);
		n_before = now;
	}
}

START_TEST(every_cut_gives_what_is_whole)
{
	cut_everywhere(text_at(_i));
}
END_TEST

START_TEST(tables_are_recognised_packed_or_not)
{
	char *dir = scratch_new();
	struct str path = {0};
	enum file_kind kind;

	str_fmt(&path, "%s/a", dir);
	for (int i = 0; i < ROWS(listed) + ROWS(summed); i++) {
		const char *text = text_at(i);

		ck_assert(recognise(file_of(text, strlen(text)), &kind, NULL));
		ck_assert_msg(kind == FILE_KERNEL_TABLE, "%s", text);
		ck_assert(gzip_write(path.text, text, strlen(text), NULL));
		ck_assert(recognise(path.text, &kind, NULL));
		ck_assert_msg(kind == FILE_KERNEL_TABLE, "%s", text);
		trace_free(trace);
		trace = trace_load(path.text, &table_source, NULL, NULL, &trace_err);
		ck_assert_msg(trace != NULL, "%s", trace_err.msg);
		ck_assert(trace->all.at.len || trace->totals.len);
	}
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

START_TEST(a_table_in_utf16_opens)
{
	static const char text[] = NSYS NSYS_ROWS;
	struct str wide = {0};
	enum file_kind kind;

	str_puts(&wide, "\xff\xfe");
	for (size_t i = 0; i < sizeof text - 1; i++)
		str_put(&wide, (char[]){ text[i], 0 }, 2);
	ck_assert(recognise(file_of(wide.text, wide.len), &kind, NULL));
	ck_assert_int_eq(kind, FILE_KERNEL_TABLE);
	open_bytes(wide.text, wide.len);
	ck_assert(trace && trace->all.at.len == 2 && !trace->n_left_out);
	str_release(&wide);
}
END_TEST

/* Cut within a quoted field: what stands there is no name of a kernel. */
START_TEST(a_row_without_its_last_quote_is_left_out)
{
	struct str text = {0};
	size_t text_len;

	str_puts(&text, NVPROF NVPROF_ROWS "190.000000,1.000,,,,,,,,,,1.000000,1.3,"
	                "\"Tesla V100 (0)\",\"1\",\"7\",\"[CUDA me");
	open_bytes(text.text, text.len);
	ck_assert_uint_eq(trace->all.at.len, 2);
	ck_assert_uint_eq(trace->damage.len, 1);
	text_len = text.len;
	str_reset(&text);
	str_fmt(&text, "1 row is left out: a quoted field has no end (byte %zu).",
	        text_len);
	warning_is(text.text);
	str_release(&text);
}
END_TEST

/* Of a last field without quotes nothing tells whether it is whole; the tools end every line. */
static const struct { const char *last; size_t n; const char *warning; } last_lines[] = {
	{ "1.5,2,9,,D (0),1,name", 2,
	  "The last line does not end with a newline: its last field may be cut (byte 98)." },
	{ "1.5,2,9,,D (0),1,name\n", 2, NULL }, { "1.5,2,9,,D (0),1,\"name\"", 2, NULL },
	{ "1.5,2,9,,D (0)", 1, "1 rows could not be read." },
};

START_TEST(a_last_field_may_be_cut)
{
	struct str text = {0};

	str_puts(&text, "Start (us),Duration (ms),CorrId,GrdX,Device,Strm,Name\n"
	                "1.5,2,9,,D (0),1,first\n");
	str_puts(&text, last_lines[_i].last);
	open_bytes(text.text, text.len);
	ck_assert_uint_eq(trace->all.at.len, last_lines[_i].n);
	ck_assert_uint_eq(trace->damage.len, last_lines[_i].n == 1);
	warning_is(last_lines[_i].warning);
	str_release(&text);
}
END_TEST

/* Cut behind a comma: there was a last field, which is no empty name. */
START_TEST(a_row_without_its_last_field_is_left_out)
{
	static const char row[] = "190.000000,1.000,,,,,,,,,,1.000000,1.3,"
	                          "\"Tesla V100 (0)\",\"1\",\"7\",";
	struct str text = {0}, warning = {0};

	str_puts(&text, NVPROF NVPROF_ROWS);
	str_puts(&text, row);
	open_bytes(text.text, text.len);
	ck_assert_uint_eq(trace->all.at.len, 2);
	ck_assert_uint_eq(trace->damage.len, 1);
	str_fmt(&warning, "1 row is left out: the file ends behind its last comma and may be "
	        "cut (byte %zu).",
	        text.len);
	warning_is(warning.text);
	str_puts(&text, "\n");           /* the name is empty */
	open_bytes(text.text, text.len);
	ck_assert_uint_eq(trace->all.at.len, 3);
	ck_assert_uint_eq(trace->damage.len, 0);
	str_release(&text);
	str_release(&warning);
}
END_TEST

START_TEST(a_packed_file_that_is_cut_says_so)
{
	char *dir = scratch_new();
	struct str path = {0}, packed = {0}, text = {0};

	str_fmt(&path, "%s/a.gz", dir);
	str_puts(&text, NSYS);
	for (int i = 0; i < 500; i++)
		str_fmt(&text, "%d,20,%d,,,,,,,,,,%d,9,V100 (3),1,7,[CUDA memset]\n", 100 * i, i,
		        i * 7919 % 1000);
	ck_assert(gzip_write(path.text, text.text, text.len, NULL));
	ck_assert(read_whole(path.text, &packed));
	open_bytes(packed.text, packed.len / 2);
	ck_assert(trace && trace->all.at.len > 10 && trace->all.at.len < 500);
	ck_assert_ptr_nonnull(strstr(trace->warnings.at[0], "could not be read to its end"));
	str_release(&path);
	str_release(&packed);
	str_release(&text);
	scratch_remove(dir);
}
END_TEST

START_TEST(reading_can_be_cancelled)
{
	struct str text = {0};

	str_puts(&text, NSYS);
	for (int i = 0; i < 5000; i++)
		str_puts(&text, NSYS_ROWS);
	trace_is_cancelled(&table_source, &text);
	str_release(&text);
}
END_TEST

SUITE_MAIN("gpu_tables",
	tcase_add_checked_fixture(t, NULL, trace_let_go);
	tcase_add_loop_test(t, rows_become_records, 0, ROWS(listed));
	tcase_add_test(t, copies_are_named_by_their_way);
	tcase_add_test(t, rows_that_cannot_be_used_are_counted);
	tcase_add_test(t, streams_of_processes_are_kept_apart);
	tcase_add_test(t, one_table_may_follow_another);
	tcase_add_loop_test(t, summaries_become_totals, 0, ROWS(summed));
	tcase_add_test(t, totals_of_one_name_are_one_row);
	tcase_add_test(t, records_win_over_totals);
	tcase_add_test(t, totals_too_large_for_a_sum_are_left_out);
	tcase_add_test(t, names_of_files_tell_what_rocprof_summed_up);
	tcase_add_loop_test(t, tables_without_kernels_are_refused, 0, ROWS(refused));
	tcase_add_loop_test(t, every_cut_gives_what_is_whole, 0, ROWS(listed) + ROWS(summed));
	tcase_add_test(t, tables_are_recognised_packed_or_not);
	tcase_add_test(t, a_table_in_utf16_opens);
	tcase_add_test(t, a_row_without_its_last_quote_is_left_out);
	tcase_add_loop_test(t, a_last_field_may_be_cut, 0, ROWS(last_lines));
	tcase_add_test(t, a_row_without_its_last_field_is_left_out);
	tcase_add_test(t, a_packed_file_that_is_cut_says_so);
	tcase_add_test(t, reading_can_be_cancelled);
)
