#include "tests/on_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "tests/program.h"
#include "tests/suite.h"

char *home;

void make_home(void)
{
	home = scratch_new();
}

void remove_home(void)
{
	scratch_remove(home);
}

bool is_left_out(int n)
{
#ifdef __SANITIZE_ADDRESS__
	return n % 2;
#else
	(void)n;
	return false;
#endif
}

struct terminal *start_in(const char *dir, const char *const *args, const char *const *env,
                          int rows, int cols)
{
	const char *argv[12] = { program_path() }, *all[12];
	static char home_set[4200], state_set[4200], config_set[4200];
	struct terminal *t;
	size_t n = 0;

	for (size_t i = 0; args[i]; i++)
		argv[i + 1] = args[i];
	snprintf(home_set, sizeof home_set, "HOME=%s", home);
	snprintf(state_set, sizeof state_set, "XDG_STATE_HOME=%s/state", home);
	snprintf(config_set, sizeof config_set, "XDG_CONFIG_HOME=%s/config", home);
	all[n++] = home_set;
	all[n++] = state_set;
	all[n++] = config_set;
	all[n++] = "NO_COLOR";
	all[n++] = "INPUTRC=/dev/null";
	for (; env && *env; env++)
		all[n++] = *env;
	all[n] = NULL;
	t = terminal_start(argv, all, dir, rows, cols);
	ck_assert_ptr_nonnull(t);
	return t;
}

/* Where the bytes come last; 0: nowhere. */
static size_t last_of(struct terminal *t, const char *bytes)
{
	size_t len, found = 0;
	const char *all = terminal_bytes(t, &len), *at = all;

	while ((at = memmem(at, len - (size_t)(at - all), bytes, strlen(bytes))) != NULL)
		found = (size_t)(++at - all);
	return found;
}

void expect_restored(struct terminal *t)
{
	ck_assert(terminal_settings_kept(t));
	ck_assert(!terminal_alternate(t));
	ck_assert(!terminal_wants_mouse(t));
	ck_assert(terminal_cursor_shown(t));
	ck_assert_uint_ge(last_of(t, "\033[?2004l"), last_of(t, "\033[?2004h"));
}

void expect_end(struct terminal *t, int wanted)
{
	int status = 0;

	ck_assert(terminal_wait_end(t, &status));
	ck_assert_msg(status == wanted, "ended with %d", status);
	expect_restored(t);
	terminal_free(t);
}

void leave_by_exit(struct terminal *t)
{
	terminal_enter(t, "exit");
	expect_end(t, 0);
}

void leave_by_key(struct terminal *t)
{
	terminal_press(t, TKEY_F0 + 10);
	expect_end(t, 0);
}

static const struct { const char *name; enum terminal_key key; } key_names[] = {
	{ "Esc", TKEY_ESCAPE }, { "Enter", TKEY_ENTER }, { "Tab", TKEY_TAB },
	{ "BackTab", TKEY_BACKTAB }, { "Backspace", TKEY_BACKSPACE }, { "Up", TKEY_UP },
	{ "Down", TKEY_DOWN }, { "Left", TKEY_LEFT }, { "Right", TKEY_RIGHT },
	{ "Home", TKEY_HOME }, { "End", TKEY_END }, { "PgUp", TKEY_PAGE_UP },
	{ "PgDn", TKEY_PAGE_DOWN },
};

bool press_named(struct terminal *t, const char *name)
{
	int row, col, n;
	char way[2];

	for (int i = 0; i < ROWS(key_names); i++)
		if (!strcmp(key_names[i].name, name)) {
			terminal_press(t, key_names[i].key);
			return true;
		}
	if (sscanf(name, "Click(%d,%d)", &row, &col) == 2)
		terminal_click(t, row, col);
	else if (sscanf(name, "Wheel%1[ud](%d,%d)", way, &row, &col) == 3)
		terminal_mouse(t, row, col, *way == 'u' ? 4 : 5, true);
	else if (sscanf(name, "Resize(%dx%d)", &col, &row) == 2)
		terminal_resize(t, row, col);
	else if (sscanf(name, "F%d", &n) == 1)
		terminal_press(t, TKEY_F0 + (enum terminal_key)n);
	else if (!strncmp(name, "Ctrl-", 5))
		terminal_type(t, (const char[]){ name[5] & 0x1f, '\0' });
	else
		return false;
	return true;
}

/* Names between < and >, and text as it is. */
static void type_keys(struct terminal *t, const char *keys)
{
	while (*keys) {
		size_t end = strcspn(keys, ">"), len = 1 + strcspn(keys + 1, "<");
		bool maybe_name = *keys == '<' && keys[end];
		char *piece = maybe_name ? mem_copy(keys + 1, end - 1) : NULL;

		if (piece && press_named(t, piece)) {
			len = end + 1;
		} else {
			free(piece);
			piece = mem_copy(keys, len);
			terminal_type(t, piece);
		}
		free(piece);
		keys += len;
	}
}

static bool holds(struct terminal *t, const struct press *press)
{
	int row, col;

	switch (press->row) {
	case ANYWHERE: return terminal_wait_text(t, press->shows);
	case GONE: return terminal_wait_gone(t, press->shows);
	case CURSOR:
		return sscanf(press->shows, "%d,%d", &row, &col) == 2 &&
		       terminal_wait_cursor(t, row, col);
	default: return terminal_wait_row(t, press->row, press->shows);
	}
}

static void play_named(struct terminal *t, const struct press *presses, const char *name)
{
	for (int i = 0; presses[i].keys; i++) {
		type_keys(t, presses[i].keys);
		ck_assert_msg(holds(t, &presses[i]), "%s, row %d: \"%s\", then \"%s\"", name, i + 1,
		              presses[i].keys, presses[i].shows);
	}
}

void play(struct terminal *t, const struct press *presses)
{
	play_named(t, presses, "here");
}

static bool has_prompt(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return terminal_find(t, "tfdbg>", NULL, NULL);
}

/* In our style: those of the first screen, which the provisional one has not. */
static bool names_keys(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return terminal_find(t, "Enter ", NULL, NULL) || terminal_find(t, "]s step", NULL, NULL);
}

void play_session(const struct session *session)
{
	const char *args[8] = {0}, *env[4] = {0};
	const char *given = session->args ? session->args : "mnist_nan";
	char *words = mem_copy(given, strlen(given)), *rest;
	size_t n_args = 0, n_env = 0;
	struct terminal *t;

	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (*word >= 'A' && *word <= 'Z')
			env[n_env++] = word;
		else
			args[n_args++] = word;
	t = start_in("testdata", args, env, session->rows, session->cols);
	ck_assert(terminal_wait(t, strstr(given, "--screen=modern") ? names_keys : has_prompt,
	                        NULL));
	if (!session->args)
		ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	play_named(t, session->presses, session->name);
	leave_by_key(t);
	free(words);
}

struct terminal *start_mnist_with(const char *const *env, int rows, int cols)
{
	return start_in("testdata", (const char *const[]){ "mnist_nan", NULL }, env, rows, cols);
}

struct terminal *start_mnist(int rows, int cols)
{
	return start_mnist_with(NULL, rows, cols);
}

struct terminal *mnist_started(int rows, int cols)
{
	struct terminal *t = start_mnist(rows, cols);

	ck_assert(terminal_wait_row(t, 3, "dumped tensor(s):"));
	ck_assert(terminal_wait_row(t, rows - 2, "tfdbg>"));
	return t;
}
