/* Zip archives: what their list says and what is refused, whatever is wrong in them. */
#include "tests/suite.h"

#include <string.h>

#include "dump/format/zip.h"
#include "tests/message.h"
#include "tests/small_zip.h"

static const struct zip_part two[] = {
	{ .name = "a/b", .bytes = "stored bytes", .len = 12 },
	{ .name = "c", .bytes = "deflated ones", .len = 13, .method = 8 },
};

static struct file file;
static struct zip zip;

static bool open_bytes(const void *bytes, size_t len, struct err *err)
{
	*err = (struct err){0};
	ck_assert(file_open(&file, file_of(bytes, len), err));
	return zip_open(&zip, &file, NULL, err);
}

static bool open_made(enum zip_form form, const char *before, const char *comment,
                      const struct zip_part *part, size_t n, struct err *err)
{
	struct str made = {0};
	bool ok;

	put_zip(&made, form, before, comment, part, n);
	ok = open_bytes(made.text, made.len, err);
	str_release(&made);
	return ok;
}

static void close_zip(void)
{
	zip_release(&zip);
	file_close(&file);
}

static void holds(const char *name, const char *text)
{
	const struct zip_member *member = zip_find(&zip, name);
	struct err err = {0};
	char *bytes;

	ck_assert_msg(member, "%s", name);
	bytes = zip_read(&zip, member, 1000, NULL, &err);
	ck_assert_msg(bytes, "%s", err.msg);
	ck_assert_str_eq(bytes, text);
	free(bytes);
}

static const struct { enum zip_form form; const char *before, *comment; } forms[] = {
	{ ZIP_PLAIN, "", "" },
	{ ZIP_PLAIN, "#!/bin/sh\n", "" },
	{ ZIP_PLAIN, "", "a comment with PK\5\6 in it, and more than 22 bytes behind that" },
	{ ZIP_LARGE, "", "" },
	{ ZIP_LARGE, "something before", "and behind" },
};

START_TEST(members_are_found)
{
	struct err err;

	ck_assert_msg(open_made(forms[_i].form, forms[_i].before, forms[_i].comment, two, 2, &err),
	              "%s", err.msg);
	ck_assert_uint_eq(zip.members.len, 2);
	ck_assert_str_eq(zip.members.at[0].name, "a/b");
	ck_assert(zip_is_stored(&zip.members.at[0]) && !zip_is_stored(&zip.members.at[1]));
	ck_assert_ptr_null(zip.repeated);
	ck_assert_ptr_null(zip_find(&zip, "b"));
	holds("a/b", "stored bytes");
	holds("c", "deflated ones");
	close_zip();
}
END_TEST

/* As torch.distributed.checkpoint writes them. */
START_TEST(of_archives_in_a_row_the_last_is_read)
{
	static const struct zip_part first = { .name = "x", .bytes = "first", .len = 5 };
	static const struct zip_part last = { .name = "x", .bytes = "later", .len = 5 };
	struct str made = {0};
	size_t len;
	struct err err;

	put_zip(&made, (enum zip_form)_i, "", "", &first, 1);
	len = made.len;
	put_zip(&made, (enum zip_form)_i, "", "", &last, 1);
	ck_assert_msg(open_bytes(made.text, made.len, &err), "%s", err.msg);
	ck_assert_uint_eq(zip.members.len, 1);
	ck_assert_uint_eq(zip.members.at[0].head_off, len);
	holds("x", "later");
	close_zip();
	str_release(&made);
}
END_TEST

START_TEST(the_last_of_a_name_counts)
{
	static const struct zip_part parts[] = {
		{ .name = "x", .bytes = "first", .len = 5 },
		{ .name = "y", .bytes = "other", .len = 5 },
		{ .name = "x", .bytes = "last", .len = 4 },
	};
	struct err err;

	ck_assert(open_made(ZIP_PLAIN, "", "", parts, 3, &err));
	ck_assert_uint_eq(zip.members.len, 2);
	ck_assert_str_eq(zip.members.at[0].name, "x");
	ck_assert_str_eq(zip.repeated, "x");
	holds("x", "last");
	close_zip();
}
END_TEST

START_TEST(names_are_utf8)
{
	static const struct zip_part parts[] = {
		{ .name = "\x7f\x80\x81\xe3\x9e", .bytes = "", .len = 0 },
		{ .name = "\xc3\xbc", .bytes = "", .len = 0, .flags = 1 << 11 },
		{ .name = "../../etc/passwd", .bytes = "", .len = 0 },
	};
	struct err err;

	ck_assert(open_made(ZIP_PLAIN, "", "", parts, 3, &err));
	ck_assert_str_eq(zip.members.at[0].name, "\x7fÇüπ₧");
	ck_assert_str_eq(zip.members.at[1].name, "ü");
	ck_assert_str_eq(zip.members.at[2].name, "../../etc/passwd");
	close_zip();
}
END_TEST

START_TEST(members_are_as_large_as_the_limit)
{
	struct err err;
	char *bytes;

	ck_assert(open_made(ZIP_PLAIN, "", "", two, 2, &err));
	bytes = zip_read(&zip, zip_find(&zip, "a/b"), strlen("stored bytes"), NULL, &err);
	ck_assert_str_eq(bytes, "stored bytes");
	free(bytes);
	ck_assert_ptr_null(zip_read(&zip, zip_find(&zip, "a/b"), strlen("stored bytes") - 1, NULL,
	                            &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	close_zip();
}
END_TEST

/* DOS counts in units of two seconds: 2020-01-01 00:00:58. */
START_TEST(members_have_times)
{
	struct str made = {0};
	struct err err;
	char *entry;

	put_zip(&made, ZIP_PLAIN, "", "", two, 1);
	entry = memmem(made.text, made.len, "PK\1\2", 4);
	memcpy(entry + 12, (const unsigned char[]){ 29, 0, 0x21, 0x50 }, 4);
	ck_assert(open_bytes(made.text, made.len, &err));
	ck_assert_int_eq(zip.members.at[0].changed_s, 1577836858);
	close_zip();
	str_release(&made);
}
END_TEST

START_TEST(nothing_is_an_archive_too)
{
	struct err err;

	ck_assert(open_made(ZIP_PLAIN, "", "", NULL, 0, &err));
	ck_assert_uint_eq(zip.members.len, 0);
	close_zip();
}
END_TEST

/* So are archives of PyTorch after torch.serialization.set_crc32_options(False). */
START_TEST(members_may_have_no_checksum)
{
	static const struct zip_part part = { .name = "x", .bytes = "abc", .len = 3,
	                                      .no_sum = true };
	struct err err;

	ck_assert(open_made(ZIP_PLAIN, "", "", &part, 1, &err));
	holds("x", "abc");
	close_zip();
}
END_TEST

static const struct {
	struct zip_part part;
	enum err_code code;
	const char *words;
} refused[] = {
	{ { .name = "x", .bytes = "abc", .len = 3, .flags = 1 }, ERR_UNSUPPORTED,
	  "x is encrypted" },
	{ { .name = "x", .bytes = "abc", .len = 3, .method = 12 }, ERR_UNSUPPORTED,
	  "x is packed by method 12, which is not read" },
	{ { .name = "x", .bytes = "abc", .len = 3, .bad_sum = true }, ERR_FORMAT,
	  "x has another checksum" },
	{ { .name = "x", .bytes = "abc", .len = 3, .more = 500 }, ERR_FORMAT, "not all there" },
	{ { .name = "x", .bytes = "abc", .len = 3, .more = 2000 }, ERR_FORMAT, "not all there" },
	{ { .name = "x", .bytes = "abc", .len = 3, .more = INT64_C(1) << 41 }, ERR_LIMIT,
	  "bytes" },
	{ { .name = "x", .bytes = "abc", .len = 3, .method = 8, .more = 5 }, ERR_FORMAT,
	  "3 bytes come out, 8 were expected" },
	{ { .name = "x", .bytes = "abc", .len = 3, .method = 8, .more = 2000 }, ERR_LIMIT,
	  "x has 2003 bytes" },
};

START_TEST(members_that_are_refused)
{
	struct err err;

	ck_assert(open_made(ZIP_LARGE, "", "", &refused[_i].part, 1, &err));
	ck_assert_ptr_null(zip_read(&zip, &zip.members.at[0], 1000, NULL, &err));
	ck_assert_int_eq(err.code, refused[_i].code);
	ck_assert_msg(strstr(err.msg, refused[_i].words), "%s", err.msg);
	close_zip();
}
END_TEST

/* Opens what may be damaged, and reads all that it is said to hold. */
static bool read_all(const void *bytes, size_t len)
{
	struct err err;
	bool ok = open_bytes(bytes, len, &err);

	ck_assert(ok == (err.code == ERR_NONE));
	ck_assert(ok || strstr(err.src, "message"));
	for (size_t i = 0; ok && i < zip.members.len; i++) {
		char *read = zip_read(&zip, &zip.members.at[i], 1000, NULL, &err);

		ok = read;
		free(read);
	}
	close_zip();
	return ok;
}

START_TEST(every_cut)
{
	struct str made = {0};

	put_zip(&made, (enum zip_form)_i, "", "", two, 2);
	ck_assert(read_all(made.text, made.len));
	for (size_t len = 0; len < made.len; len++)
		ck_assert_msg(!read_all(made.text, len), "cut to %zu", len);
	str_release(&made);
}
END_TEST

START_TEST(every_change)
{
	struct str made = {0};

	put_zip(&made, (enum zip_form)_i, "before", "behind", two, 2);
	for (size_t i = 0; i < made.len; i++)
		for (int bit = 1; bit < 256; bit *= 2) {
			made.text[i] = (char)(made.text[i] ^ bit);
			read_all(made.text, made.len);
			made.text[i] = (char)(made.text[i] ^ bit);
		}
	str_release(&made);
}
END_TEST

static void stop(struct progress *progress)
{
	progress->cancel = true;
}

START_TEST(reading_is_stopped)
{
	struct progress progress = { .tick = stop };
	struct str made = {0};
	struct err err = {0};

	put_zip(&made, ZIP_PLAIN, "", "", two, 2);
	ck_assert(file_open(&file, file_of(made.text, made.len), &err));
	ck_assert(!zip_open(&zip, &file, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	close_zip();
	str_release(&made);
}
END_TEST

SUITE_MAIN("zip",
	tcase_add_loop_test(t, members_are_found, 0, ROWS(forms));
	tcase_add_loop_test(t, of_archives_in_a_row_the_last_is_read, 0, 2);
	tcase_add_test(t, the_last_of_a_name_counts);
	tcase_add_test(t, names_are_utf8);
	tcase_add_test(t, members_are_as_large_as_the_limit);
	tcase_add_test(t, members_have_times);
	tcase_add_test(t, nothing_is_an_archive_too);
	tcase_add_test(t, members_may_have_no_checksum);
	tcase_add_loop_test(t, members_that_are_refused, 0, ROWS(refused));
	tcase_add_loop_test(t, every_cut, 0, 2);
	tcase_add_loop_test(t, every_change, 0, 2);
	tcase_add_test(t, reading_is_stopped);)
