#include "dump/arrays/array.h"

#include <stdarg.h>
#include <string.h>

enum dtype array_raw_type = DTYPE_INVALID;

struct array *array_add(struct array_list *list, const char *name)
{
	static const int64_t no_dim[1];
	struct array *array = arena_alloc(list->mem, sizeof *array);

	array->name = name;
	array->dim = no_dim;
	vec_push(&list->at, array);
	return array;
}

void array_set_shape(struct array_list *list, struct array *array, const struct shape *shape)
{
	int64_t *dim = arena_alloc(list->mem, (shape->rank + 1) * sizeof *dim);

	memcpy(dim, shape->dim, shape->rank * sizeof *dim);
	array->rank = shape->rank;
	array->dim = dim;
}

void array_warn(struct array_list *list, enum problem_kind kind, const char *file, uint64_t off,
                const char *fmt, ...)
{
	struct problem *problem = vec_add(&list->problems);
	struct str text = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	*problem = (struct problem){
		.file = file ? arena_copy(list->mem, file, strlen(file)) : NULL,
		.text = arena_copy(list->mem, str_text(&text), text.len),
		.off = off, .kind = kind, .whole = !off,
		.unread = kind != PROBLEM_STRANGER,
	};
	str_release(&text);
}

void array_unread(struct array_list *list, struct array *array, const char *part,
                  const struct err *why)
{
	array->why = arena_fmt(list->mem, "%s%s%s", part, why->msg, *part ? "." : "");
	if (why->code == ERR_IO)
		array_warn(list, PROBLEM_UNREADABLE, NULL, why->off, "%s%s", part, why->msg);
}

bool array_goes_on(struct array_list *list, const char *path, uint64_t done, uint64_t total,
                   struct err *err)
{
	return progress_step(list->progress, done, total)
	       || err_at(err, ERR_CANCELLED, path, 0, "stopped");
}

void array_add_fact(struct array_list *list, const struct run_fact *fact)
{
	vec_push(&list->facts, ((struct run_fact){
		fact->kind, arena_copy(list->mem, fact->key, strlen(fact->key)),
		arena_copy(list->mem, fact->text, strlen(fact->text)), fact->is_text,
	}));
}

void array_list_release(struct array_list *list)
{
	vec_release(&list->at);
	vec_release(&list->problems);
	vec_release(&list->facts);
}

bool array_bytes(const struct shape *shape, uint64_t elem_bytes, uint64_t *bytes)
{
	uint64_t count;

	return shape_count(shape, &count) && !__builtin_mul_overflow(count, elem_bytes, bytes)
	       && *bytes <= INT64_MAX;
}

struct shape array_shape(const struct array *array)
{
	struct shape shape = { .rank = array->rank };

	memcpy(shape.dim, array->dim, array->rank * sizeof *shape.dim);
	return shape;
}

bool array_input(const struct array *array, struct input *input, struct err *err)
{
	if (array->unpacked)
		return input_of_packed(input, array->file, array->off, array->len,
		                       array->unpacked, err);
	return input_of_file(input, array->file, array->off, array->len, err);
}

/* Elements one behind the other in the file itself: their places can be told. */
static bool is_plain(const struct array *array)
{
	return !array->unpacked && !array->stride && array->dtype != DTYPE_STRING;
}

struct value *array_value(const struct array *array, struct err *err)
{
	struct shape shape = array_shape(array);
	struct value_layout layout = {
		.dtype = array->dtype, .big_endian = array->big_endian, .off = array->skip,
		.stride = array->stride, .text = array->text, .text_bytes = array->text_bytes,
	};
	struct input input;

	if (is_plain(array))
		return value_open_raw(array->file, array->off + array->skip,
		                      array->len - array->skip, array->dtype,
		                      array->big_endian, &shape, err);
	if (!array_input(array, &input, err))
		return NULL;
	return value_open_input(&input, &shape, &layout, err);
}
