/*
 * XSpace files: recordings against XProf's answers about them, files made by hand, and damage at
 * every byte.
 */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/format/gzip.h"
#include "dump/profile/label.h"
#include "dump/profile/trace.h"
#include "dump/profile/xspace.h"
#include "tests/made_xspace.h"
#include "tests/message.h"
#include "tests/program.h"

#define TF2 "testdata/xspace/tf2_train/"
#define JAX "testdata/xspace/jax_step/"
#define GPU "testdata/xspace/gpu_worker/"
#define GPU_FILE GPU "worker.xplane.pb.gz"

static struct trace *load(const char *path)
{
	struct err err = {0};
	struct trace *trace = trace_load(path, &xspace_source, NULL, NULL, &err);

	ck_assert_msg(trace, "%s", err.msg);
	return trace;
}

static struct trace *load_made(struct made_xspace *m)
{
	struct trace *trace = load(file_of(str_text(&m->out), m->out.len));

	made_xspace_release(m);
	return trace;
}

static const char *name_of(const struct trace *trace, uint32_t id)
{
	return id == MAP_NONE ? "" : trace->all.names.key[id];
}

/* A value of a record's launch; "": not said. */
static bool launch_is(const struct trace *trace, const struct activity *a, const char *key,
                      const char *wanted)
{
	struct text value = launch_value(a->launch == MAP_NONE ? NULL : name_of(trace, a->launch),
	                                 key);

	return value.len == strlen(wanted) && (!value.len || !memcmp(value.at, wanted, value.len));
}

/* Fields of a line between tabs. */
static size_t split(char *line, char **field, size_t most)
{
	size_t n = 0;
	char *rest = line;

	while (n < most && rest)
		field[n++] = strsep(&rest, "\t");
	return n;
}

static int64_t thousandths(const char *text)
{
	return llround(strtod(text, NULL) * 1000);
}

/* Recordings. */

START_TEST(kernels_are_those_of_xprof)
{
	struct trace *trace = load(GPU_FILE);
	struct str file = {0};
	char *line, *rest, *f[9];
	size_t rows = 0, calls = 0;

	ck_assert(read_whole(GPU "kernel_stats.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int64_t n = 0, sum = 0, least = INT64_MAX, most = 0;

		ck_assert_uint_eq(split(line, f, 9), 9);
		for (size_t i = 0; i < trace->all.at.len; i++) {
			const struct activity *a = &trace->all.at.at[i];

			if (a->kind != ACTIVITY_KERNEL || strcmp(name_of(trace, a->raw), f[0])
			    || !launch_is(trace, a, "regs:", f[1])
			    || !launch_is(trace, a, "shm:", f[2])
			    || !launch_is(trace, a, "block:", f[3])
			    || !launch_is(trace, a, "grid:", f[4]))
				continue;
			n++;
			sum += a->len_ns;
			least = a->len_ns < least ? a->len_ns : least;
			most = a->len_ns > most ? a->len_ns : most;
		}
		ck_assert_int_eq(n, strtoll(f[5], NULL, 10));
		ck_assert_int_eq(sum, thousandths(f[6]));
		ck_assert_int_eq(least, thousandths(f[7]));
		ck_assert_int_eq(most, thousandths(f[8]));
		calls += (size_t)n;
		rows++;
	}
	ck_assert_uint_eq(rows, 15);
	ck_assert_uint_eq(calls, trace->all.n_of[ACTIVITY_KERNEL]);
	ck_assert_uint_eq(trace->all.n_of[ACTIVITY_COPY], 226);
	str_release(&file);
	trace_free(trace);
}
END_TEST

START_TEST(host_ops_are_those_of_xprof)
{
	struct trace *trace = load(TF2 "host.xplane.pb");
	struct str file = {0};
	char *line, *rest, *f[5];
	size_t rows = 0, calls = 0;

	ck_assert(read_whole(TF2 "host_ops.tsv", &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		int64_t n = 0, sum = 0, own = 0;

		ck_assert_uint_eq(split(line, f, 5), 5);
		for (size_t i = 0; i < trace->all.at.len; i++) {
			const struct activity *a = &trace->all.at.at[i];

			if (strcmp(name_of(trace, a->node), f[0])
			    || strcmp(name_of(trace, a->op), f[1]))
				continue;
			n++;
			sum += a->len_ns;
			own += activity_own_ns(a);
		}
		ck_assert_int_eq(n, strtoll(f[2], NULL, 10));
		ck_assert_int_le(llabs(sum - thousandths(f[3])), n);
		ck_assert_int_le(llabs(own - thousandths(f[4])), n);
		calls += (size_t)n;
		rows++;
	}
	ck_assert_uint_eq(rows, 33);
	ck_assert_uint_eq(calls, trace->all.n_of[ACTIVITY_HOST]);
	str_release(&file);
	trace_free(trace);
}
END_TEST

static const struct { const char *dir; uint64_t events, records; } recordings[] = {
	{ TF2, 1842, 362 }, { JAX, 1017, 312 },
};

START_TEST(steps_are_those_of_xprof)
{
	struct str path = {0}, file = {0};
	struct trace *trace;
	char *line, *rest, *f[2];
	size_t i = 0;

	str_fmt(&path, "%shost.xplane.pb", recordings[_i].dir);
	trace = load(path.text);
	str_reset(&path);
	str_fmt(&path, "%ssteps.tsv", recordings[_i].dir);
	ck_assert(read_whole(path.text, &file));
	for (line = strtok_r(file.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const struct trace_step *step = &trace->steps.at[i++];

		ck_assert_uint_le(i, trace->steps.len);
		ck_assert_uint_eq(split(line, f, 2), 2);
		ck_assert_int_eq(step->number, strtoll(f[0] + strlen("train "), NULL, 10));
		ck_assert_int_eq(step->end_ns - step->start_ns,
		                 llround(strtod(f[1], NULL) * 1000000));
	}
	ck_assert_uint_eq(i, trace->steps.len);
	ck_assert_uint_eq(trace->n_events, recordings[_i].events);
	ck_assert_uint_eq(trace->records.len, recordings[_i].records);
	ck_assert(trace->has_base);
	ck_assert_uint_eq(trace->warnings.len, 0);
	str_release(&path);
	str_release(&file);
	trace_free(trace);
}
END_TEST

/* Events of the host. */

static const struct { const char *name, *node, *type; } host_names[] = {
	{ "a:MatMul", "a", "MatMul" },
	{ "model/layer_1/dense.2/MatMul:_FusedMatMul", "model/layer_1/dense.2/MatMul",
	  "_FusedMatMul" },
	{ ".a>b-c:X1", ".a>b-c", "X1" },
	{ "Iterator::Root::Prefetch", "Iterator::Root::Prefetch", "Dataset" },
	{ "Iterator::", "Iterator::", "Dataset" },
	{ "ExecutorState::Process", NULL, NULL },
	{ "a:1MatMul", NULL, NULL },
	{ "a:", NULL, NULL },
	{ ":MatMul", NULL, NULL },
	{ "/a:MatMul", NULL, NULL },
	{ "a b:MatMul", NULL, NULL },
	{ "a:Mat Mul", NULL, NULL },
	{ "a:b:MatMul", NULL, NULL },
	{ "train", NULL, NULL },
	{ "", NULL, NULL },
};

START_TEST(names_of_the_host_are_ops)
{
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	made_line(&m, 7, "main", 100);
	made_event(&m, made_event_name(&m, host_names[_i].name), 1500, 2499);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->n_events, 1);
	ck_assert_uint_eq(trace->all.at.len, host_names[_i].node ? 1 : 0);
	if (host_names[_i].node) {
		const struct activity *a = &trace->all.at.at[0];

		ck_assert_int_eq(a->kind, ACTIVITY_HOST);
		ck_assert_int_eq(a->start_ns, 102);
		ck_assert_int_eq(a->len_ns, 2);
		ck_assert_str_eq(name_of(trace, a->raw), host_names[_i].name);
		ck_assert_str_eq(name_of(trace, a->node), host_names[_i].node);
		ck_assert_str_eq(name_of(trace, a->op), host_names[_i].type);
	}
	trace_free(trace);
}
END_TEST

START_TEST(hlo_op_makes_any_event_an_op)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t hlo, text;

	made_plane(&m, "/host:CPU");
	hlo = made_stat_name(&m, "hlo_op");
	text = made_stat_name(&m, "dot.1");
	made_line(&m, 7, "main", 0);
	made_event(&m, made_event_name(&m, "anything"), 0, 1000);
	made_reference(&m, hlo, text);
	made_event(&m, made_event_name(&m, "else"), 0, 1000);
	made_text(&m, hlo, "");
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 1);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), "dot.1");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].raw), "anything");
	trace_free(trace);
}
END_TEST

/* What lies within an op is not its own, in whatever order the line has them. */
START_TEST(inner_ops_are_taken_from_outer_ones)
{
	static const struct { int order[3]; } orders[] = { { { 0, 1, 2 } }, { { 2, 1, 0 } },
	                                                   { { 1, 2, 0 } } };
	static const struct { const char *name; int64_t start_ns, len_ns, own_ns; } ops[] = {
		/* c ends after b, in which it began */
		{ "a:A", 0, 100, 70 }, { "b:B", 10, 30, 20 }, { "c:C", 30, 20, 20 },
	};

	for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
		struct made_xspace m = {0};
		struct trace *trace;

		made_plane(&m, "/host:CPU");
		made_line(&m, 7, "main", 0);
		for (int i = 0; i < 3; i++) {
			int k = orders[o].order[i];

			made_event(&m, made_event_name(&m, ops[k].name), ops[k].start_ns * 1000,
			           ops[k].len_ns * 1000);
		}
		made_plane_end(&m);
		trace = load_made(&m);
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(activity_own_ns(&trace->all.at.at[i]),
			                 ops[orders[o].order[i]].own_ns);
		trace_free(trace);
	}
}
END_TEST

/* Devices. */

static const struct { const char *details, *launch; } details[] = {
	{ "regs:32 static_shared:0 dynamic_shared:64 grid:8,1,1 block:64,2,1 occ_pct:50",
	  "regs:32 shm:64 grid:8,1,1 block:64,2,1 occ_pct:50" },
	{ "regs:38 shm:0 grid:160,1,1 block:1024,1,1",
	  "regs:38 shm:0 grid:160,1,1 block:1024,1,1" },
	{ "regs:38\nshm:16\ngrid:1,1,1\nblock:2,1,1\nelse:1",
	  "regs:38 shm:16 grid:1,1,1 block:2,1,1" },
	{ " grid:1,2,3 block:4,5,6 private_mem:0 group_mem:512 occ_pct:12.5",
	  "shm:512 grid:1,2,3 block:4,5,6 occ_pct:12.5" },
	{ "regs:9999999999999999999999 grid:1,1,1", "grid:1,1,1" },
	{ "regs:x grid:a,b,c block:", NULL },
	{ "", NULL },
};

START_TEST(details_of_a_kernel_are_its_launch)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t stat;

	made_plane(&m, "/device:GPU:3");
	stat = made_stat_name(&m, "kernel_details");
	made_line(&m, 14, "Stream #14(Memset,Compute)", 0);
	made_event(&m, made_event_name(&m, "_Z1fv"), 0, 5000);
	made_text(&m, stat, details[_i].details);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 1);
	ck_assert_int_eq(trace->all.at.at[0].kind, ACTIVITY_KERNEL);
	if (details[_i].launch)
		ck_assert_str_eq(name_of(trace, trace->all.at.at[0].launch), details[_i].launch);
	else
		ck_assert_uint_eq(trace->all.at.at[0].launch, MAP_NONE);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].kernel), "f()");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].raw), "_Z1fv");
	ck_assert_str_eq(trace->devices[trace->all.at.at[0].device], "3");
	ck_assert_str_eq(trace->all.devices.key[trace->all.at.at[0].device], "GPU:3");
	ck_assert_str_eq(trace->all.streams.key[trace->all.at.at[0].stream], "14");
	trace_free(trace);
}
END_TEST

/* One event on a line of a GPU, with one stat. kind -1: no record. */
static const struct {
	const char *line, *event, *stat, *value;
	int kind;
	const char *kernel;
	int64_t bytes;
} device_events[] = {
	{ "Stream #1(Compute)", "k", "kernel_details", "regs:1", ACTIVITY_KERNEL, "k", 0 },
	{ "Stream #1", "k", "Kernel_Details", "regs:1", ACTIVITY_KERNEL, "k", 0 },
	{ "Stream #1", "k", "kernels", "regs:1", -1, NULL, 0 },
	/* without details the line tells */
	{ "Stream #1(Compute)", "k", "context_id", "$$1", ACTIVITY_KERNEL, "k", 0 },
	{ "Stream #1(Compute)", "k", "memalloc_details", "num_bytes:5", -1, NULL, 0 },
	{ "Stream #1(MemcpyH2D)", "MemcpyH2D", "memcpy_details",
	  "kind_src:pinned kind_dst:device size:4096 dest:1 async:1", ACTIVITY_COPY, "[copy H2D]",
	  4096 },
	{ "Stream #1", "MemcpyD2H", "memcpy_details", "size:4 dest:1 async:1", ACTIVITY_COPY,
	  "[copy D2H]", 4 },
	{ "Stream #1", "MemcpyP2P", "context_id", "$$1", ACTIVITY_COPY, "[copy P2P]", -1 },
	{ "Stream #1", "MemcpyOther", "memcpy_details", "", ACTIVITY_COPY, "[copy Other]", -1 },
	{ "Stream #1", "Memset", "Memset_details", "kind:device num_bytes:12 async:1",
	  ACTIVITY_COPY, "[copy Memset]", 12 },
	/* lines that say the same again */
	{ "TensorFlow Ops", "a:MatMul", "kernel_details", "regs:1", -1, NULL, 0 },
	{ "XLA Modules", "jit_f", "kernel_details", "regs:1", -1, NULL, 0 },
	{ "Steps", "1", "kernel_details", "regs:1", -1, NULL, 0 },
};

START_TEST(events_of_a_device_have_kinds)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t stat;

	made_plane(&m, "/device:GPU:0");
	stat = made_stat_name(&m, device_events[_i].stat);
	made_line(&m, 1, device_events[_i].line, 0);
	made_event(&m, made_event_name(&m, device_events[_i].event), 1000, 1000);
	made_text(&m, stat, device_events[_i].value);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->n_events, 1);
	ck_assert_uint_eq(trace->all.at.len, device_events[_i].kind >= 0 ? 1 : 0);
	if (device_events[_i].kind >= 0) {
		const struct activity *a = &trace->all.at.at[0];

		ck_assert_int_eq(a->kind, device_events[_i].kind);
		ck_assert_str_eq(name_of(trace, a->kernel), device_events[_i].kernel);
		if (a->kind == ACTIVITY_COPY)
			ck_assert_int_eq(trace->records.at[0].has_bytes ? a->bytes : -1,
			                 device_events[_i].bytes);
	}
	trace_free(trace);
}
END_TEST

/* Which of several texts names the op. */
static const struct { const char *tf_op, *annotation, *hlo_op, *node, *type; } attributions[] = {
	{ "a/b:MatMul", "c:Add", "d", "a/b", "MatMul" },
	{ NULL, "c:Add#shape=(f[1])#", "d", "c", "Add" },
	{ NULL, "x:X::a:A#k=v#::#k=v#", NULL, "a", "A" },
	{ NULL, NULL, "fusion.3", "fusion.3", "" },
	{ "jit(f)/dot_general:", NULL, NULL, "jit(f)/dot_general", "" },
	{ "plain", NULL, NULL, "plain", "" },
	{ "", "", "", "(unattributed)", "" },
	{ NULL, NULL, NULL, "(unattributed)", "" },
};

START_TEST(op_of_a_kernel)
{
	struct made_xspace m = {0};
	struct trace *trace;
	const char *const texts[] = { attributions[_i].tf_op, attributions[_i].annotation,
	                              attributions[_i].hlo_op };
	static const char *const stats[] = { "tf_op", "annotation", "hlo_op" };

	made_plane(&m, "/device:GPU:0");
	made_line(&m, 1, "Stream #1(Compute)", 0);
	made_event(&m, made_event_name(&m, "k"), 0, 1000);
	for (int i = 0; i < 3; i++)
		if (texts[i])
			made_text(&m, made_stat_name(&m, stats[i]), texts[i]);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), attributions[_i].node);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].op), attributions[_i].type);
	trace_free(trace);
}
END_TEST

/* Of the kernels that one call launched the first by time has its delay, wherever the call lies. */
START_TEST(call_launches_the_first_of_its_kernels)
{
	for (int host_first = 0; host_first < 2; host_first++) {
		struct made_xspace m = {0};
		struct trace *trace;

		for (int part = 0; part < 2; part++) {
			bool host = part == !host_first;
			uint32_t stat;

			made_plane(&m, host ? "/host:CUPTI" : "/device:GPU:0");
			stat = made_stat_name(&m, "correlation_id");
			made_line(&m, 1, "Stream #1(Compute)", 0);
			if (host) {
				uint32_t call = made_event_name(&m, "cuLaunchKernel");

				made_event(&m, call, 4000, 1000);
				made_number(&m, stat, 77);
				made_event(&m, call, 5000, 1000);        /* a second one */
				made_number(&m, stat, 77);
			} else {
				uint32_t kernel = made_event_name(&m, "k");

				made_event(&m, kernel, 30000, 1000);
				made_number(&m, stat, 77);
				made_event(&m, kernel, 20000, 1000);
				made_number(&m, stat, 77);
				made_event(&m, kernel, 40000, 1000);
				made_number(&m, stat, 78);
			}
			made_plane_end(&m);
		}
		trace = load_made(&m);
		ck_assert_uint_eq(trace->all.at.len, 3);
		ck_assert_int_eq(trace->all.at.at[0].launch_delay_ns, -1);
		ck_assert_int_eq(trace->all.at.at[1].launch_delay_ns, 16);
		ck_assert_int_eq(trace->all.at.at[2].launch_delay_ns, -1);
		ck_assert_int_eq(trace->records.at[0].correlation, 77);
		trace_free(trace);
	}
}
END_TEST

/* A kernel belongs to the step that launched it. */
START_TEST(kernel_is_in_the_step_of_its_launch)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t correlation, number, call, step;

	made_plane(&m, "/device:GPU:0");
	correlation = made_stat_name(&m, "correlation_id");
	made_line(&m, 1, "Stream #1(Compute)", 0);
	made_event(&m, made_event_name(&m, "k"), 150000, 1000);
	made_number(&m, correlation, 1);
	made_event(&m, made_event_name(&m, "k"), 160000, 1000);
	made_event(&m, made_event_name(&m, "k"), 250000, 1000);
	made_plane_end(&m);
	made_plane(&m, "/host:CPU");
	correlation = made_stat_name(&m, "correlation_id");
	number = made_stat_name(&m, "step_num");
	step = made_event_name(&m, "train");
	call = made_event_name(&m, "cuLaunchKernel");
	made_line(&m, 1, "main", 0);
	made_event(&m, step, 0, 100000);
	made_number(&m, number, 4);
	made_event(&m, call, 90000, 1000);
	made_number(&m, correlation, 1);
	made_event(&m, step, 100000, 100000);
	made_number(&m, number, 5);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->steps.len, 2);
	ck_assert_int_eq(trace->steps.at[trace->records.at[0].step].number, 4);
	ck_assert_int_eq(trace->steps.at[trace->records.at[1].step].number, 5);
	ck_assert_uint_eq(trace->records.at[2].step, TRACE_OUTSIDE);
	trace_free(trace);
}
END_TEST

START_TEST(only_xla_ops_of_a_tpu_count)
{
	static const char *const lines[] = { "Steps", "XLA Modules", "XLA Ops", "Async XLA Ops" };
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/device:TPU:1");
	for (int i = 0; i < 4; i++) {
		made_line(&m, i, lines[i], 0);
		made_event(&m, made_event_name(&m, "fusion.1"), 0, 1000);
	}
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->n_events, 4);
	ck_assert_uint_eq(trace->all.at.len, 1);
	ck_assert_int_eq(trace->all.at.at[0].kind, ACTIVITY_KERNEL);
	ck_assert_str_eq(trace->all.devices.key[trace->all.at.at[0].device], "TPU:1");
	trace_free(trace);
}
END_TEST

/* What a kind of event says counts for all of its events; theirs win. */
START_TEST(stats_of_a_name_count_for_its_events)
{
	struct str name = {0}, stat = {0}, entry = {0}, body = {0};
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t regs, op;

	made_plane(&m, "/device:GPU:0");
	regs = made_stat_name(&m, "kernel_details");
	op = made_stat_name(&m, "tf_op");
	put_number(&name, 1, 9);
	put_bytes(&name, 2, "k", 1);
	put_number(&stat, 1, regs);
	put_bytes(&stat, 5, "regs:5", 6);
	put_message(&name, 5, &stat);
	str_reset(&stat);
	put_number(&stat, 1, op);
	put_bytes(&stat, 5, "a:A", 3);
	put_message(&name, 5, &stat);
	put_number(&entry, 1, 9);
	put_message(&entry, 2, &name);
	put_message(&body, 4, &entry);
	str_put(&m.events, body.text, body.len);
	made_line(&m, 1, "Stream #1", 0);
	made_event(&m, 9, 0, 1000);
	made_event(&m, 9, 1000, 1000);
	made_text(&m, op, "b:B");
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 2);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].launch), "regs:5");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[1].launch), "regs:5");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), "a");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[1].node), "b");
	str_release(&name);
	str_release(&stat);
	str_release(&entry);
	str_release(&body);
	trace_free(trace);
}
END_TEST

/* Odd files. */

START_TEST(ids_may_be_any_numbers)
{
	struct str entry = {0}, name = {0};
	static const int64_t ids[] = { 5, -3, INT64_MAX, 0, INT64_MIN, 5 };
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		char op[] = { (char)('a' + i), ':', 'A', '\0' };

		str_reset(&entry);
		str_reset(&name);
		put_bytes(&name, 2, op, 3);
		put_number(&entry, 1, (uint64_t)ids[i]);
		put_message(&entry, 2, &name);
		put_message(&m.events, 4, &entry);
	}
	made_line(&m, INT64_MIN, "main", 0);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		made_event(&m, 0, (int64_t)i * 1000, 1000);
		str_reset(&m.event);
		put_number(&m.event, 1, (uint64_t)ids[i]);
		put_number(&m.event, 2, i * 1000);
	}
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 6);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), "f");  /* the last entry wins */
	ck_assert_str_eq(name_of(trace, trace->all.at.at[1].node), "b");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[2].node), "c");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[3].node), "d");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[4].node), "e");
	str_release(&entry);
	str_release(&name);
	trace_free(trace);
}
END_TEST

static const struct { int64_t line_ns, start_ps, len_ps; size_t records, left_out; } times[] = {
	{ 0, 499, 500, 1, 0 },
	{ -5, 0, 0, 1, 0 },
	{ 0, -1, 10, 1, 0 },
	{ 0, 0, -1, 0, 1 },
	{ INT64_MAX, INT64_MAX, 1, 0, 1 },
	{ INT64_MAX - 5, 0, 1000000, 0, 1 },
	{ INT64_MIN, INT64_MIN, 1, 0, 1 },
	{ 0, 0, INT64_MAX, 1, 0 },       /* impossible: longer than a day */
};

START_TEST(times_beyond_all_are_left_out)
{
	struct made_xspace m = {0};
	struct trace *trace;

	made_plane(&m, "/host:CPU");
	made_line(&m, 1, "main", times[_i].line_ns);
	made_event(&m, made_event_name(&m, "a:A"), times[_i].start_ps, times[_i].len_ps);
	made_plane_end(&m);
	trace = load_made(&m);
	ck_assert_uint_eq(trace->all.at.len + trace->all.impossible.len, times[_i].records);
	ck_assert_uint_eq(trace->n_left_out, times[_i].left_out);
	trace_free(trace);
}
END_TEST

/* Bytes that are none, or lie: an error or what is sound, and never more. */
#define BYTES(text) text, sizeof text - 1
static const struct { const char *bytes; size_t len; bool ok; } odd[] = {
	{ BYTES(""), false },
	{ BYTES("\x0a"), false },
	{ BYTES("\x12\x01x"), false },                             /* only an error's text */
	{ BYTES("\x0a\x00"), true },
	{ BYTES("\x0a\xff\xff\xff\xff\x0f"), true },       /* 4 GB, of which none is there */
	{ BYTES("\x0a\x0b\x12\x09/host:CPU"), true },
	{ BYTES("\x0a\x0d\x12\x09/host:CPU\x18\x01"), true },      /* lines are no number */
	{ BYTES("\x0a\x0f\x12\x09/host:CPU\x1a\x02\x22\x7f"), true },
	{ BYTES("\x0a\x0f\x12\x09/host:CPU\x22\x02\x0a\x01"), true },
	{ BYTES("\x0b\x0b\x0b"), false },
};

START_TEST(odd_bytes_do_no_harm)
{
	struct err err = {0};
	struct trace *trace = trace_load(file_of(odd[_i].bytes, odd[_i].len), &xspace_source, NULL,
	                                 NULL, &err);

	ck_assert_int_eq(trace != NULL, odd[_i].ok);
	ck_assert_int_eq(err.code != ERR_NONE, !odd[_i].ok);
	if (trace)
		ck_assert_uint_eq(trace->records.len, 0);
	trace_free(trace);
}
END_TEST

/* A little of everything. */
static void make_all(struct made_xspace *m)
{
	uint32_t correlation, stat, text;

	made_plane(m, "/device:GPU:0");
	correlation = made_stat_name(m, "correlation_id");
	stat = made_stat_name(m, "kernel_details");
	text = made_stat_name(m, "regs:1 grid:1,1,1 block:1,1,1");
	made_line(m, 1, "Stream #1(Compute)", 0);
	made_event(m, made_event_name(m, "k"), 5000, 1000);
	made_number(m, correlation, 1);
	made_reference(m, stat, text);
	made_plane_end(m);
	made_plane(m, "/host:CPU");
	correlation = made_stat_name(m, "correlation_id");
	stat = made_stat_name(m, "step_num");
	made_line(m, 1, "main", 0);
	made_event(m, made_event_name(m, "train"), 0, 10000);
	made_number(m, stat, 3);
	made_event(m, made_event_name(m, "a:A"), 0, 3000);
	made_event(m, made_event_name(m, "call"), 1000, 1000);
	made_number(m, correlation, 1);
	made_plane_end(m);
	made_plane(m, "Task Environment");
	made_plane_end(m);
}

/* Records come with the planes that are whole; a warning says where it stops. */
START_TEST(cut_at_every_byte)
{
	struct made_xspace m = {0};
	size_t most = 0;

	make_all(&m);
	for (size_t len = 1; len <= m.out.len; len++) {
		struct err err = {0};
		struct trace *trace = trace_load(file_of(m.out.text, len), &xspace_source, NULL,
		                                 NULL, &err);

		ck_assert_int_eq(trace == NULL, err.code != ERR_NONE);
		if (!trace)
			continue;
		ck_assert_uint_le(trace->records.len, 2);
		ck_assert_uint_ge(trace->records.len, most);
		most = trace->records.len;
		if (trace->warnings.len)
			ck_assert_ptr_nonnull(strstr(trace->warnings.at[0],
			                             "This file stops in the middle: "));
		trace_free(trace);
	}
	ck_assert_uint_eq(most, 2);
	made_xspace_release(&m);
}
END_TEST

START_TEST(any_byte_may_be_another)
{
	struct made_xspace m = {0};

	make_all(&m);
	for (size_t i = 0; i < m.out.len; i++)
		for (int flip = 1; flip < 256; flip *= 2) {
			struct trace *trace;

			m.out.text[i] = (char)(m.out.text[i] ^ flip);
			trace = trace_load(file_of(m.out.text, m.out.len), &xspace_source, NULL,
			                   NULL, NULL);
			m.out.text[i] = (char)(m.out.text[i] ^ flip);
			if (trace)
				ck_assert_uint_le(trace->records.len, 4);
			trace_free(trace);
		}
	made_xspace_release(&m);
}
END_TEST

/* Compressed it is the same; what is cut there too. */
START_TEST(compressed_file_is_read)
{
	struct made_xspace m = {0};
	struct str packed = {0};
	struct err err = {0};
	struct trace *trace;
	char *dir = scratch_new();
	struct str path = {0};

	make_all(&m);
	str_fmt(&path, "%s/x.gz", dir);
	ck_assert(gzip_write(path.text, m.out.text, m.out.len, &err));
	trace = load(path.text);
	ck_assert_uint_eq(trace->records.len, 2);
	ck_assert_uint_eq(trace->warnings.len, 0);
	trace_free(trace);
	ck_assert(read_whole(path.text, &packed));
	trace = load(file_of(packed.text, packed.len - 8));      /* its checksum is cut off */
	ck_assert_uint_eq(trace->records.len, 2);
	ck_assert_uint_eq(trace->warnings.len, 1);
	trace_free(trace);
	ck_assert_ptr_null(trace_load(file_of(packed.text, 12), &xspace_source, NULL, NULL, &err));
	ck_assert_int_ne(err.code, ERR_NONE);
	str_release(&packed);
	str_release(&path);
	made_xspace_release(&m);
	scratch_remove(dir);
}
END_TEST

/* Directories, as the program opens them. */

/* d/plugins/profile/SESSION/HOST.xplane.pb: a GPU with a kernel of so many ns. */
static void put_session(const char *dir, const char *file, int64_t len_ns, int64_t began_ns)
{
	struct made_xspace m = {0};
	struct str path = {0};
	uint32_t start;
	FILE *out;

	made_plane(&m, "/device:GPU:0");
	made_line(&m, 1, "Stream #1(Compute)", 1000);
	made_event(&m, made_event_name(&m, "k"), 0, len_ns * 1000);
	made_plane_end(&m);
	made_plane(&m, "Task Environment");
	start = made_stat_name(&m, "profile_start_time");
	put_number(&m.event, 1, start);
	put_number(&m.event, 3, (uint64_t)began_ns);
	put_message(&m.head, 6, &m.event);
	str_reset(&m.event);
	made_plane_end(&m);
	str_fmt(&path, "%s/%s", dir, file);
	for (char *slash = strchr(path.text + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path.text, 0700);
		*slash = '/';
	}
	out = fopen(path.text, "w");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(m.out.text, 1, m.out.len, out), m.out.len);
	fclose(out);
	str_release(&path);
	made_xspace_release(&m);
}

static void run(const char *dir, const char *path, const char *command, struct program_run *ran)
{
	const char *const argv[] = { program_path(), "-c", command, path, NULL };

	program_run(argv, dir, NULL, ran);
}

/* Of several sessions the newest is open, whichever of the directories around them is named. */
static const struct { const char *path; } logdirs[] = {
	{ "d" }, { "d/plugins" }, { "d/plugins/profile" },
};

START_TEST(newest_session_is_open)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/plugins/profile/2026_01_09_00_00_00/a.xplane.pb", 9, 0);
	put_session(dir, "d/plugins/profile/2026_01_10_00_00_00/a.xplane.pb", 10, 0);
	put_session(dir, "d/plugins/profile/2026_01_08_00_00_00/a.xplane.pb", 8, 0);
	run(dir, logdirs[_i].path, "kernels", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "GPU:0: span 10ns"));
	ck_assert_ptr_nonnull(strstr(ran.err.text, "3 sessions of a profiler; the newest, "));
	ck_assert_ptr_nonnull(strstr(ran.err.text, "2026_01_10_00_00_00, is open; others: "
	                                           "2026_01_09_00_00_00, 2026_01_08_00_00_00\n"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Logdirs of several programs are listed, as other places are. */
START_TEST(sessions_of_several_programs_are_listed)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/a/plugins/profile/2026_01_09_00_00_00/a.xplane.pb", 9, 0);
	put_session(dir, "d/b/plugins/profile/2026_01_10_00_00_00/a.xplane.pb", 10, 0);
	run(dir, "d", "runs", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "a/plugins/profile/2026_01_09_00_00_00"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "b/plugins/profile/2026_01_10_00_00_00"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* Machines of one session are devices; their times count from the first one's start. */
START_TEST(hosts_of_a_session_are_devices)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/w0.xplane.pb", 5, 7000000);
	put_session(dir, "d/w1.xplane.pb", 6, 7000100);
	run(dir, "d", "kernels -g device", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w0/GPU:0: span 5ns"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w1/GPU:0: span 6ns"));
	program_release(&ran);
	run(dir, "d", "timeline", &ran);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "timeline: 2 lanes, span 106ns"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "w1/GPU:0 stream 1"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* What began at another time is no machine of the same session. */
START_TEST(other_sessions_are_left_out)
{
	char *dir = scratch_new();
	struct program_run ran;

	put_session(dir, "d/w0.xplane.pb", 5, INT64_C(1700000000000000000));
	put_session(dir, "d/w1.xplane.pb", 6, INT64_C(1700086400000000000));
	run(dir, "d", "kernels -g device", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "\nGPU:0: span 5ns"));
	ck_assert_ptr_null(strstr(ran.out.text, "w1/GPU:0"));
	ck_assert_ptr_nonnull(strstr(ran.out.text, "note: w1 could not be read: it is of another "
	                             "session, which began 1440 minutes later.\n"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

/* The JSON that was made of an XSpace is passed over, and an XSpace beside recorded steps. */
START_TEST(xspace_wins_over_its_json)
{
	static const char json[] = "{\"traceEvents\": [{\"ph\": \"X\"}]}";
	char *dir = scratch_new();
	struct program_run ran;
	struct str path = {0};
	FILE *out;

	put_session(dir, "d/w0.xplane.pb", 5, 0);
	str_fmt(&path, "%s/d/w0.trace.json", dir);
	out = fopen(path.text, "w");
	ck_assert_uint_eq(fwrite(json, 1, sizeof json - 1, out), sizeof json - 1);
	fclose(out);
	run(dir, "d", "kernels", &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_ptr_nonnull(strstr(ran.out.text, "GPU:0: span 5ns"));
	ck_assert_str_eq(ran.err.text, "tensordbg: not opened: w0.trace.json (Chrome trace)\n");
	program_release(&ran);
	str_release(&path);
	scratch_remove(dir);
}
END_TEST

/* What an XSpace does not have is said in a line. */
static const struct { const char *command; } without[] = {
	{ "lp" }, { "memory" }, { "timeline -o x.json" }, { "tfprof op" },
};

START_TEST(statistics_are_missing)
{
	const char *const argv[] = { program_path(), "-c", without[_i].command,
	                             JAX "host.xplane.pb", NULL };
	struct program_run ran;

	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	ck_assert_str_eq(ran.out.text, "ERROR: " JAX "host.xplane.pb: an XSpace has no TensorFlow "
	                               "step statistics.\n");
	program_release(&ran);
}
END_TEST

SUITE_MAIN("xspace",
	tcase_add_test(t, kernels_are_those_of_xprof);
	tcase_add_test(t, host_ops_are_those_of_xprof);
	tcase_add_loop_test(t, steps_are_those_of_xprof, 0, ROWS(recordings));
	tcase_add_loop_test(t, names_of_the_host_are_ops, 0, ROWS(host_names));
	tcase_add_test(t, hlo_op_makes_any_event_an_op);
	tcase_add_test(t, inner_ops_are_taken_from_outer_ones);
	tcase_add_loop_test(t, details_of_a_kernel_are_its_launch, 0, ROWS(details));
	tcase_add_loop_test(t, events_of_a_device_have_kinds, 0, ROWS(device_events));
	tcase_add_loop_test(t, op_of_a_kernel, 0, ROWS(attributions));
	tcase_add_test(t, call_launches_the_first_of_its_kernels);
	tcase_add_test(t, kernel_is_in_the_step_of_its_launch);
	tcase_add_test(t, only_xla_ops_of_a_tpu_count);
	tcase_add_test(t, stats_of_a_name_count_for_its_events);
	tcase_add_test(t, ids_may_be_any_numbers);
	tcase_add_loop_test(t, times_beyond_all_are_left_out, 0, ROWS(times));
	tcase_add_loop_test(t, odd_bytes_do_no_harm, 0, ROWS(odd));
	tcase_add_test(t, cut_at_every_byte);
	tcase_add_test(t, any_byte_may_be_another);
	tcase_add_test(t, compressed_file_is_read);
	tcase_add_loop_test(t, newest_session_is_open, 0, ROWS(logdirs));
	tcase_add_test(t, sessions_of_several_programs_are_listed);
	tcase_add_test(t, hosts_of_a_session_are_devices);
	tcase_add_test(t, other_sessions_are_left_out);
	tcase_add_test(t, xspace_wins_over_its_json);
	tcase_add_loop_test(t, statistics_are_missing, 0, ROWS(without));
)
