#include "tests/small_tar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "dump/base/mem.h"
#include "tests/message.h"

void put_tar_member(struct str *out, const char *name, char type, const void *bytes, size_t len)
{
	char head[512] = {0};
	unsigned sum = 0;

	memcpy(head, name, strnlen(name, 100));
	snprintf(head + 100, 8, "%07o", 0644);
	snprintf(head + 124, 12, "%011zo", len);
	snprintf(head + 136, 12, "%011o", 1000);
	head[156] = type;
	memcpy(head + 257, "ustar\00000", 8);
	memset(head + 148, ' ', 8);
	for (size_t i = 0; i < sizeof head; i++)
		sum += (unsigned char)head[i];
	snprintf(head + 148, 8, "%06o", sum);
	str_put(out, head, sizeof head);
	str_put(out, bytes, len);
	str_fill(out, '\0', (512 - len % 512) % 512);
}

void put_tar_end(struct str *out)
{
	str_fill(out, '\0', 1024);
}

void put_small_array(struct str *out)
{
	static const char dict[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}";

	str_put(out, "\x93NUMPY\1\0", 8);
	put_fixed(out, sizeof dict - 1, 2);
	str_puts(out, dict);
	str_put(out, "\1\0\2\0", 4);
}

void put_gzip(struct str *out, const void *bytes, size_t len)
{
	z_stream z = { .next_in = (z_const Bytef *)bytes, .avail_in = (uInt)len };
	size_t room;
	char *packed;

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	room = deflateBound(&z, (uLong)len);
	packed = mem_alloc(room);
	z.next_out = (Bytef *)packed;
	z.avail_out = (uInt)room;
	deflate(&z, Z_FINISH);
	str_put(out, packed, room - z.avail_out);
	deflateEnd(&z);
	free(packed);
}

static bool is_one_byte(const char *bytes, size_t len)
{
	return len && !memcmp(bytes, bytes + 1, len - 1);
}

/* A frame with a window of 1 MiB, in blocks that are not packed or one byte's (RFC 8878, 3.1.1). */
void put_zstd(struct str *out, const void *bytes, size_t len)
{
	enum { BLOCK = 16 * 1024, ONE_BYTE = 1 << 1 };

	str_put(out, "\x28\xb5\x2f\xfd\0\x50", 6);
	for (size_t at = 0, n; at < len || !at; at += n) {
		const char *block = (const char *)bytes + at;
		bool repeated;

		n = len - at < BLOCK ? len - at : BLOCK;
		repeated = is_one_byte(block, n);
		put_fixed(out, (at + n == len) | (repeated ? ONE_BYTE : 0) | n << 3, 3);
		str_put(out, block, repeated ? 1 : n);
		if (!n)
			break;
	}
}
