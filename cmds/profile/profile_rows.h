#ifndef CMDS_PROFILE_ROWS_H
#define CMDS_PROFILE_ROWS_H

#include "cmds/lang/interval.h"
#include "cmds/lang/pattern.h"
#include "cmds/profile/name_info.h"
#include "cmds/session/session.h"
#include "dump/profile/profile.h"

/* Which records of a step lp and ps show. Words NULL or "": no filter. */
struct profile_filter {
	const char *device, *node, *op, *file;   /* regular expressions, matched from the start */
	const char *exec_time, *op_time;         /* intervals */
	int64_t min_lineno, max_lineno;          /* 0 or less: none; max is exclusive */
	/* Compiled by profile_filter_open. */
	struct pattern *device_re, *node_re, *op_re, *file_re;
	struct interval exec, ops;
};

/* False: call->err says which word is wrong. Close the filter in any case. */
bool profile_filter_open(struct call *call, struct profile_filter *filter);
void profile_filter_close(struct profile_filter *filter);

bool profile_filter_device(struct call *call, struct profile_filter *filter,
                           const struct lane *lane);
/* False too when a pattern gave up: call->err is set then. _SOURCE and _SINK never pass. */
bool profile_filter_record(struct call *call, struct profile_filter *filter,
                           const struct step *step, const struct name_infos *infos,
                           const struct record *record);

/* " --device_name_filter D --node_name_filter N --op_type_filter T", those that are set. */
void profile_filter_put(const struct profile_filter *filter, struct str *out);

#endif
