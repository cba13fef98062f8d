#ifndef CMDS_PROGRAM_STACK_TEXT_H
#define CMDS_PROGRAM_STACK_TEXT_H

#include "cmds/doc/doc.h"
#include "dump/model/program.h"

/*
 * Stacks of a recorded program, outermost frame first, with lines of the recorded source files. A
 * line that can't be read counts as unknown; *first is then the error, unless it has one already.
 */

/*
 * In the form of tfdbg's traceback; PROGRAM_NONE: says that none was recorded. Frames of libraries
 * that follow each other are one line, which links to the command `unfold`; NULL: all are shown.
 */
void stack_put(struct doc *doc, struct program_reads *reads, uint32_t stack, const char *unfold,
               struct err *first);

/*
 * A list of objects with file, line, function, text, host and frame; if a frame was not recorded,
 * only `frame` is known. PROGRAM_NONE: null.
 */
void stack_put_data(struct program_reads *reads, uint32_t stack, struct data *data,
                    struct err *first);

#endif
