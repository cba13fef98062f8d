/*
 * Writes files of arrays of any size, for measurements. The same options give the same bytes.
 *
 *   tool_gen_arrays safetensors FILE     [OPTION]...
 *   tool_gen_arrays checkpoint  PREFIX   [OPTION]...
 *   tool_gen_arrays npy         DIR      [OPTION]...
 *
 *   --tensors=N  so many float32 tensors (10)
 *   --bytes=N    of each; without --seed they are zeros that take no room on the disk
 *   --seed=N     they are random numbers: another seed gives the same ones, a little changed
 *   --columns=N  their shape has a second dimension of N
 *   --fortran    of npy files: the first index is the fastest
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/format/crc32c.h"
#include "tests/message.h"
#include "tests/small_table.h"

enum { FLOATS_AT_ONCE = 64 * 1024, NAMES_PER_BLOCK = 200, NPY_HEAD = 128 };

struct plan {
	const char *out;
	uint64_t tensors, bytes, seed, columns;
	bool filled, fortran;
};

static void die(const char *what)
{
	fprintf(stderr, "tool_gen_arrays: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void put_name(struct str *out, uint64_t i)
{
	str_fmt(out, "model/block_%03llu/layer_%06llu/kernel", (unsigned long long)(i / 100),
	        (unsigned long long)i);
}

/* Its dimensions, of which the second may be missing. */
static uint64_t rows_of(const struct plan *plan)
{
	return plan->bytes / sizeof(float) / (plan->columns ? plan->columns : 1);
}

static uint64_t bytes_of(const struct plan *plan)
{
	return rows_of(plan) * (plan->columns ? plan->columns : 1) * sizeof(float);
}

/* Files. */

static int create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0)
		die(path);
	return fd;
}

static void write_all(int fd, const void *bytes, size_t len)
{
	const char *from = bytes;

	while (len) {
		ssize_t n = write(fd, from, len);

		if (n <= 0)
			die("writing");
		from += n;
		len -= (size_t)n;
	}
}

/* Numbers between -1 and 1; the seed counts in the last bits only. */
static void fill(const struct plan *plan, uint64_t tensor, uint64_t first, float *out, size_t n)
{
	uint64_t state = (tensor + 1) * 0x9e3779b97f4a7c15 + first;

	for (size_t i = 0; i < n; i++) {
		state = state * 6364136223846793005 + 1442695040888963407;
		out[i] = (float)((double)(int64_t)state * 0x1p-63
		                 + (double)(plan->seed + i % 7) * 1e-5);
	}
}

/* Its checksum, masked. Zeros are not written. */
static uint32_t write_tensor(const struct plan *plan, int fd, uint64_t tensor)
{
	static float floats[FLOATS_AT_ONCE];
	uint64_t left = bytes_of(plan) / sizeof *floats;
	uint32_t crc = 0;

	for (uint64_t first = 0; left; ) {
		size_t n = left < FLOATS_AT_ONCE ? (size_t)left : FLOATS_AT_ONCE;

		if (plan->filled) {
			fill(plan, tensor, first, floats, n);
			write_all(fd, floats, n * sizeof *floats);
		}
		crc = crc32c(crc, (const unsigned char *)floats, n * sizeof *floats);
		first += n;
		left -= n;
	}
	return crc32c_masked(crc);
}

/* What was not written are zeros. */
static void finish(int fd, uint64_t size)
{
	if (ftruncate(fd, (off_t)size) < 0 || close(fd) < 0)
		die("writing");
}

/* Kinds. */

static void safetensors(const struct plan *plan)
{
	struct str head = {0}, len = {0};
	uint64_t bytes = bytes_of(plan);
	int fd = create(plan->out);

	str_putc(&head, '{');
	for (uint64_t i = 0; i < plan->tensors; i++) {
		str_puts(&head, i ? ",\"" : "\"");
		put_name(&head, i);
		str_fmt(&head, "\":{\"dtype\":\"F32\",\"shape\":[%llu",
		        (unsigned long long)rows_of(plan));
		if (plan->columns)
			str_fmt(&head, ",%llu", (unsigned long long)plan->columns);
		str_fmt(&head, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)(i * bytes),
		        (unsigned long long)((i + 1) * bytes));
	}
	str_putc(&head, '}');
	str_fill(&head, ' ', (8 - head.len % 8) % 8);
	put_fixed(&len, head.len, 8);
	write_all(fd, len.text, len.len);
	write_all(fd, head.text, head.len);
	for (uint64_t i = 0; plan->filled && i < plan->tensors; i++)
		write_tensor(plan, fd, i);
	finish(fd, len.len + head.len + plan->tensors * bytes);
	str_release(&head);
	str_release(&len);
}

static void put_dim(struct str *shape, uint64_t size)
{
	struct str dim = {0};

	put_number(&dim, 1, size);
	put_message(shape, 2, &dim);
	str_release(&dim);
}

/* BundleEntryProto. */
static void put_entry(const struct plan *plan, uint64_t i, uint32_t crc, struct str *out)
{
	struct str shape = {0};

	put_dim(&shape, rows_of(plan));
	if (plan->columns)
		put_dim(&shape, plan->columns);
	put_number(out, 1, 1);
	put_message(out, 2, &shape);
	put_number(out, 4, i * bytes_of(plan));
	put_number(out, 5, bytes_of(plan));
	str_putc(out, 6 << 3 | 5);
	put_fixed(out, crc, 4);
	str_release(&shape);
}

static void write_index(const struct plan *plan, const struct table_row *rows)
{
	struct str path = {0}, table = {0};
	int fd;

	str_fmt(&path, "%s.index", plan->out);
	put_table(&table, rows, plan->tensors + 1, NAMES_PER_BLOCK, false);
	fd = create(path.text);
	write_all(fd, table.text, table.len);
	finish(fd, table.len);
	str_release(&path);
	str_release(&table);
}

static void checkpoint(const struct plan *plan)
{
	struct str *texts = mem_alloc(2 * (plan->tensors + 1) * sizeof *texts);
	struct table_row *rows = mem_alloc((plan->tensors + 1) * sizeof *rows);
	struct str path = {0};
	uint32_t crc = 0;
	int fd;

	str_fmt(&path, "%s.data-00000-of-00001", plan->out);
	fd = create(path.text);
	rows[0] = (struct table_row){ "", 0, "\x08\1\x1a\2\x08\1", 6 };
	for (uint64_t i = 0; i < plan->tensors; i++) {
		struct str *name = &texts[2 * i], *entry = &texts[2 * i + 1];

		put_name(name, i);
		if (plan->filled || !i)
			crc = write_tensor(plan, fd, i);
		put_entry(plan, i, crc, entry);
		rows[i + 1] = (struct table_row){ name->text, name->len, entry->text, entry->len };
	}
	finish(fd, plan->tensors * bytes_of(plan));
	write_index(plan, rows);
	for (uint64_t i = 0; i < 2 * plan->tensors; i++)
		str_release(&texts[i]);
	str_release(&path);
	free(texts);
	free(rows);
}

static void npy_head(const struct plan *plan, struct str *out)
{
	str_put(out, "\x93NUMPY\1\0", 8);
	put_fixed(out, NPY_HEAD - 10, 2);
	str_fmt(out, "{'descr': '<f4', 'fortran_order': %s, 'shape': (%llu,",
	        plan->fortran ? "True" : "False", (unsigned long long)rows_of(plan));
	if (plan->columns)
		str_fmt(out, " %llu", (unsigned long long)plan->columns);
	str_puts(out, "), }");
	str_fill(out, ' ', NPY_HEAD - 1 - out->len);
	str_putc(out, '\n');
}

static void npy(const struct plan *plan)
{
	struct str path = {0}, head = {0};

	mkdir(plan->out, 0777);
	npy_head(plan, &head);
	for (uint64_t i = 0; i < plan->tensors; i++) {
		int fd;

		str_reset(&path);
		str_fmt(&path, "%s/block_%03llu.layer_%06llu.output.npy", plan->out,
		        (unsigned long long)(i / 100), (unsigned long long)i);
		fd = create(path.text);
		write_all(fd, head.text, head.len);
		if (plan->filled)
			write_tensor(plan, fd, i);
		finish(fd, head.len + bytes_of(plan));
	}
	str_release(&path);
	str_release(&head);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "tensors", required_argument, NULL, 't' },
		{ "bytes", required_argument, NULL, 'b' },
		{ "seed", required_argument, NULL, 's' },
		{ "columns", required_argument, NULL, 'c' },
		{ "fortran", no_argument, NULL, 'f' },
		{ 0 },
	};
	struct plan plan = { .tensors = 10, .bytes = 4096 };
	const char *kind;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		uint64_t n = optarg ? strtoull(optarg, NULL, 10) : 0;

		switch (opt) {
		case 't': plan.tensors = n; break;
		case 'b': plan.bytes = n; break;
		case 's': plan.seed = n; plan.filled = true; break;
		case 'c': plan.columns = n; break;
		case 'f': plan.fortran = true; break;
		default: return 2;
		}
	}
	if (argc - optind != 2)
		return fputs("tool_gen_arrays KIND OUT [OPTION]...\n", stderr), 2;
	kind = argv[optind];
	plan.out = argv[optind + 1];
	if (!strcmp(kind, "safetensors"))
		safetensors(&plan);
	else if (!strcmp(kind, "checkpoint"))
		checkpoint(&plan);
	else if (!strcmp(kind, "npy"))
		npy(&plan);
	else
		return fputs("tool_gen_arrays: no such kind\n", stderr), 2;
	return 0;
}
