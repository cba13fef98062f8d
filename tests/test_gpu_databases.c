/*
 * Databases of GPU profilers, made here by SQL: what they list becomes records, told one a line as
 * KIND DEVICE/STREAM START+LENGTH NAME #CORRELATION op OP launch NS step N bytes N (LAUNCH).
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "dump/files/recognise.h"
#include "dump/format/gzip.h"
#include "dump/profile/trace_database.h"
#include "tests/message.h"
#include "tests/program.h"

static struct trace *trace;
static struct err err;
static char *dir;
static struct str path;

static void set_up(void)
{
	dir = scratch_new();
	str_fmt(&path, "%s/made.sqlite", dir);
}

static void tear_down(void)
{
	trace_free(trace);
	trace = NULL;
	str_release(&path);
	scratch_remove(dir);
}

/* Small pages: little to cut. */
static void make(const char *sql)
{
	sqlite3 *db;

	unlink(path.text);
	ck_assert_int_eq(sqlite3_open(path.text, &db), SQLITE_OK);
	sqlite3_exec(db, "PRAGMA page_size=512", NULL, NULL, NULL);
	ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, "%s",
	              sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void load(const char *name)
{
	trace_free(trace);
	err = (struct err){0};
	trace = trace_load(name, &database_source, NULL, NULL, &err);
}

static void open_made(const char *sql)
{
	make(sql);
	load(path.text);
}

static void put_record(struct str *out, const struct activity *a)
{
	const char *const *names = trace->all.names.key;
	const struct trace_record *r = &trace->records.at[a->record];

	str_fmt(out, "%s %s/%s %" PRId64 "+%" PRId64 " %s", activity_kind_names[a->kind],
	        trace->devices[a->device], trace->all.streams.key[a->stream], a->start_ns,
	        a->len_ns, names[a->raw]);
	if (r->correlation != TRACE_NO_ID)
		str_fmt(out, " #%" PRId64, r->correlation);
	if (r->op != TRACE_OP_NONE)
		str_fmt(out, " op %s", names[a->node]);
	if (a->launch_delay_ns != -1)
		str_fmt(out, " launch %" PRId64, a->launch_delay_ns);
	if (r->step != TRACE_OUTSIDE)
		str_fmt(out, " step %s", trace->steps.at[r->step].label);
	if (r->has_bytes)
		str_fmt(out, " bytes %" PRId64, a->bytes);
	if (a->launch != MAP_NONE)
		str_fmt(out, " (%s)", names[a->launch]);
	str_putc(out, '\n');
}

static void put_records(struct str *out)
{
	for (size_t i = 0; i < trace->all.at.len; i++)
		put_record(out, &trace->all.at.at[i]);
}

static void trace_is(const char *tool, const char *expected)
{
	struct str out = {0};

	ck_assert_msg(trace != NULL, "%s", err.msg);
	put_records(&out);
	ck_assert_str_eq(str_text(&out), expected);
	ck_assert_str_eq(trace->source->name, tool);
	str_release(&out);
}

/* nsys. */

#define STRINGS "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);" \
	"INSERT INTO StringIds VALUES(1,'gemm<float>(int)'),(2,'gemm'),(3,'layer1/mm');"
#define KERNELS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, " \
	"streamId INT, correlationId INT, globalPid INT, demangledName INT, shortName INT, " \
	"registersPerThread INT, gridX INT, gridY INT, gridZ INT, blockX INT, blockY INT, " \
	"blockZ INT, staticSharedMemory INT, dynamicSharedMemory INT);"
#define KERNEL "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES"
#define CALLS "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, " \
	"correlationId INT);"
#define CALL "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES"
#define RANGES "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, " \
	"globalTid INT, textId INT);"
#define RANGE "INSERT INTO NVTX_EVENTS VALUES"
/* Process 5, its thread 7. */
#define PID "83886080"
#define TID "83886087"
#define SHAPE ",16,8,4,1,256,1,1,100,28"
#define SHAPE_TOLD " (regs:16 shm:128 grid:8,4,1 block:256,1,1)\n"

START_TEST(kernels_have_names_and_shapes)
{
	open_made(STRINGS KERNELS KERNEL "(100,150,0,7,11," PID ",1,2" SHAPE "),"
	          "(200,250,1,7,12," PID ",9,2,NULL,1,1,NULL,1,1,1,NULL,4);");
	trace_is("nsys", "kernel 0/7 100+50 gemm<float>(int) #11" SHAPE_TOLD
	         "kernel 1/7 200+50  #12 (block:1,1,1)\n");
	ck_assert_uint_eq(trace->warnings.len, 0);
}
END_TEST

START_TEST(a_minimal_export_is_enough)
{
	open_made(STRINGS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, "
	          "deviceId INT, streamId INT, demangledName INT);"
	          KERNEL "(100,150,0,7,1);");
	trace_is("nsys", "kernel 0/7 100+50 gemm<float>(int)\n");
}
END_TEST

START_TEST(copies_are_named_by_the_enumeration)
{
#define COPIES "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, " \
	"streamId INT, correlationId INT, bytes INT, copyKind INT);" \
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1,2,0,7,3,4096,1),(3,4,0,7,4,NULL,9);" \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT, " \
	"bytes INT);INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(5,6,0,7,8);"
	open_made(STRINGS COPIES);
	trace_is("nsys", "copy 0/7 1+1 [CUDA memcpy Host-to-Device] #3 bytes 4096\n"
	         "copy 0/7 3+1 [CUDA memcpy ?] #4\ncopy 0/7 5+1 [CUDA memset] bytes 8\n");
	ck_assert_uint_eq(trace->warnings.len, 1);       /* no kernels */
	open_made(STRINGS COPIES "CREATE TABLE ENUM_CUDA_MEMCPY_OPER(id INT, label TEXT);"
	          "INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES(9,'Unified HtoD');");
	trace_is("nsys", "copy 0/7 1+1 [CUDA memcpy ?] #3 bytes 4096\n"
	         "copy 0/7 3+1 [CUDA memcpy Unified HtoD] #4\n"
	         "copy 0/7 5+1 [CUDA memset] bytes 8\n");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[1].kernel], "[copy H2D]");
}
END_TEST

/* By process and correlation; of two records of a call the first by start waited for it. */
START_TEST(launches_are_found)
{
	open_made(STRINGS KERNELS KERNEL "(300,350,0,7,11," PID ",1,2" SHAPE "),"
	          "(200,250,0,7,11," PID ",1,2" SHAPE "),"
	          "(400,450,0,7,11,NULL,1,2" SHAPE "),(500,550,0,7,-1," PID ",1,2" SHAPE "),"
	          "(600,650,0,7,4294967296," PID ",1,2" SHAPE ");"
	          CALLS CALL "(90,95,16777217,11),(100,105," TID ",11),(120,125," TID ",11);");
	trace_is("nsys", "kernel 0/7 300+50 gemm<float>(int) #11" SHAPE_TOLD
	         "kernel 0/7 200+50 gemm<float>(int) #11 launch 100" SHAPE_TOLD
	         "kernel 0/7 400+50 gemm<float>(int) #11 launch 310" SHAPE_TOLD
	         "kernel 0/7 500+50 gemm<float>(int)" SHAPE_TOLD
	         "kernel 0/7 600+50 gemm<float>(int) #4294967296" SHAPE_TOLD);
}
END_TEST

START_TEST(ops_are_the_innermost_ranges)
{
	open_made(STRINGS KERNELS KERNEL "(1000,1010,0,7,1," PID ",1,2" SHAPE "),"
	          "(2000,2010,0,7,2," PID ",1,2" SHAPE "),(3000,3010,0,7,3," PID ",1,2" SHAPE "),"
	          "(4000,4010,0,7,4," PID ",1,2" SHAPE "),(5000,5010,0,7,5," PID ",1,2" SHAPE ");"
	          CALLS CALL "(60,61," TID ",1),(110,111," TID ",2),(25,26," TID ",3),"
	          "(60,61,83886088,4),(500,501," TID ",5);"
	          RANGES RANGE "(0,200,59,'step 3'," TID ",NULL),(20,100,59,NULL," TID ",3),"
	          "(50,70,59,'aten::mm, op_id = 17'," TID ",NULL),"
	          "(55,65,60,'start and end'," TID ",NULL),(58,NULL,59,'open'," TID ",NULL),"
	          "(90,80,59,'backwards'," TID ",NULL);");
	trace_is("nsys", "kernel 0/7 1000+10 gemm<float>(int) #1 op aten::mm launch 940 step 3"
	         SHAPE_TOLD
	         "kernel 0/7 2000+10 gemm<float>(int) #2 op step 3 launch 1890 step 3" SHAPE_TOLD
	         "kernel 0/7 3000+10 gemm<float>(int) #3 op layer1/mm launch 2975 step 3" SHAPE_TOLD
	         "kernel 0/7 4000+10 gemm<float>(int) #4 launch 3940 step 3" SHAPE_TOLD
	         "kernel 0/7 5000+10 gemm<float>(int) #5 launch 4500" SHAPE_TOLD);
	ck_assert_int_eq(trace->records.at[0].op, TRACE_OP_TOLD);
	ck_assert_str_eq(trace->all.names.key[trace->records.at[0].told], "aten::mm, op_id = 17");
}
END_TEST

START_TEST(processes_are_kept_apart)
{
	open_made(STRINGS KERNELS KERNEL "(100,150,0,7,11," PID ",1,2" SHAPE "),"
	          "(100,150,0,7,11,100663296,1,2" SHAPE ");");
	trace_is("nsys", "kernel 0/5:7 100+50 gemm<float>(int) #11" SHAPE_TOLD
	         "kernel 0/6:7 100+50 gemm<float>(int) #11" SHAPE_TOLD);
	ck_assert_str_eq(trace->warnings.at[0],
	                 "The file holds 2 processes; streams are shown as P:S.");
}
END_TEST

START_TEST(the_database_of_nvprof_opens)
{
	open_made("CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY, value TEXT);"
	          "INSERT INTO StringTable VALUES(1,'_Z4gemmIfEvv');"
	          "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start INT, end INT, "
	          "deviceId INT, streamId INT, correlationId INT, name INT);"
	          "INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES(10,15,0,7,3,1);"
	          "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, correlationId INT);"
	          CALL "(4,3);");
	trace_is("nvprof", "kernel 0/7 10+5 _Z4gemmIfEvv #3 launch 6\n");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].kernel], "void gemm<float>()");
}
END_TEST

/* rocpd. */

#define SESSION(u, kernel) \
	"CREATE TABLE rocpd_string" u "(id INT, string TEXT);" \
	"INSERT INTO rocpd_string" u " VALUES(1,'MEMORY_COPY_DEVICE_TO_HOST'),(2,'other');" \
	"CREATE TABLE rocpd_info_agent" u "(id INT, type TEXT, type_index INT);" \
	"INSERT INTO rocpd_info_agent" u " VALUES(1,'CPU',0),(2,'GPU',1);" \
	"CREATE TABLE rocpd_info_kernel_symbol" u "(id INT, display_name TEXT, kernel_name TEXT);" \
	"INSERT INTO rocpd_info_kernel_symbol" u " VALUES(1,'" kernel "','x.kd'),(2,NULL,'y.kd');" \
	"CREATE TABLE rocpd_kernel_dispatch" u "(id INT, pid INT, agent_id INT, kernel_id INT, " \
	"queue_id INT, stream_id INT, start INT, end INT, group_segment_size INT, " \
	"workgroup_size_x INT, workgroup_size_y INT, workgroup_size_z INT, grid_size_x INT, " \
	"grid_size_y INT, grid_size_z INT, event_id INT);" \
	"INSERT INTO rocpd_kernel_dispatch" u " VALUES(1,1,2,1,1,3,100,150,64,64,2,1,640,3,1,9)," \
	"(2,1,2,2,4,NULL,200,260,0,0,1,1,1,1,1,NULL);" \
	"CREATE TABLE rocpd_memory_copy" u "(id INT, pid INT, start INT, end INT, name_id INT, " \
	"dst_agent_id INT, src_agent_id INT, size INT, queue_id INT, stream_id INT, " \
	"event_id INT);" \
	"INSERT INTO rocpd_memory_copy" u " VALUES(1,1,300,310,1,1,2,4096,1,0,7);"
#define SESSION_TOLD(kernel) \
	"kernel 1/3 100+50 " kernel " #9 (shm:64 grid:10,2,1 block:64,2,1)\n" \
	"kernel 1/4 200+60 y.kd (shm:0)\n" \
	"copy 1/0 300+10 MEMORY_COPY_DEVICE_TO_HOST #7 bytes 4096\n"

START_TEST(rocpd_has_tables_by_session)
{
	open_made(SESSION("_a1", "f(int)"));
	trace_is("rocprof", SESSION_TOLD("f(int)"));
	open_made(SESSION("_a1", "f(int)") SESSION("_b2", "g")
	          "CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch_a1;");
	trace_is("rocprof", SESSION_TOLD("f(int)") SESSION_TOLD("g"));
}
END_TEST

START_TEST(rocpd_may_have_copies_only)
{
	open_made("CREATE TABLE rocpd_string_x(id INT, string TEXT);"
	          "INSERT INTO rocpd_string_x VALUES(1,'MEMORY_COPY_HOST_TO_DEVICE');"
	          "CREATE TABLE rocpd_memory_copy_x(start INT, end INT, name_id INT, size INT);"
	          "INSERT INTO rocpd_memory_copy_x VALUES(1,2,1,8);");
	trace_is("rocprof", "copy /0 1+1 MEMORY_COPY_HOST_TO_DEVICE bytes 8\n");
}
END_TEST

/* Made to mislead. */

static const struct { const char *sql, *told; uint64_t left_out; } odd[] = {
	/* Types that no exporter writes. SQLite makes '100' a number; other times are none. */
	{ STRINGS KERNELS KERNEL "('100','150',0,7,11," PID ",1,2" SHAPE "),"
	  "(100,NULL,0,7,11," PID ",1,2" SHAPE "),(1.5,2,0,7,11," PID ",1,2" SHAPE "),"
	  "(x'00',150,0,7,11," PID ",1,2" SHAPE "),(150,100,0,7,11," PID ",1,2" SHAPE "),"
	  "(-9223372036854775807,9223372036854775807,0,7,11," PID ",1,2" SHAPE ");",
	  "kernel 0/7 100+50 gemm<float>(int) #11" SHAPE_TOLD, 5 },
	{ STRINGS KERNELS KERNEL "(100,150,'zero',x'07','c','p','n',NULL,'r',1,2,'z',"
	  "NULL,NULL,NULL,9223372036854775807,1);", "kernel 0/0 100+50 \n", 0 },
	{ STRINGS KERNELS KERNEL "(100,150,-1,9223372036854775807,9223372036854775807,-1,"
	  "9223372036854775807,2,-5,-1,-1,-1,1,1,1,NULL,NULL);",
	  "kernel -1/9223372036854775807 100+50  "
	  "(regs:-5 grid:-1,-1,-1 block:1,1,1)\n", 0 },
	/* Ids twice, names that are no text. */
	{ "CREATE TABLE StringIds(id, value);INSERT INTO StringIds VALUES(1,'a'),(1,'b'),"
	  "('1','c'),(NULL,'d'),(2,7),(3,x'41');" KERNELS
	  KERNEL "(1,2,0,7,1,NULL,1,1" SHAPE "),(3,4,0,7,1,NULL,2,2" SHAPE ");",
	  "kernel 0/7 1+1 b #1" SHAPE_TOLD "kernel 0/7 3+1  #1" SHAPE_TOLD, 0 },
	/* Columns that would be computed are none. */
	{ STRINGS "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, "
	  "streamId INT AS (length(zeroblob(1000000000))));"
	  KERNEL "(100,150,0);", "kernel 0/0 100+50 \n", 0 },
	/* A name for one thing that means another. */
	{ STRINGS KERNELS KERNEL "(1,2,0,7,1,NULL,1,1" SHAPE ");"
	  "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMCPY AS WITH RECURSIVE n(i) AS "
	  "(SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i AS start, i AS end FROM n;"
	  "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM StringIds; END;",
	  "kernel 0/7 1+1 gemm<float>(int) #1" SHAPE_TOLD, 0 },
};

START_TEST(what_misleads_is_no_harm)
{
	open_made(odd[_i].sql);
	trace_is("nsys", odd[_i].told);
	ck_assert_uint_eq(trace->n_left_out, odd[_i].left_out);
}
END_TEST

static const struct { const char *sql, *why; } refused[] = {
	{ "CREATE TABLE a(b);", "no table of kernels is in it" },
	{ STRINGS, "no kernels and copies are recorded." },
	{ STRINGS KERNELS, "no kernels and copies are recorded." },
	{ STRINGS CALLS CALL "(1,2,3,4);", "only API calls are recorded, no kernels." },
	{ STRINGS "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end;",
	  "no kernels and copies are recorded." },
	{ "CREATE TABLE rocpd_kernel_dispatch_x(a);", "no kernels and copies are recorded." },
};

START_TEST(databases_without_kernels_are_refused)
{
	open_made(refused[_i].sql);
	ck_assert_ptr_null(trace);
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(err.msg, refused[_i].why);
}
END_TEST

#define WHOLE STRINGS KERNELS CALLS RANGES COPIES KERNEL "(100,150,0,7,1," PID ",1,2" SHAPE ")," \
	"(200,250,0,7,2," PID ",1,2" SHAPE ");" CALL "(60,61," TID ",1);" \
	RANGE "(0,200,59,'step 3'," TID ",NULL);"

/*
 * Cut anywhere it is refused, or it says so and has no time that the whole one has not: SQLite
 * would take what is missing of a page for zeros.
 */
START_TEST(a_cut_database_says_so)
{
	struct str bytes = {0}, packed = {0}, whole = {0}, out = {0};
	int opened = 0;

	make("PRAGMA page_size=4096;" WHOLE);
	ck_assert(read_whole(path.text, &bytes));
	load(path.text);
	put_records(&whole);
	for (size_t n = 0; n < bytes.len; n += 61) {
		load(file_of(bytes.text, n));
		ck_assert(trace || (err.code == ERR_UNSUPPORTED && *err.msg));
		if (!trace)
			continue;
		opened++;
		ck_assert_uint_eq(trace->damage.len, 1);
		ck_assert_ptr_nonnull(strstr(trace->damage.at[0],
		                             " pages of 4096 bytes, the file has "));
		str_reset(&out);
		put_records(&out);
		for (char *rest, *line = strtok_r(out.text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest)) {
			*strchr(strchr(strchr(line, ' ') + 1, ' ') + 1, ' ') = '\0';
			ck_assert_msg(strstr(whole.text, line), "cut at %zu: %s", n, line);
		}
	}
	ck_assert_int_gt(opened, 0);
	str_fmt(&packed, "%s/cut.gz", dir);
	ck_assert(gzip_write(packed.text, bytes.text, bytes.len - 3, NULL));
	load(packed.text);
	ck_assert(trace ? trace->damage.len == 1 : strstr(err.msg, "pages of 4096") != NULL);
	load(file_of("SQLite format 3", 16));
	ck_assert_ptr_null(trace);
	ck_assert_str_eq(err.msg, "file is not a database");
	str_release(&bytes);
	str_release(&packed);
	str_release(&whole);
	str_release(&out);
}
END_TEST

/* However many pages the header claims, what is there opens, and the claim is damage. */
static const struct { unsigned char claim[4]; const char *damage; } claims[] = {
	{ { 0x7f, 0xff, 0xff, 0xff }, ": 2147483647 pages of 4096 bytes, the file has " },
	{ { 0x80, 0, 0, 0 }, ": 2147483648 pages of 4096 bytes, the file has " },
	{ { 0xff, 0xff, 0xff, 0xff }, ": 4294967295 pages of 4096 bytes, the file has " },
	{ { 0, 1, 0, 0 }, ": 65536 pages of 4096 bytes, the file has " },
};

START_TEST(a_claim_of_many_pages_is_damage)
{
	struct str bytes = {0}, whole = {0}, out = {0};

	make("PRAGMA page_size=4096;" WHOLE);
	ck_assert(read_whole(path.text, &bytes));
	load(path.text);
	put_records(&whole);
	memcpy(bytes.text + 28, claims[_i].claim, 4);
	load(file_of(bytes.text, bytes.len));
	ck_assert_msg(trace != NULL, "%s", err.msg);
	ck_assert_uint_eq(trace->damage.len, 1);
	ck_assert_msg(strstr(trace->damage.at[0], claims[_i].damage), "%s", trace->damage.at[0]);
	put_records(&out);
	ck_assert_str_eq(out.text, whole.text);
	str_release(&bytes);
	str_release(&whole);
	str_release(&out);
}
END_TEST

START_TEST(a_database_with_a_wrong_byte_is_no_harm)
{
	struct str bytes = {0};

	make(WHOLE);
	ck_assert(read_whole(path.text, &bytes));
	for (size_t n = 0; n < bytes.len; n++) {
		char kept = bytes.text[n];

		bytes.text[n] = (char)(kept ^ (n % 2 ? 0xff : 1 << n % 7));
		load(file_of(bytes.text, bytes.len));
		ck_assert(trace || err.code);
		bytes.text[n] = kept;
	}
	str_release(&bytes);
}
END_TEST

START_TEST(a_packed_database_opens)
{
	struct str bytes = {0}, packed = {0};
	enum file_kind kind;

	make(STRINGS KERNELS KERNEL "(100,150,0,7,11," PID ",1,2" SHAPE ");");
	ck_assert(read_whole(path.text, &bytes));
	bytes.text[18] = bytes.text[19] = 2;     /* with a log beside it, which is not there */
	str_fmt(&packed, "%s/made.gz", dir);
	ck_assert(gzip_write(packed.text, bytes.text, bytes.len, NULL));
	ck_assert(recognise(packed.text, &kind, NULL) && kind == FILE_NSYS_SQLITE);
	load(packed.text);
	trace_is("nsys", "kernel 0/7 100+50 gemm<float>(int) #11" SHAPE_TOLD);
	str_release(&bytes);
	str_release(&packed);
}
END_TEST

/* Its name is an address to SQLite, in which some characters mean something. */
START_TEST(a_path_may_have_any_characters)
{
	struct str odd_path = {0};

	make(STRINGS KERNELS KERNEL "(100,150,0,7,11," PID ",1,2" SHAPE ");");
	str_fmt(&odd_path, "%s/a%%20b?mode=rwc#\xc3\xa9 c.db", dir);
	ck_assert_int_eq(rename(path.text, odd_path.text), 0);
	load(odd_path.text);
	trace_is("nsys", "kernel 0/7 100+50 gemm<float>(int) #11" SHAPE_TOLD);
	str_release(&odd_path);
}
END_TEST

static void cancel_soon(struct progress *progress)
{
	if (progress->done > 100)
		progress->cancel = true;
}

START_TEST(reading_can_be_cancelled)
{
	struct progress progress = { .tick = cancel_soon };

	make(STRINGS KERNELS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n LIMIT "
	     "20000) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end) SELECT i, i + 1 FROM n;");
	ck_assert_ptr_null(trace_load(path.text, &database_source, NULL, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

SUITE_MAIN("gpu_databases",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, kernels_have_names_and_shapes);
	tcase_add_test(t, a_minimal_export_is_enough);
	tcase_add_test(t, copies_are_named_by_the_enumeration);
	tcase_add_test(t, launches_are_found);
	tcase_add_test(t, ops_are_the_innermost_ranges);
	tcase_add_test(t, processes_are_kept_apart);
	tcase_add_test(t, the_database_of_nvprof_opens);
	tcase_add_test(t, rocpd_has_tables_by_session);
	tcase_add_test(t, rocpd_may_have_copies_only);
	tcase_add_loop_test(t, what_misleads_is_no_harm, 0, ROWS(odd));
	tcase_add_loop_test(t, databases_without_kernels_are_refused, 0, ROWS(refused));
	tcase_add_test(t, a_cut_database_says_so);
	tcase_add_loop_test(t, a_claim_of_many_pages_is_damage, 0, ROWS(claims));
	tcase_add_test(t, a_database_with_a_wrong_byte_is_no_harm);
	tcase_add_test(t, a_packed_database_opens);
	tcase_add_test(t, a_path_may_have_any_characters);
	tcase_add_test(t, reading_can_be_cancelled);
)
