#include "dump/model/device.h"

#include <string.h>
#include <strings.h>

#define SHORT_DEVICES 1000       /* of more devices none is shortened: each is compared with all */

static bool begins(struct text text, const char *with)
{
	size_t n = strlen(with);

	return text.len >= n && !strncasecmp(text.at, with, n);
}

static struct text after(struct text text, size_t n)
{
	return (struct text){ text.at + n, text.len - n };
}

static bool equal(struct text a, struct text b)
{
	return a.len == b.len && !strncasecmp(a.at, b.at, a.len);
}

/* Where a device ends and what is told of it begins, with its slash; the end: all is device. */
static size_t part_of(struct text text)
{
	static const char sync[] = "/sync";

	for (size_t i = 0; i < text.len; i++) {
		struct text rest = after(text, i);

		if (begins(rest, "/stream:") || begins(rest, "/memcpy")
		    || (begins(rest, sync) && rest.len == strlen(sync)))
			return i;
	}
	return text.len;
}

/* What stands behind the last slash and "device:", and before them. */
static struct text split(struct text text, struct text *task)
{
	const char *slash = text.len ? memrchr(text.at, '/', text.len) : NULL;

	*task = (struct text){ slash ? text.at : NULL, slash ? (size_t)(slash - text.at) : 0 };
	if (slash)
		text = after(text, task->len + 1);
	return begins(text, "device:") ? after(text, strlen("device:")) : text;
}

struct device_name device_parse(const char *text, size_t len)
{
	struct text all = { text, len }, device = { text, part_of(all) };
	struct device_name d = { .name = split(device, &d.task) };
	size_t at = d.name.len;

	if (device.len < len)
		d.part = after(all, device.len + 1);
	if (begins(d.part, "stream:")) {
		const char *end;

		d.stream = after(d.part, strlen("stream:"));
		end = d.stream.len ? memchr(d.stream.at, '<', d.stream.len) : NULL;
		if (end)
			d.stream.len = (size_t)(end - d.stream.at);
	}
	while (at && d.name.at[at - 1] >= '0' && d.name.at[at - 1] <= '9')
		at--;
	if (at < d.name.len && at && d.name.at[at - 1] == ':') {
		d.type = (struct text){ d.name.at, at - 1 };
		d.number = after(d.name, at);
	}
	return d;
}

bool device_is_same(const char *a, const char *b)
{
	struct text task_a, task_b;
	struct text end_a = split((struct text){ a, strlen(a) }, &task_a);
	struct text end_b = split((struct text){ b, strlen(b) }, &task_b);

	return equal(end_a, end_b) &&
	       (!task_a.len || !task_b.len
	        || (task_a.len == task_b.len && !memcmp(task_a.at, task_b.at, task_a.len)));
}

bool device_is_gpu(const char *text)
{
	return strcasestr(text, "gpu");
}

void put_short_device(struct str *out, const char *device, const char *const *devices, size_t n)
{
	struct text task, tail = split((struct text){ device, strlen(device) }, &task);
	bool several = n > SHORT_DEVICES;

	for (size_t i = 0; i < n && !several; i++) {
		struct text other = { devices[i], strlen(devices[i]) };

		several = strcmp(devices[i], device) && equal(split(other, &task), tail);
	}
	if (several) {
		str_puts(out, device);
		return;
	}
	for (size_t i = 0; i < tail.len; i++) {
		char c = tail.at[i];

		str_putc(out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
	}
}

enum lane_kind lane_kind_of(const char *device)
{
	struct device_name d = device_parse(device, strlen(device));

	if (!strcasecmp(device, "/host:cpu"))
		return LANE_HOST;
	if (begins(d.part, "stream:all"))
		return LANE_GPU_ALL;
	if (begins(d.part, "stream:") && d.part.len == strlen("stream:"))
		return LANE_GPU_OTHER;
	if (begins(d.part, "stream:"))
		return d.stream.at + d.stream.len < d.part.at + d.part.len ?
		       LANE_GPU_STREAM_COPY : LANE_GPU_STREAM;
	if (begins(d.part, "memcpy"))
		return LANE_GPU_COPY_ALL;
	if (begins(d.part, "sync"))
		return LANE_GPU_SYNC;
	if (!d.task.at || !d.number.len)
		return LANE_OTHER;
	if (equal(d.type, (struct text){ "cpu", 3 }))
		return LANE_OP_CPU;
	return equal(d.type, (struct text){ "gpu", 3 }) ? LANE_OP_ACC : LANE_OTHER;
}
