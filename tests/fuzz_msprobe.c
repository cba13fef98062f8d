/* The list of a dump of msprobe. */
#include "dump/arrays/msprobe.h"

#include <string.h>

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	struct err err = {0};
	bool ok = array_msprobe.list(path, &list, &err);

	MUST(ok == (err.code == ERR_NONE));
	for (size_t i = 0; ok && i < list.at.len; i++) {
		const struct array *array = &list.at.at[i];
		const char *file = array->file ? strstr(array->file, "/dump_tensor_data/") : NULL;

		MUST(array->rank <= SHAPE_MAX_RANK && array->type_name);
		MUST(!file || !strchr(file + strlen("/dump_tensor_data/"), '/'));
	}
	array_list_release(&list);
	arena_release(&mem);
	return 0;
}
