#ifndef DUMP_DEMANGLE_H
#define DUMP_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/*
 * The name of a C++ symbol as c++filt writes it, in place of what *out held; what is no such symbol
 * stays as it is. What compilers put behind a symbol (".isra.3", ".constprop.0", ".kd", " [clone
 * .kd]") is taken off.
 * False for a symbol that could not be read, or whose name would be longer than DEMANGLE_MAX: then
 * *out is the symbol itself. Once demangled, a name does not change any more.
 */
#define DEMANGLE_MAX 65536       /* bytes, of the symbol and of its name */
bool demangle(const char *name, size_t len, struct str *out);

#endif
