/* A recorded program that is still being written: however it grew, it is read as if at once. */
#include "tests/suite.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "dump/base/str.h"
#include "tests/message.h"
#include "tests/program_files.h"
#include "tests/program_lines.h"

static void same_as_fresh(const struct program *program)
{
	struct program *fresh = open_scratch();
	struct program_kinds a, b;

	program_kinds_of(program, &a);
	program_kinds_of(fresh, &b);
	ck_assert_uint_eq(a.len, b.len);
	ck_assert_uint_eq(records_of(program), records_of(fresh));
	ck_assert_uint_eq(program->damage.len, fresh->damage.len);
	ck_assert_int_eq(program->t0_us, fresh->t0_us);
	for (size_t i = 0; i < a.len; i++) {
		ck_assert_str_eq(a.at[i].name, b.at[i].name);
		ck_assert_msg(a.at[i].crc == b.at[i].crc, "%s", a.at[i].name);
	}
	program_close(fresh);
}

static void grows(struct program *program, int kind, size_t len)
{
	struct err err = {0};

	write_file("1.host", kind, files[kind].text, len);
	ck_assert_int_eq(program_look_again(program, NULL, &err), PROGRAM_GREW);
}

/* Traces come before what they refer to, in pieces of a few bytes. */
START_TEST(grows_to_the_same)
{
	static const int order[] = { PROGRAM_FILE_TRACES, PROGRAM_FILE_EXECUTION,
	                             PROGRAM_FILE_GRAPHS, PROGRAM_FILE_FRAMES,
	                             PROGRAM_FILE_SOURCES };
	struct err err = {0};
	struct program *p;

	put_small();
	write_file("1.host", 0, files[0].text, files[0].len);
	p = open_scratch();
	ck_assert_uint_eq(p->damage.len, 5);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	for (int i = 0; i < ROWS(order); i++) {
		const struct str *file = &files[order[i]];

		for (size_t len = 0; len < file->len; len += 37)
			grows(p, order[i], len);
		grows(p, order[i], file->len);
		same_as_fresh(p);
	}
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	ck_assert_uint_eq(p->damage.len, 0);
	ck_assert_uint_eq(p->steps.at[2].n_sure, 2);
	program_close(p);
}
END_TEST

START_TEST(replaced_files_are_read_anew)
{
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	write_file("1.host", PROGRAM_FILE_TRACES, "", 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->traces.len, 0);
	same_as_fresh(p);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	program_close(p);
}
END_TEST

/* A file that was written again, with as many bytes; and what was open of it. */
START_TEST(rewritten_files_are_read_anew)
{
	struct program_reads reads;
	struct program_tensor first = { .trace = 0 };
	struct str path = {0}, beside = {0};
	struct timespec later[2] = { { 2000000000, 0 }, { 2000000000, 0 } };
	struct health health;
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	reads = (struct program_reads){ .program = p };
	ck_assert(program_health(&reads, &first, &health, NULL, &err));
	ck_assert_uint_eq(health.nan, 1);
	str_reset(&files[PROGRAM_FILE_TRACES]);
	for (int i = 0; i < 3; i++) {
		static const double two[] = { 1, 1, 0, 0, 2 };
		struct str tensor = {0};

		put_doubles(&tensor, two, 5);
		put_trace_of(101 + i, "g", "y", 0, "CPU", CONCISE, &tensor);
	}
	write_set("2.new");
	str_fmt(&path, "%s/tfdbg_events.1.host.graph_execution_traces", scratch);
	str_fmt(&beside, "%s/tfdbg_events.2.new.graph_execution_traces", scratch);
	ck_assert_int_eq(rename(beside.text, path.text), 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert(program_health(&reads, &first, &health, NULL, &err));
	ck_assert_uint_eq(health.nan, 2);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_SAME);
	ck_assert_int_eq(utimensat(AT_FDCWD, path.text, later, 0), 0);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	program_reads_release(&reads);
	program_close(p);
	str_release(&path);
	str_release(&beside);
}
END_TEST

static void put_full_trace(double time)
{
	struct str tensor = {0};

	put_tensor_head(&tensor, 1, 1, &(int64_t){ 1 });
	put_bytes(&tensor, 4, "\0\0\xc0\x7f", 4);
	put_trace_of(time, "g", "y", 0, "CPU", FULL, &tensor);
}

/* What was scanned moves behind what is new. */
START_TEST(scans_what_came_before)
{
	const struct str *traces = &files[PROGRAM_FILE_TRACES];
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(101, "run");
	put_full_trace(107);
	write_set("2.host");
	p = open_scratch();
	ck_assert(program_scan(p, UINT64_MAX, NULL, &err));
	ck_assert_uint_eq(p->n_flagged, 7);
	put_full_trace(108);
	write_file("1.host", PROGRAM_FILE_TRACES, traces->text, traces->len);
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->n_unscanned, 2);
	ck_assert(program_scan(p, UINT64_MAX, NULL, &err));
	ck_assert_uint_eq(p->n_unscanned, 0);
	ck_assert_uint_eq(p->n_flagged, 9);
	program_close(p);
}
END_TEST

/* A second process joins, then the first one writes more: its records come before. */
START_TEST(new_sets_join)
{
	struct program *p;
	struct err err = {0};

	put_small();
	write_set("1.host");
	p = open_scratch();
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(101, "run");
	write_set("2.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_GREW);
	ck_assert_uint_eq(p->sets.len, 2);
	same_as_fresh(p);
	put_trace(106, "g", "y");
	put_device("GPU");
	write_set_but_metadata("1.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_str_eq(p->devices.at[1].name, "GPU");
	ck_assert_uint_eq(p->devices.at[2].set, 1);
	same_as_fresh(p);
	str_reset(&files[PROGRAM_FILE_METADATA]);
	put_metadata(50, "run");
	write_set("0.host");
	ck_assert_int_eq(program_look_again(p, NULL, &err), PROGRAM_ANEW);
	ck_assert_uint_eq(p->sets.len, 3);
	same_as_fresh(p);
	program_close(p);
}
END_TEST

/* What is read beside a program leaves it as it is, until it takes its place. */
START_TEST(is_read_beside_what_is_in_use)
{
	const struct str *file = &files[PROGRAM_FILE_EXECUTION];
	struct program *p, *now;
	enum program_news news;
	struct err err = {0};
	const char *op;

	put_small();
	write_set("1.host");
	p = open_scratch();
	op = p->steps.at[0].op;
	ck_assert(!program_look_beside(p, &news, NULL, &err));
	ck_assert_int_eq(news, PROGRAM_SAME);
	put_step(110, "OneMore", "", 0, 0);
	write_file("1.host", PROGRAM_FILE_EXECUTION, file->text, file->len);
	for (int i = 0; i < 2; i++) {
		now = program_look_beside(p, &news, NULL, &err);
		ck_assert_int_eq(news, PROGRAM_GREW);
		ck_assert_uint_eq(now->steps.len, p->steps.len + 1);
		ck_assert_ptr_eq(p->steps.at[0].op, op);
		if (!i)
			program_close(now);
	}
	program_take(p, now);
	ck_assert_ptr_eq(p->steps.at[0].op, op);
	same_as_fresh(p);
	now = program_read_beside(p, NULL, &err);
	ck_assert_uint_eq(now->steps.len, p->steps.len);
	program_take(p, now);
	same_as_fresh(p);
	program_close(p);
}
END_TEST

SUITE_MAIN("program_growing",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_test(t, grows_to_the_same);
	tcase_add_test(t, replaced_files_are_read_anew);
	tcase_add_test(t, rewritten_files_are_read_anew);
	tcase_add_test(t, scans_what_came_before);
	tcase_add_test(t, new_sets_join);
	tcase_add_test(t, is_read_beside_what_is_in_use);)
