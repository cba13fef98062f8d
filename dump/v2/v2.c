/*
 * One pass over the files of a run, one after the other. The tag of a record says what it is, not
 * the file that it is in. If a file has grown, the walk goes on from where it stopped: at the
 * former end, or at a record that was cut.
 */
#include "dump/v2/v2.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/base/bytes.h"
#include "dump/format/file.h"
#include "dump/format/json.h"
#include "dump/v2/index.h"
#include "dump/v2/parts.h"

/* How much is read at once: what a processor keeps near while the records in it are taken apart. */
#ifdef READ_CHUNK
#define BLOCK READ_CHUNK
#else
#define BLOCK (256 * 1024)
#endif

struct walking {
	struct indexing x;
	struct progress *outer, inner;   /* of all files; of one */
	uint64_t base, total;            /* bytes of the files before this one, of all */
};

char *v2_path(const struct program *program, uint16_t set, int kind)
{
	struct str path = {0};

	str_fmt(&path, "%s/%s.%s", program->path, program->sets.at[set].prefix,
	        program_file_suffix[kind]);
	return path.text;
}

/* The place of the i-th file of all sets. */
static struct program_place place_of_file(size_t i)
{
	return (struct program_place){ 0, (uint16_t)(i / PROGRAM_FILE_KINDS),
	                               (uint8_t)(i % PROGRAM_FILE_KINDS) };
}

static void add_damage(struct indexing *x, uint64_t off, uint64_t bytes,
                       enum program_damage_kind what)
{
	struct program_place at = { off, x->at.set, x->at.file };

	vec_push(&x->program->damage, ((struct program_damage){ at, bytes, what }));
}

static bool same_file(const struct program_place *a, const struct program_place *b)
{
	return a->set == b->set && a->file == b->file;
}

/* Drops damage at the file's end, from off on, or of the whole file: it may be mended now. */
static void forget_end(struct indexing *x, uint64_t off)
{
	size_t n = 0;

	for (size_t i = 0; i < x->program->damage.len; i++) {
		struct program_damage damage = x->program->damage.at[i];

		if (!same_file(&damage.at, &x->at) ||
		    (damage.what < PROGRAM_MISSING && damage.at.off < off))
			x->program->damage.at[n++] = damage;
	}
	x->program->damage.len = n;
}

/* Gets the record at the walk into the window, with as many after it as there is room for. */
static void read_ahead(const struct tfrecord_walk *walk)
{
	struct file *file = walk->file;
	uint64_t left, at = walk->off - file->off, len;

	if (walk->off >= file->size)
		return;
	left = file->size - walk->off;
	if (walk->off >= file->off && at + TFRECORD_FRAME <= file->len) {
		len = little_endian(file->window + at, 8);
		if (len <= file->len - at - TFRECORD_FRAME)
			return;
	}
	file_bytes(file, walk->off, left < BLOCK ? (size_t)left : BLOCK, NULL);
}

/* Takes a whole record in; true if there is an event in it. */
static bool take_record(struct indexing *x, const struct tfrecord *record)
{
	struct v2_reading *reading = x->reading;
	struct event event;

	x->at.off = record->off;
	x->len = record->payload.len;
	if (!event_read(x->file, record->payload, &event, &x->err) || !index_event(x, &event))
		return false;
	if (event.time == event.time && (!reading->any_time || event.time < reading->first_time)) {
		reading->first_time = event.time;
		reading->any_time = true;
	}
	return true;
}

/* Walks on to the end of the file. False after a cancel. */
static bool walk_file(struct indexing *x, struct tfrecord_walk *walk)
{
	static const enum program_damage_kind kinds[] = {
		[TFRECORD_BAD_LENGTH] = PROGRAM_LENGTH_CHECKSUM,
		[TFRECORD_BAD_PAYLOAD] = PROGRAM_PAYLOAD_CHECKSUM,
		[TFRECORD_CUT] = PROGRAM_TRUNCATED,
	};
	struct program_file *shown = &x->program->sets.at[x->at.set].file[x->at.file];
	enum tfrecord_found found;
	struct tfrecord record;

	for (;;) {
		if (x->err.code)
			x->err = (struct err){0};
		read_ahead(walk);
		found = tfrecord_next(walk, &record, &x->err);
		if (found == TFRECORD_END)
			return true;
		if (found == TFRECORD_STOPPED) {
			if (x->err.code == ERR_CANCELLED)
				return false;
			add_damage(x, walk->off, x->file->size - walk->off, PROGRAM_UNREADABLE);
			return true;
		}
		if (found != TFRECORD_WHOLE)
			add_damage(x, record.off, record.bytes, kinds[found]);
		else if (take_record(x, &record))
			shown->records++;
		else
			add_damage(x, record.off, record.bytes, PROGRAM_NOT_AN_EVENT);
	}
}

static void stamp(struct v2_file *f, const struct file *file)
{
	struct stat st;

	f->there = true;
	f->size = file->size;
	f->changed_ns = file->changed_ns;
	if (fstat(file->fd, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
}

/* Reads the rest of the i-th file, after what was read before. False after a cancel. */
static bool read_file(struct walking *w, size_t i)
{
	struct indexing *x = &w->x;
	struct v2_file *f = &x->reading->files.at[i];
	struct program_file *shown;
	struct file file;
	struct stat st;
	char *path;
	bool ok = true;

	x->at = place_of_file(i);
	shown = &x->program->sets.at[x->at.set].file[x->at.file];
	path = v2_path(x->program, x->at.set, x->at.file);
	forget_end(x, f->walk.off);
	if (file_open(&file, path, NULL)) {
		stamp(f, &file);
		shown->missing = false;
		shown->bytes = file.size;
		f->walk.file = x->file = &file;
		f->walk.progress = w->outer ? &w->inner : NULL;
		ok = walk_file(x, &f->walk);
		f->walk.file = NULL;
		f->walk.progress = NULL;
		file_close(&file);
		if (x->at.file == PROGRAM_FILE_METADATA && !shown->bytes)
			add_damage(x, 0, 0, PROGRAM_EMPTY);
	} else {
		shown->missing = !file_stat(path, &st) && errno == ENOENT;
		add_damage(x, 0, 0, shown->missing ? PROGRAM_MISSING : PROGRAM_UNREADABLE);
	}
	w->base += shown->bytes;
	free(path);
	return ok;
}

static void tell_outer(struct progress *inner)
{
	struct walking *w = inner->owner;
	uint64_t done = w->base + atomic_load_explicit(&inner->done, memory_order_relaxed);

	if (!progress_step(w->outer, done, w->total))
		atomic_store_explicit(&inner->cancel, true, memory_order_relaxed);
}

/* Reads the files whose flag in `wanted` is set. False after a cancel. */
static bool read_files(struct program *program, const bool *wanted, struct progress *progress)
{
	struct v2_reading *reading = program->reading;
	struct walking w = {
		.x = { .program = program, .reading = reading, .last_key = PROGRAM_NONE },
		.outer = progress,
	};
	bool ok = true;

	w.inner.tick = tell_outer;
	w.inner.owner = &w;
	if (progress)
		atomic_store(&progress->what, "bytes");
	for (size_t i = 0; progress && i < reading->files.len; i++) {
		struct program_place at = place_of_file(i);
		char *path = v2_path(program, at.set, at.file);
		struct stat st;

		if (wanted[i] && file_stat(path, &st) && S_ISREG(st.st_mode))
			w.total += (uint64_t)st.st_size;
		free(path);
	}
	for (size_t i = 0; i < reading->files.len && ok; i++)
		if (wanted[i])
			ok = read_file(&w, i);
	index_release(&w.x);
	return ok;
}

/* Sets what follows from the metadata of all sets. */
static void tell_run(struct program *program)
{
	const struct v2_reading *reading = program->reading;
	double start = reading->any_start ? reading->first_start
	             : reading->any_time ? reading->first_time : 0;
	int64_t us;

	program->has_start = reading->any_start;
	program->t0_us = 0;
	if (program_time_us(program, start, &us))
		program->t0_us = us;
	for (size_t i = program->sets.len; i-- > 0;) {
		const struct program_set *set = &program->sets.at[i];

		if (!set->has_start)
			continue;
		program->run_id = set->run_id;
		program->tensorflow_version = set->tensorflow_version;
		program->file_version = set->file_version;
	}
}

/*
 * Which batch of a training each step is. The recorder for Keras says so in steps.json beside the
 * files of a dump:
 *
 *     {"format": "tensordbg-steps", "version": 1, "run_id": "ef4435b5", "ended": true, "most": 0,
 *      "steps": [{"model": "net", "fit": 1, "epoch": 0, "batch": 4, "first": 12, "last": 14}]}
 *
 * `first` and `last` are steps; `ended` says that the recording ended in order, `most` that only so
 * many executions and tensors were kept (0: all). What is of another run is passed over.
 */
#define STEPS_FILE "steps.json"
#define STEPS_FORMAT "tensordbg-steps"

enum { STEPS_FILE_MOST = 64 << 20 /* bytes */, STEPS_MOST = INT32_MAX };

struct steps_read {
	bool is_format, is_run, ended, keeps_all;
	VEC(struct program_batch) batches;
};

/* *is_here: it has steps here, not a run of a session. */
static bool read_batch(struct json *json, struct arena *mem, struct program_batch *batch,
                       bool *is_here)
{
	int64_t first = -1, last = -1;
	uint64_t off;

	*batch = (struct program_batch){ .fit = -1, .epoch = -1, .batch = -1 };
	if (!json_object(json))
		return false;
	off = json->value_off;
	while (json_more(json)) {
		const char *key = str_text(&json->key);
		int64_t *number = !strcmp(key, "first")   ? &first
		                  : !strcmp(key, "last")  ? &last
		                  : !strcmp(key, "fit")   ? &batch->fit
		                  : !strcmp(key, "epoch") ? &batch->epoch
		                  : !strcmp(key, "batch") ? &batch->batch
		                                          : NULL;

		if (number)
			json_whole(json, number);
		else if (strcmp(key, "model"))
			json_skip(json);
		else if (json_string(json))
			batch->model = arena_copy(mem, json->text.text, json->text.len);
	}
	json->value_off = off;
	if (json->failed)
		return false;
	*is_here = first >= 0 || last >= 0;
	if (*is_here && (first < 0 || last < first || last > STEPS_MOST || batch->batch < 0))
		return json_refuse(json, "an entry without steps or without a batch");
	batch->first = (uint32_t)first;
	batch->last = (uint32_t)last;
	return true;
}

static void read_steps(struct json *json, struct arena *mem, struct steps_read *out)
{
	struct program_batch batch;
	bool is_here;

	if (json_array(json))
		while (json_more(json) && read_batch(json, mem, &batch, &is_here))
			if (is_here)
				vec_push(&out->batches, batch);
}

static void read_object(struct json *json, const struct program *program, struct arena *mem,
                        struct steps_read *out)
{
	int64_t most;

	if (!json_object(json))
		return;
	while (json_more(json)) {
		const char *key = str_text(&json->key);

		if (!strcmp(key, "format") && json_string(json)) {
			out->is_format = !strcmp(str_text(&json->text), STEPS_FORMAT);
		} else if (!strcmp(key, "run_id") && json_string(json)) {
			out->is_run = program->run_id && !strcmp(json->text.text, program->run_id);
		} else if (!strcmp(key, "ended")) {
			out->ended = json_true(json);
			if (!out->ended)
				json_skip(json);
		} else if (!strcmp(key, "most")) {
			out->keeps_all = !json_null(json) && json_whole(json, &most) && !most;
		} else if (!strcmp(key, "steps")) {
			read_steps(json, mem, out);
		} else if (!json->failed) {
			json_skip(json);
		}
	}
}

/* Fills in batches, ended and keeps_all of the program. *err: they can't be read to their end. */
static void read_batches(struct program *program, struct err *err)
{
	struct steps_read found = {0};
	struct str path = {0};
	struct json json;
	struct file file;
	bool is_known;

	str_fmt(&path, "%s/" STEPS_FILE, program->path);
	if (file_is_there(path.text) && file_open(&file, path.text, err)) {
		json_start(&json, &file, err);
		if (file.size > STEPS_FILE_MOST)
			err_fill(err, ERR_LIMIT, path.text, 0, "more than %d bytes",
			         STEPS_FILE_MOST);
		else
			read_object(&json, program, &program->mem, &found);
		if (!err->code)
			json_end(&json);
		json_release(&json);
		file_close(&file);
	}
	is_known = !err->code && found.is_format && found.is_run;
	program->ended = is_known && found.ended;
	program->keeps_all = is_known && found.keeps_all;
	program->batches.len = 0;
	for (size_t i = 0; is_known && i < found.batches.len; i++)
		vec_push(&program->batches, found.batches.at[i]);
	vec_release(&found.batches);
	str_release(&path);
}

/* True: the numbers of records have changed. */
static bool finish(struct program *program)
{
	bool changed;

	tell_run(program);
	changed = program_sort(program);
	program_join(program);
	program->batches_fault = (struct err){0};
	read_batches(program, &program->batches_fault);
	return changed;
}

static void add_sets(struct program *program, const struct v2_run *run)
{
	struct v2_reading *reading = program->reading;

	for (size_t i = program->sets.len; i < run->sets.len && i < UINT16_MAX; i++) {
		const struct v2_set *set = &run->sets.at[i];

		vec_push(&program->sets, ((struct program_set){
			.prefix = arena_copy(&program->mem, set->prefix, strlen(set->prefix)),
			.host = arena_copy(&program->mem, set->host, strlen(set->host)),
		}));
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			vec_add(&reading->files);
	}
}

static void close_v2(struct program *program)
{
	struct v2_reading *reading = program->reading;

	vec_release(&reading->files);
	free(reading);
}

static struct program *look_beside(const struct program *program, enum program_news *news,
                                   struct progress *progress, struct err *err);
static struct program *read_beside(const struct program *program, struct progress *progress,
                                   struct err *err);

static const struct program_reader v2_reader = {
	.look_beside = look_beside,
	.read_beside = read_beside,
	.scan = v2_scan,
	.health = v2_health,
	.value = v2_value,
	.source_lines = v2_source_lines,
	.close = close_v2,
};

struct program *v2_open_seen(const struct v2_root *root, size_t run, struct program **seen,
                             struct progress *progress, struct err *err)
{
	struct program *program = program_new(&v2_reader, root->path);
	struct v2_reading *reading = mem_alloc(sizeof *reading);
	bool *all, ok;

	program->reading = reading;
	*seen = program;
	add_sets(program, &root->runs.at[run]);
	all = mem_alloc(reading->files.len);
	memset(all, true, reading->files.len);
	ok = read_files(program, all, progress);
	free(all);
	if (!ok) {
		err_fill(err, ERR_CANCELLED, root->path, 0, "stopped");
		program_close(program);
		return NULL;
	}
	finish(program);
	return program;
}

struct program *v2_open(const struct v2_root *root, size_t run, struct progress *progress,
                        struct err *err)
{
	struct program *seen;

	return v2_open_seen(root, run, &seen, progress, err);
}

/* ---- a dump that is still written */

/* The run with the program's first set; NULL: its files are gone. */
static const struct v2_run *run_of(const struct v2_root *root, const struct program *program)
{
	for (size_t i = 0; i < root->runs.len; i++)
		for (size_t k = 0; k < root->runs.at[i].sets.len; k++)
			if (!strcmp(root->runs.at[i].sets.at[k].prefix, program->sets.at[0].prefix))
				return &root->runs.at[i];
	return NULL;
}

/* Are the program's sets the first ones of the run? */
static bool goes_on(const struct v2_run *run, const struct program *program)
{
	if (run->sets.len < program->sets.len)
		return false;
	for (size_t i = 0; i < program->sets.len; i++)
		if (strcmp(run->sets.at[i].prefix, program->sets.at[i].prefix))
			return false;
	return true;
}

enum file_news { FILE_SAME, FILE_GREW, FILE_REPLACED };

/*
 * What happened to the i-th file since it was read. A file that was emptied and rewritten in place
 * counts as grown once it is longer than before. A file whose name is gone counts as unchanged.
 */
static enum file_news news_of(const struct program *program, size_t i)
{
	const struct v2_file *f = &((struct v2_reading *)program->reading)->files.at[i];
	struct program_place at = place_of_file(i);
	char *path = v2_path(program, at.set, at.file);
	enum file_news news = FILE_SAME;
	struct stat st;

	if (stat(path, &st) == 0) {
		int64_t changed_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
		bool is_it = f->there && f->dev == st.st_dev && f->ino == st.st_ino;

		if (!f->there || (is_it && (uint64_t)st.st_size > f->size))
			news = FILE_GREW;
		else if (!is_it || (uint64_t)st.st_size < f->size || changed_ns != f->changed_ns)
			news = FILE_REPLACED;
	}
	free(path);
	return news;
}

static struct program *read_anew(const struct v2_root *root, const struct v2_run *run,
                                 enum program_news *news, struct progress *progress,
                                 struct err *err)
{
	struct program *now = v2_open(root, (size_t)(run - root->runs.at), progress, err);

	*news = now ? PROGRAM_ANEW : PROGRAM_SAME;
	return now;
}

static struct program *copy_v2(const struct program *program)
{
	const struct v2_reading *from = program->reading;
	struct v2_reading *reading = mem_alloc(sizeof *reading);
	struct program *copy = program_copy(program);

	*reading = *from;
	memset(&reading->files, 0, sizeof reading->files);
	for (size_t i = 0; i < from->files.len; i++)
		vec_push(&reading->files, from->files.at[i]);
	copy->reading = reading;
	return copy;
}

static struct program *read_on(const struct program *program, const struct v2_run *run,
                               const bool *grown, enum program_news *news,
                               struct progress *progress, struct err *err)
{
	struct program *now = copy_v2(program);
	struct v2_reading *reading = now->reading;

	add_sets(now, run);
	if (!read_files(now, grown, progress))
		err_fill(err, ERR_CANCELLED, program->path, 0, "stopped");
	*news = PROGRAM_GREW;
	if (finish(now)) {
		reading->scanned_traces = reading->scanned_steps = 0;
		*news = PROGRAM_ANEW;
	}
	return now;
}

/* What became of the run's n files; which have grown. */
static enum program_news look_at_files(const struct program *program, bool *grown, size_t n)
{
	const struct v2_reading *reading = program->reading;
	enum program_news news = PROGRAM_SAME;

	for (size_t i = 0; i < n; i++) {
		enum file_news one = i < reading->files.len ? news_of(program, i) : FILE_GREW;

		if (one == FILE_REPLACED)
			return PROGRAM_ANEW;
		grown[i] = one == FILE_GREW;
		if (grown[i])
			news = PROGRAM_GREW;
	}
	return news;
}

static struct program *look_at(const struct program *program, const struct v2_root *root,
                               enum program_news *news, struct progress *progress,
                               struct err *err)
{
	const struct v2_run *run = run_of(root, program);
	struct program *now = NULL;
	size_t n_sets;
	bool *grown;

	if (!run)
		return NULL;
	if (!goes_on(run, program))
		return read_anew(root, run, news, progress, err);
	n_sets = run->sets.len < UINT16_MAX ? run->sets.len : UINT16_MAX;
	grown = mem_alloc(n_sets * PROGRAM_FILE_KINDS);
	*news = look_at_files(program, grown, n_sets * PROGRAM_FILE_KINDS);
	if (*news == PROGRAM_ANEW)
		now = read_anew(root, run, news, progress, err);
	else if (*news == PROGRAM_GREW)
		now = read_on(program, run, grown, news, progress, err);
	free(grown);
	return now;
}

static struct program *look_beside(const struct program *program, enum program_news *news,
                                   struct progress *progress, struct err *err)
{
	struct v2_root *root = v2_root_open(program->path, err);
	struct program *now = NULL;

	if (root)
		now = look_at(program, root, news, progress, err);
	v2_root_close(root);
	return now;
}

static struct program *read_beside(const struct program *program, struct progress *progress,
                                   struct err *err)
{
	struct v2_root *root = v2_root_open(program->path, err);
	const struct v2_run *run = root ? run_of(root, program) : NULL;
	struct program *now = NULL;
	enum program_news news;

	if (run)
		now = read_anew(root, run, &news, progress, err);
	else if (root)
		err_fill(err, ERR_MISSING, program->path, 0, "the files of this run are gone");
	v2_root_close(root);
	return now;
}
