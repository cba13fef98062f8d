/* Maps are lists of entries {1 key, 2 value}; a key that is not written is 0. */
#include "dump/profile/profile_proto.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

#define STEP_NODES 1024          /* between two looks at progress */

enum { PROTO_NODES = 1, PROTO_HAS_TRACE = 2, PROTO_STEPS = 3, PROTO_STRINGS = 4, PROTO_MISS = 5 };
enum {
	NODE_NAME = 1, NODE_INPUTS = 2, NODE_OUTPUTS = 3, NODE_SHAPE = 4, NODE_TYPES = 5,
	NODE_CANONICAL = 6, NODE_HOST = 7, NODE_FLOPS = 8, NODE_OP = 9, NODE_TRACE = 10,
	NODE_ATTRS = 11, NODE_EXECS = 12, NODE_ID = 13, NODE_SRC_OUTPUT = 14,
	NODE_OUTPUT_SHAPES = 15, NODE_INPUT_SHAPES = 16,
};
enum {
	EXEC_RUNS = 1, EXEC_START = 2, EXEC_END = 3, EXEC_ACCELERATOR = 4, EXEC_CPU = 5,
	EXEC_DEVICES = 6, EXEC_MEMORY = 7, EXEC_ALLOCATIONS = 11,
};
enum { MEMORY_OUTPUT_MAP = 11 };

/* The source and target of reading. The first error ends a node. */
struct node_reading {
	struct profile_proto *proto;
	struct arena *mem;
	struct str scratch;
	struct err err;
};

/* Copies a list that was collected into the arena. */
#define kept(r, list) \
	((list).len ? memcpy(arena_alloc((r)->mem, (list).len * sizeof *(list).at), (list).at, \
	                     (list).len * sizeof *(list).at) : NULL)

static const char *text_of(struct node_reading *r, const struct field *field)
{
	struct name name;

	if (field->type != WIRE_BYTES || !wire_name(&r->proto->file, field->bytes, &r->scratch,
	                                            &name, &r->err))
		return "";
	return arena_copy(r->mem, name.text, name.len);
}

static bool next(struct node_reading *r, struct wire *wire, struct field *field)
{
	return !r->err.code && wire_next(wire, field, &r->err);
}

/* A map entry: a number as key, then a number or a message. */
struct entry {
	int64_t key, number;
	struct field text_key;   /* type WIRE_BYTES: the key is a text */
	struct span message;
};

static struct entry read_entry(struct node_reading *r, struct span span)
{
	struct entry entry = { .message = { span.off + span.len, 0 } };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, span);
	while (next(r, &wire, &field)) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			entry.key = (int64_t)field.number_value;
		else if (field.number == 1)
			entry.text_key = field;
		else if (field.number == 2 && field.type == WIRE_VARINT)
			entry.number = (int64_t)field.number_value;
		else if (field.number == 2 && field.type == WIRE_BYTES)
			entry.message = field.bytes;
	}
	return entry;
}

static const char *entry_key(struct node_reading *r, const struct entry *entry)
{
	return entry->text_key.type == WIRE_BYTES ? text_of(r, &entry->text_key) : "";
}

typedef VEC(int64_t) number_list;
typedef VEC(struct int_pair) pair_list;

static void add_numbers(struct node_reading *r, const struct field *field, number_list *out)
{
	uint64_t at = 0, value;

	while (!r->err.code && wire_value(&r->proto->file, field, WIRE_VARINT, &at, &value,
	                                  &r->err))
		vec_push(out, (int64_t)value);
}

static void add_pair(struct node_reading *r, const struct field *field, pair_list *out)
{
	struct entry entry = read_entry(r, field->bytes);

	vec_push(out, ((struct int_pair){ entry.key, entry.number }));
}

/* Tuple. */
static struct int_list read_tuple(struct node_reading *r, struct span span)
{
	number_list numbers = {0};
	struct int_list list;
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, span);
	while (next(r, &wire, &field))
		if (field.number == 1)
			add_numbers(r, &field, &numbers);
	list = (struct int_list){ kept(r, numbers), numbers.len };
	vec_release(&numbers);
	return list;
}

/* One step's execution. */

/* map<string, ExecTime> */
static struct exec_device read_exec_device(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);
	struct exec_device device = { .device = entry_key(r, &entry) };
	pair_list times = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, entry.message);
	while (next(r, &wire, &field)) {
		struct int_list tuple;

		if (field.number != 1 || field.type != WIRE_BYTES)
			continue;
		tuple = read_tuple(r, field.bytes);
		vec_push(&times, ((struct int_pair){ tuple.n > 0 ? tuple.at[0] : 0,
		                                     tuple.n > 1 ? tuple.at[1] : 0 }));
	}
	device.times = kept(r, times);
	device.n_times = times.len;
	vec_release(&times);
	return device;
}

static struct output_memory read_output_memory(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);
	struct output_memory memory = { .output = entry.key };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, entry.message);
	while (next(r, &wire, &field)) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			memory.bytes = (int64_t)field.number_value;
		else if (field.number == 2 && field.type == WIRE_VARINT)
			memory.ptr = field.number_value;
	}
	return memory;
}

static struct exec_memory read_exec_memory(struct node_reading *r, struct span span)
{
	struct exec_memory m = {0};
	int64_t *const to[] = {
		NULL, &m.memory_us, &m.host_temp, &m.host_persistent, &m.accelerator_temp,
		&m.accelerator_persistent, &m.requested, &m.peak, &m.residual, &m.output, &m.in_use,
	};
	VEC(struct output_memory) outputs = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, span);
	while (next(r, &wire, &field)) {
		if (field.number == MEMORY_OUTPUT_MAP && field.type == WIRE_BYTES)
			vec_push(&outputs, read_output_memory(r, field.bytes));
		else if (field.number < MEMORY_OUTPUT_MAP && field.type == WIRE_VARINT)
			*to[field.number] = (int64_t)field.number_value;
	}
	m.outputs = kept(r, outputs);
	m.n_outputs = outputs.len;
	vec_release(&outputs);
	return m;
}

static struct alloc_change read_change(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);       /* AllocationRecord has the same shape */

	return (struct alloc_change){ entry.key, entry.number };
}

struct exec_lists {
	VEC(struct exec_device) accelerator, cpu;
	VEC(const char *) devices;
	VEC(struct exec_memory) memory;
	VEC(struct alloc_change) allocations;
};

static void take_exec_field(struct node_reading *r, const struct field *field,
                            struct exec_profile *exec, struct exec_lists *lists)
{
	if (field->type == WIRE_VARINT) {
		int64_t value = (int64_t)field->number_value;

		switch (field->number) {
		case EXEC_RUNS: exec->run_count = value; break;
		case EXEC_START: exec->all_start_us = value; break;
		case EXEC_END: exec->latest_end_us = value; break;
		}
	} else if (field->type == WIRE_BYTES) {
		switch (field->number) {
		case EXEC_ACCELERATOR: vec_push(&lists->accelerator,
		                                read_exec_device(r, field->bytes)); break;
		case EXEC_CPU: vec_push(&lists->cpu, read_exec_device(r, field->bytes)); break;
		case EXEC_DEVICES: vec_push(&lists->devices, text_of(r, field)); break;
		case EXEC_MEMORY: vec_push(&lists->memory,
		                           read_exec_memory(r, field->bytes)); break;
		case EXEC_ALLOCATIONS: vec_push(&lists->allocations,
		                                read_change(r, field->bytes)); break;
		}
	}
}

static struct exec_profile read_exec(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);
	struct exec_profile exec = { .step = entry.key };
	struct exec_lists lists = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->proto->file, entry.message);
	while (next(r, &wire, &field))
		take_exec_field(r, &field, &exec, &lists);
	exec.accelerator = kept(r, lists.accelerator);
	exec.n_accelerator = lists.accelerator.len;
	exec.cpu = kept(r, lists.cpu);
	exec.n_cpu = lists.cpu.len;
	exec.devices = kept(r, lists.devices);
	exec.n_devices = lists.devices.len;
	exec.memory = kept(r, lists.memory);
	exec.n_memory = lists.memory.len;
	exec.allocations = kept(r, lists.allocations);
	exec.n_allocations = lists.allocations.len;
	vec_release(&lists.accelerator);
	vec_release(&lists.cpu);
	vec_release(&lists.devices);
	vec_release(&lists.memory);
	vec_release(&lists.allocations);
	return exec;
}

/* The node. */

struct node_lists {
	pair_list inputs, outputs, src_output_index;
	number_list shape;
	VEC(const char *) types;
	VEC(struct shape_entry) output_shapes, input_shapes;
	VEC(struct attr_span) attrs;
	VEC(struct exec_profile) execs;
};

static void take_node_number(const struct field *field, struct profile_node *node)
{
	if (field->number == NODE_FLOPS)
		node->float_ops = (int64_t)field->number_value;
	else if (field->number == NODE_ID)
		node->id = (int64_t)field->number_value;
}

static void take_node_text(struct node_reading *r, const struct field *field,
                           struct profile_node *node)
{
	switch (field->number) {
	case NODE_NAME: node->name = text_of(r, field); break;
	case NODE_CANONICAL: node->canonical_device = text_of(r, field); break;
	case NODE_HOST: node->host_device = text_of(r, field); break;
	case NODE_OP: node->op = text_of(r, field); break;
	}
}

static struct shape_entry read_shape_entry(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);

	return (struct shape_entry){ entry.key, read_tuple(r, entry.message) };
}

static struct attr_span read_attr(struct node_reading *r, struct span span)
{
	struct entry entry = read_entry(r, span);

	return (struct attr_span){ entry_key(r, &entry), entry.message };
}

static void take_node_list(struct node_reading *r, const struct field *field,
                           struct node_lists *lists)
{
	switch (field->number) {
	case NODE_INPUTS: add_pair(r, field, &lists->inputs); break;
	case NODE_OUTPUTS: add_pair(r, field, &lists->outputs); break;
	case NODE_SRC_OUTPUT: add_pair(r, field, &lists->src_output_index); break;
	case NODE_TYPES: vec_push(&lists->types, text_of(r, field)); break;
	case NODE_ATTRS: vec_push(&lists->attrs, read_attr(r, field->bytes)); break;
	case NODE_EXECS: vec_push(&lists->execs, read_exec(r, field->bytes)); break;
	case NODE_OUTPUT_SHAPES: vec_push(&lists->output_shapes,
	                                  read_shape_entry(r, field->bytes)); break;
	case NODE_INPUT_SHAPES: vec_push(&lists->input_shapes,
	                                 read_shape_entry(r, field->bytes)); break;
	}
}

static void keep_lists(struct node_reading *r, struct node_lists *lists, struct profile_node *node)
{
	node->inputs = kept(r, lists->inputs);
	node->n_inputs = lists->inputs.len;
	node->outputs = kept(r, lists->outputs);
	node->n_outputs = lists->outputs.len;
	node->src_output_index = kept(r, lists->src_output_index);
	node->n_src_output_index = lists->src_output_index.len;
	node->shape = (struct int_list){ kept(r, lists->shape), lists->shape.len };
	node->types = kept(r, lists->types);
	node->n_types = lists->types.len;
	node->output_shapes = kept(r, lists->output_shapes);
	node->n_output_shapes = lists->output_shapes.len;
	node->input_shapes = kept(r, lists->input_shapes);
	node->n_input_shapes = lists->input_shapes.len;
	node->attrs = kept(r, lists->attrs);
	node->n_attrs = lists->attrs.len;
	node->execs = kept(r, lists->execs);
	node->n_execs = lists->execs.len;
}

static void release_lists(struct node_lists *lists)
{
	vec_release(&lists->inputs);
	vec_release(&lists->outputs);
	vec_release(&lists->src_output_index);
	vec_release(&lists->shape);
	vec_release(&lists->types);
	vec_release(&lists->output_shapes);
	vec_release(&lists->input_shapes);
	vec_release(&lists->attrs);
	vec_release(&lists->execs);
}

static void read_trace(struct node_reading *r, const struct field *field, struct profile_node *node)
{
	struct code_frame *frames;

	node->has_trace = true;
	code_read(&r->proto->file, field->bytes, &r->proto->strings, r->mem, &frames,
	          &node->n_frames, &r->err);
	node->frames = frames;
}

bool profile_proto_node(struct profile_proto *proto, size_t i, struct arena *mem,
                        struct profile_node *node, struct err *err)
{
	struct node_reading r = { .proto = proto, .mem = mem };
	struct node_lists lists = {0};
	struct field field;
	struct wire wire;

	*node = (struct profile_node){ .name = "", .op = "", .canonical_device = "",
	                               .host_device = "" };
	wire_start(&wire, &proto->file, proto->nodes.at[i].at);
	while (next(&r, &wire, &field)) {
		if (field.number == NODE_SHAPE) {
			add_numbers(&r, &field, &lists.shape);
		} else if (field.type == WIRE_VARINT) {
			take_node_number(&field, node);
		} else if (field.type == WIRE_BYTES && field.number == NODE_TRACE) {
			read_trace(&r, &field, node);
		} else if (field.type == WIRE_BYTES) {
			take_node_text(&r, &field, node);
			take_node_list(&r, &field, &lists);
		}
	}
	keep_lists(&r, &lists, node);
	release_lists(&lists);
	str_release(&r.scratch);
	if (r.err.code && err)
		*err = r.err;
	return !r.err.code;
}

/* The file. */

static void note_damage(struct profile_proto *proto, struct err *found)
{
	if (!proto->damage.code)
		proto->damage = *found;
	found->code = ERR_NONE;
}

static void take_place(struct profile_proto *proto, const struct field *field)
{
	struct node_reading r = { .proto = proto };
	struct entry entry = read_entry(&r, field->bytes);

	if (r.err.code)
		note_damage(proto, &r.err);
	vec_push(&proto->nodes, ((struct profile_node_place){ entry.key, entry.message }));
}

static void take_proto_field(struct profile_proto *proto, const struct field *field,
                             struct err *found)
{
	uint64_t at = 0, value;

	if (field->number == PROTO_NODES && field->type == WIRE_BYTES)
		take_place(proto, field);
	else if (field->number == PROTO_STRINGS && field->type == WIRE_BYTES)
		id_strings_add(&proto->strings, &proto->file, field->bytes, &proto->mem, found);
	else if (field->number == PROTO_HAS_TRACE && field->type == WIRE_VARINT)
		proto->has_trace = field->number_value;
	else if (field->number == PROTO_MISS && field->type == WIRE_VARINT)
		proto->miss_accelerator_stream = field->number_value;
	else if (field->number == PROTO_STEPS)
		while (wire_value(&proto->file, field, WIRE_VARINT, &at, &value, found))
			vec_push(&proto->steps, (int64_t)value);
}

/* False after a cancel. */
static bool read_proto(struct profile_proto *proto, struct progress *progress)
{
	struct err found = {0};
	struct field field;
	struct wire wire;
	bool on = true;
	size_t n = 0;

	wire_start(&wire, &proto->file, (struct span){ 0, proto->file.size });
	while (on && wire_next(&wire, &field, &found)) {
		if (n++ % STEP_NODES == 0)
			on = progress_step(progress, field.key_off, proto->file.size);
		take_proto_field(proto, &field, &found);
		if (found.code)
			note_damage(proto, &found);
	}
	if (found.code)
		note_damage(proto, &found);
	id_strings_sort(&proto->strings);
	return on;
}

struct profile_proto *profile_proto_open(const char *path, struct progress *progress,
                                         struct err *err)
{
	struct profile_proto *proto = mem_alloc(sizeof *proto);
	bool on;

	proto->path = arena_copy(&proto->mem, path, strlen(path));
	proto->file.fd = -1;
	if (!file_open(&proto->file, proto->path, err)) {
		profile_proto_close(proto);
		return NULL;
	}
	on = read_proto(proto, progress);
	if (on && (proto->nodes.len || !proto->damage.code))
		return proto;
	if (!on)
		err_fill(err, ERR_CANCELLED, path, 0, "stopped");
	else if (err)
		*err = proto->damage;
	profile_proto_close(proto);
	return NULL;
}

void profile_proto_close(struct profile_proto *proto)
{
	if (!proto)
		return;
	if (proto->file.fd >= 0)
		file_close(&proto->file);
	vec_release(&proto->nodes);
	vec_release(&proto->steps);
	id_strings_release(&proto->strings);
	map_release(&proto->names);
	map_release(&proto->ops);
	vec_release(&proto->by_name);
	arena_release(&proto->mem);
	free(proto);
}

/* Names. */

static void index_node(struct profile_proto *proto, size_t at, struct str *scratch,
                       struct err *found)
{
	struct profile_name node = { .op = "" };
	struct name name = { "", 0 }, op = { "", 0 };
	struct span name_at = {0}, op_at = {0};
	bool is_made = true;             /* by tfprof */
	struct field field;
	struct wire wire;
	uint32_t id;

	wire_start(&wire, &proto->file, proto->nodes.at[at].at);
	while (wire_next(&wire, &field, found)) {
		if (field.type != WIRE_BYTES)
			continue;
		switch (field.number) {
		case NODE_NAME: name_at = field.bytes; break;
		case NODE_OP: op_at = field.bytes; break;
		case NODE_TRACE: node.code = field.bytes; is_made = false; break;
		case NODE_INPUTS:
		case NODE_ATTRS: is_made = false; break;
		}
	}
	if (found->code || !wire_name(&proto->file, op_at, scratch, &op, found))
		return;
	id = map_add(&proto->ops, &proto->mem, op.text, op.len);
	node.op = proto->ops.key[id];
	if (!wire_name(&proto->file, name_at, scratch, &name, found))
		return;
	if (is_made && strlen(node.op) == name.len && !memcmp(node.op, name.text, name.len))
		return;
	id = map_add(&proto->names, &proto->mem, name.text, name.len);
	if (id == proto->by_name.len)
		vec_push(&proto->by_name, node);
}

bool profile_proto_index(struct profile_proto *proto, struct progress *progress, struct err *err)
{
	struct str scratch = {0};
	bool on = true;

	for (size_t i = 0; on && i < proto->nodes.len; i++) {
		struct err found = {0};

		if (i % STEP_NODES == 0)
			on = progress_step(progress, i, proto->nodes.len);
		index_node(proto, i, &scratch, &found);
		if (found.code)
			note_damage(proto, &found);
	}
	str_release(&scratch);
	return on || err_at(err, ERR_CANCELLED, proto->path, 0, "stopped");
}

const struct profile_name *profile_proto_find(const struct profile_proto *proto, const char *name,
                                              size_t len)
{
	uint32_t id = map_find(&proto->names, name, len);

	return id == MAP_NONE ? NULL : &proto->by_name.at[id];
}

bool profile_proto_code(struct profile_proto *proto, const struct profile_name *name,
                        struct arena *mem, struct code_frame **frames, size_t *n, struct err *err)
{
	return code_read(&proto->file, name->code, &proto->strings, mem, frames, n, err);
}
