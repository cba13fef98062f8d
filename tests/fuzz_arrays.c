/* A file of arrays, as each format would read it. */
#include "tests/input.h"
#include "tests/read_arrays.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct err err;

	for (size_t i = 0; array_formats[i]; i++)
		read_arrays(array_formats[i], path, &err);
	return 0;
}
