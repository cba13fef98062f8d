/* Themes on the screen: looked at, chosen, left; how many colours; what a terminal makes of it. */
#include "tests/on_screen.h"

#include <string.h>

#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static void put_config(const char *name, const char *text)
{
	struct str path = {0};

	str_fmt(&path, "config/tensordbg/%s", name);
	dump_put(home, path.text, text, strlen(text));
	str_release(&path);
}

static struct terminal *started(const char *term)
{
	static const char *const args[] = { "mnist_nan", NULL };
	const char *const env[] = { term, NULL };
	struct terminal *t = start_in("testdata", args, env, 24, 160);

	PLAY(t, { "", 3, "dumped tensor(s):" }, { "", CURSOR, "22,7" });
	return t;
}

struct colours { int row, col, fg, bg; };

static bool has_colours(struct terminal *t, const void *ctx)
{
	const struct colours *wanted = ctx;
	struct terminal_cell cell = terminal_cell(t, wanted->row, wanted->col);

	return cell.fg == wanted->fg && cell.bg == wanted->bg;
}

/* So it is, sooner or later. */
static void check_cell(struct terminal *t, int row, int col, int fg, int bg)
{
	struct colours wanted = { row, col, fg, bg };

	ck_assert_msg(terminal_wait(t, has_colours, &wanted), "row %d: %d on %d", row,
	              terminal_cell(t, row, col).fg, terminal_cell(t, row, col).bg);
}

static void check_title(struct terminal *t, int fg, int bg)
{
	check_cell(t, 0, 0, fg, bg);
}

/* Rows of the list: auto, dark, light, … from row 5 of the screen on. */
START_TEST(a_theme_is_looked_at)
{
	struct terminal *t = started("TERM=xterm-256color");

	check_title(t, 0, 7);
	PLAY(t, { "config themes\r", 2, "7 themes:" }, { "<Esc>", 21, "row 1/" });
	PLAY(t, { "4G", 21, "row 4/" });         /* dark */
	check_title(t, 255, 238);
	PLAY(t, { "j", 21, "row 5/" });          /* light */
	check_title(t, 16, 252);
	PLAY(t, { "g", 21, "row 1/" });
	check_title(t, 0, 7);
	PLAY(t, { "4G", 21, "row 4/" });
	check_title(t, 255, 238);
	PLAY(t, { "H", 1, "(-1) lt" });          /* left without choosing */
	check_title(t, 0, 7);
	leave_by_key(t);
}
END_TEST

START_TEST(a_theme_is_chosen)
{
	struct terminal *t = started("TERM=xterm-256color");
	struct str path = {0}, text = {0};

	PLAY(t, { "config themes\r", 2, "7 themes:" }, { "<Esc>", 21, "row 1/" },
	     { "4G\r", 1, "config set theme dark" });
	check_title(t, 255, 238);
	PLAY(t, { ":", CURSOR, "22,7" }, { "config set theme contrast\r", 1, "theme contrast" });
	check_title(t, 16, 231);
	check_cell(t, 15, 40, 231, 16);          /* the ground is its own */
	leave_by_exit(t);
	str_fmt(&path, "%s/config/tensordbg/config", home);
	ck_assert(read_whole(path.text, &text));
	ck_assert_str_eq(text.text, "config set theme contrast\n");
	str_release(&path);
	str_release(&text);
	t = started("TERM=xterm-256color");
	check_title(t, 16, 231);
	leave_by_exit(t);
}
END_TEST

/* Wrong lines are told once it shows, the rest of it counts. */
START_TEST(a_file_shows)
{
	struct terminal *t;

	put_config("themes/mine", "title 10 20\nnothing red\nstatus blue\n");
	t = started("TERM=xterm-256color");
	PLAY(t, { "config set theme mine\r", 20, "themes/mine:2: expected a role, not" });
	check_title(t, 10, 20);
	put_config("themes/mine", "title 11 21\n");
	PLAY(t, { "config set theme mine\r", GONE, "expected a role" });
	check_title(t, 11, 21);
	leave_by_exit(t);
}
END_TEST

static const struct { const char *term, *config; int fg, bg; } shows[] = {
	{ "TERM=xterm-256color", "config set theme mine\n", 214, 25 },
	{ "TERM=xterm-256color", "config set theme mine\nconfig set colours 16\n", 3, 4 },
	{ "TERM=xterm-256color", "config set theme 16\nconfig set theme mine\n", 3, 4 },
	{ "TERM=xterm", "config set theme mine\n", 3, 4 },
	{ "TERM=xterm-256color", "config set theme mine\nconfig set colours mono\n", -1, -1 },
	{ "TERM=vt100", "config set theme mine\n", -1, -1 },
	{ "TERM=xterm-256color", "config set theme mono\n", -1, -1 },
	{ "TERM=xterm-256color", "config set theme none\n", 0, 7 },
};

START_TEST(as_many_colours_as_there_are)
{
	struct terminal *t;

	put_config("themes/mine", "title #ffaf00/yellow #005faf/blue\n");
	put_config("config", shows[_i].config);
	t = started(shows[_i].term);
	check_title(t, shows[_i].fg, shows[_i].bg);
	ck_assert(terminal_cell(t, 0, 0).reverse == (shows[_i].fg < 0));
	leave_by_exit(t);
}
END_TEST

/* Each style has its own until a theme is set. */
START_TEST(a_style_has_its_theme)
{
	static const char *const args[] = { "--screen=modern", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);

	PLAY(t, { "", ANYWHERE, "row 1/301" });
	check_title(t, 255, 238);
	PLAY(t, { ":config set background light\r", ANYWHERE, "background: light" });
	check_title(t, 16, 252);
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("screen_themes",
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_test(t, a_theme_is_looked_at);
	tcase_add_test(t, a_theme_is_chosen);
	tcase_add_test(t, a_file_shows);
	tcase_add_test(t, a_style_has_its_theme);
	tcase_add_loop_test(t, as_many_colours_as_there_are, 0, ROWS(shows));
)
