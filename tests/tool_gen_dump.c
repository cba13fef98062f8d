/*
 * Writes a synthetic tfdbg v1 run directory of any size, for measurements: no TensorFlow run is
 * behind it. The same options give the same bytes.
 *
 *   tool_gen_dump OUT [--tensors=N] [--nodes=N] [--devices=N] [--nan=N] [--bytes=N]
 *               [--attr=N] [--control=N] [--huge=DIMxDIM...] [--runs=N]
 *
 * Each device gets a chain of units of eight nodes. Every node has one output; if there are more
 * tensors than nodes the nodes are dumped again, as in a loop. The graph is written as the
 * debugger leaves it: a watched output goes through __copy_* and has a __dbg_* node. Tensors have
 * --bytes on average, nodes an attribute of --attr bytes (0: none) and wait for the --control nodes
 * before them. The first device ends with train_op, which waits for its last nodes. --huge adds a
 * float32 tensor of that shape to the first node, as its output 1: a sparse file of zeros, with a
 * NaN in its last element. With --runs OUT is a directory of so many of them; only the last has
 * NaNs.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/str.h"
#include "tests/huge.h"

#define START_US INT64_C(1500000000000000)

enum { MAX_DIMS = 4, RUN_US = 20000 };

struct plan {
	const char *out;
	uint64_t tensors, nodes, devices, nan, bytes, attr, control, runs;
	int64_t dim[MAX_DIMS];   /* of the huge one */
	uint32_t n_dims;          /* 0: there is none */
};

/* Of each unit: the name's end, the op, and how far back its inputs are (0: none). */
static const struct { const char *leaf, *op; unsigned input[2]; } unit[] = {
	{ "weights", "VariableV2", { 0, 0 } },
	{ "weights/read", "Identity", { 1, 0 } },
	{ "conv/Conv2D", "Conv2D", { 3, 1 } },
	{ "conv/BatchNorm/FusedBatchNorm", "FusedBatchNormV3", { 1, 0 } },
	{ "conv/Relu", "Relu", { 1, 0 } },
	{ "kernel/Regularizer/L2Loss", "L2Loss", { 4, 0 } },
	{ "pool/MaxPool", "MaxPool", { 2, 0 } },
	{ "add", "AddV2", { 1, 3 } },
};
#define UNIT (sizeof unit / sizeof *unit)

static void die(const char *what)
{
	fprintf(stderr, "tool_gen_dump: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ---- protocol buffers */

static void put_varint(struct str *out, uint64_t n)
{
	for (; n > 127; n >>= 7)
		str_putc(out, (char)(n | 0x80));
	str_putc(out, (char)n);
}

static void put_number(struct str *out, unsigned field, uint64_t n)
{
	put_varint(out, field << 3);
	put_varint(out, n);
}

static void put_bytes(struct str *out, unsigned field, const char *bytes, size_t len)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, len);
	str_put(out, bytes, len);
}

static void put_text(struct str *out, unsigned field, const struct str *text)
{
	put_bytes(out, field, str_text(text), text->len);
}

static void put_event_head(struct str *out, int64_t us)
{
	double time = (double)us;

	str_putc(out, 1 << 3 | 1);
	str_put(out, (const char *)&time, sizeof time);
}

/* ---- names */

static void put_node_name(struct str *out, uint64_t device, uint64_t node)
{
	uint64_t u = node / UNIT;

	if (device)
		str_fmt(out, "replica_%llu/", (unsigned long long)device);
	str_fmt(out, "tower_%llu/block_%llu/unit_%llu/%s", (unsigned long long)(u % 4),
	        (unsigned long long)(u / 64), (unsigned long long)u, unit[node % UNIT].leaf);
}

static void put_device(struct str *out, uint64_t device)
{
	if (device)
		str_fmt(out, "/job:localhost/replica:0/task:0/device:GPU:%llu",
		        (unsigned long long)device - 1);
	else
		str_puts(out, "/job:localhost/replica:0/task:0/device:CPU:0");
}

static void put_device_dir(struct str *out, const struct plan *plan, uint64_t device)
{
	size_t from;

	str_fmt(out, "%s/_tfdbg_device_", plan->out);
	from = out->len;
	put_device(out, device);
	for (size_t i = from; i < out->len; i++)
		out->text[i] = out->text[i] == '/' ? ',' : out->text[i] == ':' ? '_' : out->text[i];
}

/* Nodes and tensors are dealt out evenly; the first devices get the rest. */
static uint64_t share(uint64_t total, uint64_t devices, uint64_t device)
{
	return total / devices + (device < total % devices);
}

/* ---- files */

static void write_file(const char *path, const struct str *content)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(content->text, 1, content->len, file) != content->len ||
	    fclose(file) != 0)
		die(path);
}

/* Makes the directories of a path that are not there, from byte `from` on. */
static void make_dirs(char *path, size_t from)
{
	for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			die(path);
		*slash = '/';
	}
}

static void put_attr_type(struct str *node, const char *key)
{
	struct str value = {0}, entry = {0};

	put_number(&value, 6, 1);
	put_bytes(&entry, 1, key, strlen(key));
	put_text(&entry, 2, &value);
	put_text(node, 5, &entry);
	str_release(&value);
	str_release(&entry);
}

/* A string of n bytes, as "_class" or "_output_shapes" take them. */
static void put_attr_bytes(struct str *node, const char *key, uint64_t n)
{
	struct str text = {0}, value = {0}, entry = {0};

	str_fill(&text, 'x', n);
	put_text(&value, 2, &text);
	put_bytes(&entry, 1, key, strlen(key));
	put_text(&entry, 2, &value);
	put_text(node, 5, &entry);
	str_release(&text);
	str_release(&value);
	str_release(&entry);
}

/* One NodeDef in graph. inputs: texts each ended by NUL. */
static void put_node(struct str *graph, const struct plan *plan, const char *name, const char *op,
                     const struct str *inputs, uint64_t device)
{
	struct str node = {0}, where = {0};

	put_device(&where, device);
	put_bytes(&node, 1, name, strlen(name));
	put_bytes(&node, 2, op, strlen(op));
	for (size_t at = 0; at < inputs->len; at += strlen(inputs->text + at) + 1)
		put_bytes(&node, 3, inputs->text + at, strlen(inputs->text + at));
	put_text(&node, 4, &where);
	put_attr_type(&node, "T");
	if (plan->attr)
		put_attr_bytes(&node, "_class", plan->attr);
	put_text(graph, 1, &node);
	str_release(&node);
	str_release(&where);
}

/* Control inputs from the n nodes before the k-th. */
static void put_control(struct str *inputs, uint64_t device, uint64_t k, uint64_t n)
{
	for (uint64_t back = 1; back <= n && back <= k; back++) {
		str_putc(inputs, '^');
		put_node_name(inputs, device, k - back);
		str_putc(inputs, '\0');
	}
}

static void put_decorated(struct str *graph, const struct plan *plan, uint64_t device, uint64_t k)
{
	bool watched = k < share(plan->tensors, plan->devices, device);
	struct str name = {0}, inputs = {0}, copy = {0};

	put_node_name(&name, device, k);
	for (size_t i = 0; i < 2; i++) {
		unsigned back = unit[k % UNIT].input[i];

		if (!back || back > k)
			continue;
		str_puts(&inputs, k - back < share(plan->tensors, plan->devices, device) ? "__copy_"
		         : "");
		put_node_name(&inputs, device, k - back);
		str_puts(&inputs, k - back < share(plan->tensors, plan->devices, device) ? "_0"
		         : "");
		str_putc(&inputs, '\0');
	}
	put_control(&inputs, device, k, plan->control);
	put_node(graph, plan, name.text, unit[k % UNIT].op, &inputs, device);
	if (watched) {
		str_reset(&inputs);
		str_put(&inputs, name.text, name.len + 1);
		str_fmt(&copy, "__copy_%s_0", name.text);
		put_node(graph, plan, copy.text, device ? "Copy" : "CopyHost", &inputs, device);
		str_reset(&inputs);
		str_put(&inputs, copy.text, copy.len + 1);
		str_reset(&copy);
		str_fmt(&copy, "__dbg_%s:0_0_DebugIdentity", name.text);
		put_node(graph, plan, copy.text, "DebugIdentity", &inputs, device);
	}
	str_release(&name);
	str_release(&inputs);
	str_release(&copy);
}

static void write_graph(const struct plan *plan, uint64_t device)
{
	struct str graph = {0}, inputs = {0}, event = {0}, path = {0};

	for (uint64_t k = 0; k < share(plan->nodes, plan->devices, device); k++)
		put_decorated(&graph, plan, device, k);
	if (!device) {
		put_control(&inputs, device, share(plan->nodes, plan->devices, device), UNIT);
		put_node(&graph, plan, "train_op", "NoOp", &inputs, device);
	}
	put_event_head(&event, START_US - 1000);
	put_text(&event, 4, &graph);
	put_device_dir(&path, plan, device);
	str_fmt(&path, "/_tfdbg_graph_hash%llu_%lld", (unsigned long long)graph.len,
	        (long long)START_US - 1000);
	make_dirs(path.text, strlen(plan->out));
	write_file(path.text, &event);
	str_release(&graph);
	str_release(&inputs);
	str_release(&event);
	str_release(&path);
}

static void write_log(const struct plan *plan, const char *name, int64_t us, const char *message)
{
	struct str event = {0}, log = {0}, path = {0};

	if (us)
		put_event_head(&event, us);
	put_bytes(&log, 2, message, strlen(message));
	put_text(&event, 6, &log);
	str_fmt(&path, "%s/%s", plan->out, name);
	write_file(path.text, &event);
	str_release(&event);
	str_release(&log);
	str_release(&path);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void put_tensor(struct str *out, uint64_t bytes, bool bad, uint64_t *seed)
{
	struct str shape = {0}, dim = {0}, content = {0};
	uint64_t n = bytes / 4 ? bytes / 4 : 1;

	for (uint64_t i = 0; i < n; i++) {
		float x = (float)next_random(seed) / 1e9f - 1;

		if (bad && i < 3)
			x = i == 0 ? (float)NAN : i == 1 ? (float)INFINITY : (float)-INFINITY;
		str_put(&content, (const char *)&x, sizeof x);
	}
	put_number(&dim, 1, n);
	put_text(&shape, 2, &dim);
	put_number(out, 1, 1);
	put_text(out, 2, &shape);
	put_text(out, 4, &content);
	str_release(&shape);
	str_release(&dim);
	str_release(&content);
}

static void write_tensor(const struct plan *plan, uint64_t device, uint64_t node, int64_t us,
                         bool bad, uint64_t *seed)
{
	struct str name = {0}, key = {0}, tensor = {0}, value = {0}, summary = {0}, event = {0},
	           path = {0};

	put_node_name(&name, device, node);
	str_fmt(&key, "%s:0:DebugIdentity", name.text);
	put_tensor(&tensor, plan->bytes / 2 + next_random(seed) % (plan->bytes + 1), bad, seed);
	put_text(&value, 1, &name);
	put_text(&value, 7, &key);
	put_text(&value, 8, &tensor);
	put_text(&summary, 1, &value);
	put_event_head(&event, us);
	put_text(&event, 5, &summary);
	put_device_dir(&path, plan, device);
	str_fmt(&path, "/%s_0_DebugIdentity_%lld", name.text, (long long)us);
	make_dirs(path.text, strlen(plan->out));
	write_file(path.text, &event);
	str_release(&name);
	str_release(&key);
	str_release(&tensor);
	str_release(&value);
	str_release(&summary);
	str_release(&event);
	str_release(&path);
}

static void write_huge(const struct plan *plan)
{
	struct str name = {0}, path = {0};

	put_node_name(&name, 0, 0);
	put_device_dir(&path, plan, 0);
	str_fmt(&path, "/%s_1_DebugIdentity_%lld", name.text, (long long)START_US);
	make_dirs(path.text, strlen(plan->out));
	if (!huge_write(path.text, name.text, 1, plan->n_dims, plan->dim))
		die(path.text);
	str_release(&name);
	str_release(&path);
}

static void write_run(const struct plan *plan)
{
	uint64_t seed = 1, number = 0;
	char meta[200];

	if (mkdir(plan->out, 0777) != 0)
		die(plan->out);
	write_log(plan, "_tfdbg_fetches_info_", 0, "[<tf.Operation 'train_op' type=NoOp>]");
	write_log(plan, "_tfdbg_feed_keys_info_", 0, "None");
	snprintf(meta, sizeof meta, "_tfdbg_core_metadata_sessionrun%.14d_%lld", 0,
	         (long long)START_US - 900);
	write_log(plan, meta, START_US - 900,
	          "{\"global_step\":-1,\"session_run_index\":0,\"executor_step_index\":0,"
	          "\"input_names\":[],\"output_names\":[],\"target_nodes\":[\"train_op\"]}");
	for (uint64_t device = 0; device < plan->devices; device++) {
		uint64_t nodes = share(plan->nodes, plan->devices, device);
		int64_t us = START_US + (int64_t)device;

		write_graph(plan, device);
		for (uint64_t i = 0; i < share(plan->tensors, plan->devices, device); i++,
		     number++) {
			/* the bad ones lie evenly between the others */
			bool bad = plan->nan && number * plan->nan / plan->tensors !=
			                        (number + 1) * plan->nan / plan->tensors;

			us += 1 + (int64_t)(next_random(&seed) % 20);
			write_tensor(plan, device, i % nodes, us, bad, &seed);
		}
	}
}

static void write_runs(const struct plan *plan)
{
	if (mkdir(plan->out, 0777) != 0)
		die(plan->out);
	for (uint64_t i = 0; i < plan->runs; i++) {
		struct plan one = *plan;
		struct str path = {0};

		str_fmt(&path, "%s/run_%llu_%llu", plan->out,
		        (unsigned long long)(START_US + i * RUN_US), (unsigned long long)i);
		one.out = path.text;
		one.nan = i + 1 == plan->runs ? plan->nan : 0;
		write_run(&one);
		str_release(&path);
	}
}

static bool read_shape(const char *text, struct plan *plan)
{
	uint64_t room = UINT64_C(1) << 40;

	for (plan->n_dims = 0; plan->n_dims < MAX_DIMS;) {
		char *end;
		uint64_t dim = strtoull(text, &end, 10);

		if (end == text || !dim || dim > room)
			return false;
		room /= dim;
		plan->dim[plan->n_dims++] = (int64_t)dim;
		if (*end != 'x')
			return !*end;
		text = end + 1;
	}
	return false;
}

static uint64_t number_of(const char *text)
{
	char *end;
	uint64_t n = strtoull(text, &end, 10);

	if (*end || end == text || n > 100000000) {
		fprintf(stderr, "tool_gen_dump: not a number from 0 to 10^8: %s\n", text);
		exit(2);
	}
	return n;
}

int main(int argc, char **argv)
{
	struct plan plan = { .tensors = 1000, .devices = 1, .bytes = 400 };
	uint64_t *const numbers[] = {
		&plan.tensors, &plan.nodes, &plan.devices, &plan.nan, &plan.bytes, &plan.attr,
		&plan.control, &plan.runs,
	};
	static const struct option options[] = {
		{ "tensors", required_argument, NULL, 0 },
		{ "nodes", required_argument, NULL, 1 },
		{ "devices", required_argument, NULL, 2 },
		{ "nan", required_argument, NULL, 3 },
		{ "bytes", required_argument, NULL, 4 },
		{ "attr", required_argument, NULL, 5 },
		{ "control", required_argument, NULL, 6 },
		{ "runs", required_argument, NULL, 7 },
		{ "huge", required_argument, NULL, 8 },
		{ 0 },
	};

	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == '?')
			return 2;
		if (c == 8 && !read_shape(optarg, &plan))
			return 2;
		if (c < 8)
			*numbers[c] = number_of(optarg);
	}
	if (!plan.nodes)
		plan.nodes = plan.tensors + plan.tensors / 2;
	if (optind + 1 != argc || !plan.devices || plan.nodes < plan.devices) {
		fprintf(stderr,
		        "usage: tool_gen_dump OUT [--tensors=N] [--nodes=N] [--devices=N] "
		        "[--nan=N] [--bytes=N] [--attr=N] [--control=N] [--huge=DIMxDIM...] "
		        "[--runs=N]\n");
		return 2;
	}
	plan.out = argv[optind];
	if (plan.runs)
		write_runs(&plan);
	else
		write_run(&plan);
	if (plan.n_dims)
		write_huge(&plan);
	return 0;
}
