#ifndef CMDS_WRITE_H
#define CMDS_WRITE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/doc.h"
#include "dump/base/progress.h"

/*
 * Documents as bytes. Control characters and bytes that are not UTF-8 are escaped. False if a write
 * failed.
 */
enum doc_format { DOC_TEXT, DOC_DOC, DOC_JSON, DOC_CSV };

/*
 * DOC_TEXT: the lines, with colours if colour is set (only to a terminal). DOC_DOC: each line after
 * "> ", then font segments and annotations ("@ ROW BEGIN END ATTR", "! ..."), columns counted in
 * characters. For DOC_JSON and DOC_CSV see answer_write.
 */
bool doc_write(struct doc *doc, enum doc_format format, bool colour, struct progress *progress,
               FILE *out);

#endif
