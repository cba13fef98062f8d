/*
 * HloProto: one pass over the module notes where its parts lie, one over each computation where its
 * instructions do and what they are called, for ids stand for names. Computations and instructions
 * then come in the order in which text has them: of instructions the schedule says it.
 */
#include "dump/hlo/hlo_proto.h"

#include <stdlib.h>
#include <string.h>

#include "dump/hlo/hlo.h"

enum { STEP_INSTRUCTIONS = 1024 /* between two looks at progress */ };

/* Fields of the messages around HloInstructionProto. */
enum { PROTO_MODULE = 1 };
enum {
	MODULE_NAME = 1, MODULE_ENTRY_NAME = 2, MODULE_COMPUTATIONS = 3, MODULE_ENTRY_ID = 6,
	MODULE_SCHEDULE = 7, MODULE_FRAMES = 17,
};
enum { SCHEDULE_SEQUENCE = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2, SEQUENCE_IDS = 1 };
enum {
	COMPUTATION_NAME = 1, COMPUTATION_INSTRUCTIONS = 2, COMPUTATION_ID = 5,
	COMPUTATION_ROOT = 6,
};
enum { FRAMES_FILES = 1, FRAMES_FUNCTIONS = 2, FRAMES_LOCATIONS = 3, FRAMES_FRAMES = 4 };
enum { LOCATION_FILE = 1, LOCATION_FUNCTION = 2, LOCATION_LINE = 3 };
enum { FRAME_LOCATION = 1, FRAME_PARENT = 2 };

void proto_note_found(struct proto_reading *r)
{
	if (r->damage && !r->damage->code)
		*r->damage = r->found;
	module_build_damaged(r->build);
	r->found.code = ERR_NONE;
}

static int by_id(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void sort(known_list *list)
{
	if (list->len)
		qsort(list->at, list->len, sizeof *list->at, by_id);
}

const struct known *proto_find(const known_list *list, uint64_t id)
{
	size_t low = 0, high = list->len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->len && list->at[low].id == id ? &list->at[low] : NULL;
}

void proto_take_text(struct proto_reading *r, const struct field *field, struct str *out)
{
	struct name name;

	str_reset(out);
	if (field->type == WIRE_BYTES
	    && wire_name(&r->file, field->bytes, &r->scratch, &name, &r->found))
		str_put(out, name.text, name.len);
}

const char *proto_keep_text(struct proto_reading *r, const struct field *field, struct arena *mem)
{
	proto_take_text(r, field, &r->kind);
	return arena_copy(mem, str_text(&r->kind), r->kind.len);
}

/* Computations. */

static bool is_entry(const struct proto_reading *r, const struct head *head)
{
	return r->entry.len ? !strcmp(r->entry.text, head->name) : head->id == r->entry_id;
}

static void note_instruction(struct proto_reading *r, uint32_t computation,
                             const struct field *field)
{
	struct known known = { .name = "", .span = field->bytes, .order = r->instructions.len };
	struct field inner;
	struct wire wire;

	(void)computation;
	wire_start(&wire, &r->file, field->bytes);
	while (wire_next(&wire, &inner, &r->found))
		if (inner.number == INSTRUCTION_NAME)
			known.name = proto_keep_text(r, &inner, &r->names);
		else if (inner.number == INSTRUCTION_ID)
			known.id = inner.number_value;
	if (r->found.code)
		proto_note_found(r);
	else
		vec_push(&r->instructions, known);
}

/* Its name and ids, without its instructions. */
static struct head read_head(struct proto_reading *r, struct span span)
{
	struct head head = { .name = "", .span = span };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		switch (field.number) {
		case COMPUTATION_NAME: head.name = proto_keep_text(r, &field, &r->mem); break;
		case COMPUTATION_ID: head.id = field.number_value; break;
		case COMPUTATION_ROOT: head.root = field.number_value; break;
		}
	if (r->found.code)
		proto_note_found(r);
	return head;
}

/* Calls take for each instruction of a computation; false after a cancel. */
static bool each_instruction(struct proto_reading *r, uint32_t computation,
                             void (*take)(struct proto_reading *r, uint32_t computation,
                                          const struct field *instruction))
{
	struct field field;
	struct wire wire;
	size_t n = 0;
	bool on = true;

	wire_start(&wire, &r->file, r->computation.at[computation].span);
	while (on && wire_next(&wire, &field, &r->found)) {
		if (field.number != COMPUTATION_INSTRUCTIONS || field.type != WIRE_BYTES)
			continue;
		if (n++ % STEP_INSTRUCTIONS == 0)
			on = progress_step(r->progress, field.key_off, r->file.size);
		take(r, computation, &field);
		r->found.code = ERR_NONE;
	}
	r->found.code = ERR_NONE;
	return on;
}

/* Those of the schedule, then whatever it does not have, as the file has them. */
static void put_in_order(struct proto_reading *r, const struct known *sequence)
{
	size_t n = r->instructions.len;
	bool *taken = mem_alloc(n + 1);
	size_t *in_file = mem_alloc((n + 1) * sizeof *in_file);
	struct field field;
	struct wire wire;

	r->order.len = 0;
	wire_start(&wire, &r->file, sequence ? sequence->span : (struct span){0});
	while (sequence && wire_next(&wire, &field, &r->found)) {
		uint64_t id, at = 0;

		while (field.number == SEQUENCE_IDS
		       && wire_value(&r->file, &field, WIRE_VARINT, &at, &id, &r->found)) {
			const struct known *known = proto_find(&r->instructions, id);
			size_t i = known ? (size_t)(known - r->instructions.at) : n;

			if (i < n && !taken[i])
				vec_push(&r->order, i);
			taken[i] = true;
		}
	}
	for (size_t i = 0; i < n; i++)
		in_file[r->instructions.at[i].order] = i;
	for (size_t i = 0; i < n; i++)
		if (!taken[in_file[i]])
			vec_push(&r->order, in_file[i]);
	free(taken);
	free(in_file);
	if (r->found.code)
		proto_note_found(r);
}

/* False after a cancel. */
static bool build_computation(struct proto_reading *r, uint32_t computation)
{
	const struct head *head = &r->computation.at[computation];
	bool on;

	r->instructions.len = 0;
	on = each_instruction(r, computation, note_instruction);
	sort(&r->instructions);
	put_in_order(r, proto_find(&r->sequences, head->id));
	module_build_computation(r->build, text_of_name(head->name), is_entry(r, head));
	for (size_t i = 0; on && i < r->order.len; i++) {
		if (i % STEP_INSTRUCTIONS == 0)
			on = progress_step(r->progress, head->span.off, r->file.size);
		proto_build_instruction(r, &r->instructions.at[r->order.at[i]], head->root);
	}
	arena_release(&r->names);
	return on;
}

/* The order of computations. */

static void note_calls(struct proto_reading *r, uint32_t computation,
                       const struct field *instruction)
{
	size_t first = r->calls.len;
	uint64_t id = 0, value;
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, instruction->bytes);
	while (wire_next(&wire, &field, &r->found)) {
		uint64_t at = 0;

		if (field.number == INSTRUCTION_ID)
			id = field.number_value;
		while (field.number == INSTRUCTION_CALLED
		       && wire_value(&r->file, &field, WIRE_VARINT, &at, &value, &r->found)) {
			const struct known *known = proto_find(&r->computations, value);

			if (known)
				vec_push(&r->calls, ((struct hlo_call){
					.from = computation, .to = (uint32_t)known->order,
					.place = (uint32_t)(r->calls.len - first) }));
		}
	}
	for (size_t i = first; i < r->calls.len; i++)
		r->calls.at[i].instruction = id;
}

/* False after a cancel. */
static bool build_all(struct proto_reading *r)
{
	uint32_t n = (uint32_t)r->computation.len, entry = 0;
	uint32_t *order = mem_alloc((r->computation.len + 1) * sizeof *order);
	bool on = true;

	for (uint32_t i = 0; on && i < n; i++)
		on = each_instruction(r, i, note_calls);
	while (entry < n && !is_entry(r, &r->computation.at[entry]))
		entry++;
	hlo_order(&r->calls, n, entry, order);
	for (uint32_t i = 0; on && i < n; i++)
		on = build_computation(r, order[i]);
	free(order);
	return on;
}

/* The stack. */

/* Up to three numbers of a message, by field number from 1. */
static void read_numbers(struct proto_reading *r, struct span span, uint64_t number[4])
{
	struct field field;
	struct wire wire;

	memset(number, 0, 4 * sizeof *number);
	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		if (field.number < 4 && field.type == WIRE_VARINT)
			number[field.number] = field.number_value;
}

static void read_frames(struct proto_reading *r)
{
	uint64_t n[FRAMES_FRAMES + 1] = {0}, number[4];
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, r->frames);
	while (!r->found.code && wire_next(&wire, &field, &r->found)) {
		if (field.number > FRAMES_FRAMES || field.type != WIRE_BYTES)
			continue;
		n[field.number]++;
		switch (field.number) {
		case FRAMES_FILES:
		case FRAMES_FUNCTIONS:
			proto_take_text(r, &field, &r->kind);
			module_build_text(r->build, field.number == FRAMES_FILES ? MODULE_FILES
			                                                         : MODULE_FUNCTIONS,
			                  n[field.number], text_of(&r->kind));
			break;
		case FRAMES_LOCATIONS:
			read_numbers(r, field.bytes, number);
			module_build_location(r->build, n[field.number], number[LOCATION_FILE],
			                      number[LOCATION_FUNCTION], number[LOCATION_LINE]);
			break;
		case FRAMES_FRAMES:
			read_numbers(r, field.bytes, number);
			module_build_frame(r->build, n[field.number], number[FRAME_LOCATION],
			                   number[FRAME_PARENT]);
			break;
		}
	}
	if (r->found.code)
		proto_note_found(r);
}

/* The module. */

static void note_sequence(struct proto_reading *r, struct span span)
{
	struct known known = { .order = r->sequences.len };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		if (field.number == ENTRY_KEY)
			known.id = field.number_value;
		else if (field.number == ENTRY_VALUE)
			known.span = field.bytes;
	vec_push(&r->sequences, known);
}

static void note_schedule(struct proto_reading *r, struct span span)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, &r->found))
		if (field.number == SCHEDULE_SEQUENCE && field.type == WIRE_BYTES)
			note_sequence(r, field.bytes);
}

static void note_part(struct proto_reading *r, const struct field *field)
{
	switch (field->number) {
	case MODULE_NAME:
		proto_take_text(r, field, &r->kind);
		module_build_name(r->build, text_of(&r->kind));
		break;
	case MODULE_ENTRY_NAME: proto_take_text(r, field, &r->entry); break;
	case MODULE_ENTRY_ID: r->entry_id = field->number_value; break;
	case MODULE_COMPUTATIONS:
		if (field->type == WIRE_BYTES)
			vec_push(&r->computation, ((struct head){ .span = field->bytes }));
		break;
	case MODULE_SCHEDULE: note_schedule(r, field->bytes); break;
	case MODULE_FRAMES: r->frames = field->bytes; break;
	}
}

static void note_parts(struct proto_reading *r, struct span module)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, module);
	while (wire_next(&wire, &field, &r->found)) {
		note_part(r, &field);
		if (r->found.code)
			proto_note_found(r);
	}
	if (r->found.code)
		proto_note_found(r);
	sort(&r->sequences);
	for (size_t i = 0; i < r->computation.len; i++) {
		struct head *head = &r->computation.at[i];

		*head = read_head(r, head->span);
		vec_push(&r->computations, ((struct known){ .id = head->id, .name = head->name,
		                                            .order = i }));
	}
	sort(&r->computations);
}

/* False after a cancel. */
static bool read_module(struct proto_reading *r, struct span proto)
{
	struct span module = {0};
	struct field field;
	struct wire wire;
	bool is_bare = false;    /* a module, with nothing around it */

	wire_start(&wire, &r->file, proto);
	while (wire.off < r->file.size && wire_next(&wire, &field, &r->found)) {
		if (field.number == PROTO_MODULE && field.type == WIRE_BYTES && !is_bare)
			module = field.bytes;
		is_bare |= field.number == MODULE_ENTRY_NAME;
	}
	if (is_bare)
		module = (struct span){ proto.off, wire.off - proto.off };
	if (r->found.code)
		proto_note_found(r);
	note_parts(r, module);
	if (!build_all(r))
		return false;
	read_frames(r);
	return true;
}

static void release(struct proto_reading *r)
{
	str_release(&r->scratch);
	str_release(&r->shape);
	str_release(&r->op_type);
	str_release(&r->op_name);
	str_release(&r->source);
	str_release(&r->kind);
	str_release(&r->entry);
	vec_release(&r->computations);
	vec_release(&r->computation);
	vec_release(&r->calls);
	vec_release(&r->sequences);
	vec_release(&r->instructions);
	vec_release(&r->order);
	arena_release(&r->names);
	arena_release(&r->mem);
	file_close(&r->file);
}

struct graph *hlo_proto_open(const char *path, struct span proto, struct progress *progress,
                             struct err *damage, struct err *err)
{
	struct err own = {0};
	struct proto_reading r = { .progress = progress, .damage = damage ? damage : &own };
	struct graph *graph = NULL;

	if (!file_open(&r.file, path, err))
		return NULL;
	r.build = module_build_new(&r.file, hlo_proto_attrs);
	if (progress)
		atomic_store(&progress->what, "bytes of the module");
	if (!read_module(&r, proto))
		err_fill(err, ERR_CANCELLED, path, 0, "stopped");
	else if (module_build_len(r.build))
		graph = module_build_end(r.build);
	else if (!r.damage->code)
		err_fill(err, ERR_FORMAT, path, proto.off, "no instruction in it");
	else if (err)
		*err = *r.damage;
	if (!graph)
		module_build_drop(r.build);
	release(&r);
	return graph;
}
