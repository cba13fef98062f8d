#ifndef CMDS_USER_FILES_H
#define CMDS_USER_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * The path of the user's file of that name, "config" or "themes/mine", in
 * $XDG_CONFIG_HOME/tensordbg or ~/.config/tensordbg. False: there is no home to put it in.
 */
bool user_file_path(const char *name, struct str *path);

/*
 * To be read from its begin; never waits. NULL without an error: there is none, or it is /dev/null,
 * which some have in its place to keep nothing. ERR_IO for what can't be read, a FIFO or a device
 * too.
 */
FILE *user_file_open(const char *path, struct err *err);

#endif
