/*
 * A whole session: a dump of a graph and a tensor, with stacks and a step, four pieces with "NEXT" between them; the same lines
 * each time, as text and as JSON. Nothing of an answer is for a terminal alone.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/shell.h"
#include "tests/input.h"
#include "tests/program.h"

#define BETWEEN "\nNEXT\n"

enum { GRAPH, TENSOR, STACKS, STEP, N_PIECES };

static const char *const lines[] = {
	"lt", "lt -s dump_size -r", "lt -f has_inf_or_nan", "lt -t X -n a", "ni a", "ni -a -d -t s/b", "li -r -c -t -d 9 s/c",
	"lo -r -c -t -d 9 a", "pt a:0", "pt a:0 -s -a", "pt a:0[0]", "pt a:0[1:, ::2] -r [0,1]", "ev `a:0` + 1",
	"ev np.sum(`a:0`)", "grid a:0", "picture a:0", "picture a:0 -k hist", "explain a:0", "ri", "runs", "ls", "ls -p a",
	"ps main.py", "ps main.py -t", "graph a", "dot a", "dot --scopes 1", "diff", "messages", "lp", "lp -s op_time -r",
	"kernels", "kernels -u host -g type", "kernels -g source", "kernels -u host --diff step:0", "kernels -g op --of a",
	"scopes", "memory", "memory cpu", "timeline", "step", "tfprof scope", "tfprof op -select micros,bytes", "tfprof code",
	"run", "lt",
};

#define DEVICE "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
static const char *const files[N_PIECES] = {
	[GRAPH] = DEVICE "/_tfdbg_graph_hash1_999", [TENSOR] = DEVICE "/a_0_DebugIdentity_1000",
	[STACKS] = "stacks.json", [STEP] = "run_metadata.pb",
};

/* No controls: what is printed may go to a terminal. */
static void expect_plain(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		MUST((unsigned char)text[i] >= ' ' ? text[i] != 0x7f : text[i] == '\n' || text[i] == '\t');
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

/* Its path, which the caller frees. */
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

/* A piece that is missing is no file. */
static void put_pieces(const char *dir, char **path, const uint8_t *data, size_t size)
{
	struct str device = {0};

	str_fmt(&device, "%s/%s", dir, DEVICE);
	MUST(mkdir(device.text, 0700) == 0);
	str_release(&device);
	for (int i = 0; i < N_PIECES && data; i++) {
		const uint8_t *end = size ? memmem(data, size, BETWEEN, strlen(BETWEEN)) : NULL;
		size_t len = end ? (size_t)(end - data) : size;

		path[i] = put_file(dir, files[i], data, len);
		data = end ? end + strlen(BETWEEN) : NULL;
		size -= end ? len + strlen(BETWEEN) : 0;
	}
}

static bool open_all(struct shell *shell, const char *dir, char *const *path)
{
	struct err err = {0};
	bool ok = (!path[STEP] || shell_name_run_metadata(shell, path[STEP], &err)) && shell_open(shell, dir, &err);

	if (ok && path[STACKS] && !shell_stacks(shell, path[STACKS], &err))
		err = (struct err){0};
	ok = ok && shell_load(shell, NULL, &err);
	MUST(ok || err.code);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *dir = scratch_new(), *path[N_PIECES] = {0};
	struct shell *shell = shell_new();

	put_pieces(dir, path, data, size);
	if (open_all(shell, dir, path))
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
			ask(shell, lines[i], DOC_TEXT);
			ask(shell, lines[i], DOC_JSON);
		}
	shell_free(shell);
	scratch_remove(dir);
	for (int i = 0; i < N_PIECES; i++)
		free(path[i]);
	return 0;
}
