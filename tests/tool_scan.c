/*
 * The limit for what has to read whole files: reads each in blocks, once, and counts the floats
 * that are not finite, or adds up the CRC-32C of its bytes.
 *
 *   tool_scan [--crc32c] FILE...
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/format/crc32c.h"

static uint32_t block[1 << 18];

static uint32_t count_odd(size_t n)
{
	uint32_t odd = 0;

	for (size_t i = 0; i < n; i++)
		odd += (block[i] & 0x7fffffff) >= 0x7f800000;
	return odd;
}

/* What was found in the file, which is not there, or can't be read: -1. */
static int64_t scan(const char *path, int crc, uint64_t *bytes)
{
	int fd = open(path, O_RDONLY);
	int64_t found = 0;
	off_t at = 0;
	ssize_t n = -1;

	while (fd >= 0 && (n = pread(fd, block, sizeof block, at)) > 0) {
		if (crc)
			found = crc32c((uint32_t)found, block, (size_t)n);
		else
			found += count_odd((size_t)n / sizeof *block);
		at += n;
	}
	*bytes += (uint64_t)at;
	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : found;
}

int main(int argc, char **argv)
{
	int crc = argc > 1 && !strcmp(argv[1], "--crc32c");
	uint64_t bytes = 0;
	int64_t all = 0;

	if (argc < 2 + crc) {
		fprintf(stderr, "usage: tool_scan [--crc32c] FILE...\n");
		return 2;
	}
	for (int i = 1 + crc; i < argc; i++) {
		int64_t found = scan(argv[i], crc, &bytes);

		if (found < 0)
			return 1;
		all += found;
	}
	printf("%lld in %llu bytes\n", (long long)all, (unsigned long long)bytes);
	return 0;
}
