/*
 * A record is read again from its place in the file into lists that are kept between calls, so
 * reading all records soon allocates nothing more. Lists may move while they grow: until the record
 * is read, what points into them holds an index; then all become pointers.
 */
#include "dump/profile/run_metadata.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

enum { EXEC_MEMORY = 6, EXEC_OUTPUT = 7, EXEC_LABEL = 8, EXEC_STATS = 12 };
enum {
	MEMORY_NAME = 1, MEMORY_TOTAL = 2, MEMORY_PEAK = 3, MEMORY_LIVE = 4, MEMORY_IN_USE = 5,
	MEMORY_RECORDS = 6
};
enum { ALLOC_US = 1, ALLOC_BYTES = 2 };
enum { OUTPUT_SLOT = 1, OUTPUT_DESCRIPTION = 3 };
enum { TENSOR_DTYPE = 1, TENSOR_SHAPE = 2, TENSOR_ALLOCATION = 4 };
enum { SHAPE_DIM = 2, SHAPE_UNKNOWN = 3, DIM_SIZE = 1 };
enum { STATS_TEMP = 1, STATS_PERSISTENT = 3 };

struct detail_store {
	struct str label, scratch;
	unsigned want;
	struct map allocators;           /* one copy of each name */
	const char *allocator;           /* the last one: the next record often has it too */
	struct arena mem;
	VEC(struct allocator_use) memory;
	VEC(struct allocation_record) changes;
	VEC(struct node_output) outputs;
	VEC(int64_t) dims;
};

void run_metadata_close(struct detail_reader *reader)
{
	struct detail_store *store = reader->store;

	if (!store)
		return;
	str_release(&store->label);
	str_release(&store->scratch);
	map_release(&store->allocators);
	arena_release(&store->mem);
	vec_release(&store->memory);
	vec_release(&store->changes);
	vec_release(&store->outputs);
	vec_release(&store->dims);
	free(store);
	reader->store = NULL;
}

static bool allocator_name(struct detail_reader *r, struct span span, const char **out,
                           struct err *err)
{
	struct detail_store *store = r->store;
	struct name name;
	uint32_t id;

	if (!wire_name(&r->file, span, &store->scratch, &name, err))
		return false;
	if (strlen(store->allocator) != name.len || memcmp(store->allocator, name.text, name.len)) {
		id = map_add(&store->allocators, &store->mem, name.text, name.len);
		store->allocator = store->allocators.key[id];
	}
	*out = store->allocator;
	return true;
}

static bool read_change(struct detail_reader *r, struct span span, struct err *err)
{
	struct allocation_record change = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == ALLOC_US && field.type == WIRE_VARINT)
			change.alloc_us = (int64_t)field.number_value;
		else if (field.number == ALLOC_BYTES && field.type == WIRE_VARINT)
			change.bytes = (int64_t)field.number_value;
	}
	vec_push(&r->store->changes, change);
	return !err->code;
}

static void take_memory_number(struct allocator_use *use, const struct field *field)
{
	int64_t *const to[] = {
		[MEMORY_TOTAL] = &use->total,
		[MEMORY_PEAK] = &use->peak,
		[MEMORY_LIVE] = &use->live,
		[MEMORY_IN_USE] = &use->in_use,
	};

	if (field->type == WIRE_VARINT && field->number >= MEMORY_TOTAL &&
	    field->number <= MEMORY_IN_USE)
		*to[field->number] = (int64_t)field->number_value;
}

/* use->records is NULL and n_records counts until the end. */
static bool read_memory(struct detail_reader *r, struct span span, struct err *err)
{
	struct allocator_use use = { .allocator = "" };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.number == MEMORY_NAME && field.type == WIRE_BYTES) {
			allocator_name(r, field.bytes, &use.allocator, err);
		} else if (field.number == MEMORY_RECORDS && field.type == WIRE_BYTES) {
			if (!(r->store->want & DETAIL_CHANGES))
				continue;
			read_change(r, field.bytes, err);
			use.n_records++;
		} else {
			take_memory_number(&use, &field);
		}
	}
	vec_push(&r->store->memory, use);
	return !err->code;
}

static bool read_allocation(struct detail_reader *r, struct span span, struct allocation *out,
                            struct err *err)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.number == 3 && field.type == WIRE_BYTES)
			allocator_name(r, field.bytes, &out->allocator, err);
		if (field.type != WIRE_VARINT)
			continue;
		switch (field.number) {
		case 1: out->requested = (int64_t)field.number_value; break;
		case 2: out->allocated = (int64_t)field.number_value; break;
		case 4: out->id = (int64_t)field.number_value; break;
		case 5: out->single_reference = field.number_value; break;
		case 6: out->ptr = field.number_value; break;
		}
	}
	return !err->code;
}

static bool read_dim(struct detail_reader *r, struct span span, struct node_output *out,
                     struct err *err)
{
	struct field field;
	struct wire wire;
	int64_t size = 0;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, err))
		if (field.number == DIM_SIZE && field.type == WIRE_VARINT)
			size = (int64_t)field.number_value;
	vec_push(&r->store->dims, size);
	out->rank++;
	return !err->code;
}

static bool read_shape(struct detail_reader *r, struct span span, struct node_output *out,
                       struct err *err)
{
	struct field field;
	struct wire wire;

	out->has_shape = true;
	wire_start(&wire, &r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.number == SHAPE_DIM && field.type == WIRE_BYTES)
			read_dim(r, field.bytes, out, err);
		else if (field.number == SHAPE_UNKNOWN && field.type == WIRE_VARINT)
			out->unknown_rank = field.number_value;
	}
	return !err->code;
}

static bool read_description(struct detail_reader *r, struct span span, struct node_output *out,
                             struct err *err)
{
	struct field field;
	struct wire wire;

	out->has_description = true;
	wire_start(&wire, &r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.number == TENSOR_DTYPE && field.type == WIRE_VARINT) {
			out->dtype = (int32_t)field.number_value;
		} else if (field.number == TENSOR_SHAPE && field.type == WIRE_BYTES) {
			if (r->store->want & DETAIL_SHAPES)
				read_shape(r, field.bytes, out, err);
		} else if (field.number == TENSOR_ALLOCATION && field.type == WIRE_BYTES) {
			out->has_allocation = true;
			read_allocation(r, field.bytes, &out->allocation, err);
		}
	}
	return !err->code;
}

static bool read_output(struct detail_reader *r, struct span span, struct err *err)
{
	struct node_output out = { .allocation.allocator = "" };
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (!err->code && wire_next(&wire, &field, err)) {
		if (field.number == OUTPUT_SLOT && field.type == WIRE_VARINT)
			out.slot = (int32_t)field.number_value;
		else if (field.number == OUTPUT_DESCRIPTION && field.type == WIRE_BYTES)
			read_description(r, field.bytes, &out, err);
	}
	vec_push(&r->store->outputs, out);
	return !err->code;
}

static bool read_stats(struct detail_reader *r, struct span span, struct err *err)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &r->file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.number == STATS_TEMP && field.type == WIRE_VARINT)
			r->detail.temp = (int64_t)field.number_value;
		else if (field.number == STATS_PERSISTENT && field.type == WIRE_VARINT)
			r->detail.persistent = (int64_t)field.number_value;
	}
	return !err->code;
}

static bool read_label(struct detail_reader *r, struct span span, struct err *err)
{
	struct detail_store *store = r->store;
	struct name name;

	if (!wire_name(&r->file, span, &store->scratch, &name, err))
		return false;
	str_reset(&store->label);
	str_put(&store->label, name.text, name.len);
	return true;
}

static void read_message(struct detail_reader *r, const struct field *field, unsigned want,
                         struct err *err)
{
	if (field->number == EXEC_MEMORY && want & DETAIL_MEMORY)
		read_memory(r, field->bytes, err);
	else if (field->number == EXEC_STATS && want & DETAIL_MEMORY)
		read_stats(r, field->bytes, err);
	else if (field->number == EXEC_OUTPUT && want & DETAIL_OUTPUTS)
		read_output(r, field->bytes, err);
	else if (field->number == EXEC_LABEL && want & DETAIL_LABEL)
		read_label(r, field->bytes, err);
}

static void forget_detail(struct detail_reader *reader)
{
	struct detail_store *store = reader->store;

	if (!store) {
		store = reader->store = mem_alloc(sizeof *store);
		*store = (struct detail_store){ .allocator = "" };
	}
	reader->detail = (struct record_detail){0};
	str_reset(&store->label);
	store->memory.len = store->changes.len = store->outputs.len = store->dims.len = 0;
}

/* All lists have stopped moving. */
static void point(struct detail_reader *reader)
{
	struct record_detail *d = &reader->detail;
	struct detail_store *store = reader->store;
	size_t change = 0, dim = 0;

	for (size_t i = 0; i < store->memory.len; i++) {
		store->memory.at[i].records = store->changes.at ? store->changes.at + change : NULL;
		change += store->memory.at[i].n_records;
	}
	for (size_t i = 0; i < store->outputs.len; i++) {
		store->outputs.at[i].dims = store->dims.at ? store->dims.at + dim : NULL;
		dim += store->outputs.at[i].rank;
	}
	d->label = str_text(&store->label);
	d->label_len = store->label.len;
	d->memory = store->memory.at;
	d->n_memory = store->memory.len;
	d->outputs = store->outputs.at;
	d->n_outputs = store->outputs.len;
}

bool run_metadata_detail(struct detail_reader *reader, const struct record *record, unsigned want,
                         struct err *err)
{
	struct field field;
	struct wire wire;

	forget_detail(reader);
	reader->store->want = want;
	wire_start(&wire, &reader->file, (struct span){ record->off, record->len });
	while (!err->code && wire_next(&wire, &field, err))
		if (field.type == WIRE_BYTES)
			read_message(reader, &field, want, err);
	point(reader);
	return !err->code;
}
