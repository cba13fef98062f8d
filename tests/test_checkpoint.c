/* Checkpoints of TensorFlow: the tensors that their table lists, and the keys of parts. */
#include "tests/suite.h"

#include <string.h>

#include "dump/arrays/checkpoint.h"
#include "dump/arrays/slice_key.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/shown.h"
#include "tests/small_table.h"

#define RECORDED "testdata/checkpoint/"
#define BYTES(text) text, sizeof(text) - 1

static struct file file;
static struct checkpoint checkpoint;

static bool open_path(const char *path, struct err *err)
{
	*err = (struct err){0};
	ck_assert(file_open(&file, path, err));
	return checkpoint_open(&checkpoint, &file, NULL, err);
}

static bool open_rows(const struct table_row *row, size_t n, struct err *err)
{
	struct str bytes = {0};
	bool ok;

	put_table(&bytes, row, n, 2, false);
	ok = open_path(file_of(bytes.text, bytes.len), err);
	str_release(&bytes);
	return ok;
}

static void close_checkpoint(void)
{
	checkpoint_release(&checkpoint);
	file_close(&file);
}

/* "NAME float32 [2 3] 0+112 24" a tensor. */
static void show_tensors(struct str *out)
{
	for (size_t i = 0; i < checkpoint.tensors.len; i++) {
		const struct checkpoint_tensor *t = &checkpoint.tensors.at[i];

		str_fmt(out, "%s%s %s ", out->len ? "\n" : "", t->name,
		        t->type ? t->type->name : "?");
		put_ints(out, t->dim, t->rank);
		str_fmt(out, " %u+%llu %llu", t->shard, (unsigned long long)t->off,
		        (unsigned long long)t->size_bytes);
		for (uint32_t k = 0; k < t->n_parts; k++) {
			str_fmt(out, " %u+%llu", t->part[k].shard,
			        (unsigned long long)t->part[k].off);
			put_ints(out, t->part[k].start, t->rank);
			put_ints(out, t->part[k].length, t->rank);
		}
		if (t->why)
			str_fmt(out, " (%s)", t->why);
	}
}

static void holds(const char *tensors)
{
	struct str shown = {0};

	show_tensors(&shown);
	shown_is(&shown, tensors);
}

START_TEST(recorded_with_parts)
{
	struct err err;

	ck_assert_msg(open_path(RECORDED "tf1/model.ckpt-100.index", &err), "%s", err.msg);
	ck_assert_uint_eq(checkpoint.n_shards, 1);
	ck_assert(!checkpoint.big_endian);
	holds("dense/bias float32 [4] 0+0 16\n"
	      "dense/kernel float32 [6 4] 0+16 96\n"
	      "empty float32 [0 3] 0+112 0\n"
	      "global_step int64 [] 0+112 8\n"
	      "part float32 [7 3] 0+0 84 0+120[0 0][3 3] 0+156[3 0][2 3] 0+180[5 0][2 3]\n"
	      "res float32 [2] 0+204 8\n"
	      "strings string [4] 0+212 321\n"
	      "t_bfloat16 bfloat16 [2] 0+533 4\n"
	      "t_bool bool [3] 0+537 3\n"
	      "t_complex64 complex64 [1] 0+540 8\n"
	      "t_float16 float16 [2] 0+548 4\n"
	      "t_float64 float64 [1 1] 0+552 8\n"
	      "t_int16 int16 [1] 0+560 2\n"
	      "t_int32 int32 [2] 0+562 8\n"
	      "t_int64 int64 [1] 0+570 8\n"
	      "t_int8 int8 [1] 0+578 1\n"
	      "t_uint8 uint8 [2] 0+579 2");
	ck_assert_uint_eq(checkpoint.tensors.at[0].sum, 0x3c84ce2c);
	ck_assert_uint_eq(checkpoint.tensors.at[4].part[1].sum, 0xf5096a60);
	close_checkpoint();
}
END_TEST

START_TEST(recorded_with_objects)
{
	struct err err;

	ck_assert_msg(open_path(RECORDED "tf2/ckpt-10.index", &err), "%s", err.msg);
	holds("net/half bfloat16 [2] 0+28 4\n"
	      "net/layers/0/b float32 [4] 0+152 16\n"
	      "net/layers/0/w float32 [6 4] 0+56 96\n"
	      "net/layers/1/b float32 [2] 0+200 8\n"
	      "net/layers/1/w float32 [4 2] 0+168 32\n"
	      "net/names string [2] 0+16 12\n"
	      "net/table/.ATTRIBUTES/table-keys string [2] 0+32 8\n"
	      "net/table/.ATTRIBUTES/table-values int64 [2] 0+40 16\n"
	      "save_counter int64 [] 0+8 8\n"
	      "step int64 [] 0+0 8");
	close_checkpoint();
}
END_TEST

START_TEST(version_1_is_refused)
{
	struct err err;

	ck_assert(!open_path(RECORDED "old.ckpt", &err));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_str_eq(err.msg, "a V1 checkpoint; not supported.");
	close_checkpoint();
}
END_TEST

/* Keys of parts. */

static const struct { const char *name; size_t len; int rank; int64_t at[4];
                      const char *key; size_t key_len; } keys[] = {
	{ BYTES("part"), 2, { 3, 2, 0, 3 }, BYTES("\0part\0\1\1\2\x83\x82\x80\x83") },
	{ BYTES("a\0b\xff"), 0, { 0 }, BYTES("\0a\0\xff" "b\xff\0\0\1\0") },
	{ BYTES(""), 1, { 0, SLICE_WHOLE }, BYTES("\0\0\1\1\1\x80\x7f") },
	{ BYTES(""), 2, { 63, 64, 8191, 8192 },
	  BYTES("\0\0\1\1\2\xbf\xc0\x40\xdf\xff\xe0\x20\0") },
	{ BYTES(""), 1, { -64, -65 }, BYTES("\0\0\1\1\1\x40\x3f\xbf") },
	{ BYTES(""), 2, { INT64_C(1) << 54, (INT64_C(1) << 55) - 1, INT64_C(1) << 55,
	                  INT64_C(1) << 62 },
	  BYTES("\0\0\1\1\2\xff\x40\0\0\0\0\0\0\xff\x7f\xff\xff\xff\xff\xff\xff"
	        "\xff\x80\x80\0\0\0\0\0\0\xff\xc0\x40\0\0\0\0\0\0\0") },
	{ BYTES(""), 1, { INT64_MIN, INT64_MAX },
	  BYTES("\0\0\1\1\1\0\x3f\x80\0\0\0\0\0\0\0\xff\xc0\x7f\xff\xff\xff\xff\xff\xff\xff") },
};

START_TEST(keys_of_parts)
{
	int64_t start[2] = {0}, length[2] = {0};
	struct str key = {0};

	for (int k = 0; k < keys[_i].rank; k++) {
		start[k] = keys[_i].at[2 * k];
		length[k] = keys[_i].at[2 * k + 1];
	}
	put_slice_key(&key, (struct text){ keys[_i].name, keys[_i].len },
	              (uint32_t)keys[_i].rank, start, length);
	ck_assert_uint_eq(key.len, keys[_i].key_len);
	ck_assert(!memcmp(key.text, keys[_i].key, key.len));
	str_release(&key);
}
END_TEST

/* Tables made by hand: a header, and an entry. */

#define HEADER { BYTES(""), BYTES("\x08\2\x1a\2\x08\1") }
#define DIMS_2_3 "\x12\x08\x12\2\x08\2\x12\2\x08\3"

static const struct { struct table_row row; const char *shown; } made[] = {
	{ { BYTES("x"), BYTES("\x08\1" DIMS_2_3 "\x18\1\x20\x05\x28\x18") },
	  "x float32 [2 3] 1+5 24" },
	{ { BYTES("x"), BYTES("\x08\1" DIMS_2_3 "\x28\x17") },
	  "x float32 [2 3] 0+0 23 (Its bytes are not as many as its elements need.)" },
	{ { BYTES("a\0b"), BYTES("\x08\x15") },
	  "a\xc0\x80" "b variant [] 0+0 0 (A handle of the program that saved it, no array.)" },
	{ { BYTES("x"), BYTES("\x08\x62\x28\4") },
	  "x ? [] 0+0 4 (Type 98 is not one of TensorFlow's.)" },
	/* a number that TensorFlow has not given to any type, and a reference to it */
	{ { BYTES("x"), BYTES("\x08\x63\x28\1") },
	  "x ? [] 0+0 1 (Type 99 is not one of TensorFlow's.)" },
	{ { BYTES("x"), BYTES("\x08\xc7\1\x28\1") },
	  "x ? [] 0+0 1 (Type 199 is not one of TensorFlow's.)" },
	/* references to types that there are, and to none */
	{ { BYTES("x"), BYTES("\x08\x65\x28\4") }, "x float32 [] 0+0 4" },
	{ { BYTES("x"), BYTES("\x08\x84\1\x28\1") }, "x uint2 [] 0+0 1" },
	{ { BYTES("x"), BYTES("\x08\x64\x28\1") },
	  "x ? [] 0+0 1 (Type 100 is not one of TensorFlow's.)" },
	{ { BYTES("x"), BYTES("\x08\x85\1\x28\1") },
	  "x ? [] 0+0 1 (Type 133 is not one of TensorFlow's.)" },
	{ { BYTES("x"), BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\x28\1") },
	  "x ? [] 0+0 1 (Type 18446744073709551615 is not one of TensorFlow's.)" },
	{ { BYTES("x"), BYTES("\x08\1\x12\x0d\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\1") },
	  "x float32 [-1] 0+0 0 (Impossible shape.)" },
	{ { BYTES("x"), BYTES("\x08\1\x12\x0c\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f") },
	  "x float32 [9223372036854775807] 0+0 0 (Its bytes are not as many as its elements "
	  "need.)" },
	{ { BYTES("x"), BYTES("\x08\1" DIMS_2_3 "\x3a\4\x0a\0\x0a\0") },
	  "x float32 [2 3] 0+0 0 0+0[0 0][2 3] (A part of it is missing from the checkpoint.)" },
	{ { BYTES("x"), BYTES("\x08\1" DIMS_2_3 "\x3a\6\x0a\2\x08\3\x0a\0") },
	  "x float32 [2 3] 0+0 0 0+0[3 0][-1 -1] (A part of it lies outside.)" },
	{ { BYTES(".ATTRIBUTES/VARIABLE_VALUE"), BYTES("\x08\1\x28\4") },
	  ".ATTRIBUTES/VARIABLE_VALUE float32 [] 0+0 4" },
	{ { BYTES("_CHECKPOINTABLE_OBJECT_GRAPH"), BYTES("\x08\7\x28\4") }, "" },
};

START_TEST(made_entries)
{
	const struct table_row rows[] = { HEADER, made[_i].row };
	struct err err;

	ck_assert_msg(open_rows(rows, 2, &err), "%s", err.msg);
	holds(made[_i].shown);
	close_checkpoint();
}
END_TEST

static const struct { struct table_row row[2]; size_t n; enum err_code code; const char *words; }
refused[] = {
	{ { { BYTES("x"), BYTES("\x08\1") } }, 1, ERR_FORMAT, "without a header" },
	{ { { BYTES(""), BYTES("") } }, 0, ERR_FORMAT, "without a header" },
	{ { { BYTES(""), BYTES("\x08\0") } }, 1, ERR_FORMAT, "can't be" },
	{ { { BYTES(""), BYTES("\x10\2") } }, 1, ERR_FORMAT, "can't be" },
	{ { { BYTES(""), BYTES("\x1a\2\x10\2") } }, 1, ERR_UNSUPPORTED, "version 2" },
	{ { { BYTES(""), BYTES("\x08") } }, 1, ERR_FORMAT, "" },
	{ { HEADER, { BYTES("x"), BYTES("\x08\1\x18\2") } }, 2, ERR_FORMAT, "shard" },
	{ { HEADER, { BYTES("x"), BYTES("\x08\1\x12\5\x12") } }, 2, ERR_FORMAT, "" },
	{ { HEADER, { BYTES("x"), BYTES("\x08\1" DIMS_2_3 "\x3a\2\x0a\0") } }, 2, ERR_FORMAT,
	  "another rank" },
	{ { HEADER, { BYTES("x"), BYTES("\x08\1\x3a\2\x0a\0") } }, 2, ERR_FORMAT, "another rank" },
};

START_TEST(refused_tables)
{
	struct err err;

	ck_assert(!open_rows(refused[_i].row, refused[_i].n, &err));
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.msg, refused[_i].words), "%s", err.msg);
	close_checkpoint();
}
END_TEST

static void stop(struct progress *progress)
{
	progress->cancel = true;
}

START_TEST(reading_is_stopped)
{
	struct progress progress = { .tick = stop };
	struct err err = {0};

	ck_assert(file_open(&file, RECORDED "tf2/ckpt-10.index", &err));
	ck_assert(!checkpoint_open(&checkpoint, &file, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	close_checkpoint();
}
END_TEST

/* The checksum finds what is changed; a cut is found before. */
START_TEST(every_cut_and_change)
{
	struct str bytes = {0};
	struct err err;

	ck_assert(read_whole(RECORDED "tf1/model.ckpt-100.index", &bytes));
	for (size_t len = 0; len < bytes.len; len++) {
		ck_assert(!open_path(file_of(bytes.text, len), &err));
		ck_assert(err.code != ERR_NONE && err.msg[0] && strstr(err.src, "message"));
		close_checkpoint();
	}
	for (size_t i = 0; i < bytes.len; i++)
		for (int bit = 1; bit < 256; bit *= 2) {
			bytes.text[i] = (char)(bytes.text[i] ^ bit);
			ck_assert(open_path(file_of(bytes.text, bytes.len), &err)
			          == (err.code == ERR_NONE));
			close_checkpoint();
			bytes.text[i] = (char)(bytes.text[i] ^ bit);
		}
	str_release(&bytes);
}
END_TEST

/* The same within the entries, with checksums that are right. */
START_TEST(every_change_of_an_entry)
{
	static const char entry[] = "\x08\1" DIMS_2_3 "\x20\5\x28\x18\x35zzzz\x3a\4\x0a\0\x0a\0";
	char changed[sizeof entry - 1];
	const struct table_row rows[] = { HEADER, { BYTES("x"), changed, sizeof changed } };
	struct err err;

	for (size_t i = 0; i < sizeof changed; i++)
		for (int byte = 0; byte < 256; byte++) {
			memcpy(changed, entry, sizeof changed);
			changed[i] = (char)byte;
			ck_assert(open_rows(rows, 2, &err) == (err.code == ERR_NONE));
			close_checkpoint();
		}
}
END_TEST

SUITE_MAIN("checkpoint",
	tcase_add_test(t, recorded_with_parts);
	tcase_add_test(t, recorded_with_objects);
	tcase_add_test(t, version_1_is_refused);
	tcase_add_loop_test(t, keys_of_parts, 0, ROWS(keys));
	tcase_add_loop_test(t, made_entries, 0, ROWS(made));
	tcase_add_loop_test(t, refused_tables, 0, ROWS(refused));
	tcase_add_test(t, reading_is_stopped);
	tcase_add_test(t, every_cut_and_change);
	tcase_add_test(t, every_change_of_an_entry);)
