#include "tui/keys.h"

#include <locale.h>
#include <string.h>

#include "cmds/table.h"
#include "tests/suite.h"

/* Is there a place and a style where both rows count? */
static bool both_count(const struct key_row *a, const struct key_row *b)
{
	static const enum context places[] = {
		CONTEXT_PROMPT, CONTEXT_VIEW, CONTEXT_TABLE, CONTEXT_TREE,
	};

	for (size_t i = 0; i < 2 * ROWS(places); i++) {
		struct key_scope scope = { i % 2 ? STYLE_MODERN : STYLE_TFDBG, places[i / 2] };

		if (key_counts(a, scope) && key_counts(b, scope))
			return true;
	}
	return false;
}

static bool meet(enum context a, enum context b)
{
	return both_count(&(struct key_row){ .context = a }, &(struct key_row){ .context = b });
}

START_TEST(contexts_meet_where_both_count)
{
	ck_assert(meet(CONTEXT_ANY, CONTEXT_PROMPT));
	ck_assert(meet(CONTEXT_VIEW, CONTEXT_TABLE));
	ck_assert(meet(CONTEXT_VIEW, CONTEXT_TREE));
	ck_assert(!meet(CONTEXT_TABLE, CONTEXT_TREE));
	ck_assert(!meet(CONTEXT_PROMPT, CONTEXT_VIEW));
	ck_assert(!both_count(&(struct key_row){ .style = STYLE_MODERN },
	                      &(struct key_row){ .style = STYLE_TFDBG }));
}
END_TEST

START_TEST(no_key_means_two_things)
{
	for (size_t i = 0; i < n_keys; i++)
		for (size_t k = i + 1; k < n_keys; k++)
			ck_assert_msg(!both_count(&key_table[i], &key_table[k]) ||
			                      !keys_clash(key_table[i].key, key_table[k].key),
			              "rows %zu and %zu", i, k);
}
END_TEST

/* What a document brings may do more than everybody's key; then everybody's help tells of it. */
START_TEST(no_brought_key_is_said_to_mean_two_things)
{
	const struct doc_keys *keys = doc_keys_table[_i];

	for (size_t i = 0; i < keys->n; i++)
		for (size_t k = 0; k < n_keys; k++)
			ck_assert_msg(!keys->at[i].help ||
			              !meet(CONTEXT_VIEW, key_table[k].context) ||
			                      key_table[k].context > CONTEXT_VIEW ||
			                      !keys_clash(keys->at[i].key, key_table[k].key),
			              "%s, row %zu, and row %zu", keys->heading, i, k);
}
END_TEST

START_TEST(every_action_has_a_key)
{
	bool has = false;

	for (size_t i = 0; i < n_keys; i++)
		has |= key_table[i].action == (enum action)_i;
	ck_assert(has);
}
END_TEST

START_TEST(every_row_says_what_it_does)
{
	ck_assert_uint_gt(strlen(key_table[_i].help), 0);
	ck_assert_int_gt(key_table[_i].action, ACTION_NONE);
	ck_assert_int_lt(key_table[_i].action, N_ACTIONS);
}
END_TEST

/*
 * Functions and arrows are swallowed by desktops and missing in terminals: each has a twin in the
 * view.
 */
START_TEST(no_action_hangs_on_a_key_that_may_be_missing)
{
	static const int sure[] = { K_CTRL('C'), K_CTRL('Z'), K_CTRL('L'), K_ESC, K_FOCUS };
	const struct key_row *row = &key_table[_i];
	bool reached = row->context != CONTEXT_ANY || row->action == ACTION_LEAVE;

	for (size_t i = 0; i < ROWS(sure); i++)
		reached |= row->key == sure[i];
	for (size_t i = 0; i < n_keys; i++)
		reached |= key_table[i].action == row->action && key_table[i].key != row->key &&
		           (key_table[i].key < K_UP || key_table[i].key == K_FOCUS ||
		            K_FIRST(key_table[i].key));
	/* a row up and down are the cursor's j and k in the view */
	ck_assert(reached || row->action == ACTION_ROW_UP || row->action == ACTION_ROW_DOWN);
}
END_TEST

/* In tfdbg's style. */
static const struct { enum context context; int key; enum action action; } lookups[] = {
	{ CONTEXT_PROMPT, 'j', ACTION_NONE },
	{ CONTEXT_VIEW, 'j', ACTION_CURSOR_DOWN },
	{ CONTEXT_PROMPT, K_PAGE_DOWN, ACTION_PAGE_DOWN },
	{ CONTEXT_VIEW, K_PAGE_DOWN, ACTION_PAGE_DOWN },
	{ CONTEXT_VIEW, K_PAIR(']', 'n'), ACTION_NEXT_BAD },
	{ CONTEXT_PROMPT, K_PAIR(']', 'n'), ACTION_NONE },
	{ CONTEXT_VIEW, K_PAIR(']', 'd'), ACTION_NEXT_DIFFERENCE },
	{ CONTEXT_VIEW, K_PAIR('[', 'd'), ACTION_PREV_DIFFERENCE },
	{ CONTEXT_VIEW, K_PAIR('m', 'q'), ACTION_SET_MARK },
	{ CONTEXT_VIEW, K_PAIR('m', 'Q'), ACTION_NONE },
	{ CONTEXT_VIEW, K_PAIR('\'', '\''), ACTION_GO_BACK },
	{ CONTEXT_VIEW, ']', ACTION_NONE },
	{ CONTEXT_VIEW, 's', ACTION_NONE },
	{ CONTEXT_TABLE, 's', ACTION_SORT },
	{ CONTEXT_VIEW, '#', ACTION_NONE },
	{ CONTEXT_TABLE, '#', ACTION_NAMES },
	{ CONTEXT_TREE, 'j', ACTION_CURSOR_DOWN },
	{ CONTEXT_TABLE, K_PAGE_UP, ACTION_PAGE_UP },
	{ CONTEXT_PROMPT, 'p', ACTION_NONE },
	{ CONTEXT_TABLE, 'p', ACTION_PICTURE },
};

static struct key_scope tfdbg(enum context context)
{
	return (struct key_scope){ STYLE_TFDBG, context };
}

START_TEST(keys_are_found)
{
	ck_assert_int_eq(key_action(tfdbg(lookups[_i].context), lookups[_i].key),
	                 lookups[_i].action);
}
END_TEST

/* Where the two styles differ. */
static const struct { int key; enum action modern, tfdbg; } styled[] = {
	{ '?', ACTION_HELP, ACTION_SEARCH_BACK },
	{ 'g', ACTION_NONE, ACTION_FIRST },
	{ K_PAIR('g', 'g'), ACTION_FIRST, ACTION_NONE },
	{ K_PAIR('g', 't'), ACTION_GO_VIEW, ACTION_NONE },
	{ 'q', ACTION_LEAVE_VIEW, ACTION_QUIT },
	{ 'i', ACTION_STAY_AT_PROMPT, ACTION_PROMPT },
	{ 'd', ACTION_COMPARE, ACTION_NONE },
	{ ':', ACTION_PROMPT, ACTION_PROMPT },
};

START_TEST(some_keys_mean_something_else_in_each_style)
{
	struct key_scope modern = { STYLE_MODERN, CONTEXT_VIEW };

	ck_assert_int_eq(key_action(modern, styled[_i].key), styled[_i].modern);
	ck_assert_int_eq(key_action(tfdbg(CONTEXT_VIEW), styled[_i].key), styled[_i].tfdbg);
	ck_assert(key_begins_pair(modern, 'g'));
	ck_assert(!key_begins_pair(tfdbg(CONTEXT_VIEW), 'g'));
}
END_TEST

START_TEST(pairs_begin_with_their_first_key)
{
	struct str text = {0};

	ck_assert(key_begins_pair(tfdbg(CONTEXT_VIEW), ']'));
	ck_assert(!key_begins_pair(tfdbg(CONTEXT_PROMPT), ']'));
	ck_assert(!key_begins_pair(tfdbg(CONTEXT_VIEW), 'j'));
	ck_assert(!key_begins_pair(tfdbg(CONTEXT_VIEW), 0));
	key_put_seconds(&text, tfdbg(CONTEXT_VIEW), NULL, ']');
	ck_assert_str_eq(text.text,
	                 "] n next NaN or Inf  d next difference  e next error  r next run  s next "
	                 "step ");
	str_release(&text);
}
END_TEST

static const struct { int key; const char *label; } labels[] = {
	{ 'j', "j" }, { ' ', "Space" }, { K_CTRL('L'), "Ctrl-L" }, { K_F(7), "F7" },
	{ K_PAGE_DOWN, "PgDn" },
	{ K_PAIR(']', 'n'), "]n" }, { K_PAIR('m', K_LETTER), "m{a-z}" },
	{ K_PAIR('\'', '\''), "''" },
	{ 0xe9, "é" }, { K_FOCUS, "Ctrl-X o" },
};

START_TEST(keys_have_names)
{
	struct str text = {0};

	key_label(&text, labels[_i].key);
	ck_assert_str_eq(text.text, labels[_i].label);
	str_release(&text);
}
END_TEST

START_TEST(names_are_read_as_keys)
{
	ck_assert_int_eq(key_read(labels[_i].label, strlen(labels[_i].label)),
	                 K_SECOND(labels[_i].key) == K_LETTER ? 0 : labels[_i].key);
}
END_TEST

static const struct { const char *text; int key; } written[] = {
	{ "^C", K_CTRL('C') }, { "( )", '(' }, { "Left Right", K_LEFT }, { "Enter", K_ENTER },
	{ "F12", K_F(12) }, { "", 0 }, { "F13", 0 }, { "a-z", 0 }, { "Entr", 0 },
	{ "\x01", 0 }, { "]Up", 0 }, { "\xff", 0 }, { "gg", K_PAIR('g', 'g') },
};

START_TEST(keys_are_read)
{
	ck_assert_int_eq(key_read(written[_i].text, strlen(written[_i].text)), written[_i].key);
}
END_TEST

SUITE_MAIN("keys",
	setenv("LC_ALL", "C.UTF-8", 1);
	setlocale(LC_ALL, "");
	tcase_add_test(t, contexts_meet_where_both_count);
	tcase_add_test(t, no_key_means_two_things);
	tcase_add_loop_test(t, no_brought_key_is_said_to_mean_two_things, 0, (int)n_doc_keys);
	tcase_add_loop_test(t, every_action_has_a_key, ACTION_NONE + 1, N_ACTIONS);
	tcase_add_loop_test(t, every_row_says_what_it_does, 0, (int)n_keys);
	tcase_add_loop_test(t, no_action_hangs_on_a_key_that_may_be_missing, 0, (int)n_keys);
	tcase_add_loop_test(t, keys_are_found, 0, ROWS(lookups));
	tcase_add_loop_test(t, some_keys_mean_something_else_in_each_style, 0, ROWS(styled));
	tcase_add_test(t, pairs_begin_with_their_first_key);
	tcase_add_loop_test(t, keys_have_names, 0, ROWS(labels));
	tcase_add_loop_test(t, names_are_read_as_keys, 0, ROWS(labels));
	tcase_add_loop_test(t, keys_are_read, 0, ROWS(written));)
