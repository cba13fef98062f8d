#ifndef CMDS_MEMORY_CHART_H
#define CMDS_MEMORY_CHART_H

#include "cmds/doc/doc.h"
#include "dump/profile/tensor_life.h"

/* Bytes of an allocator's tensors over a step; each column of the screen shows its maximum. */
struct memory_curve {
	const struct life_event *at;     /* by time */
	size_t n;
	int64_t begin_us, end_us;        /* of the step */
	int64_t peak;                    /* bytes, > 0 */
};

#define CHART_GUTTER 8                   /* columns left of the chart, for its scale */

size_t chart_columns(int width);
/* The column of a time, and the first time of a column. */
size_t chart_column(const struct memory_curve *curve, size_t columns, int64_t us);
int64_t chart_time(const struct memory_curve *curve, size_t columns, size_t column);

/* "  .:++##": the curve in one line, in five heights; fine: in nine, as blocks. */
void chart_put_strip(const struct memory_curve *curve, size_t columns, bool fine, struct str *out);

struct chart_look {
	int rows;
	bool fine;                       /* blocks: eight heights a row, else one */
};
/* The chart, from the peak down, then a line with a mark at at_us and `text` beside it. */
void chart_put(const struct memory_curve *curve, int width, const struct chart_look *look,
               int64_t at_us, const char *text, struct doc *doc);
/* Does it show one height only, but for where there is nothing? */
bool chart_is_flat(const struct memory_curve *curve, int width);
/* Below charts: from when to when they are, so many microseconds. */
void chart_put_axis(int64_t us, int width, struct doc *doc);

#endif
