/* Of the debugger's nodes only the places are kept: few callers ask, and a large graph has many. */
#include "dump/base/str.h"
#include "dump/model/graph_parts.h"

#include <string.h>

/* "__dbg_NODE:SLOT_NUMBER_OP" */
static bool read_watch(const struct graph *graph, const struct name *name, uint32_t *node,
                       uint32_t *slot)
{
	const char *begin = name->text + strlen("__dbg_"), *end = name->text + name->len;
	const char *colon = memrchr(begin, ':', (size_t)(end - begin)), *at;
	uint64_t number = 0;

	if (!colon)
		return false;
	for (at = colon + 1; at < end && is_digit(*at) && number <= INT32_MAX; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	if (at == colon + 1 || at == end || *at != '_' || number > INT32_MAX)
		return false;
	*node = graph_find(graph, begin, (size_t)(colon - begin));
	*slot = (uint32_t)number;
	return *node != GRAPH_NONE;
}

static bool read_name(struct file *file, const struct place *place, struct str *scratch,
                      struct name *name, struct err *err)
{
	struct field field;
	struct span span = {0};
	struct wire wire;

	wire_start(&wire, file, (struct span){ place->off, place->len });
	while (wire_next(&wire, &field, err))
		if (field.number == NODE_NAME && field.type == WIRE_BYTES)
			span = field.bytes;
	return !err->code && wire_name(file, span, scratch, name, err) &&
	       name_is_debug(name->text, name->len);
}

bool graph_watched(const struct graph *graph, graph_watch_sink *take, void *owner, struct err *err)
{
	struct str scratch = {0};
	struct file file;
	bool ok = true;

	if (!file_open_again(&file, graph->path, &graph->stamp, err))
		return false;
	for (size_t i = 0; ok && i < graph->watches.len; i++) {
		struct err damage = {0};
		struct name name;
		uint32_t node, slot;

		if (read_name(&file, &graph->watches.at[i], &scratch, &name, &damage) &&
		    read_watch(graph, &name, &node, &slot))
			take(owner, node, slot);
		ok = !err_of_reading(&damage);
		if (!ok && err)
			*err = damage;
	}
	ok = ok && file_is_as(&file, &graph->stamp, err);
	str_release(&scratch);
	file_close(&file);
	return ok;
}
