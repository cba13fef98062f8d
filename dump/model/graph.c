/*
 * One pass over the file notes for each NodeDef its name, op, device and place; everything else is
 * passed over unread. The number of a node is its position in the map of names, so a name is stored
 * once and found without a further table.
 */
#include "dump/model/graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/decode.h"
#include "dump/model/graph_cache.h"
#include "dump/model/graph_parts.h"
#include "dump/model/module_build.h"

#define STEP_NODES 4096          /* between two looks at progress */

static bool starts(const char *name, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && !memcmp(name, with, n);
}

bool name_is_debug(const char *name, size_t len)
{
	return starts(name, len, "__dbg_");
}

bool name_is_copy(const char *name, size_t len)
{
	return starts(name, len, "__copy_");
}

/* What is kept of a NodeDef. */
struct node_def {
	struct str name;
	uint32_t op, device;
};

struct opening {
	struct graph *graph;
	struct file file;
	struct node_def def;
	struct str scratch;
	struct err found; /* the latest; here because clearing one for each node takes long */
	struct err *damage;      /* the first one counts */
};

/* Keeps o->found, if it is the first. */
static void note_found(struct opening *o)
{
	if (o->damage && !o->damage->code)
		*o->damage = o->found;
	o->graph->damaged = true;
	o->found.code = ERR_NONE;
}

#define note_damage(o, off, ...) \
	(err_fill(&(o)->found, ERR_FORMAT, (o)->graph->path, (off), __VA_ARGS__), note_found(o))

/* The same where the file ends. */
#define note_cut(o, off, ...) \
	(err_damaged(&(o)->found, DAMAGE_CUT, (o)->graph->path, (off), __VA_ARGS__), \
	 note_found(o))

static bool take_field(struct opening *o, const struct field *field)
{
	struct graph *graph = o->graph;
	struct name name;

	if (field->number != NODE_NAME && field->number != NODE_OP && field->number != NODE_DEVICE)
		return true;
	if (field->type != WIRE_BYTES)
		return err_at(&o->found, ERR_FORMAT, graph->path, field->key_off,
		              "a name, op or device that is no text");
	if (!wire_name(&o->file, field->bytes, &o->scratch, &name, &o->found))
		return false;
	if (field->number == NODE_NAME) {
		str_reset(&o->def.name);
		str_put(&o->def.name, name.text, name.len);
		map_expect(&graph->names, name.text, name.len);
	} else if (field->number == NODE_OP) {
		o->def.op = map_add(&graph->ops, &graph->mem, name.text, name.len);
	} else {
		o->def.device = !name.len ? 0 :
			map_add(&graph->devices, &graph->mem, name.text, name.len) + 1;
	}
	return true;
}

/* Reads o->def; damage inside a NodeDef is noted and ends the reading of this one only. */
static void read_def(struct opening *o, struct span span)
{
	struct field field;
	struct wire wire;

	str_reset(&o->def.name);
	o->def.op = 0;
	o->def.device = 0;
	wire_start(&wire, &o->file, span);
	while (wire_next(&wire, &field, &o->found))
		if (!take_field(o, &field))
			break;
	if (o->found.code)
		note_found(o);
}

static void keep_node(struct opening *o, struct span span)
{
	struct graph *graph = o->graph;
	const struct str *name = &o->def.name;
	struct place place = { span.off, (uint32_t)span.len, o->def.op };

	if (name_is_debug(name->text, name->len)) {
		vec_push(&graph->watches, place);
		return;
	}
	if (name_is_copy(name->text, name->len)) {
		vec_push(&graph->copies, place);
		return;
	}
	if (map_add(&graph->names, &graph->mem, name->text, name->len) < graph->places.len) {
		note_damage(o, span.off, "a second node of the name '%.200s'", name->text);
		return;
	}
	vec_push(&graph->places, place);
	vec_push(&graph->device_of, o->def.device);
}

/* False if the file ends within the node. */
static bool take_node(struct opening *o, const struct field *field)
{
	struct span span = field->bytes;
	uint64_t left = o->file.size > span.off ? o->file.size - span.off : 0;

	if (field->type != WIRE_BYTES) {
		note_damage(o, field->key_off, "a node is expected here, not a number");
		return true;
	}
	if (span.len > UINT32_MAX && span.len <= left) {
		note_damage(o, field->key_off, "a node of 4 GiB or more");
		return true;
	}
	if (span.len > left) {
		note_cut(o, field->key_off,
		         "a node of %" PRIu64 " byte%s, the file ends after %" PRIu64, span.len,
		         plural(span.len), left);
		return false;
	}
	read_def(o, span);
	if (o->def.name.len)
		keep_node(o, span);
	else
		note_damage(o, field->key_off, "a node without a name");
	return true;
}

/* False after a cancel. */
static bool read_nodes(struct opening *o, struct span span, struct progress *progress)
{
	struct field field;
	struct wire wire;
	size_t n = 0;

	wire_start(&wire, &o->file, span);
	while (wire.off < o->file.size && wire_next(&wire, &field, &o->found)) {
		if (n++ % STEP_NODES == 0 && !progress_step(progress, field.key_off - span.off,
		                                            o->file.size - span.off))
			return false;
		if (field.number == GRAPH_NODE && !take_node(o, &field))
			break;
	}
	if (o->found.code)
		note_found(o);
	else if (wire.end > o->file.size && span.len != UINT64_MAX)
		note_cut(o, o->file.size,
		         "the file ends, %" PRIu64 " byte%s of the graph %s missing",
		         wire.end - o->file.size, plural(wire.end - o->file.size),
		         wire.end - o->file.size == 1 ? "is" : "are");
	return true;
}

struct graph *graph_new(const char *path)
{
	struct graph *graph = mem_alloc(sizeof *graph);

	graph->path = arena_copy(&graph->mem, path, strlen(path));
	atomic_init(&graph->users, 1);
	pthread_mutex_init(&graph->lock, NULL);
	map_add(&graph->ops, &graph->mem, "", 0);
	return graph;
}

struct graph *graph_open(const char *path, uint64_t off, uint64_t len, struct progress *progress,
                         struct err *damage, struct err *err)
{
	struct graph *graph = graph_open_kept(path, off, len, progress);
	struct opening o = { .damage = damage };
	bool ok;

	if (graph)
		return graph;
	o.graph = graph = graph_new(path);
	graph->off = off;
	graph->len = len;
	ok = file_open(&o.file, graph->path, err);
	if (ok)
		graph->stamp = file_stamp(&o.file);
	if (progress)
		atomic_store(&progress->what, "bytes of the graph");
	if (ok && !read_nodes(&o, (struct span){ off, len }, progress)) {
		ok = err_at(err, ERR_CANCELLED, path, 0, "stopped");
	} else if (ok && !graph->names.len && damage && damage->code) {
		if (err)
			*err = *damage;
		ok = false;
	}
	str_release(&o.def.name);
	str_release(&o.scratch);
	if (o.file.fd >= 0)
		file_close(&o.file);
	if (ok)
		return graph;
	graph_close(graph);
	return NULL;
}

struct graph *graph_keep(struct graph *graph)
{
	if (graph)
		atomic_fetch_add(&graph->users, 1);
	return graph;
}

void graph_close(struct graph *graph)
{
	if (!graph || atomic_fetch_sub(&graph->users, 1) > 1)
		return;
	graph_edges_free(graph);
	module_free(graph->module);
	vec_release(&graph->places);
	vec_release(&graph->device_of);
	vec_release(&graph->copies);
	vec_release(&graph->watches);
	map_release(&graph->names);
	map_release(&graph->ops);
	map_release(&graph->devices);
	arena_release(&graph->mem);
	pthread_mutex_destroy(&graph->lock);
	free(graph);
}

const char *graph_path(const struct graph *graph)
{
	return graph->path;
}

bool graph_is_whole(const struct graph *graph)
{
	return !graph->damaged;
}

uint32_t graph_len(const struct graph *graph)
{
	return (uint32_t)graph->places.len;
}

uint32_t graph_find(const struct graph *graph, const char *name, size_t len)
{
	return memchr(name, '\0', len) ? GRAPH_NONE : map_find(&graph->names, name, len);
}

const char *graph_place(const struct graph *graph, uint32_t node, uint64_t *off, uint64_t *len)
{
	*off = graph->places.at[node].off;
	*len = graph->places.at[node].len;
	return graph->path;
}

const char *graph_name(const struct graph *graph, uint32_t node)
{
	return graph->names.key[node];
}

const char *graph_op(const struct graph *graph, uint32_t node)
{
	return graph->ops.key[graph->places.at[node].op];
}

const char *graph_device(const struct graph *graph, uint32_t node)
{
	uint32_t device = graph->device_of.at[node];

	return device ? graph->devices.key[device - 1] : "";
}

size_t graph_devices(const struct graph *graph, const char *const **names)
{
	*names = graph->devices.key;
	return graph->devices.len;
}

const char *graph_first_device(const struct graph *graph)
{
	return graph->devices.len ? graph->devices.key[0] : "";
}

/* One entry of NodeDef.attr. */
struct attr_place {
	const char *key;
	struct span value;
	size_t order;            /* in the file */
};

struct attr_places {
	VEC(struct attr_place) found;
	struct str scratch;
};

static bool read_attr_place(struct attr_places *places, struct file *file, struct span span,
                            struct arena *mem, struct err *err)
{
	struct attr_place place = {
		.key = "", .value = { span.off + span.len, 0 }, .order = places->found.len,
	};
	struct field field;
	struct wire wire;
	struct name key;

	wire_start(&wire, file, span);
	while (wire_next(&wire, &field, err)) {
		if (field.type != WIRE_BYTES)
			continue;
		if (field.number == 1) {
			if (!wire_name(file, field.bytes, &places->scratch, &key, err))
				return false;
			place.key = arena_copy(mem, key.text, key.len);
		} else if (field.number == 2) {
			place.value = field.bytes;
		}
	}
	vec_push(&places->found, place);
	return !err->code;
}

static int by_key(const void *a, const void *b)
{
	const struct attr_place *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->order > y->order) - (x->order < y->order);
}

/* A value that can't be decoded has its error as text; *err is the first that can't be read. */
static const char *attr_text(struct file *file, struct span value, struct str *scratch,
                             struct arena *mem, struct err *err)
{
	struct err own = {0};

	str_reset(scratch);
	if (!decode_text(MESSAGE_ATTR_VALUE, file, value, scratch, &own)) {
		str_reset(scratch);
		str_fmt(scratch, "(damaged at offset %" PRIu64 ": %s)\n", own.off, own.msg);
		if (own.code == ERR_IO && !err->code)
			*err = own;
	}
	return arena_copy(mem, str_text(scratch), scratch->len);
}

/* Of several entries with one key the last one counts. */
static size_t keep_last(struct attr_places *places)
{
	size_t n = 0;

	if (places->found.len)
		qsort(places->found.at, places->found.len, sizeof *places->found.at, by_key);
	for (size_t i = 0; i < places->found.len; i++) {
		const struct attr_place *at = &places->found.at[i];

		if (i + 1 == places->found.len || strcmp(at[0].key, at[1].key))
			places->found.at[n++] = *at;
	}
	return n;
}

bool graph_attrs(struct graph *graph, uint32_t node, struct arena *mem, struct attr **attrs,
                 size_t *n, struct err *err)
{
	struct place place = graph->places.at[node];
	struct attr_places places = {0};
	struct err damage = {0}, fault = {0};
	struct field field;
	struct wire wire;
	struct file file;

	if (graph->module)
		return graph->module->attrs(graph, node, mem, attrs, n, err);
	if (!file_open_again(&file, graph->path, &graph->stamp, err))
		return false;
	wire_start(&wire, &file, (struct span){ place.off, place.len });
	while (wire_next(&wire, &field, &damage)) {
		struct err inner = {0};

		if (field.number == NODE_ATTR && field.type == WIRE_BYTES)
			read_attr_place(&places, &file, field.bytes, mem, &inner);
		if (err_of_reading(&inner))
			fault = inner;
	}
	if (err_of_reading(&damage))
		fault = damage;
	*n = keep_last(&places);
	*attrs = arena_alloc(mem, (*n + 1) * sizeof **attrs);
	for (size_t i = 0; i < *n; i++) {
		struct attr_place *at = &places.found.at[i];

		(*attrs)[i] = (struct attr){ at->key,
		                             attr_text(&file, at->value, &places.scratch, mem,
		                                       &fault) };
	}
	vec_release(&places.found);
	str_release(&places.scratch);
	file_close(&file);
	if (fault.code && err)
		*err = fault;
	return !fault.code;
}
