/*
 * What only some traces tell: shapes, memory, what ops launched, queues, work and its limits.
 * Against torch's own table of a recording, and by hand.
 */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmds/profile/kernel_table.h"
#include "dump/profile/trace_source.h"
#include "dump/profile/trace_chrome.h"
#include "dump/profile/xspace.h"
#include "tests/made_xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define STEP "testdata/traces/torch_step"

static struct trace *load(const char *path, const struct trace_source *source)
{
	struct err err = {0};
	struct trace *trace = trace_load(path, source, NULL, NULL, &err);

	ck_assert_msg(trace, "%s", err.msg);
	return trace;
}

static struct kernel_table *table_of(const struct trace *trace, const struct kernel_query *query)
{
	const struct activities *all = &trace->all;
	const char *label = "all";
	struct kernel_table *table;
	struct err err = {0};

	ck_assert_msg(kernel_table_of(&all, &label, 1, query, NULL, &table, &err), "%s", err.msg);
	return table;
}

static const struct kernel_row *find_row(const struct kernel_table *table, const char *name)
{
	for (size_t i = 0; i < table->rows.len; i++)
		if (!strcmp(table->rows.at[i].name, name))
			return &table->rows.at[i];
	ck_abort_msg("no row %s", name);
}

/* Half a ns for each call may be lost in the file's decimals. */
static void check_time(int64_t ns, const char *us, uint64_t calls)
{
	ck_assert_int_le(llabs(ns - llround(strtod(us, NULL) * 1000)), (int64_t)calls);
}

START_TEST(ops_are_those_of_torch)
{
	struct trace *trace = load(STEP ".json.gz", &chrome_source);
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_HOST };
	struct kernel_table *table = table_of(trace, &query);
	struct str file = {0};
	char *line, *rest;
	size_t rows = 0;

	ck_assert(read_whole(STEP ".tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *name = strsep(&line, "\t"), *calls = strsep(&line, "\t");
		char *self = strsep(&line, "\t"), *total = strsep(&line, "\t");
		const struct kernel_row *row = find_row(table, name);
		struct kernel_row_extra extra;

		kernel_row_extra(table, row, &extra);
		ck_assert_uint_eq(row->calls, strtoull(calls, NULL, 10));
		check_time(row->total_ns, self, row->calls);
		check_time(extra.host_total_ns, total, row->calls);
		ck_assert(extra.has_memory);
		ck_assert_int_eq(extra.memory, strtoll(line, NULL, 10));
		rows++;
	}
	ck_assert_uint_eq(rows, 92);
	ck_assert_uint_eq(table->rows.len, 92);
	str_release(&file);
	kernel_table_free(table);
	trace_free(trace);
}
END_TEST

/* Ops a and, in it, b; each launches kernels, one of them late. */
static const char launches[] =
	"["
	"{'ph':'X','cat':'cpu_op','name':'a','pid':1,'tid':1,'ts':0,'dur':100,"
	"'args':{'Input Dims':[[2, 3], [ ]],'External id':1}},"
	"{'ph':'X','cat':'cpu_op','name':'b','pid':1,'tid':1,'ts':20,'dur':50,"
	"'args':{'Input Dims':[[4]],'External id':2}},"
	"{'ph':'X','cat':'cuda_runtime','name':'l','pid':1,'tid':1,'ts':10,'dur':5,"
	"'args':{'correlation':1}},"
	"{'ph':'X','cat':'cuda_runtime','name':'l','pid':1,'tid':1,'ts':30,'dur':5,"
	"'args':{'correlation':2}},"
	"{'ph':'X','cat':'cuda_runtime','name':'l','pid':1,'tid':1,'ts':40,'dur':5,"
	"'args':{'correlation':3}},"
	"{'ph':'X','cat':'kernel','name':'k1','pid':0,'tid':7,'ts':35,'dur':10,"
	"'args':{'device':0,'stream':7,'correlation':1,'est. achieved occupancy %':25}},"
	"{'ph':'X','cat':'kernel','name':'k2','pid':0,'tid':7,'ts':50,'dur':10,"
	"'args':{'device':0,'stream':7,'correlation':2,'est. achieved occupancy %':50}},"
	"{'ph':'X','cat':'kernel','name':'k2','pid':0,'tid':7,'ts':70,'dur':10,"
	"'args':{'device':0,'stream':7,'correlation':3,'est. achieved occupancy %':75}},"
	"{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':15,'args':{'Bytes':64,'Addr':4096,"
	"'Total Allocated':64,'Total Reserved':128,'Device Type':1,'Device Id':0}},"
	"{'ph':'i','name':'[memory]','pid':1,'tid':1,'ts':25,'args':{'Bytes':-16,"
	"'Total Allocated':48,'Device Type':1,'Device Id':0}},"
	"{'ph':'i','name':'[memory]','pid':1,'tid':2,'ts':25,'args':{'Bytes':8}}"
	"]";

static struct trace *load_launches(void)
{
	struct str text = {0};
	struct trace *trace;

	str_puts(&text, launches);
	for (char *c = text.text; (c = strchr(c, '\'')); c++)
		*c = '"';
	trace = load(file_of(text.text, text.len), &chrome_source);
	str_release(&text);
	return trace;
}

static void check_kernels(const struct trace *trace)
{
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_KERNEL };
	struct kernel_table *table = table_of(trace, &query);
	struct kernel_row_extra extra;

	kernel_row_extra(table, find_row(table, "k1"), &extra);
	ck_assert_double_eq(extra.queue, 1);
	ck_assert_double_eq(extra.occupancy, 25);
	ck_assert_int_eq(extra.bound, BOUND_UNKNOWN);
	ck_assert(extra.flops < 0);
	kernel_row_extra(table, find_row(table, "k2"), &extra);
	ck_assert_double_eq(extra.queue, 2);     /* k1 waits at 30; at 40 the first of these does */
	ck_assert_double_eq(extra.occupancy, 62.5);
	kernel_table_free(table);
}

static void check_ops(const struct trace *trace)
{
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_HOST };
	struct kernel_table *table = table_of(trace, &query);
	struct kernel_row_extra extra;

	kernel_row_extra(table, find_row(table, "a"), &extra);
	ck_assert_int_eq(extra.host_total_ns, 100000);
	ck_assert_int_eq(extra.device_total_ns, 30000);
	ck_assert_int_eq(extra.memory, 64);
	kernel_row_extra(table, find_row(table, "b"), &extra);
	ck_assert_int_eq(extra.device_total_ns, 20000);
	ck_assert_int_eq(extra.memory, -16);
	kernel_table_free(table);
}

START_TEST(launches_are_followed)
{
	struct trace *trace = load_launches();
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_KERNEL,
	                              .has_group = true, .group = GROUP_INPUT_SHAPE };
	struct kernel_table *table = table_of(trace, &query);

	ck_assert_int_eq(find_row(table, "a [[2,3],[]]")->total_ns, 10000);
	ck_assert_int_eq(find_row(table, "b [[4]]")->total_ns, 20000);
	check_kernels(trace);
	check_ops(trace);
	kernel_table_free(table);
	trace_free(trace);
}
END_TEST

START_TEST(allocations_are_kept)
{
	struct trace *trace = load_launches();
	const struct trace_memory_event *at = trace->memory_events.at;

	ck_assert_uint_eq(trace->memory_events.len, 3);
	ck_assert_str_eq(trace->memory.at[at[0].device].device, "CUDA:0");
	ck_assert_str_eq(trace->all.names.key[at[0].op], "a");
	ck_assert_int_eq(at[0].address, 4096);
	ck_assert_int_eq(at[0].reserved, 128);
	ck_assert_str_eq(trace->all.names.key[at[1].op], "b");
	ck_assert_int_eq(at[1].reserved, TRACE_UNSAID);
	ck_assert_uint_eq(at[2].op, MAP_NONE);   /* another thread's */
	ck_assert_int_eq(at[2].allocated, TRACE_UNSAID);
	trace_free(trace);
}
END_TEST

START_TEST(idle_time_is_a_row)
{
	struct trace *trace = load_launches();
	struct kernel_query query = { .has_universe = true, .universe = UNIVERSE_KERNEL,
	                              .idle = true };
	struct kernel_table *table = table_of(trace, &query);

	ck_assert_int_eq(find_row(table, "IDLE")->total_ns, 15000);
	ck_assert_uint_eq(find_row(table, "IDLE")->calls, 0);
	ck_assert_int_eq(table->whole_ns, 45000);
	kernel_table_free(table);
	trace_free(trace);
}
END_TEST

/* XSpace: work of kernels, and what their device is capable of: 1 operation for 4 bytes. */
static struct trace *load_work(void)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t kernel, details, flops, bytes;

	made_plane(&m, "/device:GPU:0");
	kernel = made_event_name(&m, "k");
	details = made_stat_name(&m, "kernel_details");
	flops = made_stat_name(&m, "flops");
	bytes = made_stat_name(&m, "bytes_accessed");
	made_line(&m, 7, "Stream #7(Compute)", 0);
	made_event(&m, kernel, 0, 1000000);
	made_text(&m, details, "regs:8 grid:1,1,1 block:1,1,1 occ_pct:40");
	made_number(&m, flops, 1000);
	made_number(&m, bytes, 4000);
	made_plane_end(&m);
	trace = load(file_of(str_text(&m.out), m.out.len), &xspace_source);
	made_xspace_release(&m);
	return trace;
}

static const struct { double flops, bytes; enum kernel_bound bound; } capable[] = {
	{ 100, 400, BOUND_COMPUTE }, { 100, 399, BOUND_MEMORY }, { 100, 4000, BOUND_COMPUTE },
	{ 100, 0, BOUND_UNKNOWN }, { 0, 100, BOUND_UNKNOWN },
};

START_TEST(work_has_a_bound)
{
	struct trace *trace = load_work();
	struct kernel_query query = {0};
	struct kernel_table *table = table_of(trace, &query);
	struct kernel_row_extra extra;

	trace_set_peak(trace, 0, capable[_i].flops, capable[_i].bytes);
	kernel_row_extra(table, &table->rows.at[0], &extra);
	ck_assert_double_eq(extra.flops, 1000);
	ck_assert_double_eq(extra.bytes, 4000);
	ck_assert_double_eq(extra.occupancy, 40);
	ck_assert_int_eq(extra.bound, capable[_i].bound);
	kernel_table_free(table);
	trace_free(trace);
}
END_TEST

static void make_allocation(struct made_xspace *m)
{
	uint32_t took, gave, allocator, size, used, address, op, type, shape, f16;

	made_plane(m, "/host:CPU");
	took = made_event_name(m, "MemoryAllocation");
	gave = made_event_name(m, "MemoryDeallocation");
	allocator = made_stat_name(m, "allocator_name");
	size = made_stat_name(m, "allocation_bytes");
	used = made_stat_name(m, "bytes_allocated");
	address = made_stat_name(m, "addr");
	op = made_stat_name(m, "tf_op");
	type = made_stat_name(m, "data_type");
	shape = made_stat_name(m, "tensor_shapes");
	f16 = made_stat_name(m, "half");
	made_line(m, 1, "python", 0);
	made_event(m, took, 1000000, 0);
	made_text(m, allocator, "GPU_0_bfc");
	made_number(m, size, 512);
	made_number(m, used, 4096);
	made_number(m, address, 77);
	made_text(m, op, "a/b:MatMul");
	made_number(m, type, 1);
	made_text(m, shape, "[2,3]");
	made_event(m, gave, 2000000, 0);
	made_text(m, allocator, "GPU_0_bfc");
	made_number(m, size, 256);
	made_number(m, used, 3840);
	made_reference(m, type, f16);
	made_plane_end(m);
}

START_TEST(xspaces_tell_allocations)
{
	struct made_xspace m = {0};
	struct trace *trace;
	const struct trace_memory_event *at;

	make_allocation(&m);
	trace = load(file_of(str_text(&m.out), m.out.len), &xspace_source);
	made_xspace_release(&m);
	ck_assert_uint_eq(trace->memory_events.len, 2);
	ck_assert_uint_eq(trace->records.len, 0);
	ck_assert_str_eq(trace->memory.at[0].device, "GPU_0_bfc");
	ck_assert_int_eq(trace->memory.at[0].peak_bytes, 4096);
	ck_assert_int_eq(trace->memory.at[0].peak_at_ns, 1000);
	at = trace->memory_events.at;
	ck_assert_int_eq(at[0].bytes, 512);
	ck_assert_int_eq(at[0].address, 77);
	ck_assert_str_eq(trace->all.names.key[at[0].op], "a/b");
	ck_assert_str_eq(trace->all.names.key[at[0].dtype], "float32");
	ck_assert_str_eq(trace->all.names.key[at[0].shape], "[2,3]");
	ck_assert_int_eq(at[1].bytes, -256);
	ck_assert_str_eq(trace->all.names.key[at[1].dtype], "half");
	ck_assert_uint_eq(at[1].shape, MAP_NONE);
	trace_free(trace);
}
END_TEST

SUITE_MAIN("trace_more",
	tcase_add_test(t, ops_are_those_of_torch);
	tcase_add_test(t, launches_are_followed);
	tcase_add_test(t, allocations_are_kept);
	tcase_add_test(t, idle_time_is_a_row);
	tcase_add_loop_test(t, work_has_a_bound, 0, ROWS(capable));
	tcase_add_test(t, xspaces_tell_allocations);
)
