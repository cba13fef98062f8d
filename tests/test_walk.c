#include "tests/suite.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/files/walk.h"
#include "tests/program.h"


static char *root;

static void make_root(void)
{
	root = scratch_new();
}

static void remove_root(void)
{
	scratch_remove(root);
}

/* ---- trees of many directories, large enough for two threads */

static void put_file(int dir_fd, const char *name, size_t size)
{
	static const char content[64];
	int fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_EXCL, 0666);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, content, size), (ssize_t)size);
	close(fd);
}

static int put_dir(int dir_fd, const char *name)
{
	int fd;

	ck_assert_int_eq(mkdirat(dir_fd, name, 0777), 0);
	fd = dir_open_at(dir_fd, name);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* n directories beside each other; in each two files, a link and each_depth levels more. */
static void put_wide(int dir_fd, int n, int each_depth)
{
	for (int i = 0; i < n; i++) {
		char name[32];
		int fd;

		snprintf(name, sizeof name, "dir_%d", i);
		fd = put_dir(dir_fd, name);
		put_file(fd, "a", (size_t)i % 40);
		put_file(fd, "z", 3);
		ck_assert_int_eq(symlinkat("a", fd, "link"), 0);
		if (each_depth)
			put_wide(fd, 2, each_depth - 1);
		close(fd);
	}
}

static void put_flat(int fd)
{
	put_wide(fd, 500, 0);
}

static void put_deep(int fd)
{
	put_wide(fd, 2, 7);
}

static void put_chain(int fd)
{
	int at = dup(fd);

	for (int i = 0; i < 300; i++) {
		int below = put_dir(at, "chain");

		put_wide(at, 1, 0);
		close(at);
		at = below;
	}
	close(at);
}

/* Nearly all of it is in the first, the middle or the last of three directories. */
static void put_lopsided(int fd, const char *heavy)
{
	static const char *const names[] = { "first", "middle", "last_y", "last_z" };

	for (int i = 0; i < ROWS(names); i++) {
		int below = put_dir(fd, names[i]);

		put_wide(below, strcmp(names[i], heavy) ? 2 : 4, strcmp(names[i], heavy) ? 0 : 6);
		close(below);
	}
}

static void put_first_heavy(int fd)
{
	put_lopsided(fd, "first");
}

static void put_middle_heavy(int fd)
{
	put_lopsided(fd, "middle");
}

static void put_last_heavy(int fd)
{
	put_lopsided(fd, "last_z");
}

static const struct { const char *name; void (*put)(int fd); } trees[] = {
	{ "flat", put_flat }, { "deep", put_deep }, { "chain", put_chain },
	{ "first", put_first_heavy }, { "middle", put_middle_heavy }, { "last", put_last_heavy },
};

/* ---- what a walk must tell, by scandir and one thread */

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void expect(const char *path, struct str *told)
{
	struct dirent **found;
	int n = scandir(path, &found, NULL, by_bytes);
	const char *below = path + strlen(root);
	struct stat st;

	ck_assert_int_ge(n, 0);
	for (int dirs = 0; dirs < 2; dirs++) {
		for (int i = 0; i < n; i++) {
			const char *name = found[i]->d_name;
			struct str inner = {0};

			if (!strcmp(name, ".") || !strcmp(name, ".."))
				continue;
			str_fmt(&inner, "%s/%s", path, name);
			ck_assert_int_eq(lstat(inner.text, &st), 0);
			if (dirs && S_ISDIR(st.st_mode))
				expect(inner.text, told);
			else if (!dirs && S_ISREG(st.st_mode))
				str_fmt(told, "%s/%s %lld\n", below, name, (long long)st.st_size);
			else if (!dirs && !S_ISDIR(st.st_mode))
				str_fmt(told, "%s/%s skipped\n", below, name);
			str_release(&inner);
		}
	}
	for (int i = 0; i < n; i++)
		free(found[i]);
	free(found);
}

struct telling {
	struct str text;
	long files_left;         /* then the walk is ended */
};

static bool tell_file(void *owner, const struct walk_file *file)
{
	struct telling *telling = owner;

	ck_assert_uint_eq(strlen(file->dir), file->dir_len);
	str_fmt(&telling->text, "/%s%s %lld\n", file->dir, file->name, (long long)file->size_bytes);
	return --telling->files_left > 0;
}

static void tell_skipped(void *owner, enum walk_skip what, const char *path, const char *why)
{
	struct telling *telling = owner;

	ck_assert_int_eq(what, SKIP_ODD);
	ck_assert_str_eq(why, "neither a file nor a directory");
	str_fmt(&telling->text, "/%s skipped\n", path);
}

static bool walk_root(struct telling *telling)
{
	struct walk_sink sink = { telling, tell_file, tell_skipped };
	int fd = dir_open(root);
	bool whole = walk_tree(fd, &sink);

	ck_assert_int_eq(close(fd), 0);
	return whole;
}

static void put_tree(int i)
{
	int fd = dir_open(root);

	trees[i].put(fd);
	close(fd);
}

START_TEST(tells_all_in_order)
{
	struct str expected = {0};

	put_tree(_i);
	expect(root, &expected);
	for (int run = 0; run < 10; run++) {
		struct telling telling = { .files_left = 1000000 };

		ck_assert(walk_root(&telling));
		ck_assert_msg(!strcmp(telling.text.text, expected.text), "%s, run %d",
		              trees[_i].name, run);
		str_release(&telling.text);
	}
	str_release(&expected);
}
END_TEST

START_TEST(ends_when_told)
{
	struct str expected = {0};

	put_tree(_i);
	expect(root, &expected);
	for (long files = 1; files < 400; files += 23) {
		struct telling telling = { .files_left = files };

		ck_assert(!walk_root(&telling));
		ck_assert_int_eq(telling.files_left, 0);
		ck_assert(!strncmp(telling.text.text, expected.text, telling.text.len));
		str_release(&telling.text);
	}
	str_release(&expected);
}
END_TEST

/* Not one descriptor stays open. */
START_TEST(closes_what_it_opened)
{
	struct telling telling = { .files_left = 1000000 };
	int before, after;

	put_tree(1);
	before = open("/dev/null", O_RDONLY);
	close(before);
	ck_assert(walk_root(&telling));
	after = open("/dev/null", O_RDONLY);
	close(after);
	ck_assert_int_eq(before, after);
	str_release(&telling.text);
}
END_TEST

SUITE_MAIN("walk",
	tcase_add_checked_fixture(t, make_root, remove_root);
	tcase_add_loop_test(t, tells_all_in_order, 0, ROWS(trees));
	tcase_add_loop_test(t, ends_when_told, 0, ROWS(trees));
	tcase_add_test(t, closes_what_it_opened);
)
