#ifndef CMDS_TFPROF_VIEW_H
#define CMDS_TFPROF_VIEW_H

#include "cmds/lang/pattern.h"
#include "cmds/profile/tfprof/tfprof_options.h"
#include "cmds/profile/tfprof/tfprof_tree.h"

/*
 * What one tfprof command shows: rows with their own figures and totals, those that the options
 * keep, in the order of the report. The op view has no tree: its rows are op types, and a total is
 * that of the row and all rows after it.
 */

/* Patterns of a list option; a text matches if one of them does, from end to end. */
struct tfprof_patterns {
	bool all;
	VEC(struct pattern *) at;
};

struct tfprof_shown {
	uint32_t row;
	uint32_t level;                  /* shown rows above it; the root of a tree is a row too */
};

/* A row of the op view: nodes[first .. first + n), sorted by name only where it matters. */
struct tfprof_op {
	uint32_t text;                   /* for tfprof_text() */
	uint32_t first, n;
};

struct tfprof_view {
	enum tfprof_kind kind;
	struct tfprof *tfprof;
	struct tfprof_options options;
	struct arena mem;
	struct tfprof_tree *tree;        /* NULL: op view */
	VEC(struct tfprof_op) ops;       /* op view: rows from 1 on; row 0 is the root */
	uint32_t *nodes;
	size_t n;                        /* rows */
	int64_t *total[TFPROF_N_FIGURES];        /* NULL: not needed */
	int64_t *own[TFPROF_N_FIGURES];  /* code and op; elsewhere NULL: the node has it */
	bool hides_negative[TFPROF_N_FIGURES];   /* a minimum of 0 hides negative totals */
	bool *accounted;                 /* by row */
	bool *kept;
	uint16_t *picks;                 /* code and op: by node, account_type patterns matched */
	VEC(struct tfprof_shown) shown;
	uint64_t n_incomplete;           /* look-ups of a shape with unknown parts */
	struct tfprof_patterns pattern[TFPROF_N_LISTS];
};

/* NULL with *err: a bad pattern, or a cancel. */
struct tfprof_view *tfprof_view_new(struct tfprof *tfprof, enum tfprof_kind kind,
                                    const struct tfprof_options *options, struct progress *progress,
                                    struct err *err);
void tfprof_view_free(struct tfprof_view *view);

int64_t tfprof_view_own(const struct tfprof_view *view, uint32_t row, enum tfprof_figure figure);
int64_t tfprof_view_total(const struct tfprof_view *view, uint32_t row, enum tfprof_figure figure);
/* The nodes of a code or op row, whether they count or not. */
const uint32_t *tfprof_view_nodes(const struct tfprof_view *view, uint32_t row, size_t *n);
/* How many of them count, each once. */
size_t tfprof_view_counted(const struct tfprof_view *view, uint32_t row);

/* Shared by the views. */
bool tfprof_matches(const struct tfprof_patterns *patterns, const char *text);
/* Compares the totals, then the name, with the options; depth is not checked. */
bool tfprof_passes(const struct tfprof_view *view, uint32_t row, const char *name);
void tfprof_sort(const struct tfprof_view *view, uint32_t *rows, size_t n);
const char *tfprof_view_name(const struct tfprof_view *view, uint32_t row);
void tfprof_show_tree(struct tfprof_view *view);
void tfprof_show_ops(struct tfprof_view *view);

#endif
