/* Frames are called "file.py(12): function", modules "nn.Module: Name_0". */
#include "cmds/profile/frame_text.h"

#include <stdbool.h>
#include <string.h>

#define MODULE "nn.Module: "
#define STACK_MOST 64

static const char *name_of(const struct trace *trace, uint32_t frame)
{
	return trace->all.names.key[trace->frames.at[frame].name];
}

static uint32_t above(const struct trace *trace, uint32_t frame)
{
	return trace->frames.at[frame].above;
}

static bool is_module(const char *name)
{
	return !strncmp(name, MODULE, strlen(MODULE));
}

static bool is_library(const char *name)
{
	return !strncmp(name, "torch/", 6) || strstr(name, "/torch/") ||
	       strstr(name, "site-packages/") || strstr(name, "dist-packages/") ||
	       strstr(name, "/lib/python");
}

static void put_line(struct str *out, const char *name)
{
	const char *paren = strstr(name, "): ");

	while (paren && paren > name && *paren != '(')
		paren--;
	if (!paren || paren == name) {
		str_puts(out, name);
		return;
	}
	str_put(out, name, (size_t)(paren - name));
	str_fmt(out, ":%.*s(%s)", (int)strcspn(paren + 1, ")"), paren + 1,
	        strstr(paren, "): ") + 3);
}

void put_frame_line(struct str *out, const struct trace *trace, uint32_t frame)
{
	const char *innermost = NULL;

	for (; frame != MAP_NONE; frame = above(trace, frame)) {
		const char *name = name_of(trace, frame);

		if (is_module(name))
			continue;
		innermost = innermost ? innermost : name;
		if (!is_library(name)) {
			innermost = name;
			break;
		}
	}
	if (innermost)
		put_line(out, innermost);
}

/* The frames of one kind, the innermost last; returns where in `at` they begin. */
static size_t collect(const struct trace *trace, uint32_t frame, bool modules, const char **at)
{
	size_t first = STACK_MOST;

	for (; frame != MAP_NONE && first; frame = above(trace, frame))
		if (is_module(name_of(trace, frame)) == modules)
			at[--first] = name_of(trace, frame);
	return first;
}

void put_frame_stack(struct str *out, const struct trace *trace, uint32_t frame)
{
	const char *at[STACK_MOST];

	for (size_t i = collect(trace, frame, false, at); i < STACK_MOST; i++) {
		if (out->len)
			str_puts(out, " > ");
		put_line(out, at[i]);
	}
}

void put_frame_modules(struct str *out, const struct trace *trace, uint32_t frame)
{
	const char *at[STACK_MOST];

	for (size_t i = collect(trace, frame, true, at); i < STACK_MOST; i++)
		str_fmt(out, "%s%s", out->len ? "/" : "", at[i] + strlen(MODULE));
}
