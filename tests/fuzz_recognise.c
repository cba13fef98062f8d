/* What a file is, by its first bytes: any bytes have one kind, and always the same. */
#include <string.h>

#include "dump/files/recognise.h"
#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	enum file_kind kind, again;

	MUST(recognise(path, &kind, NULL));
	MUST(recognise(path, &again, NULL));
	MUST(kind == again);
	MUST(file_kind_name(kind));
	MUST((kind == FILE_GZIP || kind == FILE_TAR_GZIP || kind == FILE_TRACE_GZIP)
	     == (size >= 2 && data[0] == 0x1f && data[1] == 0x8b));
	if (kind == FILE_TRACE && memchr(data, ':', size))
		MUST(memmem(data, size, "\"traceEvents\"", 13) || memmem(data, size, "\"ph\"", 4));
	return 0;
}
