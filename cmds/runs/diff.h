#ifndef CMDS_DIFF_H
#define CMDS_DIFF_H

#include "cmds/tensor/request.h"
#include "dump/model/divergence.h"
#include "dump/model/run_diff.h"

/* The parts of `diff`. */

/* The run that the current one is compared with. */
struct other_run {
	struct run *run;         /* lives as long as the answer */
	const char *name;        /* for headings: the name of its directory */
	const char *word;        /* finds it again: "diff WORD" */
};

/*
 * Finds a run by position, name, a prefix that only one name has, or path (a word with a slash, or
 * one that is no run's but a file's); word NULL: what was held against last, else the run before
 * the current one. Of a path with steps it is the one of the same number. An archive stays open as
 * long as what PATH opened. False: the answer says why; if it is the path of --diff, the exit
 * status is that of a PATH that can't be opened.
 */
bool other_run_open(struct call *call, const char *word, struct other_run *out);
/* The name of the current run for headings; in doc_mem(call->out). */
const char *this_run_name(struct call *call);

struct diff_list;

/* What differs between tensors of runs and of steps of a recorded program. */
struct diff_kind {
	void (*put_name)(const struct diff_list *list, const struct diff_pair *pair,
	                 struct str *out);       /* node:slot */
	int (*compare_names)(const struct diff_list *list, const struct diff_pair *x,
	                     const struct diff_pair *y);
	uint64_t (*dump)(const struct diff_list *list, const struct diff_pair *pair);
	/* These return NULL if the tensor has none. */
	const char *(*device)(const struct diff_list *list, const struct diff_pair *pair);
	const char *(*debug_op)(const struct diff_list *list, const struct diff_pair *pair);
	const char *(*graph)(const struct diff_list *list, const struct diff_pair *pair);
	/* Puts what is known without values, nothing if this side lacks the tensor. May be NULL. */
	void (*put_health)(const struct diff_list *list, const struct diff_pair *pair, bool old,
	                   struct str *out);
	/* The command that Enter runs. */
	void (*put_command)(const struct diff_list *list, const struct diff_pair *pair,
	                    struct str *out);
	const char *const *statuses;     /* their names */
	bool of_program;
};

/* The differences of two runs, or of two steps, as a table with headings and a summary. */
struct diff_list {
	struct run_diff *diff;
	const struct diff_kind *kind;
	void *owner;                     /* the kind's */
	struct divergences divergences;
	struct tolerance tolerance;
	struct other_run old;
	const char *how;                 /* options of `diff` about pairs, for its links; or "" */
	bool transposed;                 /* turned shapes were compared */
	const char *new_name;
	const char *note;                /* a line of the head; NULL: none */
	uint64_t n_by_health;
	VEC(uint32_t) rows;              /* positions in diff->pairs */
	struct table *table;
	bool with_debug_op, with_device; /* shown, as it tells tensors apart */
};

/*
 * Takes diff over; the document owns the list. Its table is of the pairs in `rows`; call measure
 * when it is arranged. If the table is too wide for `width` (0: no limit), columns with
 * the same value in all rows are left out, then names are cut.
 */
struct diff_list *diff_list_new(struct doc *doc, struct run_diff *diff);
/*
 * The same for another kind. n_by_health pairs were compared by health, without values. Columns
 * about values are left out if no pair has any, columns about health if all do.
 */
struct diff_list *diff_list_of(struct doc *doc, struct run_diff *diff, const struct diff_kind *kind,
                               void *owner, uint64_t n_by_health);
bool diff_can_sort(struct call *call);   /* as table_can_sort */
void diff_list_measure(struct diff_list *list, int width);
/* Headings link to base with their column to sort by. */
void diff_list_put(struct call *call, struct diff_list *list, const char *base);

/* Puts what the left-out columns say of all rows; nothing if no column was. */
void diff_list_put_common(const struct diff_list *list, struct doc *doc);
/* "First bad: ..." if there is one, and "First divergence: ..." */
void diff_put_first(const struct diff_list *list, struct doc *doc);
/* The key "summary", about all tensors, listed or not. */
void diff_put_summary(struct diff_list *list, struct data *data);

/* The name of a pair. */
void diff_put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out);
/* The keys status, tensor, debug_op, dump and device of the pair at this position. */
void diff_put_source(struct diff_list *list, uint32_t pair, struct data *data);

/* The largest absolute difference; for floats with four digits. */
void put_max_abs(struct str *out, const struct compared *compared);

/* The index of an element in an array, as text "[2,0,1]". */
struct elem_index {
	uint32_t rank;
	int64_t at[SHAPE_MAX_RANK];
};
void elem_index_of(struct elem_index *index, uint64_t number, uint32_t rank, const int64_t *dim);
void put_elem_index(struct str *out, const struct elem_index *index);

/*
 * The keys n_diff to max_ulps, into an open object. first: the first element that differs. compared
 * NULL: all are null.
 */
void put_compared(struct data *data, const struct compared *compared,
                  const struct elem_index *first);

/* Answers that a file can't be read; after a cancel sets call->err instead. Returns false. */
bool diff_put_unreadable(struct call *call, const struct err *err);

/* What headings call the two. */
struct diff_names {
	const char *now, *before;
};

/* What was found out, for the exit status. */
struct diff_found {
	bool differs;
	bool unjudged;           /* something could not be compared, or there is nothing */
};

/* Options for comparing one tensor with what it was in the other run or step. */
struct diff_options {
	struct tolerance tolerance;
	bool transpose;          /* also an array whose shape is turned */
	const struct opt_value *column;          /* as typed */
};
/* Which rows a list has. */
struct diff_rows {
	const char *node_regex;  /* NULL or "": all */
	bool all;                /* also those that are the same */
};
bool diff_list_answer(struct call *call, struct diff_list *list, const struct diff_rows *rows);

/* Two steps of a recorded program. step: to compare with; NULL: the one before. */
struct step_words {
	struct tensor_words tensor;      /* without a word and --trace: all tensors */
	const char *step;
};
bool diff_steps(struct call *call, const struct step_words *words,
                const struct diff_options *options, const struct diff_rows *rows,
                struct diff_found *found);
/*
 * Compares one tensor. Takes `now` over; `before` may be NULL and lives as long as the answer.
 * False: the answer says why not.
 */
bool diff_tensor(struct call *call, const struct request *req, struct value *now,
                 struct value *before, const struct diff_names *names,
                 const struct diff_options *options, struct diff_found *found);

#endif
