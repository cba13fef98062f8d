/* A small recorded program made here, and each damage of it: what is lost, and what is not. */
#include "tests/suite.h"

#include <inttypes.h>
#include <sys/stat.h>

#include "cmds/doc/doc.h"
#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/programs.h"
#include "tests/message.h"
#include "tests/program_files.h"
#include "tests/program_lines.h"
#include "tests/small_dump.h"

START_TEST(small)
{
	struct program *p;
	struct program_tensor t;
	size_t n;

	put_small();
	write_set("1.host");
	p = open_scratch();
	ck_assert_uint_eq(records_of(p), 16);
	ck_assert_uint_eq(p->damage.len, 0);
	ck_assert_int_eq(p->t0_us, 100000000);
	ck_assert_uint_eq(p->steps.at[0].n_sure, 1);
	ck_assert_uint_eq(p->steps.at[2].n_sure, 2);
	ck_assert(p->steps.at[0].is_cut && !p->steps.at[2].is_cut);
	ck_assert_uint_eq(p->n_flagged, 3);
	ck_assert_uint_eq(p->unresolved.ops, 1);
	t = program_tensor(p, 2, 2);
	ck_assert_uint_eq(t.trace, PROGRAM_NONE);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 0).trace, 0);
	ck_assert_uint_eq(program_tensor(p, PROGRAM_NONE, 5).step, 2);
	ck_assert_uint_eq(program_uses(p, p->ops.at[0].node, &n)->op, 1);
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(p->stacks.len, 2);
	ck_assert_uint_eq(program_trace_before(p, 2, p->ops.at[1].node, 0), 1);
	ck_assert_uint_eq(program_trace_before(p, 1, p->ops.at[1].node, 0), PROGRAM_NONE);
	program_close(p);
}
END_TEST

/* How many whole records end at or before `end` in a sound file. */
static uint64_t whole_before(const struct str *file, size_t end)
{
	uint64_t n = 0;
	size_t off = 0;

	while (off < file->len) {
		size_t len = (unsigned char)file->text[off] |
		             (size_t)(unsigned char)file->text[off + 1] << 8;

		off += len + 16;
		n += off <= end;
	}
	return n;
}

START_TEST(every_byte_wrong)
{
	struct str *file = &files[_i];
	struct program *p;
	struct program_kinds kinds;

	put_small();
	write_set("1.host");
	for (size_t i = 0; i < file->len; i++) {
		file->text[i] ^= 0x10;
		write_file("1.host", _i, file->text, file->len);
		file->text[i] ^= 0x10;
		p = open_scratch();
		ck_assert_msg(records_of(p) == 15, "byte %zu of file %d", i, _i);
		ck_assert_uint_eq(p->damage.len, 1);
		program_kinds_of(p, &kinds);
		program_close(p);
	}
}
END_TEST

START_TEST(every_cut)
{
	struct str *file = &files[_i];
	uint64_t all = whole_before(file, 0);
	struct program *p;
	struct program_kinds kinds;

	put_small();
	all = whole_before(file, file->len);
	write_set("1.host");
	for (size_t i = 0; i < file->len; i++) {
		uint64_t whole = whole_before(file, i);

		write_file("1.host", _i, file->text, i);
		p = open_scratch();
		ck_assert_uint_eq(records_of(p), 16 - all + whole);
		program_kinds_of(p, &kinds);
		program_close(p);
	}
}
END_TEST

/* What is in a record is damaged, and its checksum right. */
START_TEST(every_payload_wrong)
{
	struct program *p;
	struct program_kinds kinds;

	put_small();
	write_set("1.host");
	for (size_t off = 0, len; off < files[_i].len; off += len + 16) {
		char *at = files[_i].text + off;

		len = (unsigned char)at[0] | (size_t)(unsigned char)at[1] << 8;
		for (size_t i = 0; i < len; i++)
			for (int bit = 0; bit < 8; bit += 3) {
				struct str wrong = {0};

				at[12 + i] ^= (char)(1 << bit);
				put_tfrecord(&wrong, at + 12, len);
				at[12 + i] ^= (char)(1 << bit);
				str_put(&wrong, files[_i].text, files[_i].len);
				write_file("1.host", _i, wrong.text, wrong.len);
				p = open_scratch();
				ck_assert_uint_ge(records_of(p), 16);
				program_scan(p, UINT64_MAX, NULL, NULL);
				program_kinds_of(p, &kinds);
				program_close(p);
				str_release(&wrong);
			}
	}
}
END_TEST

/* A record that is sound holds a tensor that is not. */
START_TEST(damaged_tensors_are_counted)
{
	static const double number[] = { 1, 2 };
	struct str tensor = {0};
	struct program *p;

	put_small();
	put_doubles(&tensor, number, 2);
	put_trace_of(110, "g", "x", 0, "CPU", FULL, &tensor);
	for (int i = 0; i < 2; i++) {
		str_put(&tensor, "\x12\x7f", 2);        /* a shape of 127 bytes: there are none */
		put_trace_of(111, "g", "x", 0, "CPU", FULL, &tensor);
	}
	write_set("1.host");
	p = open_scratch();
	ck_assert_uint_eq(p->n_unscanned, 3);
	ck_assert_uint_eq(p->unread.tensors, 0);
	for (int i = 0; i < 2; i++) {
		ck_assert(program_scan(p, UINT64_MAX, NULL, NULL));
		ck_assert_uint_eq(p->n_unscanned, 0);
		ck_assert_uint_eq(p->unread.tensors, 2);
		ck_assert_int_eq(p->unread.first.code, ERR_FORMAT);
		ck_assert_msg(text_ends(p->unread.first.src, ".graph_execution_traces"), "%s",
		              p->unread.first.src);
		ck_assert_uint_gt(p->unread.first.off, 0);
	}
	program_close(p);
}
END_TEST

/* A directory is where the file should be. */
START_TEST(metadata_that_cant_be_read)
{
	struct programs_counts counts;
	struct programs *programs;
	struct str path = {0};

	put_small();
	write_set("1.host");
	write_set_but_metadata("2.host");
	programs = programs_open(scratch, NULL);
	ck_assert_ptr_null(programs_fault(programs, 0));         /* it is missing */
	programs_close(programs);

	str_fmt(&path, "%s/tfdbg_events.2.host.metadata", scratch);
	ck_assert_int_eq(mkdir(path.text, 0777), 0);
	programs = programs_open(scratch, NULL);
	ck_assert_uint_eq(programs_len(programs), 2);
	ck_assert_ptr_nonnull(programs_fault(programs, 0));
	ck_assert_int_eq(programs_fault(programs, 0)->code, ERR_IO);
	ck_assert_str_eq(programs_fault(programs, 0)->src, path.text);
	ck_assert_ptr_null(programs_fault(programs, 1));
	ck_assert(programs_count(programs, 0, &counts, NULL, NULL));
	ck_assert_int_eq(counts.fault.code, ERR_IO);
	ck_assert_uint_gt(counts.executions, 0);
	ck_assert(programs_count(programs, 1, &counts, NULL, NULL));
	ck_assert_int_eq(counts.fault.code, ERR_NONE);
	programs_close(programs);
	str_release(&path);
}
END_TEST

/* Of two sets one has cut metadata: while the other's run is open, only this says so. */
START_TEST(metadata_that_is_cut)
{
	struct shell *shell;
	struct str said = {0};

	put_small();
	write_set("1.host");
	write_set("2.host");
	write_file("1.host", PROGRAM_FILE_METADATA, files[PROGRAM_FILE_METADATA].text, 1);
	shell = session_of(scratch);
	session_warnings(shell, &said);
	ck_assert_str_eq(str_text(&said),
	                 "tfdbg_events.1.host.metadata, offset 0: 12 bytes of a record's head "
	                 "expected, the file ends after 1; which run these files are of is not "
	                 "known\n");
	shell_free(shell);
	str_release(&said);
}
END_TEST

/* What was damaged when a program was opened is in the warnings of each typed answer about it. */
static const char *const about_program[] = {
	"lx", "lt --all-steps", "la", "lg", "overview", "origins", "run --last", "runs", "ri",
	"du -g dtype", "drift --all",
};

START_TEST(damage_is_in_each_typed_answer)
{
	struct str *file = &files[PROGRAM_FILE_TRACES];
	struct str line = {0}, said = {0}, wanted = {0};
	struct shell *shell;
	struct answer answer;

	put_small();
	write_set("1.host");
	write_file("1.host", PROGRAM_FILE_TRACES, file->text, file->len - 1);
	shell = session_of(scratch);
	session_warnings(shell, &wanted);
	str_fmt(&line, "%s --format json", about_program[_i]);
	shell_run(shell, line.text, 0, NULL, &answer);
	for (size_t i = 0; i < doc_warnings(answer.doc); i++)
		str_fmt(&said, "%s\n", doc_warning(answer.doc, i));
	ck_assert_msg(wanted.len && strstr(str_text(&said), wanted.text), "%s: %s", line.text,
	              str_text(&said));
	answer_release(&answer);
	shell_free(shell);
	str_release(&line);
	str_release(&said);
	str_release(&wanted);
}
END_TEST

SUITE_MAIN("program_damage",
	tcase_add_checked_fixture(t, make_scratch, remove_scratch);
	tcase_add_test(t, small);
	tcase_add_loop_test(t, every_byte_wrong, 0, PROGRAM_FILE_KINDS);
	tcase_add_loop_test(t, every_cut, 0, PROGRAM_FILE_KINDS);
	tcase_add_loop_test(t, every_payload_wrong, 0, PROGRAM_FILE_KINDS);
	tcase_add_test(t, damaged_tensors_are_counted);
	tcase_add_test(t, metadata_that_cant_be_read);
	tcase_add_test(t, metadata_that_is_cut);
	tcase_add_loop_test(t, damage_is_in_each_typed_answer, 0, ROWS(about_program));)
