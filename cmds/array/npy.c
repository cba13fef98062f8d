/* Magic, length, and a Python dictionary, padded with spaces so that elements are aligned. */
#include "cmds/array/npy.h"

#include "cmds/array/array.h"

#define MAGIC "\x93NUMPY\x01"   /* and a 0, then the length of the header in 2 bytes */
#define MAGIC_LEN 8
#define ALIGN 64

/* The letter of a dtype in the header; 0: none. */
static char kind_letter(const struct dtype_info *type)
{
	switch (type->kind) {
	case KIND_FLOAT:
		return 'f';
	case KIND_COMPLEX:
		return 'c';
	case KIND_BOOL:
		return 'b';
	case KIND_INT:
		return type->dtype == DTYPE_INT4 || type->dtype == DTYPE_INT2 ? 0 : 'i';
	case KIND_UINT:
		return type->dtype == DTYPE_UINT4 || type->dtype == DTYPE_UINT2 ? 0 : 'u';
	case KIND_SMALL_FLOAT:
		return 'V';      /* what numpy makes of types that it doesn't know */
	default:
		return 0;
	}
}

bool npy_holds(const struct dtype_info *type)
{
	return kind_letter(type) != 0;
}

void npy_put_header(struct str *out, const struct dtype_info *type, const struct shape *shape)
{
	char order = type->elem_bytes == 1 ? '|' : '<';
	size_t start = out->len, len;

	str_put(out, MAGIC "\0\0", MAGIC_LEN + 2);
	str_fmt(out, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': ", order,
	        kind_letter(type), type->elem_bytes);
	put_shape(out, shape);
	str_puts(out, ", }");
	str_fill(out, ' ', ALIGN - 1 - (out->len - start) % ALIGN);
	str_putc(out, '\n');
	len = out->len - start - MAGIC_LEN - 2;
	out->text[start + MAGIC_LEN] = (char)(len & 0xff);
	out->text[start + MAGIC_LEN + 1] = (char)(len >> 8);
}
