#ifndef CMDS_PROGRAM_JUDGED_H
#define CMDS_PROGRAM_JUDGED_H

#include "cmds/doc/call.h"

/* What a filter said of the things of a list, all of which it was asked about. */
struct judged {
	uint64_t all, matched;
	uint64_t unknown;        /* could not be judged: they do not match */
};

/* "summary" beside typed rows; what: the key of how many there are, "tensors". */
void judged_put_data(const struct judged *judged, const char *what, struct data *data);
/* "12 of 640 tensors could not be judged (mode SHAPE).", below a list; nothing if all could. */
void judged_put_foot(struct call *call, const struct judged *judged, const char *what);

#endif
