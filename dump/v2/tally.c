/*
 * Floats are classified by their bits: without the sign, what is above infinity is NaN. So there is
 * one loop for each width, which compares integers.
 */
#include "dump/v2/tally.h"

#include <math.h>
#include <string.h>

/* inf: the bits of infinity. */
#define TALLY_BITS(name, type) \
	static void name(const unsigned char *at, size_t n, type inf, struct health *health) \
	{ \
		const type sign = (type)((type)1 << (sizeof(type) * 8 - 1)); \
		size_t nan = 0, neg_inf = 0, pos_inf = 0, zero = 0, negative = 0; \
		\
		for (size_t i = 0; i < n; i++) { \
			type bits, size; \
			\
			memcpy(&bits, at + i * sizeof bits, sizeof bits); \
			size = (type)(bits & (type)~sign); \
			nan += size > inf; \
			neg_inf += bits == (type)(inf | sign); \
			pos_inf += bits == inf; \
			zero += size == 0; \
			negative += bits > sign && bits < (type)(inf | sign); \
		} \
		health->nan += nan; \
		health->neg_inf += neg_inf; \
		health->pos_inf += pos_inf; \
		health->zero += zero; \
		health->negative += negative; \
		health->positive += n - nan - neg_inf - pos_inf - zero - negative; \
	}
TALLY_BITS(tally16, uint16_t)
TALLY_BITS(tally32, uint32_t)
TALLY_BITS(tally64, uint64_t)

static void tally_one(double x, size_t n, struct health *health)
{
	if (isnan(x))
		health->nan += n;
	else if (isinf(x))
		*(x < 0 ? &health->neg_inf : &health->pos_inf) += n;
	else
		*(x == 0 ? &health->zero : x < 0 ? &health->negative : &health->positive) += n;
}

/* Types of one byte: counts each byte, then classifies the 256 bytes. */
static void tally8(enum dtype dtype, const unsigned char *at, size_t n, struct health *health)
{
	size_t count[256] = {0};

	for (size_t i = 0; i < n; i++)
		count[at[i]]++;
	for (int i = 0; i < 256; i++) {
		unsigned char byte = (unsigned char)i;

		if (count[i])
			tally_one(small_float_value(dtype, &byte), count[i], health);
	}
}

static void tally_complex(const unsigned char *at, size_t n, size_t size, struct health *health)
{
	for (size_t i = 0; i < n; i++, at += size) {
		double part[2];
		float half[2];

		if (size == sizeof half) {
			memcpy(half, at, sizeof half);
			part[0] = half[0];
			part[1] = half[1];
		} else {
			memcpy(part, at, sizeof part);
		}
		health->nan += isnan(part[0]) || isnan(part[1]);
		health->neg_inf += part[0] == -INFINITY || part[1] == -INFINITY;
		health->pos_inf += part[0] == INFINITY || part[1] == INFINITY;
		health->zero += part[0] == 0 && part[1] == 0;
	}
}

static void tally_whole(const struct dtype_info *type, const unsigned char *at, size_t n,
                        struct health *health)
{
	for (size_t i = 0; i < n; i++) {
		int64_t x = int_value(type->dtype, at + i * type->elem_bytes);

		health->zero += x == 0;
		health->negative += x < 0 && type->kind != KIND_UINT;
		health->positive += x > 0 || (x < 0 && type->kind == KIND_UINT);
	}
}

void tally(const struct dtype_info *type, const void *elems, size_t n, struct health *health)
{
	switch (type->dtype) {
	case DTYPE_FLOAT16:
		tally16(elems, n, 0x7c00, health);
		return;
	case DTYPE_BFLOAT16:
		tally16(elems, n, 0x7f80, health);
		return;
	case DTYPE_FLOAT32:
		tally32(elems, n, 0x7f800000, health);
		return;
	case DTYPE_FLOAT64:
		tally64(elems, n, UINT64_C(0x7ff0000000000000), health);
		return;
	default:
		break;
	}
	if (type->kind == KIND_SMALL_FLOAT)
		tally8(type->dtype, elems, n, health);
	else if (type->kind == KIND_COMPLEX)
		tally_complex(elems, n, type->elem_bytes, health);
	else
		tally_whole(type, elems, n, health);
}
