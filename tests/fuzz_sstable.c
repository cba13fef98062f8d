/*
 * A sorted table around a block with these bytes, as no fuzzer finds checksums. The first byte says
 * whether they are its only block of data or its index, and whether they are packed.
 */
#include "dump/format/sstable.h"

#include <string.h>

#include "dump/format/crc32c.h"
#include "tests/input.h"
#include "tests/message.h"

static void put_block(struct str *out, const void *contents, size_t len, int type,
                      struct str *handle)
{
	size_t off = out->len;

	put_varint(handle, off);
	put_varint(handle, len);
	str_put(out, contents, len);
	str_putc(out, (char)type);
	put_fixed(out, crc32c_masked(crc32c(0, out->text + off, len + 1)), 4);
}

static void put_table(struct str *out, const uint8_t *data, size_t size)
{
	struct str footer = {0}, index = {0}, handle = {0};
	bool is_index = size && data[0] & 1;
	int type = size && data[0] & 2 ? 1 : 0;

	str_put(&footer, "\0\0", 2);
	if (is_index) {
		put_block(out, "\0\1\1kv\0\0\0\0\1\0\0\0", 13, 0, &handle);
		put_block(out, data + 1, size - 1, type, &footer);
	} else {
		put_block(out, size ? data + 1 : data, size ? size - 1 : 0, type, &handle);
		put_varint(&index, 0);
		put_varint(&index, 1);
		put_varint(&index, handle.len);
		str_putc(&index, 'k');
		str_put(&index, handle.text, handle.len);
		str_put(&index, "\0\0\0\0\1\0\0\0", 8);
		put_block(out, index.text, index.len, 0, &footer);
	}
	str_fill(&footer, '\0', 40 - footer.len);
	str_put(out, footer.text, footer.len);
	put_fixed(out, 0xdb4775248b80fb57, 8);
	str_release(&footer);
	str_release(&index);
	str_release(&handle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sstable table = {0};
	struct sstable_entry entry;
	struct str bytes = {0}, last = {0};
	struct err err = {0};
	struct file file;
	bool any = false;

	put_table(&bytes, data, size);
	MUST(file_open(&file, input_file((const uint8_t *)bytes.text, bytes.len), &err));
	if (sstable_open(&table, &file, &err))
		while (sstable_next(&table, &entry, &err)) {
			size_t both = last.len < entry.key_len ? last.len : entry.key_len;
			int order = both ? memcmp(last.text, entry.key, both) : 0;

			MUST(!any || order < 0 || (order == 0 && last.len < entry.key_len));
			str_reset(&last);
			str_put(&last, entry.key, entry.key_len);
			MUST(entry.off + entry.len <= bytes.len || table.data.packed);
			any = true;
		}
	sstable_release(&table);
	file_close(&file);
	str_release(&bytes);
	str_release(&last);
	return 0;
}
