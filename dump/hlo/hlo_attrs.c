/* The attributes of an instruction, read again from its line. */
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/hlo/hlo_line.h"
#include "dump/model/graph_parts.h"

static bool all_are(const char *key)
{
	(void)key;
	return true;
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct attr *)a)->key, ((const struct attr *)b)->key);
}

enum { ATTRS_MAX = 1000 };

struct found {
	VEC(struct attr) at;
	struct arena *mem;
};

static const char *keep(struct arena *mem, const struct str *text)
{
	return arena_copy(mem, str_text(text), text->len);
}

/* Of several with one key the last one counts. */
static void add(struct found *found, const struct str *key, const struct str *value)
{
	struct attr *at = NULL;

	for (size_t i = 0; i < found->at.len && !at; i++)
		if (!strcmp(found->at.at[i].key, str_text(key)))
			at = &found->at.at[i];
	if (!at) {
		at = vec_add(&found->at);
		at->key = keep(found->mem, key);
	}
	at->text = keep(found->mem, value);
}

bool hlo_text_attrs(struct graph *graph, uint32_t node, struct arena *mem, struct attr **attrs,
                    size_t *n, struct err *err)
{
	struct hlo_source source;
	struct hlo_line line = {0};
	struct found found = { .mem = mem };
	struct file file;
	bool ok;

	if (!file_open_again(&file, graph->path, &graph->stamp, err))
		return false;
	hlo_start(&source, &file, graph_module(graph)->instructions.at[node].off);
	if (hlo_line_begin(&source, &line)) {
		if (!line.operand.len && line.operands.len)
			add(&found, &line.opcode, &line.operands);
		while (found.at.len < ATTRS_MAX && hlo_line_attr(&source, &line, all_are))
			add(&found, &line.key, &line.value);
	}
	ok = !source.err.code;
	if (!ok && err)
		*err = source.err;
	if (found.at.len)
		qsort(found.at.at, found.at.len, sizeof *found.at.at, by_key);
	*n = found.at.len;
	*attrs = arena_alloc(mem, (*n + 1) * sizeof **attrs);
	if (*n)
		memcpy(*attrs, found.at.at, *n * sizeof **attrs);
	vec_release(&found.at);
	hlo_line_release(&line);
	file_close(&file);
	return ok;
}
