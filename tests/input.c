#include "tests/input.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "tests/program.h"

#define MEMORY "/dev/shm"

static char *dir;
static int before = -1;         /* where input_enter came from */

const char *input_file(const uint8_t *data, size_t size)
{
	static char path[40];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", MFD_CLOEXEC);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		setenv("TMPDIR", access(MEMORY, W_OK) == 0 ? MEMORY : "/tmp", 0);
	}
	MUST(fd >= 0 && ftruncate(fd, 0) == 0);
	MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

/* Removes what is in it, and closes it. */
static void empty(int fd)
{
	DIR *list = fdopendir(fd);
	struct dirent *found;

	MUST(list);
	while ((found = readdir(list))) {
		const char *name = found->d_name;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		if (found->d_type == DT_DIR)
			empty(openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
		MUST(unlinkat(fd, name, found->d_type == DT_DIR ? AT_REMOVEDIR : 0) == 0);
	}
	closedir(list);
}

static void remove_dir(void)
{
	scratch_remove(dir);
}

const char *input_dir(void)
{
	if (dir) {
		empty(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
		return dir;
	}
	dir = access(MEMORY, W_OK) == 0 ? scratch_in(MEMORY) : scratch_new();
	atexit(remove_dir);
	MUST(setenv("HOME", dir, 1) == 0 && setenv("XDG_CONFIG_HOME", dir, 1) == 0);
	return dir;
}

void input_put(const char *name, const void *data, size_t size)
{
	struct str path = {0};
	int fd;

	str_fmt(&path, "%s/%s", dir, name);
	fd = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	str_release(&path);
}

void input_enter(void)
{
	if (before < 0)
		before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	MUST(before >= 0 && chdir(input_dir()) == 0);
}

void input_leave(void)
{
	MUST(fchdir(before) == 0);
}

bool input_piece(const uint8_t **data, size_t *size, const char *between, const uint8_t **piece,
                 size_t *len)
{
	const uint8_t *end = *size ? memmem(*data, *size, between, strlen(between)) : NULL;
	size_t past;

	*piece = *data;
	*len = end ? (size_t)(end - *data) : *size;
	past = *len + (end ? strlen(between) : 0);
	if (!past)
		return false;
	*data += past;
	*size -= past;
	return true;
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
