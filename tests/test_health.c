/*
 * The health of tensors: what one reading finds, against numpy (tests/gen_vitals.py says how the
 * file of its answers came to be); that a tensor is read once, and by whom.
 */
#include "cmds/session/health.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/session.h"
#include "dump/base/utf8.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* The index of a tensor by its name. */
static uint32_t tensor_at(const struct run *run, const char *name)
{
	char text[256];

	for (uint32_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		snprintf(text, sizeof text, "%s:%" PRIu32, t->node, t->slot);
		if (!strcmp(text, name))
			return i;
	}
	ck_abort_msg("%s is not there", name);
	return 0;
}

static void put_hex(struct str *out, const struct vitals *v, const unsigned char *elem)
{
	if (!v->has_ends)
		str_putc(out, '-');
	for (size_t i = 0; v->has_ends && i < v->type->elem_bytes; i++)
		str_fmt(out, "%02x", elem[i]);
}

/* As a line of the file has it, from the dtype on. */
static void put_vitals(struct str *out, const struct vitals *v)
{
	if (v->state == VITALS_CANT_TELL) {
		str_puts(out, "?");
		return;
	}
	str_fmt(out, "%s\t", v->type->name);
	for (uint32_t i = 0; i < v->rank; i++)
		str_fmt(out, "%s%" PRId64, i ? "," : "", v->dim[i]);
	str_fmt(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
	        "\t%" PRIu64 "\t", v->rank ? "" : "-", v->nan, v->neg_inf, v->pos_inf,
	        v->negative, v->zero, v->positive);
	put_hex(out, v, v->min);
	str_putc(out, '\t');
	put_hex(out, v, v->max);
	str_puts(out, v->has_bins ? "\t" : "\t-");
	for (int i = 0; v->has_bins && i < VITALS_BINS; i++)
		str_fmt(out, "%s%" PRIu64, i ? "," : "", v->bins[i]);
}

static const char *const recordings[] = { "dtypes", "mnist_nan" };

START_TEST(vitals_are_what_numpy_says)
{
	char dir[64], line[512], from[32], name[256];
	FILE *file = fopen("testdata/vitals.tsv", "r");
	struct shell *shell;
	struct str got = {0};
	int n = 0, rest = 0;

	snprintf(dir, sizeof dir, "testdata/%s", recordings[_i]);
	shell = session_of(dir);
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof line, file)) {
		struct visit *visit = shell->visit;
		const struct vitals *v;
		struct err err = {0};

		ck_assert_int_eq(sscanf(line, "%31[^\t]\t%255[^\t]\t%n", from, name, &rest), 2);
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(from, recordings[_i]))
			continue;
		v = healths_read(visit->healths, tensor_at(visit->run, name), NULL, &err);
		ck_assert(v && !err.code);
		str_reset(&got);
		put_vitals(&got, v);
		ck_assert_msg(!strcmp(got.text, line + rest), "%s\n%s\n%s", name, got.text,
		              line + rest);
		n++;
	}
	ck_assert_int_gt(n, 20);
	fclose(file);
	str_release(&got);
	shell_free(shell);
}
END_TEST

static const struct { double elems[6]; size_t n; const char *fine, *ascii; } bars[] = {
	{ { 0, 0, 1, 2, 3, 8 }, 6, "█▄▄▄   ▄", "#===   =" },
	{ { 0, 8 }, 2, "█      █", "#      #" },
	{ { 5 }, 1, "    █", "    #" },
	{ { 0, 0, 0, 0, 0, 7 }, 6, "█      ▂", "#      :" },
	{ { 0 }, 0, "-", "-" },
};

START_TEST(bins_show_as_bars)
{
	struct shape shape = { .rank = 1, .dim = { (int64_t)bars[_i].n } };
	struct value *value = value_of_memory(DTYPE_FLOAT64, &shape, bars[_i].elems,
	                                      bars[_i].n * sizeof(double));
	struct str fine = {0}, ascii = {0};
	struct vitals v;
	struct err err = {0};

	ck_assert(vitals_of(value, &v, NULL, &err));
	vitals_put_bins(&fine, &v, true);
	vitals_put_bins(&ascii, &v, false);
	ck_assert_str_eq(fine.text, bars[_i].fine);
	ck_assert_str_eq(ascii.text, bars[_i].ascii);
	str_release(&fine);
	str_release(&ascii);
	value_close(value);
}
END_TEST

/* Of a list that is stopped: what was read is there, the rest is not known, never 0. */

static size_t ticks_left;

static void cancel_in_time(struct progress *progress)
{
	if (!ticks_left--)
		atomic_store(&progress->cancel, true);
}

static bool list_stopped(struct shell *shell, const char *line, size_t n, struct answer *answer)
{
	struct progress progress = { .tick = cancel_in_time };

	ticks_left = n;
	shell_run(shell, line, 0, &progress, answer);
	return atomic_load(&progress.cancel);
}

/* How many rows tell whether they are bad. */
static size_t rows_told(const struct doc *doc)
{
	struct line line = {0};
	size_t n = 0;

	for (uint64_t row = doc_body_row(doc); row < doc_rows(doc); row++) {
		ck_assert(doc_line(doc, row, 0, &line));
		n += strstr(line.text.text, " . ") == NULL;
	}
	line_release(&line);
	return n;
}

/*
 * One tensor is read by the thread that is asked. Of several, the other threads may have read every
 * one by the time the list is stopped; then it is whole.
 */
static const struct { const char *line; size_t tensors; bool alone; } stopped[] = {
	{ "lt --health -n ^linear/xw$", 1, true },
	{ "lt --health", 41, false },
};

START_TEST(a_list_that_is_stopped_says_how_far_it_came)
{
	size_t n = 0, read, of = stopped[_i].tensors;
	struct answer answer;
	struct shell *shell = session_of("testdata/linear");

	for (; list_stopped(shell, stopped[_i].line, n, &answer); n++) {
		ck_assert(answer.failed || !stopped[_i].alone || n);
		ck_assert_int_eq(doc_tells_failure(answer.doc), answer.failed);
		read = of;
		if (answer.failed)
			ck_assert_int_eq(sscanf(str_text(&answer.error),
			                        "stopped after %zu of %zu tensors", &read, &of), 2);
		ck_assert_uint_eq(of, stopped[_i].tensors);
		ck_assert_uint_le(read, rows_told(answer.doc));
		ck_assert_uint_eq(doc_rows(answer.doc) - doc_body_row(answer.doc), of);
		answer_release(&answer);
		shell_free(shell);
		shell = session_of("testdata/linear");
	}
	ck_assert_uint_gt(n, 0);
	ck_assert(!answer.failed);
	ck_assert_uint_eq(rows_told(answer.doc), of);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* Once they are read their files are not needed any more. */
START_TEST(a_tensor_is_read_once)
{
	struct small_dump dump;
	struct shell *shell;
	struct str first = {0}, again = {0}, path = {0};

	small_dump_make(&dump);
	shell = session_of(dump.dir);
	ck_assert(session_ask(shell, "lt --health", &first));
	ck_assert_ptr_nonnull(strstr(first.text, "(3,1)"));
	for (size_t i = 0; i < SMALL_PARTS; i++)
		if (dump.part[i].kind == PART_TENSOR && dump.part[i].name) {
			str_reset(&path);
			str_fmt(&path, "%s/%s", dump.dir, dump.part[i].name);
			ck_assert_int_eq(unlink(path.text), 0);
		}
	ck_assert(session_ask(shell, "lt --health", &again));
	ck_assert_str_eq(first.text, again.text);
	str_release(&first);
	str_release(&again);
	str_release(&path);
	shell_free(shell);
	small_dump_remove(&dump);
}
END_TEST

/* What a filter has read is known beside rows; what is known a filter does not read. */
/* What was read for the line above a tensor is known beside its row, and the other way round. */
START_TEST(a_tensor_and_its_row_share_what_is_read)
{
	struct shell *shell = session_of("testdata/mnist_nan");
	struct health_scan *scan = visits_scan(shell->visits);
	uint32_t at = tensor_at(shell->run, "cross_entropy/Log:0");
	struct answer answer;
	struct str text = {0};
	uint64_t told = 0;

	shell_on_screen(shell);
	shell_run(shell, "pt cross_entropy/Log:0", 80, NULL, &answer);
	ck_assert(doc_has_summary(answer.doc));
	if (_i)
		visit_sign(shell->visit, at, true);
	else
		doc_sum_up(answer.doc, 80, true, &text);
	while (health_scan_goes_on(scan, &told))
		sched_yield();
	health_scan_limit(scan, 0);      /* nothing more is read */
	str_reset(&text);
	ck_assert_int_eq(doc_sum_up(answer.doc, 80, true, &text), SIGN_BAD);
	ck_assert_int_eq(strncmp(text.text, "float32 (64,10)", 15), 0);
	ck_assert_int_eq(visit_sign(shell->visit, at, false), SIGN_BAD);
	str_release(&text);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

START_TEST(filters_share_what_they_find)
{
	struct small_dump dump;
	struct shell *shell;
	struct str out = {0};

	shell = session_of("testdata/mnist_nan");
	ck_assert(session_ask(shell, "lt -f has_inf_or_nan", &out));
	for (uint32_t at = 0; at < shell->run->tensors.len; at++) {
		ck_assert_int_ne(healths_sign(shell->visit->healths, at), SIGN_UNKNOWN);
		ck_assert_ptr_null(healths_of(shell->visit->healths, at));
	}
	ck_assert_int_eq(healths_sign(shell->visit->healths,
	                              tensor_at(shell->run, "cross_entropy/Log:0")), SIGN_BAD);
	shell_free(shell);

	small_dump_make(&dump);
	shell = session_of(dump.dir);
	ck_assert(session_ask(shell, "lt --health", &out));
	small_dump_remove(&dump);
	str_reset(&out);
	ck_assert(session_ask(shell, "lt -f has_inf_or_nan", &out));
	ck_assert_ptr_null(strstr(out.text, "ERROR"));
	shell_free(shell);
	str_release(&out);
}
END_TEST

/* Its filter leaves out types that numpy lacks: they are not known to be clean. */
START_TEST(what_a_filter_passes_over_stays_unknown)
{
	struct shell *shell = session_of("testdata/dtypes");
	struct healths *healths = shell->visit->healths;
	uint32_t at = tensor_at(shell->run, "bfloat16/vec:0");
	struct str out = {0};
	struct err err = {0};

	ck_assert(session_ask(shell, "lt -f has_inf_or_nan -n bfloat16", &out));
	ck_assert_ptr_null(strstr(out.text, "bfloat16/vec"));
	ck_assert_int_eq(healths_sign(healths, at), SIGN_UNKNOWN);
	ck_assert_ptr_nonnull(healths_read(healths, at, NULL, &err));
	ck_assert_int_eq(healths_sign(healths, at), SIGN_BAD);
	str_reset(&out);
	ck_assert(session_ask(shell, "lt -f has_inf_or_nan -n bfloat16", &out));
	ck_assert_ptr_null(strstr(out.text, "bfloat16/vec"));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* In the background. */

static void wait_for_scan(struct health_scan *scan)
{
	uint64_t told = 0;

	while (health_scan_goes_on(scan, &told))
		sched_yield();
}

START_TEST(what_is_asked_for_is_read_in_the_background)
{
	struct shell *shell = session_of("testdata/mnist_nan");
	struct health_scan *scan = visits_scan(shell->visits);
	struct healths *healths = shell->visit->healths;
	uint32_t bad = tensor_at(shell->run, "cross_entropy/Log:0");
	uint32_t clean = tensor_at(shell->run, "softmax:0");
	uint32_t other = tensor_at(shell->run, "logits/Wx_plus_b/MatMul:0");

	ck_assert_int_eq(healths_sign(healths, bad), SIGN_UNKNOWN);
	for (int i = 0; i < 3; i++) {
		health_scan_ask(scan, shell->visit, bad);
		health_scan_ask(scan, shell->visit, clean);
	}
	wait_for_scan(scan);
	ck_assert_int_eq(healths_sign(healths, bad), SIGN_BAD);
	ck_assert_int_eq(healths_sign(healths, clean), SIGN_NONE);
	ck_assert_int_eq(healths_sign(healths, other), SIGN_UNKNOWN);
	shell_free(shell);
}
END_TEST

START_TEST(the_background_reads_no_more_than_it_may)
{
	struct shell *shell = session_of("testdata/mnist_nan");
	struct health_scan *scan = visits_scan(shell->visits);
	struct healths *healths = shell->visit->healths;
	uint32_t at = tensor_at(shell->run, "cross_entropy/Log:0");
	uint64_t size = (uint64_t)shell->run->tensors.at[at].size_bytes;

	health_scan_limit(scan, _i ? size : size - 1);
	health_scan_ask(scan, shell->visit, at);
	wait_for_scan(scan);
	ck_assert_int_eq(healths_sign(healths, at), _i ? SIGN_BAD : SIGN_UNKNOWN);
	shell_free(shell);
}
END_TEST

static void count_call(void *owner)
{
	++*(int *)owner;
}

START_TEST(whoever_shows_signs_is_woken)
{
	struct shell *shell = session_of("testdata/mnist_nan");
	struct health_scan *scan = visits_scan(shell->visits);
	int calls = 0, then;

	shell_wake(shell, count_call, &calls);
	health_scan_ask(scan, shell->visit, tensor_at(shell->run, "cross_entropy/Log:0"));
	wait_for_scan(scan);
	ck_assert_int_eq(calls, 1);
	shell_wake(shell, NULL, NULL);
	health_scan_ask(scan, shell->visit, tensor_at(shell->run, "softmax:0"));
	wait_for_scan(scan);
	then = calls;
	shell_free(shell);
	ck_assert_int_eq(then, 1);
}
END_TEST

/* A session that ends while much is asked for leaves nothing behind. */
START_TEST(the_background_ends_with_the_session)
{
	struct shell *shell = session_of("testdata/mnist_nan");

	for (uint32_t at = 0; at < shell->run->tensors.len; at++)
		health_scan_ask(visits_scan(shell->visits), shell->visit, at);
	shell_free(shell);
}
END_TEST

/* Signs beside rows, as something that shows only some rows asks for them. */

static struct doc *doc_of(struct shell *shell, const char *line, int cols, struct answer *answer)
{
	shell_on_screen(shell);
	shell_run(shell, line, cols, NULL, answer);
	ck_assert(!answer->failed && doc_has_signs(answer->doc));
	doc_settle(answer->doc, UINT64_MAX, NULL);
	return answer->doc;
}

static void wait_for_signs(struct doc *doc)
{
	uint64_t told = 0;

	while (doc_signs_go_on(doc, &told) || doc_work(doc, NULL) == BODY_WORKING)
		sched_yield();
}

/* The first row of the body that has this text; its sign. */
static enum row_sign sign_beside(const struct doc *doc, const char *text, bool look)
{
	struct line line = {0};
	enum row_sign sign = SIGN_CANT_TELL;
	uint64_t row = doc_body_row(doc);

	for (; row < doc_rows(doc); row++) {
		ck_assert(doc_line(doc, row, 0, &line));
		if (strstr(str_text(&line.text), text))
			break;
	}
	ck_assert_msg(row < doc_rows(doc), "%s is not there", text);
	sign = doc_sign(doc, row, look);
	line_release(&line);
	return sign;
}

/* At first; then once it was looked at. */
static const struct {
	const char *dump, *line, *row;
	enum row_sign first, then;
} beside[] = {
	{ "testdata/mnist_nan", "lt", "cross_entropy/Log:0", SIGN_UNKNOWN, SIGN_BAD },
	{ "testdata/mnist_nan", "lt", "softmax:0", SIGN_UNKNOWN, SIGN_NONE },
	{ "testdata/mnist_nan", "lt --health -n softmax", "softmax:0", SIGN_NONE, SIGN_NONE },
	{ "testdata/mnist_nan", "lt -f has_inf_or_nan", "cross_entropy/Log:0", SIGN_BAD, SIGN_BAD },
	{ "testdata/mnist_nan", "li -r cross_entropy/mul", ") cross_entropy/Log", SIGN_UNKNOWN,
	  SIGN_BAD },
	{ "testdata/mnist_nan", "li -r cross_entropy/mul", ") softmax", SIGN_UNKNOWN, SIGN_NONE },
	{ "testdata/mnist_nan", "lo softmax", ") cross_entropy/Log", SIGN_UNKNOWN, SIGN_BAD },
	{ "testdata/dtypes", "lt", "bfloat16/vec:0", SIGN_UNKNOWN, SIGN_BAD },
	{ "testdata/dtypes", "lt", "complex64/special:0", SIGN_UNKNOWN, SIGN_BAD },
	{ "testdata/dtypes", "lt", "uninit/matrix:0", SIGN_UNKNOWN, SIGN_CANT_TELL },
	{ "testdata/dtypes", "lt", "resource/var:0", SIGN_UNKNOWN, SIGN_CANT_TELL },
	{ "testdata/dtypes", "lt", "string/vec:0", SIGN_UNKNOWN, SIGN_NONE },
	{ "testdata/damaged_tensors", "lt", "linear/xw:0", SIGN_UNKNOWN, SIGN_DAMAGED },
	{ "testdata/train20", "runs", " 1 23:", SIGN_UNKNOWN, SIGN_NONE },
	{ "testdata/train20", "runs", " 2 23:", SIGN_UNKNOWN, SIGN_BAD },
	{ "testdata/v2/mode_CONCISE_HEALTH", "lt --step 31", "Log:0", SIGN_BAD, SIGN_BAD },
	{ "testdata/v2/mode_CONCISE_HEALTH", "lx", "nan x1 !30", SIGN_BAD, SIGN_BAD },
};

START_TEST(rows_have_signs)
{
	struct shell *shell = session_of(beside[_i].dump);
	struct answer answer;
	struct doc *doc = doc_of(shell, beside[_i].line, 0, &answer);

	ck_assert_int_eq(doc_sign(doc, 0, true), SIGN_NONE);
	ck_assert_int_eq(doc_sign(doc, doc_rows(doc), true), SIGN_NONE);
	ck_assert_int_eq(sign_beside(doc, beside[_i].row, false), beside[_i].first);
	wait_for_signs(doc);
	ck_assert_int_eq(sign_beside(doc, beside[_i].row, false), beside[_i].first);
	ck_assert_int_eq(sign_beside(doc, beside[_i].row, true), beside[_i].first);
	wait_for_signs(doc);
	ck_assert_int_eq(sign_beside(doc, beside[_i].row, false), beside[_i].then);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

static size_t column_of(const struct line *line, const char *text)
{
	const char *at = strstr(line->text.text, text);

	ck_assert_ptr_nonnull(at);
	return utf8_columns(line->text.text, (size_t)(at - line->text.text));
}

/*
 * Where there is room for it, health comes by itself: what was not looked at is a dot, what comes
 * takes its place, and nothing else moves. The command stays the one that was typed.
 */
START_TEST(health_comes_as_rows_show)
{
	struct shell *shell = session_of("testdata/dtypes");
	struct canvas canvas = { .blocks = true, .health_cols = 110 };
	struct answer answer;
	struct line before = {0}, after = {0};
	struct doc *doc;
	uint64_t row, told = 0;

	shell_set_canvas(shell, &canvas);
	doc = doc_of(shell, "lt -n f32/(mixed|special)", 130, &answer);
	ck_assert_uint_eq(answer.shown.len, 0);
	row = doc_body_row(doc);
	ck_assert_uint_eq(doc_rows(doc), row + 2);
	ck_assert(doc_line(doc, row - 1, 0, &before));
	ck_assert(strstr(before.text.text, "Bad") && !strstr(before.text.text, "--health"));
	ck_assert(doc_line(doc, row, 0, &before));
	ck_assert_ptr_nonnull(strstr(before.text.text, " ·             ·        ·         "));
	doc_sign(doc, row, true);
	while (doc_signs_go_on(doc, &told))
		sched_yield();
	ck_assert(doc_line(doc, row, 0, &after));
	ck_assert_ptr_nonnull(strstr(after.text.text, "ok            float32  (5,)"));
	ck_assert_uint_eq(column_of(&after, "Identity"), column_of(&before, "Identity"));
	ck_assert(doc_line(doc, row + 1, 0, &after));
	ck_assert_ptr_nonnull(strstr(after.text.text, " ·             ·        ·         "));
	line_release(&before);
	line_release(&after);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* Columns give way until the names have room; below the least number of columns there is none. */
static const struct { int cols; const char *has, *lacks, *more; } widths[] = {
	{ 140, "Bad           Dtype    Shape      Min       Max       Spark    Op", "~",
	  "--health" },
	{ 114, "Bad           Shape      Min       Max       Spark    Op", "Dtype", "--health" },
	{ 95, "Bad           Shape      Spark    Op", "Max", "--health" },
	{ 90, "Size (B) Op", "Bad", "" },
	{ 0, "Size (B) Op", "Bad", "" },
};

START_TEST(columns_of_health_have_room)
{
	struct shell *shell = session_of("testdata/dtypes");
	struct canvas canvas = { .health_cols = 95 };
	struct answer answer;
	struct line line = {0};
	struct doc *doc;

	shell_set_canvas(shell, &canvas);
	doc = doc_of(shell, "lt -n f32", widths[_i].cols, &answer);
	ck_assert(doc_line(doc, doc_body_row(doc) - 1, 0, &line));
	ck_assert_msg(strstr(line.text.text, widths[_i].has) != NULL, "%s", line.text.text);
	ck_assert_ptr_null(strstr(line.text.text, widths[_i].lacks));
	ck_assert_str_eq(doc_more(doc), widths[_i].more);
	line_release(&line);
	answer_release(&answer);
	shell_free(shell);
}
END_TEST

/* What is about several things shows the gravest. */
START_TEST(the_graver_sign_shows)
{
	static const enum row_sign rising[] = {
		SIGN_NONE, SIGN_CANT_TELL, SIGN_UNKNOWN, SIGN_DAMAGED, SIGN_BAD,
	};

	for (int i = 0; i < ROWS(rising); i++)
		for (int k = 0; k <= i; k++) {
			ck_assert_int_eq(sign_of_both(rising[i], rising[k]), rising[i]);
			ck_assert_int_eq(sign_of_both(rising[k], rising[i]), rising[i]);
		}
}
END_TEST

SUITE_MAIN("health",
	tcase_add_loop_test(t, vitals_are_what_numpy_says, 0, ROWS(recordings));
	tcase_add_loop_test(t, bins_show_as_bars, 0, ROWS(bars));
	tcase_add_loop_test(t, a_list_that_is_stopped_says_how_far_it_came, 0, ROWS(stopped));
	tcase_add_test(t, a_tensor_is_read_once);
	tcase_add_loop_test(t, a_tensor_and_its_row_share_what_is_read, 0, 2);
	tcase_add_test(t, filters_share_what_they_find);
	tcase_add_test(t, what_a_filter_passes_over_stays_unknown);
	tcase_add_test(t, what_is_asked_for_is_read_in_the_background);
	tcase_add_loop_test(t, the_background_reads_no_more_than_it_may, 0, 2);
	tcase_add_test(t, whoever_shows_signs_is_woken);
	tcase_add_test(t, the_background_ends_with_the_session);
	tcase_add_loop_test(t, rows_have_signs, 0, ROWS(beside));
	tcase_add_test(t, health_comes_as_rows_show);
	tcase_add_loop_test(t, columns_of_health_have_room, 0, ROWS(widths));
	tcase_add_test(t, the_graver_sign_shows);
)
