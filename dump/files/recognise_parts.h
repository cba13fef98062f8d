#ifndef DUMP_RECOGNISE_PARTS_H
#define DUMP_RECOGNISE_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "dump/base/bytes.h"
#include "dump/files/recognise.h"
#include "dump/format/file.h"

/*
 * The probes of dump/files/recognise.c, by family. Each looks at the head of a file and returns
 * FILE_NONE for what it doesn't know. The first that knows the file wins, so the surest come first.
 */
struct head {
	struct file *file;
	const char *name;                /* last part of the path */
	const unsigned char *bytes;      /* the first of the file; not moved by file_bytes */
	size_t len;
};

enum file_kind kind_by_magic(const struct head *head);           /* recognise_magic.c */
enum file_kind kind_by_archive(const struct head *head);         /* recognise_archive.c */
enum file_kind kind_by_text(const struct head *head);            /* recognise_text.c */
enum file_kind kind_by_message(const struct head *head);         /* recognise_message.c */

/* Of text alone, as kind_by_text. */
enum file_kind kind_of_text(const char *text, size_t len);

/* A SQLite database, by its head alone; part of kind_by_archive. */
enum file_kind kind_of_database(const struct head *head);

bool head_has(const struct head *head, const char *text);       /* anywhere */
bool head_begins(const struct head *head, const void *bytes, size_t len);

#endif
