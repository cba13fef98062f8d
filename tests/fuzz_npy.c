/* A numpy array: its head, and elements as far as it has them. */
#include "dump/arrays/npy.h"

#include "tests/input.h"

static void read_last(struct value *value)
{
	struct err err = {0};
	char elem[16];
	const char *text;
	size_t len;

	if (!value->count)
		return;
	if (value->type->elem_bytes)
		MUST(value_read(value, value->count - 1, 1, elem, &err));
	else
		MUST(value_string(value, value->count - 1, &text, &len, &err));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	struct err err = {0};
	struct value *value;
	bool ok = array_npy.list(path, &list, &err);

	MUST(ok == (err.code == ERR_NONE));
	for (size_t i = 0; i < list.at.len; i++) {
		list.at.at[i].file = path;
		MUST(list.at.at[i].size_bytes <= size);
		value = array_value(&list.at.at[i], &err);
		MUST(value);
		read_last(value);
		value_close(value);
	}
	array_list_release(&list);
	arena_release(&mem);
	return 0;
}
