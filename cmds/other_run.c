#include <string.h>

#include "cmds/diff.h"

static const char *copy(struct call *call, const char *text)
{
	return arena_copy(doc_mem(call->out), text, strlen(text));
}

/* The last part of a path. */
static const char *name_of(struct call *call, const char *path)
{
	size_t len = strlen(path), from;

	while (len > 1 && path[len - 1] == '/')
		len--;
	for (from = len; from && path[from - 1] != '/'; from--)
		;
	return arena_copy(doc_mem(call->out), path + from, len - from);
}

const char *this_run_name(struct call *call)
{
	return name_of(call, call->shell->run->path);
}

static void close_run(void *run)
{
	run_close(run);
}

static bool open_path(struct call *call, const char *path, struct other_run *out)
{
	out->run = run_open(path, &call->err);
	if (!out->run)
		return false;
	doc_keep(call->out, close_run, out->run);
	out->name = name_of(call, path);
	out->word = copy(call, path);
	return run_load(out->run, call->progress, &call->err);
}

bool other_run_open(struct call *call, const char *word, struct other_run *out)
{
	if (word && strchr(word, '/'))
		return open_path(call, word, out);
	if (word)
		call_error(call, "ERROR: \"%s\" is no tensor of this run and no other run: this is a "
		           "single dump. The path of another dump, with a slash, can be given.", word);
	else
		call_error(call, "ERROR: There is no other run: this is a single dump. The path of "
		           "another dump, with a slash, can be given.");
	return false;
}
