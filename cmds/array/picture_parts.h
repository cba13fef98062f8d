#ifndef CMDS_PICTURE_PARTS_H
#define CMDS_PICTURE_PARTS_H

#include "cmds/array/picture.h"

/* What the files of the picture share. */

/* The worst element of a bucket, in this order. */
enum bad { BAD_NONE, BAD_NEG_INF, BAD_POS_INF, BAD_NAN };
extern const char *const picture_bad_glyphs[];

struct bucket {
	double value; /* sum, largest or count, by the kind; after the pass what the rule says */
	uint64_t n_finite;
	enum bad bad;
};

/* Glyphs from low to high. */
struct ramp {
	int n;
	const char *glyph[10];
};

/*
 * How the elements along one side are shared out: to `n` buckets of `each`, the last of which may
 * have fewer; or, evenly, of `each` or one less.
 */
struct side {
	uint64_t elems, each;
	uint32_t n;
	bool even;
	uint32_t stretch;        /* so many glyphs, or halves of glyphs, for a bucket */
};
uint64_t side_begin(const struct side *side, uint32_t bucket);   /* its first; of n: elems */

struct picture {
	struct body body;
	struct picture_style style;
	const struct ramp *ramp;
	struct side rows, columns;       /* of a histogram the columns are bins */
	struct scale scale;
	uint64_t n_bad[4];               /* buckets by enum bad */
	struct bucket *bucket;           /* rows.n * columns.n */
	/* of the next element: its place, and the bucket it goes to */
	uint64_t next_row, next_column;
	uint32_t row_bucket, column_bucket;
};

extern const char *const picture_rules[];
double picture_highest_bin(const struct picture *p);
double picture_bin_width(const struct picture *p);
/* Lines that the legend has, if it is about all kinds of bad elements that there are. */
int picture_legend_rows(struct picture *p, const struct survey *survey);

uint64_t picture_rows(struct body *body);        /* lines of it */
bool picture_line(struct body *body, uint64_t row, int width, struct line *line, struct err *err);

/* Its cursor is a bucket (cmds/array/picture_stage.c). */
extern const struct stage_kind picture_stage;

#endif
