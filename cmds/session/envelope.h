#ifndef CMDS_ENVELOPE_H
#define CMDS_ENVELOPE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/write.h"
#include "cmds/session/shell.h"

/*
 * An answer as bytes, in any format. The typed ones: one line of JSON,
 *   {"command": "lt -s dump_size", "ok": true, "error": null, "warnings": [], "rows": [{...}]}
 * or with "value" in place of "rows"; or a CSV table, where an error is a table of one column "error".
 * The answer's own format (-o) wins. False when it could not be written. A value that turns out to be
 * unreadable half way makes the answer a failed one.
 */
bool answer_write(struct answer *answer, const char *command, enum doc_format format, bool colour,
                  struct progress *progress, FILE *out);

/*
 * Where the line said that the answer goes: a file (>, >>), a program (|). What came of it is the answer's toast. A
 * program's output goes to where ours goes (PIPE_PRINTS; the answer is then without a document), or becomes the document
 * (PIPE_SHOWS, for a screen).
 */
enum pipe_end { PIPE_PRINTS, PIPE_SHOWS };
void answer_send(struct answer *answer, const char *command, enum doc_format format, enum pipe_end pipe_end,
                 struct progress *progress);

#endif
