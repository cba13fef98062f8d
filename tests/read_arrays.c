#include "tests/read_arrays.h"

#include "tests/input.h"

static void read_element(struct value *value, uint64_t i)
{
	struct err err = {0};
	char elem[16];
	const char *text;
	size_t len;
	bool ok = value->type->elem_bytes ? value_read(value, i, 1, elem, &err)
	                                  : value_string(value, i, &text, &len, &err);

	MUST(ok == (err.code == ERR_NONE));
}

static void read_value(struct array *array, const char *path)
{
	struct err err = {0};
	struct value *value;

	if (!array->file)
		array->file = path;
	value = array->format->value ? array->format->value(array, &err)
	                             : array_value(array, &err);
	MUST(!value == (err.code != ERR_NONE));
	if (value && value->state == VALUE_ARRAY && value->count) {
		read_element(value, 0);
		read_element(value, value->count - 1);
	}
	value_close(value);
}

size_t read_arrays(const struct array_format *format, const char *path, struct err *err)
{
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	bool ok;
	size_t n;

	*err = (struct err){0};
	ok = format->list(path, &list, err);
	MUST(ok == (err->code == ERR_NONE) && (ok || *err->msg));
	n = list.at.len;
	for (size_t i = 0; ok && i < n; i++) {
		struct array *array = list.at.at[i];

		array->format = format;
		MUST(array->rank <= SHAPE_MAX_RANK);
		if (!array->why && !array->not_stored)
			read_value(array, path);
	}
	array_list_release(&list);
	arena_release(&mem);
	return n;
}
