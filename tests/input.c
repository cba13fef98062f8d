#include "tests/input.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/vec.h"
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

static void empty(int fd);

/* Removes what is in it, unless that is to stay. */
static void empty_of(DIR *list, bool (*stays)(const char *name))
{
	struct dirent *found;
	int fd = dirfd(list);

	while ((found = readdir(list))) {
		const char *name = found->d_name;

		if (!strcmp(name, ".") || !strcmp(name, "..") || (stays && stays(name)))
			continue;
		if (found->d_type == DT_DIR)
			empty(openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
		MUST(unlinkat(fd, name, found->d_type == DT_DIR ? AT_REMOVEDIR : 0) == 0);
	}
}

/* Removes all that is in it, and closes it. */
static void empty(int fd)
{
	DIR *list = fdopendir(fd);

	MUST(list);
	empty_of(list, NULL);
	closedir(list);
}

/* A file that input_put has put. It stays open: the next run only writes what differs. */
struct put {
	char *name;
	int fd;                  /* -1: it isn't there now */
	struct str bytes;
};
static VEC(struct put) files;
static DIR *top;

static void forget(struct put *put)
{
	if (put->fd >= 0)
		close(put->fd);
	put->fd = -1;
	str_reset(&put->bytes);
}

static void remove_dir(void)
{
	for (size_t i = 0; i < files.len; i++) {
		forget(&files.at[i]);
		free(files.at[i].name);
		str_release(&files.at[i].bytes);
	}
	vec_release(&files);
	closedir(top);
	scratch_remove(dir);
}

static void make_dir(void)
{
	dir = access(MEMORY, W_OK) == 0 ? scratch_in(MEMORY) : scratch_new();
	top = opendir(dir);
	MUST(top);
	atexit(remove_dir);
	MUST(setenv("HOME", dir, 1) == 0 && setenv("XDG_CONFIG_HOME", dir, 1) == 0);
}

const char *input_dir(void)
{
	if (!dir)
		make_dir();
	else
		empty(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	for (size_t i = 0; i < files.len; i++)
		forget(&files.at[i]);
	return dir;
}

static struct put *put_of(const char *name)
{
	for (size_t i = 0; i < files.len; i++)
		if (!strcmp(files.at[i].name, name))
			return &files.at[i];
	vec_push(&files, ((struct put){ mem_copy(name, strlen(name)), -1, {0} }));
	return vec_last(&files);
}

void input_put(const char *name, const void *data, size_t size)
{
	struct put *put = put_of(name);

	if (put->fd < 0 && data)
		put->fd = openat(dirfd(top), name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (!data) {
		MUST(put->fd < 0 || unlinkat(dirfd(top), name, 0) == 0);
		forget(put);
		return;
	}
	MUST(put->fd >= 0);
	if (put->bytes.len == size && !memcmp(str_text(&put->bytes), data, size))
		return;
	MUST(pwrite(put->fd, data, size, 0) == (ssize_t)size);
	MUST(put->bytes.len <= size || ftruncate(put->fd, (off_t)size) == 0);
	str_reset(&put->bytes);
	str_put(&put->bytes, data, size);
}

/* Is this where a file was put, or a directory above one? */
static bool is_put(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < files.len; i++)
		if (!strncmp(files.at[i].name, name, len) &&
		    (files.at[i].name[len] == '/' || !files.at[i].name[len]))
			return true;
	return false;
}

void input_enter(void)
{
	if (before < 0)
		before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!dir)
		make_dir();
	rewinddir(top);
	empty_of(top, is_put);
	MUST(before >= 0 && chdir(dir) == 0);
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

bool input_differs(const uint8_t *data, size_t size)
{
	static struct str last;
	static bool any;
	bool same = any && last.len == size && !memcmp(str_text(&last), data, size);

	any = true;
	if (!same) {
		str_reset(&last);
		str_put(&last, (const char *)data, size);
	}
	return !same;
}

/* libFuzzer's; fuzz_main.c has none. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

size_t input_mutate(uint8_t *data, size_t size, size_t max, unsigned seed, size_t n)
{
	if (!n || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max);
	data[seed / 8 % n] = (uint8_t)(seed / 16);
	return size;
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
