/* The notes under the table of `kernels`, of steps made by hand. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define GPU "/job:localhost/replica:0/task:0/device:GPU:0"
#define ALL "/device:GPU:0/stream:all"

#define DISPATCH \
	"note: These are times the host needed to dispatch the op; the GPU may run it later and " \
	"longer. See stream lanes.\n"
#define NO_ACTIVITY \
	"note: No device activity recorded: GPU times cannot be given (tracing lib missing or " \
	"not permitted).\n"
#define LOST \
	"note: 1 of 3 kernels are shorter than the clock unit (1 us); " \
	"their time is lost in the total.\n"
#define NO_OP "note: 5.1% of device time has no op (fused or library kernels).\n"
#define IMPOSSIBLE "note: 1 record with impossible times is left out.\n"

/* A step whose kernels without an op took own_us; with_kernels false: only the host was traced. */
static void make(struct str *out, bool with_kernels, int64_t own_us)
{
	struct making m = {0};

	made_lane(&m, GPU);
	made_record(&m, "a", 1, 20, "a = MatMul(x, y)");
	if (with_kernels) {
		made_record(&m, "b", 0, 20, "b = MatMul(x, y)");
		made_lane(&m, ALL);
		made_record(&m, "a:MatMul", 10, 1000 - own_us, "sgemm regs:1@@a:MatMul");
		made_record(&m, "a:MatMul", 2000, 0, "tiny regs:1@@a:MatMul");
		made_record(&m, "loose", 3000, own_us, "loose");
	}
	made_run(&m, out);
}

static const struct {
	bool with_kernels;
	int64_t own_us;
	const char *line, *notes;        /* in this order, nothing between or behind */
} steps[] = {
	{ true, 51, "kernels", "\n" LOST NO_OP IMPOSSIBLE },
	{ true, 50, "kernels", "\n" LOST IMPOSSIBLE },
	{ true, 51, "kernels -u host", "\n" DISPATCH IMPOSSIBLE },
	{ true, 51, "kernels -u device -g op", "\n" LOST NO_OP IMPOSSIBLE },
	{ false, 0, "kernels", "\n" NO_ACTIVITY DISPATCH },
};

START_TEST(notes_stand_in_their_order)
{
	struct str run = {0};
	struct program_run ran;
	const char *notes;

	make(&run, steps[_i].with_kernels, steps[_i].own_us);
	program_run((const char *const[]){ program_path(), file_of(run.text, run.len), "-c",
	                                   steps[_i].line, NULL }, NULL,
	            NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	notes = strstr(str_text(&ran.out), "\n\nnote: ");
	ck_assert_msg(notes && !strcmp(notes + 1, steps[_i].notes), "%s", str_text(&ran.out));
	program_release(&ran);
	str_release(&run);
}
END_TEST

/*
 * stem: a convolution to 32x64x28x28 by 7x7x3 filters, 2 * 1605632 * 147 operations; its two
 * kernels took 198 us. A launch column would hold nothing, so there is none.
 */
START_TEST(float_operations_are_those_of_the_formula)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "testdata/profile/gpu_like", "-c",
	            "kernels -g op -n ^stem$ --step 0 --columns gflop,gflop/s,launch", NULL }, NULL,
	            NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.out), "GFLOP  GFLOP/s  Name\n"), "%s",
	              str_text(&ran.out));
	ck_assert_msg(strstr(str_text(&ran.out), "  0.472   2384.1  stem\n"), "%s",
	              str_text(&ran.out));
	program_release(&ran);
	program_run((const char *const[]){ program_path(), "testdata/profile/gpu_like", "-c",
	            "kernels -g op -n ^stem$ --step 0 --columns gflop --format json", NULL }, NULL,
	            NULL, &ran);
	ck_assert_msg(strstr(str_text(&ran.out), "\"gflop\":0.472055808,"), "%s",
	              str_text(&ran.out));
	program_release(&ran);
}
END_TEST

/* These files tell no launches: nothing shows, null if it was asked for, and no key if not. */
static const struct { const char *command, *wanted, *unwanted; } asked[] = {
	{ "kernels -l 1 --columns min,Launch_Delay", "Min  Name\n", "Launch" },
	{ "kernels -l 1 --columns launch_delay --format json", ",\"launch_delay_us\":null}]",
	  "launch\"" },
	{ "kernels -l 1 --columns min --format json", ",\"min_us\":", "launch_delay" },
	{ "kernels -l 1 --columns launch_delay --format csv", ",bytes,launch_delay_us\n",
	  "launch_delay," },
	{ "help kernels", ",source,launch_delay,queue,", "launch_delay_us" },
};

START_TEST(a_column_that_is_asked_for_is_typed)
{
	struct program_run ran;

	program_run((const char *const[]){ program_path(), "testdata/profile/gpu_like", "-c",
	            asked[_i].command, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.out), asked[_i].wanted), "%s", str_text(&ran.out));
	ck_assert_msg(!strstr(str_text(&ran.out), asked[_i].unwanted), "%s", str_text(&ran.out));
	program_release(&ran);
}
END_TEST

/* A copy has a rate; the op on the host that asked for it has none, though it asked for memory. */
static const struct { const char *line, *row; } rates[] = {
	{ "kernels -g op -u copy --columns gb/s", "4.00  copy\n" },
	{ "kernels -g op -u host --columns gb/s", "1.000us  3.91k  copy\n" },
};

START_TEST(rates_are_those_of_devices)
{
	struct making m = {0};
	struct str memory = {0}, record = {0}, run = {0};
	struct program_run ran;

	put_number(&memory, 2, 4000);
	put_bytes(&record, 1, "copy", 4);
	put_number(&record, 2, BEGIN_US + 1);
	put_number(&record, 4, 9);
	put_number(&record, 5, 9);
	put_message(&record, 6, &memory);
	put_bytes(&record, 8, "copy = Mul(a, b)", 16);
	made_lane(&m, GPU);
	put_message(&m.lane, 2, &record);
	made_lane(&m, "/device:GPU:0/memcpy");
	made_record(&m, "copy:MEMCPYHtoD", 9, 1, "MemcpyH2D bytes:4000");
	made_run(&m, &run);
	program_run((const char *const[]){ program_path(), file_of(run.text, run.len), "-c",
	                                   rates[_i].line, NULL }, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.out), rates[_i].row), "%s", str_text(&ran.out));
	program_release(&ran);
	str_release(&memory);
	str_release(&record);
	str_release(&run);
}
END_TEST

/*
 * The same only up to 2 % of what it was; both sides counted alike. Times of the old step, of the
 * new one and what is said; all in thousands of us.
 */
static const struct { int64_t before, now; const char *change; } changes[] = {
	{ 100, 102, "same" }, { 100, 98, "same" }, { 100, 103, "slower" }, { 100, 97, "faster" },
	{ 100, 100, "same" }, { 0, 100, "new" }, { 100, 0, "gone" },
};

static void save_step(const char *dir, const char *name, int64_t len)
{
	struct making m = {0};

	made_lane(&m, ALL);
	made_record(&m, "other:MatMul", 1, 10, "other@@other:MatMul");
	if (len)
		made_record(&m, "a:MatMul", 11, len * 1000, "sgemm@@a:MatMul");
	made_save(&m, dir, name);
}

START_TEST(up_to_two_percent_is_the_same)
{
	char *dir = scratch_new();
	struct str wanted = {0};
	struct program_run ran;

	save_step(dir, "before.pb", changes[_i].before);
	save_step(dir, "now.pb", changes[_i].now);
	str_fmt(&wanted, "\"short\":\"sgemm\",\"change\":\"%s\",", changes[_i].change);
	program_run((const char *const[]){ program_path(), "before.pb", "-c",
	                                   "kernels --diff now.pb --format json", NULL },
	            dir, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_msg(strstr(str_text(&ran.out), str_text(&wanted)), "%s", str_text(&ran.out));
	program_release(&ran);
	str_release(&wanted);
	scratch_remove(dir);
}
END_TEST

/*
 * A warm-up is the first step, and one of more than twice the median of the others, of an even
 * number of others the lower one of two. Lengths in thousands of us, and which steps are warm-ups.
 */
static const struct { int64_t len[5]; const char *warm; } warm_ups[] = {
	{ { 10, 30, 25 }, "111" }, /* 30 against 10 and 25: 10; 25 against 10 and 30: 10 */
	{ { 10, 12, 20 }, "100" }, { { 10, 12, 21 }, "101" },
	{ { 10, 12, 14, 28 }, "1001" },
	{ { 10, 12, 14, 24 }, "1000" }, { { 10, 12, 14, 25 }, "1001" },
	{ { 10, 12, 14, 16, 25 }, "10001" }, { { 10, 12, 14, 16, 24 }, "10000" },
};

START_TEST(warm_ups_are_longer_than_the_others)
{
	char *dir = scratch_new(), name[24];
	const char *at;
	struct program_run ran;

	for (int i = 0; i < 5 && warm_ups[_i].len[i]; i++) {
		snprintf(name, sizeof name, "run_meta_%d", i);
		save_step(dir, name, warm_ups[_i].len[i]);
	}
	program_run((const char *const[]){ program_path(), ".", "-c", "step --format json", NULL },
	            dir, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	at = str_text(&ran.out);
	for (const char *warm = warm_ups[_i].warm; *warm; warm++) {
		at = strstr(at, "\"warm_up\":");
		ck_assert_msg(at && at[10] == (*warm == '1' ? 't' : 'f'), "%s", str_text(&ran.out));
		at += 10;
	}
	ck_assert_ptr_null(strstr(at, "\"warm_up\":"));
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("kernels",
	tcase_add_loop_test(t, a_column_that_is_asked_for_is_typed, 0, ROWS(asked));
	tcase_add_test(t, float_operations_are_those_of_the_formula);
	tcase_add_loop_test(t, rates_are_those_of_devices, 0, ROWS(rates));
	tcase_add_loop_test(t, up_to_two_percent_is_the_same, 0, ROWS(changes));
	tcase_add_loop_test(t, warm_ups_are_longer_than_the_others, 0, ROWS(warm_ups));
	tcase_add_loop_test(t, notes_stand_in_their_order, 0, ROWS(steps));
)
