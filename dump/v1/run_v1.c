/*
 * tfdbg v1: a directory for each device, in it a file for each dumped tensor (its name says what it
 * is) and the graph. Up to TensorFlow 1.2 there are no device directories: all lies flat in the
 * run's own, and the graphs tell the devices.
 * Only names and sizes are read, and the graphs. A tensor's `where` is the tail of its file name,
 * so device directory + node + where is its path.
 */
#include "dump/v1/run_v1.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/files/walk.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/model/graph_store.h"
#include "dump/model/reader.h"
#include "dump/v1/v1_name.h"
#include "dump/v1/v1_probe.h"

#define STEP_FILES 256           /* between two looks at progress */
#define MESSAGE_MAX (16 * 1024 * 1024)
#define NO_GRAPH "no graph file: ops and inputs are not known"
#define OLD_DEVICE "/job:localhost/replica:0/task:0/cpu:0"

/* Event and LogMessage. */
enum { EVENT_GRAPH_DEF = 4, EVENT_LOG_MESSAGE = 6 };
enum { LOG_MESSAGE = 2 };

struct loading {
	struct run *run;
	struct progress *progress;
	struct err *err;
	bool stopped;            /* cancelled: err is set */
	bool flat;
	uint16_t device;         /* the one that is being read, */
	const char *dir;         /* and its directory */
	struct str text;
	VEC(const char *) graphs;        /* graph files of this device, below its directory */
};

/* DIR/NAME, or NAME alone in a flat dump; in l->text. */
static const char *in_dir(struct loading *l, const char *name)
{
	str_reset(&l->text);
	str_fmt(&l->text, "%s%s%s", l->dir, *l->dir ? "/" : "", name);
	return l->text.text;
}

static char *path_of(const struct run *run, const char *file)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s", run->path, file);
	return path.text;
}

/* The last length-delimited field of a number in the message. False if it has none, or *err. */
static bool find_field(struct file *file, struct span in, uint32_t number, struct span *found,
                       struct err *err)
{
	struct field field;
	struct wire wire;
	bool any = false;

	wire_start(&wire, file, in);
	while (wire.off < file->size && wire_next(&wire, &field, err)) {
		if (field.number == number && field.type == WIRE_BYTES) {
			*found = field.bytes;
			any = true;
		}
	}
	return any;
}

/* Text of an Event's log message. */
static const char *read_message(struct loading *l, struct file *file, struct err *err)
{
	struct span span = { 0, file->size };
	const char *text;
	char *copy;

	if (!find_field(file, span, EVENT_LOG_MESSAGE, &span, err)
	    || !find_field(file, span, LOG_MESSAGE, &span, err)) {
		if (!err->code && file->size)
			err_fill(err, ERR_FORMAT, file->path, 0, "no message in it");
		else if (!err->code)
			err_damaged(err, DAMAGE_EMPTY, file->path, 0, "an empty file");
		return NULL;
	}
	text = err->code ? NULL : wire_text(file, span, MESSAGE_MAX, err);
	if (!text)
		return NULL;
	copy = arena_copy(&l->run->mem, text, (size_t)span.len);
	for (size_t i = 0; i < span.len; i++)
		if (!copy[i])
			copy[i] = '?';
	return copy;
}

/* NULL, with a problem recorded, if the file has none. */
static const char *message_of(struct loading *l, const char *name)
{
	char *path = path_of(l->run, name);
	const char *text = NULL;
	struct err err = {0};
	struct file file;

	if (file_open(&file, path, &err)) {
		text = read_message(l, &file, &err);
		file_close(&file);
	}
	if (!text)
		run_unread(l->run, problem_of_err(&err), name, err.off, "%s", err.msg);
	free(path);
	return text;
}

static void take_metadata(struct loading *l, const char *name)
{
	const char *text = message_of(l, name);
	size_t len = text ? strlen(text) : 0;

	if (!text)
		return;
	if (!len || text[0] != '{' || text[len - 1] != '}')
		run_problem(l->run, PROBLEM_DAMAGED, name, 0,
		            "core metadata that is no JSON object");
	else if (!strstr(text, "\"session_run_index\"") && !strstr(text, "\"session_run_count\""))
		run_problem(l->run, PROBLEM_DAMAGED, name, 0,
		            "core metadata without session_run_index");
	vec_push(&l->run->metadata, text);
}

/* Is a time within the part of the directory being read? */
static bool in_part(const struct run *run, int64_t time_us)
{
	return !run->to_us || (time_us >= run->from_us && time_us < run->to_us);
}

static void take_info_file(struct loading *l, const struct entry *entry)
{
	const char *name = entry->name;

	if (!v1_begins(name, V1_METADATA) && !v1_begins(name, V1_FETCHES) &&
	    !v1_begins(name, V1_FEEDS))
		return;
	if (v1_begins(name, V1_METADATA) && !in_part(l->run, v1_stamp(name)))
		return;
	if (entry->kind != ENTRY_FILE)
		run_problem(l->run, PROBLEM_STRANGER, name, 0, "not a regular file");
	else if (v1_begins(name, V1_METADATA))
		take_metadata(l, name);
	else if (v1_begins(name, V1_FETCHES))
		l->run->fetches = message_of(l, name);
	else
		l->run->feeds = message_of(l, name);
}

static bool add_tensor(struct loading *l, const struct walk_file *file, const struct v1_name *name)
{
	struct run *run = l->run;
	struct tensor tensor = {
		.time_us = name->time_us, .size_bytes = file->size_bytes,
		.slot = name->slot, .device = l->device,
	};
	const char *where = file->name + name->leaf_len;

	if (run->debug_ops.len > UINT16_MAX
	    && map_find(&run->debug_ops, name->debug_op, name->debug_op_len) == MAP_NONE)
		return false;
	tensor.debug_op = (uint16_t)map_add(&run->debug_ops, &run->mem, name->debug_op,
	                                    name->debug_op_len);
	str_reset(&l->text);
	str_put(&l->text, file->dir, file->dir_len);
	str_put(&l->text, file->name, name->leaf_len);
	tensor.node_id = map_add(&run->nodes, &run->mem, l->text.text, l->text.len);
	tensor.node = run->nodes.key[tensor.node_id];
	tensor.where = run_text(run, where);
	vec_push(&run->tensors, tensor);
	return true;
}

/* A directory's path below that of its device is how the names of the nodes in it begin. */
static void skipped(void *owner, enum walk_skip what, const char *path, const char *why)
{
	struct loading *l = owner;
	size_t len = strlen(path);

	if (what == SKIP_ODD)
		run_problem(l->run, PROBLEM_STRANGER, in_dir(l, path), 0, "%s", why);
	else
		run_unread_dir(l->run, in_dir(l, path),
		               arena_fmt(&l->run->mem, "%s%s", path,
		                         len && path[len - 1] != '/' ? "/" : ""), why);
}

static void take_file(struct loading *l, const struct walk_file *file)
{
	struct v1_name name;
	const char *why = NULL;

	if (v1_begins(file->name, V1_GRAPH)) {
		str_reset(&l->text);
		str_fmt(&l->text, "%s%s", file->dir, file->name);
		vec_push(&l->graphs, run_text(l->run, l->text.text));
		l->run->n_graph_files++;
		return;
	}
	if (l->flat && (v1_begins(file->name, V1_META)
	                || (!file->dir_len && kind_of_name(file->name) == FILE_LEFT_OUT)))
		return;
	if (!v1_tensor_name(file->name, &name))
		why = "not the name of a dump: NODE_SLOT_DEBUGOP_TIME expected";
	else if (in_part(l->run, name.time_us) && !add_tensor(l, file, &name))
		why = "more debug ops than this program takes";
	if (why) {
		struct str path = {0};

		str_fmt(&path, "%s%s", file->dir, file->name);
		skipped(l, SKIP_ODD, path.text, why);
		str_release(&path);
	}
}

static bool walked_file(void *owner, const struct walk_file *file)
{
	struct loading *l = owner;

	take_file(l, file);
	if (l->run->tensors.len % STEP_FILES == 0)
		l->stopped = !progress_step(l->progress, l->run->tensors.len, 0);
	if (l->stopped)
		err_fill(l->err, ERR_CANCELLED, l->run->path, 0, "stopped");
	return !l->stopped;
}

/* The files of l->device. False: its directory can't be opened. */
static bool walk_device(struct loading *l)
{
	struct walk_sink sink = { l, walked_file, skipped };
	char *path = path_of(l->run, l->dir);
	bool opened;

	if (l->progress)
		atomic_store(&l->progress->what, "tensors");
	errno = 0;
	opened = walk_path(path, &sink);
	if (!opened)
		run_unread_dir(l->run, l->dir, "", strerror(errno));
	free(path);
	return opened;
}

/* An open graph file, and how well it fits the dump. */
struct candidate {
	struct graph *graph;
	const char *file;
	size_t n_dumped;         /* nodes with tensors it has */
	int64_t time_us;
};

static size_t count_dumped(const struct loading *l, const struct graph *graph, size_t first)
{
	const struct run *run = l->run;
	unsigned char *seen = mem_alloc(run->nodes.len);
	size_t n = 0;

	for (size_t i = first; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		const char *name = run->nodes.key[t->node_id];

		if (!seen[t->node_id] && graph_find(graph, name, strlen(name)) != GRAPH_NONE)
			n++;
		seen[t->node_id] = 1;
	}
	free(seen);
	return n;
}

/*
 * The graph in an Event; NULL, with a problem recorded, if it can't be read. As in tfdbg an empty
 * file is a graph without nodes. Sets l->stopped after a cancel.
 */
static struct graph *open_graph(struct loading *l, const char *name)
{
	const char *shown = run_text(l->run, in_dir(l, name));
	char *path = path_of(l->run, shown);
	struct span all = { 0, UINT64_MAX }, span;
	struct err err = {0}, damage = {0};
	struct graph *graph = NULL;
	struct file file;

	if (file_open(&file, path, &err)) {
		bool found = find_field(&file, all, EVENT_GRAPH_DEF, &span, &err);

		if (!found && !err.code) {
			run_problem(l->run, file.size ? PROBLEM_DAMAGED : PROBLEM_EMPTY, shown, 0,
			            file.size ? "no graph in it" : "an empty file");
			span = (struct span){ 0, 0 };
		}
		if (!err.code)
			graph = graph_store_open(l->run->graphs, path, span.off, span.len,
			                         l->progress, &damage, &err);
		file_close(&file);
	}
	if (err.code == ERR_CANCELLED) {
		l->stopped = true;
		if (l->err)
			*l->err = err;
	} else if (!graph) {
		run_unread(l->run, problem_of_err(&err), shown, err.off, "%s", err.msg);
	} else if (damage.code) {
		run_unread(l->run, problem_of_err(&damage), shown, damage.off,
		           "%s; %" PRIu32 " node%s could be read", damage.msg, graph_len(graph),
		           plural(graph_len(graph)));
	}
	free(path);
	return graph;
}

/* Keeps in *best the graph with more dumped nodes, of equal ones the later. Takes both over. */
static void keep_better(struct candidate *best, struct candidate *other)
{
	bool better = !best->graph || other->n_dumped > best->n_dumped
	              || (other->n_dumped == best->n_dumped && other->time_us >= best->time_us);

	graph_close(better ? best->graph : other->graph);
	if (better)
		*best = *other;
}

/* The graph of a device, whose tensors begin at `first`. */
static void choose_graph(struct loading *l, struct device *device, size_t first)
{
	struct candidate best = {0};

	for (size_t i = 0; i < l->graphs.len && !l->stopped; i++) {
		struct candidate one = { open_graph(l, l->graphs.at[i]), l->graphs.at[i], 0,
		                         v1_stamp(l->graphs.at[i]) };

		if (!one.graph)
			continue;
		if (l->graphs.len > 1)
			one.n_dumped = count_dumped(l, one.graph, first);
		keep_better(&best, &one);
	}
	if (!l->graphs.len)
		run_problem(l->run, PROBLEM_NO_GRAPH, l->dir, 0, NO_GRAPH);
	device->graph = best.graph;
	device->graph_file = best.file;
}

/* The device of a directory's name, unless exactly one device of the graph is written like it. */
static const char *device_name(struct loading *l, const struct graph *graph)
{
	const char *const *devices = NULL;
	const char *name = NULL;
	size_t n = graph ? graph_devices(graph, &devices) : 0, n_alike = 0;

	for (size_t i = 0; i < n; i++) {
		str_reset(&l->text);
		v1_dir_of_device(devices[i], &l->text);
		if (!strcmp(l->text.text, l->dir)) {
			name = devices[i];
			n_alike++;
		}
	}
	if (n_alike == 1)
		return run_text(l->run, name);
	str_reset(&l->text);
	v1_device_of_dir(l->dir, &l->text);
	return run_text(l->run, str_text(&l->text));
}

static void load_device(struct loading *l, const char *dir)
{
	struct run *run = l->run;
	struct device *device = vec_add(&run->devices);
	size_t first = run->tensors.len;

	l->device = (uint16_t)(run->devices.len - 1);
	l->dir = device->dir = device->name = run_text(run, dir);
	l->graphs.len = 0;
	if (walk_device(l) && !l->stopped && run->depth == RUN_WHOLE)
		choose_graph(l, device, first);
	device->name = device_name(l, device->graph);
}

static size_t find_device(const struct run *run, const char *name)
{
	size_t i = 0;

	while (i < run->devices.len && strcmp(run->devices.at[i].name, name))
		i++;
	return i;
}

/* A device for each graph of a flat dump; of several graphs of one device the best. */
static void load_flat_graphs(struct loading *l)
{
	VEC(struct candidate) best = {0};
	struct run *run = l->run;

	for (size_t i = 0; i < l->graphs.len && !l->stopped; i++) {
		struct candidate one = { open_graph(l, l->graphs.at[i]), l->graphs.at[i], 0,
		                         v1_stamp(l->graphs.at[i]) };
		const char *name = one.graph ? graph_first_device(one.graph) : NULL;
		size_t at;

		if (!name)
			continue;
		one.n_dumped = count_dumped(l, one.graph, 0);
		at = find_device(run, *name ? name : OLD_DEVICE);
		if (at > UINT16_MAX) {
			graph_close(one.graph);
			continue;
		}
		if (at == run->devices.len) {
			struct device *device = vec_add(&run->devices);

			device->name = run_text(run, *name ? name : OLD_DEVICE);
			device->dir = "";
			vec_push(&best, (struct candidate){0});
		}
		keep_better(&best.at[at], &one);
	}
	for (size_t i = 0; i < best.len; i++)
		run->devices.at[i].graph = best.at[i].graph;
	vec_release(&best);
}

/* Gives each tensor to the first device whose graph has its node, else to the first device. */
static void deal_out(struct run *run)
{
	uint16_t *device_of = mem_alloc(run->nodes.len * sizeof *device_of);

	for (size_t id = 0; id < run->nodes.len; id++) {
		struct node_ref ref;

		if (run_find_node(run, run->nodes.key[id], strlen(run->nodes.key[id]), -1, &ref, 1))
			device_of[id] = ref.device;
	}
	for (size_t i = 0; i < run->tensors.len; i++)
		run->tensors.at[i].device = device_of[run->tensors.at[i].node_id];
	free(device_of);
}

static void load_flat(struct loading *l)
{
	struct run *run = l->run;

	l->flat = true;
	l->dir = "";
	walk_device(l);
	if (!l->stopped && run->depth == RUN_WHOLE)
		load_flat_graphs(l);
	if (l->graphs.len == 0 && run->tensors.len && run->depth == RUN_WHOLE)
		run_problem(run, PROBLEM_NO_GRAPH, "", 0, NO_GRAPH);
	if (run->devices.len == 0 && run->tensors.len)
		*vec_add(&run->devices) = (struct device){ .name = OLD_DEVICE, .dir = "" };
	if (run->devices.len > 1)
		deal_out(run);
}

static void load_root(struct loading *l, const struct listing *list)
{
	bool flat = true;

	l->run->is_empty = !list->entries.len;
	for (size_t i = 0; i < list->entries.len; i++)
		take_info_file(l, &list->entries.at[i]);
	if (l->run->depth == RUN_HEAD)
		return;
	for (size_t i = 0; i < list->entries.len && !l->stopped; i++) {
		const struct entry *entry = &list->entries.at[i];

		if (!v1_begins(entry->name, V1_DEVICE))
			continue;
		if (entry->kind != ENTRY_DIR || l->run->devices.len > UINT16_MAX) {
			run_problem(l->run, PROBLEM_STRANGER, entry->name, 0,
			            entry->kind == ENTRY_DIR
			            ? "more devices than this program takes" : "not a directory");
			continue;
		}
		flat = false;
		load_device(l, entry->name);
	}
	if (flat)
		load_flat(l);
}

static bool load(struct run *run, struct progress *progress, struct err *err)
{
	struct loading l = { .run = run, .progress = progress, .err = err };
	struct listing list = {0};
	bool ok = listing_of(&list, run->path, err);

	if (ok)
		load_root(&l, &list);
	listing_release(&list);
	vec_release(&l.graphs);
	str_release(&l.text);
	return ok && !l.stopped;
}

/* Those of devices with a directory of their own. */
static bool open_graphs(struct run *run, struct progress *progress, struct err *err)
{
	struct loading l = { .run = run, .progress = progress, .err = err };

	for (size_t i = 0; i < run->devices.len && !l.stopped; i++) {
		struct device *device = &run->devices.at[i];

		l.dir = device->dir;
		device->graph = open_graph(&l, device->graph_file);
	}
	str_release(&l.text);
	return !l.stopped;
}

static const char *stamp(const struct tensor *tensor)
{
	return strrchr(tensor->where, '_') + 1;
}

static void tensor_file(const struct run *run, const struct tensor *tensor, struct str *out)
{
	const char *dir = run->devices.at[tensor->device].dir;

	str_fmt(out, "%s%s%s%s", dir, *dir ? "/" : "", tensor->node, tensor->where);
}

static struct value *value(const struct run *run, const struct tensor *tensor, struct err *err)
{
	struct str path = {0};
	struct value *opened;

	str_fmt(&path, "%s/", run->path);
	tensor_file(run, tensor, &path);
	opened = value_open_event(path.text, err);
	str_release(&path);
	return opened;
}

const struct reader reader_v1 = {
	.name = "tfdbg v1 dump",
	.looks_for = "_tfdbg_device_* directories, dump files NODE_SLOT_DEBUGOP_TIME and "
	             "run_* directories",
	.count = v1_count,
	.look = v1_look,
	.around = v1_around,
	.run_name = v1_run_name,
	.run_order = v1_run_order,
	.load = load,
	.open_graphs = open_graphs,
	.stamp = stamp,
	.value = value,
	.tensor_file = tensor_file,
};
