/*
 * Records are put one behind the other into a file without a name; rows are sorted by worker, then
 * by set, file and offset, so that each file is a part of it. Which names come from several workers
 * is found out by a first reading.
 */
#include "dump/summary/event_files.h"

#include <string.h>
#include <unistd.h>

#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/format/crc32c.h"
#include "dump/format/unpack.h"
#include "dump/model/program.h"
#include "dump/summary/reader.h"

enum { STEP_ROWS = 1024 };

/* A set of files: its worker's and its own name, as keys have them. */
struct set_name {
	const char *worker, *prefix;
};

struct files {
	const char *path, *worker;       /* worker: the only one; NULL: all */
	VEC(struct set_name) sets;
	struct mount *mount;             /* NULL: names are looked for */
	struct room room;
	size_t set;                      /* that the rows are of, from 1 */
	int suffix;                      /* the file that is being put; PROGRAM_FILE_KINDS: none */
	uint64_t begin;                  /* where it begins */
	struct str name, record;         /* of the set, without the suffix; scratch */
	struct map names;                /* of all sets so far */
	struct arena mem;
	struct progress *progress;
	struct err *err;
};

typedef bool take_row(void *context, const struct summary_row *row);

static bool each_row(const char *path, take_row *take, void *context, struct progress *progress,
                     struct err *err)
{
	struct summary_reader *r = summary_open(path, err);
	struct summary_row row;
	uint64_t done, total;
	bool ok = r;

	for (size_t n = 0; ok && summary_next(r, &row, err); n++) {
		done = n % STEP_ROWS ? 0 : summary_read_bytes(r, &total);
		if (done && !progress_step(progress, done, total))
			ok = err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
		ok = ok && take(context, &row);
	}
	summary_close(r);
	return ok && !err->code;
}

/* ---- names */

static bool is_asked_for(const struct files *f, const struct summary_key *key)
{
	return key->kind == SUMMARY_EVENT && (!f->worker || !strcmp(key->worker, f->worker));
}

static bool note_set(void *context, const struct summary_row *row)
{
	struct files *f = context;
	const struct set_name *last = f->sets.len ? vec_last(&f->sets) : NULL;
	const struct summary_key *key = &row->key;

	if (!is_asked_for(f, key) ||
	    (last && !strcmp(last->worker, key->worker) && !strcmp(last->prefix, key->run)))
		return true;
	vec_push(&f->sets, ((struct set_name){
		arena_copy(&f->mem, key->worker, strlen(key->worker)),
		arena_copy(&f->mem, key->run, strlen(key->run)),
	}));
	return true;
}

static bool is_shared(const struct files *f, const char *prefix)
{
	size_t n = 0;

	for (size_t i = 0; i < f->sets.len; i++)
		n += !strcmp(f->sets.at[i].prefix, prefix);
	return n > 1;
}

/* A name in a key is anyone's: no part of it is a directory. */
static void put_safe(struct str *out, const char *text)
{
	for (; *text; text++)
		str_putc(out, *text == '/' ? '_' : *text);
}

/* What the files of the set are called; two workers may be alike but for their slashes. */
static void name_set(struct files *f)
{
	const struct set_name *set = &f->sets.at[f->set - 1];

	str_reset(&f->name);
	put_safe(&f->name, set->prefix);
	if (is_shared(f, set->prefix)) {
		str_putc(&f->name, '@');
		put_safe(&f->name, set->worker);
	}
	while (map_find(&f->names, f->name.text, f->name.len) != MAP_NONE)
		str_putc(&f->name, '_');
	map_add(&f->names, &f->mem, f->name.text, f->name.len);
}

static int suffix_of(const char *name)
{
	int i = 0;

	while (i < PROGRAM_FILE_KINDS && strcmp(program_file_suffix[i], name) != 0)
		i++;
	return i;
}

/* ---- files */

/* A part of the file without a name; a later one of the same name takes its place. */
static void add_file(struct files *f, int suffix, uint64_t size)
{
	struct str name = {0};

	str_fmt(&name, "%s.%s", f->name.text, program_file_suffix[suffix]);
	mount_add(f->mount, name.text,
	          &(struct mount_file){ .fd = f->room.fd, .off = f->begin, .size = size });
	str_release(&name);
}

static void end_file(struct files *f)
{
	if (f->suffix < PROGRAM_FILE_KINDS)
		add_file(f, f->suffix, f->room.used - f->begin);
	f->suffix = PROGRAM_FILE_KINDS;
	f->begin = f->room.used;
}

/* All of a set, empty: those with events are added again. */
static void begin_set(struct files *f)
{
	end_file(f);
	f->set++;
	name_set(f);
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		add_file(f, i, 0);
}

static void put_low_first(struct str *out, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		str_putc(out, (char)(number >> (8 * i)));
}

/* As a record of a TFRecord file. */
static bool put_record(struct files *f, struct text payload)
{
	struct str *record = &f->record;

	str_reset(record);
	put_low_first(record, payload.len, 8);
	put_low_first(record, crc32c_masked(crc32c(0, record->text, 8)), 4);
	str_put(record, payload.at, payload.len);
	put_low_first(record, crc32c_masked(crc32c(0, payload.at, payload.len)), 4);
	return room_put(&f->room, record->text, record->len, f->err);
}

static bool is_of_set(const struct files *f, const struct summary_key *key)
{
	const struct set_name *set = f->set ? &f->sets.at[f->set - 1] : NULL;

	return set && !strcmp(set->worker, key->worker) && !strcmp(set->prefix, key->run);
}

static bool put_event(void *context, const struct summary_row *row)
{
	struct files *f = context;
	int suffix = suffix_of(row->key.node);

	if (!is_asked_for(f, &row->key) || suffix == PROGRAM_FILE_KINDS)
		return true;
	if (!is_of_set(f, &row->key)) {
		if (f->set == f->sets.len)
			return err_at(f->err, ERR_FORMAT, f->path, row->off,
			              "the summary is another one now");
		begin_set(f);
	}
	if (suffix != f->suffix)
		end_file(f);
	f->suffix = suffix;
	return put_record(f, row->value);
}

/* ---- both readings */

/* A worker that was named has to be there. */
static bool is_known(const struct files *f)
{
	return f->sets.len || !f->worker
	       || err_at(f->err, ERR_VALUE, f->path, 0, "no worker is called %s", f->worker);
}

struct mount *summary_mount_events(const char *path, const char *as, const char *worker,
                                   struct progress *progress, struct err *err)
{
	struct files f = { .path = path, .worker = worker, .progress = progress, .err = err,
	                   .suffix = PROGRAM_FILE_KINDS,
	                   .room = { .path = path, .fd = -1, .most = UINT64_MAX } };
	bool ok = each_row(path, note_set, &f, progress, err) && is_known(&f) &&
	          room_put(&f.room, "", 0, err);

	if (ok) {
		f.mount = mount_new(as);
		ok = each_row(path, put_event, &f, progress, err);
	}
	if (ok)
		end_file(&f);
	if (f.room.fd >= 0 && f.mount)
		mount_own(f.mount, f.room.fd);
	else if (f.room.fd >= 0)
		close(f.room.fd);
	if (ok) {
		mount_show(f.mount);
	} else {
		mount_release(f.mount);
		f.mount = NULL;
	}
	vec_release(&f.sets);
	str_release(&f.name);
	str_release(&f.record);
	map_release(&f.names);
	arena_release(&f.mem);
	return f.mount;
}
