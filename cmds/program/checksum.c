/* Elements come in host byte order: little-endian, on every machine this is built for. */
#include "cmds/program/checksum.h"

#include "dump/format/crc32.h"
#include "dump/model/value.h"

enum { BLOCK_BYTES = 65536 };

static bool sum_strings(struct value *value, uint32_t *sum, struct err *err)
{
	const char *text;
	size_t len;

	for (uint64_t i = 0; i < value->count; i++) {
		unsigned char head[4];

		if (!value_string(value, i, &text, &len, err))
			return false;
		for (int k = 0; k < 4; k++)
			head[k] = (unsigned char)(len >> (8 * k));
		*sum = crc32_add(*sum, head, sizeof head);
		*sum = crc32_add(*sum, text, len);
	}
	return true;
}

static bool sum_elements(struct value *value, uint32_t *sum, struct err *err)
{
	unsigned char block[BLOCK_BYTES];
	size_t size = value->type->elem_bytes, most = BLOCK_BYTES / size;

	for (uint64_t i = 0; i < value->count;) {
		size_t n = value->count - i < most ? (size_t)(value->count - i) : most;

		if (!value_read(value, i, n, block, err))
			return false;
		*sum = crc32_add(*sum, block, n * size);
		i += n;
	}
	return true;
}

bool value_checksum(struct program_reads *reads, const struct program_tensor *tensor,
                    uint32_t *sum, struct err *err)
{
	struct value *value = program_value(reads, tensor, err);
	bool ok = value && value->state == VALUE_ARRAY;

	*sum = 0;
	if (value && !ok)
		err_fill(err, ERR_MISSING, value->path, 0, "the tensor has no elements to add up");
	if (ok)
		ok = value->type->kind == KIND_STRING ? sum_strings(value, sum, err)
		                                        : sum_elements(value, sum, err);
	value_close(value);
	return ok;
}
