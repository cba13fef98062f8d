/*
 * A sequence of elements: bytes as they are, or a stretch of what has come out already, which may
 * reach into itself. The lowest two bits of an element's first byte say which.
 */
#include "dump/format/snappy.h"

#include <stdint.h>
#include <string.h>

#include "dump/base/bytes.h"

enum { LENGTH_MAX = 5 };

struct unpacking {
	const unsigned char *at, *end;
	unsigned char *out;
	size_t have, size;
};

bool snappy_length(const void *bytes, size_t len, size_t *unpacked, size_t *begin)
{
	const unsigned char *at = bytes;
	uint64_t number = 0;

	for (size_t i = 0; i < len && i < LENGTH_MAX; i++) {
		number |= (uint64_t)(at[i] & 0x7f) << (7 * i);
		if (at[i] < 0x80) {
			*unpacked = (size_t)number;
			*begin = i + 1;
			return number <= UINT32_MAX;
		}
	}
	return false;
}

static bool take_number(struct unpacking *u, size_t width, size_t *number)
{
	if ((size_t)(u->end - u->at) < width)
		return false;
	*number = (size_t)little_endian(u->at, width);
	u->at += width;
	return true;
}

/* The length is in the first byte, or in up to 4 that follow. */
static bool put_bytes(struct unpacking *u, unsigned tag)
{
	size_t len = tag >> 2;

	if (len >= 60 && !take_number(u, len - 59, &len))
		return false;
	len++;
	if (len > (size_t)(u->end - u->at) || len > u->size - u->have)
		return false;
	memcpy(u->out + u->have, u->at, len);
	u->at += len;
	u->have += len;
	return true;
}

static bool put_copy(struct unpacking *u, size_t back, size_t len)
{
	if (!back || back > u->have || len > u->size - u->have)
		return false;
	for (; len; len--, u->have++)
		u->out[u->have] = u->out[u->have - back];
	return true;
}

static bool do_element(struct unpacking *u)
{
	unsigned tag = *u->at++;
	size_t back;

	if ((tag & 3) == 0)
		return put_bytes(u, tag);
	if ((tag & 3) == 1)
		return take_number(u, 1, &back)
		       && put_copy(u, (size_t)(tag >> 5) << 8 | back, (tag >> 2 & 7) + 4);
	return take_number(u, (tag & 3) == 2 ? 2 : 4, &back) && put_copy(u, back, (tag >> 2) + 1);
}

bool snappy_unpack(const void *bytes, size_t len, void *out, size_t unpacked)
{
	struct unpacking u = { .at = bytes, .end = (const unsigned char *)bytes + len, .out = out,
	                       .size = unpacked };
	size_t size, begin;

	if (!snappy_length(bytes, len, &size, &begin) || size != unpacked)
		return false;
	u.at += begin;
	while (u.at < u.end)
		if (!do_element(&u))
			return false;
	return u.have == u.size;
}
