/* A numpy array: its head, and elements as far as it has them. */
#include "dump/arrays/npy.h"

#include "tests/input.h"
#include "tests/read_arrays.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err;

	MUST(read_arrays(&array_npy, input_file(data, size), &err) == (err.code ? 0 : 1));
	return 0;
}
