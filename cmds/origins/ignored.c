#include "cmds/origins/ignored.h"

#include <string.h>
#include <unistd.h>

#include "dump/format/file.h"

#define FILE_NAME "origins.ignore"
#define FILE_MOST (1u << 20)     /* bytes */

enum { PATTERNS_MOST = 1000 };

/* A list that is being read. */
struct source {
	struct call *call;
	struct ignored *out;
	const char *name;        /* as told to the user */
	bool any;                /* it has a pattern */
};

static void warn(struct source *s, size_t line, const char *what)
{
	struct str text = {0};

	str_puts(&text, s->name);
	if (line)
		str_fmt(&text, ", line %zu", line);
	str_fmt(&text, ": %s", what);
	call_warn(s->call, text.text);
	str_release(&text);
}

static void take_pattern(struct source *s, size_t line, const char *regex)
{
	struct pattern *pattern;
	struct err err = {0};

	if (s->out->patterns.len == PATTERNS_MOST) {
		warn(s, line, "there are too many patterns");
		return;
	}
	pattern = pattern_new(regex, PATTERN_SEARCH, false, &err);
	if (!pattern) {
		warn(s, line, err.msg);
		return;
	}
	vec_push(&s->out->patterns, pattern);
	s->any = true;
}

static void take_config_line(void *context, size_t number, const char *rest)
{
	take_pattern(context, number, rest);
}

/* Lines of a text; one that holds a NUL ends there. */
static void take_lines(struct source *s, const char *text, size_t len)
{
	struct str line = {0};
	size_t number = 1;

	for (const char *end = text + len; text < end; number++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		str_reset(&line);
		str_put(&line, text, (size_t)(stop - text));
		if (line.len && line.text[line.len - 1] == '\r')
			str_cut(&line, line.len - 1);
		if (*str_text(&line) && line.text[0] != '#')
			take_pattern(s, number, line.text);
		text = newline ? newline + 1 : end;
	}
	str_release(&line);
}

static void read_file(struct source *s)
{
	struct err err = {0};
	struct file file;
	const char *text = NULL;

	if (access(s->name, F_OK) != 0)
		return;
	if (!file_open(&file, s->name, &err)) {
		warn(s, 0, err.msg);
		return;
	}
	if (file.size > FILE_MOST)
		warn(s, 0, "longer than any list of patterns");
	else if (file.size)
		text = file_bytes(&file, 0, (size_t)file.size, &err);
	if (text)
		take_lines(s, text, (size_t)file.size);
	else if (err.code)
		warn(s, 0, err.msg);
	file_close(&file);
}

static void name_source(const struct source *s)
{
	if (s->any)
		str_fmt(&s->out->by, "%s%s", s->out->by.len ? " and " : "", s->name);
}

static void read_dir(struct call *call, const char *dir, struct ignored *out)
{
	size_t len = strlen(dir);
	struct str path = {0};
	struct source s = { .call = call, .out = out };

	str_fmt(&path, "%s%s" FILE_NAME, dir, len && dir[len - 1] == '/' ? "" : "/");
	s.name = path.text;
	read_file(&s);
	name_source(&s);
	str_release(&path);
}

void ignored_read(struct call *call, const char *dir, const char *root, struct ignored *out)
{
	struct source s = { .call = call, .out = out, .name = "config" };

	*out = (struct ignored){0};
	config_each_line(CONFIG_IGNORED, take_config_line, &s);
	name_source(&s);
	if (root)
		read_dir(call, root, out);
	read_dir(call, dir, out);
}

void ignored_release(struct ignored *ignored)
{
	for (size_t i = 0; i < ignored->patterns.len; i++)
		pattern_free(ignored->patterns.at[i]);
	vec_release(&ignored->patterns);
	str_release(&ignored->by);
}

bool ignored_has(void *ignored, const char *node)
{
	const struct ignored *own = ignored;

	for (size_t i = 0; i < own->patterns.len; i++)
		if (pattern_hits(own->patterns.at[i], node, strlen(node), 0, NULL, NULL))
			return true;
	return false;
}
