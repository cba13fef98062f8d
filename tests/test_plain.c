/* --plain: tables read across, lines that nothing moves over. */
#include <stdio.h>
#include <string.h>

#include "tests/program.h"
#include "tests/suite.h"
#include "tests/terminal.h"

START_TEST(tables_are_read_across)
{
	const char *argv[] = {
		program_path(), "--plain", "-c", "lt -n linear/(w|b)$", "testdata/linear", NULL,
	};
	struct program_run ran;

	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_eq(ran.status, 0);
	ck_assert_str_eq(str_text(&ran.out),
	                 "2 dumped tensor(s):\nNode name regex filter: \"linear/(w|b)$\"\n\n"
	                 "time_us: 1098\nsize_bytes: 196\nop: VariableV2\ntensor: linear/w:0\n\n"
	                 "time_us: 1362\nsize_bytes: 184\nop: VariableV2\ntensor: linear/b:0\n\n");
	program_release(&ran);
}
END_TEST

START_TEST(other_answers_stay_as_they_are)
{
	const char *argv[] = {
		program_path(), "-c", "pt linear/w:0", "testdata/linear", NULL, NULL,
	};
	struct program_run ran, plain;

	program_run(argv, NULL, NULL, &ran);
	argv[4] = "--plain";
	program_run((const char *[]){ argv[0], argv[1], argv[2], argv[3], argv[4], NULL }, NULL,
	            NULL, &plain);
	ck_assert_str_eq(str_text(&plain.out), str_text(&ran.out));
	program_release(&ran);
	program_release(&plain);
}
END_TEST

/* Of all sequences a terminal knows none is sent, not even by the line editor. */
START_TEST(no_sequence_is_sent)
{
	char *home = scratch_new();
	char set[4200];
	const char *argv[] = { program_path(), "--plain", "testdata/linear", NULL };
	struct terminal *t;
	const char *bytes;
	size_t len;
	int status;

	snprintf(set, sizeof set, "HOME=%s", home);
	t = terminal_start(argv, (const char *const[]){ set, "XDG_STATE_HOME", "XDG_CONFIG_HOME",
	                                                "INPUTRC=/dev/null", NULL }, NULL, 24, 80);
	ck_assert_ptr_nonnull(t);
	ck_assert(terminal_wait_text(t, "tfdbg>"));
	ck_assert(terminal_wait_row(t, 1, "41 dumped tensors (9.42k): \"lt\" lists them"));
	terminal_enter(t, "pt linear/w:0");
	ck_assert(terminal_wait_text(t, "dtype=float32)"));
	terminal_enter(t, "exit");
	ck_assert(terminal_wait_end(t, &status));
	ck_assert_int_eq(status, 0);
	bytes = terminal_bytes(t, &len);
	ck_assert_ptr_null(memchr(bytes, '\033', len));
	terminal_free(t);
	scratch_remove(home);
}
END_TEST

SUITE_MAIN("plain",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_test(t, tables_are_read_across);
	tcase_add_test(t, other_answers_stay_as_they_are);
	tcase_add_test(t, no_sequence_is_sent);)
