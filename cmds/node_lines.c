/* Where nodes were made, from an op log or from the stacks of a dump. Each node is looked up once. */
#include "cmds/steps.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/origins.h"
#include "cmds/source.h"
#include "dump/base/mem.h"

struct node_lines {
	struct shell *shell;
	struct map nodes;
	VEC(const char *) line;          /* by node */
	struct arena mem;
};

struct node_lines *node_lines_new(struct shell *shell)
{
	struct node_lines *lines = mem_alloc(sizeof *lines);

	lines->shell = shell;
	return lines;
}

void node_lines_free(void *context)
{
	struct node_lines *lines = context;

	map_release(&lines->nodes);
	vec_release(&lines->line);
	arena_release(&lines->mem);
	free(lines);
}

static const char *line_text(struct node_lines *lines, const char *file, long long line, const char *function)
{
	const char *slash = strrchr(file, '/');
	struct str text = {0};
	const char *copy;

	str_fmt(&text, "%s:%lld(%s)", slash ? slash + 1 : file, line, function);
	copy = arena_copy(&lines->mem, text.text, text.len);
	str_release(&text);
	return copy;
}

static const char *from_log(struct node_lines *lines, struct op_log *log, const char *node)
{
	const struct op_entry *entry = op_log_find(log, node);
	struct arena mem = {0};
	struct code_frame *frames;
	const char *text = "";
	struct err ignored;
	size_t n, i;

	if (entry && op_log_code(log, entry, &mem, &frames, &n, &ignored) && n) {
		for (i = n - 1; i && file_is_library(frames[i].file); i--)
			;
		text = line_text(lines, frames[i].file, frames[i].lineno, frames[i].function);
	}
	arena_release(&mem);
	return text;
}

static const char *from_stacks(struct node_lines *lines, const struct stacks *stacks, const char *node)
{
	const struct stack_node *found = stacks_find(stacks, node);
	struct str path = {0};
	uint32_t i;
	const struct stack_frame *frame;

	if (!found || !found->n_frames)
		return "";
	for (i = found->n_frames - 1; i; i--) {
		path_normal(&path, stacks->cwd, stacks->files.at[stacks_frame(stacks, found, i)->file]);
		if (!path_is_library(stacks, path.text) && !file_is_library(path.text))
			break;
	}
	str_release(&path);
	frame = stacks_frame(stacks, found, i);
	return line_text(lines, stacks->files.at[frame->file], frame->line, frame->function);
}

static const char *look_up(struct node_lines *lines, const char *node)
{
	const struct profile *profile = lines->shell->profile;

	if (profile && profile->op_log)
		return from_log(lines, profile->op_log, node);
	return lines->shell->stacks ? from_stacks(lines, lines->shell->stacks, node) : "";
}

const char *node_line(void *context, const char *node)
{
	struct node_lines *lines = context;
	uint32_t id = map_add(&lines->nodes, &lines->mem, node, strlen(node));

	if (id == lines->line.len)
		vec_push(&lines->line, look_up(lines, node));
	return lines->line.at[id];
}
