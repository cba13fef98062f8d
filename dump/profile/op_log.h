#ifndef DUMP_OP_LOG_H
#define DUMP_OP_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"

/*
 * OpLogProto ("tfprof_log"): what the program knew about its ops and other files lack: tracebacks,
 * float operations, types such as _trainable_variables. Names, numbers and types are kept; a
 * traceback is read again from the file.
 * Source: tensorflow/core/profiler/tfprof_log.proto.
 */

/* Strings that frames of a file refer to by number. */
struct id_strings {
	VEC(int64_t) ids;                /* sorted after id_strings_sort */
	VEC(const char *) texts;
};

/* A frame of a CodeDef, outermost first. Strings live as long as the log, or in the arena given. */
struct code_frame {
	const char *file, *function, *line;      /* "" if unknown */
	int32_t lineno, func_start_line;
};

struct op_entry {
	const char *name;
	int64_t float_ops;
	size_t first_type, n_types;      /* log->types.at[...] */
	struct span code;                /* CodeDef; len 0: none */
};

struct op_log {
	const char *path;
	struct file file;                /* for op_log_code: one thread at a time */
	VEC(struct op_entry) entries;    /* in file order */
	VEC(const char *) types;
	struct id_strings strings;
	struct map names; /* entry of a name: by_name.at[id], the last one of that name */
	VEC(uint32_t) by_name;
	struct map texts;                /* private: one copy of each type and inline text */
	struct err damage;               /* the first damage; sound data is kept */
	struct arena mem;
};

struct op_log *op_log_open(const char *path, struct progress *progress, struct err *err);
void op_log_close(struct op_log *log);
/* NULL: not there */
const struct op_entry *op_log_find(const struct op_log *log, const char *name);

/* The frames of an entry, in mem; no code: *n is 0. */
bool op_log_code(struct op_log *log, const struct op_entry *entry, struct arena *mem,
                 struct code_frame **frames, size_t *n, struct err *err);

/* A CodeDef anywhere, with the strings of its file: for ProfileNode.trace. */
bool code_read(struct file *file, struct span code, const struct id_strings *strings,
               struct arena *mem, struct code_frame **frames, size_t *n, struct err *err);

/* Reading id_to_string: one map entry, then, when all are there, the sorting. */
bool id_strings_add(struct id_strings *strings, struct file *file, struct span entry,
                    struct arena *mem, struct err *err);
void id_strings_sort(struct id_strings *strings);
void id_strings_release(struct id_strings *strings);

#endif
