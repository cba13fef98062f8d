#ifndef CMDS_STEP_VERDICT_H
#define CMDS_STEP_VERDICT_H

#include "cmds/doc/data.h"
#include "dump/base/str.h"
#include "dump/profile/breakdown.h"

/*
 * What holds a program up, as far as its times tell: a part that takes a fifth of the steps is
 * worth saying. Waiting for input comes first, as the rest can't be faster than that.
 */
struct step_verdict {
	const char *kind;                /* "input-bound"; NULL: nothing of a device is recorded */
	double share;                    /* of the time, in percent: what the kind speaks of */
};

/* Of times added up over steps. */
struct step_verdict step_verdict_of(const struct breakdown *sum);
/* "34.0 % of the step is spent waiting for input" */
void put_step_verdict(struct str *out, const struct step_verdict *verdict,
                      const struct breakdown *sum);

#endif
