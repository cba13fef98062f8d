/*
 * The list of tensors as a table: typed cells, for whoever sorts or filters the rows that are
 * shown.
 */
#include "cmds/doc/table.h"

#include <string.h>

#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

static struct body *body_of(struct shell *shell, const char *line, struct answer *answer)
{
	struct body *body;

	shell_run(shell, line, 0, NULL, answer);
	body = doc_get_body(answer->doc);
	ck_assert_ptr_nonnull(body);
	ck_assert_str_eq(body->kind->name, "table");
	return body;
}

static const struct { const char *dump, *line; } lists[] = {
	{ "testdata/linear", "lt" }, { "testdata/two_devices", "lt" },
	{ "testdata/linear", "lt --time_unit us" }, { "testdata/two_devices", "lt --time_unit s" },
};

/* Each heading is in the head line above the body, in this order. */
START_TEST(columns_are_those_of_the_head_line)
{
	struct shell *shell = session_of(lists[_i].dump);
	struct answer answer;
	struct body *body = body_of(shell, lists[_i].line, &answer);
	const struct col *columns;
	struct line line = {0};
	const char *at;
	size_t n;

	columns = body->kind->columns_of(body, &n);
	doc_line(answer.doc, doc_body_row(answer.doc) - 1, 0, &line);
	at = line.text.text;
	ck_assert_uint_eq(n, strstr(at, "Device") ? 5 : 4);
	for (size_t i = 0; i < n; i++) {
		at = strstr(at, columns[i].heading);
		ck_assert_msg(at != NULL, "%s: %s", columns[i].heading, line.text.text);
	}
	line_release(&line);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* Of testdata/linear, row 6; NULL: a number. */
static const struct { const char *name, *text; double number; } cells[] = {
	{ "time_us", NULL, 1098 }, { "size_bytes", NULL, 196 }, { "op", "VariableV2", 0 },
	{ "tensor", "linear/w:0", 0 },
};

START_TEST(cells_are_typed)
{
	struct shell *shell = session_of("testdata/linear");
	struct answer answer;
	struct body *body = body_of(shell, "lt", &answer);
	struct table_cell cell = {0};
	const struct col *columns;
	size_t n;

	columns = body->kind->columns_of(body, &n);
	ck_assert_str_eq(columns[_i].key, cells[_i].name);
	ck_assert_int_eq(col_is_number(&columns[_i]), !cells[_i].text);
	ck_assert(body->kind->cell_of(body, 6, (size_t)_i, &cell, NULL));
	ck_assert(!cell.missing);
	if (cells[_i].text)
		ck_assert_str_eq(str_text(&cell.text), cells[_i].text);
	else
		ck_assert(cell.number == cells[_i].number);
	str_release(&cell.text);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* The cells of a column lie in the order that the command sorts the rows in. */
static const struct {
	const char *line;
	size_t column;
	int order;
} sorted[] = {
	{ "lt", 0, 1 },
	{ "lt -r", 0, -1 },
	{ "lt -s dump_size", 1, 1 },
	{ "lt -s op_type -r", 2, -1 },
};

START_TEST(cells_sort_as_the_command_does)
{
	struct shell *shell = session_of("testdata/linear");
	struct answer answer;
	struct body *body = body_of(shell, sorted[_i].line, &answer);
	struct table_cell a = {0}, b = {0};

	for (uint64_t row = 1; row < body->kind->rows(body); row++) {
		int order;

		ck_assert(body->kind->cell_of(body, row - 1, sorted[_i].column, &a, NULL));
		ck_assert(body->kind->cell_of(body, row, sorted[_i].column, &b, NULL));
		order = sorted[_i].column == 2 ? strcmp(b.text.text, a.text.text) :
		                                 (b.number > a.number) - (b.number < a.number);
		ck_assert_int_ge(order * sorted[_i].order, 0);
	}
	str_release(&a.text);
	str_release(&b.text);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* Names as one text with their slots; shapes by rank, then from the first dimension on. */
static const struct { const char *line, *names[8]; } orders[] = {
	{ "lt -s tensor_name", { "a/b:0", "a:0", "a:10", "a:2", "m:0", "n:0" } },
	{ "lt --health -s shape", { "a:0", "m:0", "n:0" } },
	{ "lt --health -s min", { "a:0", "a/b:0", "n:0", "a:2", "a:10" } },
	{ "lt --health -s max", { "a/b:0", "a:2", "n:0", "a:10", "a:0" } },
	{ "lt -s dump_size", { "a:2", "p:0", "n:0" } },
	{ "lt -s dump_size -r", { "n:0", "a:2", "p:0" } },   /* equal ones keep their order */
};

START_TEST(rows_stand_in_the_order_asked_for)
{
	char *dir = scratch_new();
	struct str out = {0}, name = {0};
	struct shell *shell;
	const char *at;

	word_dump_make(dir, "a Const; a/b Const; m Const; n Const; p Const",
	               "a:0@1=9,-9 a:2@2=3 a:10@3=5 a/b:0@4=1 m:0@5=1,2:4,4 n:0@6=2:3:4 p:0@7=3");
	shell = session_of(dir);
	ck_assert(session_ask(shell, orders[_i].line, &out));
	at = out.text;
	for (int i = 0; i < ROWS(orders[_i].names) && orders[_i].names[i]; i++) {
		str_reset(&name);
		str_fmt(&name, " %s\n", orders[_i].names[i]);
		at = strstr(at, name.text);
		ck_assert_msg(at != NULL, "%s is not behind the others:%s%s", orders[_i].names[i],
		              "\n", out.text);
	}
	str_release(&out);
	str_release(&name);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* Names of devices are cut at a "/", where they begin to differ. */
START_TEST(devices_have_short_names)
{
	struct shell *shell = session_of("testdata/workers");

	session_answers(shell, "lt", " replica/w:0         /task:0/device:CPU:0\n");
	session_answers(shell, "lt", " replica/w:0         /task:1/device:CPU:0\n");
	shell_free(shell);
}
END_TEST

SUITE_MAIN("tensor_list",
	tcase_add_test(t, devices_have_short_names);
	tcase_add_loop_test(t, rows_stand_in_the_order_asked_for, 0, ROWS(orders));
	tcase_add_loop_test(t, columns_are_those_of_the_head_line, 0, ROWS(lists));
	tcase_add_loop_test(t, cells_are_typed, 0, ROWS(cells));
	tcase_add_loop_test(t, cells_sort_as_the_command_does, 0, ROWS(sorted));
)
