/* Recorded programs made here: what no program wrote so far, and what joining them guesses. */
#include "tests/suite.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "dump/base/str.h"
#include "tests/message.h"
#include "tests/program_files.h"
#include "tests/small_dump.h"

static void start_odd(void)
{
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_reset(&files[i]);
	put_metadata(100, "run");
}

static struct program *open_odd(void)
{
	write_set("1.host");
	return open_scratch();
}

static uint32_t graph_of(const struct program *p, const char *id)
{
	uint32_t graph = PROGRAM_NONE;

	ck_assert_uint_eq(program_find_graphs(p, id, &graph, 1), 1);
	return graph;
}

START_TEST(graph_of_a_call_is_guessed)
{
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_graph("h", "twice", "");
	put_graph("i", "twice", "");
	put_step(101, "__inference_f_12", "", 0, 0);
	put_step(102, "__backward_twice_1", "", 0, 0);
	put_step(103, "f", "", 0, 0);
	put_step(104, "__forward_x_1", "h", 0, 0);
	p = open_odd();
	ck_assert_uint_eq(program_probable_graph(p, 0), graph_of(p, "g"));
	ck_assert_uint_eq(program_probable_graph(p, 1), PROGRAM_NONE);
	ck_assert_uint_eq(program_probable_graph(p, 2), PROGRAM_NONE);
	ck_assert_uint_eq(program_probable_graph(p, 3), graph_of(p, "h"));
	ck_assert_uint_eq(p->n_function_steps, 3);
	program_close(p);
}
END_TEST

START_TEST(graphs_in_a_circle)
{
	struct program *p;
	uint32_t a, c, chain[4];

	start_odd();
	put_graph("a", "while_body_3", "b");
	put_graph("b", "", "a");
	put_graph("c", "inner", "a");
	put_graph("self", "", "self");
	put_graph("lost", "", "nowhere");
	put_step(101, "__inference_f_1", "b", 0, 0);
	put_trace(100.5, "c", "x");
	put_trace(100.6, "c", "x");
	p = open_odd();
	a = graph_of(p, "a");
	c = graph_of(p, "c");
	ck_assert_uint_eq(program_chain(p, a, chain, 4), 2);
	ck_assert_uint_eq(chain[1], a);
	ck_assert_uint_eq(program_chain(p, c, chain, 4), 3);
	ck_assert_uint_eq(program_chain(p, graph_of(p, "self"), chain, 4), 1);
	ck_assert_uint_eq(program_chain(p, graph_of(p, "lost"), chain, 4), 2);
	ck_assert(program_is_within(p, c, graph_of(p, "b")));
	ck_assert(!program_is_within(p, a, c));
	ck_assert(p->graphs.at[c].in_loop);
	ck_assert_uint_eq(p->steps.at[0].n_sure, 2);
	ck_assert_uint_eq(p->traces.at[1].dump, 1);
	ck_assert_uint_eq(p->unresolved.graphs, 1);
	program_close(p);
}
END_TEST

/* What names a thing first, of many in several files. */
START_TEST(what_is_missing)
{
	struct program_missing m[8];
	struct program *p;
	uint64_t second;

	start_odd();
	put_graph("g", "f", "around");
	second = files[PROGRAM_FILE_GRAPHS].len;
	put_op("lost", "A", "x", "");
	put_trace(101, "g", "y");
	put_trace(102, "lost", "x");
	put_trace(103, "g", "y");
	put_step(104, "f", "lost", 0, 0);
	put_source("a.py");
	put_frame("b", 1, 1);
	p = open_odd();
	ck_assert_uint_eq(program_list_missing(p, m, 8), 5);
	ck_assert_int_eq(m[0].kind, PROGRAM_MISSING_GRAPH);
	ck_assert_str_eq(p->graphs.at[m[0].number].id, "around");
	ck_assert_uint_eq(m[0].at.file, PROGRAM_FILE_GRAPHS);
	ck_assert_str_eq(p->graphs.at[m[1].number].id, "lost");
	ck_assert_uint_eq(m[1].at.off, second);
	ck_assert_int_eq(m[2].kind, PROGRAM_MISSING_OP);
	ck_assert_str_eq(p->nodes.at[m[2].number].name, "y");
	ck_assert_uint_eq(m[2].at.file, PROGRAM_FILE_TRACES);
	ck_assert_uint_eq(m[2].at.off, 0);
	ck_assert_int_eq(m[3].kind, PROGRAM_MISSING_FRAME);
	ck_assert_str_eq(p->frames.at[m[3].number].id, "a");
	ck_assert_uint_eq(m[3].at.file, PROGRAM_FILE_GRAPHS);
	ck_assert_int_eq(m[4].kind, PROGRAM_MISSING_SOURCE);
	ck_assert_str_eq(p->frames.at[m[4].number].id, "b");
	ck_assert_uint_eq(m[4].at.file, PROGRAM_FILE_FRAMES);
	ck_assert_uint_eq(program_list_missing(p, m, 1), 5);
	program_close(p);
}
END_TEST

/* Each set has a clock of its own; the latest one counts, not the neighbour. */
START_TEST(traces_that_are_late)
{
	struct program *p;
	uint64_t third;

	start_odd();
	put_graph("g", "f", "");
	put_trace(101, "g", "x");
	put_trace(105, "g", "x");
	third = files[PROGRAM_FILE_TRACES].len;
	put_trace(103, "g", "x");
	put_trace(104, "g", "x");
	put_trace(105, "g", "x");
	write_set("1.host");
	start_odd();
	put_trace(102, "g", "x");
	write_set("2.host");
	p = open_scratch();
	ck_assert_uint_eq(p->sets.len, 2);
	ck_assert_uint_eq(p->late.traces, 2);
	ck_assert_uint_eq(p->late.first.off, third);
	program_close(p);
}
END_TEST

START_TEST(ops_of_one_name)
{
	struct program *p;
	uint32_t g;

	start_odd();
	put_graph("g", "f", "");
	put_op("g", "A", "x", "x@2:0");
	put_op("g", "B", "x", "^y");
	put_op("g", "C", "x", "a:b");
	put_trace(101, "g", "x");
	p = open_odd();
	g = graph_of(p, "g");
	ck_assert_uint_eq(p->n_duplicate_ops, 2);
	ck_assert_uint_eq(p->graphs.at[g].n_ops, 1);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x", 1)].op, 0);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x@2", 3)].op, 1);
	ck_assert_uint_eq(p->nodes.at[program_find_node(p, g, "x@3", 3)].op, 2);
	ck_assert_uint_eq(p->keys.at[p->traces.at[0].key].node, program_find_node(p, g, "x", 1));
	ck_assert_int_eq(program_op_inputs(p, 1)->slot, PROGRAM_CONTROL);
	ck_assert_int_eq(program_op_inputs(p, 2)->slot, PROGRAM_BARE);
	program_close(p);
}
END_TEST

/* Times that are none, and one that is far away. */
START_TEST(odd_times)
{
	static const double times[] = { NAN, 0, -1, INFINITY, 1e300, 103 };
	struct program *p;
	int64_t us;

	start_odd();
	put_graph("g", "f", "");
	for (int i = 0; i < ROWS(times); i++) {
		put_trace(times[i], "g", "x");
		put_step(times[i], "Mul", "", 1, 1);
	}
	p = open_odd();
	ck_assert_uint_eq(p->n_tensors, 12);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 0).trace, 2);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 1).step, 2);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 2).trace, 0);
	ck_assert(!program_time_us(p, NAN, &us) && !program_time_us(p, 1e300, &us));
	ck_assert(program_time_us(p, 100.0078125, &us));
	ck_assert_int_eq(us, 7812);
	program_close(p);
}
END_TEST

START_TEST(outputs_nobody_tells_of)
{
	struct str m = {0};
	struct program *p;

	start_odd();
	put_word(&m, 1, "Mul");
	put_number(&m, 2, INT32_MAX);
	put_what(PROGRAM_FILE_EXECUTION, 101, EXECUTION, &m);
	put_number(&m, 2, UINT64_MAX);
	put_what(PROGRAM_FILE_EXECUTION, 102, EXECUTION, &m);
	p = open_odd();
	ck_assert_uint_le(program_step_rows(&p->steps.at[0]), 65536);
	ck_assert_uint_eq(program_step_rows(&p->steps.at[1]), 0);
	program_close(p);
	str_release(&m);
}
END_TEST

/* The order that keys came in before is tried first: what differs a little is another key. */
START_TEST(keys_that_are_alike)
{
	static const struct {
		const char *op, *device;
		int slot;
	} other[] = { { "yz", "CPU", 0 }, { "y", "CPU", 0 }, { "y", "CPU", 1 }, { "y", "GPU", 1 },
	              { "yz", "GPU", 0 }, { "y", "CPU", 0 } };
	struct str tensor = {0};
	struct program *p;

	start_odd();
	for (int i = 0; i < ROWS(other); i++) {
		put_trace_of(101, "g", "x", 0, "CPU", 1, &tensor);
		put_trace_of(101, "g", other[i].op, other[i].slot, other[i].device, 1, &tensor);
	}
	p = open_odd();
	ck_assert_uint_eq(p->keys.len, 6);
	for (int i = 0; i < ROWS(other); i++) {
		const struct program_key *key = &p->keys.at[p->traces.at[2 * i + 1].key];

		ck_assert_str_eq(p->nodes.at[key->node].name, other[i].op);
		ck_assert_str_eq(key->device, other[i].device);
		ck_assert_int_eq(key->slot, other[i].slot);
	}
	program_close(p);
}
END_TEST

START_TEST(inputs_as_recorded)
{
	static const char *const inputs[] = {
		"a:0", "a:12", "a:01", "a:b", "a:", "a", "^a", "b:c:3", "a:1234567890", ":0", ":",
	};
	struct str text = {0};
	struct program *p;

	start_odd();
	for (int i = 0; i < ROWS(inputs); i++)
		put_op("g", "A", inputs[i], inputs[i]);
	p = open_odd();
	for (uint32_t i = 0; i < (uint32_t)ROWS(inputs); i++) {
		str_reset(&text);
		program_put_input(p, program_op_inputs(p, i), &text);
		ck_assert_str_eq(text.text, inputs[i]);
	}
	ck_assert_int_eq(program_op_inputs(p, 1)->slot, 12);
	ck_assert_int_eq(program_op_inputs(p, 2)->slot, PROGRAM_BARE);
	ck_assert_str_eq(p->nodes.at[program_op_inputs(p, 7)->node].name, "b:c");
	program_close(p);
	str_release(&text);
}
END_TEST

/* Calls whose steps are missing: a loop goes round, a second call begins. */
START_TEST(passes)
{
	static const struct {
		const char *graph, *op;
		uint32_t pass;
	} traces[] = { { "g", "x", 0 }, { "body", "y", 0 }, { "body", "y", 0 }, { "inner", "z", 0 },
	               { "inner", "z", 0 }, { "g", "x", 1 }, { "body", "y", 1 } };
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_graph("body", "model_while_body_17_3", "g");
	put_graph("inner", "", "body");
	for (int i = 0; i < ROWS(traces); i++)
		put_trace(101 + i, traces[i].graph, traces[i].op);
	p = open_odd();
	ck_assert_uint_eq(p->n_passes, 2);
	for (int i = 0; i < ROWS(traces); i++) {
		ck_assert_int_eq(p->traces.at[i].attribution, PROGRAM_UNATTRIBUTED);
		ck_assert_uint_eq(p->traces.at[i].owner, traces[i].pass);
	}
	ck_assert_uint_eq(p->traces.at[2].dump, 1);
	ck_assert_uint_eq(p->traces.at[6].dump, 0);
	program_close(p);
}
END_TEST

/* A step's window ends with the time of its record, and includes it. */
START_TEST(windows_include_their_end)
{
	struct program *p;

	start_odd();
	put_graph("g", "f", "");
	put_step(102, "__inference_f_1", "g", 0, 0);
	put_step(104, "__inference_f_1", "g", 0, 0);
	put_trace(102, "g", "x");
	put_trace(102.0000005, "g", "x");
	put_trace(104.0000005, "g", "x");
	p = open_odd();
	ck_assert_uint_eq(p->steps.at[0].n_sure, 1);
	ck_assert_uint_eq(p->steps.at[1].n_sure, 1);
	ck_assert_uint_eq(p->n_passes, 1);
	ck_assert_uint_eq(program_tensor(p, 0, 0).trace, 0);
	program_close(p);
}
END_TEST

/* A step that gives out the id it took. */
START_TEST(ids_made_again)
{
	struct program_producer from;
	struct program_step_use *uses;
	struct program *p;

	start_odd();
	put_step(101, "A", "", 0, 5);
	put_step(102, "B", "", 5, 5);
	put_step(103, "C", "", 5, 0);
	p = open_odd();
	for (uint32_t step = 0; step < 2; step++) {
		ck_assert(program_producer(p, step + 1, 0, &from));
		ck_assert_uint_eq(from.step, step);
		ck_assert_uint_eq(program_step_uses(p, step, &uses), 1);
		ck_assert_uint_eq(uses->step, step + 1);
		free(uses);
	}
	program_close(p);
}
END_TEST

START_TEST(placeholders_if_their_number_agrees)
{
	struct program *p;

	start_odd();
	put_op("one", "Placeholder", "x", "");
	put_op("two", "Placeholder", "x", "");
	put_op("two", "Placeholder", "y", "");
	put_step(101, "__inference_f_1", "one", 5, 0);
	put_step(102, "__inference_f_1", "two", 5, 0);
	p = open_odd();
	ck_assert_uint_eq(program_placeholder(p, 0, 0), 0);
	ck_assert_uint_eq(program_placeholder(p, 1, 0), PROGRAM_NONE);
	program_close(p);
}
END_TEST

static struct health health_of_only(const struct program *p)
{
	struct program_reads reads = { .program = p };
	struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, 0);
	struct health health;
	struct err err = {0};

	ck_assert_uint_eq(p->n_tensors, 1);
	ck_assert_msg(program_health(&reads, &tensor, &health, NULL, &err), "%s", err.msg);
	program_reads_release(&reads);
	return health;
}

START_TEST(shape_of_rank_7)
{
	static const double summary[] = { 1, 1, 7, 64, 2, 1, 2, 1, 2, 4 };
	static const int64_t dims[] = { -1, 2, 1, 2, 1, 2, 4 };
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_doubles(&tensor, summary, 10);
	put_trace_of(101, "g", "x", 0, "", SHAPE, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.shape.rank, 7);
	ck_assert_mem_eq(health.shape.dim, dims, sizeof dims);
	ck_assert(!(health.known & (HEALTH_BAD | HEALTH_COUNTS)));
	program_close(p);
}
END_TEST

/* A typed list that is shorter than its shape: the last number stands for the rest. */
/* Types of other programs' files have numbers here that TensorFlow gives to none. */
START_TEST(type_that_is_none)
{
	static const double summary[] = { 1, 99, 1, 4, 4, 0, 0, 0, 0, 0 };
	static const char *const lines[] = { "lt --health --all-steps", "pt --trace 0" };
	static const char *const wanted[] = { " 99 ", "  dtype: 99\n" };
	struct str tensor = {0};
	struct shell *shell;

	start_odd();
	put_graph("g", "f", "");
	put_op("g", "T", "x", "");
	put_step(102, "f", "g", 0, 0);
	put_doubles(&tensor, summary, 10);
	put_trace_of(101, "g", "x", 0, "", SHAPE, &tensor);
	write_set("1.host");
	shell = session_of(scratch);
	session_answers(shell, "run", "");
	session_answers(shell, lines[_i], wanted[_i]);
	shell_free(shell);
}
END_TEST

/* Doubles count exactly up to 2^53. */
START_TEST(counts_have_an_end)
{
	static const double sizes[] = { 0x1p53, 0x1.0000000000001p53 };
	double summary[] = { 1, sizes[_i], 0, 0, 0 };
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_doubles(&tensor, summary, 5);
	put_trace_of(101, "g", "x", 0, "", CONCISE, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_int_eq((health.known & HEALTH_SIZE) != 0, !_i);
	ck_assert_uint_eq(health.size, _i ? 0 : (uint64_t)1 << 53);
	program_close(p);
}
END_TEST

START_TEST(summary_of_typed_numbers)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 2, 1, &(int64_t){ 5 });
	put_bytes(&tensor, 6, "\0\0\0\0\0\0\0\x40", 8);
	put_trace_of(101, "g", "x", 0, "", CONCISE, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.size, 2);
	ck_assert_uint_eq(health.nan, 2);
	ck_assert_uint_eq(p->n_flagged, 1);
	program_close(p);
}
END_TEST

enum { CURT = 2 };

/* A flag in place of counts: a filter that asks for a count can't judge, though nothing is bad. */
START_TEST(flag_in_place_of_counts)
{
	static const struct { const char *line, *says; } filters[] = {
		{ "lt --all-steps -f has_nan", "\n2 of 2 tensors could not" },
		{ "lt --all-steps -f has_inf", "\n2 of 2 tensors could not" },
		{ "lt --all-steps -f has_inf_or_nan", "\n1 of 2 tensors could not" },
	};
	struct str tensor = {0};
	struct shell *shell;

	start_odd();
	put_graph("g", "f", "");
	put_op("g", "T", "x", "");
	put_step(102, "f", "g", 0, 0);
	put_doubles(&tensor, (const double[]){ 1, 0 }, 2);
	put_trace_of(101, "g", "x", 0, "", CURT, &tensor);
	write_set("1.host");
	shell = session_of(scratch);
	session_answers(shell, filters[_i].line, filters[_i].says);
	shell_free(shell);
}
END_TEST

START_TEST(counts_of_large_unsigned)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 23, 1, &(int64_t){ 2 });
	put_bytes(&tensor, 4, "\0\0\0\0\0\0\0\x80\0\0\0\0\0\0\0\0", 16);
	put_trace_of(101, "g", "x", 0, "", FULL, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.positive, 1);
	ck_assert_uint_eq(health.zero, 1);
	ck_assert_uint_eq(health.negative, 0);
	program_close(p);
}
END_TEST

/* What is scanned ends with the tensor that reaches the limit. */
START_TEST(scans_have_limits)
{
	static const double number = 1;
	struct err err = {0};
	struct program *p;
	uint64_t bytes;

	start_odd();
	for (int i = 0; i < 3; i++) {
		struct str tensor = {0};

		put_doubles(&tensor, &number, 1);
		put_trace_of(101 + i, "g", "x", 0, "", FULL, &tensor);
	}
	p = open_odd();
	bytes = (uint64_t)program_size_bytes(p, &(struct program_tensor){ .trace = 0 });
	ck_assert_uint_gt(bytes, 0);
	ck_assert_uint_eq(p->n_unscanned, 3);
	ck_assert(program_scan(p, _i ? bytes + 1 : bytes, NULL, &err));
	ck_assert_uint_eq(p->n_unscanned, _i ? 1 : 2);
	program_close(p);
}
END_TEST

START_TEST(largest_unsigned_in_filters)
{
	struct str tensor = {0};
	struct shell *shell;

	start_odd();
	put_graph("g", "f", "");
	put_op("g", "T", "x", "");
	put_step(102, "f", "g", 0, 0);
	put_tensor_head(&tensor, 23, 1, &(int64_t){ 2 });
	put_bytes(&tensor, 4, "\0\0\0\0\0\0\0\x80\1\0\0\0\0\0\0\0", 16);
	put_trace_of(101, "g", "x", 0, "", FULL, &tensor);
	write_set("1.host");
	shell = session_of(scratch);
	session_answers(shell, "filter add big 'max == 9223372036854775808 && min == 1' --session",
	                "big");
	session_answers(shell, "lt --all-steps -f big", "1 of 2 dumped tensor(s)");
	shell_free(shell);
}
END_TEST

/* One NaN stands for more elements than could be looked at one by one. */
START_TEST(counts_of_what_repeats)
{
	struct str tensor = {0};
	struct health health;
	struct program *p;

	start_odd();
	put_tensor_head(&tensor, 1, 1, &(int64_t){ (int64_t)1 << 50 });
	put_bytes(&tensor, 5, "\0\0\0\0\0\0\xc0\x7f", 8);
	put_trace_of(101, "g", "x", 0, "", FULL, &tensor);
	p = open_odd();
	health = health_of_only(p);
	ck_assert_uint_eq(health.zero, 1);
	ck_assert_uint_eq(health.nan, ((uint64_t)1 << 50) - 1);
	program_close(p);
}
END_TEST

/* Each set counts its own sources. */
START_TEST(frames_of_two_sets)
{
	struct program *p;

	put_small();
	write_set("1.host");
	start_odd();
	put_source("c.py");
	put_source("d.py");
	put_frame("c", 1, 1);
	put_frame("d", 2, 1);
	write_set("2.host");
	p = open_scratch();
	ck_assert_uint_eq(p->frame_order.len, 4);
	ck_assert_str_eq(p->sources.at[p->frames.at[p->frame_order.at[2]].source].path, "d.py");
	ck_assert_uint_eq(p->frames.at[p->frame_order.at[3]].source, PROGRAM_NONE);
	ck_assert_uint_eq(p->unresolved.sources, 1);
	program_close(p);
}
END_TEST

/* Two processes: one has another clock and no steps, and starts before the other or after. */
START_TEST(remote_calls)
{
	struct program *p;

	put_small();
	str_reset(&files[PROGRAM_FILE_TRACES]);
	write_set("1.host");
	start_odd();
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(_i ? 99 : 101, "run");
	for (int call = 0; call < 3; call++) {
		put_trace(900 + call, "g", "y");
		put_trace(900.5 + call, "g", "z");
	}
	put_trace(910, "elsewhere", "y");
	write_set("2.far");
	p = open_scratch();
	ck_assert_uint_eq(p->sets.len, 2);
	ck_assert_uint_eq(p->steps.at[0].n_probable, 2);
	ck_assert_uint_eq(p->steps.at[1].n_probable, 0);
	ck_assert_uint_eq(p->steps.at[2].n_probable, 2);
	ck_assert_uint_eq(p->n_passes, 1);
	ck_assert_uint_eq(p->traces.at[4].attribution, PROGRAM_UNATTRIBUTED);
	program_close(p);
}
END_TEST

SUITE_MAIN("program_odd",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_test(t, graph_of_a_call_is_guessed);
	tcase_add_test(t, graphs_in_a_circle);
	tcase_add_test(t, what_is_missing);
	tcase_add_test(t, traces_that_are_late);
	tcase_add_test(t, ops_of_one_name);
	tcase_add_test(t, odd_times);
	tcase_add_test(t, outputs_nobody_tells_of);
	tcase_add_test(t, keys_that_are_alike);
	tcase_add_test(t, inputs_as_recorded);
	tcase_add_test(t, passes);
	tcase_add_test(t, windows_include_their_end);
	tcase_add_test(t, ids_made_again);
	tcase_add_test(t, placeholders_if_their_number_agrees);
	tcase_add_test(t, shape_of_rank_7);
	tcase_add_loop_test(t, type_that_is_none, 0, 2);
	tcase_add_loop_test(t, counts_have_an_end, 0, 2);
	tcase_add_test(t, summary_of_typed_numbers);
	tcase_add_test(t, counts_of_large_unsigned);
	tcase_add_loop_test(t, scans_have_limits, 0, 2);
	tcase_add_test(t, largest_unsigned_in_filters);
	tcase_add_loop_test(t, flag_in_place_of_counts, 0, 3);
	tcase_add_test(t, counts_of_what_repeats);
	tcase_add_test(t, frames_of_two_sets);
	tcase_add_loop_test(t, remote_calls, 0, 2);)
