/* What is made of the events of an XSpace: those of the host, and those of devices. */
#include "tests/suite.h"

#include <string.h>

#include "tests/loaded_xspace.h"
#include "tests/message.h"

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
	{ "a:matMul", NULL, NULL },
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
	trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 1);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), "dot.1");
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].raw), "anything");
	trace_free(trace);
}
END_TEST

/* On the host no other stat speaks for hlo_op, nor for what a name says. */
static const struct { const char *name, *hlo_op, *node, *type; } host_attributions[] = {
	{ "anything", "dot.1", "dot.1", "" },
	{ "a/b:Cast", "dot.1", "dot.1", "" },
	{ "a/b:Cast", NULL, "a/b", "Cast" },
};

START_TEST(op_of_a_host_event)
{
	struct made_xspace m = {0};
	struct trace *trace;
	uint32_t hlo, tf_op, annotation;

	made_plane(&m, "/host:CPU");
	hlo = made_stat_name(&m, "hlo_op");
	tf_op = made_stat_name(&m, "tf_op");
	annotation = made_stat_name(&m, "annotation");
	made_line(&m, 7, "main", 0);
	made_event(&m, made_event_name(&m, host_attributions[_i].name), 0, 1000);
	made_text(&m, annotation, "x:X");
	if (host_attributions[_i].hlo_op)
		made_text(&m, hlo, host_attributions[_i].hlo_op);
	made_text(&m, tf_op, "y:Y");
	made_plane_end(&m);
	trace = xspace_load_made(&m);
	ck_assert_uint_eq(trace->all.at.len, 1);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].node), host_attributions[_i].node);
	ck_assert_str_eq(name_of(trace, trace->all.at.at[0].op), host_attributions[_i].type);
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
		trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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
		trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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
	trace = xspace_load_made(&m);
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

SUITE_MAIN("xspace_events",
	tcase_add_loop_test(t, names_of_the_host_are_ops, 0, ROWS(host_names));
	tcase_add_test(t, hlo_op_makes_any_event_an_op);
	tcase_add_loop_test(t, op_of_a_host_event, 0, ROWS(host_attributions));
	tcase_add_test(t, inner_ops_are_taken_from_outer_ones);
	tcase_add_loop_test(t, details_of_a_kernel_are_its_launch, 0, ROWS(details));
	tcase_add_loop_test(t, events_of_a_device_have_kinds, 0, ROWS(device_events));
	tcase_add_loop_test(t, op_of_a_kernel, 0, ROWS(attributions));
	tcase_add_test(t, call_launches_the_first_of_its_kernels);
	tcase_add_test(t, kernel_is_in_the_step_of_its_launch);
	tcase_add_test(t, only_xla_ops_of_a_tpu_count);
	tcase_add_test(t, stats_of_a_name_count_for_its_events);
)
