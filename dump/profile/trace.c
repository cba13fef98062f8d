/*
 * Records come in file order. What says what they belong to may come later in the file, so ops,
 * launches and steps are found when all is read (trace_link.c); then names are sealed, and records
 * with impossible times go where no table looks.
 */
#include "dump/profile/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/decimal.h"
#include "dump/format/json_pull.h"
#include "dump/model/device.h"
#include "dump/profile/demangle.h"
#include "dump/profile/trace_parts.h"
#include "dump/profile/trace_source.h"

#define DAY_NS (24 * 3600 * INT64_C(1000000000))
#define SUM_MAX_NS (100 * DAY_NS)        /* of all records: sums fit 64 bits */
#define TOTALS_MOST (INT64_MAX / 4)      /* of all totals together */
#define TEXT_IDS (INT64_MIN + UINT32_MAX)        /* ids up to here are texts */

/* Ids. */

int64_t trace_id(struct trace *trace, const char *text, size_t len)
{
	int64_t id;

	if (decimal_is_whole(text, len, &id) && id > TEXT_IDS && id != TRACE_NO_ID)
		return id;
	return INT64_MIN + trace_name(trace, text, len);
}

void trace_put_id(const struct trace *trace, int64_t id, struct str *out)
{
	if (id <= TEXT_IDS)
		str_puts(out, trace->all.names.key[id - INT64_MIN]);
	else
		str_int(out, id);
}

/* Names. */

/* In scratch, as it is stored. */
static struct text clean(struct trace *trace, const char *text, size_t len)
{
	struct str *out = &trace->making->scratch;

	str_reset(out);
	pull_decode(text, len, false, out);
	return (struct text){ str_text(out), out->len };
}

/* Names that are stored are clean, so what is found needs no cleaning. */
static uint32_t add_to(struct trace *trace, struct map *map, const char *text, size_t len)
{
	uint32_t id = map_find(map, text, len);
	struct text name;

	if (id != MAP_NONE)
		return id;
	name = clean(trace, text, len);
	return map_add(map, &trace->all.mem, name.at, name.len);
}

uint32_t trace_name(struct trace *trace, const char *text, size_t len)
{
	return add_to(trace, &trace->all.names, text, len);
}

uint32_t trace_stream(struct trace *trace, const char *text, size_t len)
{
	uint32_t id = add_to(trace, &trace->all.streams, len ? text : "?", len ? len : 1);

	if (id == trace->streams.len)
		vec_push(&trace->streams,
		         ((struct trace_stream){ len ? trace->all.streams.key[id] : "", NULL }));
	return id;
}

static const char *process_called(struct trace *trace, struct text process)
{
	struct map *processes = &trace->making->processes;
	struct text name = clean(trace, process.at, process.len);
	uint32_t id = map_add(processes, &trace->mem, name.at, name.len);

	return processes->key[id];
}

uint32_t trace_stream_of(struct trace *trace, struct text process, struct text stream)
{
	struct str key = {0};
	uint32_t id;

	if (!process.len)
		return trace_stream(trace, stream.at, stream.len);
	str_put(&key, process.at, process.len);
	str_putc(&key, ':');
	str_put(&key, stream.at, stream.len);
	id = add_to(trace, &trace->all.streams, key.text, key.len);
	str_release(&key);
	if (id == trace->streams.len) {
		struct trace_stream *new = vec_add(&trace->streams);
		struct text text;

		new->process = process_called(trace, process);
		text = clean(trace, stream.at, stream.len);
		new->text = arena_copy(&trace->mem, text.at, text.len);
	}
	return id;
}

/* Where there is one process its name says nothing. */
static void name_streams(struct trace *trace)
{
	size_t n = trace->making->processes.len;

	if (n > 1)
		trace_warn(trace, "The file holds %zu processes; streams are shown as P:S.", n);
	if (n != 1)
		return;
	map_seal(&trace->all.streams);
	for (size_t i = 0; i < trace->streams.len; i++) {
		const char *text = trace->streams.at[i].text;

		trace->all.streams.key[i] = *text ? text : "?";
		trace->streams.at[i].process = NULL;
	}
}

static bool is_number(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_digit(text[i]))
			return false;
	return len;
}

static uint32_t device_called(struct trace *trace, const char *shown, size_t len, const char *text)
{
	struct map *devices = &trace->all.devices;
	uint32_t id = map_add(devices, &trace->all.mem, shown, len);

	if (id + 1 == devices->len && (id & (id + 1)) == 0)      /* 1, 2, 4, ... of them */
		trace->devices = mem_realloc(trace->devices,
		                             (2 * (size_t)id + 2) * sizeof *trace->devices);
	trace->devices[id] = text;
	return id;
}

uint32_t trace_device(struct trace *trace, const char *text, size_t len)
{
	struct str shown = {0};
	struct text name;
	uint32_t id;

	if (len < 8 && is_number(text, len)) {
		char gpu[16] = "GPU:";

		memcpy(gpu + 4, text, len);
		id = map_find(&trace->all.devices, gpu, len + 4);
		if (id != MAP_NONE && trace->devices[id])
			return id;
	}
	name = clean(trace, text, len);
	str_fmt(&shown, "%s%s", is_number(text, len) ? "GPU:" : !len ? "GPU" : "", name.at);
	id = map_find(&trace->all.devices, shown.text, shown.len);
	if (id == MAP_NONE || !trace->devices[id])       /* the host's alone, so far */
		id = device_called(trace, shown.text, shown.len,
		                   arena_copy(&trace->all.mem, name.at, name.len));
	str_release(&shown);
	return id;
}

uint32_t trace_host_device(struct trace *trace, const char *text, size_t len)
{
	uint32_t id = map_find(&trace->all.devices, text, len);
	struct text name;

	if (id != MAP_NONE)
		return id;
	name = clean(trace, text, len);
	id = map_find(&trace->all.devices, name.at, name.len);
	return id != MAP_NONE ? id : device_called(trace, name.at, name.len, NULL);
}

static void add_warning(struct trace *trace, const char *fmt, va_list args)
{
	struct str text = {0};

	str_vfmt(&text, fmt, args);
	vec_push(&trace->warnings, arena_copy(&trace->mem, text.text, text.len));
	str_release(&text);
}

void trace_warn(struct trace *trace, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_warning(trace, fmt, args);
	va_end(args);
}

void trace_warn_damage(struct trace *trace, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add_warning(trace, fmt, args);
	va_end(args);
	vec_push(&trace->damage, *vec_last(&trace->warnings));
}

void trace_warn_cut(struct trace *trace, const struct err *why)
{
	if (why->code)
		trace_warn_damage(trace,
		                  "The file could not be read to its end (byte %" PRIu64 ": %s).",
		                  why->off, why->msg);
}

void trace_warn_no_end(struct trace *trace, uint64_t off)
{
	trace_warn(trace, "The last line does not end with a newline: its last field may be cut "
	           "(byte %" PRIu64 ").", off);
}

/* Kernels and copies: their full names. */

static const struct { const char *sign; const char *name; } copies[] = {
	{ "memset", "[copy Memset]" },
	{ "htod", "[copy H2D]" }, { "dtoh", "[copy D2H]" }, { "dtod", "[copy D2D]" },
	{ "ptop", "[copy P2P]" }, { "htoh", "[copy H2H]" },
	{ "h2d", "[copy H2D]" }, { "d2h", "[copy D2H]" }, { "d2d", "[copy D2D]" },
	{ "p2p", "[copy P2P]" }, { "h2h", "[copy H2H]" },
	{ "host-to-device", "[copy H2D]" }, { "device-to-host", "[copy D2H]" },
	{ "device-to-device", "[copy D2D]" }, { "peer-to-peer", "[copy P2P]" },
	{ "host-to-host", "[copy H2H]" },
	{ "host_to_device", "[copy H2D]" }, { "device_to_host", "[copy D2H]" },
	{ "device_to_device", "[copy D2D]" }, { "host_to_host", "[copy H2H]" },
	{ "peertopeer", "[copy P2P]" },
	{ "hosttodevice", "[copy H2D]" }, { "devicetohost", "[copy D2H]" },
	{ "devicetodevice", "[copy D2D]" }, { "hosttohost", "[copy H2H]" },
	{ "fillbuffer", "[copy Memset]" },
};

static const char *copy_name(const char *raw)
{
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
		if (strcasestr(raw, copies[i].sign))
			return copies[i].name;
	return "[copy Other]";
}

static uint32_t full_name(struct trace *trace, uint32_t raw, enum activity_kind kind)
{
	struct trace_making *m = trace->making;
	const char *name = trace->all.names.key[raw];
	uint32_t full;

	if (kind == ACTIVITY_COPY) {
		name = copy_name(name);
		return trace_name(trace, name, strlen(name));
	}
	while (m->full.len < trace->all.names.len)
		vec_push(&m->full, 0);
	if (!m->full.at[raw]) {
		str_reset(&m->scratch);
		demangle(name, strlen(name), &m->scratch);
		full = map_add(&trace->all.names, &trace->all.mem, str_text(&m->scratch),
		               m->scratch.len);
		m->full.at[raw] = full + 1;
	}
	return m->full.at[raw] - 1;
}

bool trace_add_total(struct trace *trace, const char *name, size_t len,
                     const struct trace_total *total)
{
	struct trace_making *m = trace->making;
	struct trace_total new = *total;

	if (total->calls <= 0 || total->total_ns < 0 || total->mean_ns > TOTALS_MOST
	    || total->min_ns > TOTALS_MOST || total->max_ns > TOTALS_MOST
	    || total->calls > TOTALS_MOST - m->total_calls
	    || total->total_ns > TOTALS_MOST - m->total_ns)
		return false;
	m->total_calls += total->calls;
	m->total_ns += total->total_ns;
	new.raw = trace_name(trace, name, len);
	new.kernel = full_name(trace, new.raw, total->kind);
	vec_push(&trace->totals, new);
	return true;
}

static int by_kernel(const void *a, const void *b)
{
	const struct trace_total *p = a, *q = b;

	if (p->kernel != q->kernel)
		return p->kernel < q->kernel ? -1 : 1;
	return (p->raw > q->raw) - (p->raw < q->raw);
}

/* Totals that are also recorded one by one would count twice. */
static void choose_totals(struct trace *trace)
{
	if (trace->all.at.len)
		trace->totals.len = 0;
	if (!trace->totals.len)
		return;
	trace_warn(trace, "Only totals are recorded: no timeline.");
	qsort(trace->totals.at, trace->totals.len, sizeof *trace->totals.at, by_kernel);
}

/* Records. */

uint32_t trace_add(struct trace *trace, const struct activity *activity,
                   const struct trace_record *record)
{
	uint32_t number = (uint32_t)trace->records.len;
	struct activity a = *activity;

	a.record = number;
	trace->making->n_undecided += a.kind == TRACE_UNDECIDED;
	a.kernel = a.kind == ACTIVITY_KERNEL || a.kind == ACTIVITY_COPY
	           ? full_name(trace, a.raw, (enum activity_kind)a.kind) : MAP_NONE;
	vec_push(&trace->all.at, a);
	vec_push(&trace->records, *record);
	return number;
}

void trace_add_wait(struct trace *trace, const struct activity *activity,
                    const struct trace_record *record)
{
	struct activity a = *activity;

	a.record = (uint32_t)trace->records.len;
	a.kind = ACTIVITY_BARRIER;
	a.kernel = a.raw;
	a.node = trace->all.unattributed;
	if (a.len_ns <= SUM_MAX_NS - trace->all.sync_ns)
		trace->all.sync_ns += a.len_ns;
	vec_push(&trace->all.waits, a);
	vec_push(&trace->records, *record);
}

void trace_decide(struct trace *trace, void (*decide)(void *context, struct activity *activity),
                  void *context)
{
	size_t first = trace->making->n_decided;         /* those of earlier files are */

	for (size_t i = first; trace->making->n_undecided && i < trace->all.at.len; i++) {
		struct activity *a = &trace->all.at.at[i];

		if (a->kind != TRACE_UNDECIDED)
			continue;
		decide(context, a);
		if (a->kind == ACTIVITY_KERNEL || a->kind == ACTIVITY_COPY)
			a->kernel = full_name(trace, a->raw, (enum activity_kind)a->kind);
	}
}

void trace_add_op(struct trace *trace, uint32_t record)
{
	vec_push(&trace->making->ops, record);
}

void trace_add_launch(struct trace *trace, int64_t correlation, const struct launch *launch)
{
	struct file_ids *ids = file_of_thread(trace->making, launch->thread);
	uint32_t *place = id_map_place(&ids->by_correlation, correlation);

	if (*place != MAP_NONE)
		return;
	*place = (uint32_t)trace->making->launches.len;
	vec_push(&trace->making->launches, *launch);
	vec_last(&trace->making->launches)->op = MAP_NONE;
	vec_last(&trace->making->launches)->first = MAP_NONE;
}

void trace_add_host_time(struct trace *trace, enum time_part part, int64_t start_ns,
                         int64_t len_ns)
{
	int64_t end_ns;

	if (trace_end(start_ns, len_ns, &end_ns))
		busy_add(&trace->host_time[part], start_ns, len_ns);
}

void trace_add_step(struct trace *trace, int64_t number, int64_t start_ns, int64_t len_ns)
{
	struct trace_making *m = trace->making;
	uint32_t *place;
	int64_t end_ns;

	if (!trace_end(start_ns, len_ns, &end_ns) || trace->steps.len >= TRACE_OUTSIDE)
		return;
	place = id_map_place(&m->step_of, number);
	if (*place == MAP_NONE) {
		struct str label = {0};

		*place = (uint32_t)trace->steps.len;
		str_int(&label, number);
		vec_push(&trace->steps,
		         ((struct trace_step){
				.number = number, .start_ns = start_ns, .end_ns = end_ns,
				.label = arena_copy(&trace->mem, label.text, label.len) }));
		str_release(&label);
	}
	vec_push(&m->intervals, ((struct interval){ start_ns, end_ns, *place }));
	if (start_ns < trace->steps.at[*place].start_ns)
		trace->steps.at[*place].start_ns = start_ns;
	if (end_ns > trace->steps.at[*place].end_ns)
		trace->steps.at[*place].end_ns = end_ns;
}

void trace_add_memory(struct trace *trace, const char *device,
                      const struct trace_memory_event *event)
{
	struct trace_memory *memory = NULL;

	for (size_t i = 0; !memory && i < trace->memory.len; i++)
		if (!strcmp(trace->memory.at[i].device, device))
			memory = &trace->memory.at[i];
	if (!memory) {
		if (trace->memory.len >= 1024)   /* no machine has so many devices */
			return;
		memory = vec_add(&trace->memory);
		memory->device = arena_copy(&trace->mem, device, strlen(device));
	}
	memory->n_allocated += event->bytes > 0;
	if (event->allocated > memory->peak_bytes) {
		memory->peak_bytes = event->allocated;
		memory->peak_at_ns = event->at_ns;
	}
	vec_push(&trace->memory_events, *event);
	vec_last(&trace->memory_events)->device = (uint32_t)(memory - trace->memory.at);
}

/* Finishing. */

static void drop_undecided(struct trace *trace)
{
	size_t kept = 0;

	for (size_t i = 0; trace->making->n_undecided && i < trace->all.at.len; i++)
		if (trace->all.at.at[i].kind != TRACE_UNDECIDED)
			trace->all.at.at[kept++] = trace->all.at.at[i];
	if (trace->making->n_undecided)
		trace->all.at.len = kept;
}

static int by_value(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;

	return (p > q) - (p < q);
}

/* The lower median of the starts; where none can be far from it, any of them. */
static int64_t median_start(const struct trace *trace)
{
	const struct activity *at = trace->all.at.at;
	size_t n = trace->all.at.len;
	int64_t least = INT64_MAX, most = INT64_MIN, median, *starts;

	for (size_t i = 0; i < n; i++) {
		least = at[i].start_ns < least ? at[i].start_ns : least;
		most = at[i].start_ns > most ? at[i].start_ns : most;
	}
	if (!n || (uint64_t)most - (uint64_t)least <= DAY_NS)
		return least;
	starts = mem_alloc(n * sizeof *starts);
	for (size_t i = 0; i < n; i++)
		starts[i] = at[i].start_ns;
	qsort(starts, n, sizeof *starts, by_value);
	median = starts[(n - 1) / 2];
	free(starts);
	return median;
}

static bool is_far(const struct activity *a, int64_t median_ns)
{
	int64_t away;

	return __builtin_sub_overflow(a->start_ns, median_ns, &away)
	       || away > DAY_NS || away < -DAY_NS;
}

static bool is_impossible(const struct trace *trace, const struct activity *a, int64_t median_ns,
                          int64_t sum_ns)
{
	int64_t end;

	if (trace->more.sums.len)                /* of many calls, and of many machines */
		return false;
	return a->len_ns > DAY_NS || a->len_ns > SUM_MAX_NS - sum_ns
	       || !trace_end(a->start_ns, a->len_ns, &end)
	       || (is_far(a, median_ns) && !trace->source->of_several_runs);
}

static int64_t floor_us(int64_t ns)
{
	return ns / 1000 - (ns % 1000 < 0);
}

/* What is impossible goes where no table looks. */
static void part_impossible(struct trace *trace)
{
	struct activities *all = &trace->all;
	int64_t median_ns = median_start(trace), sum_ns = 0, begin_ns = INT64_MAX;
	size_t kept = 0;

	for (size_t i = 0; i < all->at.len; i++) {
		struct activity a = all->at.at[i];

		if (is_impossible(trace, &a, median_ns, sum_ns)) {
			const char *device = all->devices.key[a.device];

			a.device = trace_name(trace, device, strlen(device)) & 0x3fffffff;
			vec_push(&all->impossible, a);
			continue;
		}
		sum_ns += a.len_ns;
		begin_ns = a.start_ns < begin_ns ? a.start_ns : begin_ns;
		all->n_of[a.kind]++;
		all->at.at[kept++] = a;
	}
	all->at.len = kept;
	trace->begin_ns = kept ? begin_ns : 0;
	all->begin_us = floor_us(trace->begin_ns);
}

static void making_free(struct trace *trace)
{
	struct trace_making *m = trace->making;

	vec_release(&m->launches);
	vec_release(&m->ops);
	vec_release(&m->intervals);
	vec_release(&m->full);
	vec_release(&m->frames);
	for (size_t i = 0; i < m->files.len; i++) {
		id_map_release(&m->files.at[i].by_correlation);
		id_map_release(&m->files.at[i].by_external);
	}
	vec_release(&m->files);
	vec_release(&m->file_steps);
	id_map_release(&m->step_of);
	map_release(&m->processes);
	str_release(&m->scratch);
	free(m);
	trace->making = NULL;
}

/* From its first record to its last, it may be a step. */
static void note_file(struct trace *trace, const struct trace_file *from, size_t first)
{
	struct file_step step = { from->step, INT64_MAX, INT64_MIN, from->name };

	for (size_t i = first; i < trace->all.at.len; i++) {
		const struct activity *a = &trace->all.at.at[i];
		int64_t end_ns;

		if (a->len_ns > DAY_NS || !trace_end(a->start_ns, a->len_ns, &end_ns))
			continue;
		step.start_ns = a->start_ns < step.start_ns ? a->start_ns : step.start_ns;
		step.end_ns = end_ns > step.end_ns ? end_ns : step.end_ns;
	}
	if (step.start_ns < step.end_ns)
		vec_push(&trace->making->file_steps, step);
}

static void add_file_steps(struct trace *trace)
{
	const struct trace_making *m = trace->making;
	int64_t len_ns;

	if (trace->steps.len)
		return;
	for (size_t i = 0; i < m->file_steps.len; i++) {
		const struct file_step *step = &m->file_steps.at[i];
		size_t before = trace->steps.len;

		if (!__builtin_sub_overflow(step->end_ns, step->start_ns, &len_ns))
			trace_add_step(trace, step->number, step->start_ns, len_ns);
		if (trace->steps.len > before)
			vec_last(&trace->steps)->file = arena_copy(&trace->mem, step->file,
			                                           strlen(step->file));
	}
}

/* A file that can't be read is an err only if it is the only one. */
static bool load_file(struct trace *trace, const struct trace_file *from, bool alone,
                      struct progress *progress, struct err *err)
{
	size_t first = trace->all.at.len;
	struct err why = {0};
	struct file file;
	bool ok;

	trace->host = alone ? NULL : from->host;
	trace->worker = from->worker;
	vec_add(&trace->making->files)->first_thread = trace->n_threads;
	trace->making->n_decided = first;
	ok = file_open(&file, from->path, &why);
	if (ok) {
		ok = trace->source->load(trace, &file, progress, &why);
		file_close(&file);
	}
	if (ok && from->step >= 0)
		note_file(trace, from, first);
	if (ok)
		return true;
	if (!alone && why.code != ERR_CANCELLED) {
		trace_warn_damage(trace, "%s could not be read: %s.",
		                  from->host ? from->host : from->name, why.msg);
		return true;
	}
	if (err)
		*err = why;
	return false;
}

static bool load(struct trace *trace, const struct trace_file *files, size_t n,
                 struct progress *progress, struct err *err)
{
	struct activities *all = &trace->all;

	if (progress)
		atomic_store(&progress->what, "bytes of the trace");
	map_add(&all->names, &all->mem, "", 0);
	all->unattributed = trace_name(trace, "(unattributed)", strlen("(unattributed)"));
	for (size_t i = 0; i < n; i++)
		if (!load_file(trace, &files[i], n == 1, progress, err))
			return false;
	if (n > 1 && !trace->n_events && trace->warnings.len)
		return err_at(err, ERR_FORMAT, files[0].path, 0, "%s", trace->warnings.at[0]);
	trace->host = trace->worker = NULL;
	add_file_steps(trace);
	drop_undecided(trace);
	if (trace->n_left_out && !trace->source->counts_events)
		trace_warn_damage(trace, "%" PRIu64 " rows could not be read.",
		                  trace->n_left_out);
	choose_totals(trace);
	name_streams(trace);
	if (!trace_link(trace, progress, err))
		return false;
	part_impossible(trace);
	map_seal(&all->names);
	return true;
}

struct trace *trace_load_hosts(const struct trace_file *files, size_t n,
                               const struct trace_source *source, const struct trace **so_far,
                               struct progress *progress, struct err *err)
{
	struct trace *trace = mem_alloc(sizeof *trace);
	bool ok;

	trace->source = source;
	trace->all.trace = trace;
	trace->making = mem_alloc(sizeof *trace->making);
	if (so_far)
		*so_far = trace;
	ok = load(trace, files, n, progress, err);
	if (so_far)
		*so_far = NULL;
	making_free(trace);
	if (ok)
		return trace;
	trace_free(trace);
	return NULL;
}

struct trace *trace_load(const char *path, const struct trace_source *source,
                         const struct trace **so_far, struct progress *progress, struct err *err)
{
	struct trace_file file = { path, path, NULL, -1, NULL };

	return trace_load_hosts(&file, 1, source, so_far, progress, err);
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	activities_release(&trace->all);
	free(trace->devices);
	vec_release(&trace->streams);
	vec_release(&trace->records);
	vec_release(&trace->totals);
	vec_release(&trace->steps);
	vec_release(&trace->memory);
	vec_release(&trace->memory_events);
	vec_release(&trace->more.shape);
	vec_release(&trace->more.sums);
	vec_release(&trace->more.frame);
	vec_release(&trace->frames);
	vec_release(&trace->more.flops);
	vec_release(&trace->more.bytes);
	vec_release(&trace->more.memory);
	vec_release(&trace->more.device_ns);
	vec_release(&trace->more.queue);
	vec_release(&trace->peaks);
	vec_release(&trace->warnings);
	vec_release(&trace->damage);
	vec_release(&trace->workers);
	for (int part = 0; part < N_TIME_PARTS; part++)
		busy_release(&trace->host_time[part]);
	arena_release(&trace->mem);
	free(trace);
}

void trace_activities(const struct trace *trace, uint32_t step, struct activities *out)
{
	int64_t begin_ns = INT64_MAX;

	*out = trace->all;
	out->lent = true;
	out->all_lent = step == TRACE_WHOLE;
	if (out->all_lent)
		return;
	memset(&out->at, 0, sizeof out->at);
	memset(&out->impossible, 0, sizeof out->impossible);
	memset(&out->waits, 0, sizeof out->waits);
	memset(out->n_of, 0, sizeof out->n_of);
	out->sync_ns = trace->steps_apart ? trace->steps.at[step].sync_ns : trace->all.sync_ns;
	for (size_t i = 0; i < trace->all.at.len; i++) {
		const struct activity *a = &trace->all.at.at[i];

		if (trace->records.at[a->record].step != step)
			continue;
		vec_push(&out->at, *a);
		out->n_of[a->kind]++;
		out->has_gpu_executor |= trace->steps_apart && a->kind == ACTIVITY_HOST
		                         && device_is_gpu(trace->all.devices.key[a->device]);
		begin_ns = a->start_ns < begin_ns ? a->start_ns : begin_ns;
	}
	for (size_t i = 0; i < trace->all.impossible.len; i++)
		if (trace->records.at[trace->all.impossible.at[i].record].step == step)
			vec_push(&out->impossible, trace->all.impossible.at[i]);
	out->begin_us = out->at.len ? floor_us(begin_ns) : 0;
}
