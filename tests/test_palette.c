/* What is offered as one types a command, in our style: the model alone, then on a screen. */
#include <string.h>

#include "cmds/table.h"
#include "tests/on_screen.h"
#include "tests/suite.h"
#include "tui/palette.h"

/* The model. */

static struct shell *open_dump(const char *path)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	ck_assert_msg(shell_open(shell, path, &err), "%s", err.msg);
	ck_assert_msg(shell_load(shell, NULL, &err), "%s", err.msg);
	return shell;
}

static struct history history_of(const char *const *lines, size_t n)
{
	struct history h = {0};

	for (size_t i = 0; i < n; i++)
		vec_push(&h.at, mem_copy(lines[i], strlen(lines[i])));
	return h;
}

static void look(struct palette *p, struct shell *shell, const char *line,
                 const struct history *history)
{
	palette_look(p, line, strlen(line), history);
	while (palette_work(p, shell, true, 7))
		;
	ck_assert(p->done);
}

static const struct {
	const char *line, *first;        /* the best; NULL: nothing fits */
	enum offer_kind kind;
} bests[] = {
	{ "lt", "lt", OFFER_COMMAND },
	{ "list_te", "list_tensors", OFFER_COMMAND },
	{ "prite", "print_tensor", OFFER_COMMAND },
	{ "linear/w", "linear/w", OFFER_NODE },
	{ "pt linw", "linear/w:0", OFFER_TENSOR },
	{ "pt x -a linw", "linear/w:0", OFFER_TENSOR },
	{ "ni linw", "linear/w", OFFER_NODE },
	{ "explain linw", "linear/w", OFFER_NODE },
	{ "explain linw:", "linear/w:0", OFFER_TENSOR },
	{ "lt -", "-n", OFFER_OPTION },
	{ "lt --op_t", "--op_type_filter", OFFER_OPTION },
	{ "lt ", "--times", OFFER_OPTION },
	{ "lt -f inf", "has_inf_or_nan", OFFER_WORD },
	{ "  ni  linw", "linear/w", OFFER_NODE },
	{ "help eva", "eval", OFFER_COMMAND },
	{ "pt zzzz", NULL, 0 },
	{ "nosuch x", NULL, 0 },
	{ "lt | gr", NULL, 0 },
	{ "lt > li", NULL, 0 },
};

START_TEST(the_best_stands_first)
{
	struct shell *shell = open_dump("testdata/linear");
	struct history none = {0};
	struct palette p = {0};

	look(&p, shell, bests[_i].line, &none);
	ck_assert_int_eq(p.rows.len > 0, bests[_i].first != NULL);
	if (bests[_i].first && bests[_i].kind != OFFER_OPTION)
		ck_assert_str_eq(p.rows.at[0].name.text, bests[_i].first);
	if (bests[_i].first)
		ck_assert_int_eq(p.rows.at[0].kind, bests[_i].kind);
	palette_release(&p);
	shell_free(shell);
}
END_TEST

START_TEST(rows_are_few_and_commands_leave_some)
{
	struct shell *shell = open_dump("testdata/mnist_nan");
	struct history none = {0};
	struct palette p = {0};

	look(&p, shell, "l", &none);
	ck_assert_uint_eq(p.rows.len, PALETTE_ROWS);
	ck_assert_uint_gt(p.n_fit, PALETTE_ROWS);
	for (size_t i = 0; i < p.rows.len; i++)
		ck_assert_int_eq(p.rows.at[i].kind == OFFER_COMMAND, i < PALETTE_COMMANDS);
	for (size_t i = 1; i < p.rows.len; i++)
		ck_assert(p.rows.at[i].kind != p.rows.at[i - 1].kind ||
		          p.rows.at[i].score <= p.rows.at[i - 1].score);
	look(&p, shell, "help l", &none);        /* where nothing else is offered they leave none */
	ck_assert_uint_eq(p.rows.len, PALETTE_ROWS);
	for (size_t i = 0; i < p.rows.len; i++)
		ck_assert_int_eq(p.rows.at[i].kind, OFFER_COMMAND);
	palette_release(&p);
	shell_free(shell);
}
END_TEST

START_TEST(of_equals_the_latest_is_first)
{
	static const char *const lines[] = { "lt", "pt linear/y:0[0:1]", "ls", "pt linear/x:0" };
	struct shell *shell = open_dump("testdata/linear");
	struct history history = history_of(lines, ROWS(lines));
	struct palette p = {0};

	look(&p, shell, "l", &history);
	ck_assert_str_eq(p.rows.at[0].name.text, "ls");
	ck_assert_str_eq(p.rows.at[1].name.text, "lt");
	look(&p, shell, "pt ", &history);
	ck_assert_uint_gt(p.rows.len, 1);
	palette_release(&p);
	history_release(&history);
	shell_free(shell);
}
END_TEST

/* Whatever the pieces in which it was looked for. */
START_TEST(slices_find_the_same)
{
	struct shell *shell = open_dump("testdata/mnist_nan");
	struct history none = {0};
	struct palette p = {0}, whole = {0};

	look(&p, shell, "pt grad", &none);
	palette_look(&whole, "pt grad", 7, &none);
	ck_assert(!palette_work(&whole, shell, true, UINT64_MAX));
	ck_assert_uint_eq(p.rows.len, whole.rows.len);
	ck_assert_uint_eq(p.n_fit, whole.n_fit);
	for (size_t i = 0; i < p.rows.len; i++)
		ck_assert_str_eq(p.rows.at[i].name.text, whole.rows.at[i].name.text);
	palette_release(&p);
	palette_release(&whole);
	shell_free(shell);
}
END_TEST

START_TEST(keys_wait_until_all_is_looked_at)
{
	struct shell *shell = open_dump("testdata/mnist_nan");
	struct history none = {0};
	struct palette p = {0};
	struct str line = {0};
	uint64_t n_fit;

	palette_look(&p, "pt grad", 7, &none);
	while (p.rows.len < 2)
		ck_assert(palette_work(&p, shell, true, 7));
	palette_choose(&p, 1);
	palette_choose(&p, 1);
	ck_assert_ptr_null(palette_chosen(&p));
	while (palette_work(&p, shell, true, 7))
		;
	ck_assert_uint_eq(p.chosen, 1);
	n_fit = p.n_fit;
	ck_assert(!palette_work(&p, shell, true, 1000));
	ck_assert_uint_eq(p.n_fit, n_fit);
	palette_put_line(&p, &line);
	ck_assert_int_eq(strncmp(line.text, "pt ", 3), 0);
	ck_assert_str_eq(line.text + 3, p.rows.at[1].name.text);
	str_release(&line);
	palette_release(&p);
	shell_free(shell);
}
END_TEST

/* While a command runs nothing is asked; then it begins anew. */
START_TEST(a_busy_shell_is_left_alone)
{
	struct shell *shell = open_dump("testdata/mnist_nan");
	struct history none = {0};
	struct palette p = {0};
	uint64_t n_fit;

	look(&p, shell, "pt grad", &none);
	n_fit = p.n_fit;
	palette_look(&p, "pt grad", 7, &none);
	ck_assert(palette_work(&p, shell, true, 100));
	ck_assert(!palette_work(&p, NULL, false, 100));
	while (palette_work(&p, shell, true, 100))
		;
	ck_assert_uint_eq(p.n_fit, n_fit);
	palette_release(&p);
	shell_free(shell);
}
END_TEST

START_TEST(choosing_goes_round_by_what_was_typed)
{
	struct shell *shell = open_dump("testdata/linear");
	struct history none = {0};
	struct palette p = {0};
	struct str line = {0};

	look(&p, shell, "linear/w -x", &none);
	palette_look(&p, "pt linw -a", 7, &none);
	while (palette_work(&p, shell, true, 100))
		;
	palette_choose(&p, 1);
	palette_put_line(&p, &line);
	ck_assert_str_eq(line.text, "pt linear/w:0 -a");
	palette_choose(&p, -1);
	ck_assert_ptr_null(palette_chosen(&p));
	str_reset(&line);
	palette_put_line(&p, &line);
	ck_assert_str_eq(line.text, "pt linw -a");
	palette_choose(&p, -1);
	ck_assert_uint_eq(p.chosen, p.rows.len - 1);
	str_release(&line);
	palette_release(&p);
	shell_free(shell);
}
END_TEST

/* On the screen. */

#define MODERN "LC_ALL=C.UTF-8 --screen=modern "

static const struct session sessions[] = {
	{ "it opens as one types", 24, 80, MODERN "mnist_nan",
	  { { ":", 23, " Esc view" }, { "lt", ANYWHERE, " lt  list_tensors" },
	    { "", ANYWHERE, "Tensors dumped in this run" }, { "", ANYWHERE, " match ─" },
	    { "", 22, ": lt" }, { "", 23, " Enter run what is typed  Tab choose  Esc close" } } },
	{ "Enter takes what was typed", 24, 80, MODERN "mnist_nan",
	  { { ":lt -n Log", ANYWHERE, " match" }, { "\r", 1, " lt -n Log" },
	    { "", GONE, " match ─" },
	    { "", 23, "? keys" } } },
	{ "Tab chooses, Enter runs it", 24, 80, MODERN "mnist_nan",
	  { { ":pt crossLog", ANYWHERE, " cross_entropy/Log:0 " },
	    { "\t", 22, ": pt cross_entropy/Log:0" },
	    { "", 21, "cross_entropy/Log:0: tensor  2.70k" }, { "", 23, " Enter run it" },
	    { "\r", 1, " pt cross_entropy/Log:0" } } },
	{ "arrows choose, and go round", 24, 80, MODERN "mnist_nan",
	  { { ":ni Wx_plus_b/add", ANYWHERE, "node  AddV2" },
	    { "<Down>", 22, ": ni hidden/Wx_plus_b/add" },
	    { "<Down>", 22, ": ni logits/Wx_plus_b/add" },
	    { "<Up>", 22, ": ni hidden/Wx_plus_b/add" },
	    { "<Up>", 23, " Enter run what is typed" }, { "", 22, ": ni Wx_plus_b/add" } } },
	{ "Esc leaves the text, then the prompt", 24, 80, MODERN "mnist_nan",
	  { { ":pt crossLog", ANYWHERE, " match" }, { "\t", 22, ": pt cross_entropy/Log:0" },
	    { "<Esc>", GONE, " match ─" }, { "", 22, ": pt crossLog" }, { "", 23, " Esc view" },
	    { "<Esc>", 23, "? keys" }, { "", 22, ": pt crossLog" } } },
	{ "a name begins a line", 24, 80, MODERN "mnist_nan",
	  { { ":entropy/Log:", ANYWHERE, " cross_entropy/Log:0 " },
	    { "\t", 22, ": pt cross_entropy/Log:0" }, { "\r", 1, " pt cross_entropy/Log:0" } } },
	{ "a command that wants more goes on", 24, 80, MODERN "mnist_nan",
	  { { ":print_t", ANYWHERE, " match" }, { "\t", 23, " Enter go on" },
	    { "\r", ANYWHERE, " 301 match" }, { "", 22, ": print_tensor" } } },
	{ "typing goes on from what is chosen", 24, 80, MODERN "mnist_nan",
	  { { ":pt crossLog", ANYWHERE, " match" }, { "\t", 22, ": pt cross_entropy/Log:0" },
	    { "[0]", 22, ": pt cross_entropy/Log:0[0]" },
	    { "\r", 1, " pt cross_entropy/Log:0[0]" } } },
	{ "Tab opens it again", 24, 80, MODERN "mnist_nan",
	  { { ":pt crossLog", ANYWHERE, " 3 match" }, { "", 23, "Esc close" },
	    { "<Esc>", 23, " Esc view" }, { "", GONE, " match ─" },
	    { "\t", 22, ": pt cross_entropy/Log:0" } } },
	{ "what was used last comes first", 24, 80, MODERN "mnist_nan",
	  { { ":l", ANYWHERE, " li  list_inputs" }, { "", 23, "Esc close" },
	    { "<Esc>", 23, " Esc view" }, { "", GONE, " match ─" },
	    { "s\r", 1, " ls" }, { ":l\t", 22, ": ls" } } },
	{ "history at an empty prompt, and no palette", 24, 80, MODERN "mnist_nan",
	  { { ":lt -n Log\r", 1, " lt -n Log" }, { ":lt -n Neg\r", 1, " lt -n Neg" },
	    { ":<Up>", 22, ": lt -n Neg" }, { "<Up>", 22, ": lt -n Log" },
	    { "", GONE, " match ─" }, { "", 23, " Esc view" } } },
	{ "no palette for searches", 24, 80, MODERN "mnist_nan",
	  { { "/lt", 22, ": /lt" }, { "", 23, " Esc view" }, { "", GONE, " match ─" } } },
	{ "nothing matches", 24, 80, MODERN "mnist_nan",
	  { { ":pt qqqq", ANYWHERE, "─ nothing matches ─" }, { "\t", 22, ": pt qqqq" } } },
	{ "little room", 10, 40, MODERN "mnist_nan",
	  { { ":l", 3, " match ─" }, { "", 4, " li  list_inputs" },
	    { "\t\t\t\t", 6, " ls  list_source" }, { "", 8, ": ls" } } },
	{ "signs of ASCII", 24, 80, "LC_ALL=C.UTF-8 --screen=modern --ascii mnist_nan",
	  { { ":pt Log", ANYWHERE, " match -" } } },
	{ "runs", 24, 80, MODERN "train20",
	  { { ":run_info ", ANYWHERE, " run_1795218502312451_11" } } },
	{ "a recorded program", 24, 80, MODERN "v2/tf2.1.3_FULL_TENSOR",
	  { { ":pt ", ANYWHERE, " tensor" } } },
	{ "its steps", 24, 80, MODERN "v2/mode_CONCISE_HEALTH",
	  { { ":lt --step 3", ANYWHERE, " 3   step  " }, { "", 23, "Esc close" },
	    { "<Esc>", 23, "Esc view" }, { "<Esc>", 23, "? keys" },
	    { ":<Ctrl-U>12", ANYWHERE, " 12  " }, { "\t", 22, ": run --to 12" },
	    { "\r", ANYWHERE, " of step #12 " } } },
	{ "help goes on", 24, 80, MODERN "mnist_nan",
	  { { ":help eva", ANYWHERE, " eval" }, { "\t", 22, ": help eval" },
	    { "", 23, " Enter run it" }, { "\r", 1, "help eval" } } },
	{ "the mouse", 24, 80, MODERN "mnist_nan",
	  { { ":mouse on\r", 21, "Mouse mode: on" }, { ":pt crossLog", ANYWHERE, " 3 match" },
	    { "<Click(14,9)>", 22, ": pt train/gradients/cross_entropy/Log_grad/mul" },
	    { "<Click(13,9)>", 22, ": pt cross_entropy/Log:0" },
	    { "<Wheeld(15,9)>", 22, ": pt train/gradients/cross_entropy/Log_grad/" },
	    { "<Wheelu(15,9)>", 22, ": pt cross_entropy/Log:0" },
	    { "<Click(19,9)>", 22, ": pt cross_entropy/Log:0" },
	    { "\r", 1, " pt cross_entropy/Log:0" } } },
	{ "tfdbg's style lists candidates", 24, 80, NULL,
	  { { "ni cross_entropy/\t", ANYWHERE, "Candidates: " }, { "", GONE, " match ─" } } },
};

START_TEST(screens)
{
	play_session(&sessions[_i]);
}
END_TEST

/* The last letter that is typed, in the name that fits best. */
static bool is_last_underlined(struct terminal *t, const void *ctx)
{
	int row, col;

	(void)ctx;
	return terminal_find(t, "cross_entropy/Log:0 ", &row, &col) &&
	       terminal_cell(t, row, col + 16).underline;
}

/* What of a name was typed stands out. */
START_TEST(typed_letters_are_underlined)
{
	const char *const args[] = { "--screen=modern", "mnist_nan", NULL };
	struct terminal *t = start_in("testdata", args, NULL, 24, 80);
	int row, col;

	PLAY(t, { "", 23, "? keys" }, { ":pt crossLog", ANYWHERE, " 3 match" });
	ck_assert(terminal_wait(t, is_last_underlined, NULL));
	ck_assert(terminal_find(t, "cross_entropy/Log:0 ", &row, &col));
	for (int i = 0; i < 19; i++)
		ck_assert_int_eq(terminal_cell(t, row, col + i).underline,
		                 i < 5 || (i >= 14 && i < 17));
	leave_by_key(t);
}
END_TEST

SUITE_MAIN("palette",
	tcase_add_test(t, typed_letters_are_underlined);
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	table_register();
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, the_best_stands_first, 0, ROWS(bests));
	tcase_add_test(t, rows_are_few_and_commands_leave_some);
	tcase_add_test(t, of_equals_the_latest_is_first);
	tcase_add_test(t, slices_find_the_same);
	tcase_add_test(t, keys_wait_until_all_is_looked_at);
	tcase_add_test(t, a_busy_shell_is_left_alone);
	tcase_add_test(t, choosing_goes_round_by_what_was_typed);
	tcase_add_loop_test(t, screens, 0, ROWS(sessions));)
