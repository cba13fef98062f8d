#ifndef CMDS_SOURCE_H
#define CMDS_SOURCE_H

#include "cmds/session/session.h"
#include "dump/base/map.h"
#include "dump/model/stacks.h"

/*
 * Source files of the program: the names of the stacks made comparable, and their text. A path is normal when it
 * is absolute (by the stacks' cwd) and without "." and ".." parts; a name with a drive letter stays as it is.
 */

/* Are there creation stacks? If not, call->err says so in tfdbg's words: "Cannot WHAT due to ...". */
bool need_stacks(struct call *call, const char *what);

/* What to do about a file that isn't where it was. */
#define SOURCE_ADVICE "If the file is elsewhere now: --source-map FROM=TO says where."

void path_normal(struct str *out, const char *cwd, const char *path);
/* tfdbg's rules: a Python file under a library root is TensorFlow's; what looks like Python has a link. */
bool path_is_library(const struct stacks *stacks, const char *path);
bool path_has_link(const char *path);

/* The distinct normal paths of the stacks' files. */
struct source_paths {
	struct map paths;        /* names in the arena given */
	uint32_t *of_file;       /* of each of stacks->files: its path */
};
void source_paths_init(struct source_paths *paths, const struct stacks *stacks, struct arena *mem);
void source_paths_release(struct source_paths *paths);

/*
 * The path that a person means: a normal one, one relative to cwd, or the end of just one. Returns how many fit; *id is the
 * first (MAP_NONE: none does), *path the normal path in mem.
 */
size_t source_paths_find(const struct source_paths *paths, const struct stacks *stacks, const char *typed,
                         struct arena *mem, uint32_t *id, const char **path);
/* Is it the end of this path, from a slash on? */

/* A file of these paths as the recording names it; a relative name if it has one. */
const char *source_paths_recorded(const struct source_paths *paths, const struct stacks *stacks,
                                  uint32_t id);

/*
 * Its text: from the stacks, from the file itself, or from where --source-map says the file is
 * now. A file that was recorded under a relative name (recorded; may be NULL) is also looked for
 * by that: in the current directory, beside the profile and the dump and in their src/, then in
 * the directories above them, src/ there too. False if none can be read. *text is in mem or of
 * the stacks.
 */
bool source_text(const struct shell *shell, const char *path, const char *recorded,
                 struct arena *mem, const char **text, size_t *len);
/* What would give it one: "--source-map /tmp/demo=DIR, where DIR holds train.py now" */
void source_put_advice(const char *path, const char *recorded, struct str *out);

/* A line of it. On the screen a tab goes to the next of the columns 0, 8, 16, ... of it. */
void source_put_text(struct call *call, const char *text, size_t len);
int source_number_width(size_t n_lines);         /* of the column of line numbers: ceil(log10(n)) + 3 */
size_t source_count_lines(const char *text, size_t len);

#endif
