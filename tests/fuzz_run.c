/*
 * A dump directory made from lines "KIND PATH": d a directory, f an empty file, t a tensor, g a
 * graph, p a fifo, l a link to its own directory. Each name is also read by itself.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/path.h"
#include "dump/model/run.h"
#include "dump/readers.h"
#include "dump/v1/v1_name.h"
#include "tests/input.h"

#define LINES_MAX 24
#define DEPTH_MAX 8

/* An Event with a float32 of one element; an Event with a graph of "a", and "b" that takes a. */
static const char tensor[] =
	"\x2a\x12\x0a\x10\x42\x0e\x08\x01\x12\x04\x12\x02\x08\x01\x22\x04\0\0\x80\x7f";
static const char graph[] =
	"\x22\x10\x0a\x03\x0a\x01" "a" "\x0a\x09\x0a\x01" "b" "\x12\x01X" "\x1a\x01" "a";

static void read_name(const char *path)
{
	const char *name = path_name(path);
	struct v1_name parts;
	struct str text = {0};

	if (v1_tensor_name(name, &parts))
		MUST(parts.leaf_len < strlen(name) && parts.debug_op > name && parts.time_us >= 0);
	if (v1_begins(name, V1_DEVICE)) {
		v1_device_of_dir(name, &text);
		str_reset(&text);
	}
	v1_dir_of_device(name, &text);
	v1_stamp(name);
	MUST(v1_run_order(name, name) == 0);
	MUST((v1_run_order(name, "run_1_2") > 0) == (v1_run_order("run_1_2", name) < 0));
	str_release(&text);
}

/* Makes the directories above and takes the way out of the dump away. */
static void make_parents(int root, char *path)
{
	int depth = 0;

	for (char *c = path; *c; c++)
		if (c[0] == '.' && c[1] == '.')
			c[0] = c[1] = '_';
	for (char *c = path; *c; c++) {
		if (*c != '/')
			continue;
		if (++depth > DEPTH_MAX) {
			*c = '_';
			continue;
		}
		*c = '\0';
		mkdirat(root, path, 0700);
		*c = '/';
	}
}

static void put_file(int root, const char *path, const char *bytes, size_t len)
{
	int fd = openat(root, path,
	                O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	MUST(write(fd, bytes, len) == (ssize_t)len);
	close(fd);
}

/* A name that is taken or too long gives no link. */
static bool put_link(int root, const char *path)
{
	return symlinkat(".", root, path) == 0;
}

static void make_entry(int root, const char *line)
{
	char *path = mem_copy(line + 2, strnlen(line + 2, PATH_MAX));
	char *start = path + strspn(path, "/");

	make_parents(root, start);
	if (line[0] == 'd')
		mkdirat(root, start, 0700);
	else if (line[0] == 't')
		put_file(root, start, tensor, sizeof tensor - 1);
	else if (line[0] == 'g')
		put_file(root, start, graph, sizeof graph - 1);
	else if (line[0] == 'p')
		mkfifoat(root, start, 0600);
	else if (line[0] == 'l')
		put_link(root, start);
	else
		put_file(root, start, "", 0);
	free(path);
}

static void examine(struct run *run)
{
	struct problem *problems;
	struct arena mem = {0};
	struct str file = {0};
	size_t n;

	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		MUST(t->device < run->devices.len && t->debug_op < run->debug_ops.len);
		MUST(t->node_id < run->nodes.len && t->node == run->nodes.key[t->node_id]);
		MUST(run_node_tensors(run, t->node_id, &n) && n);
		str_reset(&file);
		run_tensor_file(run, t, &file);
		value_close(run_value(run, t, NULL));
	}
	run_check(run, false, NULL, &mem, &problems, &n, NULL);
	run_check(run, true, NULL, &mem, &problems, &n, NULL);
	arena_release(&mem);
	str_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *dir = input_dir();
	int root = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct err err = {0};
	struct run *run;

	for (int i = 0; size && i < LINES_MAX; i++) {
		char *line = input_line(&data, &size);

		if (line[0] && line[1]) {
			read_name(line + 2);
			make_entry(root, line);
		}
		free(line);
	}
	close(root);
	run = run_open(dir, &err);
	MUST(run || err.code);
	if (run && run_load(run, NULL, &err))
		examine(run);
	run_close(run);
	return 0;
}
