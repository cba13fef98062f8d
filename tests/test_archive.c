/* Archives: what is in them opens where it is, nothing leads out of them. */
#include "tests/suite.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mount.h"
#include "dump/files/archive.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/format/unpack.h"
#include "dump/model/value.h"
#include "dump/target.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/small_tar.h"
#include "tests/small_zip.h"

static char *root;
static struct str array, made;

static void set_up(void)
{
	root = scratch_new();
	setenv("TMPDIR", root, 1);
	put_small_array(&array);
}

static void tear_down(void)
{
	scratch_remove(root);
	str_release(&array);
	str_release(&made);
}

/* Good until the next call. */
static const char *path_in(const char *name)
{
	static struct str path;

	str_reset(&path);
	str_fmt(&path, "%s/%s", root, name);
	return path.text;
}

static void put_array(struct str *out, const char *name, char type)
{
	put_tar_member(out, name, type, array.text, type == '0' ? array.len : 0);
}

static bool open_path(const char *path, struct target *target, struct opened *opened,
                      struct err *err)
{
	*opened = (struct opened){ .profile = profile_new() };
	*err = (struct err){0};
	return target_open(path, target, opened, NULL, err);
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

/* What is in the directory of scratch files, besides the archive. */
static size_t count_files(void)
{
	struct listing list = {0};
	size_t n;

	ck_assert(listing_of(&list, root, NULL));
	n = list.entries.len;
	listing_release(&list);
	return n - 1;
}

/* Ways to pack the same. */

static void make_tar(struct str *out)
{
	put_tar_member(out, "d/", '5', "", 0);
	put_array(out, "./d/b.npy", '0');
	put_tar_member(out, "pax", 'x', "20 path=d/x/a12.npy\n", 20);
	put_array(out, "short", '0');
	put_tar_end(out);
}

static void make_tar_gzip(struct str *out)
{
	struct str tar = {0};

	make_tar(&tar);
	put_gzip(out, tar.text, tar.len);
	str_release(&tar);
}

static void make_tar_zstd(struct str *out)
{
	struct str tar = {0};

	make_tar(&tar);
	put_zstd(out, tar.text, tar.len);
	str_release(&tar);
}

static void make_zip(struct str *out)
{
	const struct zip_part parts[] = {
		{ .name = "d/", .bytes = "" },
		{ .name = "d/b.npy", .bytes = array.text, .len = array.len },
		{ .name = "d/x/a12.npy", .bytes = array.text, .len = array.len, .method = 8 },
		{ .name = "readme", .bytes = "", .len = 0, .method = 8 },
	};

	put_zip(out, ZIP_PLAIN, "", "", parts, ROWS(parts));
}

static const struct { const char *name; void (*make)(struct str *out); } forms[] = {
	{ "a.tar", make_tar }, { "a.tar.gz", make_tar_gzip }, { "a.tar.zst", make_tar_zstd },
	{ "a.zip", make_zip },
};

START_TEST(what_is_in_it_opens)
{
	struct opened opened;
	struct target target;
	struct err err = {0};
	struct value *value;
	struct run *run;
	int16_t at;

	forms[_i].make(&made);
	dump_put(root, forms[_i].name, made.text, made.len);
	ck_assert_msg(open_path(path_in(forms[_i].name), &target, &opened, &err), "%s", err.msg);
	ck_assert_ptr_null(target.note);
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, 2);
	ck_assert_str_eq(run->tensors.at[0].node, "d/b");
	ck_assert_str_eq(run->tensors.at[1].node, "d/x/a12");
	for (size_t i = 0; i < 2; i++) {
		value = run_value(run, &run->tensors.at[i], &err);
		ck_assert_msg(value, "%s", err.msg);
		ck_assert(value_read(value, 1, 1, &at, &err));
		ck_assert(at == 2);
		value_close(value);
	}
	run_close(run);
	close_target(&target, &opened);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

/* A member is a file of its own size, a directory a list of names. */
START_TEST(paths_lead_into_it)
{
	struct listing list = {0};
	struct str shown = {0};
	struct opened opened;
	struct target target;
	struct file file;
	struct stat st;
	struct err err;

	make_tar(&made);
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert(!file_is_there(path_in("a.tar/d/b.npy")));
	ck_assert(open_path(path_in("a.tar"), &target, &opened, &err));
	ck_assert(file_stat(path_in("a.tar/d/b.npy"), &st));
	ck_assert(S_ISREG(st.st_mode) && st.st_size == (off_t)array.len);
	ck_assert(st.st_mtim.tv_sec == 1000);
	ck_assert(file_is_dir(path_in("a.tar")) && file_is_dir(path_in("a.tar//d/./x/")));
	ck_assert(!file_is_there(path_in("a.tar/d/c")) && !file_is_there(path_in("a.tarx")));
	ck_assert(listing_of(&list, path_in("a.tar/d"), &err));
	ck_assert_uint_eq(list.entries.len, 2);
	ck_assert_str_eq(list.entries.at[0].name, "b.npy");
	ck_assert(list.entries.at[1].kind == ENTRY_DIR);
	ck_assert(file_open(&file, path_in("a.tar/d/b.npy"), &err));
	ck_assert_ptr_nonnull(file_bytes(&file, 0, array.len, &err));
	ck_assert_ptr_null(file_bytes(&file, 1, array.len, &err));
	ck_assert(!file_read(&file, array.len - 1, 2, (char[2]){0}, &err));
	str_fmt(&shown, "%s: d/b.npy", path_in("a.tar"));
	ck_assert_str_eq(err.src, shown.text);
	file_close(&file);
	ck_assert(!file_open(&file, path_in("a.tar/d"), &err));
	ck_assert(!file_open(&file, path_in("a.tar/e"), &err));
	listing_release(&list);
	str_release(&shown);
	close_target(&target, &opened);
	ck_assert(!file_is_there(path_in("a.tar/d/b.npy")));
}
END_TEST

/* Names are the bytes that they are, whatever the locale. */
START_TEST(names_are_bytes)
{
	static const char *const locales[] = { "C", "C.UTF-8" };
	struct listing list = {0};
	struct opened opened;
	struct target target;
	struct err err;

	put_array(&made, "\xff.npy", '0');
	put_tar_member(&made, "pax", 'x', "15 path=\xc3\xb6.npy\n", 15);
	put_array(&made, "short", '0');
	put_tar_end(&made);
	dump_put(root, "a.tar", made.text, made.len);
	setlocale(LC_CTYPE, locales[_i]);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert(listing_of(&list, path_in("a.tar"), &err));
	ck_assert_uint_eq(list.entries.len, 2);
	ck_assert_str_eq(list.entries.at[0].name, "\xc3\xb6.npy");
	ck_assert_str_eq(list.entries.at[1].name, "\xff.npy");
	listing_release(&list);
	close_target(&target, &opened);
}
END_TEST

/* What is neither a file nor a directory is left out, and why. */
static const struct { char type; const char *why; } special[] = {
	{ '2', ": odd.npy (a link)" }, { '6', ": odd.npy (neither a file nor a directory)" },
};

START_TEST(special_members_are_left_out)
{
	struct opened opened;
	struct target target;
	struct err err;

	put_array(&made, "good.npy", '0');
	put_array(&made, "odd.npy", special[_i].type);
	put_tar_end(&made);
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert_msg(strstr(target.note, special[_i].why) != NULL, "%s", target.note);
	close_target(&target, &opened);
}
END_TEST

START_TEST(nothing_leads_out_of_it)
{
	static const struct { const char *name; char type; } bad[] = {
		{ "../out.npy", '0' }, { "/tmp/out.npy", '0' }, { "a/../../out.npy", '0' },
		{ "..", '0' }, { "link.npy", '2' }, { "hard.npy", '1' }, { "pipe.npy", '6' },
		{ "good.npy/below.npy", '0' },
	};
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	put_array(&made, "good.npy", '0');
	for (size_t i = 0; i < ROWS(bad); i++)
		put_array(&made, bad[i].name, bad[i].type);
	put_tar_end(&made);
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(strstr(target.note, "8 members are left out: "
	                             "../out.npy (leads out of the archive), "));
	ck_assert_ptr_nonnull(strstr(target.note, " and 5 more"));
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, 1);
	run_close(run);
	close_target(&target, &opened);
}
END_TEST

START_TEST(nothing_leads_out_of_a_zip)
{
	const struct zip_part parts[] = {
		{ .name = "readme", .bytes = "" },
		{ .name = "good.npy", .bytes = array.text, .len = array.len },
		{ .name = "../out.npy", .bytes = array.text, .len = array.len },
		{ .name = "/tmp/out.npy", .bytes = array.text, .len = array.len, .method = 8 },
		{ .name = "a/../../out.npy", .bytes = array.text, .len = array.len },
		{ .name = "link.npy", .bytes = "/etc/passwd", .len = 11, .is_link = true },
		{ .name = "good.npy/below.npy", .bytes = array.text, .len = array.len },
	};
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	put_zip(&made, ZIP_PLAIN, "", "", parts, ROWS(parts));
	dump_put(root, "a.zip", made.text, made.len);
	ck_assert_msg(open_path(path_in("a.zip"), &target, &opened, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(target.note);
	ck_assert_msg(strstr(target.note, "5 members are left out: ../out.npy (leads out of the "
	                     "archive), /tmp/out.npy (leads out of the archive)"),
	              "%s", target.note);
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, 1);
	run_close(run);
	close_target(&target, &opened);
}
END_TEST

/* Of what is packed; a plain archive is not unpacked. */
START_TEST(no_more_comes_out_than_is_allowed)
{
	struct opened opened;
	struct target target;
	struct err err;

	forms[_i].make(&made);
	dump_put(root, forms[_i].name, made.text, made.len);
	temp_most = 20;
	ck_assert_int_eq(open_path(path_in(forms[_i].name), &target, &opened, &err), !_i);
	ck_assert_int_eq(err.code, _i ? ERR_LIMIT : ERR_NONE);
	close_target(&target, &opened);
}
END_TEST

START_TEST(unpacking_wants_a_place)
{
	struct opened opened;
	struct target target;
	struct err err;

	forms[_i].make(&made);
	dump_put(root, forms[_i].name, made.text, made.len);
	setenv("TMPDIR", "/nowhere", 1);
	ck_assert_int_eq(open_path(path_in(forms[_i].name), &target, &opened, &err), !_i);
	ck_assert_int_eq(err.code, _i ? ERR_IO : ERR_NONE);
	close_target(&target, &opened);
}
END_TEST

/* 65 MiB of zeros are too much for so few bytes. */
START_TEST(bombs_are_refused)
{
	enum { MOST = 65 << 20 };
	struct str zeros = {0}, tar = {0};
	struct opened opened;
	struct target target;
	struct err err;

	str_fill(&zeros, '\0', MOST);
	put_tar_member(&tar, "a.npy", '0', zeros.text, zeros.len);
	if (_i == 0)
		put_gzip(&made, tar.text, tar.len);
	else if (_i == 1)
		put_zstd(&made, tar.text, tar.len);
	else
		put_zip(&made, ZIP_PLAIN, "", "", (struct zip_part[]){
			{ .name = "readme", .bytes = "" },
			{ .name = "a.npy", .bytes = zeros.text, .len = zeros.len, .method = 8 },
		}, 2);
	ck_assert_uint_lt(made.len * 1000, MOST);
	dump_put(root, "a", made.text, made.len);
	ck_assert(!open_path(path_in("a"), &target, &opened, &err));
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_str_eq(err.msg, "more comes out than is read");
	close_target(&target, &opened);
	str_release(&zeros);
	str_release(&tar);
}
END_TEST

/* Opens and reads what there is, whatever that is. */
static void open_disturbed(const char *name)
{
	struct opened opened;
	struct target target;
	struct err err;
	bool ok;

	dump_put(root, name, made.text, made.len);
	ok = open_path(path_in(name), &target, &opened, &err);
	ck_assert(ok || *err.msg);
	if (ok && opened.runs && opened.runs->list.len) {
		struct run *run = runs_open_run(opened.runs, opened.runs->list.at[0], &err);

		if (run && run_load(run, NULL, &err))
			for (size_t i = 0; i < run->tensors.len; i++)
				value_close(run_value(run, &run->tensors.at[i], &err));
		run_close(run);
	}
	close_target(&target, &opened);
}

/* Cut or changed anywhere: it opens or is refused, and what was whole before the cut is there. */
START_TEST(disturbed_anywhere)
{
	const char *name = forms[_i].name;
	size_t len;

	forms[_i].make(&made);
	len = made.len;
	for (size_t i = 0; i < len; i++) {
		if (!made.text[i] && i % 16)
			continue;        /* tar has many zeros */
		made.len = i;
		open_disturbed(name);
		made.len = len;
		made.text[i] ^= (char)0x81;
		open_disturbed(name);
		made.text[i] ^= (char)0x81;
	}
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(what_comes_before_damage_is_there)
{
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	put_array(&made, "a.npy", '0');
	put_array(&made, "b.npy", '0');
	put_array(&made, "c.npy", '0');
	put_tar_end(&made);
	if (_i)
		made.text[1024] ^= 1;            /* the head of the second */
	else
		made.len = 1024 + 512 + 3;       /* within the second */
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert_ptr_nonnull(strstr(target.note, "damaged at byte "));
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, _i ? 2 : 1);
	ck_assert_str_eq(run->tensors.at[0].node, "a");
	run_close(run);
	close_target(&target, &opened);
}
END_TEST

/* A place in it can be named, and what is wrong there is told with the archive and the member. */
START_TEST(a_place_in_it_opens)
{
	static const char *const places[] = { "a.tar/d", "a.tar/d/x/", "a.tar/d/x/a12.npy" };
	struct opened opened;
	struct target target;
	struct err err;
	struct run *run;

	make_tar(&made);
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert_msg(open_path(path_in(places[_i]), &target, &opened, &err), "%s", err.msg);
	run = load(&opened);
	ck_assert_uint_eq(run->tensors.len, _i ? 1 : 2);
	ck_assert_str_eq(run->tensors.at[run->tensors.len - 1].node, _i ? "a12" : "x/a12");
	run_close(run);
	close_target(&target, &opened);
	ck_assert(!open_path(path_in("a.tar/e"), &target, &opened, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	close_target(&target, &opened);
}
END_TEST

/* What lies in one directory is found there, however many are around it. */
START_TEST(a_profile_below_opens)
{
	static const char trace[] = "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", "
	                            "\"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2}]}";
	struct opened opened;
	struct target target;
	struct err err;

	put_tar_member(&made, "logs/x/t.json", '0', trace, sizeof trace - 1);
	put_tar_end(&made);
	dump_put(root, "a.tar", made.text, made.len);
	ck_assert_msg(open_path(path_in("a.tar"), &target, &opened, &err), "%s", err.msg);
	ck_assert(opened.has_profile);
	ck_assert_str_eq(target.path, path_in("a.tar/logs/x"));
	close_target(&target, &opened);
}
END_TEST

START_TEST(opening_can_be_stopped)
{
	struct opened opened = { .profile = profile_new() };
	struct progress progress = { .cancel = true };
	struct target target;
	struct err err = {0};

	if (_i) {
		forms[_i].make(&made);
	} else {
		for (int i = 0; i < 256; i++)
			put_array(&made, "a.npy", '0');
		put_tar_end(&made);
	}
	dump_put(root, forms[_i].name, made.text, made.len);
	ck_assert(!target_open(path_in(forms[_i].name), &target, &opened, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_uint_eq(count_files(), 0);
	close_target(&target, &opened);
}
END_TEST

/* Against another archive, a place in one, or a directory; and again, when it is gone. */
START_TEST(archives_are_compared)
{
	static const struct { const char *old; } against[] = {
		{ "a.tar.zst" }, { "a.zip" }, { "a.tar/d" }, { "." },
	};
	struct str command = {0}, answer = {0};
	struct shell *shell;

	for (size_t i = 0; i < ROWS(forms); i++) {
		str_reset(&made);
		forms[i].make(&made);
		dump_put(root, forms[i].name, made.text, made.len);
	}
	dump_put(root, "d/b.npy", array.text, array.len);
	dump_put(root, "d/x/a12.npy", array.text, array.len);
	shell = session_of(path_in("a.tar.gz"));
	str_fmt(&command, "diff %s", path_in(against[_i].old));
	for (int i = 0; i < 2; i++) {
		ck_assert_msg(session_ask(shell, command.text, &answer), "%s", answer.text);
		ck_assert_msg(strstr(answer.text, "2 tensor(s), 2 same"), "%s", answer.text);
		unlink(path_in("a.tar.zst"));
	}
	shell_free(shell);
	str_release(&command);
	str_release(&answer);
}
END_TEST

START_TEST(messages_name_archive_and_member)
{
	struct str text = {0}, wanted = {0};
	struct shell *shell;

	put_array(&made, "d/b.npy", '0');
	put_tar_member(&made, "d/cut.npy", '0', array.text, array.len - 1);
	put_tar_end(&made);
	dump_put(root, "a.tar", made.text, made.len);
	shell = session_of(path_in("a.tar"));
	session_warnings(shell, &text);
	str_fmt(&wanted, "%s: d/cut.npy: 3 of 4 bytes of data are there.", path_in("a.tar"));
	ck_assert_msg(strstr(text.text, wanted.text), "%s", text.text);
	shell_free(shell);
	str_release(&text);
	str_release(&wanted);
}
END_TEST

SUITE_MAIN("archive",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, what_is_in_it_opens, 0, ROWS(forms));
	tcase_add_test(t, paths_lead_into_it);
	tcase_add_loop_test(t, names_are_bytes, 0, 2);
	tcase_add_loop_test(t, special_members_are_left_out, 0, ROWS(special));
	tcase_add_test(t, nothing_leads_out_of_it);
	tcase_add_test(t, nothing_leads_out_of_a_zip);
	tcase_add_loop_test(t, a_place_in_it_opens, 0, 3);
	tcase_add_test(t, a_profile_below_opens);
	tcase_add_loop_test(t, opening_can_be_stopped, 0, 3);
	tcase_add_loop_test(t, archives_are_compared, 0, 4);
	tcase_add_test(t, messages_name_archive_and_member);
	tcase_add_loop_test(t, no_more_comes_out_than_is_allowed, 0, ROWS(forms));
	tcase_add_loop_test(t, unpacking_wants_a_place, 0, ROWS(forms));
	tcase_add_loop_test(t, bombs_are_refused, 0, 3);
	tcase_add_loop_test(t, disturbed_anywhere, 0, ROWS(forms));
	tcase_add_loop_test(t, what_comes_before_damage_is_there, 0, 2);)
