#ifndef CMDS_PROGRAM_JUDGED_H
#define CMDS_PROGRAM_JUDGED_H

#include "cmds/doc/call.h"

/* The verdicts of a filter on everything that a list may show. */
struct judged {
	uint64_t all, matched;
	uint64_t unknown;        /* could not be judged, and so do not match */
};

/* The key "summary" beside typed rows; what: the key of the total, "tensors". */
void judged_put_data(const struct judged *judged, const char *what, struct data *data);
/* Below a list: "12 of 640 tensors could not be judged (mode SHAPE)."; nothing if all were. */
void judged_put_foot(struct call *call, const struct judged *judged, const char *what);

#endif
