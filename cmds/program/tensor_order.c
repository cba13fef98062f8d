#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/program/listed.h"
#include "cmds/program/tensor_cells.h"
#include "dump/base/mem.h"

enum { STEP_EVERY = 256 };

static const char *const order_words[N_ORDERS] = {
	[ORDER_TIME] = "timestamp", [ORDER_BYTES] = "dump_size", [ORDER_OP] = "op_type",
	[ORDER_NAME] = "tensor_name", [ORDER_SIZE] = "size", [ORDER_BAD] = "bad",
	[ORDER_DTYPE] = "dtype", [ORDER_SHAPE] = "shape", [ORDER_MIN] = "min", [ORDER_MAX] = "max",
};

const char *tensor_order_word(enum tensor_order order)
{
	return order_words[order];
}

bool tensor_order_parse(const char *word, enum tensor_order *order, struct err *err)
{
	for (*order = 0; *order < N_ORDERS; ++*order)
		if (!strcmp(word, order_words[*order]))
			return true;
	return err_at(err, ERR_VALUE, "command", 0, "Unsupported key to sort tensors by: %s", word);
}

/* What a row is sorted by: a text, or a number. */
struct sorted_row {
	uint32_t at;
	const char *text;
	double number;
};

static int compare(const void *a, const void *b, void *reverse)
{
	const struct sorted_row *x = a, *y = b;
	int order = x->text ? strcmp(x->text, y->text)
	                    : (x->number > y->number) - (x->number < y->number);

	if (order)
		return *(bool *)reverse ? -order : order;
	return (x->at > y->at) - (x->at < y->at);
}

static void take_key(struct tensor_rows *r, uint64_t row, enum tensor_order order,
                     struct arena *mem, struct sorted_row *out)
{
	static const int ids[] = { [ORDER_BYTES] = COL_size_bytes, [ORDER_SIZE] = COL_size,
	                           [ORDER_BAD] = COL_bad, [ORDER_MIN] = COL_min,
	                           [ORDER_MAX] = COL_max, [ORDER_OP] = COL_op,
	                           [ORDER_NAME] = COL_tensor, [ORDER_DTYPE] = COL_dtype };
	bool is_text = order == ORDER_OP || order == ORDER_NAME || order == ORDER_DTYPE;
	struct cell cell = {0};

	*out = (struct sorted_row){ .at = r->rows.at[row] };
	if (order == ORDER_TIME)
		return;
	tensor_get_cell(r, row, order == ORDER_SHAPE ? COL_shape : ids[order], &cell);
	if (order == ORDER_SHAPE)
		put_shape_order(&cell.text, tensor_health_of(r));
	if (is_text || order == ORDER_SHAPE)
		out->text = arena_copy(mem, str_text(&cell.text), cell.text.len);
	else if (order == ORDER_MIN || order == ORDER_MAX)
		out->number = cell.missing ? -INFINITY : cell.number;
	else
		out->number = cell.missing ? -1 : (double)cell.whole;
	str_release(&cell.text);
}

bool tensor_rows_sort(struct tensor_rows *r, enum tensor_order order, bool reverse,
                      struct progress *progress, struct err *err)
{
	struct arena mem = {0};
	struct sorted_row *keys = mem_alloc((r->rows.len + 1) * sizeof *keys);
	bool go_on = true;

	for (uint64_t row = 0; row < r->rows.len && go_on; row++) {
		go_on = row % STEP_EVERY || progress_step(progress, row, r->rows.len);
		take_key(r, row, order, &mem, &keys[row]);
		if (order == ORDER_TIME)
			keys[row].number = r->rows.at[row];
	}
	if (go_on) {
		qsort_r(keys, r->rows.len, sizeof *keys, compare, &reverse);
		for (uint64_t row = 0; row < r->rows.len; row++)
			r->rows.at[row] = keys[row].at;
		r->at = 0;
	} else {
		err_fill(err, ERR_CANCELLED, "command", 0, "stopped while sorting");
	}
	free(keys);
	arena_release(&mem);
	return go_on;
}
