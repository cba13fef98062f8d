#ifndef DUMP_SUMMARY_WRITER_H
#define DUMP_SUMMARY_WRITER_H

#include <stdio.h>

#include "dump/base/err.h"
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

/* A value that is not in memory; read gives len bytes of it from `from` on, more than once. */
struct summary_value_source {
	uint64_t len;
	bool (*read)(void *context, uint64_t from, size_t len, void *out, struct err *err);
	void *context;
};

void summary_begin(struct summary_writer *writer, FILE *out);
/* In the order of the keys. */
void summary_add(struct summary_writer *writer, struct text key, struct text value);
/* False: it can't be read, or is not twice the same; what is written is of no use then. */
bool summary_add_apart(struct summary_writer *writer, struct text key,
                       const struct summary_value_source *value, struct err *err);
void summary_finish(struct summary_writer *writer);
void summary_writer_release(struct summary_writer *writer);

#endif
