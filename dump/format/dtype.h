#ifndef DUMP_DTYPE_H
#define DUMP_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Element types. Source: tensorflow/core/framework/types.proto.
 *   X(id, wire, name, prints, kind, bytes, field)
 * wire    DataType on the wire; +100 is the reference type
 * name    TensorFlow's; prints: what str() of the numpy dtype gives
 * bytes   of one element in tensor_content; 0: not fixed
 * field   the TensorProto field of its typed values
 */
#define DTYPES(X) \
	X(FLOAT32, 1, "float32", "float32", FLOAT, 4, 5) \
	X(FLOAT64, 2, "float64", "float64", FLOAT, 8, 6) \
	X(INT32, 3, "int32", "int32", INT, 4, 7) \
	X(UINT8, 4, "uint8", "uint8", UINT, 1, 7) \
	X(INT16, 5, "int16", "int16", INT, 2, 7) \
	X(INT8, 6, "int8", "int8", INT, 1, 7) \
	X(STRING, 7, "string", "object", STRING, 0, 8) \
	X(COMPLEX64, 8, "complex64", "complex64", COMPLEX, 8, 9) \
	X(INT64, 9, "int64", "int64", INT, 8, 10) \
	X(BOOL, 10, "bool", "bool", BOOL, 1, 11) \
	X(QINT8, 11, "qint8", "[('qint8', 'i1')]", QUANT, 1, 7) \
	X(QUINT8, 12, "quint8", "[('quint8', 'u1')]", QUANT, 1, 7) \
	X(QINT32, 13, "qint32", "[('qint32', '<i4')]", QUANT, 4, 7) \
	X(BFLOAT16, 14, "bfloat16", "bfloat16", SMALL_FLOAT, 2, 13) \
	X(QINT16, 15, "qint16", "[('qint16', '<i2')]", QUANT, 2, 7) \
	X(QUINT16, 16, "quint16", "[('quint16', '<u2')]", QUANT, 2, 7) \
	X(UINT16, 17, "uint16", "uint16", UINT, 2, 7) \
	X(COMPLEX128, 18, "complex128", "complex128", COMPLEX, 16, 12) \
	X(FLOAT16, 19, "float16", "float16", FLOAT, 2, 13) \
	X(RESOURCE, 20, "resource", "resource", OPAQUE, 0, 14) \
	X(VARIANT, 21, "variant", "variant", OPAQUE, 0, 15) \
	X(UINT32, 22, "uint32", "uint32", UINT, 4, 16) \
	X(UINT64, 23, "uint64", "uint64", UINT, 8, 17) \
	X(FLOAT8_E5M2, 24, "float8_e5m2", "float8_e5m2", SMALL_FLOAT, 1, 18) \
	X(FLOAT8_E4M3FN, 25, "float8_e4m3fn", "float8_e4m3fn", SMALL_FLOAT, 1, 18) \
	X(FLOAT8_E4M3FNUZ, 26, "float8_e4m3fnuz", "float8_e4m3fnuz", SMALL_FLOAT, 1, 18) \
	X(FLOAT8_E4M3B11FNUZ, 27, "float8_e4m3b11fnuz", "float8_e4m3b11fnuz", SMALL_FLOAT, 1, 18) \
	X(FLOAT8_E5M2FNUZ, 28, "float8_e5m2fnuz", "float8_e5m2fnuz", SMALL_FLOAT, 1, 18) \
	X(INT4, 29, "int4", "int4", INT, 1, 7) \
	X(UINT4, 30, "uint4", "uint4", UINT, 1, 7) \
	X(INT2, 31, "int2", "int2", INT, 1, 7) \
	X(UINT2, 32, "uint2", "uint2", UINT, 1, 7) \
	/* Not TensorFlow's, which has no such number: of other programs' files. */ \
	X(FLOAT8_E8M0FNU, 99, "float8_e8m0fnu", "float8_e8m0fnu", SMALL_FLOAT, 1, 18)

enum dtype {
	DTYPE_INVALID = 0,
#define X(id, wire, name, prints, kind, bytes, field) DTYPE_##id = wire,
	DTYPES(X)
#undef X
};

/* SMALL_FLOAT: no numpy type of its own; its elements print as %g of their float32 value. */
enum dtype_kind {
	KIND_FLOAT, KIND_SMALL_FLOAT, KIND_INT, KIND_UINT, KIND_BOOL, KIND_COMPLEX, KIND_STRING,
	KIND_QUANT, KIND_OPAQUE,
};

struct dtype_info {
	enum dtype dtype;
	enum dtype_kind kind;
	const char *name;
	const char *prints;
	size_t elem_bytes;
	uint32_t field;
};

/* The type of this name of TensorFlow's, of elements of a fixed size; DTYPE_INVALID: none. */
enum dtype dtype_named(const char *name);

/* NULL for DTYPE_INVALID, and for a number that is no type here. */
const struct dtype_info *dtype_info(enum dtype dtype);
/*
 * Of a DataType that a file of TensorFlow's has: NULL if it names none of TensorFlow's types.
 * Reference types give their base type.
 */
const struct dtype_info *dtype_on_wire(uint64_t wire);

/* Elements, as read from memory in host byte order. */
double half_value(uint16_t bits);               /* IEEE binary16 */
double small_float_value(enum dtype dtype, const void *elem);   /* bfloat16, float8_* */
int64_t int_value(enum dtype dtype, const void *elem);  /* INT, UINT, BOOL, QUANT; uint64 wraps */

#endif
