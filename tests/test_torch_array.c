/* Files of torch.save as arrays: the elements of their views, and what is told of them. */
#include "tests/suite.h"

#include <string.h>

#include "dump/arrays/source.h"
#include "dump/arrays/torch_array.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_torch.h"
#include "tests/small_zip.h"

#define RECORDED "testdata/torch/"
#define LETTERS PK_STORAGE("torch\nByteStorage", "0", "\x18")
#define BYTES(text) text, sizeof(text) - 1

static struct arena mem;
static struct array_list list;

static bool list_path(const char *path, struct err *err)
{
	*err = (struct err){0};
	list = (struct array_list){ .mem = &mem };
	return array_torch.list(path, &list, err);
}

/* The storage is 24 letters. */
static const char *file_with(const char *pickle, size_t len, const struct zip_part *storage)
{
	const struct zip_part parts[] = {
		{ .name = "top/data.pkl", .bytes = pickle, .len = len, .method = 8 },
		*storage,
	};
	struct str made = {0};
	const char *path;

	put_zip(&made, ZIP_PLAIN, "", "", parts, 2);
	path = file_of(made.text, made.len);
	str_release(&made);
	return path;
}

static void done(void)
{
	array_list_release(&list);
	arena_release(&mem);
}

/* All elements, one by one and at once. */
static void show_letters(struct array *array, const char *path, struct str *out)
{
	struct err err = {0};
	struct value *value;
	char *all;

	array->file = path;
	ck_assert_msg(!array->why, "%s", array->why);
	value = array_value(array, &err);
	ck_assert_msg(value, "%s", err.msg);
	all = malloc((size_t)value->count + 1);
	ck_assert(value_read(value, 0, (size_t)value->count, all, &err));
	str_put(out, all, (size_t)value->count);
	for (uint64_t i = value->count; i-- > 0; ) {
		char one;

		ck_assert(value_read(value, i, 1, &one, &err));
		ck_assert_int_eq(one, all[i]);
	}
	free(all);
	value_close(value);
}

static const struct { const char *pickle; size_t len; const char *letters; } views[] = {
	{ BYTES(PK_TENSOR(LETTERS, "K\0", "K\x18\x85", "K\1\x85") "."),
	  "abcdefghijklmnopqrstuvwx" },
	{ BYTES(PK_TENSOR(LETTERS, "K\x17", ")", ")") "."), "x" },
	{ BYTES(PK_TENSOR(LETTERS, "K\2", "K\3K\2\x86", "K\2K\1\x86") "."), "cdefgh" },
	/* a row's part, a column, each second, transposed, the same again and again */
	{ BYTES(PK_TENSOR(LETTERS, "K\1", "K\3K\2\x86", "K\4K\1\x86") "."), "bcfgjk" },
	{ BYTES(PK_TENSOR(LETTERS, "K\1", "K\3K\1\x86", "K\4K\1\x86") "."), "bfj" },
	{ BYTES(PK_TENSOR(LETTERS, "K\0", "K\4\x85", "K\2\x85") "."), "aceg" },
	{ BYTES(PK_TENSOR(LETTERS, "K\0", "K\4K\2\x86", "K\1K\4\x86") "."), "aebfcgdh" },
	{ BYTES(PK_TENSOR(LETTERS, "K\3", "K\2K\3\x86", "K\0K\0\x86") "."), "dddddd" },
	{ BYTES(PK_TENSOR(LETTERS, "K\5", "K\2K\3\x86", "K\0K\1\x86") "."), "fghfgh" },
	{ BYTES(PK_TENSOR(LETTERS, "K\5", "K\3\x85", "J\xfe\xff\xff\xff\x85") "."), "fdb" },
	{ BYTES(PK_TENSOR(LETTERS, "K\0", "K\2K\0\x86", "K\0K\1\x86") "."), "" },
};

START_TEST(elements_of_views)
{
	struct zip_part storage = { .name = "top/data/0", .bytes = "abcdefghijklmnopqrstuvwx",
	                            .len = 24, .method = _i % 2 ? 8 : 0 };
	const char *path = file_with(views[_i / 2].pickle, views[_i / 2].len, &storage);
	struct str letters = {0};
	struct err err;

	ck_assert_msg(list_path(path, &err), "%s", err.msg);
	ck_assert_uint_eq(list.at.len, 1);
	ck_assert_ptr_null(list.at.at[0]->name);
	show_letters(list.at.at[0], path, &letters);
	ck_assert_str_eq(str_text(&letters), views[_i / 2].letters);
	str_release(&letters);
	done();
}
END_TEST

static const struct { struct zip_part storage; const char *why; } unread[] = {
	{ { .name = "top/data/0", .bytes = "abcdefgh", .len = 8 }, "It lies outside its storage." },
	{ { .name = "top/data/1", .bytes = "abcdefgh", .len = 8 },
	  "Its storage is missing from the file." },
	{ { .name = "top/data/0", .bytes = "abcdefghijklmnopqrstuvwx", .len = 24, .flags = 1 },
	  "Its storage: top/data/0 is encrypted." },
};

/* The other tensors stay as they are. */
START_TEST(a_tensor_without_value)
{
	const char *path = file_with(BYTES(PK_TENSOR(LETTERS, "K\0", "K\x18\x85", "K\1\x85") "."),
	                             &unread[_i].storage);
	struct err err;

	ck_assert_msg(list_path(path, &err), "%s", err.msg);
	ck_assert_str_eq(list.at.at[0]->why, unread[_i].why);
	ck_assert_uint_eq(list.at.at[0]->size_bytes, 24);
	done();
}
END_TEST

START_TEST(an_old_file_is_refused)
{
	struct err err;

	ck_assert(!list_path(file_of("\x80\2\x8a\x0al\xfc\x9c" "F\xf9 j\xa8P\x19.", 14), &err));
	ck_assert_str_eq(err.msg, "an old PyTorch file; save it again with torch ≥ 1.6.");
	ck_assert_int_eq(err.damage, DAMAGE_WHOLE);
	done();
}
END_TEST

START_TEST(numbers_are_facts)
{
	static const char *const facts[][2] = {
		{ "int", "-3" }, { "large", "18446744073709551615" }, { "real", "0.05" },
		{ "inf", "-Infinity" }, { "true", "true" }, { "text", "ab" },
	};
	const struct zip_part none = { .name = "top/data/9", .bytes = "", .len = 0 };
	struct err err;

	ck_assert(list_path(file_with(BYTES(
		"}(X\3\0\0\0intJ\xfd\xff\xff\xffX\5\0\0\0large\x8a\x09\xff\xff\xff\xff\xff\xff\xff"
		"\xff\0X\4\0\0\0realG\x3f\xa9\x99\x99\x99\x99\x99\x9aX\3\0\0\0infG\xff\xf0\0\0\0\0"
		"\0\0X\4\0\0\0true\x88X\4\0\0\0textX\2\0\0\0abu."), &none), &err));
	ck_assert_uint_eq(list.facts.len, ROWS(facts));
	for (int i = 0; i < ROWS(facts); i++) {
		const struct run_fact *fact = &list.facts.at[i];

		ck_assert_str_eq(fact->key, facts[i][0]);
		ck_assert_str_eq(fact->text, facts[i][1]);
		ck_assert_int_eq(fact->is_text, i == 3 || i == 5);
	}
	done();
}
END_TEST

START_TEST(a_recorded_file_is_a_dump)
{
	struct shell *shell = session_of(RECORDED "checkpoint.pth");
	struct str text = {0};

	ck_assert(session_ask(shell, "lt", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "26 dumped tensor(s)"));
	ck_assert_ptr_nonnull(strstr(text.text, "(4, 3, 3, 3) model.layer1.0.conv.weight\n"));
	ck_assert_ptr_nonnull(strstr(text.text, "optimizer.state.0.momentum_buffer"));
	ck_assert(session_ask(shell, "pt model.fc.bias", &text));
	ck_assert_ptr_nonnull(strstr(text.text,
	                             "array([-0.28192216, -0.36934596,  0.1932256 ,  0.40473172, "
	                             "-0.2524429 ],\n      dtype=float32)"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* A bare tensor is called as its file is. */
START_TEST(a_recorded_tensor_is_a_dump)
{
	struct shell *shell = session_of(RECORDED "tensor.pt");
	struct str text = {0};

	ck_assert(session_ask(shell, "pt tensor", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "array([[1., 1.],\n       [1., 1.]]"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* What is not found while it is listed must not do harm when its value is read. */
START_TEST(every_change)
{
	struct str bytes = {0}, text = {0};
	struct err err;

	ck_assert(read_whole(RECORDED "tensor.pt", &bytes));
	for (size_t i = 0; i < bytes.len; i++) {
		const char *path;

		bytes.text[i] = (char)(bytes.text[i] ^ 1 << i % 8);
		path = file_of(bytes.text, bytes.len);
		if (list_path(path, &err) && list.at.len && !list.at.at[0]->why) {
			struct value *value;

			list.at.at[0]->file = path;
			value = array_value(list.at.at[0], &err);
			ck_assert(value || err.code);
			if (value && value->count) {
				char elem[16];

				value_read(value, value->count - 1, 1, elem, &err);
			}
			value_close(value);
		}
		done();
		bytes.text[i] = (char)(bytes.text[i] ^ 1 << i % 8);
	}
	str_release(&bytes);
	str_release(&text);
}
END_TEST

/* It was saved after torch.serialization.set_crc32_options(False). */
START_TEST(a_recorded_file_may_have_no_checksums)
{
	struct shell *shell = session_of(RECORDED "no_checksums.pt");
	struct str text = {0};
	struct err err;

	ck_assert(session_ask(shell, "pt w", &text));
	ck_assert_ptr_nonnull(strstr(text.text, "array([1., 2., 3.]"));
	str_release(&text);
	shell_free(shell);
	ck_assert(list_path(RECORDED "no_checksums.pt", &err));
	ck_assert(!list.at.at[0]->has_crc);
	done();
}
END_TEST

/* 0.25, 1, 2, 4, 1024, 2^-60 */
START_TEST(exponents_are_elements)
{
	struct shell *shell = session_of(RECORDED "e8m0.pt");
	struct str text = {0};

	ck_assert(session_ask(shell, "pt x", &text));
	ck_assert(strstr(text.text, "0.25") && strstr(text.text, "1024"));
	ck_assert_ptr_nonnull(strstr(text.text, "8.67362e-19"));
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* Each is whole; the last alone would be shown as if it were all. */
START_TEST(several_files_in_one_are_refused)
{
	struct str once = {0}, twice = {0};
	struct err err;

	ck_assert(read_whole(RECORDED "tensor.pt", &once));
	str_put(&twice, once.text, once.len);
	str_put(&twice, once.text, once.len);
	ck_assert(!list_path(file_of(twice.text, twice.len), &err));
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.msg, "a distributed checkpoint"));
	done();
	str_release(&once);
	str_release(&twice);
}
END_TEST

/* What a directory is searched for. */
static const struct { const char *name; bool is; } names[] = {
	{ "a.pt", true }, { "a.pth", true }, { "pytorch_model.bin", true },
	{ "pytorch_model-00001-of-00002.bin", true }, { "model.bin", false },
	{ "pytorch_model.bin.index.json", false },
};

START_TEST(files_are_found_by_name)
{
	ck_assert_msg((array_format_named(names[_i].name) == &array_torch) == names[_i].is, "%s",
	              names[_i].name);
}
END_TEST

SUITE_MAIN("torch_array",
	tcase_add_loop_test(t, elements_of_views, 0, 2 * ROWS(views));
	tcase_add_loop_test(t, a_tensor_without_value, 0, ROWS(unread));
	tcase_add_test(t, an_old_file_is_refused);
	tcase_add_test(t, numbers_are_facts);
	tcase_add_test(t, a_recorded_file_is_a_dump);
	tcase_add_test(t, a_recorded_tensor_is_a_dump);
	tcase_add_test(t, a_recorded_file_may_have_no_checksums);
	tcase_add_test(t, exponents_are_elements);
	tcase_add_test(t, several_files_in_one_are_refused);
	tcase_add_loop_test(t, files_are_found_by_name, 0, ROWS(names));
	tcase_add_test(t, every_change);)
