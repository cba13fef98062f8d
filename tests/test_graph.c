#include "tests/suite.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/model/graph.h"
#include "tests/message.h"

#define LINEAR "testdata/linear/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/" \
               "_tfdbg_graph_hash10302119468154097461_1795219542604783"

static struct str bytes;         /* of the graph that a test puts together */

static struct graph *open_bytes(struct err *damage)
{
	struct err err = {0};
	const char *path = file_of(str_text(&bytes), bytes.len);
	struct graph *graph = graph_open(path, 0, UINT64_MAX, NULL, damage, &err);

	ck_assert_msg(graph != NULL, "%s", err.msg);
	return graph;
}

static uint32_t node_of(const struct graph *graph, const char *name)
{
	uint32_t node = graph_find(graph, name, strlen(name));

	ck_assert_msg(node != GRAPH_NONE, "no node %s", name);
	return node;
}

/* Texts of the edges, separated by spaces. */
static const char *edges_text(struct graph *graph, const char *name, enum edge_kind kind)
{
	static struct str text;
	struct err err = {0};
	struct edges edges;

	str_reset(&text);
	ck_assert_msg(graph_edges(graph, node_of(graph, name), kind, &edges, &err), "%s", err.msg);
	for (size_t i = 0; i < edges.len; i++) {
		if (i)
			str_putc(&text, ' ');
		edge_text(graph, &edges.at[i], &text);
	}
	return str_text(&text);
}

static void done(struct graph *graph)
{
	graph_close(graph);
	str_release(&bytes);
}

START_TEST(nodes_are_numbered_in_file_order)
{
	struct err damage = {0};
	struct graph *graph;
	const char *const *devices;

	put_node_def(&bytes, "b", "Const", "", "");
	put_node_def(&bytes, "__dbg_b:0_0_DebugIdentity", "DebugIdentity", "__copy_b_0", "/cpu:1");
	put_node_def(&bytes, "a", "Add", "b b:1", "/cpu:0");
	put_node_def(&bytes, "__copy_b_0", "Copy", "b", "/cpu:0");
	graph = open_bytes(&damage);
	ck_assert_int_eq(damage.code, ERR_NONE);
	ck_assert_uint_eq(graph_len(graph), 2);
	ck_assert_str_eq(graph_name(graph, 0), "b");
	ck_assert_str_eq(graph_op(graph, 0), "Const");
	ck_assert_str_eq(graph_device(graph, 0), "");
	ck_assert_str_eq(graph_op(graph, 1), "Add");
	ck_assert_str_eq(graph_device(graph, 1), "/cpu:0");
	ck_assert_uint_eq(graph_find(graph, "a", 1), 1);
	ck_assert_uint_eq(graph_find(graph, "ab", 1), 1);
	ck_assert_uint_eq(graph_find(graph, "__copy_b_0", 10), GRAPH_NONE);
	ck_assert_uint_eq(graph_find(graph, "a\0b", 3), GRAPH_NONE);
	ck_assert_str_eq(graph_first_device(graph), "/cpu:1");
	ck_assert_uint_eq(graph_devices(graph, &devices), 2);
	ck_assert_str_eq(devices[1], "/cpu:0");
	done(graph);
}
END_TEST

/*
 * The wiring of a graph with everything watched, and what is left when the debugger's nodes are
 * gone.
 */
static void put_watched(void)
{
	put_node_def(&bytes, "a", "Split", "", "");
	put_node_def(&bytes, "__copy_a_0", "Copy", "a", "");
	put_node_def(&bytes, "__copy_a_1", "CopyHost", "^x a:1 a", "");
	put_node_def(&bytes, "__copy_empty_0", "Copy", "^a", "");
	put_node_def(&bytes, "__dbg_a:0_0_DebugIdentity", "DebugIdentity", "__copy_a_0", "");
	put_node_def(&bytes, "sum", "AddN",
	         "__copy_a_1 __copy_a_0 a:1 __copy_a_1 ^__dbg_a:0_0_DebugIdentity ^a ^gone", "");
	put_node_def(&bytes, "odd", "Pack",
	         "a:07 a: gone gone:3 a:x a:99999999999 __copy_gone_0 __copy_empty_0", "");
	put_node_def(&bytes, "send", "_Send", "__copy_a_0", "");
	put_node_def(&bytes, "quiet", "_Send", "a", "");
	put_node_def(&bytes, "ret", "_Retval", "__copy_a_0", "");
	put_node_def(&bytes, "copied", "Relu", "__copy_a_0", "");
	put_node_def(&bytes, "last", "NoOp", "^send ^quiet ^ret ^copied ^a ^a", "");
}

static const struct { const char *node; enum edge_kind kind; const char *text; } watched[] = {
	{ "a", EDGE_INPUT, "" },
	{ "sum", EDGE_INPUT, "a:1 a a:1 a:1" },
	{ "sum", EDGE_CONTROL, "a gone" },
	{ "odd", EDGE_INPUT, "a:07 a: gone gone:3 a:x a:99999999999 __copy_gone_0 __copy_empty_0" },
	{ "send", EDGE_INPUT, "a" },
	{ "last", EDGE_INPUT, "" },
	{ "last", EDGE_CONTROL, "send quiet ret copied a a" },
	{ "a", EDGE_RECIPIENT, "sum sum sum sum odd odd send quiet ret copied" },
	{ "a", EDGE_CONTROL_RECIPIENT, "sum last last" },
	{ "send", EDGE_CONTROL_RECIPIENT, "" },
	{ "quiet", EDGE_CONTROL_RECIPIENT, "last" },
	{ "ret", EDGE_CONTROL_RECIPIENT, "" },
	{ "copied", EDGE_CONTROL_RECIPIENT, "last" },
	{ "last", EDGE_RECIPIENT, "" },
};

START_TEST(edges_run_through_copies)
{
	struct err damage = {0};
	struct graph *graph;

	put_watched();
	graph = open_bytes(&damage);
	ck_assert_str_eq(edges_text(graph, watched[_i].node, watched[_i].kind), watched[_i].text);
	done(graph);
}
END_TEST

static const struct { const char *name; int32_t slot; bool known; } odd[] = {
	{ "a", 7, true }, { "a", -1, true }, { "gone", -1, false }, { "gone", 3, false },
	{ "a:x", -1, false }, { "a:99999999999", -1, false },
};

START_TEST(odd_inputs_keep_name_and_slot)
{
	struct err damage = {0}, err = {0};
	struct graph *graph;
	struct edges edges;

	put_watched();
	graph = open_bytes(&damage);
	ck_assert(graph_edges(graph, node_of(graph, "odd"), EDGE_INPUT, &edges, &err));
	ck_assert_uint_eq(edges.len, 8);
	ck_assert_str_eq(edge_node_name(graph, &edges.at[_i]), odd[_i].name);
	ck_assert_int_eq(edges.at[_i].slot, odd[_i].slot);
	ck_assert_uint_eq(edges.at[_i].node, odd[_i].known ? node_of(graph, "a") : GRAPH_NONE);
	done(graph);
}
END_TEST

/* From the recorded answers of `ni` for this dump. */
static const struct { const char *node, *op; enum edge_kind kind; const char *text; } linear[] = {
	{ "loss/sub", "Sub", EDGE_INPUT, "linear/pred _arg_y_0_1" },
	{ "loss/sub", "Sub", EDGE_RECIPIENT, "loss/sq gradients/loss/sq_grad/Mul" },
	{ "loss/sub", "Sub", EDGE_CONTROL, "" },
	{ "gradients/linear/pred_grad/Sum_1", "Sum", EDGE_INPUT,
	  "gradients/loss/sub_grad/Reshape "
	  "ConstantFolding/gradients/linear/pred_grad/Sum_1-reduction_indices" },
	{ "loss/Const", "Const", EDGE_RECIPIENT, "loss/mse" },
	{ "gradients/loss/mse_grad/Reshape", "Const", EDGE_RECIPIENT,
	  "gradients/loss/mse_grad/Tile" },
};

START_TEST(reads_a_recorded_graph)
{
	struct err damage = {0}, err = {0};
	/* The Event: nine bytes of time, then the key and the length of the graph. */
	struct graph *graph = graph_open(LINEAR, 13, UINT64_MAX, NULL, &damage, &err);
	uint32_t node;

	ck_assert_msg(graph != NULL, "%s", err.msg);
	ck_assert_int_eq(damage.code, ERR_NONE);
	ck_assert_uint_eq(graph_len(graph), 41);
	node = node_of(graph, linear[_i].node);
	ck_assert_str_eq(graph_op(graph, node), linear[_i].op);
	ck_assert_str_eq(graph_device(graph, node), "/job:localhost/replica:0/task:0/device:CPU:0");
	ck_assert_str_eq(edges_text(graph, linear[_i].node, linear[_i].kind), linear[_i].text);
	graph_close(graph);
}
END_TEST

/* Every cut leaves the nodes that are whole, and says where the first broken one begins. */
START_TEST(cut_graph_keeps_whole_nodes)
{
	size_t ends[8] = {0}, n_nodes = 0;

	for (; n_nodes < 6; n_nodes++) {
		char name[] = { (char)('a' + n_nodes), '\0' };

		put_node_def(&bytes, name, "Add", "a b:1 ^c", "/cpu:0");
		ends[n_nodes + 1] = bytes.len;
	}
	for (size_t cut = 1; cut <= bytes.len; cut++) {
		struct err damage = {0}, err = {0};
		const char *path = file_of(bytes.text, cut);
		struct graph *graph = graph_open(path, 0, bytes.len, NULL, &damage, &err);
		size_t whole = 0;

		while (whole < n_nodes && ends[whole + 1] <= cut)
			whole++;
		ck_assert_int_eq(graph != NULL, whole > 0);
		ck_assert_int_eq(damage.code, cut < bytes.len ? ERR_FORMAT : ERR_NONE);
		if (!graph) {
			ck_assert_int_eq(err.code, ERR_FORMAT);
			continue;
		}
		ck_assert_uint_eq(graph_len(graph), whole);
		if (cut < bytes.len && cut > ends[whole] + 1)
			ck_assert_uint_eq(damage.off, ends[whole]);
		ck_assert_str_eq(edges_text(graph, "a", EDGE_CONTROL), "c");
		graph_close(graph);
	}
	str_release(&bytes);
}
END_TEST

START_TEST(broken_node_leaves_the_others)
{
	struct err damage = {0};
	struct graph *graph;

	put_node_def(&bytes, "a", "Const", "", "");
	put_bytes(&bytes, 1, "\x0a\x01" "b\x12\x7f", 5); /* b, and an op longer than the node */
	put_bytes(&bytes, 1, "", 0);
	put_number(&bytes, 1, 7);
	put_node_def(&bytes, "a", "Add", "", "");
	put_node_def(&bytes, "c", "Neg", "b", "");
	graph = open_bytes(&damage);
	ck_assert_int_eq(damage.code, ERR_FORMAT);
	ck_assert_uint_eq(damage.off, 18);      /* where its length stands */
	ck_assert_uint_eq(graph_len(graph), 3);
	ck_assert_str_eq(graph_op(graph, node_of(graph, "a")), "Const");
	ck_assert_str_eq(graph_op(graph, node_of(graph, "b")), "");
	ck_assert_str_eq(edges_text(graph, "c", EDGE_INPUT), "b");
	done(graph);
}
END_TEST

START_TEST(a_number_is_no_node)
{
	struct err damage = {0};
	struct graph *graph;

	put_number(&bytes, 1, 7);
	put_node_def(&bytes, "a", "Const", "", "");
	graph = open_bytes(&damage);
	ck_assert_str_eq(damage.msg, "a node is expected here, not a number");
	ck_assert_uint_eq(graph_len(graph), 1);
	done(graph);
}
END_TEST

START_TEST(strange_names_are_made_safe)
{
	struct err damage = {0};
	struct graph *graph;
	struct str node = {0}, name = {0};

	put_bytes(&node, 1, "x\0y", 3);
	put_bytes(&node, 2, "Op\0", 3);
	put_bytes(&node, 3, "x\0y:1", 5);
	put_message(&bytes, 1, &node);
	str_reset(&node);
	str_fill(&name, 'n', 70000);
	put_message(&node, 1, &name);
	put_message(&node, 3, &name);
	put_message(&bytes, 1, &node);
	str_release(&node);
	str_release(&name);
	graph = open_bytes(&damage);
	ck_assert_uint_eq(graph_len(graph), 2);
	ck_assert_str_eq(graph_name(graph, 0), "x?y");
	ck_assert_str_eq(graph_op(graph, 0), "Op?");
	ck_assert_str_eq(edges_text(graph, "x?y", EDGE_INPUT), "x?y:1");
	ck_assert_uint_eq(strlen(graph_name(graph, 1)), 65536);
	ck_assert_str_eq(edges_text(graph, graph_name(graph, 1), EDGE_RECIPIENT),
	                 graph_name(graph, 1));
	done(graph);
}
END_TEST

START_TEST(missing_and_empty_files)
{
	struct err damage = {0}, err = {0};
	struct graph *graph;

	ck_assert_ptr_null(graph_open("testdata/none", 0, UINT64_MAX, NULL, &damage, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	graph = open_bytes(&damage);
	ck_assert_uint_eq(graph_len(graph), 0);
	ck_assert_str_eq(graph_first_device(graph), "");
	done(graph);
}
END_TEST

START_TEST(can_be_cancelled)
{
	struct progress progress = {0};
	struct err err = {0};

	put_node_def(&bytes, "a", "Const", "", "");
	atomic_store(&progress.cancel, true);
	ck_assert_ptr_null(graph_open(file_of(bytes.text, bytes.len), 0, UINT64_MAX, &progress,
	                              NULL, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	str_release(&bytes);
}
END_TEST

static void *count_recipients(void *arg)
{
	struct edges edges = {0};
	struct err err = {0};

	return graph_edges(arg, 0, EDGE_RECIPIENT, &edges, &err) && edges.len == 2999 ? arg : NULL;
}

START_TEST(edges_are_read_once_by_any_thread)
{
	struct err damage = {0};
	struct graph *graph;
	pthread_t thread[4];
	void *same;

	put_node_def(&bytes, "hub", "Const", "", "");
	for (int i = 1; i < 3000; i++) {
		char name[16];

		snprintf(name, sizeof name, "n%d", i);
		put_node_def(&bytes, name, "Neg", "hub", "");
	}
	graph = open_bytes(&damage);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, count_recipients, graph), 0);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(pthread_join(thread[i], &same), 0);
		ck_assert_ptr_eq(same, graph);
	}
	done(graph);
}
END_TEST

static void put_attr(struct str *node, const char *key, const void *value, size_t len)
{
	struct str entry = {0};

	put_bytes(&entry, 1, key, strlen(key));
	put_bytes(&entry, 2, value, len);
	put_message(node, 5, &entry);
	str_release(&entry);
}

START_TEST(attributes_are_sorted_and_the_last_counts)
{
	struct err damage = {0}, err = {0};
	struct str node = {0};
	struct arena mem = {0};
	struct graph *graph;
	struct attr *attrs;
	size_t n;

	put_bytes(&node, 1, "a", 1);
	put_attr(&node, "b", "\x18\x05", 2);     /* i: 5 */
	put_attr(&node, "T", "\x30\x01", 2);     /* type: DT_FLOAT */
	put_attr(&node, "bad", "\x18", 1);
	put_attr(&node, "b", "\x18\x06", 2);
	put_message(&bytes, 1, &node);
	str_release(&node);
	graph = open_bytes(&damage);
	ck_assert(graph_attrs(graph, 0, &mem, &attrs, &n, &err));
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(attrs[0].key, "T");
	ck_assert_str_eq(attrs[0].text, "type: DT_FLOAT\n");
	ck_assert_str_eq(attrs[1].key, "b");
	ck_assert_str_eq(attrs[1].text, "i: 6\n");
	ck_assert_str_eq(attrs[2].key, "bad");
	ck_assert(!strncmp(attrs[2].text, "(damaged at offset ", 19));
	arena_release(&mem);
	done(graph);
}
END_TEST

START_TEST(attributes_of_a_recorded_node)
{
	struct err damage = {0}, err = {0};
	struct graph *graph = graph_open(LINEAR, 13, UINT64_MAX, NULL, &damage, &err);
	struct arena mem = {0};
	struct attr *attrs;
	uint32_t node;
	size_t n;

	ck_assert_msg(graph != NULL, "%s", err.msg);
	node = node_of(graph, "gradients/linear/pred_grad/Sum_1");
	ck_assert(graph_attrs(graph, node, &mem, &attrs, &n, &err));
	ck_assert_uint_ge(n, 2);
	ck_assert_str_eq(attrs[0].key, "T");
	ck_assert_str_eq(attrs[0].text, "type: DT_FLOAT\n");
	ck_assert_str_eq(attrs[1].key, "Tidx");
	arena_release(&mem);
	graph_close(graph);
}
END_TEST

static void no_watch(void *owner, uint32_t node, uint32_t slot)
{
	(void)owner;
	ck_abort_msg("a watch of %u:%u", node, slot);
}

static void shrink(const char *path)
{
	ck_assert_int_eq(truncate(path, 10), 0);
}

static void grow(const char *path)
{
	FILE *file = fopen(path, "a");

	ck_assert(file && fputc('\n', file) != EOF && fclose(file) == 0);
}

static void write_again(const char *path)
{
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, { .tv_sec = 1 } };

	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void (*const changes[])(const char *path) = { shrink, grow, write_again };

/* What is read of a graph later is not read from another file. */
START_TEST(a_file_that_changed_is_an_error)
{
	struct err damage = {0}, edges_err = {0}, attrs_err = {0}, watch_err = {0};
	struct arena mem = {0};
	struct graph *graph;
	struct edges edges;
	struct attr *attrs;
	size_t n;

	put_node_def(&bytes, "a", "Const", "", "");
	put_node_def(&bytes, "b", "Neg", "a", "");
	graph = open_bytes(&damage);
	changes[_i](graph_path(graph));
	ck_assert(!graph_edges(graph, 1, EDGE_INPUT, &edges, &edges_err));
	ck_assert_int_eq(edges_err.code, ERR_FORMAT);
	ck_assert(!graph_edges(graph, 1, EDGE_INPUT, &edges, &edges_err));
	ck_assert(!graph_attrs(graph, 1, &mem, &attrs, &n, &attrs_err));
	ck_assert_int_eq(attrs_err.code, ERR_FORMAT);
	ck_assert(!graph_watched(graph, no_watch, NULL, &watch_err));
	ck_assert_int_eq(watch_err.code, ERR_FORMAT);
	arena_release(&mem);
	done(graph);
}
END_TEST

START_TEST(edges_go_unless_somebody_asked)
{
	struct err damage = {0}, err = {0};
	struct graph *graph;
	struct edges edges;

	put_node_def(&bytes, "a", "Const", "", "");
	put_node_def(&bytes, "b", "Neg", "a c:1", "");
	graph = open_bytes(&damage);
	ck_assert(graph_look(graph, 1, EDGE_INPUT, &edges, &err));
	ck_assert_uint_eq(edges.len, 2);
	graph_drop_edges(graph);
	graph_drop_edges(graph);
	ck_assert(graph_edges(graph, 1, EDGE_INPUT, &edges, &err));
	graph_drop_edges(graph);
	ck_assert_uint_eq(edges.len, 2);
	ck_assert_str_eq(edge_node_name(graph, &edges.at[0]), "a");
	ck_assert_str_eq(edge_node_name(graph, &edges.at[1]), "c");
	done(graph);
}
END_TEST

START_TEST(edges_can_be_cancelled)
{
	struct err damage = {0}, err = {0};
	struct progress progress = {0};
	struct graph *graph;

	put_node_def(&bytes, "a", "Const", "", "");
	put_node_def(&bytes, "b", "Neg", "a", "");
	graph = open_bytes(&damage);
	atomic_store(&progress.cancel, true);
	ck_assert(!graph_read_edges(graph, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_str_eq(edges_text(graph, "b", EDGE_INPUT), "a");
	done(graph);
}
END_TEST


SUITE_MAIN("graph",
	tcase_add_test(t, nodes_are_numbered_in_file_order);
	tcase_add_loop_test(t, edges_run_through_copies, 0, ROWS(watched));
	tcase_add_loop_test(t, odd_inputs_keep_name_and_slot, 0, ROWS(odd));
	tcase_add_loop_test(t, reads_a_recorded_graph, 0, ROWS(linear));
	tcase_add_test(t, cut_graph_keeps_whole_nodes);
	tcase_add_test(t, broken_node_leaves_the_others);
	tcase_add_test(t, a_number_is_no_node);
	tcase_add_test(t, strange_names_are_made_safe);
	tcase_add_test(t, missing_and_empty_files);
	tcase_add_test(t, can_be_cancelled);
	tcase_add_test(t, edges_are_read_once_by_any_thread);
	tcase_add_test(t, attributes_are_sorted_and_the_last_counts);
	tcase_add_test(t, attributes_of_a_recorded_node);
	tcase_add_loop_test(t, a_file_that_changed_is_an_error, 0, ROWS(changes));
	tcase_add_test(t, edges_can_be_cancelled);
	tcase_add_test(t, edges_go_unless_somebody_asked);
)
