/*
 * Settings: what is shown of them, what lasts, and what the file keeps of lines that are not ours.
 */
#include "cmds/session/config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

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

static void put_file(const char *text)
{
	dump_put(home, ".config/tensordbg/config", text, strlen(text));
}

static void check_file(const char *text)
{
	struct str path = {0}, is = {0};

	str_fmt(&path, "%s/.config/tensordbg/config", home);
	ck_assert(read_whole(path.text, &is));
	ck_assert_str_eq(str_text(&is), text);
	str_release(&path);
	str_release(&is);
}

/* All settings, one a line. */
static void show(const struct config *config, struct str *out)
{
	str_reset(out);
	for (enum setting s = 0; s < N_SETTINGS; s++) {
		config_put_value(config, s, out);
		str_putc(out, ' ');
	}
}

static const char standard[] = "20 True dark auto 25 single page 2000 modern auto 5 auto True ";

START_TEST(standard_values)
{
	struct config config;
	struct str out = {0};

	config_init(&config);
	show(&config, &out);
	ck_assert_str_eq(out.text, standard);
	for (enum setting s = 0; s < N_SETTINGS; s++)
		ck_assert_int_eq(config_is_standard(&config, s), s > SETTING_MOUSE_MODE);
	str_release(&out);
}
END_TEST

/* shows NULL: the value is refused with this code. */
static const struct {
	const char *name, *value, *shows;
	enum err_code code;
} sets[] = {
	{ "graph_recursion_depth", "-3",
	  "-3 True dark auto 25 single page 2000 modern auto 5 auto True ", ERR_NONE },
	{ "mouse_mode", "off", "20 False dark auto 25 single page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "background", "light", "20 True light auto 25 single page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "esc_delay", "0",
	  "20 True dark auto 0 single page 2000 modern auto 5 auto True ", ERR_NONE },
	{ "layout", "my-own", "20 True dark auto 25 my-own page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "page_keys", "line", "20 True dark auto 25 single line 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "settle_ms", "1",
	  "20 True dark auto 25 single page 1 modern auto 5 auto True ", ERR_NONE },
	{ "colors", "mono", "20 True dark mono 25 single page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "colours", "direct", "20 True dark direct 25 single page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "theme", "light", "20 True dark auto 25 single page 2000 modern light 5 auto True ",
	  ERR_NONE },
	{ "theme", "mono",
	  "20 True dark auto 25 single page 2000 modern mono 5 auto True ", ERR_NONE },
	/* how many colours there are was said so */
	{ "theme", "256",
	  "20 True dark 256 25 single page 2000 modern auto 5 auto True ", ERR_NONE },
	{ "theme", "true", "20 True dark direct 25 single page 2000 modern auto 5 auto True ",
	  ERR_NONE },
	{ "toast_seconds", "3600",
	  "20 True dark auto 25 single page 2000 modern auto 3600 auto True ",
	  ERR_NONE },
	{ "wrap", "no",
	  "20 True dark auto 25 single page 2000 modern auto 5 auto False ", ERR_NONE },
	{ "nothing", "1", NULL, ERR_KEY },
	{ "page_keys", "lines", NULL, ERR_VALUE },
	{ "theme", "", NULL, ERR_VALUE },
	{ "theme", "no-such", NULL, ERR_VALUE },
	{ "theme", "../config", NULL, ERR_VALUE },
	{ "colours", "true", NULL, ERR_VALUE },
	{ "toast_seconds", "3601", NULL, ERR_VALUE },
	{ "toast_seconds", "-1", NULL, ERR_VALUE },
	{ "esc_delay", "x", NULL, ERR_VALUE },
	{ "layout", "a b", NULL, ERR_VALUE },
	{ "layout", "a234567890123456789012345678901x", NULL, ERR_VALUE },
	{ "wrap", "maybe", NULL, ERR_VALUE },
};

START_TEST(settings_last)
{
	struct config config, again;
	struct str out = {0};
	struct err err = {0};
	enum setting which;
	bool ok;

	config_init(&config);
	ok = config_set(&config, sets[_i].name, sets[_i].value, &which, &err);
	ck_assert_msg(ok == (sets[_i].shows != NULL), "%s", err.msg);
	ck_assert_int_eq(err.code, sets[_i].code);
	show(&config, &out);
	ck_assert_str_eq(out.text, ok ? sets[_i].shows : standard);
	config_init(&again);
	show(&again, &out);
	ck_assert_str_eq(out.text, ok ? sets[_i].shows : standard);
	str_release(&out);
}
END_TEST

START_TEST(other_lines_stay)
{
	struct config config;
	enum setting which;

	put_file(
		"# mine\nconfig set wrap off\n\n  config  set theme\t16  \nfuture thing\n"
		"config set wrap off # no end");
	config_init(&config);
	ck_assert_str_eq(config_word(&config, SETTING_COLOURS), "16");
	ck_assert(config_set(&config, "wrap", "on", &which, NULL));
	check_file("# mine\n\n  config  set theme\t16  \nfuture thing\nconfig set wrap True\n");
	ck_assert(config_set(&config, "page_keys", "line", &which, NULL));
	ck_assert(config_put_line("future", NULL, NULL));
	check_file("# mine\n\n  config  set theme\t16  \nconfig set wrap True\n"
	           "config set page_keys line\n");
}
END_TEST

/* The line that said it as a theme goes with the theme; what it said stays. */
START_TEST(colours_outlast_a_theme)
{
	struct config config;
	enum setting which;

	put_file("config set theme 16\n");
	config_init(&config);
	ck_assert(config_set(&config, "theme", "light", &which, NULL));
	ck_assert_int_eq(which, SETTING_THEME);
	check_file("config set colors 16\nconfig set theme light\n");
	ck_assert(config_set(&config, "theme", "256", &which, NULL));
	ck_assert_int_eq(which, SETTING_COLOURS);
	check_file("config set theme light\nconfig set colors 256\n");
	config_init(&config);
	ck_assert_str_eq(config_word(&config, SETTING_COLOURS), "256");
	ck_assert_str_eq(config_word(&config, SETTING_THEME), "light");
}
END_TEST

/* A line in the other spelling counts, and goes when the setting is saved. */
START_TEST(colours_are_colors)
{
	struct config config;
	enum setting which;

	put_file("config set colours 16\nconfig set theme light\n");
	config_init(&config);
	ck_assert_str_eq(config_word(&config, SETTING_COLOURS), "16");
	ck_assert(config_set(&config, "colours", "256", &which, NULL));
	check_file("config set theme light\nconfig set colors 256\n");
}
END_TEST

static void note_rest(void *out, size_t number, const char *rest)
{
	str_fmt(out, "%zu<%s>", number, rest);
}

START_TEST(lines_are_found_by_their_first_words)
{
	struct str out = {0};

	put_file(
		"filter add a nan\nfilter added b\n filter  add\tb  x y \nfilter add\nfilter\n"
		"add filter\nfilter add c 'q'");
	config_each_line("filter add", note_rest, &out);
	ck_assert_str_eq(out.text, "1<a nan>3<b  x y>7<c 'q'>");
	str_release(&out);
}
END_TEST

/* A bad line is told with its number, and the others count. */
static const struct {
	const char *file, *complaint;
} complaints[] = {
	{ "# mine\n\nconfig set wrap off\nbind view x lt\nlayout a list\nalias b lt\n", "" },
	{ "config set wrap off\nconfig set wrap maybe\n",
	  "config line 2: wrap stays as it was; expected: true or false" },
	{ "future thing\nconfig set wrap off\nconfig set nothing 1\nfilter add 1 nan\n",
	  "config line 1: config set, filter add, layout, bind or alias expected: future "
	  "thing (and 2 more)" },
	{ "config set wrap off\nfilter add -a nan\n",
	  "config line 2: \"-a\" can't be the name of a filter: letters, digits, _ . and -, "
	  "beginning with a letter or _." },
	{ "config set wrap off\nconfig set nothing 1\n",
	  "config line 2: no setting nothing; config show -a has them" },
	{ "config set wrap off\nconfig set esc_delay soon\n",
	  "config line 2: esc_delay stays as it was; expected: 0 to 10000" },
	{ "config set graph_recursion_depth x\nconfig set wrap off\n",
	  "config line 1: graph_recursion_depth stays as it was; expected: "
	  "-9223372036854775807 to 9223372036854775806" },
	{ "config set page_keys lines\nconfig set wrap off\n",
	  "config line 1: page_keys stays as it was; expected: page, line" },
	{ "config set wrap off\nconfig set layout a'b\n",
	  "config line 2: layout stays as it was; expected: a name of at most 31 bytes" },
	{ "config set wrap off\nalias lt ls\n",
	  "config line 2: lt is a command; an alias needs a name of its own" },
	{ "config set wrap off\nfilter add a 'op == 'Add''\n",
	  "config line 2: column 1: expected a field, ! or (" },
	{ "config set wrap off\nalias a\n",
	  "config line 2: alias a: a command line expected" },
	{ "filter add a nan\nfilter add b (nan\nconfig set wrap off\nconfig set layout \n",
	  "config line 2: column 5: expected ) (and 1 more)" },
};

START_TEST(bad_lines_are_told)
{
	struct config_complaint complaint;
	struct shell *shell;
	struct str out = {0};

	put_file(complaints[_i].file);
	shell = session_of("testdata/linear");
	complaint = shell_config_complaint(shell);
	if (complaint.n)
		config_put_complaint(&complaint, &out);
	ck_assert_str_eq(str_text(&out), complaints[_i].complaint);
	ck_assert(!shell_setting_bool(shell, "wrap"));
	ck_assert(shell_setting_given(shell, "wrap") && !shell_setting_given(shell, "theme"));
	shell_free(shell);
	str_release(&out);
}
END_TEST

/* tfdbg's own file counts until there is one of ours; what it says goes into that. */
static const struct {
	const char *file, *shows, *written;
} imports[] = {
	{ "{\"graph_recursion_depth\": 7, \"mouse_mode\": true}", "7 True ",
	  "config set graph_recursion_depth 7\nconfig set wrap False\n" },
	{ "{\"mouse_mode\": false, \"other\": [1], \"graph_recursion_depth\": 20}", "20 False ",
	  "config set mouse_mode False\nconfig set wrap False\n" },
	{ "{\"graph_recursion_depth\": 7, ", "7 True ",
	  "config set graph_recursion_depth 7\nconfig set wrap False\n" },
	{ "{\"graph_recursion_depth\": \"7\"}", "20 True ", "config set wrap False\n" },
	{ "{\"graph_recursion_depth\": 9223372036854775807}", "20 True ",
	  "config set wrap False\n" },
	{ "{\"graph_recursion_depth\": -9223372036854775808}", "20 True ",
	  "config set wrap False\n" },
	{ "[]", "20 True ", "config set wrap False\n" },
	{ "{\"\": 1, \"graph_recursion_depth\": 7}", "7 True ",
	  "config set graph_recursion_depth 7\nconfig set wrap False\n" },
	{ "", "20 True ", "config set wrap False\n" },
};

START_TEST(tfdbgs_settings_are_taken_once)
{
	const char *theirs = imports[_i].file;
	struct config config;
	struct str out = {0};
	enum setting which;

	dump_put(home, ".tfdbg_config", theirs, strlen(theirs));
	config_init(&config);
	show(&config, &out);
	ck_assert_int_eq(strncmp(out.text, imports[_i].shows, strlen(imports[_i].shows)), 0);
	ck_assert(!config.given[SETTING_MOUSE_MODE]);
	ck_assert(config_set(&config, "wrap", "off", &which, NULL));
	check_file(imports[_i].written);
	dump_put(home, ".tfdbg_config", "{\"graph_recursion_depth\": 3}", 28);
	config_init(&config);
	show(&config, &out);
	ck_assert_int_eq(strncmp(out.text, imports[_i].shows, strlen(imports[_i].shows)), 0);
	str_release(&out);
}
END_TEST

START_TEST(a_link_stays_one)
{
	struct config config;
	struct str path = {0}, text = {0};
	enum setting which;

	dump_put(home, "kept", "# mine\n", 7);
	put_file("");
	str_fmt(&path, "%s/.config/tensordbg/config", home);
	ck_assert_int_eq(unlink(path.text), 0);
	ck_assert_int_eq(symlink("../../kept", path.text), 0);
	config_init(&config);
	ck_assert(config_set(&config, "wrap", "off", &which, NULL));
	str_reset(&path);
	str_fmt(&path, "%s/kept", home);
	ck_assert(read_whole(path.text, &text));
	ck_assert_str_eq(text.text, "# mine\nconfig set wrap False\n");
	str_release(&path);
	str_release(&text);
}
END_TEST

/* What is as it was made goes without saying, unless all is asked for. */
static const struct {
	const char *line, *shows;
} answers[] = {
	{ "config", "  graph_recursion_depth: 20\n  mouse_mode: True\n" },
	{ "config show", "  graph_recursion_depth: 20\n  mouse_mode: True\n" },
	{ "config get theme", "  theme: auto\n" },
	{ "config get wrap", "  wrap: True\n" },
	{ "config set wrap off",
	  "  graph_recursion_depth: 20\n  mouse_mode: True\n  wrap: False\n" },
	{ "config set wrap on",
	  "  graph_recursion_depth: 20\n  mouse_mode: True\n  wrap: True\n" },
	{ "config show -a",
	  "  graph_recursion_depth: 20\n  mouse_mode: True\n  background: dark\n"
	  "  colors: auto\n  esc_delay: 25\n"
	  "  layout: single\n  page_keys: page\n  settle_ms: 2000\n  style: modern\n  theme: auto\n"
	  "  toast_seconds: 5\n  verdict: auto\n  wrap: True\n" },
};

START_TEST(command_shows_what_was_changed)
{
	struct shell *shell = session_of("testdata/linear");
	struct str out = {0}, want = {0};

	str_fmt(&want, "Command-line configuration:\n\n%s", answers[_i].shows);
	ck_assert(session_ask(shell, answers[_i].line, &out));
	ck_assert_str_eq(out.text, want.text);
	str_release(&out);
	str_release(&want);
	shell_free(shell);
}
END_TEST

START_TEST(screen_reads_settings_by_name)
{
	struct shell *shell = session_of("testdata/linear");

	ck_assert_int_eq(shell_setting(shell, "toast_seconds"), 5);
	ck_assert(shell_setting_bool(shell, "wrap"));
	ck_assert_str_eq(shell_setting_word(shell, "page_keys"), "page");
	ck_assert_str_eq(shell_setting_word(shell, "layout"), "single");
	ck_assert_ptr_null(shell_setting_word(shell, "wrap"));
	ck_assert_ptr_null(shell_setting_word(shell, "nothing"));
	shell_free(shell);
}
END_TEST

/* Built-in layouts come first and can't be replaced; of two with one name the last is taken. */
START_TEST(layouts_are_listed)
{
	struct shell *shell;
	struct str out = {0};

	put_file("layout mine list\nlayout side list\nlayout other\tlist|detail\n"
	         "layout mine list:30/detail\n");
	shell = session_of("testdata/linear");
	ck_assert(session_ask(shell, "layout", &out));
	ck_assert_str_eq(out.text,
	                 "7 layouts of the screen; / is one above the other, | beside each other:\n"
	                 "\n"
	                 "single    list\n"
	                 "detail    list:60/detail\n"
	                 "side      list:55|detail\n"
	                 "runs      runs:45/list  (where it is wide: runs:45/(list:55|detail))\n"
	                 "timeline  kernels:50/timeline\n"
	                 "mine      list:30/detail  (saved)\n"
	                 "other     list|detail  (saved)\n");
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("config",
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, standard_values);
	tcase_add_loop_test(t, settings_last, 0, ROWS(sets));
	tcase_add_test(t, other_lines_stay);
	tcase_add_test(t, colours_outlast_a_theme);
	tcase_add_test(t, colours_are_colors);
	tcase_add_test(t, lines_are_found_by_their_first_words);
	tcase_add_loop_test(t, bad_lines_are_told, 0, ROWS(complaints));
	tcase_add_loop_test(t, tfdbgs_settings_are_taken_once, 0, ROWS(imports));
	tcase_add_test(t, a_link_stays_one);
	tcase_add_loop_test(t, command_shows_what_was_changed, 0, ROWS(answers));
	tcase_add_test(t, screen_reads_settings_by_name);
	tcase_add_test(t, layouts_are_listed);
)
