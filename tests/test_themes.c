/* Themes as files: which there are, what is taken of them, and what is refused. */
#include "cmds/session/themes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/config.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tui/theme_file.h"

#define FOLDER ".config/tensordbg/themes/"

static char *home;

static void setup(void)
{
	home = scratch_new();
	setenv("HOME", home, true);
	unsetenv("XDG_CONFIG_HOME");
}

static void teardown(void)
{
	scratch_remove(home);
}

static void put_theme(const char *name, const char *text, size_t len)
{
	struct str path = {0};

	str_fmt(&path, FOLDER "%s", name);
	dump_put(home, path.text, text, len);
	str_release(&path);
}

/* The theme "mine"; what is complained of, without the home. */
static void load(struct theme *theme, struct str *complaint)
{
	struct str whole = {0}, begin = {0};
	const char *text;

	theme_load("mine", "dark", theme, &whole);
	text = str_text(&whole);
	str_fmt(&begin, "%s/" FOLDER, home);
	if (!strncmp(text, begin.text, begin.len))
		text += begin.len;
	str_puts(complaint, text);
	str_release(&whole);
	str_release(&begin);
}

static void check_dark(const struct theme *theme, int look)
{
	struct theme dark;

	theme_shipped("dark", &dark);
	ck_assert_int_eq(theme->look[look].text.colour, dark.look[look].text.colour);
	ck_assert_int_eq(theme->look[look].ground.colour, dark.look[look].ground.colour);
	ck_assert_uint_eq(theme->look[look].signs, dark.look[look].signs);
}

START_TEST(a_file_is_taken)
{
	static const char text[] = "# mine\n\nbad 9 underline\r\n link blue white # not so\n"
	                           "frame #102030 dim";
	struct theme theme;
	struct str complaint = {0};

	put_theme("mine", text, strlen(text));
	load(&theme, &complaint);
	ck_assert_str_eq(str_text(&complaint), "mine:4: expected bold, dim, underline, reverse or "
	                 "blink, not \"#\"");
	ck_assert_int_eq(theme.look[ROLE_BAD].text.colour, 9);
	ck_assert_uint_eq(theme.look[ROLE_BAD].signs, PAINT_UNDERLINE);
	check_dark(&theme, LOOK_LINK);
	ck_assert_uint_eq(theme.look[LOOK_RULE].signs, PAINT_DIM);
	check_dark(&theme, ROLE_OP);
	str_release(&complaint);
}
END_TEST

/* What is given of the file, whatever is around it. */
static const struct { const char *begin, *complaint; } hostile[] = {
	{ "bad\0 red\nbad red\n", "mine:1: expected a role, not \"bad^@\"" },
	{ "\0\nx y\nbad red\n\377\376 red\n", "mine:1: expected a role, not \"^@\" (and 2 more)" },
	{ "bad red\n\033]0;x\a red\n", "mine:2: expected a role, not \"^[]0;x^G\"" },
};
static const size_t hostile_len[] = { 17, 21, 19 };

START_TEST(hostile_lines)
{
	struct theme theme;
	struct str complaint = {0};

	put_theme("mine", hostile[_i].begin, hostile_len[_i]);
	load(&theme, &complaint);
	ck_assert_str_eq(str_text(&complaint), hostile[_i].complaint);
	ck_assert_int_eq(theme.look[ROLE_BAD].text.colour, 1);
	str_release(&complaint);
}
END_TEST

START_TEST(a_long_line_is_one_line)
{
	struct theme theme;
	struct str text = {0}, complaint = {0};

	str_puts(&text, "bad red ");
	str_fill(&text, 'x', 60000);
	str_puts(&text, "\ndim 9\n");
	put_theme("mine", text.text, text.len);
	load(&theme, &complaint);
	ck_assert_uint_lt(complaint.len, 200);
	ck_assert_ptr_nonnull(strstr(complaint.text, "mine:1: expected bold, "));
	check_dark(&theme, ROLE_BAD);
	ck_assert_int_eq(theme.look[LOOK_DIM].text.colour, 9);
	str_release(&text);
	str_release(&complaint);
}
END_TEST

static void make_huge(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	ck_assert_int_eq(ftruncate(fd, (off_t)1 << 40), 0);
	close(fd);
}

static void make_fifo(const char *path)
{
	ck_assert_int_eq(mkfifo(path, 0600), 0);
}

static void make_folder(const char *path)
{
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void make_loop(const char *path)
{
	ck_assert_int_eq(symlink("mine", path), 0);
}

static const struct { void (*make)(const char *path); const char *complaint; } no_files[] = {
	{ make_huge, "mine: larger than 64 KiB" }, { make_fifo, "mine: not a regular file" },
	{ make_folder, "mine: not a regular file" }, { make_loop, "There is no theme \"mine\"" },
};

START_TEST(what_is_no_file_is_refused)
{
	struct theme theme;
	struct str path = {0}, complaint = {0};

	put_theme("other", "", 0);
	str_fmt(&path, "%s/" FOLDER "mine", home);
	no_files[_i].make(path.text);
	load(&theme, &complaint);
	ck_assert_str_eq(str_text(&complaint), no_files[_i].complaint);
	check_dark(&theme, ROLE_BAD);
	str_release(&path);
	str_release(&complaint);
}
END_TEST

START_TEST(files_are_listed)
{
	static const char *const names[] = { "b", "a-1", ".hidden", "with blank", "auto", "light",
	                                     "0123456789012345678901234567890",
	                                     "01234567890123456789012345678901" };
	struct theme_files files;

	theme_files_list(&files);
	ck_assert_uint_eq(files.names.len, 0);
	theme_files_release(&files);
	for (int i = 0; i < ROWS(names); i++)
		put_theme(names[i], "", 0);
	theme_files_list(&files);
	ck_assert_uint_eq(files.names.len, 4);
	ck_assert_str_eq(files.names.at[0], names[6]);
	ck_assert_str_eq(files.names.at[1], "a-1");
	ck_assert_str_eq(files.names.at[2], "b");
	ck_assert_str_eq(files.names.at[3], "light");
	theme_files_release(&files);
}
END_TEST

START_TEST(a_file_counts_before_one_that_is_shipped)
{
	struct theme theme, light;
	struct str complaint = {0};

	put_theme("light", "bad 9\n", 6);
	theme_load("light", "dark", &theme, &complaint);
	ck_assert_uint_eq(complaint.len, 0);
	ck_assert_int_eq(theme.look[ROLE_BAD].text.colour, 9);
	check_dark(&theme, ROLE_OP);
	theme_load("contrast", "dark", &theme, &complaint);
	theme_shipped("contrast", &light);
	ck_assert_int_eq(theme.look[ROLE_OP].text.colour, light.look[ROLE_OP].text.colour);
	ck_assert(theme_exists("light") && theme_exists("auto") && theme_exists("tfdbg-light"));
	ck_assert(!theme_exists("none") && !theme_exists("../config") && !theme_exists(""));
}
END_TEST

START_TEST(the_command_lists_them)
{
	struct shell *shell = session_of("testdata/linear");
	struct str out = {0}, want = {0};

	put_theme("mine", "", 0);
	ck_assert(session_ask(shell, "config set theme mine", &out));
	str_reset(&out);
	ck_assert(session_ask(shell, "config themes", &out));
	str_fmt(&want,
	        "8 themes:\n\n"
	        "  auto         as the style and the background have it\n"
	        "  dark         for dark backgrounds\n"
	        "  light        for light backgrounds\n"
	        "  contrast     contrasts of 7:1 and more, on black\n"
	        "  mono         no colors\n"
	        "  tfdbg        tfdbg's colors\n"
	        "  tfdbg-light  tfdbg's colors for light backgrounds\n"
	        "* mine         %s/" FOLDER "mine\n", home);
	ck_assert_str_eq(out.text, want.text);
	str_release(&out);
	str_release(&want);
	shell_free(shell);
}
END_TEST

static const struct { const char *line; size_t n; const char *common; } completions[] = {
	{ "config set them", 1, "theme" }, { "config set ", N_SETTINGS, "" },
	{ "cfg get col", 1, "colors" },
	{ "config set theme ", 8, "" }, { "config set theme tf", 2, "tfdbg" },
	{ "config set theme mi", 1, "mine" }, { "config set colors d", 1, "direct" },
	{ "config set background ", 2, "" }, { "config set wrap ", 0, "" },
};

START_TEST(names_are_completed)
{
	struct shell *shell = session_of("testdata/linear");
	struct completion completion = {0};
	const char *line = completions[_i].line;

	put_theme("mine", "", 0);
	shell_complete(shell, line, strlen(line), 20, &completion);
	ck_assert_uint_eq(completion.n, completions[_i].n);
	ck_assert_str_eq(str_text(&completion.common), completions[_i].common);
	completion_release(&completion);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("themes",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_file_is_taken);
	tcase_add_loop_test(t, hostile_lines, 0, ROWS(hostile));
	tcase_add_test(t, a_long_line_is_one_line);
	tcase_add_loop_test(t, what_is_no_file_is_refused, 0, ROWS(no_files));
	tcase_add_test(t, files_are_listed);
	tcase_add_test(t, a_file_counts_before_one_that_is_shipped);
	tcase_add_test(t, the_command_lists_them);
	tcase_add_loop_test(t, names_are_completed, 0, ROWS(completions));
)
