#ifndef CMDS_PROGRAM_FRAME_LIST_H
#define CMDS_PROGRAM_FRAME_LIST_H

#include "cmds/session/program.h"

/*
 * Puts the recorded frames of all stacks, in file order: those whose path the pattern matches from
 * the start (NULL: all).
 */
void frame_list_put(struct call *call, const char *path_pattern);

#endif
