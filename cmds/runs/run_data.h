#ifndef CMDS_RUN_DATA_H
#define CMDS_RUN_DATA_H

#include "cmds/session/session.h"

/* A run in typed answers. */

/*
 * The keys from "run" to "hits" of a row of `runs`, into an open object. info: of depth RUN_WHOLE,
 * or NULL if it could not be read. What is not known is null.
 */
void run_put_data(const struct shell *shell, struct run_entry *entry, const struct run_info *info,
                  struct data *data);

/* The keys "metadata" and "values" of a dump of arrays. */
void run_put_facts(const struct run_info *info, struct data *data);

#endif
