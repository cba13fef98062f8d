/*
 * An element is read into the cell that holds every element of its type, and that is converted to
 * the cell that was asked for; storing takes the same two steps in reverse. So there is one loop
 * for each type and one for each pair of cells.
 */
#include "cmds/doc/cells.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* X(dtype, C type): integers with a C type of their own. */
#define SIGNED(X) X(INT8, int8_t) X(INT16, int16_t) X(INT32, int32_t) X(INT64, int64_t)
#define UNSIGNED(X) X(UINT8, uint8_t) X(UINT16, uint16_t) X(UINT32, uint32_t) X(UINT64, uint64_t)

bool cell_can_hold(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_FLOAT:
	case KIND_SMALL_FLOAT:
	case KIND_INT:
	case KIND_UINT:
	case KIND_BOOL:
	case KIND_COMPLEX:
		return true;
	default:
		return false;
	}
}

enum cell cell_of(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_UINT:
		return CELL_UINT;
	case KIND_FLOAT:
		return type->dtype == DTYPE_FLOAT64 ? CELL_DOUBLE : CELL_FLOAT;
	case KIND_SMALL_FLOAT:
		return CELL_FLOAT;
	case KIND_COMPLEX:
		return type->dtype == DTYPE_COMPLEX128 ? CELL_COMPLEX64 : CELL_COMPLEX32;
	default:
		return CELL_INT;
	}
}

size_t cell_bytes(enum cell cell)
{
	static const size_t bytes[] = {
#define X(id, c_type, dtype) [CELL_##id] = sizeof(c_type),
		CELL_REALS(X) CELL_COMPLEXES(X)
#undef X
	};

	return bytes[cell];
}

enum dtype cell_dtype(enum cell cell)
{
	static const enum dtype dtypes[] = {
#define X(id, c_type, dtype) [CELL_##id] = DTYPE_##dtype,
		CELL_REALS(X) CELL_COMPLEXES(X)
#undef X
	};

	return dtypes[cell];
}

bool cell_rounds(const struct dtype_info *type)
{
	return type->dtype == DTYPE_FLOAT16 || type->dtype == DTYPE_BFLOAT16;
}

/* From one cell to another. */

/* As x86 converts: INT64_MIN, -2^63, for what does not fit. */
static int64_t to_int64(double x)
{
	return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN;
}

static uint64_t to_uint64(double x)
{
	return x >= 0x1p63 && x < 0x1p64 ? (uint64_t)(x - 0x1p63) + ((uint64_t)1 << 63) :
	                                   (uint64_t)to_int64(x);
}

#define SAME(x) (x)
#define RE(x) ((x).re)
#define AS_INT(x) ((int64_t)(x))
#define AS_UINT(x) ((uint64_t)(x))
#define AS_FLOAT(x) ((float)(x))
#define AS_DOUBLE(x) ((double)(x))
#define AS_COMPLEX32(x) ((struct complex32){ (float)(x), 0 })
#define AS_COMPLEX64(x) ((struct complex64){ (x), 0 })
#define WIDER(x) ((struct complex64){ (x).re, (x).im })
#define NARROWER(x) ((struct complex32){ (float)(x).re, (float)(x).im })

/* X(from, to, C type of from, C type of to, expression) */
#define CONVERSIONS(X) \
	X(INT, UINT, int64_t, uint64_t, AS_UINT(x)) \
	X(INT, FLOAT, int64_t, float, AS_FLOAT(x)) \
	X(INT, DOUBLE, int64_t, double, AS_DOUBLE(x)) \
	X(INT, COMPLEX32, int64_t, struct complex32, AS_COMPLEX32(x)) \
	X(INT, COMPLEX64, int64_t, struct complex64, AS_COMPLEX64((double)x)) \
	X(UINT, INT, uint64_t, int64_t, AS_INT(x)) \
	X(UINT, FLOAT, uint64_t, float, AS_FLOAT(x)) \
	X(UINT, DOUBLE, uint64_t, double, AS_DOUBLE(x)) \
	X(UINT, COMPLEX32, uint64_t, struct complex32, AS_COMPLEX32(x)) \
	X(UINT, COMPLEX64, uint64_t, struct complex64, AS_COMPLEX64((double)x)) \
	X(FLOAT, INT, float, int64_t, to_int64(x)) \
	X(FLOAT, UINT, float, uint64_t, to_uint64(x)) \
	X(FLOAT, DOUBLE, float, double, AS_DOUBLE(x)) \
	X(FLOAT, COMPLEX32, float, struct complex32, AS_COMPLEX32(x)) \
	X(FLOAT, COMPLEX64, float, struct complex64, AS_COMPLEX64(x)) \
	X(DOUBLE, INT, double, int64_t, to_int64(x)) \
	X(DOUBLE, UINT, double, uint64_t, to_uint64(x)) \
	X(DOUBLE, FLOAT, double, float, AS_FLOAT(x)) \
	X(DOUBLE, COMPLEX32, double, struct complex32, AS_COMPLEX32(x)) \
	X(DOUBLE, COMPLEX64, double, struct complex64, AS_COMPLEX64(x)) \
	X(COMPLEX32, INT, struct complex32, int64_t, to_int64(RE(x))) \
	X(COMPLEX32, UINT, struct complex32, uint64_t, to_uint64(RE(x))) \
	X(COMPLEX32, FLOAT, struct complex32, float, RE(x)) \
	X(COMPLEX32, DOUBLE, struct complex32, double, AS_DOUBLE(RE(x))) \
	X(COMPLEX32, COMPLEX64, struct complex32, struct complex64, WIDER(x)) \
	X(COMPLEX64, INT, struct complex64, int64_t, to_int64(RE(x))) \
	X(COMPLEX64, UINT, struct complex64, uint64_t, to_uint64(RE(x))) \
	X(COMPLEX64, FLOAT, struct complex64, float, AS_FLOAT(RE(x))) \
	X(COMPLEX64, DOUBLE, struct complex64, double, RE(x)) \
	X(COMPLEX64, COMPLEX32, struct complex64, struct complex32, NARROWER(x))

static void convert(enum cell from, const void *in, size_t n, enum cell to, void *out)
{
	switch (from * N_CELLS + to) {
#define X(from_id, to_id, from_type, to_type, expression) \
	case CELL_##from_id * N_CELLS + CELL_##to_id: \
		for (size_t i = 0; i < n; i++) { \
			from_type x = ((const from_type *)in)[i]; \
			\
			((to_type *)out)[i] = expression; \
		} \
		break;
	CONVERSIONS(X)
#undef X
	default:
		memmove(out, in, n * cell_bytes(to));
	}
}

/* Reading. */

#define LOAD(id, elem_type, cell_type) \
	case DTYPE_##id: \
		for (size_t i = 0; i < n; i++, at += stride) { \
			elem_type x; \
			\
			memcpy(&x, at, sizeof x); \
			((cell_type *)out)[i] = (cell_type)x; \
		} \
		break;
#define LOAD_SIGNED(id, elem_type) LOAD(id, elem_type, int64_t)
#define LOAD_UNSIGNED(id, elem_type) LOAD(id, elem_type, uint64_t)

static void load_floats(const struct dtype_info *type, const unsigned char *at, int64_t stride,
                        size_t n, float *out)
{
	for (size_t i = 0; i < n; i++, at += stride) {
		uint16_t bits;

		if (type->dtype == DTYPE_FLOAT16) {
			memcpy(&bits, at, sizeof bits);
			out[i] = (float)half_value(bits);
		} else {
			out[i] = (float)small_float_value(type->dtype, at);
		}
	}
}

static void load_wholes(const struct dtype_info *type, const unsigned char *at, int64_t stride,
                        size_t n, int64_t *out)
{
	for (size_t i = 0; i < n; i++, at += stride)
		out[i] = int_value(type->dtype, at);
}

/* Into the type's own cell. */
static void load(const struct dtype_info *type, const unsigned char *at, int64_t stride, size_t n,
                 void *out)
{
	switch (type->dtype) {
	SIGNED(LOAD_SIGNED)
	UNSIGNED(LOAD_UNSIGNED)
	LOAD(FLOAT32, float, float)
	LOAD(FLOAT64, double, double)
	case DTYPE_COMPLEX64:
	case DTYPE_COMPLEX128:
		for (size_t i = 0; i < n; i++, at += stride)
			memcpy((unsigned char *)out + i * type->elem_bytes, at, type->elem_bytes);
		break;
	default:
		/*
		 * Unsigned numbers smaller than a byte have the same bits in both integer cells.
		 */
		if (type->kind == KIND_FLOAT || type->kind == KIND_SMALL_FLOAT)
			load_floats(type, at, stride, n, out);
		else
			load_wholes(type, at, stride, n, out);
	}
}

void cells_load(const struct dtype_info *type, const unsigned char *at, int64_t stride, size_t n,
                enum cell to, void *out)
{
	_Alignas(CELL_BYTES) unsigned char own[CELLS * CELL_BYTES];
	enum cell from = cell_of(type);

	assert(n <= CELLS);
	if (from == to) {
		load(type, at, stride, n, out);
		return;
	}
	load(type, at, stride, n, own);
	convert(from, own, n, to, out);
}

/* Writing. */

/* Rounded to the nearest, half to even. */
static uint16_t half_bits(double x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	double size = fabs(x), mantissa;
	int exponent;

	if (isnan(x))
		return 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	if (size < 0x1p-14)
		return (uint16_t)(sign | (uint16_t)nearbyint(size * 0x1p24));
	/* 1024 to 2048: its top bit counts as exponent. */
	mantissa = nearbyint(frexp(size, &exponent) * 2048);
	return (uint16_t)(sign | (((exponent + 13) << 10) + (int)mantissa));
}

/* The upper half of a float, rounded to the nearest, half to even. */
static uint16_t bfloat_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	if (isnan(x))
		return (uint16_t)(0x7fc0 | (bits >> 16 & 0x8000));
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* A float as a whole number of 8, 16 or 32 bits: x86 goes through 32 bits, except for uint32. */
static void squeeze(double x, const struct dtype_info *to, unsigned char *out)
{
	int64_t whole = to_int64(x);
	int32_t low;

	if (to->dtype != DTYPE_UINT32 && !(x > (double)INT32_MIN - 1 && x < (double)INT32_MAX + 1))
		whole = INT32_MIN;
	low = (int32_t)(uint32_t)(uint64_t)whole;
	if (to->elem_bytes == 1)
		*out = (unsigned char)low;
	else if (to->elem_bytes == 2)
		memcpy(out, &(uint16_t){ (uint16_t)low }, 2);
	else
		memcpy(out, &low, 4);
}

static bool is_whole(const struct dtype_info *type)
{
	return type->kind == KIND_INT || type->kind == KIND_UINT;
}

static bool is_true(enum cell cell, const void *cells, size_t i)
{
	switch (cell) {
#define X(id, c_type, dtype) case CELL_##id: return ((const c_type *)cells)[i] != 0;
	CELL_REALS(X)
#undef X
#define X(id, c_type, dtype) \
	case CELL_##id: \
		return ((const c_type *)cells)[i].re != 0 || ((const c_type *)cells)[i].im != 0;
	CELL_COMPLEXES(X)
#undef X
	default: return false;
	}
}

#define STORE(id, elem_type, cell_type) \
	case DTYPE_##id: \
		for (size_t i = 0; i < n; i++) { \
			elem_type x = (elem_type)((const cell_type *)cells)[i]; \
			\
			memcpy(out + i * sizeof x, &x, sizeof x); \
		} \
		break;
#define STORE_SIGNED(id, elem_type) STORE(id, elem_type, int64_t)
#define STORE_UNSIGNED(id, elem_type) STORE(id, elem_type, uint64_t)

/* From the type's own cell. */
static void store(const struct dtype_info *to, const void *cells, size_t n, unsigned char *out)
{
	switch (to->dtype) {
	SIGNED(STORE_SIGNED)
	UNSIGNED(STORE_UNSIGNED)
	case DTYPE_FLOAT16:
		for (size_t i = 0; i < n; i++)
			memcpy(out + i * 2, &(uint16_t){ half_bits(((const float *)cells)[i]) },
			       2);
		break;
	case DTYPE_BFLOAT16:
		for (size_t i = 0; i < n; i++)
			memcpy(out + i * 2, &(uint16_t){ bfloat_bits(((const float *)cells)[i]) },
			       2);
		break;
	default:
		memcpy(out, cells, n * to->elem_bytes);
	}
}

void cells_store(enum cell from, const void *cells, size_t n, const struct dtype_info *to,
                 unsigned char *out)
{
	_Alignas(CELL_BYTES) unsigned char own[CELLS * CELL_BYTES];
	bool from_whole = from == CELL_INT || from == CELL_UINT;

	assert(n <= CELLS);
	if (to->kind == KIND_BOOL) {
		for (size_t i = 0; i < n; i++)
			out[i] = is_true(from, cells, i);
	} else if (is_whole(to) && to->elem_bytes < 8 && !from_whole) {
		convert(from, cells, n, CELL_DOUBLE, own);
		for (size_t i = 0; i < n; i++)
			squeeze(((const double *)own)[i], to, out + i * to->elem_bytes);
	} else if (to->dtype == DTYPE_FLOAT16 && from != CELL_FLOAT) {
		convert(from, cells, n, CELL_DOUBLE, own);
		for (size_t i = 0; i < n; i++)
			memcpy(out + i * 2, &(uint16_t){ half_bits(((const double *)own)[i]) }, 2);
	} else if (from == cell_of(to)) {
		store(to, cells, n, out);
	} else {
		convert(from, cells, n, cell_of(to), own);
		store(to, own, n, out);
	}
}

void cells_round(const struct dtype_info *type, float *cells, size_t n)
{
	unsigned char small[CELLS * 2];

	for (size_t some; n; cells += some, n -= some) {
		some = n < CELLS ? n : CELLS;
		cells_store(CELL_FLOAT, cells, some, type, small);
		cells_load(type, small, 2, some, CELL_FLOAT, cells);
	}
}
