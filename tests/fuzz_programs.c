/*
 * A session over a recorded program: one command or two to run, then its records as
 * tests/program_input.h has them. A byte chooses a command line; its high bit asks for a typed
 * answer. No answer may contain control characters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/envelope.h"
#include "cmds/session/shell.h"
#include "tests/input.h"
#include "tests/program_input.h"

#define ASKED_MAX 2

static const char *const lines[] = {
	"lx", "lx -f has_inf_or_nan", "lx -t a --skip 1 --max 3", "lx --stacks", "lx --checksum",
	"lx --host host -D CPU", "lx -g f", "lg", "lg --ops", "lg --ops --stacks -g f", "la",
	"la -D CPU --skip 1", "lt", "lt --all-steps", "lt --step 0 -s size -r", "lt -f has_nan",
	"lt -n a -t X --checksum --all-steps", "lt -fenn a --all-steps -s health", "lt -g f",
	"ni a", "ni -a -d -t a", "ni -t #0", "ni -d g/b -g f", "li a", "li -r -c -t -d 9 c",
	"li #1", "lo a", "lo -r -c -t -d 9 a", "lo #0", "pt", "pt a", "pt a:0", "pt #0:0",
	"pt --trace 0", "pt -s --trace 1", "pt a:0[0] -r [0,1]", "pt --step 1 a:0 -n 1",
	"pt -g f a:0", "grid a:0", "grid --trace 0 -s", "picture --trace 0", "picture a:0 -k hist",
	"explain --trace 0", "explain a:0 -e 0", "explain #0", "explain #0:0", "explain a",
	"ev np.sum(`a:0`)", "ev \"`a:0` + `#0:0`\"", "ls", "ls --frames", "ls -p a -n a", "ps a.py",
	"ps a.py -t -b 1 -m 2", "ps a.py --host host", "ri", "ri 1", "runs", "pf", "messages",
	"run", "run -n", "run -t 2", "run -f has_inf_or_nan", "run -f has_nan --backward", "run -b",
	"run --to 1", "run --first", "run --last", "back", "back -n", "diff", "diff 0", "diff a:0",
	"diff --trace 0", "diff --step 1 0 --all -s max_abs", "diff #0:0 --against 1", "graph",
	"graph a", "dot", "dot a -d 2", "filter add big max > 1", "lt -f big --all-steps",
	"filter add odd \"rank:1 && nan\"", "filter show has_inf", "marks", "lx -f odd",
	"focus a", "lt --host host --max 2", "lp", "config", "help lx",
	"lt --health", "lt --health --all-steps -s bad -r", "origins", "origins -a -n 1",
	"overview", "origins 1", "doctor", "drift --all",
};

enum { N_LINES = sizeof lines / sizeof *lines };
_Static_assert(N_LINES <= 0x80, "the high bit is another thing");

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
	MUST(answer.doc || answer.leave || answer.toast.len || !answer.failed);
	if (answer.doc)
		MUST(answer_write(&answer, line, format, false, NULL, memory) || answer.failed);
	fclose(memory);
	expect_plain(text, len);
	expect_plain(str_text(&answer.toast), answer.toast.len);
	free(text);
	answer_release(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct shell *shell;
	static bool is_open;
	struct err err = {0};
	const uint8_t *asked;
	size_t n;

	if (!input_piece(&data, &size, PROGRAM_BETWEEN, &asked, &n))
		return 0;
	input_enter();
	if (input_differs(data, size)) {
		shell_free(shell);
		program_input(data, size);
		program_input_write(true);
		shell = shell_new();
		is_open = shell_open(shell, ".", &err) && shell_load(shell, NULL, &err);
		MUST(is_open || err.code);
	}
	if (is_open)
		for (size_t i = 0; i < n && i < ASKED_MAX; i++)
			ask(shell, lines[(asked[i] & 0x7f) % N_LINES],
			    !(asked[i] & 0x80) ? DOC_TEXT : i % 2 ? DOC_CSV : DOC_JSON);
	input_leave();
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	const uint8_t *end = size ? memmem(data, size, PROGRAM_BETWEEN, strlen(PROGRAM_BETWEEN))
	                          : NULL;
	size_t n = end ? (size_t)(end - data) : 0;

	return input_mutate(data, size, max, seed, n < ASKED_MAX ? n : ASKED_MAX);
}
