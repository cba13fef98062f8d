/*
 * Expressions: what they take and what they refuse, then what they answer about recorded tensors,
 * whose values are in the golden files. Then named filters: what the command says, what lasts, and
 * that no file is opened without need.
 */
#include "cmds/session/filter.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

static size_t ticks_left;

static void cancel_in_time(struct progress *progress)
{
	if (!ticks_left--)
		atomic_store(&progress->cancel, true);
}

/*
 * The answer to "lt -f ...", stopped when it asks for the n-th time whether to go on. False: it had
 * ended by then.
 */
static bool list_stopped(struct shell *shell, size_t n, struct answer *answer)
{
	struct progress progress = { .tick = cancel_in_time };

	ticks_left = n;
	shell_run(shell, "lt -f has_inf_or_nan", 0, &progress, answer);
	return atomic_load(&progress.cancel);
}

static void check_line(const struct doc *doc, uint64_t row, const char *text)
{
	struct line line = {0};

	ck_assert(doc_line(doc, row, 0, &line));
	ck_assert(strstr(str_text(&line.text), text));
	line_release(&line);
}

/*
 * What passed until it was stopped is there, and how far it came: never less than when it was
 * stopped earlier.
 */
START_TEST(a_list_that_is_stopped_keeps_its_rows)
{
	size_t n = 0, last = 0, tested, of;
	uint64_t rows = 0;
	struct answer answer;
	struct shell *shell = session_of("testdata/mnist_nan");

	for (; list_stopped(shell, n, &answer); n++) {
		ck_assert(answer.failed && doc_tells_failure(answer.doc));
		ck_assert_int_eq(sscanf(str_text(&answer.error), "stopped after %zu of %zu tensors",
		                        &tested, &of), 2);
		ck_assert(tested >= last && tested < of);
		ck_assert(doc_rows(answer.doc) >= rows);
		last = tested;
		rows = doc_rows(answer.doc);
		check_line(answer.doc, 0, " dumped tensor(s) passing filter \"has_inf_or_nan\":");
		check_line(answer.doc, 1, answer.error.text);
		answer_release(&answer);
		shell_free(shell);
		shell = session_of("testdata/mnist_nan");
	}
	ck_assert(!answer.failed);
	ck_assert_uint_gt(last, 0);
	ck_assert_uint_gt(rows, 6);
	check_line(answer.doc, 1, "");
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

static const struct {
	const char *text;
	uint64_t off;
	enum err_code code;
} bad[] = {
	{ "", 0, ERR_SYNTAX },
	{ "  ", 2, ERR_SYNTAX },
	{ "nan nan", 4, ERR_SYNTAX },
	{ "nan ||", 6, ERR_SYNTAX },
	{ "nan &", 4, ERR_SYNTAX },
	{ "|| nan", 0, ERR_SYNTAX },
	{ "nan = 1", 4, ERR_SYNTAX },
	{ "NaN", 0, ERR_SYNTAX },
	{ "nans", 0, ERR_SYNTAX },
	{ "has_inf_or_nan", 0, ERR_SYNTAX },
	{ "1 < nan", 0, ERR_SYNTAX },
	{ "nan > 1 > 0", 8, ERR_SYNTAX },
	{ "nan == 1 == 1", 9, ERR_SYNTAX },
	{ "nan == inf", 7, ERR_SYNTAX },
	{ "(nan", 4, ERR_SYNTAX },
	{ "nan)", 3, ERR_SYNTAX },
	{ "()", 1, ERR_SYNTAX },
	{ "!", 1, ERR_SYNTAX },
	{ "nan > 1.", 8, ERR_SYNTAX },
	{ "nan > .5", 6, ERR_SYNTAX },
	{ "nan > 1e", 8, ERR_SYNTAX },
	{ "nan > 0x10", 7, ERR_SYNTAX },
	{ "nan > inf", 6, ERR_SYNTAX },
	{ "nan > +1", 6, ERR_SYNTAX },
	{ "nan > 1ms", 7, ERR_SYNTAX },
	{ "time > 1k", 8, ERR_SYNTAX },
	{ "nan > 1kk", 8, ERR_SYNTAX },
	{ "nan ~ 1", 4, ERR_SYNTAX },
	{ "op > \"a\"", 3, ERR_SYNTAX },
	{ "op", 2, ERR_SYNTAX },
	{ "op == Add", 6, ERR_SYNTAX },
	{ "op == \"Add", 6, ERR_SYNTAX },
	{ "op == \"Add\\\"", 6, ERR_SYNTAX },
	{ "op ~ \"(\"", 5, ERR_REGEX },
	{ "shape", 5, ERR_SYNTAX },
	{ "shape > [1]", 6, ERR_SYNTAX },
	{ "shape == 1", 9, ERR_SYNTAX },
	{ "shape == [1", 11, ERR_SYNTAX },
	{ "shape == [1,]", 12, ERR_SYNTAX },
	{ "shape == [_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_,_]", 74,
	  ERR_SYNTAX },
	{ "shape == [-1]", 10, ERR_SYNTAX },
	{ "shape == [99999999999999999999]", 28, ERR_SYNTAX },
};

START_TEST(bad_expression_points_at_column)
{
	struct err err = {0};
	struct str column = {0};

	ck_assert_ptr_null(filter_parse(bad[_i].text, &err));
	ck_assert_int_eq(err.code, bad[_i].code);
	ck_assert_msg(err.off == bad[_i].off, "%s: %llu, %s", bad[_i].text,
	              (unsigned long long)err.off, err.msg);
	str_fmt(&column, "column %llu: ", (unsigned long long)err.off + 1);
	ck_assert_msg(!strncmp(err.msg, column.text, column.len), "%s", err.msg);
	str_release(&column);
}
END_TEST

/* The largest that is taken, and one more. */
START_TEST(size_and_depth_have_limits)
{
	struct str text = {0};
	struct filter *filter;
	struct err err = {0};

	for (int extra = 0; extra < 2; extra++) {
		str_reset(&text);
		str_fill(&text, ' ', FILTER_MAX_BYTES - 3 + (size_t)extra);
		str_puts(&text, "nan");
		filter = filter_parse(text.text, &err);
		ck_assert_int_eq(filter != NULL, !extra);
		filter_free(filter);
		str_reset(&text);
		for (int i = 0; i < FILTER_MAX_DEPTH + extra; i++)
			str_puts(&text, i % 2 ? "(" : "!");
		str_puts(&text, "nan");
		str_fill(&text, ')', FILTER_MAX_DEPTH / 2);
		filter = filter_parse(text.text, &err);
		ck_assert_int_eq(filter != NULL, !extra);
		filter_free(filter);
	}
	str_release(&text);
}
END_TEST

/* As many answers as can wait at once. */
START_TEST(deepest_expression_is_answered)
{
	struct shell *shell = session_of("testdata/linear");
	struct str line = {0}, out = {0};

	str_puts(&line, "filter add deep '");
	for (int i = 0; i < FILTER_MAX_DEPTH; i++)
		str_puts(&line, "slot||slot&&(");
	str_puts(&line, "slot||slot&&slot");
	str_fill(&line, ')', FILTER_MAX_DEPTH);
	str_puts(&line, "' --session");
	ck_assert_msg(session_ask(shell, line.text, &out), "%s", out.text);
	ck_assert(session_ask(shell, "lt -f deep", &out));
	ck_assert_ptr_nonnull(strstr(out.text, "2 dumped tensor(s) passing"));
	str_release(&line);
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Of which tensors of a recording an expression is true: how many, and one of them. */
static const struct {
	const char *dump, *text;
	int n;
	const char *one;
} answers[] = {
	{ "linear", "bytes > 280", 2, "_arg_x_0_0:0" },
	{ "linear", "slot > 9 && slot > 9 || bytes > 280", 2, "_arg_x_0_0:0" },
	{ "mnist_nan", "node == 'cross_entropy/Log' && inf == 64", 1, "cross_entropy/Log:0" },
	{ "linear", "bytes >= 304 || time < 1us", 2, "_arg_y_0_1:0" },
	{ "linear", "bytes <= 0.175k", 0, NULL },
	{ "linear", "bytes < 0.177k", 1, "loss/mse:0" },
	{ "linear", "time == 1.098", 1, "linear/w:0" },
	{ "linear", "time == 1098us", 1, "linear/w:0" },
	{ "linear", "time == 0.001098s", 1, "linear/w:0" },
	{ "linear", "time >= 2.862ms", 1, "loss/mse:0" },
	{ "linear", "slot", 2, "gradients/linear/pred_grad/BroadcastGradientArgs:1" },
	{ "linear", "slot == 1", 2, "gradients/loss/sub_grad/BroadcastGradientArgs:1" },
	{ "linear", "op == \"MatMul\"", 2, "linear/xw:0" },
	{ "linear", "op == \"MatMul\" && node ~ '^grad'", 1,
	  "gradients/linear/xw_grad/MatMul_1:0" },
	{ "linear", "!(op != 'MatMul') && !(node ~ \"^grad\")", 1, "linear/xw:0" },
	{ "linear", "op !~ \"a|e|i|o|u|A\"", 0, NULL },
	{ "linear", "node == \"linear\\/w\"", 1, "linear/w:0" },
	{ "linear", "device ~ \"CPU:0$\" && node == 'linear/b'", 1, "linear/b:0" },
	{ "linear", "device ~ \"GPU\"", 0, NULL },
	{ "linear", "node ~ \"^linear/w$\" && min == -1.25 && max == 2", 1, "linear/w:0" },
	{ "linear", "node ~ \"^linear/w$\" && mean > 0.4166 && mean < .5", -1, NULL },
	{ "linear", "node ~ \"^linear/w$\" && std > 1.3281 && std < 1.3282", 1, "linear/w:0" },
	{ "linear", "shape == [3, 1] && op == \"VariableV2\"", 1, "linear/w:0" },
	{ "linear", "shape == [_,1] && op == 'VariableV2'", 1, "linear/w:0" },
	{ "linear", "shape != [_,_] && op == 'VariableV2'", 1, "linear/b:0" },
	{ "linear", "shape == [] && op == 'Mean'", 1, "loss/mse:0" },
	{ "linear", "rank == 1 && op == 'VariableV2'", 1, "linear/b:0" },
	{ "linear", "zeros && op == 'VariableV2'", 1, "linear/b:0" },
	{ "linear", "count == 8 && op == 'Add'", 1, "linear/pred:0" },
	{ "linear", "nan || inf", 0, NULL },
	{ "dtypes", "dtype == \"bfloat16\" && nan && inf", 1, "bfloat16/vec:0" },
	{ "dtypes", "dtype == 'bool'", 4, "bool/vec:0" },
	{ "dtypes", "dtype == 'uint64' && max == 2147483647 && zeros == 1", 1, "uint64/vec:0" },
	{ "dtypes", "node ~ '^int64/e' && max > 9223372036854775806 && max < 9223372036854775808",
	  1, "int64/extremes:0" },
	{ "dtypes", "dtype == 'int64' && min == -9223372036854775808", 2, "int64/extremes:0" },
	{ "dtypes", "dtype == 'int64' && min > -9223372036854775808 && op == 'Identity'", 0,
	  NULL },
	{ "dtypes", "node ~ '^f32/all_nan' && (min < 0 || min >= 0 || min != 0)", 0, NULL },
	{ "dtypes", "node ~ '^f32/all_nan' && nan == 2 || nan == 3 && node ~ '^f32/all_nan'", 1,
	  "f32/all_nan:0" },
	{ "dtypes",
	  "node ~ '^uninit/' && op ~ 'Variable' && (count >= 0 || count < 0 || nan == 0)", 0,
	  NULL },
	{ "dtypes", "node ~ '^uninit/' && op ~ 'Variable' && !(nan == 0)", 3, "uninit/matrix:0" },
	{ "dtypes", "dtype == 'string' && node ~ '^string/' && (min || max < 1)", 0, NULL },
	{ "dtypes", "dtype == 'string' && node ~ '^string/' && count", 2, "string/vec:0" },
};

static void add_filter(struct shell *shell, const char *text, struct str *out)
{
	struct str line = {0};
	char quote = strchr(text, '\'') ? '"' : '\'';

	/* A text with quotes of both kinds: its own double ones become single. */
	str_fmt(&line, "filter add it %c%s%c --session", quote, text, quote);
	if (quote == '"')
		for (char *c = line.text + strlen("filter add it ") + 1;
		     *c && strcmp(c, "\" --session"); c++)
			*c = *c == '"' ? '\'' : *c;
	ck_assert_msg(session_ask(shell, line.text, out), "%s: %s", line.text, out->text);
	str_release(&line);
}

START_TEST(expression_is_answered)
{
	struct str out = {0}, dump = {0}, begins = {0};
	struct shell *shell;

	if (answers[_i].n < 0) {
		ck_assert_ptr_null(filter_parse(answers[_i].text, NULL));
		return;
	}
	str_fmt(&dump, "testdata/%s", answers[_i].dump);
	shell = session_of(dump.text);
	add_filter(shell, answers[_i].text, &out);
	ck_assert(session_ask(shell, "lt -f it", &out));
	str_fmt(&begins, "%d dumped tensor(s) passing filter \"it\":\n", answers[_i].n);
	ck_assert_msg(!strncmp(out.text, begins.text, begins.len), "%s: %s", answers[_i].text,
	              out.text);
	if (answers[_i].one) {
		str_reset(&begins);
		str_fmt(&begins, " %s\n", answers[_i].one);
		ck_assert_msg(strstr(out.text, begins.text) != NULL, "%s: %s", answers[_i].text,
		              out.text);
	}
	str_release(&out);
	str_release(&dump);
	str_release(&begins);
	shell_free(shell);
}
END_TEST

/* A dump of which one file can't be opened once it has been listed. */
static struct small_dump dump;
static struct shell *shell;

static void setup(void)
{
	struct str path = {0};

	small_dump_make(&dump);
	setenv("HOME", dump.dir, true);
	unsetenv("XDG_CONFIG_HOME");
	shell = session_of(dump.dir);
	str_fmt(&path, "%s/%s", dump.dir, dump.part[0].name);
	ck_assert_int_eq(unlink(path.text), 0);
	str_release(&path);
}

static void teardown(void)
{
	shell_free(shell);
	small_dump_remove(&dump);
}

static bool says_in(struct shell *asked, const char *line, const char *text)
{
	struct str out = {0};
	bool ok = session_ask(asked, line, &out);

	ck_assert_msg(strstr(out.text, text) != NULL, "%s: %s", line, out.text);
	str_release(&out);
	return ok;
}

static bool says(const char *line, const char *text)
{
	return says_in(shell, line, text);
}

START_TEST(no_file_is_opened_without_need)
{
	struct str out = {0};

	ck_assert(says("filter add names 'bytes && (nan || node ~ \"linear\")'",
	               "Filter \"names\""));
	ck_assert(session_ask(shell, "lt -f names", &out));
	ck_assert_msg(!strncmp(out.text, "4 dumped", 8) && !strstr(out.text, "ERROR"), "%s",
	              out.text);
	ck_assert(says("filter add values 'node ~ \"linear\" && count'", ""));
	ck_assert(session_ask(shell, "lt -f values", &out));
	ck_assert_msg(!strncmp(out.text, "3 dumped", 8), "%s", out.text);
	ck_assert_ptr_nonnull(strstr(out.text, "linear/w_0_DebugIdentity"));
	ck_assert_ptr_nonnull(strstr(out.text, "ERROR: "));
	ck_assert(says("filter add without '!count'", ""));
	ck_assert(says("lt -f without", "1 dumped tensor(s)"));
	ck_assert(says("lt -f has_inf_or_nan", "ERROR: "));
	str_release(&out);
}
END_TEST

START_TEST(saved_filters_last)
{
	struct shell *other;

	ck_assert(says("filter add a 'nan'", "Filter \"a\": nan"));
	ck_assert(
		says("filter add b 'op == \"Add\" || inf'", "Filter \"b\": op == \"Add\" || inf"));
	ck_assert(says("filter add c 'nan' --session", "Filter \"c\": nan"));
	ck_assert(says("filter add c 'inf' --session", "Filter \"c\": inf"));
	ck_assert(says("filter add a 'nan > 1'", "Filter \"a\": nan > 1"));
	ck_assert(
		says("filter",
	             "4 tensor filter(s):\n\na               nan > 1\n"
	             "b               op == \"Add\" || inf\nc               inf  (this session)\n"
	             "has_inf_or_nan  (built in)\n"));
	other = shell;
	shell = session_of(dump.dir);
	ck_assert(says("filter",
	               "3 tensor filter(s):\n\na               nan > 1\n"
	               "b               op == \"Add\" || inf\nhas_inf_or_nan  (built in)\n"));
	ck_assert(says("lt -f b", "linear/pred:0"));
	ck_assert(says("filter remove a", "Removed filter \"a\"."));
	ck_assert(says_in(other, "filter remove c --session", "Removed filter \"c\"."));
	ck_assert(!says_in(other, "filter show c", "ERROR: There is no tensor filter"));
	shell_free(shell);
	shell = session_of(dump.dir);
	ck_assert(says("filter show b", "Filter \"b\": op == \"Add\" || inf\n"));
	ck_assert(!says("filter show a", "ERROR: There is no tensor filter named \"a\"."));
	shell_free(other);
}
END_TEST

/* In the file a filter stands in quotes that it does not hold itself, or in none. */
static const struct { const char *add, *line, *shows; } quotes[] = {
	{ "filter add a nan", "'nan'", "nan" },
	{ "filter add a 'op == \"Add\"'", "'op == \"Add\"'", "op == \"Add\"" },
	{ "filter add a \"op == 'Add'\"", "\"op == 'Add'\"", "op == 'Add'" },
	{ "filter add a $'op == \"Add\" && op != \\x27Mul\\x27'", "op == \"Add\" && op != 'Mul'",
	  "op == \"Add\" && op != 'Mul'" },
};

START_TEST(quotes_in_the_file)
{
	struct str path = {0}, out = {0}, line = {0};

	str_fmt(&path, "%s/.config/tensordbg/config", dump.dir);
	str_fmt(&line, "filter add a %s\n", quotes[_i].line);
	ck_assert(says(quotes[_i].add, ""));
	ck_assert(read_whole(path.text, &out));
	ck_assert_str_eq(str_text(&out), line.text);
	shell_free(shell);
	shell = session_of(dump.dir);
	str_reset(&line);
	str_fmt(&line, "Filter \"a\": %s\n", quotes[_i].shows);
	ck_assert(says("filter show a", line.text));
	str_release(&path);
	str_release(&out);
	str_release(&line);
}
END_TEST

/* A definition that is replaced is asked anew. */
START_TEST(verdicts_belong_to_the_expression)
{
	ck_assert(says("filter add a 'op == \"Add\"'", ""));
	ck_assert(says("lt -f a", "1 dumped tensor(s) passing filter \"a\":"));
	ck_assert(says("filter add a 'op != \"Add\"'", ""));
	ck_assert(says("lt -f a", "3 dumped tensor(s) passing filter \"a\":"));
	ck_assert(!says("filter add a 'op !='",
	                "ERROR: Filter expression, column 6: expected a text in quotes"));
	ck_assert(says("lt -f a", "3 dumped tensor(s) passing filter \"a\":"));
}
END_TEST

static const struct { const char *line, *text; } refused[] = {
	{ "filter add has_inf_or_nan nan", "ERROR: The filter \"has_inf_or_nan\" is built in." },
	{ "filter remove has_inf_or_nan", "ERROR: The filter \"has_inf_or_nan\" is built in." },
	{ "filter remove x", "ERROR: There is no tensor filter named \"x\"." },
	{ "filter show x", "ERROR: There is no tensor filter named \"x\"." },
	{ "filter add 1x nan", "ERROR: \"1x\" can't be the name of a filter" },
	{ "filter add a/b nan", "ERROR: \"a/b\" can't be the name of a filter" },
	{ "filter add x", "Syntax error for command: filter" },
	{ "filter add x nan inf", "ERROR: Filter expression, column 5: " },
	{ "filter add x max > 50 | cat", "ERROR: Filter expression, column " },
	{ "filter add x 'nan' || inf", "Syntax error for command: filter" },
	{ "filter add x nan --session > f", "Syntax error for command: filter" },
	{ "filter list", "Syntax error for command: filter" },
	{ "filter show x --session", "Syntax error for command: filter" },
	{ "lt -f x", "ERROR: There is no tensor filter named \"x\"." },
};

START_TEST(nonsense_is_refused)
{
	ck_assert(!says(refused[_i].line, refused[_i].text));
	ck_assert(says("filter", "1 tensor filter(s):"));
}
END_TEST

static const struct {
	const char *line;
	size_t n;
	const char *common;
} completions[] = {
	{ "lt -f ", 3, "" },
	{ "lt -f b", 2, "ba" },
	{ "lt -s dump_size --tensor_filter  bad", 1, "bad" },
	{ "filter show h", 1, "has_inf_or_nan" },
	{ "filter remove ba", 2, "ba" },
	{ "filter add ba", 0, NULL },
	{ "filter show ", 3, "" },
	{ "pt linear/p", 1, "linear/pred:0" },
	{ "grid linear/p", 1, "linear/pred:0" },
	{ "picture linear/", 4, "linear/" },
	{ "lt -n linear/p", 0, NULL },
	{ "pict", 1, "picture" },
	{ "kernels --columns ", 25, "" },
	{ "kernels --columns la", 2, "launch" },
	{ "kt --columns min,launch_", 1, "launch_delay" },
	{ "kernels --columns min, la", 0, NULL },
	{ "kernels --group la", 0, NULL },
};

START_TEST(names_are_completed)
{
	struct completion completion;

	ck_assert(says("filter add bad nan", ""));
	shell_complete(shell, "lt -f ", 6, 10, &completion);
	ck_assert_uint_eq(completion.n, 2);
	completion_release(&completion);
	ck_assert(says("filter add bar inf", ""));
	shell_complete(shell, completions[_i].line, strlen(completions[_i].line), 10, &completion);
	ck_assert_uint_eq(completion.n, completions[_i].n);
	if (completions[_i].common)
		ck_assert_str_eq(str_text(&completion.common), completions[_i].common);
	completion_release(&completion);
}
END_TEST

/* A program of its own for each line: what it says, and what the next one knows. */
static const struct { const char *line, *says; bool saved; } in_batch[] = {
	{ "filter add a nan", "Filter \"a\": nan  (this session; --save keeps it)\n", false },
	{ "filter add a nan --session", "Filter \"a\": nan\n", false },
	{ "filter add a nan --save", "Filter \"a\": nan\n", true },
	{ "filter add a inf", "Filter \"a\": inf  (this session; --save keeps it)\n", true },
	{ "filter remove a", "Removed filter \"a\".  (this session; --save keeps it)\n", true },
	{ "filter remove a --session", "Removed filter \"a\".\n", true },
	{ "filter add a inf --save --session", "Syntax error", true },
	{ "filter remove a --save", "Removed filter \"a\".\n", false },
	{ "filter add a nan", "Filter \"a\": nan  (this session; --save keeps it)\n", false },
};

START_TEST(batch_mode_saves_when_told)
{
	struct program_run ran;
	char *where = scratch_new(), root[4096];

	ck_assert_ptr_nonnull(realpath("testdata/linear", root));
	for (int i = 0; i < ROWS(in_batch); i++) {
		program_run((const char *[]){ program_path(), "-c", in_batch[i].line, root, NULL },
		            where, NULL, &ran);
		ck_assert_msg(
			!strncmp(str_text(&ran.out), in_batch[i].says, strlen(in_batch[i].says)),
			"%s", str_text(&ran.out));
		program_release(&ran);
		program_run((const char *[]){ program_path(), "-c", "filter show a", root, NULL },
		            where, NULL, &ran);
		ck_assert_msg(ran.status == !in_batch[i].saved, "%s: %s", in_batch[i].line,
		              str_text(&ran.out));
		program_release(&ran);
	}
	scratch_remove(where);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("filter");
	TCase *alone = tcase_create("alone"), *files = tcase_create("files");
	SRunner *runner = srunner_create(suite);
	int failed;

	tcase_set_timeout(alone, 120);
	tcase_set_timeout(files, 120);
	tcase_add_loop_test(alone, bad_expression_points_at_column, 0, ROWS(bad));
	tcase_add_test(alone, size_and_depth_have_limits);
	tcase_add_test(alone, deepest_expression_is_answered);
	tcase_add_test(alone, a_list_that_is_stopped_keeps_its_rows);
	tcase_add_loop_test(alone, expression_is_answered, 0, ROWS(answers));
	tcase_add_test(alone, batch_mode_saves_when_told);
	tcase_add_checked_fixture(files, setup, teardown);
	tcase_add_test(files, no_file_is_opened_without_need);
	tcase_add_test(files, saved_filters_last);
	tcase_add_loop_test(files, quotes_in_the_file, 0, ROWS(quotes));
	tcase_add_test(files, verdicts_belong_to_the_expression);
	tcase_add_loop_test(files, nonsense_is_refused, 0, ROWS(refused));
	tcase_add_loop_test(files, names_are_completed, 0, ROWS(completions));
	suite_add_tcase(suite, alone);
	suite_add_tcase(suite, files);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
