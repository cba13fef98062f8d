#ifndef DUMP_DATABASE_H
#define DUMP_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/base/str.h"
#include "dump/base/text.h"

/*
 * A SQLite database that another program wrote. It is only read, and not trusted: of its schema
 * only ordinary tables count, no view, trigger or virtual table; nothing in it is run; a cancel
 * stops the work within a row. Errors are ERR_FORMAT with SQLite's words, or ERR_CANCELLED.
 */
struct database;
struct database *database_open(const char *path, struct progress *progress, struct err *err);
/* The same in an open file without a name, which nobody else changes; path is for errors. */
struct database *database_open_nameless(int fd, const char *path, struct progress *progress,
                                        struct err *err);
void database_close(struct database *db);                /* NULL: nothing */

/*
 * Does a file of this size that begins so lack a page, or part of one? SQLite takes what is missing
 * of a page for zeros: such a file is opened nameless, where a page is there whole or not at all.
 * head has DATABASE_HEAD bytes.
 */
enum { DATABASE_HEAD = 100 };
bool database_is_cut(const unsigned char *head, uint64_t size);
/*
 * What is damaged so far: the file is cut, or a table could not be read to its end, which counts as
 * its end. Code 0: nothing.
 */
const struct err *database_damage(const struct database *db);

bool database_has(struct database *db, const char *table);
/*
 * What follows a prefix in the names of tables, "_1234" of "rocpd_string_1234", once each, in the
 * order of the schema. NULL: there is no more. Good as long as the database.
 */
const char *database_suffix(struct database *db, const char *prefix, size_t i);

/*
 * The rows of a table, in its own order. Columns that the table lacks have no value in any row.
 * NULL with *err.
 */
struct database_rows;
struct database_rows *database_rows(struct database *db, const char *table,
                                    const char *const *columns, size_t n, struct err *err);
bool database_next(struct database_rows *rows, struct err *err); /* false: no more, or *err */
void database_rows_free(struct database_rows *rows);     /* NULL: nothing */

/* Of the row at hand. False: it has no whole number there. */
bool database_int(struct database_rows *rows, size_t column, int64_t *out);
/* "" of what is no text; good until the next row. */
struct text database_text(struct database_rows *rows, size_t column);

#endif
