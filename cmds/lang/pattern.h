#ifndef CMDS_PATTERN_H
#define CMDS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * Regular expressions as Python's re has them, by PCRE2, with limits: no pattern hangs the program.
 * One pattern serves one thread.
 */
struct pattern;

enum pattern_use { PATTERN_MATCH /* re.match: from the start */, PATTERN_SEARCH /* anywhere */ };

/*
 * ERR_REGEX with Python's wording where there is one (msg) and the offset in the pattern.
 * ignore_case: for searches.
 */
struct pattern *pattern_new(const char *text, enum pattern_use use, bool ignore_case,
                            struct err *err);
void pattern_free(struct pattern *pattern);

/*
 * Does it match? From text[from] on for searches; *begin and *end (may be NULL) get the hit. When a
 * limit was reached the answer is false and pattern_gave_up() stays true from then on: stop and say
 * so.
 */
bool pattern_hits(struct pattern *pattern, const char *text, size_t len, size_t from,
                  size_t *begin, size_t *end);
bool pattern_gave_up(const struct pattern *pattern);
/*
 * ERR_LIMIT with what to do about a pattern that gave up, on this text (NULL: on one of many).
 * False, always.
 */
bool pattern_too_long(const char *text, struct err *err);
/* As pattern_hits from the start; that it gave up is told, unless *err has an error already. */
bool pattern_fits(struct pattern *pattern, const char *text, size_t len, struct err *err);

/* What stands for anything but itself in a pattern, and a text that matches only itself. */
#define PATTERN_SPECIAL "\\^$.|?*+()[]{}"
void pattern_put_literal(struct str *out, const char *text);

#endif
