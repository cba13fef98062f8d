/*
 * Loads a dump and runs commands in it, all of them some times, making as many lines of each answer
 * as a screen shows. One line for the loading and one for each command: its name, the first time,
 * the best time, and the anonymous memory held after the first time (what was read of files and is
 * still in the system's cache is not in it).
 *
 *   tool_session [--screen|--cpu] RUNS PATH [NAME COMMAND]...
 *
 * --screen: answers are those that go to a screen, where they have bars, and time is CPU time.
 * --cpu: only the latter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmds/session/shell.h"

#define SCREEN_ROWS 50
#define SCREEN_COLS 200

static bool on_screen, of_cpu;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(of_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double anonymous_mb(void)
{
	static const char key[] = "RssAnon:";
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	double kb = 0;

	while (status && fgets(line, sizeof line, status))
		if (!strncmp(line, key, strlen(key)))
			kb = strtod(line + strlen(key), NULL);
	if (status)
		fclose(status);
	return kb / 1024;
}

/* Of one case. */
struct times {
	double first_ms, best_ms, anonymous_mb;
};

static void take_time(struct times *times, long run, double ms)
{
	if (!run) {
		times->first_ms = times->best_ms = ms;
		times->anonymous_mb = anonymous_mb();
	}
	if (ms < times->best_ms)
		times->best_ms = ms;
}

static void print_times(const char *name, const struct times *times)
{
	printf("%s %.3f ms %.3f ms %.1f MB\n", name, times->first_ms, times->best_ms,
	       times->anonymous_mb);
	fflush(stdout);
}

/* The shell of the last run; NULL, and a message, if it failed. */
static struct shell *time_loading(const char *path, long runs)
{
	struct shell *shell = NULL;
	struct times times = {0};
	struct err err = {0};

	for (long i = 0; i < runs; i++) {
		double start;

		shell_free(shell);
		shell = shell_new();
		if (on_screen)
			shell_on_screen(shell);
		start = now_ms();
		if (!shell_open(shell, path, &err) || !shell_load(shell, NULL, &err)) {
			fprintf(stderr, "tool_session: %s: %s\n", err.src, err.msg);
			shell_free(shell);
			return NULL;
		}
		take_time(&times, i, now_ms() - start);
	}
	print_times("load", &times);
	return shell;
}

static void make_lines(const struct doc *doc)
{
	struct line line = {0};

	for (uint64_t row = 0; row < SCREEN_ROWS && row < doc_rows(doc); row++) {
		line_reset(&line);
		doc_line(doc, row, SCREEN_COLS, &line);
	}
	line_release(&line);
}

/* False if the command failed. */
static bool time_command(struct shell *shell, const char *name, const char *command, long runs)
{
	struct times times = {0};

	for (long i = 0; i < runs; i++) {
		double start = now_ms();
		struct answer answer;
		bool failed;

		shell_run(shell, command, SCREEN_COLS, NULL, &answer);
		if (answer.doc)
			make_lines(answer.doc);
		take_time(&times, i, now_ms() - start);
		failed = answer.failed;
		answer_release(&answer);
		if (failed)
			return false;
	}
	print_times(name, &times);
	return true;
}

int main(int argc, char **argv)
{
	struct shell *shell;
	bool ok = true;
	long runs;

	on_screen = argc > 1 && !strcmp(argv[1], "--screen");
	of_cpu = on_screen || (argc > 1 && !strcmp(argv[1], "--cpu"));
	argc -= of_cpu;
	argv += of_cpu;
	runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	if (runs < 1 || argc % 2 == 0) {
		fprintf(stderr, "usage: tool_session [--screen|--cpu] RUNS PATH "
		                "[NAME COMMAND]...\n");
		return 2;
	}
	shell = time_loading(argv[2], runs);
	for (int i = 3; shell && ok && i < argc; i += 2) {
		ok = time_command(shell, argv[i], argv[i + 1], runs);
		if (!ok)
			fprintf(stderr, "tool_session: %s failed\n", argv[i + 1]);
	}
	if (!shell)
		return 1;
	shell_free(shell);
	return ok ? 0 : 1;
}
