/* The records of a step, one by one; only sums are kept. */
#include <string.h>

#include "dump/model/device.h"
#include "dump/profile/step_source.h"
#include "dump/tfprof/tfprof_parts.h"

struct telling {
	struct step_teller teller;       /* the first: take() knows it by that */
	struct tfprof_builder *b;
	struct tfprof_watch *watch;      /* NULL: sums are made */
	bool fills;                      /* nothing but shapes is looked at */
	int64_t step;
	/* The lane: */
	size_t lane;                     /* which, from 1 */
	uint32_t device;                 /* lower case */
	bool canonical, stream_all, cpu;
};

/* What a record says about memory; false: it is damaged. *in_use is for accelerators. */
static bool read_memory(struct telling *tell, uint32_t node, const struct record *record,
                        struct tfprof_exec *sums, int64_t *in_use)
{
	const struct record_detail *d = &tell->teller.reader.detail;
	int64_t kept;
	unsigned want = DETAIL_MEMORY | DETAIL_OUTPUTS | (tell->watch ? DETAIL_CHANGES : 0);
	bool ok = detail_read(&tell->teller.reader, record, want, &tell->b->found);

	*in_use = 0;
	*sums = (struct tfprof_exec){ .requested = detail_requested(d) };
	for (size_t i = 0; i < d->n_memory; i++) {
		const struct allocator_use *use = &d->memory[i];
		bool is_gpu = strstr(use->allocator, "GPU");

		sums->peak = tfprof_add(sums->peak, use->peak);
		sums->residual = tfprof_add(sums->residual, use->live);
		if (is_gpu && use->in_use > *in_use)
			*in_use = use->in_use;
		for (size_t k = 0; is_gpu && tell->watch && k < use->n_records; k++)
			tell->watch->allocation(tell->watch, node, use->records[k].alloc_us,
			                        use->records[k].bytes);
	}
	kept = d->persistent;
	sums->peak = tfprof_add(sums->peak, tfprof_add(d->temp, kept));
	sums->residual = tfprof_add(sums->residual, kept);
	sums->persistent = tell->cpu ? 0 : kept;
	for (size_t i = 0; i < d->n_outputs; i++) {
		const struct allocation *from = &d->outputs[i].allocation;
		int64_t most = from->requested > 0 ? from->requested : 0;

		most = from->allocated > most ? from->allocated : most;
		sums->output = tfprof_add(sums->output, most);
	}
	return ok;
}

static void add_memory(struct tfprof_exec *exec, const struct tfprof_exec *sums)
{
	exec->requested = tfprof_add(exec->requested, sums->requested);
	exec->peak = tfprof_add(exec->peak, sums->peak);
	exec->residual = tfprof_add(exec->residual, sums->residual);
	exec->output = tfprof_add(exec->output, sums->output);
	exec->persistent = tfprof_add(exec->persistent, sums->persistent);
}

static void add_time(struct tfprof_exec *exec, const struct telling *tell, int64_t start_us,
                     int64_t us)
{
	int64_t end = tfprof_add(start_us, us);

	if (!exec->start_us || start_us < exec->start_us)
		exec->start_us = start_us;
	if (end > exec->end_us)
		exec->end_us = end;
	if (tell->stream_all) {
		exec->accelerator_us = tfprof_add(exec->accelerator_us, us);
	} else if (tell->canonical) {
		exec->cpu_us = tfprof_add(exec->cpu_us, us);
		exec->runs += exec->runs < INT32_MAX;
	}
}

/* A record of a node, for the sums. */
static void sum_record(struct telling *tell, uint32_t id, const struct record *record,
                       const struct record_times *times)
{
	struct tfprof *t = tell->b->tfprof;
	struct tfprof_node *node = &t->nodes.at[id];
	struct tfprof_exec exec, sums;
	int64_t in_use;
	uint32_t at;

	if (tell->canonical && node->device == TFPROF_NONE)
		node->device = tell->device;
	else if (tell->canonical && node->device != tell->device)
		return;
	at = tfprof_exec_in(t, id, tell->step);
	if (times->all_start_us <= 0)
		return;
	exec = tfprof_exec_at(t, at);
	add_time(&exec, tell, times->all_start_us, times->op_end_us > 1 ? times->op_end_us : 1);
	if (tell->canonical && read_memory(tell, id, record, &sums, &in_use))
		add_memory(&exec, &sums);
	tfprof_exec_put(t, at, &exec);
}

/* The same, for a watcher. */
static void tell_record(struct telling *tell, uint32_t id, const struct record *record,
                        const struct record_times *times)
{
	struct tfprof_watch *watch = tell->watch;
	int64_t start_us = times->all_start_us, in_use;
	int64_t us = times->op_end_us > 1 ? times->op_end_us : 1;
	struct tfprof_exec sums;

	if (start_us <= 0
	    || (tell->canonical && tell->b->tfprof->nodes.at[id].device != tell->device))
		return;
	if (tell->stream_all || tell->canonical)
		watch->run(watch, id, tell->device, start_us, us);
	if (tell->canonical && read_memory(tell, id, record, &sums, &in_use))
		watch->memory(watch, id, tfprof_add(start_us, times->op_end_us), in_use);
}

/* The node named by a record up to its first colon; TFPROF_NONE: the record does not count. */
static uint32_t find_node(struct tfprof_builder *b, struct text name, bool may_add)
{
	struct tfprof *t = b->tfprof;
	const char *text = name.at, *colon = name.len ? memchr(text, ':', name.len) : NULL;
	size_t len = colon ? (size_t)(colon - text) : name.len;
	uint32_t id = map_find(&t->names, text, len), op;
	bool is_new;

	if (id != MAP_NONE || !may_add)
		return id;
	if ((len == 10 && !memcmp(text, "RecvTensor", 10)) ||
	    (len == 7 && !memcmp(text, "_SOURCE", 7)) || memmem(text, len, "MEMCPY", 6))
		return id;
	id = tfprof_add_node(b, text, len, &is_new);
	op = map_find(&t->texts, text, len);
	if (op == MAP_NONE && id < ~TFPROF_OWN_NAME)
		op = TFPROF_OWN_NAME | id;
	else if (op == MAP_NONE)
		op = map_add_lasting(&t->texts, t->names.key[id], len);
	t->nodes.at[id].op = op;
	return id;
}

/* The known dimensions of two shapes together; the first shape, if they disagree. */
static uint32_t merge_shapes(struct tfprof_builder *b, uint32_t first, uint32_t second)
{
	const struct tfprof *t = b->tfprof;
	const struct tfprof_shape *x = &t->shapes.at[first], *y = &t->shapes.at[second];

	if (!first || !second)
		return first ? first : second;
	b->dims.len = 0;
	for (uint32_t i = 0; x->n == y->n && i < x->n; i++) {
		int64_t dim = t->dims.at[x->first + i], other = t->dims.at[y->first + i];

		if (dim >= 0 && other >= 0 && dim != other)
			return first;
		vec_push(&b->dims, dim >= 0 ? dim : other);
	}
	return x->n == y->n ? tfprof_add_shape(b) : first;
}

/* The shape of an output; 0: not told. */
static uint32_t output_shape(struct tfprof_builder *b, const struct node_output *output)
{
	if (!output->has_shape)
		return 0;
	b->dims.len = 0;
	for (size_t i = 0; !output->unknown_rank && i < output->rank; i++)
		vec_push(&b->dims, output->dims[i]);
	if (!output->unknown_rank && !output->rank)
		vec_push(&b->dims, 1);
	return tfprof_add_shape(b);
}

/* A record identifies outputs only if it has as many as the node. */
static void fill_record(struct telling *tell, uint32_t id, const struct record *record)
{
	struct tfprof *t = tell->b->tfprof;
	const struct tfprof_node *node = &t->nodes.at[id];
	const struct record_detail *d = &tell->teller.reader.detail;
	struct tfprof_output *output;

	if (!detail_read(&tell->teller.reader, record, DETAIL_OUTPUTS | DETAIL_SHAPES,
	                 &tell->b->found)
	    || d->n_outputs != node->n_outputs)
		return;
	for (size_t i = 0; i < d->n_outputs; i++) {
		output = &t->outputs.at[node->first_output + i];
		output->shape = merge_shapes(tell->b, output->shape,
		                             output_shape(tell->b, &d->outputs[i]));
	}
}

/* The name of a lane's device decides how its records count. */
static void enter_lane(struct telling *tell, const struct lane *lane)
{
	struct tfprof_builder *b = tell->b;

	str_reset(&b->key);
	for (const char *at = lane->device; *at; at++)
		str_putc(&b->key, *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at);
	tell->device = map_add(&b->tfprof->texts, &b->tfprof->mem, str_text(&b->key), b->key.len);
	tell->canonical = lane->kind == LANE_OP_CPU || lane->kind == LANE_OP_ACC;
	tell->stream_all = lane->kind == LANE_GPU_ALL;
	tell->cpu = tfprof_is_cpu(str_text(&b->key));
}

/* Damage in a record ends the reading of that record only. */
static void take(struct step_teller *teller, const struct record *record, struct text name)
{
	struct telling *tell = (struct telling *)teller;
	const struct step *step = teller->reader.step;
	struct record_times times = step_times(step, record);
	uint32_t id;

	if (tell->lane != step->lanes.len)
		enter_lane(tell, vec_last(&step->lanes));
	tell->lane = step->lanes.len;
	id = find_node(tell->b, name, !tell->watch && !tell->fills);
	if (id == TFPROF_NONE)
		return;
	if (tell->fills)
		fill_record(tell, id, record);
	else if (tell->watch)
		tell_record(tell, id, record, &times);
	else
		sum_record(tell, id, record, &times);
	tfprof_note_damage(tell->b);
}

/* False after a cancel, or if the file can't be read. */
static bool tell_step(struct tfprof_builder *b, const struct tfprof_step *from,
                      struct telling *tell)
{
	struct step step = { .path = from->path, .source = from->source };
	bool has_gpu = false, has_stream = false, ok;

	tell->teller.take = take;
	tell->b = b;
	tell->step = from->number;
	ok = step_tell(&step, &tell->teller, b->progress, &b->found) || b->found.code == ERR_FORMAT;
	for (size_t i = 0; ok && i < step.lanes.len; i++) {
		has_gpu |= device_is_gpu(step.lanes.at[i].device);
		has_stream |= step.lanes.at[i].kind == LANE_GPU_ALL;
	}
	b->tfprof->misses_stream |= !tell->watch && has_gpu && !has_stream;
	if (ok && !b->found.code)
		b->found = step.damage;
	if (ok)
		tfprof_note_damage(b);
	step_release(&step);
	return ok;
}

bool tfprof_read_step(struct tfprof_builder *b, const struct tfprof_step *step)
{
	struct telling tell = {0};
	bool ok = tell_step(b, step, &tell);

	vec_push(&b->tfprof->steps, step->number);
	vec_push(&b->tfprof->step_files, *step);
	return ok;
}

bool tfprof_watch_metadata(struct tfprof_builder *b, const struct tfprof_step *step,
                           struct tfprof_watch *watch)
{
	struct telling tell = { .watch = watch };

	return tell_step(b, step, &tell);
}

bool tfprof_fill_shapes(struct tfprof_builder *b, const struct tfprof_step *step)
{
	struct telling tell = { .fills = true };

	return tell_step(b, step, &tell);
}
