#ifndef CMDS_PICTURE_H
#define CMDS_PICTURE_H

#include "cmds/data.h"
#include "cmds/doc.h"
#include "cmds/survey.h"
#include "dump/value.h"

/*
 * Pictures of arrays in text: each glyph stands for a bucket of elements, by a rule that is told. Every element is looked
 * at. NaN and infinities are in no bucket's value; they are shown by a glyph of their own, or counted beside.
 *   X(id, name, rule)
 */
#define PICTURE_KINDS(X) \
	X(HEAT, "heat", "mean")              /* rows and columns, a cell of them a glyph */ \
	X(SPARK, "spark", "max abs")         /* one after the other, a run of them a glyph */ \
	X(HIST, "hist", "count")             /* by their value, a bin a column */

enum picture_kind {
#define X(id, name, rule) PICTURE_##id,
	PICTURE_KINDS(X)
#undef X
	N_PICTURE_KINDS
};

extern const char *const picture_names[N_PICTURE_KINDS];

struct picture_style {
	enum picture_kind kind;
	uint32_t width;          /* glyphs across, at least 1 */
	bool log;                /* the scale of the glyphs, or the height of the bins */
	bool blocks;             /* UTF-8 blocks instead of ASCII */
};

/*
 * Makes the picture in one pass over the view, whose survey is given. Of more than two axes all but the last one are
 * taken as rows. NULL after a cancel or if the value can't be read. Only for types that number_has.
 */
struct body *picture_body(struct view *view, const struct survey *survey, const struct picture_style *style,
                          struct progress *progress, struct err *err);

/* The lines that tell what the glyphs mean. */
void picture_put_legend(struct body *picture, struct doc *doc);

/*
 * The keys kind, rule, cell (elements of a bucket: rows, columns), low, high (of the scale), log, data (values of the
 * buckets; null: no finite element), bad ("N", "^", "v" or null of each), into an open object.
 */
void picture_put_data(struct body *picture, struct data *data);

#endif
