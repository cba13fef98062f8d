#ifndef BASE_WRITER_H
#define BASE_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "dump/base/err.h"

/*
 * The one way in which this program writes a file.
 * Whoever looks at the path sees the old file or the new one: what is written goes to a file of
 * its own in the same directory, which takes the path's place when all of it is there. A symbolic
 * link stays one, what it leads to is replaced; the permissions of an old file stay, and its owner
 * where the system allows it. However the work ends, by an error, a cancel or any signal but
 * SIGKILL, the file beside the path is removed. What can't be replaced is opened and written when
 * all of it is there: pipes, devices, standard output by whatever name, what is appended to. Until
 * then it is in a file without a name in $TMPDIR, else in memory.
 * Errors   ERR_IO with src "command" and the path and the system's reason in msg. A file that is
 *          too large for a limit of the process, and a reader that has gone, are errors like
 *          others: no signal ends the program.
 * Threads  several may write at a time; a writer stays on the thread that opened it.
 */
struct writer;

enum writer_how {
	WRITER_REPLACE,
	WRITER_PRIVATE,          /* as REPLACE; a file that is new is for its owner only */
	WRITER_APPEND,           /* after an error the file is as long as it was */
};

/* NULL with *err. */
struct writer *writer_open(const char *path, enum writer_how how, struct err *err);

/* Where to write; buffered. Nobody else closes it, and it can't be sought in. */
FILE *writer_stream(struct writer *writer);

/*
 * The end; writer is gone. keep false: the path stays as it was (for a caller with an error of its
 * own). *size_bytes, if it isn't NULL, is what was written. True if the file is there.
 * A write that failed at any time is told in *err, whatever keep says, in place of what *err held.
 */
bool writer_close(struct writer *writer, bool keep, uint64_t *size_bytes, struct err *err);

/*
 * writer_close in two parts, for files that replace others only once all of them are written (an
 * error of writing leaves all old ones; one of the last renames may not): writer_finish
 * ends the stream, and writer_place puts the file in its place, or without keep removes it. After
 * false of either, writer is gone. In between a file that can be replaced takes no descriptor.
 */
bool writer_finish(struct writer *writer, bool keep, uint64_t *size_bytes, struct err *err);
bool writer_place(struct writer *writer, bool keep, struct err *err);

/*
 * Removes what is not finished. For handlers of signals that end the program; what they do not
 * know, it does itself.
 */
void writer_forsake_all(void);

#endif
