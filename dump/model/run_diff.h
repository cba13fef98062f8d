#ifndef DUMP_RUN_DIFF_H
#define DUMP_RUN_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/vec.h"
#include "dump/model/compare.h"
#include "dump/model/pairing.h"
#include "dump/model/run.h"

/*
 * What two runs dumped, tensor by tensor; two steps of a recorded program are told the same way, by
 * who pairs their tensors (then there are no runs). A tensor of one is a tensor of the other if
 * device, node, slot, debug op and number are the same; arrays of files are paired by names
 * (dump/model/pairing.h).
 *   X(id, name)
 */
#define DIFF_STATUSES(X) \
	X(SAME, "same") \
	X(CHANGED, "changed")        /* elements differ, or what stands where no array is */ \
	X(SHAPE, "shape") \
	X(DTYPE, "dtype")            /* another type; the shape may differ too */ \
	X(ADDED, "added")            /* only the new run has it */ \
	X(GONE, "gone")              /* only the old run has it */ \
	/* a file of both can't be read, or what may hold it in the other run */ \
	X(UNREADABLE, "unreadable")

enum diff_status {
#define X(id, name) DIFF_##id,
	DIFF_STATUSES(X)
#undef X
	N_DIFF_STATUSES
};
extern const char *const diff_status_names[N_DIFF_STATUSES];

/* What a file says of itself: 24 bytes and the dimensions. */
struct tensor_form {
	const struct dtype_info *type;
	uint32_t rank;
	int64_t dim[];
};

#define DIFF_NONE UINT32_MAX

struct diff_pair {
	uint32_t now, before;            /* positions in the runs' tensors; DIFF_NONE: not there */
	enum diff_status status;
	const struct tensor_form *form, *old_form;       /* NULL: not there, or not readable */
	/*
	 * Of arrays of one type and shape, else NULL. Of equal ones only n_diff, 0, means anything.
	 */
	const struct compared *compared;
	bool turned;             /* the shapes are, axis by axis, in another order */
	bool by_numbers;         /* of one no element was kept: their summaries are compared */
};

struct run_diff {
	struct run *now, *before;        /* borrowed */
	VEC(struct diff_pair) pairs; /* in the new run's time order, gone ones last in the old's */
	uint64_t count[N_DIFF_STATUSES];
	bool of_arrays;                  /* one of the two, or both: names alone pair them */
	uint64_t n_left_out;             /* tensors that are in no pair, as the map says */
	uint64_t n_turned;               /* pairs with `turned` */
	uint64_t n_by_numbers;           /* pairs with `by_numbers` */
	VEC(struct err) problems;        /* files that can't be read; after a hundred: none */
	struct arena mem;
};

/*
 * Pairs and compares everything; pairing may be NULL. NULL with ERR_CANCELLED after a cancel;
 * whatever a file does is a status. Progress is in tensors. Linear in the tensors and the bytes of
 * what is in both.
 */
struct run_diff *run_diff_new(struct run *now, struct run *before,
                              const struct tolerance *tolerance, const struct pairing *pairing,
                              struct progress *progress, struct err *err);
void run_diff_free(struct run_diff *diff);

/*
 * Compares the values of a pair and counts it; readable false: one of them can't be read, which
 * run_diff_problem was told. False after a cancel.
 */
bool run_diff_settle(struct run_diff *diff, struct diff_pair *pair, struct value *now,
                     struct value *before, bool readable, const struct tolerance *tolerance,
                     bool transpose, struct progress *progress);
void run_diff_problem(struct run_diff *diff, const struct err *err);

/* Only which tensor of `before` is that of `now`; DIFF_NONE: there is none. */
uint32_t run_diff_partner(const struct run *now, uint32_t at, const struct run *before,
                          const struct pairing *pairing);

/* May it be in a file or directory of the run that lacks it, which can't be read? */
bool run_diff_is_hidden(const struct run *lacks, const struct run *has, const struct tensor *t);

/*
 * Compares two opened values; NULL for one that isn't there. transpose: also arrays whose shapes
 * are turned. Fills all but the positions.
 */
bool diff_values(struct value *now, struct value *before, const struct tolerance *tolerance,
                 bool transpose, struct arena *mem, struct diff_pair *out,
                 struct progress *progress, struct err *err);

#endif
