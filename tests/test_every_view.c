/*
 * Every view in every kind of terminal, at four sizes: what has to hold of all of them. Each runs
 * once in a terminal and is resized; what is asked is waited for.
 */
#include <stdio.h>
#include <string.h>

#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

/* Rows above the panes and below them. */
enum { TOP = 2, BOTTOM = 3, LEAST_FULL_ROWS = 24, ANY = 1000 };

/*
 * heading: of the table, which stays; bad: what a row shows that needs a sign. NULL: there is none.
 * full: a picture, lanes or a curve: up to so many rows of the screen there is more to show than
 * fits, and its last row is used.
 */
static const struct {
	const char *path, *before, *command, *heading, *bad;
	int full;
	bool list;
} views[] = {
	{ "mnist_nan", NULL, "lt", "t (ms)", NULL, 0, true },
	{ "mnist_nan", NULL, "lt -f has_inf_or_nan", "t (ms)", "[1", 0, true },
	{ "train20", NULL, "runs", "# time", "  20 ", 0, true },
	{ "mnist_nan", NULL, "run_info", NULL, NULL, 0, false },
	{ "mnist_nan", NULL, "pt softmax:0", NULL, NULL, 0, false },
	{ "mnist_nan", NULL, "grid cross_entropy/Log:0", "[,0]", "-inf", 0, false },
	{ "mnist_nan", NULL, "picture hidden/Wx_plus_b/add:0", NULL, NULL, 40, false },
	{ "mnist_nan", NULL, "picture softmax:0 --kind hist", NULL, NULL, ANY, false },
	{ "mnist_nan", NULL, "picture softmax:0 --kind spark", NULL, NULL, ANY, false },
	{ "mnist_nan", NULL, "ni -a -d softmax", NULL, NULL, 0, false },
	{ "mnist_nan", NULL, "li -r -t cross_entropy/mul", NULL, "inf 64", 0, false },
	{ "mnist_nan", NULL, "lo -r -d 3 cross_entropy/Log", NULL, "inf 64", 0, false },
	{ "mnist_nan", NULL, "ls", NULL, NULL, 0, false },
	{ "mnist_nan", NULL, "graph cross_entropy/Log", "node", NULL, 0, false },
	{ "mnist_nan", NULL, "help", NULL, NULL, 0, false },
	{ "mnist_nan", NULL, "config", NULL, NULL, 0, false },
	{ "train20", "run -t 2", "diff 1", "Status", NULL, 0, false },
	{ "profile/gpu_like", NULL, "kernels", "Calls", NULL, 0, true },
	{ "profile/gpu_like", NULL, "timeline", NULL, NULL, ANY, false },
	{ "profile/gpu_like", NULL, "memory", NULL, NULL, ANY, false },
	{ "profile/gpu_like", NULL, "memory GPU_0_bfc", NULL, NULL, ANY, false },
	{ "profile/gpu_like", NULL, "scopes", "Scope", NULL, 0, false },
	{ "v2/nested", NULL, "lx", NULL, NULL, 0, false },
	{ "v2/nested", NULL, "lg", NULL, NULL, 0, false },
};
/*
 * What lies over a list of one tensor or beside it, from so many rows on: what is typed; what it
 * shows at every size, and nothing else does; how it is closed.
 */
static const struct { int rows; const char *keys, *shows; struct press close[3]; } others[] = {
	{ 10, "?", "keys:", { { "<Esc>", ANYWHERE, "? keys" } } },
	{ 10, "?zoom", ": zoom", { { "<Esc>", ANYWHERE, "? keys" } } },
	{ 10, ":l", " match ",
	  { { "<Ctrl-U>", ANYWHERE, "Esc view" }, { "<Esc>", ANYWHERE, "? keys" } } },
	{ 10, ":pt softmax:0", "pt softmax:0",
	  { { "<Ctrl-U>", ANYWHERE, "Esc view" }, { "<Esc>", ANYWHERE, "? keys" } } },
	{ 24, "v", "pt softmax:0", { { "v", ANYWHERE, "? keys" } } },
	{ 24, "p", "picture softmax:0", { { "p", ANYWHERE, "? keys" } } },
	{ 10, "y", "Esc cancel", { { "<Esc>", ANYWHERE, "? keys" } } },
};
static const struct { int cols, rows; } sizes[] = {
	{ 80, 24 }, { 120, 40 }, { 200, 60 }, { 40, 10 },
};
static const struct { const char *locale, *colour; bool ascii, mono; } modes[] = {
	{ "LC_ALL=C.UTF-8", "TERM=xterm-256color", false, false },
	{ "LC_ALL=C.UTF-8", "NO_COLOR=1", false, true },
	{ "LC_ALL=C", "TERM=xterm-256color", true, false },
	{ "LC_ALL=C", "NO_COLOR=1", true, true },
};

/* What is asked of a screen, and the first row that doesn't hold it. */
struct asked {
	const char *what;
	int view, mode;          /* view -1: something else, which has only to be plain */
	bool top;                /* the view begins at its first row */
	const char *why;
	int row;
};

static bool fails(struct asked *asked, const char *why, int row)
{
	asked->why = why;
	asked->row = row;
	return false;
}

/* "!" or, of an origin, "*"; in UTF-8 a filled circle, a diamond. */
static bool has_sign(struct terminal *t, int row)
{
	const char *sign = terminal_cell(t, row, 0).text;

	return !strcmp(sign, "!") || !strcmp(sign, "●") || !strcmp(sign, "*") || !strcmp(sign, "◆");
}

static bool is_plain(struct terminal *t, struct asked *asked, int row, int cols)
{
	for (int col = 0; col < cols; col++) {
		struct terminal_cell cell = terminal_cell(t, row, col);

		if (modes[asked->mode].ascii && (unsigned char)cell.text[0] >= 0x80)
			return fails(asked, "is not ASCII", row);
		if (modes[asked->mode].mono && (cell.fg != -1 || cell.bg != -1))
			return fails(asked, "has a colour", row);
	}
	return true;
}

static bool rows_differ(struct terminal *t, struct asked *asked, int rows)
{
	char last[1024] = "";

	for (int row = TOP; row < rows - BOTTOM; row++) {
		const char *text = terminal_row(t, row);

		if (*text && !strcmp(text, last))
			return fails(asked, "looks like the one above", row);
		snprintf(last, sizeof last, "%s", text);
	}
	return true;
}

static bool has_heading(struct terminal *t, const char *heading, int rows)
{
	for (int row = TOP; row < rows - BOTTOM && row < rows / 2 + BOTTOM; row++)
		if (strstr(terminal_row(t, row), heading))
			return true;
	return false;
}

static bool is_sound_view(struct terminal *t, struct asked *asked, int rows)
{
	const char *bad = views[asked->view].bad, *heading = views[asked->view].heading;

	for (int row = TOP; row < rows - BOTTOM; row++)
		if (bad && strstr(terminal_row(t, row), bad) && !has_sign(t, row))
			return fails(asked, "has no sign", row);
	if (heading && !has_heading(t, heading, rows))
		return fails(asked, "is no heading", TOP);
	if (views[asked->view].list && !rows_differ(t, asked, rows))
		return false;
	if (rows <= views[asked->view].full && rows >= LEAST_FULL_ROWS && asked->top &&
	    strspn(terminal_row(t, rows - BOTTOM - 1), " ") ==
	            strlen(terminal_row(t, rows - BOTTOM - 1)))
		return fails(asked, "is unused", rows - BOTTOM - 1);
	return true;
}

static bool is_sound(struct terminal *t, const void *context)
{
	struct asked *asked = *(struct asked *const *)context;
	int rows, cols;

	terminal_size(t, &rows, &cols);
	for (int row = 0; row < rows; row++)
		if (!is_plain(t, asked, row, cols))
			return false;
	return asked->view < 0 || is_sound_view(t, asked, rows);
}

static void ask(struct terminal *t, struct asked *asked, int size)
{
	bool sound = terminal_wait(t, is_sound, &asked);

	ck_assert_msg(sound, "%s, %s %s, %dx%d%s: row %d %s", asked->what,
	              modes[asked->mode].locale, modes[asked->mode].colour, sizes[size].cols,
	              sizes[size].rows, asked->top ? "" : ", at the end", asked->row, asked->why);
}

START_TEST(what_holds_of_every_view)
{
	struct asked asked = { .what = views[_i / ROWS(modes)].command,
	                       .view = _i / ROWS(modes), .mode = _i % ROWS(modes) };
	const char *args[] = { "--screen=modern", views[asked.view].path, NULL };
	const char *env[] = { modes[asked.mode].locale, modes[asked.mode].colour, NULL };
	struct terminal *t;

	if (is_left_out(asked.view + asked.mode))
		return;
	t = start_in("testdata", args, env, sizes[0].rows, sizes[0].cols);
	ck_assert(terminal_wait_text(t, "? keys"));
	if (views[asked.view].before) {
		terminal_type(t, ":");
		terminal_enter(t, views[asked.view].before);
	}
	terminal_type(t, ":");
	terminal_enter(t, views[asked.view].command);
	ck_assert(terminal_wait_row(t, 1, views[asked.view].command));
	if (views[asked.view].bad)
		ck_assert(terminal_wait_text(t, views[asked.view].bad));
	for (int size = 0; size < ROWS(sizes); size++) {
		if (size)
			terminal_resize(t, sizes[size].rows, sizes[size].cols);
		ck_assert(terminal_wait_row(t, sizes[size].rows - 1, "? keys"));
		terminal_type(t, "gg");
		asked.top = true;
		ask(t, &asked, size);
		terminal_type(t, "G");
		asked.top = false;
		ask(t, &asked, size);
	}
	leave_by_key(t);
}
END_TEST

/* The closing key leads back to the list, at every size. */
START_TEST(what_holds_of_what_lies_over_it)
{
	int other = _i / ROWS(modes), mode = _i % ROWS(modes);
	const char *args[] = { "--screen=modern", "mnist_nan", NULL };
	const char *env[] = { modes[mode].locale, modes[mode].colour, NULL };
	struct asked asked = { .what = others[other].keys, .view = -1, .mode = mode, .top = true };
	struct terminal *t;

	if (is_left_out(other + mode))
		return;
	t = start_in("testdata", args, env, sizes[0].rows, sizes[0].cols);
	PLAY(t, { "", ANYWHERE, "? keys" }, { ":lt -n softmax$<Enter>", 1, "lt -n softmax$" });
	for (int size = 0; size < ROWS(sizes); size++) {
		int rows = sizes[size].rows, cols = sizes[size].cols;

		if (rows < others[other].rows)
			continue;
		terminal_resize(t, rows, cols);
		PLAY(t, { "", rows - 1, "? keys" },
		     { others[other].keys, ANYWHERE, others[other].shows });
		terminal_resize(t, rows + 3, cols + 5);
		PLAY(t, { "", ANYWHERE, others[other].shows });
		terminal_resize(t, rows, cols);
		PLAY(t, { "", ANYWHERE, others[other].shows });
		ask(t, &asked, size);
		play(t, others[other].close);
		PLAY(t, { "", 1, "lt -n softmax$" }, { "", GONE, others[other].shows });
	}
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("every_view",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_home, remove_home);
	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, what_holds_of_every_view, 0, ROWS(views) * ROWS(modes));
	tcase_add_loop_test(t, what_holds_of_what_lies_over_it, 0, ROWS(others) * ROWS(modes));)
