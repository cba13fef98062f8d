/* The lines where nodes were made, as text. Each node is looked up once. */
#include "cmds/profile/node_lines.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/graph/node_source.h"
#include "dump/base/mem.h"

struct node_lines {
	struct source_finder finder;
	struct map nodes;
	VEC(const char *) line;          /* by node */
	struct arena mem;
};

struct node_lines *node_lines_new(struct shell *shell)
{
	struct node_lines *lines = mem_alloc(sizeof *lines);

	lines->finder.shell = shell;
	return lines;
}

void node_lines_free(void *context)
{
	struct node_lines *lines = context;

	source_finder_release(&lines->finder);
	map_release(&lines->nodes);
	vec_release(&lines->line);
	arena_release(&lines->mem);
	free(lines);
}

static const char *look_up(struct node_lines *lines, const char *node)
{
	struct node_source source;
	struct str text = {0};
	const char *copy;
	size_t name;

	if (!node_source_find(&lines->finder, node, &source) || !*source.file)
		return "";
	name = node_source_put(&source, &text);
	copy = arena_copy(&lines->mem, text.text + name, text.len - name);
	str_release(&text);
	return copy;
}

const char *node_line(void *context, const char *node)
{
	struct node_lines *lines = context;
	uint32_t id = map_add(&lines->nodes, &lines->mem, node, strlen(node));

	if (id == lines->line.len)
		vec_push(&lines->line, look_up(lines, node));
	return lines->line.at[id];
}

const struct err *node_lines_fault(const struct node_lines *lines)
{
	return lines->finder.fault.code ? &lines->finder.fault : NULL;
}
