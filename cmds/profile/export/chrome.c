/*
 * Three passes over the records in file order: the tensors that are made; then slices, and which
 * node takes which tensor; then what is left once all unrefs are known. Events are written at once;
 * of a record only its times and row stay in memory.
 */
#include "cmds/profile/export/chrome.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/profile/export/chrome_parts.h"
#include "dump/base/mem.h"
#include "dump/profile/label.h"
#include "dump/profile/packing.h"
#include "dump/profile/tensor_life.h"

#define STEP_EVERY 512

struct when {
	int64_t start_us, end_us;
	uint32_t row;
};

struct chrome {
	const struct step *step;
	const struct chrome_style *style;
	struct python_json json;
	struct when *when;               /* by record */
	int64_t *pid;                    /* by lane: of the last one of its device */
	struct tensor_lives lives;
	uint64_t n_flows;
	struct str name;
	struct progress *progress;
	struct err *damage, *err;
};

static void put_event(struct chrome *c, const char *ph, const char *category, const char *name,
                      size_t len, int64_t pid, int64_t tid, int64_t ts)
{
	pj_event(&c->json);
	pj_word(&c->json, "ph", ph);
	pj_word(&c->json, "cat", category);
	pj_text(&c->json, "name", name, len);
	pj_int(&c->json, "pid", pid);
	pj_int(&c->json, "tid", tid);
	pj_int(&c->json, "ts", ts);
}

static void put_process(struct chrome *c, int64_t pid, const char *name)
{
	pj_event(&c->json);
	pj_word(&c->json, "name", "process_name");
	pj_word(&c->json, "ph", "M");
	pj_int(&c->json, "pid", pid);
	pj_inside(&c->json, "args");
	pj_word(&c->json, "name", name);
	pj_close(&c->json, '}');
	pj_close(&c->json, '}');
}

bool chrome_only_damaged(struct err *err, struct err *damage)
{
	if (err->code != ERR_FORMAT && err->code != ERR_LIMIT)
		return false;
	if (!damage->code)
		*damage = *err;
	*err = (struct err){0};
	return true;
}

/* Before anything is written: pids, times, rows. */

static void put_processes(struct chrome *c)
{
	struct map devices = {0};
	struct arena mem = {0};
	uint32_t *last = mem_alloc((c->step->lanes.len + 1) * sizeof *last);
	uint32_t *id = mem_alloc((c->step->lanes.len + 1) * sizeof *id);

	put_process(c, 0, "Allocators");
	for (size_t i = 0; i < c->step->lanes.len; i++) {
		const char *device = c->step->lanes.at[i].device;

		id[i] = map_add(&devices, &mem, device, strlen(device));
		last[id[i]] = (uint32_t)i;
		str_reset(&c->name);
		str_fmt(&c->name, "%s Compute", device);
		put_process(c, 2 * (int64_t)i + 1, c->name.text);
		str_reset(&c->name);
		str_fmt(&c->name, "%s Tensors", device);
		put_process(c, 2 * (int64_t)i + 2, c->name.text);
	}
	for (size_t i = 0; i < c->step->lanes.len; i++)
		c->pid[i] = 2 * (int64_t)last[id[i]] + 1;
	map_release(&devices);
	arena_release(&mem);
	free(last);
	free(id);
}

/* Times wrap in a hostile file, unlike in Python; they are only added, subtracted and compared. */
static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t difference(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static void take_times(struct chrome *c)
{
	for (size_t i = 0; i < c->step->records.len; i++) {
		struct record_times t = step_times(c->step, &c->step->records.at[i]);

		c->when[i].start_us = t.all_start_us;
		c->when[i].end_us = sum(t.all_start_us, t.all_end_us);
	}
}

/* First start and last end of the kernels of each op. */
struct kernel_times {
	struct map ops;
	VEC(struct when) at;
	struct arena mem;
};

static bool find_kernels(struct chrome *c, struct detail_reader *reader, struct kernel_times *times)
{
	for (size_t l = 0; l < c->step->lanes.len; l++) {
		const struct lane *lane = &c->step->lanes.at[l];

		if (lane->kind != LANE_GPU_ALL)
			continue;
		for (size_t r = lane->first; r < lane->first + lane->n; r++) {
			const struct when *when = &c->when[r];
			const struct record *record = &c->step->records.at[r];
			struct text node, op;
			size_t len;
			const char *label = detail_label(reader, record, &len, c->err);
			uint32_t id;

			if (!label && !chrome_only_damaged(c->err, c->damage))
				return false;
			label_kernel(label, len, record_name(c->step, record), &node, &op);
			id = map_add(&times->ops, &times->mem, node.at, node.len);
			if (id == times->at.len)
				vec_push(&times->at, *when);
			if (when->start_us < times->at.at[id].start_us)
				times->at.at[id].start_us = when->start_us;
			if (when->end_us > times->at.at[id].end_us)
				times->at.at[id].end_us = when->end_us;
		}
	}
	return true;
}

static bool move_ops(struct chrome *c, struct detail_reader *reader)
{
	struct kernel_times times = {0};
	bool ok;

	if (c->style->op_time == OP_TIME_SCHEDULE)
		return true;
	ok = find_kernels(c, reader, &times);
	for (size_t l = 0; ok && l < c->step->lanes.len; l++) {
		const struct lane *lane = &c->step->lanes.at[l];

		if (lane->kind == LANE_GPU_ALL || !strstr(lane->device, "/job"))
			continue;
		for (size_t r = lane->first; r < lane->first + lane->n; r++) {
			const char *name = record_name(c->step, &c->step->records.at[r]);
			uint32_t id = map_find(&times.ops, name, strlen(name));

			if (id == MAP_NONE)
				continue;
			if (times.at.at[id].end_us > c->when[r].end_us)
				c->when[r].end_us = times.at.at[id].end_us;
			if (c->style->op_time == OP_TIME_GPU)
				c->when[r].start_us = times.at.at[id].start_us;
		}
	}
	map_release(&times.ops);
	vec_release(&times.at);
	arena_release(&times.mem);
	return ok;
}

static void pack(struct chrome *c)
{
	for (size_t l = 0; l < c->step->lanes.len; l++) {
		const struct lane *lane = &c->step->lanes.at[l];
		struct packing packing = {0};

		for (size_t r = lane->first; r < lane->first + lane->n; r++)
			c->when[r].row = packing_put(&packing, c->when[r].start_us,
			                             c->when[r].end_us);
		packing_release(&packing);
	}
}

/* Tensors. */

static const char *dtype_name(int32_t dtype, struct str *scratch)
{
	static const char *const names[] = {
		"DT_INVALID", "DT_FLOAT", "DT_DOUBLE", "DT_INT32", "DT_UINT8", "DT_INT16",
		"DT_INT8", "DT_STRING", "DT_COMPLEX64", "DT_INT64", "DT_BOOL", "DT_QINT8",
		"DT_QUINT8", "DT_QINT32", "DT_BFLOAT16", "DT_QINT16", "DT_QUINT16", "DT_UINT16",
		"DT_COMPLEX128", "DT_HALF", "DT_RESOURCE", "DT_VARIANT", "DT_UINT32", "DT_UINT64",
		"DT_FLOAT8_E5M2", "DT_FLOAT8_E4M3FN", "DT_FLOAT8_E4M3FNUZ", "DT_FLOAT8_E4M3B11FNUZ",
		"DT_FLOAT8_E5M2FNUZ", "DT_INT4", "DT_UINT4", "DT_INT2", "DT_UINT2",
	};
	const int32_t n = sizeof names / sizeof *names;

	str_reset(scratch);
	if (dtype > 0 && dtype < n)
		str_puts(scratch, names[dtype]);
	else if (dtype > 100 && dtype < 100 + n)
		str_fmt(scratch, "%s_REF", names[dtype - 100]);
	else
		str_fmt(scratch, "%d", dtype);
	return scratch->text;
}

/* A string in protobuf text format, without its quotes, as timeline.py takes them out. */
static void put_allocator(struct str *out, const char *text)
{
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		const char *hit = strchr("\n\r\t\\'", byte);

		if (hit)
			str_fmt(out, "\\%c", "nrt\\'"[hit - "\n\r\t\\'"]);
		else if (byte == '"')
			str_putc(out, '\\');
		else if (byte < ' ' || byte >= 0x7f)
			str_fmt(out, "\\%03o", byte);
		else
			str_putc(out, *text);
	}
}

static void put_field(struct str *out, const char *key, int64_t value)
{
	if (value)
		str_fmt(out, "  %s: %lld\n", key, (long long)value);
}

/* The TensorDescription in protobuf text format. */
static void put_description(struct str *out, const struct node_output *o, struct str *scratch)
{
	if (o->dtype)
		str_fmt(out, "dtype: %s\n", dtype_name(o->dtype, scratch));
	if (o->has_shape) {
		str_puts(out, "shape {\n");
		for (size_t i = 0; i < o->rank; i++) {
			str_puts(out, "  dim {\n");
			if (o->dims[i])
				str_fmt(out, "    size: %lld\n", (long long)o->dims[i]);
			str_puts(out, "  }\n");
		}
		str_puts(out, o->unknown_rank ? "  unknown_rank: true\n}\n" : "}\n");
	}
	if (!o->has_allocation)
		return;
	str_puts(out, "allocation_description {\n");
	put_field(out, "requested_bytes", o->allocation.requested);
	put_field(out, "allocated_bytes", o->allocation.allocated);
	if (o->allocation.allocator && *o->allocation.allocator) {
		str_puts(out, "  allocator_name: ");
		put_allocator(out, o->allocation.allocator);
		str_putc(out, '\n');
	}
	put_field(out, "allocation_id", o->allocation.id);
	str_puts(out, o->allocation.single_reference ? "  has_single_reference: true\n" : "");
	if (o->allocation.ptr)
		str_fmt(out, "  ptr: %llu\n", (unsigned long long)o->allocation.ptr);
	str_puts(out, "}\n");
}

static void put_tensor(struct chrome *c, const struct when *when, uint32_t lane,
                       const struct node_output *output, uint32_t id)
{
	const struct tensor_life *life = &c->lives.at.at[id];
	const char *name = c->lives.names.key[id];
	int64_t pid = c->pid[lane] + 1;
	struct str scratch = {0};

	put_event(c, "N", "Tensor", name, strlen(name), pid, when->row, when->start_us);
	pj_int(&c->json, "id", (int64_t)life->object);
	pj_close(&c->json, '}');
	put_event(c, "O", "Tensor", name, strlen(name), pid, when->row, sum(when->end_us, -1));
	pj_int(&c->json, "id", (int64_t)life->object);
	pj_inside(&c->json, "args");
	pj_inside(&c->json, "snapshot");
	str_reset(&c->name);
	put_description(&c->name, output, &scratch);
	pj_text(&c->json, "tensor_description", str_text(&c->name), c->name.len);
	pj_close(&c->json, '}');
	pj_close(&c->json, '}');
	pj_close(&c->json, '}');
	str_release(&scratch);
}

static void make_tensors(struct chrome *c, size_t at, const struct record_detail *detail)
{
	const struct record *record = &c->step->records.at[at];
	const char *name = record_name(c->step, record);
	const struct when *when = &c->when[at];
	struct tensor_life life = {
		.from_us = when->start_us, .to_us = when->end_us, .made_us = when->end_us,
		.lane = record->lane, .row = when->row,
	};

	for (size_t i = 0; i < detail->n_outputs; i++) {
		const struct node_output *o = &detail->outputs[i];
		uint32_t id = life_made(&c->lives, name, false, i, o, &life);

		if (c->style->memory)
			put_tensor(c, when, record->lane, o, id);
	}
}

/* Slices and arrows. */

static void put_flow(struct chrome *c, uint32_t tensor, const struct when *when, uint32_t lane)
{
	const struct tensor_life *life = &c->lives.at.at[tensor];
	const char *name = c->lives.names.key[tensor];
	size_t len = strlen(name);

	if (c->style->no_flow || (c->pid[life->lane] == c->pid[lane] && life->row == when->row))
		return;
	put_event(c, "s", "DataFlow", name, len, c->pid[life->lane], life->row, life->made_us);
	pj_int(&c->json, "id", (int64_t)c->n_flows);
	pj_close(&c->json, '}');
	put_event(c, "t", "DataFlow", name, len, c->pid[lane], when->row, when->start_us);
	pj_int(&c->json, "id", (int64_t)c->n_flows++);
	pj_close(&c->json, '}');
}

void chrome_put_args(struct python_json *json, struct text node, struct text op, struct text inputs)
{
	struct text input;

	pj_text(json, "name", node.at, node.len);
	pj_text(json, "op", op.at, op.len);
	for (unsigned i = 0; label_input(&inputs, &input); i++) {
		char key[24];

		snprintf(key, sizeof key, "input%u", i);
		pj_text(json, key, input.at, input.len);
	}
}

static void put_slice(struct chrome *c, size_t at, struct text node, struct text op,
                      struct text inputs)
{
	const struct when *when = &c->when[at];

	put_event(c, "X", "Op", op.at, op.len, c->pid[c->step->records.at[at].lane], when->row,
	          when->start_us);
	pj_int(&c->json, "dur", difference(when->end_us, when->start_us));
	pj_inside(&c->json, "args");
	chrome_put_args(&c->json, node, op, inputs);
	pj_close(&c->json, '}');
	pj_close(&c->json, '}');
}

static void put_record(struct chrome *c, size_t at, const char *label, size_t len)
{
	const struct record *record = &c->step->records.at[at];
	const char *name = record_name(c->step, record);
	struct text node, op, inputs = {0};
	uint32_t tensor;

	if (lane_is_of_gpu(c->step->lanes.at[record->lane].kind))
		label_kernel(label, len, name, &node, &op);
	else
		label_node(label, len, name, &node, &op, &inputs);
	put_slice(c, at, node, op, inputs);
	while (life_taken(&c->lives, &inputs, c->when[at].end_us, &tensor))
		put_flow(c, tensor, &c->when[at], record->lane);
}

/* What is only known at the end. */

static void put_counters(struct chrome *c)
{
	struct life_events events = {0};
	size_t *first;

	life_events_of(&c->lives, &events, &first);
	for (size_t i = 0; i < c->lives.allocators.len; i++) {
		const char *name = c->lives.allocators.key[i];
		int64_t total = 0;

		for (size_t k = first[i]; k < first[i + 1]; k++) {
			total = sum(total, events.at.at[k].bytes);
			put_event(c, "C", "Memory", name, strlen(name), 0, 0, events.at.at[k].us);
			pj_inside(&c->json, "args");
			pj_int(&c->json, name, total);
			pj_close(&c->json, '}');
			pj_close(&c->json, '}');
		}
	}
	vec_release(&events.at);
	free(first);
}

static void put_memory(struct chrome *c)
{
	for (size_t i = 0; i < c->lives.at.len; i++) {
		const struct tensor_life *life = &c->lives.at.at[i];
		const char *name = c->lives.names.key[i];

		put_event(c, "D", "Tensor", name, strlen(name), c->pid[life->lane] + 1, 0,
		          life->to_us);
		pj_int(&c->json, "id", (int64_t)life->object);
		pj_close(&c->json, '}');
	}
	put_counters(c);
}

/* All. */

static bool go_on(struct chrome *c, size_t at)
{
	size_t n = c->step->records.len;

	if (c->json.failed)
		return false;
	if (!(at % STEP_EVERY) && !progress_step(c->progress, at, n))
		return err_at(c->err, ERR_CANCELLED, "command", 0,
		              "stopped after %zu of %zu records", at, n);
	return true;
}

static bool write_records(struct chrome *c, struct detail_reader *reader)
{
	size_t n = c->step->records.len, len;

	for (size_t i = 0; i < n; i++) {
		const struct record *record = &c->step->records.at[i];

		if (!go_on(c, i) || !(detail_read(reader, record, DETAIL_ALL, c->err) ||
		                      chrome_only_damaged(c->err, c->damage)))
			return false;
		make_tensors(c, i, &reader->detail);
	}
	for (size_t i = 0; i < n; i++) {
		const char *label = NULL;

		if (go_on(c, i))
			label = detail_label(reader, &c->step->records.at[i], &len, c->err);
		if (!label && (c->json.failed || !chrome_only_damaged(c->err, c->damage)))
			return false;
		put_record(c, i, label ? label : "", len);
	}
	return true;
}

static bool write_all(struct chrome *c, struct detail_reader *reader)
{
	pj_open(&c->json, '{');
	pj_key(&c->json, "traceEvents", strlen("traceEvents"));
	pj_open(&c->json, '[');
	put_processes(c);
	take_times(c);
	if (!move_ops(c, reader))
		return false;
	pack(c);
	if (!write_records(c, reader))
		return false;
	if (c->style->memory)
		put_memory(c);
	pj_close(&c->json, ']');
	pj_close(&c->json, '}');
	return pj_finish(&c->json);
}

bool chrome_write(const struct step *step, const struct chrome_style *style, FILE *out,
                  struct progress *progress, struct err *damage, struct err *err)
{
	struct chrome c = { .step = step, .style = style,
	                    .json = { .out = out, .compact = style->compact }, .progress = progress,
	                    .damage = damage, .err = err };
	struct detail_reader reader;
	bool ok;

	if (!detail_open(&reader, step, err))
		return false;
	c.when = mem_alloc((step->records.len + 1) * sizeof *c.when);
	c.pid = mem_alloc((step->lanes.len + 1) * sizeof *c.pid);
	ok = write_all(&c, &reader);
	detail_close(&reader);
	lives_release(&c.lives);
	pj_release(&c.json);
	str_release(&c.name);
	free(c.when);
	free(c.pid);
	return ok;
}
