/*
 * NodeDefs are taken from the graph's file in its order. Fields that stay are copied as they are;
 * only a large constant is written anew.
 */
#include "dump/model/graph_brief.h"

#include <stdlib.h>
#include <string.h>

#include "dump/model/graph_parts.h"
#include "dump/model/origin_value.h"
#include "dump/model/stats.h"
#include "dump/model/value.h"

enum { CONST_MOST = 4096 };      /* bytes of an attribute that are kept in any case */
enum { STEP_NODES = 1024 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2, VALUE_TENSOR = 8 };
enum { TENSOR_DTYPE = 1, TENSOR_SHAPE = 2, TENSOR_CONTENT = 4, SHAPE_DIM = 2, DIM_SIZE = 1 };

struct brief {
	struct graph *graph;
	struct file file;
	struct str *out, node, scratch;
	struct progress *progress;
	struct err found;
};

/* ---- writing */

static void put_varint(struct str *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		str_putc(out, (char)(number | 0x80));
	str_putc(out, (char)number);
}

static void put_number(struct str *out, uint32_t field, uint64_t number)
{
	put_varint(out, field << 3 | WIRE_VARINT);
	put_varint(out, number);
}

static void put_bytes(struct str *out, uint32_t field, const void *bytes, size_t len)
{
	put_varint(out, field << 3 | WIRE_BYTES);
	put_varint(out, len);
	str_put(out, bytes, len);
}

static bool copy_span(struct brief *b, uint32_t field, struct span span)
{
	const void *bytes = span.len ? file_bytes(&b->file, span.off, (size_t)span.len, &b->found)
	                             : "";

	if (bytes)
		put_bytes(&b->node, field, bytes, (size_t)span.len);
	return bytes;
}

/* ---- constants */

/* A TensorProto of a list of n elements. */
static void put_tensor(struct str *out, const struct dtype_info *type, const void *elems, size_t n)
{
	struct str dim = {0}, shape = {0};

	put_number(&dim, DIM_SIZE, n);
	put_bytes(&shape, SHAPE_DIM, dim.text, dim.len);
	put_number(out, TENSOR_DTYPE, type->dtype);
	put_bytes(out, TENSOR_SHAPE, shape.text, shape.len);
	put_bytes(out, TENSOR_CONTENT, elems, n * type->elem_bytes);
	str_release(&dim);
	str_release(&shape);
}

/* The elements that stand for all of them. False: it holds NaN or Inf, or has no order. */
static bool put_stand_in(struct value *value, struct str *out)
{
	struct stats stats;
	struct view view;
	struct str elems = {0};
	struct err err = {0};
	size_t bytes = value->type->elem_bytes, n = 2;

	if (value->state != VALUE_ARRAY || value->type->kind == KIND_BOOL)
		return false;
	view_all(&view, value);
	if (!stats_counts_of(&view, &stats, NULL, &err) || !stats.n_finite ||
	    stats.n_finite != stats.total)
		return false;
	str_put(&elems, (const char *)stats.min.bytes, bytes);
	str_put(&elems, (const char *)stats.max.bytes, bytes);
	if (stats.n_zero) {
		str_fill(&elems, '\0', bytes);
		n++;
	}
	put_tensor(out, value->type, elems.text, n);
	str_release(&elems);
	return true;
}

/* Where the tensor of an AttrValue lies; len 0: there is none. */
static struct span tensor_in(struct brief *b, struct span entry)
{
	struct span value = {0}, tensor = {0};
	struct err damage = {0};
	struct field field;
	struct wire wire;

	wire_start(&wire, &b->file, entry);
	while (wire_next(&wire, &field, &damage))
		if (field.number == ENTRY_VALUE && field.type == WIRE_BYTES)
			value = field.bytes;
	wire_start(&wire, &b->file, value);
	while (!damage.code && wire_next(&wire, &field, &damage))
		if (field.number == VALUE_TENSOR && field.type == WIRE_BYTES)
			tensor = field.bytes;
	return damage.code ? (struct span){0} : tensor;
}

/* False: it is kept as it is. */
static bool put_shorter(struct brief *b, struct span entry)
{
	struct span span = tensor_in(b, entry);
	struct str tensor = {0}, value = {0}, whole = {0};
	struct value *opened = NULL;
	struct err err = {0};
	bool ok;

	if (span.len)
		opened = value_open_proto(b->graph->path, span.off, span.len, true, &err);
	ok = opened && put_stand_in(opened, &tensor);
	value_close(opened);
	if (ok) {
		put_bytes(&value, VALUE_TENSOR, tensor.text, tensor.len);
		put_bytes(&whole, ENTRY_KEY, "value", strlen("value"));
		put_bytes(&whole, ENTRY_VALUE, value.text, value.len);
		put_bytes(&b->node, NODE_ATTR, whole.text, whole.len);
	}
	str_release(&tensor);
	str_release(&value);
	str_release(&whole);
	return ok;
}

/* ---- nodes */

static bool is_asked_for(const struct name *key)
{
	static const char *const keys[] = { "DstT", "dtype", "T", "source", "tensor_name",
	                                    "value" };

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (key->len == strlen(keys[i]) && !memcmp(key->text, keys[i], key->len))
			return true;
	return false;
}

/* Is the entry one of those that are kept? The last of its keys counts. */
static bool is_kept(struct brief *b, struct span entry)
{
	struct err damage = {0};
	struct field field;
	struct wire wire;
	struct name key;
	bool kept = false;

	wire_start(&wire, &b->file, entry);
	while (wire_next(&wire, &field, &damage))
		if (field.number == ENTRY_KEY && field.type == WIRE_BYTES)
			kept = wire_name(&b->file, field.bytes, &b->scratch, &key, &damage) &&
			       is_asked_for(&key);
	return kept;
}

static bool copy_attr(struct brief *b, struct span entry)
{
	if (!is_kept(b, entry))
		return true;
	return (entry.len > CONST_MOST && put_shorter(b, entry)) || copy_span(b, NODE_ATTR, entry);
}

/* What is whole of a node that is damaged stays, as when it was opened. */
static bool put_node(struct brief *b, const struct place *place)
{
	struct err damage = {0};
	struct field field;
	struct wire wire;
	bool ok = true;

	str_reset(&b->node);
	wire_start(&wire, &b->file, (struct span){ place->off, place->len });
	while (ok && wire_next(&wire, &field, &damage)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number >= NODE_NAME && field.number <= NODE_DEVICE)
			ok = copy_span(b, field.number, field.bytes);
		else if (field.number == NODE_ATTR)
			ok = copy_attr(b, field.bytes);
	}
	put_bytes(b->out, GRAPH_NODE, str_text(&b->node), b->node.len);
	return ok && !err_of_reading(&damage);
}

/* A graph that was built of a file that is no GraphDef has its nodes in memory alone. */
static bool is_built(const struct graph *graph)
{
	return graph->places.len && !graph->places.at[0].len;
}

static bool put_ends(struct brief *b, uint32_t node, enum edge_kind kind)
{
	struct edges ends;

	if (!graph_edges(b->graph, node, kind, &ends, &b->found))
		return false;
	for (size_t i = 0; i < ends.len; i++) {
		str_reset(&b->scratch);
		if (kind == EDGE_CONTROL)
			str_putc(&b->scratch, '^');
		edge_text(b->graph, &ends.at[i], &b->scratch);
		put_bytes(&b->node, NODE_INPUT, b->scratch.text, b->scratch.len);
	}
	return true;
}

static bool put_built(struct brief *b)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < b->graph->places.len; i++) {
		const char *name = graph_name(b->graph, i), *op = graph_op(b->graph, i);

		str_reset(&b->node);
		put_bytes(&b->node, NODE_NAME, name, strlen(name));
		put_bytes(&b->node, NODE_OP, op, strlen(op));
		ok = put_ends(b, i, EDGE_INPUT) && put_ends(b, i, EDGE_CONTROL);
		put_bytes(b->out, GRAPH_NODE, str_text(&b->node), b->node.len);
		if (ok && i % STEP_NODES == 0 && progress_cancelled(b->progress))
			ok = err_at(&b->found, ERR_CANCELLED, "command", 0, "cancelled");
	}
	return ok;
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return (x->off > y->off) - (x->off < y->off);
}

static bool put_nodes(struct brief *b)
{
	const struct graph *graph = b->graph;
	VEC(struct place) places = {0};
	bool ok = true;

	for (size_t i = 0; i < graph->places.len; i++)
		vec_push(&places, graph->places.at[i]);
	for (size_t i = 0; i < graph->copies.len; i++)
		vec_push(&places, graph->copies.at[i]);
	for (size_t i = 0; i < graph->watches.len; i++)
		vec_push(&places, graph->watches.at[i]);
	if (places.len)
		qsort(places.at, places.len, sizeof *places.at, by_place);
	for (size_t i = 0; ok && i < places.len; i++) {
		ok = put_node(b, &places.at[i]);
		if (ok && i % STEP_NODES == 0 && progress_cancelled(b->progress))
			ok = err_at(&b->found, ERR_CANCELLED, "command", 0, "cancelled");
	}
	vec_release(&places);
	return ok;
}

bool graph_put_brief(struct graph *graph, struct str *out, struct progress *progress,
                     struct err *err)
{
	struct brief b = { .graph = graph, .out = out, .progress = progress };
	bool ok;

	if (!file_open_again(&b.file, graph->path, &graph->stamp, err))
		return false;
	ok = is_built(graph) ? put_built(&b) : put_nodes(&b);
	ok = ok && file_is_as(&b.file, &graph->stamp, &b.found);
	if (!ok && err)
		*err = b.found;
	file_close(&b.file);
	str_release(&b.node);
	str_release(&b.scratch);
	return ok;
}
