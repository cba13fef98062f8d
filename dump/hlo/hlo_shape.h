#ifndef DUMP_HLO_SHAPE_H
#define DUMP_HLO_SHAPE_H

#include "dump/base/str.h"
#include "dump/format/wire.h"

/*
 * Appends a ShapeProto as HLO text has it, with the layout: "f32[2,<=8]{1,0:T(8,128)}". False with
 * *err if it is damaged, or has tuples in tuples deeper than any program has.
 * Source: xla/xla_data.proto, xla/layout.cc.
 */
bool hlo_put_shape(struct file *file, struct span shape, struct str *out, struct err *err);

#endif
