/*
 * A ProfileProto: everything in one file. Nodes refer to each other by number; inputs, kept by
 * number until all nodes are known, are looked up last.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/tfprof/tfprof_parts.h"

#define STEP_NODES 1024          /* between two looks at progress */

/* An input, with its node as a number. */
struct pending {
	int64_t from;
	int32_t index, slot;
};

/* A node's number in the file. */
struct numbered {
	int64_t id;
	uint32_t node;
};

struct reading {
	struct tfprof_builder *b;
	struct profile_proto *proto;
	VEC(struct numbered) numbers;
	VEC(struct pending) pending;     /* in the order of inputs.at */
};

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int by_index(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	COMPARE(x->index, y->index);
	return 0;
}

static int by_source(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	COMPARE(x->from, y->from);
	return by_index(a, b);
}

static int by_key(const void *a, const void *b)
{
	const struct int_pair *x = a, *y = b;

	COMPARE(x->key, y->key);
	return 0;
}

/* Walks both lists, sorted by source, side by side to find slots; then sorts the inputs. */
static void add_inputs(struct reading *r, struct tfprof_node *node, const struct profile_node *from)
{
	size_t first = r->pending.len, n = from->n_inputs, n_slots = from->n_src_output_index,
	       k = 0;
	struct int_pair *slots = mem_alloc((n_slots + 1) * sizeof *slots);
	struct pending *input;

	for (size_t i = 0; i < n; i++)
		vec_push(&r->pending, ((struct pending){ from->inputs[i].value,
		                                         (int32_t)from->inputs[i].key, -1 }));
	if (n_slots)
		memcpy(slots, from->src_output_index, n_slots * sizeof *slots);
	qsort(slots, n_slots, sizeof *slots, by_key);
	input = n ? r->pending.at + first : NULL;
	if (n)
		qsort(input, n, sizeof *input, by_source);
	for (size_t i = 0; i < n; i++) {
		while (k < n_slots && slots[k].key < input[i].from)
			k++;
		if (k < n_slots && slots[k].key == input[i].from)
			input[i].slot = (int32_t)slots[k].value;
	}
	if (n)
		qsort(input, n, sizeof *input, by_index);
	node->first_input = (uint32_t)first;
	node->n_inputs = (uint32_t)n;
	free(slots);
}

static int by_slot(const void *a, const void *b)
{
	const struct tfprof_output *x = a, *y = b;

	COMPARE(x->slot, y->slot);
	return 0;
}

static uint32_t shape_of(struct tfprof_builder *b, const struct int_list *dims)
{
	b->dims.len = 0;
	for (size_t i = 0; i < dims->n; i++)
		vec_push(&b->dims, dims->at[i]);
	return tfprof_add_shape(b);
}

static void add_outputs(struct reading *r, struct tfprof_node *node,
                        const struct profile_node *from)
{
	struct tfprof *t = r->b->tfprof;

	node->first_output = (uint32_t)t->outputs.len;
	node->n_outputs = (uint32_t)from->n_output_shapes;
	for (size_t i = 0; i < from->n_output_shapes; i++)
		vec_push(&t->outputs, ((struct tfprof_output){
			(int32_t)from->output_shapes[i].key,
			shape_of(r->b, &from->output_shapes[i].dims) }));
	if (node->n_outputs)
		qsort(t->outputs.at + node->first_output, node->n_outputs, sizeof *t->outputs.at,
		      by_slot);
}

static int64_t sum_times(const struct exec_device *devices, size_t n)
{
	int64_t sum = 0;

	for (size_t d = 0; d < n; d++)
		for (size_t i = 0; i < devices[d].n_times; i++)
			sum = tfprof_add(sum, devices[d].times[i].value);
	return sum;
}

static void add_exec(struct tfprof *t, uint32_t node, const struct exec_profile *from)
{
	uint32_t at = tfprof_exec_in(t, node, from->step);
	struct tfprof_exec exec = tfprof_exec_at(t, at);

	exec.runs = (int32_t)from->run_count;
	exec.start_us = from->all_start_us;
	exec.end_us = from->latest_end_us;
	exec.accelerator_us = sum_times(from->accelerator, from->n_accelerator);
	exec.cpu_us = sum_times(from->cpu, from->n_cpu);
	for (size_t i = 0; i < from->n_memory; i++) {
		const struct exec_memory *memory = &from->memory[i];

		exec.requested = tfprof_add(exec.requested, memory->requested);
		exec.peak = tfprof_add(exec.peak, memory->peak);
		exec.residual = tfprof_add(exec.residual, memory->residual);
		exec.output = tfprof_add(exec.output, memory->output);
		exec.persistent = tfprof_add(exec.persistent, memory->accelerator_persistent);
	}
	tfprof_exec_put(t, at, &exec);
}

static void read_layout(struct reading *r, struct tfprof_node *node,
                        const struct profile_node *from)
{
	for (size_t i = 0; i < from->n_attrs; i++)
		if (!strcmp(from->attrs[i].key, "data_format")
		    && !tfprof_read_attr(r->b, &r->proto->file, node, "data_format",
		                         from->attrs[i].value))
			tfprof_note_damage(r->b);
}

/* Two of one name: the first counts. */
static void add_node(struct reading *r, const struct profile_node *from)
{
	struct tfprof_builder *b = r->b;
	struct tfprof *t = b->tfprof;
	struct tfprof_node node = {
		.device = TFPROF_NONE, .exec = TFPROF_NONE, .float_ops = from->float_ops,
	};
	bool is_new;
	uint32_t id = tfprof_add_node(b, from->name, strlen(from->name), &is_new);

	if (!is_new)
		return;
	vec_push(&r->numbers, ((struct numbered){ from->id, id }));
	node.op = map_add(&t->texts, &t->mem, from->op, strlen(from->op));
	if (*from->canonical_device)
		node.device = map_add(&t->texts, &t->mem, from->canonical_device,
		                      strlen(from->canonical_device));
	node.shape = shape_of(b, &from->shape);
	add_inputs(r, &node, from);
	add_outputs(r, &node, from);
	read_layout(r, &node, from);
	t->nodes.at[id] = node;
	for (size_t i = 0; i < from->n_types; i++)
		tfprof_add_type(b, id, from->types[i]);
	for (size_t i = 0; i < from->n_execs; i++)
		add_exec(t, id, &from->execs[i]);
	tfprof_add_stack(b, id, from->frames, from->n_frames);
}

static int by_id(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	COMPARE(x->id, y->id);
	COMPARE(x->node, y->node);
	return 0;
}

/* Turns inputs by number into inputs by node; an unknown number gives no node. */
static void resolve_inputs(struct reading *r)
{
	struct tfprof *t = r->b->tfprof;

	if (r->numbers.len)
		qsort(r->numbers.at, r->numbers.len, sizeof *r->numbers.at, by_id);
	for (size_t i = 0; i < r->pending.len; i++) {
		const struct pending *p = &r->pending.at[i];
		size_t low = 0, high = r->numbers.len;
		struct tfprof_input input = { p->index, TFPROF_NONE, p->slot };

		while (low < high) {
			size_t mid = low + (high - low) / 2;

			if (r->numbers.at[mid].id < p->from)
				low = mid + 1;
			else
				high = mid;
		}
		if (low < r->numbers.len && r->numbers.at[low].id == p->from)
			input.node = r->numbers.at[low].node;
		vec_push(&t->inputs, input);
	}
}

static int by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	COMPARE(*x, *y);
	return 0;
}

/* Ascending, each once. */
static void add_steps(struct tfprof *t, const struct profile_proto *proto)
{
	size_t n = 0;

	for (size_t i = 0; i < proto->steps.len; i++)
		vec_push(&t->steps, proto->steps.at[i]);
	if (t->steps.len)
		qsort(t->steps.at, t->steps.len, sizeof *t->steps.at, by_value);
	for (size_t i = 0; i < t->steps.len; i++)
		if (!n || t->steps.at[i] != t->steps.at[n - 1])
			t->steps.at[n++] = t->steps.at[i];
	t->steps.len = n;
}

/* Calls take for each node. False after a cancel; damage is noted. */
static bool for_nodes(struct tfprof_builder *b, struct profile_proto *proto,
                      void (*take)(void *context, const struct profile_node *node), void *context)
{
	for (size_t i = 0; i < proto->nodes.len; i++) {
		struct arena scratch = {0};
		struct profile_node node = {0};

		if (i % STEP_NODES == 0 && !progress_step(b->progress, i, proto->nodes.len))
			return err_at(&b->found, ERR_CANCELLED, proto->path, 0, "cancelled");
		if (profile_proto_node(proto, i, &scratch, &node, &b->found))
			take(context, &node);
		tfprof_note_damage(b);
		arena_release(&scratch);
	}
	return true;
}

static void take_node(void *context, const struct profile_node *node)
{
	add_node(context, node);
}

bool tfprof_read_profile(struct tfprof_builder *b, struct profile_proto *proto)
{
	struct tfprof *t = b->tfprof;
	struct reading r = { .b = b, .proto = proto };
	bool ok = for_nodes(b, proto, take_node, &r);

	add_steps(t, proto);
	resolve_inputs(&r);
	t->has_traces = proto->has_trace;
	t->misses_stream = proto->miss_accelerator_stream;
	vec_release(&r.numbers);
	vec_release(&r.pending);
	return ok;
}

/* Reporting single runs. */

struct telling {
	struct tfprof *tfprof;
	struct tfprof_watch *watch;
};

static void tell_runs(struct telling *tell, uint32_t node, const struct exec_device *devices,
                      size_t n)
{
	struct tfprof *t = tell->tfprof;

	for (size_t d = 0; d < n; d++) {
		uint32_t device = map_add(&t->texts, &t->mem, devices[d].device,
		                          strlen(devices[d].device));

		for (size_t i = 0; i < devices[d].n_times; i++)
			tell->watch->run(tell->watch, node, device, devices[d].times[i].key,
			                 devices[d].times[i].value);
	}
}

static void tell_node(void *context, const struct profile_node *from)
{
	struct telling *tell = context;
	struct tfprof_watch *watch = tell->watch;
	uint32_t node = map_find(&tell->tfprof->names, from->name, strlen(from->name));

	for (size_t e = 0; node != MAP_NONE && e < from->n_execs; e++) {
		const struct exec_profile *exec = &from->execs[e];

		if (exec->step != watch->step)
			continue;
		tell_runs(tell, node, exec->accelerator, exec->n_accelerator);
		tell_runs(tell, node, exec->cpu, exec->n_cpu);
		for (size_t i = 0; i < exec->n_memory; i++)
			watch->memory(watch, node, exec->memory[i].memory_us,
			              exec->memory[i].in_use);
		for (size_t i = 0; i < exec->n_allocations; i++)
			watch->allocation(watch, node, exec->allocations[i].us,
			                  exec->allocations[i].bytes);
	}
}

bool tfprof_watch_profile(struct tfprof_builder *b, struct profile_proto *proto,
                          struct tfprof_watch *watch)
{
	struct telling tell = { b->tfprof, watch };

	return for_nodes(b, proto, tell_node, &tell);
}
