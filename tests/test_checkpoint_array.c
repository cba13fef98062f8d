/* Checkpoints as arrays: tensors put together of their parts, strings, several shards and steps. */
#include "tests/suite.h"

#include <string.h>

#include "dump/arrays/checkpoint_array.h"
#include "dump/arrays/checkpoint_value.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_table.h"

#define RECORDED "testdata/checkpoint/"
#define BYTES(text) text, sizeof(text) - 1

static char *dir;
static struct arena mem;
static struct array_list list;

static void set_up(void)
{
	dir = scratch_new();
}

static void tear_down(void)
{
	array_list_release(&list);
	arena_release(&mem);
	scratch_remove(dir);
}

static bool list_path(const char *path, struct err *err)
{
	*err = (struct err){0};
	array_list_release(&list);
	list = (struct array_list){ .mem = &mem };
	return array_checkpoint.list(path, &list, err);
}

static const char *in_dir(const char *name)
{
	static char path[1000];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void put_index(const struct table_row *row, size_t n)
{
	struct str bytes = {0};

	put_table(&bytes, row, n, 3, false);
	dump_put(dir, "m.index", bytes.text, bytes.len);
	str_release(&bytes);
}

/* Parts. */

/* A tensor of 4 x 3 x 2 bytes, a to x: how it is cut, and what the parts then hold. */
struct cut {
	int64_t start[3], length[3];
	const char *letters;
};
static const struct { struct cut cut[4]; int n; } cuts[] = {
	{ { { { 0, 0, 0 }, { 4, 3, 2 }, "abcdefghijklmnopqrstuvwx" } }, 1 },
	{ { { { 0, 0, 0 }, { 1, 3, 2 }, "abcdef" },
	    { { 1, 0, 0 }, { 3, 3, 2 }, "ghijklmnopqrstuvwx" } }, 2 },
	{ { { { 0, 1, 0 }, { 4, 2, 2 }, "cdefijklopqruvwx" },
	    { { 0, 0, 0 }, { 4, 1, 2 }, "abghmnst" } }, 2 },
	{ { { { 0, 0, 0 }, { 4, 3, 1 }, "acegikmoqsuw" },
	    { { 0, 0, 1 }, { 4, 3, 1 }, "bdfhjlnprtvx" } }, 2 },
	{ { { { 0, 0, 0 }, { 2, 2, 2 }, "abcdghij" }, { { 0, 2, 0 }, { 2, 1, 2 }, "efkl" },
	    { { 2, 0, 0 }, { 2, 1, 2 }, "mnst" }, { { 2, 1, 0 }, { 2, 2, 2 }, "opqruvwx" } }, 4 },
};

START_TEST(parts_are_put_together)
{
	struct checkpoint_part part[4];
	const struct checkpoint_tensor tensor = {
		.name = "t", .type = dtype_info(DTYPE_UINT8), .rank = 3,
		.dim = (const int64_t[]){ 4, 3, 2 }, .size_bytes = 24, .part = part,
		.n_parts = (uint32_t)cuts[_i].n,
	};
	struct err err = {0};
	struct value *value;
	char all[25] = "";

	for (int i = 0; i < cuts[_i].n; i++) {
		const struct cut *cut = &cuts[_i].cut[i];
		char name[40];

		snprintf(name, sizeof name, "m.data-0000%d-of-00002", i % 2);
		dump_put(dir, name, cut->letters, strlen(cut->letters));
		part[i] = (struct checkpoint_part){ .start = cut->start, .length = cut->length,
		                                    .shard = (uint32_t)(i % 2) };
	}
	if (cuts[_i].n == 4) {
		/* two parts in each shard */
		dump_put(dir, "m.data-00000-of-00002", "abcdghijmnst", 12);
		dump_put(dir, "m.data-00001-of-00002", "efklopqruvwx", 12);
		part[2].off = 8;
		part[3].off = 4;
	}
	value = checkpoint_parts(in_dir("m"), 2, false, &tensor, &err);
	ck_assert_msg(value, "%s", err.msg);
	for (uint64_t first = 0; first < 24; first++)
		for (size_t n = 0; n <= 24 - first; n++) {
			memset(all, 0, sizeof all);
			ck_assert_msg(value_read(value, first, n, all, &err), "%s", err.msg);
			ck_assert(!strncmp(all, "abcdefghijklmnopqrstuvwx" + first, n));
		}
	value_close(value);
}
END_TEST

START_TEST(a_hole_between_parts_is_told)
{
	const struct checkpoint_part part = { .start = (const int64_t[]){ 2 },
	                                      .length = (const int64_t[]){ 2 } };
	const struct checkpoint_tensor tensor = {
		.name = "t", .type = dtype_info(DTYPE_INT16), .rank = 1,
		.dim = (const int64_t[]){ 4 }, .size_bytes = 8, .part = &part, .n_parts = 1,
	};
	struct err err = {0};
	struct value *value;
	char elem[2];

	dump_put(dir, "m.data-00000-of-00001", "abcd", 4);
	value = checkpoint_parts(in_dir("m"), 1, true, &tensor, &err);
	ck_assert(value_read(value, 3, 1, elem, &err) && elem[0] == 'd');
	ck_assert(!value_read(value, 1, 1, elem, &err));
	ck_assert_str_eq(err.msg, "no part of t has all of its elements");
	value_close(value);
}
END_TEST

/* Strings. */

static const struct { const char *bytes; size_t len; int64_t count; const char *words; } texts[] = {
	{ BYTES("\1\0\2sumsabc"), 3, NULL },
	{ BYTES("sums"), 0, NULL },
	{ BYTES("\1\0\2sumsab"), 3, "are left" },
	{ BYTES("\1\0\2sumsabcd"), 3, "behind the last" },
	{ BYTES("\1\0\2sum"), 3, "no checksum" },
	{ BYTES("\1\x80"), 2, "" },
	{ BYTES("\1\0"), 3, "less than" },
	{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1sums"), 1, "are left" },
	{ BYTES("sums"), INT64_C(1) << 61, "less than" },
};

START_TEST(strings_follow_their_lengths)
{
	const struct shape shape = { .rank = 1, .dim = { texts[_i].count } };
	struct err err = {0};
	struct value *value;

	dump_put(dir, "x", texts[_i].bytes, texts[_i].len);
	value = checkpoint_texts(in_dir("x"), 0, texts[_i].len, &shape, &err);
	ck_assert(!value == !!texts[_i].words);
	ck_assert_msg(value || strstr(err.msg, texts[_i].words), "%s", err.msg);
	for (uint64_t i = 0; value && i < value->count; i++) {
		const char *text;
		size_t len;

		ck_assert(value_string(value, i, &text, &len, &err));
		ck_assert_uint_eq(len, i == 0 ? 1 : i == 1 ? 0 : 2);
		ck_assert(!len || *text == (i ? 'b' : 'a'));
	}
	value_close(value);
	ck_assert(!checkpoint_texts(in_dir("x"), 1, texts[_i].len, &shape, &err));
	ck_assert(!checkpoint_texts(in_dir("none"), 0, 4, &shape, &err));
}
END_TEST

/* Lists. */

START_TEST(shards_are_devices)
{
	static const struct table_row rows[] = {
		{ BYTES(""), BYTES("\x08\2") },
		{ BYTES("a"), BYTES("\x08\4\x28\1") },
		{ BYTES("b"), BYTES("\x08\4\x18\1\x20\2\x28\1") },
	};
	struct err err = {0};
	struct value *value;
	char elem;

	put_index(rows, 3);
	dump_put(dir, "m.data-00001-of-00002", "xyz", 3);
	ck_assert_msg(list_path(in_dir("m.index"), &err), "%s", err.msg);
	ck_assert_uint_eq(list.at.len, 2);
	ck_assert_str_eq(list.at.at[0]->device, "shard-00000-of-00002");
	ck_assert_str_eq(list.at.at[1]->device, "shard-00001-of-00002");
	ck_assert_ptr_null(array_checkpoint.value(list.at.at[0], &err));
	ck_assert_int_eq(err.code, ERR_IO);
	value = array_checkpoint.value(list.at.at[1], &err);
	ck_assert(value_read(value, 0, 1, &elem, &err) && elem == 'z');
	value_close(value);
}
END_TEST

START_TEST(a_shard_is_its_checkpoint)
{
	struct err err;

	ck_assert(list_path(RECORDED "tf2/ckpt-10.data-00000-of-00001", &err));
	ck_assert_uint_eq(list.at.len, 10);
	dump_put(dir, "m.data-00000-of-00001", "x", 1);
	ck_assert(!list_path(in_dir("m.data-00000-of-00001"), &err));
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert(!list_path(RECORDED "old.ckpt", &err));
	ck_assert_str_eq(err.msg, "a V1 checkpoint; not supported.");
}
END_TEST

/* Tensors, one by one, of which a byte is not what it was: numbers, a part, a string, a length. */
static const struct { size_t off; const char *name; } spoiled[] = {
	{ 20, "dense/kernel" }, { 160, "part" }, { 300, "strings" }, { 219, "strings" },
	{ 580, "t_uint8" },
};

START_TEST(a_wrong_sum_is_told)
{
	struct str bytes = {0}, index = {0};
	struct err err;

	ck_assert(read_whole(RECORDED "tf1/model.ckpt-0.data-00000-of-00001", &bytes));
	ck_assert(read_whole(RECORDED "tf1/model.ckpt-0.index", &index));
	bytes.text[spoiled[_i].off] = (char)(bytes.text[spoiled[_i].off] ^ 1);
	dump_put(dir, "m.index", index.text, index.len);
	dump_put(dir, "m.data-00000-of-00001", bytes.text, bytes.len);
	ck_assert(list_path(in_dir("m.index"), &err));
	for (size_t i = 0; i < list.at.len; i++)
		ck_assert_int_eq(array_checkpoint.is_sound(list.at.at[i]),
		                 strcmp(list.at.at[i]->name, spoiled[_i].name) != 0);
	/* what is not there is no wrong sum */
	dump_put(dir, "m.data-00000-of-00001", "", 0);
	for (size_t i = 0; i < list.at.len; i++)
		ck_assert(array_checkpoint.is_sound(list.at.at[i]));
	str_release(&bytes);
	str_release(&index);
}
END_TEST

START_TEST(recorded_steps_are_runs)
{
	struct shell *shell = session_of(RECORDED "tf1");

	session_answers(shell, "run", "17 dumped tensor(s)");
	session_answers(shell, "pt global_step", "array(7)");
	session_answers(shell, "pt dense/bias", "array([ 0., nan, inf, -1.], dtype=float32)");
	session_answers(shell, "pt part[2:5,1]", "array([ 7., 10., 13.], dtype=float32)");
	session_answers(shell, "pt strings[:3]", "array([b'hello', b'', b'\\xff\\x00bytes'], ");
	session_answers(shell, "run", "17 dumped tensor(s)");
	session_answers(shell, "pt dense/kernel[0,0]", "2.1243453");
	shell_free(shell);
}
END_TEST

SUITE_MAIN("checkpoint_array",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, parts_are_put_together, 0, ROWS(cuts));
	tcase_add_test(t, a_hole_between_parts_is_told);
	tcase_add_loop_test(t, strings_follow_their_lengths, 0, ROWS(texts));
	tcase_add_test(t, shards_are_devices);
	tcase_add_test(t, a_shard_is_its_checkpoint);
	tcase_add_loop_test(t, a_wrong_sum_is_told, 0, ROWS(spoiled));
	tcase_add_test(t, recorded_steps_are_runs);)
