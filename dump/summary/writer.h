#ifndef DUMP_SUMMARY_WRITER_H
#define DUMP_SUMMARY_WRITER_H

#include <stdio.h>

#include "dump/base/text.h"
#include "dump/summary/summary.h"

/*
 * Writes a summary to a stream. The same rows give the same bytes. Writes that fail are the
 * stream's to know (dump/base/writer.h).
 */
struct summary_writer {
	FILE *out;
	struct str rows, last_key;       /* private, as all that follows */
	uint32_t crc;
	uint64_t n_rows;
};

void summary_begin(struct summary_writer *writer, FILE *out);
/* In the order of the keys. */
void summary_add(struct summary_writer *writer, struct text key, struct text value);
void summary_finish(struct summary_writer *writer);
void summary_writer_release(struct summary_writer *writer);

#endif
