#include "cmds/doc/visible.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/pattern.h"
#include "dump/base/mem.h"

struct visible {
	struct pattern *node_name, *op_type, *dtype;
};

static bool compile(const char *word, struct pattern **out, struct err *err)
{
	if (!word || !*word)
		return true;
	*out = pattern_new(word, PATTERN_MATCH, false, err);
	return *out;
}

bool visible_new(const struct visible_words *words, struct visible **out, struct err *err)
{
	struct visible made = {0};

	*out = NULL;
	if (!compile(words->node_name, &made.node_name, err) ||
	    !compile(words->op_type, &made.op_type, err) ||
	    !compile(words->dtype, &made.dtype, err)) {
		pattern_free(made.node_name);
		pattern_free(made.op_type);
		return false;
	}
	if (made.node_name || made.op_type || made.dtype) {
		*out = mem_alloc(sizeof made);
		**out = made;
	}
	return true;
}

void visible_free(struct visible *visible)
{
	if (!visible)
		return;
	pattern_free(visible->node_name);
	pattern_free(visible->op_type);
	pattern_free(visible->dtype);
	free(visible);
}

static bool fits(struct pattern *pattern, const char *text)
{
	return !pattern || (text && pattern_hits(pattern, text, strlen(text), 0, NULL, NULL));
}

static bool dtype_fits(struct pattern *pattern, const struct run *run, const struct tensor *tensor)
{
	struct value *value;
	bool ok;

	if (!pattern)
		return true;
	value = run_value(run, tensor, NULL);
	ok = value && value->type && fits(pattern, value->type->name);
	value_close(value);
	return ok;
}

static bool gave_up(const struct visible *visible)
{
	return (visible->node_name && pattern_gave_up(visible->node_name)) ||
	       (visible->op_type && pattern_gave_up(visible->op_type)) ||
	       (visible->dtype && pattern_gave_up(visible->dtype));
}

bool *visible_hide(struct visible *visible, const struct run *run, const char *const *ops,
                   size_t *n_hidden, struct err *err)
{
	bool *hidden = mem_alloc((run->tensors.len + 1) * sizeof *hidden);

	*n_hidden = 0;
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		hidden[i] = !fits(visible->node_name, t->node) ||
		            !fits(visible->op_type, ops ? ops[i] : NULL) ||
		            !dtype_fits(visible->dtype, run, t);
		*n_hidden += hidden[i];
	}
	if (!gave_up(visible))
		return hidden;
	free(hidden);
	pattern_too_long(NULL, err);
	return NULL;
}
