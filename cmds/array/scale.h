#ifndef CMDS_SCALE_H
#define CMDS_SCALE_H

#include "cmds/array/survey.h"
#include "cmds/doc/call.h"
#include "cmds/doc/doc.h"

/*
 * Where a number lies between the ends of a range, and in which steps that is coloured. With 0
 * between the ends colours are about 0: both signs are as far from the middle as they are from 0.
 */
#define COLOURS(X) \
	X(NONE, "none") \
	X(HEAT, "heat")      /* dark to bright; with signs: two colours, pale in the middle */ \
	X(GRAY, "gray")

enum colours {
#define X(id, name) COLOURS_##id,
	COLOURS(X)
#undef X
	N_COLOURS
};
extern const char *const colours_names[N_COLOURS];

/* The word of an option, NULL: as said by `otherwise`. False: the answer says what there is. */
bool scale_read_colours(struct call *call, const char *word, enum colours otherwise,
                        enum colours *out);

struct scale {
	double low, top;
	bool log;                /* the low end (with signs: what is around 0) is drawn out */
	bool percentiles;        /* from the 1st to the 99th; what lies beyond is at the ends */
	enum colours colours;
};

/* From 0 at low to 1 at top, by the logarithm if it says so. */
double scale_part(const struct scale *scale, double x);
double scale_at(const struct scale *scale, double part);         /* the other way */
/* From 1 to SCALE_STEPS, and the role that goes with it; not for COLOURS_NONE. */
int scale_step(const struct scale *scale, double x);
enum role scale_role(const struct scale *scale);
/* "-3.2 ####### 0 ######## 3.2" in the colours of the steps */
void scale_put_steps(const struct scale *scale, struct line *line);

/*
 * low and top become the ends of what the survey is about. False: the value can't be read, or a
 * cancel.
 */
bool scale_take_ends(struct scale *scale, struct view *view, const struct survey *survey,
                     struct progress *progress, struct err *err);

#endif
