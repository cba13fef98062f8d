/*
 * Starts a program on a screen some times and prints how long it took, at best, until a text was
 * on it: the way from fork to what a person sees. With --keys N it is started once and from then
 * on gets N keys, 20 a second, a letter and Backspace in turn; what is printed is the time from a
 * key until the program answers: of 95 in 100 keys at most, and the longest.
 *
 *   tool_frame NAME RUNS TEXT COMMAND [ARGUMENT]...
 *   tool_frame NAME --keys N TEXT COMMAND [ARGUMENT]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/terminal.h"

enum { KEY_EVERY_MS = 50, MAX_KEYS = 1000 };

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static struct terminal *start(const char *const *argv)
{
	const char *const env[] = { "XDG_CONFIG_HOME=/nonexistent", "XDG_STATE_HOME=/nonexistent",
	                            "XDG_DATA_HOME=/nonexistent", NULL };

	return terminal_start(argv, env, NULL, 50, 200);
}

static bool time_once(const char *text, const char *const *argv, double *ms)
{
	double began = now_ms();
	struct terminal *t = start(argv);
	bool ok = t && terminal_wait_text(t, text);

	*ms = now_ms() - began;
	terminal_free(t);
	return ok;
}

static bool time_frames(long runs, const char *text, const char *const *argv, double *best)
{
	for (long i = 0; i < runs; i++) {
		double ms;

		if (!time_once(text, argv, &ms))
			return false;
		*best = i && *best < ms ? *best : ms;
	}
	return true;
}

static bool has_more(struct terminal *t, const void *ctx)
{
	size_t len;

	terminal_bytes(t, &len);
	return len > *(const size_t *)ctx;
}

static bool is_time(struct terminal *t, const void *ctx)
{
	(void)t;
	return now_ms() >= *(const double *)ctx;
}

static bool time_key(struct terminal *t, const char *key, double *ms)
{
	double began = now_ms(), next = began + KEY_EVERY_MS;
	size_t len;

	terminal_bytes(t, &len);
	terminal_type(t, key);
	if (!terminal_wait(t, has_more, &len))
		return false;
	*ms = now_ms() - began;
	return terminal_wait(t, is_time, &next);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool time_keys(long n, const char *text, const char *const *argv, double *most, double *max)
{
	double ms[MAX_KEYS];
	struct terminal *t = start(argv);
	bool ok = t && terminal_wait_text(t, text);

	for (long i = 0; ok && i < n; i++)
		ok = time_key(t, i % 2 ? "\177" : "x", &ms[i]);
	terminal_free(t);
	if (!ok)
		return false;
	qsort(ms, (size_t)n, sizeof *ms, by_size);
	*most = ms[(n - 1) * 95 / 100];
	*max = ms[n - 1];
	return true;
}

int main(int argc, char **argv)
{
	int keys = argc > 2 && !strcmp(argv[2], "--keys");
	const char *const *rest = (const char *const *)argv + 2 + keys;
	long n = argc - keys > 4 ? strtol(rest[0], NULL, 10) : 0;
	double best = 0, max = 0;

	if (n < 1 || (keys && n > MAX_KEYS)) {
		fprintf(stderr,
		        "usage: tool_frame NAME RUNS|--keys N TEXT COMMAND [ARGUMENT]...\n");
		return 2;
	}
	if (!(keys ? time_keys(n, rest[1], rest + 2, &best, &max)
	           : time_frames(n, rest[1], rest + 2, &best))) {
		printf("%-28s failed\n", argv[1]);
		return 1;
	}
	printf("%-28s %8.1f ms", argv[1], best);
	if (keys)
		printf(" %8.1f ms", max);
	printf("\n");
	return 0;
}
