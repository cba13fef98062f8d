/* Archives: what is in them opens, nothing leaves the place it is unpacked to. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/files/archive.h"
#include "dump/files/walk.h"
#include "dump/target.h"
#include "tests/input.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static char *root;

static void set_up(void)
{
	root = scratch_new();
	setenv("TMPDIR", root, 1);
}

static void tear_down(void)
{
	scratch_remove(root);
}

/* Good until the next call. */
static const char *path_in(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s/%s", root, name);
	return path.text;
}

static void put_member(struct str *out, const char *name, char type, const char *bytes, size_t len)
{
	char head[512] = {0};
	unsigned sum = 0;

	memcpy(head, name, strnlen(name, 100));
	snprintf(head + 124, 12, "%011zo", len);
	snprintf(head + 136, 12, "%011o", 1000);
	head[156] = type;
	memcpy(head + 257, "ustar\00000", 8);
	memset(head + 148, ' ', 8);
	for (size_t i = 0; i < sizeof head; i++)
		sum += (unsigned char)head[i];
	snprintf(head + 148, 8, "%06o", sum);
	str_put(out, head, sizeof head);
	str_put(out, bytes, len);
	str_fill(out, '\0', (512 - len % 512) % 512);
}

static void put_array(struct str *out, const char *name, char type)
{
	struct str file = {0};
	static const char dict[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}";

	str_put(&file, "\x93NUMPY\1\0", 8);
	put_fixed(&file, sizeof dict - 1, 2);
	str_puts(&file, dict);
	str_put(&file, "\1\0\2\0", 4);
	put_member(out, name, type, file.text, type == '0' ? file.len : 0);
	str_release(&file);
}

static void put_end(struct str *out)
{
	str_fill(out, '\0', 1024);
}

static bool open_path(const char *path, struct target *target, struct opened *opened,
                      struct err *err)
{
	*opened = (struct opened){ .profile = profile_new() };
	*err = (struct err){0};
	return target_open(path, target, opened, err);
}

static void close_target(struct target *target, struct opened *opened)
{
	runs_close(opened->runs);
	profile_close(opened->profile);
	target_release(target);
}

static struct run *load(struct opened *opened)
{
	struct err err = {0};
	struct run *run;

	ck_assert(opened->runs);
	run = runs_open_run(opened->runs, opened->runs->list.at[0], &err);
	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

/* How many there are in the place where archives are unpacked. */
static size_t count_places(void)
{
	struct listing list = {0};
	size_t n = 0;

	ck_assert(listing_of(&list, root, NULL));
	for (size_t i = 0; i < list.entries.len; i++)
		n += !strncmp(list.entries.at[i].name, "tensordbg-", 10);
	listing_release(&list);
	return n;
}

START_TEST(what_is_in_it_opens)
{
	struct str tar = {0};
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	put_member(&tar, "d/", '5', "", 0);
	put_array(&tar, "d/b.npy", '0');
	put_member(&tar, "pax", 'x', "20 path=d/x/a12.npy\n", 20);
	put_array(&tar, "short", '0');
	put_end(&tar);
	dump_put(root, "a.tar", tar.text, tar.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert_uint_eq(count_places(), 1);
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, 2);
	ck_assert_str_eq(run->tensors.at[0].node, "d/b");
	ck_assert_str_eq(run->tensors.at[1].node, "d/x/a12");
	run_close(run);
	close_target(&target, &opened);
	ck_assert_uint_eq(count_places(), 0);
	str_release(&tar);
}
END_TEST

START_TEST(nothing_leaves_its_place)
{
	static const struct { const char *name; char type; } bad[] = {
		{ "../out.npy", '0' }, { "/tmp/out.npy", '0' }, { "a/../../out.npy", '0' },
		{ "..", '0' }, { "link.npy", '2' }, { "hard.npy", '1' }, { "pipe.npy", '6' },
	};
	struct str tar = {0};
	struct opened opened;
	struct target target;
	struct stat st;
	struct err err;
	struct run *run;

	for (size_t i = 0; i < ROWS(bad); i++)
		put_array(&tar, bad[i].name, bad[i].type);
	put_array(&tar, "good.npy", '0');
	put_end(&tar);
	dump_put(root, "a.tar", tar.text, tar.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(strstr(target.note, "7 members were passed over"));
	ck_assert_int_ne(stat(path_in("out.npy"), &st), 0);
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, 1);
	run_close(run);
	close_target(&target, &opened);
	str_release(&tar);
}
END_TEST

START_TEST(no_more_comes_out_than_is_allowed)
{
	struct str tar = {0};
	struct opened opened;
	struct target target;
	struct err err;

	put_array(&tar, "a.npy", '0');
	put_end(&tar);
	dump_put(root, "a.tar", tar.text, tar.len);
	archive_most = 20;
	ck_assert(!open_path(path_in("a.tar"), &target, &opened, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_uint_eq(count_places(), 0);
	close_target(&target, &opened);
	str_release(&tar);
}
END_TEST

/* Cut or changed anywhere: it opens or is refused, and nothing is left. */
START_TEST(disturbed_anywhere)
{
	struct str tar = {0};
	struct opened opened;
	struct target target;
	struct err err;

	put_member(&tar, "pax", 'x', "20 path=d/x/a12.npy\n", 20);
	put_array(&tar, "a.npy", '0');
	put_end(&tar);
	for (size_t i = 0; i < 2 * tar.len; i += i < tar.len ? 31 : 1) {
		size_t at = i - tar.len;

		if (i >= tar.len)
			tar.text[at] ^= (char)0x81;
		dump_put(root, "a.tar", tar.text, i < tar.len ? i : tar.len);
		ck_assert(open_path(path_in("a.tar"), &target, &opened, &err) || *err.msg);
		close_target(&target, &opened);
		if (i >= tar.len)
			tar.text[at] ^= (char)0x81;
	}
	ck_assert_uint_eq(count_places(), 0);
	str_release(&tar);
}
END_TEST

SUITE_MAIN("archive",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_set_timeout(t, 60);
	tcase_add_test(t, what_is_in_it_opens);
	tcase_add_test(t, nothing_leaves_its_place);
	tcase_add_test(t, no_more_comes_out_than_is_allowed);
	tcase_add_test(t, disturbed_anywhere);)
