/*
 * A block's checksum is looked at before anything in the block. Keys must rise: a table that breaks
 * this is damaged, and nothing that follows would be found by who relies on it.
 */
#include "dump/format/sstable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/mem.h"
#include "dump/format/crc32c.h"
#include "dump/format/snappy.h"

#define MAGIC UINT64_C(0xdb4775248b80fb57)
#define BLOCK_MOST ((size_t)256 << 20)

enum { FOOTER_LEN = 48, TRAILER_LEN = 5, TYPE_PLAIN = 0, TYPE_SNAPPY = 1 };

/* Where a block is. */
struct handle {
	uint64_t off, len;
};

static bool is_damaged(const struct sstable *table, uint64_t off, const char *what,
                       struct err *err)
{
	return err_at(err, ERR_FORMAT, table->file->path, off, "a damaged table: %s", what);
}

static bool take_varint(const unsigned char **at, const unsigned char *end, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char byte = *(*at)++;

		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool take_handle(const unsigned char **at, const unsigned char *end, struct handle *handle)
{
	return take_varint(at, end, &handle->off) && take_varint(at, end, &handle->len);
}

/* Blocks. */

/* Bytes of a block that was packed take the place of those it was packed to. */
static bool unpack(const struct sstable *table, struct sstable_block *block, struct err *err)
{
	size_t size, begin;
	unsigned char *out;

	if (!snappy_length(block->bytes, block->len, &size, &begin))
		return is_damaged(table, block->off, "a block that says no length", err);
	/* No element of snappy makes more of its bytes than this. */
	if (size > BLOCK_MOST || size / 64 > block->len)
		return err_at(err, ERR_LIMIT, table->file->path, block->off,
		              "a block of %zu bytes that has %zu unpacked", block->len, size);
	out = mem_try(size + 1);
	if (!out)
		return err_at(err, ERR_LIMIT, table->file->path, block->off,
		              "no memory for a block of %zu bytes", size);
	if (!snappy_unpack(block->bytes, block->len, out, size)) {
		free(out);
		return is_damaged(table, block->off, "a block that can't be unpacked", err);
	}
	free(block->bytes);
	block->bytes = out;
	block->len = size;
	block->packed = true;
	return true;
}

/* Behind the entries: places in them where keys are whole, and how many these are. */
static bool cut_restarts(const struct sstable *table, struct sstable_block *block,
                         struct err *err)
{
	uint64_t n = block->len >= 4 ? little_endian(block->bytes + block->len - 4, 4) : 0;

	if (block->len < 4 || n > (block->len - 4) / 4)
		return is_damaged(table, block->off, "a block without an end", err);
	block->len -= 4 * (n + 1);
	for (uint64_t i = 0; i < n; i++)
		if (little_endian(block->bytes + block->len + 4 * i, 4) > block->len)
			return is_damaged(table, block->off, "a block that begins after its end",
			                  err);
	return true;
}

static bool read_bytes(const struct sstable *table, struct handle handle,
                       struct sstable_block *block, struct err *err)
{
	uint64_t size = table->file->size - FOOTER_LEN;
	uint32_t sum;

	if (handle.off > size || handle.len > size - handle.off
	    || TRAILER_LEN > size - handle.off - handle.len)
		return is_damaged(table, table->file->size - FOOTER_LEN,
		                  "a block that is not in the file", err);
	block->off = handle.off;
	block->bytes = handle.len <= BLOCK_MOST ? mem_try((size_t)handle.len + TRAILER_LEN) : NULL;
	if (!block->bytes)
		return err_at(err, ERR_LIMIT, table->file->path, handle.off,
		              "a block of %" PRIu64 " bytes", handle.len);
	block->len = (size_t)handle.len;
	if (!file_read(table->file, handle.off, block->len + TRAILER_LEN, block->bytes, err))
		return false;
	sum = (uint32_t)little_endian(block->bytes + block->len + 1, 4);
	return crc32c_masked(crc32c(0, block->bytes, block->len + 1)) == sum
	       || is_damaged(table, handle.off, "a block with another checksum", err);
}

static bool read_block(const struct sstable *table, struct handle handle,
                       struct sstable_block *block, struct err *err)
{
	int type;

	free(block->bytes);
	*block = (struct sstable_block){0};
	if (!read_bytes(table, handle, block, err))
		return false;
	type = block->bytes[block->len];
	if (type != TYPE_PLAIN && type != TYPE_SNAPPY)
		return err_at(err, ERR_UNSUPPORTED, table->file->path, handle.off,
		              "a table whose blocks are packed by method %d", type);
	return (type == TYPE_PLAIN || unpack(table, block, err))
	       && cut_restarts(table, block, err);
}

/* The key before, up to what both share, and the tail that follows. False: it doesn't rise. */
static bool next_key(struct str *key, size_t shared, const unsigned char *tail, size_t len,
                     bool is_first)
{
	size_t old = key->len - shared, both = old < len ? old : len;
	int order = both ? memcmp(tail, key->text + shared, both) : 0;

	if (!is_first && (order < 0 || (order == 0 && len <= old)))
		return false;
	str_cut(key, shared);
	str_put(key, (const char *)tail, len);
	return true;
}

/* The next entry of a block. False at its end, or with *err. */
static bool next_entry(const struct sstable *table, struct sstable_block *block, struct str *key,
                       bool is_first, struct sstable_entry *entry, struct err *err)
{
	const unsigned char *at = block->bytes + block->at, *end = block->bytes + block->len;
	uint64_t off = block->off + (block->packed ? 0 : block->at);
	uint64_t shared, tail_len, len;

	if (block->at == block->len)
		return false;
	if (!take_varint(&at, end, &shared) || !take_varint(&at, end, &tail_len)
	    || !take_varint(&at, end, &len) || tail_len > (uint64_t)(end - at)
	    || len > (uint64_t)(end - at) - tail_len)
		return is_damaged(table, off, "an entry that is cut off", err);
	if (shared > (block->begun ? key->len : 0))
		return is_damaged(table, off, "a key that shares more than there is", err);
	if (!next_key(key, (size_t)shared, at, (size_t)tail_len, is_first))
		return is_damaged(table, off, "keys that don't rise", err);
	at += tail_len;
	block->begun = true;
	block->at = (size_t)(at - block->bytes) + (size_t)len;
	*entry = (struct sstable_entry){
		str_text(key), key->len, at, (size_t)len,
		block->off + (block->packed ? 0 : (uint64_t)(at - block->bytes)),
	};
	return true;
}

/* The table. */

bool sstable_open(struct sstable *table, struct file *file, struct err *err)
{
	struct handle meta, index;
	const unsigned char *at, *end;

	table->file = file;
	if (file->size < FOOTER_LEN)
		return err_damaged(err, DAMAGE_CUT, file->path, file->size,
		                   "a table is longer than these %" PRIu64 " bytes", file->size);
	at = file_bytes(file, file->size - FOOTER_LEN, FOOTER_LEN, err);
	if (!at)
		return false;
	end = at + FOOTER_LEN - 8;
	if (little_endian(end, 8) != MAGIC)
		return err_damaged(err, DAMAGE_CUT, file->path, file->size - 8,
		                   "not a table, or not the whole of one");
	if (!take_handle(&at, end, &meta) || !take_handle(&at, end, &index))
		return is_damaged(table, file->size - FOOTER_LEN, "no place of its index", err);
	return read_block(table, index, &table->index, err);
}

void sstable_release(struct sstable *table)
{
	free(table->index.bytes);
	free(table->data.bytes);
	str_release(&table->index_key);
	str_release(&table->key);
	*table = (struct sstable){0};
}

static bool next_block(struct sstable *table, struct err *err)
{
	struct sstable_entry entry;
	const unsigned char *at;
	struct handle handle;

	if (!next_entry(table, &table->index, &table->index_key, !table->index.begun, &entry, err))
		return false;
	at = entry.value;
	if (!take_handle(&at, at + entry.len, &handle))
		return is_damaged(table, entry.off, "a block without a place", err);
	return read_block(table, handle, &table->data, err);
}

bool sstable_next(struct sstable *table, struct sstable_entry *entry, struct err *err)
{
	struct err own = {0};

	if (!err)
		err = &own;
	while (table->data.at == table->data.len)
		if (!next_block(table, err))
			return false;
	if (!next_entry(table, &table->data, &table->key, !table->begun, entry, err))
		return false;
	table->begun = true;
	return true;
}
