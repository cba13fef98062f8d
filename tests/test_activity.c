/* Steps made by hand: what the recordings do not have. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/profile/memory_chart.h"
#include "cmds/profile/kernel_table.h"
#include "dump/base/mem.h"
#include "dump/model/graph.h"
#include "dump/profile/activity.h"
#include "dump/profile/run_metadata.h"
#include "dump/profile/busy.h"
#include "dump/profile/label.h"
#include "dump/profile/packing.h"
#include "dump/profile/tensor_life.h"
#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/suite.h"

static void load(struct making *m, struct step *step, struct activities *out)
{
	struct err err = {0};
	struct str run = {0};

	made_run(m, &run);
	*step = (struct step){ .path = file_of(run.text, run.len), .file = "made", .label = "0",
	                        .source = &run_metadata_source };
	ck_assert_msg(step_load(step, NULL, &err), "%s", err.msg);
	ck_assert_msg(activities_of(step, NULL, NULL, 0, false, NULL, out, &err), "%s", err.msg);
	str_release(&run);
}

static struct kernel_table *table_of(const struct activities *acts,
                                     const struct kernel_query *query)
{
	static const char *const label = "0";
	struct kernel_table *table;
	struct err err = {0};

	ck_assert_msg(kernel_table_of(&acts, &label, 1, query, NULL, &table, &err), "%s", err.msg);
	return table;
}

static void done(struct kernel_table *table, struct activities *acts, struct step *step)
{
	kernel_table_free(table);
	activities_release(acts);
	step_release(step);
}

static const struct kernel_query plain = { .depth = 2 };

/* Kernels 0..10 and 5..15 on two streams, a copy 8..20, each twice. */
START_TEST(overlap_counts_once)
{
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;

	made_lane(&m, "/device:GPU:0/stream:all");
	made_record(&m, "a:MatMul", 1, 10, "k1 regs:1@@a:MatMul");
	made_record(&m, "b:MatMul", 6, 10, "k2 regs:1@@b:MatMul");
	made_lane(&m, "/device:GPU:0/stream:1");
	made_record(&m, "a:MatMul", 1, 10, "k1 regs:1@@a:MatMul");
	made_lane(&m, "/device:GPU:0/stream:2");
	made_record(&m, "b:MatMul", 6, 10, "k2 regs:1@@b:MatMul");
	made_lane(&m, "/device:GPU:0/memcpy");
	made_record(&m, "c:MEMCPYHtoD", 9, 12, "MemcpyH2D bytes:256");
	made_lane(&m, "/device:GPU:0/stream:3<MemcpyH2D>");
	made_record(&m, "c:MEMCPYHtoD", 9, 12, "MemcpyH2D bytes:256");
	load(&m, &step, &acts);
	ck_assert_uint_eq(acts.n_of[ACTIVITY_KERNEL], 2);
	ck_assert_uint_eq(acts.n_of[ACTIVITY_COPY], 1);
	t = table_of(&acts, &plain);
	ck_assert_int_eq(t->whole_ns, 20000);
	ck_assert_int_eq(t->devices.at[0].busy_ns, 20000);
	ck_assert_int_eq(t->devices.at[0].copy_ns, 12000);
	ck_assert_int_eq(t->devices.at[0].hidden_ns, 7000);
	ck_assert_int_eq(t->devices.at[0].sum_ns, 32000);
	ck_assert_uint_eq(t->devices.at[0].streams, 3);
	done(t, &acts, &step);
}
END_TEST

/* A file without the lanes that have all: the copies of a numbered stream are no kernels. */
START_TEST(streams_stand_in)
{
	struct making m = {0};
	struct step step;
	struct activities acts;

	made_lane(&m, "/gpu:0/stream:7");
	made_record(&m, "a:MatMul", 1, 10, "");
	made_record(&m, "c:ConcatV2", 20, 5, "");
	made_record(&m, "c:ConcatV2", 20, 5, "");
	made_lane(&m, "/gpu:0/memcpy");
	made_record(&m, "c:ConcatV2", 20, 5, "");
	load(&m, &step, &acts);
	ck_assert_uint_eq(acts.n_of[ACTIVITY_KERNEL], 2);
	ck_assert_uint_eq(acts.n_of[ACTIVITY_COPY], 1);
	for (size_t i = 0; i < acts.at.len; i++) {
		const struct activity *a = &acts.at.at[i];

		ck_assert_str_eq(acts.names.key[a->kernel],
		                 a->kind == ACTIVITY_COPY ? "[copy D2D]" :
		                 strcmp(acts.names.key[a->node], "a") ? "[ConcatV2]" : "[MatMul]");
	}
	activities_release(&acts);
	step_release(&step);
}
END_TEST

START_TEST(impossible_times_are_left_out)
{
	const int64_t day = INT64_C(86400000000);
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;

	made_lane(&m, "/job:w/replica:0/task:0/device:CPU:0");
	made_record(&m, "_SOURCE", 1, 1, "");
	made_record(&m, "a", 2, 3, "a = Add()");
	made_record(&m, "b", 3, 4, "b = Add()");
	made_record(&m, "no_start", 0, 4, "x = Add()");
	made_record(&m, "before_all", -5, 4, "x = Add()");
	made_record(&m, "negative", 4, -4, "x = Add()");
	made_record(&m, "too_long", 4, day + 1, "x = Add()");
	made_record(&m, "too_late", 2 * day, 1, "x = Add()");
	made_record(&m, "overflow", INT64_MAX - BEGIN_US, INT64_MAX, "x = Add()");
	load(&m, &step, &acts);
	ck_assert_uint_eq(acts.impossible.len, 6);
	ck_assert_uint_eq(acts.n_bookkeeping, 1);
	ck_assert_int_eq(acts.begin_us, BEGIN_US + 1);
	t = table_of(&acts, &plain);
	ck_assert_int_eq(t->universe, UNIVERSE_HOST);
	ck_assert_int_eq(t->whole_ns, 7000);
	ck_assert_uint_eq(t->rows.len, 2);
	done(t, &acts, &step);
}
END_TEST

/* Each is possible, but not all of them together; and more bytes than there can be. */
START_TEST(sums_have_an_end)
{
	struct kernel_query query = {
		.universe = UNIVERSE_HOST, .has_universe = true, .has_group = true,
		.group = GROUP_OP,
	};
	const int64_t day_us = 24 * 3600 * INT64_C(1000000);
	struct str memory = {0}, record = {0};
	struct kernel_table *table;
	struct activities acts;
	struct making m = {0};
	struct step step;

	put_number(&memory, 2, INT64_MAX);
	made_lane(&m, "/job:worker/replica:0/task:0/device:CPU:0");
	for (int i = 0; i < 7; i++) {
		str_reset(&record);
		put_bytes(&record, 1, "a", 1);
		put_number(&record, 2, BEGIN_US);
		put_number(&record, 4, (uint64_t)day_us);
		put_number(&record, 5, (uint64_t)day_us);
		put_message(&record, 6, &memory);
		put_message(&m.lane, 2, &record);
	}
	load(&m, &step, &acts);
	ck_assert_uint_eq(acts.at.len, 5);
	ck_assert_uint_eq(acts.impossible.len, 2);
	table = table_of(&acts, &query);
	ck_assert_int_eq(table->rows.at[0].total_ns, 5000 * day_us);
	ck_assert_int_eq(table->rows.at[0].bytes, INT64_MAX);
	done(table, &acts, &step);
	str_release(&memory);
	str_release(&record);
}
END_TEST

START_TEST(library_kernels_have_no_op)
{
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;
	struct kernel_query q = { .depth = 2, .has_group = true, .group = GROUP_TYPE };

	made_lane(&m, "/device:GPU:0/stream:all");
	made_record(&m, "a:MatMul", 1, 90, "gemm@@a:MatMul");
	made_record(&m, "_Z1fv", 100, 10, "_Z1fv regs:3");
	made_record(&m, "ns::g(int)", 120, 0, "ns::g(int) regs:3");
	load(&m, &step, &acts);
	t = table_of(&acts, &q);
	ck_assert_int_eq(t->lost_ns, 10000);
	ck_assert_uint_eq(t->n_zero, 1);
	ck_assert_uint_eq(t->rows.len, 2);
	ck_assert_str_eq(t->rows.at[0].name, "(unattributed)");
	ck_assert_uint_eq(t->rows.at[0].calls, 2);
	done(t, &acts, &step);
}
END_TEST

/* Of n lengths 1 to n us the one that 95 % do not exceed; of fewer than 20 it says nothing. */
static const struct { int n; int64_t p95_us; } ranks[] = {
	{ 19, -1 }, { 20, 19 }, { 21, 20 }, { 40, 38 }, { 100, 95 },
};

START_TEST(p95_is_the_nearest_rank)
{
	struct kernel_query query = { .depth = 2 };
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;
	struct kernel_row_more more;
	int64_t wanted = ranks[_i].p95_us < 0 ? -1 : ranks[_i].p95_us * 1000;

	made_lane(&m, "/device:GPU:0/stream:all");
	for (int i = 0; i < ranks[_i].n; i++)
		made_record(&m, "a:MatMul", 1 + 1000 * i, i * 11 % ranks[_i].n + 1, "k@@a:MatMul");
	load(&m, &step, &acts);
	t = table_of(&acts, &query);
	ck_assert_uint_eq(t->rows.len, 1);
	ck_assert_int_eq(kernel_row_p95(t, &t->rows.at[0]), wanted);
	kernel_row_more(t, &t->rows.at[0], &more);
	ck_assert_int_eq(more.p95_ns, wanted);
	kernel_row_more_release(&more);
	done(t, &acts, &step);
}
END_TEST

/* The mean of what is known, rounded half up; a file that tells no launches gives none. */
static const struct { int64_t delays[3], mean; } launches[] = {
	{ { -1, -1, -1 }, -1 }, { { 0, -1, -1 }, 0 }, { { 3, -1, 4 }, 4 }, { { 10, 20, 40 }, 23 },
	{ { INT64_MAX, INT64_MAX, INT64_MAX }, INT64_MAX },
};

START_TEST(launch_delays_have_a_mean)
{
	struct kernel_query query = { .depth = 2 };
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;
	struct kernel_row_more more;

	made_lane(&m, "/device:GPU:0/stream:all");
	for (int i = 0; i < 3; i++)
		made_record(&m, "a:MatMul", 1 + 10 * i, 1, "k@@a:MatMul");
	load(&m, &step, &acts);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(acts.at.at[i].launch_delay_ns, -1);
		acts.at.at[i].launch_delay_ns = launches[_i].delays[i];
	}
	t = table_of(&acts, &query);
	kernel_row_more(t, &t->rows.at[0], &more);
	ck_assert_int_eq(more.launch_delay_ns, launches[_i].mean);
	kernel_row_more_release(&more);
	done(t, &acts, &step);
}
END_TEST

/* Six gaps of two lengths: the five longest are told, of equal ones the earlier. */
START_TEST(gaps_that_tie_stay_in_order)
{
	static const int64_t len[] = { 5, 9, 5, 9, 5, 5 };
	static const struct { int64_t at, len; } wanted[] = {
		{ 7, 9 }, { 23, 9 }, { 1, 5 }, { 17, 5 }, { 33, 5 },
	};
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;
	int64_t at = 1;

	made_lane(&m, "/device:GPU:0/stream:all");
	for (size_t i = 0; i <= 6; i++) {
		made_record(&m, "a:MatMul", at, 1, "k@@a:MatMul");
		at += 1 + (i < 6 ? len[i] : 0);
	}
	load(&m, &step, &acts);
	t = table_of(&acts, &plain);
	ck_assert_uint_eq(t->devices.at[0].n_gaps, 5);
	for (size_t i = 0; i < 5; i++) {
		ck_assert_int_eq(t->devices.at[0].gap[i].at_ns, wanted[i].at * 1000);
		ck_assert_int_eq(t->devices.at[0].gap[i].len_ns, wanted[i].len * 1000);
	}
	done(t, &acts, &step);
}
END_TEST

/* What the clock had no time for are the kernels, not the copies and not the ops of the host. */
START_TEST(only_kernels_are_lost_to_the_clock)
{
	static const enum universe all[] = {
		UNIVERSE_KERNEL, UNIVERSE_COPY, UNIVERSE_DEVICE, UNIVERSE_HOST,
	};
	static const uint64_t n_zero[] = { 1, 0, 1, 0 };
	struct making m = {0};
	struct step step;
	struct activities acts;

	made_lane(&m, "/job:localhost/replica:0/task:0/device:GPU:0");
	made_record(&m, "a", 1, 0, "a = MatMul(x, y)");
	made_record(&m, "b", 2, 3, "b = MatMul(x, y)");
	made_lane(&m, "/device:GPU:0/stream:all");
	made_record(&m, "a:MatMul", 5, 0, "k@@a:MatMul");
	made_record(&m, "b:MatMul", 6, 1, "k@@b:MatMul");
	made_lane(&m, "/device:GPU:0/memcpy");
	made_record(&m, "c:MEMCPYHtoD", 9, 0, "MemcpyH2D bytes:256");
	load(&m, &step, &acts);
	for (size_t i = 0; i < 4; i++) {
		struct kernel_query query = {
			.depth = 2, .has_universe = true, .universe = all[i],
		};
		struct kernel_table *t = table_of(&acts, &query);

		ck_assert_uint_eq(t->n_zero, n_zero[i]);
		kernel_table_free(t);
	}
	activities_release(&acts);
	step_release(&step);
}
END_TEST

/* Records are named after edges and numbered copies of nodes; the graph knows which node it is. */
static const struct { const char *record, *node; } resolved[] = {
	{ "node", "node" }, { "edge_1_node", "node" }, { "edge_12_node/_3", "node" },
	{ "node/_7", "node" },
	{ "edge_5_other", "edge_5_other" },      /* the graph has one of this name */
	{ "edge__node", "edge__node" },          /* without a number it is no edge */
	{ "edge_1x_node", "edge_1x_node" }, { "edge_1_", "edge_1_" }, { "node_7", "node_7" },
	{ "node/_", "node/_" }, { "edge_1_/_3", "edge_1_/_3" },
};

START_TEST(edges_lead_to_nodes)
{
	struct str graph_text = {0}, run = {0}, record = {0}, label = {0};
	struct err err = {0};
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct graph *graph;

	put_node_def(&graph_text, "node", "Const", "", "");
	put_node_def(&graph_text, "other", "Const", "", "");
	put_node_def(&graph_text, "edge_5_other", "Const", "", "");
	graph = graph_open(file_of(graph_text.text, graph_text.len), 0, graph_text.len, NULL, &err,
	                   &err);
	ck_assert_msg(graph != NULL, "%s", err.msg);
	str_fmt(&record, "%s:MatMul", resolved[_i].record);
	made_lane(&m, "/device:GPU:0/stream:all");
	str_fmt(&label, "k@@%s:MatMul", resolved[_i].record);
	made_record(&m, str_text(&record), 1, 1, str_text(&label));
	made_run(&m, &run);
	step = (struct step){ .path = file_of(run.text, run.len), .file = "made", .label = "0",
	                        .source = &run_metadata_source };
	ck_assert_msg(step_load(&step, NULL, &err), "%s", err.msg);
	ck_assert_msg(activities_of(&step, NULL, &graph, 1, false, NULL, &acts, &err), "%s",
	              err.msg);
	ck_assert_uint_eq(acts.at.len, 1);
	ck_assert_str_eq(acts.names.key[acts.at.at[0].node], resolved[_i].node);
	activities_release(&acts);
	step_release(&step);
	graph_close(graph);
	str_release(&graph_text);
	str_release(&run);
	str_release(&record);
	str_release(&label);
}
END_TEST

/* Device, edge and scope names that try to be something else. */
START_TEST(hostile_names_are_names)
{
	static const char *const names[] = {
		"", ":", "::", "edge_1_", "edge__x", "/_1", "a/_", "////", "\033[31m", "a\nb:c",
	};
	struct making m = {0};
	struct step step;
	struct activities acts;

	for (size_t i = 0; i < ROWS(names); i++) {
		made_lane(&m, names[i]);
		made_record(&m, names[i], 1, 1, names[i]);
		made_lane(&m, "/device:GPU:0/stream:all");
		made_record(&m, names[i], 1, 1, names[i]);
	}
	load(&m, &step, &acts);
	for (enum kernel_group g = 0; g < N_GROUPS; g++) {
		struct kernel_query q = { .depth = MAX_SCOPE_DEPTH, .has_group = true, .group = g };
		struct kernel_table *t = table_of(&acts, &q);
		int64_t self = 0;

		for (size_t i = 0; i < t->rows.len; i++) {
			struct kernel_row_more more;

			kernel_row_more(t, &t->rows.at[i], &more);
			ck_assert_uint_gt(more.nodes, 0);
			kernel_row_more_release(&more);
			self += t->rows.at[i].self_ns;
		}
		ck_assert_int_eq(self, t->whole_ns);
		kernel_table_free(t);
	}
	activities_release(&acts);
	step_release(&step);
}
END_TEST

START_TEST(many_lanes_end)
{
	struct making m = {0};
	struct step step;
	struct activities acts;
	struct kernel_table *t;
	char device[64];

	for (int i = 0; i < 100000; i++) {
		snprintf(device, sizeof device, "/device:GPU:%d/stream:all", i);
		made_lane(&m, device);
		made_record(&m, "a:MatMul", 1, 1, "k@@a:MatMul");
	}
	load(&m, &step, &acts);
	ck_assert_uint_eq(acts.devices.len, 100000);
	t = table_of(&acts, &plain);
	ck_assert_uint_eq(t->calls, 100000);
	done(t, &acts, &step);
}
END_TEST

START_TEST(lanes_are_packed)
{
	static const int64_t start[] = { 100, 105, 110, 111 }, len[] = { 10, 20, 5, 5 };
	static const uint32_t row[] = { 0, 1, 2, 0 };
	struct packing packing = {0};

	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(packing_put(&packing, start[i], start[i] + len[i]), row[i]);
	packing_release(&packing);
	/* of two rows the first one is not free yet */
	ck_assert_uint_eq(packing_put(&packing, 100, 120), 0);
	ck_assert_uint_eq(packing_put(&packing, 105, 110), 1);
	ck_assert_uint_eq(packing_put(&packing, 120, 130), 1);
	packing_release(&packing);
	ck_assert_uint_eq(packing_put(&packing, 0, 5), 1);
	packing_release(&packing);
	for (uint32_t i = 0; i < 1000000; i++)
		ck_assert_uint_eq(packing_put(&packing, 1, 10), i);
	for (uint32_t i = 0; i < 1000000; i++)
		ck_assert_uint_eq(packing_put(&packing, 11, 20), i);
	packing_release(&packing);
}
END_TEST

START_TEST(union_is_of_all_intervals)
{
	struct busy busy = {0};

	busy_add(&busy, 50, 10);
	busy_add(&busy, 0, 10);
	busy_add(&busy, 5, 10);
	busy_add(&busy, 7, 0);
	busy_add(&busy, 15, 5);
	busy_add(&busy, 55, 1);
	busy_unite(&busy);
	ck_assert_uint_eq(busy.at.len, 2);
	ck_assert_int_eq(busy_ns(&busy), 30);
	busy_release(&busy);
	busy_add(&busy, 10, 5); /* what touches is one, also out of order: no gap of no length */
	busy_add(&busy, 5, 5);
	busy_unite(&busy);
	ck_assert_uint_eq(busy.at.len, 1);
	ck_assert_int_eq(busy_ns(&busy), 10);
	busy_release(&busy);
}
END_TEST

/* op NULL: no label of an op. inputs: each ended by |. */
static const struct { const char *label, *op, *inputs; } labels[] = {
	{ "[GPU_0_bfc 12.0MB 12.0MB] a/b = MatMul(x, y:1)", "MatMul", "x|y:1|" },
	{ "s = _Send(t @/device:CPU:0", NULL, NULL },
	{ "a = NoOp()", "NoOp", "" },
	{ "a = B = C(x)(y)", "C(x)", "y|" },
	{ "a = F(x), ", "F", "x|" },
	{ "a = F(x, )", "F", "x||" },
	{ "a\n = F(x)", NULL, NULL },
	{ "a = F(x)\n = G(y)", "F", "x|" },
	{ "a=F(x)", NULL, NULL },
	{ "", NULL, NULL },
};

START_TEST(labels_name_ops)
{
	struct op_label parts;
	struct text input;
	struct str inputs = {0};
	bool ok = label_op(labels[_i].label, strlen(labels[_i].label), &parts);

	ck_assert_int_eq(ok, labels[_i].op != NULL);
	if (!ok)
		return;
	ck_assert_uint_eq(parts.op.len, strlen(labels[_i].op));
	ck_assert_mem_eq(parts.op.at, labels[_i].op, parts.op.len);
	while (label_input(&parts.inputs, &input)) {
		str_put(&inputs, input.at, input.len);
		str_putc(&inputs, '|');
	}
	ck_assert_str_eq(str_text(&inputs), labels[_i].inputs);
	str_release(&inputs);
}
END_TEST

static const struct { const char *activity, *op, *way; int64_t bytes; } copies[] = {
	{ "MemcpyH2D bytes:256 aync", "", "H2D", 256 },
	{ "[16B] edge_1_x from a to b", "MEMCPYDtoH", "D2H", 16 },
	{ "", "ConcatV2", "D2D", 0 },
	{ "MemcpyOther bytes:9", "", "D2D", 9 },
	{ "MEMCPYPtoP bytes:99999999999999999999", "", "P2P", 0 },
	{ "[B] x", "memcpy", "D2D", 0 },
	{ "memcpyh", "memcpyd2", "D2D", 0 },
};

START_TEST(labels_name_copies)
{
	struct text activity = { copies[_i].activity, strlen(copies[_i].activity) };
	struct text op = { copies[_i].op, strlen(copies[_i].op) };
	char way[4];

	label_copy_way(activity, op, way);
	ck_assert_str_eq(way, copies[_i].way);
	ck_assert_int_eq(label_copy_bytes(activity), copies[_i].bytes);
}
END_TEST

/* A name made again takes the number that the next new one gets too. */
START_TEST(tensors_live)
{
	struct tensor_lives lives = {0};
	struct tensor_life life = { .from_us = 1, .to_us = 5, .bytes = 10 };
	struct life_events events = {0};
	size_t *first;

	ck_assert_uint_eq(life_begin(&lives, "a", 1, false, &life, "cpu"), 0);
	ck_assert_uint_eq(life_begin(&lives, "a", 1, false, &life, "cpu"), 0);
	ck_assert_uint_eq(lives.at.at[0].object, 1);
	ck_assert_uint_eq(life_begin(&lives, "b", 1, false, &life, ""), 1);
	ck_assert_uint_eq(lives.at.at[1].object, 1);
	ck_assert_uint_eq(life_use(&lives, "a/_7", 4, 9), 0);
	ck_assert_int_eq(lives.at.at[0].to_us, 8);
	ck_assert_uint_eq(life_use(&lives, "/_7", 3, 9), MAP_NONE);
	ck_assert_uint_eq(life_use(&lives, "", 0, 9), MAP_NONE);
	life_events_of(&lives, &events, &first);
	ck_assert_uint_eq(first[1], 2);
	ck_assert_uint_eq(first[2], 4);
	ck_assert_int_eq(events.at.at[1].us, 8);
	ck_assert_int_eq(events.at.at[1].bytes, -10);
	free(first);
	lives.at.at[0].bytes = INT64_MIN;        /* nonsense, but it has no opposite */
	events.at.len = 0;
	life_events_of(&lives, &events, &first);
	ck_assert_int_eq(events.at.at[0].bytes, INT64_MIN);
	ck_assert_int_eq(events.at.at[1].bytes, INT64_MAX);
	vec_release(&events.at);
	free(first);
	lives_release(&lives);
}
END_TEST

START_TEST(memory_is_given_back_before_it_is_taken)
{
	struct tensor_lives lives = {0};
	struct tensor_life a = { .from_us = 1, .to_us = 8, .bytes = 10 };
	struct tensor_life b = { .from_us = 8, .to_us = 9, .bytes = 5 };
	struct life_events events = {0};
	size_t *first;

	life_begin(&lives, "b", 1, false, &b, "cpu");
	life_begin(&lives, "a", 1, false, &a, "cpu");
	life_events_of(&lives, &events, &first);
	ck_assert_uint_eq(events.at.len, 4);
	ck_assert_int_eq(events.at.at[1].bytes, -10);
	ck_assert_int_eq(events.at.at[2].bytes, 5);
	vec_release(&events.at);
	free(first);
	lives_release(&lives);
}
END_TEST

/* A chart of 0, 1, 100 and 0 bytes, ten columns each. */
START_TEST(charts_show_small_sums)
{
	static const struct life_event events[] = { { 10, 1, 0 }, { 20, 99, 1 }, { 30, -100, 0 } };
	struct memory_curve curve = { .at = events, .n = 3, .end_us = 40, .peak = 100 };
	struct str out = {0};

	chart_put_strip(&curve, 40, false, &out);
	ck_assert_str_eq(out.text, "          ..........###########         ");
	ck_assert(!chart_is_flat(&curve, CHART_GUTTER + 40));
	curve.at = &events[1];           /* nothing, then 99 to the end */
	curve.n = 1;
	curve.peak = 99;
	ck_assert(chart_is_flat(&curve, CHART_GUTTER + 40));
	str_release(&out);
}
END_TEST

SUITE_MAIN("activity",
	tcase_add_loop_test(t, launch_delays_have_a_mean, 0, ROWS(launches));
	tcase_add_test(t, overlap_counts_once);
	tcase_add_test(t, streams_stand_in);
	tcase_add_test(t, impossible_times_are_left_out);
	tcase_add_test(t, sums_have_an_end);
	tcase_add_test(t, library_kernels_have_no_op);
	tcase_add_loop_test(t, p95_is_the_nearest_rank, 0, ROWS(ranks));
	tcase_add_test(t, gaps_that_tie_stay_in_order);
	tcase_add_test(t, only_kernels_are_lost_to_the_clock);
	tcase_add_loop_test(t, edges_lead_to_nodes, 0, ROWS(resolved));
	tcase_add_test(t, hostile_names_are_names);
	tcase_add_test(t, many_lanes_end);
	tcase_add_test(t, lanes_are_packed);
	tcase_add_test(t, union_is_of_all_intervals);
	tcase_add_loop_test(t, labels_name_ops, 0, ROWS(labels));
	tcase_add_loop_test(t, labels_name_copies, 0, ROWS(copies));
	tcase_add_test(t, charts_show_small_sums);
	tcase_add_test(t, tensors_live);
	tcase_add_test(t, memory_is_given_back_before_it_is_taken);
)
