/*
 * The limit for a summary of a tensor: reads a file in blocks, once, and counts the floats that are
 * not finite.
 *
 *   tool_scan FILE
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t block[1 << 18];

static uint32_t count_odd(size_t n)
{
	uint32_t odd = 0;

	for (size_t i = 0; i < n; i++)
		odd += (block[i] & 0x7fffffff) >= 0x7f800000;
	return odd;
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	uint64_t odd = 0, at = 0;
	ssize_t n;

	if (fd < 0) {
		fprintf(stderr, "usage: tool_scan FILE\n");
		return 2;
	}
	while ((n = pread(fd, block, sizeof block, (off_t)at)) > 0) {
		odd += count_odd((size_t)n / sizeof *block);
		at += (uint64_t)n;
	}
	close(fd);
	printf("%llu of %llu bytes\n", (unsigned long long)odd, (unsigned long long)at);
	return n < 0;
}
