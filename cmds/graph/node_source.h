#ifndef CMDS_NODE_SOURCE_H
#define CMDS_NODE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * The line of the program that made a node: the innermost frame outside TensorFlow, or the
 * outermost frame if all are inside. Frames come from the profile (an op log or a ProfileProto);
 * if it has none for the node, from the creation stacks.
 * Source: tfdbg's profile_analyzer_cli.py and source_utils.py.
 */
struct shell;

struct node_source {
	const char *file, *function;     /* the file as the recording names it */
	int64_t line;
};

/* Looks for many nodes; each file is judged once. Set shell; the rest is private. */
struct source_finder {
	struct shell *shell;
	struct map files;
	VEC(bool) is_library;            /* by file */
	struct arena names, frames;
	struct str path;
	struct err fault;                /* the first failure to read what a node needs */
};

/* False: not known. *out stays valid until the next call. */
bool node_source_find(struct source_finder *finder, const char *node, struct node_source *out);
void source_finder_release(struct source_finder *finder);
/* Puts "/dir/train.py:21(build)" into an empty text; returns the offset of "train.py" in it. */
size_t node_source_put(const struct node_source *source, struct str *out);

/* Is the file TensorFlow's own, as far as its path tells? */
bool file_is_library(const char *path);

#endif
