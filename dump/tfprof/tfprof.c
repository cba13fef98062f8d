/*
 * A node's number is that of its name in the map of names, so a name is stored once. Lists of a
 * node are ranges of common lists. A node's runs in a step are summed while they are read; the sums
 * of a node form a list, latest step first, because the next record belongs to that step.
 */
#include "dump/tfprof/tfprof.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/device.h"
#include "dump/tfprof/tfprof_parts.h"

const char *tfprof_text(const struct tfprof *tfprof, uint32_t text)
{
	if (text == TFPROF_NONE)
		return "";
	return text & TFPROF_OWN_NAME ? tfprof->names.key[text & ~TFPROF_OWN_NAME]
	                              : tfprof->texts.key[text];
}

const char *tfprof_name(const struct tfprof *tfprof, uint32_t node)
{
	return tfprof->names.key[node];
}

bool tfprof_has_step(const struct tfprof *tfprof, int64_t step)
{
	for (size_t i = 0; i < tfprof->steps.len; i++)
		if (tfprof->steps.at[i] == step)
			return true;
	return false;
}

uint32_t tfprof_output_shape(const struct tfprof *tfprof, const struct tfprof_node *node,
                             int32_t slot)
{
	const struct tfprof_output *output =
		node->n_outputs ? tfprof->outputs.at + node->first_output : NULL;
	uint32_t low = 0, high = node->n_outputs;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (output[mid].slot < slot)
			low = mid + 1;
		else
			high = mid;
	}
	return low < node->n_outputs && output[low].slot == slot ? output[low].shape : 0;
}

uint32_t tfprof_input_shape(const struct tfprof *tfprof, const struct tfprof_node *node, uint32_t i)
{
	const struct tfprof_input *input = &tfprof->inputs.at[node->first_input + i];

	if (input->node == TFPROF_NONE || input->slot < 0)
		return 0;
	return tfprof_output_shape(tfprof, &tfprof->nodes.at[input->node], input->slot);
}

static int64_t exec_figure(const struct tfprof_exec *exec, enum tfprof_figure figure)
{
	switch (figure) {
	case TFPROF_BYTES: return exec->requested;
	case TFPROF_PEAK: return exec->peak;
	case TFPROF_RESIDUAL: return exec->residual;
	case TFPROF_OUTPUT: return exec->output;
	case TFPROF_MICROS: return tfprof_add(exec->accelerator_us, exec->cpu_us);
	case TFPROF_ACCELERATOR: return exec->accelerator_us;
	case TFPROF_CPU: return exec->cpu_us;
	case TFPROF_RUNS: return exec->runs;
	default: return 0;
	}
}

/* All runs with a negative number are wide ones. */
bool tfprof_has_negative(const struct tfprof *tfprof, enum tfprof_figure figure)
{
	for (size_t i = 0; i < tfprof->wide_execs.len; i++)
		if (exec_figure(&tfprof->wide_execs.at[i], figure) < 0)
			return true;
	return false;
}

static int64_t measured(const struct tfprof *tfprof, uint32_t node, int64_t step,
                        enum tfprof_figure figure)
{
	int64_t sum = 0, n = 0;

	for (uint32_t e = tfprof->nodes.at[node].exec; e != TFPROF_NONE;
	     e = tfprof->execs.at[e].next) {
		struct tfprof_exec exec = tfprof_exec_at(tfprof, e);

		if (step >= 0 && exec.step != step)
			continue;
		sum = tfprof_add(sum, exec_figure(&exec, figure));
		n++;
	}
	return n > 1 ? sum / n : sum;
}

static int64_t params_of(const struct tfprof *tfprof, uint32_t node)
{
	const struct tfprof_shape *shape = &tfprof->shapes.at[tfprof->nodes.at[node].shape];
	uint64_t n = 1;

	for (uint32_t i = 0; i < shape->n; i++) {
		if (tfprof->dims.at[shape->first + i] < 0)
			return 0;
		n *= (uint64_t)tfprof->dims.at[shape->first + i];
	}
	return shape->n ? (int64_t)n : 0;
}

bool tfprof_shape_incomplete(const struct tfprof *tfprof, uint32_t node)
{
	const struct tfprof_shape *shape = &tfprof->shapes.at[tfprof->nodes.at[node].shape];

	for (uint32_t i = 0; i < shape->n; i++)
		if (tfprof->dims.at[shape->first + i] < 0)
			return true;
	return false;
}

int64_t tfprof_own(const struct tfprof *tfprof, uint32_t node, int64_t step,
                   enum tfprof_figure figure)
{
	const struct tfprof_node *n = &tfprof->nodes.at[node];

	switch (figure) {
	case TFPROF_PARAMS:
		return params_of(tfprof, node);
	case TFPROF_DEFINITIONS:
		return 1;
	case TFPROF_FLOAT_OPS:
		if (n->exec == TFPROF_NONE || !n->float_ops)
			return n->float_ops;
		return (int64_t)((uint64_t)n->float_ops *
		                 (uint64_t)measured(tfprof, node, step, TFPROF_RUNS));
	default:
		return measured(tfprof, node, step, figure);
	}
}

/* Devices. */

bool tfprof_is_canonical(const char *device)
{
	enum lane_kind kind = lane_kind_of(device);

	return kind == LANE_OP_CPU || kind == LANE_OP_ACC;
}

bool tfprof_is_cpu(const char *device)
{
	return strstr(device, "cpu");
}

/* Building. */

void tfprof_note_damage(struct tfprof_builder *b)
{
	if (b->found.code && b->damage && !b->damage->code)
		*b->damage = b->found;
	b->found.code = ERR_NONE;
}

bool tfprof_read_text(struct tfprof_builder *b, struct file *file, struct span span,
                      struct name *name)
{
	return wire_name(file, span, &b->scratch, name, &b->found);
}

uint32_t tfprof_add_node(struct tfprof_builder *b, const char *name, size_t len, bool *is_new)
{
	struct tfprof *t = b->tfprof;
	uint32_t id = map_add(&t->names, &t->mem, name, len);
	struct tfprof_node *node;

	*is_new = id == t->nodes.len;
	if (*is_new) {
		node = vec_add(&t->nodes);
		node->device = node->exec = TFPROF_NONE;
	}
	return id;
}

uint32_t tfprof_add_shape(struct tfprof_builder *b)
{
	struct tfprof *t = b->tfprof;
	struct tfprof_shape *shape;
	uint32_t id;

	str_reset(&b->key);
	for (size_t i = 0; i < b->dims.len; i++)
		str_fmt(&b->key, "%s%lld", i ? "x" : "", (long long)b->dims.at[i]);
	id = map_add(&t->shape_texts, &t->mem, str_text(&b->key), b->key.len);
	if (id < t->shapes.len)
		return id;
	shape = vec_add(&t->shapes);
	shape->first = t->dims.len;
	shape->n = (uint32_t)b->dims.len;
	for (size_t i = 0; i < b->dims.len; i++)
		vec_push(&t->dims, b->dims.at[i]);
	return id;
}

/* A type of a node, with its text to compare. */
struct typed {
	const char *text;
	uint32_t id;
};

static int by_node(const void *a, const void *b)
{
	const struct extra_type *x = a, *y = b;

	if (x->node != y->node)
		return (x->node > y->node) - (x->node < y->node);
	return (x->type > y->type) - (x->type < y->type);
}

typedef VEC(struct typed) typed_list;

static void add_typed(const struct tfprof *t, typed_list *types, uint32_t id)
{
	vec_push(types, ((struct typed){ tfprof_text(t, id), id }));
}

/*
 * Appends the types, sorted, each once. A node with the previous node's types shares their range.
 */
static void put_types(struct tfprof *t, uint32_t n, typed_list *types)
{
	struct tfprof_node *node = &t->nodes.at[n], *before = n ? node - 1 : NULL;
	size_t first = t->types.len;

	if (types->len)
		qsort(types->at, types->len, sizeof *types->at, texts_order);
	for (size_t i = 0; i < types->len; i++)
		if (!i || strcmp(types->at[i].text, types->at[i - 1].text))
			vec_push(&t->types, types->at[i].id);
	node->first_type = (uint32_t)first;
	node->n_types = (uint32_t)(t->types.len - first);
	if (!before || !node->n_types || before->n_types != node->n_types ||
	    memcmp(t->types.at + before->first_type, t->types.at + first,
	           node->n_types * sizeof *t->types.at))
		return;
	node->first_type = before->first_type;
	t->types.len = first;
}

/* A node's types: its op, its device, and what else the op log says. */
static void list_types(struct tfprof_builder *b)
{
	struct tfprof *t = b->tfprof;
	typed_list types = {0};
	size_t next = 0;

	if (b->extra_types.len)
		qsort(b->extra_types.at, b->extra_types.len, sizeof *b->extra_types.at, by_node);
	for (uint32_t n = 0; n < t->nodes.len; n++) {
		const struct tfprof_node *node = &t->nodes.at[n];

		types.len = 0;
		if (!t->profile) {
			add_typed(t, &types, node->op);
			if (node->device != TFPROF_NONE)
				add_typed(t, &types, node->device);
		}
		for (; next < b->extra_types.len && b->extra_types.at[next].node == n; next++)
			add_typed(t, &types, b->extra_types.at[next].type);
		put_types(t, n, &types);
	}
	vec_release(&types);
}

/* If two inputs come from one node, the last one's slot counts for both. */
static void share_slots(struct tfprof *t)
{
	struct last {
		uint32_t of;
		int32_t slot;
	} *last = mem_alloc((t->nodes.len + 1) * sizeof *last);

	for (uint32_t n = 0; n < t->nodes.len; n++)
		for (uint32_t i = t->nodes.at[n].n_inputs; i-- > 0; ) {
			struct tfprof_input *input = &t->inputs.at[t->nodes.at[n].first_input + i];

			if (input->node == TFPROF_NONE)
				continue;
			if (last[input->node].of != n + 1)
				last[input->node] = (struct last){ n + 1, input->slot };
			input->slot = last[input->node].slot;
		}
	free(last);
}

static bool read_parts(struct tfprof_builder *b, const struct tfprof_files *files)
{
	if (files->graph && !tfprof_read_graph(b))
		return false;
	for (size_t i = 0; i < files->n_steps; i++)
		if (!tfprof_read_step(b, &files->steps[i]))
			return false;
	if (files->graph && !tfprof_read_inputs(b))
		return false;
	share_slots(b->tfprof);
	if (files->op_log)
		return tfprof_read_op_log(b, files->op_log);
	return !files->graph || tfprof_find_float_ops(b, files);
}

static struct tfprof *tfprof_new(void)
{
	struct tfprof *t = mem_alloc(sizeof *t);

	map_add(&t->shape_texts, &t->mem, "", 0);
	vec_add(&t->shapes);
	map_add(&t->texts, &t->mem, "", 0);
	return t;
}

static void builder_release(struct tfprof_builder *b)
{
	file_close(&b->file);
	str_release(&b->scratch);
	str_release(&b->key);
	vec_release(&b->dims);
	vec_release(&b->extra_types);
	map_release(&b->frame_keys);
}

struct tfprof *tfprof_open(const struct tfprof_files *files, struct progress *progress,
                           struct err *damage, struct err *err)
{
	struct tfprof_builder b = { .tfprof = tfprof_new(), .files = files, .file = { .fd = -1 },
	                            .progress = progress, .damage = damage };
	bool ok;

	b.tfprof->profile = files->profile;
	ok = files->profile ? tfprof_read_profile(&b, files->profile) : read_parts(&b, files);
	if (ok) {
		list_types(&b);
	} else {
		if (err)
			*err = b.found;
		tfprof_close(b.tfprof);
		b.tfprof = NULL;
	}
	builder_release(&b);
	return b.tfprof;
}

void tfprof_close(struct tfprof *t)
{
	if (!t)
		return;
	map_release(&t->names);
	map_release(&t->texts);
	map_release(&t->shape_texts);
	vec_release(&t->nodes);
	vec_release(&t->shapes);
	vec_release(&t->dims);
	vec_release(&t->inputs);
	vec_release(&t->outputs);
	vec_release(&t->types);
	vec_release(&t->frames);
	vec_release(&t->stacks);
	vec_release(&t->execs);
	vec_release(&t->wide_execs);
	vec_release(&t->steps);
	vec_release(&t->step_files);
	arena_release(&t->mem);
	free(t);
}

bool tfprof_watch_step(struct tfprof *tfprof, struct tfprof_watch *watch, struct progress *progress,
                       struct err *err)
{
	struct tfprof_builder b = { .tfprof = tfprof, .file = { .fd = -1 }, .progress = progress };
	bool ok = true;

	if (tfprof->profile)
		ok = tfprof_watch_profile(&b, tfprof->profile, watch);
	for (size_t i = 0; ok && i < tfprof->step_files.len; i++)
		if (tfprof->step_files.at[i].number == watch->step)
			ok = tfprof_watch_metadata(&b, &tfprof->step_files.at[i], watch);
	if (!ok && err)
		*err = b.found;
	builder_release(&b);
	return ok;
}
