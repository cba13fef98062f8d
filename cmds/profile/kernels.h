#ifndef CMDS_KERNELS_H
#define CMDS_KERNELS_H

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/profile/kernel_table.h"
#include "cmds/session/steps.h"

/* Shared by the parts of the command `kernels`: what was asked for, and how names are shown. */

enum name_form { NAMES_SHORT, NAMES_FULL, NAMES_RAW };

struct kernels {
	struct kernel_query query;
	struct step_choice steps;
	struct step_activities acts;
	struct node_lines *lines;
	struct node_flops *flops;        /* NULL: not asked for, or of a trace */
	bool has_flops;
	struct nan_counts *nans;         /* NULL: no dump is open, or its tensors were not asked */
	struct kernel_table *table;
	struct interval total;
	enum name_form names;
	enum figure_unit unit;
	const char *sort;                /* the word of --sort_by */
	const char *columns;             /* words of --columns; NULL: none */
	const struct table *shown;       /* the rows of `table` that are shown */
	struct profile *profile;         /* the open one, or: */
	struct profile *narrowed;        /* what one worker told of it; NULL: it is the open one */
	struct args args;                /* as asked, in the document's memory */
	bool has_ps_of_profile;          /* ps is the profile's (cmds/session/session.h) */
	bool on_screen;
	bool fine, modern;               /* bars are blocks; they grow with the pane */
	const char **known;              /* devices, for short names */
	size_t n_known;
};

/* "GPU kernels", "host times" */
const char *kernels_what(enum universe universe);
/* "kernels: GPU kernels by type" */
void kernels_put_what(struct str *out, const struct kernel_table *table, bool on_screen);

/* The name of a row as the table shows it. */
void put_row_name(struct str *out, const struct kernels *k, const struct kernel_row *row);
/* As put_short_device; of several workers all of the name, so that it says whose it is. */
void kernels_put_device(struct str *out, const struct kernels *k, const char *device,
                        const char *const *devices, size_t n);
/* As step_activities_of, of k->profile. */
bool kernels_read_activities(struct call *call, const struct kernels *k,
                             const struct step_choice *steps, struct step_activities *out);
/* Are names of this group cut at their start? */
bool group_cuts_start(enum kernel_group group);

/* What the answers can be sorted by, and which columns they have: by --sort_by and --columns. */
struct kernels_columns {
	const struct col *at;
	size_t n;
};
#define KERNELS_COLUMNS(cols) { (cols), sizeof (cols) / sizeof *(cols) }
extern const struct kernels_columns columns_of_kernels, columns_of_records,
	columns_of_trace, columns_of_diff;
extern const struct table_sorts kernel_sorts;    /* of the table */
/* Is a column asked for, by its word or key, or the rows sorted by its key? */
bool kernels_asks(const struct kernels *kernels, const char *word, const char *key);

/* The table, as text and typed data; the words of columns that are shown only by --columns. */
extern const char *const kernel_column_words[];
void kernels_put_table(struct call *call, struct kernels *kernels);
/* "note: ..." for each warning of the document from the first on, below an empty line. */
void kernels_put_notes(struct doc *doc, size_t first);

/*
 * The command lines of keys and links (kernels_keys.c). Drilling goes from types and scopes to
 * their nodes, from nodes to their kernels, from everything else to its records; it puts nothing
 * if no command line can say that.
 */
void kernels_bring_keys(struct call *call, struct kernels *kernels);
/* ", --op_type_filter ^Conv2D$" */
void kernels_put_filters(const struct kernels *kernels, struct str *out);
void kernels_put_drill(const struct kernels *kernels, const struct kernel_row *row,
                       struct str *out);

/* --of NAME: the records behind a row; column: "host", "kernel" or "copy", NULL for all. */
void kernels_put_records(struct call *call, struct kernels *kernels, const char *name,
                         const char *column);

/* The longest of a trace while it is read; may be NULL. */
struct doc *kernels_so_far(const struct shell *shell);

/* --records: all records of a trace. */
void kernels_put_trace(struct call *call, struct kernels *kernels);
/* What was wrong with its file; NULL: nothing. */
void kernels_put_trace_warnings(struct doc *doc, const struct trace *trace);
/* The same, said beside an answer that has no notes. */
void kernels_warn_of_trace(struct call *call);

/* --diff OTHER: the same of another file, directory or step, row by row. */
void kernels_put_diff(struct call *call, struct kernels *kernels, const char *other);

#endif
