/* Graphs without what nobody asks of them: what is asked has the same answer. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/model/graph_brief.h"
#include "dump/model/origin_graph.h"
#include "dump/readers.h"
#include "tests/message.h"
#include "tests/program.h"

static const char *const dumps[] = {
	"testdata/linear", "testdata/two_devices", "testdata/tf1.0.0_loop",
	"testdata/damaged_tensors", "testdata/origins/while_iteration",
	"testdata/msprobe/tensor/step0",
};

static struct graph *open_brief(struct graph *graph, size_t *bytes)
{
	struct str brief = {0};
	struct err err = {0};
	struct graph *opened;

	ck_assert_msg(graph_put_brief(graph, &brief, NULL, &err), "%s", err.msg);
	opened = graph_open(file_of(brief.text, brief.len), 0, brief.len, NULL, &err, &err);
	ck_assert_msg(opened && !err.code, "%s", err.msg);
	*bytes = brief.len;
	str_release(&brief);
	return opened;
}

static void same_edges(struct graph *a, struct graph *b, uint32_t node)
{
	struct str x = {0}, y = {0};
	struct edges in_a, in_b;

	for (int kind = EDGE_INPUT; kind <= EDGE_CONTROL_RECIPIENT; kind++) {
		ck_assert(graph_edges(a, node, (enum edge_kind)kind, &in_a, NULL));
		ck_assert(graph_edges(b, node, (enum edge_kind)kind, &in_b, NULL));
		ck_assert_uint_eq(in_a.len, in_b.len);
		for (size_t i = 0; i < in_a.len; i++) {
			str_reset(&x);
			str_reset(&y);
			edge_text(a, &in_a.at[i], &x);
			edge_text(b, &in_b.at[i], &y);
			ck_assert_str_eq(x.text, y.text);
		}
	}
	str_release(&x);
	str_release(&y);
}

static void same_origins(struct origin_graph *a, struct origin_graph *b, uint32_t node)
{
	const struct origin_const *x, *y;

	ck_assert(origin_may_be_bad(a, node) == origin_may_be_bad(b, node));
	ck_assert(origin_is_flow(a, node, 0) == origin_is_flow(b, node, 0));
	ck_assert_uint_eq(origin_tensor_key(a, node), origin_tensor_key(b, node));
	if (!(a->traits[node] & OP_CONST))
		return;
	x = origin_const(a, node);
	y = origin_const(b, node);
	ck_assert(x->input.known == y->input.known && x->input.has_zero == y->input.has_zero &&
	          x->input.has_negative == y->input.has_negative);
	ck_assert_uint_eq(x->counts.nan, y->counts.nan);
	ck_assert_uint_eq(x->counts.pos_inf, y->counts.pos_inf);
}

static void put_watch(void *owner, uint32_t node, uint32_t slot)
{
	str_fmt(owner, "%u:%u\n", node, slot);
}

static void same_graph(struct graph *a, struct graph *b)
{
	struct origin_graph *x = origin_graph_new(a, NULL), *y = origin_graph_new(b, NULL);
	struct str watched = {0}, again = {0};

	ck_assert_uint_eq(graph_len(a), graph_len(b));
	for (uint32_t node = 0; node < graph_len(a); node++) {
		ck_assert_str_eq(graph_name(a, node), graph_name(b, node));
		ck_assert_str_eq(graph_op(a, node), graph_op(b, node));
		ck_assert_str_eq(graph_device(a, node), graph_device(b, node));
		same_edges(a, b, node);
		same_origins(x, y, node);
	}
	ck_assert(graph_watched(a, put_watch, &watched, NULL));
	ck_assert(graph_watched(b, put_watch, &again, NULL));
	ck_assert_str_eq(str_text(&watched), str_text(&again));
	origin_graph_free(x);
	origin_graph_free(y);
	str_release(&watched);
	str_release(&again);
}

START_TEST(brief_graphs_answer_the_same)
{
	struct err err = {0};
	struct run *run = run_open(dumps[_i], &err);

	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	for (size_t i = 0; i < run->devices.len; i++) {
		struct graph *graph = run->devices.at[i].graph, *brief;
		size_t bytes;

		if (!graph)
			continue;
		brief = open_brief(graph, &bytes);
		same_graph(graph, brief);
		graph_close(brief);
	}
	run_close(run);
}
END_TEST

/* ---- large constants */

enum { N = 5000 };

/* A graph of a Const of N float32. */
static struct graph *const_of(const float *elems)
{
	struct str tensor = {0}, value = {0}, entry = {0}, node = {0}, graph = {0};
	struct graph *opened;

	put_tensor_head(&tensor, 1, 1, (const int64_t[]){ N });
	put_bytes(&tensor, 4, elems, N * sizeof *elems);
	put_message(&value, 8, &tensor);
	put_bytes(&entry, 1, "value", 5);
	put_message(&entry, 2, &value);
	put_bytes(&node, 1, "c", 1);
	put_bytes(&node, 2, "Const", 5);
	put_message(&node, 5, &entry);
	put_message(&graph, 1, &node);
	opened = graph_open(file_of(graph.text, graph.len), 0, graph.len, NULL, NULL, NULL);
	str_release(&tensor);
	str_release(&value);
	str_release(&entry);
	str_release(&node);
	str_release(&graph);
	return opened;
}

static const struct { float first, second, rest; bool is_kept; } constants[] = {
	{ 1, 2, 3, false },
	{ 0, 2, 3, false },
	{ -1, 0, 3, false },
	{ -1, -2, -3, false },
	{ 1e38f, 1e-45f, 3, false },
	{ __builtin_nanf(""), 0, 1, true },
	{ 0, -__builtin_inff(), 1, true },
};

START_TEST(large_constants_are_stood_for)
{
	float elems[N];
	struct graph *graph, *brief;
	struct origin_graph *x, *y;
	size_t bytes;

	for (int i = 0; i < N; i++)
		elems[i] = constants[_i].rest;
	elems[7] = constants[_i].first;
	elems[N - 1] = constants[_i].second;
	graph = const_of(elems);
	ck_assert_ptr_nonnull(graph);
	x = origin_graph_new(graph, NULL);
	origin_const(x, 0);
	brief = open_brief(graph, &bytes);
	y = origin_graph_new(brief, NULL);
	same_origins(x, y, 0);
	if (constants[_i].is_kept)
		ck_assert_uint_gt(bytes, sizeof elems);
	else
		ck_assert_uint_lt(bytes, 100);
	origin_graph_free(x);
	origin_graph_free(y);
	graph_close(graph);
	graph_close(brief);
}
END_TEST

SUITE_MAIN("graph_brief",
	tcase_add_loop_test(t, brief_graphs_answer_the_same, 0, ROWS(dumps));
	tcase_add_loop_test(t, large_constants_are_stood_for, 0, ROWS(constants));
)
