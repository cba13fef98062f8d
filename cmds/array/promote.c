#include "cmds/array/promote.h"

#include <math.h>

bool promote_knows(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_BOOL:
	case KIND_FLOAT:
	case KIND_COMPLEX:
		return true;
	case KIND_INT:
		return type->dtype != DTYPE_INT4 && type->dtype != DTYPE_INT2;
	case KIND_UINT:
		return type->dtype != DTYPE_UINT4 && type->dtype != DTYPE_UINT2;
	case KIND_SMALL_FLOAT:
		return type->dtype == DTYPE_BFLOAT16;
	default:
		return false;
	}
}

static enum dtype signed_of(size_t bytes)
{
	static const enum dtype dtypes[] = {
		[1] = DTYPE_INT8, [2] = DTYPE_INT16, [4] = DTYPE_INT32, [8] = DTYPE_INT64
	};

	return dtypes[bytes];
}

static enum dtype unsigned_of(size_t bytes)
{
	static const enum dtype dtypes[] = {
		[1] = DTYPE_UINT8, [2] = DTYPE_UINT16, [4] = DTYPE_UINT32, [8] = DTYPE_UINT64
	};

	return dtypes[bytes];
}

static enum dtype float_of(size_t bytes)
{
	return bytes <= 2 ? DTYPE_FLOAT16 : bytes == 4 ? DTYPE_FLOAT32 : DTYPE_FLOAT64;
}

/* Bytes of the smallest float that holds numbers of the type, or the parts of complex ones. */
static size_t float_bytes(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_BOOL:
		return 2;
	case KIND_COMPLEX:
		return type->elem_bytes / 2;
	case KIND_FLOAT:
		return type->elem_bytes;
	default:
		return type->elem_bytes < 4 ? type->elem_bytes * 2 : 8;
	}
}

enum dtype promote_to_float(enum dtype dtype)
{
	const struct dtype_info *type = dtype_info(dtype);

	if (type->kind == KIND_COMPLEX || dtype == DTYPE_BFLOAT16)
		return dtype;
	return float_of(float_bytes(type));
}

bool promote_is_whole(const struct dtype_info *type)
{
	return type->kind == KIND_INT || type->kind == KIND_UINT || type->kind == KIND_BOOL;
}

static enum dtype promote_wholes(const struct dtype_info *a, const struct dtype_info *b)
{
	const struct dtype_info *with_sign = a->kind == KIND_INT ? a : b;
	const struct dtype_info *without = with_sign == a ? b : a;

	if (a->kind == b->kind)
		return a->elem_bytes >= b->elem_bytes ? a->dtype : b->dtype;
	if (with_sign->elem_bytes > without->elem_bytes)
		return with_sign->dtype;
	return without->elem_bytes == 8 ? DTYPE_FLOAT64 : signed_of(without->elem_bytes * 2);
}

/* What bfloat16 counts as beside another type. */
static enum dtype bfloat_beside(const struct dtype_info *other)
{
	bool held = other->dtype == DTYPE_BFLOAT16 ||
	            (promote_is_whole(other) && other->elem_bytes == 1);

	return held ? DTYPE_BFLOAT16 : DTYPE_FLOAT32;
}

enum dtype promote_types(enum dtype a_type, enum dtype b_type)
{
	const struct dtype_info *a = dtype_info(a_type), *b = dtype_info(b_type);
	size_t bytes = float_bytes(a) > float_bytes(b) ? float_bytes(a) : float_bytes(b);

	if (a->kind == KIND_BOOL)
		return b_type;
	if (b->kind == KIND_BOOL)
		return a_type;
	if (a_type == DTYPE_BFLOAT16 || b_type == DTYPE_BFLOAT16) {
		a_type = a_type == DTYPE_BFLOAT16 ? bfloat_beside(b) : a_type;
		b_type = b_type == DTYPE_BFLOAT16 ? bfloat_beside(a) : b_type;
		if (a_type == DTYPE_BFLOAT16 || b_type == DTYPE_BFLOAT16)
			return DTYPE_BFLOAT16;
		return promote_types(a_type, b_type);
	}
	if (a->kind == KIND_COMPLEX || b->kind == KIND_COMPLEX)
		return bytes == 8 ? DTYPE_COMPLEX128 : DTYPE_COMPLEX64;
	if (a->kind == KIND_FLOAT || b->kind == KIND_FLOAT)
		return float_of(bytes);
	return promote_wholes(a, b);
}

/* The order of kinds. */
static int rank_of(const struct dtype_info *type)
{
	if (type->kind == KIND_BOOL)
		return 0;
	return type->kind == KIND_INT || type->kind == KIND_UINT ? 1 : 2;
}

static enum dtype smallest_whole(const struct ndarray *number, bool beside_unsigned)
{
	int64_t signed_value = ndarray_item(number, 0);
	uint64_t value = (uint64_t)signed_value;
	size_t bytes = 1;

	if (number->type->kind == KIND_INT && signed_value < 0) {
		while (bytes < 8 && signed_value < -((int64_t)1 << (bytes * 8 - 1)))
			bytes *= 2;
		return signed_of(bytes);
	}
	while (bytes < 8 && value >> (bytes * 8))
		bytes *= 2;
	/* Where there is no other reason for a sign, it is a number without. */
	return beside_unsigned || value >> (bytes * 8 - 1) ? unsigned_of(bytes) : signed_of(bytes);
}

static enum dtype smallest_float(const struct ndarray *number)
{
	struct complex64 value;
	double size;

	cells_load(number->type, number->first, 0, 1, CELL_COMPLEX64, &value);
	size = fmax(fabs(value.re), fabs(value.im));
	if (number->type->kind == KIND_COMPLEX)
		return size > 3.4e38 && isfinite(size) ? number->type->dtype : DTYPE_COMPLEX64;
	if (number->type->dtype == DTYPE_BFLOAT16)
		return DTYPE_BFLOAT16;
	if (number->type->dtype == DTYPE_FLOAT16 || !(size >= 65000) || isinf(size))
		return DTYPE_FLOAT16;
	return size < 3.4e38 ? DTYPE_FLOAT32 : number->type->dtype;
}

static enum dtype beside_array(const struct ndarray *number, const struct ndarray *array)
{
	switch (number->type->kind) {
	case KIND_INT:
	case KIND_UINT:
		return smallest_whole(number, array->type->kind == KIND_UINT);
	case KIND_BOOL:
		return DTYPE_BOOL;
	default:
		return smallest_float(number);
	}
}

/* What each of the two counts as beside the other. */
static void count_each(const struct ndarray *a, const struct ndarray *b, enum dtype *a_type,
                       enum dtype *b_type)
{
	const struct ndarray *number = a->shape.rank == 0 ? a : b, *array = number == a ? b : a;

	*a_type = a->type->dtype;
	*b_type = b->type->dtype;
	if (number->shape.rank == 0 && array->shape.rank > 0 &&
	    rank_of(number->type) <= rank_of(array->type))
		*(number == a ? a_type : b_type) = beside_array(number, array);
}

enum dtype promote_operands(const struct ndarray *a, const struct ndarray *b)
{
	enum dtype a_type, b_type;

	count_each(a, b, &a_type, &b_type);
	return promote_types(a_type, b_type);
}

enum dtype promote_floats(const struct ndarray *a, const struct ndarray *b)
{
	enum dtype a_type, b_type;

	count_each(a, b, &a_type, &b_type);
	return promote_types(promote_to_float(a_type), promote_to_float(b_type));
}

enum dtype promote_by_loops(const struct ndarray *a, const struct ndarray *b)
{
	const struct ndarray *number = a->shape.rank == 0 ? a : b, *array = number == a ? b : a;
	const struct dtype_info *made = dtype_info(promote_operands(a, b));
	bool wider = made->kind == KIND_UINT && made->elem_bytes > array->type->elem_bytes;

	if (number->shape.rank || !array->shape.rank || !wider ||
	    (uint64_t)ndarray_item(number, 0) >> (made->elem_bytes * 8 - 1))
		return made->dtype;
	return signed_of(made->elem_bytes);
}
