/*
 * Views of a storage that is too large to be held: read from end to end, in pieces of any size,
 * each element is the one that its strides say.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/format/input.h"
#include "dump/model/value.h"
#include "tests/message.h"
#include "tests/program.h"

/* The storage: the numbers 0, 1, 2...; 48 MiB of them. */
enum { STORED = 12 << 20, AT_ONCE = 1 << 16 };

static char *dir;
static char path[200];

static void make_storage(void)
{
	static uint32_t block[AT_ONCE];
	FILE *f;

	dir = scratch_new();
	snprintf(path, sizeof path, "%s/storage", dir);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	for (uint32_t i = 0; i < STORED; i += AT_ONCE) {
		for (uint32_t k = 0; k < AT_ONCE; k++)
			block[k] = i + k;
		ck_assert_uint_eq(fwrite(block, sizeof *block, AT_ONCE, f), AT_ONCE);
	}
	ck_assert_int_eq(fclose(f), 0);
}

static void remove_storage(void)
{
	scratch_remove(dir);
}

static const struct { uint32_t rank; int64_t dim[4], stride[4]; uint32_t start; } views[] = {
	{ 2, { 3000, 4000 }, { 1, 3000 }, 5 },           /* transposed */
	{ 2, { 4000, 3000 }, { 1, 4000 }, 0 },
	{ 3, { 30, 400, 1000 }, { 1, 30, 12000 }, 0 },   /* by column */
	{ 3, { 30, 400, 1000 }, { 400, 1, 12000 }, 0 },
	{ 1, { STORED / 2 }, { 2 }, 1 },                 /* each second, each 20th, backwards */
	{ 1, { STORED / 20 }, { 20 }, 0 },
	{ 1, { 10000000 }, { -1 }, STORED - 1 },
	{ 2, { 2000, 3000 }, { -3, 4001 }, 6000 },
	{ 3, { 3, 3000, 4000 }, { 0, 4000, 1 }, 7 },     /* the same thrice */
	{ 4, { 2, 1, 3000, 2000 }, { 6000000, 5, 1, 3000 }, 0 },
};

static uint32_t number_at(int view, uint64_t i)
{
	int64_t at = views[view].start;

	for (uint32_t k = views[view].rank; k-- > 0; i /= (uint64_t)views[view].dim[k])
		at += (int64_t)(i % (uint64_t)views[view].dim[k]) * views[view].stride[k];
	return (uint32_t)at;
}

static struct value *open_view(int i)
{
	struct shape shape = { .rank = views[i].rank };
	struct value_layout layout = { .dtype = DTYPE_UINT32, .off = 4 * (uint64_t)views[i].start,
	                               .stride = views[i].stride };
	struct err err = {0};
	struct input input;
	struct value *value;

	memcpy(shape.dim, views[i].dim, sizeof views[i].dim);
	ck_assert(input_of_file(&input, path, 0, 4 * (uint64_t)STORED, &err));
	value = value_open_input(&input, &shape, &layout, &err);
	ck_assert_msg(value, "%s", err.msg);
	return value;
}

static void check(struct value *value, int view, uint64_t first, size_t n)
{
	static uint32_t numbers[200000];
	struct err err = {0};

	ck_assert_msg(value_read(value, first, n, numbers, &err), "%s", err.msg);
	for (size_t i = 0; i < n; i++)
		if (numbers[i] != number_at(view, first + i))
			ck_abort_msg("element %llu is %u", (unsigned long long)(first + i),
			             numbers[i]);
}

START_TEST(from_end_to_end)
{
	struct value *value = open_view(_i);
	size_t n = 1000;

	for (uint64_t first = 0; first < value->count; first += n) {
		n = n < 100000 ? 2 * n + 1 : 123457;
		if (n > value->count - first)
			n = (size_t)(value->count - first);
		check(value, _i, first, n);
	}
	value_close(value);
}
END_TEST

START_TEST(here_and_there)
{
	struct value *value = open_view(_i);
	uint64_t last = value->count - 1;

	check(value, _i, last, 1);
	check(value, _i, last - 50000, 50001);
	check(value, _i, 0, 50000);
	check(value, _i, 50000, 10);
	check(value, _i, last / 2, 10);
	check(value, _i, last / 2 + 10, 100000);
	value_close(value);
}
END_TEST

/* Elements of every size, of a small array whose first index is the fastest. */
enum { ROWS_OF_SMALL = 90, COLUMNS_OF_SMALL = 113, N_SMALL = ROWS_OF_SMALL * COLUMNS_OF_SMALL };
static const struct { enum dtype dtype; uint32_t bytes; } sizes[] = {
	{ DTYPE_UINT8, 1 }, { DTYPE_UINT16, 2 }, { DTYPE_UINT32, 4 }, { DTYPE_UINT64, 8 },
	{ DTYPE_COMPLEX128, 16 }, { DTYPE_STRING, 3 }, { DTYPE_STRING, 17 },
};

/* Byte i of the file that the elements are in. */
static unsigned char byte_at(uint64_t i)
{
	return (unsigned char)(1 + (i * 7 + i / 256) % 255);
}

static struct value *open_small(enum dtype dtype, uint32_t bytes)
{
	static const int64_t stride[] = { 1, ROWS_OF_SMALL };
	static unsigned char all[17 * N_SMALL];
	struct shape shape = { 2, { ROWS_OF_SMALL, COLUMNS_OF_SMALL } };
	struct value_layout layout = { .dtype = dtype, .stride = stride,
	                               .text_bytes = dtype == DTYPE_STRING ? bytes : 0 };
	struct err err = {0};
	struct input input;
	struct value *value;

	for (size_t i = 0; i < sizeof all; i++)
		all[i] = byte_at(i);
	ck_assert(input_of_whole(&input, file_of(all, bytes * N_SMALL), &err));
	value = value_open_input(&input, &shape, &layout, &err);
	ck_assert_msg(value, "%s", err.msg);
	return value;
}

START_TEST(sizes_of_elements)
{
	uint32_t bytes = sizes[_i].bytes;
	struct value *value = open_small(sizes[_i].dtype, bytes);
	static unsigned char read[16 * N_SMALL];
	struct err err = {0};

	for (uint64_t i = 0; sizes[_i].dtype != DTYPE_STRING && i < N_SMALL; i += N_SMALL / 10)
		ck_assert(value_read(value, i, N_SMALL / 10, read + i * bytes, &err));
	for (uint64_t i = 0; i < N_SMALL; i++) {
		uint64_t place = i / COLUMNS_OF_SMALL + i % COLUMNS_OF_SMALL * ROWS_OF_SMALL;
		const char *elem = (const char *)read + i * bytes;
		size_t len = bytes;

		if (sizes[_i].dtype == DTYPE_STRING)
			ck_assert(value_string(value, i, &elem, &len, &err));
		ck_assert_uint_eq(len, bytes);
		for (uint32_t k = 0; k < bytes; k++)
			ck_assert_uint_eq((unsigned char)elem[k], byte_at(place * bytes + k));
	}
	value_close(value);
}
END_TEST

SUITE_MAIN("value_bands",
	tcase_add_unchecked_fixture(t, make_storage, remove_storage);
	tcase_add_loop_test(t, from_end_to_end, 0, ROWS(views));
	tcase_add_loop_test(t, here_and_there, 0, ROWS(views));
	tcase_add_loop_test(t, sizes_of_elements, 0, ROWS(sizes));)
