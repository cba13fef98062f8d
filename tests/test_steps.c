/* Which steps an answer is about, steps that are damaged, and loads that are cut short. */
#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "cmds/session/shell.h"
#include "cmds/summary/summarize.h"
#include "tests/made_step.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define LINEAR "testdata/profile/linear"
#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"

/* Choices. */

static const char *const commands[] = {
	"kernels", "scopes", "memory", "timeline", "timeline -o /dev/null", "kernels --diff step:1",
	"kernels --of loss/Square",
};

static const struct { const char *steps, *error; } refused[] = {
	{ "2-0", "ERROR: The steps \"2-0\" go backward: write 0-2." },
	{ "0,2-1", "ERROR: The steps \"2-1\" go backward: write 1-2." },
	{ "", "ERROR: There is no step \"\": this profile has 3, from 0 to 2." },
	{ ",", "ERROR: There is no step \"\": this profile has 3, from 0 to 2." },
	{ "0,", "ERROR: There is no step \"\": this profile has 3, from 0 to 2." },
	{ "-", "ERROR: There is no step \"\": this profile has 3, from 0 to 2." },
	{ "2-", "ERROR: There is no step \"\": this profile has 3, from 0 to 2." },
	{ "0-3", "ERROR: There is no step \"3\": this profile has 3, from 0 to 2." },
};

START_TEST(empty_and_backward_choices_are_refused)
{
	struct shell *shell = session_of(LINEAR);
	struct str out = {0}, line = {0};

	for (int i = 0; i < ROWS(commands); i++) {
		str_reset(&line);
		str_fmt(&line, "%s --step '%s'", commands[i], refused[_i].steps);
		ck_assert_msg(!session_ask(shell, line.text, &out), "%s: %s", line.text, out.text);
		ck_assert_msg(strstr(out.text, refused[_i].error), "%s: %s", line.text, out.text);
	}
	ck_assert(!session_ask(shell, "kernels --diff step:2-0", &out));
	ck_assert_ptr_nonnull(strstr(out.text, refused[0].error));
	str_release(&out);
	str_release(&line);
	shell_free(shell);
}
END_TEST

static const struct { const char *line, *same; } repeated[] = {
	{ "kernels --step 0,0,0", "kernels --step 0" },
	{ "kernels --step 1-2,0,2", "kernels --step 1,2,0" },
	{ "kernels -g step --step 1-2,1-2", "kernels -g step --step 1,2" },
	{ "scopes --step 0,0", "scopes --step 0" },
	{ "memory --step 0,0", "memory --step 0" },
	{ "timeline --step 0-0,0", "timeline --step 0" },
	{ "timeline -o /dev/null --step 0,0", "timeline -o /dev/null --step 0" },
};

START_TEST(a_step_counts_once)
{
	struct shell *shell = session_of(LINEAR);
	struct str out = {0}, same = {0};

	ck_assert_msg(session_ask(shell, repeated[_i].line, &out), "%s", out.text);
	ck_assert(session_ask(shell, repeated[_i].same, &same));
	ck_assert_str_eq(out.text, same.text);
	str_release(&out);
	str_release(&same);
	shell_free(shell);
}
END_TEST

START_TEST(answers_about_one_step_take_one)
{
	static const char *const one[] = {
		"memory --step 0,2", "memory --step 0-1", "timeline --step 0,2",
	};
	struct shell *shell = session_of(LINEAR);
	struct str out = {0};

	for (int i = 0; i < ROWS(one); i++) {
		ck_assert(!session_ask(shell, one[i], &out));
		ck_assert_str_eq(out.text,
		                 "ERROR: This answer is about one step: name it with --step.\n");
	}
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* What a session begins with. */

static const struct { const char *path, *command; } firsts[] = {
	{ "testdata/profile/gpu_like/run_metadata.pb", "kernels" },
	{ "testdata/profile/gpu_like/run_metadata_nostream.pb", "kernels" },
	{ LINEAR, "scopes" }, { LINEAR "/run_metadata.pb", "scopes" },
	{ LINEAR "/graph.pb", "graph" }, { LINEAR "/profile.context", "help" },
	{ "testdata/mnist_nan", "lt" },
};

START_TEST(the_first_command_is_where_time_went)
{
	struct shell *shell = session_of(firsts[_i].path);
	struct str out = {0};

	ck_assert_str_eq(shell_first_command(shell), firsts[_i].command);
	ck_assert(session_ask(shell, firsts[_i].command, &out));
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* The file of a step without a graph, and what lies beside it. */
static const struct { const char *beside[3], *shown; } besides[] = {
	{ { "testdata/profile/gpu_like/graph.pb" }, "graph.pb" },
	{ { LINEAR "/graph.pb", LINEAR "/graph.pbtxt", "testdata/profile/gpu_like/op_log.pb" },
	  NULL },
	{ { "testdata/profile/gpu_like/run_metadata_nostream.pb" }, NULL },
	{ { NULL }, NULL },
};

START_TEST(the_graph_beside_a_step_is_taken)
{
	char *dir = scratch_new();
	struct str path = {0}, out = {0};
	struct shell *shell;

	dump_copy(dir, "step.pb", "testdata/profile/gpu_like/run_metadata.pb");
	for (int i = 0; i < 3 && besides[_i].beside[i]; i++)
		dump_copy(dir, strrchr(besides[_i].beside[i], '/') + 1, besides[_i].beside[i]);
	str_fmt(&path, "%s/step.pb", dir);
	shell = session_of(path.text);
	if (besides[_i].shown) {
		ck_assert(session_ask(shell, "ni stem", &out));
		ck_assert_ptr_nonnull(strstr(out.text, "Op: Conv2D"));
		ck_assert_str_eq(shell_graph_beside(shell), besides[_i].shown);
	} else {
		for (int i = 0; i < 4; i++) {
			ck_assert(!session_ask(shell,
			                       (const char *[]){ "ni stem", "li stem", "lo -r stem",
			                                         "dot stem" }[i], &out));
			ck_assert_str_eq(out.text,
			                 "ERROR: no graph is open: --graph FILE, or open the "
			                 "directory\n");
		}
		ck_assert_ptr_null(shell_graph_beside(shell));
	}
	shell_free(shell);
	scratch_remove(dir);
	str_release(&path);
	str_release(&out);
}
END_TEST

/* Loads that are cut short. */

struct cut {
	struct progress progress;
	size_t left;                     /* looks at progress until the cancel */
};

static void tick(struct progress *progress)
{
	struct cut *cut = progress->owner;

	if (!cut->left--)
		atomic_store(&progress->cancel, true);
}

/* Loads up to the nth look at progress; true if it came to its end before. */
static bool load_cut(struct shell *shell, size_t n)
{
	struct cut cut = { .progress = { .tick = tick, .owner = &cut }, .left = n };
	struct err err = {0};
	bool ok = shell_load(shell, &cut.progress, &err);

	ck_assert_msg(ok || err.code == ERR_CANCELLED, "%s", err.msg);
	return ok;
}

static void ask_all(struct shell *shell, struct str *all)
{
	static const char *const lines[] = {
		"lp", "step", "kernels", "ni loss/Square", "scopes --step all", "memory",
	};
	struct str out = {0};

	str_reset(all);
	for (int i = 0; i < ROWS(lines); i++) {
		session_ask(shell, lines[i], &out);
		str_put(all, out.text, out.len);
	}
	session_warnings(shell, all);
	str_release(&out);
}

/* Steps with a graph beside them, and with the graphs they ran. */
static const struct { const char *files[4]; } cuts[] = {
	{ { "run_metadata.pb", "run_metadata_1.pb", "run_metadata_2.pb", "graph.pb" } },
	{ { "run_metadata.pb", "run_metadata_1.pb", "run_metadata_2.pb" } },
	{ { "run_metadata.pb", "graph.pbtxt", "op_log.pb" } },
	{ { "profile.context", "graph.pb" } },
};

static char *make_cut(int which)
{
	char *dir = scratch_new();

	for (int i = 0; i < 4 && cuts[which].files[i]; i++) {
		struct str path = {0};

		str_fmt(&path, LINEAR "/%s", cuts[which].files[i]);
		dump_copy(dir, cuts[which].files[i], path.text);
		str_release(&path);
	}
	return dir;
}

/* Wherever a load was stopped, even twice, the next one gives what a whole one does. */
START_TEST(a_stopped_load_begins_anew)
{
	char *dir = make_cut(_i);
	struct shell *shell = session_of(dir);
	struct str wanted = {0}, all = {0};
	bool whole = false;

	ask_all(shell, &wanted);
	shell_free(shell);
	for (size_t n = 0; !whole; n++) {
		struct err err = {0};

		shell = shell_new();
		ck_assert(shell_open(shell, dir, &err));
		whole = load_cut(shell, n) || load_cut(shell, n / 2);
		ck_assert_msg(shell_load(shell, NULL, &err), "%s", err.msg);
		ask_all(shell, &all);
		ck_assert_str_eq(all.text, wanted.text);
		shell_free(shell);
	}
	str_release(&wanted);
	str_release(&all);
	scratch_remove(dir);
}
END_TEST

/* Steps that are damaged. */

#define CUT "run_metadata.pb, offset 2915: a record of 224 bytes, the file ends after 82"

/* Of three steps the first is cut. It is not the current one: only its times have been read. */
static struct shell *cut_session(const char *dir)
{
	struct str first = {0};

	ck_assert(read_whole(LINEAR "/run_metadata.pb", &first));
	dump_put(dir, "run_metadata.pb", first.text, 3000);
	dump_copy(dir, "run_metadata_1.pb", LINEAR "/run_metadata_1.pb");
	dump_copy(dir, "run_metadata_2.pb", LINEAR "/run_metadata_2.pb");
	str_release(&first);
	return session_of(dir);
}

/* A step without one record, and one with some of them: no mean has them, nor does a summary's. */
static const struct {
	const char *name;
	size_t size;
	const char *head, *row, *json, *mean, *note;
} unmeasured[] = {
	{ "run_metadata_1.pb", 300,
	  "mean 305.0us, without 1 warm-up and 1 step that cannot be read whole\n",
	  "\n      -        -        -  1\n",
	  "{\"step\":1,\"start_us\":null,\"total_us\":null,\"device_compute_us\":null,",
	  "\n100.0        86.88us     33 ",
	  "Step 1 was not read whole, or has no times. Excluded " },
	{ "run_metadata.pb", 3000,
	  "mean 295.5us, deviation 13.44us, without 1 step that cannot be read whole\n",
	  "\n42.00us  5.794us  36.21us  0 (warm-up)\n",
	  "{\"step\":0,\"start_us\":", "\n100.0        236.8us     66 ",
	  "Step 0 was not read whole, or has no times. Excluded " },
};

START_TEST(a_step_that_is_not_read_whole_is_in_no_mean)
{
	char *dir = scratch_new(), *own = scratch_new();
	struct str file = {0}, to = {0}, out = {0};
	struct program_run json;

	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "run_metadata.pb", "run_metadata_1.pb",
		                                     "run_metadata_2.pb" };

		str_reset(&file);
		str_fmt(&file, LINEAR "/%s", names[i]);
		dump_copy(dir, names[i], file.text);
	}
	str_reset(&file);
	str_fmt(&file, "%s/%s", dir, unmeasured[_i].name);
	ck_assert_int_eq(truncate(file.text, (off_t)unmeasured[_i].size), 0);
	str_fmt(&to, "%s/summary", own);
	ck_assert(summarize(&(struct summarize){ .path = dir, .out = to.text, .worker = "a",
	                                         .k = 1, .n = 1 },
	                    &(struct summarized){0}, NULL, NULL));
	for (int of_summary = 0; of_summary < 2; of_summary++) {
		struct shell *shell = session_of(of_summary ? to.text : dir);

		ck_assert(session_ask(shell, "steps", &out));
		ck_assert_msg(strstr(out.text, unmeasured[_i].head), "%s", out.text);
		ck_assert_msg(strstr(out.text, unmeasured[_i].row), "%s", out.text);
		program_run((const char *const[]){ program_path(), "--format=json", "-c", "steps",
		                                   of_summary ? to.text : dir, NULL },
		            NULL, NULL, &json);
		ck_assert_msg(of_summary || strstr(json.out.text, unmeasured[_i].json), "%s",
		              json.out.text);
		program_release(&json);
		for (int named = 0; named < 2; named++) {
			ck_assert(session_ask(shell, named && !_i ? "kernels -l 1 --step 1,2"
			                           : named ? "kernels -l 1 --step 0-2"
			                                   : "kernels -l 1 --step all", &out));
			ck_assert_msg(strstr(out.text, unmeasured[_i].mean), "%s", out.text);
			ck_assert_msg(strstr(out.text, unmeasured[_i].note), "%s", out.text);
		}
		shell_free(shell);
	}
	str_release(&file);
	str_release(&to);
	str_release(&out);
	scratch_remove(dir);
	scratch_remove(own);
}
END_TEST

/*
 * Three steps of which the middle one has no times: what leaves it out says so. A step that is
 * named stays, but for a mean.
 */
static const struct { const char *line; bool out; } left_out[] = {
	{ "gaps --step all", true }, { "gaps --step 0-2", true }, { "gaps --step 1", false },
	{ "gaps --step 0,1", false }, { "gaps --step 0,1-2", true }, { "gaps --step 1,0-2", false },
	{ "gaps --step 0,2", false }, { "scopes --step all", true }, { "scopes --step 0,1", true },
	{ "timeline -o $o --step 0-2", true }, { "timeline -o $o --step 0,1", false },
	{ "kernels --of MatMul --step 0-2", true }, { "kernels --diff step:0-2 --step 0", true },
	{ "kernels --diff step:0 --step 0-2", true }, { "pipeline --step 0-2", true },
};

START_TEST(what_leaves_a_step_out_says_so)
{
	static const char note[] = "Step 1 was not read whole, or has no times: left out.";
	char *dir = scratch_new(), *own = scratch_new();
	const char *said = left_out[_i].line, *o = strstr(said, "$o");
	struct str line = {0}, file = {0};
	struct answer answer;
	struct shell *shell;
	size_t n = 0;

	dump_copy(dir, "run_metadata.pb", LINEAR "/run_metadata.pb");
	dump_copy(dir, "run_metadata_1.pb", LINEAR "/run_metadata_1.pb");
	dump_copy(dir, "run_metadata_2.pb", LINEAR "/run_metadata_2.pb");
	str_fmt(&file, "%s/run_metadata_1.pb", dir);
	ck_assert_int_eq(truncate(file.text, 300), 0);
	str_put(&line, said, o ? (size_t)(o - said) : strlen(said));
	if (o)
		str_fmt(&line, "%s/t%s", own, o + 2);
	shell = session_of(dir);
	shell_run(shell, line.text, 0, NULL, &answer);
	for (size_t i = 0; i < doc_warnings(answer.doc); i++)
		n += !strcmp(doc_warning(answer.doc, i), note);
	ck_assert_msg(n == left_out[_i].out, "%s: %s", line.text, str_text(&answer.complaint));
	ck_assert(!left_out[_i].out || strstr(str_text(&answer.complaint), note));
	answer_release(&answer);
	shell_free(shell);
	str_release(&line);
	str_release(&file);
	scratch_remove(dir);
	scratch_remove(own);
}
END_TEST

/* Nothing is known of any step: no mean either. */
START_TEST(without_a_time_there_is_no_mean)
{
	char *dir = scratch_new();
	struct str first = {0}, out = {0};
	struct shell *shell;

	ck_assert(read_whole(LINEAR "/run_metadata.pb", &first));
	dump_put(dir, "run_metadata.pb", first.text, 300);
	dump_put(dir, "run_metadata_1.pb", first.text, 300);
	shell = session_of(dir);
	ck_assert(session_ask(shell, "steps", &out));
	ck_assert_msg(strstr(out.text, "mean not known, without 2 steps that cannot be read whole"),
	              "%s", out.text);
	shell_free(shell);
	str_release(&first);
	str_release(&out);
	scratch_remove(dir);
}
END_TEST

static const struct { const char *line; bool cut; } partly[] = {
	{ "kernels --step 0", true }, { "kernels --step 0 -g type --format json", true },
	{ "kernels --step 0-2", true }, { "kernels --of gradients/loss/mse_grad/Reshape --step 0",
	                                  true }, { "kernels --diff step:0", true },
	                                  { "scopes --step 0", true },
	{ "memory --step 0", true }, { "timeline --step 0", true },
	{ "timeline -o /dev/null --step 0", true },
	{ "timeline -o /dev/null --style modern --step 0", true }, { "step", true },
	{ "kernels --step all", true }, { "tfprof scope", true }, { "tfprof op -step 0", true },
	{ "kernels --step 1", false }, { "kernels", false }, { "lp", false },
	{ "memory --step 2", false }, { "timeline -o /dev/null --step 1", false },
	{ "step 2", false },
};

START_TEST(a_damaged_step_says_so)
{
	char *dir = scratch_new();
	struct shell *shell = cut_session(dir);
	struct answer answer;

	ck_assert_uint_eq(shell_warnings(shell), 1);      /* it might have been the median */
	for (int again = 0; again < 2; again++) {
		bool is_tfprof = !strncmp(partly[_i].line, "tfprof", 6);

		shell_run(shell, partly[_i].line, 0, NULL, &answer);
		ck_assert(!answer.failed);

		if (partly[_i].cut && !is_tfprof)
			ck_assert_str_eq(doc_warning(answer.doc, 0), CUT);
		if (partly[_i].cut)
			ck_assert_msg(strstr(str_text(&answer.complaint),
			                     is_tfprof ? "run_metadata.pb, offset" : CUT), "%s",
			              str_text(&answer.complaint));
		else
			ck_assert_str_eq(str_text(&answer.complaint), "");
		answer_release(&answer);
	}
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* The current one too, after it was gone to; and on a screen. */
START_TEST(a_damaged_current_step_says_so)
{
	static const char *const lines[] = {
		"lp", "kernels", "kernels", "scopes", "memory", "timeline",
	};
	char *dir = scratch_new();
	struct shell *shell = cut_session(dir);
	struct answer answer;
	struct str out = {0};

	shell_on_screen(shell);
	ck_assert(session_ask(shell, "step 0", &out));
	for (int i = 0; i < ROWS(lines); i++) {
		shell_run(shell, lines[i], 80, NULL, &answer);
		ck_assert_str_eq(doc_warning(answer.doc, 0), CUT);
		ck_assert_str_eq(str_text(&answer.complaint), CUT);
		ck_assert_str_eq(str_text(&answer.toast), CUT);
		answer_release(&answer);
	}
	str_reset(&out);
	session_warnings(shell, &out);
	ck_assert_str_eq(out.text, CUT "\n");
	str_release(&out);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

/* Damage that only the reader of a record meets: an allocator's name longer than the file. */
START_TEST(a_damaged_record_says_so)
{
	static const char *const lines[] = { "kernels -u host", "memory",
	                                     "timeline -o /dev/null --memory",
	                                     "timeline -o /dev/null --style modern" };
	struct making m = {0};
	struct str record = {0}, allocator = {0}, run = {0};
	struct shell *shell;
	struct answer answer;

	put_number(&allocator, 2, 100);
	put_varint(&allocator, 1 << 3 | 2);
	put_varint(&allocator, 100000);
	put_bytes(&record, 1, "x", 1);
	put_number(&record, 2, BEGIN_US);
	put_number(&record, 5, 3);
	put_message(&record, 6, &allocator);
	made_lane(&m, CPU);
	put_message(&m.lane, 2, &record);
	made_run(&m, &run);
	shell = session_of(file_of(run.text, run.len));
	ck_assert_uint_eq(shell_warnings(shell), 0);
	for (int i = 0; i < ROWS(lines); i++) {
		shell_run(shell, lines[i], 0, NULL, &answer);
		ck_assert_uint_eq(doc_warnings(answer.doc), 1);
		ck_assert_msg(strstr(doc_warning(answer.doc, 0), ", offset "), "%s",
		              doc_warning(answer.doc, 0));
		ck_assert_int_eq(strncmp(str_text(&answer.complaint), "tensordbg: ", 11), 0);
		ck_assert_str_eq(answer.complaint.text + 11, doc_warning(answer.doc, 0));
		answer_release(&answer);
	}
	shell_free(shell);
	str_release(&record);
	str_release(&allocator);
	str_release(&run);
}
END_TEST

/* Nodes of a step. */

/* Answers about records of one lane, made by hand; stacks may be NULL. */
struct made {
	char *dir;
	struct shell *shell;
	struct str out;
};

static void make(struct made *made, const char *const (*records)[2], const char *stacks)
{
	struct making m = {0};

	*made = (struct made){ .dir = scratch_new() };
	made_lane(&m, CPU);
	for (int i = 0; records[i][0]; i++)
		made_record(&m, records[i][0], 10 + i, 5, records[i][1]);
	made_save(&m, made->dir, "run_metadata.pb");
	if (stacks) {
		dump_put(made->dir, "stacks.json", stacks, strlen(stacks));
		dump_copy(made->dir, "op_log.pb", LINEAR "/op_log.pb");
	}
	made->shell = session_of(made->dir);
}

static void made_release(struct made *made)
{
	shell_free(made->shell);
	scratch_remove(made->dir);
	str_release(&made->out);
}

/* Every answer gives the op type that timeline.py's expression finds. */
START_TEST(labels_are_read_by_one_rule)
{
	static const char *const records[][2] = {
		{ "y", "[cpu] y = x = Foo(a(b), c)" }, { "open", "open = Bar(a" },
		{ "two", "two = Baz(a)\nb = Qux(c)" }, { NULL, NULL },
	};
	static const char *const ops[] = { "  Foo(a  ", "  Baz  " };
	struct made made;

	make(&made, records, NULL);
	ck_assert(session_ask(made.shell, "lp", &made.out));
	for (int i = 0; i < ROWS(ops); i++)
		ck_assert_msg(strstr(made.out.text, ops[i]), "%s", made.out.text);
	ck_assert_ptr_null(strstr(made.out.text, "x = Foo"));
	ck_assert_ptr_null(strstr(made.out.text, "Bar"));
	ck_assert(session_ask(made.shell, "kernels -u host -g type", &made.out));
	ck_assert_msg(strstr(made.out.text, "  Foo(a\n"), "%s", made.out.text);
	ck_assert_msg(strstr(made.out.text, "  Baz\n"), "%s", made.out.text);
	ck_assert_ptr_null(strstr(made.out.text, "Bar"));
	made_release(&made);
}
END_TEST

static void check_line(const char *answer, const char *line)
{
	if (line)
		ck_assert_msg(strstr(answer, line), "%s: %s", line, answer);
	else
		ck_assert_ptr_null(strstr(answer, ".py:"));
}

/*
 * A node of the op log, one that only the stacks have, one that both have, and one whose frames are
 * all TensorFlow's.
 */
START_TEST(lines_of_nodes_are_found_by_one_rule)
{
	static const char stacks[] =
		"{\"format\": \"tensordbg-stacks\", \"version\": 1, \"cwd\": \"/home/me\", "
		"\"library_roots\": [\"/opt/tf\"],"
		"\"files\": [\"train.py\", \"/opt/tf/ops.py\", "
		"\"/x/site-packages/tensorflow/ops.py\"],"
		"\"frames\": [[0, 7, \"main\", null], [1, 8, \"add\", null], [2, 9, \"op\", null]],"
		"\"nodes\": {\"stacked\": {\"op\": \"Add\", \"outputs\": 1, \"stack\": [0, 1, 2]},"
		"\"x\": {\"op\": \"Add\", \"outputs\": 1, \"stack\": [0]},"
		"\"inner\": {\"op\": \"Add\", \"outputs\": 1, \"stack\": [1, 2]}}}";
	static const char *const records[][2] = {
		{ "x", "x = A()" }, { "stacked", "stacked = B()" }, { "inner", "inner = C()" },
		{ "nowhere", "nowhere = D()" }, { NULL, NULL },
	};
	static const struct { const char *node, *line; } lines[] = {
		{ "x", "profile_linear.py:17(build)" }, { "stacked", "train.py:7(main)" },
		{ "inner", "ops.py:8(add)" }, { "nowhere", NULL },
	};
	struct made made;

	make(&made, records, stacks);
	for (int i = 0; i < ROWS(lines); i++) {
		struct str line = {0};

		str_fmt(&line, "lp -n %s$", lines[i].node);
		ck_assert(session_ask(made.shell, line.text, &made.out));
		check_line(made.out.text, lines[i].line);
		str_reset(&line);
		str_fmt(&line, "kernels -g op --columns source -n ^%s$", lines[i].node);
		ck_assert(session_ask(made.shell, line.text, &made.out));
		check_line(made.out.text, lines[i].line);
		str_release(&line);
	}
	made_release(&made);
}
END_TEST

/* Numbers as large and as small as they come: the sanitizers see what overflows. */

static uint64_t pick(uint64_t *seed)
{
	static const uint64_t numbers[] = {
		0, 1, (uint64_t)-1, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1,
		(UINT64_C(1) << 63) + 1, UINT64_C(1) << 62, BEGIN_US, BEGIN_US + 1, BEGIN_US * 1000,
		UINT64_C(9223372036854775), UINT64_C(9223372036854776), 1000, (uint64_t)-1000,
		UINT32_MAX, (uint64_t)INT32_MIN, UINT64_C(86400000000),
		UINT64_C(9223372000000000000),
	};

	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return numbers[(*seed >> 33) % ROWS(numbers)];
}

static void put_picked(struct str *out, uint32_t from, uint32_t to, uint64_t *seed)
{
	for (uint32_t field = from; field <= to; field++)
		put_number(out, field, pick(seed));
}

/* What a record used: an allocator with a change, an output with its allocation, memory_stats. */
static void put_memory(struct str *record, uint64_t *seed)
{
	struct str allocator = {0}, change = {0}, output = {0}, tensor = {0}, shape = {0},
	           dim = {0}, allocation = {0}, stats = {0};

	put_bytes(&allocator, 1, "GPU_0_bfc", 9);
	put_picked(&allocator, 2, 5, seed);
	put_picked(&change, 1, 2, seed);
	put_message(&allocator, 6, &change);
	put_message(record, 6, &allocator);
	put_picked(&allocation, 1, 2, seed);
	put_bytes(&allocation, 3, "cpu", 3);
	put_number(&dim, 1, pick(seed));
	put_message(&shape, 2, &dim);
	put_message(&shape, 2, &dim);
	put_number(&tensor, 1, 1);
	put_message(&tensor, 2, &shape);
	put_message(&tensor, 4, &allocation);
	put_number(&output, 1, pick(seed));
	put_message(&output, 3, &tensor);
	put_message(record, 7, &output);
	put_picked(&stats, 1, 4, seed);
	put_message(record, 12, &stats);
	str_release(&allocator);
	str_release(&change);
	str_release(&output);
	str_release(&tensor);
	str_release(&shape);
	str_release(&dim);
	str_release(&allocation);
	str_release(&stats);
}

static void put_extreme(struct making *m, uint64_t *seed, uint64_t start, const char *name,
                        const char *label)
{
	struct str record = {0};

	put_bytes(&record, 1, name, strlen(name));
	put_number(&record, 2, start ? start : *seed >> 62 ? BEGIN_US + 1 : pick(seed));
	put_number(&record, 3, pick(seed));
	put_number(&record, 4, start ? 2 : pick(seed));
	put_number(&record, 5, start ? 3 : pick(seed));
	put_memory(&record, seed);
	put_bytes(&record, 8, label, strlen(label));
	put_number(&record, 9, pick(seed));
	if (!start)
		put_picked(&record, 13, 17, seed);
	put_message(&m->lane, 2, &record);
	str_release(&record);
}

/* start 0: each record has another one. */
static char *make_extreme(uint64_t seed, uint64_t start)
{
	static const char *const lanes[] = {
		CPU, "/job:localhost/replica:0/task:0/device:GPU:0", "/host:CPU",
		"/device:GPU:0/stream:all", "/device:GPU:0/stream:14", "/device:GPU:0/memcpy",
		"/device:GPU:0/sync",
	};
	char *dir = scratch_new();

	for (int step = 0; step < 3; step++) {
		struct making m = {0};
		struct str name = {0};

		for (int lane = 0; lane < ROWS(lanes); lane++) {
			made_lane(&m, lanes[lane]);
			put_extreme(&m, &seed, start, "x", "x = MatMul(y, loss/Square)");
			put_extreme(&m, &seed, start, "y", "[9223372036854775807B] y = Mul(x, x)");
			put_extreme(&m, &seed, start, "k:Op",
			            "kernel regs:1 shm:9223372036854775807 grid:1,1,1 "
			            "block:1,1,1@@x:MatMul");
			put_extreme(&m, &seed, start, "c:MEMCPYHtoD",
			            "MemcpyH2D bytes:9223372036854775807@@loss/Square:Square");
		}
		str_fmt(&name, "run_metadata_%d.pb", step);
		made_save(&m, dir, name.text);
		str_release(&name);
	}
	return dir;
}

static const char *const numbered[] = {
	"lp", "lp -s exec_time -r", "lp --time_unit s -e \"[1, 2]\"", "step", "kernels",
	"kernels --step all -g step", "kernels -u device -g op -s bytes",
	"kernels -u host -g source -s host", "kernels -u copy -g stream",
	"kernels -g scope --columns "
	"min,p95,busy,execs,nodes,gb/s,launch,gflop,gflop/s,regs,shm,grid,block,tc,node,nan",
	"kernels --of (impossible)", "kernels -u host -g op --of x", "kernels --diff step:1",
	"kernels -u host --diff step:2", "kernels -g type --total >1ms", "scopes",
	"scopes -u host --step all", "memory", "memory cpu", "memory cpu --at_us 1", "timeline",
	"timeline -o /dev/null", "timeline -o /dev/null --memory --op-time all",
	"timeline -o /dev/null --memory --op-time gpu",
	"timeline -o /dev/null --style modern --memory",
	"timeline -o /dev/null --style modern --op-time all --memory",
	"timeline -o /dev/null --style modern --op-time gpu", "tfprof scope",
	"tfprof scope -step 1 -account_type_regexes .* -select micros,bytes,occurrence",
	"tfprof graph",
	"tfprof op -select micros,bytes,peak_bytes,residual_bytes,output_bytes,accelerator_micros,"
	"cpu_micros,params", "tfprof op -order_by peak_bytes -min_bytes 1", "tfprof advise",
	"tfprof scope -output timeline:outfile=/dev/null",
	"tfprof graph -step 0 -output timeline:outfile=/dev/null", "pprof -o /dev/null",
	"pprof -o /dev/null --mode code", "lp --format json", "kernels --format json",
	"memory --format json", "timeline --format json", "scopes --format json",
};

static const uint64_t starts[] = {
	0, 0, 0, 0, 0, 0, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1, UINT64_C(1) << 62,
	UINT64_C(9223372036854775), UINT64_C(9223285636854775),
};

START_TEST(sums_do_not_overflow)
{
	char *dir = make_extreme((uint64_t)_i + 1, starts[_i]);
	struct shell *shell = session_of(dir);
	struct str out = {0};

	for (int step = 0; step < 3; step++) {
		for (int i = 0; i < ROWS(numbered); i++)
			session_ask(shell, numbered[i], &out);
		session_ask(shell, step ? "step prev" : "step 2", &out);
	}
	str_release(&out);
	shell_free(shell);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("steps",
	tcase_add_loop_test(t, empty_and_backward_choices_are_refused, 0, ROWS(refused));
	tcase_add_loop_test(t, a_step_counts_once, 0, ROWS(repeated));
	tcase_add_test(t, answers_about_one_step_take_one);
	tcase_add_loop_test(t, the_first_command_is_where_time_went, 0, ROWS(firsts));
	tcase_add_loop_test(t, the_graph_beside_a_step_is_taken, 0, ROWS(besides));
	tcase_add_loop_test(t, a_stopped_load_begins_anew, 0, ROWS(cuts));
	tcase_add_loop_test(t, a_step_that_is_not_read_whole_is_in_no_mean, 0, ROWS(unmeasured));
	tcase_add_loop_test(t, what_leaves_a_step_out_says_so, 0, ROWS(left_out));
	tcase_add_test(t, without_a_time_there_is_no_mean);
	tcase_add_loop_test(t, a_damaged_step_says_so, 0, ROWS(partly));
	tcase_add_test(t, a_damaged_current_step_says_so);
	tcase_add_test(t, a_damaged_record_says_so);
	tcase_add_test(t, labels_are_read_by_one_rule);
	tcase_add_test(t, lines_of_nodes_are_found_by_one_rule);
	tcase_add_loop_test(t, sums_do_not_overflow, 0, ROWS(starts));
)
