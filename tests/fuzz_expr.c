/*
 * Python expressions: a tree within the promised depth, whose columns lie in the text; and its
 * result, over a few small arrays with little memory: a value that can be shown, or an error, and
 * nothing left behind.
 */
#include "cmds/array/expr.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/array/evaluate.h"
#include "cmds/array/repr.h"
#include "tests/input.h"

#define STEPS_MAX 20000

static void look_at(const struct expr *expr, size_t text_len)
{
	MUST(expr->off <= text_len);
	if (expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY || expr->kind == EXPR_LINK)
		MUST(expr_op_text(expr->op) && expr->first);
	if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_TEXT)
		MUST(expr->name);
	for (const struct expr *part = expr->first; part; part = part->next)
		look_at(part, text_len);
}

/* The array depends on the first letter of its name; of letters there are more than arrays. */
static struct ndarray *load(void *context, struct workspace *ws, size_t i)
{
	static const struct {
		enum dtype dtype;
		struct shape shape;
	} arrays[] = {
		{ DTYPE_FLOAT32, { 2, { 2, 3 } } }, { DTYPE_FLOAT64, { 1, { 5 } } },
		{ DTYPE_INT32, { 2, { 2, 3 } } }, { DTYPE_INT8, { 1, { 3 } } },
		{ DTYPE_UINT64, { 1, { 3 } } }, { DTYPE_BOOL, { 2, { 2, 3 } } },
		{ DTYPE_COMPLEX64, { 1, { 4 } } }, { DTYPE_FLOAT16, { 1, { 3 } } },
		{ DTYPE_BFLOAT16, { 1, { 4 } } }, { DTYPE_STRING, { 1, { 3 } } },
		{ DTYPE_FLOAT32, { 0, { 0 } } }, { DTYPE_INT64, { 3, { 2, 1, 2 } } },
		{ DTYPE_FLOAT32, { 2, { 0, 3 } } }, { DTYPE_QUINT8, { 1, { 2 } } },
		{ DTYPE_INT4, { 1, { 2 } } }, { DTYPE_FLOAT8_E5M2, { 1, { 2 } } },
	};
	static const unsigned char bytes[] = { 0, 0, 128, 63, 0, 0, 32, 192,
	                                       1, 0, 192, 127, 7, 0, 128, 255 };
	const char *name;
	size_t len, which;
	struct ndarray *made;

	MUST(expr_tensor_name(context, i, &name, &len));
	which = len ? (unsigned char)*name % (sizeof arrays / sizeof *arrays) : 0;
	made = ndarray_new(ws, arrays[which].dtype, &arrays[which].shape, ORIGIN_ARRAY);
	for (size_t at = 0; made && at < made->count * made->type->elem_bytes; at++)
		made->first[at] = made->type->kind == KIND_BOOL ? at % 2
		                                                : bytes[at * 5 % sizeof bytes];
	for (size_t at = 0; made && made->type->kind == KIND_STRING && at < made->count; at++)
		((struct value_text *)(void *)made->first)[at] =
			(struct value_text){ "a\xff" "c", at + 1 };
	return made;
}

/* What takes too long is stopped, as a user would. */
static void count_step(struct progress *progress)
{
	uint64_t *steps = progress->owner;

	if (++*steps > STEPS_MAX)
		atomic_store(&progress->cancel, true);
}

static void compute(const struct expr *expr, char *text)
{
	struct arena texts = {0};
	struct err err = {0};
	uint64_t steps = 0;
	struct progress progress = { .tick = count_step, .owner = &steps };
	struct workspace ws = {
		.limit_bytes = 1 << 20, .err = &err, .texts = &texts, .progress = &progress
	};
	struct ndarray *made = evaluate(expr, &ws, load, text);
	struct str shown = {0};

	MUST(made || err.code);
	if (made && !repr_put(&ws, made, 75, &shown))
		MUST(err.code);
	ndarray_free(&ws, made);
	MUST(ws.live_bytes == ws.text_bytes && !ws.kept.len);
	str_release(&shown);
	arena_release(&texts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct arena mem = {0};
	struct err err = {0};
	struct expr *expr = expr_parse(text, &mem, &err);
	const char *name;
	size_t len;

	if (expr) {
		look_at(expr, strlen(text));
		compute(expr, text);
	} else {
		MUST(err.code && err.off <= strlen(text));
	}
	for (size_t i = 0; expr_tensor_name(text, i, &name, &len); i++)
		MUST(name >= text && name + len <= text + strlen(text));
	arena_release(&mem);
	free(text);
	return 0;
}
