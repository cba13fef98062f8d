#ifndef CMDS_DIFF_H
#define CMDS_DIFF_H

#include "cmds/tensor/request.h"
#include "dump/model/divergence.h"
#include "dump/model/run_diff.h"

/* What `diff` is made of. */

/* The run that the current one is held against. */
struct other_run {
	struct run *run;         /* lives as long as the answer */
	const char *name;        /* as heads have it: the name of its directory */
	const char *word;        /* that finds it again: "diff WORD" */
};

/*
 * By position, name, the beginning of just one name, or path (a word with a slash); NULL: the run
 * before. False: the answer says why. other_run_is: would this word find one?
 */
bool other_run_open(struct call *call, const char *word, struct other_run *out);
/* The name of the current run, as heads have it; in doc_mem(call->out). */
const char *this_run_name(struct call *call);

struct diff_list;

/* How the tensors of pairs are told: those of runs, or of steps of a recorded program. */
struct diff_kind {
	void (*put_name)(const struct diff_list *list, const struct diff_pair *pair,
	                 struct str *out);       /* node:slot */
	int (*compare_names)(const struct diff_list *list, const struct diff_pair *x,
	                     const struct diff_pair *y);
	uint64_t (*dump)(const struct diff_list *list, const struct diff_pair *pair);
	/* Texts; NULL: there is none. */
	const char *(*device)(const struct diff_list *list, const struct diff_pair *pair);
	const char *(*debug_op)(const struct diff_list *list, const struct diff_pair *pair);
	const char *(*graph)(const struct diff_list *list, const struct diff_pair *pair);
	/* What is known without values; nothing: the other one has it alone. NULL: never asked. */
	void (*put_health)(const struct diff_list *list, const struct diff_pair *pair, bool old,
	                   struct str *out);
	/* What Enter runs. */
	void (*put_command)(const struct diff_list *list, const struct diff_pair *pair,
	                    struct str *out);
	const char *const *statuses;     /* their names */
	bool of_program;
};

/* Two runs, or two steps: the table and what is told of it. */
struct diff_list {
	struct run_diff *diff;
	const struct diff_kind *kind;
	void *owner;                     /* the kind's */
	struct divergences divergences;
	struct tolerance tolerance;
	struct other_run old;
	const char *new_name;
	const char *note;                /* a line of the head; NULL: none */
	uint64_t n_by_health;
	VEC(uint32_t) rows;              /* positions in diff->pairs */
	struct table *table;
	bool with_debug_op, with_device; /* tensors are told apart by it */
};

/*
 * Takes diff over; the document has the list. Rows are those of `rows`, in their order; measure
 * comes last. In a width (0: none) that can't hold the table the columns that say the same of all
 * rows go, then names are cut.
 */
struct diff_list *diff_list_new(struct doc *doc, struct run_diff *diff);
/*
 * The same of another kind. Columns of values don't show where there are none, nor those of health
 * where values say more: n_by_health of the pairs were held against each other without values.
 */
struct diff_list *diff_list_of(struct doc *doc, struct run_diff *diff, const struct diff_kind *kind,
                               void *owner, uint64_t n_by_health);
/* A key that has a heading; -1: it is none. */
int diff_column_of(const char *word, bool of_program);
void diff_list_sort(struct diff_list *list, int column, bool reverse);
void diff_list_measure(struct diff_list *list, int width);
/* The headings link to base and the sorting by their column; column -1: it is by time. */
void diff_list_put(struct call *call, struct diff_list *list, const char *base, int column,
                   bool reverse);

/* What columns that were left out say of all rows; nothing if all show. */
void diff_list_put_common(const struct diff_list *list, struct doc *doc);
/* "First bad: ...", if there is one, "First divergence: ..." */
void diff_put_first(const struct diff_list *list, struct doc *doc);
/* The key "summary": of all tensors, listed or not. */
void diff_put_summary(struct diff_list *list, struct data *data);

/* Of one pair: its name, */
void diff_put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out);
/* and the keys status, tensor, debug_op, dump and device of the one at this position. */
void diff_put_source(struct diff_list *list, uint32_t pair, struct data *data);

/* Of what was measured: digits, of floats four. */
void put_max_abs(struct str *out, const struct compared *compared);

/* The index of an element in an array, as text "[2,0,1]". */
struct elem_index {
	uint32_t rank;
	int64_t at[SHAPE_MAX_RANK];
};
void elem_index_of(struct elem_index *index, uint64_t number, uint32_t rank, const int64_t *dim);
void put_elem_index(struct str *out, const struct elem_index *index);

/*
 * The keys n_diff to max_ulps into an open object. first: of the first that differs. compared NULL:
 * null for each.
 */
void put_compared(struct data *data, const struct compared *compared,
                  const struct elem_index *first);

/* The answer is that a file can't be read, or call->err a cancel. Returns false. */
bool diff_put_unreadable(struct call *call, const struct err *err);

/* What heads call the two. */
struct diff_names {
	const char *now, *before;
};

/* One tensor and what it was in the other run, or step. */
struct diff_options {
	struct tolerance tolerance;
	const struct opt_value *column;          /* as typed */
};
/* Which rows a list has, in which order, and the rest of the answer. column -1: by time. */
struct diff_rows {
	const char *node_regex;  /* NULL or "": all */
	bool all;                /* those that are the same too */
	int column;
	bool reverse;
};
bool diff_list_answer(struct call *call, struct diff_list *list, const struct diff_rows *rows);

/* Steps of a recorded program: the step in the other one's place, NULL: the one before. */
struct step_words {
	struct tensor_words tensor;      /* without a word and --trace: all tensors */
	const char *step;
};
bool diff_steps(struct call *call, const struct step_words *words,
                const struct diff_options *options, const struct diff_rows *rows, bool *differs);
/*
 * Takes now over; before may be NULL, and lives as long as the answer. False: the answer says why
 * not. *differs: whether anything does.
 */
bool diff_tensor(struct call *call, const struct request *req, struct value *now,
                 struct value *before, const struct diff_names *names,
                 const struct diff_options *options, bool *differs);

#endif
