#ifndef DUMP_DEMANGLE_H
#define DUMP_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/*
 * Replaces a C++ symbol in *out by its name as c++filt writes it; any other text stays. Suffixes
 * that compilers add to a symbol (".isra.3", ".constprop.0", ".kd", " [clone .kd]",
 * " (.kd)") are removed.
 * False for a symbol that could not be read, or whose name would be longer than DEMANGLE_MAX: then
 * *out is the symbol itself. Demangling a name again changes nothing.
 */
#define DEMANGLE_MAX 65536       /* bytes, of the symbol and of its name */
bool demangle(const char *name, size_t len, struct str *out);

#endif
