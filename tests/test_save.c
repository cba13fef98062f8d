/*
 * Saved arrays, byte for byte: the .npy header is numpy's own (numpy/lib/format.py), the rest
 * follows from the elements. What fails must leave the old file, and nothing beside it.
 */
#include "cmds/array/save.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/array/slice.h"
#include "dump/base/mem.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/suite.h"

static const float floats[] = { 0.5f, -1, 2, 1e20f, -0.0f, 5 };
static const int16_t shorts[] = { 1, -2, 256, -32768, 32767, 0 };
static const double complexes[] = { 1, 2, -0.5, 1e300, 0, 0 };
static const unsigned char bools[] = { 1, 0, 1, 1, 0, 0 };

/* An array of 2x3 (complex: of 3), a slice of it, and the file it gives. */
static const struct saved {
	const char *name, *slice;
	enum dtype dtype;
	const void *elems;
	size_t bytes;
	const char *head;        /* what the file begins with */
	size_t head_len, len;
} cases[] = {
#define HEAD(text) text, sizeof text - 1
	{ "a.npy", NULL, DTYPE_FLOAT32, floats, sizeof floats,
	  HEAD("\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), "
	       "}      "), 128 + 24 },
	{ "a", NULL, DTYPE_INT16, shorts, sizeof shorts,
	  HEAD("\x93NUMPY\x01\0v\0{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"),
	  128 + 12 },
	{ "a.npz", "[0]", DTYPE_BOOL, bools, sizeof bools,
	  HEAD("\x93NUMPY\x01\0v\0{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"),
	  128 + 3 },
	{ "c.npy", "[0:0]", DTYPE_COMPLEX128, complexes, sizeof complexes,
	  HEAD("\x93NUMPY\x01\0v\0{'descr': '<c16', 'fortran_order': False, 'shape': (0,), }"),
	  128 },
	{ "a.bin", NULL, DTYPE_INT16, shorts, sizeof shorts,
	  HEAD("\x01\0\xfe\xff\0\x01\0\x80\xff\x7f\0\0"), 12 },
	{ "a.bin", "[:, 1]", DTYPE_FLOAT32, floats, sizeof floats, HEAD("\0\0\x80\xbf\0\0\0\x80"),
	  8 },
	{ "q.bin", "[1]", DTYPE_QINT8, bools, sizeof bools, HEAD("\x01\0\0"), 3 },
	{ "a.csv", NULL, DTYPE_FLOAT32, floats, sizeof floats,
	  HEAD("0.5,-1.0,2.0\n1e+20,-0.0,5.0\n"), 28 },
	{ "a.csv", "[:, 0]", DTYPE_INT16, shorts, sizeof shorts, HEAD("1,-32768\n"), 9 },
	{ "a.csv", "[1, 1]", DTYPE_BOOL, bools, sizeof bools, HEAD("false\n"), 6 },
	{ "a.csv", "[:, 0:0]", DTYPE_BOOL, bools, sizeof bools, HEAD(""), 0 },
	{ "c.csv", "[0:2]", DTYPE_COMPLEX128, complexes, sizeof complexes,
	  HEAD("\"[1.0,2.0]\",\"[-0.5,1e+300]\"\n"), 28 },
	{ "dir.csv/a.bin", "[1, 1]", DTYPE_BOOL, bools, sizeof bools, HEAD("\0"), 1 },
#undef HEAD
};

static struct value *value_of(const struct saved *saved)
{
	struct shape shape = { 2, { 2, 3 } };

	if (saved->dtype == DTYPE_COMPLEX128)
		shape = (struct shape){ 1, { 3 } };
	return value_of_memory(saved->dtype, &shape, saved->elems, saved->bytes);
}

static void take_slice(struct view *view, struct value *value, const char *slice)
{
	bool scalar;

	view_all(view, value);
	if (slice)
		ck_assert(slice_apply(slice, view, &scalar, NULL));
}

/* A path in a folder of its own, which has a folder dir.csv. */
static char *path_in(char *folder, const char *name)
{
	struct str path = {0};

	str_fmt(&path, "%s/dir.csv", folder);
	ck_assert(mkdir(path.text, 0700) == 0 || *name);
	str_reset(&path);
	str_fmt(&path, "%s/%s", folder, name);
	return path.text;
}

static size_t files_in(const char *folder)
{
	struct str pattern = {0};
	glob_t found;
	size_t n;

	str_fmt(&pattern, "%s/[!d]*", folder);
	n = glob(pattern.text, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
	globfree(&found);
	str_release(&pattern);
	return n;
}

START_TEST(files_have_these_bytes)
{
	const struct saved *want = &cases[_i];
	char *folder = scratch_new(), *path = path_in(folder, want->name);
	struct value *value = value_of(want);
	struct str got = {0};
	uint64_t size = 0;
	struct view view;

	take_slice(&view, value, want->slice);
	for (int again = 0; again < 2; again++)         /* over the old one too */
		ck_assert(save_view(path, &view, &size, NULL, NULL));
	ck_assert(read_whole(path, &got));
	ck_assert_uint_eq(got.len, want->len);
	ck_assert_uint_eq(size, want->len);
	ck_assert_int_eq(memcmp(str_text(&got), want->head, want->head_len), 0);
	if (want->len > 128) {
		ck_assert_int_eq(got.text[127], '\n');
		ck_assert_int_eq(memcmp(got.text + 128, want->elems, want->len - 128), 0);
	}
	ck_assert_uint_eq(files_in(folder), strchr(want->name, '/') ? 0 : 1);
	str_release(&got);
	value_close(value);
	free(path);
	scratch_remove(folder);
}
END_TEST

/* Larger than what is read and written at once. */
START_TEST(long_rows_are_whole)
{
	enum { N = 300000 };
	char *folder = scratch_new(), *path = path_in(folder, _i ? "a.csv" : "a.bin");
	int32_t *elems = mem_alloc(N * sizeof *elems);
	struct shape shape = { 1, { N } };
	struct str got = {0}, want = {0};
	struct value *value;
	struct view view;
	uint64_t size;

	for (int i = 0; i < N; i++) {
		elems[i] = i * 7001;
		if (_i)
			str_fmt(&want, "%s%d", i ? "," : "", elems[i]);
	}
	if (_i)
		str_putc(&want, '\n');
	else
		str_put(&want, (const char *)elems, N * sizeof *elems);
	value = value_of_memory(DTYPE_INT32, &shape, elems, N * sizeof *elems);
	view_all(&view, value);
	ck_assert(save_view(path, &view, &size, NULL, NULL));
	ck_assert(read_whole(path, &got));
	ck_assert_uint_eq(got.len, want.len);
	ck_assert_int_eq(memcmp(got.text, want.text, want.len), 0);
	value_close(value);
	free(elems);
	str_release(&got);
	str_release(&want);
	free(path);
	scratch_remove(folder);
}
END_TEST

/* A string tensor of 2x1, recorded as an Event. */
static struct value *strings(void)
{
	static const char *const texts[] = { "plain", "a,\"b\"\n\033\xff" };
	struct str tensor = {0}, event = {0};
	struct value *value;

	put_tensor_head(&tensor, DTYPE_STRING, 2, (int64_t[]){ 2, 1 });
	for (int i = 0; i < 2; i++)
		put_bytes(&tensor, 8, texts[i], strlen(texts[i]));
	put_event(&event, &tensor);
	value = value_open_event(file_of(event.text, event.len), NULL);
	ck_assert_ptr_nonnull(value);
	str_release(&tensor);
	str_release(&event);
	return value;
}

START_TEST(strings_go_to_csv_alone)
{
	static const char *const names[] = { "a.bin", "a.npy", "a", "a.csv" };
	bool csv = !strcmp(names[_i], "a.csv");
	char *folder = scratch_new(), *path = path_in(folder, names[_i]);
	struct value *value = strings();
	struct str got = {0};
	struct err err = {0};
	struct view view;
	uint64_t size;

	view_all(&view, value);
	ck_assert_int_eq(save_view(path, &view, &size, NULL, &err), csv);
	ck_assert_int_eq(err.code, csv ? ERR_NONE : ERR_UNSUPPORTED);
	ck_assert_uint_eq(files_in(folder), csv);
	if (csv) {
		ck_assert(read_whole(path, &got));
		ck_assert_str_eq(got.text, "plain\n\"a,\"\"b\"\"\n^[\\xff\"\n");
	}
	str_release(&got);
	value_close(value);
	free(path);
	scratch_remove(folder);
}
END_TEST

/* Types of numbers that no element of numpy's is like. */
static const enum dtype unnamed[] = {
	DTYPE_QINT32, DTYPE_INT4, DTYPE_UINT2,
};

START_TEST(npy_refuses_what_numpy_would_pickle)
{
	static const unsigned char elems[8];
	struct shape shape = { 1, { 1 } };
	struct value *value = value_of_memory(unnamed[_i], &shape, elems, sizeof elems);
	struct err err = {0};
	struct view view;
	uint64_t size;

	view_all(&view, value);
	ck_assert(!save_view("/nowhere/at/all", &view, &size, NULL, &err));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	value_close(value);
}
END_TEST

static const char *const places[] = { "", "dir.csv", "dir.csv/none/a.npy" };

START_TEST(a_bad_place_is_named)
{
	char *folder = scratch_new(), *path = path_in(folder, places[_i]);
	struct value *value = value_of(&cases[0]);
	struct err err = {0};
	struct view view;
	uint64_t size;

	view_all(&view, value);
	ck_assert(!save_view(path, &view, &size, NULL, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_ptr_eq(strstr(err.msg, path), err.msg);
	ck_assert_uint_eq(files_in(folder), 0);
	value_close(value);
	free(path);
	scratch_remove(folder);
}
END_TEST

static const char *const endings[] = { "csv", "bin", "npy" };

/* Room for half of it, wherever that is noticed: at once, or when the last buffer is written. */
START_TEST(a_full_disk_is_no_success)
{
	static const size_t counts[] = { 1000, 100000 };
	size_t n = counts[_i / 3];
	char *folder = scratch_new(), name[8], *path;
	int64_t *elems = mem_alloc(n * sizeof *elems);
	struct shape shape = { 1, { (int64_t)n } };
	struct value *value = value_of_memory(DTYPE_INT64, &shape, elems, n * sizeof *elems);
	struct str old = {0};
	struct err err = {0};
	struct view view;
	uint64_t size;
	FILE *file;

	snprintf(name, sizeof name, "a.%s", endings[_i % 3]);
	path = path_in(folder, name);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs("old", file);
	fclose(file);
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ n, n }), 0);
	view_all(&view, value);
	ck_assert(!save_view(path, &view, &size, NULL, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	ck_assert(read_whole(path, &old));
	ck_assert_str_eq(old.text, "old");
	ck_assert_uint_eq(files_in(folder), 1);
	str_release(&old);
	value_close(value);
	free(elems);
	free(path);
	scratch_remove(folder);
}
END_TEST

START_TEST(a_cancel_leaves_nothing)
{
	struct progress progress = { .cancel = true };
	char *folder = scratch_new(), name[8], *path;
	struct value *value = value_of(&cases[0]);
	struct err err = {0};
	struct view view;
	uint64_t size;

	snprintf(name, sizeof name, "a.%s", endings[_i]);
	path = path_in(folder, name);
	view_all(&view, value);
	ck_assert(!save_view(path, &view, &size, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_eq(files_in(folder), 0);
	value_close(value);
	free(path);
	scratch_remove(folder);
}
END_TEST

START_TEST(permissions_of_an_old_file_stay)
{
	char *folder = scratch_new(), *path = path_in(folder, "a.csv");
	struct value *value = value_of(&cases[0]);
	struct stat st;
	struct view view;
	uint64_t size;

	view_all(&view, value);
	ck_assert(save_view(path, &view, &size, NULL, NULL));
	ck_assert_int_eq(chmod(path, 0600), 0);
	ck_assert(save_view(path, &view, &size, NULL, NULL));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	value_close(value);
	free(path);
	scratch_remove(folder);
}
END_TEST


SUITE_MAIN("save",
	tcase_add_loop_test(t, files_have_these_bytes, 0, ROWS(cases));
	tcase_add_loop_test(t, long_rows_are_whole, 0, 2);
	tcase_add_loop_test(t, strings_go_to_csv_alone, 0, 4);
	tcase_add_loop_test(t, npy_refuses_what_numpy_would_pickle, 0, ROWS(unnamed));
	tcase_add_loop_test(t, a_bad_place_is_named, 0, ROWS(places));
	tcase_add_loop_test(t, a_full_disk_is_no_success, 0, 2 * ROWS(endings));
	tcase_add_loop_test(t, a_cancel_leaves_nothing, 0, ROWS(endings));
	tcase_add_test(t, permissions_of_an_old_file_stay);
)
