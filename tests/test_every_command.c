/*
 * Every command about every kind of input that opens, as text and as JSON: no crash, and a command
 * that can't answer says why in one line. The commands are those of the table; each is asked
 * without words, about a tensor and a node of that input, and for a file to write.
 */
#include "tests/suite.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmds/lang/registry.h"
#include "cmds/session/envelope.h"
#include "dump/format/json.h"
#include "tests/program.h"
#include "tests/small_dump.h"

/*
 * made: a shell command that makes the input, of the program $0 in the working directory; NULL: it
 * is in testdata. before: goes to the run or step that the others are about; NULL: not needed.
 */
static const struct input {
	const char *path, *tensor, *node;
	const char *before;
	const char *made;
} inputs[] = {
	/* Dumps of runs: one, a file, several, of old, of several devices, of several processes. */
	{ "linear", "linear/w:0", "linear/pred", NULL, NULL },
	{ "linear/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0/loss/"
	  "mse_0_DebugIdentity_1795219542614670", "loss/mse:0", "loss/mse", NULL, NULL },
	{ "train20", "hidden/weights:0", "hidden/log_x", "run --to 1", NULL },
	{ "session", "linear/w/read:0", "loss/mse", "run --to 1", NULL },
	{ "runs", "layer/w:0", "layer/prod", NULL, NULL },
	{ "runs/mixed", "layer/w:0", "layer/prod", "run --to 1", NULL },
	{ "tf0.12.1_loop", "bad/flag:0", "bad/flag", NULL, NULL },
	{ "two_devices", "vsum:0", "vsum", NULL, NULL },
	{ "workers", "only_second/log:0", "only_second/log", NULL, NULL },
	{ "damaged_tensors", "linear/w:0", "linear/xw", NULL, NULL },
	/* Recorded programs: health only, whole tensors, a ring, several. */
	{ "v2/mode_CONCISE_HEALTH", "Log:0", "Log", "run --to 31", NULL },
	{ "v2/tf2.1.3_FULL_TENSOR", "Log:0", "Log", "run --to 24", NULL },
	{ "v2/circular", "__inference_newton_78#0:0", "#0", "run", NULL },
	{ "v2/workers", "mul:0", "Reshape", "runs 1", NULL },
	{ "v2/eager_divide", "#3:0", "#3", "run --to 1", NULL },
	/* Arrays. */
	{ "arrays", "be_c16", "be_c16", NULL, NULL },
	{ "arrays/le_f4.npy", "le_f4", "le_f4", NULL, NULL },
	{ "array_files/mixed.npz", "obj", "a", NULL, NULL },
	{ "array_files/model.safetensors", "lm_head.weight", "lm_head.weight", NULL, NULL },
	{ "array_files/sharded", "lm_head.weight", "lm_head.weight", NULL, NULL },
	{ "array_files/scalar.pb", "s", "s", NULL, NULL },
	{ "array_files/test_data", "y", "y", NULL, NULL },
	{ "torch/tensor.pt", "tensor", "tensor", NULL, NULL },
	{ "torch/checkpoint.pth", "model.layer1.0.bn.bias", "model.layer1.0.bn.bias", NULL, NULL },
	{ "checkpoint/tf2", "net/layers/0/w", "net/layers/0/w", "run --to 1", NULL },
	{ "checkpoint/tf1", "dense/kernel", "dense/kernel", "run --to 1", NULL },
	{ "msprobe/tensor", "Module.conv.Conv2d.forward.0.output.0",
	  "Module.conv.Conv2d.forward.0.output.0", "run --to 1", NULL },
	{ "msprobe/statistics", "Functional.conv2d.0.forward.output.0",
	  "Functional.conv2d.0.forward.output.0", "run --to 1", NULL },
	{ "port/pytorch", "fc.weight", "fc.weight", NULL, NULL },
	{ "recorders/pytorch", "fc2.weight", "Net.input", "run --to 1", NULL },
	/* Profiles, graphs and compiled programs. */
	{ "profile/linear", "linear/pred:0", "linear/pred", NULL, NULL },
	{ "profile/gpu_like/run_metadata.pb", "stem:0", "block_2/expand", NULL, NULL },
	{ "profile/accumulate", "x:0", "x", NULL, NULL },
	{ "profile/linear/graph.pbtxt", "loss/mse:0", "loss/mse", NULL, NULL },
	{ "traces/torch.json.gz", "aten::mm:0", "aten::mm", NULL, NULL },
	{ "traces/onnxruntime.json.gz", "/fc/Gemm:0", "/fc/Gemm", NULL, NULL },
	{ "xspace/tf2_train", "conv:0", "conv", NULL, NULL },
	{ "xspace/jax_step", "dot.13:0", "dot.13", NULL, NULL },
	{ "tables/nsys.sqlite", "x:0", "x", NULL, NULL },
	{ "tables/rocpd.db", "gemm:0", "gemm", NULL, NULL },
	{ "tables/nvprof_summary.txt", "x:0", "x", NULL, NULL },
	{ "tables/nvprof_two_processes.csv", "x:0", "x", NULL, NULL },
	{ "tables/nsys_stats.txt", "x:0", "x", NULL, NULL },
	{ "tables/rocprofv3", "x:0", "x", NULL, NULL },
	{ "tables/hcc_full.txt", "x:0", "x", NULL, NULL },
	{ "hlo/jax_loop.txt", "dot.1:0", "dot.1", NULL, NULL },
	{ "hlo/tf2_step.hlo.pb", "dot.1:0", "dot.1", NULL, NULL },
	/* Made here. */
	{ "linear.tar", "linear/w:0", "linear/pred", NULL,
	  "tar -cf linear.tar -C \"$1\" linear" },
	{ "runs.summary", "hidden/weights:0", "hidden/log_x", "run --to 1",
	  "\"$0\" summarize \"$1/train20\" -o runs.summary" },
	{ "program.summary", "Log:0", "Log", "run --to 31",
	  "\"$0\" summarize \"$1/v2/mode_CONCISE_HEALTH\" -o program.summary" },
	{ "profile.summary", "aten::mm:0", "aten::mm", NULL,
	  "\"$0\" summarize \"$1/traces/torch.json.gz\" -o profile.summary" },
	{ "empty.npz", "x", "x", NULL, "printf 'PK\\005\\006' >empty.npz && "
	  "head -c 18 /dev/zero >>empty.npz" },
};

/* What a command is asked besides: %t is the input's tensor, %n its node. */
static const char *const lines[] = {
	"config set graph_recursion_depth 9", "alias w lt", "diff %t --run 1", "diff 1",
	"doctor --exit-code", "dot %n -o out", "drift --all", "du -g dtype", "du -g op",
	"ev `%t`", "ev np.sum(`%t`)", "explain %t -e [0,0]", "export --as safetensors tensors",
	"export arrays", "filter add big 'max > 1' --session", "filter remove big --session",
	"gaps --step 0", "graph %n -d 2", "grid %t", "kernels -g op", "kernels -g type",
	"kernels --records", "kernels --idle", "kernels --diff step:0", "la", "li -r -c -t %n",
	"lo -r -c -t %n", "lt --health", "lt -f has_inf_or_nan", "lt --all-steps", "lt > text",
	"lt >> text", "lx --stacks", "lg --ops", "ls --frames", "ni -a -d -t %n", "origins -a",
	"origins 1", "origins --exit-code", "overview --exit-code", "picture %t -k hist",
	"pprof --mode code -o out", "pprof --mode scope -o out", "ps -t linear.py", "pt -s %t",
	"pt %t -w out", "pt %t[0] -a", "runs -f has_inf_or_nan", "run -f has_inf_or_nan",
	"scopes --depth 3", "step 0", "steps --by step", "tfprof op", "tfprof code",
	"tfprof advise", "tfprof scope -output file:outfile=out",
	"tfprof graph -output timeline:outfile=out", "timeline -o out",
	"timeline -o out --style modern",
};

static char *dir, *data;         /* where it works; testdata's full name */
static char doing[1024];         /* for a crash */

static void tell_crash(int number)
{
	(void)!write(STDERR_FILENO, doing, strlen(doing));
	signal(number, SIG_DFL);
	raise(number);
}

static void setup(void)
{
	struct str path = {0};
	char here[4096];

	ck_assert(getcwd(here, sizeof here));
	str_fmt(&path, "%s/testdata", here);
	data = path.text;
	program_path();
	dir = scratch_new();
	ck_assert_int_eq(setenv("HOME", dir, 1), 0);
	ck_assert_int_eq(chdir(dir), 0);
	signal(SIGSEGV, tell_crash);
	signal(SIGABRT, tell_crash);
	signal(SIGFPE, tell_crash);
	signal(SIGBUS, tell_crash);
}

static void teardown(void)
{
	scratch_remove(dir);
	free(data);
}

static struct shell *open_input(const struct input *input)
{
	struct str path = {0};
	struct program_run ran;
	struct shell *shell;

	if (input->made) {
		program_run((const char *[]){ "sh", "-c", input->made, program_path(), data, NULL },
		            NULL, NULL, &ran);
		ck_assert_msg(ran.status == 0, "%s", str_text(&ran.err));
		program_release(&ran);
	}
	str_fmt(&path, "%s/%s", input->made ? dir : data, input->path);
	shell = session_of(path.text);
	str_release(&path);
	return shell;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

/*
 * tfdbg's own answers of more lines: its syntax errors and Error blocks, and the choice of one of
 * several dumps or devices.
 */
static bool may_be_long(const char *text)
{
	return !strncmp(text, "Syntax error for command: ", 26) ||
	       !strncmp(text, "Error occurred during handling of command: ", 43) ||
	       strstr(text, "Choose one:");
}

/* What is known of a tensor, and below it the line that says why it was not saved. */
static bool ends_in_error(const char *text)
{
	const char *last = strstr(text, "\nERROR: ");

	return last && count_lines(last + 1) == 1;
}

static void expect_whole_json(const char *text, size_t len, const struct answer *answer)
{
	struct err err = {0};
	struct json json;

	json_start_text(&json, text, len, &err);
	ck_assert_msg(json_skip(&json) && json_end(&json), "%s: %s in %s", doing, err.msg, text);
	json_release(&json);
	ck_assert_msg(count_lines(text) == 1, "%s: %s", doing, text);
	ck_assert_msg(strstr(text, answer->failed ? "\"ok\":false," : "\"ok\":true,"), "%s: %s",
	              doing, text);
}

static void expect_one_line(const char *text, const struct answer *answer)
{
	ck_assert_msg(answer->error.len, "%s: failed without a word: %s", doing, text);
	ck_assert_msg(!strchr(answer->error.text, '\n'), "%s: %s", doing, answer->error.text);
	ck_assert_msg(count_lines(text) <= 1 || may_be_long(text) ||
	              ends_in_error(text), "%s: %s", doing, text);
}

/* Wrong words are 1, and 3 is for what --exit-code asks. */
static void expect_status(const char *line, const struct answer *answer)
{
	int status = answer_status(answer);

	ck_assert_msg(status == 0 || status == 1 || (status == 3 && strstr(line, "--exit-code")),
	              "%s: status %d", doing, status);
}

static void ask(struct shell *shell, const struct input *input, const char *line,
                enum doc_format format)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	snprintf(doing, sizeof doing, "%s: %s", input->path, line);
	shell_run(shell, line, 0, NULL, &answer);
	answer_send(&answer, line, format, PIPE_PRINTS, NULL);
	ck_assert_msg(answer_write(&answer, line, format, false, NULL, file), "%s", doing);
	fclose(file);
	expect_status(line, &answer);
	if (format == DOC_JSON && !answer.leave)
		expect_whole_json(text, len, &answer);
	else if (answer.failed)
		expect_one_line(text, &answer);
	ck_assert_msg(unsafe_at(text, len, true) == len, "%s: %s", doing, text);
	free(text);
	answer_release(&answer);
}

static void put_line(struct str *out, const struct input *input, const char *line)
{
	str_reset(out);
	for (; *line; line++)
		if (line[0] == '%' && (line[1] == 't' || line[1] == 'n'))
			str_puts(out, *++line == 't' ? input->tensor : input->node);
		else
			str_putc(out, *line);
}

static void ask_both(struct shell *shell, const struct input *input, const char *line)
{
	struct str text = {0};

	put_line(&text, input, line);
	if (input->before)
		ask(shell, input, input->before, DOC_TEXT);
	ask(shell, input, text.text, DOC_TEXT);
	ask(shell, input, text.text, DOC_JSON);
	str_release(&text);
}

START_TEST(no_command_breaks)
{
	static const char *const words[] = { "", " %t", " %n", " -o out" };
	const struct input *input = &inputs[_i];
	struct shell *shell = open_input(input);
	struct str line = {0};

	for (size_t i = 0; i < registry_len(); i++)
		for (int k = 0; k < ROWS(words); k++) {
			str_reset(&line);
			str_fmt(&line, "%s%s", registry_at(i)->name, words[k]);
			ask_both(shell, input, line.text);
		}
	for (int i = 0; i < ROWS(lines); i++)
		ask_both(shell, input, lines[i]);
	str_release(&line);
	shell_free(shell);
}
END_TEST

/* What one command reads another may take for read. */
START_TEST(each_may_be_the_first)
{
	const struct input *input = &inputs[_i];

	for (size_t i = 0; i < registry_len(); i++) {
		struct shell *shell = open_input(input);

		if (input->before)
			ask(shell, input, input->before, DOC_TEXT);
		ask(shell, input, registry_at(i)->name, DOC_TEXT);
		shell_free(shell);
	}
}
END_TEST

SUITE_MAIN("every_command",
	tcase_add_loop_test(t, each_may_be_the_first, 0, ROWS(inputs));
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, no_command_breaks, 0, ROWS(inputs));
)
