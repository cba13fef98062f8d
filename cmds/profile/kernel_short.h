#ifndef CMDS_KERNEL_SHORT_H
#define CMDS_KERNEL_SHORT_H

#include <stddef.h>

#include "dump/base/str.h"

/*
 * Appends the readable form of a demangled kernel name: without parameters and well-known
 * namespaces, Eigen's expressions as what they compute ("Eigen +(float[1],float[1])"), other
 * templates down to two levels.
 */
void put_kernel_short(struct str *out, const char *full, size_t len);

#endif
