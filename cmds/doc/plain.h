#ifndef CMDS_PLAIN_H
#define CMDS_PLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/doc.h"
#include "dump/base/progress.h"

/*
 * A table for a screen reader: for each row a line "name: value" for each cell, then an empty line.
 * Cells without a value are left out. The lines above and below the table stay, except its heading.
 */
bool plain_fits(const struct doc *doc);          /* is there a table in it? */
/* False if a write failed. */
bool plain_write(struct doc *doc, struct progress *progress, FILE *out);

#endif
