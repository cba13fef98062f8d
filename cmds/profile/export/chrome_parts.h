#ifndef CMDS_CHROME_PARTS_H
#define CMDS_CHROME_PARTS_H

#include "cmds/lang/python_json.h"
#include "dump/base/err.h"
#include "dump/profile/label.h"

/* What the two styles of a Chrome trace share. */

/* "name", "op", "input0", ... into an object that is open. */
void chrome_put_args(struct python_json *json, struct text node, struct text op,
                     struct text inputs);

/*
 * What is whole of a damaged record is written, and *damage tells of the first one; a file that
 * can't be read any more ends it: false.
 */
bool chrome_only_damaged(struct err *err, struct err *damage);

#endif
