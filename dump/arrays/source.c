/*
 * Steps are numbers in paths. They count as steps if their files are alike: if some array is in
 * two of them, and of bare numbers at the end of names (x_0.npy, x_1.npy), which may as well count
 * layers, if all files have one and all of them have the same names.
 */
#include "dump/arrays/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/arrays/step.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/files/recognise.h"
#include "dump/format/file.h"

/* A file while it is not clear yet what its step means. */
struct found {
	const char *path;
	const struct array_format *format;
	const char *name, *stepless, *step_text, *device;
	int64_t step;
	bool is_bare;
};

struct search {
	struct array_sources *out;
	VEC(struct found) found;
	uint64_t left;
	bool is_recording;       /* of a recorder, whose steps are directories */
	void *owner;
	void (*skipped)(void *owner, enum walk_skip what, const char *path, const char *why);
};

const struct array_format *array_format_named(const char *name)
{
	for (size_t i = 0; array_formats[i] && *name != '.'; i++)
		if (array_formats[i]->is_named(name))
			return array_formats[i];
	return NULL;
}

/* By what is in it; by its name, if that tells nothing or only seems a part of a profile. */
const struct array_format *array_format_of(const char *path)
{
	enum file_kind kind;
	struct err err;

	if (!recognise(path, &kind, &err))
		return NULL;
	for (size_t i = 0; array_formats[i]; i++)
		if (array_formats[i]->is_kind(kind))
			return array_formats[i];
	return kind == FILE_NONE || !file_kind_answer(kind)
	       ? array_format_named(path_name(path)) : NULL;
}

static const char *copy(struct search *s, const char *text)
{
	return arena_copy(&s->out->mem, text, strlen(text));
}

/* "a/b" of "a/b.npy" */
static const char *without_ending(struct search *s, const char *path,
                                  const struct array_format *format)
{
	const char *name = path_name(path), *dot = strrchr(name, '.');
	struct str out = {0};
	const char *kept;

	str_put(&out, path, (size_t)(name - path));
	if (format->stem)
		str_puts(&out, format->stem(name, &s->out->mem));
	else
		str_put(&out, name, dot > name ? (size_t)(dot - name) : strlen(name));
	kept = arena_copy(&s->out->mem, str_text(&out), out.len);
	str_release(&out);
	return kept;
}

static bool take_file(void *owner, const struct walk_file *file)
{
	struct search *s = owner;
	const struct array_format *format;
	struct str path = {0};

	s->out->cut = !s->left;
	if (s->out->cut)
		return false;
	s->left--;
	format = array_format_named(file->name);
	if (!format)
		return true;
	str_fmt(&path, "%s%s", file->dir, file->name);
	vec_push(&s->found, ((struct found){ .path = copy(s, path.text), .format = format }));
	str_release(&path);
	return true;
}

static void skip(void *owner, enum walk_skip what, const char *path, const char *why)
{
	struct search *s = owner;
	size_t len = strlen(path);

	if (s->skipped && (what == SKIP_UNREAD || !len || path[len - 1] == '/'
	                   || array_format_named(path_name(path))))
		s->skipped(s->owner, what, path, why);
}

/* Sources that may own others, by their directories. */
struct owners {
	struct map dirs;
	VEC(size_t) first;       /* by directory: the latest of its owners, plus 1; 0: none */
	size_t *next;            /* by source: the one before it in its directory, plus 1 */
	struct arena mem;
};

static size_t dir_len(const char *path)
{
	return (size_t)(path_name(path) - path);
}

static void list_owners(const struct search *s, struct owners *o)
{
	o->next = mem_alloc(s->found.len * sizeof *o->next);
	for (size_t i = 0; i < s->found.len; i++) {
		const struct found *f = &s->found.at[i];
		uint32_t dir;

		if (!f->format->owns)
			continue;
		dir = map_add(&o->dirs, &o->mem, f->path, dir_len(f->path));
		if (dir == o->first.len)
			vec_push(&o->first, 0);
		o->next[i] = o->first.at[dir];
		o->first.at[dir] = i + 1;
	}
}

static bool is_owned(const struct search *s, const struct owners *o, size_t at)
{
	const char *path = s->found.at[at].path;

	for (size_t len = dir_len(path);; ) {
		uint32_t dir = map_find(&o->dirs, path, len);

		for (size_t k = dir == MAP_NONE ? 0 : o->first.at[dir]; k; k = o->next[k - 1]) {
			const struct found *by = &s->found.at[k - 1];

			if (k - 1 != at && by->format->owns(by->path, path))
				return true;
		}
		if (!len)
			return false;
		for (len--; len && path[len - 1] != '/'; )
			len--;
	}
}

/* Files that belong to another one are no sources. */
static void drop_owned(struct search *s)
{
	struct owners o = {0};
	bool *owned = mem_alloc(s->found.len);
	size_t kept = 0;

	list_owners(s, &o);
	for (size_t i = 0; i < s->found.len; i++)
		owned[i] = is_owned(s, &o, i);
	for (size_t i = 0; i < s->found.len; i++)
		if (!owned[i])
			s->found.at[kept++] = s->found.at[i];
	s->found.len = kept;
	map_release(&o.dirs);
	vec_release(&o.first);
	arena_release(&o.mem);
	free(o.next);
	free(owned);
}

static bool any_owns(const struct search *s)
{
	for (size_t i = 0; i < s->found.len; i++)
		if (s->found.at[i].format->owns)
			return true;
	return false;
}

static int by_path(const void *a, const void *b)
{
	return natural_order(((const struct found *)a)->path, ((const struct found *)b)->path);
}

static void read_parts(struct search *s)
{
	struct path_parts parts = {0};

	for (size_t i = 0; i < s->found.len; i++) {
		struct found *f = &s->found.at[i];

		path_parts_read(&parts, without_ending(s, f->path, f->format),
		                f->format->bare_step);
		f->step = parts.step;
		f->is_bare = parts.is_bare && f->format->bare_step == '_';
		f->name = copy(s, str_text(&parts.name));
		f->stepless = copy(s, str_text(&parts.stepless));
		f->step_text = copy(s, str_text(&parts.step_text));
		f->device = parts.device.len ? copy(s, parts.device.text) : NULL;
	}
	path_parts_release(&parts);
}

/* Steps. */

static int by_step(const void *a, const void *b)
{
	int64_t x = ((const struct run_step *)a)->step, y = ((const struct run_step *)b)->step;

	return (x > y) - (x < y);
}

/* Each number once. */
static void list_steps(struct search *s)
{
	struct array_sources *out = s->out;
	size_t n = 0;

	for (size_t i = 0; i < s->found.len; i++)
		if (s->found.at[i].step >= 0)
			vec_push(&out->steps, ((struct run_step){ s->found.at[i].step_text,
			                                          s->found.at[i].step }));
	if (out->steps.len)
		qsort(out->steps.at, out->steps.len, sizeof *out->steps.at, by_step);
	for (size_t i = 0; i < out->steps.len; i++)
		if (!n || out->steps.at[n - 1].step != out->steps.at[i].step)
			out->steps.at[n++] = out->steps.at[i];
	out->steps.len = n;
}

/* Are there files that are alike but for their step? */
static bool are_alike(struct search *s)
{
	size_t n_steps = s->out->steps.len, n_files = 0, shared = 0;
	bool any_bare = false;
	struct arena mem = {0};
	struct map names = {0};
	struct str key = {0};

	for (size_t i = 0; i < s->found.len; i++) {
		const struct found *f = &s->found.at[i];
		size_t before = names.len;

		if (f->step < 0)
			continue;
		n_files++;
		any_bare |= f->is_bare;
		str_reset(&key);
		str_fmt(&key, "%s\n%s", f->device ? f->device : "", f->stepless);
		map_add(&names, &mem, key.text, key.len);
		shared += names.len == before;
	}
	map_release(&names);
	arena_release(&mem);
	str_release(&key);
	return any_bare ? n_files == s->found.len && (n_files - shared) * n_steps == n_files
	                : shared > 0;
}

/* A bare number alone (version_2.npy) may count anything. */
static bool is_bare_alone(const struct search *s)
{
	for (size_t i = 0; i < s->found.len; i++)
		if (s->found.at[i].step >= 0 && !s->found.at[i].is_bare)
			return false;
	return s->out->steps.len == 1;
}

static void settle_steps(struct search *s)
{
	struct array_sources *out = s->out;
	bool has_names;          /* without their step */

	list_steps(s);
	if (!out->of_steps && (out->steps.len > 1 ? !are_alike(s) : is_bare_alone(s)))
		out->steps.len = 0;
	has_names = out->steps.len > 1 || (out->steps.len && s->is_recording);
	for (size_t i = 0; i < s->found.len; i++) {
		const struct found *f = &s->found.at[i];

		vec_push(&out->at, ((struct array_source){
			.path = f->path, .name = has_names ? f->stepless : f->name,
			.device = f->device, .format = f->format,
			.step = out->steps.len ? f->step : -1,
		}));
	}
}

static bool find_below(struct search *s, const char *path, struct err *err)
{
	struct walk_sink sink = { s, take_file, skip };
	struct str stacks = {0};

	str_fmt(&stacks, "%s/stacks.json", path);
	s->is_recording = file_is_there(stacks.text);
	str_release(&stacks);
	if (!walk_path(path, &sink))
		return err_at(err, ERR_IO, path, 0, "the directory can't be opened");
	if (s->found.len)
		qsort(s->found.at, s->found.len, sizeof *s->found.at, by_path);
	if (any_owns(s))
		drop_owned(s);
	return true;
}

static bool find_file(struct search *s, const char *path)
{
	const struct array_format *format = array_format_of(path);

	if (format)
		vec_push(&s->found, ((struct found){ .path = copy(s, path_name(path)),
		                                     .format = format }));
	return format;
}

bool array_sources_of(const char *path, uint64_t most, void *owner,
                      void (*skipped)(void *owner, enum walk_skip what, const char *path,
                                      const char *why),
                      struct array_sources *out, struct err *err)
{
	struct search s = { .out = out, .left = most, .owner = owner, .skipped = skipped };
	bool is_dir = file_is_dir(path);
	bool ok = is_dir ? find_below(&s, path, err)
	                 : find_file(&s, path)
	                   || err_at(err, ERR_MISSING, path, 0, "no file of arrays");

	if (ok) {
		read_parts(&s);
		settle_steps(&s);
	}
	for (size_t i = 0; i < out->at.len && !is_dir; i++)
		out->at.at[i].path = "";
	vec_release(&s.found);
	return ok;
}

void array_sources_release(struct array_sources *sources)
{
	vec_release(&sources->at);
	vec_release(&sources->steps);
	arena_release(&sources->mem);
}
