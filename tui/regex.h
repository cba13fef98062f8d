#ifndef TUI_REGEX_H
#define TUI_REGEX_H

#include "cmds/lang/pattern.h"
#include "dump/base/err.h"

/* Patterns as they are typed to search or to filter: found anywhere in a row. */
enum regex_case {
	REGEX_SMART,             /* a capital letter makes it heed case */
	REGEX_HEED, REGEX_IGNORE,
	N_REGEX_CASES
};

/* \c (ignore case) and \C (heed it) in the text go before `how`. ERR_REGEX as pattern_new. */
struct pattern *regex_new(const char *text, enum regex_case how, struct err *err);

#endif
