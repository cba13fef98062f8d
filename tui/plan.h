#ifndef TUI_PLAN_H
#define TUI_PLAN_H

#include <stdbool.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/str.h"
#include "tui/arrangement.h"

/*
 * A layout as text, "list:60/(detail|runs)": "/" above, "|" left of, a number is the percentage of
 * what the parts of the same "/" or "|" share, parentheses nest, and stand where both signs meet. A
 * pane is "list" (the main one, as it is), "detail" (what its row is about), or the command it
 * opens with, in quotes if there is more to it than letters, digits and _ . -.
 */
struct plan {
	struct arrangement arrangement;          /* pane k is the k-th in the text */
	const char *pane[MAX_PANES];
	int n_panes;
};

#define PLAN_LIST "list"
#define PLAN_DETAIL "detail"
#define PLAN_RUNS "runs"                 /* of a recorded program: its steps */

/* ERR_SYNTAX: off is the column from 0, msg says it too, from 1. Everything in mem. */
bool plan_parse(const char *text, struct arena *mem, struct plan *out, struct err *err);
void plan_put(const struct arrangement *arrangement, const char *const pane[MAX_PANES],
              struct str *out);

/* Letters, digits and _ . -, beginning with none of the last two. */
bool plan_is_name(const char *name);

#endif
