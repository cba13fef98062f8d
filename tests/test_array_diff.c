/*
 * Two sources of arrays held against each other: what is paired with what, axes in another order,
 * how far elements may be apart.
 */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "dump/model/run_diff.h"
#include "dump/readers.h"
#include "tests/asking.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

static char *root;

static void set_up(void)
{
	root = scratch_new();
}

static void tear_down(void)
{
	scratch_remove(root);
}

/* Good until the next but one. */
static const char *path_in(const char *name)
{
	static struct str paths[2];
	static int turn;
	struct str *path = &paths[turn = !turn];

	str_reset(path);
	str_fmt(path, "%s/%s", root, name);
	return path->text;
}

static void put_floats(const char *name, const char *shape, const float *at, size_t n)
{
	struct str dict = {0}, file = {0};

	str_fmt(&dict, "{'descr': '<f4', 'fortran_order': False, 'shape': %s}", shape);
	str_put(&file, "\x93NUMPY\1\0", 8);
	put_fixed(&file, dict.len, 2);
	str_puts(&file, dict.text);
	str_put(&file, (const char *)at, n * sizeof *at);
	dump_put(root, name, file.text, file.len);
	str_release(&dict);
	str_release(&file);
}

/* Arrays of one number, each another. */
static void put_names(const char *dir, const char *const *names, const float *numbers)
{
	for (size_t i = 0; names[i]; i++) {
		struct str path = {0};

		str_fmt(&path, "%s/%s.npy", dir, names[i]);
		put_floats(path.text, "(1,)", &numbers[i], 1);
		str_release(&path);
	}
}

static struct run *load(const char *path)
{
	struct err err = {0};
	struct run *run = run_open(path, &err);

	ck_assert_msg(run && run_load(run, NULL, &err), "%s", err.msg);
	return run;
}

/* ---- pairs: each new array is given the number of the old one that is to be its partner */

static const struct {
	const char *old[4], *now[4];
	float numbers[4];        /* of the new ones */
	bool by_order;
	const char *map;
	int same, added, gone;
} paired[] = {
	{ { "a", "b" }, { "a", "b" }, { 0, 1 }, .same = 2 },
	{ { "module.a", "b" }, { "a", "model.b" }, { 0, 1 }, .same = 2 },
	{ { "module.model.a" }, { "_orig_mod.a" }, { 0 }, .same = 1 },
	{ { "net.x.a", "net.x.b" }, { "enc/x/a", "enc/x/b" }, { 0, 1 }, .same = 2 },
	{ { "net.a", "b" }, { "a", "net.b" }, { 0, 1 }, .added = 2, .gone = 2 },
	{ { "a", "x" }, { "a", "y" }, { 0, 1 }, .same = 1, .added = 1, .gone = 1 },
	{ { "a", "x" }, { "a", "y" }, { 0, 1 }, .by_order = true, .same = 2 },
	{ { "a", "b" }, { "a", "b" }, { 1, 0 }, .map = "# turned\na b\n\nb\ta\r\n", .same = 2 },
	/* Left out on both sides; a name that is not there pairs nothing. */
	{ { "a", "x" }, { "a", "y" }, { 0, 1 }, .map = "y -\n- x\nz -\n", .same = 1 },
	{ { "a" }, { "a" }, { 0 }, .map = "- a\n", .added = 1 },
	/* What several names would be is nobody's. */
	{ { "module.a", "model.a" }, { "_orig_mod.a" }, { 0 }, .added = 1, .gone = 2 },
};

START_TEST(arrays_are_paired)
{
	static const float numbers[] = { 0, 1, 2, 3 };
	static const struct tolerance exact;
	struct pairing pairing = { .by_order = paired[_i].by_order };
	struct err err = {0};
	struct run *now, *before;
	struct run_diff *diff;

	put_names("old", paired[_i].old, numbers);
	put_names("new", paired[_i].now, paired[_i].numbers);
	if (paired[_i].map) {
		dump_put(root, "map", paired[_i].map, strlen(paired[_i].map));
		ck_assert(pairing_read_map(&pairing, path_in("map"), &err));
	}
	before = load(path_in("old"));
	now = load(path_in("new"));
	diff = run_diff_new(now, before, &exact, &pairing, NULL, &err);
	ck_assert_uint_eq(diff->count[DIFF_SAME], paired[_i].same);
	ck_assert_uint_eq(diff->count[DIFF_CHANGED], 0);
	ck_assert_uint_eq(diff->count[DIFF_ADDED], paired[_i].added);
	ck_assert_uint_eq(diff->count[DIFF_GONE], paired[_i].gone);
	for (size_t i = 0; i < diff->pairs.len; i++) {
		const struct diff_pair *pair = &diff->pairs.at[i];

		if (pair->now != DIFF_NONE)
			ck_assert_uint_eq(run_diff_partner(now, pair->now, before, &pairing),
			                  pair->before);
	}
	run_diff_free(diff);
	pairing_release(&pairing);
	run_close(now);
	run_close(before);
}
END_TEST

START_TEST(a_bad_map_names_its_line)
{
	static const char *const maps[] = { "a b\nc\n", "a b\n  c\n", "a b\na b c\n", "a b\nc\t" };
	struct pairing pairing = {0};
	struct err err = {0};

	dump_put(root, "map", maps[_i], strlen(maps[_i]));
	ck_assert(!pairing_read_map(&pairing, path_in("map"), &err));
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	ck_assert_ptr_nonnull(strstr(err.msg, "line 2:"));
	pairing_release(&pairing);
}
END_TEST

/* ---- axes */

START_TEST(axes_are_turned_back)
{
	static const float rows[] = { 0, 1, 2, 3, 4, 5 }, columns[] = { 0, 3, 1, 4, 2, 5 };
	static const struct tolerance exact;
	struct pairing pairing = { .transpose = _i };
	struct err err = {0};
	struct run *now, *before;
	struct run_diff *diff;

	put_floats("old/a.npy", "(2, 3)", rows, 6);
	put_floats("new/a.npy", "(3, 2)", columns, 6);
	before = load(path_in("old"));
	now = load(path_in("new"));
	diff = run_diff_new(now, before, &exact, &pairing, NULL, &err);
	ck_assert_uint_eq(diff->n_turned, 1);
	ck_assert_int_eq(diff->pairs.at[0].status, _i ? DIFF_SAME : DIFF_SHAPE);
	run_diff_free(diff);
	run_close(now);
	run_close(before);
}
END_TEST

START_TEST(every_order_of_axes_goes_back)
{
	static const struct { struct shape old, now; } shapes[] = {
		{ { 4, { 1, 2, 3, 4 } }, { 4, { 1, 4, 2, 3 } } },
		{ { 4, { 1, 2, 3, 4 } }, { 4, { 1, 3, 4, 2 } } },
		{ { 4, { 5, 2, 3, 4 } }, { 4, { 4, 3, 5, 2 } } },
		{ { 4, { 5, 2, 3, 4 } }, { 4, { 3, 4, 2, 5 } } },
		{ { 3, { 5, 2, 3 } }, { 3, { 5, 3, 2 } } },
	};

	for (size_t i = 0; i < ROWS(shapes); i++) {
		unsigned char elems[120], turned[120];
		struct value *value;
		struct view view;
		struct err err;

		for (size_t k = 0; k < sizeof elems; k++)
			elems[k] = (unsigned char)k;
		value = value_of_memory(DTYPE_UINT8, &shapes[i].old, elems, sizeof elems);
		ck_assert(view_turned(&view, value, &shapes[i].now));
		ck_assert(view_read(&view, 0, (size_t)view.count, turned, &err));
		ck_assert_uint_eq(turned[0], 0);
		ck_assert_uint_eq(turned[view.count - 1], view.count - 1);
		ck_assert_uint_ne(turned[1], 1);
		ck_assert(!view_turned(&view, value, &(struct shape){ 2, { 2, 12 } }));
		value_close(value);
	}
}
END_TEST

/* ---- answers */

static const struct { const char *line, *wanted; } asked[] = {
	{ "diff %s", "2 tensor(s), 1 changed, 1 shape" },
	{ "diff %s", "axes in another order (NCHW, NHWC): --transpose compares it" },
	{ "diff %s --transpose", "2 tensor(s), 1 same, 1 changed" },
	{ "diff %s --transpose --close", "2 tensor(s), 2 same" },
	{ "diff %s --close", "Equal up to what the type allows" },
	{ "diff %s --close --atol 1", "--close excludes --atol and --rtol" },
	{ "diff %s --map none/at/all", "No such file" },
	{ "diff b %s", "max abs 9.537e-7" },
	{ "diff m %s", "the axes may be in another order: --transpose compares so" },
	{ "diff m %s --transpose", "the old one was turned to compare it" },
	{ "diff m[0] %s --transpose", "all 2 elements are the same" },
	{ "diff %s -n b", "changed  b" },
};

START_TEST(answers)
{
	static const float rows[] = { 0, 1, 2, 3, 4, 5 }, columns[] = { 0, 3, 1, 4, 2, 5 };
	static const float before = 1, now = 1.000001f;
	struct str line = {0}, text = {0};
	struct shell *shell;

	put_floats("old/m.npy", "(2, 3)", rows, 6);
	put_floats("new/m.npy", "(3, 2)", columns, 6);
	put_floats("old/b.npy", "(1,)", &before, 1);
	put_floats("new/b.npy", "(1,)", &now, 1);
	shell = session_of(path_in("new"));
	str_put(&line, asked[_i].line, (size_t)(strstr(asked[_i].line, "%s") - asked[_i].line));
	str_puts(&line, path_in("old"));
	str_puts(&line, strstr(asked[_i].line, "%s") + 2);
	session_ask(shell, line.text, &text);
	ck_assert_msg(strstr(text.text, asked[_i].wanted), "%s\n%s", line.text, text.text);
	str_release(&line);
	str_release(&text);
	shell_free(shell);
}
END_TEST

/* Of a map: lines that name what is not there, the first three and how many more. */
static const struct { const char *map, *warning, *more; } idle[] = {
	{ "a a\nb -\n- c\n", NULL, NULL },
	{ "a a\n\nx c\n", "line 3: the new one has no \"x\"", NULL },
	{ "# b\nb x\n", "line 2: the old one has no \"x\"", NULL },
	{ "x y", "line 1: the new one has no \"x\", the old one no \"y\"", NULL },
	{ "x -", "line 1: the new one has no \"x\"", NULL },
	{ "- a:1", "line 1: the old one has no \"a:1\"", NULL },
	{ "t a\nu a\nv a\n", "line 3: the new one", NULL },
	{ "t a\nu a\nv a\nw a\n", "line 3: the new one", "1 more line that names" },
	{ "t a\nu a\nv a\nw a\nx -\n", "line 3: the new one", "2 more lines that name" },
};

START_TEST(lines_of_a_map_that_name_nothing)
{
	static const char *const old[] = { "a", "c", NULL }, *const now[] = { "a", "b", NULL };
	static const float numbers[2];
	struct shell *shell;
	struct str line = {0};
	struct said said = {0};

	put_names("old", old, numbers);
	put_names("new", now, numbers);
	dump_put(root, "map", idle[_i].map, strlen(idle[_i].map));
	shell = session_of(path_in("new"));
	str_fmt(&line, "diff %s --map %s", path_in("old"), path_in("map"));
	ck_assert(ask(shell, line.text, NULL, &said));
	ck_assert_msg(!idle[_i].warning == !strstr(str_text(&said.told), "map, line"), "%s",
	              str_text(&said.told));
	ck_assert(!idle[_i].warning || strstr(said.told.text, idle[_i].warning));
	ck_assert(!idle[_i].more == !strstr(str_text(&said.told), " more line"));
	ck_assert(!idle[_i].more || strstr(said.told.text, idle[_i].more));
	said_release(&said);
	str_release(&line);
	shell_free(shell);
}
END_TEST

/* The step of the same number, whatever its place. */
START_TEST(steps_are_held_against_steps)
{
	static const float one = 1, two = 2;
	struct str line = {0}, text = {0};
	struct shell *shell;

	put_floats("old/step_1/a.npy", "(1,)", &one, 1);
	put_floats("old/step_5/a.npy", "(1,)", &two, 1);
	put_floats("old/step_7/a.npy", "(1,)", &two, 1);
	put_floats("new/step_5/a.npy", "(1,)", &two, 1);
	put_floats("new/step_6/a.npy", "(1,)", &two, 1);
	shell = session_of(path_in("new"));
	str_fmt(&line, "diff %s", path_in("old"));
	session_ask(shell, "run", &text);
	ck_assert(session_ask(shell, line.text, &text));
	ck_assert_ptr_nonnull(strstr(text.text, "1 tensor(s), 1 same"));
	session_ask(shell, "run", &text);
	ck_assert(!session_ask(shell, line.text, &text));
	shell_free(shell);
	str_release(&line);
	str_release(&text);
}
END_TEST

SUITE_MAIN("array diff",
	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_add_loop_test(t, arrays_are_paired, 0, ROWS(paired));
	tcase_add_loop_test(t, a_bad_map_names_its_line, 0, 4);
	tcase_add_loop_test(t, axes_are_turned_back, 0, 2);
	tcase_add_test(t, every_order_of_axes_goes_back);
	tcase_add_loop_test(t, answers, 0, ROWS(asked));
	tcase_add_loop_test(t, lines_of_a_map_that_name_nothing, 0, ROWS(idle));
	tcase_add_test(t, steps_are_held_against_steps);)
