#ifndef CMDS_TFPROF_SESSION_H
#define CMDS_TFPROF_SESSION_H

#include "cmds/doc/call.h"
#include "cmds/profile/tfprof/tfprof_options.h"
#include "dump/tfprof/tfprof.h"

/* Kept between tfprof commands: the model, read on first use, and the options of `tfprof set`. */

/* The model of what is open. NULL: the answer says why not. */
struct tfprof *tfprof_session_open(struct call *call);
/* The model's number for step i of the profile. */
int64_t tfprof_session_step(const struct shell *shell, size_t i);
/* Copies the kept options into mem; keeps other options. */
void tfprof_session_options(struct call *call, struct tfprof_options *options, struct arena *mem);
void tfprof_session_keep(struct call *call, const struct tfprof_options *options);

#endif
