/* Layouts as text: what they say, how they are written again, where a bad one is bad. */
#include "tui/plan.h"

#include <string.h>

#include "tests/suite.h"

/* again: as plan_put writes it; NULL: the same. */
static const struct { const char *text, *again; } good[] = {
	{ "list", NULL },
	{ "list:60/detail", NULL },
	{ "list/detail", "list:50/detail" },
	{ " list : 55 | detail ", "list:55|detail" },
	{ "runs:40/(list:60|detail)", NULL },
	{ "(list|detail):70/runs", "(list:50|detail):70/runs" },
	{ "list/kernels/timeline", "list:33/(kernels:50/timeline)" },
	{ "list:20|a:30|b|c:25", "list:20|(a:38|(b:50|c))" },
	{ "((list))", "list" },
	{ "list/\"kernels -g op\"", "list:50/\"kernels -g op\"" },
	{ "list/'lt -n \"a b\"'", "list:50/'lt -n \"a b\"'" },
	{ "list:95/detail", NULL },
	{ "lt/lt/lt/detail", "lt:25/(lt:33/(lt:50/detail))" },
};

START_TEST(texts_are_read_and_written)
{
	struct arena mem = {0};
	struct plan plan;
	struct err err = {0};
	struct str text = {0};

	ck_assert_msg(plan_parse(good[_i].text, &mem, &plan, &err), "%s", err.msg);
	ck_assert_int_eq(plan.arrangement.n_splits, plan.n_panes - 1);
	plan_put(&plan.arrangement, plan.pane, &text);
	ck_assert_str_eq(text.text, good[_i].again ? good[_i].again : good[_i].text);
	str_release(&text);
	arena_release(&mem);
}
END_TEST

static const struct { const char *text; uint64_t column; } bad[] = {
	{ "", 0 }, { "list/", 5 }, { "/list", 0 }, { "list detail", 5 }, { "list:/detail", 5 },
	{ "list:4/detail", 5 }, { "list:96/detail", 5 }, { "list:-5/detail", 5 },
	{ "list:5x/detail", 6 }, { "list/detail|runs", 11 }, { "(list/detail", 12 },
	{ "list/detail)", 11 }, { "list/(detail", 12 }, { "list/list", 5 }, { "detail", 0 },
	{ "list:60/detail:60", 0 }, { "list:95/a/b", 0 }, { "a/b/c/d/e", 8 },
	{ "a/(b/(c/(d/e)))", 11 }, { "((((((((((list))))))))))", 8 }, { "list/\"kernels", 5 },
	{ "list/\"\"", 5 }, { "list/\" \"", 5 }, { "list/a;b", 6 },
};

START_TEST(bad_texts_point_at_the_column)
{
	struct arena mem = {0};
	struct plan plan;
	struct err err = {0};

	ck_assert(!plan_parse(bad[_i].text, &mem, &plan, &err));
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	ck_assert_msg(err.off == bad[_i].column, "%s", err.msg);
	arena_release(&mem);
}
END_TEST

START_TEST(parts_lie_as_the_signs_say)
{
	struct arena mem = {0};
	struct plan plan;
	int panes[MAX_PANES];

	ck_assert(plan_parse("a:40/(b:20|c)", &mem, &plan, NULL));
	ck_assert_uint_eq(arrangement_panes(&plan.arrangement, panes), 3);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(panes[i], i);
	for (int i = 0; i < 2; i++) {
		const struct split *split = &plan.arrangement.split[i];

		ck_assert_int_eq(split->permille, split->beside ? 200 : 400);
		ck_assert_int_eq(split->part[0], split->beside ? 1 : 0);
	}
	arena_release(&mem);
}
END_TEST

START_TEST(names_are_plain_words)
{
	ck_assert(plan_is_name("my_own-2.b"));
	ck_assert(!plan_is_name("") && !plan_is_name("-a") && !plan_is_name("a b") &&
	          !plan_is_name("a/b"));
}
END_TEST

SUITE_MAIN("plan",
	tcase_add_loop_test(t, texts_are_read_and_written, 0, ROWS(good));
	tcase_add_loop_test(t, bad_texts_point_at_the_column, 0, ROWS(bad));
	tcase_add_test(t, parts_lie_as_the_signs_say);
	tcase_add_test(t, names_are_plain_words);)
