/*
 * The StepStats of a RunMetadata, record by record; nothing of them is kept but sums. A device may come behind its records, so
 * it is looked for first; in files as they are written it is the first thing.
 */
#include <string.h>

#include "dump/model/device.h"
#include "dump/tfprof/tfprof_parts.h"

#define STEP_RECORDS 4096        /* between two looks at progress */

enum { RUN_STEP_STATS = 1, STEP_DEVICE = 1, DEVICE_NAME = 1, DEVICE_RECORD = 2 };
enum { RECORD_NAME = 1, RECORD_START = 2, RECORD_OP_END = 4, RECORD_MEMORY = 6, RECORD_OUTPUT = 7, RECORD_STATS = 12 };
enum { MEMORY_ALLOCATOR = 1, MEMORY_TOTAL = 2, MEMORY_PEAK = 3, MEMORY_LIVE = 4, MEMORY_IN_USE = 5, MEMORY_ALLOCATION = 6 };
enum { ALLOCATION_MICROS = 1, ALLOCATION_BYTES = 2 };
enum { OUTPUT_TENSOR = 3, TENSOR_SHAPE = 2, TENSOR_ALLOCATION = 4, ALLOCATION_REQUESTED = 1, ALLOCATION_ALLOCATED = 2 };
enum { STATS_TEMP = 1, STATS_PERSISTENT = 3 };

struct lane {
	uint32_t device;         /* lower case */
	bool canonical, stream_all, cpu;
	size_t n_records;
	struct tfprof_watch *watch;      /* NULL: sums are made */
	bool fills;              /* nothing but shapes is looked at */
};

struct record {
	int64_t start_us, op_end_us;
	struct tfprof_exec sums;         /* memory only */
	int64_t in_use;
};

/* The sum or the largest of a number in nested messages: what an output takes. */
static bool read_output(struct tfprof_builder *b, struct span span, int64_t *bytes)
{
	static const uint32_t path[] = { OUTPUT_TENSOR, TENSOR_ALLOCATION };
	struct wire wire;
	struct field field;

	*bytes = 0;
	for (size_t depth = 0; depth < 2; depth++) {
		bool found = false;

		wire_start(&wire, &b->file, span);
		while (wire_next(&wire, &field, &b->found))
			if (field.number == path[depth] && field.type == WIRE_BYTES) {
				span = field.bytes;
				found = true;
			}
		if (b->found.code || !found)
			return !b->found.code;
	}
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		if ((field.number == ALLOCATION_REQUESTED || field.number == ALLOCATION_ALLOCATED)
		    && tfprof_number(&field) > *bytes)
			*bytes = tfprof_number(&field);
	return !b->found.code;
}

static bool tell_allocation(struct tfprof_builder *b, uint32_t node, struct span span, struct tfprof_watch *watch)
{
	struct wire wire;
	struct field field;
	int64_t us = 0, bytes = 0;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == ALLOCATION_MICROS)
			us = tfprof_number(&field);
		if (field.number == ALLOCATION_BYTES)
			bytes = tfprof_number(&field);
	}
	if (!b->found.code)
		watch->allocation(watch, node, us, bytes);
	return !b->found.code;
}

static bool is_gpu_allocator(struct tfprof_builder *b, struct span span, bool *is_gpu)
{
	struct name name;

	if (!tfprof_read_text(b, &b->file, span, &name))
		return false;
	*is_gpu = memmem(name.text, name.len, "GPU", 3);
	return true;
}

static bool read_memory(struct tfprof_builder *b, uint32_t node, struct span span, struct record *r,
                        struct tfprof_watch *watch)
{
	struct wire wire;
	struct field field;
	int64_t in_use = 0;
	bool is_gpu = false;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == MEMORY_ALLOCATOR && field.type == WIRE_BYTES
		    && !is_gpu_allocator(b, field.bytes, &is_gpu))
			return false;
		if (field.number == MEMORY_TOTAL)
			r->sums.requested = tfprof_add(r->sums.requested, tfprof_number(&field));
		if (field.number == MEMORY_PEAK)
			r->sums.peak = tfprof_add(r->sums.peak, tfprof_number(&field));
		if (field.number == MEMORY_LIVE)
			r->sums.residual = tfprof_add(r->sums.residual, tfprof_number(&field));
		if (field.number == MEMORY_IN_USE)
			in_use = tfprof_number(&field);
		if (field.number == MEMORY_ALLOCATION && field.type == WIRE_BYTES && is_gpu && watch
		    && !tell_allocation(b, node, field.bytes, watch))
			return false;
	}
	if (is_gpu && in_use > r->in_use)
		r->in_use = in_use;
	return !b->found.code;
}

static bool read_stats(struct tfprof_builder *b, struct span span, const struct lane *lane, struct record *r)
{
	struct wire wire;
	struct field field;
	int64_t temp = 0, kept = 0;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == STATS_TEMP)
			temp = tfprof_number(&field);
		if (field.number == STATS_PERSISTENT)
			kept = tfprof_number(&field);
	}
	r->sums.requested = tfprof_add(r->sums.requested, tfprof_add(temp, kept));
	r->sums.peak = tfprof_add(r->sums.peak, tfprof_add(temp, kept));
	r->sums.residual = tfprof_add(r->sums.residual, kept);
	if (!lane->cpu)
		r->sums.persistent = tfprof_add(r->sums.persistent, kept);
	return !b->found.code;
}

/* What a record says of memory. */
static bool read_record_memory(struct tfprof_builder *b, uint32_t node, struct span span, const struct lane *lane,
                               struct record *r)
{
	struct wire wire;
	struct field field;
	bool ok = true;

	wire_start(&wire, &b->file, span);
	while (ok && wire_next(&wire, &field, &b->found)) {
		int64_t bytes;

		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == RECORD_MEMORY) {
			ok = read_memory(b, node, field.bytes, r, lane->watch);
		} else if (field.number == RECORD_OUTPUT) {
			ok = read_output(b, field.bytes, &bytes);
			r->sums.output = tfprof_add(r->sums.output, bytes);
		} else if (field.number == RECORD_STATS) {
			ok = read_stats(b, field.bytes, lane, r);
		}
	}
	return ok && !b->found.code;
}

static void add_memory(struct tfprof_exec *exec, const struct tfprof_exec *sums)
{
	exec->requested = tfprof_add(exec->requested, sums->requested);
	exec->peak = tfprof_add(exec->peak, sums->peak);
	exec->residual = tfprof_add(exec->residual, sums->residual);
	exec->output = tfprof_add(exec->output, sums->output);
	exec->persistent = tfprof_add(exec->persistent, sums->persistent);
}

static void add_time(struct tfprof_exec *exec, const struct lane *lane, const struct record *r)
{
	int64_t us = r->op_end_us > 1 ? r->op_end_us : 1;
	int64_t end = tfprof_add(r->start_us, us);

	if (!exec->start_us || r->start_us < exec->start_us)
		exec->start_us = r->start_us;
	if (end > exec->end_us)
		exec->end_us = end;
	if (lane->stream_all) {
		exec->accelerator_us = tfprof_add(exec->accelerator_us, us);
	} else if (lane->canonical) {
		exec->cpu_us = tfprof_add(exec->cpu_us, us);
		exec->runs += exec->runs < INT32_MAX;
	}
}

/* A record of a node, for the sums. */
static bool sum_record(struct tfprof_builder *b, uint32_t id, struct span span, const struct lane *lane,
                       struct record *r, int64_t step)
{
	struct tfprof_node *node = &b->tfprof->nodes.at[id];
	struct tfprof_exec exec;
	uint32_t at;
	bool ok = true;

	if (lane->canonical && node->device == TFPROF_NONE)
		node->device = lane->device;
	else if (lane->canonical && node->device != lane->device)
		return true;
	at = tfprof_exec_in(b->tfprof, id, step);
	if (r->start_us <= 0)
		return true;
	exec = tfprof_exec_at(b->tfprof, at);
	add_time(&exec, lane, r);
	if (lane->canonical)
		ok = read_record_memory(b, id, span, lane, r);
	if (lane->canonical && ok)
		add_memory(&exec, &r->sums);
	tfprof_exec_put(b->tfprof, at, &exec);
	return ok;
}

/* The same, for who watches. */
static bool tell_record(struct tfprof_builder *b, uint32_t id, struct span span, const struct lane *lane, struct record *r)
{
	struct tfprof_watch *watch = lane->watch;

	if (r->start_us <= 0 || (lane->canonical && b->tfprof->nodes.at[id].device != lane->device))
		return true;
	if (lane->stream_all || lane->canonical)
		watch->run(watch, id, lane->device, r->start_us, r->op_end_us > 1 ? r->op_end_us : 1);
	if (!lane->canonical)
		return true;
	if (!read_record_memory(b, id, span, lane, r))
		return false;
	watch->memory(watch, id, tfprof_add(r->start_us, r->op_end_us), r->in_use);
	return true;
}

/* The name of a record up to its first colon, as a node; TFPROF_NONE: the record counts nowhere. */
static bool find_node(struct tfprof_builder *b, struct span span, bool may_add, uint32_t *id)
{
	struct tfprof *t = b->tfprof;
	const char *text, *colon;
	struct name name;
	size_t len;
	uint32_t op;
	bool is_new;

	if (!tfprof_read_text(b, &b->file, span, &name))
		return false;
	text = name.text;
	len = name.len;
	colon = memchr(text, ':', len);
	if (colon)
		len = (size_t)(colon - text);
	*id = map_find(&t->names, text, len);
	if (*id != MAP_NONE || !may_add)
		return true;
	if ((len == 10 && !memcmp(text, "RecvTensor", 10)) || (len == 7 && !memcmp(text, "_SOURCE", 7))
	    || memmem(text, len, "MEMCPY", 6))
		return true;
	*id = tfprof_add_node(b, text, len, &is_new);
	op = map_find(&t->texts, text, len);
	if (op == MAP_NONE && *id < ~TFPROF_OWN_NAME)
		op = TFPROF_OWN_NAME | *id;
	else if (op == MAP_NONE)
		op = map_add_lasting(&t->texts, t->names.key[*id], len);
	t->nodes.at[*id].op = op;
	return true;
}

/* What is known of either of two shapes; the first, if they don't agree. */
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

/* The shape of a NodeOutput; 0: not told. */
static bool read_output_shape(struct tfprof_builder *b, struct span span, uint32_t *shape)
{
	struct wire output, tensor;
	struct field field;

	*shape = 0;
	wire_start(&output, &b->file, span);
	while (wire_next(&output, &field, &b->found)) {
		if (field.number != OUTPUT_TENSOR || field.type != WIRE_BYTES)
			continue;
		wire_start(&tensor, &b->file, field.bytes);
		while (wire_next(&tensor, &field, &b->found))
			if (field.number == TENSOR_SHAPE && field.type == WIRE_BYTES
			    && !tfprof_read_shape(b, &b->file, field.bytes, shape))
				return false;
	}
	return !b->found.code;
}

/* Only a record with as many outputs as the node has says which is which. */
static bool fill_record(struct tfprof_builder *b, uint32_t id, struct span span)
{
	const struct tfprof_node *node = &b->tfprof->nodes.at[id];
	struct wire wire;
	struct field field;
	uint32_t n = 0, i = 0, shape;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		n += field.number == RECORD_OUTPUT && field.type == WIRE_BYTES;
	if (b->found.code || n != node->n_outputs)
		return !b->found.code;
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		struct tfprof_output *output = &b->tfprof->outputs.at[node->first_output + i];

		if (field.number != RECORD_OUTPUT || field.type != WIRE_BYTES)
			continue;
		if (!read_output_shape(b, field.bytes, &shape))
			return false;
		output->shape = merge_shapes(b, output->shape, shape);
		i++;
	}
	return !b->found.code;
}

static bool read_record(struct tfprof_builder *b, struct span span, const struct lane *lane, int64_t step)
{
	struct wire wire;
	struct field field;
	struct record r = {0};
	struct span name = { span.off, 0 };
	uint32_t id;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (field.number == RECORD_NAME && field.type == WIRE_BYTES)
			name = field.bytes;
		else if (field.number == RECORD_START)
			r.start_us = tfprof_number(&field);
		else if (field.number == RECORD_OP_END)
			r.op_end_us = tfprof_number(&field);
	}
	if (b->found.code || !find_node(b, name, !lane->watch && !lane->fills, &id))
		return false;
	if (id == TFPROF_NONE)
		return true;
	if (lane->fills)
		return fill_record(b, id, span);
	return lane->watch ? tell_record(b, id, span, lane, &r) : sum_record(b, id, span, lane, &r, step);
}

/* The lane's device; what it is called decides what its records count as. */
static bool find_device(struct tfprof_builder *b, struct span span, struct lane *lane)
{
	struct wire wire;
	struct field field;
	struct span at = { span.off, 0 };
	struct name name;
	const char *text;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		if (field.number == DEVICE_NAME && field.type == WIRE_BYTES) {
			at = field.bytes;
			break;
		}
	if (b->found.code || !tfprof_read_text(b, &b->file, at, &name))
		return false;
	str_reset(&b->key);
	for (size_t i = 0; i < name.len; i++)
		str_putc(&b->key, name.text[i] >= 'A' && name.text[i] <= 'Z' ? (char)(name.text[i] + 32) : name.text[i]);
	text = str_text(&b->key);
	lane->device = map_add(&b->tfprof->texts, &b->tfprof->mem, text, b->key.len);
	lane->canonical = tfprof_is_canonical(text);
	lane->stream_all = lane_kind_of(text) == LANE_GPU_ALL;
	lane->cpu = tfprof_is_cpu(text);
	return true;
}

struct reading_step {
	struct tfprof_watch *watch;
	bool fills;
	int64_t step;
	bool has_gpu, has_stream;
};

/* Damage in a record is noted and ends the reading of this one only. False after a cancel. */
static bool read_lane(struct tfprof_builder *b, struct span span, struct reading_step *r)
{
	struct lane lane = { .watch = r->watch, .fills = r->fills };
	struct wire wire;
	struct field field;
	size_t n = 0;

	if (!find_device(b, span, &lane)) {
		tfprof_note_damage(b);
		return true;
	}
	r->has_gpu |= device_is_gpu(tfprof_text(b->tfprof, lane.device));
	r->has_stream |= lane.stream_all;
	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found)) {
		if (n++ % STEP_RECORDS == 0 && !progress_step(b->progress, field.key_off, b->file.size))
			return err_at(&b->found, ERR_CANCELLED, b->file.path, field.key_off, "cancelled");
		if (field.number == DEVICE_RECORD && field.type == WIRE_BYTES
		    && !read_record(b, field.bytes, &lane, r->step))
			tfprof_note_damage(b);
	}
	tfprof_note_damage(b);
	return true;
}

static bool read_stats_of(struct tfprof_builder *b, struct span span, struct reading_step *r)
{
	struct wire wire;
	struct field field;

	wire_start(&wire, &b->file, span);
	while (wire_next(&wire, &field, &b->found))
		if (field.number == STEP_DEVICE && field.type == WIRE_BYTES
		    && !read_lane(b, field.bytes, r))
			return false;
	tfprof_note_damage(b);
	return true;
}

/* A StepStats may come in pieces. False after a cancel, or if the file can't be opened. */
static bool read_file(struct tfprof_builder *b, const struct tfprof_step *step, struct reading_step *r)
{
	struct wire wire;
	struct field field;
	struct span all;
	bool ok = true;

	if (!file_open(&b->file, step->path, &b->found))
		return false;
	all = (struct span){ 0, b->file.size };
	if (step->bare)
		ok = read_stats_of(b, all, r);
	wire_start(&wire, &b->file, all);
	while (!step->bare && ok && wire_next(&wire, &field, &b->found))
		if (field.number == RUN_STEP_STATS && field.type == WIRE_BYTES)
			ok = read_stats_of(b, field.bytes, r);
	if (ok)
		tfprof_note_damage(b);
	file_close(&b->file);
	return ok;
}

bool tfprof_read_step(struct tfprof_builder *b, const struct tfprof_step *step)
{
	struct tfprof *t = b->tfprof;
	struct reading_step r = { .step = step->number };
	bool ok = read_file(b, step, &r);

	if (r.has_gpu && !r.has_stream)
		t->misses_stream = true;
	vec_push(&t->steps, step->number);
	vec_push(&t->step_files, *step);
	return ok;
}

bool tfprof_watch_metadata(struct tfprof_builder *b, const struct tfprof_step *step, struct tfprof_watch *watch)
{
	struct reading_step r = { .watch = watch, .step = watch->step };

	return read_file(b, step, &r);
}

bool tfprof_fill_shapes(struct tfprof_builder *b, const struct tfprof_step *step)
{
	struct reading_step r = { .fills = true };

	return read_file(b, step, &r);
}
