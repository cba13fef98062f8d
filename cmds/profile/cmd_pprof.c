/*
 * A step as a pprof file: what each node and each of its kernels cost, below the name scopes of the
 * node, or the lines of the program that made it. Kernels and copies count once; if there are lanes
 * with all of them, from these. Records are summed, not the activities of kernel_table.h: records
 * with impossible times count too, and sums wrap around.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/profile/kernels.h"
#include "cmds/session/session.h"
#include "cmds/session/steps.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/profile/label.h"
#include "dump/profile/pprof.h"
#include "dump/tfprof/tfprof.h"

enum { CALLS, KERNEL, COPY, HOST, BYTES, N_VALUES };

static const struct {
	const char *type, *unit;
} value_types[N_VALUES] = {
	[CALLS] = { "calls", "count" }, [KERNEL] = { "kernel", "nanoseconds" },
	[COPY] = { "copy", "nanoseconds" }, [HOST] = { "host", "nanoseconds" },
	[BYTES] = { "bytes", "bytes" },
};

/* The cost of one node itself, or of one kernel that ran for it. */
struct cost {
	uint32_t node, kernel;           /* texts; kernel 0: the node itself */
	int64_t value[N_VALUES];
};

struct costs {
	struct call *call;
	struct step *step;
	struct extent extent;
	bool has_extent;
	struct detail_reader reader;
	bool by_code;
	bool has_all_kernels, has_all_copies;
	struct arena mem;
	struct map texts, keys;          /* text 0 is ""; keys of costs: node and kernel */
	struct map executed;             /* node names of executor lanes */
	VEC(struct cost) at;
	struct str key;
};

static struct cost *cost_of(struct costs *c, uint32_t node, uint32_t kernel)
{
	uint32_t id;

	str_reset(&c->key);
	str_fmt(&c->key, "%u %u", node, kernel);
	id = map_add(&c->keys, &c->mem, c->key.text, c->key.len);
	if (id == c->at.len)
		vec_push(&c->at, ((struct cost){ .node = node, .kernel = kernel }));
	return &c->at.at[id];
}

/* Wraps around if a file's numbers are absurd. */
static void add(int64_t *sum, int64_t n)
{
	*sum = tfprof_add(*sum, n);
}

static int64_t ns_of(int64_t us)
{
	return (int64_t)((uint64_t)us * 1000);
}

/* Within the op. */
static int64_t host_ns(const struct record_times *times)
{
	if (times->has_ns)
		return (int64_t)((uint64_t)times->op_end_ns - (uint64_t)times->op_start_ns);
	return ns_of((int64_t)((uint64_t)times->op_end_us - (uint64_t)times->op_start_us));
}

static uint32_t text_of(struct costs *c, const char *text, size_t len)
{
	return map_add(&c->texts, &c->mem, text, len);
}

static bool is_node(const struct costs *c, const char *name, size_t len)
{
	const struct profile *profile = c->call->shell->profile;

	return map_find(&c->executed, name, len) != MAP_NONE
	       || (profile->graph && graph_find(profile->graph, name, len) != GRAPH_NONE)
	       || (profile->proto && profile_proto_find(profile->proto, name, len));
}

/* The node of a record in a GPU's lane. */
static uint32_t node_of(struct costs *c, const char *name)
{
	const char *colon = strchr(name, ':');
	struct text all = { name, colon ? (size_t)(colon - name) : 0 }, guess[NODE_GUESSES];
	size_t n = node_guesses(all, guess);

	if (!colon || strstr(name, "::"))
		return text_of(c, "(unattributed)", strlen("(unattributed)"));
	for (size_t i = 0; i < n; i++)
		if (guess[i].len && is_node(c, guess[i].at, guess[i].len))
			return text_of(c, guess[i].at, guess[i].len);
	return text_of(c, all.at, all.len);
}

/* The kernel's name from the label, else what follows the node's name. */
static bool kernel_of(struct costs *c, const struct record *record, const char *name,
                      uint32_t *kernel)
{
	struct gpu_label gpu;
	size_t len;
	const char *label = detail_label(&c->reader, record, &len, &c->call->err);
	const char *colon = strchr(name, ':'), *rest = colon && colon[1] ? colon + 1 : name;

	if (!label)
		return false;
	label_gpu(label, len, &gpu);
	*kernel = gpu.name.len && *label != '[' ? text_of(c, gpu.name.at, gpu.name.len) :
	          text_of(c, rest, strlen(rest));
	return true;
}

static bool add_gpu_record(struct costs *c, const struct record *record, int which)
{
	const char *name = record_name(c->step, record);
	struct record_times times = step_times(c->step, record);
	uint32_t node = node_of(c, name), kernel;
	struct cost *cost;

	if (!kernel_of(c, record, name, &kernel))
		return false;
	cost = cost_of(c, node, kernel);
	cost->value[CALLS]++;
	add(&cost->value[which], times.has_ns ? times.all_end_ns : ns_of(times.all_end_us));
	return true;
}

static bool add_host_record(struct costs *c, const struct record *record)
{
	const char *name = record_name(c->step, record);
	struct record_times times = step_times(c->step, record);
	struct cost *cost;

	if (!strcmp(name, "_SOURCE") || !strcmp(name, "_SINK"))
		return true;
	if (!detail_read(&c->reader, record, DETAIL_ALL, &c->call->err))
		return false;
	cost = cost_of(c, text_of(c, name, strlen(name)), 0);
	cost->value[CALLS]++;
	add(&cost->value[HOST], host_ns(&times));
	add(&cost->value[BYTES], detail_requested(&c->reader.detail));
	return true;
}

/* What a trace of another program has: its activities know what they count as. */
static bool add_trace(struct costs *c)
{
	static const int which[] = { HOST, KERNEL, COPY };       /* by enum activity_kind */
	struct step_activities acts = {0};
	struct step_choice choice;
	bool ok = steps_choose(c->call, c->call->shell->profile, NULL, &choice)
	          && step_activities_of(c->call, &choice, &acts);

	for (size_t i = 0; ok && i < acts.refs[0]->at.len; i++) {
		const struct activity *a = &acts.refs[0]->at.at[i];
		const char *const *names = acts.refs[0]->names.key;
		const char *kernel = a->kernel == MAP_NONE ? "" : names[a->kernel];
		struct cost *cost = cost_of(c, text_of(c, names[a->node], strlen(names[a->node])),
		                            text_of(c, kernel, strlen(kernel)));

		cost->value[CALLS]++;
		add(&cost->value[which[a->kind]], activity_own_ns(a));
		add(&cost->value[BYTES], a->bytes);
		ok = i % 1024 != 0 || progress_step(c->call->progress, i, acts.refs[0]->at.len)
		     || err_at(&c->call->err, ERR_CANCELLED, "command", 0, "cancelled");
	}
	if (ok)
		c->has_extent = step_extent(&choice.profile->steps.at[choice.at.at[0]], &c->extent);
	step_activities_release(&acts);
	step_choice_release(&choice);
	return ok;
}

/* Which value a lane's records count as; N_VALUES: another lane has them. */
static int value_of(const struct costs *c, enum lane_kind kind)
{
	switch (kind) {
	case LANE_OP_CPU:
	case LANE_OP_ACC:
	case LANE_OTHER:
		return HOST;
	case LANE_GPU_ALL:
		return KERNEL;
	case LANE_GPU_STREAM:
		return c->has_all_kernels ? N_VALUES : KERNEL;
	case LANE_GPU_COPY_ALL:
		return COPY;
	case LANE_GPU_STREAM_COPY:
		return c->has_all_copies ? N_VALUES : COPY;
	default:
		return N_VALUES;
	}
}

static bool add_records(struct costs *c)
{
	for (size_t i = 0; i < c->step->records.len; i++) {
		const struct record *record = &c->step->records.at[i];
		int which = value_of(c, c->step->lanes.at[record->lane].kind);

		if (i % 1024 == 0 && !progress_step(c->call->progress, i, c->step->records.len))
			return err_at(&c->call->err, ERR_CANCELLED, "command", 0, "cancelled");
		if (which == N_VALUES)
			continue;
		if (which == HOST ? !add_host_record(c, record) : !add_gpu_record(c, record, which))
			return false;
	}
	return true;
}

static void look_at_lanes(struct costs *c)
{
	for (size_t l = 0; l < c->step->lanes.len; l++) {
		const struct lane *lane = &c->step->lanes.at[l];

		c->has_all_kernels |= lane->kind == LANE_GPU_ALL;
		c->has_all_copies |= lane->kind == LANE_GPU_COPY_ALL;
		for (size_t i = 0; lane_is_executor(lane->kind) && i < lane->n; i++) {
			const char *name = record_name(c->step,
			                               &c->step->records.at[lane->first + i]);

			map_add(&c->executed, &c->mem, name, strlen(name));
		}
	}
}

static bool add_step(struct costs *c)
{
	bool ok;

	c->step = need_step(c->call, NULL);
	if (!c->step || !detail_open(&c->reader, c->step, &c->call->err))
		return false;
	look_at_lanes(c);
	c->has_extent = step_extent(c->step, &c->extent);
	ok = add_records(c);
	detail_close(&c->reader);
	return ok;
}

/* Stacks. */

typedef VEC(uint64_t) location_list;

static void push_frame(struct pprof *pprof, location_list *stack, const char *name,
                       const char *file, int64_t line, int64_t start_line)
{
	struct str key = {0};

	str_fmt(&key, "%lld %s %s", (long long)line, name, file);
	vec_push(stack, pprof_location(pprof, key.text,
	                               pprof_function(pprof, name, file, start_line), line));
	str_release(&key);
}

/* Scopes have their whole names, so parts with one name in different scopes stay apart. */
static void push_scopes(struct pprof *pprof, location_list *stack, const char *node)
{
	struct str scope = {0};

	for (const char *slash = strchr(node, '/'); slash; slash = strchr(slash + 1, '/')) {
		if (slash == node)
			continue;
		str_reset(&scope);
		str_put(&scope, node, (size_t)(slash - node));
		push_frame(pprof, stack, scope.text, "", 0, 0);
	}
	str_release(&scope);
}

static bool push_code(struct costs *c, struct pprof *pprof, location_list *stack, const char *node)
{
	struct code_frame *frames = NULL;
	struct arena scratch = {0};
	size_t n = 0;
	bool ok = profile_code(c->call->shell->profile, node, &scratch, &frames, &n, &c->call->err);

	for (size_t i = 0; ok && i < n; i++)
		push_frame(pprof, stack, frames[i].function, frames[i].file, frames[i].lineno,
		           frames[i].func_start_line);
	arena_release(&scratch);
	return ok;
}

static bool put_sample(struct costs *c, struct pprof *pprof, const struct cost *cost,
                       location_list *stack)
{
	const char *node = c->texts.key[cost->node];

	stack->len = 0;
	if (c->by_code && !push_code(c, pprof, stack, node))
		return false;
	if (!c->by_code)
		push_scopes(pprof, stack, node);
	push_frame(pprof, stack, node, "", 0, 0);
	if (cost->kernel)
		push_frame(pprof, stack, c->texts.key[cost->kernel], "", 0, 0);
	for (size_t i = 0, k = stack->len; i + 1 < k; i++) {
		uint64_t swapped = stack->at[i];

		stack->at[i] = stack->at[--k];
		stack->at[k] = swapped;
	}
	pprof_sample(pprof, stack->at, stack->len, cost->value, "graph node:", node);
	return true;
}

static bool write_costs(struct costs *c, const char *path)
{
	struct pprof *pprof = pprof_new();
	location_list stack = {0};
	const struct extent *extent = &c->extent;
	bool has_kernels = false, ok = true;

	for (int i = 0; i < N_VALUES; i++)
		pprof_value_type(pprof, value_types[i].type, value_types[i].unit);
	for (size_t i = 0; ok && i < c->at.len; i++) {
		has_kernels |= c->at.at[i].value[KERNEL] > 0;
		ok = put_sample(c, pprof, &c->at.at[i], &stack);
	}
	pprof_default_type(pprof, value_types[has_kernels ? KERNEL : HOST].type);
	if (c->has_extent)
		pprof_times(pprof, ns_of(extent->start_us),
		            ns_of(tfprof_sub(extent->end_us, extent->start_us)));
	ok = ok && pprof_write(pprof, path, &c->call->err);
	pprof_free(pprof);
	vec_release(&stack);
	return ok;
}

static void costs_release(struct costs *c)
{
	map_release(&c->texts);
	map_release(&c->keys);
	map_release(&c->executed);
	vec_release(&c->at);
	str_release(&c->key);
	arena_release(&c->mem);
}

enum { OUTPUT, MODE };

static const struct opt options[] = {
	[OUTPUT] = { OPT_WORD, "o", "output", "the file to write" },
	[MODE] = { OPT_WORD, NULL, "mode",
	           "what stacks are made of: code (with an op log) or scope" },
};

struct written {
	const char *path;
	size_t n_samples;
};

static bool put_written(void *context, struct data *data, struct progress *progress,
                        struct err *err)
{
	const struct written *written = context;

	(void)progress, (void)err;
	data_object(data);
	data_key(data, "file");
	data_str(data, written->path);
	data_key(data, "samples");
	data_uint(data, written->n_samples);
	data_end(data);
	return true;
}

static void tell_written(struct call *call, const char *path, size_t n)
{
	struct written *written = arena_alloc(doc_mem(call->out), sizeof *written);

	written->path = arena_copy(doc_mem(call->out), path, strlen(path));
	written->n_samples = n;
	doc_line_put(call->out, ROLE_PLAIN, "Wrote %zu stack%s to %s", n, plural(n), path);
	doc_typed(call->out, DATA_VALUE, put_written, written);
}

/* Which stacks: as asked, else code if there are tracebacks. */
static bool choose_mode(struct call *call, bool *by_code)
{
	const char *mode = call->args.opt[MODE].word;
	bool has_code = profile_has_code(call->shell->profile);

	*by_code = mode ? !strcmp(mode, "code") : has_code;
	if (mode && !*by_code && strcmp(mode, "scope")) {
		call_error(call, "ERROR: --mode is code or scope, not %s.", mode);
		return false;
	}
	if (*by_code && !has_code)
		call_error(call, "ERROR: --mode code needs an op log: --op-log FILE.");
	return !*by_code || has_code;
}

static void pprof_exec(struct call *call)
{
	const char *path = call->args.opt[OUTPUT].word;
	struct costs c = { .call = call };

	if (!path) {
		call_error(call, "ERROR: pprof needs the file to write: pprof -o FILE.");
		return;
	}
	if (!call->shell->profile) {
		need_steps(call, NULL);
		return;
	}
	if (!need_records(call, call->shell->profile) || !choose_mode(call, &c.by_code))
		return;
	kernels_warn_of_trace(call);
	text_of(&c, "", 0);
	if ((call->shell->profile->trace ? add_trace(&c) : add_step(&c))
	    && write_costs(&c, path))
		tell_written(call, path, c.at.len);
	costs_release(&c);
}

const struct cmd cmd_pprof = {
	.name = "pprof", .summary = "Write the step as a file for pprof", OPTS(options),
	.whole_words = true, .runless = true, .exec = pprof_exec,
};
