/* A checkpoint of a header, a part, and a tensor whose entry in the table is these bytes. */
#include "dump/arrays/checkpoint.h"

#include <string.h>

#include "dump/format/crc32c.h"
#include "tests/input.h"
#include "tests/message.h"

static void put_row(struct str *out, const char *key, size_t key_len, const void *value, size_t len)
{
	put_varint(out, 0);
	put_varint(out, key_len);
	put_varint(out, len);
	str_put(out, key, key_len);
	str_put(out, value, len);
}

static void put_block(struct str *out, struct str *contents, struct str *handle)
{
	size_t off = out->len;

	str_put(contents, "\0\0\0\0\1\0\0\0", 8);
	put_varint(handle, off);
	put_varint(handle, contents->len);
	str_put(out, contents->text, contents->len);
	str_putc(out, 0);
	put_fixed(out, crc32c_masked(crc32c(0, out->text + off, contents->len + 1)), 4);
}

static void put_table(struct str *out, const uint8_t *data, size_t size)
{
	struct str rows = {0}, index = {0}, handle = {0}, footer = {0};

	put_row(&rows, "", 0, "\x08\2", 2);
	put_row(&rows, "\0x\0\1\1\2\x80\x82\x80\x83", 10, "\x08\1\x18\1\x20\4\x28\x18", 8);
	put_row(&rows, "x", 1, data, size);
	put_block(out, &rows, &handle);
	put_row(&index, "x", 1, handle.text, handle.len);
	str_put(&footer, "\0\0", 2);
	put_block(out, &index, &footer);
	str_fill(&footer, '\0', 40 - footer.len);
	str_put(out, footer.text, footer.len);
	put_fixed(out, 0xdb4775248b80fb57, 8);
	str_release(&rows);
	str_release(&index);
	str_release(&handle);
	str_release(&footer);
}

static void look(const struct checkpoint_tensor *t, uint32_t n_shards)
{
	MUST(!strcmp(t->name, "x") && t->shard < n_shards && t->rank <= 32);
	for (uint32_t i = 0; !t->why && i < t->n_parts; i++)
		for (uint32_t k = 0; k < t->rank; k++)
			MUST(t->part[i].start[k] >= 0 && t->part[i].length[k] >= 0
			     && t->part[i].start[k] + t->part[i].length[k] <= t->dim[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checkpoint checkpoint = {0};
	struct str bytes = {0};
	struct err err = {0};
	struct file file;
	bool ok;

	put_table(&bytes, data, size);
	MUST(file_open(&file, input_file((const uint8_t *)bytes.text, bytes.len), &err));
	ok = checkpoint_open(&checkpoint, &file, NULL, &err);
	MUST(ok == (err.code == ERR_NONE) && (!ok || checkpoint.tensors.len == 1));
	if (ok)
		look(&checkpoint.tensors.at[0], checkpoint.n_shards);
	checkpoint_release(&checkpoint);
	file_close(&file);
	str_release(&bytes);
	return 0;
}
