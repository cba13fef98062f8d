/* Keys bound to command lines: what a line may say, where a key counts, what the file keeps. */
#include "tui/bindings.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cmds/lang/registry.h"
#include "cmds/table.h"
#include "tests/program.h"
#include "tests/small_dump.h"
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
	{ "view gx lt", "In the view", K_PAIR('g', 'x'), "lt" },
	{ "view gt ls", "In the view", K_PAIR('g', 't'), "ls" },
	{ "tables ]n ls", "In tables", K_PAIR(']', 'n'), "ls" },
	{ "view gEnter ls", "In the view", K_PAIR('g', K_ENTER), "ls" },
	{ "view m{ ls", "In the view", K_PAIR('m', '{'), "ls" },
	{ "view 'Ctrl-X o' ls", "In the view", K_FOCUS, "ls" },
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
	{ "view x", "a command line expected after the key" },
	{ "view Esc lt", "Esc leads out of everything" },
	{ "everywhere Ctrl-C lt", "Ctrl-C leads out of everything" },
	{ "view 7 lt", "7 is part of a number" },
	{ "prompt x lt", "x edits the line at the prompt; say view" },
	{ "everywhere x lt", "x edits the line at the prompt; say view" },
	{ "view jx lt", "jx can't be bound there: j is a key" },
	{ "view zx lt", "zx can't be bound there: z is a key" },
	{ "view g lt", "g can't be bound there: gg is a key" },
	{ "\"grids and pictures\" (x lt", "(x can't be bound there: ( is a key" },
	{ "timelines ax lt", "ax can't be bound there: a is a key" },
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

/* A pair waits for its second key only where the first does nothing by itself. */
START_TEST(keys_that_act_wait_for_none)
{
	struct bindings bindings = {0};
	struct key_scope modern = { STYLE_MODERN, CONTEXT_VIEW };
	struct key_scope tfdbg = { STYLE_TFDBG, CONTEXT_VIEW };

	write_config("bind view gx a\nbind view ax b\n");
	bindings_read(&bindings);
	ck_assert(bindings_begin_pair(&bindings, modern, NULL, 'g'));
	ck_assert(!bindings_begin_pair(&bindings, tfdbg, NULL, 'g'));
	ck_assert(bindings_begin_pair(&bindings, tfdbg, NULL, 'a'));
	ck_assert(!bindings_begin_pair(&bindings, modern, NULL, 'b'));
	bindings_release(&bindings);
}
END_TEST

static void check_config(const char *text)
{
	struct str path = {0}, is = {0};

	str_fmt(&path, "%s/tensordbg/config", home);
	ck_assert(read_whole(path.text, &is));
	ck_assert_str_eq(str_text(&is), text);
	str_release(&path);
	str_release(&is);
}

/* However the line was written that goes, and whatever names the key. */
START_TEST(any_spelling_unbinds)
{
	static const struct { const char *before, *unbind; } spelled[] = {
		{ "bind  \"In the view\"  ^X   lt\n", "view Ctrl-X" },
		{ "bind view Ctrl-x lt\n", "\"in the View\" 'Ctrl-X'" },
		{ "bind VIEW \"Ctrl-X o\" lt\n", "view 'Ctrl-X o'" },
		{ "\tbind 'tables of kernels' \"gx\" lt\n", "\"In tables of kernels\" gx" },
		{ "bind view ]n lt\n", "view ]n" },
	};

	for (int i = 0; i < ROWS(spelled); i++) {
		struct bindings bindings = {0};
		struct err err = {0};
		struct str text = {0};

		str_fmt(&text, "# mine\n%sbind view X ls\nbind nowhere X ls\n", spelled[i].before);
		write_config(text.text);
		bindings_read(&bindings);
		ck_assert_uint_eq(bindings.list.len, 2);
		ck_assert_msg(bindings_remove(&bindings, spelled[i].unbind, &err), "%s", err.msg);
		check_config("# mine\nbind view X ls\nbind nowhere X ls\n");
		bindings_release(&bindings);
		str_release(&text);
	}
}
END_TEST

START_TEST(binding_again_leaves_one_line)
{
	struct bindings bindings = {0};
	struct err err = {0};

	write_config("bind \"In the view\" ^X lt\n# mine");
	bindings_read(&bindings);
	ck_assert(bindings_set(&bindings, "view Ctrl-X ls -t", &err));
	check_config("# mine\nbind view Ctrl-X ls -t\n");
	bindings_release(&bindings);
}
END_TEST

/* What Tab offers for bind. */

static bool offers_context(const char *const *words, const char *heading)
{
	const char *bare = heading + (!strncmp(heading, "In the ", 7)   ? 7
	                              : !strncmp(heading, "At the ", 7) ? 7
	                              : !strncmp(heading, "In ", 3)     ? 3
	                                                                : 0);

	for (; *words; words++) {
		const char *word = *words + (**words == '"');

		if (!strncasecmp(word, bare, strlen(bare)) &&
		    (!word[strlen(bare)] || word[strlen(bare)] == '"'))
			return true;
	}
	return false;
}

START_TEST(each_word_that_is_offered_is_taken)
{
	const struct cmd *bind = cmd_find("bind");
	const char *const *contexts = bind->pos_words[0], *const *keys = bind->pos_words[1];

	for (enum context c = 0; c < N_CONTEXTS; c++)
		ck_assert_msg(offers_context(contexts, context_names[c]), "%s", context_names[c]);
	for (size_t i = 0; i < n_doc_keys; i++)
		ck_assert_msg(!doc_keys_table[i]->heading ||
		              offers_context(contexts, doc_keys_table[i]->heading), "%s",
		              doc_keys_table[i]->heading);
	for (size_t i = 0; contexts[i]; i++)
		for (size_t k = 0; keys[k]; k++) {
			struct bindings bindings = {0};
			struct str line = {0};
			struct err err = {0};
			bool at_prompt = i < 2 && (!strcmp(keys[k], "Enter") ||
			                           !strcmp(keys[k], "Space") ||
			                           !strcmp(keys[k], "Backspace"));

			str_fmt(&line, "%s %s lt", contexts[i], keys[k]);
			ck_assert_msg(bindings_set(&bindings, line.text, &err) == !at_prompt,
			              "%s: %s", line.text, err.msg);
			bindings_release(&bindings);
			str_release(&line);
		}
}
END_TEST

static void check_offered(struct shell *shell, const char *line, const char *first, size_t n)
{
	struct completion found = {0};

	shell_complete(shell, line, strlen(line), 10, &found);
	ck_assert_msg(found.n == n, "%s: %zu", line, found.n);
	if (n)
		ck_assert_str_eq(found.first.at[0], first);
	completion_release(&found);
}

START_TEST(words_are_offered)
{
	struct shell *shell;
	struct str out = {0};

	write_config("alias slow lt -s size\nalias slower lt -r\n");
	shell = session_of("testdata/linear");
	check_offered(shell, "slo", "slow", 2);
	check_offered(shell, "unalias ", "slow", 2);
	check_offered(shell, "alias_", "", 0);
	check_offered(shell, "bind vi", "view", 1);
	check_offered(shell, "unbind gri", "grids", 1);
	check_offered(shell, "bind \"tab", "\"tables of kernels\"", 2);
	check_offered(shell, "bind view F1", "F1", 4);
	check_offered(shell, "bind \"tables of kernels\" Ctrl-K", "Ctrl-K", 1);
	check_offered(shell, "bind view F9 ", "", 0);
	ck_assert(session_ask(shell, "unalias slow", &out));
	check_offered(shell, "slo", "slower", 1);
	shell_free(shell);
	str_release(&out);
}
END_TEST

/* Lists for other programs. */
static const struct { const char *line, *answer; } lists[] = {
	{ "bind", "2 bound key(s):\n  view x lt -s \"a b\"\n  \"tables of kernels\" gx ls\n" },
	{ "bind --format json",
	  "{\"command\":\"bind --format json\",\"ok\":true,\"error\":null,"
	  "\"warnings\":[],\"rows\":["
	  "{\"context\":\"view\",\"key\":\"x\",\"command\":\"lt -s \\\"a b\\\"\"},"
	  "{\"context\":\"tables of kernels\",\"key\":\"gx\",\"command\":\"ls\"}]}\n" },
	{ "bind -o csv",
	  "context,key,command\nview,x,\"lt -s \"\"a b\"\"\"\ntables of kernels,gx,ls\n" },
	{ "alias --format json",
	  "{\"command\":\"alias --format json\",\"ok\":true,\"error\":null,"
	  "\"warnings\":[],\"rows\":["
	  "{\"name\":\"all\",\"command\":\"lt\",\"saved\":true},"
	  "{\"name\":\"big\",\"command\":\"lt -s size\",\"saved\":true}]}\n" },
	{ "alias -o csv", "name,command,saved\nall,lt,true\nbig,lt -s size,true\n" },
};

START_TEST(lists_are_read_by_programs)
{
	const char *argv[] = { program_path(), "-c", lists[_i].line, "testdata/linear", NULL };
	struct program_run ran;

	write_config("bind view x lt -s \"a b\"\nalias big lt -s size\nalias all lt\n"
	             "bind \"tables of kernels\" gx ls\n");
	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_str_eq(str_text(&ran.out), lists[_i].answer);
	program_release(&ran);
}
END_TEST

SUITE_MAIN("bindings",
	tcase_add_checked_fixture(t, begin, end);
	tcase_add_loop_test(t, lines_are_read, 0, ROWS(good));
	tcase_add_loop_test(t, what_is_wrong_is_said, 0, ROWS(bad));
	tcase_add_test(t, bound_keys_begin_no_bound_ones);
	tcase_add_test(t, keys_count_in_their_context);
	tcase_add_test(t, the_file_keeps_them);
	tcase_add_test(t, keys_that_act_wait_for_none);
	tcase_add_test(t, any_spelling_unbinds);
	tcase_add_test(t, binding_again_leaves_one_line);
	tcase_add_test(t, each_word_that_is_offered_is_taken);
	tcase_add_test(t, words_are_offered);
	tcase_add_loop_test(t, lists_are_read_by_programs, 0, ROWS(lists));)
