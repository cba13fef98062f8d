#ifndef CMDS_ARRAY_H
#define CMDS_ARRAY_H

#include "cmds/doc/doc.h"
#include "dump/model/value.h"

/*
 * repr() of a numpy array as a body: any line on demand, so that an array of 10^9 elements can be
 * paged through. Widths and formats are decided once, from the displayed elements; that reads the
 * whole array only if no element is left out.
 */
struct array_style {
	int width;               /* columns of a line; 0: numpy's 75 */
	bool all;                /* never leave elements out */
	/* Which elements are shown bold; NULL: none. */
	bool (*marked)(const void *ctx, const struct dtype_info *type, const void *elem);
	const void *ctx;         /* must live as long as the body */
};

/*
 * The body takes *value over, and copies *view, which must be a view of it. NULL with *err if the
 * value can't be read, or after a cancel. The notes of its lines are tfdbg's i0 and omitted
 * annotations.
 */
struct body *array_body(struct value *value, const struct view *view,
                        const struct array_style *style, struct progress *progress,
                        struct err *err);

/* The dtype and shape as numpy writes them: "float32", "(2, 3)". */
void put_shape(struct str *out, const struct shape *shape);
void put_shape_of_dims(struct str *out, const int64_t *dim, uint32_t rank);

#endif
