#ifndef CMDS_VERSION_H
#define CMDS_VERSION_H

#define TENSORDBG_VERSION "0.1"

#endif
