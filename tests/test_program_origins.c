/*
 * Where NaN and Inf begin in a recorded program. Each program is written as lines:
 *
 *     g ID NAME OUTER              a graph; OUTER "-": in none
 *     o GRAPH TYPE NAME INPUTS     an op; its inputs have commas between them, "-": none
 *     t GRAPH NAME WHAT [DEVICE]   a trace of its output 0, or of NAME:SLOT
 *     s OP GRAPH IDS IDS WHAT,...  a step, what it took and made; GRAPH "-": an op step
 *     m MODE                       what follows is in this mode; at first it is 4, FULL_HEALTH
 *
 * Steps and traces come one time unit after each other. WHAT of two elements: ok, zero (one of
 * them), neg, nan, inf, -inf, or none: nothing that could be told; or, of a step, gone: an output
 * without an entry. The answer is a line for each row.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dump/model/program_origins.h"
#include "dump/v2/v2.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/program_files.h"

enum { CURT = 2, FULL_HEALTH = 4 };
#define WORDS_MAX 8

/* ---- programs from lines */

struct writer {
	double time;
	int mode;
};

/* The words of a line, and the line after it. */
static const char *split(const char *at, char *line, size_t size, char **word, size_t *n)
{
	size_t len = strcspn(at, "\n");
	char *rest = line;

	ck_assert_uint_lt(len, size);
	memcpy(line, at, len);
	line[len] = '\0';
	for (*n = 0; *n < WORDS_MAX && (word[*n] = strtok_r(rest, " ", &rest)); ++*n)
		;
	return at + len + (at[len] == '\n');
}

static void put_full(struct str *tensor, int mode, const char *what)
{
	float number[] = { !strcmp(what, "zero") ? 0 : 1, 2 };

	if (!strcmp(what, "nan"))
		number[0] = __builtin_nanf("");
	else if (!strcmp(what, "inf"))
		number[0] = __builtin_inff();
	ck_assert_int_eq(mode, FULL);
	put_tensor_head(tensor, 1, 1, &(int64_t){ 2 });
	put_bytes(tensor, 4, number, sizeof number);
}

/* A tensor of two elements as it is recorded in a mode; nothing of "none". */
static void put_health(struct str *tensor, int mode, const char *what)
{
	double neg_inf = !strcmp(what, "-inf"), pos_inf = !strcmp(what, "inf");
	double nan = !strcmp(what, "nan"), zero = !strcmp(what, "zero");
	double negative = !strcmp(what, "neg");
	double rest = 2 - neg_inf - pos_inf - nan - zero - negative;

	if (!strcmp(what, "none"))
		return;
	if (mode == CURT)
		put_doubles(tensor, (double[]){ 1, neg_inf || pos_inf || nan }, 2);
	else if (mode == CONCISE)
		put_doubles(tensor, (double[]){ 1, 2, neg_inf, pos_inf, nan }, 5);
	else if (mode == FULL_HEALTH)
		put_doubles(tensor, (double[]){ 1, -1, 1, 1, 2, neg_inf, pos_inf, nan, negative,
		                                zero, rest }, 11);
	else
		put_full(tensor, mode, what);
}

static void put_numbers(struct str *out, uint32_t field, const char *list)
{
	for (char *end; strcmp(list, "-") != 0; list = end + 1) {
		put_number(out, field, strtoull(list, &end, 10));
		if (*end != ',')
			return;
	}
}

static void put_execution(struct writer *w, char **word, size_t n)
{
	struct str m = {0}, tensor = {0};
	char *rest = n > 5 ? word[5] : NULL;
	unsigned n_outputs = 0;

	put_word(&m, 1, word[1]);
	if (strcmp(word[2], "-") != 0)
		put_word(&m, 3, word[2]);
	put_numbers(&m, 4, word[3]);
	put_numbers(&m, 5, word[4]);
	put_number(&m, 6, (uint64_t)w->mode);
	for (const char *what; rest && (what = strtok_r(rest, ",", &rest)); n_outputs++) {
		if (!strcmp(what, "gone"))
			continue;
		put_health(&tensor, w->mode, what);
		put_message(&m, 7, &tensor);
		str_reset(&tensor);
	}
	put_number(&m, 2, n_outputs);
	put_what(PROGRAM_FILE_EXECUTION, w->time++, EXECUTION, &m);
	str_release(&tensor);
	str_release(&m);
}

static void put_traced(struct writer *w, char **word, size_t n)
{
	char *colon = strrchr(word[2], ':');
	struct str tensor = {0};

	if (colon)
		*colon = '\0';
	put_health(&tensor, w->mode, word[3]);
	put_trace_of(w->time++, word[1], word[2], colon ? (int)strtol(colon + 1, NULL, 10) : 0,
	             n > 4 ? word[4] : "CPU", w->mode, &tensor);
}

static void put_line(struct writer *w, char **word, size_t n)
{
	switch (*word[0]) {
	case 'g':
		put_graph(word[1], word[2], strcmp(word[3], "-") ? word[3] : "");
		break;
	case 'o':
		for (char *at = word[4]; *at; at++)
			*at = *at == ',' ? ' ' : *at;
		put_op_of(word[1], word[2], word[3], strcmp(word[4], "-") ? word[4] : "", 1, "a");
		break;
	case 't':
		put_traced(w, word, n);
		break;
	case 's':
		put_execution(w, word, n);
		break;
	case 'm':
		w->mode = (int)strtol(word[1], NULL, 10);
		break;
	default:
		ck_abort_msg("%s: no such line", word[0]);
	}
}

static struct program *program_of(const char *lines)
{
	struct writer w = { 10, FULL_HEALTH };
	char line[256], *word[WORDS_MAX];
	struct program *program;
	struct err err = {0};
	size_t n;

	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_reset(&files[i]);
	put_metadata(1, "run");
	put_source("a.py");
	put_frame("a", 0, 1);
	while (*lines) {
		lines = split(lines, line, sizeof line, word, &n);
		put_line(&w, word, n);
	}
	write_set("1.host");
	program = open_scratch();
	ck_assert(program_scan(program, UINT64_MAX, NULL, &err));
	return program;
}

/* ---- rows as lines */

static void put_list(struct str *out, const char *what, const origin_names *names)
{
	for (size_t i = 0; i < names->len; i++)
		str_fmt(out, "%s%s", i ? "," : what, names->at[i]);
}

static void put_counts(struct str *out, const struct bad_counts *c)
{
	if (c->nan)
		str_fmt(out, " nan%" PRIu64, c->nan);
	if (c->pos_inf)
		str_fmt(out, " inf%" PRIu64, c->pos_inf);
	if (c->neg_inf)
		str_fmt(out, " -inf%" PRIu64, c->neg_inf);
}

static void put_row(struct str *out, const struct origin_row *row)
{
	str_fmt(out, "%s:%" PRIu32, row->node, row->slot);
	if (row->exec)
		str_fmt(out, "[%" PRIu32 "]", row->exec);
	if (row->execution >= 0)
		str_fmt(out, " #%" PRId64, row->execution);
	if (row->call > 0)
		str_fmt(out, " call %" PRId64, row->call);
	str_fmt(out, " %s %s", origin_reason_names[row->reason], row->exact ? "exact" : "bounded");
	put_counts(out, &row->counts);
	str_fmt(out, " +%" PRIu64, row->spread);
	if (row->times > 1)
		str_fmt(out, " x%" PRIu64, row->times);
	if (!row->reach)
		str_fmt(out, " kept %s", benign_names[row->benign]);
	put_list(out, " by ", &row->absorbed_by);
	put_list(out, " gap ", &row->gap);
	if (row->before_window)
		str_puts(out, " before");
	if (row->first_nan.node)
		str_fmt(out, " nan from %s:%" PRIu32, row->first_nan.node, row->first_nan.slot);
	for (size_t i = 0; i < row->also.len; i++)
		str_fmt(out, " also %s:%" PRIu32, row->also.at[i].node, row->also.at[i].slot);
	str_puts(out, "\n");
}

static void find(const char *lines, struct str *out)
{
	struct program *program = program_of(lines);
	struct origins_report *report = origins_report_new();
	struct err err = {0};

	ck_assert_msg(program_origins(program, report, NULL, &err), "%s", err.msg);
	origins_rank(report, NULL, NULL);
	str_puts(out, report->refused ? report->refused : "");
	for (size_t i = 0; i < report->rows.len; i++)
		put_row(out, &report->rows.at[i]);
	origins_report_free(report);
	program_close(program);
}

#define FUNCTION "g G f -\no G Placeholder x -\n"
#define LOG FUNCTION "o G Log log x:0\no G Identity out log:0\n"

static const struct { const char *program, *rows; } cases[] = {
	/* Nothing bad. */
	{ LOG "t G log ok\ns f G - - ok", "" },
	{ "m 5\n" LOG "t G log none\ns f G - - none",
	  "this dump holds no health data (mode SHAPE)" },
	{ "m 1\n" LOG "t G log none\nm 4\nt G log -inf\ns f G - - -inf",
	  "log:0[1] #0 log_of_zero exact -inf1 +1 gap x\n" },
	/* What a call puts out it has from its traces; the next step has it from there. */
	{ LOG "t G log -inf\ns f G 1 2 -inf\ns Mul - 2,3 4 nan\ns Add - 4 5 nan",
	  "log:0 #0 log_of_zero exact -inf1 +3 gap x nan from Mul:0\n" },
	/* Calls of one function; what they took is known. */
	{ LOG "s Neg - 1 2 zero\nt G log ok\ns f G 9 3 ok\nt G log -inf\ns f G 2 4 -inf",
	  "log:0 #2 call 1 log_of_zero exact -inf1 +1\n" },
	{ LOG "s Neg - 1 2 nan\nt G log nan\ns f G 2 4 nan",
	  "Neg:0 #0 unknown bounded nan1 +2 gap input 0 of Neg\n" },
	/* Traces of the step before, or of none, are of another call. */
	{ LOG "o G Exp exp log:0\nt G log -inf\ns f G - - gone\nt G exp nan\ns f G - - gone",
	  "log:0 #0 log_of_zero exact -inf1 +0 gap x\n"
	  "exp:0 #1 call 1 unknown bounded nan1 +0 kept unused gap log,x before\n" },
	/* What was not traced: ops in between carry it, or may be it, or can't have it. */
	{ LOG "o G Reshape flat log:0\no G Exp exp flat:0\n"
	  "t G log -inf\nt G exp nan\ns f G - - nan",
	  "log:0 #0 log_of_zero exact -inf1 +2 gap x nan from exp:0\n" },
	{ LOG "o G Square sq log:0\no G Exp exp sq:0\nt G log ok\nt G exp nan\ns f G - - nan",
	  "exp:0 #0 unknown bounded nan1 +1 gap sq\n" },
	{ LOG "o G Shape shape log:0\no G Fill fill shape:0,log:0\nt G log ok\nt G fill nan\n"
	  "s f G - - nan",
	  "fill:0 #0 constant exact nan1 +1\n" },
	/* The latest of an output counts, of the same device if there is one. */
	{ LOG "o G Neg neg log:0\nt G log -inf\nt G log ok\nt G neg inf\ns f G - - ok",
	  "log:0 #0 log_of_zero exact -inf1 +0 kept absorbed by neg gap x\n"
	  "neg:0 #0 overflow exact inf1 +0 kept unused\n" },
	{ LOG "o G Neg neg log:0\nt G log -inf A\nt G log ok B\nt G neg inf A\nt G neg ok B\n"
	  "s f G - - gone",
	  "log:0 #0 log_of_zero exact -inf1 +1 gap x\n" },
	{ LOG "o G Neg neg log:0\nt G log -inf A\nt G neg inf B\ns f G - - gone",
	  "log:0 #0 log_of_zero exact -inf1 +1 gap x\n" },
	/* Loops: the first execution that is bad; what follows has it through the Placeholder. */
	{ "g G f -\ng B while_body_1 G\no G While loop -\no B Placeholder in -\n"
	  "o B Square sq in:0\nt B in ok\nt B sq ok\nt B in ok\nt B sq inf\nt B in inf\n"
	  "t B sq inf\ns f G - - inf",
	  "sq:0[1] #0 overflow exact inf1 +3\n" },
	/* Into a graph within and out of it, also one that was first traced elsewhere. */
	{ "g G f -\ng B cond_true_1 G\no G Log log -\no G If if log:0\no G Exp exp if:0\n"
	  "o B Placeholder in -\no B Neg neg in:0\n"
	  "t G log -inf\nt B neg inf\nt G exp inf\ns f G - - inf",
	  "log:0 #0 log_of_zero exact -inf1 +3\n" },
	{ "g G f -\ng H g -\ng B inner H\no G Exp exp call:0\no B Log log -\n"
	  "t B log -inf\nt G exp nan\ns f G - - nan",
	  "log:0 #0 log_of_zero exact -inf1 +2 nan from exp:0\n" },
	{ "g G f -\no G Exp exp call:0\nt G exp nan\ns f G - - nan",
	  "exp:0 #0 unknown bounded nan1 +1 gap call\n" },
	/* A call without a graph by its name; its traces are its own all the same. */
	{ "g G f -\no G Log log x:0\no G Identity out log:0\nt G log -inf\n"
	  "s __forward_f_7 - 1 2 -inf",
	  "log:0 #0 log_of_zero bounded -inf1 +1 gap x\n" },
	{ "s __backward_f_7 - 1 2 nan",
	  "__backward_f_7:0 #0 unknown bounded nan1 +0 gap traces of this call\n" },
	/* An output that does not tell, such as a variant, has what the call had. */
	{ LOG "t G log -inf\ns f G 1 2 none\ns OptionalGetValue - 2 3 -inf",
	  "log:0 #0 log_of_zero exact -inf1 +1 gap x\n" },
	/* A bad result of a call whose traces are gone began before what is left. */
	{ LOG "s f G - 1 nan\nt G log nan\ns f G - - nan",
	  "f:0 #0 unknown bounded nan1 +0 gap traces of this call before\n"
	  "log:0 #1 call 1 negative_log exact nan1 +1 gap x\n" },
	/* Eager ops: inputs that no step made prove nothing where others are known. */
	{ "s A - - 1 zero\ns RealDiv - 2,1 3 inf",
	  "RealDiv:0 #1 divide_by_zero exact inf1 +0 gap input 0 of RealDiv\n" },
	{ "s A - - 1 ok\ns RealDiv - 2,1 3 inf",
	  "RealDiv:0 #1 overflow exact inf1 +0 gap input 0 of RealDiv\n" },
	{ "s RealDiv - 2 3 nan\ns RealDiv - 2 4 nan",
	  "RealDiv:0 #0 zero_by_zero bounded nan1 +0 x2 gap input 0 of RealDiv\n" },
	/* Variables: bad in an earlier step; written unseen; not known to have been clean. */
#define VARIABLE "g G f -\no G Placeholder v -\no G ReadVariableOp r v:0\no G Log log r:0\n"
	{ VARIABLE "t G r zero\nt G log -inf\ns f G 7 - -inf\nt G r nan\nt G log nan\n"
	  "s f G 7 - nan",
	  "log:0 #0 log_of_zero exact -inf1 +1\n" },
	{ VARIABLE "t G r ok\nt G log ok\ns f G 7 - ok\nt G r nan\nt G log nan\ns f G 7 - nan",
	  "r:0 #1 call 1 variable bounded nan1 +2 gap ReadVariableOp\n" },
	{ VARIABLE "t G r nan\nt G log nan\ns f G 7 - nan",
	  "r:0 #0 variable bounded nan1 +2 gap ReadVariableOp before\n" },
	{ "s ReadVariableOp - 7 1 ok\ns AssignSubVariableOp - 7,2 -\ns ReadVariableOp - 7 3 inf",
	  "ReadVariableOp:0 #2 call 1 variable bounded inf1 +0 gap ReadVariableOp\n" },
	{ "s Log - 1 2 -inf\ns AssignVariableOp - 7,2 -\ns ReadVariableOp - 7 3 -inf",
	  "Log:0 #0 log_of_zero bounded -inf1 +0 gap input 0 of Log\n" },
	/* In a graph within it is one of those that the call took. */
	{ "g G f -\ng B while_body_1 G\no G Placeholder v -\no B Placeholder w -\n"
	  "o B ReadVariableOp r w:0\nt B r ok\ns f G 7 -\ns A - 7 9 nan\nt B r nan\ns f G 7 -",
	  "A:0 #1 unknown bounded nan1 +0 gap input 0 of A\n" },
	/* What does no harm. */
	{ "g G f -\no G Const c -\no G SelectV2 s c:0,c:0,c:0\no G Softmax soft s:0\n"
	  "o G Identity out soft:0\nt G c -inf\nt G s -inf\nt G soft ok\ns f G - - ok",
	  "c:0 #0 constant exact -inf1 +1 kept constant by soft\n" },
	{ LOG "o G Softmax soft log:0\nt G log -inf\nt G soft ok\ns f G - - ok",
	  "log:0 #0 log_of_zero exact -inf1 +0 kept mask by soft gap x\n" },
	{ LOG "o G Maximum max log:0\nt G log -inf\nt G max ok\ns f G - - ok",
	  "log:0 #0 log_of_zero exact -inf1 +0 kept absorbed by max gap x\n" },
	{ LOG "o G Maximum max log:0\nt G log nan\nt G max ok\ns f G - - ok",
	  "log:0 #0 negative_log exact nan1 +0 kept  by max gap x\n" },
	{ LOG "o G IsNan test log:0\nt G log nan\ns f G - - ok",
	  "log:0 #0 negative_log exact nan1 +0 kept  by test gap x\n" },
	{ FUNCTION "o G Log log x:0\nt G log nan\ns f G - - ok",
	  "log:0 #0 negative_log exact nan1 +0 kept unused gap x\n" },
	/* What gets out: returned unseen, written, taken by an op that was not traced. */
	{ LOG "t G log -inf\ns f G - - gone",
	  "log:0 #0 log_of_zero exact -inf1 +0 gap x\n" },
	{ LOG "o G AssignVariableOp set x:0,log:0\nt G log -inf\ns f G - - ok",
	  "log:0 #0 log_of_zero exact -inf1 +0 gap x\n" },
	{ LOG "o G Neg n log:0\no G Square sq n:0\nt G log -inf\ns f G - - ok",
	  "log:0 #0 log_of_zero exact -inf1 +0 gap x\n" },
	{ FUNCTION "o G Log log x:0\nt G log -inf",
	  "log:0 log_of_zero exact -inf1 +0\n" },
	/* Harm that comes in a later call is of the same row. */
	{ LOG "o G Maximum max log:0\nt G log -inf\nt G max ok\ns f G - - ok\nt G log -inf\n"
	  "t G max nan\ns f G - - nan",
	  "log:0 #0 log_of_zero exact -inf1 +2 x2 gap x nan from max:0\n" },
	/* Gradients. */
	{ LOG "o G Reciprocal gradient_tape/r x:0\no G Mul gradient_tape/m gradient_tape/r:0\n"
	  "t G log -inf\nt G gradient_tape/r inf\nt G gradient_tape/m nan\ns f G - - -inf,nan",
	  "log:0 #0 log_of_zero exact -inf1 +2 gap x nan from f:1 also gradient_tape/r:0\n" },
	{ LOG "o G SelectV2 pick x:0,log:0,x:0\no G Reciprocal gradient_tape/r x:0\n"
	  "t G log -inf\nt G pick ok\nt G gradient_tape/r inf\ns f G - - ok,inf",
	  "log:0 #0 log_of_zero exact -inf1 +1 gap x also gradient_tape/r:0\n" },
	{ LOG "o G SelectV2 pick x:0,log:0,x:0\no G Reciprocal gradient_tape/r x:0\n"
	  "t G log ok\nt G pick ok\nt G gradient_tape/r inf\ns f G - - ok,inf",
	  "gradient_tape/r:0 #0 where_gradient exact inf1 +1 gap x\n" },
	{ LOG "o G SelectV2 pick x:0,log:0,x:0\no G SqrtGrad gradient_tape/r log:0\n"
	  "t G log ok\nt G pick ok\nt G gradient_tape/r nan\ns f G - - ok,nan",
	  "gradient_tape/r:0 #0 where_gradient exact nan1 +1\n" },
	/* Only bad or not: no reason but one for all kinds, and no harmless kinds. */
	{ "m 2\n" LOG "o G Acos acos x:0\no G Maximum max log:0,acos:0\nt G log nan\nt G acos nan\n"
	  "t G max ok\ns f G - - ok",
	  "log:0 #0 unknown exact +0 kept  by max gap x\n"
	  "acos:0 #0 domain exact +0 kept  by max gap x\n" },
	/* Concise: the inputs are not known, and are taken to fit. Whole tensors are looked at. */
	{ "m 3\ns A - - 1 ok\ns RealDiv - 1,1 3 inf",
	  "RealDiv:0 #1 divide_by_zero exact inf1 +0\n" },
	{ "m 7\ns A - - 1 ok\ns RealDiv - 1,1 3 inf", "RealDiv:0 #1 overflow exact inf1 +0\n" },
	{ "m 7\ns A - - 1 zero\ns RealDiv - 1,1 3 inf",
	  "RealDiv:0 #1 divide_by_zero exact inf1 +0\n" },
	/* Ops whose creation is not recorded have it from what was bad before them in the call. */
	{ "g G f -\nt G a nan\nt G b ok\nt G c nan\ns f G - - nan",
	  "a:0 #0 unknown bounded nan1 +2\n" },
	/* Graphs around each other, ops that take themselves. */
	{ "g G f H\ng H h G\no G Add a a:0,b:0\no G Neg b b:0\no G While w w:0\no G Exp e w:0\n"
	  "t G a nan\nt G e nan\ns f G - - nan",
	  "a:0 #0 unknown bounded nan1 +1 gap a before\n"
	  "e:0 #0 unknown bounded nan1 +1 gap w\n" },
};

START_TEST(rows_of_a_program)
{
	struct str got = {0};

	find(cases[_i].program, &got);
	ck_assert_msg(!strcmp(str_text(&got), cases[_i].rows), "%s\n\ngave\n%s\nnot\n%s",
	              cases[_i].program, str_text(&got), cases[_i].rows);
	str_release(&got);
}
END_TEST

START_TEST(a_cancelled_search_says_so)
{
	struct program *program = program_of(LOG "t G log -inf\ns f G - - -inf");
	struct origins_report *report = origins_report_new();
	struct progress progress = {0};
	struct err err = {0};

	atomic_store(&progress.cancel, true);
	ck_assert(!program_origins(program, report, &progress, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	origins_report_free(report);
	program_close(program);
}
END_TEST

START_TEST(totals_of_a_program)
{
	struct program *program = program_of(LOG "s A - - 1 ok\nt G log -inf\ns f G 1 - -inf,ok");
	struct origins_report *report = origins_report_new();
	struct err err = {0};

	ck_assert(program_origins(program, report, NULL, &err));
	ck_assert(report->of_program);
	ck_assert_uint_eq(report->tensors, 4);
	ck_assert_uint_eq(report->bad_tensors, 2);
	ck_assert_int_eq(report->first_bad_execution, 1);
	ck_assert_uint_eq(report->rows.len, 1);
	ck_assert_str_eq(report->rows.at[0].graph, "f");
	ck_assert_str_eq(report->rows.at[0].op, "Log");
	ck_assert_int_eq(report->rows.at[0].where, ORIGIN_OF_TRACE);
	ck_assert_uint_eq(report->rows.at[0].record, 0);
	ck_assert_int_eq(report->rows.at[0].counts.size, 2);
	origins_report_free(report);
	program_close(program);
}
END_TEST

SUITE_MAIN("program_origins",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_loop_test(t, rows_of_a_program, 0, ROWS(cases));
	tcase_add_test(t, a_cancelled_search_says_so);
	tcase_add_test(t, totals_of_a_program);
)
