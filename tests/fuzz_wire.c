/*
 * Messages walked to a fixed depth; every length-delimited field is read as a message, text and
 * packed numbers.
 */
#include "dump/format/wire.h"

#include "tests/input.h"

#define DEPTH_MAX 8
#define TEXT_LIMIT 1000

static void read_values(struct file *file, const struct field *field)
{
	static const enum wire_type types[] = { WIRE_VARINT, WIRE_FIXED64, WIRE_FIXED32 };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		uint64_t at = 0, before = 0, value;
		struct err err = {0};

		for (; wire_value(file, field, types[i], &at, &value, &err); before = at)
			MUST(at > before);
	}
}

static void walk(struct file *file, struct span span, int depth)
{
	struct err err = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, &err)) {
		MUST(field.number > 0 && field.key_off >= span.off && wire.off > field.key_off);
		MUST(wire.off <= wire.end);
		read_values(file, &field);
		if (field.type != WIRE_BYTES)
			continue;
		MUST(field.bytes.off + field.bytes.len == wire.off);
		wire_text(file, field.bytes, TEXT_LIMIT, NULL);
		if (depth < DEPTH_MAX)
			walk(file, field.bytes, depth + 1);
	}
	MUST(err.code || wire.off == wire.end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file;

	MUST(file_open(&file, input_file(data, size), NULL));
	walk(&file, (struct span){ 0, size }, 0);
	walk(&file, (struct span){ size / 2, UINT64_MAX }, DEPTH_MAX);
	file_close(&file);
	return 0;
}
