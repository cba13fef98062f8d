#include "dump/readers.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/arrays/arrays.h"
#include "dump/format/file.h"
#include "dump/summary/run_summary.h"
#include "dump/v1/run_v1.h"

const struct reader *const readers[] = { &reader_v1, &reader_arrays, &reader_summary, NULL };

void readers_put_signs(struct str *out)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->looks_for)
			str_fmt(out, "%s%s", i ? ", " : "", readers[i]->looks_for);
}

static void nothing_here(const char *path, struct err *err)
{
	struct str wanted = {0};

	readers_put_signs(&wanted);
	err_fill(err, ERR_MISSING, path, 0, "no TensorFlow dump here: looked for %s", wanted.text);
	str_release(&wanted);
}

const struct reader *readers_look(const char *path, struct arena *mem, struct place *out,
                                  struct err *err)
{
	struct err first = {0};
	struct stat st;

	if (!file_stat(path, &st)) {
		err_fill(err, ERR_IO, path, 0, "%s", strerror(errno));
		return NULL;
	}
	for (size_t i = 0; readers[i]; i++) {
		struct err why = {0};

		place_release(out);
		*out = (struct place){0};
		if (readers[i]->look(path, mem, out, &why)
		    && (out->is_run || out->runs.len || out->steps.len))
			return readers[i];
		if (out->has_roots)
			break;
		if (!first.code)
			first = why;
	}
	if (!first.code)
		nothing_here(path, err);
	else if (err)
		*err = first;
	return NULL;
}

/* What lies below counts as well. */
static const struct reader *look_anywhere(const char *path, struct arena *mem, struct place *out,
                                          struct err *err)
{
	const struct reader *found = readers_look(path, mem, out, err);

	for (size_t i = 0; !found && err->code == ERR_MISSING && readers[i]; i++) {
		place_release(out);
		*out = (struct place){0};
		if (readers[i]->look_below && readers[i]->look_below(path, mem, out, NULL)
		    && (out->is_run || out->steps.len))
			found = readers[i];
	}
	return found;
}

static bool has_step(const struct place *place, int64_t step)
{
	for (size_t i = 0; i < place->steps.len; i++)
		if (place->steps.at[i].step == step)
			return true;
	return false;
}

struct run *run_open_step(const char *path, int64_t step, struct err *err)
{
	struct arena mem = {0};
	struct place place = {0};
	struct err own = {0};
	const struct reader *reader = look_anywhere(path, &mem, &place, &own);
	struct run *run = NULL;

	if (reader && place.is_run) {
		run = run_new(reader, place.path);
		run->kept = counted_keep(place.kept);
	} else if (reader && place.steps.len > 1 && has_step(&place, step)) {
		run = run_new(reader, place.path);
		run->step = step;
		run->kept = counted_keep(place.kept);
	} else if (reader && place.runs.len == 1 && !place.steps.len) {
		run = run_new(reader, arena_fmt(&mem, "%s/%s", place.path, place.runs.at[0]));
		run->kept = counted_keep(place.kept);
	} else if (reader) {
		err_fill(err, ERR_MISSING, place.path, 0,
		         "the directory of %zu runs, not one of them",
		         place.runs.len + place.steps.len);
	} else if (err) {
		*err = own;
	}
	place_release(&place);
	arena_release(&mem);
	return run;
}

struct run *run_open(const char *path, struct err *err)
{
	return run_open_step(path, -1, err);
}
