#ifndef CMDS_KERNEL_SHORT_H
#define CMDS_KERNEL_SHORT_H

#include <stddef.h>

#include "dump/base/str.h"

/*
 * The readable form of a demangled kernel's name: without its parameters and well-known namespaces, expressions of
 * Eigen as the expression they compute ("Eigen +(float[1],float[1])"), other templates down to two levels. Appended.
 */
void put_kernel_short(struct str *out, const char *full, size_t len);

#endif
