/*
 * What takes the space: rows add up to the sizes that `lt` shows, however they are grouped, and the
 * filter of a row leaves out its tensors and no others.
 */
#include "cmds/overview/usage_rows.h"

#include <string.h>

#include "cmds/lang/pattern.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"
#include "tests/word_dump.h"

static const char *const dumps[] = {
	"testdata/linear", "testdata/mnist_nan", "testdata/two_devices", "testdata/tf1.0.0_loop",
};
enum { N_DUMPS = ROWS(dumps) };

/* The rows of the only run of a session; the caller releases them. */
static struct usage_rows rows_of(struct shell *shell, const struct usage_query *query)
{
	struct usage_rows rows;
	struct err err = {0};
	const struct usage_part *part = usage_of_run(shell, runs_at(shell->runs, 1), NULL,
	                                             USAGE_OPS | USAGE_DTYPES, NULL, &err);

	ck_assert_msg(part != NULL, "%s: %s", err.src, err.msg);
	usage_rows_init(&rows, usage_of(shell), &part, 1, query);
	return rows;
}

static const char *subject_of(const struct shell *shell, uint32_t at, enum usage_group group)
{
	const struct run *run = shell->run;
	struct err err = {0};
	struct value *value;
	const char *name;

	if (group == USAGE_BY_OP)
		return shell_tensor_ops((struct shell *)shell)[at];
	if (group == USAGE_BY_SCOPE)
		return run->tensors.at[at].node;
	value = run_value(run, &run->tensors.at[at], &err);
	ck_assert_msg(value != NULL, "%s: %s", err.src, err.msg);
	name = value->type->name;
	value_close(value);
	return name;
}

/* The bytes of all tensors that the filter keeps. */
static uint64_t kept_by(const struct shell *shell, const char *filter, enum usage_group group)
{
	struct err err = {0};
	struct pattern *pattern = pattern_new(filter, PATTERN_MATCH, false, &err);
	uint64_t bytes = 0;

	ck_assert_msg(pattern != NULL, "%s: %s", filter, err.msg);
	for (uint32_t i = 0; i < shell->run->tensors.len; i++) {
		const char *subject = subject_of(shell, i, group);

		if (pattern_hits(pattern, subject, strlen(subject), 0, NULL, NULL))
			bytes += (uint64_t)shell->run->tensors.at[i].size_bytes;
	}
	pattern_free(pattern);
	return bytes;
}

static void check_filters(const struct shell *shell, const struct usage_rows *rows,
                          const struct usage_query *query)
{
	for (size_t i = 0; i < rows->shown.len; i++) {
		const struct usage_row *row = rows->shown.at[i];
		struct str filter = {0};

		ck_assert_ptr_nonnull(usage_filter_for(query->group, false));
		ck_assert(usage_put_filter(row, query, &filter));
		ck_assert_msg(kept_by(shell, filter.text, query->group) ==
		              rows->all_bytes - row->bytes, "%s does not leave out %s", filter.text,
		              row->name);
		str_release(&filter);
	}
}

static uint64_t bytes_of(const struct run *run)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < run->tensors.len; i++)
		bytes += (uint64_t)run->tensors.at[i].size_bytes;
	return bytes;
}

START_TEST(filters_leave_out_their_rows)
{
	static const enum usage_group groups[] = { USAGE_BY_SCOPE, USAGE_BY_OP, USAGE_BY_DTYPE };
	struct shell *shell = session_of(dumps[_i]);

	for (int g = 0; g < ROWS(groups); g++) {
		struct usage_query query = { .group = groups[g], .depth = 9 };
		struct usage_rows rows = rows_of(shell, &query);

		ck_assert_uint_eq(rows.bytes, bytes_of(shell->run));
		ck_assert_uint_eq(rows.tensors, shell->run->tensors.len);
		check_filters(shell, &rows, &query);
		usage_rows_release(&rows);
	}
	shell_free(shell);
}
END_TEST

/* What is in a scope adds up to it, and there are as many rows as it says. */
START_TEST(a_scope_is_what_is_in_it)
{
	struct shell *shell = session_of(dumps[_i]);
	struct usage_query all = { .depth = 9 };
	struct usage_rows rows = rows_of(shell, &all);

	for (size_t i = 0; i < rows.shown.len; i++) {
		const struct usage_row *row = rows.shown.at[i];
		struct usage_query one = { .depth = 1, .scope = row->name };
		struct usage_rows in = rows_of(shell, &one);

		if (!row->is_node) {
			ck_assert_uint_eq(in.bytes, row->bytes);
			ck_assert_uint_eq(in.tensors, row->tensors);
			ck_assert_uint_eq(in.shown.len, row->children);
		}
		usage_rows_release(&in);
	}
	usage_rows_release(&rows);
	shell_free(shell);
}
END_TEST

static void expect(struct shell *shell, const char *line, const char *const *wanted)
{
	struct str out = {0};
	const char *at;

	ck_assert(session_ask(shell, line, &out));
	at = out.text;
	for (; *wanted; wanted++) {
		const char *found = strstr(at, *wanted);

		ck_assert_msg(found != NULL, "%s lacks \"%s\" after the others:\n%s", line, *wanted,
		              out.text);
		at = found + strlen(*wanted);
	}
	str_release(&out);
}

/* Names that are special in a regular expression; a node with the name of a scope. */
#define ODD_GRAPH "a+b Const; a+b/c Const a+b; a+bc Const; a.b/c Const"
#define ODD_DUMPS "a+b:0@1=1 a+b/c:0@2=1,2 a+bc:0@3=1,2,3 a.b/c:0@4=i7"

START_TEST(odd_names_are_told_apart)
{
	char *dir = scratch_new();
	struct usage_query query = { .depth = 9 };
	struct usage_rows rows;
	struct shell *shell;

	word_dump_make(dir, ODD_GRAPH, ODD_DUMPS);
	shell = session_of(dir);
	rows = rows_of(shell, &query);
	ck_assert_uint_eq(rows.shown.len, 6);
	check_filters(shell, &rows, &query);
	usage_rows_release(&rows);
	expect(shell, "du -s name --depth 2", (const char *const[]){
		"4 tensors", "  a+b/\n", "    a+b\n", "    c\n", "  a+bc\n", "  a.b/\n",
		"    c\n", NULL });
	expect(shell, "du -s bytes --depth 2 -r", (const char *const[]){
		"  a.b/\n", "    c\n", "  a+bc\n", "  a+b/\n", "    a+b\n", "    c\n", NULL });
	expect(shell, "du --depth 2 --skip 2 -l 2 --columns name,tensors", (const char *const[]){
		"4 tensors, by scope:\n\nname  Tensors\na+b         1\na+bc        1\n",
		NULL });
	expect(shell, "du a+b", (const char *const[]){ "2 tensors, a+b, by scope", NULL });
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

START_TEST(rows_narrow_what_is_inside)
{
	struct shell *shell = session_of("testdata/train20");
	struct str out = {0};

	expect(shell, "du", (const char *const[]){ "64 tensors of 2 runs", "train/",
		"without it a run takes 4.57k in place of 8.50k;", NULL });
	expect(shell, "du --run 2", (const char *const[]){ "32 tensors, in run 2", NULL });
	expect(shell, "du -g run --op Identity", (const char *const[]){
		"6 tensors of 2 runs, of op Identity, by run", "  3  ", "#1 run_", "  3  ",
		"#2 run_", NULL });
	expect(shell, "du --dtype int32 -g op", (const char *const[]){
		"of type int32", "Const", NULL });
	expect(shell, "du --op Identity --dtype int32", (const char *const[]){
		"0 in 0 tensors", NULL });
	expect(shell, "run", (const char *const[]){ "", NULL });
	expect(shell, "du", (const char *const[]){ "32 tensors, by scope", NULL });
	ck_assert(!session_ask(shell, "du hidde", &out));
	ck_assert(!session_ask(shell, "du --run 3", &out));
	ck_assert(!session_ask(shell, "du -s bits", &out));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* A head that can't be read is no type, and no error. */
START_TEST(what_has_no_type_is_unknown)
{
	struct shell *shell = session_of("testdata/damaged_tensors");

	expect(shell, "du -g dtype", (const char *const[]){ "float32\n", "(unknown)\n", "int32\n",
	                                                    NULL });
	expect(shell, "du --dtype (unknown)", (const char *const[]){ "5 tensors", NULL });
	shell_free(shell);
}
END_TEST

START_TEST(programs_take_space_too)
{
	struct shell *shell = session_of("testdata/v2/dtypes_full");
	struct str out = {0};

	expect(shell, "du -g dtype", (const char *const[]){
		"194 tensors, by dtype", "float32\n", NULL });
	expect(shell, "du -g op", (const char *const[]){ "194 tensors", "op_regex=", NULL });
	expect(shell, "du -g run", (const char *const[]){ "194 tensors", "#1\n", NULL });
	ck_assert(session_ask(shell, "du", &out));
	ck_assert_ptr_null(strstr(out.text, "regex"));   /* its recorder has no filter for names */
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Three views of one byte, of 2^63 - 1 elements each: no number that we have is their sum. */
static const struct { const char *line, *has; } vast[] = {
	{ "du", "2^63 bytes or more in 4 tensors, by scope:\n" },
	{ "du -o json", "\"summary\":{\"group\":\"scope\",\"bytes\":null,\"tensors\":4," },
	{ "du --group device",
	  "by device:\n\nTensors              Name\n      4  ##########  CPU:0\n" },
	{ "du --group device -o json", "\"bytes\":null,\"share\":null,\"tensors\":4," },
	{ "du --group scope -o json", "\"bytes\":9223372036854775807,\"share\":null," },
};

START_TEST(a_sum_that_is_too_large_is_not_known)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "-c", vast[_i].line,
	                                   "testdata/vast/expanded.pt", NULL }, NULL, NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), vast[_i].has), "%s", str_text(&ran.out));
	ck_assert_int_eq(ran.status, 0);
	program_release(&ran);
}
END_TEST

SUITE_MAIN("du",
	tcase_add_loop_test(t, a_sum_that_is_too_large_is_not_known, 0, ROWS(vast));
	tcase_add_loop_test(t, filters_leave_out_their_rows, 0, N_DUMPS);
	tcase_add_loop_test(t, a_scope_is_what_is_in_it, 0, N_DUMPS);
	tcase_add_test(t, odd_names_are_told_apart);
	tcase_add_test(t, rows_narrow_what_is_inside);
	tcase_add_test(t, what_has_no_type_is_unknown);
	tcase_add_test(t, programs_take_space_too);
)
