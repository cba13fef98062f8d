#ifndef CMDS_PICTURE_H
#define CMDS_PICTURE_H

#include "cmds/array/scale.h"
#include "cmds/array/survey.h"
#include "cmds/doc/data.h"
#include "cmds/doc/doc.h"
#include "dump/model/value.h"

/*
 * Pictures of arrays in text. A glyph stands for a bucket of elements, by the rule that the legend
 * names; every element is read. NaN and infinities do not enter a bucket's value: they have glyphs
 * of their own, or are counted beside the picture.
 *   X(id, name, rule)
 */
#define PICTURE_KINDS(X) \
	X(HEAT, "heat", "mean")              /* rows and columns; a glyph is a block of them */ \
	X(SPARK, "spark", "max abs")         /* in order; a glyph is some in a row */ \
	X(HIST, "hist", "count")             /* by value; a column is a bin */

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
	uint32_t legend_width;   /* where the legend's lines are wrapped; 0: not */
	uint32_t rows;           /* of glyphs, at most; 0: as needed, up to PICTURE_ROWS */
	/*
	 * Picture and legend fill so many rows, and all columns, of a pane; one walks from bucket
	 * to bucket. 0: that is not wanted. `rows` is a guess then.
	 */
	uint32_t pane_rows;
	uint64_t bucket_rows, bucket_columns;    /* elements in a bucket; 0: as many as fit */
	/* For the glyphs, ends not set yet; log of a histogram is about the height of bins. */
	struct scale scale;
	bool blocks;             /* UTF-8 blocks instead of ASCII */
	bool halves;             /* heat maps: a glyph shows two buckets, one above the other */
};
#define PICTURE_ROWS 20

/*
 * Makes the picture in one pass over the view, whose survey is given. If there are more than two
 * axes, all but the last count as rows. NULL with *err after a cancel or if the value can't be
 * read. Only for types that number_has.
 */
struct body *picture_body(struct view *view, const struct survey *survey,
                          const struct picture_style *style, struct progress *progress,
                          struct err *err);

/* The size of a bucket in elements; false: it has bins instead. */
bool picture_bucket(struct body *picture, uint64_t *rows, uint64_t *columns);

/* Can one go from bucket to bucket, to the left and right? */
bool picture_walks(struct body *picture);

/* The lines that explain the glyphs. */
void picture_put_legend(struct body *picture, struct doc *doc);

/*
 * The keys kind, rule, cell (elements of a bucket: rows, columns), low, high (of the scale), log,
 * percentiles, data (values of the buckets; null: no finite element), bad ("N", "^", "v" or null of
 * each), into an open object.
 */
void picture_put_data(struct body *picture, struct data *data);

#endif
