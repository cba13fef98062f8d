/*
 * Starts a program on a screen some times and prints how long it took, at best, until a text was
 * on it: the way from fork to what a person sees. With --keys N it is started once and from then
 * on gets N keys, 20 a second, a letter and Backspace in turn; what is printed is the time from a
 * key until the program answers: of 95 in 100 keys at most, and the longest. With --pages N it gets
 * KEY so often once all is quiet, and the time is that until the row that tells where one is (the
 * third from below, in our style) is another one: in the middle, of 95 in 100, and the longest.
 * With --bytes N it is the same on a screen of 80 x 24, in bytes that the program writes.
 *
 *   tool_frame NAME RUNS TEXT COMMAND [ARGUMENT]...
 *   tool_frame NAME --keys N TEXT COMMAND [ARGUMENT]...
 *   tool_frame NAME --pages|--bytes N KEY TEXT COMMAND [ARGUMENT]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/terminal.h"

enum { KEY_EVERY_MS = 50, MAX_KEYS = 1000, MAX_COLUMNS = 200, PLACE_FROM_BELOW = 3 };
static struct { int rows, cols; } size = { 50, MAX_COLUMNS };

/* In ms or bytes; of a start only `most` counts. */
struct times { double middle, most, longest; };

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

	return terminal_start(argv, env, NULL, size.rows, size.cols);
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

static void sort_times(double *ms, long n, struct times *out)
{
	qsort(ms, (size_t)n, sizeof *ms, by_size);
	*out = (struct times){ ms[(n - 1) / 2], ms[(n - 1) * 95 / 100], ms[n - 1] };
}

static bool time_keys(long n, const char *text, const char *const *argv, struct times *out)
{
	double ms[MAX_KEYS];
	struct terminal *t = start(argv);
	bool ok = t && terminal_wait_text(t, text);

	for (long i = 0; ok && i < n; i++)
		ok = time_key(t, i % 2 ? "\177" : "x", &ms[i]);
	terminal_free(t);
	if (ok)
		sort_times(ms, n, out);
	return ok;
}

static bool is_elsewhere(struct terminal *t, const void *ctx)
{
	return strcmp(terminal_row(t, size.rows - PLACE_FROM_BELOW), ctx) != 0;
}

static bool time_page(struct terminal *t, const char *key, double *ms)
{
	char place[4 * MAX_COLUMNS + 1];
	double began, next;

	snprintf(place, sizeof place, "%s", terminal_row(t, size.rows - PLACE_FROM_BELOW));
	began = now_ms();
	next = began + KEY_EVERY_MS;
	terminal_type(t, key);
	if (!terminal_wait(t, is_elsewhere, place))
		return false;
	*ms = now_ms() - began;
	return terminal_wait(t, is_time, &next);
}

/* Everything that comes of it, until it is quiet again. */
static bool count_page(struct terminal *t, const char *key, double *bytes)
{
	size_t before, after;
	double ms;

	terminal_bytes(t, &before);
	if (!time_page(t, key, &ms))
		return false;
	terminal_drain(t);
	terminal_bytes(t, &after);
	*bytes = (double)(after - before);
	return true;
}

typedef bool measure_page(struct terminal *t, const char *key, double *out);

static bool measure_pages(measure_page *measure, long n, const char *key, const char *text,
                          const char *const *argv, struct times *out)
{
	double of_key[MAX_KEYS];
	struct terminal *t = start(argv);
	bool ok = t && terminal_wait_text(t, text);

	if (ok)
		terminal_drain(t);
	for (long i = 0; ok && i < n; i++)
		ok = measure(t, key, &of_key[i]);
	terminal_free(t);
	if (ok)
		sort_times(of_key, n, out);
	return ok;
}

int main(int argc, char **argv)
{
	bool keys = argc > 2 && !strcmp(argv[2], "--keys");
	bool bytes = argc > 2 && !strcmp(argv[2], "--bytes");
	bool pages = bytes || (argc > 2 && !strcmp(argv[2], "--pages"));
	const char *const *rest = (const char *const *)argv + 2 + (keys || pages);
	long n = argc > 5 + pages || (argc > 4 && !keys && !pages) ? strtol(rest[0], NULL, 10) : 0;
	const char *unit = bytes ? "B " : "ms";
	struct times times = {0};

	if (bytes)
		size.rows = 24, size.cols = 80;
	if (n < 1 || n > MAX_KEYS) {
		fprintf(stderr, "usage: tool_frame NAME RUNS|--keys N|--pages N KEY|--bytes N KEY "
		                "TEXT COMMAND [ARGUMENT]...\n");
		return 2;
	}
	if (!(pages  ? measure_pages(bytes ? count_page : time_page, n, rest[1], rest[2], rest + 3,
	                             &times)
	      : keys ? time_keys(n, rest[1], rest + 2, &times)
	             : time_frames(n, rest[1], rest + 2, &times.most))) {
		printf("%-28s failed\n", argv[1]);
		return 1;
	}
	printf("%-28s", argv[1]);
	if (pages)
		printf(" %8.1f %s", times.middle, unit);
	printf(" %8.1f %s", times.most, unit);
	if (keys || pages)
		printf(" %8.1f %s", times.longest, unit);
	printf("\n");
	return 0;
}
