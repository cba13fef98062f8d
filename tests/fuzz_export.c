/*
 * A step, then a graph ("GRAPH" between them), through what writes files for other programs:
 * Chrome's format in both styles, pprof, dot. The first byte chooses. A trace begins and ends like
 * one JSON object.
 */
#include <string.h>

#include "cmds/session/shell.h"
#include "tests/input.h"
#include "tests/program.h"

#define BETWEEN "\nGRAPH\n"
#define STEP "step.pb"
#define GRAPH "graph.pb"
#define OUT "out"

/* Each is followed by " -o FILE". */
static const char *const lines[] = {
	"timeline", "timeline --memory --op-time all",
	"timeline --memory --no-flow --op-time gpu --compact", "timeline --style modern",
	"timeline --style modern --memory --op-time all",
	"timeline --style modern --op-time gpu --compact", "pprof", "pprof --mode scope",
	"dot --scopes 2", "dot a -d 3 -c --inputs", "dot a --outputs --chains",
};
enum { N_LINES = sizeof lines / sizeof *lines, N_TRACES = 6 };

static void expect_trace(const char *path)
{
	struct str got = {0};
	size_t len;

	MUST(read_whole(path, &got));
	for (len = got.len; len && (got.text[len - 1] == '\n' || got.text[len - 1] == ' '); )
		len--;
	MUST(len > 1 && got.text[0] == '{' && got.text[len - 1] == '}' &&
	     !memchr(got.text, '\0', len));
	str_release(&got);
}

static void ask(struct shell *shell, unsigned which)
{
	struct str line = {0};
	struct answer answer;

	str_fmt(&line, "%s -o " OUT, lines[which]);
	shell_run(shell, line.text, 80, NULL, &answer);
	if (!answer.failed && which < N_TRACES)
		expect_trace(OUT);
	answer_release(&answer);
	str_release(&line);
}

/* With a step, and a graph if there is one. */
static bool open_all(struct shell *shell, const uint8_t *data, size_t size, struct err *err)
{
	const uint8_t *piece = data;
	size_t len = 0;

	input_piece(&data, &size, BETWEEN, &piece, &len);
	input_put(STEP, piece, len);
	if (!shell_name_run_metadata(shell, STEP, err))
		return false;
	if (!input_piece(&data, &size, BETWEEN, &piece, &len))
		input_put(GRAPH, NULL, 0);
	else {
		input_put(GRAPH, piece, len);
		if (!shell_name_graph(shell, GRAPH, err))
			return false;
	}
	return shell_open(shell, NULL, err) && shell_load(shell, NULL, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct shell *shell;
	static bool is_open;
	struct err err = {0};

	if (!size)
		return 0;
	input_enter();
	if (input_differs(data + 1, size - 1)) {
		shell_free(shell);
		shell = shell_new();
		is_open = open_all(shell, data + 1, size - 1, &err);
		MUST(is_open || err.code);
	}
	if (is_open)
		ask(shell, *data % N_LINES);
	input_leave();
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	return input_mutate(data, size, max, seed, size > 0);
}
