/* A file of torch.save: all its tensors, and the ends of each that has a value. */
#include "dump/arrays/torch_array.h"

#include <string.h>

#include "tests/input.h"

static void read_ends(struct array *array, const char *path)
{
	struct err err = {0};
	struct value *value;
	char elem[16];

	array->file = path;
	value = array_value(array, &err);
	MUST(!value == (err.code != ERR_NONE));
	if (value && value->count) {
		value_read(value, 0, 1, elem, &err);
		value_read(value, value->count - 1, 1, elem, &err);
	}
	value_close(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	struct err err = {0};

	if (array_torch.list(path, &list, &err))
		for (size_t i = 0; i < list.at.len && i < 8; i++) {
			MUST(list.at.at[i]->type_name);
			if (!list.at.at[i]->why)
				read_ends(list.at.at[i], path);
		}
	else
		MUST(err.code != ERR_NONE && *err.msg);
	array_list_release(&list);
	arena_release(&mem);
	return 0;
}
