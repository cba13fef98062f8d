#ifndef CMDS_VERDICT_H
#define CMDS_VERDICT_H

#include "cmds/session/shell.h"

/*
 * What there is to say of the numbers in what is open, in a few words for a title: where NaN and
 * Inf began, or that there are none; of what was not searched, how much that would be. Start with
 * {0}.
 */
enum { VERDICT_FORMS = 3 };
struct verdict {
	struct str form[VERDICT_FORMS];  /* the longest first; empty: there is nothing to say */
	bool bad;                        /* there is an origin */
	/* The line that finds it out, which takes its time; NULL: it is known, or not to be. */
	const char *wants;
};

/* Reads nothing. While no command runs. */
void verdict_of(struct shell *shell, struct verdict *out);
void verdict_release(struct verdict *verdict);
/* The longest form of at most so many columns; NULL: none. */
const char *verdict_that_fits(const struct verdict *verdict, int cols);

#endif
