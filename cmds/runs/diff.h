#ifndef CMDS_DIFF_H
#define CMDS_DIFF_H

#include "cmds/session/session.h"
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

/*
 * The columns of the table, which are the keys of its rows too.
 *   X(id, key, heading, sort, align)
 */
#define DIFF_COLUMNS(X) \
	X(STATUS, "status", "Status", TEXT, LEFT) \
	X(TENSOR, "tensor", "Tensor name", TEXT, LEFT) \
	X(DUMP, "dump", "Dump", NUMBER, RIGHT) \
	X(DTYPE, "dtype", "Dtype", TEXT, LEFT) \
	X(SHAPE, "shape", "Shape", TEXT, LEFT) \
	X(OLD_SHAPE, "old_shape", "Old shape", TEXT, LEFT) \
	X(N_DIFF, "n_diff", "Differ", NUMBER, RIGHT) \
	X(N_BAD, "n_bad", "Bad", NUMBER, RIGHT) \
	X(FIRST, "first", "First at", TEXT, LEFT) \
	X(MAX_ABS, "max_abs", "Max abs", NUMBER, RIGHT) \
	X(MAX_REL, "max_rel", "Max rel", NUMBER, RIGHT) \
	X(MAX_ULPS, "max_ulps", "Max ulps", NUMBER, RIGHT) \
	X(DEVICE, "device", "Device", TEXT, LEFT)

enum diff_column {
#define X(id, key, heading, sort, align) DIFF_COLUMN_##id,
	DIFF_COLUMNS(X)
#undef X
	N_DIFF_COLUMNS
};
extern const struct column diff_columns[N_DIFF_COLUMNS];

/* Two runs: the table and what is told of it. */
struct diff_list {
	struct body body;
	struct run_diff *diff;
	struct divergences divergences;
	struct tolerance tolerance;
	struct other_run old;
	const char *new_name;
	VEC(uint32_t) rows;              /* positions in diff->pairs */
	size_t width[N_DIFF_COLUMNS];
	bool shown[N_DIFF_COLUMNS];
	struct cut_names *names;         /* of tensors, where they are too long; NULL: they fit */
	bool with_debug_op, with_device; /* tensors are told apart by it */
};

/*
 * Takes diff over. Rows are those of `rows`, in their order; measure comes last. In a width (0: none)
 * that can't hold the table the columns that say the same of all rows go, then names are cut.
 */
struct diff_list *diff_list_new(struct run_diff *diff);
void diff_list_free(struct diff_list *list);
void diff_list_sort(struct diff_list *list, enum diff_column by, bool reverse);
void diff_list_measure(struct diff_list *list, int width);
void diff_list_headings(const struct diff_list *list, struct doc *doc, const char *base,
                        int by /* -1: time */, bool reverse);
/* A doc_put_data; context is the list. */
bool diff_list_put_data(void *list, struct data *data, struct progress *progress, struct err *err);

/* What columns that were left out say of all rows; nothing if all show. */
void diff_list_put_common(const struct diff_list *list, struct doc *doc);
/* "First bad: ...", if there is one, "First divergence: ..." */
void diff_list_put_first(const struct diff_list *list, struct doc *doc);

/* Figures as cells: "", digits, four digits of a float. */
void put_max_abs(struct str *out, const struct compared *compared);
void put_max_rel(struct str *out, const struct compared *compared);
void put_max_ulps(struct str *out, const struct compared *compared);

/* The index of an element in an array, as text "[2,0,1]" and typed. */
struct elem_index {
	uint32_t rank;
	int64_t at[SHAPE_MAX_RANK];
};
void elem_index_of(struct elem_index *index, uint64_t number, uint32_t rank, const int64_t *dim);
void put_elem_index(struct str *out, const struct elem_index *index);
void put_elem_index_data(struct data *data, const char *key, const struct elem_index *index);

/*
 * The keys n_diff to max_ulps into an open object. first: of the first that differs. compared NULL:
 * null for each.
 */
void put_compared(struct data *data, const struct compared *compared,
                  const struct elem_index *first);

/* One tensor and what it was in the other run. */
struct diff_options {
	struct tolerance tolerance;
	const struct opt_value *dump, *device, *column;  /* as typed */
};
/* False: the answer says why not. *differs: whether anything does. */
bool diff_tensor(struct call *call, const char *word, const struct other_run *old,
                 const struct diff_options *options, bool *differs);

#endif
