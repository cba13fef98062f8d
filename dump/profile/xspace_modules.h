#ifndef DUMP_XSPACE_MODULES_H
#define DUMP_XSPACE_MODULES_H

#include "dump/base/vec.h"
#include "dump/format/wire.h"

/*
 * Where the programs that ran lie in an XSpace: each a HloProto, the stat "Hlo Proto" of an entry
 * of the plane "/host:metadata". At most max of them, the largest. What is damaged, or can't be
 * read, is left out; *err is then the first that can't be read, else the last that is damaged.
 */
typedef VEC(struct span) module_spans;
void xspace_modules(struct file *file, size_t max, module_spans *out, struct err *err);

#endif
