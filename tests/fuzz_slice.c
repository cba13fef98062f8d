/*
 * A rank and dimensions, a byte each, then a slice of that array: what it selects is in the array.
 */
#include "cmds/array/slice.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"

#define RANK_MAX 4
#define DIM_MAX 8

static struct value *array_of(const struct shape *shape, int32_t *numbers, uint64_t *count)
{
	MUST(shape_count(shape, count));
	for (uint64_t i = 0; i < *count; i++)
		numbers[i] = (int32_t)i;
	return value_of_memory(DTYPE_INT32, shape, numbers, *count * sizeof *numbers);
}

static void read_all(struct view *view, uint64_t count)
{
	struct err err = {0};
	uint64_t selected;

	MUST(shape_count(&view->shape, &selected) && selected == view->count);
	MUST(view->count <= count);
	for (uint64_t i = 0; i < view->count; i++) {
		int32_t number = -1;

		MUST(view_read(view, i, 1, &number, &err));
		MUST(number >= 0 && (uint64_t)number < count);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int32_t numbers[DIM_MAX * DIM_MAX * DIM_MAX * DIM_MAX];
	struct shape shape = { .rank = size ? data[0] % (RANK_MAX + 1) : 0 };
	size_t head = (size ? 1 : 0) + shape.rank;
	struct value *value;
	struct view view, before;
	struct err err = {0};
	uint64_t count;
	bool scalar;
	char *slice;

	if (size < head)
		return 0;
	for (uint32_t i = 0; i < shape.rank; i++)
		shape.dim[i] = data[1 + i] % (DIM_MAX + 1);
	slice = input_text(data + head, size - head);
	value = array_of(&shape, numbers, &count);
	view_all(&view, value);
	before = view;
	if (slice_apply(slice, &view, &scalar, &err)) {
		MUST(slice_check(slice, NULL));
		MUST(!scalar || view.count == 1);
		read_all(&view, count);
	} else {
		MUST(err.code && !memcmp(&view, &before, sizeof view));
	}
	value_close(value);
	free(slice);
	return 0;
}
