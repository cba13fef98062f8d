/*
 * Recorded faults: NAME.origin.json beside each dump has the answer, found by another program; it
 * counts runs from 0.
 */
#include "tests/suite.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/vec.h"
#include "tests/program.h"

#define FAULTS "testdata/"

static const char *const faults[] = {
	"origins/attention_mask", "origins/log_zero", "origins/other_writer",
	"origins/partial_log", "origins/where_gradient", "origins/while_iteration",
	"v2/where_gradient", "v2/circular_tight", "v2/eager_divide",
};

/* ---- JSON as lines "origins.0.node=loss/log" */

struct lines {
	VEC(char *) at;
	struct str path;
};

static void release_lines(struct lines *lines)
{
	for (size_t i = 0; i < lines->at.len; i++)
		free(lines->at.at[i]);
	vec_release(&lines->at);
	str_release(&lines->path);
}

static const char *skip(const char *at)
{
	return at + strspn(at, " \n,:");
}

/* A text without its quotes, or a number, true, false, null. */
static const char *scalar_end(const char *at)
{
	return at + (*at == '"' ? 2 + strcspn(at + 1, "\"") : strcspn(at, ",]} \n"));
}

/* Scalars become lines; lists and objects lengthen the path. */
static const char *flatten(const char *at, struct lines *lines)
{
	size_t len = lines->path.len, n = 0;
	const char *end;

	at = skip(at);
	if (*at != '{' && *at != '[') {
		struct str line = {0};

		end = scalar_end(at);
		str_fmt(&line, "%s=%.*s", str_text(&lines->path) + 1, (int)(end - at), at);
		vec_push(&lines->at, line.text);
		return skip(end);
	}
	for (at = skip(at + 1); *at != '}' && *at != ']'; n++) {
		if (at[-1] != '[' && *at == '"' && skip(scalar_end(at)) != scalar_end(at) &&
		    *(scalar_end(at) + strspn(scalar_end(at), " ")) == ':') {
			end = scalar_end(at);
			str_fmt(&lines->path, ".%.*s", (int)(end - at) - 2, at + 1);
			at = end;
		} else {
			str_fmt(&lines->path, ".%zu", n);
		}
		at = flatten(at, lines);
		str_cut(&lines->path, len);
	}
	return skip(at + 1);
}

static bool has_line(const struct lines *lines, const char *line)
{
	for (size_t i = 0; i < lines->at.len; i++)
		if (!strcmp(lines->at.at[i], line))
			return true;
	return false;
}

static size_t count_rows(const struct lines *lines)
{
	size_t n = 0;

	for (size_t i = 0; i < lines->at.len; i++)
		n += strstr(lines->at.at[i], ".node=") && !strstr(lines->at.at[i], "first_nan") &&
		     !strstr(lines->at.at[i], ".walk.");
	return n;
}

static bool ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len >= n && !strncmp(text + len - n, end, n);
}

/* Is the last part of the path, but for numbers, the number of a run? Then it counts from 1. */
static void put_from_one(struct str *line, const char *from)
{
	const char *equals = strchr(from, '=');
	size_t len = (size_t)(equals - from);
	bool is_run;

	while (len && (isdigit((unsigned char)from[len - 1]) || from[len - 1] == '.'))
		len--;
	is_run = ends_with(from, len, ".run") || ends_with(from, len, ".runs") ||
	         ends_with(from, len, "between") || ends_with(from, len, "first_bad_run");
	if (is_run && isdigit((unsigned char)equals[1]))
		str_fmt(line, "%.*s=%ld", (int)(equals - from), from,
		        strtol(equals + 1, NULL, 10) + 1);
	else
		str_puts(line, from);
}

static void read_expected(const char *fault, struct lines *out)
{
	struct str path = {0}, text = {0};

	str_fmt(&path, FAULTS "%s.origin.json", fault);
	ck_assert(read_whole(path.text, &text));
	flatten(text.text, out);
	str_release(&path);
	str_release(&text);
}

static int ask(const char *command, const char *fault, bool json, struct str *out)
{
	struct program_run ran;
	struct str path = {0};
	int status;

	str_fmt(&path, FAULTS "%s", fault);
	program_run((const char *[]){ program_path(), json ? "--format=json" : "--format=text",
	                              "-c", command, path.text, NULL }, NULL, NULL, &ran);
	status = ran.status;
	str_puts(out, str_text(&ran.out));
	program_release(&ran);
	str_release(&path);
	return status;
}

START_TEST(rows_are_those_of_the_recording)
{
	struct lines want = {0}, got = {0};
	struct str answer = {0}, line = {0};
	const char *value;

	read_expected(faults[_i], &want);
	ck_assert_int_eq(ask("origins -a", faults[_i], true, &answer), 0);
	value = strstr(str_text(&answer), "\"value\":");
	ck_assert_msg(value, "%s", str_text(&answer));
	flatten(value + strlen("\"value\":"), &got);
	ck_assert_uint_gt(count_rows(&want), 0);
	ck_assert_uint_eq(count_rows(&got), count_rows(&want));
	for (size_t i = 0; i < want.at.len; i++) {
		str_reset(&line);
		put_from_one(&line, want.at.at[i]);
		ck_assert_msg(has_line(&got, line.text), "%s: no %s in\n%s", faults[_i],
		              line.text, answer.text);
	}
	release_lines(&want);
	release_lines(&got);
	str_release(&answer);
	str_release(&line);
}
END_TEST

static const struct { const char *fault, *command, *answer; int status; } texts[] = {
	{ "origins/log_zero", "origins",
	  "1 origin of NaN/Inf; 32 of 95 tensors bad, first in run 1\n"
	  "#1 loss/log:0  Log  log_of_zero  exact  -inf 8 of 15  spreads to 31, reaches fetch, "
	  "variable\n"
	  "   NaN from loss/picked:0 on; also gradients/loss/log_grad/Reciprocal:0\n", 0 },
	{ "origins/where_gradient", "origins --all",
	  "1 origin of NaN/Inf, 1 benign; 4 of 24 tensors bad, first in run 1\n"
	  "#1 gradients/safe/log_grad/Reciprocal:0  Reciprocal  where_gradient  exact  "
	  "+inf 1 of 3  spreads to 2, reaches variable\n"
	  "   NaN from gradients/safe/log_grad/mul:0 on\n"
	  " - safe/log:0  Log  benign: absorbed by safe/pick  -inf 1 of 3\n", 0 },
	{ "origins/where_gradient", "origins -n 0",
	  "1 origin of NaN/Inf, 1 benign; 4 of 24 tensors bad, first in run 1\n", 0 },
	{ "origins/partial_log", "origins",
	  "1 origin of NaN/Inf; 8 of 25 tensors bad, first in run 1\n"
	  "#1 loss/scaled:0  Mul  log_of_zero  bounded  +inf 1 of 4  spreads to 7, reaches fetch, "
	  "variable\n"
	  "   this node or one not dumped: loss/log (most likely); also "
	  "gradients/loss/scaled_grad/Mul_1:0, gradients/net/relu_grad/ReluGrad:0\n", 0 },
	{ "origins/other_writer", "origins",
	  "1 origin of NaN/Inf; 7 of 34 tensors bad, first in run 2\n"
	  "#1 v:0 [run 2]  VariableV2  variable  bounded  nan 1 of 2  spreads to 6, reaches fetch, "
	  "variable\n"
	  "   written between run 1 and run 2\n", 0 },
	{ "origins/other_writer", "origins --exit-code -n 0",
	  "1 origin of NaN/Inf; 7 of 34 tensors bad, first in run 2\n", 1 },
	{ "origins/attention_mask", "origins --exit-code",
	  "0 origins of NaN/Inf, 1 benign; 2 of 43 tensors bad, first in run 1\n", 0 },
	{ "v2/where_gradient", "origins -a",
	  "1 origin of NaN/Inf, 1 benign; 4 of 19 tensors bad, first in step #2\n"
	  "#1 gradient_tape/Reciprocal:0 [step #2, step]  Reciprocal  where_gradient  exact  "
	  "+inf 1 of 2  spreads to 2, reaches output\n"
	  "   NaN from gradient_tape/mul:0 on\n"
	  " - log:0 [step #2, step]  Log  benign: absorbed by pick  -inf 1 of 2\n", 0 },
	{ "v2/circular_tight", "origins --exit-code",
	  "1 origin of NaN/Inf; 52 of 60 tensors bad, first in step #0\n"
	  "#1 __inference_step_59:0 [step #0]  __inference_step_59  unknown  bounded  nan 1 of 1  "
	  "spreads to 0, reaches output, 28 times\n"
	  "   not dumped: traces of this call; began before what this dump holds\n", 1 },
	{ "v2/eager_divide", "origins",
	  "1 origin of NaN/Inf; 5 of 39 tensors bad, first in step #36\n"
	  "#1 RealDiv:0 [step #36]  RealDiv  zero_by_zero  exact  nan 1 of 1  spreads to 2, "
	  "reaches output\n", 0 },
	{ "v2/while_overflow", "origins",
	  "1 origin of NaN/Inf; 8 of 42 tensors bad, first in step #0\n"
	  "#1 while/sq:0 [step #0, exec 6]  ?  overflow  bounded  +inf 1 of 2  spreads to 7, "
	  "reaches output\n", 0 },
	{ "v2/threads", "origins",
	  "1 origin of NaN/Inf; 2 of 20 tensors bad\n"
	  "#1 Log:0 [scale]  Log  log_of_zero  exact  -inf 1 of 1  spreads to 1, reaches output\n",
	  0 },
};

START_TEST(the_text_says_it)
{
	struct str answer = {0};

	ck_assert_int_eq(ask(texts[_i].command, texts[_i].fault, false, &answer),
	                 texts[_i].status);
	ck_assert_str_eq(str_text(&answer), texts[_i].answer);
	str_release(&answer);
}
END_TEST

START_TEST(a_list_in_the_config_is_of_programs_too)
{
	char *home = scratch_new();
	struct str path = {0}, dump = {0};
	struct program_run ran;
	FILE *out;

	str_fmt(&path, "%s/.config/tensordbg", home);
	str_fmt(&dump, "%s/testdata/v2/where_gradient", getenv("PWD"));
	program_run((const char *[]){ "/bin/mkdir", "-p", path.text, NULL }, NULL, NULL, &ran);
	program_release(&ran);
	str_puts(&path, "/config");
	out = fopen(path.text, "we");
	ck_assert_ptr_nonnull(out);
	ck_assert_int_gt(fputs("origins_ignore gradient_tape/\n", out), 0);
	ck_assert_int_eq(fclose(out), 0);
	program_run((const char *[]){ program_path(), "-c", "origins", dump.text, NULL }, home,
	            NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "0 origins of NaN/Inf, 1 benign, 1 ignored by "),
	              "%s%s", str_text(&ran.out), str_text(&ran.err));
	program_release(&ran);
	str_release(&path);
	str_release(&dump);
	scratch_remove(home);
}
END_TEST

/* A regular expression is kept, once, and the next answer heeds it. */
START_TEST(a_pattern_can_be_set)
{
	char *home = scratch_new();
	struct program_run ran;
	struct str dump = {0};
	const char *last;

	str_fmt(&dump, "%s/testdata/mnist_nan", getenv("PWD"));

	program_run((const char *[]){
		program_path(), "-c", "origins", "-c", "config set origins_ignore ^cross_",
		"-c", "config set origins_ignore ^cross_", "-c", "origins",
		"-c", "config set origins_ignore ''", "-c", "origins", dump.text,
		NULL }, home, NULL, &ran);
	last = strstr(str_text(&ran.out), "reported:\n\n  origins_ignore: ^cross_\n"
	              "0 origins of NaN/Inf, 1 ignored by config;");
	ck_assert_msg(last, "%s%s", ran.out.text, str_text(&ran.err));
	ck_assert_msg(strstr(last, "reported:\n\n1 origin of NaN/Inf;"), "%s", ran.out.text);
	program_release(&ran);
	program_run((const char *[]){ program_path(), "-c", "config set origins_ignore (", NULL },
	            home, NULL, &ran);
	ck_assert_int_eq(ran.status, 1);
	program_release(&ran);
	str_release(&dump);
	scratch_remove(home);
}
END_TEST

SUITE_MAIN("origins",
	tcase_add_test(t, a_pattern_can_be_set);
	tcase_add_test(t, a_list_in_the_config_is_of_programs_too);
	tcase_add_loop_test(t, rows_are_those_of_the_recording, 0, ROWS(faults));
	tcase_add_loop_test(t, the_text_says_it, 0, ROWS(texts));
)
