/*
 * Rows of steps come before those of kernels, and these by worker: they are gathered and put in the
 * order of steps. A step lasts as long as it did, or longer with another worker; where in it
 * something ran is not known, so its records only lie somewhere in it, each in a thread of its own.
 */
#include "dump/profile/trace_summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/summary/rows.h"

#define SUMS_MOST (INT64_MAX / 4)        /* of all times together, and of all steps */
#define BEGIN_NS INT64_C(1000000000)
enum { ROWS_BETWEEN = 1024 };            /* two looks at progress */

/* A step of one label, whoever told of it. */
struct summed_step {
	const char *label, *file;        /* file: that it is all of; NULL: none is told */
	int64_t number, span_ns, sync_ns;
	uint64_t position;
	int64_t start_ns;
	bool is_told;            /* by its row, from here on */
	bool unread;             /* some worker could not read all of it */
	bool has_parts;
	struct breakdown parts;  /* of the worker whom it took longest */
};

struct summed_record {
	uint32_t step;           /* of reading->steps */
	struct activity activity;
	struct trace_sum sum;
};

struct reading {
	struct trace *trace;
	struct summary_reader *reader;
	const char *path;
	struct map labels;       /* of steps, with their numbers among those of the label */
	VEC(struct summed_step) steps;
	VEC(struct summed_record) records;
	struct map devices;      /* of workers: their short names */
	VEC(const char *) whole_devices;         /* what the first of a short name is called */
	bool has_records;        /* some file said more than totals */
	bool some_apart, some_marked;    /* steps by themselves, and such as a trace marks */
	int64_t total_ns;
	struct str scratch;
	struct arena mem;
	struct err *err;
};

/* They come sorted, with a row for each of their dumps. */
static void take_worker(struct reading *r, const char *worker)
{
	struct trace *trace = r->trace;

	if (!trace->workers.len || strcmp(*vec_last(&trace->workers), worker) != 0)
		vec_push(&trace->workers, arena_copy(&trace->mem, worker, strlen(worker)));
}

static uint32_t step_of(struct reading *r, const struct summary_key *key)
{
	uint32_t id;

	str_reset(&r->scratch);
	str_fmt(&r->scratch, "%" PRIu64 " %s", key->number, key->run);
	id = map_add(&r->labels, &r->mem, r->scratch.text, r->scratch.len);
	if (id == r->steps.len)
		*vec_add(&r->steps) = (struct summed_step){
			.label = arena_copy(&r->trace->mem, key->run, strlen(key->run)) };
	return id;
}

/* Neither is negative. */
static int64_t sum_at_most(int64_t a, int64_t b)
{
	return a < SUMS_MOST - b ? a + b : SUMS_MOST;
}

static const char *longer_lived(struct reading *r, const char *text)
{
	return *text ? arena_copy(&r->trace->mem, text, strlen(text)) : NULL;
}

static void note_step(struct reading *r, const struct summary_key *key,
                      const struct summary_step *told)
{
	uint32_t at = step_of(r, key);
	struct summed_step *step = &r->steps.at[at];
	int64_t sync_ns = told->sync_ns > 0 && told->sync_ns < SUMS_MOST ? told->sync_ns : 0;

	if (!*key->run && told->span_ns > r->trace->span_ns)
		r->trace->span_ns = told->span_ns;
	if (!step->is_told || told->span_ns > step->span_ns) {
		step->has_parts = told->has_parts;
		step->parts = told->parts;
	}
	step->is_told = true;
	step->unread |= told->unread;
	step->number = told->number;
	step->position = told->position;
	step->span_ns = told->span_ns > step->span_ns ? told->span_ns : step->span_ns;
	step->file = longer_lived(r, told->file);
	step->sync_ns = sum_at_most(step->sync_ns, sync_ns);
	r->some_apart |= step->file != NULL;
	r->some_marked |= !step->file && *key->run;
	r->has_records |= !told->only_totals;
}

static bool take_step(struct reading *r, const struct summary_row *row)
{
	struct summary_step told;
	struct arena mem = {0};
	bool ok = summary_read_step(r->path, row, &mem, &told, r->err);

	if (ok && (told.span_ns < 0 || told.span_ns > SUMS_MOST))
		ok = err_at(r->err, ERR_FORMAT, r->path, row->off, "a step of impossible length");
	if (ok)
		note_step(r, &row->key, &told);
	arena_release(&mem);
	return ok;
}

/* "worker/3/CPU:0"; all of its name, if another one of the worker's is called so by now. */
static void put_device_of_worker(struct reading *r, const struct summary_key *key)
{
	struct text name = device_parse(key->device, strlen(key->device)).name;
	uint32_t id;

	str_reset(&r->scratch);
	str_fmt(&r->scratch, "%s/%.*s", key->worker, (int)name.len, name.at);
	id = map_add(&r->devices, &r->mem, r->scratch.text, r->scratch.len);
	if (id == r->whole_devices.len)
		vec_push(&r->whole_devices, arena_copy(&r->mem, key->device, strlen(key->device)));
	if (!strcmp(r->whole_devices.at[id], key->device))
		return;
	str_reset(&r->scratch);
	str_fmt(&r->scratch, "%s%s%s", key->worker, *key->device == '/' ? "" : "/", key->device);
}

static uint32_t device_of(struct reading *r, const struct summary_key *key)
{
	if (r->trace->workers.len > 1) {
		put_device_of_worker(r, key);
	} else {
		str_reset(&r->scratch);
		str_puts(&r->scratch, key->device);
	}
	return key->slot == ACTIVITY_HOST
	       ? trace_host_device(r->trace, str_text(&r->scratch), r->scratch.len)
	       : trace_device(r->trace, str_text(&r->scratch), r->scratch.len);
}

static uint32_t name_of(struct reading *r, const char *text)
{
	return trace_name(r->trace, text, strlen(text));
}

static bool take_kernel(struct reading *r, const struct summary_row *row)
{
	const struct summary_key *key = &row->key;
	struct summary_kernel told;
	struct arena mem = {0};
	struct summed_record *new;
	bool ok = summary_read_kernel(r->path, row, &mem, &told, r->err);

	if (ok && (key->slot > ACTIVITY_COPY || !told.calls || told.calls > (uint64_t)SUMS_MOST
	           || told.total_ns < 0 || told.total_ns > SUMS_MOST - r->total_ns
	           || told.bytes > (uint64_t)SUMS_MOST))
		ok = err_at(r->err, ERR_FORMAT, r->path, row->off, "impossible times of a node");
	if (ok) {
		uint32_t step = step_of(r, key);

		r->total_ns += told.total_ns;
		new = vec_add(&r->records);
		*new = (struct summed_record){
			.step = step, .sum = { told.calls, told.min_ns, told.max_ns },
			.activity = {
				.len_ns = told.total_ns, .bytes = (int64_t)told.bytes,
				.launch_delay_ns = key->slot == ACTIVITY_HOST ? 0 : -1,
				.kind = key->slot & 3, .stream = MAP_NONE, .launch = MAP_NONE,
				.device = device_of(r, key) & 0x3fffffff,
				.node = name_of(r, key->node), .op = name_of(r, told.op),
				.kernel = name_of(r, key->debug_op) } };
	}
	arena_release(&mem);
	return ok;
}

static bool take_row(struct reading *r, const struct summary_row *row)
{
	if (r->trace->worker && strcmp(row->key.worker, r->trace->worker) != 0)
		return true;
	switch (row->key.kind) {
	case SUMMARY_SOURCE: take_worker(r, row->key.worker); return true;
	case SUMMARY_STEP: return take_step(r, row);
	case SUMMARY_KERNEL: return take_kernel(r, row);
	default: return true;
	}
}

static bool read_rows(struct reading *r, struct progress *progress)
{
	struct summary_row row;
	uint64_t done, total;
	bool ok = true;

	for (uint64_t n = 0; ok && summary_next(r->reader, &row, r->err); n++) {
		ok = take_row(r, &row);
		done = n % ROWS_BETWEEN ? 0 : summary_read_bytes(r->reader, &total);
		if (ok && done && !progress_step(progress, done, total))
			ok = err_at(r->err, ERR_CANCELLED, r->path, 0, "stopped");
	}
	return ok && !r->err->code;
}

/* ---- the trace */

static int by_position(const void *a, const void *b)
{
	const struct summed_step *x = *(struct summed_step *const *)a;
	const struct summed_step *y = *(struct summed_step *const *)b;

	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return (x > y) - (x < y);
}

static const struct breakdown *parts_of(struct reading *r, const struct summed_step *from)
{
	struct breakdown *parts;

	if (!from->has_parts)
		return NULL;
	parts = arena_alloc(&r->trace->mem, sizeof *parts);
	*parts = from->parts;
	return parts;
}

static void put_step(struct reading *r, const struct summed_step *from, int64_t place,
                     int64_t len_ns)
{
	size_t before = r->trace->steps.len;
	struct trace_step *step;

	trace_add_step(r->trace, place, from->start_ns, len_ns);
	if (r->trace->steps.len == before)
		return;
	step = vec_last(&r->trace->steps);
	step->number = from->number;
	step->label = from->label;
	step->file = from->file;
	step->sync_ns = from->sync_ns;
	step->parts = parts_of(r, from);
	step->unread = from->unread;
	step->no_span = !from->span_ns;
}

/* What is of no step: all, where there are no steps. */
static void put_unmarked(struct reading *r, const struct summed_step *from)
{
	r->trace->all.sync_ns = sum_at_most(r->trace->all.sync_ns, from->sync_ns);
	if (!*from->label)
		r->trace->parts = parts_of(r, from);
}

/*
 * One after the other, each by its place: two may have one number. What is of no step has no label,
 * and comes last: it is marked by none.
 */
static bool place_steps(struct reading *r)
{
	struct summed_step **order = mem_alloc((r->steps.len + 1) * sizeof *order);
	int64_t at_ns = BEGIN_NS;
	bool ok = true;

	for (size_t i = 0; i < r->steps.len; i++)
		order[i] = &r->steps.at[i];
	qsort(order, r->steps.len, sizeof *order, by_position);
	for (size_t i = 0; ok && i < r->steps.len; i++) {
		struct summed_step *step = order[i];
		int64_t len_ns = step->span_ns ? step->span_ns : 1;

		step->start_ns = at_ns;
		ok = len_ns < SUMS_MOST - at_ns;
		at_ns += len_ns;
		if (ok && *step->label)
			put_step(r, step, (int64_t)i, len_ns);
		else
			put_unmarked(r, step);
	}
	free(order);
	return ok || err_at(r->err, ERR_FORMAT, r->path, 0, "steps of impossible length");
}

static void put_record(struct reading *r, const struct summed_record *from, uint32_t thread)
{
	struct trace_record record = { TRACE_NO_ID, TRACE_NO_ID, .thread = thread,
	                               .untimed = true, .has_bytes = true };
	struct activity a = from->activity;
	uint32_t number;

	a.start_ns = r->steps.at[from->step].start_ns;
	a.raw = a.kind == ACTIVITY_HOST ? a.node : a.kernel;
	if (a.kind == ACTIVITY_HOST)
		record.op = TRACE_OP_NODE;
	number = trace_add(r->trace, &a, &record);
	if (a.kind != ACTIVITY_HOST)
		vec_last(&r->trace->all.at)->kernel = from->activity.kernel;
	trace_set_sum(r->trace, number, &from->sum);
}

static bool put_total(struct reading *r, const struct summed_record *from)
{
	const char *name = r->trace->all.names.key[from->activity.kernel];

	return trace_add_total(r->trace, name, strlen(name), &(struct trace_total){
		.kind = from->activity.kind, .calls = (int64_t)from->sum.calls,
		.total_ns = from->activity.len_ns, .min_ns = from->sum.min_ns,
		.max_ns = from->sum.max_ns })
	       || err_at(r->err, ERR_FORMAT, r->path, 0, "impossible times of a kernel");
}

/* Totals of files that said nothing else are what they were there. */
static bool put_records(struct reading *r)
{
	bool ok = true;

	for (size_t i = 0; ok && i < r->records.len; i++)
		if (r->has_records)
			put_record(r, &r->records.at[i], (uint32_t)i);
		else
			ok = put_total(r, &r->records.at[i]);
	r->trace->steps_apart = r->some_apart && !r->some_marked;
	if (r->has_records)
		trace_warn(r->trace, "Only a summary was kept: no timeline.");
	return ok;
}

/* A worker that was named has to be there. */
static bool is_known(const struct reading *r)
{
	return r->trace->workers.len || !r->trace->worker
	       || err_at(r->err, ERR_VALUE, r->path, 0, "no worker is called %s",
	                 r->trace->worker);
}

static bool load(struct trace *trace, struct file *file, struct progress *progress,
                 struct err *err)
{
	struct reading r = { .trace = trace, .path = file->path, .err = err };
	bool ok;

	r.reader = summary_open(file->path, err);
	ok = r.reader && read_rows(&r, progress) && is_known(&r) && place_steps(&r)
	     && put_records(&r);
	summary_close(r.reader);
	map_release(&r.labels);
	map_release(&r.devices);
	vec_release(&r.whole_devices);
	vec_release(&r.steps);
	vec_release(&r.records);
	str_release(&r.scratch);
	arena_release(&r.mem);
	return ok;
}

const struct trace_source summary_source = {
	.name = "summary", .what = "a summary", .load = load, .of_several_runs = true,
};
