#ifndef CMDS_AXES_H
#define CMDS_AXES_H

#include "cmds/array/slice.h"
#include "cmds/doc/call.h"
#include "dump/model/value.h"

/*
 * Rows and columns of an array of any rank: the slice is applied, two of the remaining axes become
 * rows and columns, and each other axis is fixed at one index. Axes are numbered as in the array as
 * it was dumped.
 */
struct axes {
	struct shape shape;                      /* of the array */
	struct slice_axis axis[SHAPE_MAX_RANK];  /* dropped: fixed at index `first` */
	int64_t count[SHAPE_MAX_RANK];           /* entries of an axis that is not dropped */
	uint32_t shown[2];                       /* axes of rows and of columns */
	uint32_t n_shown;                        /* 0: a single element, 1: rows only */
	uint32_t step;                           /* the axis to step along; the rank: none */
};

/* The option rows of commands that take axes, and the words given for them. */
#define AXES_OPT \
	{ OPT_WORD, "a", "axes", "the axes of rows and of columns, from 0: 0,2 (the last two)" }
#define INDEX_OPT \
	{ OPT_WORD, "i", "index", "indices on the other axes, in their order: 3,0 (all 0)" }
#define AXES_STEP_OPT \
	{ OPT_INT, "x", "step", \
	  "the axis that the keys ( and ) step along (the first that stands at an index)" }
struct axes_options {
	const char *axes, *index;        /* NULL: not given */
	const struct opt_value *step;
};

/*
 * *view is the slice of an array, and becomes the axes that are shown, in their order. False: the
 * answer says why.
 */
bool axes_choose(struct call *call, const struct axes_options *said, const char *slice,
                 struct view *view, struct axes *out);
/* Axes of a view of rank 2, numbered by `axis`; dropped: there is no such axis. */
struct axes axes_of_two(const struct view *view, const struct slice_axis axis[2]);
bool axes_is_shown(const struct axes *axes, uint32_t axis);

/* The keys of grids and pictures; axes_change does what a key of axes does. False with why. */
extern const struct doc_keys drawn_keys;
bool axes_change(struct axes *axes, const struct doc_at *at, struct str *why);

/* "  axes [3/8] rows cols"; if several are fixed, the one to step along is marked. */
void axes_put_head(const struct axes *axes, struct doc *doc);
/* "[3, :, 0:6:2]", without ends that are those of the array; "" for rank 0. */
void axes_put_slice(const struct axes *axes, struct str *out);

/* The number of slices, the one that is shown, and going to another. */
uint64_t axes_slices(const struct axes *axes);
uint64_t axes_slice(const struct axes *axes);
void axes_go_slice(struct axes *axes, uint64_t slice);

/*
 * Changes args to a command line for these axes: the slice goes to the tensor's name, the other
 * options are given only where needed. axes_arg: the index of AXES_OPT in the command's options,
 * where INDEX_OPT and AXES_STEP_OPT follow it. Words are in mem.
 */
void axes_to_args(const struct axes *axes, const char *tensor, size_t axes_arg, struct arena *mem,
                  struct args *args);

#endif
