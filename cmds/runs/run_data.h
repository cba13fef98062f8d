#ifndef CMDS_RUN_DATA_H
#define CMDS_RUN_DATA_H

#include "cmds/session/session.h"

/* A run as typed answers have it. */

/*
 * The keys run to hits of a row of `runs`, into an open object; info as deep as RUN_WHOLE, or NULL:
 * it could not be read. What is not known is null.
 */
void run_put_data(const struct shell *shell, struct run_entry *entry, const struct run_info *info,
                  struct data *data);

#endif
