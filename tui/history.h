#ifndef TUI_HISTORY_H
#define TUI_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/*
 * Typed commands, oldest first, kept in $XDG_STATE_HOME/tensordbg/history (directories 0700, the
 * file 0600): one a line, at most MAX_HISTORY, an immediate repeat dropped. Start with {0}; without
 * a home it stays in memory.
 */
enum { MAX_HISTORY = 100 };

struct history {
	VEC(char *) at;
	uint64_t n_added;        /* lines that were added, those that are gone too */
	char *path;              /* NULL: not kept */
};

/* False: there is one that can't be read, or is no file; then this one stays in memory, too. */
bool history_load(struct history *h, struct err *err);
/* Adds, and writes the file anew: what other processes added meanwhile stays in it. */
void history_add(struct history *h, const char *line);
/*
 * The newest older (direction -1) or oldest newer (1) entry than `from` that begins with prefix;
 * SIZE_MAX: none.
 */
size_t history_find(const struct history *h, const char *prefix, size_t from, int direction);
void history_release(struct history *h);

#endif
