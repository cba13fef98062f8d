/* What is unpacked of a part of a file comes once, as long as the file stays as it was. */
#include "tests/suite.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/progress.h"
#include "dump/format/input.h"
#include "dump/format/unpack.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_tar.h"

enum { LEN = 200 * 1000, HEAD = 10, TAIL = 8 /* what gzip puts around */ };

static char *root;
static struct str text, packed, path;

static void set_up(void)
{
	root = scratch_new();
	for (int i = 0; i < LEN; i++)
		str_putc(&text, (char)(i % 251));
	put_gzip(&packed, text.text, text.len);
	dump_put(root, "packed", packed.text, packed.len);
	str_fmt(&path, "%s/packed", root);
}

static void tear_down(void)
{
	scratch_remove(root);
	str_release(&text);
	str_release(&packed);
	str_release(&path);
}

/* The last byte of the first `len` that come out. */
static bool read_end(uint64_t len, struct err *err)
{
	struct input input;
	char byte = 0;
	bool ok;

	*err = (struct err){0};
	ok = input_of_packed(&input, path.text, HEAD, packed.len - HEAD - TAIL, len, err);
	ck_assert_msg(ok, "%s", err->msg);
	ok = input_read(&input, len - 1, 1, &byte, err);
	ck_assert(!ok || byte == text.text[len - 1]);
	input_release(&input);
	return ok;
}

/* Nothing comes out of it any more, and nobody sees that it was changed. */
static void spoil(void)
{
	struct stat st;

	ck_assert_int_eq(stat(path.text, &st), 0);
	memset(packed.text + HEAD, 0xff, packed.len - HEAD);
	dump_put(root, "packed", packed.text, packed.len);
	utimensat(AT_FDCWD, path.text, (struct timespec[]){ st.st_atim, st.st_mtim }, 0);
}

START_TEST(it_is_unpacked_once)
{
	struct err err;

	ck_assert_msg(read_end(LEN, &err), "%s", err.msg);
	spoil();
	for (int i = 0; i < 3; i++)
		ck_assert_msg(read_end(LEN, &err), "%s", err.msg);
}
END_TEST

/* Two at once read the same; both are whole. */
START_TEST(two_read_it)
{
	struct input input[2];
	struct err err = {0};
	char byte;

	for (int i = 0; i < 2; i++)
		ck_assert(input_of_packed(&input[i], path.text, HEAD, packed.len - HEAD - TAIL, LEN,
		                          &err));
	for (int i = 0; i < 2; i++) {
		ck_assert(input_read(&input[i], LEN / 2, 1, &byte, &err));
		ck_assert(byte == text.text[LEN / 2]);
	}
	for (int i = 0; i < 2; i++)
		input_release(&input[i]);
	ck_assert(read_end(LEN, &err));
}
END_TEST

START_TEST(a_file_that_changed_is_unpacked_again)
{
	struct err err;

	ck_assert(read_end(LEN, &err));
	spoil();
	utimensat(AT_FDCWD, path.text, (struct timespec[]){ { 1, 0 }, { 1, 0 } }, 0);
	ck_assert(!read_end(LEN, &err));
	ck_assert_int_eq(err.code, ERR_FORMAT);
}
END_TEST

START_TEST(what_failed_fails_again)
{
	struct err err;

	spoil();
	for (int i = 0; i < 2; i++) {
		ck_assert(!read_end(LEN, &err));
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
}
END_TEST

START_TEST(no_more_comes_out_than_is_allowed)
{
	struct err err;

	temp_most = LEN - 1;
	ck_assert(!read_end(LEN, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert(!err_has_place(&err));
	ck_assert_ptr_nonnull(strstr(err.msg, "--max-temp"));
	temp_most = LEN;
	ck_assert(read_end(LEN, &err));
}
END_TEST

/* Of several the one that was not asked for longest makes room. */
START_TEST(the_oldest_goes)
{
	struct err err;

	temp_most = LEN * 2;
	ck_assert(read_end(LEN, &err));
	ck_assert(read_end(LEN - 1, &err));
	ck_assert(read_end(LEN, &err));
	ck_assert(read_end(LEN - 2, &err));
	spoil();
	ck_assert(read_end(LEN, &err));
	ck_assert(read_end(LEN - 2, &err));
	ck_assert(!read_end(LEN - 1, &err));
}
END_TEST

/* What came out before is not lost. */
START_TEST(it_is_stopped_and_goes_on)
{
	struct progress progress = {0};
	struct input input;
	struct err err = {0};
	char byte;

	progress_enter(&progress);
	ck_assert(input_of_packed(&input, path.text, HEAD, packed.len - HEAD - TAIL, LEN, &err));
	ck_assert(input_read(&input, LEN / 2, 1, &byte, &err));
	progress.cancel = true;
	ck_assert(input_read(&input, LEN / 2, 1, &byte, &err));
	ck_assert(!input_read(&input, LEN - 1, 1, &byte, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	progress.cancel = false;
	err = (struct err){0};
	ck_assert(input_read(&input, LEN - 1, 1, &byte, &err) && byte == text.text[LEN - 1]);
	input_release(&input);
	progress_enter(NULL);
	spoil();
	ck_assert(read_end(LEN, &err));
}
END_TEST

SUITE_MAIN("unpacked",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_test(t, it_is_unpacked_once);
	tcase_add_test(t, two_read_it);
	tcase_add_test(t, a_file_that_changed_is_unpacked_again);
	tcase_add_test(t, what_failed_fails_again);
	tcase_add_test(t, no_more_comes_out_than_is_allowed);
	tcase_add_test(t, the_oldest_goes);
	tcase_add_test(t, it_is_stopped_and_goes_on);)
