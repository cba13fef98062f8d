#ifndef DUMP_SSTABLE_H
#define DUMP_SSTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/str.h"
#include "dump/format/file.h"

/*
 * A sorted table of keys and values, as LevelDB and TensorFlow write one: blocks of entries, whose
 * keys leave out what they share with the key before, an index block that has the place of each,
 * and a footer with the place of that. Blocks may be packed with snappy. One block is held at a
 * time, at most 256 MiB.
 * Errors  ERR_FORMAT with the offset of the block, or in it of the entry; ERR_LIMIT.
 * Source  leveldb/doc/table_format.md; tensorflow/core/lib/io/format.cc.
 */
struct sstable_block {
	unsigned char *bytes;
	size_t len;              /* of the entries alone */
	size_t at;               /* of the next one */
	uint64_t off;            /* in the file */
	bool packed;
	bool begun;              /* an entry of it was read */
};

struct sstable {
	struct file *file;       /* borrowed */
	struct sstable_block index, data;
	struct str index_key, key;       /* the last ones that were read */
	bool begun;              /* key is one */
};

/* Good until the next call. */
struct sstable_entry {
	const char *key;         /* may hold any bytes */
	size_t key_len;
	const unsigned char *value;
	size_t len;
	uint64_t off;            /* of the value in the file, or of the packed block it is in */
};

/* Start with {0}; sstable_release either way. */
bool sstable_open(struct sstable *table, struct file *file, struct err *err);
void sstable_release(struct sstable *table);

/* The next entry, in the order of the keys. False at the end, or with *err. */
bool sstable_next(struct sstable *table, struct sstable_entry *entry, struct err *err);

#endif
