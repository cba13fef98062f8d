#include "tests/small_table.h"

#include "dump/format/crc32c.h"
#include "tests/message.h"

static void put_row(struct str *out, const struct table_row *row, const struct table_row *before)
{
	size_t shared = 0;

	while (before && shared < before->key_len && shared < row->key_len
	       && before->key[shared] == row->key[shared])
		shared++;
	put_varint(out, shared);
	put_varint(out, row->key_len - shared);
	put_varint(out, row->len);
	str_put(out, row->key + shared, row->key_len - shared);
	str_put(out, row->value, row->len);
}

void put_block(struct str *out, const void *contents, size_t len, int type)
{
	size_t start = out->len;

	str_put(out, contents, len);
	str_putc(out, (char)type);
	put_fixed(out, crc32c_masked(crc32c(0, out->text + start, len + 1)), 4);
}

/* One run of bytes of any length up to 64 KiB, which is not shorter than they are. */
static void put_packed(struct str *out, const struct str *contents)
{
	struct str packed = {0};

	put_varint(&packed, contents->len);
	str_putc(&packed, (char)(61 << 2));
	put_fixed(&packed, contents->len - 1, 2);
	str_put(&packed, contents->text, contents->len);
	put_block(out, packed.text, packed.len, 1);
	str_release(&packed);
}

static void put_rows(struct str *out, const struct table_row *row, size_t n, bool packed,
                     struct str *handle)
{
	struct str contents = {0};
	size_t off = out->len;

	for (size_t i = 0; i < n; i++)
		put_row(&contents, &row[i], i ? &row[i - 1] : NULL);
	put_fixed(&contents, 0, 4);
	put_fixed(&contents, 1, 4);
	if (packed)
		put_packed(out, &contents);
	else
		put_block(out, contents.text, contents.len, 0);
	put_varint(handle, off);
	put_varint(handle, out->len - off - 5);
	str_release(&contents);
}

void put_table(struct str *out, const struct table_row *row, size_t n, size_t per_block,
               bool packed)
{
	struct str handles[100] = {0}, footer = {0}, meta = {0}, index = {0};
	struct table_row blocks[100] = {0};
	size_t n_blocks = 0;

	for (size_t i = 0; i < n; i += per_block, n_blocks++) {
		size_t k = n - i < per_block ? n - i : per_block;
		struct str *handle = &handles[n_blocks];

		put_rows(out, row + i, k, packed, handle);
		blocks[n_blocks] = (struct table_row){ row[i + k - 1].key, row[i + k - 1].key_len,
		                                       handle->text, handle->len };
	}
	put_rows(out, NULL, 0, false, &meta);
	put_rows(out, blocks, n_blocks, packed, &index);
	str_put(&footer, meta.text, meta.len);
	str_put(&footer, index.text, index.len);
	str_fill(&footer, '\0', 40 - footer.len);
	str_put(out, footer.text, footer.len);
	put_fixed(out, 0xdb4775248b80fb57, 8);
	for (size_t i = 0; i < n_blocks; i++)
		str_release(&handles[i]);
	str_release(&footer);
	str_release(&meta);
	str_release(&index);
}
