/*
 * A session: one command or two to run, then a dump of a graph and a tensor, with stacks, a step
 * and another run, in pieces with "NEXT" between them. A byte chooses a command line; its high bit
 * asks for JSON. No answer may contain control characters.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/session/shell.h"
#include "tests/input.h"

#define BETWEEN "\nNEXT\n"
#define ASKED_MAX 2

enum { GRAPH, TENSOR, STACKS, STEP, OTHER_TENSOR, N_PIECES };

static const char *const lines[] = {
	"lt", "lt -s dump_size -r", "lt -f has_inf_or_nan", "lt -t X -n a", "ni a",
	"ni -a -d -t s/b", "li -r -c -t -d 9 s/c", "lo -r -c -t -d 9 a", "pt a:0", "pt a:0 -s -a",
	"pt a:0[0]", "pt a:0[1:, ::2] -r [0,1]", "ev `a:0` + 1", "ev np.sum(`a:0`)", "grid a:0",
	"picture a:0", "picture a:0 -k hist", "explain a:0", "ri", "runs", "ls", "ls -p a",
	"ps main.py", "ps main.py -t", "graph a", "dot a", "dot --scopes 1", "diff", "messages",
	"lp", "lp -s op_time -r", "kernels", "kernels -u host -g type", "kernels -g source",
	"kernels -u host --diff step:0", "kernels -g op --of a", "scopes", "memory", "memory cpu",
	"timeline", "step", "tfprof scope", "tfprof op -select micros,bytes", "tfprof code", "run",
	"lt -n a -s op_type", "diff ./other", "diff a:0 --run ./other",
	"diff a:0 ./other --rtol 0.1 --nan-differs", "diff ./other --all -s max_abs -r",
	"grid a:0 -a 1,0 -i 0 -f hex", "grid a:0[0] -s -C heat -f full", "grid a:0 -c 1 -C gray",
	"picture a:0 -k spark", "picture a:0 -k heat -a 1,0", "picture a:0 -k hist",
	"explain a:0 -e 0", "explain s/b", "step next", "step 0", "memory cpu --at 1",
	"scopes --under s --depth 3 -u host", "kernels -g shape -s bytes", "kernels -g stream",
	"kernels -g step --step all", "kernels -n s -t Neg -k k -d GPU", "lp -n a -t Const", "ri 1",
	"pt a:0 -n 0 -r ((-inf,-1],[5,inf))", "ev np.abs(`a:0`) > 1", "ni -t a", "li a", "lo s/c",
	"tfprof graph", "timeline --style modern --memory", "filter add big max > 1", "lt -f big",
	"config", "help pt", "marks", "overview", "origins 1",
	"du --depth 3", "du -g dtype", "du -g op s", "du -g run",
	"doctor", "drift --all", "drift -n a -s growth -r",
	"origins", "origins -a",
};

enum { N_LINES = sizeof lines / sizeof *lines };

#define DUMP "dump"
#define OTHER "other"
#define DEVICE "/_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
#define TENSOR_FILE DEVICE "/a_0_DebugIdentity_1000"
static const char *const files[N_PIECES] = {
	[GRAPH] = DUMP DEVICE "/_tfdbg_graph_hash1_999",
	[TENSOR] = DUMP TENSOR_FILE,
	[STACKS] = "stacks.json",
	[STEP] = "run_metadata.pb",
	[OTHER_TENSOR] = OTHER TENSOR_FILE,
};

/* No control characters: the text may go to a terminal. */
static void expect_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		MUST((unsigned char)text[i] >= ' ' ? text[i] != 0x7f
		                                   : text[i] == '\n' || text[i] == '\t');
}

static void ask(struct shell *shell, const char *line, enum doc_format format)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	shell_run(shell, line, 80, NULL, &answer);
	MUST(answer.doc);
	doc_write(answer.doc, format, false, NULL, memory);
	fclose(memory);
	expect_plain(text, len);
	expect_plain(str_text(&answer.toast), answer.toast.len);
	free(text);
	answer_release(&answer);
}

/* Each piece in its file, and no file for those that lack; returns how many there are. */
static int put_pieces(const uint8_t *data, size_t size)
{
	static const char *const dirs[] = { DUMP, OTHER, DUMP DEVICE, OTHER DEVICE };
	const uint8_t *piece;
	size_t len;
	int n = 0;

	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		MUST(mkdir(dirs[i], 0700) == 0 || errno == EEXIST);
	for (; n < N_PIECES && input_piece(&data, &size, BETWEEN, &piece, &len); n++)
		input_put(files[n], piece, len);
	for (int i = n; i < N_PIECES; i++)
		input_put(files[i], NULL, 0);
	return n;
}

static bool open_all(struct shell *shell, int n_pieces)
{
	struct err err = {0};
	bool ok = (n_pieces <= STEP || shell_name_run_metadata(shell, files[STEP], &err)) &&
	          shell_open(shell, DUMP, &err);

	if (ok && n_pieces > STACKS && !shell_stacks(shell, files[STACKS], &err))
		err = (struct err){0};
	ok = ok && shell_load(shell, NULL, &err);
	MUST(ok || err.code);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct shell *shell;
	static bool is_open;
	const uint8_t *asked;
	size_t n;

	if (!input_piece(&data, &size, BETWEEN, &asked, &n))
		return 0;
	input_enter();
	if (input_differs(data, size)) {
		shell_free(shell);
		shell = shell_new();
		is_open = open_all(shell, put_pieces(data, size));
	}
	if (is_open)
		for (size_t i = 0; i < n && i < ASKED_MAX; i++)
			ask(shell, lines[(asked[i] & 0x7f) % N_LINES],
			    asked[i] & 0x80 ? DOC_JSON : DOC_TEXT);
	input_leave();
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	const uint8_t *end = size ? memmem(data, size, BETWEEN, strlen(BETWEEN)) : NULL;
	size_t n = end ? (size_t)(end - data) : 0;

	return input_mutate(data, size, max, seed, n < ASKED_MAX ? n : ASKED_MAX);
}
