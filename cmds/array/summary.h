#ifndef CMDS_SUMMARY_H
#define CMDS_SUMMARY_H

#include "cmds/doc/doc.h"
#include "dump/base/progress.h"
#include "dump/model/value.h"

/*
 * Puts the table of `pt -s` (2 or 4 lines, or one message line) into doc. False only if the value
 * can't be read. small_floats: also for bfloat16 and the float8 types, unlike tfdbg.
 */
bool summary_put(struct doc *doc, struct view *view, bool small_floats, struct progress *progress,
                 struct err *err);

#endif
