/*
 * Command lines in a session over a dump of three tensors and a graph, which stays open for some
 * inputs. Answers are written as text, with attributes, as JSON or as CSV, by the size of what
 * follows. Lines with a slash or two dots are skipped, so a command writes only into its own
 * directory, which has no file of the dump; so are lines that may ask for arrays of 100,000
 * elements and more, which take long.
 */
#include "cmds/session/shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/session/envelope.h"
#include "tests/input.h"

#define DUMP "dump"
#define LINES_MAX 3
#define TOGETHER 32      /* inputs in a session */
#define BYTES(text) (text), sizeof (text) - 1

/* Events: a float32 array [1, nan, -inf, 2], a string, an int64 without content, and a graph. */
static const struct { const char *name, *bytes; size_t len; } files[] = {
	{ DUMP "/a_0_DebugIdentity_1000",
	  BYTES("\x2a\x22\x0a\x20\x42\x1e\x08\x01\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02\x22\x10"
	        "\0\0\x80\x3f\0\0\xc0\x7f\0\0\x80\xff\0\0\0\x40") },
	{ DUMP "/b_0_DebugIdentity_1001",
	  BYTES("\x2a\x0f\x0a\x0d\x42\x0b\x08\x07\x12\x04\x12\x02\x08\x01\x42\x01\x1b") },
	{ DUMP "/b_1_DebugIdentity_1002",
	  BYTES("\x2a\x0c\x0a\x0a\x42\x08\x08\x09\x12\x04\x12\x02\x08\x03") },
	{ DUMP "/_tfdbg_graph_hash1_999",
	  BYTES("\x22\x1c\x0a\x06\x0a\x01" "a\x12\x01X" "\x0a\x12\x0a\x01" "b\x12\x01Y"
	        "\x1a\x01" "a" "\x2a\x07\x0a\x01T\x12\x02\x30\x01") },
};

static void run(struct shell *shell, const char *line, enum doc_format format)
{
	struct answer answer;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	shell_run(shell, line, 0, NULL, &answer);
	MUST(answer.doc || answer.leave || answer.toast.len || !answer.failed);
	if (answer.doc)
		MUST(answer_write(&answer, line, format, false, NULL, out) || answer.failed);
	fclose(out);
	for (size_t k = 0; k < len; k++)
		MUST((unsigned char)text[k] >= 0x20 || text[k] == '\n' || text[k] == '\t');
	free(text);
	answer_release(&answer);
}

static bool is_run(const char *line)
{
	const char *digit = strpbrk(line, "0123456789");

	if (!*line || strchr(line, '/') || strstr(line, ".."))
		return false;
	for (; digit; digit = strpbrk(digit, "0123456789")) {
		size_t n = strspn(digit, "0123456789");

		if (n > 4 && strstr(line, "np."))
			return false;
		digit += n;
	}
	return true;
}

static struct shell *open_dump(void)
{
	struct shell *shell = shell_new();

	MUST(mkdir(DUMP, 0700) == 0 || errno == EEXIST);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		input_put(files[i].name, files[i].bytes, files[i].len);
	MUST(shell_open(shell, DUMP, NULL) && shell_load(shell, NULL, NULL));
	return shell;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum doc_format formats[] = { DOC_TEXT, DOC_DOC, DOC_JSON, DOC_CSV };
	static struct shell *shell;
	static unsigned n;

	input_enter();
	if (n++ % TOGETHER == 0) {
		shell_free(shell);
		shell = open_dump();
	}
	for (int i = 0; size && i < LINES_MAX; i++) {
		char *line = input_line(&data, &size);

		if (is_run(line))
			run(shell, line, formats[(i + size) % 4]);
		free(line);
	}
	input_leave();
	return 0;
}
