/*
 * Starts a program on a screen some times and prints how long it took, at best, until a text was on it: the way
 * from fork to what a person sees.
 *
 *   tool_frame NAME RUNS TEXT COMMAND [ARGUMENT]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/terminal.h"

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool time_once(const char *text, const char *const *argv, double *ms)
{
	const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent", "XDG_STATE_HOME=/nonexistent",
	                            "XDG_DATA_HOME=/nonexistent", NULL };
	double start = now_ms();
	struct terminal *t = terminal_start(argv, env, NULL, 50, 200);
	bool ok = t && terminal_wait_text(t, text);

	*ms = now_ms() - start;
	terminal_free(t);
	return ok;
}

int main(int argc, char **argv)
{
	long runs = argc > 4 ? strtol(argv[2], NULL, 10) : 0;
	double best = 0;

	if (runs < 1) {
		fprintf(stderr, "usage: tool_frame NAME RUNS TEXT COMMAND [ARGUMENT]...\n");
		return 2;
	}
	for (long i = 0; i < runs; i++) {
		double ms;

		if (!time_once(argv[3], (const char *const *)argv + 4, &ms)) {
			printf("%-28s failed\n", argv[1]);
			return 1;
		}
		best = i && best < ms ? best : ms;
	}
	printf("%-28s %8.1f ms\n", argv[1], best);
	return 0;
}
