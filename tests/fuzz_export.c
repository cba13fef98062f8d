/*
 * A step, then a graph ("GRAPH" between them), through all that writes files for other programs: Chrome's format in both
 * styles, pprof, dot. A trace is one object of JSON by its ends.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/session/shell.h"
#include "tests/input.h"
#include "tests/program.h"

#define BETWEEN "\nGRAPH\n"

/* Each is followed by " -o FILE". */
static const char *const lines[] = {
	"timeline", "timeline --memory --op-time all", "timeline --memory --no-flow --op-time gpu --compact",
	"timeline --style modern", "timeline --style modern --memory --op-time all",
	"timeline --style modern --op-time gpu --compact", "pprof", "pprof --mode scope",
	"dot --scopes 2", "dot a -d 3 -c --inputs", "dot a --outputs --chains",
};
enum { N_LINES = sizeof lines / sizeof *lines, N_TRACES = 6 };

static char *put_file(const char *dir, const char *name, const uint8_t *data, size_t size)
{
	struct str path = {0};
	int fd;

	str_fmt(&path, "%s/%s", dir, name);
	fd = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	return path.text;
}

static void expect_trace(const char *path)
{
	struct str got = {0};
	size_t len;

	MUST(read_whole(path, &got));
	for (len = got.len; len && (got.text[len - 1] == '\n' || got.text[len - 1] == ' '); )
		len--;
	MUST(len > 1 && got.text[0] == '{' && got.text[len - 1] == '}' && !memchr(got.text, '\0', len));
	str_release(&got);
}

static void ask(struct shell *shell, const char *dir)
{
	for (int i = 0; i < N_LINES; i++) {
		struct str line = {0}, path = {0};
		struct answer answer;

		str_fmt(&path, "%s/out", dir);
		str_fmt(&line, "%s -o %s", lines[i], path.text);
		shell_run(shell, line.text, 80, NULL, &answer);
		if (!answer.failed && i < N_TRACES)
			expect_trace(path.text);
		unlink(path.text);
		answer_release(&answer);
		str_release(&line);
		str_release(&path);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *graph = size ? memmem(data, size, BETWEEN, strlen(BETWEEN)) : NULL;
	size_t step_size = graph ? (size_t)(graph - data) : size;
	char *dir = scratch_new(), *step = put_file(dir, "step.pb", data, step_size), *beside = NULL;
	struct shell *shell = shell_new();
	struct err err = {0};

	if (graph) {
		size_t begin = step_size + strlen(BETWEEN);

		beside = put_file(dir, "graph.pb", data + begin, size - begin);
	}
	if ((!beside || shell_name_graph(shell, beside, &err)) && shell_name_run_metadata(shell, step, &err) &&
	    shell_open(shell, NULL, &err) && shell_load(shell, NULL, &err))
		ask(shell, dir);
	else
		MUST(err.code);
	shell_free(shell);
	scratch_remove(dir);
	free(step);
	free(beside);
	return 0;
}
