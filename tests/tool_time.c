/*
 * Runs a command a few times, reading its output from a pipe, and prints one line: its name, the
 * best wall time, the largest resident size of it and of what it waited for, and the least CPU
 * time.
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

static double cpu_ms(const struct rusage *used)
{
	return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1e3 +
	       (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) / 1e3;
}

/* False if the command failed. */
static int run_once(char **argv, double *ms, struct rusage *used)
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
	if (wait4(pid, &status, 0, used) != pid)
		return 0;
	*ms = now_ms() - start;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv)
{
	long runs = argc > 3 ? strtol(argv[2], NULL, 10) : 0;
	double best = 0, least_cpu = 0;
	struct rusage used;

	if (runs < 1) {
		fprintf(stderr, "usage: tool_time NAME RUNS COMMAND [ARGUMENT]...\n");
		return 2;
	}
	for (long i = 0; i < runs; i++) {
		double ms;

		if (!run_once(argv + 3, &ms, &used)) {
			printf("%-28s failed\n", argv[1]);
			return 1;
		}
		if (i == 0 || ms < best)
			best = ms;
		if (i == 0 || cpu_ms(&used) < least_cpu)
			least_cpu = cpu_ms(&used);
	}
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%-28s %8.1f ms %8.1f MB %8.1f ms\n", argv[1], best, (double)used.ru_maxrss / 1024,
	       least_cpu);
	return 0;
}
