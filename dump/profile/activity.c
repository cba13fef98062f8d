/*
 * The first pass looks at times only: which records count, and which devices there are. The second
 * takes the executor lanes, which name nodes and op types. The others take GPU lanes. A record has
 * a fingerprint of all it shares with its copies in other lanes. Lanes of single streams come
 * first. Then copies and kernels are paired with them one for one, each from the lane that has all
 * of its kind or, without one, from the streams' lanes.
 */
#include "dump/profile/activity.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dump/profile/demangle.h"
#include "dump/profile/label.h"
#include "dump/profile/profile_op.h"

#define DAY_NS (24 * 3600 * INT64_C(1000000000))
#define SUM_MAX_NS (5 * DAY_NS)  /* of a step's records: sums over many steps fit 64 bits */
#define STEP_EVERY 1024

const char *const activity_kind_names[] = { "host", "kernel", "copy", "barrier" };

/* What is known about names[id]. */
struct known {
	uint32_t op;             /* names' number */
	uint32_t full : 30;      /* of a kernel: the demangled name; 0: not asked for yet */
	uint32_t is_node : 1;    /* the graph or an executor lane has it */
	uint32_t asked : 1;      /* the graphs */
};

/*
 * Pairing: fingerprints of one kind of record, each taken once; kernels first, in the order added.
 */
struct print {
	uint64_t print;
	uint32_t order, stream, taken;
	bool copy;
};
struct prints {
	VEC(struct print) at;
};

/* Which lanes of a device hold what. */
struct lanes_seen {
	bool all, copy_all;
};

/* Executor lanes of one GPU. */
struct gpu {
	const char *device;
	bool several;            /* and of others that are called so */
};

struct building {
	struct activities *out;
	const struct step *step;
	const struct profile_proto *proto;       /* NULL: none */
	struct graph *const *graphs;
	size_t n_graphs;
	bool step_stays;
	int64_t median_us, sum_ns;
	bool *counts;            /* by record */
	uint32_t *device_of;     /* by lane; MAP_NONE: nothing counts there */
	uint32_t *id_of;         /* step->names' number to ours; MAP_NONE: not there yet */
	VEC(struct known) known; /* by our number */
	VEC(struct lanes_seen) seen;     /* by device */
	struct prints streams;   /* of all records of single streams */
	struct prints copies;    /* of the copies that are there */
	struct map gpu_keys;
	VEC(struct gpu) gpus;    /* by gpu_keys */
	struct detail_reader reader;
	struct str scratch, full;
	struct progress *progress;
	uint32_t empty;          /* names' number of "" */
};

static uint32_t known_as(struct building *b, uint32_t id)
{
	while (b->known.len < b->out->names.len)
		vec_push(&b->known, ((struct known){ .op = b->empty }));
	return id;
}

static uint32_t intern(struct building *b, const char *text, size_t len)
{
	return known_as(b, map_add(&b->out->names, &b->out->mem, text, len));
}

/* Start and length of a record's activity. False: they are impossible. */
static bool when(const struct building *b, const struct record *record, enum lane_kind kind,
                 int64_t *start_ns, int64_t *len_ns)
{
	struct record_times t = step_times(b->step, record);
	int64_t us = t.all_start_us, len = t.all_end_us, median_ns, away;

	if (t.all_start_us <= 0)
		return false;
	if (lane_is_executor(kind) && t.has_ns) {
		if (__builtin_add_overflow(t.all_start_ns, t.op_start_ns, start_ns) ||
		    __builtin_sub_overflow(t.op_end_ns, t.op_start_ns, len_ns))
			return false;
	} else {
		if (lane_is_executor(kind) && (__builtin_add_overflow(us, t.op_start_us, &us) ||
		                          __builtin_sub_overflow(t.op_end_us, t.op_start_us, &len)))
			return false;
		if (__builtin_mul_overflow(us, 1000, start_ns) ||
		    __builtin_mul_overflow(len, 1000, len_ns))
			return false;
	}
	if (__builtin_mul_overflow(b->median_us, 1000, &median_ns) ||
	    __builtin_sub_overflow(*start_ns, median_ns, &away))
		return false;
	return *len_ns >= 0 && *len_ns <= DAY_NS && away <= DAY_NS && away >= -DAY_NS;
}

/* Devices. */

static bool ends_in_gpu(const struct device_name *device)
{
	size_t n = device->type.len;

	return n >= 3 && !strncasecmp(device->type.at + n - 3, "gpu", 3);
}

/* "gpu:0", for a lane with a job behind its task. */
static void put_gpu(struct str *out, const struct device_name *device, bool with_job)
{
	str_reset(out);
	if (with_job && device->task.at)
		str_put(out, device->task.at, device->task.len + 1);
	str_puts(out, "gpu:");
	str_put(out, device->number.at, device->number.len);
}

/* Registers an executor lane of a GPU under both of its keys. */
static void note_gpu(struct building *b, const char *name)
{
	struct device_name device = device_parse(name, strlen(name));

	for (int with_job = 0; ends_in_gpu(&device) && with_job < 2; with_job++) {
		struct gpu *gpu;
		uint32_t id;

		put_gpu(&b->scratch, &device, with_job);
		id = map_add(&b->gpu_keys, &b->out->mem, b->scratch.text, b->scratch.len);
		if (id == b->gpus.len)
			vec_push(&b->gpus, ((struct gpu){ name, false }));
		gpu = &b->gpus.at[id];
		gpu->several |= strcmp(gpu->device, name) != 0;
	}
}

static uint32_t add_device(struct building *b, const struct lane *lane)
{
	const char *name = lane->device;
	size_t len = strlen(name);
	struct device_name device = device_parse(name, len);
	uint32_t id = MAP_NONE;

	if (!lane_is_executor(lane->kind)) {
		len -= device.part.at ? device.part.len + 1 : 0;
		if (ends_in_gpu(&device)) {
			put_gpu(&b->scratch, &device, !strncmp(name, "/job", 4));
			id = map_find(&b->gpu_keys, b->scratch.text, b->scratch.len);
		}
	}
	if (id != MAP_NONE && !b->gpus.at[id].several) {
		name = b->gpus.at[id].device;
		len = strlen(name);
	}
	return map_add(&b->out->devices, &b->out->mem, name, len);
}

static void leave_out(struct building *b, const struct record *record, enum lane_kind kind)
{
	struct activity *a = vec_add(&b->out->impossible);
	struct record_times t = step_times(b->step, record);
	const char *name = record_name(b->step, record);
	const char *device = b->step->lanes.at[record->lane].device;

	a->record = (uint32_t)(record - b->step->records.at);
	a->kind = lane_is_executor(kind) ? ACTIVITY_HOST :
	          kind == LANE_GPU_COPY_ALL || kind == LANE_GPU_STREAM_COPY ? ACTIVITY_COPY :
	          ACTIVITY_KERNEL;
	if (__builtin_mul_overflow(t.all_start_us, 1000, &a->start_ns))
		a->start_ns = t.all_start_us < 0 ? INT64_MIN : INT64_MAX;
	if (__builtin_mul_overflow(t.all_end_us, 1000, &a->len_ns))
		a->len_ns = t.all_end_us < 0 ? INT64_MIN : INT64_MAX;
	a->node = intern(b, name, strlen(name));
	a->device = intern(b, device, strlen(device));
	a->op = b->empty;
	a->stream = a->kernel = a->raw = a->launch = MAP_NONE;
	if (a->kind != ACTIVITY_HOST)
		a->launch_delay_ns = -1;
}

static void look_at_record(struct building *b, size_t at, enum lane_kind kind)
{
	const struct record *record = &b->step->records.at[at];
	const char *name = record_name(b->step, record);
	int64_t start_ns, len_ns;

	if (!when(b, record, kind, &start_ns, &len_ns) || len_ns > SUM_MAX_NS - b->sum_ns) {
		leave_out(b, record, kind);
		return;
	}
	b->sum_ns += len_ns;
	if (!b->out->begin_us || record->start_us < b->out->begin_us)
		b->out->begin_us = record->start_us;
	if (kind == LANE_GPU_SYNC)
		b->out->sync_ns += len_ns;
	else if (lane_is_executor(kind) && (!strcmp(name, "_SOURCE") || !strcmp(name, "_SINK")))
		b->out->n_bookkeeping++;
	else
		b->counts[at] = true;
}

static void look_at_lane(struct building *b, size_t i)
{
	const struct lane *lane = &b->step->lanes.at[i];

	b->device_of[i] = MAP_NONE;
	b->out->has_gpu_executor |= lane->kind == LANE_OP_ACC ||
	                            (lane_is_executor(lane->kind) && device_is_gpu(lane->device));
	if (lane->kind == LANE_HOST || lane->kind == LANE_GPU_OTHER)
		return;
	for (size_t r = lane->first; r < lane->first + lane->n; r++) {
		look_at_record(b, r, lane->kind);
		if (b->counts[r] && b->device_of[i] == MAP_NONE)
			b->device_of[i] = add_device(b, lane);
	}
	while (b->seen.len < b->out->devices.len)
		vec_push(&b->seen, (struct lanes_seen){0});
	if (b->device_of[i] != MAP_NONE) {
		b->seen.at[b->device_of[i]].all |= lane->kind == LANE_GPU_ALL;
		b->seen.at[b->device_of[i]].copy_all |= lane->kind == LANE_GPU_COPY_ALL;
	}
}

/* Records. */

/* The sound part of a damaged label counts. The label is valid until the next call. */
static struct text read_detail(struct building *b, const struct record *record, unsigned want)
{
	const struct record_detail *detail = &b->reader.detail;
	struct err *damage = &b->out->damage;

	detail_read(&b->reader, record, want, damage->code ? NULL : damage);
	return (struct text){ detail->label, detail->label_len };
}

/* Asks the graphs once whether they have names[id], and for its op type. */
static bool ask_graphs(struct building *b, uint32_t id)
{
	const char *op;
	uint32_t op_id;

	if (b->known.at[id].asked)
		return b->known.at[id].is_node;
	b->known.at[id].asked = true;
	op = profile_op(b->proto, b->graphs, b->n_graphs, b->out->names.key[id]);
	if (!op)
		return b->known.at[id].is_node;
	op_id = intern(b, op, strlen(op));
	b->known.at[id].op = op_id;
	b->known.at[id].is_node = true;
	return true;
}

/* Our number of a record's name, and of the step's. */
static uint32_t name_id(struct building *b, const struct record *record)
{
	uint32_t *id = &b->id_of[record->name];
	const char *name = record_name(b->step, record);

	if (*id == MAP_NONE && b->step_stays)
		*id = known_as(b, map_add_lasting(&b->out->names, name, strlen(name)));
	else if (*id == MAP_NONE)
		*id = intern(b, name, strlen(name));
	return *id;
}

static void take_executor_record(struct building *b, size_t at, uint32_t device,
                                 enum lane_kind kind)
{
	const struct record *record = &b->step->records.at[at];
	struct activity a = {
		.record = (uint32_t)at, .device = device, .stream = MAP_NONE, .kernel = MAP_NONE,
		.raw = MAP_NONE, .launch = MAP_NONE, .kind = ACTIVITY_HOST,
	};
	bool is_known;
	struct text label;

	when(b, record, kind, &a.start_ns, &a.len_ns);
	a.node = name_id(b, record);
	is_known = ask_graphs(b, a.node);
	label = read_detail(b, record, is_known ? DETAIL_MEMORY : DETAIL_MEMORY | DETAIL_LABEL);
	a.bytes = detail_requested(&b->reader.detail);
	if (!is_known) {
		struct op_label parts;
		uint32_t op = b->empty;

		if (label_op(label.at, label.len, &parts))
			op = intern(b, parts.op.at, parts.op.len);
		b->known.at[a.node].op = op;
		b->known.at[a.node].is_node = true;
	}
	a.op = b->known.at[a.node].op;
	vec_push(&b->out->at, a);
}

/* GPU lanes. */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static uint64_t fingerprint(const struct activity *a, uint32_t name, struct text label)
{
	uint64_t h = mix(mix(mix(a->device, name), (uint64_t)a->start_ns), (uint64_t)a->len_ns);
	uint64_t word;
	size_t i = 0;

	for (; i + sizeof word <= label.len; i += sizeof word) {
		memcpy(&word, label.at + i, sizeof word);
		h = mix(h, word);
	}
	word = label.len;
	for (; i < label.len; i++)
		word = word << 8 | (unsigned char)label.at[i];
	return mix(h, word);
}

/* The node behind the name of a kernel or copy. */
static uint32_t resolve(struct building *b, struct text name)
{
	struct text guess[NODE_GUESSES];
	size_t n = node_guesses(name, guess);

	for (size_t i = 0; i < n; i++) {
		uint32_t id = intern(b, guess[i].at, guess[i].len);

		if (ask_graphs(b, id))
			return id;
	}
	return intern(b, name.at, name.len);
}

/* names' number of a kernel's name in full. */
static uint32_t full_name(struct building *b, uint32_t raw)
{
	const char *text = b->out->names.key[raw];

	if (!b->known.at[raw].full) {
		uint32_t full;

		demangle(text, strlen(text), &b->full);
		full = intern(b, str_text(&b->full), b->full.len);
		b->known.at[raw].full = full;
	}
	return b->known.at[raw].full;
}

static void name_kernel(struct building *b, struct activity *a, const char *name, struct text op,
                        const struct gpu_label *label)
{
	struct map *names = &b->out->names;
	bool own_name = false;

	if (label->kernel.len) {
		a->raw = intern(b, label->kernel.at, label->kernel.len);
		a->launch = label->launch.len ? intern(b, label->launch.at, label->launch.len)
		                              : MAP_NONE;
		a->kernel = full_name(b, a->raw);
		own_name = !strcmp(name, names->key[a->raw]) ||
		           !strcmp(name, names->key[a->kernel]);
	}
	a->op = own_name ? b->empty : b->known.at[a->node].op;
	if (!own_name && a->op == b->empty) {
		const char *colon = op.len ? memchr(op.at, ':', op.len) : NULL;

		a->op = intern(b, op.at, colon ? (size_t)(colon - op.at) : op.len);
	}
	if (own_name)
		a->node = b->out->unattributed;
	if (a->kernel == MAP_NONE) {
		const char *type = names->key[a->op];

		str_reset(&b->full);
		str_fmt(&b->full, "[%s]", *type ? type : "kernel");
		a->kernel = intern(b, b->full.text, b->full.len);
	}
}

static void name_copy(struct building *b, struct activity *a, struct text op,
                      const struct gpu_label *label)
{
	char way[4], text[16] = "[copy ";

	label_copy_way(label->activity, op, way);
	memcpy(text + 6, way, 3);
	text[9] = ']';
	a->kernel = intern(b, text, 10);
	a->bytes = label_copy_bytes(label->activity);
	a->op = b->known.at[a->node].op;
}

/* Prints. */

static void prints_put(struct prints *prints, uint64_t print, uint32_t stream, bool copy)
{
	vec_push(&prints->at, ((struct print){ print, (uint32_t)prints->at.len, stream, 0, copy }));
}

static int by_print(const void *a, const void *b)
{
	const struct print *p = a, *q = b;

	if (p->print != q->print)
		return p->print < q->print ? -1 : 1;
	if (p->copy != q->copy)
		return p->copy ? 1 : -1;
	return (p->order > q->order) - (p->order < q->order);
}

/* The next equal one not yet taken; NULL: none. The first of equal ones counts the taken ones. */
static const struct print *prints_take(struct prints *prints, uint64_t print)
{
	size_t low = 0, high = prints->at.len;
	struct print *first;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (prints->at.at[mid].print < print)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == prints->at.len || prints->at.at[low].print != print)
		return NULL;
	first = &prints->at.at[low];
	low += first->taken;
	if (low >= prints->at.len || prints->at.at[low].print != print)
		return NULL;
	first->taken++;
	return &prints->at.at[low];
}

static void sort_prints(struct prints *prints)
{
	if (prints->at.len)
		qsort(prints->at.at, prints->at.len, sizeof *prints->at.at, by_print);
}

/* What is taken from which lanes, in this order. */
enum pass { EXECUTORS, STREAM_PRINTS, COPIES, KERNELS };

static bool takes_lane(const struct building *b, enum pass pass, enum lane_kind kind,
                       uint32_t device)
{
	switch (pass) {
	case EXECUTORS:
		return lane_is_executor(kind);
	case STREAM_PRINTS:
		return kind == LANE_GPU_STREAM || kind == LANE_GPU_STREAM_COPY;
	case COPIES:
		return kind == (b->seen.at[device].copy_all ? LANE_GPU_COPY_ALL
		                                            : LANE_GPU_STREAM_COPY);
	default:
		return kind == (b->seen.at[device].all ? LANE_GPU_ALL : LANE_GPU_STREAM);
	}
}

/* Each kernel and copy once; a stream's kernels may have its copies among them. */
static void put_gpu_activity(struct building *b, enum pass pass, enum lane_kind kind,
                             struct activity *a, uint64_t print, struct text label_text)
{
	const char *name = record_name(b->step, &b->step->records.at[a->record]);
	const char *colon = strchr(name, ':');
	struct text node = { name, colon ? (size_t)(colon - name) : strlen(name) };
	struct text op = { colon ? colon + 1 : "", colon ? strlen(colon + 1) : 0 };
	const struct print *pair;
	struct gpu_label label;

	if (pass == KERNELS && kind == LANE_GPU_STREAM && prints_take(&b->copies, print))
		return;
	a->node = resolve(b, node);
	label_gpu(label_text.at, label_text.len, &label);
	if (pass == COPIES)
		name_copy(b, a, op, &label);
	else
		name_kernel(b, a, name, op, &label);
	pair = prints_take(&b->streams, print);
	a->stream = pair ? pair->stream : MAP_NONE;
	a->kind = pass == COPIES ? ACTIVITY_COPY : ACTIVITY_KERNEL;
	vec_push(&b->out->at, *a);
	if (pass == COPIES)
		prints_put(&b->copies, print, a->stream, true);
}

static void take_gpu_record(struct building *b, enum pass pass, size_t at, uint32_t device,
                            uint32_t stream, enum lane_kind kind)
{
	const struct record *record = &b->step->records.at[at];
	struct activity a = { .record = (uint32_t)at, .device = device, .kernel = MAP_NONE,
	                      .raw = MAP_NONE, .launch = MAP_NONE, .launch_delay_ns = -1 };
	struct text label;
	uint64_t print;

	when(b, record, kind, &a.start_ns, &a.len_ns);
	label = read_detail(b, record, DETAIL_LABEL);
	print = fingerprint(&a, record->name, label);
	if (pass == STREAM_PRINTS)
		prints_put(&b->streams, print, stream, kind == LANE_GPU_STREAM_COPY);
	else
		put_gpu_activity(b, pass, kind, &a, print, label);
}

static uint32_t stream_of(struct building *b, const struct lane *lane)
{
	struct text stream = device_parse(lane->device, strlen(lane->device)).stream;

	if (lane->kind != LANE_GPU_STREAM && lane->kind != LANE_GPU_STREAM_COPY)
		return MAP_NONE;
	return map_add(&b->out->streams, &b->out->mem, stream.at, stream.len);
}

static bool take_lanes(struct building *b, enum pass pass, struct err *err)
{
	for (size_t i = 0; i < b->step->lanes.len; i++) {
		const struct lane *lane = &b->step->lanes.at[i];
		uint32_t stream;

		if (b->device_of[i] == MAP_NONE ||
		    !takes_lane(b, pass, lane->kind, b->device_of[i]))
			continue;
		stream = stream_of(b, lane);
		for (size_t r = lane->first; r < lane->first + lane->n; r++) {
			if (!(r % STEP_EVERY) &&
			    !progress_step(b->progress, r, b->step->records.len))
				return err_at(err, ERR_CANCELLED, "command", 0,
				              "stopped after %zu of %zu records", r,
				              b->step->records.len);
			if (!b->counts[r])
				continue;
			if (pass == EXECUTORS)
				take_executor_record(b, r, b->device_of[i], lane->kind);
			else
				take_gpu_record(b, pass, r, b->device_of[i], stream, lane->kind);
		}
	}
	if (pass == STREAM_PRINTS)
		sort_prints(&b->streams);
	if (pass == COPIES)
		sort_prints(&b->copies);
	return true;
}

static bool build(struct building *b, struct err *err)
{
	struct activities *out = b->out;

	b->empty = 0;
	b->empty = intern(b, "", 0);
	out->unattributed = intern(b, "(unattributed)", strlen("(unattributed)"));
	for (size_t i = 0; i < b->step->lanes.len; i++)
		if (lane_is_executor(b->step->lanes.at[i].kind))
			note_gpu(b, b->step->lanes.at[i].device);
	for (size_t i = 0; i < b->step->lanes.len; i++)
		look_at_lane(b, i);
	for (enum pass pass = EXECUTORS; pass <= KERNELS; pass++)
		if (!take_lanes(b, pass, err))
			return false;
	for (size_t i = 0; i < out->at.len; i++)
		out->n_of[out->at.at[i].kind]++;
	return true;
}

bool activities_of(const struct step *step, const struct profile_proto *proto,
                   struct graph *const *graphs, size_t n_graphs, bool step_stays,
                   struct progress *progress, struct activities *out, struct err *err)
{
	struct building b = { .out = out, .step = step, .proto = proto, .graphs = graphs,
	                      .n_graphs = n_graphs, .step_stays = step_stays,
	                      .progress = progress };
	struct extent extent;
	bool ok;

	*out = (struct activities){ .step = step };
	if (!detail_open(&b.reader, step, err))
		return false;
	step_extent(step, &extent);
	b.median_us = extent.median_start_us;
	b.counts = mem_alloc(step->records.len + 1);
	b.device_of = mem_alloc((step->lanes.len + 1) * sizeof *b.device_of);
	b.id_of = mem_alloc((step->names.len + 1) * sizeof *b.id_of);
	for (size_t i = 0; i < step->names.len; i++)
		b.id_of[i] = MAP_NONE;
	ok = build(&b, err);
	map_seal(&out->names);
	detail_close(&b.reader);
	free(b.counts);
	free(b.device_of);
	free(b.id_of);
	vec_release(&b.known);
	vec_release(&b.seen);
	vec_release(&b.streams.at);
	vec_release(&b.copies.at);
	vec_release(&b.gpus);
	map_release(&b.gpu_keys);
	str_release(&b.scratch);
	str_release(&b.full);
	return ok;
}

void activities_release(struct activities *activities)
{
	if (activities->all_lent)
		return;
	vec_release(&activities->at);
	vec_release(&activities->impossible);
	vec_release(&activities->waits);
	if (activities->lent)
		return;
	map_release(&activities->devices);
	map_release(&activities->streams);
	map_release(&activities->names);
	arena_release(&activities->mem);
}
