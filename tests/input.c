#include "tests/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/base/mem.h"

const char *input_file(const uint8_t *data, size_t size)
{
	static char path[40];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	MUST(fd >= 0 && ftruncate(fd, 0) == 0);
	MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

char *input_text(const uint8_t *data, size_t size)
{
	return mem_copy((const char *)data, size ? strnlen((const char *)data, size) : 0);
}

char *input_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = *size ? memchr(*data, '\n', *size) : NULL;
	size_t len = end ? (size_t)(end - *data) : *size;
	char *line = input_text(*data, len);

	len += end != NULL;
	*data += len;
	*size -= len;
	return line;
}

_Noreturn void must_failed(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}
