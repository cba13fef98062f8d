#ifndef CMDS_ENVELOPE_H
#define CMDS_ENVELOPE_H

#include <stdbool.h>
#include <stdio.h>

#include "cmds/doc/write.h"
#include "cmds/session/shell.h"

/*
 * An answer as bytes, in any format. The typed ones are one line of JSON,
 *   {"command": "lt -s dump_size", "ok": true, "error": null, "warnings": [], "rows": [{...}]}
 * with "value" for "rows" where there are none; or a CSV table, where an error is a table of one
 * column "error". The answer's own format (-o) wins. False when it could not be written. A value
 * that turns out to be unreadable halfway makes the answer a failed one.
 */
bool answer_write(struct answer *answer, const char *command, enum doc_format format, bool colour,
                  struct progress *progress, FILE *out);

/*
 * Sends the answer where its line says: to a file (>, >>) or a program (|). The result becomes the
 * answer's toast. A program's output goes to ours (PIPE_PRINTS; the answer then has no document) or
 * becomes the document (PIPE_SHOWS, for a screen). A command that failed before its answer is
 * written replaces no file and starts no program.
 */
enum pipe_end { PIPE_PRINTS, PIPE_SHOWS };
void answer_send(struct answer *answer, const char *command, enum doc_format format,
                 enum pipe_end pipe_end, struct progress *progress);

#endif
