/*
 * Recorded programs: their records, without what is long. The files are walked twice: once to tell
 * the keys, then in blocks of records that are shared among threads.
 */
#include "cmds/summary/gather.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "dump/base/share.h"
#include "dump/files/walk.h"
#include "dump/format/tfrecord.h"
#include "dump/summary/measure.h"
#include "dump/v2/event_brief.h"
#include "dump/v2/parts.h"
#include "dump/v2/root.h"

enum { BLOCK_RECORDS = 256 };

/* One of the files of a program. */
struct events_file {
	const char *path, *prefix, *suffix;      /* suffix: "execution" */
};

struct event_place {
	uint32_t file;
	uint64_t off;
	struct span payload;
};

struct events {
	struct gather *g;
	VEC(struct events_file) files;
	VEC(struct event_place) wanted;  /* of which this shard has a row */
	struct worker_names *names;      /* not NULL: only devices are looked for */
	pthread_mutex_t lock;            /* guards the store and done */
	struct arena mem;
	struct err *err;
};

/* ---- keys */

static struct summary_key key_of(const struct events *e, enum summary_kind kind,
                                 const struct event_place *at, uint32_t row)
{
	const struct events_file *file = &e->files.at[at->file];

	return (struct summary_key){ .kind = kind, .worker = e->g->worker, .run = file->prefix,
	                             .device = "", .node = file->suffix, .slot = row,
	                             .debug_op = "", .number = at->off };
}

/* How many tensors of an event are stored as a whole. */
static size_t n_whole(struct file *file, const struct event *event, struct event_execution *scratch,
                      struct err *err)
{
	struct event_trace trace;
	size_t n = 0;

	if (event->what == EVENT_TRACE && event_trace(file, event->body, &trace, err))
		return trace.mode == V2_FULL_TENSOR && trace.tensor.len;
	if (event->what != EVENT_EXECUTION ||
	    !event_execution(file, event->body, scratch, err) || scratch->mode != V2_FULL_TENSOR)
		return 0;
	for (size_t i = 0; i < scratch->tensors.len; i++)
		if (scratch->tensors.at[i].len)
			n = i + 1;
	return n;
}

static bool takes(struct events *e, const struct summary_key *key)
{
	str_reset(&e->g->key);
	summary_put_key(&e->g->key, key);
	return summary_store_takes(e->g->store, &e->g->key);
}

static void tell_keys(struct events *e, const struct event_place *at, size_t n_tensors)
{
	struct summary_key key = key_of(e, SUMMARY_EVENT, at, 0);
	bool wanted = takes(e, &key);

	for (size_t row = 0; row < n_tensors; row++) {
		key = key_of(e, SUMMARY_TENSOR, at, (uint32_t)row);
		wanted = takes(e, &key) || wanted;
	}
	if (wanted)
		vec_push(&e->wanted, *at);
}

/* ---- the walk */

static void note_damage(struct events *e, const struct events_file *file, uint64_t off,
                        uint64_t bytes, enum program_damage_kind what)
{
	struct str text = {0};
	struct problem problem = { .file = "", .off = off, .kind = PROBLEM_DAMAGED,
	                           .unread = true };

	if (what == PROGRAM_TRUNCATED)
		problem.kind = PROBLEM_CUT;
	else if (what == PROGRAM_UNREADABLE)
		problem.kind = PROBLEM_UNREADABLE;
	str_fmt(&text, "%s: %" PRIu64 " bytes passed over", program_damage_name[what], bytes);
	problem.text = text.text;
	gather_problem(e->g, file->prefix, file->path, &problem);
	str_release(&text);
}

static void see_device(struct events *e, struct file *file, const struct event *event)
{
	struct event_device device;
	struct str scratch = {0}, name = {0};
	struct name text;
	struct err err = {0};

	if (event->what == EVENT_DEVICE && event_device(file, event->body, &device, &err) &&
	    wire_name(file, device.name, &scratch, &text, &err)) {
		str_put(&name, text.text, text.len);
		worker_see_device(e->names, str_text(&name));
	}
	str_release(&scratch);
	str_release(&name);
}

static void take_record(struct events *e, uint32_t number, struct file *file,
                        const struct tfrecord *record)
{
	struct event_place at = { number, record->off, record->payload };
	struct event_execution scratch = {0};
	struct event event;
	struct err err = {0};
	size_t n = 0;

	if (event_read(file, record->payload, &event, &err) && !e->names)
		n = n_whole(file, &event, &scratch, &err);
	if (e->names && !err.code)
		see_device(e, file, &event);
	else if (!e->names && err.code)
		note_damage(e, &e->files.at[number], record->off, record->bytes,
		            PROGRAM_NOT_AN_EVENT);
	else if (!e->names && event.what != EVENT_SOURCE && event.what != EVENT_FRAME)
		tell_keys(e, &at, n);
	vec_release(&scratch.inputs);
	vec_release(&scratch.outputs);
	vec_release(&scratch.devices);
	vec_release(&scratch.tensors);
}

static bool walk_records(struct events *e, uint32_t number, struct file *file)
{
	static const enum program_damage_kind kinds[] = {
		[TFRECORD_BAD_LENGTH] = PROGRAM_LENGTH_CHECKSUM,
		[TFRECORD_BAD_PAYLOAD] = PROGRAM_PAYLOAD_CHECKSUM,
		[TFRECORD_CUT] = PROGRAM_TRUNCATED,
	};
	struct tfrecord_walk walk = { .file = file, .progress = e->g->progress };
	struct tfrecord record;

	for (;;) {
		struct err err = {0};
		enum tfrecord_found found = tfrecord_next(&walk, &record, &err);

		if (found == TFRECORD_END)
			return true;
		if (found == TFRECORD_STOPPED && err.code == ERR_CANCELLED) {
			*e->err = err;
			return false;
		}
		if (found == TFRECORD_WHOLE)
			take_record(e, number, file, &record);
		else if (found == TFRECORD_STOPPED && !e->names)
			note_damage(e, &e->files.at[number], walk.off, file->size - walk.off,
			            PROGRAM_UNREADABLE);
		else if (!e->names)
			note_damage(e, &e->files.at[number], record.off, record.bytes,
			            kinds[found]);
		if (found == TFRECORD_STOPPED)
			return true;
	}
}

static bool walk_file(struct events *e, uint32_t number)
{
	struct file file;
	bool ok;

	if (!file_open(&file, e->files.at[number].path, NULL)) {
		if (!e->names)
			note_damage(e, &e->files.at[number], 0, 0, PROGRAM_UNREADABLE);
		return true;
	}
	ok = walk_records(e, number, &file);
	file_close(&file);
	return ok;
}

/* ---- rows */

/* A record whose rows are made. */
struct making {
	struct events *e;
	const struct event_place *at;
	const char *path;
};

static void put_row(struct events *e, const struct summary_key *key, struct str *value)
{
	struct str bytes = {0};

	summary_put_key(&bytes, key);
	if (summary_is_in_shard(&bytes, e->g->store->k, e->g->store->n)) {
		pthread_mutex_lock(&e->lock);
		summary_store_put(e->g->store, &bytes, value);
		pthread_mutex_unlock(&e->lock);
	}
	str_release(&bytes);
}

static void health_of(const struct summary_value *value, struct health *out)
{
	bool of_numbers;

	if (value->state != SUMMARY_ARRAY || !shape_count(&value->shape, &out->size))
		return;
	of_numbers = value->type->kind != KIND_BOOL;
	out->known = HEALTH_DTYPE | HEALTH_RANK | HEALTH_SIZE | HEALTH_COUNTS | HEALTH_SIGNS;
	out->dtype = value->type->dtype;
	out->rank = value->shape.rank;
	out->nan = value->nan;
	out->neg_inf = value->neg_inf;
	out->pos_inf = value->pos_inf;
	out->negative = value->negative;
	out->zero = of_numbers ? value->zero : 0;
	out->positive = of_numbers ? value->positive : 0;
}

static bool measure(void *context, uint32_t row, struct span tensor, struct health *health,
                    struct err *err)
{
	struct making *m = context;
	struct summary_key key = key_of(m->e, SUMMARY_TENSOR, m->at, row);
	struct summary_value out = { .modulus = -1, .time_us = -1,
	                             .size_bytes = (int64_t)tensor.len };
	struct progress own = progress_of_part(m->e->g->progress);
	struct str bytes = {0};
	struct err why = {0};
	struct value *value = value_open_proto(m->path, tensor.off, tensor.len, true, &why);
	bool ok = value && summary_measure(value, &out, &own, &why);

	value_close(value);
	if (!ok && why.code == ERR_CANCELLED) {
		*err = why;
		summary_value_release(&out);
		return false;
	}
	if (!ok) {
		out.state = SUMMARY_UNREADABLE;
		out.problem = why.msg;
		out.problem_off = why.off;
		out.problem_kind = problem_of_err(&why);
	}
	health_of(&out, health);
	summary_put_value(&bytes, &out);
	put_row(m->e, &key, &bytes);
	pthread_mutex_lock(&m->e->lock);
	m->e->g->done->values++;
	m->e->g->done->unread += !ok;
	pthread_mutex_unlock(&m->e->lock);
	str_release(&bytes);
	summary_value_release(&out);
	return true;
}

static bool make_rows(struct events *e, const struct event_place *at, struct file *file)
{
	struct making making = { e, at, file->path };
	struct event_brief brief = { measure, &making };
	struct summary_key key = key_of(e, SUMMARY_EVENT, at, 0);
	struct str value = {0};
	struct err err = {0};
	bool ok = event_put_brief(file, at->payload, &brief, &value, &err);

	if (ok)
		put_row(e, &key, &value);
	str_release(&value);
	return ok || err.code != ERR_CANCELLED;
}

/* A block of records; those of one file come together. */
static bool make_block(void *context, size_t i)
{
	struct events *e = context;
	size_t end = (i + 1) * BLOCK_RECORDS < e->wanted.len ? (i + 1) * BLOCK_RECORDS
	                                                     : e->wanted.len;
	struct file file = { .fd = -1 };
	uint32_t open = UINT32_MAX;
	bool ok = true;

	for (size_t k = i * BLOCK_RECORDS; ok && k < end; k++) {
		const struct event_place *at = &e->wanted.at[k];

		if (at->file != open && file.fd >= 0)
			file_close(&file);
		if (at->file != open && !file_open(&file, e->files.at[at->file].path, NULL))
			file = (struct file){ .fd = -1 };
		open = at->file;
		ok = file.fd < 0 || make_rows(e, at, &file);
	}
	if (file.fd >= 0)
		file_close(&file);
	return ok;
}

/* ---- all of them */

static bool list_files(struct events *e, const char *path, struct err *err)
{
	struct listing list = {0};
	bool ok = listing_of(&list, path, err);

	for (size_t i = 0; ok && i < list.entries.len; i++) {
		const char *name = list.entries.at[i].name;
		struct v2_name parts;
		struct events_file *file;

		if (list.entries.at[i].kind != ENTRY_FILE || !v2_name(name, &parts))
			continue;
		file = vec_add(&e->files);
		file->path = arena_fmt(&e->mem, "%s/%s", path, name);
		file->prefix = arena_copy(&e->mem, parts.prefix.at, parts.prefix.len);
		file->suffix = program_file_suffix[parts.kind];
	}
	listing_release(&list);
	return ok;
}

static bool walk_files(struct events *e, const char *path, struct err *err)
{
	bool ok = list_files(e, path, err);

	e->err = err;
	for (size_t i = 0; ok && i < e->files.len; i++)
		ok = walk_file(e, (uint32_t)i);
	return ok;
}

static void release(struct events *e)
{
	vec_release(&e->files);
	vec_release(&e->wanted);
	arena_release(&e->mem);
}

bool gather_program_devices(struct gather *g, const char *path, struct worker_names *names,
                            struct err *err)
{
	struct events e = { .g = g, .names = names };
	bool ok = walk_files(&e, path, err);

	release(&e);
	return ok;
}

bool gather_programs(struct gather *g, const char *path, struct err *err)
{
	struct events e = { .g = g };
	bool ok = walk_files(&e, path, err);
	size_t n = (e.wanted.len + BLOCK_RECORDS - 1) / BLOCK_RECORDS;

	if (ok) {
		pthread_mutex_init(&e.lock, NULL);
		ok = share_work(n, make_block, &e, g->progress) == n ||
		     err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		pthread_mutex_destroy(&e.lock);
	}
	release(&e);
	return ok;
}
