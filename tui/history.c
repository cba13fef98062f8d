/* The file is small: it is read, changed and written whole. */
#include "tui/history.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/session/user_files.h"
#include "dump/base/mem.h"
#include "dump/base/writer.h"

enum { MAX_FILE_BYTES = 1 << 20 };

/* Puts base/below/tensordbg into out, makes its directories. False without a base. */
static bool make_directory(struct str *out)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && state[0] == '/')
		str_puts(out, state);
	else if (home && home[0] == '/')
		str_fmt(out, "%s/.local/state", home);
	else
		return false;
	str_puts(out, "/tensordbg");
	for (size_t i = 1; i <= out->len; i++) {
		char kept = out->text[i];

		if (kept != '/' && kept)
			continue;
		out->text[i] = '\0';
		if (mkdir(out->text, 0700) != 0 && errno != EEXIST)
			return false;
		out->text[i] = kept;
	}
	return true;
}

static void push(struct history *h, const char *line, size_t len)
{
	const char *last = h->at.len ? *vec_last(&h->at) : "";

	if (!len || (strlen(last) == len && !memcmp(last, line, len)))
		return;
	if (h->at.len == MAX_HISTORY) {
		free(h->at.at[0]);
		memmove(&h->at.at[0], &h->at.at[1], --h->at.len * sizeof *h->at.at);
	}
	vec_push(&h->at, mem_copy(line, len));
	h->n_added++;
}

static bool read_lines(struct history *h, struct err *err)
{
	struct err why = {0};
	FILE *file = user_file_open(h->path, &why);
	char *line = NULL;
	size_t cap = 0, total = 0;
	ssize_t len;

	if (why.code && err)
		*err = why;
	if (!file)
		return !why.code;
	while (total < MAX_FILE_BYTES && (len = getline(&line, &cap, file)) > 0) {
		total += (size_t)len;
		if (line[len - 1] == '\n')
			len--;
		push(h, line, strnlen(line, (size_t)len));
	}
	free(line);
	fclose(file);
	return true;
}

static void write_file(const struct history *h)
{
	struct writer *writer = writer_open(h->path, WRITER_PRIVATE, NULL);

	if (!writer)
		return;
	for (size_t i = 0; i < h->at.len; i++)
		fprintf(writer_stream(writer), "%s\n", h->at.at[i]);
	writer_close(writer, true, NULL, NULL);
}

bool history_load(struct history *h, struct err *err)
{
	struct str path = {0};
	bool ok = true;

	if (make_directory(&path)) {
		str_puts(&path, "/history");
		h->path = mem_copy(path.text, path.len);
		ok = read_lines(h, err);
	}
	if (!ok) {
		free(h->path);
		h->path = NULL;
	}
	str_release(&path);
	return ok;
}

void history_add(struct history *h, const char *line)
{
	struct history file = { .path = h->path };

	push(h, line, strlen(line));
	if (!h->path)
		return;
	if (read_lines(&file, NULL)) {
		push(&file, line, strlen(line));
		write_file(&file);
	}
	file.path = NULL;
	history_release(&file);
}

size_t history_find(const struct history *h, const char *prefix, size_t from, int direction)
{
	size_t len = strlen(prefix);

	while (direction < 0 ? from > 0 : from + 1 < h->at.len) {
		from += direction < 0 ? SIZE_MAX : 1;
		if (!strncmp(h->at.at[from], prefix, len))
			return from;
	}
	return SIZE_MAX;
}

void history_release(struct history *h)
{
	for (size_t i = 0; i < h->at.len; i++)
		free(h->at.at[i]);
	vec_release(&h->at);
	free(h->path);
	h->path = NULL;
}
