/* Python literals, and the same text as ranges to highlight. */
#include "cmds/array/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/literal.h"
#include "tests/input.h"

static void look_at(const struct literal *literal, int depth)
{
	size_t n = 0;

	MUST(literal_type(literal) && depth <= 64);
	for (const struct literal *item = literal->first; item; item = item->next, n++)
		look_at(item, depth + 1);
	MUST(n == literal->len || literal->kind == LITERAL_STR);
}

static void hold(const struct ranges *ranges)
{
	static const uint64_t dtypes[] = {
		DTYPE_FLOAT16, DTYPE_FLOAT32, DTYPE_FLOAT64, DTYPE_COMPLEX128,
		DTYPE_INT64, DTYPE_UINT64, DTYPE_BOOL,
	};
	static const unsigned char zero[16];
	static const unsigned char ones[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

	for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
		ranges_hold(ranges, dtype_info(dtypes[i]), zero);
		ranges_hold(ranges, dtype_info(dtypes[i]), ones);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct err err = {0}, range_err = {0};
	struct ranges ranges = {0};
	struct arena mem = {0};
	struct literal *literal = literal_read(text, &mem, &err);

	MUST(literal || err.code);
	if (literal)
		look_at(literal, 0);
	if (ranges_parse(text, &mem, &ranges, &range_err))
		hold(&ranges);
	else
		MUST(range_err.code);
	arena_release(&mem);
	free(text);
	return 0;
}
