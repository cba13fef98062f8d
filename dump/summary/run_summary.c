#include "dump/summary/run_summary.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/mem.h"
#include "dump/base/numbered.h"
#include "dump/base/path.h"
#include "dump/format/file.h"
#include "dump/summary/known_value.h"
#include "dump/summary/whole.h"
#include "dump/v1/v1_name.h"

#define ALONE "."                /* a dump that is no run of a root, among others that are */

static const struct whole *whole_of(const struct counted *kept)
{
	return (const struct whole *)kept;
}

/* ---- opening */

static size_t count(const struct listing *list, struct times *times)
{
	(void)list, (void)times;
	return 0;                        /* files that are opened by their names alone */
}

static const char *name_of(const struct whole_part *part)
{
	return *part->run ? part->run : ALONE;
}

/* What workers say of a root itself is a part of its own, without a run. */
static bool is_of_root(const struct whole_part *part, const struct place *place)
{
	return place->is_root && !*part->run && !part->is_told && !part->values.len
	       && !part->devices.len;
}

/* Below the PATH of its worker. */
static void put_file(const struct whole *whole, const struct whole_part *part,
                     const struct problem *problem, struct str *out)
{
	if (whole->workers.len > 1)
		str_fmt(out, "%s%s", whole->workers.at[part->worker], *problem->file ? "/" : "");
	str_puts(out, problem->file);
}

static void take_root(const struct whole *whole, const struct whole_part *part, struct arena *mem,
                      struct place *out)
{
	struct str file = {0};

	for (size_t i = 0; i < part->problems.len; i++) {
		struct problem *problem = vec_add(&out->problems);

		*problem = part->problems.at[i];
		str_reset(&file);
		put_file(whole, part, problem, &file);
		problem->file = arena_fmt(mem, "%s", str_text(&file));
		problem->text = arena_fmt(mem, "%s", problem->text);
	}
	str_release(&file);
}

/* Each run once, whoever told of it. */
static void take_runs(const struct whole *whole, struct arena *mem, struct place *out)
{
	struct map names = {0};

	for (size_t i = 0; i < whole->sources.len; i++)
		out->is_root = out->is_root || whole->sources.at[i].is_root;
	out->of_arrays = whole->parts.len;
	for (size_t i = 0; i < whole->parts.len; i++) {
		const struct whole_part *part = &whole->parts.at[i];
		const char *name = name_of(part);

		if (is_of_root(part, out)) {
			take_root(whole, part, mem, out);
			continue;
		}
		out->of_arrays = out->of_arrays && part->told.op_type;
		if (map_add(&names, mem, name, strlen(name)) == out->steps.len)
			vec_push(&out->steps, ((struct run_step){
				arena_copy(mem, name, strlen(name)), part->told.step }));
	}
	out->is_run = out->steps.len < 2;
	map_release(&names);
}

static void take_workers(const struct whole *whole, struct arena *mem, struct place *out)
{
	struct str missing = {0};

	for (size_t i = 0; i < whole->workers.len; i++) {
		const char *worker = whole->workers.at[i];

		vec_push(&out->workers, arena_copy(mem, worker, strlen(worker)));
	}
	if (whole_put_missing(whole, &missing))
		out->lacks = arena_copy(mem, missing.text, missing.len);
	str_release(&missing);
}

static bool look(const char *path, struct arena *mem, struct place *out, struct err *err)
{
	enum file_kind kind;
	struct whole *whole = (struct whole *)out->kept;
	struct stat st;

	out->path = path;
	if (!file_stat(path, &st) || !S_ISREG(st.st_mode) || !recognise(path, &kind, err)
	    || kind != FILE_SUMMARY)
		return true;
	if (!whole)
		whole = whole_read(path, NULL, err);
	if (!whole)
		return false;
	out->kept = &whole->kept;
	take_runs(whole, mem, out);
	take_workers(whole, mem, out);
	return true;
}

static const char *around(const char *file, enum file_kind kind, struct arena *mem,
                          const char **below, struct err *err)
{
	(void)mem, (void)err;
	*below = NULL;
	return kind == FILE_SUMMARY ? file : NULL;
}

/* ---- loading */

struct loading {
	struct run *run;
	struct whole *whole;
	struct progress *progress;
	struct map devices;              /* as they are shown */
	struct map metadata;
	const char *device;              /* of the part's last tensor, and its number; NULL: none */
	uint16_t device_id;
};

/* Two workers may have a device of one name each. */
static struct device device_as_shown(const struct loading *l, const struct whole_part *part,
                                     const char *name)
{
	struct device device = { .dir = "", .worker = l->whole->workers.at[part->worker] };

	if (l->whole->names_repeat && !l->run->is_alone)
		device.name = arena_fmt(&l->run->mem, "%s%s%s", device.worker,
		                        *name == '/' ? "" : "/", name);
	else
		device.name = run_text(l->run, name);
	device.own = device.name + strlen(device.name) - strlen(name);
	return device;
}

static uint16_t device_of(struct loading *l, const struct whole_part *part, const char *name)
{
	struct device device = device_as_shown(l, part, name);
	uint32_t id = map_add_lasting(&l->devices, device.name, strlen(device.name));

	if (id > UINT16_MAX)
		return UINT16_MAX;
	if (id == l->run->devices.len)
		vec_push(&l->run->devices, device);
	return (uint16_t)id;
}

static int by_place(const void *a, const void *b)
{
	const struct whole_device *x = a, *y = b;

	return (x->position > y->position) - (x->position < y->position);
}

/* In the order in which the dump has them. */
static bool take_devices(struct loading *l, const struct whole_part *part, struct err *err)
{
	size_t n = part->devices.len;
	struct whole_device *sorted = mem_alloc((n + 1) * sizeof *sorted);
	struct err first = {0};

	for (size_t i = 0; i < n; i++)
		sorted[i] = part->devices.at[i];
	qsort(sorted, n, sizeof *sorted, by_place);
	for (size_t i = 0; i < n && first.code != ERR_CANCELLED; i++) {
		uint16_t at = device_of(l, part, sorted[i].name);
		struct device *device = &l->run->devices.at[at];
		struct err own = {0};

		if (sorted[i].graph && !device->graph && l->run->depth == RUN_WHOLE)
			device->graph = whole_graph_open(l->whole, sorted[i].graph, l->progress,
			                                 &own);
		if (own.code == ERR_CANCELLED || !first.code)
			first = own;
	}
	free(sorted);
	if (first.code == ERR_CANCELLED)
		*err = first;
	else if (first.code)
		run_unread(l->run, problem_of_err(&first), "", first.off, "%s", first.msg);
	return first.code != ERR_CANCELLED;
}

/* A part has its names of devices once each. */
static uint16_t device_of_value(struct loading *l, const struct whole_part *part,
                                const struct whole_value *value)
{
	if (l->device != value->device) {
		l->device = value->device;
		l->device_id = device_of(l, part, value->device);
	}
	return l->device_id;
}

static void take_value(struct loading *l, const struct whole_part *part,
                       const struct whole_value *value)
{
	struct run *run = l->run;
	struct tensor tensor = { .time_us = value->time_us, .size_bytes = value->size_bytes,
	                         .slot = value->slot };
	const char *debug_op = part->told.op_type ? "DebugIdentity" : value->debug_op;  /* arrays */

	tensor.where = (const char *)value;
	tensor.node_id = map_add_lasting(&run->nodes, value->node, strlen(value->node));
	tensor.node = run->nodes.key[tensor.node_id];
	tensor.debug_op = (uint16_t)map_add(&run->debug_ops, &run->mem, debug_op, strlen(debug_op));
	tensor.device = device_of_value(l, part, value);
	vec_push(&run->tensors, tensor);
}

static void take_values(struct loading *l, const struct whole_part *part)
{
	size_t n = part->values.len;
	struct numbered *sorted = mem_alloc((2 * n + 1) * sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct numbered){ part->values.at[i].position, (uint32_t)i };
	numbered_sort(sorted, sorted + n, n);
	vec_reserve(&l->run->tensors, l->run->tensors.len + n);
	l->device = NULL;
	for (size_t i = 0; i < n; i++)
		take_value(l, part, &part->values.at[sorted[i].row]);
	free(sorted);
}

static void take_problems(struct loading *l, const struct whole_part *part)
{
	struct str file = {0};

	for (size_t i = 0; i < part->problems.len; i++) {
		struct problem problem = part->problems.at[i];

		str_reset(&file);
		put_file(l->whole, part, &problem, &file);
		problem.file = str_text(&file);
		run_add_problem(l->run, &problem);
	}
	str_release(&file);
}

/* What workers don't agree about is not known of their run. */
static const char *agreed(const char *known, const char *told, bool first)
{
	return first ? told : known && told && !strcmp(known, told) ? known : NULL;
}

static void take_told(struct loading *l, const struct summary_run *told, bool first)
{
	struct run *run = l->run;

	run->fetches = agreed(run->fetches, told->fetches, first);
	run->feeds = agreed(run->feeds, told->feeds, first);
	run->op_type = agreed(run->op_type, told->op_type, first);
	run->is_empty = told->is_empty && (first || run->is_empty);
	run->n_graph_files += told->n_graph_files;
	for (size_t i = 0; i < told->metadata.len; i++) {
		const char *text = told->metadata.at[i];

		if (map_add_lasting(&l->metadata, text, strlen(text)) == run->metadata.len)
			vec_push(&run->metadata, text);
	}
	for (size_t i = 0; i < told->facts.len; i++)
		vec_push(&run->facts, told->facts.at[i]);
}

static bool take_part(struct loading *l, const struct whole_part *part, bool first,
                      struct err *err)
{
	const char *broken = part->told.broken;

	if (broken && l->whole->workers.len == 1)
		return err_at(err, ERR_IO, name_of(part), 0, "%s", broken);
	if (broken)
		run_unread(l->run, PROBLEM_UNREADABLE, l->whole->workers.at[part->worker], 0,
		           "%s", broken);
	take_told(l, &part->told, first);
	take_problems(l, part);
	if (l->run->depth == RUN_HEAD)
		return true;
	if (!take_devices(l, part, err))
		return false;
	take_values(l, part);
	return true;
}

/* The parts that a run is made of: all there are, unless there are several runs. */
static const struct whole_part *parts_of(const struct whole *whole, const char *name, size_t *n)
{
	if (name)
		return whole_parts_of(whole, strcmp(name, ALONE) ? name : "", n);
	*n = whole->parts.len;
	return whole->parts.at;
}

static bool take_parts(struct loading *l, struct err *err)
{
	const struct run *run = l->run;
	bool ok = true, first = true;
	size_t n;
	const struct whole_part *part = parts_of(l->whole, run->name, &n);

	for (size_t i = 0; ok && i < n; i++, part++) {
		if (run->worker && strcmp(run->worker, l->whole->workers.at[part->worker]) != 0)
			continue;
		ok = take_part(l, part, first, err);
		first = false;
		if (ok && !progress_step(l->progress, i, n))
			ok = err_at(err, ERR_CANCELLED, run->path, 0, "stopped");
	}
	return ok;
}

static bool load(struct run *run, struct progress *progress, struct err *err)
{
	struct loading l = { .run = run, .progress = progress };
	bool ok;

	if (!run->kept) {
		struct whole *whole = whole_read(run->path, progress, err);

		if (!whole)
			return false;
		run->kept = &whole->kept;
	}
	l.whole = (struct whole *)run->kept;
	ok = take_parts(&l, err);
	map_release(&l.devices);
	map_release(&l.metadata);
	return ok;
}

static bool is_of_worker(const struct counted *kept, const char *name, const char *worker)
{
	const struct whole *whole = whole_of(kept);
	size_t n;
	const struct whole_part *parts = parts_of(whole, name, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(whole->workers.at[parts[i].worker], worker))
			return true;
	return false;
}

const struct reader reader_summary = {
	.name = "summary",
	.count = count,
	.look = look,
	.around = around,
	.run_name = v1_run_name,
	.run_order = v1_run_order,
	.load = load,
	.is_of_worker = is_of_worker,
	.value = known_value,
	.told = known_told,
	.array_facts = known_facts,
	.tensor_file = known_file,
};
