#ifndef CMDS_PROGRAM_FRAME_LIST_H
#define CMDS_PROGRAM_FRAME_LIST_H

#include "cmds/session/program.h"

/*
 * The recorded frames of all stacks, in file order: those whose path the pattern matches from its
 * start (NULL: all), and of them what --skip and --max leave.
 */
void frame_list_put(struct call *call, const char *path_pattern, const struct opt_value *skip,
                    const struct opt_value *max);

#endif
