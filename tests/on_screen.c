#include "tests/on_screen.h"

#include <stdio.h>
#include <string.h>

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

struct terminal *start_in(const char *dir, const char *const *args, const char *const *env, int rows,
                          int cols)
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
