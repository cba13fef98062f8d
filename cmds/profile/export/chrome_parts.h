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
 * After an error about a record. True: the record is damaged, its sound part is written, and
 * *damage keeps the first such error. False: the file can't be read any more.
 */
bool chrome_only_damaged(struct err *err, struct err *damage);

#endif
