#include "dump/format/dtype.h"

#include <math.h>
#include <string.h>

/*
 * One table expanded from DTYPES, found by the number on the wire, and readers of single elements.
 * Numbers that are smaller than a byte (int4, ...) take a byte each; only their low bits count.
 */
enum { REF_OFFSET = 100, TENSORFLOWS_LAST = DTYPE_UINT2 };

const struct dtype_info *dtype_info(enum dtype dtype)
{
	static const struct dtype_info table[] = {
#define X(id, wire, name, prints, kind, bytes, field) \
		[wire] = { DTYPE_##id, KIND_##kind, name, prints, bytes, field },
		DTYPES(X)
#undef X
	};

	if (dtype >= sizeof table / sizeof *table || !table[dtype].name)
		return NULL;
	return &table[dtype];
}

const struct dtype_info *dtype_on_wire(uint64_t wire)
{
	if (wire > REF_OFFSET)
		wire -= REF_OFFSET;
	return wire <= TENSORFLOWS_LAST ? dtype_info((enum dtype)wire) : NULL;
}

enum dtype dtype_named(const char *name)
{
	static const struct { const char *name; enum dtype dtype; size_t bytes; } types[] = {
#define X(id, wire, name, prints, kind, bytes, field) { name, DTYPE_##id, bytes },
		DTYPES(X)
#undef X
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].bytes && !strcmp(types[i].name, name))
			return types[i].dtype;
	return DTYPE_INVALID;
}

double half_value(uint16_t bits)
{
	uint32_t exponent = bits >> 10 & 31, mantissa = bits & 1023;
	float scale = 0x1p+112f, x;
	uint32_t wide = (uint32_t)(bits & 0x7fff) << 13;

	if (exponent == 31)
		return mantissa ? NAN : bits >> 15 ? -INFINITY : INFINITY;
	memcpy(&x, &wide, sizeof x);    /* as a float its exponent is 112 too small */
	x *= scale;
	return bits >> 15 ? -x : x;
}

/*
 * The layouts of an 8-bit float. IEEE: has infinities; FN: NaN is all ones; FNUZ: NaN is the
 * negative zero.
 */
enum float8_style { FLOAT8_IEEE, FLOAT8_FN, FLOAT8_FNUZ };

static double float8_value(uint8_t bits, int mantissa_bits, int bias, enum float8_style style)
{
	int mantissa = bits & ((1 << mantissa_bits) - 1);
	int exponent = (bits & 0x7f) >> mantissa_bits;
	int top = 0x7f >> mantissa_bits;
	double x;

	if (style == FLOAT8_FNUZ && bits == 0x80)
		return NAN;
	if (style == FLOAT8_FN && (bits & 0x7f) == 0x7f)
		return NAN;
	if (style == FLOAT8_IEEE && exponent == top)
		x = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		x = ldexp(mantissa, 1 - bias - mantissa_bits);
	else
		x = ldexp(mantissa | 1 << mantissa_bits, exponent - bias - mantissa_bits);
	return bits & 0x80 ? -x : x;
}

double small_float_value(enum dtype dtype, const void *elem)
{
	uint8_t bits = *(const unsigned char *)elem;
	uint16_t top;
	uint32_t wide;
	float x;

	switch (dtype) {
	case DTYPE_FLOAT8_E5M2:
		return float8_value(bits, 2, 15, FLOAT8_IEEE);
	case DTYPE_FLOAT8_E4M3FN:
		return float8_value(bits, 3, 7, FLOAT8_FN);
	case DTYPE_FLOAT8_E4M3FNUZ:
		return float8_value(bits, 3, 8, FLOAT8_FNUZ);
	case DTYPE_FLOAT8_E4M3B11FNUZ:
		return float8_value(bits, 3, 11, FLOAT8_FNUZ);
	case DTYPE_FLOAT8_E5M2FNUZ:
		return float8_value(bits, 2, 16, FLOAT8_FNUZ);
	case DTYPE_FLOAT8_E8M0FNU:       /* an exponent and nothing else */
		return bits == 0xff ? NAN : ldexp(1, bits - 127);
	default:        /* bfloat16: the upper half of a float32 */
		memcpy(&top, elem, sizeof top);
		wide = (uint32_t)top << 16;
		memcpy(&x, &wide, sizeof x);
		return x;
	}
}

/* The low `bits` bits of a byte as a signed number. */
static int64_t low_bits(uint8_t byte, int bits)
{
	int value = byte & ((1 << bits) - 1);

	return value >> (bits - 1) ? value - (1 << bits) : value;
}

/* A two's complement number of 1, 2, 4 or 8 bytes; unsigned ones of 8 bytes wrap. */
static int64_t whole(const void *elem, size_t bytes, bool is_signed)
{
	uint8_t b;
	uint16_t w;
	uint32_t d;
	int64_t q;

	switch (bytes) {
	case 1:
		memcpy(&b, elem, sizeof b);
		return is_signed ? (int8_t)b : b;
	case 2:
		memcpy(&w, elem, sizeof w);
		return is_signed ? (int16_t)w : w;
	case 4:
		memcpy(&d, elem, sizeof d);
		return is_signed ? (int32_t)d : (int64_t)d;
	default:
		memcpy(&q, elem, sizeof q);
		return q;
	}
}

int64_t int_value(enum dtype dtype, const void *elem)
{
	switch (dtype) {
	case DTYPE_INT8:
	case DTYPE_QINT8:
		return whole(elem, 1, true);
	case DTYPE_UINT8:
	case DTYPE_QUINT8:
		return whole(elem, 1, false);
	case DTYPE_INT16:
	case DTYPE_QINT16:
		return whole(elem, 2, true);
	case DTYPE_UINT16:
	case DTYPE_QUINT16:
		return whole(elem, 2, false);
	case DTYPE_INT32:
	case DTYPE_QINT32:
		return whole(elem, 4, true);
	case DTYPE_UINT32:
		return whole(elem, 4, false);
	case DTYPE_INT64:
	case DTYPE_UINT64:
		return whole(elem, 8, true);
	case DTYPE_BOOL:
		return whole(elem, 1, false) != 0;
	case DTYPE_INT4:
		return low_bits(*(const uint8_t *)elem, 4);
	case DTYPE_UINT4:
		return whole(elem, 1, false) & 15;
	case DTYPE_INT2:
		return low_bits(*(const uint8_t *)elem, 2);
	case DTYPE_UINT2:
		return whole(elem, 1, false) & 3;
	default:
		return 0;
	}
}
