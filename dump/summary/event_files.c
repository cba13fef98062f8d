/*
 * Rows are sorted by worker, then by set, file and offset: one file is open at a time. Which names
 * come from several workers is found out by a first reading.
 */
#include "dump/summary/event_files.h"

#include <stdio.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/writer.h"
#include "dump/format/crc32c.h"
#include "dump/model/program.h"
#include "dump/summary/reader.h"

enum { STEP_ROWS = 1024 };

/* A set of files: its worker's and its own name, as keys have them. */
struct set_name {
	const char *worker, *prefix;
};

struct files {
	const char *dir;
	VEC(struct set_name) sets;
	struct writer *writer;           /* NULL: none is open */
	size_t set;                      /* that the rows are of, from 1 */
	const char *suffix;              /* the file that is open */
	struct arena mem;
	struct progress *progress;
	struct err *err;
};

/* ---- names */

static bool is_shared(const struct files *f, const char *prefix)
{
	size_t n = 0;

	for (size_t i = 0; i < f->sets.len; i++)
		n += !strcmp(f->sets.at[i].prefix, prefix);
	return n > 1;
}

/* A name in a key is anyone's: no part of it leads elsewhere. */
static void put_safe(struct str *out, const char *text)
{
	for (; *text; text++)
		str_putc(out, *text == '/' ? '_' : *text);
}

static void put_path(const struct files *f, const struct set_name *set, const char *suffix,
                     struct str *out)
{
	str_fmt(out, "%s/", f->dir);
	put_safe(out, set->prefix);
	if (is_shared(f, set->prefix)) {
		str_putc(out, '@');
		put_safe(out, set->worker);
	}
	str_fmt(out, ".%s", suffix);
}

static const char *known_suffix(const char *name)
{
	for (size_t i = 0; i < PROGRAM_FILE_KINDS; i++)
		if (!strcmp(program_file_suffix[i], name))
			return program_file_suffix[i];
	return NULL;
}

/* ---- files */

static bool open_file(struct files *f, const struct set_name *set, const char *suffix)
{
	struct str path = {0};

	put_path(f, set, suffix, &path);
	f->writer = writer_open(path.text, WRITER_PRIVATE, f->err);
	f->suffix = suffix;
	str_release(&path);
	return f->writer;
}

static bool close_file(struct files *f)
{
	struct writer *writer = f->writer;

	f->writer = NULL;
	return !writer || writer_close(writer, !f->err->code, NULL, f->err);
}

/* All of a set, empty: those with events are written again. */
static bool begin_set(struct files *f, const struct set_name *set)
{
	bool ok = close_file(f);

	for (size_t i = 0; ok && i < PROGRAM_FILE_KINDS; i++)
		ok = open_file(f, set, program_file_suffix[i]) && close_file(f);
	f->suffix = NULL;
	f->set++;
	return ok;
}

static void put_record(FILE *out, struct text payload)
{
	unsigned char head[12], foot[4];
	uint32_t crc;

	for (int i = 0; i < 8; i++)
		head[i] = (unsigned char)((uint64_t)payload.len >> (8 * i));
	crc = crc32c_masked(crc32c(0, head, 8));
	for (int i = 0; i < 4; i++)
		head[8 + i] = (unsigned char)(crc >> (8 * i));
	crc = crc32c_masked(crc32c(0, payload.at, payload.len));
	for (int i = 0; i < 4; i++)
		foot[i] = (unsigned char)(crc >> (8 * i));
	fwrite(head, 1, sizeof head, out);
	fwrite(payload.at, 1, payload.len, out);
	fwrite(foot, 1, sizeof foot, out);
}

static bool is_of_set(const struct files *f, const struct summary_key *key)
{
	const struct set_name *set = f->set ? &f->sets.at[f->set - 1] : NULL;

	return set && !strcmp(set->worker, key->worker) && !strcmp(set->prefix, key->run);
}

static bool put_event(struct files *f, const struct summary_row *row)
{
	const char *suffix = known_suffix(row->key.node);

	if (!is_of_set(f, &row->key) && !begin_set(f, &f->sets.at[f->set]))
		return false;
	if (!suffix)
		return true;
	if (suffix != f->suffix &&
	    (!close_file(f) || !open_file(f, &f->sets.at[f->set - 1], suffix)))
		return false;
	put_record(writer_stream(f->writer), row->value);
	return true;
}

/* ---- both readings */

static void note_set(struct files *f, const struct summary_key *key)
{
	const struct set_name *last = f->sets.len ? vec_last(&f->sets) : NULL;

	if (last && !strcmp(last->worker, key->worker) && !strcmp(last->prefix, key->run))
		return;
	vec_push(&f->sets, ((struct set_name){
		arena_copy(&f->mem, key->worker, strlen(key->worker)),
		arena_copy(&f->mem, key->run, strlen(key->run)),
	}));
}

static bool each_event(struct files *f, const char *path, bool write)
{
	struct summary_reader *r = summary_open(path, f->err);
	struct summary_row row;
	uint64_t done, total;
	bool ok = r;

	for (size_t n = 0; ok && summary_next(r, &row, f->err); n++) {
		done = summary_read_bytes(r, &total);
		if (n % STEP_ROWS == 0 && !progress_step(f->progress, done, total))
			ok = err_at(f->err, ERR_CANCELLED, "command", 0, "cancelled");
		else if (row.key.kind == SUMMARY_EVENT && write)
			ok = put_event(f, &row);
		else if (row.key.kind == SUMMARY_EVENT)
			note_set(f, &row.key);
	}
	summary_close(r);
	return ok && !f->err->code;
}

bool summary_put_event_files(const char *path, const char *dir, size_t *n,
                             struct progress *progress, struct err *err)
{
	struct files f = { .dir = dir, .progress = progress, .err = err };
	bool ok = each_event(&f, path, false) && (!f.sets.len || each_event(&f, path, true));

	ok = close_file(&f) && ok;
	*n = f.sets.len;
	vec_release(&f.sets);
	arena_release(&f.mem);
	return ok;
}
