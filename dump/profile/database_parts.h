#ifndef DUMP_DATABASE_PARTS_H
#define DUMP_DATABASE_PARTS_H

#include "dump/format/database.h"
#include "dump/profile/id_map.h"
#include "dump/profile/trace_source.h"

/* Shared by trace_database.c and the readers of each kind; nobody else includes it. */

/* Texts of a table by their ids: first the ids that are needed, then their texts. */
struct wanted_texts {
	struct id_map at;                /* names of the trace; TRACE_NO_NAME: not found */
};
/* All ids in some columns of a table are needed. */
bool texts_want(struct wanted_texts *texts, struct database *db, const char *table,
                const char *const *columns, size_t n, struct err *err);
/* Reads them from a table with ids and texts. */
bool texts_read(struct wanted_texts *texts, struct trace *trace, struct database *db,
                const char *table, const char *id, const char *text, struct err *err);
uint32_t texts_find(const struct wanted_texts *texts, int64_t id);       /* a name of the trace */
void texts_release(struct wanted_texts *texts);

/* The number of a device or stream that is a number. */
uint32_t trace_device_number(struct trace *trace, int64_t number);
uint32_t trace_stream_number(struct trace *trace, bool has_process, int64_t process,
                             int64_t number);

/* False with *err: an error of SQLite's, or a cancel. */
bool read_cupti(struct trace *trace, struct database *db, bool is_nsys, struct err *err);
bool read_rocpd(struct trace *trace, struct database *db, struct err *err);

#endif
