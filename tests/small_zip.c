#include "tests/small_zip.h"

#include <string.h>

#include "dump/format/crc32.h"
#include "tests/message.h"
#include "tests/small_tar.h"

/* What gzip packs without what it puts around. */
static void deflate_part(struct str *out, const struct zip_part *part)
{
	enum { HEAD = 10, TAIL = 8 };
	struct str packed = {0};

	put_gzip(&packed, part->bytes, part->len);
	str_put(out, packed.text + HEAD, packed.len - HEAD - TAIL);
	str_release(&packed);
}

/* As it is, or as one block of deflate that is not compressed if that can hold it. */
static void pack(struct str *out, const struct zip_part *part)
{
	if (part->method == 8 && part->len > UINT16_MAX) {
		deflate_part(out, part);
		return;
	}
	if (part->method == 8) {
		str_putc(out, 1);
		put_fixed(out, part->len, 2);
		put_fixed(out, ~(uint64_t)part->len & 0xffff, 2);
	}
	str_put(out, part->bytes, part->len);
}

/* What a member's head and its entry have in common. */
static void put_common(struct str *out, const struct zip_part *part, uint64_t packed,
                       bool large, size_t extra)
{
	uint32_t sum = crc32_add(0, part->bytes, part->len) + part->bad_sum;
	uint64_t size = part->len + (uint64_t)part->more;

	put_fixed(out, 45, 2);
	put_fixed(out, part->flags, 2);
	put_fixed(out, (uint64_t)part->method, 2);
	put_fixed(out, 0, 4);
	put_fixed(out, part->no_sum ? 0 : sum, 4);
	put_fixed(out, large ? UINT32_MAX : packed + (part->method ? 0 : (uint64_t)part->more), 4);
	put_fixed(out, large ? UINT32_MAX : size, 4);
	put_fixed(out, strlen(part->name), 2);
	put_fixed(out, extra, 2);
}

static void put_entry(struct str *out, const struct zip_part *part, uint64_t packed, bool large,
                      uint64_t head_off)
{
	enum { UNIX = 3, LINK = 0120777 };

	str_put(out, "PK\1\2\55", 5);
	str_putc(out, part->is_link ? UNIX : 0);
	put_common(out, part, packed, large, large ? 4 + 24 + 5 : 5);
	str_fill(out, '\0', 2 + 2 + 2 + 2);
	put_fixed(out, part->is_link ? LINK : 0, 2);
	put_fixed(out, large ? UINT32_MAX : head_off, 4);
	str_puts(out, part->name);
	str_put(out, "\x99\x99\1\0x", 5);
	if (large) {
		put_fixed(out, 1, 2);
		put_fixed(out, 24, 2);
		put_fixed(out, part->len + (uint64_t)part->more, 8);
		put_fixed(out, packed + (part->method ? 0 : (uint64_t)part->more), 8);
		put_fixed(out, head_off, 8);
	}
}

static void put_end(struct str *out, bool large, size_t n, uint64_t len, uint64_t off,
                    uint64_t end_off, const char *comment)
{
	if (large) {
		str_put(out, "PK\6\6", 4);
		put_fixed(out, 44, 8);
		put_fixed(out, 45 << 16 | 45, 4);
		put_fixed(out, 0, 8);
		put_fixed(out, n, 8);
		put_fixed(out, n, 8);
		put_fixed(out, len, 8);
		put_fixed(out, off, 8);
		str_put(out, "PK\6\7\0\0\0\0", 8);
		put_fixed(out, end_off, 8);
		put_fixed(out, 1, 4);
	}
	str_put(out, "PK\5\6\0\0\0\0", 8);
	put_fixed(out, large ? 0xffff : n, 2);
	put_fixed(out, large ? 0xffff : n, 2);
	put_fixed(out, large ? UINT32_MAX : len, 4);
	put_fixed(out, large ? UINT32_MAX : off, 4);
	put_fixed(out, strlen(comment), 2);
	str_puts(out, comment);
}

void put_zip(struct str *out, enum zip_form form, const char *before, const char *comment,
             const struct zip_part *part, size_t n)
{
	bool large = form == ZIP_LARGE;
	struct str list = {0}, packed = {0};
	size_t start = out->len + strlen(before), list_off;

	str_puts(out, before);
	for (size_t i = 0; i < n; i++) {
		uint64_t head_off = out->len - start;

		str_reset(&packed);
		pack(&packed, &part[i]);
		str_put(out, "PK\3\4", 4);
		put_common(out, &part[i], packed.len, false, 3);
		str_puts(out, part[i].name);
		str_put(out, "xyz", 3);
		str_put(out, packed.text, packed.len);
		put_entry(&list, &part[i], packed.len, large, head_off);
	}
	list_off = out->len - start;
	str_put(out, str_text(&list), list.len);
	put_end(out, large, n, list.len, list_off, list_off + list.len, comment);
	str_release(&packed);
	str_release(&list);
}
