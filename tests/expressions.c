#include "tests/expressions.h"

#include <string.h>

static struct ndarray *load(void *context, struct workspace *ws, size_t i)
{
	const struct named_arrays *arrays = context;
	const char *name;
	size_t len, k = 0;
	struct ndarray *made;

	if (!expr_tensor_name(arrays->text, i, &name, &len))
		return ws_fail(ws, ERR_NAME, "no array %zu", i);
	while (k < arrays->n && (len != 1 || arrays->at[k].name != *name))
		k++;
	if (k == arrays->n)
		return ws_fail(ws, ERR_NAME, "no array %.*s", (int)len, name);
	made = ndarray_new(ws, arrays->at[k].dtype, &arrays->at[k].shape, ORIGIN_ARRAY);
	if (made && made->count)
		memcpy(made->first, arrays->at[k].elems,
		       (size_t)made->count * made->type->elem_bytes);
	return made;
}

struct ndarray *expression_value(struct workspace *ws, const struct named_arrays *arrays)
{
	struct arena mem = {0};
	struct expr *expr = expr_parse(arrays->text, &mem, ws->err);
	struct ndarray *made = expr ? evaluate(expr, ws, load, (void *)arrays) : NULL;

	arena_release(&mem);
	return made;
}
