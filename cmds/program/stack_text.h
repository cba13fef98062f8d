#ifndef CMDS_PROGRAM_STACK_TEXT_H
#define CMDS_PROGRAM_STACK_TEXT_H

#include "cmds/doc/doc.h"
#include "dump/model/program.h"

/*
 * Stacks of a recorded program, outermost frame first, with the lines of the sources it embeds. A
 * line that can't be read is one that is not known; *first is why, unless it has been set before.
 */

/* In the words of tfdbg's traceback; PROGRAM_NONE: says that none was recorded. */
void stack_put(struct doc *doc, struct program_reads *reads, uint32_t stack, struct err *first);

/*
 * A list of file, line, function, text, host, frame; of a frame that was not recorded only the last
 * is known. PROGRAM_NONE: null.
 */
void stack_put_data(struct program_reads *reads, uint32_t stack, struct data *data,
                    struct err *first);

#endif
