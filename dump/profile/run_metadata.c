/*
 * One pass over the file. Lengths of the messages that hold the records are not believed: a file
 * that is cut gives what is whole before its end. Damage inside a record ends that record only;
 * damage between records ends its device.
 */
#include "dump/profile/run_metadata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dump/base/wide.h"

#define STEP_RECORDS 4096        /* between two looks at progress */
#define HOUR_NS (3600 * INT64_C(1000000000))

enum { META_STEP_STATS = 1, META_PARTITION = 3 };
enum { STEP_DEVICE = 1 };
enum { DEVICE_NAME = 1, DEVICE_NODE = 2, DEVICE_THREAD = 3 };
enum {
	EXEC_NAME = 1, EXEC_ALL_START = 2, EXEC_OP_START = 3, EXEC_OP_END = 4, EXEC_ALL_END = 5,
	EXEC_SCHEDULED = 9, EXEC_THREAD = 10, EXEC_ALL_START_NS = 13, EXEC_OP_START_NS = 14,
	EXEC_OP_END_NS = 15, EXEC_ALL_END_NS = 16, EXEC_SCHEDULED_NS = 17, EXEC_FIELDS
};

struct loading {
	struct step *step;
	struct file *file;
	struct progress *progress;
	struct str scratch;
	struct err found;        /* the latest; here, as clearing one each time is slow */
	bool stopped;
};

static void note_found(struct loading *l)
{
	if (!l->step->damage.code)
		l->step->damage = l->found;
	l->found.code = ERR_NONE;
}

#define note_damage(l, off, ...) \
	(err_fill(&(l)->found, ERR_FORMAT, (l)->step->path, (off), __VA_ARGS__), note_found(l))

/* Is the message in the file as a whole? */
static bool is_whole(struct loading *l, const struct field *field, const char *what)
{
	uint64_t left = l->file->size > field->bytes.off ? l->file->size - field->bytes.off : 0;

	if (field->bytes.len > left)
		note_damage(l, field->key_off,
		            "%s of %" PRIu64 " byte%s, the file ends after %" PRIu64, what,
		            field->bytes.len, plural(field->bytes.len), left);
	return field->bytes.len <= left;
}

static bool take_name(struct loading *l, const struct field *field, struct record *record)
{
	struct name name;

	if (l->step->times_only)
		return true;
	if (!wire_name(l->file, field->bytes, &l->scratch, &name, &l->found))
		return false;
	record->name = step_name(l->step, name.text, name.len);
	return true;
}

static bool take_exec_field(struct loading *l, const struct field *field, struct record *record,
                            int64_t *raw)
{
	bool is_number = (field->number >= EXEC_ALL_START && field->number <= EXEC_ALL_END) ||
	                 field->number == EXEC_SCHEDULED || field->number == EXEC_THREAD ||
	                 (field->number >= EXEC_ALL_START_NS && field->number <= EXEC_SCHEDULED_NS);

	if (field->number == EXEC_NAME && field->type == WIRE_BYTES)
		return take_name(l, field, record);
	if (is_number && field->type == WIRE_VARINT)
		raw[field->number] = (int64_t)field->number_value;
	else if (is_number || field->number == EXEC_NAME)
		return err_at(&l->found, ERR_FORMAT, l->step->path, field->key_off,
		              "another wire type than the field has");
	return true;
}

bool queue_of(int64_t all_start_ns, int64_t scheduled_ns, int64_t *queue_ns)
{
	const wide_int turn = (wide_int)1 << 64;
	wide_int away = (wide_int)all_start_ns - scheduled_ns, k, product;

	if (!scheduled_ns)
		return false;
	if (away > HOUR_NS || away < -HOUR_NS) {
		away = (wide_int)all_start_ns * 1000 - scheduled_ns;
		k = (away + (away < 0 ? -turn / 2 : turn / 2)) / turn;
		product = scheduled_ns + k * turn;
		if (product % 1000)
			return false;
		away = all_start_ns - product / 1000;
	}
	if (away > HOUR_NS || away < -HOUR_NS)
		return false;
	*queue_ns = (int64_t)away;
	return true;
}

/* From the nanos, else from the micros. */
static bool raw_queue(const int64_t *at, int64_t *queue_ns)
{
	int64_t scheduled = at[EXEC_SCHEDULED], start = at[EXEC_ALL_START], away;

	if (at[EXEC_ALL_START_NS])
		return queue_of(at[EXEC_ALL_START_NS], at[EXEC_SCHEDULED_NS], queue_ns);
	if (!scheduled || __builtin_sub_overflow(start, scheduled, &away)
	    || away > HOUR_NS / 1000 || away < -HOUR_NS / 1000)
		return false;
	*queue_ns = away * 1000;
	return true;
}

static struct record_times times_of(const int64_t *at)
{
	struct record_times times = {
		.all_start_us = at[EXEC_ALL_START], .op_start_us = at[EXEC_OP_START],
		.op_end_us = at[EXEC_OP_END], .all_end_us = at[EXEC_ALL_END],
		.all_start_ns = at[EXEC_ALL_START_NS], .op_start_ns = at[EXEC_OP_START_NS],
		.op_end_ns = at[EXEC_OP_END_NS], .all_end_ns = at[EXEC_ALL_END_NS],
		.has_ns = at[EXEC_ALL_START_NS] != 0,
	};

	times.has_queue = raw_queue(at, &times.queue_ns);
	return times;
}

/* False if the file ends within the record. */
static bool take_record(struct loading *l, const struct field *outer)
{
	struct record record = { .off = outer->bytes.off };
	int64_t raw[EXEC_FIELDS] = {0};     /* by field */
	struct record_times times;
	struct field field;
	struct wire wire;

	if (!is_whole(l, outer, "a record"))
		return false;
	if (outer->bytes.len > UINT32_MAX) {
		note_damage(l, outer->key_off, "a record of %" PRIu64 " bytes", outer->bytes.len);
		return true;
	}
	record.len = (uint32_t)outer->bytes.len;
	wire_start(&wire, l->file, outer->bytes);
	while (wire_next(&wire, &field, &l->found))
		if (!take_exec_field(l, &field, &record, raw))
			break;
	if (l->found.code)
		note_found(l);
	times = times_of(raw);
	step_add_record(l->step, &record, &times);
	return true;
}

/* A device's name is normally its first field; if it isn't, it is looked for. */
static void name_lane(struct loading *l, struct span device)
{
	struct field field;
	struct wire wire;
	struct name name;

	step_add_lane(l->step);
	wire_start(&wire, l->file, device);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found)) {
		if (field.number != DEVICE_NAME || field.type != WIRE_BYTES)
			continue;
		if (wire_name(l->file, field.bytes, &l->scratch, &name, &l->found))
			step_name_lane(l->step, name.text, name.len);
		else
			note_found(l);
		break;
	}
	l->found.code = ERR_NONE;        /* met again */
}

/* False if the file ends within it. */
static bool take_device_field(struct loading *l, const struct field *field)
{
	if (field->number < DEVICE_NAME || field->number > DEVICE_THREAD)
		return true;
	if (field->type != WIRE_BYTES)
		note_damage(l, field->key_off, "another wire type than the field has");
	else if (field->number == DEVICE_NODE)
		return take_record(l, field);
	else if (field->number == DEVICE_THREAD)
		is_whole(l, field, "a thread's name");
	return true;
}

static void take_device(struct loading *l, struct span span)
{
	struct field field;
	struct wire wire;
	size_t n = 0;

	name_lane(l, span);
	wire_start(&wire, l->file, span);
	while (wire.off < l->file->size && wire_next(&wire, &field, &l->found)) {
		if (n++ % STEP_RECORDS == 0
		    && !progress_step(l->progress, field.key_off, l->file->size)) {
			l->stopped = true;
			return;
		}
		if (!take_device_field(l, &field))
			break;
	}
	if (l->found.code)
		note_found(l);
}

static void take_stats(struct loading *l, struct span span)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, span);
	while (!l->stopped && wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == STEP_DEVICE && field.type == WIRE_BYTES &&
		    l->step->lanes.len < UINT32_MAX)
			take_device(l, field.bytes);
	if (l->found.code)
		note_found(l);
}

static void take_bare(struct loading *l)
{
	take_stats(l, (struct span){ 0, UINT64_MAX });
}

static void take_meta(struct loading *l)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, l->file, (struct span){ 0, UINT64_MAX });
	while (!l->stopped && wire.off < l->file->size && wire_next(&wire, &field, &l->found))
		if (field.number == META_STEP_STATS && field.type == WIRE_BYTES)
			take_stats(l, field.bytes);
		else if (field.number == META_PARTITION && field.type == WIRE_BYTES)
			vec_push(&l->step->graphs, field.bytes);
	if (l->found.code)
		note_found(l);
	else if (!l->stopped && wire.off > l->file->size)
		note_damage(l, l->file->size, "the file ends, %" PRIu64 " byte%s %s missing",
		            wire.off - l->file->size, plural(wire.off - l->file->size),
		            wire.off - l->file->size == 1 ? "is" : "are");
}

static bool load(struct step *step, struct file *file, void (*take)(struct loading *),
                 struct progress *progress, struct err *err)
{
	struct loading l = { .step = step, .file = file, .progress = progress };

	take(&l);
	str_release(&l.scratch);
	return !l.stopped || err_at(err, ERR_CANCELLED, step->path, 0, "stopped");
}

static bool load_run_metadata(struct step *step, struct file *file, struct progress *progress,
                              struct err *err)
{
	return load(step, file, take_meta, progress, err);
}

static bool load_step_stats(struct step *step, struct file *file, struct progress *progress,
                            struct err *err)
{
	return load(step, file, take_bare, progress, err);
}

const struct step_source run_metadata_source = {
	"RunMetadata", load_run_metadata, run_metadata_detail, run_metadata_close,
};
const struct step_source step_stats_source = {
	"StepStats", load_step_stats, run_metadata_detail, run_metadata_close,
};
