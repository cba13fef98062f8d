#ifndef DUMP_TEXT_LINES_H
#define DUMP_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/base/text.h"
#include "dump/format/file.h"
#include "dump/format/gzip.h"

/*
 * The lines of a text, plain or packed with gzip, one at a time. Ends of lines are LF or CRLF; a
 * byte order mark is passed over, and what a line has beyond LINE_MOST. UTF-16 with such a mark, as
 * shells of Windows write it, becomes UTF-8. What is cut or damaged ends
 * with the bytes before; why then says what happened.
 */
#define LINE_MOST (1024 * 1024)

struct text_lines {
	struct file *file;               /* borrowed */
	struct gunzip *gunzip;           /* NULL: it is not packed */
	struct str held;                 /* bytes that were read; the next line is at from */
	size_t from;
	uint64_t off;                    /* of the file: what was read of it */
	struct err why;                  /* code 0: the text is whole so far */
	bool ended, started;
	bool is_cut;                     /* the last line that was returned has no end */
	struct utf16 *utf16;             /* private; NULL: it is none */
};

void text_lines_start(struct text_lines *lines, struct file *file);
/* The line without its end, good until the next call. False: there is none. */
bool text_lines_next(struct text_lines *lines, struct text *line);
void text_lines_release(struct text_lines *lines);

#endif
