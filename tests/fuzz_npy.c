/* A numpy array: its header, and elements as far as it has them. */
#include "dump/arrays/npy.h"

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t behind = 0;
	struct err err = {0};
	struct value *value = npy_open(input_file(data, size), &behind, &err);
	char elem[16];

	MUST(!value == (err.code != ERR_NONE));
	if (!value)
		return 0;
	MUST(value->count * value->type->elem_bytes + behind < size);
	MUST(!value->count || value_read(value, value->count - 1, 1, elem, &err));
	value_close(value);
	return 0;
}
