/*
 * One pass over the file. Lengths of the messages that hold the records are not believed: a file that is cut gives what
 * is whole before its end. Damage inside a record ends that record only; damage between records ends its device.
 */
#include "dump/profile/step_stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/step_parts.h"

#define STEP_RECORDS 4096        /* between two looks at progress */

struct loading {
	struct step *step;
	struct file file;
	struct progress *progress;
	struct str scratch;
	struct err found;        /* the latest; here because clearing one for each record takes long */
	uint32_t no_name;
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
	uint64_t left = l->file.size > field->bytes.off ? l->file.size - field->bytes.off : 0;

	if (field->bytes.len > left)
		note_damage(l, field->key_off, "%s of %" PRIu64 " byte%s, the file ends after %" PRIu64, what,
		            field->bytes.len, plural(field->bytes.len), left);
	return field->bytes.len <= left;
}

static bool take_name(struct loading *l, const struct field *field, struct record *record)
{
	struct step *step = l->step;
	struct name name;

	if (step->times_only)
		return true;
	if (!wire_name(&l->file, field->bytes, &l->scratch, &name, &l->found))
		return false;
	record->name = map_add(&step->names, &step->mem, name.text, name.len);
	return true;
}

static bool take_exec_field(struct loading *l, const struct field *field, struct record *record, struct raw_times *raw)
{
	bool is_number = (field->number >= EXEC_ALL_START && field->number <= EXEC_ALL_END)
	                 || field->number == EXEC_SCHEDULED || field->number == EXEC_THREAD
	                 || (field->number >= EXEC_ALL_START_NS && field->number <= EXEC_SCHEDULED_NS);

	if (field->number == EXEC_NAME && field->type == WIRE_BYTES)
		return take_name(l, field, record);
	if (is_number && field->type == WIRE_VARINT)
		raw->at[field->number] = (int64_t)field->number_value;
	else if (is_number || field->number == EXEC_NAME)
		return err_at(&l->found, ERR_FORMAT, l->step->path, field->key_off, "another wire type than the field has");
	return true;
}

/* False if the file ends within the record. */
static bool take_record(struct loading *l, const struct field *outer)
{
	struct step *step = l->step;
	struct record record = { .off = outer->bytes.off, .name = l->no_name, .lane = (uint32_t)step->lanes.len - 1 };
	struct raw_times raw = {0};
	struct field field;
	struct wire wire;

	if (!is_whole(l, outer, "a record"))
		return false;
	if (outer->bytes.len > UINT32_MAX) {
		note_damage(l, outer->key_off, "a record of %" PRIu64 " bytes", outer->bytes.len);
		return true;
	}
	record.len = (uint32_t)outer->bytes.len;
	wire_start(&wire, &l->file, outer->bytes);
	while (wire_next(&wire, &field, &l->found))
		if (!take_exec_field(l, &field, &record, &raw))
			break;
	if (l->found.code)
		note_found(l);
	record.thread = (uint32_t)raw.at[EXEC_THREAD];
	times_pack(step, &record, &raw);
	vec_push(&step->records, record);
	vec_last(&step->lanes)->n++;
	return true;
}

/* An entry of a map from numbers to texts. */
static void take_thread(struct loading *l, const struct field *outer)
{
	struct step *step = l->step;
	struct thread_name thread = { .name = "" };
	struct field field;
	struct wire wire;
	struct name name;

	if (!is_whole(l, outer, "a thread's name"))
		return;
	wire_start(&wire, &l->file, outer->bytes);
	while (wire_next(&wire, &field, &l->found)) {
		if (field.number == 1 && field.type == WIRE_VARINT)
			thread.id = (uint32_t)field.number_value;
		else if (field.number == 2 && field.type == WIRE_BYTES
		         && wire_name(&l->file, field.bytes, &l->scratch, &name, &l->found))
			thread.name = arena_copy(&step->mem, name.text, name.len);
	}
	if (l->found.code)
		note_found(l);
	vec_push(&step->threads, thread);
	vec_last(&step->lanes)->n_threads++;
}

static bool take_device_field(struct loading *l, const struct field *field)
{
	struct lane *lane = vec_last(&l->step->lanes);
	struct name name;

	if (field->number < DEVICE_NAME || field->number > DEVICE_THREAD)
		return true;
	if (field->type != WIRE_BYTES) {
		note_damage(l, field->key_off, "another wire type than the field has");
		return true;
	}
	if (field->number == DEVICE_NODE)
		return take_record(l, field);
	if (field->number == DEVICE_THREAD) {
		take_thread(l, field);
	} else if (wire_name(&l->file, field->bytes, &l->scratch, &name, &l->found)) {
		lane->device = arena_copy(&l->step->mem, name.text, name.len);
		lane->kind = lane_kind_of(lane->device);
	} else {
		note_found(l);
	}
	return true;
}

static void take_device(struct loading *l, struct span span)
{
	struct step *step = l->step;
	struct field field;
	struct wire wire;
	size_t n = 0;

	vec_push(&step->lanes, ((struct lane){ .device = "", .kind = LANE_OTHER, .first = step->records.len,
	                                       .first_thread = step->threads.len }));
	wire_start(&wire, &l->file, span);
	while (wire.off < l->file.size && wire_next(&wire, &field, &l->found)) {
		if (n++ % STEP_RECORDS == 0 && !progress_step(l->progress, field.key_off, l->file.size)) {
			l->stopped = true;
			return;
		}
		if (!take_device_field(l, &field))
			break;
	}
	if (l->found.code)
		note_found(l);
}

static void take_step_stats(struct loading *l, struct span span)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &l->file, span);
	while (!l->stopped && wire.off < l->file.size && wire_next(&wire, &field, &l->found))
		if (field.number == STEP_DEVICE && field.type == WIRE_BYTES && l->step->lanes.len < UINT32_MAX)
			take_device(l, field.bytes);
	if (l->found.code)
		note_found(l);
}

static void take_meta_field(struct loading *l, const struct field *field)
{
	struct step *step = l->step;

	if (field->type != WIRE_BYTES)
		return;
	switch (field->number) {
	case META_STEP_STATS:
		take_step_stats(l, field->bytes);
		break;
	case META_COST_GRAPH:
		step->cost_graph = field->bytes;
		break;
	case META_PARTITION:
		vec_push(&step->graphs, field->bytes);
		break;
	case META_FUNCTION:
		vec_push(&step->functions, field->bytes);
		break;
	}
}

static void take_meta(struct loading *l)
{
	struct field field;
	struct wire wire;

	wire_start(&wire, &l->file, (struct span){ 0, UINT64_MAX });
	while (!l->stopped && wire.off < l->file.size && wire_next(&wire, &field, &l->found))
		take_meta_field(l, &field);
	if (l->found.code)
		note_found(l);
	else if (!l->stopped && wire.off > l->file.size)
		note_damage(l, l->file.size, "the file ends, %" PRIu64 " byte%s %s missing",
		            wire.off - l->file.size, plural(wire.off - l->file.size),
		            wire.off - l->file.size == 1 ? "is" : "are");
}

static void step_empty(struct step *step)
{
	vec_release(&step->lanes);
	vec_release(&step->records);
	vec_release(&step->threads);
	vec_release(&step->wide);
	vec_release(&step->graphs);
	vec_release(&step->functions);
	map_release(&step->names);
	arena_release(&step->mem);
	step->cost_graph = (struct span){0};
	step->damage = (struct err){0};
	step->loaded = false;
}

bool step_load(struct step *step, struct progress *progress, struct err *err)
{
	struct loading l = { .step = step, .progress = progress };

	step_empty(step);
	if (!file_open(&l.file, step->path, err))
		return false;
	step->stamp = file_stamp(&l.file);
	if (progress)
		atomic_store(&progress->what, "bytes of the profile");
	l.no_name = map_add(&step->names, &step->mem, "", 0);
	if (step->bare)
		take_step_stats(&l, (struct span){ 0, UINT64_MAX });
	else
		take_meta(&l);
	str_release(&l.scratch);
	file_close(&l.file);
	if (l.stopped || (step->damage.code && !step->lanes.len && !step->graphs.len)) {
		if (l.stopped)
			err_fill(err, ERR_CANCELLED, step->path, 0, "stopped");
		else if (err)
			*err = step->damage;
		step_empty(step);
		return false;
	}
	map_seal(&step->names);
	step->loaded = true;
	return true;
}

void step_release(struct step *step)
{
	step_empty(step);
}
