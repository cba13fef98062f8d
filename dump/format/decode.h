#ifndef DUMP_DECODE_H
#define DUMP_DECODE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/wire.h"

/*
 * Small structured messages through protobuf-c, behind one guarded entry: a limit on size, a check
 * of nesting and of the memory it would take before anything is unpacked, and an arena that is
 * dropped at once.
 */
enum message { MESSAGE_ATTR_VALUE, MESSAGE_TENSOR };

/*
 * Appends the message in protobuf text format (as the upb runtime prints it): one field a line,
 * each line ended by a newline.
 * Source: google/protobuf/text_format; fields in number order, map entries sorted by key.
 */
bool decode_text(enum message message, struct file *file, struct span span, struct str *out,
                 struct err *err);

#endif
