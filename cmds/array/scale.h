#ifndef CMDS_SCALE_H
#define CMDS_SCALE_H

#include "cmds/array/survey.h"
#include "cmds/doc/call.h"
#include "cmds/doc/doc.h"

/*
 * Where a number lies between the ends of a range, and the colour steps for that. If 0 is between
 * the ends, colours are symmetric about 0, which is in the middle.
 */
#define COLOURS(X) \
	X(NONE, "none") \
	X(HEAT, "heat")      /* dark to bright; if both signs: two colours, pale in the middle */ \
	X(GRAY, "gray")

enum colours {
#define X(id, name) COLOURS_##id,
	COLOURS(X)
#undef X
	N_COLOURS
};
extern const char *const colours_names[N_COLOURS];

/* Reads the word of an option, NULL: `otherwise`. False: the answer lists the words. */
bool scale_read_colours(struct call *call, const char *word, enum colours otherwise,
                        enum colours *out);

struct scale {
	double low, top;
	bool log;                /* spread out the low end, or with both signs the middle */
	bool percentiles;        /* ends are the 1st and 99th; numbers beyond are at the ends */
	enum colours colours;
};

/* From 0 at low to 1 at top, logarithmic if log is set. */
double scale_part(const struct scale *scale, double x);
double scale_at(const struct scale *scale, double part);         /* the inverse */
/* The step, 1 to SCALE_STEPS, and the role it is for; not for COLOURS_NONE. */
int scale_step(const struct scale *scale, double x);
enum role scale_role(const struct scale *scale);
/* "-3.2 ####### 0 ######## 3.2" in the colours of the steps */
void scale_put_steps(const struct scale *scale, struct line *line);

/*
 * Sets low and top to the extremes, or percentiles, of the elements surveyed. False: the value
 * can't be read, or a cancel.
 */
bool scale_take_ends(struct scale *scale, struct view *view, const struct survey *survey,
                     struct progress *progress, struct err *err);

#endif
