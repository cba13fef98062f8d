/*
 * Names that programs give: Kineto, TensorFlow's timeline and its profiler, JAX, onnxruntime,
 * rocprof.
 */
#include "dump/profile/trace_kinds.h"

#include <stdio.h>
#include <string.h>

#include "dump/base/str.h"

bool text_begins(const struct text *text, const char *with)
{
	size_t n = strlen(with);

	return text->len >= n && !memcmp(text->at, with, n);
}

static bool contains(const struct text *text, const char *part)
{
	return memmem(text->at, text->len, part, strlen(part));
}

/* Categories. */

static const struct { const char *name; enum trace_class class; } classes[] = {
	{ "kernel", CLASS_KERNEL },
	{ "gpu_memcpy", CLASS_COPY }, { "memcpy", CLASS_COPY },
	{ "gpu_memset", CLASS_COPY }, { "memset", CLASS_COPY },
	{ "cpu_op", CLASS_HOST }, { "operator", CLASS_HOST },
	{ "node", CLASS_NODE },
};

/* Of categories as they are, without a comma. */
static const struct { const char *name; enum trace_class class; } whole_classes[] = {
	{ "cpu_op", CLASS_OP }, { "operator", CLASS_OP },
	{ "cuda_runtime", CLASS_LAUNCH }, { "runtime", CLASS_LAUNCH },
	{ "cuda_driver", CLASS_LAUNCH }, { "driver", CLASS_LAUNCH },
	{ "user_annotation", CLASS_STEP },
	{ "python_function", CLASS_FRAME },
	{ "gpu_user_annotation", CLASS_NONE },
	{ "trace", CLASS_NONE }, { "overhead", CLASS_NONE }, { "cuda_sync", CLASS_NONE },
	{ "cuda_profiler_range", CLASS_NONE }, { "cpu_instant_event", CLASS_NONE },
	{ "ac2g", CLASS_NONE }, { "fwdbwd", CLASS_NONE },
};

static enum trace_class class_of_word(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (strlen(classes[i].name) == len && !strncasecmp(classes[i].name, word, len))
			return classes[i].class;
	return CLASS_OTHER;
}

enum trace_class trace_class_of(const struct text *text)
{
	const char *at = text->at, *end = at + text->len;
	enum trace_class class = CLASS_OTHER;

	for (size_t i = 0; i < sizeof whole_classes / sizeof *whole_classes; i++)
		if (strlen(whole_classes[i].name) == text->len
		    && !strncasecmp(whole_classes[i].name, at, text->len))
			return whole_classes[i].class;
	while (class == CLASS_OTHER && at <= end) {
		const char *comma = memchr(at, ',', (size_t)(end - at)), *to = comma ? comma : end;
		const char *next = to + 1;

		while (at < to && *at == ' ')
			at++;
		while (at < to && to[-1] == ' ')
			to--;
		class = class_of_word(at, (size_t)(to - at));
		at = next;
	}
	return class;
}

/* Processes. */

static bool is_numbered(const struct text *name, const char *word)
{
	size_t i = 0, begin;

	while (i < name->len && is_digit(name->at[i]))
		i++;
	if (!i || i == name->len || name->at[i] != ' ')
		return false;
	begin = ++i;
	i += strlen(word);
	if (i > name->len || memcmp(name->at + begin, word, strlen(word)) != 0)
		return false;
	if (!strcmp(word, "GPU") && i == name->len)
		return false;
	while (i < name->len && is_digit(name->at[i]))
		i++;
	return i == name->len && (strcmp(word, "COPY") || i == begin + 4);
}

enum trace_place trace_place_of(const struct text *name)
{
	if (contains(name, "/stream:"))
		return PLACE_KERNELS;
	if (contains(name, "/memcpy"))
		return PLACE_COPIES;
	if (text_begins(name, "/device:GPU:"))
		return PLACE_GPU;
	if (is_numbered(name, "GPU"))
		return PLACE_KERNELS;
	if (is_numbered(name, "COPY"))
		return PLACE_COPIES;
	return text_begins(name, "/host:") ? PLACE_HOST : PLACE_OTHER;
}

/* TensorFlow's timeline. */

static bool cut_end(struct text *text, const char *end)
{
	size_t n = strlen(end);

	if (text->len < n || memcmp(text->at + text->len - n, end, n) != 0)
		return false;
	text->len -= n;
	return true;
}

static void copy(char *out, size_t size, struct text text)
{
	snprintf(out, size, "%.*s", (int)text.len, text.at ? text.at : "");
}

/* "stream:15<MemcpyH2D>" */
static void copy_type(struct text part, struct timeline_process *out)
{
	const char *open = part.at ? memchr(part.at, '<', part.len) : NULL;
	size_t left = open ? part.len - (size_t)(open + 1 - part.at) : 0;

	copy(out->copies, sizeof out->copies, (struct text){ open ? open + 1 : "",
	                                                     left ? left - 1 : 0 });
}

bool timeline_process_of(const struct text *name, struct timeline_process *out)
{
	struct text lane = *name;
	bool classic = cut_end(&lane, " Compute"), host = !classic && cut_end(&lane, " host");
	bool streams = !classic && !host && cut_end(&lane, " streams");
	struct device_name device;
	char text[256];

	if ((!classic && !host && !streams) || !text_begins(&lane, "/") || lane.len >= sizeof text)
		return false;
	copy(text, sizeof text, lane);
	device = device_parse(text, strlen(text));
	*out = (struct timeline_process){ .kind = streams ? LANE_GPU_STREAM : lane_kind_of(text) };
	snprintf(out->device, sizeof out->device, "%.*s:%.*s", (int)device.type.len,
	         device.type.at ? device.type.at : "", (int)device.number.len,
	         device.number.at ? device.number.at : "");
	for (char *c = out->device; *c; c++)
		*c = *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
	copy(out->number, sizeof out->number, device.number);
	if (out->kind != LANE_GPU_ALL)
		copy(out->stream, sizeof out->stream, device.stream);
	copy_type(device.part, out);
	return true;
}
