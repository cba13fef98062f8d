#ifndef CMDS_NODE_LINES_H
#define CMDS_NODE_LINES_H

#include "dump/base/err.h"

struct shell;

/*
 * The line of the program where a node was made: "file.py:12(function)"; "" if not known. context
 * is a struct node_lines *, made by node_lines_new and kept as long as the lines.
 */
struct node_lines;
struct node_lines *node_lines_new(struct shell *shell);
void node_lines_free(void *context);
const char *node_line(void *context, const char *node);
/* What kept lines from being found; NULL: nothing did. */
const struct err *node_lines_fault(const struct node_lines *lines);

#endif
