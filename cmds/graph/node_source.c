#include "cmds/graph/node_source.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/graph/source.h"
#include "cmds/session/session.h"
#include "dump/base/path.h"
#include "dump/model/stacks.h"

/* TensorFlow's rule: a file is Python's if its extension is a beginning of ".py", or missing. */
static bool is_python(const char *path)
{
	const char *name = path_name(path);
	const char *dot = strrchr(name, '.');
	const char *extension = dot && dot > name + strspn(name, ".") - 1 ? dot : "";

	return !strcmp(extension, ".pyc") || !strcmp(extension, ".pyo") || strstr(".py", extension);
}

bool file_is_library(const char *path)
{
	static const char *const roots[] = {
		"/site-packages/tensorflow", "/dist-packages/tensorflow", "/site-packages/absl",
		"/dist-packages/absl",
	};

	if (!is_python(path) || text_ends(path, "_test.py")
	    || strstr(path, "tensorflow/python/debug/examples"))
		return false;
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		if (strstr(path, roots[i]))
			return true;
	return false;
}

/* Creation stacks know more roots of TensorFlow, and what relative names are relative to. */
static bool judge(struct source_finder *f, const char *file)
{
	const struct stacks *stacks = f->shell->stacks;

	if (!stacks)
		return file_is_library(file);
	path_normal(&f->path, stacks->cwd, file);
	return path_is_library(stacks, str_text(&f->path)) || file_is_library(str_text(&f->path));
}

static bool is_library(struct source_finder *f, const char *file)
{
	uint32_t id = map_add(&f->files, &f->names, file, strlen(file));

	if (id == f->is_library.len)
		vec_push(&f->is_library, judge(f, file));
	return f->is_library.at[id];
}

static bool find_in_profile(struct source_finder *f, struct profile *profile, const char *node,
                            struct node_source *out)
{
	struct code_frame *frames;
	struct err err = {0};
	size_t n, i;

	arena_release(&f->frames);
	if (!profile_code(profile, node, &f->frames, &frames, &n, &err)) {
		if (!f->fault.code)
			f->fault = err;
		return false;
	}
	if (!n)
		return false;
	for (i = n - 1; i && is_library(f, frames[i].file); i--)
		;
	*out = (struct node_source){ frames[i].file, frames[i].function, frames[i].lineno };
	return true;
}

static bool find_in_stacks(struct source_finder *f, const struct stacks *stacks, const char *node,
                           struct node_source *out)
{
	const struct stack_node *found = stacks_find(stacks, node);
	const struct stack_frame *frame;
	uint32_t i;

	if (!found || !found->n_frames)
		return false;
	i = found->n_frames - 1;
	frame = stacks_frame(stacks, found, i);
	while (i && is_library(f, stacks->files.at[frame->file]))
		frame = stacks_frame(stacks, found, --i);
	*out = (struct node_source){ stacks->files.at[frame->file], frame->function, frame->line };
	return true;
}

bool node_source_find(struct source_finder *f, const char *node, struct node_source *out)
{
	if (f->shell->profile && find_in_profile(f, f->shell->profile, node, out))
		return true;
	return f->shell->stacks && find_in_stacks(f, f->shell->stacks, node, out);
}

void source_finder_release(struct source_finder *f)
{
	map_release(&f->files);
	vec_release(&f->is_library);
	arena_release(&f->names);
	arena_release(&f->frames);
	str_release(&f->path);
}

size_t node_source_put(const struct node_source *source, struct str *out)
{
	str_fmt(out, "%s:%" PRId64 "(%s)", source->file, source->line, source->function);
	return (size_t)(path_name(source->file) - source->file);
}
