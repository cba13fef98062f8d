#ifndef CMDS_WORKERS_H
#define CMDS_WORKERS_H

#include "cmds/session/session.h"

/* Of summaries: the workers who told of the runs that are open. */

/* False, and the answer says which there are: nobody is called so. */
bool call_knows_worker(struct call *call, const char *worker);
/* The same of these. */
bool call_is_worker(struct call *call, const char *worker, const char *const *workers, size_t n);

#endif
