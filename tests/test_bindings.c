/* Keys bound to command lines: what a line may say, where a key counts, what the file keeps. */
#include "tui/bindings.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/table.h"
#include "tests/program.h"
#include "tests/suite.h"

static char *home;

static void begin(void)
{
	table_register();
	home = scratch_new();
	setenv("XDG_CONFIG_HOME", home, 1);
}

static void end(void)
{
	scratch_remove(home);
}

static void write_config(const char *text)
{
	struct str path = {0};
	FILE *file;

	str_fmt(&path, "%s/tensordbg", home);
	mkdir(path.text, 0700);
	str_puts(&path, "/config");
	file = fopen(path.text, "we");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
	str_release(&path);
}

static const struct { const char *line, *context; int key; const char *command; } good[] = {
	{ "view x lt -n %n", "In the view", 'x', "lt -n %n" },
	{ "\"In the view\" x lt", "In the view", 'x', "lt" },
	{ "Tables ]x lt", "In tables", K_PAIR(']', 'x'), "lt" },
	{ "everywhere F9 kernels", "Everywhere", K_F(9), "kernels" },
	{ "prompt Ctrl-X ls", "At the prompt", K_CTRL('X'), "ls" },
	{ "grids ' ls", "In grids", '\'', NULL },
	{ "\"tables of kernels\"  x   ls  ", "In tables of kernels", 'x', "ls  " },
	{ "view > lt > file", "In the view", '>', "lt > file" },
};

START_TEST(lines_are_read)
{
	struct bindings bindings = {0};
	struct err err = {0};
	bool ok = bindings_set(&bindings, good[_i].line, &err);

	ck_assert_int_eq(ok, good[_i].command != NULL);
	if (ok) {
		ck_assert_uint_eq(bindings.list.len, 1);
		ck_assert_str_eq(bindings.list.at[0].context, good[_i].context);
		ck_assert_int_eq(bindings.list.at[0].key, good[_i].key);
		ck_assert_str_eq(bindings.list.at[0].command, good[_i].command);
	}
	bindings_release(&bindings);
}
END_TEST

static const struct { const char *line, *why; } bad[] = {
	{ "", "nothing is there; a context expected: Everywhere, prompt, view, tables, trees" },
	{ "nowhere x lt", "no context: nowhere; a context expected: " },
	{ "view", "nothing is there; a key as F1 writes it expected" },
	{ "view Entr lt", "no key: Entr; a key as F1 writes it expected" },
	{ "view x", "a command line expected behind the key" },
	{ "view Esc lt", "Esc leads out of everything" },
	{ "everywhere Ctrl-C lt", "Ctrl-C leads out of everything" },
	{ "view 7 lt", "7 is part of a number" },
	{ "prompt x lt", "x edits the line at the prompt; say view" },
	{ "everywhere x lt", "x edits the line at the prompt; say view" },
	{ "view jx lt", "jx can't be bound there: j is a key" },
	{ "view ] lt", "] can't be bound there: ]n is a key" },
	{ "grids ] lt", "] can't be bound there: ]n is a key" },
};

START_TEST(what_is_wrong_is_said)
{
	struct bindings bindings = {0};
	struct err err = {0};

	ck_assert(!bindings_set(&bindings, bad[_i].line, &err));
	ck_assert_msg(strstr(err.msg, bad[_i].why), "%s", err.msg);
	ck_assert_uint_eq(bindings.list.len, 0);
}
END_TEST

START_TEST(bound_keys_begin_no_bound_ones)
{
	struct bindings bindings = {0};
	struct err err = {0};

	ck_assert(bindings_set(&bindings, "view x lt", &err));
	ck_assert(!bindings_set(&bindings, "tables xy lt", &err));
	ck_assert_msg(strstr(err.msg, "x is bound"), "%s", err.msg);
	ck_assert_uint_eq(bindings.list.len, 1);
	bindings_release(&bindings);
}
END_TEST

static const char *found(const struct bindings *bindings, enum style style, enum context context,
                         int key)
{
	const struct binding *b = bindings_find(bindings, (struct key_scope){ style, context },
	                                        NULL, key);

	return b ? b->command : "";
}

START_TEST(keys_count_in_their_context)
{
	struct bindings bindings = {0};

	write_config("bind everywhere F9 a\nbind view x b\nbind tables x c\n"
	             "bind prompt F2 d\nbind view j e\n");
	bindings_read(&bindings);
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_PROMPT, K_F(9)), "a");
	ck_assert_str_eq(found(&bindings, STYLE_TFDBG, CONTEXT_TABLE, K_F(9)), "a");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_VIEW, 'x'), "b");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_TREE, 'x'), "b");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_TABLE, 'x'), "c");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_PROMPT, 'x'), "");
	ck_assert_str_eq(found(&bindings, STYLE_TFDBG, CONTEXT_PROMPT, K_F(2)), "d");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_VIEW, K_F(2)), "");
	ck_assert_str_eq(found(&bindings, STYLE_MODERN, CONTEXT_VIEW, 'j'), "e");
	bindings_release(&bindings);
}
END_TEST

START_TEST(the_file_keeps_them)
{
	struct bindings bindings = {0}, again = {0};
	struct config_complaint complaint = {0};
	struct err err = {0};

	write_config("# keys\nbind view x lt\nbind view Entr lt\n");
	bindings_read(&bindings);
	bindings_check(&complaint);
	ck_assert_uint_eq(complaint.n, 1);
	ck_assert_uint_eq(complaint.line, 3);
	ck_assert(bindings_set(&bindings, "\"In the view\" x ls", &err));
	ck_assert(bindings_set(&bindings, "\"tables of kernels\" F9 ls", &err));
	ck_assert(bindings_set(&bindings, "view y lo", &err) == false);
	ck_assert(bindings_set(&bindings, "view F9 lo", &err));
	bindings_read(&again);
	ck_assert_uint_eq(again.list.len, 3);
	ck_assert_str_eq(found(&again, STYLE_MODERN, CONTEXT_VIEW, 'x'), "ls");
	ck_assert(bindings_remove(&bindings, "view x", &err));
	ck_assert(!bindings_remove(&bindings, "view x", &err));
	bindings_release(&again);
	bindings_read(&again);
	ck_assert_uint_eq(again.list.len, 2);
	bindings_release(&bindings);
	bindings_release(&again);
}
END_TEST

SUITE_MAIN("bindings",
	tcase_add_checked_fixture(t, begin, end);
	tcase_add_loop_test(t, lines_are_read, 0, ROWS(good));
	tcase_add_loop_test(t, what_is_wrong_is_said, 0, ROWS(bad));
	tcase_add_test(t, bound_keys_begin_no_bound_ones);
	tcase_add_test(t, keys_count_in_their_context);
	tcase_add_test(t, the_file_keeps_them);)
