/*
 * Three passes over the planes: what is said of the session; the devices, whose records go into a
 * hash by their correlation; the host, whose calls with the same ids launched them. A plane's names
 * are read before its lines, and forgotten after. Lengths are not believed: of a file that is cut
 * what is whole before its end is read; damage inside an event ends that event only.
 */
#include "dump/profile/xspace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/format/unpack.h"
#include "dump/profile/xspace_parts.h"

#define STEP_EVENTS 4096         /* between two looks at progress */
#define SESSION_NS (600 * INT64_C(1000000000))   /* machines of one begin within it */

#define GPU_PLANE "/device:GPU:"
#define TPU_PLANE "/device:TPU:"

enum { SPACE_PLANE = 1 };
enum { PLANE_NAME = 2, PLANE_LINE = 3, PLANE_STATS = 6 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START = 3, LINE_EVENT = 4 };
enum { EVENT_NAME = 1, EVENT_OFFSET = 2, EVENT_LENGTH = 3, EVENT_STATS = 4, EVENT_TIMES = 5 };

struct line {
	int64_t id, start_ns;
	bool computes;           /* its name says that kernels run here */
	bool has_stream;
	uint32_t stream;         /* all.streams */
	uint32_t thread;
	bool has_steps;          /* of the host: the program's own thread, */
	struct busy work[N_TIME_PARTS];  /* and what it was busy with, if it is that */
};

struct event {
	struct event_name *name;
	int64_t start_ps, len_ps;
	struct said said;
	bool counted;            /* many in one: without a time */
};

void xspace_note_damage(struct loading *l)
{
	if (!l->damage.code)
		l->damage = l->found;
	l->found.code = ERR_NONE;
}

/* Launches. */

static uint64_t mix(int64_t correlation)
{
	uint64_t hash = (uint64_t)correlation * UINT64_C(0x9e3779b97f4a7c15);

	return hash ^ hash >> 32;
}

/* The slot of a correlation, or the free one where it would be. */
static uint32_t *find_slot(const struct loading *l, int64_t correlation)
{
	size_t mask = l->n_slots - 1, i = (size_t)mix(correlation) & mask;

	while (l->slot[i]) {
		const struct activity *a = &l->trace->all.at.at[l->slot[i] - 1];

		if (l->trace->records.at[a->record].correlation == correlation)
			break;
		i = (i + 1) & mask;
	}
	return &l->slot[i];
}

/* Of several records with one correlation the first is what the call began. */
static void note_launched(struct loading *l, size_t first)
{
	const struct activities *all = &l->trace->all;
	size_t n = all->at.len - first, n_slots = 16;

	while (n_slots < n + n / 2)
		n_slots *= 2;
	l->slot = mem_try(n_slots * sizeof *l->slot);
	if (!l->slot) {
		err_fill(&l->found, ERR_LIMIT, l->file->path, 0,
		         "no memory for the launches of %zu records", n);
		xspace_note_damage(l);
		return;
	}
	memset(l->slot, 0, n_slots * sizeof *l->slot);
	l->n_slots = n_slots;
	for (size_t i = first; i < all->at.len; i++) {
		int64_t correlation = l->trace->records.at[all->at.at[i].record].correlation;
		uint32_t *slot;

		if (correlation == TRACE_NO_ID)
			continue;
		slot = find_slot(l, correlation);
		if (!*slot || all->at.at[i].start_ns < all->at.at[*slot - 1].start_ns)
			*slot = (uint32_t)i + 1;
	}
}

/* The first call counts. */
static void take_launch(struct loading *l, int64_t correlation, int64_t start_ns, int64_t len_ns)
{
	uint32_t slot = l->slot ? *find_slot(l, correlation) : 0;
	struct activity *a = slot ? &l->trace->all.at.at[slot - 1] : NULL;
	int64_t delay_ns;

	if (!a || a->launch_delay_ns != -1
	    || __builtin_sub_overflow(a->start_ns, start_ns, &delay_ns))
		return;
	a->launch_delay_ns = delay_ns;
	trace_add_host_time(l->trace, PART_LAUNCH, start_ns, len_ns);
}

/* Times. */

/* Half up. */
static int64_t ns_of(int64_t ps)
{
	int64_t ns = ps / 1000, rest = ps % 1000;

	if (rest < 0) {
		rest += 1000;
		ns--;
	}
	return ns + (rest >= 500);
}

/* False: it is beyond 64 bits, or the event would end before it starts. */
static bool when(const struct loading *l, const struct line *line, const struct event *event,
                 int64_t *start_ns, int64_t *len_ns)
{
	int64_t end_ns;

	*len_ns = ns_of(event->len_ps);
	return event->len_ps >= 0
	       && !__builtin_add_overflow(line->start_ns, ns_of(event->start_ps), start_ns)
	       && !__builtin_add_overflow(*start_ns, l->shift_ns, start_ns)
	       && trace_end(*start_ns, *len_ns, &end_ns);
}

/* Events. */

static uint32_t stream_of(struct loading *l, struct line *line)
{
	if (!line->has_stream) {
		str_reset(&l->scratch);
		str_int(&l->scratch, line->id);
		line->stream = trace_stream(l->trace, l->scratch.text, l->scratch.len);
		line->has_stream = true;
	}
	return line->stream;
}

static struct activity activity_of(struct loading *l, const struct event *event,
                                   enum activity_kind kind, int64_t start_ns, int64_t len_ns)
{
	struct activity a = { .start_ns = start_ns, .len_ns = len_ns, .stream = MAP_NONE,
	                      .node = event->said.node, .launch = MAP_NONE };

	a.device = l->plane.device & 0x3fffffff;
	a.kind = kind;
	a.raw = xspace_raw_name(l, event->name);
	if (a.node != MAP_NONE)
		a.op = event->said.op;
	return a;
}

/* What the details say; how many warps fit may be said elsewhere. */
static uint32_t launch_of(struct loading *l, const struct said *said)
{
	const char *launch = said->launch == MAP_NONE ? "" : l->trace->all.names.key[said->launch];

	if (said->occupancy < 0 || strstr(launch, "occ_pct:"))
		return said->launch;
	str_reset(&l->scratch);
	str_fmt(&l->scratch, "%s%socc_pct:%.12g", launch, *launch ? " " : "", said->occupancy);
	return trace_name(l->trace, l->scratch.text, l->scratch.len);
}

static void take_device_event(struct loading *l, struct line *line, const struct event *event)
{
	const struct said *said = &event->said;
	bool is_copy = !said->is_kernel && (said->is_copy || event->name->kind == EVENT_COPY);
	struct trace_record record = { .correlation = said->correlation, .external = TRACE_NO_ID,
	                               .step = TRACE_OUTSIDE };
	int64_t start_ns, len_ns;
	struct activity a;
	uint32_t number;

	if (!is_copy && !said->is_kernel && (!line->computes || said->is_memory))
		return;
	if (!when(l, line, event, &start_ns, &len_ns)) {
		l->trace->n_left_out++;
		return;
	}
	a = activity_of(l, event, is_copy ? ACTIVITY_COPY : ACTIVITY_KERNEL, start_ns, len_ns);
	a.stream = stream_of(l, line);
	a.launch_delay_ns = -1;
	a.launch = is_copy ? MAP_NONE : launch_of(l, said);
	if (is_copy && said->bytes >= 0) {
		a.bytes = said->bytes;
		record.has_bytes = 1;
	}
	number = trace_add(l->trace, &a, &record);
	if (said->flops >= 0 || said->accessed >= 0)
		trace_set_work(l->trace, number, said->flops, said->accessed);
}

static bool is_op(const struct loading *l, const struct event *event)
{
	return l->plane.kind == PLANE_HOST
	       && (event->said.hlo != MAP_NONE || event->name->kind == EVENT_OP
	           || event->name->kind == EVENT_ITERATOR);
}

static void take_memory(struct loading *l, const struct line *line, const struct event *event,
                        int64_t at_ns)
{
	struct trace_memory_event memory = event->said.memory;
	uint32_t allocator = event->said.allocator;

	if (event->name->kind == EVENT_DEALLOCATION)
		memory.bytes = memory.bytes > 0 ? -memory.bytes : memory.bytes;
	memory.at_ns = at_ns;
	memory.thread = line->thread;
	memory.op = event->said.node;
	trace_add_memory(l->trace, allocator == MAP_NONE ? "?" : l->trace->all.names.key[allocator],
	                 &memory);
}

static void take_host_event(struct loading *l, struct line *line, const struct event *event)
{
	const struct said *said = &event->said;
	struct trace_record record = { .correlation = TRACE_NO_ID, .external = TRACE_NO_ID,
	                               .thread = line->thread, .step = TRACE_OUTSIDE,
	                               .op = TRACE_OP_NODE };
	int64_t start_ns, len_ns;
	struct activity a;

	if (!when(l, line, event, &start_ns, &len_ns)) {
		l->trace->n_left_out += is_op(l, event);
		return;
	}
	if (said->correlation != TRACE_NO_ID)
		take_launch(l, said->correlation, start_ns, len_ns);
	if (said->has_step && l->plane.kind == PLANE_HOST) {
		trace_add_step(l->trace, said->step, start_ns, len_ns);
		line->has_steps = true;
	} else if (l->plane.kind == PLANE_HOST) {
		busy_add(&line->work[event->name->part], start_ns, len_ns);
	}
	if (event->name->kind == EVENT_ALLOCATION || event->name->kind == EVENT_DEALLOCATION)
		take_memory(l, line, event, start_ns);
	if (!is_op(l, event))
		return;
	a = activity_of(l, event, ACTIVITY_HOST, start_ns, len_ns);
	a.node = said->hlo != MAP_NONE ? said->hlo : event->name->node;
	a.op = said->hlo != MAP_NONE ? TRACE_NO_NAME : event->name->op;
	trace_add(l->trace, &a, &record);
}

/* False: damaged (l->found). */
static bool read_event(struct loading *l, struct span span, struct event *event)
{
	struct field field;
	struct wire wire;

	*event = (struct event){ .said = said_nothing };
	wire_start(&wire, l->file, span);
	while (wire_next(&wire, &field, &l->found)) {
		if (field.type == WIRE_BYTES) {
			if (field.number == EVENT_STATS
			    && !xspace_hear(l, field.bytes, &event->said))
				return false;
		} else if (field.type == WIRE_VARINT) {
			int64_t value = (int64_t)field.number_value;

			switch (field.number) {
			case EVENT_NAME: event->name = xspace_event_name(l, value); break;
			case EVENT_OFFSET: event->start_ps = value; break;
			case EVENT_LENGTH: event->len_ps = value; break;
			case EVENT_TIMES: event->counted = true; break;
			}
		}
	}
	return !l->found.code;
}

static void take_event(struct loading *l, struct line *line, struct span span)
{
	struct event event;

	if (!read_event(l, span, &event)) {
		l->trace->n_left_out++;
		xspace_note_damage(l);
		return;
	}
	if (event.counted || !event.name)
		return;
	if (event.name->said)
		xspace_merge(&event.said, &l->plane.said.at[event.name->said - 1]);
	if (l->plane.kind == PLANE_GPU || l->plane.kind == PLANE_TPU)
		take_device_event(l, line, &event);
	else
		take_host_event(l, line, &event);
}

/* Lines. */

static bool is_one_of(struct loading *l, struct span span, const char *const *texts, size_t n)
{
	const char *text = span.len < 64
		? file_bytes(l->file, span.off, (size_t)span.len, &l->found) : NULL;

	l->found.code = ERR_NONE;        /* met again */
	for (size_t i = 0; text && i < n; i++)
		if (span.len == strlen(texts[i]) && !memcmp(text, texts[i], (size_t)span.len))
			return true;
	return false;
}

/* Lines of a device that say again, by other names, what its streams did. */
static bool is_derived(struct loading *l, struct span name)
{
	static const char *const names[] = {
		"Steps", "Framework Name Scope", "Framework Ops", "TensorFlow Name Scope",
		"TensorFlow Ops", "XLA Modules", "XLA Ops", "Async XLA Ops", "Launch Stats",
		"Source code",
	};

	return is_one_of(l, name, names, sizeof names / sizeof *names);
}

/* Of a TPU the ops of XLA are all there is. */
static bool is_counted(struct loading *l, struct span name)
{
	static const char *const ops[] = { "XLA Ops" };

	switch (l->plane.kind) {
	case PLANE_GPU: return !is_derived(l, name);
	case PLANE_TPU: return is_one_of(l, name, ops, 1);
	case PLANE_OTHER: return false;
	default: return true;
	}
}

static bool computes(struct loading *l, struct span name)
{
	const char *text;

	if (l->plane.kind == PLANE_TPU)
		return true;
	text = name.len < 4096 ? file_bytes(l->file, name.off, (size_t)name.len, &l->found) : NULL;
	l->found.code = ERR_NONE;
	return text && memmem(text, (size_t)name.len, "Compute", strlen("Compute"));
}

/* All before the first event, as its writers have it. */
static void read_head(struct loading *l, struct span span, struct line *line, struct span *name)
{
	struct field field;
	struct wire wire;

	*line = (struct line){ .thread = l->trace->n_threads++ };
	*name = (struct span){0};
	wire_start(&wire, l->file, span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found)
	       && field.number != LINE_EVENT) {
		if (field.number == LINE_ID && field.type == WIRE_VARINT)
			line->id = (int64_t)field.number_value;
		if (field.number == LINE_NAME && field.type == WIRE_BYTES)
			*name = field.bytes;
		if (field.number == LINE_START && field.type == WIRE_VARINT)
			line->start_ns = (int64_t)field.number_value;
	}
	l->found.code = ERR_NONE;        /* met again */
}

/* False if the file ends within it. */
static bool is_whole(struct loading *l, const struct field *field, const char *what)
{
	uint64_t left = l->file->size > field->bytes.off ? l->file->size - field->bytes.off : 0;

	if (field->bytes.len <= left)
		return true;
	err_fill(&l->found, ERR_FORMAT, l->file->path, field->key_off,
	         "%s of %" PRIu64 " byte%s, the file ends after %" PRIu64, what, field->bytes.len,
	         plural(field->bytes.len), left);
	return false;
}

/* What other threads do goes on beside the program. */
static void take_work(struct loading *l, struct line *line)
{
	for (int part = 0; part < N_TIME_PARTS; part++) {
		const struct busy *work = &line->work[part];

		for (size_t i = 0; line->has_steps && i < work->at.len; i++)
			trace_add_host_time(l->trace, (enum time_part)part,
			                    work->at.at[i].start_ns,
			                    work->at.at[i].end_ns - work->at.at[i].start_ns);
		busy_release(&line->work[part]);
	}
}

static void take_events(struct loading *l, struct span span, struct line *line, bool counts)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found)) {
		if (field.number != LINE_EVENT || field.type != WIRE_BYTES)
			continue;
		if (!is_whole(l, &field, "an event"))
			break;
		if (l->trace->n_events++ % STEP_EVENTS == 0
		    && !progress_step(l->progress, field.key_off, l->file->size)) {
			l->stopped = true;
			return;
		}
		if (counts)
			take_event(l, line, field.bytes);
	}
	if (l->found.code)
		xspace_note_damage(l);
}

static void take_line(struct loading *l, struct span span)
{
	struct line line;
	struct span name;
	bool counts;

	read_head(l, span, &line, &name);
	counts = is_counted(l, name);
	line.computes = counts && computes(l, name);
	take_events(l, span, &line, counts);
	take_work(l, &line);
}

/* Planes. */

static bool begins(struct text text, const char *with)
{
	return text.len >= strlen(with) && !memcmp(text.at, with, strlen(with));
}

/* The name of a plane; "" if it can't be read, which is met again. */
static struct text name_of_plane(struct loading *l)
{
	struct text name = { "", 0 };
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, l->plane.span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == PLANE_NAME && field.type == WIRE_BYTES) {
			name.len = field.bytes.len < 4096 ? (size_t)field.bytes.len : 0;
			name.at = file_bytes(l->file, field.bytes.off, name.len, &l->found);
			break;
		}
	l->found.code = ERR_NONE;
	return name.at ? name : (struct text){ "", 0 };
}

/* "0"; of several hosts "HOST/GPU:0". */
static uint32_t device_of(struct loading *l, const char *type, struct text number)
{
	const char *host = l->trace->host;

	str_reset(&l->scratch);
	if (host)
		str_fmt(&l->scratch, "%s/%s", host, type);
	else if (strcmp(type, "GPU:") != 0)
		str_puts(&l->scratch, type);
	str_put(&l->scratch, number.at, number.len);
	return *type == 'C' ? trace_host_device(l->trace, l->scratch.text, l->scratch.len)
	                    : trace_device(l->trace, str_text(&l->scratch), l->scratch.len);
}

static enum plane_kind kind_of_plane(struct text name)
{
	static const char host[] = "/host:CPU";

	if (begins(name, GPU_PLANE))
		return PLANE_GPU;
	if (begins(name, TPU_PLANE))
		return PLANE_TPU;
	if (begins(name, "/host:"))
		return name.len == strlen(host) && begins(name, host) ? PLANE_HOST
		                                                      : PLANE_HOST_CALLS;
	return PLANE_OTHER;
}

/* Of the plane about the session: when it began. */
static void take_session(struct loading *l, struct text name)
{
	struct said said = said_nothing;
	struct field field;
	struct wire wire;

	(void)name;
	xspace_read_names(l);
	wire_start(&wire, l->file, l->plane.span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == PLANE_STATS && field.type == WIRE_BYTES
		    && !xspace_hear(l, field.bytes, &said))
			break;
	if (l->found.code)
		xspace_note_damage(l);
	xspace_forget_names(l);
	if (!said.start_ns)
		return;
	if (l->trace->has_base
	    && __builtin_sub_overflow(said.start_ns, l->trace->base_ns, &l->shift_ns))
		l->shift_ns = INT64_MAX;
	if (!l->trace->has_base)
		l->trace->base_ns = said.start_ns;
	l->trace->has_base = true;
}

/* What the device is capable of. */
static void take_peaks(struct loading *l)
{
	struct said said = said_nothing;
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, l->plane.span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == PLANE_STATS && field.type == WIRE_BYTES
		    && !xspace_hear(l, field.bytes, &said))
			break;
	l->found.code = ERR_NONE;        /* met again */
	if (said.peak.flops > 0 || said.peak.bytes > 0)
		trace_set_peak(l->trace, l->plane.device, said.peak.flops, said.peak.bytes);
}

static void take_lines(struct loading *l)
{
	struct field field;
	struct wire wire;

	xspace_read_names(l);
	if (l->plane.kind == PLANE_GPU || l->plane.kind == PLANE_TPU)
		take_peaks(l);
	wire_start(&wire, l->file, l->plane.span);
	while (!l->stopped && wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == PLANE_LINE && field.type == WIRE_BYTES)
			take_line(l, field.bytes);
	if (l->found.code)
		xspace_note_damage(l);
	xspace_forget_names(l);
}

static void take_device(struct loading *l, struct text name)
{
	size_t prefix = strlen(GPU_PLANE);       /* TPU_PLANE is as long */

	l->plane.device = device_of(l, l->plane.kind == PLANE_GPU ? "GPU:" : "TPU:",
	                            (struct text){ name.at + prefix, name.len - prefix });
	take_lines(l);
}

static void take_host(struct loading *l, struct text name)
{
	(void)name;
	if (l->plane.kind != PLANE_OTHER)
		l->plane.device = device_of(l, "CPU", (struct text){ "", 0 });
	take_lines(l);
}

/* The planes of some kinds, in file order. */
static void take_planes(struct loading *l, unsigned kinds,
                        void (*take)(struct loading *l, struct text name))
{
	struct field field;
	struct wire wire;

	l->n_planes = 0;
	wire_start(&wire, l->file, (struct span){ 0, UINT64_MAX });
	while (!l->stopped && wire.off < l->file->size && wire_next(&wire, &field, &l->found)) {
		struct text name;

		if (field.number != SPACE_PLANE || field.type != WIRE_BYTES)
			continue;
		l->n_planes++;
		l->plane.span = field.bytes;
		name = name_of_plane(l);
		l->plane.kind = kind_of_plane(name);
		if (kinds & 1u << l->plane.kind)
			take(l, name);
		if (!is_whole(l, &field, "a plane"))
			break;
	}
	if (l->found.code) {
		l->cut = true;
		xspace_note_damage(l);
	}
}

static void take_records(struct loading *l)
{
	size_t first = l->trace->all.at.len;

	take_planes(l, 1u << PLANE_GPU | 1u << PLANE_TPU, take_device);
	if (!l->stopped)
		note_launched(l, first);
	take_planes(l, 1u << PLANE_HOST | 1u << PLANE_HOST_CALLS | 1u << PLANE_OTHER, take_host);
	free(l->slot);
}

static void warn(struct loading *l)
{
	if (!l->damage.code)
		return;
	if (l->cut)
		trace_warn_damage(l->trace, "This file stops in the middle: %" PRIu64
		                  " events read (byte %" PRIu64 ": %s).", l->trace->n_events,
		                  l->damage.off, l->damage.msg);
	else
		trace_warn_damage(l->trace,
		                  "Parts of this file could not be read (the first at byte %"
		                  PRIu64 ": %s).", l->damage.off, l->damage.msg);
}

/* False: a cancel, there is nothing in it, or it is of another session than the files before it. */
static bool read_space(struct loading *l, const char *shown, struct err *err)
{
	bool together;

	if (!file_open(&l->names, l->file->path, err))
		return false;
	take_planes(l, 1u << PLANE_OTHER, take_session);
	together = llabs(l->shift_ns) <= SESSION_NS;
	if (together)
		take_records(l);
	str_release(&l->scratch);
	file_close(&l->names);
	if (!together)
		return err_at(err, ERR_UNSUPPORTED, shown, 0,
		              "it is of another session, which began %lld minutes %s",
		              llabs(l->shift_ns) / 60000000000,
		              l->shift_ns < 0 ? "earlier" : "later");
	if (l->stopped)
		return err_at(err, ERR_CANCELLED, shown, 0, "stopped");
	if (!l->n_planes && l->damage.code)
		return err_at(err, l->damage.code, shown, l->damage.off, "%s", l->damage.msg);
	if (!l->n_planes)
		return err_at(err, ERR_FORMAT, shown, 0, "an XSpace without planes");
	warn(l);
	return true;
}

/* Compressed files. */

/* What lies where has to be found again and again, so it is unpacked into a file first. */
static bool read_packed(struct loading *l, struct err *err)
{
	struct file unpacked = { .fd = -1 }, *packed = l->file;
	struct err why = {0};
	char path[32];
	int fd = unpack(packed, l->progress, &why, err);
	bool ok;

	if (fd < 0)
		return false;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ok = file_open(&unpacked, path, err);
	if (ok) {
		l->file = &unpacked;
		ok = read_space(l, packed->path, err);
		file_close(&unpacked);
	}
	if (ok && why.code)
		trace_warn_damage(l->trace,
		                  "What is compressed could not be read to its end (byte %"
		                  PRIu64 ": %s).", why.off, why.msg);
	close(fd);
	return ok;
}

static bool load_xspace(struct trace *trace, struct file *file, struct progress *progress,
                        struct err *err)
{
	struct loading l = { .trace = trace, .file = file, .progress = progress };

	return file_is_packed(file) ? read_packed(&l, err) : read_space(&l, file->path, err);
}

const struct trace_source xspace_source = {
	.name = "xspace", .what = "an XSpace", .load = load_xspace, .counts_events = true,
};
