#ifndef CMDS_PYTHON_RE_H
#define CMDS_PYTHON_RE_H

#include <stdbool.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * What a pattern switches on for the whole of itself: (?i), (?m), (?s), (?a). (?x) is already
 * applied.
 */
struct re_flags {
	bool ignore_case, multi_line, dot_all, ascii;
};

/*
 * Rewrites a pattern of Python's re (str patterns, 3.11) as one that PCRE2 takes in the same sense,
 * and finds what Python would refuse. text is UTF-8. Names of groups become numbers. ERR_REGEX: msg
 * is Python's, err->off the byte it points at. Flags for the whole pattern may stand anywhere, as
 * before 3.11. Refused: \N{...}, (?L).
 */
bool python_re_rewrite(const char *text, struct str *out, struct re_flags *flags, struct err *err);

#endif
