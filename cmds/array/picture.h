#ifndef CMDS_PICTURE_H
#define CMDS_PICTURE_H

#include "cmds/array/scale.h"
#include "cmds/array/survey.h"
#include "cmds/doc/data.h"
#include "cmds/doc/doc.h"
#include "dump/model/value.h"

/*
 * Pictures of arrays in text. A glyph stands for a bucket of elements, by the rule that the legend
 * names, and every element is read. NaN and infinities enter no bucket's value: they have a glyph
 * of their own, or are counted beside the picture.
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
	uint32_t legend_width;   /* where lines of the legend are broken; 0: nowhere */
	uint32_t rows;           /* of glyphs, at most; 0: what it takes, up to PICTURE_ROWS */
	uint64_t bucket_rows, bucket_columns;    /* elements in a bucket; 0: as many as fit */
	/* Of the glyphs, its ends still to be found; log: the height of a histogram's bins. */
	struct scale scale;
	bool blocks;             /* UTF-8 blocks instead of ASCII */
	bool halves;             /* heat maps: two buckets, one above the other, share a glyph */
};
#define PICTURE_ROWS 20

/*
 * Makes the picture in one pass over the view, whose survey is given. Of more than two axes all but
 * the last one are taken as rows. NULL after a cancel or if the value can't be read. Only for types
 * that number_has.
 */
struct body *picture_body(struct view *view, const struct survey *survey,
                          const struct picture_style *style, struct progress *progress,
                          struct err *err);

/* Elements in a bucket, as it was made; false: it has none but bins. */
bool picture_bucket(struct body *picture, uint64_t *rows, uint64_t *columns);

/* The lines that tell what the glyphs mean. */
void picture_put_legend(struct body *picture, struct doc *doc);

/*
 * The keys kind, rule, cell (elements of a bucket: rows, columns), low, high (of the scale), log,
 * percentiles, data (values of the buckets; null: no finite element), bad ("N", "^", "v" or null of
 * each), into an open object.
 */
void picture_put_data(struct body *picture, struct data *data);

#endif
