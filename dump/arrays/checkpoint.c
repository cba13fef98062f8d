/*
 * The table's first entry, of the empty key, says how many shards there are; then come the parts of
 * tensors, whose keys begin with NUL, and then the tensors. A part is found by its key, which is
 * made of the tensor's name and the part's place as the writer makes it.
 */
#include "dump/arrays/checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/arrays/slice_key.h"
#include "dump/base/path.h"
#include "dump/base/utf8.h"
#include "dump/model/value.h"

#define VARIABLE "/.ATTRIBUTES/VARIABLE_VALUE"
#define OBJECT_GRAPH "_CHECKPOINTABLE_OBJECT_GRAPH"

enum { VERSION_READ = 1, DIMS_MOST = 254, PARTS_MOST = 10000, ENTRIES_BETWEEN = 256 };

/* BundleEntryProto. */
struct entry {
	uint64_t dtype, shard, off, size, sum;
	int64_t dim[SHAPE_MAX_RANK];
	uint32_t rank;
	bool too_many_dims;
	VEC(struct span) slices;
};

/* The entry of a part, by its key. */
struct stored_part {
	struct text key;
	struct checkpoint_part part;
};

struct opening {
	struct checkpoint *checkpoint;
	struct file *file;
	VEC(struct stored_part) stored;  /* keys rise */
	struct err *err;
};

static bool is_damaged(const struct opening *o, uint64_t off, const char *what)
{
	return err_at(o->err, ERR_FORMAT, o->file->path, off, "a damaged checkpoint: %s", what);
}

/* A message in memory as a file, whose offsets are those of the table's file. */
static struct file message_file(const struct opening *o, const struct sstable_entry *entry)
{
	return (struct file){
		.path = o->file->path, .fd = -1, .size = entry->off + entry->len,
		.window = (unsigned char *)(uintptr_t)entry->value, .off = entry->off,
		.len = entry->len, .cap = entry->len,
	};
}

/* The header. */

static bool read_version(struct opening *o, struct file *file, struct span span)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, o->err))
		if (field.number == 2 && field.type == WIRE_VARINT
		    && field.number_value > VERSION_READ)
			return err_at(o->err, ERR_UNSUPPORTED, file->path, field.key_off,
			              "a checkpoint of version %" PRIu64 ", which is not known.",
			              field.number_value);
	return !o->err->code;
}

static bool read_header(struct opening *o, const struct sstable_entry *entry)
{
	struct file file = message_file(o, entry);
	uint64_t shards = 1, endianness = 0;
	struct field field;
	struct wire wire;

	wire_start(&wire, &file, (struct span){ entry->off, entry->len });
	while (wire_next(&wire, &field, o->err)) {
		if (field.number == 1 && field.type == WIRE_BYTES)
			return err_at(o->err, ERR_UNSUPPORTED, file.path, 0,
			              "a V1 checkpoint; not supported.");
		if (field.number == 1 && field.type == WIRE_VARINT)
			shards = field.number_value;
		else if (field.number == 2 && field.type == WIRE_VARINT)
			endianness = field.number_value;
		else if (field.number == 3 && field.type == WIRE_BYTES
		         && !read_version(o, &file, field.bytes))
			return false;
	}
	if (o->err->code)
		return false;
	if (!shards || shards > INT32_MAX || endianness > 1)
		return is_damaged(o, entry->off, "a header that can't be");
	o->checkpoint->n_shards = (uint32_t)shards;
	o->checkpoint->big_endian = endianness == 1;
	return true;
}

/* Entries. */

/* TensorShapeProto: the size of each dimension. */
static bool read_shape(struct opening *o, struct file *file, struct span span, struct entry *e)
{
	struct field field, inner;
	struct wire wire, dim;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, o->err)) {
		int64_t size = 0;

		if (field.number != 2 || field.type != WIRE_BYTES)
			continue;
		wire_start(&dim, file, field.bytes);
		while (wire_next(&dim, &inner, o->err))
			if (inner.number == 1 && inner.type == WIRE_VARINT)
				size = (int64_t)inner.number_value;
		if (e->rank == SHAPE_MAX_RANK)
			e->too_many_dims = true;
		else
			e->dim[e->rank++] = size;
	}
	return !o->err->code;
}

static bool read_entry(struct opening *o, struct file *file, struct span span, struct entry *e)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, o->err)) {
		if (field.type == WIRE_BYTES && field.number == 2) {
			if (!read_shape(o, file, field.bytes, e))
				return false;
		} else if (field.type == WIRE_BYTES && field.number == 7) {
			if (e->slices.len == PARTS_MOST)
				return is_damaged(o, span.off, "a tensor of too many parts");
			vec_push(&e->slices, field.bytes);
		} else if (field.type == WIRE_FIXED32 && field.number == 6) {
			e->sum = field.number_value;
		} else if (field.type == WIRE_VARINT && field.number >= 1 && field.number <= 5) {
			*(field.number == 1   ? &e->dtype
			  : field.number == 3 ? &e->shard
			  : field.number == 4 ? &e->off
			                      : &e->size) = field.number_value;
		}
	}
	if (o->err->code)
		return false;
	if (e->shard >= o->checkpoint->n_shards)
		return is_damaged(o, span.off, "an entry in a shard that there is not");
	return true;
}

/* TensorSliceProto: start and length of each axis; without a length it is the whole axis. */
static bool read_slice(struct opening *o, struct file *file, struct span span,
                       const struct entry *e, int64_t *start, int64_t *length)
{
	struct field field, inner;
	struct wire wire, extent;
	uint32_t k = 0;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, o->err)) {
		if (field.number != 1 || field.type != WIRE_BYTES)
			continue;
		if (k == e->rank)
			return is_damaged(o, span.off, "a part of another rank than its tensor");
		start[k] = 0;
		length[k] = SLICE_WHOLE;
		wire_start(&extent, file, field.bytes);
		while (wire_next(&extent, &inner, o->err))
			if (inner.type == WIRE_VARINT && inner.number <= 2)
				*(inner.number == 1 ? &start[k] : &length[k]) =
					(int64_t)inner.number_value;
		k++;
	}
	if (o->err->code)
		return false;
	return k == e->rank
	       || is_damaged(o, span.off, "a part of another rank than its tensor");
}

static int key_order(const void *a, const void *b)
{
	const struct text *x = a, *y = &((const struct stored_part *)b)->key;
	size_t both = x->len < y->len ? x->len : y->len;
	int order = both ? memcmp(x->at, y->at, both) : 0;

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

/* The length that a slice has of an axis. False: it reaches beyond it. */
static bool settle(const struct entry *e, int64_t *start, int64_t *length)
{
	for (uint32_t k = 0; k < e->rank; k++) {
		if (length[k] == SLICE_WHOLE)
			length[k] = e->dim[k] - start[k];
		if (start[k] < 0 || length[k] < 0 || start[k] > e->dim[k]
		    || length[k] > e->dim[k] - start[k])
			return false;
	}
	return true;
}

/* One part of a tensor: its place by the list of slices, its bytes by the key made of that. */
static bool add_part(struct opening *o, struct file *file, struct span span, struct text name,
                     const struct entry *e, struct checkpoint_part *part, const char **why)
{
	int64_t *start = arena_alloc(&o->checkpoint->mem, (2 * e->rank + 1) * sizeof *start);
	int64_t *length = start + e->rank;
	const struct stored_part *stored;
	struct str key = {0};
	struct text sought;

	if (!read_slice(o, file, span, e, start, length))
		return false;
	put_slice_key(&key, name, e->rank, start, length);
	sought = (struct text){ key.text, key.len };
	stored = o->stored.len ? bsearch(&sought, o->stored.at, o->stored.len,
	                                 sizeof *o->stored.at, key_order)
	                       : NULL;
	str_release(&key);
	if (!stored)
		*why = "A part of it is missing from the checkpoint.";
	else
		*part = stored->part;
	if (!settle(e, start, length))
		*why = "A part of it lies outside.";
	part->start = start;
	part->length = length;
	return true;
}

static bool add_parts(struct opening *o, struct file *file, struct text name,
                      const struct entry *e, struct checkpoint_tensor *t)
{
	struct checkpoint_part *part = arena_alloc(&o->checkpoint->mem,
	                                           e->slices.len * sizeof *part);

	for (size_t i = 0; i < e->slices.len; i++) {
		if (!add_part(o, file, e->slices.at[i], name, e, &part[i], &t->why))
			return false;
		if (__builtin_add_overflow(t->size_bytes, part[i].size_bytes, &t->size_bytes)
		    || t->size_bytes > INT64_MAX) {
			t->size_bytes = 0;
			t->why = "Impossible shape.";
		}
	}
	t->part = part;
	t->n_parts = (uint32_t)e->slices.len;
	return true;
}

/* Do the bytes of each part suffice for its elements? */
static bool parts_fit(const struct checkpoint_tensor *t)
{
	for (uint32_t i = 0; i < t->n_parts; i++) {
		uint64_t bytes = t->type->elem_bytes;

		for (uint32_t k = 0; k < t->rank; k++)
			if (__builtin_mul_overflow(bytes, (uint64_t)t->part[i].length[k], &bytes))
				return false;
		if (bytes != t->part[i].size_bytes)
			return false;
	}
	return true;
}

/* Whether there may be a value; NULL: there may. */
static const char *check(const struct checkpoint_tensor *t, const struct entry *e,
                         struct arena *mem)
{
	struct shape shape = { .rank = e->rank };
	uint64_t count, need;

	memcpy(shape.dim, e->dim, e->rank * sizeof *e->dim);
	if (e->too_many_dims)
		return "More than 32 dimensions.";
	if (!shape_count(&shape, &count))
		return "Impossible shape.";
	if (!t->type)
		return arena_fmt(mem, "Type %llu is not one of TensorFlow's.",
		                 (unsigned long long)t->dtype);
	if (t->type->kind == KIND_STRING)
		return t->part ? "Texts in several parts are not read." : NULL;
	if (t->type->kind == KIND_OPAQUE)
		return "A handle of the program that saved it, no array.";
	if (__builtin_mul_overflow(count, t->type->elem_bytes, &need) || need != t->size_bytes
	    || !parts_fit(t))
		return "Its bytes are not as many as its elements need.";
	return NULL;
}

size_t checkpoint_name_len(const char *key, size_t len)
{
	size_t end = strlen(VARIABLE);

	return len > end && !memcmp(key + len - end, VARIABLE, end) ? len - end : len;
}

/* A name of the table, as one here: no NUL, and not what every variable's key ends in. */
static const char *name_of(struct opening *o, struct text key)
{
	struct str name = {0};
	const char *copy;

	key.len = checkpoint_name_len(key.at, key.len);
	for (size_t i = 0; i < key.len; i++)
		if (key.at[i])
			str_putc(&name, key.at[i]);
		else
			str_puts(&name, UTF8_NUL);
	copy = arena_copy(&o->checkpoint->mem, str_text(&name), name.len);
	str_release(&name);
	return copy;
}

static struct checkpoint_tensor tensor_of(const struct entry *e)
{
	return (struct checkpoint_tensor){
		.dtype = e->dtype, .type = dtype_on_wire(e->dtype), .rank = e->rank,
		.shard = (uint32_t)e->shard, .off = e->off, .size_bytes = e->size,
		.sum = (uint32_t)e->sum,
	};
}

static bool add_tensor(struct opening *o, struct file *file, struct text key,
                       const struct entry *e)
{
	struct checkpoint_tensor t = tensor_of(e);
	int64_t *dim = arena_alloc(&o->checkpoint->mem, (e->rank + 1) * sizeof *dim);

	memcpy(dim, e->dim, e->rank * sizeof *dim);
	t.dim = dim;
	t.name = name_of(o, key);
	if (e->slices.len && !add_parts(o, file, key, e, &t))
		return false;
	if (!t.why)
		t.why = check(&t, e, &o->checkpoint->mem);
	vec_push(&o->checkpoint->tensors, t);
	return true;
}

static void keep_part(struct opening *o, struct text key, const struct entry *e)
{
	struct arena *mem = &o->checkpoint->mem;

	vec_push(&o->stored, ((struct stored_part){
		.key = { arena_copy(mem, key.at, key.len), key.len },
		.part = { .shard = (uint32_t)e->shard, .off = e->off, .size_bytes = e->size,
		          .sum = (uint32_t)e->sum },
	}));
}

static bool do_entry(struct opening *o, const struct sstable_entry *entry)
{
	struct file file = message_file(o, entry);
	struct text key = { entry->key, entry->key_len };
	struct entry e = {0};
	bool ok;

	ok = read_entry(o, &file, (struct span){ entry->off, entry->len }, &e);
	if (ok && key.len == strlen(OBJECT_GRAPH) && !memcmp(key.at, OBJECT_GRAPH, key.len)) {
		o->checkpoint->objects = tensor_of(&e);
		o->checkpoint->has_objects = true;
	} else if (ok && key.len && !key.at[0])
		keep_part(o, key, &e);
	else if (ok)
		ok = add_tensor(o, &file, key, &e);
	vec_release(&e.slices);
	return ok;
}

static bool do_entries(struct opening *o, struct sstable *table, struct progress *progress)
{
	struct sstable_entry entry;
	bool any = sstable_next(table, &entry, o->err);

	if (!any || entry.key_len)
		return !o->err->code && is_damaged(o, 0, "a table without a header");
	if (!read_header(o, &entry))
		return false;
	for (size_t n = 0; sstable_next(table, &entry, o->err); n++) {
		if (n % ENTRIES_BETWEEN == 0 && !progress_step(progress, entry.off, o->file->size))
			return err_at(o->err, ERR_CANCELLED, o->file->path, 0, "stopped");
		if (!do_entry(o, &entry))
			return false;
	}
	return !o->err->code;
}

bool checkpoint_open(struct checkpoint *checkpoint, struct file *file, struct progress *progress,
                     struct err *err)
{
	struct sstable table = {0};
	struct err own = {0};
	struct opening o = { .checkpoint = checkpoint, .file = file, .err = err ? err : &own };
	bool ok = sstable_open(&table, file, o.err) && do_entries(&o, &table, progress);

	sstable_release(&table);
	vec_release(&o.stored);
	return ok;
}

void checkpoint_release(struct checkpoint *checkpoint)
{
	vec_release(&checkpoint->tensors);
	arena_release(&checkpoint->mem);
	*checkpoint = (struct checkpoint){0};
}
