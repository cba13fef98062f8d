#ifndef CMDS_SOURCE_H
#define CMDS_SOURCE_H

#include "cmds/session/session.h"
#include "dump/base/map.h"
#include "dump/model/stacks.h"

/*
 * Source files of the program: their names, made comparable, and their text. A normal path is
 * absolute (relative names start from the stacks' cwd) and has no "." or ".." parts; a name with a
 * drive letter stays as it is.
 */

/* False without creation stacks; call->err has tfdbg's words, "Cannot WHAT due to ...". */
bool need_stacks(struct call *call, const char *what);

/* What to do about a file that isn't where it was recorded. */
#define SOURCE_ADVICE "If the file is elsewhere now: --source-map FROM=TO says where."

void path_normal(struct str *out, const char *cwd, const char *path);
/* As in tfdbg: Python files below a library root are TensorFlow's; Python-like names get links. */
bool path_is_library(const struct stacks *stacks, const char *path);
bool path_has_link(const char *path);

/* The distinct normal paths of n files; relative ones start from cwd, NULL has none. */
struct source_paths {
	struct map paths;        /* names are in the arena given to init */
	uint32_t *of_file;       /* by index in files: its path in paths, or MAP_NONE */
};
void source_paths_init(struct source_paths *paths, const char *cwd, const char *const *files,
                       size_t n, struct arena *mem);
void source_paths_release(struct source_paths *paths);


/* A call on the way to something that was made: a line of a file. */
struct source_place {
	uint32_t file;
	uint32_t line;           /* from 1 */
};
#define NO_FILE UINT32_MAX       /* it is not known */
/* Of the stacks' frames; files are paths of `paths`. The caller frees it. */
struct source_place *source_paths_places(const struct source_paths *paths,
                                         const struct stacks *stacks);

/*
 * The path that a user typed: a normal one, one relative to cwd, or the end of one (from a slash
 * on). Returns how many paths fit; *id is the first (MAP_NONE: none), *path its normal path in mem.
 */
size_t source_paths_find(const struct source_paths *paths, const char *cwd, const char *typed,
                         struct arena *mem, uint32_t *id, const char **path);

/* The file's name as recorded: a relative one if there is one. */
const char *source_paths_recorded(const struct source_paths *paths, const struct stacks *stacks,
                                  uint32_t id);

/*
 * The text of a source file: from the stacks, from the file itself, or from where --source-map
 * says the file is now. recorded is the relative name it was recorded under, or NULL; that name is
 * also looked for in the current directory, beside the profile and the dump, in the directories
 * above those, and in the src/ of each. False if none can be read. *text is in mem or belongs to
 * the stacks.
 */
bool source_text(const struct shell *shell, const char *path, const char *recorded,
                 struct arena *mem, const char **text, size_t *len);
/* The same, only from where --source-map says. */
bool source_mapped(const struct shell *shell, const char *path, struct arena *mem,
                   const char **text, size_t *len);
/* Which option would find the text: "--source-map /tmp/demo=DIR, where DIR holds train.py now" */
void source_put_advice(const char *path, const char *recorded, struct str *out);

/* The command for the file from that line on, as this session takes it: "ps FILE -b LINE" */
void source_put_command(const struct shell *shell, const char *file, int64_t line,
                        struct str *out);
/* Puts one source line. On the screen its tab stops are the columns 0, 8, 16, ... of the line. */
void source_put_text(struct call *call, const char *text, size_t len);
int source_number_width(size_t n_lines);  /* columns of a line number: ceil(log10(n)) + 3 */
size_t source_count_lines(const char *text, size_t len);

#endif
