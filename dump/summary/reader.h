#ifndef DUMP_SUMMARY_READER_H
#define DUMP_SUMMARY_READER_H

#include "dump/base/err.h"
#include "dump/base/text.h"
#include "dump/summary/summary.h"

/*
 * The rows of a summary, one after the other, frame by frame. A row is of no use before all of them
 * were read: what is wrong with the file may show at its end alone, and then none of it counts.
 * Errors  ERR_FORMAT with the offset: it is damaged, cut, or not sorted; ERR_UNSUPPORTED: it is of
 *         a newer version, msg names both; ERR_LIMIT: a frame is too large for memory; ERR_IO.
 */
struct summary_reader;

/* A graph of more bytes is not held with its row, if its frame has no other row. */
enum { SUMMARY_HELD = 1 << 20 };

/* Good until the next call. */
struct summary_row {
	struct summary_key key;
	struct text key_bytes, value;
	uint64_t off, len;       /* of the value, in the file; held or not */
	bool apart;              /* it is not held: value is empty */
};

struct summary_reader *summary_open(const char *path, struct err *err);
void summary_close(struct summary_reader *reader);       /* NULL: nothing */

/* The next row. False at the end, which leaves err alone, or with *err, which must not be NULL. */
bool summary_next(struct summary_reader *reader, struct summary_row *row, struct err *err);

/* Bytes of the file, at any time: of a value that lies apart. */
bool summary_read_part(struct summary_reader *reader, uint64_t off, size_t len, void *out,
                       struct err *err);

uint32_t summary_version(const struct summary_reader *reader);
const char *summary_path(const struct summary_reader *reader);
/* How far it is, of how much, in bytes. */
uint64_t summary_read_bytes(const struct summary_reader *reader, uint64_t *total);

/* Does a file begin as a summary does, of whichever version? */
bool summary_begins(const void *bytes, size_t len);

#endif
