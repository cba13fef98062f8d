/*
 * Runs a command a few times, reading its output from a pipe, and prints one line: its name, the
 * best wall time, and the largest resident size of it and of what it waited for.
 *
 *   tool_time NAME RUNS COMMAND [ARGUMENT]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* False if the command failed. */
static int run_once(char **argv, double *ms)
{
	char buffer[64 * 1024];
	double start = now_ms();
	int end[2], status;
	pid_t pid;

	if (pipe(end) != 0 || (pid = fork()) < 0)
		return 0;
	if (pid == 0) {
		dup2(end[1], 1);
		close(end[0]);
		close(end[1]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(end[1]);
	while (read(end[0], buffer, sizeof buffer) > 0)
		;
	close(end[0]);
	if (waitpid(pid, &status, 0) != pid)
		return 0;
	*ms = now_ms() - start;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
	long runs = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	double best = 0;
	struct rusage used;

	if (runs < 1) {
		fprintf(stderr, "usage: tool_time NAME RUNS COMMAND [ARGUMENT]...\n");
		return 2;
	}
	for (long i = 0; i < runs; i++) {
		double ms;

		if (!run_once(argv + 3, &ms)) {
			printf("%-28s failed\n", argv[1]);
			return 1;
		}
		if (i == 0 || ms < best)
			best = ms;
	}
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%-28s %8.1f ms %8.1f MB\n", argv[1], best, (double)used.ru_maxrss / 1024);
	return 0;
}
