/*
 * Logs of HCC_PROFILE: records told one a line, KIND DEVICE/STREAM START+LENGTH NAME #ID bytes N;
 * a start in parentheses is not in the file.
 */
#include "tests/suite.h"

#include <inttypes.h>
#include <string.h>

#include "dump/files/recognise.h"
#include "dump/profile/trace_hcc.h"
#include "tests/message.h"
#include "tests/traces.h"

static void open_bytes(const void *bytes, size_t len)
{
	trace_open_bytes(&hcc_source, bytes, len);
}

static void put_record(struct str *out, const struct activity *a)
{
	const struct trace_record *r = &trace->records.at[a->record];

	str_fmt(out, "%s %s/%s ", activity_kind_names[a->kind], trace->devices[a->device],
	        trace->streams.at[a->stream].text);
	str_fmt(out, r->untimed ? "(%" PRId64 ")" : "%" PRId64, a->start_ns);
	str_fmt(out, "+%" PRId64 " %s", a->len_ns, trace->all.names.key[a->raw]);
	if (r->correlation != TRACE_NO_ID) {
		str_puts(out, " #");
		trace_put_id(trace, r->correlation, out);
	}
	if (r->has_bytes)
		str_fmt(out, " bytes %" PRId64, a->bytes);
	str_putc(out, '\n');
}

static void records_are(const char *text, const char *expected)
{
	struct str out = {0};

	open_bytes(text, strlen(text));
	ck_assert_msg(trace != NULL, "%s", trace_err.msg);
	for (size_t i = 0; i < trace->all.at.len; i++)
		put_record(&out, &trace->all.at.at[i]);
	for (size_t i = 0; i < trace->all.waits.len; i++)
		put_record(&out, &trace->all.waits.at[i]);
	ck_assert_str_eq(str_text(&out), expected);
	str_release(&out);
}

#define FULL \
	"TensorFlow: step 1\n" \
	"profile:  kernel;\t             _Z4fillIfEvv;\t  11.2 us;\t5000000;\t5011190;\t#0.1.2;\n" \
	"\x1b[0m<<hip-api pid:602 profile of nothing\n" \
	"profile: barrier;\tdepcnt=1,acq=none,rel=sys;\t 25.8 us;\t5011190;\t5037000;\t#0.1.3; " \
	"deps=#0.1.2\n" \
	"profile: copyslo;\tHostToDevice_sync_slow;\t 909.2 us;\t100;\t909300;\t#1.0.0;\t" \
	"2359296 bytes;\t2.2 MB;\t2.5 GB/s;\n"
#define FULL_TOLD \
	"kernel 0/1 5000000+11190 _Z4fillIfEvv #0.1.2\n" \
	"copy 1/0 100+909200 HostToDevice_sync_slow #1.0.0 bytes 2359296\n" \
	"barrier 0/1 5011190+25810 depcnt=1,acq=none,rel=sys #0.1.3\n"

static const struct { const char *text, *told; } logs[] = {
	{ FULL, FULL_TOLD },
	/* Verbosity: no times, no ids. */
	{ "profile:  kernel;\ta;\t11.2 us;\nprofile:    copy;\tb;\t 1.5 us;\t7 bytes;\n"
	  "profile:  kernel;\tc;\t 0.1 us;\n",
	  "kernel / (0)+11200 a\ncopy / (11200)+1500 b bytes 7\nkernel / (12700)+100 c\n" },
	/* Times cut to other units; three of them; a line behind other text. */
	{ "x profile: copy; DeviceToHost_sync_fast;     9.0 us; 94858726; 94858735; #0.0.0; "
	  "4 bytes;",
	  "copy 0/0 94858726+9000 DeviceToHost_sync_fast #0.0.0 bytes 4\n" },
	{ "profile: kernel; a;  1.0 us; 500; 1000; 2000; #0.3.3;",
	  "kernel 0/3 1000+1000 a #0.3.3\n" },
	{ "a profile: b profile: kernel; a; 1.0 us;", "kernel / (0)+1000 a\n" },
	/* Some without times. */
	{ "profile: kernel; a;  1.0 us; 1000; 2000;\nprofile: kernel; b;  1.0 us;\n",
	  "kernel / 1000+1000 a\nkernel / (2000)+1000 b\n" },
};

START_TEST(lines_become_records)
{
	records_are(logs[_i].text, logs[_i].told);
	ck_assert_uint_eq(trace->n_left_out, 0);
	ck_assert_uint_eq(trace->warnings.len, 0);
}
END_TEST

START_TEST(barriers_are_in_no_sum_but_their_own)
{
	records_are(FULL, FULL_TOLD);
	ck_assert_uint_eq(trace->all.at.len, 2);
	ck_assert_int_eq(trace->all.sync_ns, 25810);
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[0].kernel], "void fill<float>()");
	ck_assert_str_eq(trace->all.names.key[trace->all.at.at[1].kernel], "[copy H2D]");
}
END_TEST

START_TEST(only_a_file_without_any_start_is_laid_end_to_end)
{
	open_bytes(logs[1].text, strlen(logs[1].text));
	ck_assert(trace->untimed && trace_has_place(trace, &trace->all.at.at[1]));
	open_bytes(logs[5].text, strlen(logs[5].text));
	ck_assert(!trace->untimed && trace_has_place(trace, &trace->all.at.at[0]));
	ck_assert(!trace_has_place(trace, &trace->all.at.at[1]));
}
END_TEST

/* Runs of a machine that was started anew. */
START_TEST(times_may_be_far_apart)
{
	records_are("profile: kernel; a; 1.0 us; 1000; 2000;\n"
	            "profile: kernel; b; 1.0 us; 900000000000000; 900000000001000;\n"
	            "profile: kernel; c; 86400000000.1 us;\n",
	            "kernel / 1000+1000 a\nkernel / 900000000000000+1000 b\n");
	ck_assert_uint_eq(trace->all.impossible.len, 1);
}
END_TEST

/* The tools end every line, and nearly every field. */
static const struct { const char *last; bool warns; } last_lines[] = {
	{ "profile: kernel; b; 1.0 us; 2500; 35", true },
	{ "profile: kernel; b; 1.0 us; 2500; 3500;", false },
	{ "profile: kernel; b; 1.0 us; 2500; 3500\n", false },
	{ "I had no kernel", false },
};

START_TEST(a_last_field_may_be_cut)
{
	struct str text = {0}, warning = {0};

	str_puts(&text, "profile: kernel; a; 1.0 us; 1000; 2000;\n");
	str_puts(&text, last_lines[_i].last);
	open_bytes(text.text, text.len);
	ck_assert_uint_eq(trace->warnings.len, last_lines[_i].warns);
	ck_assert_uint_eq(trace->damage.len, 0);
	str_fmt(&warning, "The last line does not end with a newline: its last field may be cut "
	        "(byte %zu).", text.len);
	if (last_lines[_i].warns)
		ck_assert_str_eq(trace->warnings.at[0], warning.text);
	str_release(&text);
	str_release(&warning);
}
END_TEST

START_TEST(lines_that_cannot_be_used_are_counted)
{
	records_are("profile: kernel; a\nprofile: kernel; a; 1.0 ms;\n"
	            "profile: kernel; a; -1.0 us;\n"
	            "profile: kernel; a; 1.0 us; 9223372036854775807; 9223372036854775807;\n"
	            "profile: python; a; 1.0 us;\nprofile: kernel; b; 1.0 us;\n",
	            "kernel / (0)+1000 b\n");
	ck_assert_uint_eq(trace->n_left_out, 4);
	ck_assert_str_eq(trace->warnings.at[0], "4 rows could not be read.");
}
END_TEST

START_TEST(every_cut_gives_what_is_whole)
{
	size_t n_before = 0;

	for (size_t n = 0; n < strlen(FULL); n++) {
		size_t now;

		open_bytes(FULL, n);
		now = trace ? trace->records.len : 0;
		ck_assert(trace || trace_err.code == ERR_UNSUPPORTED);
		ck_assert_uint_ge(now, n_before);
		n_before = now;
	}
	ck_assert_uint_eq(n_before, 3);
}
END_TEST

START_TEST(logs_are_recognised)
{
	enum file_kind kind;

	for (int i = 0; i < ROWS(logs); i++) {
		ck_assert(recognise(file_of(logs[i].text, strlen(logs[i].text)), &kind, NULL));
		ck_assert_msg(kind == FILE_KERNEL_LOG, "%s", logs[i].text);
	}
}
END_TEST

START_TEST(reading_can_be_cancelled)
{
	struct str text = {0};

	for (int i = 0; i < 5000; i++)
		str_puts(&text, FULL);
	trace_is_cancelled(&hcc_source, &text);
	str_release(&text);
}
END_TEST

SUITE_MAIN("hcc",
	tcase_add_checked_fixture(t, NULL, trace_let_go);
	tcase_add_loop_test(t, lines_become_records, 0, ROWS(logs));
	tcase_add_test(t, barriers_are_in_no_sum_but_their_own);
	tcase_add_test(t, only_a_file_without_any_start_is_laid_end_to_end);
	tcase_add_test(t, times_may_be_far_apart);
	tcase_add_loop_test(t, a_last_field_may_be_cut, 0, ROWS(last_lines));
	tcase_add_test(t, lines_that_cannot_be_used_are_counted);
	tcase_add_test(t, every_cut_gives_what_is_whole);
	tcase_add_test(t, logs_are_recognised);
	tcase_add_test(t, reading_can_be_cancelled);
)
