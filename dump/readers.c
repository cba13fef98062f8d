#include "dump/readers.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "dump/arrays/arrays.h"
#include "dump/v1/run_v1.h"

const struct reader *const readers[] = { &reader_v1, &reader_arrays, NULL };

void readers_put_signs(struct str *out)
{
	for (size_t i = 0; readers[i]; i++)
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

	if (stat(path, &st) < 0) {
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

struct run *run_open(const char *path, struct err *err)
{
	struct arena mem = {0};
	struct place place = {0};
	const struct reader *reader = readers_look(path, &mem, &place, err);
	struct run *run = NULL;

	if (reader && place.is_run)
		run = run_new(reader, place.path);
	else if (reader)
		err_fill(err, ERR_MISSING, place.path, 0,
		         "the directory of %zu runs, not one of them",
		         place.runs.len + place.steps.len);
	place_release(&place);
	arena_release(&mem);
	return run;
}
