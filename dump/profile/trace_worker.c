#include "dump/profile/trace_worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/format/decimal.h"
#include "dump/format/file.h"
#include "dump/format/gzip.h"

#define TOGETHER_NS (600 * INT64_C(1000000000))
enum { HEAD_BYTES = 64 * 1024, UNPACKED_BYTES = 256 * 1024, INFO_BYTES = 1024 };

/* "Rank_03" anywhere in a text: rank3. */
static bool rank_of_name(const char *name, char *out, size_t size)
{
	for (const char *at = name; (at = strcasestr(at, "rank")); at += 4) {
		const char *digits = at + 4 + strspn(at + 4, "-_.");
		size_t n = strspn(digits, "0123456789");

		if (!n || n > 9)
			continue;
		snprintf(out, size, "rank%ld", strtol(digits, NULL, 10));
		return true;
	}
	return false;
}

/* PyTorch's handler has written s, ms, us and ns. */
static int64_t time_of(const char *digits, size_t n)
{
	int64_t value, unit = n >= 19 ? 1 : n >= 16 ? 1000 : n >= 13 ? 1000000 : 1000000000;

	if (n < 10 || n > 19 || !decimal_is_whole(digits, n, &value)
	    || __builtin_mul_overflow(value, unit, &value))
		return -1;
	return value;
}

/* "HOST_PID.TIME.pt.trace.json" */
static bool take_handler_name(const char *name, struct trace_worker *out)
{
	const char *end = strstr(name, ".pt.trace.json"), *digits = end;

	while (digits && digits > name && is_digit(digits[-1]))
		digits--;
	if (!digits || digits == end || digits < name + 2 || digits[-1] != '.')
		return false;
	out->at_ns = time_of(digits, (size_t)(end - digits));
	if ((size_t)(digits - 1 - name) >= sizeof out->name)
		return false;
	if (!rank_of_name(name, out->name, sizeof out->name))
		snprintf(out->name, sizeof out->name, "%.*s", (int)(digits - 1 - name), name);
	return true;
}

static size_t digits_at(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && n < 9 && is_digit(at[n]))
		n++;
	return n;
}

/* The number behind "rank" in "distributedInfo": {"backend": "nccl", "rank": 0, ...}. */
static void rank_of_head(const char *head, size_t len, struct trace_worker *out)
{
	const char *info = memmem(head, len, "\"distributedInfo\"", 17), *rank, *end;

	if (!info)
		return;
	len -= (size_t)(info - head);
	len = len < INFO_BYTES ? len : INFO_BYTES;
	end = info + len;
	rank = memmem(info, len, "\"rank\"", 6);
	for (rank = rank ? rank + 6 : end; rank < end && (*rank == ' ' || *rank == ':'); )
		rank++;
	if (rank >= end || !is_digit(*rank))
		return;
	snprintf(out->name, sizeof out->name, "rank%.*s", (int)digits_at(rank, end), rank);
	out->from_inside = true;
}

static void look_inside(const char *path, struct trace_worker *out)
{
	struct err ignored = {0};
	struct file file;
	const char *bytes;
	size_t len;

	if (!file_open(&file, path, &ignored))
		return;
	len = file.size < HEAD_BYTES ? (size_t)file.size : HEAD_BYTES;
	bytes = file_bytes(&file, 0, len, &ignored);
	if (bytes && len > 2 && bytes[0] == '\x1f' && (unsigned char)bytes[1] == 0x8b) {
		char *head = mem_alloc(UNPACKED_BYTES);

		rank_of_head(head, gzip_head(bytes, len, head, UNPACKED_BYTES), out);
		free(head);
	} else if (bytes) {
		rank_of_head(bytes, len, out);
	}
	file_close(&file);
}

void trace_worker_of(const char *path, struct trace_worker *out)
{
	const char *name = path_name(path);

	*out = (struct trace_worker){ .at_ns = -1 };
	if (!take_handler_name(name, out) && !rank_of_name(name, out->name, sizeof out->name))
		look_inside(path, out);
}

bool trace_worker_is_same(const struct trace_worker *a, const struct trace_worker *b)
{
	return *a->name && !strcmp(a->name, b->name);
}

bool trace_workers_are_together(const struct trace_worker *a, const struct trace_worker *b)
{
	if (!*a->name || !*b->name || a->from_inside != b->from_inside
	    || (a->at_ns < 0) != (b->at_ns < 0))
		return false;
	return a->at_ns < 0 || llabs(a->at_ns - b->at_ns) <= TOGETHER_NS;
}
