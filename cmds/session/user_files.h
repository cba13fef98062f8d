#ifndef CMDS_USER_FILES_H
#define CMDS_USER_FILES_H

#include <stdbool.h>

#include "dump/base/str.h"

/*
 * The path of the user's file of that name, "config" or "themes/mine", in
 * $XDG_CONFIG_HOME/tensordbg or ~/.config/tensordbg. False: there is no home to put it in.
 */
bool user_file_path(const char *name, struct str *path);

#endif
