/*
 * Completion of a line, in a session over a recorded dump. The first byte is the cursor's distance
 * from the line's end. Candidates begin with the word before the cursor and are sorted.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/session/shell.h"
#include "tests/input.h"

#define DUMP "testdata/session"
#define OFFERED_MAX 10

static struct shell *shell;

static void end(void)
{
	shell_free(shell);
}

/* At its first run, where there are words of each kind. */
static void start(void)
{
	struct answer answer;

	input_dir();
	shell = shell_new();
	MUST(shell_open(shell, DUMP, NULL) && shell_load(shell, NULL, NULL));
	shell_run(shell, "run", 0, NULL, &answer);
	answer_release(&answer);
	atexit(end);
}

static void check(const struct completion *c, const char *line, size_t cursor)
{
	const char *word = line + c->word_begin;
	size_t len = cursor - c->word_begin;

	MUST(c->word_begin <= cursor);
	MUST(c->first.len == (c->n < OFFERED_MAX ? c->n : OFFERED_MAX));
	MUST(!c->n || (c->common.len >= len && !memcmp(str_text(&c->common), word, len)));
	for (size_t i = 0; i < c->first.len; i++) {
		MUST(!strncmp(c->first.at[i], str_text(&c->common), c->common.len));
		MUST(!i || strcmp(c->first.at[i - 1], c->first.at[i]) < 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct completion completion;
	size_t len, back;
	char *line;

	if (!shell)
		start();
	if (!size)
		return 0;
	back = *data;
	line = input_text(data + 1, size - 1);
	len = strlen(line);
	shell_complete(shell, line, back < len ? len - back : len, OFFERED_MAX, &completion);
	check(&completion, line, back < len ? len - back : len);
	completion_release(&completion);
	free(line);
	return 0;
}
