/* Python expressions: a tree no deeper than promised, whose columns lie in the text. */
#include "cmds/expr.h"

#include <stdlib.h>
#include <string.h>

#include "tests/input.h"

static void look_at(const struct expr *expr, size_t text_len)
{
	MUST(expr->off <= text_len);
	if (expr->kind == EXPR_BINARY || expr->kind == EXPR_UNARY)
		MUST(expr_op_text(expr->op) && expr->first);
	if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE)
		MUST(expr->name);
	for (const struct expr *part = expr->first; part; part = part->next)
		look_at(part, text_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = input_text(data, size);
	struct arena mem = {0};
	struct err err = {0};
	struct expr *expr = expr_parse(text, &mem, &err);
	const char *name;
	size_t len;

	if (expr)
		look_at(expr, strlen(text));
	else
		MUST(err.code && err.off <= strlen(text));
	for (size_t i = 0; expr_tensor_name(text, i, &name, &len); i++)
		MUST(name >= text && name + len <= text + strlen(text));
	arena_release(&mem);
	free(text);
	return 0;
}
