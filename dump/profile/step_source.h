#ifndef DUMP_STEP_SOURCE_H
#define DUMP_STEP_SOURCE_H

#include "dump/profile/step.h"

/*
 * Reads one kind of trace into the model of dump/profile/step.h. Nothing else knows its bytes:
 * another kind is another file with one of these, and a row of the table in
 * dump/profile/profile_find.c.
 */
struct step_source {
	const char *name;
	/*
	 * Fills an empty step by the calls below; sets graphs and damage (the first one; sound data
	 * around it is kept) itself. False with *err after a cancel.
	 */
	bool (*load)(struct step *step, struct file *file, struct progress *progress,
	             struct err *err);
	/* Reads what is wanted (enum detail_want) into reader->detail; its label is never NULL. */
	bool (*detail)(struct detail_reader *reader, const struct record *record, unsigned want,
	               struct err *err);
	/* Frees reader->store, which the first call of detail made. */
	void (*close)(struct detail_reader *reader);
};

/* For sources: a lane, its device before its records. Texts are copied. */
void step_add_lane(struct step *step);
void step_name_lane(struct step *step, const char *device, size_t len);
/* The record has its place and its name (by step_name); its lane and times are set here. */
uint32_t step_name(struct step *step, const char *name, size_t len);
void step_add_record(struct step *step, struct record *record, const struct record_times *times);

/* For step_add_record: packs them; what does not fit goes to step->wide. */
void times_pack(struct step *step, struct record *record, const struct record_times *times);

#endif
