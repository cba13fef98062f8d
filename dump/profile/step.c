#include "dump/profile/step.h"

#include <stdlib.h>
#include <string.h>

#include "dump/profile/step_source.h"

static void step_empty(struct step *step)
{
	vec_release(&step->lanes);
	vec_release(&step->records);
	vec_release(&step->wide);
	vec_release(&step->graphs);
	map_release(&step->names);
	arena_release(&step->mem);
	step->damage = (struct err){0};
	step->loaded = false;
}

static bool load(struct step *step, struct file *file, struct progress *progress, struct err *err)
{
	step->stamp = file_stamp(file);
	if (step->teller && !detail_open(&step->teller->reader, step, err))
		return false;
	if (progress)
		atomic_store(&progress->what, "bytes of the profile");
	map_add(&step->names, &step->mem, "", 0);
	if (!step->source->load(step, file, progress, err))
		return false;
	if (step->damage.code && !step->lanes.len && !step->graphs.len) {
		if (err)
			*err = step->damage;
		return false;
	}
	map_seal(&step->names);
	return true;
}

bool step_load(struct step *step, struct progress *progress, struct err *err)
{
	struct file file;

	step_empty(step);
	if (!file_open(&file, step->path, err))
		return false;
	step->loaded = load(step, &file, progress, err);
	file_close(&file);
	if (!step->loaded)
		step_empty(step);
	return step->loaded;
}

bool step_tell(struct step *step, struct step_teller *teller, struct progress *progress,
               struct err *err)
{
	bool ok;

	step->teller = teller;
	ok = step_load(step, progress, err);
	step->teller = NULL;
	detail_close(&teller->reader);
	str_release(&teller->name);
	return ok;
}

void step_release(struct step *step)
{
	step_empty(step);
}

/* For sources. */

void step_add_lane(struct step *step)
{
	struct lane lane = { .device = "", .kind = LANE_OTHER, .first = step->records.len };

	vec_push(&step->lanes, lane);
}

void step_name_lane(struct step *step, const char *device, size_t len)
{
	struct lane *lane = vec_last(&step->lanes);

	lane->device = arena_copy(&step->mem, device, len);
	lane->kind = lane_kind_of(lane->device);
}

uint32_t step_name(struct step *step, const char *name, size_t len)
{
	if (step->teller) {
		str_reset(&step->teller->name);
		str_put(&step->teller->name, name, len);
	}
	return step->times_only || step->teller ? 0 : map_add(&step->names, &step->mem, name, len);
}

/* Frees all of it. */
static void tell(struct step *step, const struct record *record)
{
	struct step_teller *teller = step->teller;

	teller->take(teller, record, (struct text){ str_text(&teller->name), teller->name.len });
	str_reset(&teller->name);
	step->wide.len = 0;
}

void step_add_record(struct step *step, struct record *record, const struct record_times *times)
{
	record->lane = (uint32_t)step->lanes.len - 1;
	times_pack(step, record, times);
	if (step->teller) {
		tell(step, record);
		return;
	}
	vec_push(&step->records, *record);
	vec_last(&step->lanes)->n++;
}

/* Details. */

bool detail_open(struct detail_reader *reader, const struct step *step, struct err *err)
{
	*reader = (struct detail_reader){ .step = step };
	return file_open_again(&reader->file, step->path, &step->stamp, err);
}

bool detail_read(struct detail_reader *reader, const struct record *record, unsigned want,
                 struct err *err)
{
	struct err found;
	bool ok;

	found.code = ERR_NONE;
	ok = reader->step->source->detail(reader, record, want, &found);
	if (!ok && err)
		*err = found;
	return ok;
}

const char *detail_label(struct detail_reader *reader, const struct record *record, size_t *len,
                         struct err *err)
{
	bool ok = detail_read(reader, record, DETAIL_LABEL, err);

	*len = ok ? reader->detail.label_len : 0;
	return ok ? reader->detail.label : NULL;
}

void detail_close(struct detail_reader *reader)
{
	if (!reader->step)
		return;
	reader->step->source->close(reader);
	file_close(&reader->file);
	reader->step = NULL;
}

int64_t detail_requested(const struct record_detail *detail)
{
	uint64_t sum = (uint64_t)detail->temp + (uint64_t)detail->persistent;

	for (size_t i = 0; i < detail->n_memory; i++)
		sum += (uint64_t)detail->memory[i].total;
	return (int64_t)sum;
}
