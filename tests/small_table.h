#ifndef TESTS_SMALL_TABLE_H
#define TESTS_SMALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/str.h"

/* Sorted tables written by hand. */
struct table_row {
	const char *key;
	size_t key_len;
	const void *value;
	size_t len;
};

/* per_block rows in each block; packed: as snappy. */
void put_table(struct str *out, const struct table_row *row, size_t n, size_t per_block,
               bool packed);
/* A block's contents, and what follows it in the file. */
void put_block(struct str *out, const void *contents, size_t len, int type);

#endif
