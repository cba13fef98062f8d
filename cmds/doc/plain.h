#ifndef CMDS_PLAIN_H
#define CMDS_PLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/doc.h"
#include "dump/base/progress.h"

/*
 * A table for whoever hears it: the lines above and below it as they are, but for its headings, and
 * for each row a line "name: value" for each cell, then an empty line. Cells that have nothing to
 * say are left out.
 */
bool plain_fits(const struct doc *doc);          /* is there a table in it? */
/* False when a write failed. */
bool plain_write(struct doc *doc, struct progress *progress, FILE *out);

#endif
