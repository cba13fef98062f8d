#include "dump/arrays/checkpoint_array.h"

#include <inttypes.h>
#include <string.h>

#include "dump/arrays/checkpoint.h"
#include "dump/arrays/checkpoint_names.h"
#include "dump/arrays/checkpoint_sum.h"
#include "dump/arrays/checkpoint_value.h"
#include "dump/base/path.h"

#define INDEX ".index"
#define DATA ".data-"

/* What a value needs besides its array. */
struct own {
	struct checkpoint_tensor tensor;
	const char *prefix;
	uint32_t n_shards;
	bool big_endian;
};

static bool is_named(const char *name)
{
	return text_ends(name, INDEX);
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_CHECKPOINT || kind == FILE_CHECKPOINT_V1;
}

/* "m.ckpt-1" of "m.ckpt-1.index", and of "m.ckpt-1.data-00000-of-00001"; else the path. */
static const char *prefix_of(const char *path, struct arena *mem)
{
	size_t len = strlen(path);

	if (text_ends(path, INDEX))
		return arena_copy(mem, path, len - strlen(INDEX));
	for (const char *at = path_name(path), *found; (found = strstr(at, DATA)); at = found + 1)
		if (!strchr(found + 1, '.'))
			return arena_copy(mem, path, (size_t)(found - path));
	return path;
}

/* The table: of a shard that of its checkpoint, as it is the same. */
static const char *table_of(const char *path, const char *prefix, struct arena *mem)
{
	struct str table = {0};
	const char *copy;

	str_fmt(&table, "%s" INDEX, prefix);
	copy = prefix == path ? path : arena_copy(mem, table.text, table.len);
	str_release(&table);
	return copy;
}

static const char *shard_path(const struct own *own, struct arena *mem)
{
	struct str path = {0};
	const char *copy;

	put_shard_path(&path, own->prefix, own->tensor.shard, own->n_shards);
	copy = arena_copy(mem, path.text, path.len);
	str_release(&path);
	return copy;
}

static const char *device_of(const struct own *own, struct arena *mem)
{
	struct str name = {0};
	const char *copy;

	if (own->n_shards < 2)
		return NULL;
	str_fmt(&name, "shard-%05" PRIu32 "-of-%05" PRIu32, own->tensor.shard, own->n_shards);
	copy = arena_copy(mem, name.text, name.len);
	str_release(&name);
	return copy;
}

static void put_tensor(const struct checkpoint *checkpoint, const struct checkpoint_tensor *t,
                       const char *prefix, struct array_list *out)
{
	struct own *own = arena_alloc(out->mem, sizeof *own);
	struct shape shape = { .rank = t->rank };
	struct array *array;

	memcpy(shape.dim, t->dim, t->rank * sizeof *shape.dim);
	*own = (struct own){ *t, prefix, checkpoint->n_shards, checkpoint->big_endian };
	array = array_add(out, t->name);
	array_set_shape(out, array, &shape);
	array->full_name = t->full_name;
	array->dtype = t->type ? t->type->dtype : DTYPE_INVALID;
	array->size_bytes = t->size_bytes;
	array->device = device_of(own, out->mem);
	array->why = t->why;
	array->file = shard_path(own, out->mem);
	array->off = t->off;
	array->len = t->size_bytes;
	array->big_endian = checkpoint->big_endian;
	array->own = own;
}

/* Without them, if they can't be read. False after a cancel. */
static bool read_names(const char *prefix, struct checkpoint *checkpoint, struct array_list *out,
                       struct err *err)
{
	struct err own = {0};

	if (checkpoint_read_names(prefix, checkpoint, out->progress, &own))
		return true;
	if (own.code == ERR_CANCELLED) {
		*err = own;
		return false;
	}
	array_warn(out, problem_of_err(&own), NULL, own.off,
	           "the names that the program has for its variables: %s", own.msg);
	return true;
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	const char *prefix = prefix_of(path, out->mem);
	struct checkpoint checkpoint = {0};
	struct file file;
	bool ok;

	if (!file_open(&file, table_of(path, prefix, out->mem), err))
		return false;
	ok = checkpoint_open(&checkpoint, &file, out->progress, err)
	     && read_names(prefix, &checkpoint, out, err);
	for (size_t i = 0; ok && i < checkpoint.tensors.len; i++)
		put_tensor(&checkpoint, &checkpoint.tensors.at[i], prefix, out);
	/* What the tensors point to stays. */
	arena_join(out->mem, &checkpoint.mem);
	checkpoint_release(&checkpoint);
	file_close(&file);
	return ok;
}

static struct value *value(const struct array *array, struct err *err)
{
	const struct own *own = array->own;
	struct shape shape = array_shape(array);

	if (own->tensor.part)
		return checkpoint_parts(own->prefix, own->n_shards, own->big_endian, &own->tensor,
		                        err);
	if (array->dtype == DTYPE_STRING)
		return checkpoint_texts(array->file, array->off, array->len, &shape, err);
	return array_value(array, err);
}

static bool is_sound(const struct array *array)
{
	const struct own *own = array->own;

	return checkpoint_is_sound(own->prefix, own->n_shards, &own->tensor);
}

const struct array_format array_checkpoint = {
	.op = "checkpoint",
	.looks_for = "*.index",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
	.is_sound = is_sound,
	.value = value,
	.bare_step = '-',
};
