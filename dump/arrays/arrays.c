/*
 * A dump of arrays: a step is a run, an array a tensor with slot 0. What lies in PATH is found by
 * names (source.c); a run reads the heads of its sources when it is loaded.
 */
#include "dump/arrays/arrays.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/arrays/array.h"
#include "dump/arrays/source.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/model/stacks.h"

enum { LOOKED_AT = 200 * 1000, FILES_MOST = 10 * 1000 * 1000 };
enum { MS = 1000 };
#define CHECKED_MOST (UINT64_C(16) << 20)        /* bytes whose checksums are looked at */

/* Opening. */

static size_t count(const struct listing *list, struct times *times)
{
	(void)times;
	for (size_t i = 0; i < list->entries.len; i++)
		if (list->entries.at[i].kind == ENTRY_FILE
		    && array_format_named(list->entries.at[i].name))
			return 1;
	return 0;
}

/* What is found is a run; its steps are runs if there are several. */
static bool look_below(const char *path, struct arena *mem, struct place *out, struct err *err)
{
	struct array_sources sources = {0};
	bool ok = array_sources_of(path, LOOKED_AT, NULL, NULL, &sources, err);

	out->path = path;
	out->is_run = ok && sources.at.len && sources.steps.len < 2;
	out->cut = sources.cut;
	out->of_arrays = true;
	for (size_t i = 0; ok && i < sources.steps.len; i++) {
		const struct run_step *step = &sources.steps.at[i];

		vec_push(&out->steps, ((struct run_step){
			arena_copy(mem, step->name, strlen(step->name)), step->step }));
	}
	array_sources_release(&sources);
	return ok;
}

/* A directory is one for the files right in it; others, below, only if nothing else is there. */
static bool look(const char *path, struct arena *mem, struct place *out, struct err *err)
{
	struct listing list = {0};
	bool is_dir = file_is_dir(path);
	bool ok = !is_dir || listing_of(&list, path, err);
	bool has = ok && (!is_dir || count(&list, NULL));

	listing_release(&list);
	out->path = path;
	return ok && (!has || look_below(path, mem, out, err));
}

static const char *around(const char *file, enum file_kind kind, struct arena *mem,
                          const char **below, struct err *err)
{
	(void)kind, (void)mem, (void)err;
	*below = NULL;
	return array_format_of(file) ? file : NULL;
}

static int run_order(const char *a, const char *b)
{
	return natural_order(a, b);
}

/* Loading. */

/* An array while its name may still change. */
struct listed {
	struct array *array;
	const struct array_source *source;
	const char *device;
	bool own_name;           /* it is called as its source is */
};

struct loading {
	struct run *run;
	struct progress *progress;
	struct array_sources sources;
	VEC(struct listed) arrays;
	struct map devices;
	uint64_t checked;        /* bytes */
	bool is_file;            /* PATH is the source */
};

static void skipped(void *owner, enum walk_skip what, const char *path, const char *why)
{
	struct loading *l = owner;

	if (what == SKIP_UNREAD)
		run_unread_dir(l->run, path, "", why);
	else
		run_problem(l->run, PROBLEM_STRANGER, path, 0, "%s", why);
}

/* The whole path, in the run's memory. */
static const char *path_of(struct loading *l, const struct array_source *source)
{
	struct str path = {0};
	const char *kept;

	str_puts(&path, l->run->path);
	if (*source->path)
		str_fmt(&path, "/%s", source->path);
	kept = run_text(l->run, path.text);
	str_release(&path);
	return kept;
}

static void take_problems(struct loading *l, const struct array_source *source,
                          const struct array_list *list)
{
	for (size_t i = 0; i < list->problems.len; i++) {
		struct problem problem = list->problems.at[i];

		problem.file = problem.file ? problem.file : source->path;
		run_add_problem(l->run, &problem);
	}
	for (size_t i = 0; i < list->facts.len; i++)
		vec_push(&l->run->facts, list->facts.at[i]);
}

static bool is_crc_right(const struct array *array)
{
	struct input input;
	struct err err = {0};
	uint32_t crc;
	bool right;

	if (!array_input(array, &input, &err))
		return true;
	right = input_crc32(&input, &crc, &err) && crc == array->crc;
	input_release(&input);
	return right;
}

/* A checksum that is wrong, as far as that is little work. */
static void check_sum(struct loading *l, struct array *array)
{
	uint64_t bytes = array->unpacked ? array->unpacked : array->len;
	bool (*is_sound)(const struct array *array) =
		array->has_crc ? is_crc_right : array->format->is_sound;

	if (!is_sound || array->why || bytes > CHECKED_MOST - l->checked)
		return;
	l->checked += bytes;
	if (!is_sound(array))
		array->doubt = "its checksum is wrong: the value may not be what was saved";
}

/* Files that are devices of their own, if there are several in the run. */
static const char *device_by_file(const struct loading *l, const struct array_source *source)
{
	size_t n = 0;

	for (size_t i = 0; source->format->by_device && i < l->sources.at.len && n < 2; i++)
		n += l->sources.at.at[i].format == source->format;
	return n > 1 ? path_name(source->path) : NULL;
}

static void take_arrays(struct loading *l, const struct array_source *source, const char *path,
                        const struct array_list *list)
{
	const char *by_file = device_by_file(l, source);

	vec_reserve(&l->arrays, l->arrays.len + list->at.len);
	for (size_t i = 0; i < list->at.len; i++) {
		struct array *array = list->at.at[i];
		struct listed one = { .array = array, .source = source };

		array->format = source->format;
		array->file = array->file ? array->file : path;
		one.own_name = !array->name;
		one.device = array->device    ? array->device
		             : source->device ? source->device
		             : by_file        ? run_text(l->run, by_file)
		                              : "CPU:0";
		check_sum(l, array);
		if (one.own_name)
			array->name = run_text(l->run, source->name);
		if (array->doubt)
			run_problem(l->run, PROBLEM_DAMAGED, source->path, 0, "\"%s\": %s",
			            array->name, array->doubt);
		vec_push(&l->arrays, one);
	}
}

/* False after a cancel, and if PATH itself can't be read; else that is a problem. */
static bool list_source(struct loading *l, const struct array_source *source, struct err *err)
{
	struct array_list list = { .mem = &l->run->mem, .progress = l->progress };
	const char *path = path_of(l, source);
	struct err why = {0};
	bool ok = source->format->list(path, &list, &why);

	if (ok) {
		take_problems(l, source, &list);
		take_arrays(l, source, path, &list);
	} else if (l->is_file || why.code == ERR_CANCELLED) {
		*err = why;
	} else {
		run_add_problem(l->run, &(struct problem){
			.file = source->path, .text = why.msg, .off = why.off,
			.kind = problem_of_err(&why), .unread = true, .nodes = "",
			.whole = why.damage == DAMAGE_WHOLE || why.code == ERR_UNSUPPORTED });
		ok = true;
	}
	array_list_release(&list);
	return ok;
}

static bool is_of_step(const struct run *run, const struct array_source *source)
{
	return run->step < 0 || source->step < 0 || source->step == run->step;
}

static bool list_all(struct loading *l, struct err *err)
{
	size_t n = l->sources.at.len;

	for (size_t i = 0; i < n; i++) {
		const struct array_source *source = &l->sources.at.at[i];

		if (is_of_step(l->run, source) && !list_source(l, source, err))
			return false;
		if (!progress_step(l->progress, i + 1, n))
			return err_at(err, ERR_CANCELLED, l->run->path, 0, "stopped");
	}
	return true;
}

/* Do arrays of two sources have one name on one device? */
static bool names_clash(const struct loading *l)
{
	struct arena mem = {0};
	struct map names = {0};
	VEC(const struct array_source *) of = {0};
	struct str key = {0};
	bool clash = false;

	for (size_t i = 0; i < l->arrays.len && l->sources.at.len > 1 && !clash; i++) {
		const struct listed *one = &l->arrays.at[i];
		uint32_t id;

		str_reset(&key);
		str_fmt(&key, "%s\n%s", one->device, one->array->name);
		id = map_add(&names, &mem, key.text, key.len);
		if (id == of.len)
			vec_push(&of, one->source);
		clash = of.at[id] != one->source;
	}
	vec_release(&of);
	map_release(&names);
	arena_release(&mem);
	str_release(&key);
	return clash;
}

/* Then they begin with the name of their source. */
static void tell_apart(struct loading *l)
{
	struct str name = {0};

	if (!names_clash(l))
		return;
	for (size_t i = 0; i < l->arrays.len; i++) {
		struct listed *one = &l->arrays.at[i];

		if (one->own_name || !*one->source->name)
			continue;
		str_reset(&name);
		str_fmt(&name, "%s/%s", one->source->name, one->array->name);
		one->array->name = run_text(l->run, name.text);
	}
	str_release(&name);
}

/* Do all files say when, each of its one array? */
static bool come_by_time(const struct loading *l)
{
	for (size_t i = 0; i < l->arrays.len; i++)
		if (!l->arrays.at[i].own_name || !l->arrays.at[i].source->format->by_time)
			return false;
	return !l->is_file && l->arrays.len;
}

static int64_t changed_us(const char *path)
{
	struct stat st;

	if (!file_stat(path, &st) || st.st_mtim.tv_sec < 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * 1000000 + st.st_mtim.tv_nsec / 1000;
}

static uint16_t device_of(struct loading *l, const char *name)
{
	struct run *run = l->run;
	uint32_t id = map_find(&l->devices, name, strlen(name));

	if (id != MAP_NONE)
		return (uint16_t)id;
	if (l->devices.len > UINT16_MAX)
		return UINT16_MAX;       /* so many are no devices */
	id = map_add(&l->devices, &run->mem, name, strlen(name));
	*vec_add(&run->devices) = (struct device){ .name = l->devices.key[id], .dir = "" };
	return (uint16_t)id;
}

static void add_tensors(struct loading *l)
{
	bool by_time = come_by_time(l);
	struct run *run = l->run;

	map_add(&run->debug_ops, &run->mem, "DebugIdentity", strlen("DebugIdentity"));
	vec_reserve(&run->tensors, l->arrays.len);
	for (size_t i = 0; i < l->arrays.len; i++) {
		const struct listed *one = &l->arrays.at[i];
		const struct array *array = one->array;
		struct tensor tensor = { .where = (const char *)array };

		tensor.time_us = by_time ? changed_us(array->file) : (int64_t)i * MS;
		tensor.size_bytes = array->size_bytes == ARRAY_SIZE_UNKNOWN
		                    ? -1 : (int64_t)array->size_bytes;
		tensor.node_id = map_add_lasting(&run->nodes, array->name,
		                                 strlen(array->name));
		tensor.node = run->nodes.key[tensor.node_id];
		if (array->full_name)
			run_add_full_name(run, array->full_name, tensor.node_id);
		tensor.device = device_of(l, one->device);
		vec_push(&run->tensors, tensor);
	}
	if (!run->devices.len)
		device_of(l, "CPU:0");
}

/* Its arrays. */
static size_t arrays_of(const struct loading *l, const struct array_source *source,
                        const struct array **out, const char **device)
{
	size_t n = 0;

	for (size_t i = 0; i < l->arrays.len; i++)
		if (l->arrays.at[i].source == source) {
			*device = l->arrays.at[i].device;
			out[n++] = l->arrays.at[i].array;
		}
	return n;
}

/* Takes the graph over. A device has one. */
static void set_graph(struct loading *l, const char *name, struct graph *graph)
{
	struct device *device = &l->run->devices.at[device_of(l, name)];

	l->run->n_graph_files++;
	if (device->graph)
		graph_close(graph);
	else
		device->graph = graph;
}

/* False after a cancel. */
static bool read_graph(struct loading *l, const struct array_source *source, struct err *err)
{
	const struct array **arrays = mem_alloc((l->arrays.len + 1) * sizeof *arrays);
	const char *device = "";
	size_t n = arrays_of(l, source, arrays, &device);
	struct err why = {0};
	struct graph *graph = n ? source->format->graph(path_of(l, source), arrays, n,
	                                                l->progress, &why)
	                        : NULL;

	free(arrays);
	if (graph)
		set_graph(l, device, graph);
	else if (why.code == ERR_CANCELLED)
		*err = why;
	else if (why.code)
		run_unread(l->run, problem_of_err(&why), source->path, why.off, "its graph: %s",
		           why.msg);
	return why.code != ERR_CANCELLED;
}

static bool read_graphs(struct loading *l, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && l->run->depth == RUN_WHOLE && i < l->sources.at.len; i++) {
		const struct array_source *source = &l->sources.at.at[i];

		if (source->format->graph && is_of_step(l->run, source))
			ok = read_graph(l, source, err);
	}
	return ok;
}

static bool load(struct run *run, struct progress *progress, struct err *err)
{
	struct loading l = { .run = run, .progress = progress };
	struct stat st;
	bool ok = file_stat(run->path, &st)
	          || err_at(err, ERR_IO, run->path, 0, "%s", strerror(errno));

	l.is_file = ok && !S_ISDIR(st.st_mode);
	l.sources.of_steps = run->name && run->step >= 0;
	run->op_type = "array";
	ok = ok && array_sources_of(run->path, FILES_MOST, &l, skipped, &l.sources, err);
	if (l.sources.cut)
		run_problem(run, PROBLEM_UNREADABLE, "", 0,
		            "there are more than %d files: the rest was not looked at", FILES_MOST);
	ok = ok && (run->depth == RUN_HEAD || list_all(&l, err));
	if (ok) {
		tell_apart(&l);
		add_tensors(&l);
		ok = read_graphs(&l, err);
	}
	vec_release(&l.arrays);
	map_release(&l.devices);
	array_sources_release(&l.sources);
	return ok;
}

/* Arrays. */

static const struct array *array_of(const struct tensor *tensor)
{
	return (const void *)tensor->where;
}

static struct value *value(const struct run *run, const struct tensor *tensor, struct err *err)
{
	const struct array *array = array_of(tensor);

	(void)run;
	if (array->not_stored)
		err_fill(err, ERR_MISSING, array->file, 0, "%s", array->not_stored);
	else if (array->why)
		err_fill(err, ERR_UNSUPPORTED, array->file, 0, "%s", array->why);
	else
		return array->format->value ? array->format->value(array, err)
		                            : array_value(array, err);
	return NULL;
}

static void facts(const struct tensor *tensor, struct array_facts *out)
{
	const struct array *array = array_of(tensor);
	const struct dtype_info *type = dtype_info(array->dtype);

	*out = (struct array_facts){
		.op = array->format->op, .dtype = type ? type->name : array->type_name,
		.rank = array->rank, .dim = array->dim, .doubt = array->doubt,
		.stats = array->stats, .full_name = array->full_name,
	};
}

static void tensor_file(const struct run *run, const struct tensor *tensor, struct str *out)
{
	const char *file = array_of(tensor)->file;
	size_t len = strlen(run->path);

	str_puts(out, !strncmp(file, run->path, len) && file[len] == '/' ? file + len + 1
	                                                                 : path_name(file));
}

/* Those of its step. */
static bool put_stacks(const struct array_sources *sources, const char *path,
                       struct stacks *out, struct progress *progress, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < sources->at.len; i++) {
		const struct array_source *source = &sources->at.at[i];
		struct str whole = {0};

		if (!source->format->stacks
		    || (out->of_step && source->step >= 0 && source->step != out->step))
			continue;
		str_fmt(&whole, "%s%s%s", path, *source->path ? "/" : "", source->path);
		ok = source->format->stacks(whole.text, out, progress, err);
		str_release(&whole);
	}
	return ok;
}

/* Is there an array whose format may say it? */
static bool may_say(const struct run *run)
{
	for (size_t i = 0; i < run->tensors.len; i++)
		if (array_of(&run->tensors.at[i])->format->stacks)
			return true;
	return !run->tensors.len;
}

/* Of several steps, that of the run; of the first one, while none is open. */
static struct stacks *stacks(const char *path, const struct run *run, struct progress *progress,
                             struct err *err)
{
	struct array_sources sources = {0};
	struct stacks *out;
	bool ok;

	if (run && !may_say(run))
		return NULL;
	out = mem_alloc(sizeof *out);
	out->cwd = "";
	ok = array_sources_of(path, LOOKED_AT, NULL, NULL, &sources, err);
	out->of_step = sources.steps.len > 1;
	if (out->of_step)
		out->step = run && run->step >= 0 ? run->step : sources.steps.at[0].step;
	ok = ok && put_stacks(&sources, path, out, progress, err);
	array_sources_release(&sources);
	if (ok && out->nodes.len) {
		stacks_sort(out);
		return out;
	}
	stacks_close(out);
	return NULL;
}

const struct reader reader_arrays = {
	.name = "arrays",
	.looks_for = "files of arrays (*.npy, *.npz, *.safetensors, *.pt...)",
	.count = count,
	.look = look,
	.look_below = look_below,
	.around = around,
	.run_order = run_order,
	.load = load,
	.value = value,
	.array_facts = facts,
	.stacks = stacks,
	.tensor_file = tensor_file,
};
