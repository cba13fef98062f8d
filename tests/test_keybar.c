/*
 * What the bar of keys offers works: in every view each key that stands there is pressed, and has
 * to change what shows. Keys are read from the screen, where they are bold. Of an item of several
 * keys one has to do something: at the left end "Left" has nothing to do.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/str.h"
#include "dump/base/utf8.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/suite.h"

enum { MOST_ITEMS = 60, LABEL = 24, MOST_TRIES = 20 };

/* PATH in testdata, what is typed first, what is looked at; NULL: nothing is typed. */
static const struct { const char *path, *before, *command; } views[] = {
	{ "mnist_nan", NULL, NULL },
	{ "train20", NULL, NULL },
	{ "mnist_nan", NULL, "run_info" },
	{ "mnist_nan", NULL, "pt softmax:0" },
	{ "mnist_nan", NULL, "grid softmax:0" },
	{ "mnist_nan", NULL, "picture softmax:0" },
	{ "mnist_nan", NULL, "ni cross_entropy/Log" },
	{ "mnist_nan", NULL, "li -r cross_entropy/Log" },
	{ "mnist_nan", NULL, "lo -r cross_entropy/Log" },
	{ "mnist_nan", NULL, "ls" },
	{ "mnist_nan", NULL, "graph cross_entropy/Log" },
	{ "mnist_nan", NULL, "dot cross_entropy/Log" },
	{ "mnist_nan", NULL, "help" },
	{ "mnist_nan", NULL, "messages" },
	{ "mnist_nan", NULL, "marks" },
	{ "mnist_nan", NULL, "filter" },
	{ "mnist_nan", NULL, "config" },
	{ "train20", "run -t 2", "diff 1" },
	{ "train20", "run -t 2", "diff hidden/log_x:0 1" },
	{ "profile/gpu_like", NULL, "kernels" },
	{ "profile/gpu_like", NULL, "timeline" },
	{ "profile/gpu_like", NULL, "memory" },
	{ "profile/gpu_like", NULL, "scopes" },
	{ "profile/gpu_like", NULL, "lp" },
	{ "v2/nested", NULL, "lx" },
	{ "v2/nested", NULL, "lt" },
	{ "v2/nested", NULL, "la" },
	{ "v2/nested", NULL, "lg" },
};
static const struct { int rows, cols; const char *locale, *colour; } screens[] = {
	{ 24, 80, "LC_ALL=C.UTF-8", "TERM=xterm-256color" },
	{ 60, 200, "LC_ALL=C.UTF-8", "TERM=xterm-256color" },
	{ 10, 40, "LC_ALL=C.UTF-8", "TERM=xterm-256color" },
	{ 24, 80, "LC_ALL=C", "NO_COLOR=1" },
};

/* The screen. */

/* Text and looks of all cells, and the cursor. */
static void put_screen(struct terminal *t, struct str *out)
{
	int rows, cols, row, col;

	terminal_size(t, &rows, &cols);
	terminal_cursor(t, &row, &col);
	str_fmt(out, "%d,%d", row, col);
	for (row = 0; row < rows; row++)
		for (col = 0; col < cols; col++) {
			struct terminal_cell cell = terminal_cell(t, row, col);

			str_fmt(out, "%s %d%d%d %d %d,", cell.text, cell.bold, cell.reverse,
			        cell.underline, cell.fg, cell.bg);
		}
}

static bool differs(struct terminal *t, const void *before)
{
	struct str now = {0};
	bool differ;

	put_screen(t, &now);
	differ = strcmp(now.text, before) != 0;
	str_release(&now);
	return differ;
}

static const char *bar_row(struct terminal *t)
{
	int rows, cols;

	terminal_size(t, &rows, &cols);
	return terminal_row(t, rows - 1);
}

/* The row that tells what is wrong, while a view has the focus. */
static const char *info_row(struct terminal *t)
{
	int rows, cols;

	terminal_size(t, &rows, &cols);
	return terminal_row(t, rows - 3);
}

static bool refuses(struct terminal *t)
{
	static const char *const texts[] = {
		"No key", "othing to open", "There is no", "is about no", "ERROR", "nothing here",
		"ends here",
	};

	for (int i = 0; i < ROWS(texts); i++)
		if (strstr(info_row(t), texts[i]))
			return true;
	return false;
}

/* How it is left if something waits for an answer, or for the end of a line; NULL: nothing does. */
static const char *modal(struct terminal *t)
{
	static const char *const texts[] = { "Esc view", "y leave", "Esc close", "Esc cancel" };

	for (int i = 0; i < ROWS(texts); i++)
		if (strstr(bar_row(t), texts[i]))
			return texts[i];
	return NULL;
}

static bool is_calm(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return !modal(t);
}

static bool is_asking(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return modal(t);
}

static bool has_other_modal(struct terminal *t, const void *before)
{
	return modal(t) != before;
}

/* What waits is closed; a list of candidates goes before its prompt. */
static void escape(struct terminal *t)
{
	const char *before;
	int n = 0;

	while ((before = modal(t))) {
		ck_assert_msg(n++ < MOST_TRIES, "Esc does not close: %s", bar_row(t));
		terminal_press(t, TKEY_ESCAPE);
		ck_assert(terminal_wait(t, has_other_modal, before));
	}
}

/*
 * A key that waits for another one is dropped: all before it has been answered, and no toast is
 * left. If it went to something that the key before it has opened, that is closed.
 */
static void settle(struct terminal *t)
{
	bool dropped;
	int n = 0;

	do {
		ck_assert_msg(n++ < MOST_TRIES, "g waits for no other key: %s", bar_row(t));
		terminal_type(t, "g");
		ck_assert(terminal_wait(t, is_asking, NULL));
		dropped = strstr(bar_row(t), "Esc cancel");
		escape(t);
	} while (!dropped);
	terminal_drain(t);
}

/* The bar. */

/* Keys as they are written there: bold, with one blank between two of an item. */
static size_t read_bar(struct terminal *t, char items[MOST_ITEMS][LABEL])
{
	int rows, cols;
	size_t n = 0, len = 0;

	terminal_size(t, &rows, &cols);
	for (int col = 0; col < cols && n < MOST_ITEMS; col++) {
		struct terminal_cell cell = terminal_cell(t, rows - 1, col);

		if (cell.bold && len + strlen(cell.text) < LABEL - 1)
			len += (size_t)snprintf(items[n] + len, LABEL - len, "%s",
			                        *cell.text ? cell.text : " ");
		else if (!cell.bold && len)
			n++, len = 0;
	}
	return n;
}

static void type_label(struct terminal *t, const char *label)
{
	char control[2] = { 0 };

	if (label[0] == '^' && label[1]) {
		control[0] = label[1] & 0x1f;
		terminal_type(t, control);
	} else if (!strcmp(label, "Space")) {
		terminal_type(t, " ");
	} else if (!press_named(t, label)) {
		terminal_type(t, label);
	}
}

/* Does it change what shows, or say what it found? */
static bool works(struct terminal *t, const char *label)
{
	struct str before = {0};
	bool works;

	put_screen(t, &before);
	type_label(t, label);
	works = terminal_comes_to(t, differs, before.text) && !refuses(t);
	str_release(&before);
	return works;
}

static bool any_works(struct terminal *t, const char *item, char *label)
{
	char copy[LABEL];
	char *space;

	snprintf(copy, sizeof copy, "%s", item);
	do {
		space = strrchr(copy, ' ');
		snprintf(label, LABEL, "%s", space ? space + 1 : copy);
		if (works(t, label))
			return true;
		settle(t);
		if (space)
			*space = '\0';
	} while (space);
	return false;
}

/* To the view, from what a key has led to; a view that the key has changed stays so. */
static void come_back(struct terminal *t, const char *label, const char *command)
{
	terminal_drain(t);
	if (strstr(bar_row(t), "y leave"))
		terminal_type(t, "n");
	else if (modal(t))
		escape(t);
	else if (strchr("vpwz", *label) && !label[1] &&
	         (strstr(terminal_row(t, 2), "─ ") || strstr(terminal_row(t, 2), "- ")))
		terminal_type(t, label);
	/* what comes with Esc would be another key */
	ck_assert(terminal_wait(t, is_calm, NULL));
	settle(t);
	if (strstr(terminal_row(t, 1), command) && !strstr(terminal_row(t, 1), "(-"))
		return;
	terminal_type(t, "H");
	settle(t);
	if (strstr(terminal_row(t, 1), command))
		return;
	terminal_type(t, "L");
	settle(t);
}

/*
 * From a settled view: presses what stands in the bar and was not pressed yet, until there is
 * nothing new.
 */
static void press_all(struct terminal *t, const char *command, struct str *wrong)
{
	char tried[MOST_ITEMS][LABEL], now[MOST_ITEMS][LABEL], label[LABEL];
	size_t n_tried = 0, n, i;

	for (;;) {
		n = read_bar(t, now);
		for (i = 0; i < n; i++) {
			size_t k = 0;

			while (k < n_tried && strcmp(tried[k], now[i]))
				k++;
			if (k == n_tried)
				break;
		}
		if (i == n || n_tried == MOST_ITEMS)
			break;
		snprintf(tried[n_tried++], LABEL, "%s", now[i]);
		/* of colors nothing may be in sight on a small screen */
		if (!any_works(t, now[i], label) && strcmp(now[i], "c"))
			str_fmt(wrong, " %s: \"%s\";", command, now[i]);
		come_back(t, label, command);
	}
	ck_assert_msg(n_tried >= 3, "%s: %zu keys", command, n_tried);
}

/* A lone Esc is taken at once: each key is settled with one. */
static void make_quick_home(void)
{
	struct str path = {0};
	FILE *config;

	make_home();
	str_fmt(&path, "%s/config", home);
	ck_assert_int_eq(mkdir(path.text, 0700), 0);
	str_puts(&path, "/tensordbg");
	ck_assert_int_eq(mkdir(path.text, 0700), 0);
	str_puts(&path, "/config");
	config = fopen(path.text, "we");
	ck_assert_ptr_nonnull(config);
	fputs("config set esc_delay 0\n", config);
	ck_assert_int_eq(fclose(config), 0);
	str_release(&path);
}

static void go(struct terminal *t, const char *command)
{
	terminal_type(t, ":");
	terminal_enter(t, command);
}

START_TEST(keys_of_the_bar_work)
{
	int view = _i / ROWS(screens), at = _i % ROWS(screens);
	int rows = screens[at].rows, cols = screens[at].cols;
	const char *command = views[view].command;
	char below[PATH_MAX], path[PATH_MAX];
	const char *args[] = { "--screen=modern", path, NULL };
	const char *env[] = { screens[at].locale, screens[at].colour, NULL };
	char first[128];
	struct str wrong = {0};
	struct terminal *t;

	if (is_left_out(view + at))
		return;
	snprintf(below, sizeof below, "testdata/%s", views[view].path);
	ck_assert_ptr_nonnull(realpath(below, path));
	t = start_in(home, args, env, rows, cols); /* X writes there */
	ck_assert(terminal_wait_text(t, "? keys"));
	if (views[view].before)
		go(t, views[view].before);
	if (command) {
		go(t, command);
		ck_assert(terminal_wait_row(t, 1, command));
	}
	terminal_drain(t);
	settle(t);
	if (!command) {
		snprintf(first, sizeof first, "%s", terminal_row(t, 1));
		command = first;
	}
	press_all(t, command, &wrong);
	ck_assert_msg(!wrong.len, "%d rows, %d columns, %s:%s", rows, cols, screens[at].locale,
	              str_text(&wrong));
	leave_by_key(t);
	str_release(&wrong);
}
END_TEST

/* Whatever fits before it, the last item is whole, with a gap before it. */
START_TEST(the_last_item_has_its_room)
{
	const char *args[] = { "--screen=modern", "mnist_nan", NULL };
	const char *env[] = { "LC_ALL=C.UTF-8", "TERM=xterm-256color", NULL };
	struct terminal *t = start_in("testdata", args, env, 24, 120);

	ck_assert(terminal_wait_row(t, 23, "  ? keys"));
	for (int cols = 110; cols >= 20; cols--) {
		terminal_resize(t, 24, cols);
		ck_assert_msg(terminal_wait_row(t, 23, cols > 24 ? "  ? keys" : "? keys"),
		              "%d columns: %s", cols, terminal_row(t, 23));
	}
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("keybar",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_unchecked_fixture(t, make_quick_home, remove_home);
	tcase_add_test(t, the_last_item_has_its_room);
	tcase_add_loop_test(t, keys_of_the_bar_work, 0, ROWS(views) * ROWS(screens));)
